"""``python -m tests.bench``: every benchmark of the product, one after the other."""

from tests.bench.rules_speed import main

if __name__ == "__main__":
    main()

"""``python -m tests.bench``: every benchmark of the product, one after the other."""

from tests.bench import page_servers, rules_speed

if __name__ == "__main__":
    rules_speed.main()
    page_servers.main()

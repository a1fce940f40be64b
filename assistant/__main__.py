"""``python -m assistant``: the command line where the command ``sightline`` is not on the path."""

from assistant.cli import main

if __name__ == "__main__":
    main()

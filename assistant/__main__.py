"""Run the command line as ``python -m assistant``, where ``sightline`` is not on the path."""

from assistant.cli import main

if __name__ == "__main__":
    main()

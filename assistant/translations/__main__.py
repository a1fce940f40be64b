"""``make catalogue``: updates every catalogue from the sources, and lists untranslated messages."""

from __future__ import annotations

import sys

from assistant.translations.collecting import update_catalogues


def main() -> int:
    """Update the catalogues, and return 1 if messages are untranslated. Standard error lists them."""
    lacking = [f"{path.name}: {text}" for path, texts in update_catalogues().items() for text in texts]
    sys.stderr.writelines(f"{line}\n" for line in lacking)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())

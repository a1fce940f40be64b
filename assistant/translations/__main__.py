"""``make catalogue``: brings every catalogue up to date with the sources, and tells what it has no words for."""

from __future__ import annotations

import sys

from assistant.translations.collecting import updated


def main() -> int:
    """Exit status 1 if a catalogue lacks words; each lacking message is a line on standard error."""
    lacking = [f"{path.name}: {text}" for path, texts in updated().items() for text in texts]
    sys.stderr.writelines(f"{line}\n" for line in lacking)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())

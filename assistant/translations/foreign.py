"""Sentences that are not ours, of libraries and of the operating system: those that are known have words like our own.

They come in English and without their parts; what they are about is read out of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from assistant.translations.messages import Said, as_told, message

WHAT = "what"

SYSTEM = (
    message("No such file or directory"),
    message("Permission denied"),
    message("Is a directory"),
    message("Not a directory"),
    message("File exists"),
    message("File name too long"),
    message("No space left on device"),
    message("Read-only file system"),
    message("Input/output error"),
    message("Too many open files"),
    message("Connection refused"),
    message("Connection reset by peer"),
    message("No route to host"),
    message("Network is unreachable"),
    message("Name or service not known"),
    message("Temporary failure in name resolution"),
    message("timed out"),
)
"""What operating systems say of files and of the network, as far as people meet it."""


def recognised(text: str, patterns: Sequence[str]) -> Said:
    """The sentence by the first of the patterns that it follows; as it is where it follows none.

    Args:
        text: what a library or the system said, in English.
        patterns: with ``{places}`` for what it is about; what stands in ``{what}`` is such a sentence, too.
    """
    for pattern in patterns:
        found = _expression(pattern).fullmatch(text)
        if found is not None:
            parts = found.groupdict()
            return Said(
                pattern, {name: recognised(part, patterns) if name == WHAT else part for name, part in parts.items()}
            )
    return as_told(text)


def told_by_system(problem: OSError) -> Said:
    """What the operating system says is wrong."""
    return recognised(problem.strerror or str(problem) or type(problem).__name__, SYSTEM)


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", pattern)
    texts = [re.escape(part) if place % 2 == 0 else f"(?P<{part}>.+?)" for place, part in enumerate(parts)]
    return re.compile("".join(texts), re.DOTALL)

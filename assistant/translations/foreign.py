"""Translates known sentences of libraries and the operating system.

They arrive as finished English text, so patterns extract their parts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from assistant.translations.messages import Said, message, verbatim

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
"""Operating-system errors about files and the network that people encounter."""


def recognised(text: str, patterns: Sequence[str]) -> Said:
    """Return the sentence by the first matching pattern, or unchanged if none matches.

    Args:
        text: the English sentence of a library or the system.
        patterns: with ``{places}``; ``{what}`` holds another such sentence.
    """
    for pattern in patterns:
        found = _expression(pattern).fullmatch(text)
        if found is not None:
            parts = found.groupdict()
            return Said(
                pattern, {name: recognised(part, patterns) if name == WHAT else part for name, part in parts.items()}
            )
    return verbatim(text)


def system_reason(problem: OSError) -> Said:
    """Return the operating system's reason."""
    return recognised(problem.strerror or str(problem) or type(problem).__name__, SYSTEM)


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", pattern)
    texts = [re.escape(part) if place % 2 == 0 else f"(?P<{part}>.+?)" for place, part in enumerate(parts)]
    return re.compile("".join(texts), re.DOTALL)

"""Translation of known sentences of libraries and the operating system.

They arrive in English as finished text, so patterns read their parts out of them.
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
"""Errors of operating systems about files and the network that people meet."""


def recognised(text: str, patterns: Sequence[str]) -> Said:
    """Return the sentence by the first pattern that matches; unchanged if none does.

    Args:
        text: of a library or the system, in English.
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

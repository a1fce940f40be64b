"""What is wrong between a table and its tournament: several things at once, of which people are told the worst."""

from __future__ import annotations

import threading
from collections.abc import Callable

from assistant.errors import CannotDo, SightlineError
from assistant.translations.messages import said

BROKER, STORE, CODE, OUTBOX, MESSAGE = "broker", "store", "code", "outbox", "message"
DESK = "desk "
"""Before a desk's name."""

_WORST_FIRST = (STORE, OUTBOX, BROKER, CODE, DESK, MESSAGE)
"""What is lost, before what waits."""


class DeskOutdated(CannotDo):
    """The desk speaks an older protocol than this table."""

    def __init__(self, desk: str, version: str) -> None:
        super().__init__(
            said(
                "The desk “{desk}” runs an older Sightline ({version}). Update it; until then everything for it is "
                "kept here.",
                desk=desk,
                version=version or "?",
            )
        )


class CodeShared(CannotDo):
    """Two programs came to the broker under one name."""

    def __init__(self, table: str) -> None:
        super().__init__(
            said(
                "Two programs use the join code of “{table}”, and only the first of them is heard. Give each table a "
                "code of its own; the other one keeps everything until then.",
                table=table,
            )
        )


class LinkTroubles:
    """Keeps what is wrong by what it is about, until it is well again; safe to use from every thread.

    Args:
        tell: told the worst that is wrong, first of all and whenever that changes; None once nothing is.
    """

    def __init__(self, tell: Callable[[SightlineError | None], None]) -> None:
        self._tell = tell
        self._known: dict[str, SightlineError] = {}
        self._told: list[SightlineError | None] = []
        self._guard = threading.RLock()

    def note(self, about: str, problem: SightlineError | None) -> None:
        """Something is wrong about one thing, or is not any more."""
        with self._guard:
            if problem is None:
                self._known.pop(about, None)
            else:
                self._known[about] = problem
            worst = next((self._known[one] for one in sorted(self._known, key=_rank)), None)
            if self._told != [worst]:
                self._told = [worst]
                self._tell(worst)


def _rank(about: str) -> int:
    return next(place for place, one in enumerate(_WORST_FIRST) if about.startswith(one))

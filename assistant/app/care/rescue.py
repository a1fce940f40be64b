"""Opens the matches of a data folder even if their file is damaged, from its readable rest and from exports."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from assistant.app.care.evening import newest_export
from assistant.app.matches.archive import KeptMatches
from assistant.documents import line_hash, match_from_lines
from assistant.documents.table_event import table_events_from_lines
from assistant.errors import CannotDo, DocumentError
from assistant.run_clock import now_ms
from assistant.store import DamagedStore, Salvaged, Store, salvage, set_aside
from assistant.translations.messages import said

log = logging.getLogger(__name__)


class StoreRescued(CannotDo):
    """The match database was damaged. A new one holds everything that could be read."""

    def __init__(self, matches: int, events: int, aside: str) -> None:
        super().__init__(
            said(
                "The file of the matches was damaged. Read from it and from the last export: {matches} matches with "
                "{events} steps. Check the last steps. The damaged file is kept as {aside}.",
                matches=matches,
                events=events,
                aside=aside,
            )
        )


def open_matches(folder: Path, clock_ms: Callable[[], int] = now_ms) -> tuple[KeptMatches, StoreRescued | None]:
    """Open the matches of a data folder, and report what was wrong with their file.

    Raises:
        StoreError: the folder cannot be used, or another program has it open.
    """
    try:
        return KeptMatches(folder, clock_ms), None
    except DamagedStore as problem:
        log.warning("%s", problem)
    ending = datetime.datetime.fromtimestamp(clock_ms() / 1000).strftime("damaged-%Y%m%d-%H%M%S")
    aside = set_aside(folder, ending)
    found = _whole_part(salvage(aside))
    found = replace(found, matches={**_longer(newest_export(folder), found.matches)})
    with Store(folder) as store:
        store.bring_back(found)
    events = sum(len(lines) - 1 for lines in found.matches.values())
    return KeptMatches(folder, clock_ms), StoreRescued(len(found.matches), events, aside.name)


def _whole_part(found: Salvaged) -> Salvaged:
    """Return salvaged data without the lines after a break in a hash chain."""
    matches = {name: lines for name, each in found.matches.items() if (lines := _whole_lines(each))}
    events = list(found.table_events)
    while events:
        try:
            table_events_from_lines(events, "events")
        except DocumentError:
            events.pop()
        else:
            break
    return Salvaged(matches, tuple(events), found.frozen)


def _whole_lines(lines: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Return a match's lines up to the first break of the chain, or nothing if the header is unreadable."""
    kept: tuple[bytes, ...] = ()
    for count in (len(lines), *range(len(lines) - 1, 0, -1)):
        try:
            match_from_lines(b"\n".join(lines[:count]))
        except DocumentError:
            continue
        kept = lines[:count]
        break
    return kept


def _longer(
    exported: Mapping[str, tuple[bytes, ...]], salvaged: Mapping[str, tuple[bytes, ...]]
) -> dict[str, tuple[bytes, ...]]:
    """Keep the longer version of each match. A different match under the same name keeps its salvaged lines."""
    both = dict(salvaged)
    for name, lines in exported.items():
        known = both.get(name)
        is_same = known is None or line_hash(known[0]) == line_hash(lines[0])
        if is_same and len(lines) > len(known or ()):
            both[name] = lines
    return both

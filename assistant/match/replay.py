"""A saved match checked again: every die, shuffle and ruling that the program gave, every step against the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from assistant.documents import match_from_lines
from assistant.errors import InputError, UnknownName
from assistant.match.chance import chance_of_event
from assistant.match.game import GameState, Step
from assistant.match.games import system_of
from assistant.match.header import Header
from assistant.match.session import event_from, type_of
from assistant.match.system import MatchSystem
from assistant.match.timeline import Event, Timeline
from assistant.translations.messages import Said, said


class Finding(NamedTuple):
    """Something in a saved match that the program would not have written: the event's number, and what."""

    seq: int
    text: Said


@dataclass(frozen=True)
class Replay:
    """A match at one of its events, what was checked on the way, and what was found."""

    header: Header
    system: MatchSystem
    timeline: Timeline
    event_count: int
    ruling_count: int
    findings: tuple[Finding, ...]


def replay_match(data: bytes, document: str, to: int | None = None) -> Replay:
    """The match of a ``sightline.match/1`` document after the event ``to`` (None: the last), checked up to there.

    Raises:
        DocumentError: it is no match, or its chain of hashes is broken.
        UnknownName: it has no event of that number.
    """
    log = match_from_lines(data, document)
    header = Header.read(log.header)
    system = system_of(header.ruleset)
    last = len(log.events) if to is None else to
    if not 0 <= last <= len(log.events):
        raise UnknownName(
            said("there is no event {last}; the match has {count}", last=last, count=len(log.events)), document=document
        )
    timeline = Timeline(system.start(header.setup, header.options, header.seed), header.clock())
    findings, ruling_count = [], 0
    for raw in log.events[:last]:
        event = event_from(raw, system)
        ruling_count += getattr(event.command, "ruling", None) is not None
        try:
            different = _find_differences(event, timeline, header)
        except InputError as problem:
            # What follows stands on a step that cannot have happened, so nothing can be said about it.
            findings.append(
                Finding(event.seq, said("{step}: {reason}", step=type_of(event.command), reason=problem.sentence))
            )
            break
        if different:
            step, fields = type_of(event.command), ", ".join(different)
            text = said("{step}: the program gives another {fields}", step=step, fields=fields)
            findings.append(Finding(event.seq, text))
        timeline = timeline.after(event)
    return Replay(header, system, timeline, len(log.events), ruling_count, tuple(findings))


def _find_differences(event: Event, timeline: Timeline, header: Header) -> list[str]:
    """The fields in which an event is not what the program would have written at its place.

    Raises:
        IllegalStep: the rules do not allow it there.
    """
    command = event.command
    if not isinstance(command, Step):
        timeline.check(command, event.actor)
        return []
    settled: Step[GameState] = command.settle(timeline.game, chance_of_event(header.seed, event.seq))
    command.check(timeline.game)
    written, now = (msgspec.json.decode(msgspec.json.encode(step)) for step in (command, settled))
    return sorted(name for name in {*written, *now} if written.get(name) != now.get(name))

"""Check a saved match: the program's dice, shuffles and rulings, and every step against the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from assistant.documents import match_from_lines
from assistant.errors import InputError
from assistant.match.audience import Audience
from assistant.match.games import system_of
from assistant.match.header import Header
from assistant.match.legality import MatchJudge, find_differences, no_event
from assistant.match.session import event_from
from assistant.match.system import MatchSystem
from assistant.match.timeline import Timeline, type_of
from assistant.translations.messages import Said, said


class Finding(NamedTuple):
    """A difference from what the program would have written, with the event's number."""

    seq: int
    text: Said


@dataclass(frozen=True)
class Replay:
    """A match at one of its events, the counts of what was checked on the way, and the findings."""

    header: Header
    system: MatchSystem[Any, Any]
    timeline: Timeline
    event_count: int
    ruling_count: int
    findings: tuple[Finding, ...]


def replay_match(data: bytes, document: str, to: int | None = None) -> Replay:
    """Return a ``sightline.match/1`` document's match after the event ``to`` (None: the last), checked up to there.

    Raises:
        DocumentError: it is no match, or its chain of hashes is broken.
        UnknownName: it has no event of that number.
    """
    log = match_from_lines(data, document)
    header, system, timeline = _begin(log.header)
    last = len(log.events) if to is None else to
    if not 0 <= last <= len(log.events):
        raise no_event(last, len(log.events), document)
    findings, ruling_count = [], 0
    for raw in log.events[:last]:
        event = event_from(raw, system)
        ruling_count += getattr(event.command, "ruling", None) is not None
        try:
            different = find_differences(event, timeline, header.seed)
        except InputError as problem:
            # Nothing after an impossible step has meaning, so the check ends here.
            findings.append(
                Finding(event.seq, said("{step}: {reason}", step=type_of(event.command), reason=problem.sentence))
            )
            break
        if different:
            step, fields = type_of(event.command), ", ".join(different)
            text = said("{step}: the program computes a different {fields}", step=step, fields=fields)
            findings.append(Finding(event.seq, text))
        timeline = timeline.after(event)
    return Replay(header, system, timeline, len(log.events), ruling_count, tuple(findings))


def _begin(line: Mapping[str, Any]) -> tuple[Header, MatchSystem[Any, Any], Timeline]:
    header = Header.read(line)
    system = system_of(header.ruleset)
    return header, system, Timeline(system.start(header.setup, header.options, header.seed), header.clock())


def judge_events(data: bytes, document: str, audience: Audience, seq: int | None = None) -> Iterator[dict[str, Any]]:
    """Judge the legality of each event of a ``sightline.match/1`` document, in order (``sightline.legality/1``).

    The answer for a single event lists the legal alternatives. The judging ends after an impossible event, since the
    match after it is unknown.

    Args:
        data: the document.
        document: its name in errors.
        audience: the reader.
        seq: the number of the event, or None for all of them.

    Raises:
        DocumentError: it is no match, or its chain of hashes is broken.
        UnknownName: it has no event of that number.
    """
    log = match_from_lines(data, document)
    header, system, timeline = _begin(log.header)
    if seq is not None and not 1 <= seq <= len(log.events):
        raise no_event(seq, len(log.events), document)
    judge = MatchJudge(system, header.seed, audience, with_alternatives=seq is not None)
    for raw in log.events[:seq]:
        event = event_from(raw, system)
        found = judge.document(event, timeline)
        if seq in (None, event.seq) or not found["is_possible"]:
            yield found
        if not found["is_possible"]:
            return
        timeline = timeline.after(event)

"""A call and its frozen parts in words, for the page at the table and for paper."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from assistant.app.tournament.rule_again import asked_of, worded_again
from assistant.app.tournament.steps import Appeal, GiveRuling, PastStep, corrections_from_t
from assistant.documents.call import Call, CallState, HandCorrection
from assistant.documents.moment import DrawnLine, FrozenMoment, FrozenPicture, FrozenRuling, FrozenSeat
from assistant.documents.table_event import Person
from assistant.errors import CannotDo, UnknownName
from assistant.match.games import game_named
from assistant.rules.ruling import HEADLINES, ShotVerdict, verdict_of
from assistant.table.fields import plain_line
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import message
from assistant.translations.speech import Speech

GetPart = Callable[[str], bytes]
"""Returns the bytes of a frozen part by name."""

STATES: Mapping[CallState, str] = {
    "open": message("Open: a judge is called"),
    "ruled": message("Ruled"),
    "appealed": message("Appealed to the head judge"),
    "closed": message("Closed"),
}

CORRECTED = {
    "figure": message("{subject} was put at {value}"),
    "gone": message("{subject} was taken off the board"),
    "door": message("Door {subject}: {value}"),
    "new_door": message("A door stands at {value}"),
    "no_door": message("No door stands at {value}"),
    "nobody": message("Nobody stands at {value}"),
    "sure": message("{subject} was confirmed as read"),
    "name": message("{subject} was named {value}"),
    "answer": message("A question was answered: {value}"),
    "terrain_drawn": message("Terrain {subject} was drawn"),
    "terrain_moved": message("The new place of terrain {subject} was searched for"),
    "terrain_gone": message("Terrain {subject} was taken away"),
    "base_there": message("{subject}: somebody confirmed a figure where the camera was not sure"),
    "base_gone": message("{subject}: somebody denied a figure where the camera was not sure"),
    "step": message("A step by hand: {value}"),
}

AUTHORS: Mapping[str, str] = {
    "judge": message("a judge"),
    "table": message("at the table"),
    "camera": message("the camera"),
}


class ReportFact(NamedTuple):
    """A named fact of a call.

    Args:
        name: its name.
        value: its value, as printed on paper.
        t: a time value, in milliseconds since 1970, for a page that shows the reader's local time.
        is_aside: whether players at the table can do without it: the call already says it, or only an archive needs it.
    """

    name: str
    value: str
    t: int | None = None
    is_aside: bool = False


class HouseRule(NamedTuple):
    """A point that the printed rules leave open, this table's choice, and whether it is the default."""

    name: str
    value: str
    is_usual: bool


class TimedLine(NamedTuple):
    """Something done, and its time in milliseconds since 1970."""

    t: int
    text: str

    def on_paper(self) -> str:
        """Return the line with its time in this machine's time zone."""
        return f"{speak_time(self.t)}: {self.text}"


@dataclass(frozen=True)
class ReportRuling:
    """A frozen ruling in words, with its lines in pixels of its picture."""

    picture: int
    asked_at: str
    verdict: ShotVerdict
    headline: str
    attacker: str
    defender: str
    stability: str
    reasons: tuple[str, ...]
    lines: tuple[DrawnLine, ...]
    figures: tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True)
class CallReport:
    """A call and everything frozen for it, in words."""

    call: Call
    facts: tuple[ReportFact, ...]
    """Named facts of the call itself, in the order of a judge's slip."""
    corrections: tuple[TimedLine, ...]
    options: tuple[HouseRule, ...]
    """Every point that the printed rules leave open, with this table's choice, defaults included."""
    events: tuple[str, ...]
    rulings: tuple[ReportRuling, ...]
    pictures: tuple[FrozenPicture, ...]
    names: Mapping[str, str]
    """The names of the figures on the pictures, by their ids."""


def report_call(
    call: Call, moment: FrozenMoment, part: GetPart, speech: Speech, steps: Sequence[PastStep]
) -> CallReport:
    """Put a call into words. ``steps`` are all its rulings and appeals.

    Raises:
        InputError: a frozen part cannot be read.
    """
    match: Mapping[str, Any] = moment.match or {}
    since_t = corrections_from_t(moment.t, match)
    return CallReport(
        call=call,
        facts=tuple(call_facts(call, steps, speech, moment.seat or None)),
        corrections=tuple(_correction(one, match, speech) for one in call.corrections if one.t >= since_t),
        options=tuple(_options(moment, speech)),
        events=tuple(
            _step(step, speech)
            for step in match.get("events") or []
            if moment.pictures or (step.get("by") or {}).get("role") != "camera"
        ),
        rulings=tuple(_ruling(one, moment, part, speech) for one in moment.rulings),
        pictures=moment.pictures,
        names={
            figure.id: speak_id(figure.id, speech.language)
            for picture in moment.pictures
            for figure in (picture.snapped.figures if picture.snapped else ())
        },
    )


def _step(step: Mapping[str, Any], speech: Speech) -> str:
    title = (step.get("titles") or {}).get(speech.language, step.get("title"))
    by = _speak_author(step.get("by") or {}, speech)
    return f"{step.get('seq')}. {plain_line(str(title))}{by and f' – {by}'}"


def _speak_author(by: Mapping[str, Any], speech: Speech) -> str:
    """Return the author of a match step: side or role, and name, or nothing for a call with no frozen author."""
    role, side = AUTHORS.get(str(by.get("role"))), str(by.get("side") or "")
    who = speak_id(side, speech.language) if by.get("role") == "player" else speech.text(role) if role else ""
    name = plain_line(str(by.get("name") or ""))
    return " · ".join(filter(None, (plain_line(who), "" if re.fullmatch(r"#\d+", name) else name)))


def _options(moment: FrozenMoment, speech: Speech) -> Iterator[HouseRule]:
    """Yield the options of the match, and of other rule sets that rulings used."""
    played: Mapping[str, Any] = (moment.match or {}).get("match") or {}
    in_force: dict[str, Mapping[str, str]] = {}
    if played:
        in_force[str(played.get("ruleset"))] = played.get("options") or {}
    for one in moment.rulings:
        asked = asked_of(one.ruling)
        in_force.setdefault(asked.ruleset, asked.options)
    for ruleset, chosen in in_force.items():
        yield from _spoken_options(ruleset, chosen, speech)


def _spoken_options(ruleset: str, chosen: Mapping[str, str], speech: Speech) -> Iterator[HouseRule]:
    """Yield a rule set's options in words. An option unknown to this machine keeps its written name."""
    try:
        table = game_named(ruleset).rule_set.option_table
    except (UnknownName, CannotDo):
        table = ()
    for option in table:
        choice = chosen.get(option.name, option.default)
        is_usual = choice == option.default
        yield HouseRule(speech.text(option.title), speech.text(option.choice_title(choice)), is_usual)
    for name in sorted({*chosen} - {option.name for option in table}):
        yield HouseRule(str(name), str(chosen[name]), is_usual=False)


def speak_person(person: Person, speech: Speech) -> str:
    """Describe a person by name and side, or by role. A device number would mean nothing to a reader."""
    role = speech.text("a judge") if person.role == "judge" else speech.text("a player")
    who = speak_id(person.side, speech.language) if person.side else role
    return f"{person.name} ({who})" if _is_named(person) else who


def is_known(person: Person) -> bool:
    """Return whether a person has a name or a side."""
    return bool(person.side) or _is_named(person)


def _is_named(person: Person) -> bool:
    return bool(person.name) and re.fullmatch(r"#\d+", person.name) is None


LAST_T = 32_503_680_000_000
"""The year 3000, the last that the calendars of all systems support. A later time is shown in seconds since 1970."""


def speak_time(t_ms: int) -> str:
    """Return the local time with its zone, because paper is read in other places too."""
    if t_ms >= LAST_T:
        return f"{t_ms / 1000:.0f} s"
    moment = datetime.datetime.fromtimestamp(t_ms / 1000).astimezone()
    zone = moment.strftime("%z")
    return moment.strftime(f"%Y-%m-%d %H:%M:%S UTC{'' if zone == '+0000' else f'{zone[:3]}:{zone[3:]}'}")


def call_facts(
    call: Call, steps: Sequence[PastStep], speech: Speech, seat: FrozenSeat | None = None
) -> list[ReportFact]:
    """Return the named facts of a call, in the order of a judge's slip, with every ruling and appeal."""
    said = speech.text
    facts = [
        *_seat_facts(seat, speech),
        ReportFact(said("Table"), call.table, is_aside=seat is None),
        ReportFact(said("State"), said(STATES[call.state]), is_aside=True),
        _time_fact(said("Called at"), call.opened_t),
        ReportFact(said("Called by"), speak_person(call.opened_by, speech) if is_known(call.opened_by) else ""),
        ReportFact(said("Question"), call.question),
        ReportFact(said("Facts in dispute"), call.disputed),
        *_step_facts(steps, speech),
        *(() if call.spoken_t is None else (_time_fact(said("Shown at the table"), call.spoken_t),)),
    ]
    return [fact for fact in facts if fact.value]


def _time_fact(name: str, t_ms: int) -> ReportFact:
    return ReportFact(name, speak_time(t_ms), t_ms, is_aside=True)


def _seat_facts(seat: FrozenSeat | None, speech: Speech) -> Iterator[ReportFact]:
    if seat is not None:
        yield ReportFact(speech.text("Tournament"), seat.event)
        yield ReportFact(speech.text("Round"), str(seat.round) if seat.round else "")
        yield ReportFact(speech.text("Players"), " – ".join(seat.players))


def _step_facts(steps: Sequence[PastStep], speech: Speech) -> Iterator[ReportFact]:
    """Yield every ruling and appeal. A penalty missing from a later ruling is cancelled from there on."""
    said, penalty = speech.text, ""
    rulings = [one.step for one in steps if isinstance(one.step, GiveRuling)]
    for one in steps:
        if isinstance(one.step, Appeal):
            yield ReportFact(said("Appealed by"), speak_person(one.by, speech))
            yield ReportFact(said("Grounds of the appeal"), one.step.grounds)
            continue
        ruling = one.step
        number = next(n for n, known in enumerate(rulings, 1) if known is ruling)
        name = said("Ruling {number}", number=number) if len(rulings) > 1 else said("Ruling")
        yield ReportFact(name, ruling.ruling)
        yield ReportFact(said("Reason"), ruling.reason)
        yield ReportFact(said("Penalty"), ruling.penalty or (said("none") if penalty else ""))
        penalty = ruling.penalty
        minutes, seconds = divmod(ruling.extension_s, 60)
        back = said("{minutes} min {seconds} s", minutes=minutes, seconds=seconds)
        yield ReportFact(said("Time given back"), back if ruling.extension_s else "")
        yield ReportFact(said("Ruled by"), speak_person(one.by, speech), is_aside=not is_known(one.by))
        yield _time_fact(said("Ruled at"), one.t)


def _correction(one: HandCorrection, match: Mapping[str, Any], speech: Speech) -> TimedLine:
    subject = speak_id(one.subject, speech.language) if one.subject else ""
    value = _step_title(one, match, speech) if one.kind == "step" else one.value
    what = speech.text(CORRECTED[one.kind], subject=subject, value=value)
    return TimedLine(one.t, f"{what} – {speak_person(one.by, speech)}")


def _step_title(one: HandCorrection, match: Mapping[str, Any], speech: Speech) -> str:
    """Return a hand step in the reader's language if the call froze it with its match, else as it was noted."""
    title = one.value.removesuffix(f" [{(match.get('match') or {}).get('id')}]")
    steps = (step for step in match.get("events") or [] if str(step.get("seq")) == one.subject)
    step: Mapping[str, Any] = next(steps, {})
    is_same = title != one.value and step.get("title") == title
    return str((step.get("titles") or {}).get(speech.language, title)) if is_same else title


def _ruling(one: FrozenRuling, moment: FrozenMoment, part: GetPart, speech: Speech) -> ReportRuling:
    picture = moment.pictures[one.picture]
    ruling = worded_again(one.ruling, part(picture.believed or picture.observation), speech.language)
    verdict = verdict_of(ruling)
    return ReportRuling(
        picture=one.picture,
        asked_at=speak_time(one.asked_t),
        verdict=verdict,
        headline=speech.text(HEADLINES[verdict]),
        attacker=speak_id(ruling.attacker, speech.language),
        defender=speak_id(ruling.defender, speech.language),
        stability=speech.percent(ruling.stability),
        reasons=tuple(reason.text for reason in ruling.reasons),
        lines=one.lines,
        figures=one.figures,
    )


MOST_PRINTED = 6
"""Largest number of pictures on paper. The evidence holds all of them."""


def report_pictures(report: CallReport) -> list[tuple[FrozenPicture, tuple[ReportRuling, ...]]]:
    """Return the pictures for paper with their rulings: the call's own moment first, then each ruled picture."""
    newest = len(report.pictures) - 1
    ruled = sorted({one.picture for one in report.rulings} - {newest}, reverse=True)
    places = [newest, *ruled][:MOST_PRINTED] if report.pictures else []
    return [(report.pictures[place], tuple(one for one in report.rulings if one.picture == place)) for place in places]

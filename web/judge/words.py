"""Calls and their frozen parts in the page's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import request

from assistant.app.tournament.call_report import STATES, CallReport, GetPart, is_known, report_call, speak_person
from assistant.app.tournament.comparing import compare_moments, steps_back
from assistant.app.tournament.referee import Referee
from assistant.documents.call import Call
from assistant.documents.moment import FrozenMoment, FrozenPicture, SnappedBoard
from assistant.errors import UnknownName
from assistant.match.views import begin_sentence
from assistant.translations.messages import message, said
from assistant.translations.speech import Speech
from web.serving.routes import API_ROOT

REACHED = {
    True: message("The desk has this call."),
    False: message("No desk has this call yet. Wave for a judge."),
}


CALLED = {
    "open": (message("{who} calls a judge."), message("A judge is called.")),
    "appealed": (message("{who} appeals to the head judge."), message("An appeal waits for the head judge.")),
}
CLOCKS_STAND = message("The clocks stand still until somebody rules.")
CLOCKS_RUN = message("The clocks run on; the judge gives the time back.")


def waiting_call(referee: Referee, speech: Speech) -> dict[str, Any] | None:
    """Return the newest call that waits for a judge, for every device, or None without one."""
    if not referee.waiting:
        return None
    call, match = referee.waiting[0], referee.match()
    by, words = (call.opened_by, call.question) if call.state == "open" else (call.appealed_by, call.grounds)
    by_somebody, by_nobody = CALLED[call.state]
    if by is not None and is_known(by):
        text = begin_sentence(speech.text(by_somebody, who=speak_person(by, speech)))
    else:
        text = speech.text(by_nobody)
    clocks = CLOCKS_RUN if referee.member is not None else CLOCKS_STAND
    is_told = referee.member is not None or (match is not None and not match.timeline.clock.running)
    return {
        "id": call.id,
        "text": text,
        "words": words,
        "clocks": speech.text(clocks) if is_told else "",
    }


def call_line(call: Call, referee: Referee, speech: Speech) -> dict[str, Any]:
    """Return a call in the form of lists."""
    reached = referee.has_reached_desk(call) if call.state in ("open", "appealed") else None
    on_way = [] if referee.member is None else referee.member.desk_seat.seat.on_way
    judge = next((one.judge for one in on_way if one.call == call.id), "")
    return {
        "way": speech.text("{judge} is on the way.", judge=judge) if judge else "",
        "reached": "" if reached is None else speech.text(REACHED[reached]),
        "id": call.id,
        "state": call.state,
        "state_name": speech.text(STATES[call.state]),
        "opened_t": call.opened_t,
        "opened_by": speak_person(call.opened_by, speech) if is_known(call.opened_by) else "",
        "question": call.question,
        "ruling": call.ruling,
        "ruled_by": speak_person(call.judge, speech) if call.judge is not None and is_known(call.judge) else "",
        "is_earlier": referee.is_earlier(call),
        "spoken_t": call.spoken_t,
        "seq": call.seq,
    }


def call_page(call: Call, referee: Referee, speech: Speech) -> dict[str, Any]:
    """Return a call with all its frozen parts."""
    moment = referee.moment(call.id)
    steps = referee.past_steps(call.id)
    report = report_call(call, moment, lambda name: referee.part(call.id, name), speech, steps)
    root = f"{API_ROOT}/calls/{call.id}/parts/"
    shown = report_view(report, lambda name: root + name.removeprefix("frozen/"))
    return {**call_line(call, referee, speech), "holding": moment.holding, **shown}


def report_view(report: CallReport, address: Callable[[str], str]) -> dict[str, Any]:
    """Return a call and its frozen parts in words.

    Args:
        report: the call.
        address: the address of a picture by its name, empty before its arrival.
    """
    return {
        "facts": [{"name": one.name, "value": one.value, "t": one.t, "is_aside": one.is_aside} for one in report.facts],
        "corrections": [one._asdict() for one in report.corrections],
        "options": [one._asdict() for one in report.options],
        "events": report.events,
        "pictures": [_picture(picture, address, report) for picture in report.pictures],
        "rulings": [
            {
                "picture": one.picture,
                "asked_at": one.asked_at,
                "verdict": one.verdict,
                "headline": one.headline,
                "attacker": one.attacker,
                "defender": one.defender,
                "stability": one.stability,
                "reasons": one.reasons,
                "lines": [{"ends": line.ends, "is_free": line.is_free} for line in one.lines],
                "figures": one.figures,
            }
            for one in report.rulings
        ],
    }


def _picture(picture: FrozenPicture, address: Callable[[str], str], report: CallReport) -> dict[str, Any]:
    board = picture.snapped or SnappedBoard()
    return {
        "t": picture.t,
        "picture": address(picture.picture),
        "width_px": picture.width_px,
        "height_px": picture.height_px,
        "focus": picture.focus,
        "by_hand": picture.believed is not None,
        "edges": [{"ends": edge.ends, "kind": edge.kind} for edge in board.edges],
        "figures": [{"name": report.names[figure.id], "at": figure.at} for figure in board.figures],
    }


def difference_view(moment: FrozenMoment, part: GetPart, speech: Speech) -> dict[str, Any]:
    """Return the differences between two pictures, selected by ``?first=0&second=3``.

    Raises:
        UnknownName: there are no such pictures.
    """
    first, second = (_chosen(moment.pictures, name) for name in ("first", "second"))
    found = compare_moments(first, second, part, speech)
    return {"sentences": found.sentences, "boxes": [box._asdict() for box in found.boxes]}


def changes_view(moment: FrozenMoment, part: GetPart, speech: Speech) -> dict[str, Any]:
    """Return the changes between successive pictures, the newest first."""
    steps = steps_back(moment.pictures, part, speech)
    return {"changes": [{"text": step.sentence, "before": step.before, "after": step.after} for step in steps]}


def _chosen(pictures: tuple[FrozenPicture, ...], name: str) -> FrozenPicture:
    place = request.args.get(name, "")
    if not place.isascii() or not place.isdigit() or int(place[:6]) >= len(pictures):
        raise UnknownName(said("there is no such picture; choose one of the list"))
    return pictures[int(place[:6])]

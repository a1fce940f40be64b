"""Routes for calls at the desk: search, claims, rulings, penalties, evidence and papers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Any, Literal

from flask import Response, request
from msgspec import Meta, Struct, json

from assistant.app.tournament.call_report import CallReport, call_facts
from assistant.app.tournament.desk import SentStep, SilentTable
from assistant.app.tournament.desk_evidence import NotAllCome, desk_evidence
from assistant.app.tournament.evidence import Signer
from assistant.app.tournament.report_pdf import report_pdf
from assistant.app.tournament.round_book import RoundBook
from assistant.app.tournament.sent_parts import SentMoment, report_of_sent, sent_moment
from assistant.app.tournament.steps import (
    Appeal,
    CallStep,
    CloseCall,
    EmptyField,
    GiveRuling,
    PastStep,
    SpeakBack,
    past_steps,
)
from assistant.app.tournament.table_key import key_fingerprint
from assistant.documents.call import MAX_EXTENSION_S, Call, CallText
from assistant.documents.moment import FrozenSeat
from assistant.documents.table_event import Person, table_event_from_line
from assistant.errors import CannotDo, UnknownName
from assistant.table.fields import plain_line, whole
from assistant.translations.messages import said
from web.desk.answers import CallAnswer, CallsAnswer, ClaimAnswer, ClosedAnswer, KeyAnswer, PenaltiesAnswer, StepAnswer
from web.desk.penalties import PenaltyWords, history_of, penalties_csv, penalties_view, slip_words
from web.desk.state import desk_state
from web.desk.view import call_line, claim_view, frozen_view
from web.judge.words import changes_view, difference_view
from web.people.door import front_door
from web.people.session import current_device, current_role, current_speech, note_security, require_head
from web.serving.roles import Right
from web.serving.routes import Answer, get, post

MOST_FOUND = 200
"""Most calls of a search result."""

JudgeName = Annotated[str, Meta(max_length=40)]


class StepRequest(Struct, forbid_unknown_fields=True):
    """A judge's step on a call, with the judge's name. ``empty`` defines empty fields of a later ruling.

    ``extension_s`` is the call's total time extension. A later ruling replaces it, and may lower it. Without it nothing
    changes. ``id`` makes the step idempotent: a repeated id is the same step.
    """

    type: Literal["rule", "appeal", "speak", "close"]
    ruling: CallText = ""
    disputed: CallText = ""
    reason: CallText = ""
    penalty: CallText = ""
    grounds: CallText = ""
    extension_s: Annotated[int, Meta(ge=0, le=MAX_EXTENSION_S)] | None = None
    id: Annotated[str, Meta(max_length=64, pattern=whole("[0-9a-zA-Z-]*"))] = ""
    name: JudgeName = ""
    empty: EmptyField = ""
    penalties: Annotated[tuple[PenaltyWords, ...], Meta(max_length=8)] = ()
    seq: int | None = None
    """The version of the call that the judge saw. The step is refused if the call has changed since."""

    def step(self, call: Call) -> CallStep:
        """Return the requested step."""
        if self.type == "rule":
            return GiveRuling(
                ruling=self.ruling,
                disputed=self.disputed,
                reason=self.reason,
                penalty=slip_words(self.penalties, self.penalty, current_speech()),
                extension_s=call.extension_s if self.extension_s is None else self.extension_s,
            )
        if self.type == "appeal":
            return Appeal(grounds=self.grounds)
        return SpeakBack() if self.type == "speak" else CloseCall()


class JudgeRequest(Struct, forbid_unknown_fields=True):
    """The judge of a request."""

    name: JudgeName = ""


@post(
    "/hall/tables/<table>/closing",
    Right.JUDGE,
    JudgeRequest,
    "Close every call of a table but appealed ones, whether it answers or not; it hears that when it is there.",
    gives=ClosedAnswer,
)
def close_all(wanted: JudgeRequest, table: str) -> Answer:
    page = desk_state()
    closed = page.hall.close_all(table, Person(role="judge", name=_judge_name(wanted.name), place="desk"))
    for one in closed:
        page.call_changed(one)
    note_security("%s calls of a table were closed at the desk", len(closed))
    return {"count": len(closed)}


class KeyRequest(Struct, forbid_unknown_fields=True):
    """The key seen by a judge at a table, in hexadecimal digits."""

    key: Annotated[str, Meta(pattern=whole("[0-9a-f]{64}"))]


@post(
    "/hall/tables/<table>/key",
    Right.JUDGE,
    KeyRequest,
    "Accept the new key of a table that lost its folder; what it signed before stays verified.",
    gives=KeyAnswer,
)
def accept_key(wanted: KeyRequest, table: str) -> Answer:
    page = desk_state()
    page.hall.accept_key(table, wanted.key)
    note_security("the new key of table %s was accepted", table)
    page.rounds_changed()
    return {"fingerprint": key_fingerprint(wanted.key)}


class ClaimRequest(Struct, forbid_unknown_fields=True):
    """A claim of a call, also in place of another judge, its withdrawal, or a request for the head judge."""

    type: Literal["claim", "take over", "let go", "escalate"]
    name: JudgeName = ""


@get(
    "/hall/calls",
    Right.JUDGE,
    "Calls, closed ones, too, the newest first: ?q= words of table, player, round, question or ruling.",
    gives=CallsAnswer,
)
def calls() -> Answer:
    page = desk_state()
    book, now_s = page.hall.book(), page.now_s()
    words = request.args.get("q", "").casefold().split()
    lines = [call_line(one, book, now_s) for one in book.calls]
    found = sorted((one for one in lines if _fits(one, words)), key=lambda one: one["waits_s"])
    return {"calls": found[:MOST_FOUND], "count": len(found)}


_SEARCHED = ("table", "question", "disputed", "ruling", "reason", "penalty", "grounds")


def _fits(line: dict[str, Any], words: list[str]) -> bool:
    judge = (line["judge"] or {}).get("name", "")
    text = " ".join([*(line[name] for name in _SEARCHED), *line["players"], judge, f"r{line['round']}"]).casefold()
    return all(word in text for word in words)


@get(
    "/hall/calls/<call_id>",
    Right.JUDGE,
    "A call with its events, the frozen parts that have arrived, and earlier penalties of its players.",
    gives=CallAnswer,
)
def call(call_id: str) -> Answer:
    page, found, speech = desk_state(), _call(call_id), current_speech()
    store, book = page.hall.store, page.hall.book()
    lines = store.events_of_call(call_id)
    steps = _steps(lines, call_id)
    line = call_line(found, book, page.now_s())
    return {
        "call": line,
        "facts": [
            {"name": one.name, "value": one.value} for one in call_facts(found, steps, speech, _seat(found, book))
        ],
        "events": [json.decode(one) for one in lines],
        "history": history_of(line["players"], store.penalties(), book, call_id, speech),
        **frozen_view(store, found, speech, steps),
    }


@get(
    "/hall/calls/<call_id>/pictures/<name>",
    Right.JUDGE,
    "A picture of a call, as its table sent it.",
    gives="image/jpeg",
)
def call_picture(call_id: str, name: str) -> Answer:
    found = desk_state().hall.store.part(call_id, name) if name.endswith(".jpg") else None
    if found is None:
        raise UnknownName(said("there is no such picture of this call"))
    return Response(found, mimetype="image/jpeg")


@get(
    "/hall/calls/<call_id>/difference",
    Right.JUDGE,
    "The differences between two pictures of a call: ?first=0&second=3.",
)
def difference(call_id: str) -> Answer:
    return difference_view(*_told(call_id), current_speech())


@get("/hall/calls/<call_id>/changes", Right.JUDGE, "The changes from picture to picture of a call, the newest first.")
def changes(call_id: str) -> Answer:
    return changes_view(*_told(call_id), current_speech())


@post(
    "/hall/calls/<call_id>/steps",
    Right.JUDGE,
    StepRequest,
    "Rule, speak, appeal or close; answers with the call once its table has taken the step.",
    gives=StepAnswer,
)
def take_step(wanted: StepRequest, call_id: str) -> Answer:
    page = desk_state()
    found = _call(call_id)
    if wanted.type == "rule" and found.state == "appealed":
        require_head(current_role())
    name = _judge_name(wanted.name)
    by = Person(role="judge", name=name, place="desk")
    given = [one.kept(call_id, name, round(page.now_s() * 1000)) for one in wanted.penalties]
    sent = SentStep(wanted.id, wanted.seq)
    try:
        spoken = page.hall.speak(call_id, wanted.step(found), by, empty=wanted.empty, penalties=given, sent=sent)
    except SilentTable:
        if wanted.type != "close":
            raise
        spoken = found  # the desk counts it as closed, and its table learns that on its return
        page.call_changed(found)
    page.rounds_changed()
    return {"call": call_line(spoken, page.hall.book(), page.now_s())}


@post(
    "/hall/calls/<call_id>/claim",
    Right.JUDGE,
    ClaimRequest,
    "Be on the way to a call, or not after all; or ask the head judge to it.",
    gives=ClaimAnswer,
)
def claim(wanted: ClaimRequest, call_id: str) -> Answer:
    page = desk_state()
    if wanted.type == "escalate":
        after = page.hall.claims.escalate(call_id)
    elif wanted.type == "let go":
        after = page.hall.claims.let_go(call_id)
    else:
        name = _judge_name(wanted.name)
        if not name:
            raise Nameless
        after = page.hall.claims.claim(call_id, name, is_over=wanted.type == "take over")
    page.call_changed(_call(call_id))
    return {"claim": claim_view(after)}


class Nameless(CannotDo):
    """A judge without a name cannot claim a call."""

    http_status = 409
    sentence = said("Write your name first, so that players know who comes.")


@get("/hall/penalties", Right.JUDGE, "Every penalty by player, the oldest first.", gives=PenaltiesAnswer)
def penalties() -> Answer:
    hall = desk_state().hall
    return {"penalties": penalties_view(hall.store.penalties(), hall.book(), current_speech())}


@get("/hall/penalties.csv", Right.JUDGE, "Every penalty by player, as CSV.", gives="text/csv")
def penalties_as_csv() -> Answer:
    hall = desk_state().hall
    text = penalties_csv(hall.store.penalties(), hall.book(), current_speech())
    return _file(text.encode("utf-8-sig"), "text/csv", "penalties.csv")


@get(
    "/hall/calls/<call_id>/evidence.zip",
    Right.JUDGE,
    "The evidence of a call, signed by this desk; check it with sightline verify.",
    gives="application/zip",
)
def evidence(call_id: str) -> Answer:
    page, found = desk_state(), _call(call_id)
    key = page.key
    if key is None:
        raise CannotDo(said("This desk has no key to sign with. Start it with a data folder."))
    hall = page.hall

    def make() -> bytes:
        signer = Signer(key, hall.sealed_for(key.public), hall.name)
        return desk_evidence(hall.store, found, signer, round(time.time() * 1000))

    note_security("the evidence of call %s was taken away", call_id)
    return _file(_once(found, "evidence", make), "application/zip", f"call-{call_id}.zip")


@get("/hall/calls/<call_id>/report.pdf", Right.JUDGE, "A call as a PDF to print.", gives="application/pdf")
def report_as_pdf(call_id: str) -> Answer:
    found, speech = _call(call_id), current_speech()

    def make() -> bytes:
        report, sent = _report(found)
        return report_pdf(report, sent.part, _fingerprint(found.table), speech)

    return _file(_once(found, "pdf", make), "application/pdf", f"call-{call_id}.pdf")


def _report(found: Call) -> tuple[CallReport, SentMoment]:
    store, speech = desk_state().hall.store, current_speech()
    steps = _steps(store.events_of_call(found.id), found.id)
    report = report_of_sent(found, lambda name: store.part(found.id, name), speech, steps)
    sent = sent_moment(found, lambda name: store.part(found.id, name))
    if report is None or sent is None:
        raise NotAllCome
    return report, sent


def _fingerprint(table: str) -> str:
    """Return the fingerprint of a table's key, as reported on arrival, or nothing without one."""
    hall = desk_state().hall
    with hall.guard:
        seen = hall.hall.tables.get(table)
        key = "" if seen is None or seen.status is None else seen.status.key
    return key_fingerprint(key) if key else ""


def _once(found: Call, what: str, make: Callable[[], bytes]) -> bytes:
    return desk_state().papers.get((found.id, found.seq, current_speech().language, what), make)


def _judge_name(typed: str) -> str:
    """Return the judge's name. The first one from a device stays its own."""
    device, name = current_device(), plain_line(typed)
    if device is None:
        return name
    return device.name or front_door().devices.give_name(device.id, name)


def _seat(found: Call, book: RoundBook) -> FrozenSeat | None:
    event = desk_state().event
    if not event:
        return None
    return FrozenSeat(event=event, round=book.round_of(found), players=tuple(book.players_of(found)))


def _steps(lines: list[bytes], call_id: str) -> tuple[PastStep, ...]:
    return past_steps((table_event_from_line(line, "event") for line in lines), call_id)


def _call(call_id: str) -> Call:
    found = desk_state().hall.store.call(call_id)
    if found is None:
        raise UnknownName(said("there is no call “{call}”; choose one of the list", call=call_id[:60]))
    return found


def _told(call_id: str) -> SentMoment:
    store = desk_state().hall.store
    sent = sent_moment(_call(call_id), lambda name: store.part(call_id, name))
    if sent is None:
        raise UnknownName(said("The table has not sent its frozen pictures yet. Try again in a moment."))
    return sent


def _file(content: bytes, kind: str, name: str) -> Response:
    response = Response(content, mimetype=kind)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response

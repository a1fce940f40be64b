"""Routes for calls of judges: call, ruling, appeal, display, closing, recent pictures, evidence."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Annotated, Any

from flask import Response, jsonify, request
from msgspec import Meta, Struct, json

from assistant.app.tournament.call_report import CallReport, GetPart, report_call
from assistant.app.tournament.referee import Referee
from assistant.app.tournament.report_page import report_html
from assistant.app.tournament.report_pdf import report_pdf
from assistant.app.tournament.steps import Appeal, CallStep, CloseCall, EmptyField, GiveRuling, SpeakBack
from assistant.documents.call import Call, CallText, ExtensionS
from assistant.documents.moment import FrozenMoment
from assistant.errors import CannotDo, NotYours, UnknownName
from assistant.table.fields import IDENTIFIER
from assistant.translations.messages import said
from web.judge.gathering import table_now
from web.judge.words import call_line, call_page, changes_view, difference_view, waiting_call
from web.parts import parts
from web.people.session import current_person, current_role, current_share, current_speech, note_security, require_head
from web.serving.roles import Right, Role
from web.serving.routes import Answer, get, post
from web.serving.sending import lasting_jpeg

StepName = Annotated[str, Meta(min_length=1, max_length=64, pattern=IDENTIFIER)]
"""The page's id for a step, so that a repeated one counts once."""


class NoReferee(CannotDo):
    """This table keeps no calls."""

    http_status = 404


class CallRequest(Struct, forbid_unknown_fields=True):
    """A call of a judge. ``question`` may be empty."""

    id: StepName
    question: CallText = ""


class RulingWords(Struct, forbid_unknown_fields=True):
    """A judge's ruling. ``extension_s`` is the call's total time extension, unchanged if omitted."""

    id: StepName
    ruling: CallText
    disputed: CallText = ""
    reason: CallText = ""
    penalty: CallText = ""
    extension_s: ExtensionS | None = None
    empty: EmptyField = ""

    def step(self, call: Call) -> GiveRuling:
        """Return the ruling on a call."""
        return GiveRuling(
            ruling=self.ruling,
            disputed=self.disputed,
            reason=self.reason,
            penalty=self.penalty,
            extension_s=call.extension_s if self.extension_s is None else self.extension_s,
        )


class AppealWords(Struct, forbid_unknown_fields=True):
    """An appeal to the head judge, with its reasons."""

    id: StepName
    grounds: CallText = ""


class StepMark(Struct, forbid_unknown_fields=True):
    """A step without words."""

    id: StepName


@get(
    "/calls",
    Right.WATCH,
    "The calls of this table, the newest first, the one that waits, and the fingerprint of its key.",
)
def calls() -> Answer:
    referee, speech = parts().referee, current_speech()
    if referee is None:
        return {"is_kept": False, "table": "", "fingerprint": "", "waiting": None, "waiting_count": 0, "calls": []}
    return {
        "is_kept": True,
        "table": referee.book.table,
        "fingerprint": referee.fingerprint,
        "waiting": waiting_call(referee, speech),
        "waiting_count": len(referee.waiting),
        "calls": [call_line(call, referee, speech) for call in referee.book.calls],
    }


@post(
    "/calls/new",
    Right.PLAY,
    CallRequest,
    "Call a judge: freezes pictures, board, rulings and the last events.",
    status=201,
)
def call_judge(wanted: CallRequest) -> Answer:
    referee = _referee()
    with parts().call_bounds.room(wanted.id, current_share(), referee.book):
        now = table_now(parts(), referee.book.table)
        return _shown(referee.call_judge(wanted.question, current_person(), now, wanted.id))


@get("/calls/<call_id>", Right.WATCH, "A call with everything that it froze.")
def call(call_id: str) -> Answer:
    return _shown(_referee().book.call(call_id))


@post("/calls/<call_id>/ruling", Right.JUDGE, RulingWords, "Rule on a call, or as the head judge on its appeal.")
def give_ruling(wanted: RulingWords, call_id: str) -> Answer:
    """A time extension in it counts on the match clock."""
    referee = _referee()
    found = referee.book.call(call_id)
    _require_judge()
    if referee.member is not None and found.state == "appealed":
        require_head(current_role())
    return _taken(call_id, wanted.step(found), wanted.id, wanted.empty)


@post("/calls/<call_id>/appeal", Right.PLAY, AppealWords, "Appeal to the head judge.")
def appeal(wanted: AppealWords, call_id: str) -> Answer:
    return _taken(call_id, Appeal(grounds=wanted.grounds), wanted.id)


@post("/calls/<call_id>/speech", Right.JUDGE, StepMark, "Show the ruling on every device of the table.")
def speak_back(wanted: StepMark, call_id: str) -> Answer:
    _require_judge()
    return _taken(call_id, SpeakBack(), wanted.id)


@post("/calls/<call_id>/closing", Right.JUDGE, StepMark, "Close a call.")
def close_call(wanted: StepMark, call_id: str) -> Answer:
    _require_judge()
    return _taken(call_id, CloseCall(), wanted.id)


@post(
    "/calls/<call_id>/withdrawal", Right.PLAY, StepMark, "Take back a call that this device has made, while it is open."
)
def withdraw_call(wanted: StepMark, call_id: str) -> Answer:
    if not _is_own_open(_referee().book.call(call_id)):
        raise NotYours(said("Only the device that called takes the call back, while nobody has ruled."))
    return _taken(call_id, CloseCall(), wanted.id)


@get("/calls/<call_id>/parts/<name>", Right.WATCH, "A picture that a call froze.", gives="image/jpeg")
def frozen_picture(call_id: str, name: str) -> Answer:
    if not name.endswith(".jpg"):
        raise UnknownName(said("the call has no frozen item of this name"))
    return lasting_jpeg(_referee().part(call_id, f"frozen/{name}"))


@get("/calls/<call_id>/difference", Right.WATCH, "The differences between two pictures of a call: ?first=0&second=3.")
def difference(call_id: str) -> Answer:
    asked = (request.args.get("first"), request.args.get("second"))
    return _json_once(call_id, ("difference", *asked), lambda: difference_view(*_told(call_id), current_speech()))


@get("/calls/<call_id>/changes", Right.WATCH, "The changes from picture to picture of a call, the newest first.")
def changes_of_call(call_id: str) -> Answer:
    return _json_once(call_id, ("changes",), lambda: changes_view(*_told(call_id), current_speech()))


@get(
    "/calls/<call_id>/evidence.zip",
    Right.WATCH,
    "The signed evidence of a call; check it with sightline verify.",
    gives="application/zip",
)
def evidence(call_id: str) -> Answer:
    referee = _referee()
    zipped = _once(call_id, ("evidence", referee.book.seq), lambda: referee.evidence(call_id))
    note_security("the evidence of call %s was taken away", call_id)
    return _file(zipped, "application/zip", f"call-{call_id}.zip")


@get(
    "/calls/<call_id>/report.html", Right.WATCH, "A call as one page for people without the program.", gives="text/html"
)
def report_as_page(call_id: str) -> Answer:
    referee, speech = _referee(), current_speech()

    def make() -> bytes:
        part = partial(referee.part, call_id)
        return report_html(_report(call_id), part, referee.fingerprint, speech).encode()

    return _file(_once(call_id, ("page",), make), "text/html", f"call-{call_id}.html")


@get("/calls/<call_id>/report.pdf", Right.WATCH, "A call as a PDF to print.", gives="application/pdf")
def report_as_pdf(call_id: str) -> Answer:
    referee, speech = _referee(), current_speech()

    def make() -> bytes:
        return report_pdf(_report(call_id), partial(referee.part, call_id), referee.fingerprint, speech)

    return _file(_once(call_id, ("pdf",), make), "application/pdf", f"call-{call_id}.pdf")


def _once(call_id: str, what: tuple[Hashable, ...], make: Callable[[], bytes]) -> bytes:
    """Return a file about a call's current state, in the reader's language."""
    key = (call_id, _referee().book.call(call_id).seq, current_speech().language, *what)
    return parts().papers.get(key, make)


def _json_once(call_id: str, what: tuple[Hashable, ...], make: Callable[[], object]) -> Response:
    return Response(_once(call_id, what, lambda: json.encode(make())), mimetype="application/json")


def _report(call_id: str) -> CallReport:
    referee = _referee()
    found, moment = referee.book.call(call_id), referee.moment(call_id)
    steps = referee.past_steps(call_id)
    return report_call(found, moment, lambda name: referee.part(call_id, name), current_speech(), steps)


def _taken(call_id: str, step: CallStep, name: str, empty: EmptyField | None = None) -> Answer:
    return jsonify(_shown(_referee().take_step(call_id, step, current_person(), name, empty)))


def _shown(found: Call) -> dict[str, Any]:
    return {**call_page(found, _referee(), current_speech()), "is_own": _is_own_open(found)}


def _is_own_open(found: Call) -> bool:
    """Whether the device behind the request has made the call, and nobody has ruled."""
    return (found.state, found.opened_by) == ("open", current_person())


def _require_judge() -> None:
    """Check that in a tournament the host of a table does not judge there: the host may be a player.

    Raises: NotYours: the host does.
    """
    if _referee().member is not None and current_role() is Role.OWNER:
        raise NotYours(said("In a tournament a judge or the desk rules, not the host of the table."))


def _referee() -> Referee:
    referee = parts().referee
    if referee is None:
        raise NoReferee(said("Calls are not saved at this table. Start the program with a data folder."))
    return referee


def _told(call_id: str) -> tuple[FrozenMoment, GetPart]:
    referee = _referee()
    return referee.moment(call_id), lambda name: referee.part(call_id, name)


def _file(content: bytes, kind: str, name: str) -> Response:
    response = Response(content, mimetype=kind)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response

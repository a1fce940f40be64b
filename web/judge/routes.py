"""Calls of judges: call one, rule, appeal, speak the ruling at the table, close; look back; take the evidence away."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct

from assistant.app.tournament.call_report import CallReport, GetPart, report_call
from assistant.app.tournament.referee import Referee
from assistant.app.tournament.report_page import report_html
from assistant.app.tournament.report_pdf import report_pdf
from assistant.app.tournament.steps import Appeal, CallStep, CloseCall, GiveRuling, SpeakBack
from assistant.documents.call import Call, CallText, ExtensionS
from assistant.documents.moment import Moment
from assistant.errors import CannotDo, UnknownName
from assistant.translations.messages import said
from web.judge.gathering import table_now
from web.judge.needs import judge_page
from web.judge.words import call_line, call_page, changes_view, difference_view
from web.people.session import current_person, current_speech
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, body_as, route
from web.serving.sending import lasting_jpeg

blueprint = Blueprint("judge", __name__, url_prefix=API_ROOT)

StepName = Annotated[str, Meta(min_length=1, max_length=64, pattern="^[0-9a-zA-Z-]+$")]
"""What a page calls a step, so that one that is sent again is not taken twice."""


class NoReferee(CannotDo):
    """Calls are not kept at this table."""

    http_status = 404


class CallRequest(Struct, forbid_unknown_fields=True):
    """A judge is called; ``question`` is what the caller wants to know, and may be empty."""

    id: StepName
    question: CallText = ""


class RulingWords(Struct, forbid_unknown_fields=True):
    """What a judge rules; ``extension_s`` is the time that the table gets back for it."""

    id: StepName
    ruling: CallText
    disputed: CallText = ""
    reason: CallText = ""
    penalty: CallText = ""
    extension_s: ExtensionS = 0


class AppealWords(Struct, forbid_unknown_fields=True):
    """Why the head judge is asked."""

    id: StepName
    grounds: CallText = ""


class StepMark(Struct, forbid_unknown_fields=True):
    """A step that needs no words."""

    id: StepName


@route(blueprint, "GET", "/calls", RouteFacts(Right.WATCH, "The judge's calls of this table, the newest first."))
def calls() -> ResponseReturnValue:
    """Each with its state; and the fingerprint of the key by which the table signs, where it keeps calls at all."""
    referee, speech = judge_page().referee, current_speech()
    if referee is None:
        return jsonify({"is_kept": False, "table": "", "fingerprint": "", "calls": []})
    return jsonify(
        {
            "is_kept": True,
            "table": referee.book.table,
            "fingerprint": referee.fingerprint,
            "calls": [call_line(call, speech) for call in referee.book.calls],
        }
    )


@route(
    blueprint,
    "POST",
    "/calls/new",
    RouteFacts(
        Right.PLAY, "Call a judge: freezes pictures, board, rulings and the last events.", CallRequest, status=201
    ),
)
def call_judge() -> ResponseReturnValue:
    """The call, with everything that was frozen for it."""
    wanted, referee = body_as(CallRequest), _referee()
    now = table_now(judge_page(), referee.book.table)
    return jsonify(_shown(referee.call_judge(wanted.question, current_person(), now, wanted.id))), 201


@route(blueprint, "GET", "/calls/<call_id>", RouteFacts(Right.WATCH, "A call with everything that it froze."))
def call(call_id: str) -> ResponseReturnValue:
    """The call in this reader's words."""
    return jsonify(_shown(_referee().book.call(call_id)))


@route(
    blueprint,
    "POST",
    "/calls/<call_id>/ruling",
    RouteFacts(Right.JUDGE, "Rule on a call, or as the head judge on its appeal.", RulingWords),
)
def give_ruling(call_id: str) -> ResponseReturnValue:
    """The call after the ruling; time that it gives back is on the match clock."""
    wanted = body_as(RulingWords)
    step = GiveRuling(
        ruling=wanted.ruling,
        disputed=wanted.disputed,
        reason=wanted.reason,
        penalty=wanted.penalty,
        extension_s=wanted.extension_s,
    )
    return _taken(call_id, step, wanted.id)


@route(
    blueprint,
    "POST",
    "/calls/<call_id>/appeal",
    RouteFacts(Right.PLAY, "Appeal to the head judge.", AppealWords),
)
def appeal(call_id: str) -> ResponseReturnValue:
    """The call, which waits for the head judge."""
    wanted = body_as(AppealWords)
    return _taken(call_id, Appeal(grounds=wanted.grounds), wanted.id)


@route(
    blueprint,
    "POST",
    "/calls/<call_id>/speech",
    RouteFacts(Right.JUDGE, "Show the ruling on every device of the table.", StepMark),
)
def speak_back(call_id: str) -> ResponseReturnValue:
    """The call, whose ruling everybody is shown."""
    return _taken(call_id, SpeakBack(), body_as(StepMark).id)


@route(
    blueprint,
    "POST",
    "/calls/<call_id>/closing",
    RouteFacts(Right.JUDGE, "Close a call.", StepMark),
)
def close_call(call_id: str) -> ResponseReturnValue:
    """The call, which nobody changes any more."""
    return _taken(call_id, CloseCall(), body_as(StepMark).id)


@route(
    blueprint,
    "GET",
    "/calls/<call_id>/parts/<name>",
    RouteFacts(Right.WATCH, "A picture that was frozen for a call.", gives="image/jpeg"),
)
def frozen_picture(call_id: str, name: str) -> ResponseReturnValue:
    """The JPEG; it never changes under its name."""
    if not name.endswith(".jpg"):
        raise UnknownName(said("nothing of this name was frozen for the call"))
    return lasting_jpeg(_referee().part(call_id, f"frozen/{name}"))


@route(
    blueprint,
    "GET",
    "/calls/<call_id>/difference",
    RouteFacts(Right.WATCH, "What is different between two pictures of a call: ?first=0&second=3."),
)
def difference(call_id: str) -> ResponseReturnValue:
    """Sentences about what stands elsewhere, and boxes in shares of the picture."""
    return jsonify(difference_view(*_told(call_id), current_speech()))


@route(
    blueprint,
    "GET",
    "/calls/<call_id>/changes",
    RouteFacts(Right.WATCH, "What became otherwise on the pictures of a call, the newest first."),
)
def changes_of_call(call_id: str) -> ResponseReturnValue:
    """Where everything stood before, and stands since; with the places of the pictures before and after."""
    return jsonify(changes_view(*_told(call_id), current_speech()))


@route(
    blueprint,
    "GET",
    "/calls/<call_id>/evidence.zip",
    RouteFacts(Right.WATCH, "The signed evidence of a call; sightline verify checks it.", gives="application/zip"),
)
def evidence(call_id: str) -> ResponseReturnValue:
    """The file; nothing in it is hidden from anyone at the table."""
    return _file(_referee().evidence(call_id), "application/zip", f"call-{call_id}.zip")


@route(
    blueprint,
    "GET",
    "/calls/<call_id>/report.html",
    RouteFacts(Right.WATCH, "A call on a page of its own, for people without the program.", gives="text/html"),
)
def report_as_page(call_id: str) -> ResponseReturnValue:
    """The page with its pictures in it, as a file to be saved."""
    referee, speech = _referee(), current_speech()
    page = report_html(_report(call_id), lambda name: referee.part(call_id, name), referee.fingerprint, speech)
    return _file(page.encode(), "text/html", f"call-{call_id}.html")


@route(
    blueprint,
    "GET",
    "/calls/<call_id>/report.pdf",
    RouteFacts(Right.WATCH, "A call to be printed.", gives="application/pdf"),
)
def report_as_pdf(call_id: str) -> ResponseReturnValue:
    """The PDF, with the lines of the rulings drawn on their photos."""
    referee, speech = _referee(), current_speech()
    pdf = report_pdf(_report(call_id), lambda name: referee.part(call_id, name), referee.fingerprint, speech)
    return _file(pdf, "application/pdf", f"call-{call_id}.pdf")


def _report(call_id: str) -> CallReport:
    referee = _referee()
    found, moment = referee.book.call(call_id), referee.moment(call_id)
    return report_call(found, moment, lambda name: referee.part(call_id, name), current_speech())


def _taken(call_id: str, step: CallStep, name: str) -> ResponseReturnValue:
    return jsonify(_shown(_referee().take_step(call_id, step, current_person(), name)))


def _shown(found: Call) -> dict[str, Any]:
    return call_page(found, _referee(), current_speech())


def _referee() -> Referee:
    referee = judge_page().referee
    if referee is None:
        raise NoReferee(said("Calls are not kept at this table. Start the program with a data folder."))
    return referee


def _told(call_id: str) -> tuple[Moment, GetPart]:
    referee = _referee()
    return referee.moment(call_id), lambda name: referee.part(call_id, name)


def _file(content: bytes, kind: str, name: str) -> Response:
    response = Response(content, mimetype=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response

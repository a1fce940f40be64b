"""The desk's routes: the hall, a call with its steps, rounds in and out, and the public view."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct, json, to_builtins

from assistant.app.tournament.rounds import taken_in, with_clock, with_result
from assistant.app.tournament.steps import Appeal, CallStep, CloseCall, GiveRuling, SpeakBack
from assistant.app.tournament.told_parts import ToldMoment, told_moment
from assistant.documents.call import MAX_EXTENSION_S, Call, CallText
from assistant.documents.round_lists import ListKind, rounds_csv, rounds_from_bytes
from assistant.documents.rounds import MAX_MINUTES, Result, Round, Score, rounds_json
from assistant.documents.table_event import Person
from assistant.errors import UnknownName
from assistant.translations.messages import said
from web.desk.needs import desk_page
from web.desk.view import frozen_view, problems_view, rounds_view
from web.desk.words import desk_texts
from web.judge.words import changes_view, difference_view
from web.people.frame import framed
from web.people.session import current_device, current_speech
from web.people.streaming import stream_response
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, body_as, route
from web.serving.sending import page_response

pages = Blueprint("desk_page", __name__)
blueprint = Blueprint("desk", __name__, url_prefix=API_ROOT)

LISTS: tuple[ListKind, ...] = get_args(ListKind)

EVENT_RIGHTS = {
    "hello": Right.WATCH,
    "beat": Right.WATCH,
    "resync": Right.WATCH,
    "hall": Right.JUDGE,
    "call": Right.JUDGE,
    "parts": Right.JUDGE,
    "problems": Right.JUDGE,
    "rounds": Right.JUDGE,
}
"""What a device needs to be told of each kind of event; a kind that is not listed is told to nobody."""


class StepRequest(Struct, forbid_unknown_fields=True):
    """What a judge does about a call, and the judge's name."""

    type: Literal["rule", "appeal", "speak", "close"]
    ruling: CallText = ""
    disputed: CallText = ""
    reason: CallText = ""
    penalty: CallText = ""
    grounds: CallText = ""
    extension_s: Annotated[int, Meta(ge=0, le=MAX_EXTENSION_S)] = 0
    name: Annotated[str, Meta(max_length=40)] = ""

    def step(self) -> CallStep:
        """The step that is asked for."""
        if self.type == "rule":
            return GiveRuling(
                ruling=self.ruling,
                disputed=self.disputed,
                reason=self.reason,
                penalty=self.penalty,
                extension_s=self.extension_s,
            )
        if self.type == "appeal":
            return Appeal(grounds=self.grounds)
        return SpeakBack() if self.type == "speak" else CloseCall()


class ClockRequest(Struct, forbid_unknown_fields=True):
    """Whether the clock of a round runs, and how long the round is."""

    runs: bool
    minutes: Annotated[int, Meta(ge=1, le=MAX_MINUTES)] | None = None


class ResultRequest(Struct, forbid_unknown_fields=True):
    """How a game ended."""

    round: int
    table: Annotated[str, Meta(min_length=1, max_length=200)]
    result: Result
    first_score: Score | None = None
    second_score: Score | None = None


def _page(name: str) -> ResponseReturnValue:
    return page_response(framed(f"desk/{name}", desk_texts(current_speech())))


@route(pages, "GET", "/", RouteFacts(Right.PUBLIC, "The desk.", gives="text/html"))
def desk() -> ResponseReturnValue:
    """The frame of the desk; what it shows comes from ``/api/v1/hall``, for judges alone."""
    return _page("desk")


@route(pages, "GET", "/public", RouteFacts(Right.PUBLIC, "The public view.", gives="text/html"))
def public_page() -> ResponseReturnValue:
    """Pairings, results and clocks for everybody, behind the games."""
    return _page("public")


@route(blueprint, "GET", "/hall", RouteFacts(Right.JUDGE, "Every table, the open calls, the rounds."))
def hall() -> ResponseReturnValue:
    """The hall as it is now."""
    return Response(desk_page().ready.document(current_speech().language), mimetype="application/json")


@route(blueprint, "GET", "/events", RouteFacts(Right.WATCH, "The event stream.", gives="text/event-stream"))
def events() -> ResponseReturnValue:
    """Tells when to ask anew."""
    page = desk_page()
    return stream_response(page.hub, {"boot": page.hub.boot}, EVENT_RIGHTS)


@route(blueprint, "GET", "/hall/problems", RouteFacts(Right.JUDGE, "What is wrong at the desk."))
def problems() -> ResponseReturnValue:
    """A sentence each; answered also while the store is away."""
    return jsonify({"problems": problems_view(desk_page(), current_speech())})


@route(blueprint, "GET", "/hall/calls/<call_id>", RouteFacts(Right.JUDGE, "A call with its events."))
def call(call_id: str) -> ResponseReturnValue:
    """The call as it stands, what happened to it, and what was frozen for it as far as that has come."""
    store, found = desk_page().hall.store, _call(call_id)
    lines = [json.decode(line) for line in store.events_of_call(call_id)]
    return jsonify({"call": to_builtins(found), "events": lines, **frozen_view(store, found, current_speech())})


@route(
    blueprint,
    "GET",
    "/hall/calls/<call_id>/pictures/<name>",
    RouteFacts(Right.JUDGE, "What the camera saw at a call.", gives="image/jpeg"),
)
def call_picture(call_id: str, name: str) -> ResponseReturnValue:
    """The picture as the table sent it."""
    found = desk_page().hall.store.part(call_id, name) if name.endswith(".jpg") else None
    if found is None:
        raise UnknownName(said("there is no such picture of this call"))
    return Response(found, mimetype="image/jpeg")


@route(
    blueprint,
    "GET",
    "/hall/calls/<call_id>/difference",
    RouteFacts(Right.JUDGE, "What is different between two pictures of a call: ?first=0&second=3."),
)
def difference(call_id: str) -> ResponseReturnValue:
    """Sentences about what stands elsewhere, and boxes in shares of the picture."""
    return jsonify(difference_view(*_told(call_id), current_speech()))


@route(
    blueprint,
    "GET",
    "/hall/calls/<call_id>/changes",
    RouteFacts(Right.JUDGE, "What became otherwise on the pictures of a call, the newest first."),
)
def changes(call_id: str) -> ResponseReturnValue:
    """Where everything stood before, and stands since, as far as that has come from the table."""
    return jsonify(changes_view(*_told(call_id), current_speech()))


@route(
    blueprint,
    "POST",
    "/hall/calls/<call_id>/steps",
    RouteFacts(Right.JUDGE, "Rule, speak, appeal, close.", StepRequest),
)
def take_step(call_id: str) -> ResponseReturnValue:
    """The call after the step, once its table has taken it."""
    wanted, device = body_as(StepRequest), current_device()
    name = wanted.name.strip() or ("" if device is None else device.name)
    by = Person(role="judge", name=name, place="desk")
    spoken = desk_page().hall.speak(call_id, wanted.step(), by)
    desk_page().ready.outdate()
    return jsonify({"call": to_builtins(spoken)})


@route(
    blueprint,
    "POST",
    "/hall/rounds",
    RouteFacts(Right.JUDGE, "Take in pairings and results, CSV or JSON.", takes="text/csv"),
)
def bring_rounds() -> ResponseReturnValue:
    """How many rounds the list holds; all of it is taken in or, if anything is wrong, nothing."""
    page, data = desk_page(), request.get_data(cache=False)
    brought: list[Round] = []

    def take_in(known: list[Round]) -> list[Round]:
        brought[:] = rounds_from_bytes(data, "list", known)
        return taken_in(known, brought)

    page.hall.store.change_rounds(take_in, page.now_s())
    page.rounds_changed()
    return jsonify({"rounds": len(brought)})


@route(
    blueprint,
    "GET",
    "/hall/rounds.csv",
    RouteFacts(Right.JUDGE, "Pairings and results: ?columns=own, swiss-manager or topdeck.", gives="text/csv"),
)
def rounds_as_csv() -> ResponseReturnValue:
    """A row for each pairing, in the columns of a pairing program."""
    wanted = request.args.get("columns", "own")
    kind = next((one for one in LISTS if one == wanted), None)
    if kind is None:
        raise UnknownName(said("there are no columns of this name; choose one of: {known}", known=", ".join(LISTS)))
    response = Response(rounds_csv(desk_page().hall.store.rounds(), kind), mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="rounds{"" if kind == "own" else f"-{kind}"}.csv"'
    return response


@route(blueprint, "GET", "/hall/rounds.json", RouteFacts(Right.JUDGE, "Rounds with their clocks."))
def rounds_as_json() -> ResponseReturnValue:
    """The ``sightline.rounds/1`` document."""
    response = Response(rounds_json(desk_page().hall.store.rounds()), mimetype="application/json")
    response.headers["Content-Disposition"] = 'attachment; filename="rounds.json"'
    return response


@route(
    blueprint, "POST", "/hall/rounds/<int:number>/clock", RouteFacts(Right.JUDGE, "Run or stop a clock.", ClockRequest)
)
def clock(number: int) -> ResponseReturnValue:
    """The rounds with that clock."""
    page, wanted = desk_page(), body_as(ClockRequest)
    now_s = page.now_s()
    rounds = page.hall.store.change_rounds(
        lambda known: with_clock(known, number, round(now_s * 1000), runs=wanted.runs, minutes=wanted.minutes), now_s
    )
    page.rounds_changed()
    return jsonify({"rounds": rounds_view(rounds, (), now_s)})


@route(blueprint, "POST", "/hall/results", RouteFacts(Right.JUDGE, "Note a result.", ResultRequest))
def note_result() -> ResponseReturnValue:
    """The rounds with that result."""
    page, wanted = desk_page(), body_as(ResultRequest)
    scores = (wanted.first_score, wanted.second_score)
    now_s = page.now_s()
    rounds = page.hall.store.change_rounds(
        lambda known: with_result(known, wanted.round, wanted.table, wanted.result, scores), now_s
    )
    page.rounds_changed()
    return jsonify({"rounds": rounds_view(rounds, (), now_s)})


@route(blueprint, "GET", "/public", RouteFacts(Right.WATCH, "Pairings and results, behind the games."))
def public() -> ResponseReturnValue:
    """The rounds as they stood a while ago; of calls nothing is told."""
    page = desk_page()
    then_s = page.now_s() - page.delay_s
    rounds = page.hall.store.rounds_at(then_s)
    return jsonify({"delay_s": page.delay_s, "rounds": rounds_view(rounds, (), then_s)})


def _call(call_id: str) -> Call:
    found = desk_page().hall.store.call(call_id)
    if found is None:
        raise UnknownName(said("there is no call “{call}”; choose one of the list", call=call_id[:60]))
    return found


def _told(call_id: str) -> ToldMoment:
    store = desk_page().hall.store
    told = told_moment(_call(call_id), lambda name: store.part(call_id, name))
    if told is None:
        raise UnknownName(said("Nothing of what was frozen has come from the table yet; try again in a moment."))
    return told

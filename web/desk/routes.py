"""The desk's routes: the hall, a call with its steps, rounds in and out, and the public view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from flask import Flask, Response, request
from msgspec import Meta, Struct, convert, json, to_builtins

from assistant.app.tournament.rounds import public_rounds, taken_in, with_clock, with_publication, with_result
from assistant.app.tournament.sent_parts import SentMoment, sent_moment
from assistant.app.tournament.steps import Appeal, CallStep, CloseCall, GiveRuling, SpeakBack
from assistant.documents.call import MAX_EXTENSION_S, Call, CallText
from assistant.documents.round_lists import ListKind, rounds_csv, rounds_from_bytes
from assistant.documents.rounds import MAX_MINUTES, Result, Round, Score, rounds_json
from assistant.documents.table_event import Person
from assistant.errors import UnknownName
from assistant.translations.messages import message, said
from web.desk.state import DeskState, desk_state
from web.desk.view import frozen_view, problems_view, rounds_view
from web.judge.words import changes_view, difference_view
from web.people import routes as people
from web.people.door import PARTS
from web.people.session import current_device, current_speech, framed
from web.people.streaming import stream_response
from web.problems.errors import new_application
from web.serving import sending
from web.serving.roles import Right
from web.serving.routes import Answer, add_routes, get, page, post

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
"""The right that each kind of event needs; no device gets an event of another kind."""

DESK_TEXTS: Mapping[str, str] = {
    "hall_online": message("there"),
    "hall_stale": message("silent for {seconds} s"),
    "hall_offline": message("offline"),
    "hall_stopped": message("switched off"),
    "hall_waiting": message("not sent yet: {count}"),
    "call_open": message("open"),
    "call_ruled": message("ruled"),
    "call_appealed": message("appealed"),
    "call_closed": message("closed"),
    "call_at": message("{table}: {state}"),
    "call_question": message("“{question}”"),
    "call_picture": message("What the camera saw at the call"),
    "call_spoken": message("Shown at the table."),
    "call_sent": message("The table has it."),
    "call_was_ruled": message("Ruling: {ruling}"),
    "call_reason": message("Because: {reason}"),
    "call_grounds": message("Appeal: {grounds}"),
    "call_extension": message("Time given back: {minutes} min"),
    "call_penalty": message("Penalty: {penalty}"),
    "round_name": message("Round {round}"),
    "round_start": message("Start the clock"),
    "round_stop": message("Stop the clock"),
    "round_left": message("{time} left"),
    "round_over": message("{time} over"),
    "round_none": message("No pairings yet. Import a list, as CSV or JSON."),
    "round_none_public": message("No pairings are published yet."),
    "round_publish": message("Publish the pairings"),
    "round_withdraw": message("Withdraw the pairings"),
    "round_is_public": message("public"),
    "round_is_hidden": message("not published"),
    "round_bye": message("bye"),
    "rounds_taken": message("Rounds imported: {count}"),
    "result_of": message("Result at table {table}"),
    "public_delay": message("Results are {minutes} min behind."),
}


class StepRequest(Struct, forbid_unknown_fields=True):
    """A judge's step on a call, with the judge's name."""

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
            return convert(self, GiveRuling, from_attributes=True)
        if self.type == "appeal":
            return Appeal(grounds=self.grounds)
        return SpeakBack() if self.type == "speak" else CloseCall()


class ClockRequest(Struct, forbid_unknown_fields=True):
    """Whether the clock of a round runs, and how long the round is."""

    runs: bool
    minutes: Annotated[int, Meta(ge=1, le=MAX_MINUTES)] | None = None


class PublicationRequest(Struct, forbid_unknown_fields=True):
    """Whether everybody sees the pairings of a round."""

    is_public: bool


class ResultRequest(Struct, forbid_unknown_fields=True):
    """How a game ended."""

    round: int
    table: Annotated[str, Meta(min_length=1, max_length=200)]
    result: Result
    first_score: Score | None = None
    second_score: Score | None = None


@page("/", "The desk.")
def desk() -> Answer:
    return framed("desk/desk", DESK_TEXTS)


@page("/public", "The page of the public view.")
def public_page() -> Answer:
    return framed("desk/public", DESK_TEXTS)


@get("/hall", Right.JUDGE, "Every table, the open calls and the rounds.")
def hall() -> Answer:
    return Response(desk_state().ready.document(current_speech().language), mimetype="application/json")


@get("/events", Right.WATCH, "The event stream; an event says what to fetch again.", gives="text/event-stream")
def events() -> Answer:
    page = desk_state()
    return stream_response(page.hub, {"boot": page.hub.boot}, EVENT_RIGHTS)


@get("/hall/problems", Right.JUDGE, "The problems of the desk, a sentence each.")
def problems() -> Answer:
    """Answered from memory, so also while the store is away."""
    return {"problems": problems_view(desk_state().problems, current_speech())}


@get("/hall/calls/<call_id>", Right.JUDGE, "A call with its events and the frozen parts that have arrived.")
def call(call_id: str) -> Answer:
    store, found = desk_state().hall.store, _call(call_id)
    lines = [json.decode(line) for line in store.events_of_call(call_id)]
    return {"call": to_builtins(found), "events": lines, **frozen_view(store, found, current_speech())}


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
)
def take_step(wanted: StepRequest, call_id: str) -> Answer:
    device = current_device()
    name = wanted.name.strip() or ("" if device is None else device.name)
    by = Person(role="judge", name=name, place="desk")
    spoken = desk_state().hall.speak(call_id, wanted.step(), by)
    desk_state().ready.outdate()
    return {"call": to_builtins(spoken)}


@post(
    "/hall/rounds",
    Right.JUDGE,
    "text/csv",
    "Take in pairings and results, CSV or JSON: the whole list, or nothing if it has a mistake.",
)
def bring_rounds() -> Answer:
    page, data = desk_state(), request.get_data(cache=False)
    brought: list[Round] = []

    def take_in(known: list[Round]) -> list[Round]:
        brought[:] = rounds_from_bytes(data, "list", known)
        return taken_in(known, brought)

    page.hall.store.change_rounds(take_in, page.now_s())
    page.rounds_changed()
    return {"rounds": len(brought)}


@get(
    "/hall/rounds.csv",
    Right.JUDGE,
    "Pairings and results as CSV: ?columns=own, swiss-manager or topdeck.",
    gives="text/csv",
)
def rounds_as_csv() -> Answer:
    wanted = request.args.get("columns", "own")
    kind = next((one for one in LISTS if one == wanted), None)
    if kind is None:
        raise UnknownName(said("there are no columns of this name; choose one of: {known}", known=", ".join(LISTS)))
    response = Response(rounds_csv(desk_state().hall.store.rounds(), kind), mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="rounds{"" if kind == "own" else f"-{kind}"}.csv"'
    return response


@get("/hall/rounds.json", Right.JUDGE, "The rounds with their clocks, as sightline.rounds/1.")
def rounds_as_json() -> Answer:
    response = Response(rounds_json(desk_state().hall.store.rounds()), mimetype="application/json")
    response.headers["Content-Disposition"] = 'attachment; filename="rounds.json"'
    return response


@post("/hall/rounds/<int:number>/clock", Right.JUDGE, ClockRequest, "Run or stop the clock of a round.")
def clock(wanted: ClockRequest, number: int) -> Answer:
    page = desk_state()
    now_s = page.now_s()
    rounds = page.hall.store.change_rounds(
        lambda known: with_clock(known, number, round(now_s * 1000), runs=wanted.runs, minutes=wanted.minutes), now_s
    )
    page.rounds_changed()
    return {"rounds": rounds_view(rounds, now_s, page.hall.names())}


@post(
    "/hall/rounds/<int:number>/publication",
    Right.JUDGE,
    PublicationRequest,
    "Publish the pairings of a round, or withdraw them before its clock has begun.",
)
def publish(wanted: PublicationRequest, number: int) -> Answer:
    page = desk_state()
    now_s = page.now_s()
    rounds = page.hall.store.change_rounds(
        lambda known: with_publication(known, number, round(now_s * 1000), is_public=wanted.is_public), now_s
    )
    page.rounds_changed()
    return {"rounds": rounds_view(rounds, now_s, page.hall.names())}


@post("/hall/results", Right.JUDGE, ResultRequest, "Note a result.")
def note_result(wanted: ResultRequest) -> Answer:
    page = desk_state()
    scores = (wanted.first_score, wanted.second_score)
    now_s = page.now_s()
    rounds = page.hall.store.change_rounds(
        lambda known: with_result(known, wanted.round, wanted.table, wanted.result, scores), now_s
    )
    page.rounds_changed()
    return {"rounds": rounds_view(rounds, now_s, page.hall.names())}


@get(
    "/public",
    Right.WATCH,
    "Published pairings and clocks as they are now, results as they stood a while ago; no calls.",
)
def public() -> Answer:
    page = desk_state()
    now_s, store = page.now_s(), page.hall.store
    rounds = public_rounds(store.rounds(), store.rounds_at(now_s - page.delay_s))
    return {"delay_s": page.delay_s, "rounds": rounds_view(rounds, now_s, page.hall.names())}


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


def create_desk_app(state: DeskState) -> Flask:
    """The page of this desk, ready to be served; it starts nothing."""
    app = new_application()
    app.extensions[PARTS] = state
    add_routes(app, sending.__name__, people.__name__, __name__)
    return app

"""Routes for rounds at the desk: import and export, publication, clocks, results, and the public view."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from flask import Response, request
from msgspec import Meta, Struct

from assistant.app.tournament.rounds import (
    RoundChange,
    changes_of,
    public_rounds,
    taken_in,
    with_clock,
    with_publication,
    with_result,
)
from assistant.documents.round_lists import ListKind, rounds_csv, rounds_from_bytes
from assistant.documents.rounds import MAX_MINUTES, Result, Round, Score, rounds_json
from assistant.errors import UnknownName
from assistant.translations.messages import said
from web.desk.answers import BroughtAnswer, PreviewAnswer, PublicAnswer, RoundsAnswer
from web.desk.state import desk_state
from web.desk.view import rounds_view
from web.serving.roles import Right
from web.serving.routes import Answer, get, post

LISTS: tuple[ListKind, ...] = get_args(ListKind)


class ClockRequest(Struct, forbid_unknown_fields=True):
    """Whether the clock of a round runs, and how long the round is."""

    runs: bool
    minutes: Annotated[int, Meta(ge=1, le=MAX_MINUTES)] | None = None


class PublicationRequest(Struct, forbid_unknown_fields=True):
    """Whether the pairings of a round are public."""

    is_public: bool


class ResultRequest(Struct, forbid_unknown_fields=True):
    """The result of a game."""

    round: int
    table: Annotated[str, Meta(min_length=1, max_length=200)]
    result: Result
    first_score: Score | None = None
    second_score: Score | None = None


@post(
    "/hall/rounds",
    Right.JUDGE,
    "text/csv",
    "Take in pairings and results, CSV or JSON: the whole list, or nothing if it has a mistake. ?others=stay",
    gives=BroughtAnswer,
)
def bring_rounds() -> Answer:
    """``?others=stay`` keeps the games of tables missing from the list."""
    page, data = desk_state(), request.get_data(cache=False)
    brought: list[Round] = []

    def take_in(known: list[Round]) -> list[Round]:
        brought[:] = rounds_from_bytes(data, "list", known)
        return taken_in(known, brought, keeps_others=_others_stay())

    page.hall.store.change_rounds(take_in, page.now_s())
    page.rounds_changed()
    return {"rounds": len(brought)}


@post(
    "/hall/rounds/preview",
    Right.JUDGE,
    "text/csv",
    "What a list would change in each round; changes nothing. ?others=stay as when it is taken in.",
    gives=PreviewAnswer,
)
def preview_rounds() -> Answer:
    page, data = desk_state(), request.get_data(cache=False)
    known = page.hall.store.rounds()
    after = taken_in(known, rounds_from_bytes(data, "list", known), keeps_others=_others_stay())
    return {"rounds": [_change_view(one) for one in changes_of(known, after, page.hall.names())]}


def _change_view(change: RoundChange) -> dict[str, Any]:
    games = {"comes": change.comes, "changes": change.changes, "goes": change.goes}
    return {
        "number": change.number,
        "is_new": change.is_new,
        **{name: [p.table for p in found] for name, found in games.items()},
        "unknown_tables": list(change.unknown_tables),
    }


def _others_stay() -> bool:
    return request.args.get("others", "") == "stay"


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


@post(
    "/hall/rounds/<int:number>/clock",
    Right.JUDGE,
    ClockRequest,
    "Run or stop the clock of a round.",
    gives=RoundsAnswer,
)
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
    gives=RoundsAnswer,
)
def publish(wanted: PublicationRequest, number: int) -> Answer:
    page = desk_state()
    now_s = page.now_s()
    rounds = page.hall.store.change_rounds(
        lambda known: with_publication(known, number, round(now_s * 1000), is_public=wanted.is_public), now_s
    )
    page.rounds_changed()
    return {"rounds": rounds_view(rounds, now_s, page.hall.names())}


@post("/hall/results", Right.JUDGE, ResultRequest, "Note a result.", gives=RoundsAnswer)
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
    gives=PublicAnswer,
)
def public() -> Answer:
    page = desk_state()
    now_s, store = page.now_s(), page.hall.store
    rounds = public_rounds(store.rounds(), store.rounds_at(now_s - page.delay_s))
    return {"delay_s": page.delay_s, "rounds": rounds_view(rounds, now_s, page.hall.names())}

"""Routes for a whole box from a few photos: read in the background, show on one sheet, correct by taps, save."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Response, request
from msgspec import Meta, Struct

from assistant.app.teaching.box import BoxSide, BoxTeacher, BoxThing, known_boxes
from assistant.app.teaching.values import ConfirmedTile
from assistant.table.lattice import Cell
from web.parts import parts
from web.people.session import current_speech
from web.problems.errors import word_error
from web.serving.roles import Right
from web.serving.routes import Answer, get, post, read_photo_body
from web.teach.routes import Name, NoTeaching, Pair, PrintedEdgeBody, edges_of, roster_document, set_answer, tile_answer

_MANY = 4 * 64 * 64


class SideWish(Struct, forbid_unknown_fields=True):
    """A side, corrected by a person."""

    cells: Annotated[list[Pair], Meta(min_length=1, max_length=_MANY)]
    edges: Annotated[list[PrintedEdgeBody], Meta(max_length=_MANY)] = []
    difficult: Annotated[list[Pair], Meta(max_length=_MANY)] = []


class NameWish(Struct, forbid_unknown_fields=True):
    """A side's name."""

    id: Name


class GameWish(Struct, forbid_unknown_fields=True):
    """The game of the box, null for another one."""

    game: Annotated[str, Meta(max_length=200)] | None = None


class PairWish(Struct, forbid_unknown_fields=True):
    """The other side of a tile, null to separate them."""

    other: Annotated[str, Meta(max_length=32)] | None = None


class KeepWish(Struct, forbid_unknown_fields=True):
    """The tile set to save the box in, and whether it may replace sides of the same name."""

    set: Name
    replace: bool = False


class BoxDoorWish(Struct, forbid_unknown_fields=True):
    """The roster to save a door in, and the number of such doors."""

    roster: Name
    count: Annotated[int, Meta(ge=0, le=1000)]
    thickness_mm: Annotated[float, Meta(gt=0, le=30)] = 2.0


def _box() -> BoxTeacher:
    box = parts().box
    if box is None:
        raise NoTeaching
    return box


@get("/teach/box", Right.OWN, "The box that is taught: photos, progress, all its sides, and what else was seen.")
def box_now() -> Answer:
    box = _box()
    progress, problem = box.progress, box.problem
    return {
        "batches": [{"fronts": fronts, "backs": backs} for fronts, backs in box.batches],
        "reading": progress
        and {
            "done": progress.done,
            "of": progress.of,
            "seconds": round(progress.seconds),
            "waiting": progress.waiting,
        },
        "problem": problem and word_error(problem, current_speech()),
        "sides": [_side(side) for side in box.sides()],
        "boxes": [{"game": one.game, "tiles": one.tiles, "doors": one.doors} for one in known_boxes()],
        "others": [_other(thing) for thing in box.others()],
    }


@post("/teach/box/photos", Right.OWN, "image/*", "Read a photo of many tiles; ?turned=1 after all were turned over.")
def add_box_photo() -> Answer:
    _box().add_photo(read_photo_body(), is_turned=request.args.get("turned") == "1")
    return box_now()


@post("/teach/box/next", Right.OWN, None, "Begin the next batch of tiles.")
def next_batch() -> Answer:
    _box().next_batch()
    return box_now()


@post("/teach/box/cancel", Right.OWN, None, "End the reading; photos that wait are left out.")
def cancel_box() -> Answer:
    _box().cancel()
    return box_now()


@post("/teach/box/clear", Right.OWN, None, "Forget the box; what was saved stays.")
def clear_box() -> Answer:
    _box().clear()
    return box_now()


@get(
    "/teach/box/pictures/<key>",
    Right.OWN,
    "The squared picture of a side with what lies round it, or of another thing; ?close=1 leaves out what lies round.",
    gives="image/png",
)
def box_picture(key: str) -> Answer:
    response = Response(_box().picture(key, is_close=request.args.get("close") == "1"), mimetype="image/png")
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@get("/teach/box/sides/<key>", Right.OWN, "A side with all its lines, to be corrected.")
def box_side(key: str) -> Answer:
    return tile_answer(_box().draft(key))


@post("/teach/box/sides/<key>", Right.OWN, SideWish, "Correct a side.")
def correct_side(wish: SideWish, key: str) -> Answer:
    tile = ConfirmedTile("", key, frozenset(wish.cells), edges_of(wish.edges), frozenset[Cell](wish.difficult))
    _box().correct(key, tile)
    return box_now()


@post("/teach/box/sides/<key>/name", Right.OWN, NameWish, "Name a side; its other side is named alike.")
def name_side(wish: NameWish, key: str) -> Answer:
    _box().rename(key, wish.id)
    return box_now()


@post("/teach/box/sides/<key>/pair", Right.OWN, PairWish, "Say which side is on its back.")
def pair_side(wish: PairWish, key: str) -> Answer:
    _box().pair(key, wish.other)
    return box_now()


@post("/teach/box/game", Right.OWN, GameWish, "Say whose box it is; its contents bound the printed numbers.")
def choose_game_of_box(wish: GameWish) -> Answer:
    _box().choose_game(wish.game)
    return box_now()


@post("/teach/box/drop/<key>", Right.OWN, None, "Leave out a side or a thing.")
def drop_side(key: str) -> Answer:
    _box().drop(key)
    return box_now()


@post("/teach/box/doors/<key>", Right.OWN, BoxDoorWish, "Save a door that lay among the tiles.")
def keep_box_door(wish: BoxDoorWish, key: str) -> Answer:
    return roster_document(_box().keep_doors(wish.roster, key, wish.count, wish.thickness_mm))


@post("/teach/box/keep", Right.OWN, KeepWish, "Save all sides in a tile set.")
def keep_box(wish: KeepWish) -> Answer:
    return set_answer(_box().keep(wish.set, may_replace=wish.replace))


def _side(side: BoxSide) -> dict[str, Any]:
    return {
        "key": side.key,
        "id": side.name,
        "other": side.other,
        "doubts": side.doubts,
        "is_paired": side.is_paired,
        "is_cut": side.is_cut,
        "is_name_doubtful": side.is_name_doubtful,
        "is_doubtful": side.is_doubtful,
        "photos": side.reading.photos,
        "size_cells": [max(c for c, _ in side.reading.cells) + 1, max(r for _, r in side.reading.cells) + 1],
    }


def _other(thing: BoxThing) -> dict[str, Any]:
    return {"key": thing.key, "kind": thing.kind, "size_mm": [round(side) for side in thing.size_mm]}

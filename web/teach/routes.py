"""Routes for teaching tiles, figures and doors: a photo becomes a draft, a confirmed draft enters a set or roster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, get_args

from flask import Response, request
from msgspec import Meta, Struct

from assistant.app.teaching.box import known_figures
from assistant.app.teaching.library import ImportWay
from assistant.app.teaching.teacher import Teacher
from assistant.app.teaching.values import ConfirmedFigure, ConfirmedTile, FigureBase, TaughtRoster, TaughtSet, TileDraft
from assistant.errors import BadValue, CannotDo, NoTileArchive
from assistant.table.board import EdgeKind
from assistant.table.fields import HexColor
from assistant.table.lattice import Cell, Edge
from assistant.table.roster import BaseShape
from assistant.translations.messages import said
from web.parts import parts
from web.people.session import who_asks
from web.serving.roles import Right
from web.serving.routes import ARCHIVE, REQUEST, Answer, get, post, read_photo_body

Name = Annotated[str, Meta(min_length=1, max_length=64)]
LatticeIndex = Annotated[int, Meta(ge=0, le=64)]
Pair = tuple[LatticeIndex, LatticeIndex]
Side = Annotated[float, Meta(ge=5, le=300)]
CellCount = Annotated[int, Meta(ge=1, le=8)]

_MANY = 4 * 64 * 64


class NoTeaching(CannotDo):
    """Nothing can be taught at this table."""

    http_status = 404
    sentence = said("Nothing can be taught at this table. Start it with “sightline run” or “sightline setup”.")


class PrintedEdgeBody(Struct, forbid_unknown_fields=True, rename={"start": "from", "end": "to"}):
    """One printed line between two neighbouring lattice points."""

    start: Pair
    end: Pair
    kind: EdgeKind


class TileWish(Struct, forbid_unknown_fields=True):
    """A tile side to save, and whether it may replace one of the same name."""

    set: Name
    id: Name
    cells: Annotated[list[Pair], Meta(min_length=1, max_length=_MANY)]
    edges: Annotated[list[PrintedEdgeBody], Meta(max_length=_MANY)] = []
    difficult: Annotated[list[Pair], Meta(max_length=_MANY)] = []
    replace: bool = False


class BaseWish(Struct, forbid_unknown_fields=True):
    """A base: its extents in two directions in millimetres, and its spaces along the same."""

    shape: BaseShape
    size_mm: tuple[Side, Side]
    size_cells: tuple[CellCount, CellCount]


class FigureWish(Struct, forbid_unknown_fields=True):
    """A figure to save. Without an id it is one more of its kind."""

    roster: Name
    kind: Name
    side: Name
    base: BaseWish
    id: Annotated[str, Meta(max_length=64)] = ""
    height_mm: Annotated[float, Meta(ge=1, le=300)] = 30.0
    ring: HexColor | None = None


class DoorWish(Struct, forbid_unknown_fields=True):
    """The number of such doors, and their thickness."""

    roster: Name
    count: Annotated[int, Meta(ge=0, le=1000)]
    thickness_mm: Annotated[float, Meta(gt=0, le=30)] = 2.0


def teaching_desk() -> Teacher:
    """Return the teaching desk.

    Raises:
        NoTeaching: this table has none.
    """
    desk = parts().teaching
    if desk is None:
        raise NoTeaching
    return desk


@get("/teach/work", Right.OWN, "How far the reading in progress is; null while nothing is read.")
def work_state() -> Answer:
    state = teaching_desk().apart.state
    return {"work": None if state is None else {"seconds": round(state.seconds), "done": state.done, "of": state.of}}


@post("/teach/work/cancel", Right.OWN, None, "Give up the reading in progress.")
def cancel_work() -> Answer:
    teaching_desk().apart.cancel()
    return {"cancelled": True}


@get("/teach", Right.OWN, "The tile sets and rosters to teach into.")
def taught() -> Answer:
    desk = teaching_desk()
    return {
        "sets": [set_answer(one) for one in desk.sets()],
        "rosters": [roster_document(one) for one in desk.rosters()],
        "known_figures": [{"kind": kind, "side": side} for kind, side in known_figures()],
    }


@post("/teach/tiles", Right.OWN, "image/*", "Read the tile in a photo; ?draft= reads it together with an earlier one.")
def read_tile() -> Answer:
    desk, photo = teaching_desk(), read_photo_body()
    with desk.turns.turn_of(who_asks()):
        return tile_answer(desk.read_tile(photo, request.args.get("draft") or None))


@post(
    "/teach/figures",
    Right.OWN,
    "image/*",
    "Measure the figure in a photo; ?shape=round or rectangle says its base, ?draft= adds a side to an earlier one.",
)
def read_figure() -> Answer:
    desk, photo = teaching_desk(), read_photo_body()
    with desk.turns.turn_of(who_asks()):
        draft = desk.read_figure(photo, _shape(request.args.get("shape")), request.args.get("draft") or None)
    known = {roster: dict(rings) for roster, rings in draft.known_rings.items()}
    figure = {"draft": draft.id, "base": base_document(draft.base), "ring": draft.ring, "known_rings": known}
    return {**figure, "sides": draft.sides, "photos": draft.photos}


@post("/teach/doors", Right.OWN, "image/*", "Measure the door in a photo.")
def read_door() -> Answer:
    desk, photo = teaching_desk(), read_photo_body()
    with desk.turns.turn_of(who_asks()):
        draft = desk.read_door(photo)
    size = {"width_cells": draft.width_cells, "width_mm": draft.width_mm, "height_mm": draft.height_mm}
    return {"draft": draft.id, **size}


@get("/teach/drafts/<draft_id>/picture", Right.OWN, "The squared picture of a draft.", gives="image/png")
def draft_picture(draft_id: str) -> Answer:
    response = Response(teaching_desk().picture(draft_id), mimetype="image/png")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


@post("/teach/drafts/<draft_id>/tile", Right.OWN, TileWish, "Keep a tile side.")
def keep_tile(wish: TileWish, draft_id: str) -> Answer:
    tile = ConfirmedTile(
        wish.set, wish.id, frozenset(wish.cells), edges_of(wish.edges), frozenset[Cell](wish.difficult)
    )
    return set_answer(teaching_desk().keep_tile(draft_id, tile, may_replace=wish.replace))


@post("/teach/drafts/<draft_id>/figure", Right.OWN, FigureWish, "Keep a figure.")
def keep_figure(wish: FigureWish, draft_id: str) -> Answer:
    base = FigureBase(wish.base.shape, _extent(wish.base), wish.base.size_cells)
    figure = ConfirmedFigure(wish.roster, wish.id, wish.kind, wish.side, wish.height_mm, wish.ring, base)
    return roster_document(teaching_desk().keep_figure(draft_id, figure))


@post("/teach/drafts/<draft_id>/door", Right.OWN, DoorWish, "Keep the doors.")
def keep_door(wish: DoorWish, draft_id: str) -> Answer:
    return roster_document(teaching_desk().keep_door(draft_id, wish.roster, wish.count, wish.thickness_mm))


@get(
    "/teach/sets/<set_name>",
    Right.OWN,
    "A tile set as one file; ?by= says who made it. The roster of the same name comes along.",
    gives="application/zip",
)
def export_set(set_name: str) -> Answer:
    made_by = request.args.get("by", "")[:200].strip()
    response = Response(teaching_desk().exported(set_name, made_by), mimetype="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename=f"{set_name}.zip")
    return response


@post(
    "/teach/sets",
    Right.OWN,
    ARCHIVE,
    "Keep the tile set in a zip. If sides would be replaced, ?way=add keeps the own ones, ?way=replace takes these.",
    status=201,
)
def import_set() -> Answer:
    data = request.get_data(cache=False)
    if not data:
        raise NoTileArchive(said("the request has no file; choose a zip and try again"))
    asked = request.args.get("way", "ask")
    way = next((way for way in get_args(ImportWay) if way == asked), None)
    if way is None:
        raise BadValue(said("choose ask, add or replace"), document=REQUEST, field="way")
    return set_answer(teaching_desk().imported(data, way))


def _shape(chosen: str | None) -> BaseShape | None:
    shape = next((shape for shape in get_args(BaseShape) if shape == chosen), None)
    if chosen is not None and shape is None:
        raise BadValue(said("a base is round or rectangular"), document=REQUEST, field="shape")
    return shape


def _extent(base: BaseWish) -> tuple[float, float]:
    """Return both extents of the base. A round one has only one diameter."""
    return (base.size_mm[0], base.size_mm[0]) if base.shape == "round" else base.size_mm


def base_document(base: FigureBase) -> dict[str, Any]:
    """Return a base for the page."""
    size_mm = [round(side, 1) for side in base.size_mm]
    return {"shape": base.shape, "size_mm": size_mm, "size_cells": list(base.size_cells)}


def edges_of(wires: list[PrintedEdgeBody]) -> dict[Edge, EdgeKind]:
    """Return a body's printed lines.

    Raises:
        BadValue: a line joins no neighbouring points.
    """
    found: dict[Edge, EdgeKind] = {}
    for i, wire in enumerate(wires):
        if abs(wire.start[0] - wire.end[0]) + abs(wire.start[1] - wire.end[1]) != 1:
            raise BadValue(said("an edge joins two neighbouring lattice points"), document=REQUEST, field=f"edges[{i}]")
        found[Edge.between(wire.start, wire.end)] = wire.kind
    return found


def tile_answer(draft: TileDraft) -> dict[str, Any]:
    """Return a tile side for the page's board."""
    return {
        "draft": draft.id,
        "size_cells": list(draft.size_cells),
        "photos": draft.photos,
        "cells": [
            {
                "cell": list(cell),
                "difficult": draft.difficult[cell][0],
                "confidence": round(draft.difficult[cell][1], 3),
            }
            for cell in draft.cells
        ],
        "edges": _edge_list(draft.edges),
        "around": _edge_list(draft.around),
    }


def _edge_list(edges: Mapping[Edge, tuple[EdgeKind | None, float]]) -> list[dict[str, Any]]:
    return [
        {"from": list(edge.start), "to": list(edge.end), "kind": kind, "confidence": round(sure, 3)}
        for edge, (kind, sure) in edges.items()
    ]


def set_answer(one: TaughtSet) -> dict[str, Any]:
    """Return a tile set for the page's list."""
    return {"name": one.name, "sides": list(one.sides)}


def roster_document(one: TaughtRoster) -> dict[str, Any]:
    """Return a roster for the page."""
    figures = [{"id": name, "kind": kind, "side": side, "ring": ring} for name, kind, side, ring in one.figures]
    return {"name": one.name, "figures": figures, "doors": one.doors}

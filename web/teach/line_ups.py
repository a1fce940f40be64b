"""Teach all figures of a box at once: group equal figures in a line-up photo for a person to name."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Response, request
from msgspec import Meta, Struct

from assistant.app.teaching.line_ups import EqualFigures, LineUpDraft, NamedGroup
from web.people.session import who_asks
from web.serving.roles import Right
from web.serving.routes import Answer, get, post, read_photo_body
from web.teach.routes import Name, base_document, roster_document, teaching_desk

FigureNumber = Annotated[int, Meta(ge=0, le=400)]


class ScaleWish(Struct, forbid_unknown_fields=True):
    """The true base width of one figure."""

    figure: FigureNumber
    base_mm: Annotated[float, Meta(ge=5, le=300)]


class GroupWish(Struct, forbid_unknown_fields=True):
    """Figures by number, and their identity."""

    figures: Annotated[list[FigureNumber], Meta(min_length=1, max_length=400)]
    kind: Name
    side: Name
    height_mm: Annotated[float, Meta(ge=1, le=300)] = 30.0


class LineUpWish(Struct, forbid_unknown_fields=True):
    """The figures to save."""

    roster: Name
    groups: Annotated[list[GroupWish], Meta(min_length=1, max_length=400)]


@post(
    "/teach/line-ups",
    Right.OWN,
    "image/*",
    "Find and measure all figures in a photo of a line-up; ?draft= adds a photo of another side to an earlier one.",
)
def read_line_up() -> Answer:
    desk, photo = teaching_desk(), read_photo_body()
    with desk.turns.turn_of(who_asks()):
        return _line_up(desk.line_ups.read(photo, request.args.get("draft") or None))


@post("/teach/line-ups/<draft_id>/scale", Right.OWN, ScaleWish, "Say how wide the base of one figure is.")
def scale_line_up(wish: ScaleWish, draft_id: str) -> Answer:
    return _line_up(teaching_desk().line_ups.scale(draft_id, wish.figure, wish.base_mm))


@get("/teach/line-ups/<draft_id>/<int:number>/picture", Right.OWN, "The cut-out of a figure.", gives="image/png")
def line_up_picture(draft_id: str, number: int) -> Answer:
    response = Response(teaching_desk().line_ups.picture(draft_id, number), mimetype="image/png")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


@post("/teach/line-ups/<draft_id>/figures", Right.OWN, LineUpWish, "Keep the named figures of a line-up.")
def keep_line_up(wish: LineUpWish, draft_id: str) -> Answer:
    groups = [NamedGroup(tuple(one.figures), one.kind, one.side, one.height_mm) for one in wish.groups]
    return roster_document(teaching_desk().line_ups.keep(draft_id, wish.roster, groups))


def _line_up(draft: LineUpDraft) -> dict[str, Any]:
    return {
        "draft": draft.id,
        "groups": [_group(group) for group in draft.groups],
        "not_taken": [{"number": one.number, "what": one.kind} for one in draft.not_taken],
        "is_scaled": draft.is_scaled,
        "marked": draft.marked,
        "photos": draft.photos,
        "fitting": draft.fitting,
    }


def _group(group: EqualFigures) -> dict[str, Any]:
    return {"figures": list(group.figures), "base": base_document(group.base), "ring": group.ring}

"""People's answers about places where a figure may stand, and the table that they imply.

An answer holds while pictures show that place unchanged.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from assistant.app.live.free_names import free_name
from assistant.app.live.shots import PointPx
from assistant.errors import UnknownName
from assistant.table.free_sighting import UNSEEN, FreeMaybe, FreeSighting, settled_table
from assistant.table.free_table import FreeFigure
from assistant.table.roster import kind_of
from assistant.translations.messages import said
from calibration.arrays import BgrImage, Singles
from calibration.color import gray_from_bgr

SAME_MM = 4.0
"""Distance in mm below which two figures of one kind are the same, since bases of that kind do not overlap."""

CHANGED_LEVELS = 8.0
"""Mean pixel difference above which a place has changed, as after a model was put there. Camera noise is a third
of it."""


@dataclass(frozen=True, eq=False)
class PlaceAnswer:
    """An answer about a place, and the picture of that place.

    Args:
        figure: the figure in question.
        is_there: whether the figure is there.
        corner_px: the top left pixel of the cut-out around the place.
        gray: the cut-out, (H, W).
    """

    figure: FreeFigure
    is_there: bool
    corner_px: tuple[int, int]
    gray: Singles = field(repr=False)


def _apply_answer(seen: FreeSighting, name: str, *, is_there: bool) -> FreeSighting:
    """Apply an answer about a figure, or about a place where one may stand, to a sighting.

    A denied figure then counts as one of the box whose place is unknown.
    """
    figure = figure_named(seen, name)
    maybe = next((maybe for maybe in seen.maybes if maybe.figure.id == name), None)
    if maybe is None:
        return _surely(seen, figure) if is_there else _without(seen, figure)
    left = replace(seen, maybes=tuple(other for other in seen.maybes if other is not maybe))
    return _join(left, maybe) if is_there else left


def figure_named(seen: FreeSighting, name: str) -> FreeFigure:
    """Return the figure of that name, or the possible figure of that name with a known place.

    Raises:
        UnknownName: the sighting has no such figure or place.
    """
    maybes = (maybe.figure for maybe in seen.maybes if not maybe.is_anywhere and maybe.figure.id == name)
    try:
        return next(maybes, None) or seen.table.figure(name)
    except UnknownName:
        raise UnknownName(said("the camera sees no figure there any more; look again")) from None


def answer_of(figure: FreeFigure, outline_px: Sequence[PointPx], image: BgrImage, *, is_there: bool) -> PlaceAnswer:
    """Return an answer about a figure, with the picture around the outline of its base."""
    outline = np.asarray(outline_px)
    high = np.array(image.shape[1::-1])
    left, top = np.clip(np.floor(outline.min(axis=0)), 0, high - 1).astype(int).tolist()
    right, bottom = np.clip(np.ceil(outline.max(axis=0)) + 1, 1, high).astype(int).tolist()
    return PlaceAnswer(figure, is_there, (left, top), _gray(image)[top:bottom, left:right])


def answered_again(
    seen: FreeSighting, answers: Sequence[PlaceAnswer], image: BgrImage
) -> tuple[FreeSighting, tuple[PlaceAnswer, ...]]:
    """Apply earlier answers to a new picture's sighting. Return it with the answers that still hold."""
    gray, kept = _gray(image), []
    for answer in answers:
        name = _same_place(seen, answer.figure)
        if name is not None and _shows_the_same(answer, gray):
            seen = _apply_answer(seen, name, is_there=answer.is_there)
            kept.append(answer)
    return seen, tuple(kept)


def _same_place(seen: FreeSighting, wanted: FreeFigure) -> str | None:
    """Return the name of the figure or possible figure of that kind at that place."""
    known = (*seen.table.figures, *(maybe.figure for maybe in seen.maybes if not maybe.is_anywhere))
    near = [figure for figure in known if is_same_place(figure, wanted)]
    return min(near, key=lambda figure: math.dist(_place(figure), _place(wanted))).id if near else None


def is_same_place(figure: FreeFigure, other: FreeFigure) -> bool:
    """Return whether two figures are of one kind and in one place, as far as pictures tell."""
    is_near = math.dist(_place(figure), _place(other)) < SAME_MM and figure.elevation_mm == other.elevation_mm
    return is_near and kind_at(figure.id) == kind_at(other.id)


def _shows_the_same(answer: PlaceAnswer, gray: Singles) -> bool:
    """Return whether a picture shows a place unchanged. A cloud before the sun is not a change."""
    (left, top), (height, width) = answer.corner_px, answer.gray.shape
    now = gray[top : top + height, left : left + width]
    if now.shape != answer.gray.shape:
        return False
    off = (now - now.mean()) - (answer.gray - answer.gray.mean())
    return float(np.abs(off).mean()) < CHANGED_LEVELS


def _surely(seen: FreeSighting, figure: FreeFigure) -> FreeSighting:
    spot = seen.spots.get(figure.id)
    if spot is None:
        return seen
    sure = replace(spot, confidence=1 / max(1, len(spot.kinds)))
    return replace(seen, spots={**seen.spots, figure.id: sure})


def _without(seen: FreeSighting, figure: FreeFigure) -> FreeSighting:
    table = replace(seen.table, figures=tuple(other for other in seen.table.figures if other.id != figure.id))
    missing = FreeMaybe(replace(figure, id=f"{figure.id}?"), UNSEEN, is_anywhere=True)
    return replace(
        seen,
        table=table,
        spots={name: spot for name, spot in seen.spots.items() if name != figure.id},
        seen_mm={name: place for name, place in seen.seen_mm.items() if name != figure.id},
        maybes=(*seen.maybes, missing),
    )


def _join(seen: FreeSighting, maybe: FreeMaybe) -> FreeSighting:
    """Move a possible figure onto the table, which leaves one fewer of its kind unplaced."""
    kind = kind_at(maybe.figure.id)
    is_only_one = any(other.figure.id == f"{kind}?" for other in seen.maybes)
    name = kind if is_only_one else free_name(kind, seen.table.figure_by_id)
    figure = replace(maybe.figure, id=name)
    places = {**seen.seen_mm, figure.id: _place(figure)}
    table = settled_table(replace(seen.table, figures=(*seen.table.figures, figure)), places)
    spots = seen.spots if maybe.spot is None else {**seen.spots, figure.id: maybe.spot}
    anywhere = [other for other in seen.maybes if other.is_anywhere and kind_at(other.figure.id) == kind]
    least = min(anywhere, key=lambda other: other.chance, default=None)
    maybes = tuple(other for other in seen.maybes if other is not least)
    return replace(seen, table=table, spots=spots, seen_mm=places, maybes=maybes)


def kind_at(name: str) -> str:
    """Return the kind of a figure from its name. The name of a possible figure has a question mark."""
    return kind_of(name.partition("?")[0])


def _place(figure: FreeFigure) -> tuple[float, float]:
    return float(figure.center_mm[0]), float(figure.center_mm[1])


def _gray(image: BgrImage) -> Singles:
    return np.asarray(gray_from_bgr(image), dtype=np.float32)

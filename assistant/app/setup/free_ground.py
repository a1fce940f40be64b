"""A table without a grid: its playing area between the printed markers, and its documents."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import cv2
import numpy as np

from assistant.app.live.game_files import FreeGame
from assistant.documents import (
    KeptSetUp,
    camera_from_json,
    free_table_document,
    free_table_from_json,
    table_from_json,
    to_json,
)
from assistant.errors import UnknownName
from assistant.profiles import Profiles
from assistant.table.camera import TableMarker, TableMarkers
from assistant.table.free_table import FreeFigure, FreeTable, Stats
from assistant.table.roster import Roster, RosterFigure
from assistant.translations.messages import said

UNKNOWN_STATS = Stats(3, 3, 3, 3)
"""Stats of a model before a match sets them. No distance, line or cover depends on them."""


def area_between(markers: TableMarkers) -> tuple[TableMarkers, tuple[int, int]]:
    """Move the markers' origin to a corner of their smallest enclosing rectangle. Return them and its sides in mm.

    The x axis becomes the side that deviates least from the markers' own.
    """
    corners_mm = np.array([marker.corners_mm for marker in markers.markers], np.float64)
    turn_deg = cv2.minAreaRect(corners_mm.reshape(-1, 2).astype(np.float32))[2]
    turn = math.radians((turn_deg + 45) % 90 - 45)
    along = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    straight_mm = corners_mm @ along
    low, high = straight_mm.min(axis=(0, 1)), straight_mm.max(axis=(0, 1))
    laid = []
    for marker, quad in zip(markers.markers, straight_mm - low, strict=True):
        a, b, c, d = ((round(float(x), 4), round(float(y), 4)) for x, y in quad)
        laid.append(TableMarker(marker.id, (a, b, c, d)))
    width, depth = (math.ceil(float(side) - 1e-3) for side in high - low)
    return TableMarkers(markers.marker_family, tuple(laid)), (width, depth)


def bare_ground(size_mm: tuple[int, int], step_mm: Fraction) -> FreeTable:
    """Return a table of that size without terrain, which people draw on the first picture."""
    return FreeTable(step_mm, (Fraction(size_mm[0]), Fraction(size_mm[1])))


def free_game_of(profiles: Profiles, setup: KeptSetUp, name: str, roster: Roster) -> FreeGame:
    """Return the documents of a stored set-up without a grid.

    Args:
        profiles: the stored profiles.
        setup: the set-up; it names a ``free_table``.
        name: the name of the set-up.
        roster: its figures.

    Raises:
        UnknownName: a part of it is no longer stored, or it has no markers.
        DocumentError: a document cannot be used.
    """
    assert setup.free_table is not None, "asked for only without a grid"
    if setup.table is None:
        raise UnknownName(said("The set-up “{name}” has no markers. A table without a grid needs them.", name=name))
    ground = free_table_from_json(profiles.read("free-table", setup.free_table), setup.free_table)
    lens = None if setup.camera is None else camera_from_json(profiles.read("camera", setup.camera), setup.camera)
    markers = table_from_json(profiles.read("table", setup.table), setup.table)
    models = tuple(_model_of(figure) for figure in roster.figures)
    return FreeGame(replace(ground, figures=models), roster, markers, lens, name)


def _model_of(figure: RosterFigure) -> FreeFigure:
    """Return a roster figure as a model. Its position means nothing."""
    base_size_mm = None
    if figure.base_shape == "rectangle":
        base_size_mm = (Fraction(str(figure.base_size_mm[0])), Fraction(str(figure.base_size_mm[1])))
    return FreeFigure(
        id=figure.id,
        side=figure.side,
        center_mm=(Fraction(0), Fraction(0)),
        base_mm=Fraction(str(figure.base_mm)),
        height_mm=Fraction(str(figure.height_mm)),
        elevation_mm=Fraction(0),
        facing_deg=Fraction(0),
        stats=UNKNOWN_STATS,
        base_size_mm=base_size_mm,
    )


def keep_ground(profiles: Profiles, name: str, table: FreeTable) -> None:
    """Save size, step and terrain under a name, without the models, whose places are of one evening.

    Raises:
        StoreError: it cannot be written.
    """
    ground = FreeTable(table.step_mm, table.size_mm, table.terrain)
    profiles.keep("free-table", name, to_json(free_table_document(ground)).encode())


def load_ground(profiles: Profiles, name: str) -> FreeTable | None:
    """Return the stored table without a grid of that name, or None."""
    if name not in profiles.names("free-table"):
        return None
    return free_table_from_json(profiles.read("free-table", name), name)

"""A simulated skirmish on a table without a grid, as frozen values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from assistant.table.camera import PointMm, TableMarkers
from assistant.table.free_table import FreeFigure, FreeTable, Stats, Terrain, TerrainKind
from assistant.table.roster import Roster, RosterFigure
from vision.simulation.camera_view import RenderCamera
from vision.simulation.figures import BodyLook
from vision.simulation.lighting import Lighting
from vision.simulation.meshes import Color
from vision.simulation.scene import CameraLook

EXACT_MM = 10_000
"""Resolution of true places, a ten thousandth of a millimetre."""

PAINTS: Mapping[TerrainKind, Color] = {
    "wall": (0.27, 0.29, 0.30),
    "cover": (0.10, 0.22, 0.35),
    "difficult": (0.08, 0.22, 0.10),
    "gap": (0.03, 0.02, 0.02),
}
"""Colour of each kind of terrain on tables not drawn at random."""


@dataclass(frozen=True)
class PlacedModel:
    """A placed model. ``turn_deg`` is the facing of model and base (x towards y)."""

    figure: RosterFigure
    center_mm: PointMm
    turn_deg: float
    elevation_mm: float
    pose_seed: int


@dataclass(frozen=True)
class PrintedRing:
    """A ring printed on a card: its outer radius and its width, centred on the card."""

    radius_mm: float
    width_mm: float
    color: Color


@dataclass(frozen=True)
class PrintedCard:
    """A flat card on the table: its paper, the line round its edge, and rings, the widest first."""

    center_mm: PointMm
    turn_deg: float
    size_mm: tuple[float, float]
    paper: Color
    frame: Color
    rings: tuple[PrintedRing, ...]


@dataclass(frozen=True)
class FreeScene:
    """One skirmish on one table under one camera, the source of a photo and its truth."""

    name: str
    seed: int
    size_mm: PointMm
    step_mm: float
    terrain: tuple[Terrain, ...]
    paints: Mapping[str, Color]
    roster: Roster
    stats: Mapping[str, Stats]
    looks: Mapping[str, BodyLook]
    figures: tuple[PlacedModel, ...]
    markers: TableMarkers
    marker_margins_mm: tuple[float, ...]
    table_top: str
    lighting: Lighting
    view: RenderCamera
    camera: CameraLook
    cards: tuple[PrintedCard, ...] = ()

    @property
    def table(self) -> FreeTable:
        """The table with all models in their places."""
        return FreeTable(
            exact(self.step_mm),
            (exact(self.size_mm[0]), exact(self.size_mm[1])),
            self.terrain,
            tuple(self._free_figure(placed) for placed in self.figures),
        )

    @property
    def box(self) -> FreeTable:
        """The table before set-up: its terrain, and every model of the box beside it."""
        beside = (
            PlacedModel(figure, (40.0 * number, -60.0), 0.0, 0.0, 0)
            for number, figure in enumerate(self.roster.figures)
        )
        return replace(self.table, figures=tuple(self._free_figure(placed) for placed in beside))

    def _free_figure(self, placed: PlacedModel) -> FreeFigure:
        figure = placed.figure
        length, width = figure.base_size_mm
        return FreeFigure(
            id=figure.id,
            side=figure.side,
            center_mm=(exact(placed.center_mm[0]), exact(placed.center_mm[1])),
            base_mm=exact(figure.base_mm),
            height_mm=exact(figure.height_mm),
            elevation_mm=exact(placed.elevation_mm),
            facing_deg=exact(placed.turn_deg % 360),
            stats=self.stats[figure.kind],
            base_size_mm=None if figure.base_shape == "round" else (exact(length), exact(width)),
        )


def place_models_of(table: FreeTable, roster: Roster) -> tuple[PlacedModel, ...]:
    """Place the models of a table as a roster describes them. Omit figures missing from it."""
    known = {figure.id: figure for figure in roster.figures}
    return tuple(
        PlacedModel(
            known[figure.id],
            (float(figure.center_mm[0]), float(figure.center_mm[1])),
            float(figure.facing_deg),
            float(figure.elevation_mm),
            number,
        )
        for number, figure in enumerate(table.figures)
        if figure.id in known
    )


def exact(value: float) -> Fraction:
    """Return a measure as an exact number, to a ten thousandth."""
    if not math.isfinite(value):
        raise ValueError(f"a measure must be finite, not {value}")
    return Fraction(round(value * EXACT_MM), EXACT_MM)

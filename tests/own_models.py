"""A rendered table without a grid: its printed markers from two sides, and a game of the models of the line-up."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from assistant.table.camera import TableMarker, TableMarkers
from assistant.table.free_table import FreeTable, Terrain
from calibration.sheets import MARKER_MM
from tests.line_ups import LOOKS, line_up
from vision.simulation.camera_view import Around, RenderCamera, lens_of_width
from vision.simulation.flat_prints import MARKER_FAMILY
from vision.simulation.free_sample import free_sample_scene
from vision.simulation.free_scene import FreeScene, PlacedModel

SIZE_MM = (460.0, 340.0)
WALL = Terrain(
    "wall",
    "wall",
    tuple((Fraction(x), Fraction(y)) for x, y in ((210, 60), (240, 60), (240, 250), (210, 250))),
    Fraction(40),
)
PLACES_MM = ((90.0, 120.0), (110.0, 260.0), (370.0, 130.0), (340.0, 270.0))
SIDES_DEG = {"left": 40.0, "right": 140.0, "game": 92.0}


def own_table(side: str) -> FreeScene:
    """Photos ``left`` and ``right`` show the bare markers, ``game`` the models and a wall between them."""
    models = [figure for figure in line_up().roster.figures if figure.kind == "ghoul"]
    models += [figure for figure in line_up().roster.figures if figure.kind == "golem"]
    chosen = (models[0], models[3], models[1], models[4])
    placed = tuple(
        PlacedModel(figure, place, 80.0 * number, 0.0, number)
        for number, (figure, place) in enumerate(zip(chosen, PLACES_MM, strict=True))
    )
    sample = free_sample_scene(FreeTable(Fraction(50), (Fraction(460), Fraction(340)), (WALL,)))
    lens = lens_of_width(2000, 1500, 1560.0, -0.02, 0.0)
    view = RenderCamera.looking_at(lens, (SIZE_MM[0] / 2, SIZE_MM[1] / 2), Around(800.0, 30.0, SIDES_DEG[side]))
    is_game = side == "game"
    return replace(
        sample,
        name=f"own-{side}",
        roster=line_up().roster,
        stats=line_up().stats,
        looks=LOOKS,
        terrain=(WALL,) if is_game else (),
        figures=placed if is_game else (),
        markers=_markers(),
        marker_margins_mm=(7.0,) * 4,
        view=view,
    )


def _markers() -> TableMarkers:
    """Return a printed marker in each corner, as people lay them: outside of the models, not quite straight."""
    (width, depth), half = SIZE_MM, MARKER_MM / 2
    spots = ((20.0, 22.0), (width - 24.0, 20.0), (width - 20.0, depth - 25.0), (23.0, depth - 20.0))
    quads = [((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)) for x, y in spots]
    return TableMarkers(MARKER_FAMILY, tuple(TableMarker(number, quad) for number, quad in enumerate(quads)), None)

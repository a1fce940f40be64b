"""A simulated game on a table, as frozen values: tiles, figures, doors, clutter, light and camera."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from jaxtyping import Float, Int, Num

from assistant.errors import UnknownName
from assistant.table.board import Board, Door, EdgeKind, Figure
from assistant.table.camera import PointMm, TableMarkers
from assistant.table.lattice import Cell, Edge
from assistant.table.observation import LatticePose
from assistant.table.roster import Roster, RosterFigure
from assistant.translations.messages import said
from calibration.arrays import Floats, Integers, Numbers
from vision.simulation.camera_view import RenderCamera
from vision.simulation.figures import BodyLook
from vision.simulation.finish import AS_NEW, Finish
from vision.simulation.lighting import Lighting
from vision.simulation.meshes import Color
from vision.simulation.tile_art import PrintedTiles
from vision.simulation.tile_shapes import strengthen

Bucket = Literal["easy", "normal", "hard"]


@dataclass(frozen=True)
class PlacedTile:
    """A tile on the table: whole quarter turns and a whole shift on the lattice, and its small misfit.

    Tile point ``p`` (cells) lies on lattice point ``turn^quarter_turns p + shift``. The tile is then turned by
    ``misfit_deg`` about its centre and shifted by ``misfit_mm``.
    """

    id: str
    quarter_turns: int
    shift: Cell
    misfit_mm: PointMm = (0.0, 0.0)
    misfit_deg: float = 0.0

    def lattice_points(self, points: Num[Numbers, "n 2"]) -> Float[Floats, "n 2"]:
        """Return tile points (N, 2) on the lattice."""
        moved: Floats = np.asarray(points, float) @ quarter_turn(self.quarter_turns).T.astype(float) + self.shift
        return moved

    def lattice_cells(self, cells: frozenset[Cell]) -> frozenset[Cell]:
        """Return tile cells on the lattice."""
        ordered = sorted(cells)
        middles = self.lattice_points(np.array(ordered, float) + 0.5)
        return frozenset((math.floor(x), math.floor(y)) for x, y in middles.tolist())

    def lattice_edges(self, edges: Mapping[Edge, EdgeKind]) -> dict[Edge, EdgeKind]:
        """Return tile edges on the lattice."""
        moved: dict[Edge, EdgeKind] = {}
        for edge, kind in edges.items():
            (x0, y0), (x1, y1) = np.round(self.lattice_points(np.array(edge, float))).astype(int).tolist()
            moved[Edge.between((x0, y0), (x1, y1))] = kind
        return moved


@dataclass(frozen=True)
class PlacedDoor:
    """A standing door: the edge that it bars, and the true ends of its foot line."""

    id: str
    edge: Edge
    from_mm: PointMm
    to_mm: PointMm


@dataclass(frozen=True)
class PlacedFigure:
    """A figure on the board: ``base_turn_deg`` turns its footprint, ``yaw_deg`` is its facing (table frame).

    ``leaning`` is the sideways bend of its body, as a share of the height along x and y of the table.
    """

    figure: RosterFigure
    cells: tuple[Cell, ...]
    center_mm: PointMm
    base_turn_deg: float
    yaw_deg: float
    pose_seed: int
    leaning: PointMm = (0.0, 0.0)


@dataclass(frozen=True)
class Clutter:
    """A thing outside the game: its kind, place, turn, the seed of its looks, and whether it lies on a tile.

    ``color`` is its paint, if its looks leave that open.
    """

    kind: str
    center_mm: PointMm
    turn_deg: float
    seed: int
    on_board: bool = False
    color: Color | None = None


@dataclass(frozen=True)
class CameraLook:
    """Settings of the camera.

    ``exposure`` is the target mean display value. ``noise`` is relative to a good camera in good light. ``defocus_px``
    is the radius of a point's blur, ``motion`` its smear's length (px) and direction (degrees). Then ``sharpening``
    overdraws edges, and ``overexposure`` multiplies display values and clips them.
    """

    exposure: float = 0.42
    noise: float = 1.0
    white_balance_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    vignetting: float = 0.15
    defocus_px: float = 0.0
    motion: tuple[float, float] | None = None
    jpeg_quality: int = 88
    sharpening: float = 0.0
    overexposure: float = 1.0


@dataclass(frozen=True)
class Scene:
    """One game on one table under one camera, the source of a photo and its truth."""

    name: str
    bucket: Bucket
    seed: int
    printed: PrintedTiles
    roster: Roster
    looks: Mapping[str, BodyLook]
    markers: TableMarkers
    marker_margins_mm: tuple[float, ...]
    grid: LatticePose
    tiles: tuple[PlacedTile, ...]
    doors: tuple[PlacedDoor, ...]
    figures: tuple[PlacedFigure, ...]
    damage_mm: tuple[PointMm, ...]
    clutter: tuple[Clutter, ...]
    table_top: str
    lighting: Lighting
    view: RenderCamera
    around: tuple[float, float, float, float]
    camera: CameraLook
    finish: Finish = AS_NEW
    fallen: tuple[PlacedFigure, ...] = ()
    """Figures that lie on their side. Their cells and centre are those from which they fell, away from ``yaw_deg``."""

    @cached_property
    def cells(self) -> frozenset[Cell]:
        """The cells of the board, on the lattice."""
        return frozenset().union(*(t.lattice_cells(self.printed.tile_set.side(t.id).cells) for t in self.tiles))

    @cached_property
    def difficult(self) -> frozenset[Cell]:
        """The difficult cells of the board, on the lattice."""
        sides = ((t, self.printed.tile_set.side(t.id).difficult) for t in self.tiles)
        return frozenset().union(*(tile.lattice_cells(cells) for tile, cells in sides if cells))

    @cached_property
    def edges(self) -> dict[Edge, EdgeKind]:
        """The printed edges. If two tiles print different kinds on one edge, the stronger wins."""
        edges: dict[Edge, EdgeKind] = {}
        for tile in self.tiles:
            for edge, kind in tile.lattice_edges(self.printed.tile_set.side(tile.id).edges).items():
                strengthen(edges, edge, kind)
        return edges

    @cached_property
    def board(self) -> Board:
        """The table in the rules' terms."""
        return Board(
            cells=self.cells,
            edges=self.edges,
            doors=tuple(Door(door.id, (door.edge,)) for door in self.doors),
            figures=tuple(
                Figure(p.figure.id, p.figure.kind, p.figure.side, tuple(sorted(p.cells))) for p in self.figures
            ),
            difficult=self.difficult,
            cell_mm=self.grid.cell_mm,
        )

    def placed(self, figure_id: str) -> PlacedFigure:
        """Find a figure on the board by its name.

        Raises:
            UnknownName: no such figure stands on the board.
        """
        for placed in self.figures:
            if placed.figure.id == figure_id:
                return placed
        raise UnknownName(said("there is no figure “{figure_id}” on the simulated table", figure_id=figure_id))

    def with_figure_moved(
        self, figure_id: str, cells: tuple[Cell, ...], *, yaw_deg: float, offset_mm: PointMm = (0.0, 0.0)
    ) -> Scene:
        """Move one figure to other cells, off their middle by ``offset_mm``.

        Raises:
            UnknownName: no such figure stands on the board.
            BoardError: it cannot stand there.
        """
        before = self.placed(figure_id)
        middle = np.mean(np.array(cells, float) + 0.5, axis=0)
        x, y = (on_table(self.grid, middle[None])[0] + offset_mm).tolist()
        after = replace(before, cells=tuple(sorted(cells)), center_mm=(x, y), yaw_deg=yaw_deg)
        moved = replace(self, figures=tuple(after if p is before else p for p in self.figures))
        _ = moved.board  # refuses impossible places
        return moved


def quarter_turn(turns: int) -> Int[Integers, "2 2"]:
    """Return the 2x2 matrix of quarter turns that take x towards y."""
    matrix: Integers = np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), turns % 4)
    return matrix


def rotation(angle_deg: float) -> Float[Floats, "2 2"]:
    """Return the 2x2 matrix that turns x towards y."""
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return np.array([[cos, -sin], [sin, cos]])


def rectangle(center_mm: PointMm, size_mm: PointMm, turn_deg: float) -> Float[Floats, "4 2"]:
    """Return the corners (4, 2) of a turned rectangle on the table, clockwise as seen from above."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm) / 2
    corners: Floats = square @ rotation(turn_deg).T + center_mm
    return corners


def on_table(grid: LatticePose, lattice_points: Num[Numbers, "n 2"]) -> Float[Floats, "n 2"]:
    """Return lattice points (N, 2) on the table, millimetres."""
    placed: Floats = (
        np.array(grid.origin_mm) + grid.cell_mm * np.asarray(lattice_points, float) @ rotation(grid.angle_deg).T
    )
    return placed


def board_corners(grid: LatticePose, cells: Iterable[Cell]) -> Float[Floats, "n 2"]:
    """Return the corners of all cells on the table, four for each, millimetres."""
    return on_table(grid, np.array([(c + i, r + j) for c, r in cells for i in (0, 1) for j in (0, 1)]))


def tile_points(scene: Scene, tile: PlacedTile, points: Num[Numbers, "n 2"]) -> Float[Floats, "n 2"]:
    """Return points (N, 2) of a tile, in its own cells, on the table with the tile's misfit."""
    left, top, columns, rows = scene.printed.tile_set.side(tile.id).bounds
    middle = np.array([[left + columns / 2, top + rows / 2]])
    center = on_table(scene.grid, tile.lattice_points(middle))[0]
    spread = on_table(scene.grid, tile.lattice_points(points)) - center
    placed: Floats = center + spread @ rotation(tile.misfit_deg).T + tile.misfit_mm
    return placed


def tile_rotation_deg(scene: Scene, tile: PlacedTile) -> float:
    """Return the turn of the tile's picture, clockwise from above, in [0, 360)."""
    return (scene.grid.angle_deg + 90 * tile.quarter_turns + tile.misfit_deg) % 360

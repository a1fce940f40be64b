"""Measure how well tiles are taught from photos: ``python -P tests/bench_teaching.py OUT [--scenes N]``.

Reads the printed lines of the dev tiles from the easy and normal ray-traced photos and from simulated ones in which
each lies alone, and of single tiles of other art from freshly simulated ones, without any tile set. The truth tells
only which tile lies where. An edge counts as in sight when no figure or door hides more than a third of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from assistant import documents
from assistant.errors import NoTiles
from assistant.table.lattice import Cell, Edge, sides
from assistant.table.roster import Roster
from assistant.table.tiles import TileSide
from calibration.markers import find_markers
from calibration.pose import CameraView, solve_view
from vision.photo.decoding import decode_photo, decode_print
from vision.simulation.compose import random_scene
from vision.simulation.dataset import take_photo
from vision.simulation.scene import PlacedTile, Scene, on_table
from vision.simulation.tile_art import PrintedTiles
from vision.simulation.truth import truth_document
from vision.teaching.difficult_ground import difficult_cells
from vision.teaching.edge_network import KINDS
from vision.teaching.sighting import EdgeSight, TileSighting, sight_tile
from vision.tiles.lattice_fit import Lattice

SHARED = Path(__file__).resolve().parents[2] / "shared" / "scenes"
PRINTED = KINDS[1:]
HIDDEN_SHARE = 1 / 3


@dataclass
class Counts:
    """Right, too many and missed, by kind."""

    right: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*PRINTED, "difficult"), 0))
    read: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*PRINTED, "difficult"), 0))
    true: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*PRINTED, "difficult"), 0))

    def add(self, read: str | None, true: str | None) -> None:
        """Count one edge or cell."""
        if read is not None:
            self.read[read] += 1
        if true is not None:
            self.true[true] += 1
            self.right[true] += read == true

    def f1(self, *kinds: str) -> float:
        """Harmonic mean of precision and recall over some kinds."""
        right, read, true = (sum(counts[kind] for kind in kinds) for counts in (self.right, self.read, self.true))
        return 2 * right / max(1, read + true)

    def line(self) -> str:
        """Return all figures in one line."""
        parts = [f"{kind} {self.f1(kind):.3f} ({self.true[kind]})" for kind in (*PRINTED, "difficult")]
        return f"edges {self.f1(*PRINTED):.3f}: " + ", ".join(parts)

    def document(self) -> dict[str, Any]:
        """Return the same for a file."""
        figures = {kind: round(self.f1(kind), 4) for kind in (*PRINTED, "difficult")}
        return {"edge_f1": round(self.f1(*PRINTED), 4), **figures, "edges": sum(self.true[kind] for kind in PRINTED)}


@dataclass(frozen=True)
class Placed:
    """A tile in a photo: its side, and where its lattice points lie on the table."""

    side: TileSide
    center_mm: tuple[float, float]
    rotation_deg: float
    cell_mm: float

    def on_table(self, points: Sequence[tuple[float, float]]) -> np.ndarray:
        """Table millimetres of the tile's own points."""
        left, top, columns, rows = self.side.bounds
        off = (np.array(points) - (left + columns / 2, top + rows / 2)) * self.cell_mm
        turn = np.deg2rad(self.rotation_deg)
        matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        return np.array(self.center_mm) + off @ matrix.T

    def edge_on(self, edge: Edge, lattice: Lattice) -> Edge | None:
        """Return the edge on a lattice, or None if that lattice lies elsewhere."""
        points = lattice.lattice_from_table(self.on_table(edge))
        whole = np.rint(points).astype(int)
        if np.abs(points - whole).max() > 0.3 or np.abs(whole[0] - whole[1]).sum() != 1:
            return None
        return Edge.between((int(whole[0, 0]), int(whole[0, 1])), (int(whole[1, 0]), int(whole[1, 1])))

    def cell_on(self, cell: Cell, lattice: Lattice) -> Cell:
        """Return the cell on a lattice."""
        column, row = np.floor(lattice.lattice_from_table(self.on_table([(cell[0] + 0.5, cell[1] + 0.5)]))[0])
        return int(column), int(row)

    @property
    def edges(self) -> list[Edge]:
        """Every edge of every cell, in the tile's own frame."""
        return sorted({edge for cell in self.side.cells for edge in sides(cell)})


@dataclass
class Score:
    """Counts over photos: all edges, visible ones, and exactly cut tiles."""

    whole: Counts = field(default_factory=Counts)
    in_sight: Counts = field(default_factory=Counts)
    photos: int = 0
    exact: int = 0


def placed_tiles(truth: Mapping[str, Any], tile_sides: Mapping[str, TileSide]) -> list[Placed]:
    cell_mm = truth["grid"]["cell_mm"]
    return [
        Placed(tile_sides[tile["id"]], tuple(tile["center_mm"]), tile["rotation_deg"], cell_mm)
        for tile in truth["tiles"]
    ]


def hidden_by(truth: Mapping[str, Any], roster: Roster, view: CameraView) -> list[np.ndarray]:
    """Return the outlines in the picture of everything that stands on the tiles."""
    figures = {figure.id: figure for figure in roster.figures}
    outlines = []
    for one in truth["figures"]:
        figure = figures[one["id"]]
        width, depth = (side / 2 for side in figure.base_size_mm)
        angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        reach = np.hypot(width, depth) if figure.base_shape == "rectangle" else width
        ring = np.array(one["center_mm"]) + np.column_stack([np.cos(angles), np.sin(angles)]) * reach
        outlines.append(np.concatenate([view.image_from_table(ring, 2.0 + h) for h in (0.0, figure.height_mm)]))
    for door in truth["doors"]:
        ends = np.array([door["from_mm"], door["to_mm"]])
        outlines.append(np.concatenate([view.image_from_table(ends, 2.0 + h) for h in (0.0, roster.doors.height_mm)]))
    return [cv2.convexHull(outline.astype(np.float32)) for outline in outlines]


def is_hidden(placed: Placed, edge: Edge, outlines: Sequence[np.ndarray], view: CameraView) -> bool:
    """Return whether something hides more than a third of an edge."""
    start, end = placed.on_table(edge)
    spots = view.image_from_table(start + (end - start) * np.linspace(0.05, 0.95, 10)[:, None], 2.0)
    under = [any(cv2.pointPolygonTest(o, (float(x), float(y)), False) >= 0 for o in outlines) for x, y in spots]
    return float(np.mean(under)) > HIDDEN_SHARE


def score_photo(
    score: Score, sighting: TileSighting | None, placed: Sequence[Placed], truth: Mapping[str, Any], roster: Roster
) -> None:
    """Count all tiles of one photo. Without a reading, everything is missed."""
    board = documents.board_from_json(json.dumps(truth["board"]).encode())
    grid = truth["grid"]
    true_lattice = Lattice(tuple(grid["origin_mm"]), grid["angle_deg"], grid["cell_mm"])
    score.photos += 1
    if sighting is None:
        for kind in board.edges.values():
            score.whole.add(None, kind)
            score.in_sight.add(None, kind)
        return
    outlines = hidden_by(truth, roster, sighting.view)
    difficult, _ = difficult_cells(sighting.cells, sighting.edges)
    cells = {tile.cell_on(cell, sighting.lattice) for tile in placed for cell in tile.side.cells}
    score.exact += cells == sighting.cells
    seen: set[Edge] = set()
    for tile in placed:
        for edge in tile.edges:
            own = tile.edge_on(edge, true_lattice)
            if own is None or own in seen:
                continue
            seen.add(own)
            there = tile.edge_on(edge, sighting.lattice)
            sight = None if there is None else sighting.edges.get(there)
            read = None if sight is None else KINDS[int(sight.kinds.argmax())]
            score.whole.add(read, board.edges.get(own))
            if not is_hidden(tile, edge, outlines, sighting.view):
                score.in_sight.add(read, board.edges.get(own))
        for cell in tile.side.cells:
            read_cell = "difficult" if tile.cell_on(cell, sighting.lattice) in difficult else None
            true_cell = "difficult" if tile.cell_on(cell, true_lattice) in board.difficult else None
            score.whole.add(read_cell, true_cell)
            score.in_sight.add(read_cell, true_cell)


def dev_photos() -> Iterator[tuple[str, TileSighting | None, list[Placed], dict[str, Any], Roster]]:
    """Yield the easy and normal dev photos, each with what was made of it."""
    tile_sides = documents.tile_set_from_json((SHARED / "tiles-dev" / "tileset.json").read_bytes()).side_by_id
    for place in sorted((SHARED / "dev").iterdir()):
        if not place.name.startswith(("easy", "normal")):
            continue
        photo = decode_photo((place / "photo.jpg").read_bytes())
        markers = documents.table_from_json((place / "table.json").read_bytes())
        lens = documents.camera_from_json((place / "camera.json").read_bytes())
        gray = np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY))
        found = find_markers(gray, markers.marker_family, [m.id for m in markers.markers], lens=lens)
        view = solve_view(found, markers, lens, image_wh=(photo.shape[1], photo.shape[0]))
        truth = json.loads((place / "truth.json").read_text())
        roster = documents.roster_from_json((place / "roster.json").read_bytes())
        yield place.name, sighted(photo, view, markers), placed_tiles(truth, tile_sides), truth, roster


def dev_tiles_alone(
    seed: int, count: int
) -> Iterator[tuple[str, TileSighting | None, list[Placed], dict[str, Any], Roster]]:
    """Yield each dev tile alone on a simulated table at normal tilt, laid down as for teaching, in several poses."""
    tile_set = documents.tile_set_from_json((SHARED / "tiles-dev" / "tileset.json").read_bytes())
    images = {side.id: decode_print((SHARED / "tiles-dev" / side.image).read_bytes()) for side in tile_set.sides}
    for number, side in enumerate(side for side in tile_set.sides for _ in range(count)):
        scene = random_scene(seed + number, "normal")
        printed = PrintedTiles(tile_set, images, scene.printed.door)
        alone = replace(scene, figures=(), doors=(), damage_mm=(), clutter=())
        alone = replace(alone, printed=printed, tiles=(laid_clear(alone, side, number % 4),))
        yield photographed(replace(alone, name=f"{side.id} on {scene.table_top}"))


def laid_clear(scene: Scene, side: TileSide, quarter_turns: int) -> PlacedTile:
    """Return the tile of that side near the middle of the scene's own board, in view and on no marker's paper."""
    columns, rows = zip(*scene.cells, strict=True)
    middle = np.array([np.mean(columns), np.mean(rows)])
    reach = range(-10, 11)
    shifts = sorted(
        ((int(middle[0]) + i, int(middle[1]) + j) for i in reach for j in reach),
        key=lambda at: (abs(at[0] - middle[0]) + abs(at[1] - middle[1]), at),
    )
    for shift in shifts:
        tile = PlacedTile(side.id, quarter_turns, shift)
        if is_clear(scene, tile.lattice_cells(side.cells)):
            return tile
    raise AssertionError(f"no room for {side.id} in {scene.name}")


def is_clear(scene: Scene, cells: frozenset[Cell]) -> bool:
    """Return whether cells are in the picture, and half a cell away from the paper of every marker."""
    points = np.array(sorted({point for cell in cells for edge in sides(cell) for point in edge}), float)
    places_mm = on_table(scene.grid, points)
    pixels = scene.view.project(np.column_stack([places_mm, np.zeros(len(places_mm))]))
    lens = scene.view.lens
    if (pixels < 0).any() or (pixels >= (lens.width_px, lens.height_px)).any():
        return False
    for marker in scene.markers.markers:
        corners = np.array(marker.corners_mm)
        away = np.linalg.norm(places_mm - corners.mean(axis=0), axis=1).min()
        if away < 1.2 * np.linalg.norm(corners[0] - corners[2]):
            return False
    return True


def photographed(scene: Scene) -> tuple[str, TileSighting | None, list[Placed], dict[str, Any], Roster]:
    """Return a simulated scene with what is made of its photo."""
    photo = decode_photo(take_photo(scene)[0])
    view = CameraView(scene.view.lens, scene.view.rotation_vector, scene.view.translation_mm, 0.1, ())
    truth = truth_document(scene)
    placed = placed_tiles(truth, scene.printed.tile_set.side_by_id)
    return scene.name, sighted(photo, view, scene.markers), placed, truth, scene.roster


def simulated_photos(
    seed: int, count: int
) -> Iterator[tuple[str, TileSighting | None, list[Placed], dict[str, Any], Roster]]:
    """Single tiles of art that was made for this photo alone, as they are laid down to be taught."""
    for number in range(seed, seed + count):
        yield photographed(tile_alone(number))


def tile_alone(seed: int) -> Scene:
    """Return a simulated scene of that seed with one of its tiles and nothing on it."""
    bucket = ("easy", "normal")[seed % 2]
    scene = random_scene(seed, bucket)
    return replace(scene, tiles=scene.tiles[:1], figures=(), doors=(), damage_mm=(), clutter=())


def sighted(photo: Any, view: CameraView, markers: Any) -> TileSighting | None:
    try:
        return sight_tile(photo, view, markers)
    except NoTiles:
        return None


def together(readings: Sequence[tuple[Placed, TileSighting]]) -> Counts:
    """Return the dev tiles, each read from all photos that show it; its edges are its own print's."""
    counts = Counts()
    by_side: dict[str, list[tuple[Placed, TileSighting]]] = {}
    for placed, sighting in readings:
        by_side.setdefault(placed.side.id, []).append((placed, sighting))
    for found in by_side.values():
        side = found[0][0].side
        sights = {edge: _summed(edge, found) for edge in found[0][0].edges}
        difficult, _ = difficult_cells(side.cells, sights)
        for edge, sight in sights.items():
            counts.add(KINDS[int(sight.kinds.argmax())], side.edges.get(edge))
        for cell in side.cells:
            counts.add("difficult" if cell in difficult else None, "difficult" if cell in side.difficult else None)
    return counts


def _summed(edge: Edge, found: Sequence[tuple[Placed, TileSighting]]) -> EdgeSight:
    kinds, difficult = np.array([0.0, -1e-6, -1e-6, -1e-6]), np.zeros(2)
    for placed, sighting in found:
        there = placed.edge_on(edge, sighting.lattice)
        sight = None if there is None else sighting.edges.get(there)
        if there is None or sight is None:
            continue
        first = placed.cell_on(edge.cells[0], sighting.lattice)
        kinds = kinds + sight.kinds
        difficult = difficult + (sight.difficult if there.cells[0] == first else sight.difficult[::-1])
    return EdgeSight(kinds, difficult)


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--scenes", type=click.IntRange(0), default=12, show_default=True, help="How many simulated tiles.")
@click.option("--alone", type=click.IntRange(0), default=2, show_default=True, help="Photos of each dev tile alone.")
@click.option("--seed", type=int, default=880_000, show_default=True, help="The seed of the first one.")
@click.option("--verbose", is_flag=True, help="One line a photo.")
def main(out: Path, scenes: int, alone: int, seed: int, *, verbose: bool) -> None:
    """Score teaching on dev and simulated photos; figures also go to OUT/teaching.json."""
    results: dict[str, Any] = {}
    sources = {"simulated": simulated_photos(seed, scenes)}
    if SHARED.is_dir():
        sources = {"dev": dev_photos(), "dev tiles alone": dev_tiles_alone(seed, alone), **sources}
    for name, photos in sources.items():
        score, readings = Score(), []
        for photo_name, sighting, placed, truth, roster in photos:
            one = Score()
            for total in (score, one):
                score_photo(total, sighting, placed, truth, roster)
            if sighting is not None:
                readings += [(tile, sighting) for tile in placed]
            if verbose:
                click.echo(f"{photo_name}: {one.exact} exact; {one.in_sight.line()}")
        click.echo(f"{name}: {score.photos} photos, {score.exact} cut out exactly")
        click.echo(f"  all edges       {score.whole.line()}")
        click.echo(f"  edges in sight  {score.in_sight.line()}")
        results[name] = {
            "photos": score.photos,
            "exact": score.exact,
            "all": score.whole.document(),
            "in_sight": score.in_sight.document(),
        }
        if name == "dev" and readings:
            merged = together(readings)
            click.echo(f"  photos together {merged.line()}")
            results["dev_together"] = merged.document()
    out.mkdir(parents=True, exist_ok=True)
    (out / "teaching.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""Measure kinds by their looks alone, without rings: ``python -m tests.bench_looks OUT``.

Renders boxes of twelve kinds in one colour, or painted, and three strangers of the same make. Three photos of a line-up
on a bare table teach each kind. Then tables with tiles are read from other sides and in other light. Places and bases
are the true ones, so that only looks decide. ``--real FOLDER`` adds photographs of chess pieces with their truths.

Photos are kept in OUT and taken again from there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from pathlib import Path

import click
import numpy as np

from assistant import documents
from assistant.kept_files import write_file
from assistant.table.camera import CameraLens, PointMm, TableMarker, TableMarkers
from assistant.table.lattice import Cell
from assistant.table.roster import DoorSpec, FigureLook, LookView, Roster, RosterFigure
from calibration.arrays import BgrImage, Numbers
from calibration.color import gamma_from_light, gray_from_bgr, light_from_gamma
from calibration.markers import find_markers
from calibration.pose import CameraView, solve_view
from vision.evidence.figure_views import Foot, cut_points, view_of
from vision.evidence.figures import FigureSighting
from vision.evidence.looks import apply_looks
from vision.learned import log_odds_of
from vision.photo.decoding import decode_photo
from vision.photo.paper_light import PAPER_ALBEDO, PaperLight, paper_light
from vision.simulation.camera_view import Around, RenderCamera
from vision.simulation.compose import random_scene
from vision.simulation.dataset import list_text, take_photo, write_scene
from vision.simulation.figures import BUILDS, BodyLook
from vision.simulation.game_setup import KIND_NAMES
from vision.simulation.lighting import random_lighting
from vision.simulation.meshes import clip_color
from vision.simulation.scene import Bucket, PlacedFigure, Scene
from vision.tiles.board_view import BoardView
from vision.tiles.prints import PX_PER_CELL
from vision.training.labelled import KnownBoard, labelled_photos

KINDS, STRANGERS, VIEWS = 12, 3, 3
PITCH_MM, COLUMNS = 60.0, 5
SIDES_DEG = (95.0, 215.0, 335.0)
SOMEBODY = 0.97
"""Confidence that somebody stands on a place, as a reader gives a clear figure without a ring."""

OUT_OF_SIGHT_MM = (700.0, 500.0)
"""Place of a tile beside the line-up, since the simulation needs one."""

TAUGHT_OFF_MM = 0.7
"""Error of a taught base's middle, standard deviation."""

TILT_DEG = (10.0, 50.0)
REAL_ORIGIN_MM, REAL_CELL_MM = (56.0, -5.0), 25.0
"""Lattice of the photos with one real piece each, which have no truth of their own."""

OTHER_LIGHTS: Mapping[str, tuple[float, float, float]] = {
    "as read": (1.0, 1.0, 1.0),
    "25 % cooler": (1.25, 1.0, 0.8),
    "25 % warmer": (0.8, 1.0, 1.25),
}
"""Errors of the light, blue, green, red."""

LEVELS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.01)


@dataclass
class Score:
    """What was said of figures: the true kind, the kind said (None for a stranger), and its share."""

    said: list[tuple[str | None, str | None, float]] = field(default_factory=list)

    def lines(self, title: str) -> Iterator[str]:
        """Yield a report."""
        known = [(said == true, share) for true, said, share in self.said if true is not None]
        strange = [(said, share) for true, said, share in self.said if true is None]
        right, wrong = sum(ok for ok, _ in known), [share for ok, share in known if not ok]
        yield (
            f"{title}: {right} of {len(known)} kinds right ({right / max(len(known), 1):.3f}), stated "
            f"{np.mean([share for _, share in known] or [0]):.3f}; wrong at .9 or more {sum(s >= 0.9 for s in wrong)}"
        )
        if strange:
            named = sum(said is None for said, _ in strange)
            sure = sum(said is not None and share >= 0.9 for said, share in strange)
            yield f"  strangers: {named} of {len(strange)} said to be strangers, called a kind at .9 or more {sure}"
        every = [(said == true, share) for true, said, share in self.said]
        for low, high in pairwise(LEVELS):
            here = [ok for ok, share in every if low <= share < high]
            if here:
                yield f"  stated {low:.2f} to {min(high, 1):.2f}: {len(here):4d}, right {np.mean(here):.3f}"


Cast = tuple[Roster, dict[str, BodyLook]]


def box_of(seed: int, *, is_painted: bool) -> Cast:
    """Return one figure of each kind, strangers last. All are of one plastic, or each in paints of its own."""
    rng = np.random.default_rng([seed, 5005])
    names = [str(name) for name in rng.choice(KIND_NAMES, KINDS + STRANGERS, replace=False)]
    plastic = clip_color(rng.choice([0.06, 0.15, 0.3, 0.45]) * rng.uniform(0.75, 1.3, 3), 0.02, 0.8)
    figures, looks = [], {}
    for name in names:
        height = float(round(rng.uniform(22, 40)))
        figures.append(RosterFigure(f"{name}-1", name, "foes", (1, 1), 22.0, height, None))
        paints = tuple(clip_color(rng.uniform(0.02, 0.6, 3), 0.02, 0.8) for _ in range(4)) if is_painted else ()
        looks[name] = BodyLook(str(rng.choice([*BUILDS, "turned"])), plastic, int(rng.integers(2**31)), paints)
    return Roster(tuple(figures), DoorSpec(8, 1, 30.0, 2.0)), looks


def line_up_scene(seed: int, cast: Cast, number: int) -> Scene:
    """Return all figures in rows on the bare table between four markers, from one of three sides."""
    roster, _ = cast
    bare = random_scene(seed, "normal", cast=cast)
    rng = np.random.default_rng([seed, 392, number])
    size = np.array([COLUMNS, -(-len(roster.figures) // COLUMNS)]) * PITCH_MM
    places = [np.array([i % COLUMNS + 0.5, i // COLUMNS + 0.5]) * PITCH_MM for i in range(len(roster.figures))]
    placed = tuple(
        PlacedFigure(figure, ((90, 90 + i),), _point(place), 0.0, 40.0 * i, i)
        for i, (figure, place) in enumerate(zip(roster.figures, places, strict=True))
    )
    corners = [(-30.0, -30.0), (size[0] + 30, -30.0), (size[0] + 30, size[1] + 30), (-30.0, size[1] + 30)]
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 20.0
    markers = tuple(
        TableMarker(i, tuple(_point(corner) for corner in square + place))  # type: ignore[arg-type]
        for i, place in enumerate(corners)
    )
    tilt, azimuth = float(rng.uniform(20, 45)), SIDES_DEG[number] + float(rng.uniform(-20, 20))
    target = _point(size / 2)
    around = Around(float(rng.uniform(600, 680)), tilt, azimuth, float(rng.uniform(-6, 6)))
    return replace(
        bare,
        name=f"line-up-{number}",
        markers=replace(bare.markers, markers=markers),
        marker_margins_mm=(7.0,) * 4,
        tiles=(replace(bare.tiles[0], misfit_mm=OUT_OF_SIGHT_MM),),
        doors=(),
        damage_mm=(),
        clutter=(),
        figures=placed,
        lighting=random_lighting(rng, str(rng.choice(["soft", "window", "lamp"])), target),
        view=RenderCamera.looking_at(bare.view.lens, target, around),
        around=(around.tilt_deg, around.azimuth_deg, around.roll_deg, around.distance_mm),
    )


def _point(values: Sequence[float] | np.ndarray) -> PointMm:
    x, y = (float(value) for value in values)
    return x, y


def taught(seed: int, cast: Cast, out: Path) -> Roster:
    """Return the roster of the known kinds, each with the views of the line-up."""
    roster, _ = cast
    views: dict[str, list[LookView]] = {figure.kind: [] for figure in roster.figures}
    rng = np.random.default_rng([seed, 9])
    for number in range(VIEWS):
        scene = line_up_scene(seed, cast, number)
        path = out / f"{scene.name}.jpg"
        if not path.exists():
            write_file(path, take_photo(scene)[0])
        photo = decode_photo(path.read_bytes())
        view = view_through(photo, scene.markers, scene.view.lens)
        light = paper_light(photo, view, scene.markers)
        for placed in scene.figures:
            center_mm = _point(np.array(placed.center_mm) + rng.normal(0, TAUGHT_OFF_MM, 2))
            foot = Foot(center_mm, 0.0, placed.figure.base_mm / 2)
            views[placed.figure.kind].append(view_of(cut_points(photo, view, foot, white_at(light, center_mm))))
    known = roster.figures[:KINDS]
    return replace(roster, figures=tuple(replace(f, look=FigureLook(tuple(views[f.kind]))) for f in known))


def view_through(photo: BgrImage, markers: TableMarkers, lens: CameraLens) -> CameraView:
    """Return the camera's pose by the markers."""
    seen = find_markers(gray_from_bgr(photo), markers.marker_family, [m.id for m in markers.markers], lens=lens)
    return solve_view(seen, markers, lens, image_wh=(photo.shape[1], photo.shape[0]))


def white_at(light: PaperLight, center_mm: PointMm) -> Numbers:
    """Return full white at a place, blue-green-red, linear, (3,)."""
    white: Numbers = light.brightness_at(np.array([center_mm]))[0] * light.tint / PAPER_ALBEDO
    return white


def score_board(seen: KnownBoard, roster: Roster, scores: Mapping[str, Score]) -> None:
    """Say of each small figure on a board who it is, by its look alone, in each light."""
    kinds = {figure.kind for figure in roster.figures}
    for light, off in OTHER_LIGHTS.items():
        board = in_other_light(seen.board, off)
        for cells, kind in seen.figures.items():
            if len(cells) == 1:
                true = kind if kind in kinds else None
                scores[light].said.append((true, *said_of(board, roster, cells)))


def in_other_light(board: BoardView, off: tuple[float, float, float]) -> BoardView:
    """Return the board as if its prints were taught in another light. The gain changes to match."""
    prints = gamma_from_light(light_from_gamma(board.print_image) / np.array(off, np.float32))
    return replace(board, gain=np.asarray(board.gain * np.array(off, np.float32), np.float32), print_image=prints)


def said_of(board: BoardView, roster: Roster, cells: tuple[Cell, ...]) -> tuple[str | None, float]:
    """Return the likeliest kind of a figure without a ring, None for a stranger, and its share."""
    left, top = np.subtract(cells[0], board.first) + 0.5
    middle = (float(left) * PX_PER_CELL, float(top) * PX_PER_CELL)
    somebody = FigureSighting(None, cells, middle, log_odds_of(SOMEBODY))
    said = apply_looks([somebody], board, roster)
    best = max(said, key=lambda one: one.log_odds)
    return best.kind, best.confidence / sum(one.confidence for one in said)


def simulated(seed: int, *, is_painted: bool, tables: int, out: Path) -> Iterator[tuple[KnownBoard, Roster]]:
    """Yield the tables of one box, and its taught roster. Render what is not in ``out`` yet."""
    cast = box_of(seed, is_painted=is_painted)
    roster = taught(seed, cast, out)
    if not (out / "list.json").exists():
        buckets: tuple[Bucket, ...] = ("normal", "hard")
        scenes = [random_scene(seed * 100 + n, buckets[n % 2], cast=cast, tilt_deg=TILT_DEG) for n in range(tables)]
        write_file(out / "list.json", list_text([write_scene(out, scene) for scene in scenes]))
    for photo in labelled_photos(out / "list.json"):
        yield photo.seen(), roster


def real(folder: Path, every: int) -> Iterator[tuple[KnownBoard, Roster]]:
    """Yield boards with chess pieces, and a roster taught by up to three photos of each kind. ``every`` is the step."""
    views: dict[str, list[LookView]] = {}
    plain = documents.roster_from_json((folder / "roster-taught-rf.json").read_bytes())
    radius_mm = {figure.kind: figure.base_mm / 2 for figure in plain.figures}
    for path in sorted((folder / "teach").iterdir()):
        rows = json.loads((path / "meta.json").read_text())["fen_rows"]
        cell = next((column, row) for row, line in enumerate(rows) for column, sign in enumerate(line) if sign != ".")
        photo = decode_photo((path / "photo.jpg").read_bytes())
        markers = documents.table_from_json((path / "table.json").read_bytes())
        view = view_through(photo, markers, documents.camera_from_json((path / "camera.json").read_bytes()))
        kind = path.name.rpartition("-")[0]
        center_mm = _point(np.array(REAL_ORIGIN_MM) + (np.array(cell) + 0.5) * REAL_CELL_MM)
        foot = Foot(center_mm, 0.0, radius_mm[kind])
        light = paper_light(photo, view, markers)
        views.setdefault(kind, []).append(view_of(cut_points(photo, view, foot, white_at(light, center_mm))))
    figures = [replace(f, look=FigureLook(tuple(views[f.kind][:VIEWS]))) for f in plain.figures if f.kind in views]
    roster = replace(plain, figures=tuple(figures))
    for known in islice(labelled_photos(folder / "list-rf.json"), 0, None, every):
        yield known.seen(), roster


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--seed", default=41_001, show_default=True, help="Seed of the first box.")
@click.option("--boxes", default=3, show_default=True, help="Boxes in one colour, and as many painted ones.")
@click.option("--tables", default=4, show_default=True, help="Tables of each box.")
@click.option(
    "--real", "real_folder", type=click.Path(path_type=Path), help="Folder with real pieces and their truths."
)
@click.option("--every", default=6, show_default=True, help="Step between the real photos read.")
def main(out: Path, seed: int, boxes: int, tables: int, real_folder: Path | None, every: int) -> None:
    """Measure kinds by their looks alone."""
    for title, is_painted in (("one colour", False), ("painted", True)):
        scores = {light: Score() for light in OTHER_LIGHTS}
        for number in range(seed, seed + boxes):
            place = out / f"{title.replace(' ', '-')}-{number}"
            for seen, roster in simulated(number, is_painted=is_painted, tables=tables, out=place):
                score_board(seen, roster, scores)
        _report(title, scores)
    if real_folder:
        scores = {light: Score() for light in OTHER_LIGHTS}
        for seen, roster in real(real_folder, every):
            score_board(seen, roster, scores)
        _report("real pieces", scores)


def _report(title: str, scores: Mapping[str, Score]) -> None:
    for light, score in scores.items():
        click.echo("\n".join(score.lines(f"{title}, light {light}")))


if __name__ == "__main__":
    main()

"""Several photos of one table, read as one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from assistant.documents import observation_document, observation_from_json, to_json
from assistant.errors import TooFewMarkers
from assistant.table.board import Board, Door, Figure
from assistant.table.camera import NO_MARKERS
from assistant.table.cell_names import CellNames
from assistant.table.doubt import Doubt, Variant
from assistant.table.lattice import Edge, grow
from assistant.table.observation import CameraSighting, LatticePose, Observation, SettledDoubt
from assistant.table.roster import RosterFigure
from calibration.arrays import BgrImage
from vision.evidence.doors import DoorSighting, door_weights
from vision.evidence.figures import FigureSighting
from vision.evidence.occupancy import Occupancy
from vision.learned import chance_of, log_odds_of
from vision.photo.decoding import decode_photo
from vision.reading import Reading, TableReader
from vision.scene.occupants import PlaceEvidence
from vision.simulation.compose import random_scene
from vision.simulation.dataset import take_photo
from vision.simulation.scene import PlacedFigure, Scene
from vision.tiles.board_view import Openings
from vision.tiles.placements import cells_of
from vision.tiles.prints import TilePrints, prints_from_images
from vision.training.samples import table_of
from vision.training.view_weight_fit import ViewSample, ViewSamples, from_another_side, view_weights_document
from vision.views.occupants import SeenPlaces, _kind_shares, contradictions, join_places
from vision.views.reading import SidePhoto, TableMoved, read_together, settled_in
from vision.views.tiles import TilePicture, join_tiles
from vision.views.weights import ViewWeights, view_weights

MODEL = ViewWeights(prior=-3.0, shared=0.3)
OPPOSITE = np.array([[0.6, 0.0, 0.8], [-0.6, 0.0, 0.8]])
ALIKE = np.ones(2)
EDGE = Edge((1, 0), (1, 1))

Seen = Callable[..., tuple[list[SeenPlaces], Scene]]


class Pair(NamedTuple):
    """A simulated table, its photos from two sides, and a third one after a move."""

    scene: Scene
    photos: tuple[BgrImage, BgrImage]
    after_a_move: BgrImage
    prints: TilePrints
    moved: Scene

    def reader(self) -> TableReader:
        """Return a new reader of the table."""
        return TableReader(self.prints, self.scene.roster, self.scene.markers, self.scene.view.lens)

    def together(self, *photos: BgrImage) -> Reading:
        """Return the photos read as one."""
        return read_together([SidePhoto(self.reader(), photo) for photo in photos])


@pytest.fixture(scope="module")
def pair() -> Pair:
    scene = random_scene(2011, "easy")
    behind = from_another_side(scene, 150.0, np.random.default_rng(5))
    taken = {cell for placed in scene.figures for cell in placed.cells}
    free = [cell for cell in sorted(scene.cells) if taken.isdisjoint(grow([cell]))]
    small = [placed.figure.id for placed in scene.figures if len(placed.cells) == 1]
    moved = behind
    for name, cell in zip(small, free[::4], strict=False):
        moved = moved.with_figure_moved(name, (cell,), yaw_deg=0.0)
    photos = [decode_photo(take_photo(one)[0]) for one in (scene, behind, moved)]
    tiles = scene.printed.tile_set
    prints = prints_from_images(tiles, [scene.printed.images[side.id] for side in tiles.sides])
    return Pair(scene, (photos[0], photos[1]), photos[2], prints, moved)


def places(scene: Scene, grid: LatticePose) -> set[str]:
    """Return the names of the cells under the middles of the figures."""
    c, s = math.cos(math.radians(grid.angle_deg)), math.sin(math.radians(grid.angle_deg))
    off_mm = np.array([placed.center_mm for placed in scene.figures]) - grid.origin_mm
    cells = np.floor(off_mm @ np.array([[c, -s], [s, c]]) / grid.cell_mm).astype(int)
    return {CellNames(0, 0).short((column, row)) for column, row in cells.tolist()}


def found(reading: Reading, placed: PlacedFigure) -> bool:
    return any(
        math.dist(seen.center_mm, placed.center_mm) < 5 and seen.kind == placed.figure.kind
        for seen in reading.observation.figures
    )


def test_photos_without_markers_are_laid_on_each_other_by_their_tiles(pair: Pair) -> None:
    photos = [SidePhoto(TableReader(pair.prints, pair.scene.roster, NO_MARKERS, None), one) for one in pair.photos]
    joint, by_markers = read_together(photos).observation, pair.together(*pair.photos).observation
    assert sorted(tile.id for tile in joint.tiles) == sorted(tile.id for tile in by_markers.tiles)
    kinds = [sorted(str(figure.kind) for figure in seen.figures) for seen in (joint, by_markers)]
    assert kinds[0] == kinds[1]
    assert all(view.camera.tiles_seen for view in joint.views)


def test_two_photos_of_a_table_are_one_reading(pair: Pair) -> None:
    joint = pair.together(*pair.photos)
    alone = [pair.reader().read(photo) for photo in pair.photos]
    assert sorted(tile.id for tile in joint.observation.tiles) == sorted(tile.id for tile in pair.scene.tiles)
    right = [sum(found(one, placed) for placed in pair.scene.figures) for one in (joint, *alone)]
    assert right[0] >= max(right[1:])
    assert len(joint.observation.board.cells) == len(pair.scene.cells)
    assert len(joint.observation.views) == 2
    assert all(view.camera.markers_seen for view in joint.observation.views)


def test_photos_of_a_sheet_printed_too_small_are_read_together_as_well(pair: Pair) -> None:
    small = pair.scene.markers.scaled(1 / 0.97)
    readers = [TableReader(pair.prints, pair.scene.roster, small, pair.scene.view.lens) for _ in pair.photos]
    joint = read_together([SidePhoto(*one) for one in zip(readers, pair.photos, strict=True)]).observation
    expected = pair.together(*pair.photos).observation
    assert [round(view.camera.marker_scale, 2) for view in joint.views] == [0.97, 0.97]
    assert [(figure.kind, figure.cells) for figure in joint.figures] == [(f.kind, f.cells) for f in expected.figures]
    assert [figure.confidence for figure in joint.figures] == pytest.approx(
        [figure.confidence for figure in expected.figures], abs=0.01
    )


def test_sheets_that_are_printed_anew_at_full_size_are_read_at_their_size(pair: Pair) -> None:
    """A reader that had corrected the size of the sheets kept that for good."""
    small = replace(pair.scene, markers=pair.scene.markers.scaled(0.96))
    reader = pair.reader()
    assert reader.read(decode_photo(take_photo(small)[0])).observation.camera.marker_scale == pytest.approx(
        0.96, abs=0.004
    )
    reader.forget_tiles()
    again, fresh = (one.read(pair.photos[0]).observation for one in (reader, pair.reader()))
    assert again.camera.marker_scale == 1.0
    assert math.dist(again.grid.origin_mm, fresh.grid.origin_mm) < 0.5
    assert [figure.kind for figure in again.figures] == [figure.kind for figure in fresh.figures]


def test_a_close_photo_without_markers_may_come_first(pair: Pair) -> None:
    """Its tiles had a frame of their own, so that everything seemed to have moved."""
    close = pair.photos[0].copy()
    for marker in pair.scene.markers.markers:
        corners_px = pair.scene.view.project(np.column_stack([marker.corners_mm, np.zeros(4)]))
        cv2.fillConvexPoly(close, np.round(corners_px).astype(np.int32), (90, 90, 90))
    assert pair.reader().count_markers(close) == 0
    joint, back = (pair.together(*photos).observation for photos in ((close, pair.photos[1]), (pair.photos[1], close)))
    assert joint.camera.tiles_seen
    assert sorted((tile.id, tile.rotation_deg // 5) for tile in joint.tiles) == sorted(
        (tile.id, tile.rotation_deg // 5) for tile in back.tiles
    )
    assert sorted(str(figure.kind) for figure in joint.figures) == sorted(str(f.kind) for f in back.figures)


def test_a_reading_of_several_photos_is_kept_as_a_document(pair: Pair) -> None:
    observation = pair.together(*pair.photos).observation
    document = observation_document(observation)
    assert len(document["views"]) == 2
    assert observation_document(observation_from_json(to_json(document).encode())) == document
    assert "views" not in observation_document(pair.together(pair.photos[0]).observation)


def test_the_same_photo_twice_makes_nothing_surer(pair: Pair) -> None:
    once, twice = (pair.together(*[pair.photos[0]] * n).observation for n in (1, 2))
    assert len(twice.figures) == len(once.figures)
    for one, other in zip(once.figures, twice.figures, strict=True):
        assert other.kind == one.kind
        assert other.confidence == pytest.approx(one.confidence, abs=0.02)


def test_pictures_between_which_figures_moved_are_not_read_as_one(pair: Pair) -> None:
    photos = [
        SidePhoto(pair.reader(), picture, name)
        for picture, name in ((pair.photos[0], "one.jpg"), (pair.after_a_move, None))
    ]
    with pytest.raises(TableMoved, match="Something moved between the pictures") as refused:
        read_together(photos)
    sentence = r"Photo (\S+) shows a figure on ([A-Z]\d+)\. Photo (\S+) shows none there\."
    found = re.search(sentence, str(refused.value))
    assert found is not None
    scenes = {"one.jpg": pair.scene, "2": pair.moved}
    shown, place, other = found.groups()
    grid = pair.together(pair.photos[0]).observation.grid
    assert place in places(scenes[shown], grid) - places(scenes[other], grid)


def test_a_tile_that_lies_elsewhere_is_named() -> None:
    assert "1 place differs. Tile sides elsewhere: 07A. Leave" in str(TableMoved([], ["07A"]))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_two_photos_that_agree_do_not_outvote_a_third_after_a_move(pair: Pair, order: tuple[int, ...]) -> None:
    """Each photo that agreed made the move less likely. The old place was stated as sure."""
    behind = from_another_side(pair.scene, 150.0, np.random.default_rng(5))
    mover = next(placed for placed in pair.scene.figures if len(placed.cells) == 1)
    taken = {cell for placed in pair.scene.figures for cell in placed.cells}
    free = [cell for cell in sorted(pair.scene.cells) if taken.isdisjoint(grow([cell]))]
    moved = behind.with_figure_moved(mover.figure.id, (free[len(free) // 2],), yaw_deg=0.0)
    photos = (*pair.photos, decode_photo(take_photo(moved)[0]))
    with pytest.raises(TableMoved):
        pair.together(*(photos[number] for number in order))


def test_a_tile_is_no_surer_by_the_same_photo_twice(pair: Pair) -> None:
    reader = pair.reader()
    laid = reader.lay_tiles(pair.photos[0], reader.find_view(pair.photos[0]))
    doubted = laid._replace(placements=[replace(tile, log_odds=1.5) for tile in laid.placements])
    twice = [TilePicture(pair.photos[0], laid.board.view, doubted, reader.markers)] * 2
    assert [tile.log_odds for tile in join_tiles(twice, pair.prints).laid[0].placements] == pytest.approx(
        [1.5] * len(laid.placements), abs=0.02
    )


def test_the_photo_without_markers_is_named(pair: Pair) -> None:
    bare = np.full_like(pair.photos[0], 128)
    photos = [SidePhoto(pair.reader(), pair.photos[0], "one.jpg"), SidePhoto(pair.reader(), bare, "two.jpg")]
    with pytest.raises(TooFewMarkers, match=r"two\.jpg"):
        read_together(photos)


def test_a_photo_that_tells_nothing_changes_nothing() -> None:
    weights = MODEL.weights_of(OPPOSITE)
    assert MODEL.joint_log_odds([MODEL.prior, 2.0], [1.0, 1.0]) == pytest.approx(2.0)
    assert MODEL.joint_log_odds([MODEL.prior] * 2, weights) == pytest.approx(MODEL.prior)


def test_two_that_doubt_are_surer_together() -> None:
    assert MODEL.joint_log_odds([0.0, 0.0], MODEL.weights_of(OPPOSITE)) > 1.0


def test_photos_from_one_place_count_as_one() -> None:
    same = np.repeat(OPPOSITE[:1], 3, axis=0)
    assert sum(MODEL.weights_of(same)) == pytest.approx(1.0, abs=0.01)
    assert 1.2 < sum(MODEL.weights_of(OPPOSITE)) <= 2.0


def test_contradictions_surprise_and_agreement_does_not() -> None:
    assert MODEL.surprise([6.0, -6.0], ALIKE) > 2
    assert MODEL.surprise([6.0, 5.0], ALIKE) < 0
    assert MODEL.surprise([6.0, MODEL.prior], ALIKE) == pytest.approx(0.0, abs=1e-6)


def test_a_photo_that_hardly_shows_the_print_counts_for_hardly_anything() -> None:
    blurred = np.array([0.8, 0.05])
    weights = view_weights("figures").weights_of(OPPOSITE, blurred)
    assert weights == pytest.approx([1.0, 0.0], abs=0.01)
    assert view_weights("figures").weights_of(OPPOSITE, ALIKE) == view_weights("figures").weights_of(OPPOSITE)
    assert MODEL.surprise([6.0, -9.0], blurred) == pytest.approx(0.0, abs=0.2)


def test_blur_distance_and_the_dark_cost_clarity(seen: Seen) -> None:
    board = seen(([], []), ([], []))[0][0].board
    photo = board.ground_image
    small = cv2.resize(photo, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(1).normal(0, 20, photo.shape)
    worse = (
        cv2.GaussianBlur(photo, (0, 0), 4.0),
        cv2.resize(small, photo.shape[1::-1], interpolation=cv2.INTER_LINEAR),
        np.clip(photo + noise, 0, 255).astype(np.uint8),
    )
    assert board.clarity > 0.6
    assert all(replace(board, ground_image=one).clarity < 0.8 * board.clarity for one in worse)


def test_a_blurred_second_photo_leaves_a_sure_figure_sure(seen: Seen) -> None:
    """It fell as far as by a sharp photo that shows nobody."""
    places, scene = seen(([], [imp(6.0)]), ([], []))
    clear, other = places
    blurred = replace(other.board, ground_image=cv2.GaussianBlur(other.board.ground_image, (0, 0), 8.0))
    doubted, sure = (
        join_places([clear, other._replace(board=board)], scene.roster).figures[0].confidence
        for board in (other.board, blurred)
    )
    assert doubted < 0.95
    assert sure > 0.98


def imp(log_odds: float, kind: str | None = "imp") -> FigureSighting:
    model = None if kind is None else RosterFigure(f"{kind}-1", kind, "foes", (1, 1), 22.0, 30.0, "#e07a1f")
    return FigureSighting(model, ((0, 0),), (20.0, 20.0), log_odds)


@pytest.fixture(scope="module")
def seen() -> Seen:
    """Builds the evidence of photos from two sides, about places of an imaginary table."""
    scene, board = table_of(800_001, crowded=True)
    rng = np.random.default_rng(3)
    other = from_another_side(scene, 140.0, rng)
    turned = replace(board.view, rvec=other.view.rotation_vector, tvec=other.view.translation_mm)
    nobody = Occupancy(dict.fromkeys(board.cells | {(0, 0)}, (1.0, 0.0, 0.0)))

    def make(*told: tuple[list[DoorSighting], list[FigureSighting]]) -> tuple[list[SeenPlaces], Scene]:
        boards = (board, replace(board, view=turned))
        return [
            SeenPlaces(one, PlaceEvidence(doors, figures, nobody))
            for one, (doors, figures) in zip(boards, told, strict=True)
        ], scene

    return make


def test_a_door_that_both_photos_doubt_is_likely_and_one_that_only_one_sees_is_less(seen: Seen) -> None:
    both, scene = seen(([DoorSighting(EDGE, 0.4)], []), ([DoorSighting(EDGE, 0.4)], []))
    one, _ = seen(([DoorSighting(EDGE, 0.4)], []), ([], []))
    agreed, alone = (join_places(places, scene.roster).doors for places in (both, one))
    assert agreed[0].confidence > 0.6
    assert not alone or alone[0].confidence < 0.4


def test_a_photo_in_which_a_body_hides_a_door_is_no_evidence_against_it(seen: Seen) -> None:
    places, scene = seen(([DoorSighting(EDGE, 0.97)], []), ([DoorSighting(EDGE, 0.0005)], []))
    behind = replace(places[1].places.occupancy, leaned_over={EDGE.cells[0]: 1.0})
    hidden = [places[0], places[1]._replace(places=replace(places[1].places, occupancy=behind))]
    in_sight, occluded = (join_places(one, scene.roster).doors[0].confidence for one in (places, hidden))
    assert in_sight < 0.6
    assert occluded == pytest.approx(0.97, abs=0.01)


def test_photos_that_hide_the_print_at_an_opening_make_no_door_likelier_together(seen: Seen) -> None:
    """Each kept the chance before any photo. Two of them stated a door that neither had seen."""
    openings = Openings(frozenset([EDGE]), frozenset())
    [before] = openings.prior_log_odds([EDGE]).tolist()
    door = DoorSighting(EDGE, chance_of(before), float(door_weights()[-2]), is_hidden=True)
    photos, scene = seen(([door], []), ([door], []))
    places = [photo._replace(board=replace(photo.board, openings=openings)) for photo in photos]
    assert 0.1 < join_places(places, scene.roster).doors[0].confidence <= door.confidence


def test_a_photo_that_cuts_off_a_space_is_no_evidence_against_its_figure(seen: Seen) -> None:
    """Its black was read as an empty space: the figure became doubtful, or something seemed to have moved."""
    (one, other), scene = seen(([], [imp(4.0)]), ([], []))
    cut = other._replace(places=replace(other.places, unseen=frozenset([(0, 0)])))
    alone, both, seen_empty = (
        max(figure.confidence for figure in join_places(views, scene.roster).figures)
        for views in ([one], [one, cut], [one, other])
    )
    assert seen_empty < 0.9 < both
    assert both == pytest.approx(alone, abs=0.02)
    assert contradictions((one, cut)) == []
    assert contradictions((one, other)) != []


def test_a_photo_past_a_door_decides_what_stands_behind_it(seen: Seen) -> None:
    places, scene = seen(([DoorSighting(EDGE, 0.97)], []), ([DoorSighting(EDGE, 0.97)], []))
    hides = {EDGE: dict.fromkeys(EDGE.cells, 1.0)}
    behind = places[0]._replace(places=replace(places[0].places, hidden=hides))
    one_of_two, both = (join_places(photos, scene.roster).hidden for photos in ([behind, places[1]], [behind, behind]))
    found = join_places([behind], scene.roster).hidden[EDGE], one_of_two[EDGE], both[EDGE]
    alone, by_one, by_both = ([shares[cell] for cell in EDGE.cells] for shares in found)
    assert alone == [1.0, 1.0]
    assert max(by_one) < 0.7
    assert by_both == pytest.approx([1.0, 1.0], abs=0.15)


def test_where_a_door_would_stand_counts_once_however_many_photos_there_are(seen: Seen) -> None:
    anywhere, scene = seen(([DoorSighting(EDGE, 0.4)], []), ([DoorSighting(EDGE, 0.4)], []))
    in_an_opening = DoorSighting(EDGE, chance_of(log_odds_of(0.4) + 2.0), 2.0)
    there, _ = seen(([in_an_opening], []), ([in_an_opening], []))
    plain, likelier = (log_odds_of(join_places(one, scene.roster).doors[0].confidence) for one in (anywhere, there))
    assert likelier == pytest.approx(plain + 2.0)


def test_a_ring_that_is_plain_from_one_side_tells_who_it_is(seen: Seen) -> None:
    places, scene = seen(([], [imp(1.5, None), imp(-1.5)]), ([], [imp(3.0)]))
    figures = join_places(places, scene.roster).figures
    best = max(figures, key=lambda figure: figure.log_odds)
    assert best.model is not None
    assert best.model.kind == "imp"
    assert best.confidence > 0.8


def test_rings_that_contradict_each_other_leave_the_kind_open(seen: Seen) -> None:
    places, scene = seen(([], [imp(3.0)]), ([], [imp(3.0, "ghoul")]))
    figures = sorted(join_places(places, scene.roster).figures, key=lambda figure: -figure.log_odds)
    assert figures[0].confidence < 0.8
    assert {figure.model.kind for figure in figures if figure.model} == {"imp", "ghoul"}


def test_a_photo_that_takes_a_cell_for_a_part_of_a_base_elsewhere_does_not_count_against_a_figure_there(
    seen: Seen,
) -> None:
    empty, scene = seen(([], [imp(3.4)]), ([], []))
    cell = (0, 0)
    as_part = Occupancy({**empty[1].places.occupancy.chance_of, cell: (0.1, 0.03, 0.87)})
    part = [empty[0], empty[1]._replace(places=replace(empty[1].places, occupancy=as_part))]
    seen_empty, seen_as_part = (
        max((figure.confidence for figure in join_places(places, scene.roster).figures), default=0.0)
        for places in (empty, part)
    )
    assert seen_empty < 0.4
    assert seen_as_part > 0.5


def test_what_is_only_not_seen_is_no_contradiction(seen: Seen) -> None:
    hidden, _ = seen(([], [imp(4.0)]), ([], [imp(-2.0)]))
    away, _ = seen(([], [imp(6.0)]), ([], []))
    assert sum(one.surprise for one in contradictions(hidden)) < 0.5
    assert sum(one.surprise for one in contradictions(away)) > 1.5


def observation_with(doors: tuple[Door, ...], figures: tuple[Figure, ...], doubts: tuple[Doubt, ...]) -> Observation:
    board = Board(cells=frozenset({(0, 0), (1, 0), (2, 0)}), doors=doors, figures=figures)
    camera = CameraSighting(0.1, (0, 1, 2))
    return Observation(camera, LatticePose((0.0, 0.0), 0.0, 25.4), (), (), (), board, doubts)


def test_the_page_says_what_a_photo_settled() -> None:
    door, away = Door("door-1", (EDGE,)), Variant(0.3)
    figure = Figure("imp~1", "imp", "foes", ((2, 0),))
    doubts = (Doubt(("door-1",), (Variant(0.7, (), (door,)), away)), Doubt(("imp~1",), (Variant(0.7, (figure,)), away)))
    before = observation_with((door,), (figure,), doubts)
    after = observation_with((), (figure,), doubts[1:])
    assert list(settled_in(before, after)) == [SettledDoubt(((0, 0), (1, 0)), is_door=True, stands=())]
    certain = observation_with((), (figure,), ())
    assert SettledDoubt(((2, 0),), is_door=False, stands=("imp~1",)) in list(settled_in(before, certain))


def test_chances_are_joined_as_the_model_says(seen: Seen) -> None:
    places, scene = seen(([DoorSighting(EDGE, 0.9)], []), ([DoorSighting(EDGE, 0.9)], []))
    joint = join_places(places, scene.roster).doors[0].confidence
    assert chance_of(log_odds_of(0.9)) < joint <= chance_of(6.0)


def test_tiles_of_photos_of_one_table_lie_on_one_lattice(pair: Pair) -> None:
    forth, back = pair.together(*pair.photos).observation, pair.together(*reversed(pair.photos)).observation
    places = [{tile.id: tile.center_mm for tile in one.tiles} for one in (forth, back)]
    assert places[0].keys() == places[1].keys()
    assert all(math.dist(places[0][name], places[1][name]) < 1.5 for name in places[0])


def test_a_tile_that_one_photo_hides_is_laid_if_the_other_shows_it(pair: Pair) -> None:
    shown, hidden = pair.reader(), pair.reader()
    view = hidden.find_view(pair.photos[1])
    open_laid = shown.lay_tiles(pair.photos[0], shown.find_view(pair.photos[0]))
    laid = hidden.lay_tiles(pair.photos[1], view)
    tile = laid.placements[-1]
    cells = np.array(sorted(cells_of(tile, pair.prints)))
    (left, top), (right, bottom) = cells.min(axis=0), cells.max(axis=0) + 1
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], dtype=float)
    corners_px = view.image_from_table(laid.board.lattice.table_from_lattice(corners), 2.0)
    hidden_px = cv2.fillConvexPoly(
        np.zeros(pair.photos[1].shape[:2], np.uint8), np.round(corners_px).astype(np.int32), 1
    )
    # What hides it is as rich in contrast as painted figures are.
    blocks = np.random.default_rng(3).integers(0, 256, (135, 240, 3)).astype(np.uint8)
    bodies = cv2.resize(blocks, pair.photos[1].shape[1::-1], interpolation=cv2.INTER_LINEAR)
    covered = np.where(hidden_px[:, :, None] > 0, bodies, pair.photos[1])
    others = [one for one in laid.placements if one is not tile]
    without = laid._replace(placements=others, possible=[replace(tile, log_odds=-2.0, candidate=None)])
    # Shown rather well: four to one.
    likely = [replace(t, log_odds=1.4) if t.print_index == tile.print_index else t for t in open_laid.placements]
    pictures = [
        TilePicture(pair.photos[0], open_laid.board.view, open_laid._replace(placements=likely), shown.markers),
        TilePicture(covered, view, without, hidden.markers),
    ]
    joint = join_tiles(pictures, pair.prints).laid[0]
    assert {one.print_index for one in joint.placements} == {one.print_index for one in laid.placements}


def test_a_photo_that_cuts_off_a_place_does_not_show_that_no_tile_is_hidden_there(pair: Pair) -> None:
    """A second photo of a part of the board made rulings across a covered place sure."""
    reader, photo = pair.reader(), pair.photos[0]
    view = reader.find_view(photo)
    laid = reader.lay_tiles(photo, view)
    cell = min(grow(laid.board.cells) - laid.board.cells)
    covered = TilePicture(photo, view, laid._replace(hidden=[frozenset([cell])]), reader.markers)
    middle_mm = laid.board.lattice.table_from_lattice(np.array([cell]) + 0.5)
    left, top = np.round(view.image_from_table(middle_mm)[0]).astype(int).tolist()
    assert 0 < left < photo.shape[1]
    assert 0 < top < photo.shape[0]
    part = photo[:top] if top > photo.shape[0] / 2 else photo[:, :left]
    bare = laid._replace(hidden=[])
    cut = TilePicture(photo, view, bare._replace(board=replace(laid.board, photo=part)), reader.markers)
    for other, expected in ((cut, [frozenset([cell])]), (TilePicture(photo, view, bare, reader.markers), [])):
        assert [one.hidden for one in join_tiles([covered, other], pair.prints).laid] == [expected, expected]


def test_a_rival_of_a_tile_stays_as_likely_as_the_photo_that_rules_it_out_best_says(pair: Pair) -> None:
    """A tile that two photos could not tell from another one was stated as sure."""
    reader, photo = pair.reader(), pair.photos[0]
    view = reader.find_view(photo)
    laid = reader.lay_tiles(photo, view)
    first, *others = laid.placements
    rival = replace(first, print_index=others[0].print_index, candidate=None)

    def picture(*log_odds: float) -> TilePicture:
        doubted = replace(first, rivals=tuple(replace(rival, log_odds=odds) for odds in log_odds))
        return TilePicture(photo, view, laid._replace(placements=[doubted, *others]), reader.markers)

    for pictures, expected in (
        ([picture(-0.5), picture(-0.5)], [-0.5]),
        ([picture(-0.5), picture(-3.0)], [-3.0]),
        ([picture(-0.5), picture()], []),
    ):
        for joint in join_tiles(pictures, pair.prints).laid:
            [tile] = [one for one in joint.placements if one.print_index == first.print_index]
            assert [(one.print_index, one.log_odds) for one in tile.rivals] == [
                (rival.print_index, odds) for odds in expected
            ]


def test_a_tile_that_no_photo_shows_surely_stays_a_doubt_of_both(pair: Pair) -> None:
    reader = pair.reader()
    view = reader.find_view(pair.photos[0])
    laid = reader.lay_tiles(pair.photos[0], view)
    maybe = [replace(laid.placements[-1], log_odds=-1.8)]
    without = laid._replace(placements=laid.placements[:-1], possible=maybe)
    joint = join_tiles([TilePicture(pair.photos[0], view, without, reader.markers)] * 2, pair.prints).laid[0]
    assert [one.print_index for one in joint.possible] == [maybe[0].print_index]
    assert joint.possible[0].log_odds < 0


def view_samples(rng: np.random.Generator, *, alike: bool) -> ViewSamples:
    """Return photos from two sides of 4,000 places, every twentieth occupied, with independent or common errors."""
    stood = np.arange(4000) % 20 == 0
    errors = rng.normal(0, 2, (4000, 2))
    if alike:
        errors[:, 1] = errors[:, 0]
    prior = math.log(1 / 19)
    odds = prior + np.where(stood, 2.0, -2.0)[:, None] + errors
    told = [ViewSample((a, b), OPPOSITE, bool(s)) for (a, b), s in zip(odds.tolist(), stood, strict=True)]
    return ViewSamples(told, int(stood.sum()), len(stood))


def test_what_photos_have_in_common_is_learned() -> None:
    rng = np.random.default_rng(9)
    apart, alike = (view_weights_document("doors", [view_samples(rng, alike=same)]) for same in (False, True))
    assert apart["prior"] == alike["prior"] == pytest.approx(math.log(1 / 19), abs=0.01)
    assert apart["shared"] < 0.1
    assert alike["shared"] > 0.9


@pytest.mark.parametrize("somebody", [0.3, 0.9])
def test_a_second_photo_that_shows_the_same_counts_no_kind_twice(somebody: float) -> None:
    kinds = {"imp": 0.52, "medic": 0.45, None: 0.03}
    there = {kind: sighting_of(kind, somebody * share) for kind, share in kinds.items()}
    shares = _kind_shares([there, there], [0.5, 0.5], kinds=2, all_have_rings=True)
    assert sum(shares.values()) == pytest.approx(1.0)
    assert shares["imp"] == pytest.approx(0.52, abs=0.03)
    assert shares[None] == pytest.approx(0.03, abs=0.02)


def test_a_ring_that_one_photo_barely_suspects_names_no_figure_where_some_have_none() -> None:
    plain, suspected = {None: sighting_of(None, 0.98)}, {None: sighting_of(None, 0.86), "imp": sighting_of("imp", 0.12)}
    shares = _kind_shares([plain, suspected], [0.55, 0.55], kinds=1, all_have_rings=False)
    assert shares["imp"] < 0.15
    read = {None: sighting_of(None, 0.02), "imp": sighting_of("imp", 0.97)}
    assert _kind_shares([plain, read], [0.55, 0.55], kinds=1, all_have_rings=False)["imp"] > 0.5


def sighting_of(kind: str | None, chance: float) -> FigureSighting:
    """A figure of that kind on one cell."""
    model = RosterFigure(f"{kind}-1", kind, "foes", (1, 1), 22.0, 30.0, "#e07a1f") if kind else None
    return FigureSighting(model, ((0, 0),), (0.0, 0.0), log_odds_of(chance))

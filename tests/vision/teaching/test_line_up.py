"""A line-up: every figure on a bare table is found, measured and grouped by kind, without a marker."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from assistant.table.camera import TableMarker, TableMarkers
from calibration.arrays import BgrImage
from calibration.pose import CameraView
from tests.line_ups import BASES_MM, line_up, photo_of
from vision.photo.decoding import decode_photo
from vision.simulation.lighting import random_lighting
from vision.teaching import line_up as line_up_module
from vision.teaching.base_outlines import BaseOutline
from vision.teaching.figure_sighting import NewFigureSighting
from vision.teaching.line_up import (
    Company,
    LinedUp,
    LineUp,
    NothingStands,
    _Patch,
    company,
    see_line_up,
    without_silhouettes,
)
from vision.teaching.line_up_sides import base_of_group, figures_of, grouped
from vision.teaching.novelty import Novelty
from vision.teaching.things import PX_PER_MM


@pytest.fixture(scope="module")
def photos() -> list[BgrImage]:
    return [decode_photo(photo_of(line_up(side))) for side in (0, 1)]


@pytest.fixture(scope="module")
def seen(photos: list[BgrImage]) -> list[LineUp]:
    return [see_line_up(photo) for photo in photos]


def ids_of(seen: LineUp, side: int) -> list[str]:
    """Return the figure nearest to the place of each thing."""
    scene = line_up(side)
    places = scene.view.project(np.array([[*placed.center_mm, 1.5] for placed in scene.figures]))
    here = [seen.view.image_from_table([thing.bases[0].center_mm], 1.5)[0] for thing in seen.things]
    return [scene.figures[int(np.linalg.norm(places - place, axis=1).argmin())].figure.id for place in here]


def test_every_figure_is_found_once(seen: list[LineUp]) -> None:
    for side in (0, 1):
        assert [thing.kind for thing in seen[side].things] == ["figure"] * 6
        assert len(set(ids_of(seen[side], side))) == 6


def test_equal_figures_are_one_group_and_one_known_base_gives_all_sizes(seen: list[LineUp]) -> None:
    figures = figures_of(seen[0], []).figures
    ids = ids_of(seen[0], 0)
    groups = {frozenset(ids[index].split("-")[0] for index in group): group for group in grouped(figures)}
    assert set(groups) == {frozenset({"ghoul"}), frozenset({"golem"})}
    ghouls, golems = (
        base_of_group([figures[index] for index in groups[frozenset({kind})]]) for kind in ("ghoul", "golem")
    )
    assert (ghouls.base_shape, golems.base_shape) == ("round", "round")
    true_mm = golems.base_mm * BASES_MM["ghoul"] / ghouls.base_mm
    assert true_mm == pytest.approx(BASES_MM["golem"], abs=2.5)


def test_only_painted_rims_are_rings(seen: list[LineUp]) -> None:
    for thing, name in zip(seen[0].things, ids_of(seen[0], 0), strict=True):
        assert (thing.bases[0].ring is not None) == name.startswith("ghoul")


def test_a_photo_from_another_side_adds_a_look_to_each_figure(seen: list[LineUp]) -> None:
    figures = figures_of(seen[0], [seen[1]]).figures
    assert [len(figure.looks) for figure in figures] == [2] * 6
    other = {id(thing.look): name for thing, name in zip(seen[1].things, ids_of(seen[1], 1), strict=True)}
    assert [other[id(figure.looks[1])] for figure in figures] == ids_of(seen[0], 0)


def test_a_later_photo_with_a_known_scale_gives_it_to_the_first(photos: list[BgrImage], seen: list[LineUp]) -> None:
    at = line_up(1).view
    scaled = see_line_up(photos[1], CameraView(at.lens, at.rotation_vector, at.translation_mm, 0.1, ()))

    together = figures_of(seen[0], [scaled])

    assert together.is_scaled
    for figure, name in zip(together.figures, ids_of(seen[0], 0), strict=True):
        assert len(figure.bases) == 1, "only the photo with a scale measures"
        assert len(figure.looks) == 2
        assert figure.seen.base_mm == pytest.approx(BASES_MM[name.split("-")[0]], abs=2.5)


def test_what_the_edge_of_the_picture_cuts_off_is_not_taken(photos: list[BgrImage], seen: list[LineUp]) -> None:
    left = min(thing.box_px[0] + thing.box_px[2] // 2 for thing in seen[0].things)
    cut = see_line_up(np.ascontiguousarray(photos[0][:, left:]))
    assert "cut off" in [thing.kind for thing in cut.things]


def test_checks_and_shadows_of_a_cloth_are_no_part_of_a_base() -> None:
    lamp = random_lighting(np.random.default_rng(12), "lamp", (124.0, 93.0))
    scene = replace(line_up(top="cloth"), seed=12, lighting=lamp)
    at = scene.view
    view = CameraView(at.lens, at.rotation_vector, at.translation_mm, 0.1, ())
    bases = [thing.bases[0] for thing in see_line_up(decode_photo(photo_of(scene)), view).things if thing.bases]
    for placed in scene.figures:
        base = min(bases, key=lambda base: math.dist(base.center_mm, placed.center_mm))
        assert math.dist(base.center_mm, placed.center_mm) < 4
        assert base.base_shape == "round"
        assert base.base_mm == pytest.approx(BASES_MM[placed.figure.kind], abs=2.5)


def test_a_bare_table_has_nothing_to_teach() -> None:
    with pytest.raises(NothingStands):
        see_line_up(decode_photo(photo_of(line_up(count=0, width_px=640))))


def test_what_lies_above_the_horizon_of_a_view_is_no_figure(photos: list[BgrImage]) -> None:
    """A view guessed too steep sees some things above its horizon, where the table has no place for them."""
    at = line_up().view
    lean = cv2.Rodrigues(np.array([-math.radians(80.0), 0.0, 0.0]))[0]
    steep = cv2.Rodrigues(lean @ cv2.Rodrigues(at.rotation_vector)[0])[0].ravel()
    view = CameraView(at.lens, steep, lean @ at.translation_mm, 0.1, ())
    assert {thing.kind for thing in see_line_up(photos[0], view).things} == {"flat"}


def test_a_body_over_a_round_base_is_no_rectangular_one() -> None:
    camera_px = np.array([200.0, 900.0])
    base = BaseOutline("round", (200.0, 200.0), (22.0, 22.0), 0.0, 0.5)
    ahead_mm = (46.0 - 22.0) / 2
    body = BaseOutline("rectangle", (200.0, 200.0 - ahead_mm * PX_PER_MM), (21.0, 46.0), 4.0, 0.7)
    across = BaseOutline("rectangle", (200.0, 200.0), (46.0, 21.0), 0.0, 0.7)
    square = BaseOutline("rectangle", (200.0, 200.0), (22.0, 22.0), 30.0, 0.7)
    seen = dict.fromkeys([body, base, across, square], 1.0)
    assert list(without_silhouettes(seen, camera_px)) == [base, across, square]
    assert list(without_silhouettes({body: 1.0, square: 1.0}, camera_px)) == [body, square]
    assert list(without_silhouettes(seen | {base: 0.1}, camera_px)) == [body, base, across, square]


def test_a_marker_is_no_company_and_only_the_middle_figure_is_looked_at_closely(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    square = [(0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)]
    corners = ((0.0, 0.0), (400.0, 0.0), (400.0, 400.0), (0.0, 400.0))
    markers = TableMarkers(
        "DICT_4X4_50",
        tuple(TableMarker(n, [(x + a, y + b) for a, b in square]) for n, (x, y) in enumerate(corners)),
    )
    look = np.zeros((8, 8, 3), np.uint8)

    def thing(x: float, y: float, confidence: float, beside: float) -> LinedUp:
        base = NewFigureSighting((x, y), "round", (25.0, 25.0), None, confidence, look)
        return LinedUp("figure", (0, 0, 8, 8), (base,), look, np.zeros(4), beside)

    def found(*things: LinedUp) -> Company:
        monkeypatch.setattr(line_up_module, "see_line_up", lambda *_, **__: SimpleNamespace(things=things))
        return company(look, None, None, markers)

    alone = thing(200.0, 210.0, 0.6, 0.0)
    assert found(alone, thing(12.0, 12.0, 0.98, 0.8)) == Company(1, touches=False)
    assert found(alone, thing(120.0, 120.0, 0.2, 0.8)) == Company(1, touches=False)
    assert found(alone, thing(120.0, 120.0, 0.6, 0.0)) == Company(2, touches=False)
    assert found(thing(200.0, 210.0, 0.3, 0.3)) == Company(0, touches=True)


def test_what_reaches_beyond_a_base_across_the_view_is_beside_it_and_a_body_behind_is_not() -> None:
    base = BaseOutline("round", (100.0, 100.0), (25.0, 25.0), 0.0, 1.0)

    def beside(*centers_px: tuple[int, int]) -> float:
        mask = np.zeros((200, 260), np.uint8)
        for center_px in ((100, 100), *centers_px):
            cv2.circle(mask, center_px, round(12.5 * PX_PER_MM), 1, -1)
        ground = SimpleNamespace(frame=SimpleNamespace(size_wh=(260, 200)))
        share = Novelty(mask.astype(np.float32))
        return _Patch(ground, share, share, np.array([100.0, 900.0]), 1.0).beside_base(base)

    assert beside() == 0.0
    assert beside((100, 50)) == 0.0
    assert beside((150, 100)) > line_up_module._BESIDE
    assert beside(*((x, y) for x in range(20, 260, 20) for y in range(20, 200, 20))) == 0.0

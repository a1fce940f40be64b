"""Identity by appearance: figures cut out of photos, compared with taught looks, weighed with the ring."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from assistant.table.roster import POINT_BYTES, VIEW_POINTS, DoorSpec, FigureLook, LookView, Roster, RosterFigure
from calibration.pose import CameraView
from vision.evidence.bases import ring_kinds
from vision.evidence.figure_views import Foot, ViewPoints, cut_points, is_on_figure, points_of, view_of
from vision.evidence.looks import (
    KnownKind,
    LookModel,
    box_model,
    by_rings,
    compared,
    density,
    known_kinds,
    light_at,
    look_model,
    over_strangers,
    weighed,
)
from vision.scene.occupants import find_standing
from vision.simulation.compose import random_scene
from vision.simulation.figures import BodyLook
from vision.simulation.scene import Scene
from vision.tiles.board_view import BoardView
from vision.training.samples import table_of

SEED, OTHER_LIGHT = 810_003, 812_000
DOORS = DoorSpec(8, 1, 30.0, 2.0)

MODEL = LookModel(
    slope=6.0,
    in_box=0.9,
    mistake=0.02,
    form_slope=18.0,
    form_stranger=0.6,
    form_between=0.5,
    form_mistake=0.5,
    rim=0.5,
)


def paints(hue: float) -> tuple[tuple[float, float, float], ...]:
    """Return two paints as a person chooses them for one kind: linear blue, green, red."""
    bright, dark = colorsys.hsv_to_rgb(hue, 0.9, 0.6), colorsys.hsv_to_rgb((hue + 0.35) % 1, 0.8, 0.2)
    return bright[::-1], dark[::-1]


def unringed(scene: Scene) -> Scene:
    """Return the scene with every kind painted in colours of its own, and without any ring."""
    looks = {
        kind: BodyLook(look.build, look.plastic, look.seed, paints(i / len(scene.looks)))
        for i, (kind, look) in enumerate(sorted(scene.looks.items()))
    }
    roster = Roster(tuple(replace(figure, ring=None) for figure in scene.roster.figures), scene.roster.doors)
    placed = tuple(replace(one, figure=replace(one.figure, ring=None)) for one in scene.figures)
    return replace(scene, looks=looks, roster=roster, figures=placed)


def in_other_light(scene: Scene) -> Scene:
    """Return the same table under another lamp, everybody on it turned round."""
    turned = tuple(replace(one, yaw_deg=one.yaw_deg + 130.0) for one in scene.figures)
    return replace(unringed(scene), lighting=random_scene(OTHER_LIGHT, "normal").lighting, figures=turned)


@pytest.fixture(scope="module")
def taught() -> tuple[Scene, BoardView, Roster]:
    """A table without rings, and its roster with the looks that another photo of its figures taught."""
    before, shown = table_of(SEED, crowded=False, change=in_other_light)
    views: dict[str, list[LookView]] = {}
    for placed in before.figures:
        views.setdefault(placed.figure.kind, []).append(view_of(points_at(shown, placed.center_mm, placed.figure)))
    scene, board = table_of(SEED, crowded=False, change=unringed)
    known = tuple(replace(one, look=FigureLook(tuple(views.get(one.kind, ())))) for one in scene.roster.figures)
    return scene, board, Roster(known, scene.roster.doors)


def points_at(board: BoardView, center_mm: tuple[float, float], figure: RosterFigure) -> ViewPoints:
    foot = Foot(center_mm, board.thickness_mm, min(figure.base_size_mm) / 2)
    return cut_points(board.photo, board.view, foot, light_at(board, center_mm))


def test_a_collection_without_rings_is_read_by_its_looks(taught: tuple[Scene, BoardView, Roster]) -> None:
    scene, board, roster = taught
    seen = {figure.cells: figure for figure in find_standing(board, roster).figures}
    right = sure_and_wrong = found = 0
    for placed in scene.figures:
        figure = seen.get(tuple(sorted(placed.cells)))
        if figure is not None:
            is_right = figure.model is not None and figure.model.kind == placed.figure.kind
            found, right = found + 1, right + is_right
            sure_and_wrong += figure.confidence >= 0.9 and not is_right
    assert found >= 0.6 * len(scene.figures)
    assert right >= 0.75 * found
    assert sure_and_wrong == 0


def test_without_looks_a_collection_without_rings_has_no_kinds(taught: tuple[Scene, BoardView, Roster]) -> None:
    scene, board, _ = taught
    figures = find_standing(board, scene.roster).figures
    assert figures
    assert all(figure.model is None for figure in figures)


def test_two_kinds_that_look_alike_are_a_doubt(taught: tuple[Scene, BoardView, Roster]) -> None:
    _, board, roster = taught
    twins = Roster(
        (*roster.figures, *(replace(one, id=f"{one.id}-twin", kind=f"{one.kind} twin") for one in roster.figures)),
        roster.doors,
    )
    figures = find_standing(board, twins).figures
    assert any(figure.model is not None for figure in figures)
    assert all(figure.confidence < 0.6 for figure in figures if figure.model is not None)


def test_a_view_keeps_its_points_and_no_more_than_it_may(taught: tuple[Scene, BoardView, Roster]) -> None:
    scene, board, _ = taught
    placed = scene.figures[0]
    points = points_at(board, placed.center_mm, placed.figure)
    view = view_of(points)
    kept = points_of(view)
    assert len(view.points) == POINT_BYTES * min(VIEW_POINTS, len(points.across))
    assert view == view_of(points)
    assert view.tilt_deg == pytest.approx(points.tilt_deg, abs=0.05)
    assert np.abs(kept.across).max() <= 1.2
    assert points_of(view_of(kept)).up == pytest.approx(kept.up)


def test_the_outline_is_the_base_alone_from_above_and_grows_with_the_tilt() -> None:
    across, up = np.array([0.0, 0.0, 0.0, 1.1]), np.array([0.0, 0.9, 2.0, 0.0])
    assert is_on_figure(across, up, 0.0, 3.0).tolist() == [True, True, False, False]
    assert is_on_figure(across, up, 60.0, 3.0).tolist() == [True, True, True, False]


def test_a_figure_at_the_edge_of_the_photo_gives_the_points_that_are_in_it(
    taught: tuple[Scene, BoardView, Roster],
) -> None:
    scene, board, _ = taught
    x, y = board.view.table_from_image([(4.0, 4.0)], board.thickness_mm)[0].tolist()
    part = cut_points(board.photo, board.view, Foot((x, y), board.thickness_mm, 11.0), np.ones(3))
    far = cut_points(board.photo, board.view, Foot((x - 900, y - 900), board.thickness_mm, 11.0), np.ones(3))
    whole = points_at(board, scene.figures[0].center_mm, scene.figures[0].figure)
    assert 0 < len(part.across) < len(whole.across)
    assert len(far.across) == 0
    assert compared(far, 3.0).shape == (0, 5)


def test_like_points_are_likelier_than_others() -> None:
    rng = np.random.default_rng(3)
    some, same, other = rng.normal(0, 1, (3, 150, 5)) + np.array([0, 0, 3])[:, None, None]
    like, unlike = (np.log(density(points, some) + 0.004).mean() for points in (same, other))
    assert like > unlike + 1


def test_points_that_all_kinds_show_and_points_of_the_print_say_little() -> None:
    """A thin kind taught on a motley cloth was taken for most figures: its views held every colour of the cloth."""
    wide, own = np.full((2, 40), 0.1), np.array([[0.3] * 20 + [0.0] * 20, [0.0] * 20 + [0.3] * 20])
    assert over_strangers(wide) == pytest.approx([over_strangers(wide)[0]] * 2)
    printed = np.array([0.0] * 20 + [1.0] * 20)
    assert over_strangers(own)[0] == pytest.approx(over_strangers(own)[1])
    first, second = over_strangers(own, printed)
    assert first > 0.3
    assert abs(second) < 0.25
    assert max(over_strangers(np.zeros((2, 40)))) < -0.5, "like nobody"


def kind(name: str, *, ring: str | None = None, count: int = 1) -> KnownKind:
    return KnownKind(RosterFigure(name, name, "demons", (1, 1), 22, 30, ring), count, (np.zeros((1, 5)),))


def test_a_clear_ring_decides_whatever_the_look_says_within_reason() -> None:
    kinds = [kind("imp", ring="#d9772b"), kind("ghoul", ring="#2b77d9")]
    chances = weighed(
        by_rings({"imp": 0.99, "ghoul": 0.004, None: 0.004}, kinds, MODEL), {"imp": 0.0, "ghoul": 0.3}, {}, MODEL
    )
    assert chances["imp"] > 0.9
    assert math.isclose(sum(chances.values()), 1)


def test_looks_identify_a_figure_without_a_visible_ring() -> None:
    kinds = [kind("imp", ring="#d9772b"), kind("ghoul", ring="#2b77d9")]
    chances = weighed(by_rings({None: 0.9}, kinds, MODEL), {"imp": 0.8, "ghoul": -0.5}, {}, MODEL)
    assert chances["imp"] > 0.9
    unlike = weighed(by_rings({None: 0.9}, kinds, MODEL), {"imp": -1.0, "ghoul": -1.1}, {}, MODEL)
    assert unlike[None] > chances[None]
    assert max(unlike.values()) < 0.6


def test_kinds_that_share_a_ring_are_recognised_by_their_looks() -> None:
    kinds = [kind("imp", ring="#d9772b"), kind("ghoul", ring="#d9772b")]
    chances = weighed(by_rings({"imp": 0.98, None: 0.01}, kinds, MODEL), {"imp": -0.5, "ghoul": 0.7}, {}, MODEL)
    assert chances["ghoul"] > 0.9
    alike = weighed(by_rings({"imp": 0.98, None: 0.01}, kinds, MODEL), {"imp": 0.7, "ghoul": 0.7}, {}, MODEL)
    assert alike["imp"] == pytest.approx(alike["ghoul"])


def test_a_rim_that_was_only_seen_is_not_believed_against_the_look() -> None:
    imp, ghoul = (
        replace(kind(name), model=replace(kind(name).model, look=FigureLook((), rim)))
        for name, rim in (("imp", "#4a7455"), ("ghoul", "#76d287"))
    )
    chances = weighed(
        by_rings({"ghoul": 0.997, "imp": 0.001, None: 0.002}, [imp, ghoul], MODEL),
        {"imp": 0.7, "ghoul": -0.5},
        {},
        MODEL,
    )
    assert chances["imp"] > 0.9


def test_a_large_figure_is_found_by_its_look(taught: tuple[Scene, BoardView, Roster]) -> None:
    scene, board, roster = taught
    large = [tuple(sorted(one.cells)) for one in scene.figures if len(one.cells) > 1]
    known = {one.cells for one in find_standing(board, roster).figures}
    bare = {one.cells for one in find_standing(board, scene.roster).figures}
    assert large
    assert len(known.intersection(large)) >= len(bare.intersection(large))
    assert all(cells in large for cells in known if len(cells) > 1)


def test_no_look_alone_is_believed_beyond_its_mistakes() -> None:
    kinds = [kind(name) for name in ("imp", "ghoul", "mite", "hound")]
    chances = weighed(
        by_rings({None: 1.0}, kinds, look_model()),
        {"imp": 3.0, "ghoul": -1.5, "mite": -1.5, "hound": -1.5},
        {},
        look_model(),
    )
    assert 0.9 < chances["imp"] < 1 - look_model().mistake / 2


def test_figures_of_one_color_are_told_by_their_form_and_a_clear_color_counts_more() -> None:
    kinds = [kind(name) for name in ("imp", "ghoul", "mite", "hound")]
    prior, forms = by_rings({None: 1.0}, kinds, MODEL), {"imp": 0.9, "ghoul": 0.5, "mite": 0.5, "hound": 0.5}
    alike = weighed(prior, dict.fromkeys(forms, 0.5), forms, MODEL)
    assert 0.5 < alike["imp"] < 0.7
    painted = weighed(prior, {"imp": -0.6, "ghoul": 0.7, "mite": -0.6, "hound": -0.6}, forms, MODEL)
    assert painted["ghoul"] > 0.9


def test_a_form_unlike_every_kind_speaks_for_a_stranger() -> None:
    kinds = [kind(name) for name in ("imp", "ghoul")]
    prior, alike = by_rings({None: 1.0}, kinds, MODEL), {"imp": 0.0, "ghoul": 0.0}
    chances = [weighed(prior, alike, dict.fromkeys(alike, value), MODEL)[None] for value in (0.3, 0.6, 0.9)]
    assert chances[0] > chances[1] > chances[2]


def test_what_was_taught_of_one_figure_holds_for_all_of_its_kind() -> None:
    view = LookView(20.0, bytes(POINT_BYTES * 40))
    one = RosterFigure("imp-1", "imp", "demons", (1, 1), 22, 30, look=FigureLook((view,), "#d9772b"))
    two = RosterFigure("imp-2", "imp", "demons", (1, 1), 22, 30)
    known = known_kinds(Roster((one, two), DOORS))
    assert [(each.count, each.model.id) for each in known] == [(2, "imp-1")]
    assert list(ring_kinds(Roster((one,), DOORS)).values()) == [[one]]


def test_a_camera_straight_above_sees_little_but_the_base() -> None:
    scene = random_scene(SEED, "easy")
    above = CameraView(scene.view.lens, (0.0, 0.0, 0.0), (-100.0, -100.0, 800.0), 0.1, ())
    width, height = scene.view.lens.width_px, scene.view.lens.height_px
    photo = np.full((height, width, 3), 90, dtype=np.uint8)
    points = cut_points(photo, above, Foot((100.0, 100.0), 2.0, 11.0), np.ones(3))
    assert points.tilt_deg == pytest.approx(0, abs=0.1)
    assert np.hypot(points.across, points.up).max() < 1.3


def box_in(colors: Sequence[float], forms: Sequence[float]) -> tuple[KnownKind, ...]:
    """Return four kinds with three views each: how far apart their colours and forms lie."""
    rng = np.random.default_rng(8)
    kinds = []
    for number, name in enumerate(("imp", "ghoul", "mite", "hound")):
        middle = np.array([0, 0, 1, 1, 0]) * colors[number]
        form = forms[number] * np.eye(8)[number] + rng.normal(0, 0.3, (3, 8)) + np.eye(8)[7]
        views = tuple(rng.normal(0, 1, (3, 80, 5)) + middle)
        unit = (form / np.linalg.norm(form, axis=1, keepdims=True)).astype(np.float32)
        kinds.append(replace(kind(name), views=views, forms=unit))
    return tuple(kinds)


def test_colors_that_tell_no_taught_views_apart_hardly_count() -> None:
    plastic, painted = box_in((0, 0, 0, 0), (0, 0, 0, 0)), box_in((-1, -0.3, 0.4, 1.1), (0, 0, 0, 0))
    assert box_model(plastic).slope < look_model().slope < box_model(painted).slope


def test_forms_that_tell_no_taught_views_apart_count_less() -> None:
    alike, unlike = box_in((0, 0, 0, 0), (0, 0, 0, 0)), box_in((0, 0, 0, 0), (2, 2, 2, 2))
    assert box_model(alike).form_slope < box_model(unlike).form_slope


def test_a_stranger_may_be_as_alike_as_the_kinds_of_a_box_are() -> None:
    """Among figures of one build a likeness that singles a kind out elsewhere says little."""
    alike, unlike = box_in((0, 0, 0, 0), (0.2, 0.2, 0.2, 0.2)), box_in((0, 0, 0, 0), (2, 2, 2, 2))
    assert box_model(alike).form_stranger > box_model(unlike).form_stranger + 0.1


def test_one_taught_kind_of_a_box_claims_no_other_figure() -> None:
    """Its views have nobody to be compared with. A threshold from them alone made everybody that kind."""
    first = box_in((0, 0, 0, 0), (2, 2, 2, 2))[0]
    assert box_model((first,)).form_stranger == look_model().form_stranger
    assert box_model((first, kind("lurker"))).form_stranger == look_model().form_stranger


def test_kinds_taught_by_one_view_count_as_usual() -> None:
    single = tuple(replace(one, views=one.views[:1], forms=one.forms[:1]) for one in box_in((0, 2, 4, 6), (1, 1, 1, 1)))
    usual = look_model()
    assert box_model(single).slope == pytest.approx(usual.slope)
    assert box_model(single).form_slope == pytest.approx(usual.form_slope)

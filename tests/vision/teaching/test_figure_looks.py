"""The stored looks of a figure: from one photo, from several, and in a roster taught piece by piece."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistant.app.teaching.library import TaughtGames, TeachingTable, look_of
from assistant.errors import CannotDo, NoFigureShown
from assistant.table.roster import FigureLook, LookView, RosterFigure
from vision.evidence.figure_views import points_of
from vision.teaching import figure_sighting
from vision.teaching.base_outlines import BY_CHANCE, BaseOutline, GroundEdges, circles
from vision.teaching.figure_sighting import AskedBase, NewFigureSighting, from_sides, sight_bases
from vision.teaching.novelty import Novelty

NOTHING = np.zeros((4, 4, 3), dtype=np.uint8)


def sighting(size_mm: float, confidence: float, ring: str | None = None, side: int = 0) -> NewFigureSighting:
    view = LookView(20.0, bytes([side] * 5))
    return NewFigureSighting((0.0, 0.0), "round", (size_mm, size_mm), ring, confidence, NOTHING, (view,))


def test_the_base_on_which_most_photos_agree_is_taken_and_the_others_are_left_out() -> None:
    seen = [sighting(55, 0.9, side=1), sighting(22, 0.7, "#1f9d55", 2), sighting(23, 0.6, "#23a05a", 3)]
    together = from_sides([[one] for one in seen])
    assert together.base_mm == 22.5
    assert together.ring in ("#1f9d55", "#23a05a")
    assert [view.points[0] for view in together.sides] == [2, 3]


def test_a_large_base_that_its_body_hides_in_part_is_one_base_from_all_sides() -> None:
    """As measured in three photos of a hound of 73 x 47 mm, two of which also showed a round spot."""
    sizes_mm = ((73.0, 48.0), (73.0, 53.0), (71.0, 45.0))
    seen = [
        replace(sighting(1.0, 0.8, side=side), base_shape="rectangle", base_size_mm=size_mm)
        for side, size_mm in enumerate(sizes_mm)
    ]
    together = from_sides([[one] for one in seen])
    assert len(together.sides) == 3
    assert together.base_size_mm == (73.0, 48.0)


def test_a_ring_that_most_photos_do_not_show_is_none() -> None:
    assert from_sides([[sighting(22, 0.7, "#1f9d55")], [sighting(22, 0.7)], [sighting(22, 0.7)]]).ring is None
    assert from_sides([[sighting(22, 0.7)]]).ring is None


def test_a_photo_of_another_figure_on_such_a_base_is_left_out() -> None:
    red = [sighting(22, 0.7, "#d13a34", 1), sighting(22, 0.6, "#b8403a", 2)]
    blue = sighting(22, 0.9, "#2a6fdb", 3)
    together = from_sides([[blue], *([one] for one in red)], needs_one_ring=True)
    assert [view.points[0] for view in together.sides] == [1, 2]
    assert together.ring in ("#d13a34", "#b8403a")
    of_two = from_sides([[red[0]], [blue]], needs_one_ring=True)
    assert (of_two.ring, len(of_two.sides)) == ("#2a6fdb", 1)


def test_a_photo_without_a_ring_counts_with_any() -> None:
    seen = [sighting(22, 0.7, "#d13a34", 1), sighting(22, 0.6, None, 2)]
    assert len(from_sides([[one] for one in seen], needs_one_ring=True).sides) == 2


def test_one_photo_given_twice_is_one_side() -> None:
    assert len(from_sides([[sighting(22, 0.7, side=1)], [sighting(22, 0.7, side=1)]]).sides) == 1


@pytest.mark.parametrize(
    ("turn_deg", "moved_mm", "sides"),
    [(4.0, 0.5, 1), (4.0, 6.0, 2), (30.0, 0.5, 2), (0.1, 0.5, 2)],
    ids=["same", "moved", "walked", "turned under a fixed camera"],
)
def test_a_second_side_is_another_view_of_the_figure(turn_deg: float, moved_mm: float, sides: int) -> None:
    turn = math.radians(turn_deg)
    first = replace(sighting(22, 0.7, side=1), to_camera=(0.6, 0.0, 0.8))
    second = replace(
        sighting(22, 0.7, side=2),
        center_mm=(moved_mm, 0.0),
        to_camera=(0.6 * math.cos(turn), 0.6 * math.sin(turn), 0.8),
    )
    assert len(from_sides([[first], [second]]).sides) == sides


def test_one_photo_gives_a_side_with_the_colours_of_the_figure(shows):
    shown = shows.figure(42, ring="#1f9d55")
    seen = sight_bases(shown.photo, shown.view, shown.markers)[0]
    points = points_of(seen.sides[0])
    green = points.bgr[:, 1].astype(int) - points.bgr[:, 2]
    assert len(seen.sides) == 1
    x, y = seen.center_mm
    off_mm = shown.view.camera_center_mm - (x, y, 0.0)
    assert seen.to_camera == pytest.approx(tuple(off_mm / np.linalg.norm(off_mm)))
    assert len(points.across) > 200
    assert np.mean(green > 40) > 0.05
    assert look_of(seen).rim == seen.ring
    assert look_of(seen).picture_png.startswith(b"\x89PNG")


@pytest.mark.parametrize(("length_mm", "told"), [(24.0, "rectangle"), (28.5, "round")])
def test_a_rectangle_that_fits_no_spaces_is_rather_a_pattern_of_the_table(
    shows, monkeypatch: pytest.MonkeyPatch, length_mm: float, told: str
) -> None:
    shown = shows.figure(42, ring="#1f9d55")

    def as_clear_as_the_base(edges: GroundEdges, novelty: Novelty, *_: object) -> list[BaseOutline]:
        height, width = novelty.share.shape
        base = max(itertools.chain(*circles(edges, (width, height))), key=lambda circle: circle.share)
        share = (1.6 * base.evidence + 10.0) / (2 * (length_mm + 20.0)) + BY_CHANCE
        return [BaseOutline("rectangle", base.center_px, (length_mm, 20.0), 0.0, share)]

    monkeypatch.setattr(figure_sighting, "rectangles", as_clear_as_the_base)
    monkeypatch.setattr(figure_sighting, "_stands_out", lambda *_: 0.5)
    assert sight_bases(shown.photo, shown.view, shown.markers)[0].base_shape == told


def test_a_rectangle_of_which_chance_shows_as_much_is_no_base(shows, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = shows.figure(42, ring="#1f9d55")
    middle_px = (100.0, 100.0)
    weak = BaseOutline("rectangle", middle_px, (20.0, 20.0), 0.0, 0.42)
    assert weak.evidence < 0
    monkeypatch.setattr(figure_sighting, "rectangles", lambda *_: [weak])
    with pytest.raises(NoFigureShown):
        sight_bases(shown.photo, shown.view, shown.markers, asked=AskedBase("rectangle"))


def test_spaces_that_are_said_leave_out_other_bases_and_are_dropped_where_nothing_takes_them(shows) -> None:
    shown = shows.figure(61, ring="#8b3fb0", base_size_mm=(47.4, 22.0))
    table = TeachingTable(shown.markers, shown.view.lens)
    assert table.figure_from_sides([shown.photo], None, (2, 1)).size_cells(25.4) == (2, 1)
    with pytest.raises(NoFigureShown):
        sight_bases(shown.photo, shown.view, shown.markers, asked=AskedBase("round", (2, 2)))
    assert table.figure_from_sides([shown.photo], "rectangle", (8, 8)).size_cells(25.4) == (2, 1)


def test_an_outer_edge_that_is_not_clear_does_not_take_the_base_with_it(shows, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = shows.figure(42, ring="#1f9d55")
    seen = sight_bases(shown.photo, shown.view, shown.markers, asked=AskedBase("round"))[0]
    found = figure_sighting.circles

    def with_a_faint_halo(edges: GroundEdges, size_wh: tuple[int, int]) -> list[list[BaseOutline]]:
        by_contrast = found(edges, size_wh)
        best = max(itertools.chain(*by_contrast), key=lambda circle: circle.share)
        halo_mm = best.size_mm[0] + 3
        faint = [replace(best, size_mm=(halo_mm + by, halo_mm + by), share=0.39 - abs(by) / 10) for by in (-1, 0, 1)]
        return [[circle for circle in of if circle.size_mm[0] < halo_mm - 1] + faint for of in by_contrast]

    monkeypatch.setattr(figure_sighting, "circles", with_a_faint_halo)
    again = sight_bases(shown.photo, shown.view, shown.markers, asked=AskedBase("round"))[0]
    assert again.base_size_mm == seen.base_size_mm


def test_photos_without_a_figure_are_left_out_and_refused_alone(shows):
    shown, bare = shows.figure(42, ring="#1f9d55"), shows.bare(42)
    table = TeachingTable(shown.markers, shown.view.lens)
    seen = table.figure_from_sides([bare.photo, shown.photo])
    assert len(seen.sides) == 1
    assert seen.base_mm == pytest.approx(shown.scene.figures[0].figure.base_mm, abs=2.1)
    with pytest.raises(CannotDo):
        table.figure_from_sides([bare.photo])


def test_a_base_that_one_photo_rather_takes_for_another_is_recognised_by_the_others() -> None:
    spot = sighting(19.0, 0.8, side=1)
    base = replace(sighting(46.0, 0.8), base_shape="rectangle", base_size_mm=(46.0, 22.0))
    wide, second = (
        replace(base, base_size_mm=(50.0, 33.0)),
        replace(base, base_size_mm=(47.0, 23.0), lead=0.6, sides=spot.sides),
    )
    seen = from_sides([[base, replace(spot, lead=0.3)], [wide], [spot, second]])
    assert (seen.base_shape, seen.base_size_mm) == ("rectangle", (46.5, 22.5))
    assert len(seen.sides) == 2


def test_a_figure_taught_once_more_keeps_its_sides_and_a_repainted_kind_does_not(tmp_path: Path) -> None:
    games = TaughtGames(tmp_path)
    views = [LookView(float(i), bytes([i] * 10)) for i in range(14)]

    def imp(look: FigureLook, kind: str = "imp") -> RosterFigure:
        return RosterFigure("imp", kind, "demons", (1, 1), 22.0, 30.0, look=look)

    games.keep_figure("box", imp(FigureLook((views[0],), "#1f9d55")))
    roster = games.keep_figure("box", imp(FigureLook((views[1],))))
    assert roster.figures[0].look == FigureLook((views[1], views[0]), "#1f9d55")
    for view in views[2:]:
        roster = games.keep_figure("box", imp(FigureLook((view,))))
    look = roster.figures[0].look
    assert look is not None
    assert look.views == tuple(reversed(views[2:]))
    other = games.keep_figure("box", imp(FigureLook((views[0],)), kind="ghoul"))
    assert other.figures[0].look == FigureLook((views[0],))

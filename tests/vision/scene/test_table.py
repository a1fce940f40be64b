"""Figures and doors as one scene: exclusions, the box's contents, and chances over whole tables."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assistant.table.lattice import Edge
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from vision.evidence.doors import DoorSighting
from vision.evidence.figures import FigureSighting
from vision.scene.table import Platt, SceneCalibration, Settled, calibration, scene_of, settle

IMP = RosterFigure("imp-1", "imp", "foes", (1, 1), 22.0, 30.0, "#e07a1f")
TROOPER = RosterFigure("trooper-1", "trooper", "foes", (1, 1), 22.0, 30.0, "#2563c9")
BRUTE = RosterFigure("brute-1", "brute", "foes", (2, 1), 22.0, 40.0, "#1b9e3a")
BOX = Roster((IMP, IMP, TROOPER, BRUTE), DoorSpec(2, 1, 30.0, 2.0))
BETWEEN = Edge((2, 0), (2, 1))
AS_IT_IS = SceneCalibration(Platt(1, 0), Platt(1, 0), Platt(1, 0), Platt(1, 0), 1.0, 1e-9)
"""The photo's own chances, as they are, and nobody of an unknown kind."""


def seen(model: RosterFigure | None, column: int, log_odds: float, width: int = 1) -> FigureSighting:
    """Return that figure in the first row, from that column on."""
    return FigureSighting(model, tuple((column + i, 0) for i in range(width)), (0.0, 0.0), log_odds)


def settled(figures: list[FigureSighting], doors: list[DoorSighting], fitted: SceneCalibration = AS_IT_IS) -> Settled:
    return settle(scene_of(figures, doors, BOX, fitted))


def who(table: Settled) -> dict[int, str | None]:
    """Return the kind of each figure by its first column."""
    return {figure.cells[0][0]: figure.kind for figure in table.figures}


def test_two_sure_figures_win_over_a_surer_one_across_both() -> None:
    imp, trooper, brute = seen(IMP, 1, 3.5), seen(TROOPER, 2, 3.4), seen(BRUTE, 1, 3.6, 2)
    assert who(settled([brute, imp, trooper], [])) == {1: "imp", 2: "trooper"}


def test_a_large_base_wins_over_what_looks_like_a_part_of_it() -> None:
    assert who(settled([seen(IMP, 1, 3.0), seen(BRUTE, 1, 2.9, 2)], [], calibration())) == {1: "brute"}


def test_a_large_base_in_its_place_wins_over_itself_beside_it() -> None:
    right, beside = seen(BRUTE, 1, 4.0, 2), seen(BRUTE, 2, 4.2, 2)
    # By itself the one beside is likelier; together with the figure that it would stand on, it is not.
    assert who(settled([right, beside, seen(IMP, 3, 3.0)], [])) == {1: "brute", 3: "imp"}


def test_of_two_sure_places_of_one_base_the_one_with_more_evidence_wins() -> None:
    """A titan stood a space aside at .83: both places were beyond the cap, and a hound's print beside it decided."""
    aside, right = (replace(seen(BRUTE, c, 6.0, 2), beyond=more) for c, more in ((1, 1.0), (2, 3.5)))
    hound = seen(IMP, 3, 2.0)
    assert who(settled([aside, right, hound], [])) == {2: "brute"}
    assert who(settled([replace(aside, beyond=0.0), replace(right, beyond=0.0), hound], [])) == {1: "brute", 3: "imp"}


def test_a_figure_too_many_of_its_kind_is_the_next_likely_one() -> None:
    imps = [seen(IMP, column, odds) for column, odds in ((0, 4.0), (2, 3.0), (4, 2.0))]
    assert who(settled([*imps, seen(TROOPER, 4, 0.5)], [])) == {0: "imp", 2: "imp", 4: "trooper"}
    assert who(settled([*imps, seen(None, 4, 1.0)], [])) == {0: "imp", 2: "imp", 4: None}


def test_a_kind_that_the_box_lacks_makes_the_others_of_it_less_sure() -> None:
    """The chances of each place's kinds with two imps in the box and three seen."""
    table = settled([seen(IMP, column, 2.0) for column in (0, 2, 4)], [])
    one = 1 / (1 + math.exp(-2.0))
    chances = {n: math.comb(3, n) * one**n * (1 - one) ** (3 - n) for n in (1, 2)}
    expected = (chances[1] / 3 + chances[2] * 2 / 3) / (1 - one**3)
    assert len(table.figures) == 2
    assert [f.confidence for f in (*table.figures, *table.other_figures) if f.kind == "imp"] == pytest.approx(
        [expected] * 3, abs=1e-4
    )


def test_kinds_are_weighed_as_the_plain_counting_of_all_tables_weighs_them() -> None:
    """Two places, and one figure of a kind in the box: the surer place keeps it, and both are less sure."""
    box = Roster((TROOPER, IMP, IMP), DoorSpec(0, 1, 30.0, 2.0))

    def odds(chance: float) -> float:
        return math.log(chance / (1 - chance))

    figures = [seen(TROOPER, 0, odds(0.90)), seen(None, 0, odds(0.09)), seen(TROOPER, 3, odds(0.55))]
    table = settle(scene_of(figures, [], box, AS_IT_IS))
    # Trooper and none, other and trooper, other and none, none and trooper, none and none.
    tables = (0.90 * 0.45, 0.09 * 0.55, 0.09 * 0.45, 0.01 * 0.55, 0.01 * 0.45)
    chance = {f.cells[0][0]: f.confidence for f in (*table.figures, *table.other_figures) if f.kind == "trooper"}
    assert chance[0] == pytest.approx(tables[0] / sum(tables), abs=0.002)
    assert chance[3] == pytest.approx((tables[1] + tables[3]) / sum(tables), abs=0.002)
    assert who(table) == {0: "trooper"}


def test_who_rather_does_not_stand_there_is_not_chosen() -> None:
    table = settled([seen(IMP, 1, -0.1)], [DoorSighting(BETWEEN, 0.49)])
    assert (table.figures, table.doors) == ([], [])
    assert [door.confidence for door in table.other_doors] == pytest.approx([0.49])
    assert settled([], []) == Settled([], [], [], [], [], [])


def test_a_door_and_the_base_over_it_exclude_each_other() -> None:
    door = DoorSighting(BETWEEN, 0.99)
    table = settled([seen(BRUTE, 1, 2.0, 2)], [door])
    assert (table.figures, [one.edge for one in table.doors]) == ([], [BETWEEN])
    assert who(settled([seen(BRUTE, 1, 5.0, 2)], [door])) == {1: "brute"}


def test_a_door_explains_the_print_of_a_large_base_that_it_hides() -> None:
    before = Edge((1, 1), (2, 1))
    brute, imp = seen(BRUTE, 1, 0.3, 2), seen(IMP, 5, 0.3)
    hides = {before: {(1, 0): 1.0, (2, 0): 1.0, (5, 0): 1.0}}

    def chances(door: float) -> list[float]:
        scene = scene_of([brute, imp], [DoorSighting(before, door)], BOX, AS_IT_IS, hides)
        table = settle(scene)
        return [
            f.confidence for name in ("brute", "imp") for f in (*table.figures, *table.other_figures) if f.kind == name
        ]

    alone, behind = chances(0.0001), chances(0.999)
    assert alone == pytest.approx([1 / (1 + math.exp(-0.3))] * 2, abs=1e-3)
    assert behind[0] < 0.4
    assert behind[1] == pytest.approx(alone[1], abs=1e-6), "a base of one cell is judged well behind a door"
    half = scene_of([brute], [DoorSighting(before, 0.999)], BOX, AS_IT_IS, {before: {(1, 0): 1.0}})
    assert behind[0] < settle(half).other_figures[0].confidence < alone[0]


def test_no_more_doors_stand_than_the_box_holds() -> None:
    doors = [DoorSighting(Edge((x, 0), (x, 1)), 0.6 + x / 10) for x in range(1, 4)]
    table = settled([], doors)
    assert {door.edge for door in table.doors} == {doors[1].edge, doors[2].edge}


def test_absence_is_the_chance_that_nobody_stands_on_any_of_the_cells() -> None:
    (absent,) = settled([seen(BRUTE, 1, 2.0, 2), seen(IMP, 2, 0.0)], []).absence
    assert absent == pytest.approx(1 / (2 + math.exp(2.0)), abs=1e-6)


def test_worlds_are_the_ways_in_which_linked_places_are_settled() -> None:
    imps = [seen(IMP, column, 1.0) for column in (0, 2, 4)]
    table = settled([*imps, seen(TROOPER, 8, 3.0)], [DoorSighting(BETWEEN, 0.6)])
    sizes = sorted(len(ways) for ways in table.worlds)
    # Three imps, with two in the box, depend on each other. The trooper does not, and doors keep their own doubts.
    assert sizes[0] <= 4 < sizes[1]
    for ways in table.worlds:
        assert math.fsum(way.chance for way in ways) == pytest.approx(1.0)
        assert not any(way.doors for way in ways)
        assert set(ways[0].figures) <= set(imps) | {seen(TROOPER, 8, 3.0)}
    together = [way for ways in table.worlds for way in ways if len([f for f in way.figures if f.kind == "imp"]) > 2]
    assert together == []


def test_many_places_in_doubt_do_not_make_each_other_sure() -> None:
    """A pawn that looked like a bishop at .54 was stated as one at .998, amid thirteen other chessmen in doubt."""
    shares, left, number = {"bishop": 0.5, "rook": 0.25, "pawn": 0.25}, {"bishop": 7, "rook": 4, "pawn": 5}, 14
    models = {kind: replace(IMP, id=f"{kind}-1", kind=kind) for kind in shares}
    box = Roster(tuple(models[kind] for kind in left for _ in range(left[kind])), DoorSpec(0, 1, 30.0, 2.0))
    figures = [
        seen(models[kind], 2 * column, math.log(share / (1 - share)))
        for column in range(number)
        for kind, share in shares.items()
    ]
    table = settle(scene_of(figures, [], box, AS_IT_IS))
    # The numbers of rooks and pawns that the box allows, each in all places. Somebody surely stands in every place.
    weights = {
        (bishops, rooks): math.comb(number, bishops)
        * math.comb(number - bishops, rooks)
        * shares["bishop"] ** bishops
        * shares["rook"] ** rooks
        * shares["pawn"] ** (number - bishops - rooks)
        for bishops in range(left["bishop"] + 1)
        for rooks in range(left["rook"] + 1)
        if number - bishops - rooks <= left["pawn"]
    }
    expected = sum(weight * bishops / number for (bishops, _), weight in weights.items()) / sum(weights.values())
    said = [f.confidence for f in (*table.figures, *table.other_figures) if f.kind == "bishop"]
    assert said == pytest.approx([expected] * number, abs=0.01)
    by_world = [math.fsum(w.chance for w in ways if "bishop" in {f.kind for f in w.figures}) for ways in table.worlds]
    assert by_world == pytest.approx([expected] * number, abs=0.01), "no world makes its place surer"

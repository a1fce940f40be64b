"""Figures and doors chosen as one: what excludes each other, and what the box holds."""

from __future__ import annotations

from assistant.table.lattice import Edge
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from vision.evidence.doors import DoorSighting
from vision.evidence.figures import FigureSighting
from vision.scene.choice import choose_together

IMP = RosterFigure("imp-1", "imp", "foes", (1, 1), 22.0, 30.0, "#e07a1f")
TROOPER = RosterFigure("trooper-1", "trooper", "foes", (1, 1), 22.0, 30.0, "#2563c9")
BRUTE = RosterFigure("brute-1", "brute", "foes", (2, 1), 22.0, 40.0, "#1b9e3a")
BOX = Roster((IMP, IMP, TROOPER, BRUTE), DoorSpec(2, 1, 30.0, 2.0))
BETWEEN = Edge((2, 0), (2, 1))


def seen(model: RosterFigure | None, column: int, log_odds: float, width: int = 1) -> FigureSighting:
    """That figure in the first row, from that column on."""
    return FigureSighting(model, tuple((column + i, 0) for i in range(width)), (0.0, 0.0), log_odds)


def test_two_sure_figures_win_over_a_surer_one_across_both() -> None:
    imp, trooper, brute = seen(IMP, 1, 3.5), seen(TROOPER, 2, 3.4), seen(BRUTE, 1, 3.6, 2)
    chosen = choose_together([brute, imp, trooper], [], BOX)
    assert chosen.figures == [imp, trooper]


def test_a_large_base_wins_over_what_looks_like_a_part_of_it() -> None:
    imp, brute = seen(IMP, 1, 3.0), seen(BRUTE, 1, 2.9, 2)
    assert choose_together([imp, brute], [], BOX).figures == [brute]


def test_a_large_base_in_its_place_wins_over_itself_beside_it() -> None:
    right, beside = seen(BRUTE, 1, 4.0, 2), seen(BRUTE, 2, 4.2, 2)
    imp = seen(IMP, 3, 3.0)
    # By itself the one beside is likelier; together with whom it would stand on, it is not.
    assert choose_together([right, beside, imp], [], BOX).figures == [right, imp]


def test_a_figure_too_many_of_its_kind_is_the_next_likely_one() -> None:
    imps = [seen(IMP, column, odds) for column, odds in ((0, 4.0), (2, 3.0), (4, 2.0))]
    rather_imp = seen(TROOPER, 4, -1.0)
    chosen = choose_together([*imps, rather_imp], [], BOX)
    kinds = {figure.cells[0][0]: figure.model and figure.model.kind for figure in chosen.figures}
    assert kinds == {0: "imp", 2: "imp", 4: "trooper"}
    unnamed = choose_together(imps, [], BOX)
    assert [figure.model for figure in unnamed.figures if figure.cells == ((4, 0),)] == [None]
    assert all(0.5 < figure.confidence < 0.6 for figure in unnamed.figures if figure.model is None)


def test_who_rather_does_not_stand_there_is_not_chosen() -> None:
    assert choose_together([seen(IMP, 1, -0.1)], [DoorSighting(BETWEEN, 0.49)], BOX) == ([], [])
    assert choose_together([], [], BOX) == ([], [])


def test_a_door_and_the_base_over_it_exclude_each_other() -> None:
    brute, door = seen(BRUTE, 1, 2.0, 2), DoorSighting(BETWEEN, 0.99)
    assert choose_together([brute], [door], BOX) == ([], [door])
    surer = seen(BRUTE, 1, 5.0, 2)
    assert choose_together([surer], [door], BOX) == ([surer], [])


def test_no_more_doors_stand_than_the_box_holds() -> None:
    doors = [DoorSighting(Edge((x, 0), (x, 1)), 0.6 + x / 10) for x in range(1, 4)]
    assert choose_together([], doors, BOX).doors == [doors[2], doors[1]]

"""A photo's doubts: their valid forms, and the boards that follow."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assistant.errors import BadValue
from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import (
    Doubt,
    DoubtChoice,
    DoubtfulBoard,
    GroundDoubt,
    GroundVariant,
    Variant,
    apply_choices,
    check_doubts,
)
from assistant.table.lattice import Edge

MARINE = Figure("alpha", "marine", "marines", ((0, 0),))
IMP = Figure("imp~1", "imp", "demons", ((3, 1),))
DOOR = Door("door-1", (Edge((2, 0), (2, 1)),))
BOARD = Board(frozenset((c, r) for c in range(5) for r in range(3)), doors=(DOOR,), figures=(MARINE, IMP))


def imp_at(cell) -> Figure:
    return Figure("imp~1", "imp", "demons", (cell,))


WHERE = Doubt(("imp~1",), (Variant(0.75, (IMP,)), Variant(0.125, (imp_at((2, 1)),)), Variant(0.125, (imp_at((0, 0)),))))
WHETHER = Doubt(("door-1",), (Variant(0.75, (), (DOOR,)), Variant(0.25)))
SOMETHING = Doubt((), (Variant(0.9), Variant(0.1, (Figure("figure~1", "figure", "unknown", ((2, 1),)),))))
DOUBTS = (WHERE, WHETHER, SOMETHING)


def test_the_first_variants_give_the_board_itself() -> None:
    check_doubts(BOARD, DOUBTS)
    same = apply_choices(BOARD, (DoubtChoice(doubt, doubt.variants[0]) for doubt in DOUBTS))
    assert same == BOARD


def test_a_variant_takes_the_place_of_what_it_is_about() -> None:
    moved = apply_choices(BOARD, [DoubtChoice(WHERE, WHERE.variants[1]), DoubtChoice(WHETHER, WHETHER.variants[1])])
    assert moved is not None
    assert moved.figures == (MARINE, imp_at((2, 1)))
    assert moved.doors == ()
    assert moved.cells == BOARD.cells
    more = apply_choices(BOARD, [DoubtChoice(SOMETHING, SOMETHING.variants[1])])
    assert more is not None
    assert [figure.id for figure in more.figures] == ["alpha", "imp~1", "figure~1"]


def test_a_table_that_contradicts_itself_is_dropped() -> None:
    assert apply_choices(BOARD, [DoubtChoice(WHERE, WHERE.variants[2])]) is None, "the imp cannot stand on the marine"
    both = [DoubtChoice(WHERE, WHERE.variants[1]), DoubtChoice(SOMETHING, SOMETHING.variants[1])]
    assert apply_choices(BOARD, both) is None
    assert all(apply_choices(BOARD, [choice]) for choice in both)


@pytest.mark.parametrize("chance", [0, -0.1, 1.01, math.nan, math.inf])
def test_a_chance_that_is_none_is_refused(chance: float) -> None:
    with pytest.raises(BadValue, match="chance"):
        Variant(chance)


@pytest.mark.parametrize("chances", [(), (0.5,), (0.5, 0.5 + 1e-5), (0.5, 0.4)])
def test_chances_that_do_not_add_up_to_one_are_refused(chances: tuple[float, ...]) -> None:
    with pytest.raises(BadValue, match="variants"):
        Doubt((), tuple(Variant(chance) for chance in chances))


def test_a_sum_that_was_rounded_is_taken() -> None:
    assert Doubt((), tuple(Variant(0.3333333) for _ in range(3))).names == frozenset()


@pytest.mark.parametrize(
    ("doubts", "field"),
    [
        ((Doubt(("imp~7",), (Variant(1, (imp_at((3, 1)),)),)),), "doubts[0].about"),
        ((WHERE, Doubt(("imp~1",), (Variant(1, (IMP,)),))), "doubts[1]"),
        ((SOMETHING, SOMETHING), "doubts[1]"),
        ((Doubt((), (Variant(0.9), Variant(0.1, (IMP,)))),), "doubts[0]"),
        ((Doubt(("imp~1",), tuple(reversed(WHETHER.variants))),), "doubts[0]"),
        ((Doubt(("imp~1",), (Variant(0.5), Variant(0.5, (IMP,)))),), "doubts[0].variants[0]"),
        ((WHERE, Doubt((), (Variant(1, (), (Door("door-2", DOOR.edges),)),))), "doubts[1].variants[0]"),
    ],
)
def test_doubts_about_another_board_are_refused(doubts: tuple[Doubt, ...], field: str) -> None:
    with pytest.raises(BadValue) as caught:
        check_doubts(BOARD, doubts)
    assert caught.value.field == field


def test_what_a_person_has_set_right_is_no_longer_in_doubt() -> None:
    table = DoubtfulBoard(BOARD, DOUBTS)
    assert table.corrected(BOARD).doubts == DOUBTS
    moved = replace(BOARD, figures=(MARINE, imp_at((4, 2))))
    assert table.corrected(moved) == DoubtfulBoard(moved, (WHETHER, SOMETHING))
    opened = replace(BOARD, doors=(replace(DOOR, open=True),))
    assert table.corrected(opened).doubts == (WHERE, SOMETHING)
    without = replace(BOARD, figures=(IMP,))
    assert table.corrected(without).doubts == DOUBTS
    told = replace(BOARD, figures=(*BOARD.figures, Figure("figure~1", "imp", "demons", ((2, 1),))))
    assert table.corrected(told).doubts == (WHERE, WHETHER)


def test_the_ground_is_the_board_without_anything_in_doubt() -> None:
    ground = DoubtfulBoard(BOARD, DOUBTS).ground
    assert (ground.figures, ground.doors) == ((MARINE,), ())
    assert DoubtfulBoard(BOARD).ground == BOARD


def test_a_ground_in_doubt_is_what_its_variant_says() -> None:
    line, inner = Edge((1, 0), (1, 1)), Edge((2, 0), (2, 1))
    board = Board(frozenset({(0, 0), (1, 0), (2, 0)}), {line: "wall"}, difficult=frozenset({(0, 0)}))
    doubt = GroundDoubt(frozenset({(1, 0)}), (GroundVariant(0.2, frozenset({(1, 0)}), {inner: "obstacle"}),))
    other = doubt.applied(board, doubt.variants[0])
    assert other is not None
    assert (other.cells, other.edges, other.difficult) == (board.cells, {inner: "obstacle"}, board.difficult)
    beside = GroundDoubt(frozenset({(3, 0)}), (GroundVariant(0.5, frozenset({(3, 0)})),))
    longer = beside.applied(board, beside.variants[0])
    assert longer is not None
    assert longer.cells == board.cells | {(3, 0)}


def test_nothing_stands_where_no_ground_is() -> None:
    stays, goes = Figure("a", "imp", "demons", ((0, 0),)), Figure("b", "imp", "demons", ((1, 0), (2, 0)))
    on_seam, behind = Door("d", (Edge((1, 0), (1, 1)),)), Door("e", (Edge((2, 0), (2, 1)), Edge((3, 0), (3, 1))))
    board = Board(frozenset({(0, 0), (1, 0), (2, 0)}), doors=(on_seam, behind), figures=(stays, goes))
    doubt = GroundDoubt(frozenset({(1, 0), (2, 0)}), (GroundVariant(0.1, frozenset({(2, 0)})),))
    (((chance, other),),) = DoubtfulBoard(board, (), (doubt,)).other_grounds
    assert chance == 0.1
    assert other is not None
    assert (other.cells, other.figures, other.doors) == (frozenset({(0, 0), (2, 0)}), (stays,), (on_seam, behind))
    nothing = GroundVariant(0.1, frozenset())
    shorter = GroundDoubt(frozenset({(1, 0), (2, 0)}), (nothing,)).applied(board, nothing)
    assert shorter is not None
    assert (shorter.figures, shorter.doors) == ((stays,), (on_seam,))


def test_a_board_without_any_ground_is_none() -> None:
    board = Board(frozenset({(0, 0)}))
    variant = GroundVariant(0.1, frozenset())
    assert GroundDoubt(board.cells, (variant,)).applied(board, variant) is None


def test_a_ground_is_in_doubt_no_more_than_wholly() -> None:
    variant = GroundVariant(0.6, frozenset())
    with pytest.raises(BadValue, match="add up"):
        GroundDoubt(frozenset({(0, 0)}), (variant, variant))
    with pytest.raises(BadValue, match="above 0"):
        GroundVariant(0.0, frozenset())

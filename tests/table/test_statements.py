"""People's statements about a table, and the remaining doubts."""

from __future__ import annotations

import pytest

from assistant.errors import BoardError
from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import Doubt, Variant
from assistant.table.lattice import edge_between
from assistant.table.statements import Statements, check_door

CELLS = frozenset((x, y) for x in range(6) for y in range(6))
IMP = Figure("imp-1", "imp", "demons", ((1, 1),))
OTHER_IMP = Figure("imp-1", "trooper", "demons", ((1, 1),))
DOOR = Door("door-1", (edge_between((2, 2), (3, 2)),))
OTHER_DOOR = Door("door-2", (edge_between((2, 4), (3, 4)),))
BOARD = Board(CELLS, {}, (DOOR,), (IMP,))
MAYBE_NO_DOOR = Doubt(("door-1",), (Variant(0.7, doors=(DOOR,)), Variant(0.3)))
MAYBE_A_DOOR = Doubt((), (Variant(0.8), Variant(0.2, doors=(OTHER_DOOR,))))
MAYBE_NOBODY = Doubt(("imp-1",), (Variant(0.6, (IMP,)), Variant(0.3, (OTHER_IMP,)), Variant(0.1)))


def test_nothing_said_leaves_a_doubt_unchanged():
    assert Statements().on(BOARD).settle(MAYBE_NOBODY) is MAYBE_NOBODY


@pytest.mark.parametrize(
    ("told", "doubt"),
    [
        (Statements().with_door(DOOR.edges), MAYBE_NO_DOOR),
        (Statements().without_door(OTHER_DOOR.edges), MAYBE_A_DOOR),
        (Statements().with_figure(IMP.cells), MAYBE_NOBODY),
    ],
)
def test_what_was_said_settles_the_doubt_about_it(told, doubt):
    assert told.on(BOARD).list_open_doubts([doubt]) == ()


def test_of_a_doubt_about_several_things_the_rest_is_left_with_chances_of_the_same_weight():
    both = (
        Variant(0.4, doors=(DOOR,)),
        Variant(0.3, doors=(DOOR, OTHER_DOOR)),
        Variant(0.2, doors=(OTHER_DOOR,)),
        Variant(0.1),
    )
    left = Statements().with_door(DOOR.edges).on(BOARD).settle(Doubt(("door-1",), both))
    assert left is not None
    assert left.about == ("door-1",)
    assert [variant.chance for variant in left.variants] == pytest.approx([4 / 7, 3 / 7])


def test_nobody_leaves_no_variant_with_somebody():
    told = Statements().with_nobody(((1, 1),))
    without = Board(CELLS, {}, (DOOR,), ())
    assert told.on(without).list_open_doubts([MAYBE_NOBODY]) == ()


def test_what_was_said_elsewhere_settles_nothing_here():
    told = Statements().with_nobody(((5, 5),)).with_door(OTHER_DOOR.edges)
    assert told.on(BOARD).settle(MAYBE_NO_DOOR) is MAYBE_NO_DOOR


def test_the_last_word_counts():
    told = Statements().with_door(DOOR.edges).without_door(DOOR.edges).with_figure(((1, 1),)).with_nobody(((1, 1),))
    assert told == Statements(no_doors=frozenset({DOOR.edges}), nobody=frozenset({(1, 1)}))
    assert told.forgetting(((1, 1),)).forgetting_door(DOOR.edges) == Statements()


@pytest.mark.parametrize("edges", [(), (edge_between((5, 5), (6, 5)),), DOOR.edges])
def test_a_door_stands_between_two_spaces_where_none_is(edges):
    with pytest.raises(BoardError):
        check_door(BOARD, edges)

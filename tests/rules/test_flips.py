"""Doubts of a camera that would change an answer, as data and in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.match.games import rule_set
from assistant.rules.flips import MOST_NAMED, add_flips
from assistant.rules.reasons import word_ruling
from assistant.table.board import Door, Figure
from assistant.table.doubt import Doubt, DoubtfulBoard, Variant
from assistant.table.lattice import Edge
from assistant.translations.catalogue import language_tags

ROW = [(x, y) for x in range(7) for y in range(2)]
DOOR = Door("door-1", (Edge((2, 0), (2, 1)), Edge((2, 1), (2, 2))))
IMP = Figure("d", "d", "demons", ((4, 0),))


def flipped(build, *doubts, game="doom2004", **board):
    table = DoubtfulBoard(build.board(a=(0, 0), d=(4, 0), cells=ROW, **board), doubts)
    rules = rule_set(game)
    return add_flips(rules.verdict, table, rules.rule(table.board, "a", "d"))


def otherwise(*figures, doors=(), about=("d",), first=(IMP,), chance=0.25) -> Doubt:
    return Doubt(about, (Variant(1 - chance, tuple(first)), Variant(chance, figures, doors)))


@pytest.mark.parametrize(
    ("doubt", "kind", "text"),
    [
        (
            otherwise(replace(IMP, cells=((3, 0),))),
            "move",
            "If d stood one cell further left, on (3, 0) (25 % likely), the range would be 3.",
        ),
        (
            otherwise(replace(IMP, cells=((5, 1),))),
            "move",
            "If d stood one cell further down and right, on (5, 1) (25 % likely), the range would be 5.",
        ),
        (
            otherwise(replace(IMP, cells=((6, 0),))),
            "move",
            "If d stood on (6, 0) (25 % likely), the range would be 6.",
        ),
        (otherwise(), "remove", "If d were not there (25 % likely), there would be nothing to ask about."),
        (
            otherwise(Figure("imp~2", "imp", "demons", ((2, 0),)), about=(), first=()),
            "add",
            "If another figure stood on (2, 0) (25 % likely), there would be no line of sight.",
        ),
        (
            otherwise(doors=(DOOR,), about=(), first=(), chance=0.004),
            "door",
            "If there were a door between (1, 0), (1, 1) and (2, 0), (2, 1) (1 % likely), "
            "there would be no line of sight.",
        ),
        (
            otherwise(replace(IMP, cells=((5, 0),)), doors=(DOOR,)),
            "several",
            "If d had been seen wrongly (25 % likely), there would be no line of sight.",
        ),
        (
            otherwise(Figure("d?1", "spitter", "demons", ((2, 0),))),
            "several",
            "If d had been seen wrongly (25 % likely), there would be nothing to ask about.",
        ),
    ],
)
def test_each_kind_of_doubt_that_flips_an_answer_is_named(build, doubt, kind, text):
    found = flipped(build, doubt)
    assert [flip.kind for flip in found.flips] == [kind]
    assert found.reasons[-1].text == text
    assert found.flips[0].chance == doubt.variants[1].chance


def test_a_door_that_may_not_be_there_is_named_by_the_cells_that_it_parts(build):
    doubt = Doubt(("d1",), (Variant(0.5, (), (Door("d1", DOOR.edges[:1]),)), Variant(0.5)))
    table = DoubtfulBoard(build.board(a=(0, 0), d=(4, 0), cells=ROW[::2], doors=[((2, 0), (2, 1))]), (doubt,))
    rules = rule_set("doom2016")
    found = add_flips(rules.verdict, table, rules.rule(table.board, "a", "d"))
    assert found.flips[0].kind == "no-door"
    assert found.flips[0].cells == ((1, 0), (2, 0))
    assert found.reasons[-1].text == (
        "If there were no door between (1, 0) and (2, 0) (50 % likely), there would be line of sight."
    )


def test_another_kind_flips_an_answer_where_sides_count(build):
    rules = rule_set("doom2004", {"los_figures": "enemies"})
    board = build.board(a=(0, 0), d=(4, 0), others=[(2, 0)], cells=ROW)
    friend = replace(board.figure("o1"), kind="marine", side="marines")
    doubt = Doubt(("o1",), (Variant(0.9, (board.figure("o1"),)), Variant(0.1, (friend,))))
    found = add_flips(rules.verdict, DoubtfulBoard(board, (doubt,)), rules.rule(board, "a", "d"))
    assert [flip.kind for flip in found.flips] == ["kind"]
    assert "another figure, of kind marine (10 % likely), there would be line of sight" in found.reasons[-1].text


def test_doubts_that_change_nothing_are_passed_over_and_the_likeliest_comes_first(build):
    unlikely = otherwise(replace(IMP, cells=((3, 0),)), chance=0.125)
    likely = Doubt((), (Variant(0.5), Variant(0.5, (Figure("x", "x", "x", ((2, 0),)),))))
    idle = Doubt((), (Variant(0.5), Variant(0.5, (Figure("y", "y", "y", ((6, 1),)),))))
    impossible = Doubt((), (Variant(0.5), Variant(0.5, (Figure("z", "z", "z", ((0, 0),)),))))
    found = flipped(build, unlikely, idle, impossible, likely)
    assert [flip.subjects for flip in found.flips] == [("x",), ("d",)]


def test_no_more_are_named_than_a_person_reads(build):
    crowd = [
        Doubt((), (Variant(0.5), Variant(0.5, (Figure(f"x{x}{y}", "x", "x", ((x, y),)),))))
        for x, y in [(1, 0), (2, 0), (3, 0)]
    ]
    places = (0.1, (5, 0)), (0.1, (6, 0)), (0.1, (3, 1)), (0.1, (6, 1)), (0.1, (2, 1))
    where = Doubt(("d",), (Variant(0.5, (IMP,)), *(Variant(c, (replace(IMP, cells=(p,)),)) for c, p in places)))
    found = flipped(build, *crowd, where)
    assert len(found.flips) == MOST_NAMED
    assert {flip.chance for flip in found.flips[:3]} == {0.5}


def test_doubts_are_reported_in_every_language(build):
    found = flipped(build, otherwise(replace(IMP, cells=((3, 1),))))
    texts = {lang: word_ruling(found, rule_set("doom2004").rules, lang).reasons[-1].text for lang in language_tags()}
    assert texts["ru"] == "Если d стоит на клетку ниже и левее, на (3, 1) (вероятность 25 %), дальность была бы 3."
    assert texts["es"].startswith("Si d estuviera una casilla más abajo y a la izquierda, en (3, 1)")

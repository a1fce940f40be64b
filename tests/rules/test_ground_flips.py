"""Tiles whose replacement would change an answer, as data and in words."""

from __future__ import annotations

import pytest

from assistant.match.games import rule_set
from assistant.rules.flips import add_flips
from assistant.rules.reasons import word_ruling
from assistant.table.doubt import DoubtfulBoard, GroundDoubt, GroundVariant
from assistant.table.lattice import Edge
from assistant.translations.catalogue import language_tags

ROW = [(x, 0) for x in range(7)]
MIDDLE = frozenset({(2, 0), (3, 0)})
WALL = {Edge((3, 0), (3, 1)): "wall"}


def flipped(build, doubt, cells=ROW):
    table = DoubtfulBoard(build.board(a=(0, 0), d=(4, 0), cells=cells), (), (doubt,))
    rules = rule_set("doom2016")
    return add_flips(rules.verdict, table, rules.rule(table.board, "a", "d"))


@pytest.mark.parametrize(
    ("doubt", "text"),
    [
        (
            GroundDoubt(MIDDLE, (GroundVariant(0.25, MIDDLE, WALL, tile="04A"),), "07B"),
            "If the tile at (2, 0) were 04A and not 07B (25 % likely), there would be no line of sight.",
        ),
        (
            GroundDoubt(MIDDLE, (GroundVariant(0.25, frozenset()),), "07B"),
            "If the tile 07B at (2, 0) were not there (25 % likely), there would be no line of sight.",
        ),
    ],
)
def test_a_tile_that_may_be_another_or_away_is_named_where_it_matters(build, doubt, text):
    found = flipped(build, doubt)
    [flip] = found.flips
    assert found.reasons[-1].text == text
    assert (flip.kind, flip.line_of_sight, flip.chance) == ("ground", False, 0.25)
    assert flip.subjects[0] == "07B"
    assert flip.cells == ((2, 0), (3, 0))


@pytest.mark.parametrize(
    ("tile", "text"),
    [
        ("04A", "If the tile 04A lay beside (4, 0) (40 % likely), there would be line of sight."),
        (None, "If an unrecognised tile lay beside (4, 0) (40 % likely), there would be line of sight."),
    ],
)
def test_a_tile_that_may_lie_where_the_board_has_a_gap_is_named(build, tile, text):
    gap = [cell for cell in ROW if cell not in MIDDLE]
    found = flipped(build, GroundDoubt(MIDDLE, (GroundVariant(0.4, MIDDLE, tile=tile),)), gap)
    assert found.reasons[-1].text == text
    assert found.flips[0].subjects == ((tile,) if tile else ())


def test_the_tile_is_shown_by_the_cell_that_somebody_stands_on(build):
    under = frozenset({(3, 0), (4, 0)})
    found = flipped(build, GroundDoubt(under, (GroundVariant(0.5, frozenset()),), "07B"))
    assert found.reasons[-1].text == (
        "If the tile 07B at (4, 0) were not there (50 % likely), there would be nothing to ask about."
    )
    assert found.flips[0].line_of_sight is None


def test_ground_that_changes_no_answer_is_passed_over(build):
    behind = frozenset({(6, 0)})
    assert flipped(build, GroundDoubt(behind, (GroundVariant(0.5, frozenset()),), "07B")).flips == ()


def test_every_language_has_words_for_it(build):
    found = flipped(build, GroundDoubt(MIDDLE, (GroundVariant(0.25, MIDDLE, WALL, tile="04A"),), "07B"))
    told = {word_ruling(found, rule_set("doom2016").rules, tag).reasons[-1].text for tag in language_tags()}
    assert len(told) == len(language_tags())

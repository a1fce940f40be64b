"""The stability of a ruling, against plain counting of every table that the photo allows."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assistant.match.games import rule_set
from assistant.rules import stability
from assistant.rules.stability import judge_stability
from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import (
    Doubt,
    DoubtChoice,
    DoubtfulBoard,
    GroundDoubt,
    GroundVariant,
    Variant,
    add_pieces,
    apply_choices,
)
from assistant.table.lattice import Edge

GAMES = ("doom2016", "doom2004")


def plainly(rules, table, ruling) -> float:
    """Return the share, table by table."""
    whole = same = 0.0
    for variants in product(*(doubt.variants for doubt in table.doubts)):
        board = apply_choices(table.board, map(DoubtChoice, table.doubts, variants))
        if board is None:
            continue
        chance = math.prod(variant.chance for variant in variants)
        whole += chance
        if {ruling.attacker, ruling.defender} <= {figure.id for figure in board.figures}:
            other = rules.verdict(board, board.figure(ruling.attacker), board.figure(ruling.defender))
            same += chance * (other == (ruling.range, ruling.line_of_sight, ruling.cover))
    return same / whole


def share(rules, table, ruling) -> float:
    return judge_stability(rules.verdict, table, ruling, only_hinders=rules.only_hinders).stability


def drawn_options(data, game):
    """Return some of the options that can change a ruling, otherwise than they are."""
    table = [option for option in rule_set(game).option_table if option.in_rulings]
    changed = data.draw(st.lists(st.sampled_from(table), max_size=3, unique=True))
    return {option.name: data.draw(st.sampled_from(option.choices)) for option in changed}


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=60)
@given(data=st.data())
def test_the_share_is_that_of_plain_counting(game, build, data):
    table = data.draw(build.doubtful_boards)
    rules = rule_set(game, drawn_options(data, game))
    for attacker, defender in [(a.id, d.id) for a in table.board.figures for d in table.board.figures if a is not d][
        :4
    ]:
        ruling = rules.rule(table.board, attacker, defender)
        assert share(rules, table, ruling) == pytest.approx(plainly(rules, table, ruling), abs=1e-9)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=80)
@given(data=st.data())
def test_one_more_figure_or_door_only_hinders_where_the_rules_say_so(game, build, data):
    rules = rule_set(game, drawn_options(data, game))
    board = data.draw(build.boards)
    fuller = add_pieces(board, *build.something_new(data.draw(st.randoms(use_true_random=False)), board))
    assume(rules.only_hinders and fuller is not None)
    for attacker, defender in ((a, d) for a in board.figures for d in board.figures if a is not d):
        before, after = rules.verdict(board, attacker, defender), rules.verdict(fuller, attacker, defender)
        assert worth(before) >= worth(after)
        assert reach(before) <= reach(after)


def worth(verdict) -> int:
    """Return 0 for no sight, 1 for sight with cover, 2 without."""
    return 2 * verdict.line_of_sight - bool(verdict.cover)


def reach(verdict) -> float:
    return math.inf if verdict.range is None else verdict.range


def test_options_under_which_more_may_help_are_known():
    assert rule_set("doom2016").only_hinders
    assert rule_set("doom2004").only_hinders
    assert not rule_set("doom2016", {"los_pinch": "open"}).only_hinders
    assert not rule_set("doom2016", {"cover_corner": "any"}).only_hinders
    assert not rule_set("doom2004", {"los_pinch": "always_clear"}).only_hinders
    assert not rule_set("doom2004", {"oversized_range_origin": "sight_space"}).only_hinders


ROW = [(x, 0) for x in range(6)]


def of_imp(*places_and_chances) -> Doubt:
    figures = [(chance, Figure("d", "d", "demons", (cell,)) if cell else None) for cell, chance in places_and_chances]
    return Doubt(("d",), tuple(Variant(chance, (f,) if f else ()) for chance, f in figures))


def maybe_door(column: int, chance: float) -> Doubt:
    """Return a door across the row that is not on the board and stands there with that chance."""
    door = Door(f"door{column}", (Edge((column, 0), (column, 1)),))
    return Doubt((), (Variant(1 - chance), Variant(chance, (), (door,))))


def stability_of(build, *doubts, game="doom2016", **board) -> float:
    table = DoubtfulBoard(build.board(a=(0, 0), d=(4, 0), cells=ROW, **board), doubts)
    rules = rule_set(game)
    return share(rules, table, rules.rule(table.board, "a", "d"))


@pytest.mark.parametrize("game", GAMES)
def test_a_door_between_the_two_flips_the_answer_and_one_behind_them_does_not(build, game):
    assert stability_of(build, maybe_door(2, 0.25), game=game) == pytest.approx(0.75)
    assert stability_of(build, maybe_door(5, 0.25), game=game) == 1.0
    assert stability_of(build, maybe_door(2, 0.25), maybe_door(3, 0.5), game=game) == pytest.approx(0.375)


def test_many_faint_doubts_are_counted_soon_and_never_reported_surer_than_they_are(build, monkeypatch):
    edges = [Edge((x, y), (x, y + 1)) for x in range(1, 8) for y in range(4)]
    doors = [Door(f"door{i}", (edge,)) for i, edge in enumerate(edges)]
    faint = tuple(Doubt((), (Variant(0.98), Variant(0.02, (), (door,)))) for door in doors)
    cells = [(x, y) for x in range(8) for y in range(4)]
    table = DoubtfulBoard(build.board(a=(0, 1), d=(7, 2), cells=cells), faint)
    rules = rule_set("doom2016")
    asked = []

    def ask(*question):
        asked.append(question)
        return rules.verdict(*question)

    ruling = rules.rule(table.board, "a", "d")
    told = judge_stability(ask, table, ruling, only_hinders=True).stability
    soon, negligible = len(asked), stability.NEGLIGIBLE
    monkeypatch.setattr(stability, "NEGLIGIBLE", 0.0)
    monkeypatch.setattr(stability, "MAX_ASKED", 100_000)
    exact = judge_stability(ask, table, ruling, only_hinders=True).stability
    assert soon < stability.MAX_ASKED
    assert exact - negligible <= told <= exact


def test_another_place_at_another_range_is_another_answer(build):
    assert stability_of(build, of_imp(((4, 0), 0.875), ((5, 0), 0.125))) == pytest.approx(0.875)


def test_tables_on_which_one_of_the_two_does_not_stand_are_not_the_same(build):
    assert stability_of(build, of_imp(((4, 0), 0.75), (None, 0.25))) == pytest.approx(0.75)


def test_a_table_that_contradicts_itself_does_not_count(build):
    other = Doubt((), (Variant(0.5), Variant(0.5, (Figure("x", "x", "demons", ((5, 0),)),))))
    # Of the four combinations, that with two figures on the last cell is none: 0.4 and 0.4 against 0.1.
    assert stability_of(build, of_imp(((4, 0), 0.8), ((5, 0), 0.2)), other) == pytest.approx(8 / 9)


def test_a_ruling_about_a_named_corner_is_asked_again_about_this_corner(build):
    rules = rule_set("doom2016")
    table = DoubtfulBoard(build.board(a=(0, 0), d=(4, 0), cells=ROW), (of_imp(((4, 0), 0.5), ((3, 0), 0.5)),))
    ruling = rules.from_corner((0, 0)).rule(table.board, "a", "d")
    asking = rules.from_corner((0, 0)).asking(table.board, ruling)
    assert judge_stability(asking, table, ruling, only_hinders=True).stability == pytest.approx(0.5)


def test_a_board_without_doubts_leaves_a_ruling_unchanged(build):
    rules = rule_set("doom2016")
    board = build.board()
    ruling = rules.rule(board, "a", "d")
    assert judge_stability(rules.verdict, DoubtfulBoard(board), ruling, only_hinders=True) is ruling


def test_what_is_too_much_to_count_is_drawn_and_comes_near(build, monkeypatch):
    for rules, board, table in crowded_tables(build):
        ruling = rules.rule(board, board.figures[0].id, board.figures[-1].id)
        exact = share(rules, table, ruling)
        with monkeypatch.context() as patch:
            patch.setattr(stability, "MAX_ASKED", 0)
            drawn = share(rules, table, ruling)
            assert drawn == share(rules, table, ruling), "the same every time"
        assert drawn == pytest.approx(exact, abs=4 * 0.5 / math.sqrt(stability.DRAWN))


def test_what_is_too_much_to_list_counts_as_another_answer(build, monkeypatch):
    for rules, board, table in crowded_tables(build):
        ruling = rules.rule(board, board.figures[0].id, board.figures[-1].id)
        exact = share(rules, table, ruling)
        with monkeypatch.context() as patch:
            patch.setattr(stability, "MAX_JOINT", 2)
            assert share(rules, replace(table), ruling) <= exact + 1e-9


def crowded_tables(build):
    """Small tables with doubts that claim common places, with the rules that are asked."""
    rng = Random(7)
    for _ in range(6):
        board = build.random_board(rng)
        table = DoubtfulBoard(board, build.random_doubts(rng, board))
        if len(board.figures) > 1:
            yield rule_set("doom2016"), board, table


@pytest.mark.parametrize("game", GAMES)
def test_lines_over_cells_that_may_be_others_are_not_sure(game):
    """The outline of a covered tile, and a tile that might be its look-alike, were known and never counted."""
    figures = (Figure("alpha", "marine", "marines", ((0, 1),)), Figure("imp-1", "imp", "demons", ((4, 1),)))
    board = Board(frozenset((column, row) for column in range(6) for row in range(3)), figures=figures)
    rules = rule_set(game)
    ruling = rules.rule(board, "alpha", "imp-1")
    assert ruling.line_of_sight

    def stability_with(*doubts: GroundDoubt) -> float:
        table = DoubtfulBoard(board, (), doubts)
        return judge_stability(rules.verdict, table, ruling, only_hinders=rules.only_hinders).stability

    wall = {Edge((2, row), (2, row + 1)): "wall" for row in range(3)}
    between = frozenset((2, row) for row in range(3))
    assert stability_with(GroundDoubt(between, (GroundVariant(0.3, between, wall),))) == pytest.approx(0.7)
    assert stability_with(GroundDoubt(between, (GroundVariant(0.3, between),))) == 1.0
    behind = frozenset((5, row) for row in range(3))
    away = {Edge((5, row), (5, row + 1)): "wall" for row in range(3)}
    assert stability_with(GroundDoubt(behind, (GroundVariant(0.3, behind, away),))) == 1.0
    under_one = GroundDoubt(frozenset({(0, 1)}), (GroundVariant(0.1, frozenset()),))
    assert stability_with(under_one) == pytest.approx(0.9)


@pytest.mark.parametrize("game", GAMES)
def test_cells_beside_the_board_that_nobody_knows_may_let_a_line_through(game):
    cells = frozenset({(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2), (1, 2)})
    board = Board(
        cells, figures=(Figure("alpha", "marine", "marines", ((0, 0),)), Figure("imp-1", "imp", "demons", ((2, 0),)))
    )
    rules, gap = rule_set(game), frozenset({(1, 0), (1, 1)})
    ruling = rules.rule(board, "alpha", "imp-1")
    assert not ruling.line_of_sight
    table = DoubtfulBoard(board, (), (GroundDoubt(gap, (GroundVariant(0.5, gap),)),))
    assert judge_stability(rules.verdict, table, ruling, only_hinders=rules.only_hinders).stability == 0.5


def test_where_not_all_that_hinders_has_room_every_way_is_counted():
    """A figure of one cell or of two over the same cell: both at once are no table."""
    rules = rule_set("doom2016")
    a, d = Figure("a", "a", "marines", ((0, 0),)), Figure("d", "d", "demons", ((5, 0),))
    small, large = (Figure("m", "m", "demons", cells) for cells in (((2, 0),), ((2, 0), (3, 0))))
    board = Board(frozenset(ROW), {}, (), (a, d))
    doubt = Doubt((), (Variant(0.7, ()), Variant(0.1, (small,)), Variant(0.2, (large,))))
    table = DoubtfulBoard(board, (doubt,))
    ruling = rules.rule(board, "a", "d")
    assert share(rules, table, ruling) == pytest.approx(plainly(rules, table, ruling))


def test_where_pieces_depend_on_each_other_the_worlds_are_counted():
    """One figure stands on either of two cells in the way. With single doubts it might stand on both or on none."""
    rules = rule_set("doom2004")
    a, d = Figure("a", "a", "marines", ((0, 0),)), Figure("d", "d", "demons", ((4, 0),))
    here, there = (Figure("m", "m", "demons", ((x, 0),)) for x in (2, 5))
    board = Board(frozenset(ROW), {}, (), (a, d, here))
    doubts = (
        Doubt(("m",), (Variant(0.6, (here,)), Variant(0.4))),
        Doubt((), (Variant(0.6), Variant(0.4, (replace(there, id="m?"),)))),
    )
    worlds = (Doubt(("m",), (Variant(0.6, (here,)), Variant(0.3, (there,)), Variant(0.1, (replace(here, side="x"),)))),)
    ruling = rules.rule(board, "a", "d")
    assert not ruling.line_of_sight
    assert share(rules, DoubtfulBoard(board, doubts), ruling) == pytest.approx(0.6)
    table = DoubtfulBoard(board, doubts, (), worlds)
    assert share(rules, table, ruling) == pytest.approx(0.7)
    moved = replace(board, figures=(a, d, there))
    assert table.corrected(board).worlds == worlds
    assert table.corrected(moved).worlds == (), "what a person set right is not what the photo weighed"
    stepped = replace(board, figures=(a, replace(d, cells=((3, 0),)), here))
    assert table.corrected(stepped).worlds == worlds, "a correction elsewhere does not settle it"


def test_the_same_body_or_edge_out_of_two_doubts_is_no_table():
    """Two doubts may both put a figure on one cell, or a door on one edge, open here and closed there."""
    rules = rule_set("doom2004")
    a, d = Figure("a", "a", "marines", ((0, 0),)), Figure("d", "d", "demons", ((5, 0),))
    edge = (Edge((2, 0), (2, 1)),)
    bodies = [(Figure(name, name, "demons", ((3, 0),)),) for name in ("m", "n")]
    doors = [(Door("p", edge),), (Door("q", edge),), (Door("r", edge, open=True),)]
    ways = [((), ()), *((body, ()) for body in bodies), *(((), door) for door in doors)]
    doubts = tuple(Doubt((), (Variant(0.6), Variant(0.4, *way))) for way in ways[1:])
    table = DoubtfulBoard(Board(frozenset(ROW), {}, (), (a, d)), doubts)
    ruling = rules.rule(table.board, "a", "d")
    assert share(rules, table, ruling) == pytest.approx(plainly(rules, table, ruling))


def test_tables_drawn_at_random_do_not_contradict_themselves(monkeypatch):
    """Two figures that may each stand on one cell, but not both."""
    rules = rule_set("doom2016")
    a, d = Figure("a", "a", "marines", ((0, 0),)), Figure("d", "d", "demons", ((5, 0),))
    board = Board(frozenset(ROW), {}, (), (a, d))
    doubts = tuple(
        Doubt((), (Variant(0.5), Variant(0.5, (Figure(name, name, "demons", ((2, 0),)),)))) for name in ("m", "n")
    )
    table = DoubtfulBoard(board, doubts)
    ruling = rules.rule(board, "a", "d")
    exact = share(rules, table, ruling)
    assert exact == pytest.approx(plainly(rules, table, ruling))
    monkeypatch.setattr(stability, "MAX_ASKED", 0)
    assert share(rules, table, ruling) == pytest.approx(exact, abs=4 * 0.5 / math.sqrt(stability.DRAWN))


@pytest.mark.parametrize("game", GAMES)
def test_a_crowd_with_fifty_doubts_takes_few_questions(build, game):
    """Fifteen figures and 49 doubts of up to six variants: somebody waits for the answer at the table."""
    table = build.doubtful_crowd(figures=15, doubts=49)
    rules = rule_set(game)
    asked = []

    def ask(*question):
        asked.append(question)
        return rules.verdict(*question)

    rulings = list(rules.pairs(table.board))
    for ruling in rulings[::3]:
        judge_stability(ask, table, ruling, only_hinders=rules.only_hinders)
    assert len(rulings) > 100
    assert len(asked) < 20 * len(rulings), "sixty a pair"


@pytest.mark.parametrize("game", GAMES)
def test_a_crowd_is_counted_as_tables_drawn_one_by_one_are(build, game):
    """A thousand tables, each drawn doubt by doubt and left out if it contradicts itself."""
    table = build.doubtful_crowd(figures=10, doubts=24, seed=2)
    rules, rng, drawn = rule_set(game), Random(5), []
    while len(drawn) < 1_000:
        choices = [DoubtChoice(d, rng.choices(d.variants, [v.chance for v in d.variants])[0]) for d in table.doubts]
        board = apply_choices(table.board, choices)
        if board is not None:
            drawn.append(board)
    for ruling in list(rules.pairs(table.board))[::7]:
        same = [
            board
            for board in drawn
            if {ruling.attacker, ruling.defender} <= board.figure_by_id.keys()
            and rules.verdict(board, board.figure(ruling.attacker), board.figure(ruling.defender)) == ruling.verdict
        ]
        assert share(rules, table, ruling) == pytest.approx(len(same) / len(drawn), abs=4.5 * 0.5 / math.sqrt(1_000))

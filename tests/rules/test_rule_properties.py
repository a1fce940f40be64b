"""Properties of every board: symmetry, rotations and mirrors, walls and figures, and the second implementation."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.match.games import rule_set
from assistant.rules.pairing import iterate_pairs
from assistant.table.board import Figure

GAMES = ("doom2016", "doom2004")
RULES = {game: rule_set(game) for game in GAMES}

TURNS = {
    "shifted": lambda p: (p[0] + 7, p[1] - 11),
    "quarter": lambda p: (-p[1], p[0]),
    "half": lambda p: (-p[0], -p[1]),
    "mirror": lambda p: (-p[0], p[1]),
    "diagonal": lambda p: (p[1], p[0]),
}

SLOW_PAIRS = 100_000


def verdicts(game, board):
    return {(a.id, d.id): RULES[game].verdict(board, a, d) for a, d in iterate_pairs(board)}


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_sight_and_range_are_mutual(game, build, data):
    found = verdicts(game, data.draw(build.boards))
    for (a, d), verdict in found.items():
        assert verdict[:2] == found[d, a][:2]


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_turning_and_mirroring_the_board_changes_no_answer(game, turn, build, data):
    board = data.draw(build.boards)
    assert verdicts(game, board) == verdicts(game, build.moved_by(board, TURNS[turn]))


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_taking_a_printed_line_away_never_takes_sight_away(game, build, data):
    board = data.draw(build.boards.filter(lambda b: b.edges))
    gone = data.draw(st.sampled_from(sorted(board.edges)))
    fewer = replace(board, edges={edge: kind for edge, kind in board.edges.items() if edge != gone})
    then = verdicts(game, fewer)
    for pair, verdict in verdicts(game, board).items():
        assert then[pair].line_of_sight >= verdict.line_of_sight
        if verdict.range is not None:
            assert then[pair].range <= verdict.range


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_another_figure_never_takes_cover_away_and_never_changes_sight_in_2016(build, data):
    board = data.draw(build.boards)
    free = sorted(board.cells - set(board.figure_at))
    if not free:
        return
    stranger = Figure("stranger", "k", "nobody", (data.draw(st.sampled_from(free)),))
    then = verdicts("doom2016", build.with_figures(board, [*board.figures, stranger]))
    for pair, verdict in verdicts("doom2016", board).items():
        assert then[pair][:2] == verdict[:2]
        assert bool(then[pair].cover) >= bool(verdict.cover)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_another_figure_never_gives_sight_in_2004(build, data):
    board = data.draw(build.boards.filter(lambda b: len(b.figures) > 2))
    pairs = verdicts("doom2004", board)
    fewer = verdicts("doom2004", build.with_figures(board, board.figures[:-1]))
    for pair, verdict in fewer.items():
        assert pairs[pair].line_of_sight <= verdict.line_of_sight


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_ruling_is_its_verdict_with_lines_that_bear_it_out(game, build, data):
    board = data.draw(build.boards)
    for ruling in RULES[game].pairs(board):
        verdict = RULES[game].verdict(board, board.figure(ruling.attacker), board.figure(ruling.defender))
        assert (ruling.range, ruling.line_of_sight, ruling.cover) == tuple(verdict)
        assert ruling.line_of_sight == any(origin.line_of_sight for origin in ruling.origins)
        if ruling.line_of_sight:
            sight, *cover = ruling.lines
            assert sight.blocked_by is None
            assert sight.start == ruling.origin
            assert any(line.blocked_by for line in cover) == bool(ruling.cover)
            if game == "doom2016":
                assert ruling.cover == all(o.cover for o in ruling.origins if o.line_of_sight)
        else:
            assert all(line.blocked_by is not None for line in ruling.lines)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_an_option_is_named_exactly_if_another_choice_changes_the_answer(game, build, data):
    board = data.draw(build.boards)
    option = data.draw(st.sampled_from(RULES[game].option_table))
    others = [rule_set(game, {option.name: choice}) for choice in option.choices[1:]]
    for ruling in RULES[game].pairs(board):
        a, d = board.figure(ruling.attacker), board.figure(ruling.defender)
        answer = RULES[game].verdict(board, a, d)
        assert (option.name in ruling.options) == any(other.verdict(board, a, d) != answer for other in others)


def disagreements(build, plain, seed, count):
    """Pairs on random boards about which the two implementations differ."""
    rng = Random(seed)
    second = {"doom2016": plain.verdict_2016, "doom2004": plain.verdict_2004}
    asked = 0
    while asked < count:
        board = build.random_board(rng)
        for attacker, defender in iterate_pairs(board):
            asked += 1
            for game in GAMES:
                found = tuple(RULES[game].verdict(board, attacker, defender))
                expected = second[game](board, attacker, defender)
                if found != expected:
                    yield game, board, attacker.id, defender.id, found, expected


def test_second_implementation_agrees_on_random_pairs(build, plain):
    assert list(disagreements(build, plain, seed=20, count=600)) == []


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_second_implementation_agrees_on_a_hundred_thousand_pairs(build, plain):
    assert next(disagreements(build, plain, seed=2016, count=SLOW_PAIRS), None) is None

"""Every expected answer beside the project, for both DOOM games."""

from __future__ import annotations

import json

import pytest

from assistant.documents import board_from_json
from assistant.match.games import rule_set
from assistant.rules.pairing import iterate_pairs

GAMES = ("doom2016", "doom2004")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["small", "game"])
def test_rulings_are_those_expected(vectors, name, game):
    rules = rule_set(game)
    wrong = []
    count = 0
    for line in vectors(name):
        board = board_from_json(json.dumps(line["board"]).encode())
        for attacker, defender, *expected in line["expect"][game]:
            found = rules.verdict(board, board.figure(attacker), board.figure(defender))
            count += 1
            if list(found) != expected:
                wrong.append((board, attacker, defender, found, expected))
    assert count > 500
    assert wrong == []


@pytest.mark.parametrize("game", GAMES)
def test_pairs_say_the_same_as_single_verdicts(vectors, game):
    rules = rule_set(game)
    for line in list(vectors("game"))[:4]:
        board = board_from_json(json.dumps(line["board"]).encode())
        rulings = list(rules.pairs(board))
        assert [(r.attacker, r.defender) for r in rulings] == sorted((r[0], r[1]) for r in line["expect"][game])
        for ruling, (attacker, defender) in zip(rulings, iterate_pairs(board), strict=True):
            verdict = rules.verdict(board, attacker, defender)
            assert (ruling.range, ruling.line_of_sight, ruling.cover) == tuple(verdict)


@pytest.mark.parametrize("game", GAMES)
def test_reaches_are_those_expected(vectors, game):
    rules = rule_set(game)
    asked = 0
    for line in vectors("reach"):
        board = board_from_json(json.dumps(line["board"]).encode())
        for name, figure, points, expected in line["reach"]:
            if name == game:
                asked += 1
                ends = rules.reach(board, figure, points).ends
                assert [[end.cost, list(end.cells[0])] for end in ends] == expected
    assert asked > 50

"""Two claims side by side: exactly one holds, and the other holds under exactly the named options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assistant
from assistant.cli import run
from assistant.documents import board_from_json
from assistant.match.games import games
from assistant.rules.claims import About, settle_claims
from assistant.rules.ruleset import CellRules
from assistant.rules.ruling import Ruling

BOARDS = sorted((Path(assistant.__file__).parent / "data" / "boards").glob("*.json"))
CELL_GAMES = [game for game in games() if game.table == "cells"]


def answer(ruling: Ruling, about: About) -> bool | None:
    return ruling.line_of_sight if about == "sight" else ruling.cover


@pytest.mark.parametrize("about", ["sight", "cover"])
@pytest.mark.parametrize("game", CELL_GAMES, ids=lambda game: game.id)
def test_one_claim_holds_and_the_other_under_exactly_the_options_that_are_named(game, about: About) -> None:
    asked = 0
    for path in BOARDS:
        board = board_from_json(path.read_bytes(), path.name)
        if any(figure.cells == () for figure in board.figures):
            continue
        rules = game.rule_set()
        assert isinstance(rules, CellRules)
        for ruling in rules.pairs(board):
            yes, no = settle_claims(rules, board, ruling.attacker, ruling.defender, about)
            now = answer(ruling, about)
            assert (yes.holds, no.holds) == ((None, None) if now is None else (now, not now))
            for claim in (yes, no):
                told = {(option.name, choice) for option, choice in claim.under}
                asked += 1
                if claim.holds:
                    assert not told
                    continue
                for option in rules.option_table:
                    for choice in option.choices[1:]:
                        other = game.rule_set({option.name: choice}).rule(board, ruling.attacker, ruling.defender)
                        assert (answer(other, about) == claim.says) == ((option.name, choice) in told)
    assert asked > 5


def ask(*more: str) -> int:
    path = next(path for path in BOARDS if path.stem == "corridor")
    return run(["rule", "doom2016", str(path), *more])


def test_the_command_sets_both_claims_beside_the_ruling(capfd: pytest.CaptureFixture[str]) -> None:
    assert ask("--from", "alpha", "--to", "imp-1", "--claim", "cover") == 0
    document = json.loads(capfd.readouterr().out)
    yes, no = document["claims"]
    assert (document["cover"], yes["holds"], no["holds"]) == (True, True, False)
    assert yes["words"] == "“There is cover.”"
    assert [one["option"] for one in no["under"]] == ["cover_defender_in_difficult"]
    assert all(one["source"] for one in no["under"])
    assert all(reason["source"] for reason in document["reasons"])


def test_claims_are_about_one_pair(capfd: pytest.CaptureFixture[str]) -> None:
    assert ask("--pairs", "--claim", "sight") == 2
    assert "one pair" in capfd.readouterr().err

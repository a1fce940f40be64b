"""Whole rulings on crowded random boards, under every choice of every option that can change one.

What was expected was written down once the 9,266 documents of two stages of the engines were the same and the plain
implementation agreed; so a change of any line, blocker or option shows at once, whatever the sentences say.
``python tests/rules/test_ruling_digests.py`` writes it down anew.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from random import Random

import pytest

from assistant.match.games import rule_set
from assistant.rules.pairing import iterate_pairs
from assistant.rules.ruleset import CellRules
from tests.rules.boards import random_board

KEPT = Path(__file__).parents[1] / "data" / "rules" / "ruling-digests.json"
SEEDS = range(12)
GAMES = ("doom2016", "doom2004")


def digest(game: str, seed: int) -> str:
    """Return a short digest of a game's answers on a board, under its own options and each option changed."""
    board = random_board(Random(seed), size=7)
    asked = [option for option in rule_set(game).option_table if option.in_rulings]
    others = [{option.name: choice} for option in asked for choice in option.choices[1:]]
    said = []
    for options in [{}, *others]:
        rules = rule_set(game, options)
        assert isinstance(rules, CellRules)
        said += [repr(rules.verdict(board, *pair)) for pair in iterate_pairs(board)]
        if not options:
            for ruling in rules.pairs(board):
                fields = (ruling.range, ruling.cover, ruling.origin, ruling.lines, ruling.origins, ruling.adjacent)
                said.append(repr((*fields, sorted(ruling.options.items()))))
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]


@pytest.mark.parametrize("game", GAMES)
def test_rulings_on_random_boards_are_those_that_were_written_down(game: str) -> None:
    kept = json.loads(KEPT.read_text())[game]
    assert [digest(game, seed) for seed in SEEDS] == kept


if __name__ == "__main__":
    KEPT.write_text(json.dumps({game: [digest(game, seed) for seed in SEEDS] for game in GAMES}, indent=1) + "\n")

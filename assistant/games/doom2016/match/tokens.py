"""Damage as the tokens of the box: as few as possible, and never more threes than there are (rules A0, A5)."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.doom2016.match.state import Match2016


def count_token_piles(game: Match2016) -> Mapping[str, tuple[int, int]]:
    """How many tokens of 1 and of 3 damage lie with each figure; ones that the box lacks are stood in for.

    Threes go to the figures in the order of the mission until the box has none left.
    """
    threes_left = game.setup.damage_tokens[1]
    piles = {}
    for piece in game.pieces.values():
        threes = min(piece.harm // 3, threes_left)
        threes_left -= threes
        piles[piece.id] = (piece.harm - 3 * threes, threes)
    return piles

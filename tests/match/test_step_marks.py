"""Which steps turn something up and which are one side's own: every one of them, game by game.

What turns something up is taken back only where a judge agrees, and one side's own step is asked of nobody else: a step
that loses its mark would still be played as before, and give something away.
"""

from __future__ import annotations

import pytest

from assistant.match.games import system_of

REVEALS = {
    # Dice: attack, reroll, roll_added. Cards: the others; ending an activation draws.
    "doom2016": {"attack", "defend", "end", "glory_kill", "reroll", "reveal", "roll_added", "status", "summon"}
    | {"draw_events"},
    "doom2004": {"attack", "draw", "reroll"},
    "roads": {"fight", "react", "reroll", "test"},
}
SECRET = {
    # The invader's hand, and choices that need his cards.
    "doom2016": {"gain_argent", "play_event", "summon"},
    "doom2004": {"discard", "dodge_by_card", "play_event", "spawn"},
    "roads": set[str](),
}


@pytest.mark.parametrize("game", REVEALS)
def test_what_turns_something_up_is_marked(game: str) -> None:
    steps = system_of(game).commands.values()
    assert {step.__struct_config__.tag for step in steps if getattr(step, "reveals", False)} == REVEALS[game]


@pytest.mark.parametrize("game", SECRET)
def test_what_one_side_alone_may_see_is_marked(game: str) -> None:
    steps = system_of(game).commands.values()
    assert {step.__struct_config__.tag for step in steps if getattr(step, "is_secret", False)} == SECRET[game]

"""A whole match of DOOM 2004 by touch alone: from an empty data folder to the winner, with three devices."""

from __future__ import annotations

import pytest

KEY, DOOR, MARINES_SIDE = "D6", "D4", "C5"
PLAYED = {
    "action", "attack", "damage", "move", "order", "cards", "spawn", "invaders' turn", "next figure", "end of turn",
    "undo",
}  # fmt: skip
ENDS_TURN = "is done|End the round"
NO_MORE = 99
"""Number of refusals after which a habit counts as followed."""
TO_WIN = {"key", "door"}
"""Events before the marines win."""
MOST_TAPS = 3
ON_PICTURE = 3
"""Least number of answers tapped on the camera's picture, where hands move the tapped figures."""


@pytest.mark.timeout(600)
def test_a_scenario_is_played_from_an_empty_folder_to_its_winner(evening, people, taps_told):
    match = evening("First alarm at the simulated table", "all of: Marines", "all of: Invader", is_looked_over=True)
    habit, first = people.Habit, people.first_answer

    def pistol(who):
        return who.says("Pistol") or who.says("^(Spitter|Harrier|Crawler|Brute)") or first(who)

    def to_dodge(who):
        return who.says("dodge") or first(who)

    def comes(who):
        """Return a card by its name, a place on the table."""
        return next(iter(who.seen.on_board), None) or first(who)

    def is_warm():
        """Return whether both sides have fought enough for the marines to run for the door."""
        return match.done["attack"] > 3 and (match.done["spawn"] > 0 or match.done["cards"] > 3)

    def is_in_friends_space():
        """Return whether the figure stopped where its turn cannot end: in a friend's space it must move on."""
        return match.turn[ENDS_TURN] >= NO_MORE

    to_empty_space = (
        habit("^Move:", "move", first, per_turn=1, when=is_in_friends_space),  # empty spaces are listed first
        habit("done$", "end of turn", when=is_in_friends_space),
    )
    marines = (
        habit("dodges", "dodge"),
        habit("roll again", "dice again"),
        habit(r"\? No\b|^No([.,] | to all| reaction)", "pass"),
        habit("^The attack|: apply it|: go on", "damage"),
        habit("Begin the match", "beginning"),
        habit("Put .* back", "respawn"),
        habit(": ready", "action", when=lambda: not match.done["order"]),
        habit(": advance", "action", when=lambda: not is_warm()),
        habit(": sprint", "action"),
        habit("^Open", "door", when=is_warm),
        habit("^Take Red key", "key"),
        habit("^Take", "token"),
        habit("Place an order", "order", to_dodge),
        habit("^Attack( .* on average.*)?$", "attack", pistol, per_turn=1),
        habit("^Move", "move", people.nearest(lambda: DOOR if match.done["key"] else KEY), per_turn=1),
        habit(ENDS_TURN, "end of turn"),
        *to_empty_space,
    )
    invader = (
        habit("roll again", "dice again"),
        habit(r"\? No\b|^No([.,] | to all| reaction)", "pass"),
        habit("^The attack|: apply it|: go on", "damage"),
        habit("^Draw", "cards"),
        habit("^Discard", "discards"),
        habit("Play a spawn", "spawn", comes, per_turn=1),
        habit("Activate the invaders", "invaders' turn"),
        habit("^Activate", "next figure"),
        habit("^Attack( .* on average.*)?$", "attack", per_turn=1),
        habit("^Move", "move", people.nearest(lambda: MARINES_SIDE), per_turn=1),
        habit(ENDS_TURN, "end of turn"),
        *to_empty_space,
    )
    match.plays(marines, invader, most=400)
    taps_told("2004", match)
    assert all(one.has_end for one in match.everybody)
    assert set(match.done) >= PLAYED | TO_WIN
    assert "Marines" in match.owner.seen.headline
    assert all(taps <= MOST_TAPS for taps in match.most_taps.values())
    assert match.taps_on_picture >= ON_PICTURE

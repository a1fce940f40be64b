"""A whole match of DOOM 2016 by touch alone: from an empty data folder to the winner, with three devices."""

from __future__ import annotations

import pytest

DOOR, KEY_CARD, MARINES_SIDE = "D4", "E1", "C5"
PLAYED = {
    "round", "argent", "initiative", "demons", "next figure", "card", "move", "attack", "defence", "damage",
    "end of turn", "undo",
}  # fmt: skip
TO_WIN = {"sprint", "door", "summoning", "objective"}
"""The marines' other actions before they win."""
MOST_TAPS = 3
ON_PICTURE = 3
"""Least number of answers tapped on the camera's picture."""


@pytest.mark.timeout(600)
def test_a_first_fight_is_played_from_an_empty_folder_to_its_winner(evening, people, taps_told):
    match = evening("First fight at the simulated table", "all of: Marines", "all of: Invader", is_looked_over=True)
    habit, first = people.Habit, people.first_answer

    def has_played():
        """Return whether everything was done once: from then on nobody does more than the end needs."""
        return set(match.done) >= PLAYED

    both = (
        habit("reveal a defence card", "defence"),
        habit("Apply .* damage|No damage to", "damage"),
        habit("Roll the added", "added dice"),
        habit(r"\? No\b|^No([.,] | to all| reaction)", "pass"),
    )

    def shoots(who):
        return who.says("range [346]") or first(who)

    def opens_at_table():
        """Open the door by a hand on the table: the camera soon offers its words for it, so nobody needs to tap it."""
        match.reaches_in()
        match.tablet.waits(lambda: "was opened by" in match.tablet.looks().words, "has seen no door opened")
        return False

    marines = (
        *both,
        habit("^Open ", "door", when=opens_at_table),
        habit("^The door at .* was opened by .*: right", "door"),
        habit("^Take Red key", "objective", when=has_played),
        habit("^Take ", "token", when=lambda: match.tablet.can("^Take Red key") is None),
        habit("respawns", "respawn"),
        habit("Reveal the next", "initiative", when=lambda: match.done["argent"] > 0),
        habit("^Attack( .* on average.*)?$", "attack", per_turn=1),
        habit("^Sprint", "sprint", when=lambda: match.done["damage"] > 0),
        habit("^Move", "move", people.nearest(lambda: KEY_CARD if match.done["door"] else DOOR), per_turn=1),
        habit("^Play", "card", shoots, per_turn=2),
        habit("^End", "end of turn"),
    )
    invader = (
        *both,
        habit("Prepare round", "round"),
        habit("Trade event cards", "argent", when=lambda: not match.done["argent"]),
        habit("^Summon", "summoning"),
        habit("Reveal the next", "initiative"),
        habit(r"Choose a ready|^Activate .* figures$", "demons"),
        habit("do not act", "end of turn", when=lambda: has_played() and match.done["round"] != 2),
        habit("^Activate", "next figure"),
        habit("^Attack( .* on average.*)?$", "attack", per_turn=1, when=lambda: not has_played()),
        habit("^Move", "move", people.nearest(lambda: MARINES_SIDE), per_turn=1),
        habit("^End", "end of turn"),
    )
    match.plays(marines, invader, most=300)
    taps_told("2016", match)
    assert all(one.has_end for one in match.everybody)
    assert set(match.done) >= PLAYED | TO_WIN
    assert "Marines" in match.owner.seen.headline
    assert all(taps <= MOST_TAPS for taps in match.most_taps.values())
    assert match.taps_on_picture >= ON_PICTURE

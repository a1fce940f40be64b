"""A whole skirmish of Roads of the Apocalypse by touch alone: from an empty data folder to the winner."""

from __future__ import annotations

import pytest

PLAYED = {
    "beginning", "move", "charge", "psychology", "fight", "decision", "wounds", "shot", "watch", "end of turn", "undo",
    "seen",
}  # fmt: skip
MOST_TAPS = 3
ON_PICTURE = 5
"""Least number of answers tapped on the camera's picture, where hands move the tapped models."""
HIT_HARD = {"Roll as your rules say: how many hits?": "^1$", "Wounds after armour": "^1 wound|^1$"}


@pytest.mark.timeout(600)
def test_a_skirmish_is_played_from_an_empty_folder_to_its_winner(evening, people, taps_told):
    mission = "First skirmish"
    match = evening(mission, "all of: Knights", "all of: Diggers", is_looked_over=True, is_watched=True)
    habit = people.Habit

    def tells(who):
        """Numbers as they are read off the table, a place on it by a tap, everything else by the first answer."""
        question = who.question
        if staying := who.says("It stays"):
            return staying
        if question.startswith("Where to?"):
            who.taps_table(0.3, 0.15 + 0.15 * match.done["move"])
            return ""
        if question in HIT_HARD:
            return who.says(HIT_HARD[question])
        if question.endswith("out of the game?"):
            return "It is out" if set(match.done) >= PLAYED else "It plays on"
        return people.first_answer(who)

    open_ = (
        habit("Enter wounds", "wounds", tells),
        habit("roll for|test of", "psychology", tells),
        habit("flees", "flight", tells),
        habit("Decide the fight", "decision", tells),
        habit("goes on", "way", tells),
        habit("may advance", "advance", tells),
        habit("^Draw .* into", "melee", tells),
        habit(" shoots at ", "roll of a shot", tells),
        habit(r"\? No\b|^No([.,] | to all| reaction)", "pass"),
        habit("Begin the skirmish", "beginning"),
    )

    def is_walk_seen():
        match.tablet.looks()
        return match.tablet.can("walk or run| moved | ran ") is not None

    def may_shoot():
        return match.done["decision"] or not match.done["shot"]

    def walks_at_table():
        """Return a hand walks a model first, and the camera's words for it are offered soon."""
        if not match.done["seen"]:
            match.reaches_in()
            match.tablet.waits(is_walk_seen, "has seen nobody walk")
        return bool(match.done["seen"]) and match.done["move"] < 2

    own = (
        *open_,
        habit(" moves$| moved | ran ", "seen", per_turn=1),
        habit("Put a model on overwatch", "watch", tells, per_turn=1, when=lambda: not match.done["watch"]),
        habit("^A model walks", "move", tells, per_turn=1, when=walks_at_table),
        habit(" moves$| moved | ran ", "seen", per_turn=1),  # at once: a model that charges first moves no more
        habit("shuffles straight on", "shuffle", lambda who: who.says("No place: we measured") or tells(who)),
        habit("^Charge", "charge", tells, per_turn=1),
        habit("^Shoot( The target|$)", "shot", tells, per_turn=1, when=may_shoot),
        habit("Let two models fight| and .* fight$", "fight", tells, per_turn=4),
        habit("end the .* phase", "end of turn"),
    )
    match.plays(own, own, most=300)
    taps_told("roads", match)
    assert all(one.has_end for one in match.everybody)
    assert set(match.done) >= PLAYED
    assert all(taps <= MOST_TAPS for taps in match.most_taps.values())
    assert match.taps_on_picture >= ON_PICTURE

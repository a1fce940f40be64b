"""Each side's way to win, in words with spaces, and the leading side, by the rules of each game."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from assistant.match.actor import JUDGE
from assistant.match.audience import JUDGE_VIEW, Audience
from assistant.match.games import system_of
from assistant.match.ground import board_of
from assistant.translations.messages import either, verbatim


def view(match, language="en"):
    return match.session.view(Audience(language=language))


def goals(match, language="en"):
    return {goal["side"]: goal for goal in view(match, language)["goals"]}


def test_2016_names_the_token_with_its_space_and_counts_frags(build):
    match = build.begun(build.mission("doom2016_first_fight"))
    assert goals(match)["marines"] == {
        "side": "marines",
        "text": "Fetch Red key (space I1)",
        "places": [[[8, 0]]],
    }
    assert goals(match)["invader"]["text"] == "Frag marines 2 times"
    match.do("status")
    match.do("frag", figure=next(iter(match.session.header.setup["marines"]))["id"], by=JUDGE)
    assert goals(match)["invader"]["text"] == "Frag marines: 1 more frag wins"


def test_the_tutorial_of_2016_names_the_door_and_counts_the_demons_that_are_left(build):
    match = build.begun(build.mission(build.TUTORIAL))
    own = goals(match)["marines"]
    left = len(match.game.standing("invader"))
    assert own["text"].startswith("1. Open the door ")
    assert own["text"].endswith(f"Frag every demon: {left} on the board")
    (door,) = board_of(match.session.wanted()).doors
    assert own["places"] == [[list(cell) for cell in sorted({cell for edge in door.edges for cell in edge.cells})]]


def test_several_doors_of_a_goal_are_told_as_alternatives():
    places = [verbatim(place) for place in ("A1–B1", "C1–D1", "E1–F1")]
    assert str(either(places[:1])) == "A1–B1"
    assert str(either(places[:2])) == "A1–B1 or C1–D1"
    assert either(places).worded("ru") == "A1–B1, C1–D1 или E1–F1"
    assert either(places).worded("es") == "A1–B1, C1–D1 o E1–F1"


def test_2004_says_what_to_bring_where_and_then_only_the_exit(build):
    match = build.begun(build.mission(build.KNEE_DEEP))
    assert goals(match)["marines"]["text"] == "Bring Red key (space E2) to the exit: Red door (I2–J2)"
    assert goals(match)["marines"]["places"] == [[[4, 1]], [[8, 1], [9, 1]]]
    out, _ = match.session.system.goals(replace(match.session.wanted(), keys=("red",)))
    assert str(out.text) == "The marines have Red key. Open the exit for 2 points and win: Red door (I2–J2)"


def test_2004_says_at_the_exit_that_points_are_missing_and_how_it_was_opened(build):
    def reasons():
        return match.session.view(JUDGE_VIEW)["impossible"]

    match = build.on_table(build.KNEE_DEEP)
    match.do("begin")
    match.do("place", figure="red-marine", cells=[[4, 1]])
    match.do("action", action="sprint")
    match.do("take", item="red-key")
    match.do("move", figure="red-marine", cells=[[8, 1]])
    for cells in ([[7, 1]], [[8, 1]], [[7, 1]], [[8, 1]]):
        assert reasons() == []
        match.do("move", figure="red-marine", cells=cells)
    assert match.game.the_turn().movement == 0
    assert [one["why"] for one in reasons()] == ["The exit: opening costs 2, 0 points are left"]


def test_roads_names_the_side_ahead_by_losses_and_the_enemies_that_still_stand(build):
    match = build.begun(build.mission("roads_first_skirmish"))
    assert view(match)["panels"][0]["standing"] == ["Level: all sides have lost the same share of their models"]
    assert goals(match)["knights"]["text"] == "Take out or rout every enemy"
    fewer = match.game.with_piece(match.game.piece("digger-1").gone())
    ahead, *_ = match.session.system.panels(fewer, Audience())[0].standing
    assert str(ahead) == "Ahead, with fewer losses: Knights"
    assert next(str(goal.text) for goal in system_of("roads").goals(fewer)).endswith("1 still stands")


@pytest.mark.parametrize("mission", ["doom2016_first_fight", "doom2004_knee_deep_sample", "roads_first_skirmish"])
def test_every_reader_gets_the_goals_in_his_own_language(build, mission):
    match = build.begun(build.mission(mission))
    told = {language: [goal["text"] for goal in goals(match, language).values()] for language in ("en", "ru", "es")}
    assert len({len(lines) for lines in told.values()}) == 1
    assert not set(told["en"]) & set(told["ru"])
    assert not set(told["en"]) & set(told["es"])


def test_a_goal_counts_down_only_once_something_is_done(build):
    """“1 still needed” and “2 more frags win” stood in a match before its first move."""
    for mission in ("doom2016_first_fight", "doom2004_knee_deep_sample", "roads_first_skirmish"):
        words = [goal["text"] for goal in goals(build.begun(build.mission(mission))).values()]
        assert not [text for text in words if "more" in text or "still" in text], words


def test_a_model_with_nothing_to_do_has_not_acted(roads):
    """The page said “has moved” of a model without a shot, because the phase of moves was over."""
    match = roads.skirmish(roads.fighter("a", "knights", 300, 300, weapons=[]), roads.fighter("b", "diggers", 600, 300))
    roads.go_to(match, "move", "knights")

    def state():
        entry = next(one for one in match.session.tracker().order if one.name == "a")
        return entry.has_acted, entry.is_idle

    assert state() == (False, False)
    roads.go_to(match, "shoot", "knights")
    assert state() == (False, True)

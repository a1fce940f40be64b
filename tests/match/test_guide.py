"""The attack assistant: whole attacks of all three systems by pressing what it offers and nothing else."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import DocumentError
from assistant.games.doom2004.match.attack_rules import explain_no_hit
from assistant.match.actor import JUDGE, player
from assistant.match.audience import JUDGE_VIEW, PUBLIC, Audience
from assistant.match.guide import Chances, Share, find_best
from assistant.translations.messages import said

MARINES = player("marines")
UNLOAD = {"action": "unload"}
RIFLE = {"card": "rifle", "is_main": True, "movement": 4, "attack": {"range": 9, "dice": {"red": 1, "black": 2}}}


@pytest.fixture
def tutorial(build: ModuleType) -> Any:
    """Alpha's activation with a rifle in hand; the cards are printed ones."""
    base = build.mission(build.TUTORIAL)
    marines = [{**marine, "deck": []} for marine in base.setup["marines"]]
    match = build.begun(build.with_setup(base, marines=marines, events=[], glory=[]))
    match.do("see", document=build.TABLES[build.TUTORIAL](base))
    match.do("status", shuffled_here=False)
    match.do("reveal", card="alpha")
    match.do("play", **RIFLE)
    return match


def texts(guide: dict[str, Any], part: str) -> str:
    return " ".join(entry if isinstance(entry, str) else entry["text"] for entry in guide[part])


def test_an_attack_of_2016_from_the_choice_to_the_damage(tutorial: Any, client: ModuleType) -> None:
    assert client.looked(tutorial)["stage"] == "choose"

    wish = {"attacker": "alpha", "defender": "imp-1"}
    plan = client.looked(tutorial, wish)
    assert plan["facts"]["from_table"]
    assert plan["facts"]["line_of_sight"]
    assert plan["facts"]["range"] == tutorial.session.advise(wish)["range"]
    assert plan["sight"], "the reasons for sight and range stand there"
    way = client.offer(plan, "attack")
    assert way["refusal"] is None
    assert sum(share["chance"] for share in way["odds"]["amounts"]) == pytest.approx(1)
    assert [die["color"] for die in way["roll"]["dice"]] == ["black", "black", "red"]

    client.pressed(tutorial, way, faces=["2", "1", "3"])
    shown = client.looked(tutorial)
    assert shown["stage"] == "open"
    assert [(die["color"], die["shown"]) for die in shown["rolled"]] == [("black", "2"), ("black", "1"), ("red", "3")]
    assert shown["outcome"] is None, "the defence is not known yet"

    client.pressed(tutorial, client.offer(shown, "defend"), shields=2)
    client.pressed(tutorial, client.offer(client.looked(tutorial), "modify"), reason="Rage", damage=1)
    told = client.looked(tutorial)
    assert "6 damage icons" in texts(told, "steps")
    assert "Rage: damage +1" in texts(told, "changes")
    assert told["outcome"] == "Imp 1 takes 5 damage"

    client.pressed(tutorial, client.offer(told, "resolve"))
    assert not tutorial.game.piece("imp-1").on_table
    tutorial.do("undo")
    assert tutorial.game.piece("imp-1").on_table, "one tap applies it, one takes it back"
    assert client.looked(tutorial)["outcome"] == "Imp 1 takes 5 damage"


def test_the_programs_dice_are_shown_and_repeat_with_the_seed(build: ModuleType, client: ModuleType) -> None:
    rolled = []
    for _ in range(2):
        match = build.on_table(build.TUTORIAL, seed="dice")
        match.do("status", shuffled_here=False)
        match.do("reveal", card="invader")
        match.do("activate_kind", kind="imp")
        match.do("activate", figure="imp-1")
        client.pressed(match, client.offer(client.looked(match, {"attacker": "imp-1", "defender": "alpha"}), "attack"))
        rolled.append(match.session.view(PUBLIC)["attack"]["dice"])
    assert rolled[0]
    assert rolled[0] == rolled[1]


def test_a_stunned_attacker_chooses_the_die_to_leave_out(tutorial: Any, client: ModuleType) -> None:
    tutorial.do("stun", figure="alpha")
    wish = {"attacker": "alpha", "defender": "imp-1"}
    way = client.offer(client.looked(tutorial, wish), "attack")
    assert [choice["value"] for choice in way["inputs"][0]["choices"]] == ["black", "red"]

    without_red = client.offer(client.looked(tutorial, {**wish, "drop": "red"}), "attack")
    assert [die["color"] for die in without_red["roll"]["dice"]] == ["black", "black"]
    client.pressed(tutorial, without_red, faces=["1", "1"])
    assert tutorial.game.pending.dice == (("black", 1), ("black", 1))


def test_the_rules_object_before_anybody_rolls(tutorial: Any, client: ModuleType) -> None:
    way = client.offer(client.looked(tutorial, {"attacker": "alpha", "defender": "bravo"}), "attack")
    assert "is no enemy" in way["refusal"]

    before = tutorial.session.seq
    other = client.looked(tutorial, {"attacker": "bravo", "defender": "imp-1"})
    assert other["offers"] == []
    assert other["hint"] == "It is not Bravo's turn now"
    assert tutorial.session.seq == before


def test_without_a_table_people_type_range_and_cover(build: ModuleType, client: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL))
    match.do("status", shuffled_here=False)
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    match.do("activate", figure="imp-1")
    wish = {"attacker": "imp-1", "defender": "alpha", "range": 2, "cover": True}
    plan = client.looked(match, wish)
    assert plan["facts"] == {"from_table": False, "line_of_sight": None, "range": 2, "cover": True}
    client.pressed(match, client.offer(plan, "attack"))
    client.pressed(match, client.offer(client.looked(match), "defend"))
    assert client.offer(client.looked(match), "defend")["fields"] == {"again": True}, "cover gives a second card"


def test_a_reaction_is_offered_only_where_the_hand_may_be_seen(build: ModuleType, client: ModuleType) -> None:
    match = build.on_table(build.TUTORIAL)
    match.do("status", shuffled_here=False)
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    match.do("activate", figure="imp-1")
    plan = client.looked(match, {"attacker": "imp-1", "defender": "alpha"})
    client.pressed(match, client.offer(plan, "attack"))
    hand = {card for card in match.game.deck("alpha").hand if match.game.card(card).kind == "reaction"}

    def offered(audience: Audience) -> set[str]:
        guide = match.session.guide({}, audience)
        return {offer["fields"]["card"] for offer in guide["offers"] if offer["type"] == "react"}

    assert offered(JUDGE_VIEW) == hand
    assert offered(Audience(side="marines")) == hand
    assert offered(PUBLIC) == set()
    assert offered(Audience(side="invader")) == set()


def test_a_demon_that_does_not_act_has_odds_but_no_roll(tutorial: Any, client: ModuleType) -> None:
    guide = client.looked(tutorial, {"attacker": "imp-1", "defender": "alpha"})
    way = client.offer(guide, "attack")
    assert way["odds"]["amounts"]
    assert (way["roll"], way["refusal"]) == (None, guide["hint"])
    assert guide["hint"] == "It is not Imp 1's turn now"


@pytest.fixture
def knee_deep(build: ModuleType) -> Any:
    match = build.on_table(build.KNEE_DEEP)
    match.do("begin")
    return match


def test_an_attack_of_2004_with_an_aimed_reroll(knee_deep: Any, client: ModuleType) -> None:
    match = knee_deep
    match.do("action", action="ready")
    match.do("order", order="aim")
    wish = {"attacker": "red-marine", "defender": "zombie-1"}
    plain = client.offer(client.looked(match, wish), "attack", weapon="pistol")
    aimed = client.offer(client.looked(match, {**wish, "aimed": True}), "attack", weapon="pistol")
    assert aimed["odds"]["outlook"][0]["chance"] > plain["odds"]["outlook"][0]["chance"], "aiming helps"

    lying = [die["faces"][0]["text"] for die in aimed["roll"]["dice"]]
    client.pressed(match, aimed, faces=lying)
    again = client.offer(client.looked(match), "reroll")
    assert [die["shown"] for die in again["roll"]["dice"]] == lying
    best = again["roll"]["dice"][1]["faces"][-1]["text"]
    client.pressed(match, again, faces=[best], which=[1])
    told = client.looked(match)
    assert told["steps"]
    assert "aimed" not in match.game.piece("red-marine").marks

    client.pressed(match, client.offer(told, "resolve"))
    assert match.game.pending is None
    match.do("undo")
    assert match.game.pending is not None, "what was applied can be taken back; the dice stay"


def odds_on(match: Any, target: str) -> dict[str, Any]:
    odds: dict[str, Any] = match.session.way({"type": "attack", "targets": [target]}, MARINES)["odds"]
    return odds


def test_a_target_of_2004_has_the_odds_of_the_best_weapon(knee_deep: Any, client: ModuleType) -> None:
    match = knee_deep
    match.do("action", action="unload")
    plan = client.looked(match, {"attacker": "red-marine", "defender": "zombie-1"})
    fist, pistol = (client.offer(plan, "attack", weapon=weapon)["odds"] for weapon in ("fist", "pistol"))
    assert fist["outlook"] == [], "a fist hits nothing five spaces away"
    assert (fist["mean"], fist["why"]) == (
        "no hit possible",
        "out of range: an attack hand to hand hits adjacent spaces",
    )
    assert odds_on(match, "zombie-1") == pistol, "the one weapon that hits there"
    assert pistol["outlook"][0]["chance"] > 0

    match.do("place", figure="zombie-1", cells=[[1, 0]])
    plan = client.looked(match, {"attacker": "red-marine", "defender": "zombie-1"})
    both = [client.offer(plan, "attack", weapon=weapon)["odds"] for weapon in ("fist", "pistol")]
    assert odds_on(match, "zombie-1") in both, "of a fist and a pistol, in the words of the list below"
    [*picks] = match.session.way({"type": "attack", "targets": ["zombie-1"]}, MARINES)["ask"]["picks"]
    chances = [[share["chance"] for share in pick["odds"]["outlook"]] for pick in picks]
    assert chances == sorted(chances, reverse=True), "the better weapon comes first"
    assert {pick["value"]: pick["note"] for pick in picks}["pistol"].startswith("Bullets: ")


def test_the_best_of_several_weapons_is_the_one_that_kills() -> None:
    pistol, shotgun = (
        Chances(outlook=(Share(text=said("kill"), chance=kill), Share(text=said("hit"), chance=hit)), mean=said("hit"))
        for kill, hit in ((0.0, 0.72), (0.4, 0.6))
    )
    assert find_best([pistol, shotgun]).outlook == shotgun.outlook


def test_an_attack_of_2004_that_no_roll_brings_home_says_so_before_the_action(knee_deep: Any) -> None:
    def note() -> str:
        prompts = match.session.view(JUDGE_VIEW)["prompts"]
        return str(next(prompt["note"] for prompt in prompts if prompt["fields"] == UNLOAD))

    match = knee_deep
    assert note() == "2 attacks"
    for place, invader in enumerate(("zombie-1", "zombie-3", "imp-1")):
        match.do("place", figure=invader, cells=[[11, place]])
    assert note() == "2 attacks; no enemy in sight and in range from here"
    match.do("place", figure="zombie-1", cells=[[8, 0]])
    assert note() == "2 attacks", "the longest roll just reaches"
    match.do("action", action="unload")
    assert odds_on(match, "zombie-1")["outlook"][-1]["chance"] > 0, "a hit, if no kill"
    why = explain_no_hit(match.game, match.game.piece("red-marine"), "pistol", 9)
    assert str(why) == "out of range: 9 spaces away, the dice reach 8 at most"


def test_the_wounds_of_2004_are_counted_in_russian(knee_deep: Any, client: ModuleType) -> None:
    knee_deep.do("action", action="ready")
    wish = {"attacker": "red-marine", "defender": "zombie-1"}
    told = knee_deep.session.guide(wish, Audience(language="ru"))
    way = next(way for way in told["offers"] if way["type"] == "attack" and way["fields"]["weapon"] == "pistol")
    counted = {share["text"] for share in way["odds"]["amounts"]}
    assert {"0 ран", "1 рана"} <= counted


def test_a_dodge_of_2004_is_offered_and_the_dodging_side_picks(knee_deep: Any, client: ModuleType) -> None:
    match = knee_deep
    match.do("action", action="ready")
    match.do("order", order="dodge")
    match.do("end")
    match.do("action", action="advance")
    match.do("end")
    match.do("draw")
    match.do("activations")
    match.do("activate", figure="zombie-1")
    plan = client.looked(match, {"attacker": "zombie-1", "defender": "red-marine"})
    if client.offer(plan, "attack")["refusal"] is not None:
        match.do("place", figure="zombie-1", cells=[[1, 0]])
        plan = client.looked(match, {"attacker": "zombie-1", "defender": "red-marine"})
    client.pressed(match, client.offer(plan, "attack"))
    client.pressed(match, client.offer(client.looked(match), "dodge"))
    again = client.offer(client.looked(match), "reroll")
    assert again["side"] == "marines"
    client.pressed(match, again, which=[0])
    client.pressed(match, client.offer(client.looked(match), "resolve"))


def test_the_invader_dodges_by_a_card_on_his_own_device_alone(build: ModuleType, client: ModuleType) -> None:
    base = build.mission(build.KNEE_DEEP)
    match = build.begun(build.with_setup(base, cards={f"card-{n}": {"name": f"Card {n}"} for n in range(9)}))
    match.do("see", document=build.TABLES[build.KNEE_DEEP](base))
    match.do("begin")
    match.do("action", action="advance")
    plan = client.looked(match, {"attacker": "red-marine", "defender": "zombie-1"})
    client.pressed(match, client.offer(plan, "attack", weapon="pistol"))

    public = match.session.guide({}, PUBLIC)
    assert "dodge_by_card" not in [offer["type"] for offer in public["offers"]]
    own = client.offer(match.session.guide({}, Audience(side="invader")), "dodge_by_card")
    assert {choice["value"] for choice in own["inputs"][0]["choices"]} == set(match.game.deck.hand)
    client.pressed(match, own)
    assert match.game.pending.dodger == "zombie-1"


@pytest.fixture
def bridge(build: ModuleType) -> Any:
    match = build.on_table(build.BRIDGE)
    match.do("begin")
    match.do("next")
    return match


def test_a_shot_of_roads_with_its_reaction_and_its_wounds(bridge: Any, client: ModuleType) -> None:
    match = bridge
    match.do("next")
    wish = {"attacker": "crossbow", "defender": "old-man"}
    plan = client.looked(match, wish)
    assert plan["facts"]["range"] > 0
    first = client.offer(plan, "react", how="shoot first")
    assert 0 < first["odds"]["outlook"][0]["chance"] < 1
    client.pressed(match, client.offer(plan, "react", how="duck"), faces=["6"])

    shot = client.offer(client.looked(match, wish), "shoot")
    assert shot["refusal"] is None, "what has to be filled in is no objection"
    client.pressed(match, shot, total=30, hits=2)
    wound = client.looked(match)
    assert (wound["attacker"], wound["defender"]) == ("crossbow", "old-man")
    client.pressed(match, client.offer(wound, "wound"), wounds=1)
    assert match.game.piece("old-man").harm == 1


def test_a_fight_of_roads_with_a_block(bridge: Any, client: ModuleType) -> None:
    match = bridge
    match.do("charge", figure="mortar", target="brute", center_mm=[625, 200])
    test = client.offer(client.looked(match), "test")
    assert test["odds"]["outlook"][0]["chance"] == pytest.approx(5 / 6)
    client.pressed(match, test, faces=["5"])
    match.do("next")
    match.do("next")
    for name in match.game.to_draw_in:
        match.do("draw_in", figure=name, avoids=True)

    fight = client.offer(client.looked(match, {"attacker": "mortar", "defender": "brute"}), "fight")
    assert sum(share["chance"] for share in fight["odds"]["outlook"]) == pytest.approx(1)
    client.pressed(match, fight, faces=["4", *["6"] * (len(fight["roll"]["dice"]) - 1)], conditions=["higher"])
    block = client.offer(client.looked(match), "reroll", why="block")
    client.pressed(match, block, faces=["1"])
    told = client.looked(match)
    assert "higher" in texts(told, "steps") or told["steps"]
    client.pressed(match, client.offer(told, "strike"))
    assert match.game.hits or match.game.fought


@pytest.mark.parametrize("language", ["ru", "es"])
def test_the_guide_speaks_the_readers_language(tutorial: Any, language: str) -> None:
    wish = {"attacker": "alpha", "defender": "imp-1"}
    english = tutorial.session.guide(wish, Audience())
    worded = tutorial.session.guide(wish, Audience(language=language))
    assert worded["offers"][0]["text"] != english["offers"][0]["text"]
    assert [step["text"] for step in worded["sight"]] != [step["text"] for step in english["sight"]]


def test_figures_that_are_not_there_or_not_to_be_known_of_are_answered_alike(tutorial: Any) -> None:
    for name in ("nobody", "cacodemon-1"):
        for audience in (Audience(side="marines"), PUBLIC):
            guide = tutorial.session.guide({"attacker": "alpha", "defender": name}, audience)
            assert (guide["stage"], guide["attacker"], guide["defender"]) == ("choose", "alpha", None)
            assert guide["offers"] == []
            assert guide["hint"].replace(name, "") == "there is no figure “” on the table; choose one that is listed"


def test_who_has_fallen_is_chosen_no_more(tutorial: Any, client: ModuleType) -> None:
    for wish in ({"attacker": "alpha", "defender": "imp-1"}, {"attacker": "imp-1", "defender": "alpha"}):
        assert client.looked(tutorial, wish)["stage"] == "plan"
    tutorial.do("frag", by=JUDGE, figure="imp-1")
    for wish in ({"attacker": "alpha", "defender": "imp-1"}, {"attacker": "imp-1", "defender": "alpha"}):
        guide = client.looked(tutorial, wish)
        assert (guide["stage"], [guide["attacker"], guide["defender"]].count(None)) == ("choose", 1)


@pytest.mark.parametrize("mission", ["TUTORIAL", "KNEE_DEEP"])
def test_whose_place_nobody_knows_is_told_of_and_no_question_about_him_is_refused(
    build: ModuleType, mission: str
) -> None:
    match = build.on_table(getattr(build, mission))
    first, second = (match.game.standing(side)[0] for side in ("marines", "invader"))
    small = build.corridor(2, 2)
    figure = {"id": first.id, "kind": first.kind, "side": first.side, "cells": [[0, 0]]}
    match.do("see", by=JUDGE, document={**small, "figures": [figure]})
    lost = match.game.piece(second.id)
    assert lost.on_table
    assert lost.cells == (), "the table that is seen now has no such cells"
    guide = match.session.guide({"attacker": first.id, "defender": second.id}, PUBLIC)
    assert (guide["stage"], guide["attacker"], guide["defender"]) == ("choose", first.id, None)
    assert "nobody knows where" in guide["hint"]


@pytest.mark.parametrize("wish", [{"attacker": 5}, {"range": -1}, {"range": 1.5}, {"who": "alpha"}, {"cover": "yes"}])
def test_what_is_no_wish_is_refused(tutorial: Any, wish: dict[str, Any]) -> None:
    with pytest.raises(DocumentError):
        tutorial.session.guide(wish, PUBLIC)


def test_asking_changes_nothing_and_tells_no_dice(tutorial: Any) -> None:
    before = tutorial.session.timeline
    documents = [tutorial.session.guide({"attacker": "alpha", "defender": "imp-1"}, JUDGE_VIEW) for _ in range(3)]
    assert tutorial.session.timeline is before
    assert documents[0] == documents[1] == documents[2]


def test_only_a_judge_is_offered_to_call_an_attack_off(tutorial: Any, client: ModuleType) -> None:
    client.pressed(
        tutorial, client.offer(client.looked(tutorial, {"attacker": "alpha", "defender": "imp-1"}), "attack")
    )
    for audience, offered in ((PUBLIC, False), (JUDGE_VIEW, True)):
        types = [offer["type"] for offer in tutorial.session.guide({}, audience)["offers"]]
        assert ("call_off" in types) is offered
    tutorial.do("call_off", by=JUDGE)
    assert tutorial.game.pending is None


def test_another_sides_player_gets_a_refusal_and_no_roll(tutorial: Any, client: ModuleType) -> None:
    way = client.offer(client.looked(tutorial, {"attacker": "alpha", "defender": "imp-1"}), "attack")
    with pytest.raises(Exception, match="decides that"):
        tutorial.do("attack", by=player("invader"), **way["fields"])


def test_faces_that_show_more_than_a_number_have_a_legend(build: ModuleType, tutorial: Any, client: ModuleType) -> None:
    match = build.on_table(build.KNEE_DEEP)
    match.script([("begin", {}), ("action", {"action": "ready"})])
    assert "range / damage" in client.looked(match, {"attacker": "red-marine", "defender": "zombie-1"})["legend"]
    assert client.looked(tutorial, {"attacker": "alpha", "defender": "imp-1"})["legend"] is None

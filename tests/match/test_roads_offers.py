"""A skirmish's offers to the side to play are complete and never useless; and the reasons of a shot."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from assistant.games.roads.match import SYSTEM
from assistant.games.roads.match.psychology import find_charge_targets, list_tests_of_turn, reasons_of_shot
from assistant.games.roads.match.state import Mark
from assistant.match.actor import JUDGE
from assistant.match.audience import JUDGE_VIEW, PUBLIC

PISTOL = {"pistol": {"kind": "pistol"}}


def standing(roads: ModuleType, apart_mm: float, **more: Any) -> Any:
    """Return a knight with a pistol and a digger, so far apart."""
    return roads.skirmish(
        roads.fighter("a", "knights", 300, 300, weapons=["pistol"], charge_steps=4, **more),
        roads.fighter("b", "diggers", 300 + apart_mm, 300),
        arms=PISTOL,
    )


def may_act(game: Any, kind: str) -> bool:
    """Return whether the side to play is offered that command; a walk and a run are moves."""
    offers = [prompt for prompt in SYSTEM.prompts(game) if prompt.side == game.active]
    return any(kind in (prompt.type, prompt.fields.get("how")) for prompt in offers)


def with_mark(match: Any, figure: str, mark: str) -> Any:
    return match.game.with_piece(match.game.piece(figure).marked(mark))


def test_a_shot_is_offered_at_an_enemy_out_of_hiding(roads: ModuleType) -> None:
    match = standing(roads, 300)
    roads.go_to(match, "shoot", "knights")
    assert may_act(match.game, "shoot")
    assert not may_act(with_mark(match, "b", Mark.HIDDEN), "shoot")
    match.do("shoot", figure="a", target="b", weapon="pistol")
    assert not may_act(match.game, "shoot"), "the pistol has been shot with"


def test_a_charge_is_offered_while_an_enemy_is_in_reach(roads: ModuleType) -> None:
    near, far = standing(roads, 150), standing(roads, 700)
    for match in (near, far):
        roads.go_to(match, "move", "knights")
    assert may_act(near.game, "charge")
    assert not may_act(far.game, "charge")
    assert may_act(far.game, "walk")


def test_a_gap_is_offered_to_a_model_that_may_move_or_must_charge_in_frenzy(roads: ModuleType) -> None:
    calm, wild = standing(roads, 150), standing(roads, 150, frenzy=True)
    for match in (calm, wild):
        roads.go_to(match, "move", "knights")
    assert may_act(calm.game, "manoeuvre")
    assert may_act(wild.game, "manoeuvre"), "he may charge out of a jump"
    assert not may_act(with_mark(calm, "a", Mark.STILL), "manoeuvre")


def test_a_fight_is_offered_to_a_model_in_contact(roads: ModuleType) -> None:
    touching, apart = standing(roads, 25), standing(roads, 150)
    for match, is_offered in ((touching, True), (apart, False)):
        roads.go_to(match, "melee")
        assert may_act(match.game, "fight") is is_offered


def test_a_shot_out_of_hiding_tells_of_the_ambush_and_one_on_watch_of_the_watch(roads: ModuleType) -> None:
    """«…если в конце фазы стрельбы … бойцы противника видят …» and “Стрельба в дозоре” are rules of their own."""
    match = standing(roads, 300)

    def rules(mark: str) -> set[str]:
        return {reason.rule for reason in reasons_of_shot(with_mark(match, "a", mark), "a", "b")}

    assert reasons_of_shot(match.game, "a", "b") == ()
    assert rules(Mark.HIDDEN)
    assert rules(Mark.WATCH)
    assert rules(Mark.HIDDEN).isdisjoint(rules(Mark.WATCH))


def test_a_shot_is_offered_at_the_second_enemy_where_the_first_is_hidden(roads: ModuleType) -> None:
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, weapons=["pistol"]),
        roads.fighter("b", "diggers", 600, 300),
        roads.fighter("c", "diggers", 600, 500),
        arms=PISTOL,
    )
    roads.go_to(match, "shoot", "knights")
    assert may_act(with_mark(match, "b", Mark.HIDDEN), "shoot")


def test_the_leaders_spirit_counts_wherever_he_is_in_the_list(roads: ModuleType) -> None:
    """«Если результат меньше или равен Силе духа командира отряда, игрок прошёл тест…»"""
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, spirit=6),
        roads.fighter("leader", "knights", 300, 400, spirit=2, is_leader=True),
        roads.fighter("b", "knights", 300, 500, spirit=5),
        roads.fighter("c", "diggers", 900, 300),
    )
    match.do("wound", figure="b", out=True)
    assert [due.value for due in list_tests_of_turn(match.game, "knights") if due.kind == "rout"] == [2]


def test_nobody_is_in_the_charge_range_of_a_model_that_is_not_on_the_table(roads: ModuleType) -> None:
    match = standing(roads, 150)
    assert find_charge_targets(match.game, "a") == ("b",)
    assert find_charge_targets(match.game.with_piece(match.game.piece("a").gone()), "a") is None


def test_a_stupid_model_stops_one_step_before_an_enemy(roads: ModuleType) -> None:
    match = roads.skirmish(
        roads.fighter("ogre", "knights", 300, 300, stupid=True, walk_steps=4, spirit=2),
        roads.fighter("enemy", "diggers", 400, 300),
    )
    roads.roll(match, 6, 3)
    match.do("next")
    match.do("move", figure="ogre", center_mm=[325, 300])
    assert match.game.piece("ogre").center_mm == (325, 300), "a step of 50 mm is left between the bases"


def test_a_stupid_model_of_unknown_speed_shuffles_as_people_say(roads: ModuleType) -> None:
    match = roads.skirmish(
        roads.fighter("ogre", "knights", 300, 300, stupid=True, spirit=2), roads.fighter("enemy", "diggers", 900, 300)
    )
    roads.roll(match, 6, 3)
    match.do("next")
    match.do("move", figure="ogre", center_mm=[300, 340])
    assert match.game.piece("ogre").center_mm == (300, 340)
    match.do("undo", by=JUDGE)
    match.do("move", figure="ogre")
    assert match.game.piece("ogre").center_mm == (300, 300)


def test_a_wound_ends_a_watch(roads: ModuleType) -> None:
    match = standing(roads, 300)
    match.do("watch", figure="a")
    receipt = match.do("wound", figure="a", wounds=1)
    assert Mark.WATCH not in roads.marks(match, "a")
    assert str(receipt.title) == "A: 1 wound"
    assert str(match.do("wound", figure="a", out=True).title) == "A: out"


def test_a_model_that_may_advance_and_stays_is_reported_as_staying(roads: ModuleType) -> None:
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300),
        roads.fighter("b", "diggers", 325, 300),
        roads.fighter("c", "diggers", 900, 300),
    )
    roads.go_to(match, "melee")
    roads.fight(match, "a", "b", [6], [1])
    match.do("wound", figure="b", out=True)
    assert match.game.to_advance == ("a",)
    assert str(match.do("advance", figure="a", stays=True).title) == "A stays"


def test_no_shot_is_planned_with_a_blade(roads: ModuleType) -> None:
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, weapons=["axe"]),
        roads.fighter("b", "diggers", 600, 300, weapons=["axe", "pistol"]),
        arms={**PISTOL, "axe": {"kind": "melee"}},
    )
    roads.go_to(match, "shoot", "knights")
    planned = match.session.guide({"attacker": "a", "defender": "b"}, PUBLIC)
    assert planned["offers"] == []
    assert planned["hint"] == "A has no attack ready now"
    roads.go_to(match, "shoot", "diggers")
    offers = match.session.guide({"attacker": "b", "defender": "a"}, PUBLIC)["offers"]
    shot = next(offer for offer in offers if offer["type"] == "shoot")
    weapons = next(asked for asked in shot["inputs"] if asked["field"] == "weapon")
    assert [choice["value"] for choice in weapons["choices"]] == ["pistol"]


def test_a_model_without_weapons_is_offered_no_shot(roads: ModuleType) -> None:
    match = roads.skirmish(roads.fighter("a", "knights", 300, 300, weapons=[]), roads.fighter("b", "diggers", 600, 300))
    roads.go_to(match, "shoot", "knights")
    guide = match.session.guide({"attacker": "a", "defender": "b"}, PUBLIC)
    assert (guide["stage"], guide["offers"], guide["hint"]) == ("plan", [], "A has no attack ready now")


def test_what_is_left_of_a_model_counts_wounds_where_its_sheet_says_how_many_put_it_out(build: ModuleType) -> None:
    match = build.begun(build.mission("roads_first_skirmish"))
    match.do("begin")

    def left(figure: str) -> tuple[int, int]:
        entry = next(one for one in match.session.tracker().order if one.name == figure)
        return entry.health, entry.health_max

    assert left("brute") == (2, 2), "Toughness 5, and out at two wounds"
    match.do("wound", figure="brute", wounds=1)
    assert left("brute") == (1, 2)


def test_hits_have_a_button_each_and_a_shot_says_who_may_react(build: ModuleType, roads: ModuleType) -> None:
    match = standing(roads, 200)
    roads.go_to(match, "shoot", "knights")
    notes = {prompt["type"]: prompt["note"] for prompt in match.session.view(JUDGE_VIEW)["prompts"]}
    assert not notes["shoot"], "its title says it all"
    assert notes["announce"] == "The target may duck, take cover or shoot first"
    shots = [one for one in match.session.view(JUDGE_VIEW)["prompts"] if one["type"] in ("announce", "shoot", "react")]
    titles = [(one["type"], one["title"]) for one in shots]
    assert titles == [("announce", "Shoot"), ("shoot", "Shoot at once: nobody reacts")], "who and whom come first"
    match.do("announce", figure="a", target="b")
    reactions = [one["title"] for one in match.session.view(JUDGE_VIEW)["prompts"] if one["type"] == "react"]
    assert reactions == ["B ducks", "B takes cover", "B tries to shoot first"], "one tap each, without a question"
    match.do("shoot", figure="a", target="b", weapon="pistol", hits=3)
    (wound,) = (prompt for prompt in match.session.view(JUDGE_VIEW)["prompts"] if prompt["type"] == "wound")
    assert wound["title"] == "Enter wounds: 3 hits on B by A"
    asked = match.session.way({"type": "wound", "figure": "b"}, JUDGE)["ask"]
    assert [pick["value"] for pick in asked["picks"]] == [0, 1, 2, 3], "a button for each"


def test_a_target_says_how_far_it_is_and_what_reaches_it(roads: ModuleType) -> None:
    match = standing(roads, 200)
    roads.go_to(match, "move", "knights")
    charge = match.session.way({"type": "charge", "figure": "a"}, JUDGE)["ask"]
    assert charge["text"] == "Charge whom?"
    assert [pick["note"] for pick in charge["picks"]] == ["3.5 steps away, in reach"]
    roads.go_to(match, "shoot", "knights")
    shot = match.session.way({"type": "announce", "figure": "a"}, JUDGE)["ask"]
    assert shot["text"] == "Shoot at whom?"
    assert [pick["note"] for pick in shot["picks"]] == ["3.5 steps away"]


def test_the_sum_of_a_fight_is_a_row_for_each_model(roads: ModuleType) -> None:
    """It was a paragraph of nine lines in the green button."""
    match = standing(roads, 25)
    roads.go_to(match, "melee", "knights")
    match.do("fight", fighters=["a", "b"], rolled_here=False, rolls=[[6], [1]])
    (strike,) = (prompt for prompt in match.session.view(JUDGE_VIEW)["prompts"] if prompt["type"] == "strike")
    rows = strike["note"].split("\n")
    assert len(rows) == 4
    assert [row.split(":")[0] for row in rows[1:3]] == ["A", "B"]
    assert "wins with" in rows[3]


def test_each_reaction_says_what_it_gives_and_waits_for_the_side_of_the_target(roads: ModuleType) -> None:
    match = standing(roads, 200)
    roads.go_to(match, "shoot", "knights")
    match.do("announce", figure="a", target="b")
    view = match.session.view(JUDGE_VIEW)
    reactions = [prompt for prompt in view["prompts"] if prompt["type"] == "react"]
    assert all("D6" in prompt["note"] for prompt in reactions)
    assert (view["waits"]["side"], view["waits"]["text"]) == ("diggers", "B answers the shot, or not")
    match.do("react", figure="b", shooter="a", how="duck")
    assert "The shot needs" in match.session.view(JUDGE_VIEW)["history"][-1]["title"]

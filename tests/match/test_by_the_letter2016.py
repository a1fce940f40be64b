"""DOOM 2016 as a rules lawyer reads it: who decides, when, and no stuck states; each with its sentence."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import BadValue, IllegalStep, NotYours
from assistant.games.doom2016.rules.ruleset import Doom2016
from assistant.match.actor import CAMERA, JUDGE, player
from assistant.match.audience import Audience
from assistant.match.missions import mission_document, mission_from_fields
from assistant.match.replay import replay_match
from assistant.rules.barriers import Barriers
from assistant.rules.grid import Grid
from assistant.table.board import Board, Figure
from assistant.table.lattice import edge_between

MARINES, INVADER = player("marines"), player("invader")
RIFLE = {"card": "rifle", "is_main": True, "movement": 4, "attack": {"range": 9, "dice": {"black": 3}}}
DICE = {"rolled_here": False, "dice": [["black", 1]] * 3}


def begun(build: ModuleType, document: Any = None, options: Any = None, **changes: Any) -> Any:
    """Return the tutorial with printed cards, in its first round, on a corridor of three rows."""
    base = build.mission(build.TUTORIAL)
    marines = [{**one, "deck": []} for one in base.setup["marines"]]
    setup = {"marines": marines, "events": [], "glory": [], **changes}
    match = build.begun(build.with_setup(base, **setup), options=options)
    match.do("see", document=document or build.corridor(13, 3, {"d1": ((11, 1), (12, 1))}))
    match.do("status", shuffled_here=False)
    return match


def put(match: Any, **places: Any) -> None:
    for name, cells in places.items():
        match.do("place", by=JUDGE, figure=name.replace("_", "-"), cells=cells)


def pinky_acts(build: ModuleType, **options: str) -> Any:
    """Return a two-cell pinky three cells from Bravo, who is alone in the middle."""
    match = begun(build, options=options, invasion=[], portals=[])
    places: dict[str, Any] = {
        "possessed_2": [[11, 0]],
        "imp_2": [[10, 2]],
        "imp_1": [[12, 0]],
        "possessed_1": [[11, 2]],
    }
    put(match, **places, charlie=[[12, 2]], pinky_1=[[7, 1], [8, 1]], bravo=[[4, 1]])
    match.do("reveal", card="alpha")
    match.do("end")
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="pinky")
    match.do("activate", figure="pinky-1")
    return match


# «Когда большая фигура заканчивает свое движение на клетке с одной или несколькими маленькими фигурами, каждая
# маленькая фигура перемещается в ближайшие незанятые клетки, по выбору его владельца.» (seed 001)

ENDS_ON_BRAVO = {"figure": "pinky-1", "cells": [[4, 1], [5, 1]]}


def test_the_owner_of_a_displaced_figure_says_where_it_goes(build: ModuleType) -> None:
    match = pinky_acts(build)
    with pytest.raises(NotYours, match="Marines"):
        match.do("move", by=INVADER, **ENDS_ON_BRAVO, displaced={"bravo": [[3, 1]]})
    match.do("move", by=INVADER, **ENDS_ON_BRAVO)
    with pytest.raises(IllegalStep, match="owners choose a cell first"):
        match.do("end", by=INVADER)
    with pytest.raises(NotYours):
        match.do("displace", by=INVADER, figure="bravo", cells=[[3, 1]])
    with pytest.raises(IllegalStep, match="nearest free cell"):
        match.do("displace", by=MARINES, figure="bravo", cells=[[0, 1]])
    ask = match.session.way({"type": "displace", "figure": "bravo"}, MARINES)["ask"]
    assert [pick["value"] for pick in ask["picks"]] == [
        [[3, 0]],
        [[3, 1]],
        [[3, 2]],
        [[4, 0]],
        [[4, 2]],
        [[5, 0]],
        [[5, 2]],
    ]
    match.do("displace", by=MARINES, figure="bravo", cells=[[4, 2]])
    assert match.game.piece("bravo").cells == ((4, 2),)
    assert not replay_match(match.document(), "m").findings


def test_the_side_of_a_displaced_figure_is_asked_by_name(build: ModuleType) -> None:
    match = pinky_acts(build)
    match.do("move", by=INVADER, **ENDS_ON_BRAVO)
    for side in (None, "marines", "invader"):
        prompts = match.session.view(Audience(side=side))["prompts"]
        assert [(p["type"], p["side"], p["fields"]) for p in prompts] == [("displace", "marines", {"figure": "bravo"})]
    assert match.game.side_to_act() == "marines"


def pocket(build: ModuleType) -> dict[str, Any]:
    """Return the corridor with two walled-in end cells. Only a large figure crosses the impassable line there."""
    document = dict(build.corridor(13, 3, {"d1": ((11, 1), (12, 1))}))
    walled = [((x, y), (x, y + 1)) for x in (0, 1) for y in (0, 1)]
    edges = [(edge_between(*pair), "wall") for pair in walled] + [(edge_between((1, 1), (2, 1)), "impassable")]
    edges += [(edge_between((1, y), (2, y)), "wall") for y in (0, 2)]
    drawn = [{"from": list(edge.start), "to": list(edge.end), "kind": kind} for edge, kind in edges]
    return {**document, "edges": [*document["edges"], *drawn]}


@pytest.mark.parametrize("choice", ["fragged", "no_end"])
def test_a_displaced_figure_with_nowhere_to_go_follows_the_house(build: ModuleType, choice: str) -> None:
    match = pinky_acts(build, displaced_nowhere=choice)
    match.do("see", by=CAMERA, document=pocket(build))
    put(match, bravo=[[1, 1]], pinky_1=[[3, 1], [4, 1]])
    ends = {"figure": "pinky-1", "cells": [[0, 1], [1, 1]]}
    if choice == "no_end":
        with pytest.raises(IllegalStep, match="the house lets no large figure end there"):
            match.do("move", by=INVADER, **ends)
        return
    match.do("move", by=INVADER, **ends)
    [prompt] = match.session.view(Audience(side="marines"))["prompts"]
    assert prompt["text"] == "Bravo finds no free cell and is fragged"
    match.do("displace", by=MARINES, figure="bravo")
    assert (match.game.piece("bravo").on_table, match.game.frags) == (False, 1)


# «Морпех разыгрывает по одной карте за раз. … 1. Получить Очки Движения … 2. Атака» (seed 001)


def test_the_attack_of_a_card_lapses_with_the_next_card_and_the_prompt_says_so(build: ModuleType) -> None:
    match = begun(build)
    match.do("reveal", card="alpha")
    match.do("play", **RIFLE)
    [prompt] = [p for p in match.session.view(Audience(side="marines"))["prompts"] if p["type"] == "play"]
    assert prompt["text"] == "Play another action card; the attack that is left lapses"
    match.do("play", card="bonus", movement=2)
    assert match.game.turn.attacks == ()
    with pytest.raises(IllegalStep, match="no attack is left"):
        match.do("attack", defender="imp-1", **DICE)
    assert match.game.turn.movement == 6, "«и может использовать их в любое время»"


# «3. Определить защиту … 4. Добавить эффекты «Во время атаки» … 5. Подсчитать урон» (seed 001)


def attacked(build: ModuleType) -> Any:
    match = begun(build)
    match.do("reveal", card="alpha")
    match.do("play", **RIFLE)
    match.do("attack", defender="imp-1", **DICE)
    return match


def test_the_attacker_adds_effects_after_the_defence_and_has_the_last_word(build: ModuleType) -> None:
    match = attacked(build)
    with pytest.raises(IllegalStep, match="the defence comes first"):
        match.do("modify", reason="rage", damage=2)
    match.do("defend", shields=1)
    match.do("modify", reason="skin", shields=1)
    match.do("modify", reason="rage", damage=2)
    with pytest.raises(IllegalStep, match="the defence is over"):
        match.do("modify", reason="late", shields=1)
    match.do("resolve")
    assert match.game.piece("imp-1").harm == 3 if match.game.piece("imp-1").on_table else True


def test_what_favours_a_side_is_for_that_side(build: ModuleType) -> None:
    match = attacked(build)
    match.do("defend", by=INVADER, shields=0)
    with pytest.raises(NotYours):
        match.do("modify", by=INVADER, reason="rage", damage=1)
    with pytest.raises(NotYours):
        match.do("modify", by=MARINES, reason="skin", shields=1)


def test_no_second_card_without_cover_is_refused_by_the_rule_of_cover(build: ModuleType) -> None:
    match = attacked(build)
    match.do("defend", shields=0)
    with pytest.raises(IllegalStep, match="only a defender in cover") as refused:
        match.do("defend", again=True)
    assert refused.value.rule.id == "doom2016/cover-card"


# «может использовать для вызова демонов в начале каждой фазы Статуса» (seed 001)


def test_threat_is_spent_before_new_event_cards_are_drawn(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    flow = {"name": "Flow", "card": "threat", "on": "status", "outcomes": [{"outcome": "threat", "count": 2}]}
    goals = {**base.setup["goals"], "tutorial": False}
    match = begun(build, events=base.setup["events"], triggers=[flow], threat_cost=1, goals=goals)
    assert match.game.deck("invader").hand == ()
    for type_, fields in (("reveal", {"card": "alpha"}), ("gain_argent", {"cards": ["x"], "onto": {"imp": 1}})):
        with pytest.raises(IllegalStep, match="draws event cards first"):
            match.do(type_, **fields)
    match.do("spend_threat", portal="portal-1")
    with pytest.raises(IllegalStep, match="has to summon first"):
        match.do("draw_events")
    group = next(i for i, g in enumerate(base.setup["invasion"]) if g["portal"] == base.setup["portals"][0]["color"])
    asked = {"type": "summon", "portal": "portal-1", "group": group}
    way = match.session.way(asked, INVADER)["ask"]
    match.do(
        "summon",
        portal="portal-1",
        group=group,
        cells=way["skipped"] or way["picks"][0]["value"],
        **_argent(match, group),
    )
    match.do("draw_events")
    assert len(match.game.deck("invader").hand) == 6
    with pytest.raises(IllegalStep, match="start of the status phase"):
        match.do("spend_threat", portal="portal-2")
    assert not replay_match(match.document(), "m").findings


def _argent(match: Any, group: int) -> dict[str, Any]:
    wanted = match.game.setup.invasion[group]
    return {"argent": {next(iter(wanted.demons)): wanted.argent}} if wanted.argent else {}


# «размещая фигуры на портале и вокруг него» (seed 001): a group that finds no room comes as far as there is room


def crowded(build: ModuleType) -> Any:
    """Return a portal with one free cell, and two demons to summon."""
    document = dict(build.corridor(13, 3))
    around = [((8, 1), (9, 1)), ((8, 2), (9, 2)), ((8, 1), (8, 2)), ((9, 1), (9, 2))]
    walls = [{"from": list(a), "to": list(b), "kind": "wall"} for a, b in around]
    door = {"id": "d1", "edges": [{"from": [7, 2], "to": [7, 3]}], "open": False}
    match = begun(build, {**document, "edges": [*document["edges"], *walls], "doors": [door]})
    match.do("reveal", card="alpha")
    put(match, alpha=[[6, 2]])
    match.do("play", **RIFLE)
    match.do("open_door", door="d1")
    return match


def test_an_opened_door_is_called_by_its_place(build: ModuleType) -> None:
    assert crowded(build).session.history()[-1]["title"] == "Alpha opens the door G3–H3"


def test_a_group_comes_as_far_as_there_is_room(build: ModuleType) -> None:
    match = crowded(build)
    with pytest.raises(IllegalStep, match="this group brings 2"):
        match.do("summon", portal="portal-1", group=0, cells={}, argent={"possessed": 1})
    match.do("summon", portal="portal-1", group=0, cells={"possessed-3": [[8, 1]]}, argent={"possessed": 1})
    assert match.game.piece("possessed-3").on_table
    assert "portal-1" not in match.game.summons_due


def test_a_portal_without_any_room_brings_nobody_and_the_match_goes_on(build: ModuleType) -> None:
    match = crowded(build)
    put(match, charlie=[[8, 1]])
    match.do("summon", portal="portal-1", group=0, cells={}, argent={"possessed": 1})
    assert "portal-1" not in match.game.summons_due
    assert match.game.piece("possessed-3").on_table is False


# «В начале следующей активации убитый морпех возрождается.» (seed 001)


def fragged_alpha(build: ModuleType, **options: str) -> Any:
    match = begun(build, options=options, teleporters=[{"id": "t1", "cell": [1, 1]}])
    match.do("frag", by=JUDGE, figure="alpha")
    return match


def test_who_can_come_back_has_to(build: ModuleType) -> None:
    match = fragged_alpha(build)
    put(match, bravo=[[0, 2]])
    match.do("reveal", card="alpha")
    with pytest.raises(IllegalStep, match="respawn on an active teleporter first"):
        match.do("end")
    match.do("respawn", teleporter="t1")
    assert match.game.piece("alpha").cells == ((1, 1),)


@pytest.mark.parametrize("choice", ["passes", "beside"])
def test_marines_on_every_active_teleporter_follow_the_house(build: ModuleType, choice: str) -> None:
    match = fragged_alpha(build, teleporters_taken=choice)
    put(match, bravo=[[1, 1]])
    match.do("reveal", card="alpha")
    if choice == "passes":
        with pytest.raises(IllegalStep, match="Bravo stands on"):
            match.do("respawn", teleporter="t1")
        match.do("end")
        return
    with pytest.raises(IllegalStep, match="respawn"):
        match.do("end")
    with pytest.raises(IllegalStep, match="choose a cell beside"):
        match.do("respawn", teleporter="t1", cells=[[9, 0]])
    match.do("respawn", teleporter="t1", cells=[[0, 0]])
    assert match.game.piece("alpha").cells == ((0, 0),)


# «Если оглушенный защищается – он не может брать карту, защищающую от атаки.» (seed 001): open for reactions


def an_imp_attacks_stunned_alpha(match: Any) -> None:
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    match.do("activate", figure="imp-1")
    match.do("stun", by=JUDGE, figure="alpha", on=True)
    colors = match.game.turn.attacks[0].dice
    dice = [[color, 1] for color, count in sorted(colors.items()) for _ in range(count)]
    match.do("attack", defender="alpha", rolled_here=False, dice=dice)


@pytest.mark.parametrize("choice", ["allowed", "refused"])
def test_a_reaction_of_a_stunned_defender_follows_the_house(build: ModuleType, choice: str) -> None:
    match = begun(build, options={"stunned_reaction": choice})
    an_imp_attacks_stunned_alpha(match)
    react = {"card": "armour", "figure": "alpha", "shields": 1}
    if choice == "allowed":
        match.do("react", **react)
        return
    with pytest.raises(IllegalStep, match="stunned defender play no reaction that protects"):
        match.do("react", **react)


def test_a_stunned_defender_plays_a_reaction_that_protects_from_nothing(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    hop = {"name": "Hop", "kind": "reaction", "effects": [{"effect": "movement", "points": 2}]}
    cards = {name: hop if name == "armour" else dict(card) for name, card in base.setup["cards"].items()}
    match = begun(build, options={"stunned_reaction": "refused"}, cards=cards)
    an_imp_attacks_stunned_alpha(match)
    match.do("react", card="armour", figure="alpha")


# «Нельзя использовать несколько одинаковых карт одновременно.» (seed 001): open outside an attack


@pytest.mark.parametrize("choice", ["attack", "activation"])
def test_event_cards_of_one_name_follow_the_house(build: ModuleType, choice: str) -> None:
    base = build.mission(build.TUTORIAL)
    rush = {"name": "Rush", "when": "activation", "effects": [{"effect": "movement", "points": 2}]}
    cards = {name: rush if name.startswith("event") else dict(card) for name, card in base.setup["cards"].items()}
    match = begun(build, options={"same_events": choice}, events=base.setup["events"], cards=cards)
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    match.do("activate", figure="imp-1")
    match.do("play_event", card=match.game.deck("invader").hand[0])
    if choice == "attack":
        match.do("play_event", card=match.game.deck("invader").hand[0])
        return
    with pytest.raises(IllegalStep, match="of this name"):
        match.do("play_event", card=match.game.deck("invader").hand[0])


# «6 Кубиков (4 Красных, 2 Черных)» (seed 001)


def test_a_card_that_people_type_rolls_no_more_dice_than_the_box_has(build: ModuleType) -> None:
    match = begun(build)
    match.do("reveal", card="alpha")
    match.do("play", card="printed", is_main=True, attack={"range": 9, "dice": {"red": 5, "black": 3}})
    with pytest.raises(IllegalStep, match="the box has 6 dice"):
        match.do("attack", defender="imp-1", rolled_here=False, dice=[["red", 1]] * 5 + [["black", 1]] * 3)


ODD_EFFECT = {"effect": "heal", "points": 1, "spare": 1}


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("sheild", {"sheild": True}),
        ("marines[0].sheild", {"marines": [{"id": "alpha", "sheild": True}]}),
        (
            "cards.x.effects[0].spare",
            {"cards": {"x": {"name": "X", "effects": [{"effect": "heal", "points": 1, "spare": 1}]}}},
        ),
        ("portals[0].colour", {"portals": [{"id": "p", "color": "red", "cell": [0, 0], "colour": "red"}]}),
    ],
)
def test_a_mission_with_an_unknown_field_is_refused_by_name(build: ModuleType, field: str, changes: Any) -> None:
    odd = build.with_setup(build.mission(build.TUTORIAL), **changes)
    with pytest.raises(BadValue) as refused:
        build.begun(odd)
    assert refused.value.field == f"setup.{field}"
    fields = {name: value for name, value in mission_document(odd).items() if name != "format"}
    with pytest.raises(BadValue) as read:
        mission_from_fields(fields)
    assert read.value.field == f"setup.{field}"


# «Если любая из этих линий проходит через стену …, Защитник получает Укрытие.» (seed 001): open along a wall


@pytest.mark.parametrize(("choice", "cover"), [("gives", True), ("none", False)])
def test_cover_down_a_corridor_of_one_space_follows_the_house(choice: str, cover: bool) -> None:
    ends = (Figure("a", "marine", "marines", ((0, 0),)), Figure("d", "imp", "invader", ((3, 0),)))
    board = Board(frozenset((x, 0) for x in range(6)), {}, (), figures=ends)
    ruling = Doom2016({"cover_along_wall": choice}).rule(board, "a", "d")
    assert (ruling.line_of_sight, ruling.cover) == (True, cover)
    assert "cover_along_wall" in str([reason.arguments for reason in ruling.reasons])


def test_only_what_lies_across_a_line_along_walls_stops_it() -> None:
    cells = frozenset((x, y) for x in range(6) for y in range(2))
    walls = {edge_between((2, y), (3, y)): "wall" for y in range(2)}
    barriers = Barriers.of(Grid(Board(cells, walls, ())), frozenset({"wall"}))
    assert barriers.cut_along((0, 1), (5, 1))
    assert barriers.cut_along((5, 1), (0, 1))
    assert not barriers.cut_along((0, 1), (3, 1)), "it ends at the walls"
    assert not barriers.cut_along((0, 0), (5, 0)), "they lie on one side"
    assert not barriers.cut_along((3, 0), (3, 2)), "it runs along them"


def test_the_shooters_own_cells_follow_the_house() -> None:
    """«клетки, содержащие фигуру (кроме клетки Защитника)»: a large shooter who names his far corner."""
    shooter = Figure("a", "pinky", "invader", ((0, 0), (1, 0)))
    target = Figure("d", "marine", "marines", ((4, 1),))
    board = Board(frozenset((x, y) for x in range(6) for y in range(3)), {}, (), figures=(shooter, target))
    houses = (Doom2016({"cover_attacker_cells": choice}) for choice in ("ignored", "count"))
    assert [house.from_corner((0, 0)).rule(board, "a", "d").cover for house in houses] == [False, True]


# Was that legal: a figure that is put back


def test_a_figure_that_is_put_back_is_set_right(build: ModuleType) -> None:
    match = begun(build)
    match.do("reveal", card="alpha")
    stood = [list(cell) for cell in match.game.piece("bravo").cells]
    board = build.corridor(13, 3, {"d1": ((11, 1), (12, 1))})

    def seen(cells: Any) -> dict[str, Any]:
        bravo = {"id": "bravo", "kind": "marine", "side": "marines", "cells": cells}
        return {**board, "figures": [bravo]}

    match.do("see", by=CAMERA, document=seen([[9, 2]]))
    moved = match.session.judge(match.session.seq, JUDGE)
    assert moved["verdict"] == "no"
    match.do("see", by=CAMERA, document=seen(stood))
    back = match.session.judge(match.session.seq, JUDGE)
    assert back["verdict"] == "set right"
    assert back["moved"][0]["is_legal"]


def test_a_legal_move_that_the_camera_saw_is_judged_by_the_rule_of_movement(build: ModuleType) -> None:
    match = begun(build)
    match.do("reveal", card="alpha")
    match.do("play", **RIFLE)
    board = build.corridor(13, 3, {"d1": ((11, 1), (12, 1))})
    ask = match.session.way({"type": "move", "figure": "alpha"}, JUDGE)["ask"]
    free = ask["picks"][0]["value"][0]
    alpha = {"id": "alpha", "kind": "marine", "side": "marines", "cells": [free]}
    match.do("see", by=CAMERA, document={**board, "figures": [alpha]})
    found = match.session.judge(match.session.seq, JUDGE)
    assert (found["verdict"], found["rule"]["id"]) == ("yes", "doom2016/movement")


def test_a_glory_kill_by_a_move_is_judged_by_the_rule_of_glory_kills(build: ModuleType) -> None:
    match = begun(build)
    match.do("reveal", card="alpha")
    match.do("play", **RIFLE)
    put(match, alpha=[[1, 1]], imp_1=[[2, 1]])
    match.do("damage", by=JUDGE, figure="imp-1", amount=match.game.demon_setup("imp").health - 1)
    match.do("move", figure="alpha", cells=[[2, 1]])
    found = match.session.judge(match.session.seq, JUDGE)
    assert (found["verdict"], found["rule"]["id"]) == ("yes", "doom2016/glory-kill")

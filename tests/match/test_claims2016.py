"""Claims about DOOM 2016 out of seed 001, read as a lawyer would, each tried on a running match.

Each test is a claim with its sentence. ``CLAIMS.md`` beside the game's coverage table lists them with their verdicts:
`test_the_table_lists_every_claim` holds both together, and ``python tests/match/test_claims2016.py`` writes the table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from assistant.errors import BadValue, InputError, NotYours
from assistant.match.actor import JUDGE, player
from assistant.match.audience import Audience
from assistant.match.game import INVADER, MARINES
from assistant.table.lattice import edge_between

TABLE_FILE = Path(__file__).parents[2] / "assistant" / "games" / "doom2016" / "CLAIMS.md"

MARINE_DEVICE, INVADER_DEVICE = player(MARINES), player(INVADER)
SHOT = {"card": "shot", "is_main": True, "movement": 4, "attack": {"range": 5, "dice": {"red": 1}}}
STEP = {"card": "step", "movement": 2}


class Claim(NamedTuple):
    """A claim: its sentence, the consequence, and the finding at the first test."""

    test: str
    sentence: str
    says: str
    verdict: str


CLAIMS: list[Claim] = []


def claim(sentence: str, says: str, verdict: str = "right") -> Callable[[Callable[..., None]], Any]:
    """List a test as a claim. ``verdict``: ``right``, ``mended`` (it was wrong or lax), or ``option NAME``."""

    def listed(test: Callable[..., None]) -> Any:
        CLAIMS.append(Claim(test.__name__, sentence, says, verdict))
        return test

    return listed


# Matches to try them on


def printed(build: ModuleType, document: Any = None, options: Any = None, **changes: Any) -> Any:
    """Return the tutorial's figures, outside the tutorial, with printed cards, in round one of a corridor."""
    base = build.mission(build.TUTORIAL)
    marines = [{**one, "deck": []} for one in base.setup["marines"]]
    goals = {**base.setup["goals"], "tutorial": False}
    setup = {"marines": marines, "events": [], "glory": [], "goals": goals, **changes}
    match = build.begun(build.with_setup(base, **setup), options=options)
    match.do("see", document=document or build.corridor(13, 3, {"d1": ((11, 1), (12, 1))}))
    match.do("status", shuffled_here=False)
    return match


def decked(build: ModuleType, **changes: Any) -> Any:
    """Return the tutorial with its sample decks, in round one."""
    match = build.begun(build.with_setup(build.mission(build.TUTORIAL), **changes))
    match.do("see", document=build.corridor(13, 3, {"d1": ((11, 1), (12, 1))}))
    match.do("status", shuffled_here=False)
    return match


def put(match: Any, **places: Any) -> None:
    for name, cells in places.items():
        match.do("place", by=JUDGE, figure=name.replace("_", "-"), cells=cells)


def alpha(build: ModuleType, **changes: Any) -> Any:
    match = printed(build, **changes)
    match.do("reveal", card="alpha")
    return match


def demons(match: Any, kind: str, figure: str) -> None:
    match.do("reveal", card="invader")
    match.do("activate_kind", kind=kind)
    match.do("activate", figure=figure)


def imp_attacks(build: ModuleType, icons: int = 2, **changes: Any) -> Any:
    match = printed(build, **changes)
    demons(match, "imp", "imp-1")
    match.do("attack", defender="alpha", rolled_here=False, dice=[["red", icons], ["black", 0]])
    return match


def shoot(match: Any, target: str = "imp-1", icons: int = 2) -> None:
    match.do("play", **SHOT)
    match.do("attack", defender=target, rolled_here=False, dice=[["red", icons]])


def harm(match: Any, figure: str) -> int:
    return int(match.game.piece(figure).harm)


def refuses(match: Any, sentence: str, type_: str, **fields: Any) -> None:
    with pytest.raises(InputError, match=sentence):
        match.do(type_, **fields)


def round_over(match: Any) -> None:
    """Finish the round without any action."""
    while match.game.phase != "round over":
        if match.game.turn is None:
            match.do("reveal", card=match.game.initiative[0])
            continue
        if match.game.turn.side == INVADER and match.game.turn.kind is None:
            ready = [kind for kind in match.game.kinds_on_table() if match.game.demon_cards[kind].ready]
            match.do("activate_kind", kind=ready[0])
        match.do("end")


# The box and the set-up


@claim("«игроки (от 1 до 4) управляют отрядом»", "no marine, and five, are refused")
def test_one_to_four_marines(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    one = {**base.setup["marines"][0], "deck": []}
    for count in (0, 5):
        with pytest.raises(BadValue, match="one to four"):
            build.begun(build.with_setup(base, marines=[{**one, "id": f"m{n}"} for n in range(count)]))


@claim("«6 Кубиков (4 Красных, 2 Черных)»", "a mission whose attack rolls five red dice is refused")
def test_an_attack_of_a_mission_fits_the_box(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    first, *rest = base.setup["demons"]
    with pytest.raises(BadValue, match="rolls 5"):
        build.begun(build.with_setup(base, demons=[{**first, "attack": {"range": 1, "dice": {"red": 5}}}, *rest]))


@claim("«6 Кубиков (4 Красных, 2 Черных)»", "a typed card rolls no eight dice", "mended")
def test_a_typed_card_fits_the_box(build: ModuleType) -> None:
    match = alpha(build)
    match.do("play", card="x", attack={"range": 9, "dice": {"red": 5, "black": 3}})
    refuses(match, "6 dice", "attack", defender="imp-1", rolled_here=False, dice=[["red", 1]] * 5 + [["black", 1]] * 3)


@claim("«На каждой лицевой стороне кубика содержится до трех значков урона»", "a typed face of four icons is refused")
def test_a_face_has_three_icons_at_most(build: ModuleType) -> None:
    match = alpha(build)
    match.do("play", **SHOT)
    refuses(match, "3", "attack", defender="imp-1", rolled_here=False, dice=[["red", 4]])


@claim("«один из морпехов берет карту Отряда «Ведущий»»", "of three marines exactly one holds a squad card")
def test_squad_cards_of_three_marines(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    for held in (2, 3):
        marines = [{**m, "squad": "Leader" if n < held else ""} for n, m in enumerate(base.setup["marines"])]
        with pytest.raises(BadValue, match="squad card"):
            build.begun(build.with_setup(base, marines=marines))


@claim("«каждый морпех берет карту Отряда «Боевой ветеран»»", "of two marines both hold one, of the same name")
def test_squad_cards_of_two_marines(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    for names in (("Veteran", ""), ("Veteran", "Leader")):
        marines = [{**m, "squad": s} for m, s in zip(base.setup["marines"][:2], names, strict=True)]
        with pytest.raises(BadValue, match="squad card"):
            build.begun(build.with_setup(base, marines=marines))


@claim("«выбирает 3 набора карт по шесть штук»", "events of named sets that are not three times six are refused")
def test_three_sets_of_six_events(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    cards = {**base.setup["cards"], **{f"e{n}": {"name": "E", "set": f"s{n % 3}"} for n in range(17)}}
    with pytest.raises(BadValue, match="three sets of six"):
        build.begun(build.with_setup(base, cards=cards, events=[f"e{n}" for n in range(17)]))


@claim("«набирают в руки 3 карты»", "each marine begins with three cards")
def test_three_cards_at_first(build: ModuleType) -> None:
    match = decked(build)
    assert [len(match.game.deck(name).hand) for name in ("alpha", "bravo", "charlie")] == [3, 3, 3]


@claim("a mission is a document", "a misspelt field of a set-up is refused by name", "mended")
def test_an_unknown_field_is_refused(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    with pytest.raises(BadValue) as refused:
        build.begun(build.with_setup(base, portals=[{**base.setup["portals"][0], "colour": "blue"}]))
    assert "colour" in str(refused.value)


# Status phase


@claim("«Эта колода должна содержать все карты играющих морпехов, а так же карты Захватчика»", "marines and kinds")
def test_the_initiative_deck(build: ModuleType) -> None:
    assert sorted(printed(build).game.initiative) == ["alpha", "bravo", "charlie", "invader", "invader"]


@claim("«добавляется одна карта Инициативы, поэтому морпех будет действовать дважды за раунд»", "two cards when alone")
def test_a_lone_marine_acts_twice(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    match = printed(build, marines=[{**base.setup["marines"][0], "deck": []}])
    assert match.game.initiative.count("alpha") == 2


@claim("«10 карт Инициативы (4 Десантников, 6 Захватчика)»", "seven kinds on the map are six cards")
def test_six_initiative_cards_of_the_invader(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    kinds = [
        {**base.setup["demons"][0], "kind": f"k{n}", "figures": [f"k{n}-1"], "cells": {f"k{n}-1": [[3 + n, 2]]}}
        for n in range(7)
    ]
    match = printed(build, demons=kinds, invasion=[], portals=[])
    assert match.game.initiative.count("invader") == 6


@claim("«Захватчик обновляет свои Разряженные карты»", "every demon card is ready in the next round")
def test_demon_cards_are_readied(build: ModuleType) -> None:
    match = printed(build)
    round_over(match)
    assert not match.game.demon_cards["imp"].ready
    match.do("status", shuffled_here=False)
    assert match.game.demon_cards["imp"].ready


@claim("«добирает на руку карты Событий из колоды Событий, количеством до шести штук»", "filled up to six, not by six")
def test_the_event_hand_is_filled_to_six(build: ModuleType) -> None:
    match = decked(build)
    hand = match.game.deck(INVADER).hand
    match.do("gain_argent", cards=list(hand[:2]), onto={"imp": 2})
    round_over(match)
    match.do("status", shuffled_here=False)
    assert len(match.game.deck(INVADER).hand) == 6


@claim("«количеством до семи штук»", "the other paragraph says seven", "option event_hand")
def test_the_event_hand_of_seven(build: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL), options={"event_hand": "7"})
    match.do("status")
    assert len(match.game.deck(INVADER).hand) == 7


@claim("«скинуть в фазе Статуса до трех карт Событий со своей руки за каждое очко»", "three, in parts; no fourth")
def test_three_cards_become_argent(build: ModuleType) -> None:
    match = decked(build)
    hand = match.game.deck(INVADER).hand
    match.do("gain_argent", cards=list(hand[:2]), onto={"imp": 1, "possessed": 1})
    match.do("gain_argent", cards=[hand[2]], onto={"imp": 1})
    refuses(match, "at most 3", "gain_argent", cards=[hand[3]], onto={"imp": 1})


@claim("«скинуть в фазе Статуса»", "no argent once an initiative card is revealed")
def test_argent_in_the_status_phase_only(build: ModuleType) -> None:
    match = decked(build)
    match.do("reveal", card="alpha")
    refuses(match, "status phase only", "gain_argent", cards=[match.game.deck(INVADER).hand[0]], onto={"imp": 1})


@claim("«располагает их на любой из своих карт Демонов или карт Вторжения»", "face down too, and the invasion card")
def test_argent_on_any_card(build: ModuleType) -> None:
    match = decked(build)
    hand = match.game.deck(INVADER).hand
    match.do("gain_argent", cards=list(hand[:2]), onto={"cacodemon": 1, "invasion": 1})
    assert (match.game.demon_cards["cacodemon"].argent, match.game.invasion_argent) == (1, 1)


@claim("«может использовать для вызова демонов в начале каждой фазы Статуса»", "before event cards are drawn", "mended")
def test_threat_before_event_cards(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    flow = {"name": "F", "card": "threat", "on": "status", "outcomes": [{"outcome": "threat", "count": 1}]}
    match = printed(build, events=base.setup["events"], triggers=[flow], threat_cost=1)
    assert match.game.deck(INVADER).hand == ()
    refuses(match, "draws event cards first", "reveal", card="alpha")
    match.do("draw_events")
    refuses(match, "start of the status phase", "spend_threat", portal="portal-1")
    assert len(match.game.deck(INVADER).hand) == 6


@claim("«пока в колоде Инициативы не останется карт. Затем раунд заканчивается»", "no new round before that")
def test_a_round_ends_with_its_last_card(build: ModuleType) -> None:
    match = printed(build)
    refuses(match, "round is not over", "status")
    round_over(match)
    refuses(match, "begin the round first", "reveal", card="alpha")


# Whose activation it is


@claim("«вскрывает верхнюю карту колоды Инициативы»", "the program reveals its own first card, whatever is typed")
def test_the_top_card_is_revealed(build: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL))
    match.do("status")
    first = match.game.initiative[0]
    match.do("reveal", card="charlie")
    assert match.game.turn.figure == (None if first == INVADER else first)


@claim("«После активации … сбрасывает вскрытую кару Инициативы и вскрывает следующую»", "one after the other")
def test_one_activation_at_a_time(build: ModuleType) -> None:
    match = alpha(build)
    refuses(match, "activation is not over", "reveal", card="bravo")
    match.do("end")
    refuses(match, "not among the initiative cards left", "reveal", card="alpha")


@claim("«выбирает одну из ПОДГОТОВЛЕННЫХ карт Демонов»", "a kind is activated once a round")
def test_a_kind_acts_once_a_round(build: ModuleType) -> None:
    match = printed(build)
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    match.do("end")
    match.do("reveal", card="invader")
    refuses(match, "is not ready", "activate_kind", kind="imp")


@claim("«активирует каждую фигуру демона на поле, соответствующую карте»", "each imp, no other kind")
def test_every_figure_of_the_kind(build: ModuleType) -> None:
    match = printed(build)
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    assert match.game.turn.queue == ("imp-1", "imp-2")
    refuses(match, "not waiting to act", "activate", figure="possessed-1")


@claim("«Активация выполняется по одной фигуре за раз»", "the second waits for the end of the first, and none twice")
def test_one_figure_at_a_time(build: ModuleType) -> None:
    match = printed(build)
    demons(match, "imp", "imp-1")
    refuses(match, "is acting", "activate", figure="imp-2")
    match.do("end")
    refuses(match, "not waiting to act", "activate", figure="imp-1")
    match.do("activate", figure="imp-2")


@claim("«его фигура немедленно убирается с игрового поля»", "a demon that dies before it acted leaves the queue")
def test_the_dead_do_not_act(build: ModuleType) -> None:
    match = printed(build)
    demons(match, "imp", "imp-1")
    match.do("frag", by=JUDGE, figure="imp-2")
    assert match.game.turn.queue == ()


@claim("«Если вскрытая карта Инициативы принадлежит Захватчику»", "without a ready kind the card is passed over")
def test_a_card_without_a_ready_kind(build: ModuleType) -> None:
    match = printed(build)
    for name in ("imp-1", "imp-2", "possessed-1", "possessed-2"):
        match.do("frag", by=JUDGE, figure=name)
    match.do("reveal", card="invader")
    assert match.game.turn is None


@claim(
    "«количество карт Захватчика равно количеству типов демонов на карте»",
    "a new kind adds its card",
    "option initiative_types",
)
def test_a_kind_that_comes_during_the_round(build: ModuleType) -> None:
    for choice, more in (("at_status", 0), ("at_once", 1)):
        match = alpha(build, options={"initiative_types": choice})
        before = match.game.initiative.count("invader")
        match.do("summon", portal="portal-1", group=1, cells={"pinky-1": [[8, 1]]})
        assert match.game.initiative.count("invader") - before == more


# The marine's activation


@claim("«морпех может сыграть одну карту ОСНОВНОГО ДЕЙСТВИЯ»", "a second main card is refused")
def test_one_main_action(build: ModuleType) -> None:
    match = alpha(build)
    match.do("play", **SHOT)
    refuses(match, "main action of this activation is used up", "play", **SHOT)


@claim("«и любое количество карт БОНУСНЫХ ДЕЙСТВИЙ»", "three bonus cards, before and after the main one")
def test_any_number_of_bonus_cards(build: ModuleType) -> None:
    match = alpha(build)
    for card in (STEP, SHOT, STEP, STEP):
        match.do("play", **card)
    assert match.game.turn.movement == 10


@claim(
    "«вместо выполнения основного действия, игрок может скинуть одну карту … и получить 6 очков»", "six, and no main"
)
def test_sprint_instead_of_the_main_action(build: ModuleType) -> None:
    match = decked(build)
    match.do("reveal", card="alpha")
    card = match.game.deck("alpha").hand[0]
    match.do("sprint", card=card)
    assert (match.game.turn.movement, len(match.game.deck("alpha").hand)) == (6, 2)
    refuses(match, "used up", "sprint", card=match.game.deck("alpha").hand[0])


@claim("«скинуть одну карту Действий с руки»", "no sprint with a card that he does not hold")
def test_sprint_takes_a_card_of_the_hand(build: ModuleType) -> None:
    match = decked(build)
    match.do("reveal", card="alpha")
    other = next(card for card in match.game.deck("alpha").pile if card not in match.game.deck("alpha").hand)
    refuses(match, "hand", "sprint", card=other)


@claim("«играя карты Действий из своей руки»", "not a card of another marine")
def test_only_own_cards(build: ModuleType) -> None:
    match = decked(build)
    match.do("reveal", card="alpha")
    mine = match.game.deck("alpha").cards
    other = next(card for card in match.game.deck("bravo").cards if card not in mine)
    refuses(match, "hand", "play", card=other)


@claim("«сбрасывает все сыгранные карты, и набирает новые карты …, чтобы в руке снова было 3 карты»", "at the end only")
def test_the_hand_is_filled_at_the_end(build: ModuleType) -> None:
    match = decked(build)
    match.do("reveal", card="alpha")
    bonus = next((c for c in match.game.deck("alpha").hand if match.game.card(c).kind != "reaction"), None)
    if bonus is not None:
        match.do("play", card=bonus)
        assert len(match.game.deck("alpha").hand) == 2
    match.do("end")
    assert len(match.game.deck("alpha").hand) == 3


@claim("«Морпех разыгрывает по одной карте за раз»", "the attack that is left lapses with the next card", "mended")
def test_one_card_at_a_time(build: ModuleType) -> None:
    match = alpha(build)
    match.do("play", **SHOT)
    match.do("play", **STEP)
    refuses(match, "no attack is left", "attack", defender="imp-1", rolled_here=False, dice=[["red", 1]])


@claim("«может использовать их в любое время, за исключением атаки»", "points of the first card stay")
def test_points_of_the_first_card_stay(build: ModuleType) -> None:
    match = alpha(build)
    match.do("play", **SHOT)
    match.do("play", **STEP)
    assert match.game.turn.movement == 6


@claim("«за исключением атаки»", "no step, no door, no end while an attack is open")
def test_nothing_else_during_an_attack(build: ModuleType) -> None:
    match = alpha(build)
    shoot(match)
    for type_, fields in (("move", {"figure": "alpha", "cells": [[0, 2]]}), ("end", {}), ("play", STEP)):
        refuses(match, "finish the attack first", type_, **fields)


@claim("«как до, так и после выполнения атак … и не обязательно тратить все очки за раз»", "move, attack, move")
def test_movement_before_and_after_an_attack(build: ModuleType) -> None:
    match = alpha(build)
    match.do("play", **SHOT)
    match.do("move", figure="alpha", cells=[[0, 2]])
    shots = {"defender": "imp-1", "rolled_here": False, "dice": [["red", 1]]}
    match.do("attack", **shots)
    match.do("defend")
    match.do("resolve")
    match.do("move", figure="alpha", cells=[[1, 2]])
    assert match.game.turn.movement == 1


@claim("«В конце активации неиспользованные очки движения теряются»", "the next activation begins with none")
def test_unspent_points_are_lost(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    match = printed(build, marines=[{**base.setup["marines"][0], "deck": []}])
    match.do("reveal", card="alpha")
    match.do("play", **STEP)
    match.do("end")
    match.do("reveal", card="alpha")
    assert match.game.turn.movement == 0


def alone(build: ModuleType, **changes: Any) -> Any:
    """Return a lone marine with two activations in a round."""
    base = build.mission(build.TUTORIAL)
    match = printed(build, marines=[{**base.setup["marines"][0], "deck": []}], **changes)
    match.do("reveal", card="alpha")
    return match


def hops(build: ModuleType, points: int = 2, cards: Any = None, **changes: Any) -> Any:
    """Return a round in which Bravo holds reactions that add movement, and an imp acts."""
    base = build.mission(build.TUTORIAL)
    hop = {"name": "Hop", "kind": "reaction", "when": "any", "effects": [{"effect": "movement", "points": points}]}
    marines = [{**m, "deck": ["hop"] * 10 if m["id"] == "bravo" else []} for m in base.setup["marines"]]
    match = printed(build, marines=marines, cards={**base.setup["cards"], "hop": hop, **(cards or {})}, **changes)
    demons(match, "imp", "imp-1")
    return match


@claim(
    "«Эти очки должны быть потрачены в текущий раунд. … пропадают в конце раунда»",
    "points of an ability wait for a second activation of the round, those of a card do not",
    "option ability_points",
)
def test_points_of_an_ability_last_until_the_end_of_the_round(build: ModuleType) -> None:
    for choice, left in (("round", 5), ("activation", 0)):
        match = alone(build, options={"ability_points": choice})
        match.do("play", **STEP)
        match.do("sprint", card="x")
        put(match, alpha=[[0, 0]])
        match.do("move", figure="alpha", cells=[[3, 0]])
        match.do("end")
        match.do("reveal", card="alpha")
        assert match.game.turn.movement == left


@claim("«Все неиспользованные очки движения пропадают в конце раунда»", "none of them is left in the next round")
def test_points_of_an_ability_end_with_the_round(build: ModuleType) -> None:
    match = alone(build)
    match.do("sprint", card="x")
    match.do("end")
    round_over(match)
    match.do("status", shuffled_here=False)
    match.do("reveal", card="alpha")
    assert match.game.turn.movement == 0


@claim(
    "«В конце активации неиспользованные очки движения теряются»", "points of cards are spent before those of abilities"
)
def test_points_of_cards_are_spent_first(build: ModuleType) -> None:
    match = alone(build)
    match.do("sprint", card="x")
    match.do("play", card="step", movement=1)
    put(match, alpha=[[0, 0]])
    match.do("move", figure="alpha", cells=[[1, 0]])
    match.do("end")
    match.do("reveal", card="alpha")
    assert match.game.turn.movement == 6


@claim(
    "«эти карты морпех может разыгрывать во время активации другого игрока»",
    "a reaction that adds movement: he moves at once, and the other activation goes on after it",
    "option points_outside",
)
def test_a_reaction_moves_at_once(build: ModuleType) -> None:
    match = hops(build)
    put(match, alpha=[[9, 2]], bravo=[[0, 0]])
    match.do("react", card="hop", figure="bravo")
    refuses(match, "it is the activation of Bravo", "move", figure="imp-1", cells=[[5, 1]])
    match.do("move", figure="bravo", cells=[[2, 0]])
    match.do("end")
    assert match.game.turn.figure == "imp-1"
    assert match.game.turn.movement == match.game.demon_setup("imp").speed
    kept = hops(build, options={"points_outside": "kept"})
    kept.do("react", card="hop", figure="bravo")
    kept.do("end")
    kept.do("end")
    kept.do("reveal", card="bravo")
    assert kept.game.turn.movement == 2
    refused = hops(build, options={"points_outside": "refused"})
    refuses(refused, "the house adds no movement", "react", card="hop", figure="bravo")


@claim(
    "«может использовать их в любое время, за исключением атаки»",
    "he who reacts waits for the end of the attack",
    "mended",
)
def test_a_reaction_moves_after_the_attack(build: ModuleType) -> None:
    match = hops(build)
    match.do("attack", defender="bravo", rolled_here=False, dice=[["red", 1], ["black", 0]])
    match.do("defend")
    match.do("react", card="hop")
    assert match.game.turn.figure == "imp-1"
    refuses(match, "it is the activation of Imp 1", "move", figure="bravo", cells=[[2, 0]])
    match.do("resolve")
    assert (match.game.turn.figure, match.game.turn.movement) == ("bravo", 2)
    dead = hops(build)
    dead.do("damage", by=JUDGE, figure="bravo", amount=dead.game.health_of(dead.game.piece("bravo")) - 1)
    dead.do("attack", defender="bravo", rolled_here=False, dice=[["red", 3], ["black", 2]])
    dead.do("react", card="hop")
    dead.do("defend")
    dead.do("resolve")
    assert (dead.game.piece("bravo").on_table, dead.game.turn.figure) == (False, "imp-1")


@claim(
    "«Морпех может взять предмет, если в свою активацию стоит на клетке»",
    "who only reacts plays no card and takes nothing",
)
def test_who_reacts_does_nothing_else(build: ModuleType) -> None:
    item = {"id": "pack", "kind": "health", "cell": [2, 0]}
    match = hops(build, items=[item])
    put(match, alpha=[[9, 2]], bravo=[[0, 0]])
    match.do("react", card="hop", figure="bravo")
    match.do("move", figure="bravo", cells=[[2, 0]])
    for type_, fields in (("take", {"item": "pack"}), ("play", {"card": "hop"}), ("sprint", {"card": "hop"})):
        refuses(match, "Bravo reacts in the activation of Imp 1", type_, **fields)
    refuses(match, "no attack is left", "attack", defender="imp-1", rolled_here=False, dice=[])


@claim(
    "«дополнительные атаки»",
    "a reaction that adds an attack: he attacks at once, also the demon that acts",
    "option points_outside",
)
def test_a_reaction_attacks_at_once(build: ModuleType) -> None:
    strike = {"effect": "attack", "attack": {"range": 9, "dice": {"red": 1}}}
    back = {"name": "Back", "kind": "reaction", "when": "any", "effects": [strike]}
    match = hops(build, cards={"hop": back})
    put(match, bravo=[[1, 1]], imp_1=[[2, 1]])
    match.do("damage", by=JUDGE, figure="imp-1", amount=match.game.health_of(match.game.piece("imp-1")) - 1)
    match.do("react", card="hop", figure="bravo")
    match.do("attack", defender="imp-1", rolled_here=False, dice=[["red", 3]])
    match.do("defend")
    match.do("resolve")
    match.do("end")
    assert not match.game.piece("imp-1").on_table
    assert match.game.turn.queue == ("imp-2",)
    match.do("end")
    match.do("activate", figure="imp-2")


@claim("«во время активации другого игрока»", "no reaction while nobody is activated", "mended")
def test_no_reaction_between_activations(build: ModuleType) -> None:
    match = hops(build)
    match.do("end")
    match.do("end")
    refuses(match, "in the activation of another", "react", card="hop", figure="bravo")


@claim("«во время активации другого игрока»", "no reaction in the own activation")
def test_a_reaction_in_another_activation(build: ModuleType) -> None:
    match = alpha(build)
    refuses(match, "in the activations of others", "react", card="armour", figure="alpha")


@claim("«морпех должен взять ее из своей руки … После использования карта сбрасывается»", "from hand to discard")
def test_a_reaction_comes_from_the_hand(build: ModuleType) -> None:
    cards = {f"r{n}": {"name": f"R{n}", "kind": "reaction", "when": "any", "shields": 1} for n in range(10)}
    base = build.mission(build.TUTORIAL)
    marines = [{**m, "deck": list(cards)} for m in base.setup["marines"]]
    match = decked(build, marines=marines, cards={**base.setup["cards"], **cards})
    demons(match, "imp", "imp-1")
    match.do("attack", defender="alpha", rolled_here=False, dice=[["red", 1], ["black", 0]])
    held = match.game.deck("alpha").hand[0]
    match.do("react", card=held)
    assert held in match.game.deck("alpha").discard
    refuses(match, "hand", "react", card=held)


@claim("«восстанавливает свою разряженную Классовую карту в начале следующей активации»", "not before that")
def test_the_class_card_is_ready_again(build: ModuleType) -> None:
    match = alpha(build)
    match.do("exhaust_class", figure="alpha")
    refuses(match, "is exhausted", "exhaust_class", figure="alpha")
    round_over(match)
    match.do("status", shuffled_here=False)
    refuses(match, "is exhausted", "exhaust_class", figure="alpha")
    match.do("reveal", card="alpha")
    match.do("exhaust_class", figure="alpha")


@claim("«Эта способность может использоваться как основное действие»", "it uses the main action up")
def test_an_ability_as_the_main_action(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    dash = {"name": "Dash", "action": "main", "effects": [{"effect": "movement", "points": 3}]}
    match = alpha(build, marines=[{**m, "deck": [], "abilities": [dash]} for m in base.setup["marines"]])
    match.do("use_ability", figure="alpha", ability="Dash")
    refuses(match, "used up", "play", **SHOT)


# The demon's activation


@claim("«демон получает столько очков, сколько указано … и может выполнить одну атаку»", "speed, and a single attack")
def test_speed_and_one_attack(build: ModuleType) -> None:
    match = imp_attacks(build)
    assert match.game.turn.movement == 4
    match.do("defend")
    match.do("resolve")
    refuses(match, "no attack is left", "attack", defender="alpha", rolled_here=False, dice=[["red", 1], ["black", 0]])


@claim("«может тратить очки движения в любое время во время его активации»", "a demon moves, attacks, moves on")
def test_a_demon_moves_on_after_its_attack(build: ModuleType) -> None:
    match = printed(build)
    demons(match, "imp", "imp-1")
    match.do("move", figure="imp-1", cells=[[2, 1]])
    match.do("attack", defender="alpha", rolled_here=False, dice=[["red", 1], ["black", 0]])
    match.do("defend")
    match.do("resolve")
    match.do("move", figure="imp-1", cells=[[3, 1]])
    assert match.game.turn.movement == 2


@claim(
    "«В обучающей миссии Захватчику следует игнорировать любую способность, у которой есть значок Аргент»", "tutorial"
)
def test_the_tutorial_ignores_argent(build: ModuleType) -> None:
    match = decked(build)
    match.do("gain_argent", cards=[match.game.deck(INVADER).hand[0]], onto={"imp": 1})
    refuses(match, "tutorial ignores", "spend_argent", kind="imp")


@claim("«сбрасывает маркер Аргент-энергии с карты Демона»", "only as much as lies on that card")
def test_argent_of_that_card(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    match = printed(build, events=base.setup["events"])
    match.do("gain_argent", cards=[match.game.deck(INVADER).hand[0]], onto={"possessed": 1})
    refuses(match, "not enough argent", "spend_argent", kind="imp")
    match.do("spend_argent", kind="possessed")


# Attacks


@claim("«Максимальная дальность указана … клетка с Защитником тоже учитывается»", "range 5 reaches five cells, not six")
def test_the_range_counts_the_defenders_cell(build: ModuleType) -> None:
    match = alpha(build)
    put(match, alpha=[[0, 2]], imp_1=[[5, 2]], imp_2=[[6, 2]], possessed_2=[[8, 0]])
    match.do("play", **SHOT)
    refuses(match, "6 away", "attack", defender="imp-2", rolled_here=False, dice=[["red", 1]])
    match.do("attack", defender="imp-1", rolled_here=False, dice=[["red", 1]])


@claim("«линия видимости БЛОКИРОВАНА, и Атакующий должен выбрать другую цель»", "no attack through a closed door")
def test_no_attack_out_of_sight(build: ModuleType) -> None:
    match = alpha(build, document=build.corridor(13, 3, {"d1": ((2, 1), (3, 1))}))
    match.do("play", **SHOT)
    refuses(match, "does not see", "attack", defender="imp-1", rolled_here=False, dice=[["red", 1]])


@claim("«демонами и морпехами друг другу»", "nobody attacks a figure of the own side")
def test_no_attack_on_friends(build: ModuleType) -> None:
    match = alpha(build)
    match.do("play", **SHOT)
    refuses(match, "is no enemy", "attack", defender="bravo", rolled_here=False, dice=[["red", 1]])


@claim("«вскрывает верхнюю карту своей колоды Действий»", "the defender's own top card, which is discarded")
def test_the_defence_card_is_the_top_card(build: ModuleType) -> None:
    match = decked(build)
    demons(match, "imp", "imp-1")
    match.do("attack", defender="alpha", rolled_here=False, dice=[["red", 1], ["black", 0]])
    top = match.game.deck("alpha").pile[0]
    match.do("defend")
    assert match.game.pending.revealed == (top,)
    assert top in match.game.deck("alpha").discard


@claim("«он вскрывает верхнюю карту своей колоды Событий»", "for a demon it is the event deck")
def test_demons_defend_with_event_cards(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    match = printed(build, events=base.setup["events"])
    match.do("reveal", card="alpha")
    shoot(match)
    top = match.game.deck(INVADER).pile[0]
    match.do("defend")
    assert match.game.pending.revealed == (top,)


@claim("«Каждый значок щита отменяет один урон»", "two icons less one shield are one; never less than none")
def test_shields(build: ModuleType) -> None:
    for icons, shields, dealt in ((2, 1, 1), (1, 3, 0), (3, 0, 3)):
        match = imp_attacks(build, icons)
        match.do("defend", shields=shields)
        match.do("resolve")
        assert harm(match, "alpha") == dealt


@claim("«значок уклонения отменяет весь урон»", "three icons, none gets through")
def test_a_dodge(build: ModuleType) -> None:
    match = imp_attacks(build, 3)
    match.do("defend", dodge=True)
    match.do("resolve")
    assert harm(match, "alpha") == 0


@claim("«Этот значок вызывает специальную защитную способность, показанную на … карте демона»", "of that demon's card")
def test_the_special_defence(build: ModuleType) -> None:
    match = alpha(build)
    shoot(match, "possessed-1", 3)
    match.do("defend", special=True)
    match.do("resolve")
    assert harm(match, "possessed-1") == 2, "one shield of its card"


@claim("«Толстокожий защищающийся демон, всегда получает один дополнительный щит»", "besides the card")
def test_thick_skin(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    thick = [{**demon, "thick_skin": True} for demon in base.setup["demons"]]
    match = alpha(build, demons=thick)
    shoot(match, "imp-1", 3)
    match.do("defend", shields=1)
    match.do("resolve")
    assert harm(match, "imp-1") == 1


@claim("«После того, как Атакующий бросает кубики, Защитник вскрывает одну карту»", "no damage before, no second draw")
def test_the_defence_comes_before_the_damage(build: ModuleType) -> None:
    match = imp_attacks(build)
    refuses(match, "reveal the defence card first", "resolve")
    match.do("defend")
    refuses(match, "revealed already", "defend")


@claim("«3. Определить защиту … 4. Добавить эффекты «Во время атаки»»", "the attacker waits for the defence", "mended")
def test_effects_after_the_defence(build: ModuleType) -> None:
    match = imp_attacks(build)
    refuses(match, "the defence comes first", "modify", reason="rage", damage=1)


@claim("«4. Добавить эффекты … 5. Подсчитать урон»", "the defender adds nothing after the attacker", "mended")
def test_the_attacker_has_the_last_word(build: ModuleType) -> None:
    match = imp_attacks(build)
    match.do("defend")
    match.do("modify", reason="rage", damage=1)
    refuses(match, "the defence is over", "react", card="armour", figure="alpha", shields=2)


@claim("«Защитник может изменить результат атаки»", "the attacker's device does not close that", "mended")
def test_the_defender_has_his_moment(build: ModuleType) -> None:
    match = printed(build)
    demons(match, "imp", "imp-1")
    match.do("attack", by=INVADER_DEVICE, defender="alpha", rolled_here=False, dice=[["red", 1], ["black", 0]])
    match.do("defend", by=MARINE_DEVICE)
    refuses(match, "does Alpha react", "resolve", by=INVADER_DEVICE)
    match.do("react", by=MARINE_DEVICE, card="armour", figure="alpha", shields=1)
    asked = [one["id"] for one in match.session.view(Audience(side=INVADER))["asked"] if one["side"] == MARINES]
    match.do("pass", by=MARINE_DEVICE, of=MARINES, asked=asked)
    match.do("resolve", by=INVADER_DEVICE)
    assert harm(match, "alpha") == 0


@claim("«Атакующий может изменить результат атаки»", "the defender's device does not close that", "mended")
def test_the_attacker_has_his_moment(build: ModuleType) -> None:
    match = printed(build)
    demons(match, "imp", "imp-1")
    match.do("attack", by=INVADER_DEVICE, defender="alpha", rolled_here=False, dice=[["red", 1], ["black", 0]])
    match.do("defend", by=MARINE_DEVICE)
    refuses(match, "Invader: an event card or an ability", "resolve", by=MARINE_DEVICE)


@claim(
    "«применяются «при защите»»", "what helps the attacker is not the defender's to say, nor the other way", "mended"
)
def test_who_changes_an_attack(build: ModuleType) -> None:
    match = imp_attacks(build)
    match.do("defend")
    for device, change in ((INVADER_DEVICE, {"shields": 1}), (MARINE_DEVICE, {"damage": 1})):
        with pytest.raises(NotYours):
            match.do("modify", by=device, reason="x", **change)


@claim("«Нельзя использовать несколько одинаковых карт одновременно»", "two of one name in one attack are refused")
def test_no_two_events_of_a_name_in_an_attack(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    skin = {"name": "Skin", "when": "defending", "effects": [{"effect": "damage", "amount": -1}]}
    cards = {name: skin if name.startswith("event") else card for name, card in base.setup["cards"].items()}
    match = printed(build, events=base.setup["events"], cards=cards)
    match.do("reveal", card="alpha")
    shoot(match)
    match.do("play_event", card=match.game.deck(INVADER).hand[0])
    refuses(match, "of this name", "play_event", card=match.game.deck(INVADER).hand[0])


@claim("«Нельзя использовать несколько одинаковых карт одновременно»", "outside an attack", "option same_events")
def test_two_events_of_a_name_in_an_activation(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    rush = {"name": "Rush", "when": "activation", "effects": [{"effect": "movement", "points": 2}]}
    cards = {name: rush if name.startswith("event") else card for name, card in base.setup["cards"].items()}
    for choice in ("attack", "activation"):
        match = printed(build, options={"same_events": choice}, events=base.setup["events"], cards=cards)
        demons(match, "imp", "imp-1")
        match.do("play_event", card=match.game.deck(INVADER).hand[0])
        if choice == "activation":
            refuses(match, "of this name", "play_event", card=match.game.deck(INVADER).hand[0])
        else:
            match.do("play_event", card=match.game.deck(INVADER).hand[0])


@claim(
    "«Каждая карта Событий имеет описание, в каком случае она может быть использована»", "an attack card in an attack"
)
def test_an_event_at_its_moment(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    skin = {"name": "Skin", "when": "defending", "effects": [{"effect": "damage", "amount": -1}]}
    cards = {name: skin if name.startswith("event") else card for name, card in base.setup["cards"].items()}
    match = printed(build, events=base.setup["events"], cards=cards)
    refuses(match, "no demon acts", "play_event", card=match.game.deck(INVADER).hand[0])


# Stuns


@claim("«Если оглушенный атакует, он кидает на один кубик меньше»", "of two dice one, of one none")
def test_a_stunned_attacker_rolls_less(build: ModuleType) -> None:
    match = alpha(build)
    match.do("stun", by=JUDGE, figure="alpha", on=True)
    match.do("play", **SHOT)
    match.do("attack", defender="imp-1", rolled_here=False, dice=[])
    assert match.game.pending.dice == ()


@claim("«Если оглушенный защищается – он не может брать карту»", "none is revealed, not even for cover")
def test_a_stunned_defender_takes_no_card(build: ModuleType) -> None:
    match = imp_attacks(build)
    match.do("stun", by=JUDGE, figure="alpha", on=True)
    match.do("defend", shields=2)
    assert match.game.pending.cards == ()
    refuses(match, "no defence card was revealed", "defend", again=True)
    match.do("resolve")
    assert harm(match, "alpha") == 2


@claim("«Оглушение с фигуры снимается после выполнения ею атаки или защиты»", "of both figures of that attack")
def test_a_stun_ends_with_an_attack(build: ModuleType) -> None:
    match = printed(build)
    for figure in ("alpha", "imp-1"):
        match.do("stun", by=JUDGE, figure=figure, on=True)
    demons(match, "imp", "imp-1")
    match.do("attack", defender="alpha", drop="black", rolled_here=False, dice=[["red", 1]])
    match.do("defend")
    match.do("resolve")
    assert (match.game.piece("alpha").marks, match.game.piece("imp-1").marks) == ((), ())


@claim("«Если фигура уже оглушена, то повторного оглушения не происходит»", "no second token")
def test_no_second_stun(build: ModuleType) -> None:
    match = printed(build)
    match.do("stun", by=JUDGE, figure="alpha", on=True)
    refuses(match, "stunned already", "stun", by=JUDGE, figure="alpha", on=True)


@claim(
    "«не может брать карту, защищающую от атаки»",
    "whether a reaction that protects is such a card",
    "option stunned_reaction",
)
def test_a_stunned_defenders_reaction(build: ModuleType) -> None:
    match = imp_attacks(build, options={"stunned_reaction": "refused"})
    match.do("stun", by=JUDGE, figure="alpha", on=True)
    refuses(match, "play no reaction", "react", card="armour", figure="alpha", shields=1)


# Cover


@claim(
    "«когда Защитник, у которого есть Укрытие, вскрывает карту …, он может вскрыть дополнительную»", "once, in cover"
)
def test_the_second_card(build: ModuleType) -> None:
    match = printed(build)
    put(match, bravo=[[12, 0]], charlie=[[12, 2]])
    demons(match, "imp", "imp-1")
    match.do("attack", defender="alpha", rolled_here=False, dice=[["red", 2], ["black", 0]])
    assert not match.game.pending.cover
    match.do("defend", shields=1)
    refuses(match, "only a defender in cover", "defend", again=True)
    covered = printed(build)
    put(covered, bravo=[[1, 1]], charlie=[[1, 0]], alpha=[[0, 1]], possessed_1=[[1, 2]])
    demons(covered, "imp", "imp-1")
    covered.do("attack", defender="alpha", rolled_here=False, dice=[["red", 2], ["black", 0]])
    assert covered.game.pending.cover
    covered.do("defend", shields=2)
    covered.do("defend", again=True, shields=0)
    refuses(covered, "only a defender in cover", "defend", again=True)
    covered.do("resolve")
    assert harm(covered, "alpha") == 2, "«первая карта игнорируется»"


@claim("«Большие фигуры не могут иметь Укрытия»", "nor a second card")
def test_large_figures_have_no_cover(build: ModuleType) -> None:
    match = alpha(build)
    put(match, possessed_1=[[9, 0]], pinky_1=[[3, 0], [4, 0]])
    shoot(match, "pinky-1")
    match.do("defend")
    refuses(match, "only a defender in cover", "defend", again=True)


@claim("«линии проходит через стену»", "a line along a wall", "option cover_along_wall")
def test_cover_down_a_corridor(build: ModuleType) -> None:
    document = {**build.corridor(9, 1), "figures": []}
    for choice, cover in (("gives", True), ("none", False)):
        match = alpha(build, options={"cover_along_wall": choice})
        for name in ("bravo", "charlie", "imp-2", "possessed-1", "possessed-2"):
            match.do("frag", by=JUDGE, figure=name)
        put(match, imp_1=[[3, 0]], alpha=[[0, 0]])
        match.do("see", by=JUDGE, document=document)
        shoot(match)
        assert match.game.pending.cover is cover


# Damage and frags


@claim("«получает количество урона, равное или превышающее значение его здоровья»", "one less leaves it standing")
def test_as_much_damage_as_health(build: ModuleType) -> None:
    match = printed(build)
    match.do("damage", by=JUDGE, figure="imp-1", amount=3)
    assert match.game.piece("imp-1").on_table
    match.do("damage", by=JUDGE, figure="imp-1", amount=1)
    assert not match.game.piece("imp-1").on_table


@claim("«переворачивает карту соответствующего демона лицом вниз»", "only with its last figure")
def test_the_card_of_the_last_demon(build: ModuleType) -> None:
    match = printed(build)
    match.do("frag", by=JUDGE, figure="imp-1")
    assert match.game.demon_cards["imp"].face_up
    match.do("frag", by=JUDGE, figure="imp-2")
    assert not match.game.demon_cards["imp"].face_up


@claim("«все маркеры Урона сбрасываются … перемешивает все карты … и берет 3 новые»", "the played ones, too")
def test_a_fragged_marine_renews_his_deck(build: ModuleType) -> None:
    match = decked(build)
    match.do("reveal", card="alpha")
    before = match.game.deck("alpha").cards
    playable = next((c for c in match.game.deck("alpha").hand if match.game.card(c).kind != "reaction"), None)
    if playable is not None:
        match.do("play", card=playable)
    match.do("damage", by=JUDGE, figure="alpha", amount=10)
    deck = match.game.deck("alpha")
    assert (len(deck.hand), deck.discard, sorted(deck.cards), harm(match, "alpha")) == (3, (), sorted(before), 0)


@claim("«один маркер Фрагов за убийство одного морпеха … четыре, три, два»", "4, 4, 3 by the number of marines")
def test_frags_win(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    for count, needed in ((1, 4), (2, 4), (3, 3)):
        marines = [{**m, "deck": []} for m in base.setup["marines"][:count]]
        assert printed(build, marines=marines).game.setup.goals.frags[str(count)] == needed


@claim("«В начале следующей активации убитый морпех ВОЗРАЖДАЕТСЯ»", "nothing before it, and he has to", "mended")
def test_who_can_come_back_has_to(build: ModuleType) -> None:
    match = printed(build)
    match.do("frag", by=JUDGE, figure="alpha")
    match.do("reveal", card="alpha")
    refuses(match, "respawn", "play", **STEP)
    refuses(match, "respawn", "end")
    match.do("respawn", teleporter="teleporter-1")
    match.do("play", **STEP)


@claim("«на месте расположения активного Телепорта»", "not on an inactive one")
def test_only_on_an_active_teleporter(build: ModuleType) -> None:
    match = printed(build)
    match.do("frag", by=JUDGE, figure="alpha")
    match.do("reveal", card="alpha")
    refuses(match, "not active", "respawn", teleporter="teleporter-2")


@claim("«В начале следующей активации»", "fragged in his own activation he comes back in the next one")
def test_not_in_the_same_activation(build: ModuleType) -> None:
    match = alpha(build)
    match.do("frag", by=JUDGE, figure="alpha")
    refuses(match, "next activation", "respawn", teleporter="teleporter-1")
    match.do("end")


@claim("the seed is silent", "marines on every active teleporter", "option teleporters_taken")
def test_all_teleporters_are_taken(build: ModuleType) -> None:
    match = printed(build)
    match.do("frag", by=JUDGE, figure="alpha")
    put(match, bravo=[[0, 2]])
    match.do("reveal", card="alpha")
    refuses(match, "stands on", "respawn", teleporter="teleporter-1")
    match.do("end")


# Movement


@claim("«Две клетки соседние, если они имеют общий угол или общую сторону»", "a diagonal step is one point")
def test_a_diagonal_step(build: ModuleType) -> None:
    match = alpha(build)
    put(match, alpha=[[7, 1]])
    match.do("play", **STEP)
    match.do("move", figure="alpha", cells=[[8, 2]])
    assert match.game.turn.movement == 1


@claim("«она не может закончить движение на этой клетке»", "neither on a friend nor on an enemy")
def test_no_end_on_a_figure(build: ModuleType) -> None:
    match = alpha(build)
    match.do("play", **SHOT)
    for name in ("bravo", "imp-1"):
        cells = [list(cell) for cell in match.game.piece(name).cells]
        refuses(match, "ends on empty cells|cannot end there", "move", figure="alpha", cells=cells)


@claim("«сквозь клетку занятую противником, потратив при этом дополнительное очко»", "two points into it, one out")
def test_through_an_enemy(build: ModuleType) -> None:
    match = alpha(build, document=build.corridor(13, 1))
    for name in ("bravo", "charlie", "imp-2", "possessed-1", "possessed-2"):
        match.do("frag", by=JUDGE, figure=name)
    put(match, alpha=[[0, 0]], imp_1=[[1, 0]])
    match.do("play", **SHOT)
    match.do("move", figure="alpha", cells=[[2, 0]])
    assert match.game.turn.movement == 1


@claim("«При движении через дружественные фигуры, лишние очки движения не тратятся»", "two points for two cells")
def test_through_a_friend(build: ModuleType) -> None:
    match = alpha(build, document=build.corridor(13, 1))
    for name in ("charlie", "imp-1", "imp-2", "possessed-1", "possessed-2"):
        match.do("frag", by=JUDGE, figure=name)
    put(match, alpha=[[0, 0]], bravo=[[1, 0]])
    match.do("play", **STEP)
    match.do("move", figure="alpha", cells=[[2, 0]])
    assert match.game.turn.movement == 0


@claim(
    "«одно дополнительное очко движения, чтобы войти в клетку с труднопроходимой местностью»", "to enter, not to leave"
)
def test_difficult_ground(build: ModuleType) -> None:
    document = {**build.corridor(13, 3), "difficult": [[7, 1]]}
    match = alpha(build, document=document)
    put(match, alpha=[[6, 1]])
    match.do("play", **SHOT)
    match.do("move", figure="alpha", cells=[[7, 1]])
    assert match.game.turn.movement == 2
    match.do("move", figure="alpha", cells=[[8, 1]])
    assert match.game.turn.movement == 1


@claim("«Большие фигуры не могут двигаться по диагонали»", "a diagonal cell costs two steps")
def test_large_figures_do_not_move_diagonally(build: ModuleType) -> None:
    match = printed(build)
    put(match, pinky_1=[[7, 0], [8, 0]], imp_1=[[12, 0]], imp_2=[[12, 2]])
    match.do("frag", by=JUDGE, figure="imp-1")
    match.do("frag", by=JUDGE, figure="imp-2")
    demons(match, "pinky", "pinky-1")
    match.do("move", figure="pinky-1", cells=[[8, 1], [9, 1]])
    assert match.game.turn.movement == 3


@claim("«поворачиваясь на 90 градусов, тратят одно очко … по меньшей мере, половину клеток»", "a turn is one point")
def test_a_turn(build: ModuleType) -> None:
    match = printed(build)
    put(match, pinky_1=[[7, 0], [8, 0]])
    match.do("frag", by=JUDGE, figure="imp-1")
    match.do("frag", by=JUDGE, figure="imp-2")
    demons(match, "pinky", "pinky-1")
    match.do("move", figure="pinky-1", cells=[[7, 0], [7, 1]])
    assert match.game.turn.movement == 4


def pinky_on_bravo(build: ModuleType, **options: str) -> Any:
    match = printed(build, options=options, invasion=[], portals=[])
    put(match, possessed_2=[[11, 0]], imp_2=[[10, 2]], imp_1=[[12, 0]], possessed_1=[[11, 2]])
    put(match, charlie=[[12, 2]], pinky_1=[[7, 1], [8, 1]], bravo=[[4, 1]])
    demons(match, "pinky", "pinky-1")
    return match


@claim("«по выбору его владельца»", "the marines say where Bravo goes, on their device", "mended")
def test_the_owner_of_the_displaced_decides(build: ModuleType) -> None:
    match = pinky_on_bravo(build)
    with pytest.raises(NotYours):
        match.do("move", by=INVADER_DEVICE, figure="pinky-1", cells=[[4, 1], [5, 1]], displaced={"bravo": [[3, 1]]})
    match.do("move", by=INVADER_DEVICE, figure="pinky-1", cells=[[4, 1], [5, 1]])
    with pytest.raises(NotYours):
        match.do("displace", by=INVADER_DEVICE, figure="bravo", cells=[[3, 1]])
    match.do("displace", by=MARINE_DEVICE, figure="bravo", cells=[[3, 1]])


@claim("«перемещается в ближайшие незанятые клетки»", "not two cells away while one beside is free")
def test_the_nearest_free_cell(build: ModuleType) -> None:
    match = pinky_on_bravo(build)
    match.do("move", figure="pinky-1", cells=[[4, 1], [5, 1]])
    refuses(match, "nearest free cell", "displace", figure="bravo", cells=[[1, 1]])


@claim("«каждая маленькая фигура перемещается»", "nobody goes on before all are put", "mended")
def test_everybody_waits_for_the_displaced(build: ModuleType) -> None:
    match = pinky_on_bravo(build)
    match.do("move", figure="pinky-1", cells=[[4, 1], [5, 1]])
    refuses(match, "owners choose", "move", figure="pinky-1", cells=[[6, 1], [7, 1]])
    refuses(match, "owners choose", "end")


@claim("the seed is silent", "displaced with nowhere to go", "option displaced_nowhere")
def test_displaced_with_nowhere_to_go(build: ModuleType) -> None:
    match = pinky_on_bravo(build, displaced_nowhere="no_end")
    document = dict(build.corridor(13, 3))
    edges = [(edge_between((x, y), (x, y + 1)), "wall") for x in (0, 1) for y in (0, 1)]
    edges += [(edge_between((1, y), (2, y)), "impassable" if y == 1 else "wall") for y in range(3)]
    drawn = [{"from": list(edge.start), "to": list(edge.end), "kind": kind} for edge, kind in edges]
    match.do("see", document={**document, "edges": [*document["edges"], *drawn]})
    put(match, bravo=[[1, 1]], pinky_1=[[3, 1], [4, 1]])
    refuses(match, "no free cell", "move", figure="pinky-1", cells=[[0, 1], [1, 1]])


# Doors, tokens, teleporters


@claim("«Фигура, соседняя с дверью, может открыть ее, потратив одно очко движения»", "one point, from beside it")
def test_a_door_costs_a_point(build: ModuleType) -> None:
    match = alpha(build)
    match.do("play", **STEP)
    refuses(match, "does not stand beside", "open_door", door="d1")
    put(match, alpha=[[11, 1]])
    match.do("open_door", door="d1")
    assert match.game.turn.movement == 1
    refuses(match, "open already", "open_door", door="d1")


@claim("«если на поле есть какие-либо порталы, демон не может открыть дверь»", "in the tutorial only")
def test_demons_and_doors_in_the_tutorial(build: ModuleType) -> None:
    match = decked(build)
    put(match, imp_1=[[11, 1]])
    demons(match, "imp", "imp-1")
    refuses(match, "no demon opens a door", "open_door", door="d1")


@claim(
    "«Когда морпех в первый раз открывает дверь, Захватчик немедленно призывает демонов из двух порталов»", "at once"
)
def test_the_first_door_of_the_tutorial(build: ModuleType) -> None:
    match = decked(build)
    match.do("reveal", card="alpha")
    put(match, alpha=[[11, 1]])
    match.do("sprint", card=match.game.deck("alpha").hand[0])
    match.do("open_door", door="d1")
    assert match.game.summons_due == ("portal-1", "portal-2")
    refuses(match, "summon first", "end")


@claim("«снимает с себя 5 единиц урона и сбрасывает маркер»", "never below none, and the token is gone")
def test_a_health_pack(build: ModuleType) -> None:
    match = alpha(build)
    match.do("damage", by=JUDGE, figure="alpha", amount=3)
    put(match, alpha=[[2, 2]])
    match.do("take", item="health-1")
    assert harm(match, "alpha") == 0
    assert all(item.id != "health-1" for item in match.game.items)


@claim("«если в свою активацию стоит на клетке с этим предметом»", "neither beside it nor in another's activation")
def test_a_token_under_the_own_feet(build: ModuleType) -> None:
    match = alpha(build)
    refuses(match, "does not stand on", "take", item="health-1")
    put(match, bravo=[[2, 2]])
    refuses(match, "does not stand on", "take", item="health-1")


@claim("«перетасовывает их, и помещает лицом вниз на верх своей колоды»", "the three cards of the launcher on top")
def test_a_weapon_set_on_top(build: ModuleType) -> None:
    match = decked(build)
    match.do("reveal", card="alpha")
    put(match, alpha=[[7, 0]])
    match.do("take", item="launcher")
    assert sorted(match.game.deck("alpha").pile[:3]) == ["launcher-1", "launcher-2", "launcher-3"]


@claim("«морпех должен встать на клетку с таким Телепортом»", "a marine turns it, a demon does not")
def test_a_teleporter_turns_under_a_marine(build: ModuleType) -> None:
    match = alpha(build)
    put(match, alpha=[[8, 2]], imp_1=[[8, 1]])
    match.do("play", **STEP)
    match.do("move", figure="alpha", cells=[[9, 2]])
    assert "teleporter-2" in match.game.teleporters_active
    other = printed(build)
    put(other, imp_1=[[8, 2]])
    demons(other, "imp", "imp-1")
    other.do("move", figure="imp-1", cells=[[9, 2]])
    assert "teleporter-2" not in other.game.teleporters_active


@claim("«Перемещаться из одного телепорта в другой можно»", "between active ones, not to an inactive one")
def test_between_teleporters(build: ModuleType) -> None:
    match = alpha(build)
    put(match, alpha=[[0, 2]])
    match.do("play", **STEP)
    refuses(match, "not active", "teleport", teleporter="teleporter-2")


@claim("«Если демон находится на активном телепорте, морпех может возродиться … и мгновенно убить демона»", "telefrag")
def test_a_telefrag(build: ModuleType) -> None:
    match = printed(build)
    match.do("frag", by=JUDGE, figure="alpha")
    put(match, imp_1=[[0, 2]])
    match.do("reveal", card="alpha")
    match.do("respawn", teleporter="teleporter-1")
    assert not match.game.piece("imp-1").on_table


# Portals, glory kills, the end


@claim("«размещая фигуры на портале и вокруг него»", "not two cells away")
def test_summoned_at_the_portal(build: ModuleType) -> None:
    match = alpha(build)
    cells = {"possessed-3": [[8, 1]], "possessed-4": [[6, 1]]}
    refuses(match, "neither on the portal", "summon", portal="portal-1", group=0, cells=cells, argent={"possessed": 1})


@claim("«соответствующую синему порталу»", "a yellow group does not come out of a blue portal")
def test_a_group_of_the_portals_colour(build: ModuleType) -> None:
    match = alpha(build)
    refuses(match, "another colour", "summon", portal="portal-1", group=3, cells={"pinky-1": [[8, 1]]})


@claim("the seed is silent", "a group that finds no room comes as far as there is room; nobody is stuck", "mended")
def test_a_group_without_room(build: ModuleType) -> None:
    match = alpha(build)
    around = [[x, y] for x in (7, 8, 9) for y in range(3)]
    names = ["bravo", "charlie", "imp-1", "imp-2", "possessed-1", "possessed-2", "cacodemon-1", "cacodemon-2"]
    put(match, **dict(zip([name.replace("-", "_") for name in names], [[cell] for cell in around], strict=False)))
    left = around[len(names)]
    match.do("summon", portal="portal-1", group=0, cells={"possessed-3": [left]}, argent={"possessed": 1})
    assert not match.game.piece("possessed-4").on_table


@claim("«должен распределить их среди карт Демонов этой группы»", "all of it, on cards of the group")
def test_argent_of_a_group(build: ModuleType) -> None:
    match = alpha(build)
    cells = {"possessed-3": [[8, 1]], "possessed-4": [[8, 2]]}
    for argent, sentence in (({}, "place 1 argent"), ({"imp": 1}, "demon cards of this group")):
        refuses(match, sentence, "summon", portal="portal-1", group=0, cells=cells, argent=argent)


@claim(
    "«все маркеры Аргент-энергии, которые остались на карте Вторжения, немедленно сбрасываются»", "after a summoning"
)
def test_argent_left_on_the_invasion_card(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    match = printed(build, events=base.setup["events"])
    match.do("gain_argent", cards=[match.game.deck(INVADER).hand[0]], onto={"invasion": 1})
    cells = {"possessed-3": [[8, 1]], "possessed-4": [[8, 2]]}
    match.do("summon", portal="portal-1", group=0, cells=cells, argent={"possessed": 1})
    assert match.game.invasion_argent == 0


@claim("«Описание миссии всегда указывает, когда Захватчик может призвать демонов»", "no portal before a card says so")
def test_portals_summon_when_the_mission_says_so(build: ModuleType) -> None:
    match = decked(build)
    refuses(match, "nothing summons", "summon", portal="portal-1", group=1, cells={"pinky-1": [[8, 1]]})


@claim("«Как только морпех входит в клетку с таким демоном, демон тут же умирает … два очка здоровья»", "and heals two")
def test_a_glory_kill(build: ModuleType) -> None:
    match = alpha(build)
    match.do("damage", by=JUDGE, figure="alpha", amount=5)
    put(match, alpha=[[2, 1]])
    match.do("play", **SHOT)
    refuses(match, "not staggered", "glory_kill", demon="imp-1")
    match.do("damage", by=JUDGE, figure="imp-1", amount=2)
    match.do("move", figure="alpha", cells=[[3, 1]])
    assert (match.game.piece("imp-1").on_table, harm(match, "alpha")) == (False, 3)


@claim("«Как только у демона остается указанное значение здоровья или ниже»", "exactly the value staggers")
def test_staggered_at_the_value(build: ModuleType) -> None:
    match = printed(build)
    match.do("damage", by=JUDGE, figure="imp-1", amount=1)
    assert not match.game.is_staggered(match.game.piece("imp-1"))
    match.do("damage", by=JUDGE, figure="imp-1", amount=1)
    assert match.game.is_staggered(match.game.piece("imp-1"))


@claim("«миссия немедленно завершается»", "no step follows it")
def test_the_mission_ends_at_once(build: ModuleType) -> None:
    match = printed(build, goals={"frags": {"3": 1}, "tutorial": False})
    match.do("frag", by=JUDGE, figure="alpha")
    assert match.game.winner == INVADER
    refuses(match, "match is over", "reveal", card="bravo")


@claim("«выбранная карта Вторжения Захватчика остается лицом вниз»", "the marines are shown no group of it")
def test_the_invasion_card_is_hidden(build: ModuleType) -> None:
    match = decked(build)
    way = match.session.way({"type": "summon", "portal": "portal-1"}, MARINE_DEVICE)
    assert way["ask"] is None or not way["ask"]["picks"]
    assert "invasion" not in str(match.session.view(Audience(side=MARINES)).get("invasion", ""))


@claim("«Морпехи не могут смотреть на карты демонов, лежащие лицом вниз»", "a demon in the box is no name for them")
def test_face_down_demons_are_hidden(build: ModuleType) -> None:
    match = decked(build)
    refuses(match, "no figure", "attack", by=MARINE_DEVICE, defender="pinky-1")


# Deciding about corrections by hand


@claim("«он кладет нужное количество маркеров Урона на свою карту персонажа»", "the invader frags no marine", "mended")
def test_nobody_takes_from_the_other_side(build: ModuleType) -> None:
    match = printed(build)
    for type_, fields in (
        ("damage", {"amount": 1}),
        ("frag", {}),
        ("stun", {"on": True}),
        ("place", {"cells": [[9, 2]]}),
    ):
        with pytest.raises(NotYours):
            match.do(type_, by=INVADER_DEVICE, figure="alpha", **fields)
        with pytest.raises(NotYours):
            match.do(type_, by=MARINE_DEVICE, figure="imp-1", **fields)


@claim(
    "«он может вскрыть дополнительную карту»", "a hasty close on the tablet is the other side's to take back", "mended"
)
def test_a_hasty_close_is_taken_back(build: ModuleType) -> None:
    match = printed(build)
    match.do("reveal", card="alpha")
    match.do("play", **SHOT)
    match.do("attack", by=MARINE_DEVICE, defender="imp-1", rolled_here=False, dice=[["red", 1]])
    match.do("defend", by=INVADER_DEVICE)
    match.do("resolve")
    match.do("undo", by=INVADER_DEVICE, to=match.session.view(Audience(side=INVADER))["undo"]["free_to"])
    assert match.game.pending is not None


# What a second reading of the seed asked


def clear(match: Any) -> None:
    """All demons but imp 1 off the board."""
    for name in ("possessed-1", "possessed-2", "imp-2"):
        match.do("frag", by=JUDGE, figure=name)


@claim(
    "«33 Демона … 6 маркеров Телепорта … 18 маркеров Порталов … 9 маркеров Аптечки … 16 маркеров Развития/Угрозы»",
    "a mission that uses more than the box holds is refused by name",
    "mended",
)
@pytest.mark.parametrize(
    ("field", "made"),
    [
        ("teleporters", [{"id": f"t{n}", "cell": [n, 1]} for n in range(7)]),
        ("portals", [{"id": f"p{n}", "color": "blue", "cell": [n % 12, 1]} for n in range(19)]),
        ("items", [{"id": f"i{n}", "kind": "health", "cell": [n, 1]} for n in range(10)]),
        ("items", [{"id": f"i{n}", "kind": "objective", "cell": [n, 1]} for n in range(7)]),
        ("threat_tokens", 17),
        ("argent_tokens", 19),
    ],
)
def test_a_mission_fits_the_box(build: ModuleType, field: str, made: Any) -> None:
    with pytest.raises(BadValue, match="the box holds") as refused:
        build.begun(build.with_setup(build.mission(build.TUTORIAL), **{field: made}))
    assert field in str(refused.value)


@claim("«33 Демона»", "34 demons are refused", "mended")
def test_no_more_demons_than_figures(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    imps = {**base.setup["demons"][0], "figures": [f"imp-{n}" for n in range(1, 35)]}
    with pytest.raises(BadValue, match="the box holds 33"):
        build.begun(build.with_setup(base, demons=[imps], invasion=[], portals=[]))


@claim("«Когда игроков за морпехов меньше четырех»", "four marines hold no squad card")
def test_four_marines_hold_no_squad_card(build: ModuleType) -> None:
    one = {**build.mission(build.TUTORIAL).setup["marines"][0], "deck": []}
    four = [{**one, "id": f"m{n}", "cells": [[n, 0]], "squad": "Leader" if n == 0 else ""} for n in range(4)]
    with pytest.raises(BadValue, match="0 of 4"):
        printed(build, marines=four)


@claim("the seed is silent", "marines on all active teleporters: beside one, though an inactive one is near", "mended")
def test_beside_a_taken_teleporter(build: ModuleType) -> None:
    near = [{"id": "t1", "cell": [0, 0]}, {"id": "t2", "cell": [1, 0], "active": False}]
    match = printed(build, teleporters=near, options={"teleporters_taken": "beside"})
    match.do("frag", by=JUDGE, figure="alpha")
    put(match, bravo=[[0, 0]], charlie=[[9, 2]])
    match.do("reveal", card="alpha")
    refuses(match, "choose a cell beside one", "respawn", teleporter="t1")
    match.do("respawn", teleporter="t1", cells=[[1, 0]])
    assert match.game.piece("alpha").cells == ((1, 0),)


@claim("«все маркеры Урона сбрасываются с его карты персонажа»", "nor is he stunned when he comes back")
def test_a_fragged_marine_loses_his_tokens(build: ModuleType) -> None:
    match = printed(build)
    match.do("stun", by=JUDGE, figure="alpha", on=True)
    match.do("damage", by=JUDGE, figure="alpha", amount=2)
    match.do("frag", by=JUDGE, figure="alpha")
    assert (match.game.piece("alpha").marks, match.game.piece("alpha").harm) == ((), 0)


@claim("«Фигура, соседняя с дверью, может открыть ее»", "from either side, not past its corner, and only once")
def test_a_door_is_opened_from_either_side(build: ModuleType) -> None:
    match = alpha(build)
    match.do("play", **STEP)
    put(match, alpha=[[11, 0]])
    refuses(match, "does not stand beside", "open_door", door="d1")
    put(match, alpha=[[12, 1]])
    match.do("open_door", door="d1")
    refuses(match, "open already", "open_door", door="d1")


@claim("«а две клетки, разделенные дверью, не являются соседними»", "no step through it, nor diagonally past it")
def test_no_way_leads_through_a_closed_door(build: ModuleType) -> None:
    match = alpha(build)
    put(match, alpha=[[11, 1]])
    match.do("play", card="x", movement=9)
    for cell in ([12, 1], [12, 0], [12, 2]):
        refuses(match, "cannot end there", "move", figure="alpha", cells=[cell])


@claim("«Как только морпех входит в клетку с таким демоном»", "with the points for it, as into any enemy's cell")
def test_a_glory_kill_costs_its_step(build: ModuleType) -> None:
    match = alpha(build)
    clear(match)
    put(match, alpha=[[2, 1]], imp_1=[[3, 1]])
    match.do("damage", by=JUDGE, figure="imp-1", amount=match.game.health_of(match.game.piece("imp-1")) - 1)
    match.do("play", card="x", movement=1)
    refuses(match, "more than the movement left", "glory_kill", demon="imp-1", cells=[[3, 1]])
    refuses(match, "cannot end there", "move", figure="alpha", cells=[[3, 1]])
    match.do("play", card="y", movement=1)
    match.do("move", figure="alpha", cells=[[3, 1]])
    assert not match.game.piece("imp-1").on_table


@claim("«Как только морпех входит в клетку»", "a demon that passes a staggered one kills nobody")
def test_demons_make_no_glory_kills(build: ModuleType) -> None:
    match = printed(build)
    put(match, possessed_1=[[8, 2]], possessed_2=[[9, 0]], imp_2=[[9, 2]], imp_1=[[5, 1]], alpha=[[11, 0]])
    put(match, possessed_1=[[4, 1]])
    match.do("damage", by=JUDGE, figure="possessed-1", amount=1)
    demons(match, "imp", "imp-1")
    match.do("move", figure="imp-1", cells=[[3, 1]])
    assert match.game.piece("possessed-1").on_table


@claim("«Морпех может взять предмет»", "a demon takes none, and teleports nowhere")
def test_demons_take_nothing_and_do_not_teleport(build: ModuleType) -> None:
    ports = [{"id": "t1", "cell": [4, 0]}, {"id": "t2", "cell": [6, 0]}]
    match = printed(build, items=[{"id": "p", "kind": "health", "cell": [4, 0]}], teleporters=ports)
    clear(match)
    put(match, imp_1=[[4, 0]])
    demons(match, "imp", "imp-1")
    refuses(match, "activation of Imp 1", "take", item="p")
    refuses(match, "activation of Imp 1", "teleport", teleporter="t2")


@claim("«Перемещаться из одного телепорта в другой»", "not onto a marine")
def test_no_teleport_onto_a_marine(build: ModuleType) -> None:
    match = printed(build, teleporters=[{"id": "t1", "cell": [0, 0]}, {"id": "t2", "cell": [5, 0]}])
    match.do("reveal", card="alpha")
    put(match, bravo=[[5, 0]], alpha=[[0, 0]])
    match.do("play", **STEP)
    refuses(match, "stands on", "teleport", teleporter="t2")


@claim("«Морпех не тратит при этом дополнительные очки движения»", "he comes back for nothing, and acts in full")
def test_a_respawn_is_free(build: ModuleType) -> None:
    match = printed(build, teleporters=[{"id": "t1", "cell": [0, 0]}])
    match.do("frag", by=JUDGE, figure="alpha")
    match.do("reveal", card="alpha")
    refuses(match, "respawn", "play", **SHOT)
    match.do("respawn", teleporter="t1")
    match.do("play", **SHOT)
    assert (match.game.turn.movement, len(match.game.turn.attacks)) == (4, 1)


@claim("«на месте расположения активного Телепорта»", "without any active one his activation passes")
def test_without_a_teleporter_the_activation_passes(build: ModuleType) -> None:
    match = printed(build, teleporters=[{"id": "t1", "cell": [0, 0], "active": False}])
    match.do("frag", by=JUDGE, figure="alpha")
    match.do("reveal", card="alpha")
    refuses(match, "is not active", "respawn", teleporter="t1")
    match.do("end")
    assert match.game.turn is None


@claim("«вскрывает верхнюю карту своей колоды»", "the attacker's device does not reveal it")
def test_the_defender_reveals_his_own_card(build: ModuleType) -> None:
    match = imp_attacks(build)
    with pytest.raises(NotYours):
        match.do("defend", by=INVADER_DEVICE)
    match.do("defend", by=MARINE_DEVICE)


@claim("«Захватчик активирует один из типов своих демонов»", "the marines neither move nor end demons")
def test_nobody_plays_the_other_side(build: ModuleType) -> None:
    match = printed(build)
    demons(match, "imp", "imp-1")
    for type_, fields in (("move", {"figure": "imp-1", "cells": [[5, 1]]}), ("end", {})):
        with pytest.raises(NotYours):
            match.do(type_, by=MARINE_DEVICE, **fields)
    marines = alpha(build)
    for type_, fields in (("play", STEP), ("sprint", {"card": "x"}), ("end", {})):
        with pytest.raises(NotYours):
            marines.do(type_, by=INVADER_DEVICE, **fields)


@claim("«после выполнения ею атаки или защиты»", "who neither attacks nor defends stays stunned")
def test_a_stun_waits_for_an_attack(build: ModuleType) -> None:
    match = printed(build)
    match.do("stun", by=JUDGE, figure="alpha", on=True)
    match.do("reveal", card="alpha")
    match.do("play", **SHOT)
    match.do("end")
    assert match.game.piece("alpha").marks == ("stunned",)


@claim("«вместо выполнения основного действия»", "one sprint; neither after a main card nor before one")
def test_a_sprint_is_the_main_action(build: ModuleType) -> None:
    match = alpha(build)
    match.do("sprint", card="x")
    refuses(match, "main action", "sprint", card="y")
    refuses(match, "main action", "play", **SHOT)
    other = alpha(build)
    other.do("play", **SHOT)
    refuses(other, "main action", "sprint", card="x")


@claim("«каждое очко … располагает их на любой из своих карт»", "one for each card, on a card in play, no card twice")
def test_argent_for_each_card(build: ModuleType) -> None:
    match = decked(build)
    first = match.game.deck(INVADER).hand[0]
    refuses(match, "no demon card", "gain_argent", cards=[first], onto={"baron": 1})
    refuses(match, "one argent for each", "gain_argent", cards=[first], onto={"imp": 2})
    refuses(match, "not in the hand", "gain_argent", cards=[first, first], onto={"imp": 2})


@claim("«Активация выполняется по одной фигуре за раз»", "nothing of one demon is left for the next")
def test_nothing_is_left_between_demons(build: ModuleType) -> None:
    match = printed(build)
    demons(match, "imp", "imp-1")
    match.do("end")
    assert (match.game.turn.figure, match.game.turn.attacks, match.game.turn.movement) == (None, (), 0)


@claim("«Морпех может взять предмет»", "a health pack without damage is his to take, and gone")
def test_a_health_pack_may_be_wasted(build: ModuleType) -> None:
    match = printed(build, items=[{"id": "p", "kind": "health", "cell": [0, 0]}])
    put(match, alpha=[[0, 0]])
    match.do("reveal", card="alpha")
    match.do("take", item="p")
    assert match.game.items == ()


def test_the_table_lists_every_claim() -> None:
    assert TABLE_FILE.read_text(encoding="utf-8") == worded_table(), "run python tests/match/test_claims2016.py"


def test_there_are_ninety_claims() -> None:
    assert len(CLAIMS) >= 90
    assert len({each.test for each in CLAIMS}) == len(CLAIMS)


def worded_table() -> str:
    """Return the whole text of ``CLAIMS.md``."""
    rows = [
        f"| {n} | {each.sentence} | {each.says} | {each.verdict} | `{each.test}` |" for n, each in enumerate(CLAIMS, 1)
    ]
    head = """# Claims about DOOM 2016

Claims out of seed 001, read as a lawyer would: who, how far, when, and all of it together. Each is tried on a running
match by the test named beside it, in `tests/match/test_claims2016.py`, which also writes this table.

*Right* held at once. *Mended* was wrong or lax, and holds now. *Option* is an open point: each reading can be chosen.

| # | sentence | claim | verdict | test |
| --- | --- | --- | --- | --- |
"""
    return head + "\n".join(rows) + "\n"


if __name__ == "__main__":
    TABLE_FILE.write_text(worded_table(), encoding="utf-8")
    sys.stdout.write(f"{len(CLAIMS)} claims\n")

"""Event cards and the guard order of DOOM 2004: each at its moment, and before what it interrupts (seeds 002, 004)."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep
from assistant.match.actor import player

EVENTS = {
    "trap": {"name": "It is a trap", "when": "token_taken", "effects": [{"effect": "activate", "count": 2}]},
    "dark": {"name": "Dark energies", "when": "marine_attack", "effects": [{"effect": "heal", "wounds": 1}]},
    "start": {"name": "At the start", "when": "turn_start"},
    "before": {"name": "Before his turn", "when": "marine_turn"},
    "dodge": {"name": "Dodge", "effects": [{"effect": "dodge"}]},
}
FACE = {"range": 6, "damage": 2, "ammo": False, "miss": False}


def begun(build: ModuleType, *, events: dict[str, Any] | None = None) -> Any:
    """Return the red marine's turn; the invader's hand holds every event."""
    base = build.mission(build.KNEE_DEEP)
    spare = {f"spare-{n}": {"name": f"Spare {n}"} for n in range(16)} if events is not None else {}
    match = build.begun(build.with_setup(base, cards={**(EVENTS if events is None else events), **spare}))
    match.do("see", document=build.TABLES[build.KNEE_DEEP](base))
    match.do("begin")
    return match


def pistol(match: Any, target: str, **more: Any) -> None:
    match.do(
        "attack", targets=[target], weapon="pistol", rolled_here=False, dice=[["yellow", FACE], ["green", FACE]], **more
    )


def to_invader(match: Any, action: str = "sprint") -> None:
    while match.game.phase == "marine":
        match.do("action", action=action)
        if action == "ready":
            match.do("order", order="guard")
        match.do("end")


# “Event cards that say “Play immediately before a marine takes his turn” can be played until the marine player declares
# his action.” (seed 004)


def test_before_a_marines_turn_is_until_he_declares(build: ModuleType) -> None:
    match = begun(build)
    match.do("action", action="advance")
    with pytest.raises(IllegalStep, match="before a marine declares"):
        match.do("play_event", card="before")
    match.do("end")
    match.do("play_event", card="before")
    assert "before" in match.game.deck.discard


# “These cards must be played after the invader player has discarded down to 8 cards for the turn, but before he has
# activated his first invader for the turn.” (seed 004)


def test_the_start_of_the_turn_is_after_discarding_and_before_the_first_activation(build: ModuleType) -> None:
    match = begun(build)
    to_invader(match)
    with pytest.raises(IllegalStep, match="after discarding"):
        match.do("play_event", card="start")
    match.do("draw")
    match.do("activations")
    match.do("activate", figure="imp-1")
    match.do("end")
    with pytest.raises(IllegalStep, match="before the first invader acts"):
        match.do("play_event", card="start")
    match.do("undo")
    match.do("undo")
    match.do("play_event", card="start")
    assert "start" in match.game.deck.discard


def test_nine_cards_in_the_hand_are_discarded_before_the_turn_starts(build: ModuleType) -> None:
    match = begun(build, events={"start": EVENTS["start"]})
    while len(match.game.deck.hand) <= 8 or "start" not in match.game.deck.hand:
        to_invader(match)
        match.do("draw")
        if len(match.game.deck.hand) > 8 and "start" in match.game.deck.hand:
            break
        over = len(match.game.deck.hand) - 8
        if over > 0:
            match.do("discard", cards=[card for card in match.game.deck.hand if card != "start"][:over])
        match.do("activations")
        match.do("end")
    with pytest.raises(IllegalStep, match="after discarding"):
        match.do("play_event", card="start")


# “Play immediately before a marine attacks an invader. Remove 1 wound from an invader of your choice.” … “the invader
# player can quickly interrupt and play his card before the attack is resolved.” (seed 004)


def test_dark_energies_heals_before_the_attack_is_resolved_though_dice_lie_there(build: ModuleType) -> None:
    match = begun(build)
    match.do("damage", figure="imp-1", amount=1)
    with pytest.raises(IllegalStep, match="before an attack of a marine"):
        match.do("play_event", card="dark", figure="imp-1")
    match.do("action", action="advance")
    pistol(match, "zombie-1")
    with pytest.raises(IllegalStep, match="say which invader"):
        match.do("play_event", card="dark")
    with pytest.raises(IllegalStep, match="not an invader with wounds"):
        match.do("play_event", card="dark", figure="zombie-3")
    match.do("play_event", card="dark", figure="imp-1")
    assert match.game.piece("imp-1").harm == 0
    match.do("resolve")
    assert not match.game.piece("zombie-1").on_table


# “Después de que un jugador marino ha recogido una ficha de equipo de escopeta … Esta carta le permite activar
# inmediatamente hasta 2 invasores antes de que pueda continuar el turno del marine.” (seed 002)


def test_a_trap_lets_two_invaders_act_after_a_token_and_the_turn_goes_on(build: ModuleType) -> None:
    match = begun(build)
    match.do("action", action="advance")
    with pytest.raises(IllegalStep, match="picks up a token"):
        match.do("play_event", card="trap")
    match.do("move", figure="red-marine", cells=[[2, 0]])
    match.do("take", item="shotgun-token")
    with pytest.raises(IllegalStep, match="play it first"):
        match.do("activate", figure="imp-1", by_card=True)
    match.do("play_event", card="trap")
    for figure in ("imp-1", "zombie-1"):
        match.do("activate", figure=figure, by_card=True)
        assert match.game.side_to_act() == "invader"
        match.do("end")
    with pytest.raises(IllegalStep, match="play it first"):
        match.do("activate", figure="zombie-3", by_card=True)
    assert match.game.turn.figure == "red-marine"
    assert match.game.turn.attacks == 1
    match.do("move", figure="red-marine", cells=[[3, 0]])
    assert not match.game.turn.took


def test_people_carry_out_cards_without_effects_by_hand(build: ModuleType) -> None:
    match = begun(build, events={"plain": {"name": "Plain"}})
    match.do("action", action="advance")
    match.do("activate", figure="imp-1", by_card=True)
    match.do("end")
    assert match.game.turn.figure == "red-marine"


def test_only_a_dodge_card_dodges(build: ModuleType) -> None:
    match = begun(build)
    match.do("action", action="advance")
    pistol(match, "zombie-1")
    with pytest.raises(IllegalStep, match="lets nobody dodge"):
        match.do("dodge_by_card", by=player("invader"), figure="zombie-1", card="dark")
    match.do("dodge_by_card", by=player("invader"), figure="zombie-1", card="dodge")
    assert match.game.pending.dodger == "zombie-1"


# “the event card always receives precedence as long as the invader player declares his intent … This is also true for
# the marine guard order.” (seed 004)


def interrupted(build: ModuleType) -> Any:
    """Return a match with an imp's announced attack on the red marine; both marines guard."""
    match = begun(build)
    to_invader(match, "ready")
    match.do("draw")
    match.do("activations")
    match.do("activate", figure="imp-1")
    match.do("attack", targets=["red-marine"], rolled_here=False, dice=[["yellow", FACE], ["green", FACE]])
    return match


def test_a_guard_goes_before_an_attack_that_is_announced(build: ModuleType) -> None:
    match = interrupted(build)
    prompts = match.session.view(build.JUDGE_VIEW)["prompts"]
    assert {"guard": "red-marine"} in [prompt["fields"] for prompt in prompts]
    pistol(match, "imp-1", guard="red-marine")
    with pytest.raises(IllegalStep, match="finish the attack"):
        pistol(match, "imp-1", guard="green-marine")
    match.do("resolve")
    assert not match.game.piece("imp-1").on_table, "damage 4 against armour 2 are its two wounds"
    assert match.game.pending is None, "a dead figure attacks nobody"
    assert match.game.piece("red-marine").harm == 0


def test_an_attack_goes_on_when_its_attacker_lives(build: ModuleType) -> None:
    match = interrupted(build)
    pistol(match, "zombie-1", guard="green-marine")
    match.do("resolve")
    assert match.game.pending.attacker == "imp-1"
    match.do("resolve")
    assert match.game.piece("red-marine").harm == 2
    assert match.game.held is None

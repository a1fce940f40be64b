"""An idle card says why in its reader's terms: by a step that plays it, never by another's hand or figure."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from loading import beside

from assistant.match.actor import player
from assistant.match.game import INVADER, MARINES

CLAIMS = beside(__file__, "test_claims2004")
SPAWN = {f"spawn-{n}": {"name": f"Spawn {n}", "spawns": [{"zombie": 1}]} for n in range(20)}


def reasons(match: Any, side: str) -> dict[str, str | None]:
    """Return the reason of each idle card in a side's hands, by the card's words."""
    hands = match.session.hands(player(side))
    return {card["text"]: card["why_not"] for hand in hands for card in hand["cards"] if not card["uses"]}


def test_an_idle_card_of_2016_does_not_speak_of_the_other_sides_hand(build: ModuleType) -> None:
    match = build.begun(build.mission("doom2016_first_fight"))
    match.do("see", document=match.session.header.table)
    match.do("status", shuffled_here=False)
    waiting = reasons(match, MARINES)
    match.do("reveal", card="bravo")
    assert waiting
    for found in (waiting, reasons(match, MARINES), reasons(match, INVADER)):
        assert not any("The hand of" in why or "is not a reaction" in why for why in found.values() if why)
    assert {why for text, why in waiting.items() if "reaction" not in text} == {None}
    assert set(reasons(match, INVADER).values()) == {"no demon acts or is attacked now; play that card when one does"}


@pytest.mark.parametrize("card", ["dodge", "dark", "spawn"])
def test_an_idle_card_of_2004_does_not_speak_of_the_attacked_marine(build: ModuleType, card: str) -> None:
    cards = SPAWN if card == "spawn" else CLAIMS.with_events(card)
    match = CLAIMS.Match(build, cards=cards, places={"zombie_1": [[1, 0]]}).to_activations()
    match.act("zombie-1")
    match.shoot("red-marine", weapon=None)
    assert match.game.pending is not None
    [why] = set(reasons(match.played, INVADER).values())
    assert (
        why
        == {
            "dodge": "only when an invader is attacked",
            "dark": "play this card before an attack of a marine is resolved",
            "spawn": "this is a spawn card; play it in the second step",
        }[card]
    )

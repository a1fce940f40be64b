"""A questioned side finds every possible card beside the question; nobody else learns anything about its hand."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Any

import msgspec
import pytest

from assistant.match.actor import TABLE
from assistant.match.audience import PUBLIC, Audience, audience_of
from assistant.match.game import INVADER, MARINES
from assistant.match.ways import refusal_of

SIDES = (MARINES, INVADER)


def legal_cards(match: Any, moment: dict[str, Any]) -> set[str]:
    """Return the cards of a moment's side that are legal as a whole answer and change something."""
    system, game = match.session.system, match.game
    refuses = refusal_of(system, game, lambda step: None)
    open_now = next(one for one in match.session.moments() if one.id == moment["id"])
    held = [
        card
        for panel in system.panels(game, Audience(side=moment["side"]))
        if panel.is_hand
        for card in panel.ids
    ]  # fmt: skip

    def is_of_use(command: dict[str, Any]) -> bool:
        return refuses(command) is None and not system.command(command).is_idle(game)

    kinds = [answer for answer in open_now.answers if "card" in system.commands[answer["type"]].__struct_fields__]
    return {card for answer in kinds for card in held if is_of_use({**answer, "card": card})}


@pytest.mark.parametrize("mission", ["TUTORIAL", "KNEE_DEEP"])
def test_every_card_that_may_answer_is_offered_to_its_side_alone(
    build: ModuleType, players: ModuleType, mission: str
) -> None:
    offered = 0
    for seed in range(2):
        match, whims = build.on_table(getattr(build, mission), seed=f"replies {seed}"), Random(seed)
        for _ in range(50):
            if match.game.winner is not None:
                break
            players.take_a_step(match, whims)
            for side in SIDES:
                for moment in match.session.view(Audience(side=side))["asked"]:
                    if moment["side"] != side:
                        assert moment["replies"] == []
                        continue
                    held = {reply["command"].get("card") for reply in moment["replies"]}
                    assert legal_cards(match, moment) <= held
                    offered += len(moment["replies"])
            assert all(one["replies"] == [] for one in match.session.view(PUBLIC)["asked"])
    assert offered > 3


def test_what_others_see_of_a_question_does_not_depend_on_the_hand(build: ModuleType, players: ModuleType) -> None:
    asked = 0
    for seed in range(4):
        match, whims = build.on_table(build.KNEE_DEEP, seed=f"closed {seed}"), Random(seed)
        for _ in range(40):
            if match.game.winner is not None:
                break
            players.take_a_step(match, whims)
            readers = (Audience(side=MARINES), PUBLIC, audience_of(TABLE))
            now = [match.session.view(reader)["asked"] for reader in readers]
            asked += any(one["hand"] == INVADER for one in now[1])
            deck = match.game.deck
            unseen = [*deck.hand, *deck.pile]
            whims.shuffle(unseen)
            held = len(deck.hand)
            other = msgspec.structs.replace(deck, hand=tuple(unseen[:held]), pile=tuple(unseen[held:]))
            kept = match.session._timeline
            match.session._timeline = replace(kept, game=msgspec.structs.replace(match.game, deck=other))
            match.session._offered = (-1, {})
            assert [match.session.view(reader)["asked"] for reader in readers] == now
            match.session._timeline, match.session._offered = kept, (-1, {})
    assert asked > 10

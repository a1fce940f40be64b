"""The invader's secrets stay hidden: every byte for the marines, over whole matches, against his secrets."""

from __future__ import annotations

import json
import random
from types import ModuleType
from typing import Any

import pytest
from sightline_tests_hidden_things import (
    Secrets2004,
    Secrets2016,
    forms,
    marked_knee_deep,
    marked_tutorial,
)

from assistant.errors import InputError, NotYours
from assistant.match.actor import TABLE, Actor, player
from assistant.match.audience import PUBLIC, Audience, audience_of
from assistant.match.game import INVADER, MARINES
from assistant.match.views import list_prompts

FOR_MARINES = Audience(side=MARINES)
FOR_INVADER = Audience(side=INVADER)


def guided(match: Any, names: list[str], audience: Audience, whims: random.Random) -> list[str]:
    """Return the attack assistant's texts for the side and the shared tablet, of an open or considered attack."""
    own = [piece.id for piece in match.game.standing(audience.side)] or ["x"]
    answers = []
    for wish in ({}, {"attacker": whims.choice(own), "defender": whims.choice(names)}):
        for looker in (audience, PUBLIC):
            try:
                answers.append(json.dumps(match.session.guide(wish, looker)))
            except InputError as problem:
                answers.append(str(problem))
    return answers


def judgements(match: Any, side: Actor, whims: random.Random) -> list[str]:
    """Answer to a side and the shared tablet on whether a step was legal, sometimes about the last one."""
    last = match.session.seq
    if last == 0 or whims.random() < 0.7:
        return []
    seq = last if whims.random() < 0.7 else whims.randint(1, last)
    return [json.dumps(match.session.judge(seq, looker)) for looker in (side, TABLE)]


class Watcher:
    """Checks all output for one side, and tracks everything revealed to everyone."""

    def __init__(self, match: Any, audience: Audience, others: random.Random) -> None:
        self.match, self.audience, self.whims = match, audience, others
        self.sent: list[str] = []
        self.secrets = Secrets2016(match)
        self.looks = 0
        match.session.subscribe(lambda receipt: self.sent.append(f"{receipt}"))

    def __call__(self, match: Any) -> None:
        self.looks += 1
        self.secrets.note_what_is_shown()
        bytes_sent = "\n".join([*self.sent, *self._views(), *self._answers()])
        self.sent.clear()
        for secret in self.secrets.hidden_from(self.audience.side):
            assert not any(form in bytes_sent for form in forms(secret)), (
                f"“{secret}” was sent after event {match.session.seq}"
            )
        assert match.session.header.seed not in bytes_sent

    def _views(self) -> list[str]:
        views = [self.match.session.view(self.audience), self.match.session.view(PUBLIC)]
        return [json.dumps(view) for view in views] + [repr(self.match.session.tracker())]

    def _answers(self) -> list[str]:
        """Answer when the side asks for odds and tries steps of the other side."""
        side = player(str(self.audience.side))
        types = list(self.match.session.system.commands)
        enemies = [piece.id for piece in self.match.game.standing() if piece.side != side.side] or ["x"]
        answers = []
        for command in (
            {"type": self.whims.choice(types), "figure": "x", "card": "x", "kind": "x"},
            {"type": "summon", "portal": "portal-1", "group": 0, "cells": {}},
            {"type": "activate_kind", "kind": "x"},
        ):
            try:
                self.match.session.command(command, side)
            except InputError as problem:
                answers.append(str(problem))
        self._set_the_clocks(side)
        answers += guided(self.match, [*enemies, "x"], self.audience, self.whims)
        answers += judgements(self.match, side, self.whims)
        own_first = [piece.id for piece in self.match.game.standing(side.side)][:1]
        for own in own_first if self.whims.random() < 0.2 else ():
            try:
                answers.append(json.dumps(self.match.session.advise({"attacker": enemies[0], "defender": own})))
            except InputError as problem:
                answers.append(str(problem))
        return answers

    def _set_the_clocks(self, side: Actor) -> None:
        """Stop, starts and limits the clocks now and then, as that side may."""
        if self.whims.random() < 0.05:
            running = self.match.session.timeline.clock.running
            self.match.session.command({"type": "pause" if running else "resume"}, side)
            self.match.session.command({"type": "limits", "turn_s": self.whims.randint(1, 600)}, side)


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 23))])
def test_no_byte_for_the_marines_tells_what_the_invader_hides(
    build: ModuleType, players: ModuleType, seed: int
) -> None:
    base = marked_tutorial()
    match = build.begun(base, seed=f"seed {seed} of the leak test")
    match.do("see", document=build.TABLES[build.TUTORIAL](base))
    watcher = Watcher(match, FOR_MARINES, random.Random(seed))
    players.played_out(match, seed, watcher)
    assert watcher.looks > 50
    assert watcher.secrets.shown, "something was shown in the end, or the test has looked at nothing"


def test_the_watcher_would_notice_a_leak(build: ModuleType) -> None:
    base = marked_tutorial()
    match = build.begun(base)
    match.do("status")
    leaky = Watcher(match, FOR_INVADER, random.Random(0))
    sent = "\n".join(leaky._views())
    marines_secrets = Secrets2016(match).hidden_from(MARINES)
    assert any(secret in sent for secret in marines_secrets), "the invader does see his own hand"


def test_the_invader_does_not_see_the_marines_hands(build: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL))
    match.do("status")
    decks = match.session.view(FOR_INVADER)["decks"]
    assert "cards" in decks["invader"]
    assert not any("cards" in decks[marine] for marine in ("alpha", "bravo", "charlie"))


def asked_ways(match: Any, actor: Actor, whims: random.Random) -> str:
    """Answer when a device asks for the possible steps and for the choices of each."""
    told = [json.dumps(match.session.view(audience_of(actor)))]
    if whims.random() < 0.2:
        told.append(json.dumps(match.session.actions(actor)))
    types = list(match.session.system.commands)
    prompts = [{"type": prompt.type, **prompt.fields} for prompt in list_prompts(match.session.system, match.game)]
    portal = {"type": "summon", "portal": "portal-1"}
    for command in (*prompts, portal, {**portal, "group": 0}, *({"type": one} for one in whims.sample(types, 3))):
        try:
            told.append(json.dumps(match.session.way(command, actor)))
        except InputError as problem:
            told.append(str(problem))
    return "\n".join(told)


@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("batch", range(4))
def test_no_question_tells_one_of_two_tablets_and_a_phone_what_another_hides(
    build: ModuleType, players: ModuleType, batch: int
) -> None:
    # Fifty hands of cards and reveals each: the marines' tablet, the shared tablet, the invader's phone.
    base = marked_tutorial()
    whims = random.Random(batch)
    hands = 0
    while hands < 50:
        match = build.begun(base, seed=f"hands {batch} {hands}")
        match.do("see", document=build.TABLES[build.TUTORIAL](base))
        secrets = Secrets2016(match)
        for _ in range(whims.randint(5, 30)):
            players.take_a_step(match, whims)
            if match.game.winner is not None:
                break
            if whims.random() < 0.7:
                continue
            hands += 1
            secrets.note_what_is_shown()
            for actor in (player(MARINES), TABLE, player(INVADER)):
                told = asked_ways(match, actor, whims)
                leaked = [one for one in secrets.hidden_from(actor.side) if any(form in told for form in forms(one))]
                assert leaked == [], f"{actor} learns it after event {match.session.seq}"
    assert hands >= 50


@pytest.mark.timeout(1_800)  # a long match on a busy machine
@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 12))])
def test_no_byte_for_the_marines_tells_the_hand_of_the_invader_of_2004(
    build: ModuleType, players: ModuleType, seed: int
) -> None:
    base = marked_knee_deep()
    match = build.begun(base, seed=f"seed {seed} of the leak test")
    match.do("see", document=build.TABLES[build.KNEE_DEEP](base))
    secrets, whims = Secrets2004(match), random.Random(seed)

    def look(match: Any) -> None:
        secrets.note_what_is_shown()
        views = json.dumps([match.session.view(FOR_MARINES), match.session.view(PUBLIC)])
        enemies = [piece.id for piece in match.game.standing(INVADER)] or ["x"]
        told = judgements(match, player(MARINES), whims)
        sent = "\n".join([views, *told, *guided(match, enemies, FOR_MARINES, whims)])
        for secret in secrets.hidden_from(MARINES):
            assert not any(form in sent for form in forms(secret))

    players.played_out(match, seed, look)
    assert secrets.shown


@pytest.mark.parametrize("type_", ["damage", "place", "move", "ruling", "frag", "stun", "heal"])
def test_a_demon_in_the_box_is_answered_like_one_that_is_not_in_the_match(build: ModuleType, type_: str) -> None:
    match = build.on_table(build.TUTORIAL)
    match.do("status")
    fields: dict[str, Any] = {
        "damage": {"amount": 1},
        "heal": {"amount": 1},
        "place": {"cells": [[2, 2]]},
        "move": {"cells": [[2, 2]]},
        "ruling": {"attacker": "alpha"},
    }.get(type_, {})
    key = "defender" if type_ == "ruling" else "figure"
    answers = []
    for actor in (player(MARINES), TABLE):
        for name in ("cacodemon-1", "mancubus-1"):
            with pytest.raises(InputError) as caught:
                match.do(type_, by=actor, **{key: name}, **fields)
            answers.append((type(caught.value), str(caught.value).replace(name, "X")))
    assert len(set(answers)) == 1
    with pytest.raises(InputError, match="no figure"):
        match.session.advise({"attacker": "imp-1", "defender": "cacodemon-1"})


@pytest.mark.parametrize(
    ("mission", "command"),
    [
        ("doom2016_tutorial_sample", {"type": "gain_argent", "cards": ["event-a1"], "onto": {"imp": 1}}),
        ("doom2016_tutorial_sample", {"type": "play_event", "card": "event-a1"}),
        ("doom2016_tutorial_sample", {"type": "summon", "portal": "portal-1", "group": 0, "cells": {}}),
        ("doom2004_knee_deep_sample", {"type": "play_event", "card": "event-1"}),
        ("doom2004_knee_deep_sample", {"type": "discard", "cards": ["event-1"]}),
        ("doom2004_knee_deep_sample", {"type": "spawn", "card": "spawn-1"}),
        ("doom2004_knee_deep_sample", {"type": "dodge_by_card", "figure": "imp-1", "card": "event-6"}),
    ],
)
def test_the_shared_tablet_cannot_find_out_a_hand_by_trying_cards(
    build: ModuleType, mission: str, command: dict[str, Any]
) -> None:
    match = build.begun(build.mission(mission))
    for actor in (TABLE, player(MARINES)):
        with pytest.raises(NotYours):
            match.session.command(command, actor)


def test_a_demon_in_the_box_cannot_be_named_as_displaced_either(build: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL))
    match.do("status", shuffled_here=False)
    match.do("reveal", card="alpha")
    match.do("sprint", card=match.game.deck("alpha").hand[0])
    for name in ("cacodemon-1", "mancubus-1"):
        with pytest.raises(InputError, match="no figure"):
            match.do("move", by=player(MARINES), figure="alpha", cells=[[2, 2]], cost=1, displaced={name: [[9, 0]]})

"""What the invader hides stays hidden: every byte for the marines, over whole matches, against his secrets."""

from __future__ import annotations

import json
import random
from types import ModuleType
from typing import Any

import pytest

from assistant.errors import InputError, NotYours
from assistant.match.actor import TABLE, Actor, player
from assistant.match.audience import PUBLIC, Audience, audience_of
from assistant.match.game import INVADER, MARINES
from assistant.match.views import list_prompts
from assistant.translations.names import speak_id, speak_word

FOR_MARINES = Audience(side=MARINES)
FOR_INVADER = Audience(side=INVADER)


def renamed(raw: Any, names: dict[str, str]) -> Any:
    """The same data with every string that is one of the names replaced."""
    if isinstance(raw, dict):
        return {renamed(key, names): renamed(value, names) for key, value in raw.items()}
    if isinstance(raw, list):
        return [renamed(value, names) for value in raw]
    return names.get(raw, raw) if isinstance(raw, str) else raw


def forms(secret: str) -> set[str]:
    """A hidden id as it is, and as sentences would say it."""
    return {secret, speak_word(secret), speak_id(secret)}


def marked_tutorial(build: ModuleType) -> Any:
    """The tutorial with names for every hidden thing that occur nowhere else."""
    base = build.mission(build.TUTORIAL)
    hidden = [*base.setup["events"], "cacodemon", "pinky", "blue", "yellow", "red portal"]
    hidden += [card for marine in base.setup["marines"] for card in marine["deck"]]
    setup = json.loads(json.dumps(base.setup))
    for card, words in setup["cards"].items():
        words["name"] = f"named {card}"
    hidden += [f"named {card}" for card in setup["cards"]]
    for portal in (*setup["portals"], *setup["invasion"]):
        key = "color" if "color" in portal else "portal"
        portal[key] = "red portal" if portal[key] == "red" else portal[key]
    names = {name: f"hidden-{number:03d}-zq" for number, name in enumerate(dict.fromkeys(hidden))}
    for demon in setup["demons"]:
        if demon["kind"] in names:
            demon["figures"] = [f"{names[demon['kind']]}-{n}" for n, _ in enumerate(demon["figures"])]
    return build.with_setup(base, **renamed(setup, names))


def guided(match: Any, names: list[str], audience: Audience, whims: random.Random) -> list[str]:
    """What the attack assistant says to the side and to the shared tablet, of the open attack or of one in mind."""
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
    """What a side and the shared tablet are told of whether a step was legal, the last one now and then."""
    last = match.session.seq
    if last == 0 or whims.random() < 0.7:
        return []
    seq = last if whims.random() < 0.7 else whims.randint(1, last)
    return [json.dumps(match.session.judge(seq, looker)) for looker in (side, TABLE)]


class Watcher:
    """Looks at everything that leaves for one side, and knows what has been shown to everyone."""

    def __init__(self, match: Any, audience: Audience, others: random.Random) -> None:
        self.match, self.audience, self.whims = match, audience, others
        self.sent: list[str] = []
        self.shown: set[str] = set()
        self.looks = 0
        match.session.subscribe(lambda receipt: self.sent.append(f"{receipt}"))

    def __call__(self, match: Any) -> None:
        self.looks += 1
        self._note_what_is_shown()
        bytes_sent = "\n".join([*self.sent, *self._views(), *self._answers()])
        self.sent.clear()
        for secret in self._secrets():
            assert not any(form in bytes_sent for form in forms(secret)), (
                f"“{secret}” was sent after event {match.session.seq}"
            )
        assert match.session.header.seed not in bytes_sent

    def _views(self) -> list[str]:
        views = [self.match.session.view(self.audience), self.match.session.view(PUBLIC)]
        return [json.dumps(view) for view in views] + [repr(self.match.session.tracker())]

    def _answers(self) -> list[str]:
        """What the side is told when it asks for odds and tries what is not its own to do."""
        side = player(str(self.audience.side))
        types = [command.__struct_config__.tag for command in self.match.session.system.command_types]
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
        """Stops, starts and limits the clocks now and then, as that side may."""
        if self.whims.random() < 0.05:
            running = self.match.session.timeline.clock.running
            self.match.session.command({"type": "pause" if running else "resume"}, side)
            self.match.session.command({"type": "limits", "turn_s": self.whims.randint(1, 600)}, side)

    def _note_what_is_shown(self) -> None:
        game = self.match.game
        for deck in game.decks.values():
            self.shown.update(deck.discard)
        if game.turn is not None:
            self.shown.update(game.turn.in_play)
        self.shown.update(kind for kind, card in game.demon_cards.items() if card.face_up)

    def _secrets(self) -> set[str]:
        game = self.match.game
        cards = {card for owner in (INVADER, "glory") for card in game.deck(owner).cards} - self.shown
        secrets = cards | {game.setup.cards[card].name for card in cards}
        if self.audience.side == MARINES:
            secrets |= {portal.color for portal in game.portals} | {group.portal for group in game.setup.invasion}
            secrets |= {kind for kind, card in game.demon_cards.items() if not card.face_up} - self.shown
        return {secret for secret in secrets if "hidden" in secret}


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 23))])
def test_no_byte_for_the_marines_tells_what_the_invader_hides(
    build: ModuleType, players: ModuleType, seed: int
) -> None:
    base = marked_tutorial(build)
    match = build.begun(base, seed=f"seed {seed} of the leak test")
    match.do("see", document=build.TABLES[build.TUTORIAL](base))
    watcher = Watcher(match, FOR_MARINES, random.Random(seed))
    players.played_out(match, seed, watcher)
    assert watcher.looks > 50
    assert watcher.shown, "something was shown in the end, or the test has looked at nothing"


def test_the_watcher_would_notice_a_leak(build: ModuleType) -> None:
    base = marked_tutorial(build)
    match = build.begun(base)
    match.do("status")
    leaky = Watcher(match, FOR_INVADER, random.Random(0))
    sent = "\n".join(leaky._views())
    marines_secrets = Watcher(match, FOR_MARINES, random.Random(0))._secrets()
    assert any(secret in sent for secret in marines_secrets), "the invader does see his own hand"


def test_the_invader_does_not_see_the_marines_hands(build: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL))
    match.do("status")
    decks = match.session.view(FOR_INVADER)["decks"]
    assert "cards" in decks["invader"]
    assert not any("cards" in decks[marine] for marine in ("alpha", "bravo", "charlie"))


def asked_ways(match: Any, actor: Actor, whims: random.Random) -> str:
    """What a device is told when it asks what may be done, and how each of that is chosen."""
    told = [json.dumps(match.session.view(audience_of(actor)))]
    if whims.random() < 0.2:
        told.append(json.dumps(match.session.deeds(actor)))
    types = [step.__struct_config__.tag for step in match.session.system.command_types]
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
    base = marked_tutorial(build)
    whims = random.Random(batch)
    hands = 0
    while hands < 50:
        match = build.begun(base, seed=f"hands {batch} {hands}")
        match.do("see", document=build.TABLES[build.TUTORIAL](base))
        for_marines, for_invader = (Watcher(match, each, whims) for each in (FOR_MARINES, FOR_INVADER))
        for _ in range(whims.randint(5, 30)):
            players.take_a_step(match, whims)
            if match.game.winner is not None:
                break
            if whims.random() < 0.7:
                continue
            hands += 1
            for_marines._note_what_is_shown()
            for actor, secrets in (
                (player(MARINES), for_marines._secrets()),
                (TABLE, for_marines._secrets() | marines_hands(match, for_marines.shown)),
                (
                    player(INVADER),
                    for_invader._secrets() & glory_cards(match) | marines_hands(match, for_marines.shown),
                ),
            ):
                told = asked_ways(match, actor, whims)
                leaked = [one for one in secrets if any(form in told for form in forms(one))]
                assert leaked == [], f"{actor} is told after event {match.session.seq}"
    assert hands >= 50


def marines_hands(match: Any, shown: set[str]) -> set[str]:
    """The cards in the hands of the marines, as far as none of that name was shown."""
    owners = [marine.id for marine in match.game.setup.marines]
    return {card for owner in owners for card in match.game.deck(owner).hand} - shown


def glory_cards(match: Any) -> set[str]:
    """The cards that nobody has seen."""
    return set(match.game.deck("glory").cards)


@pytest.mark.timeout(1_800)  # a long match on a busy machine
@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 12))])
def test_no_byte_for_the_marines_tells_the_hand_of_the_invader_of_2004(
    build: ModuleType, players: ModuleType, seed: int
) -> None:
    base = build.mission(build.KNEE_DEEP)
    names = {card: f"hidden-{card}" for card in base.setup["cards"]}
    cards = {names[card]: {**words, "name": f"hidden {card}"} for card, words in base.setup["cards"].items()}
    base = build.with_setup(base, cards=cards)
    match = build.begun(base, seed=f"seed {seed} of the leak test")
    match.do("see", document=build.TABLES[build.KNEE_DEEP](base))
    shown: set[str] = set()
    whims = random.Random(seed)

    def look(match: Any) -> None:
        shown.update(match.game.deck.discard)
        views = json.dumps([match.session.view(FOR_MARINES), match.session.view(PUBLIC)])
        enemies = [piece.id for piece in match.game.standing(INVADER)] or ["x"]
        told = judgements(match, player(MARINES), whims)
        sent = "\n".join([views, *told, *guided(match, enemies, FOR_MARINES, whims)])
        for card in set(cards) - shown:
            assert not any(form in sent for form in forms(card))
            assert cards[card]["name"] not in sent

    players.played_out(match, seed, look)
    assert shown


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

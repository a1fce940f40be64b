"""A match's secrets and their owners, under unique names, to find them in the program's output."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sightline_tests_match_builders import KNEE_DEEP, TUTORIAL, mission, with_setup

from assistant.match.game import INVADER, MARINES
from assistant.translations.catalogue import speak_id, speak_word


def renamed(raw: Any, names: Mapping[str, str]) -> Any:
    """Return the same data with every string that is one of the names replaced."""
    if isinstance(raw, dict):
        return {renamed(key, names): renamed(value, names) for key, value in raw.items()}
    if isinstance(raw, list):
        return [renamed(value, names) for value in raw]
    return names.get(raw, raw) if isinstance(raw, str) else raw


def forms(secret: str) -> set[str]:
    """Return a hidden id, and its forms in sentences."""
    return {secret, speak_word(secret), speak_id(secret)}


def marked_tutorial() -> Any:
    """Return the tutorial of 2016 with names for every hidden thing that occur nowhere else."""
    base = mission(TUTORIAL)
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
    return with_setup(base, **renamed(setup, names))


def marked_knee_deep() -> Any:
    """Return the scenario of 2004 with names for the invader's cards that occur nowhere else."""
    base = mission(KNEE_DEEP)
    names = {card: f"hidden-{card}-zq" for card in base.setup["cards"]}
    cards = {names[card]: {**words, "name": f"named {names[card]}"} for card, words in base.setup["cards"].items()}
    return with_setup(base, cards=cards)


class Secrets2016:
    """A 2016 match's secrets, less everything revealed to everybody since the start."""

    def __init__(self, match: Any) -> None:
        self.match = match
        self.shown: set[str] = set()

    def note_what_is_shown(self) -> None:
        """Record everything that everybody sees now."""
        game = self.match.game
        for deck in game.decks.values():
            self.shown.update(deck.discard)
        if game.turn is not None:
            self.shown.update(game.turn.in_play)
        self.shown.update(kind for kind, card in game.demon_cards.items() if card.face_up)

    def hidden_from(self, side: str | None) -> set[str]:
        """Return ids that a device of that side must not learn; without a side, that a shared tablet must not."""
        if side == MARINES:
            return self._of_the_invader()
        if side == INVADER:
            return self._cards(("glory",)) | self._hands()
        return self._of_the_invader() | self._hands()

    def _of_the_invader(self) -> set[str]:
        """Return his cards, unseen glory kills, the portals' demons, and demons not yet summoned."""
        game = self.match.game
        secrets = self._cards((INVADER, "glory"))
        secrets |= {portal.color for portal in game.portals} | {group.portal for group in game.setup.invasion}
        secrets |= {kind for kind, card in game.demon_cards.items() if not card.face_up} - self.shown
        return {secret for secret in secrets if "hidden" in secret}

    def _cards(self, owners: tuple[str, ...]) -> set[str]:
        game = self.match.game
        cards = {card for owner in owners for card in game.deck(owner).cards} - self.shown
        named = cards | {game.setup.cards[card].name for card in cards}
        return {secret for secret in named if "hidden" in secret}

    def _hands(self) -> set[str]:
        """Return the cards in the hands of the marines, as far as none of that name was shown."""
        owners = [marine.id for marine in self.match.game.setup.marines]
        return {card for owner in owners for card in self.match.game.deck(owner).hand} - self.shown


class Secrets2004:
    """A 2004 match's secrets: the invader's unplayed cards."""

    def __init__(self, match: Any) -> None:
        self.match = match
        self.shown: set[str] = set()

    def note_what_is_shown(self) -> None:
        """Remembers the cards that everybody has seen."""
        self.shown.update(self.match.game.deck.discard)

    def hidden_from(self, side: str | None) -> set[str]:
        """Return ids that a device of that side must not learn: the other's cards; for the invader, undrawn ones."""
        deck, cards = self.match.game.deck, self.match.game.setup.cards
        left = set(deck.pile) - set(deck.hand) if side == INVADER else set(cards)
        left -= self.shown
        return left | {cards[card].name for card in left}


class SecretsRoads:
    """A skirmish's only secret: future dice, which follow from the seed."""

    def __init__(self, match: Any) -> None:
        self.match = match

    def note_what_is_shown(self) -> None:
        """Everything lies on the table."""

    def hidden_from(self, side: str | None) -> set[str]:
        """Return the seed, for every side."""
        return {self.match.session.header.seed}

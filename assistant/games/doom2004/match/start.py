"""The first state of a DOOM 2004 match: set-up numbers by the number of marines, decks shuffled and dealt."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.errors import BadValue
from assistant.games.doom2004.match.setup import BULLETS, KITS, START_HAND, Setup2004
from assistant.games.doom2004.match.state import Equipment, Match2004
from assistant.match.chance import Chance
from assistant.match.deck import Deck, draw_cards, draw_to_hand
from assistant.match.game import INVADER, MARINES, SET_UP, Piece, require_names_once
from assistant.translations.messages import said


def start(setup: Setup2004, options: Mapping[str, str], seed: str) -> Match2004:
    """The match before its first event.

    Raises:
        BadValue: the scenario has no marine, or more than three, no figure of any invader, or two of one name.
    """
    if len(setup.marines) not in KITS:
        raise BadValue(said("a match has one to three marines"), document=SET_UP, field="marines")
    if setup.invaders and not any(invader.figures for invader in setup.invaders):
        empty = said("the box holds no figure of any invader; name them, each with its colour")
        raise BadValue(empty, document=SET_UP, field="invaders[0].figures")
    chance = Chance(f"{seed}/0")
    kit = KITS[len(setup.marines)]
    deck = draw_to_hand(Deck(pile=chance.shuffled(tuple(setup.cards))), START_HAND, chance, eager=True).deck
    marine_deck, equipment = Deck(pile=chance.shuffled(setup.marine_cards)), {}
    for marine in setup.marines:
        dealt = draw_cards(marine_deck, kit.cards, chance)
        marine_deck = dealt.deck
        equipment[marine.id] = Equipment(
            wounds=kit.wounds,
            armor=kit.armor,
            ammo={BULLETS: kit.bullets},
            weapons=(*(name for name, weapon in setup.weapons.items() if weapon.always), *marine.weapons),
            cards=dealt.cards,
        )
    pieces = (*_marines(setup), *_invaders(setup))
    require_names_once(piece.id for piece in pieces)
    return Match2004(
        setup=setup,
        options=dict(options),
        pieces={piece.id: piece for piece in pieces},
        equipment=equipment,
        deck=deck,
        marine_deck=marine_deck,
        items=setup.items,
    )


def _marines(setup: Setup2004) -> list[Piece]:
    return [
        Piece(id=marine.id, kind="marine", side=MARINES, cells=tuple(sorted(marine.cells))) for marine in setup.marines
    ]


def _invaders(setup: Setup2004) -> list[Piece]:
    """Invaders of the colour of a marine who does not play stay in the box (B4)."""
    playing = {marine.color for marine in setup.marines}
    return [
        Piece(
            id=name,
            kind=invader.kind,
            side=INVADER,
            cells=tuple(sorted(invader.cells.get(name, ()))),
            on_table=name in invader.cells,
        )
        for invader in setup.invaders
        for name, color in invader.figures.items()
        if color in playing
    ]

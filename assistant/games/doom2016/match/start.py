"""The first state of a DOOM 2016 match: figures placed, decks shuffled, nothing begun."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.errors import BadValue
from assistant.games.doom2016.match.deck_building import require_whole_sets
from assistant.games.doom2016.match.entering import GLORY
from assistant.games.doom2016.match.setup import Setup2016
from assistant.games.doom2016.match.state import DemonCard, Match2016
from assistant.match.chance import Chance
from assistant.match.deck import Deck, draw_to_hand
from assistant.match.game import INVADER, MARINES, SET_UP, Piece, require_names_once
from assistant.translations.messages import color_in_words, counted, said

MOST_MARINES = 4
"""As many as there are in the box."""

SQUAD_CARDS = {1: 1, 2: 2, 3: 1, 4: 0}
"""How many marines hold a squad card, by the number of marines.

“Три Морпеха: один из морпехов берет карту Отряда «Ведущий»; два Морпеха: каждый морпех берет карту Отряда «Боевой
ветеран»; один Морпех: морпех берет карту Отряда «Действующий в одиночку»” (seed 001).
"""


def start(setup: Setup2016, options: Mapping[str, str], seed: str) -> Match2016:
    """The match before its first event; the decks are shuffled with the match's seed.

    Raises:
        BadValue: the mission has no marine or more than four (A0), two figures have one name, an attack rolls more
            dice than the box has, a deck is not made of whole sets, or squad cards are held by too many or too few.
    """
    if not 1 <= len(setup.marines) <= MOST_MARINES:
        raise BadValue(said("a match has one to four marines"), document=SET_UP, field="marines")
    _require_dice(setup)
    require_whole_sets(setup)
    _require_squad_cards(setup)
    pieces = (*_marines(setup), *_demons(setup))
    require_names_once(piece.id for piece in pieces)
    return Match2016(
        setup=setup,
        options=dict(options),
        pieces={piece.id: piece for piece in pieces},
        decks=_decks(setup, Chance(f"{seed}/0")),
        demon_cards={demon.kind: DemonCard(face_up=demon.face_up or bool(demon.cells)) for demon in setup.demons},
        portals=setup.portals,
        teleporters_active=tuple(teleporter.id for teleporter in setup.teleporters if teleporter.active),
        items=setup.items,
    )


def _require_dice(setup: Setup2016) -> None:
    """Makes sure that every attack of the mission can be rolled with the dice of its box, where it says how many."""
    attacks = [demon.attack for demon in setup.demons] + [card.attack for card in setup.cards.values() if card.attack]
    for attack in attacks:
        for color, count in attack.dice.items():
            most = setup.dice_in_box.get(color, 0) if setup.dice_in_box else count
            if count > most:
                raise BadValue(
                    counted(
                        "an attack rolls {count} {color} dice and the box has {n}",
                        "an attack rolls {count} {color} dice and the box has {n}",
                        most,
                        count=count,
                        color=color_in_words(color),
                    ),
                    document=SET_UP,
                    field="dice_in_box",
                )


def _require_squad_cards(setup: Setup2016) -> None:
    """Makes sure that squad cards, where the mission names any, are held by as many marines as the rules say."""
    held = [marine.squad for marine in setup.marines if marine.squad]
    count = SQUAD_CARDS[len(setup.marines)]
    if held and (len(held) != count or len(set(held)) > 1):
        text = said(
            "of {marines} marines, {count} hold a squad card, all of one name; here they hold: {held}",
            marines=len(setup.marines),
            count=count,
            held=", ".join(held),
        )
        raise BadValue(text, document=SET_UP, field="marines")


def _marines(setup: Setup2016) -> list[Piece]:
    return [
        Piece(id=marine.id, kind=setup.marine_kind, side=MARINES, cells=tuple(sorted(marine.cells)))
        for marine in setup.marines
    ]


def _demons(setup: Setup2016) -> list[Piece]:
    return [
        Piece(
            id=name,
            kind=demon.kind,
            side=INVADER,
            cells=tuple(sorted(demon.cells.get(name, ()))),
            on_table=name in demon.cells,
        )
        for demon in setup.demons
        for name in demon.figures
    ]


def _decks(setup: Setup2016, chance: Chance) -> dict[str, Deck]:
    decks = {}
    for marine in setup.marines:
        if marine.deck:
            decks[marine.id] = draw_to_hand(Deck(pile=chance.shuffled(marine.deck)), marine.hand, chance).deck
    if setup.events:
        decks[INVADER] = Deck(pile=chance.shuffled(setup.events))
    if setup.glory:
        decks[GLORY] = Deck(pile=chance.shuffled(setup.glory))
    return decks

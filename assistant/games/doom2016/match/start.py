"""The first state of a DOOM 2016 match: a checked mission, placed figures and shuffled decks, before any step.

Decks consist of whole sets (seed 001). A marine joins one copy of each numbered card of two different weapon sets to
the four of the UAC marine (“Создание колоды карт действий”). The invader mixes three sets of six (“Формирование
собственных колод Событий и Действий”). A mission without set names on its cards builds its decks freely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from assistant.errors import BadValue
from assistant.games.doom2016.match.places import GLORY
from assistant.games.doom2016.match.setup import Card, Setup2016
from assistant.games.doom2016.match.state import DemonCard, Match2016
from assistant.match.chance import Chance
from assistant.match.deck import Deck, draw_to_hand
from assistant.match.game import INVADER, MARINES, SET_UP, Piece, require_names_once
from assistant.translations.messages import color_in_words, counted, said

MOST_MARINES = 4
"""Marines in the box."""

SQUAD_CARDS = {1: 1, 2: 2, 3: 1, 4: 0}
"""Number of marines with a squad card, by the number of marines.

“Три Морпеха: один из морпехов берет карту Отряда «Ведущий»; два Морпеха: каждый морпех берет карту Отряда «Боевой
ветеран»; один Морпех: морпех берет карту Отряда «Действующий в одиночку»” (seed 001).
"""

ACTION_SETS, EVENT_SETS = [3, 3, 4], [6, 6, 6]
"""Sizes of the sets in a deck: two weapons and the UAC marine; three sets of events."""


_BOX: Mapping[str, tuple[str, int]] = {
    "demons": ("demons", 33),
    "teleporters": ("teleporters", 6),
    "portals": ("portals", 18),
    "health packs": ("items", 9),
    "weapons": ("items", 23),
    "objectives": ("items", 6),
    "threat_tokens": ("threat_tokens", 16),
    "argent_tokens": ("argent_tokens", 18),
    "ones": ("damage_tokens", 35),
    "threes": ("damage_tokens", 20),
}
"""The contents of the box, each with the set-up field that uses it."""


def start(setup: Setup2016, options: Mapping[str, str], seed: str) -> Match2016:
    """Return the match before its first event. The match's seed shuffles the decks.

    Raises:
        BadValue: the mission has no marine or more than four (A0), two figures share a name, an attack rolls more
            dice than the box has, a deck does not consist of whole sets, or the number of squad cards is wrong.
    """
    if not 1 <= len(setup.marines) <= MOST_MARINES:
        raise BadValue(said("a match has one to four marines"), document=SET_UP, field="marines")
    _require_dice(setup)
    _require_whole_sets(setup)
    _require_squad_cards(setup)
    marines = [
        Piece(id=marine.id, kind=setup.marine_kind, side=MARINES, cells=tuple(sorted(marine.cells)))
        for marine in setup.marines
    ]
    demons = [
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
    require_names_once(piece.id for piece in (*marines, *demons))
    return Match2016(
        setup=setup,
        options=dict(options),
        pieces={piece.id: piece for piece in (*marines, *demons)},
        decks=_decks(setup, Chance(f"{seed}/0")),
        demon_cards={demon.kind: DemonCard(face_up=demon.face_up or bool(demon.cells)) for demon in setup.demons},
        portals=setup.portals,
        teleporters_active=tuple(teleporter.id for teleporter in setup.teleporters if teleporter.active),
        items=setup.items,
    )


def check_setup(setup: Setup2016, document: str) -> None:
    """Require that one box suffices for a new mission (seed 001, “Перечень компонентов”).

    Raises:
        BadValue: it needs more figures or tokens than the box holds.
    """
    kinds = Counter(item.kind for item in setup.items)
    counts = {
        "demons": sum(len(demon.figures) for demon in setup.demons),
        "teleporters": len(setup.teleporters),
        "portals": len(setup.portals),
        "health packs": kinds["health"],
        "weapons": kinds["weapon"],
        "objectives": kinds["objective"],
        "threat_tokens": setup.threat_tokens,
        "argent_tokens": setup.argent_tokens,
        "ones": setup.damage_tokens[0],
        "threes": setup.damage_tokens[1],
    }
    for name, count in counts.items():
        field, most = _BOX[name]
        if count > most:
            text = said("the box holds {most} of these and the mission uses {count}; use fewer", most=most, count=count)
            raise BadValue(text, document=document, field=f"setup.{field}")


def _require_dice(setup: Setup2016) -> None:
    """Require that the box has the dice for every attack of the mission, if the mission counts its dice."""
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
    """Require that the rules' number of marines hold squad cards, if the mission names any."""
    held = [marine.squad for marine in setup.marines if marine.squad]
    count = SQUAD_CARDS[len(setup.marines)]
    if held and (len(held) != count or len(set(held)) > 1):
        text = said(
            "{count} of {marines} marines hold a squad card, all of one name; here they hold: {held}",
            marines=len(setup.marines),
            count=count,
            held=", ".join(held),
        )
        raise BadValue(text, document=SET_UP, field="marines")


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


def _require_whole_sets(setup: Setup2016) -> None:
    """Require that every deck with set names on its cards consists of the prescribed sets."""
    for number, marine in enumerate(setup.marines):
        sets = _count_sets(setup, marine.deck)
        # In each set the numbers run 1, 2, 3 and so on, each once.
        wanted = [(name, n) for name in sorted(sets) for n in range(1, sets[name] + 1)]
        numbers = sorted((card.set, card.number) for card in _list_described(setup, marine.deck))
        if any(sets) and (sorted(sets.values()) != ACTION_SETS or numbers != wanted):
            text = said(
                "the deck of {marine} must hold the four cards of one set and the three of two others, "
                "each number once; it holds: {held}",
                marine=marine.id,
                held=_list_sets(sets),
            )
            raise BadValue(text, document=SET_UP, field=f"marines[{number}].deck")
    sets = _count_sets(setup, setup.events)
    if any(sets) and sorted(sets.values()) != EVENT_SETS:
        text = said("the events must be three sets of six cards; they are: {held}", held=_list_sets(sets))
        raise BadValue(text, document=SET_UP, field="events")


def _list_described(setup: Setup2016, names: Sequence[str]) -> list[Card]:
    return [setup.cards[name] for name in names if name in setup.cards]


def _count_sets(setup: Setup2016, names: Sequence[str]) -> Counter[str]:
    return Counter(card.set for card in _list_described(setup, names))


def _list_sets(sets: Counter[str]) -> str:
    """Return the sets with their numbers of cards: “rifle 3, shotgun 2”."""
    return ", ".join(f"{name or '–'} {count}" for name, count in sorted(sets.items()))

"""What is DOOM 2016's own to ask for a command: cards, demon cards, tokens, groups of the invasion card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from assistant.games.doom2016.match.attack_rules import may_choose_drop
from assistant.games.doom2016.match.effects import AttackProfile
from assistant.games.doom2016.match.round_steps import count_argent_left, list_ready_kinds
from assistant.games.doom2016.match.setup import InvasionGroup
from assistant.games.doom2016.match.state import INVASION, STUNNED, Match2016
from assistant.games.doom2016.rules.places import find_summon_placements
from assistant.match.asks import (
    Ask,
    Command,
    Pick,
    ask_card,
    ask_change,
    ask_figure,
    ask_item,
    ask_range,
    ask_thing,
    ask_token,
    hide_cards,
)
from assistant.match.audience import Audience
from assistant.match.game import INVADER, MARINES
from assistant.match.ground import board_of
from assistant.match.ways import free_places, shape_of
from assistant.translations.messages import (
    Said,
    color_in_words,
    counted,
    dice_in_words,
    listed,
    named,
    said,
    said_in,
)

DEEDS: Mapping[str, Said] = {
    "sprint": said("Sprint: a card for six points"),
    "open_door": said("Open a door"),
    "take": said("Pick up a token"),
    "glory_kill": said("Glory kill"),
    "teleport": said("Teleport"),
    "activate_teleporter": said("Turn a teleporter over"),
    "exhaust_class": said("Use a class card"),
    "react": said("Play a reaction"),
    "play_event": said("Play an event card"),
    "spend_argent": said("Spend argent"),
    "summon": said("Summon demons"),
    "use_glory": said("Use a revealed glory kill card"),
    "spend_threat": said("Summon for threat tokens"),
    "roll_added": said("Roll the added dice"),
    "reroll": said("Roll dice again"),
    "modify": said("A card or an ability changes the attack"),
    "call_off": said("Call the attack off"),
    "damage": said("Damage by hand"),
    "heal": said("Take damage off by hand"),
    "frag": said("Frag a figure by hand"),
    "stun": said("Stun a figure, or end it"),
}
"""What may be done besides what is prompted."""


def ask_about(game: Match2016, command: Command, field: str, audience: Audience) -> Ask | None:
    """What is asked about a field; None where its type says it all, or it is filled in by the program."""
    asked = _ASKS.get((str(command["type"]), field))
    return None if asked is None else asked(game, command, audience)


def _ask_hand(game: Match2016, owner: str, audience: Audience) -> Ask | None:
    """A card of a deck's hand; None for a deck that stays on the table, of which people tell the card."""
    side = INVADER if owner == INVADER else MARINES
    if owner not in game.decks:
        return None
    if not audience.sees(side):
        return hide_cards("card", side)
    return ask_card("card", ((card, describe_card(game, card)) for card in dict.fromkeys(game.deck(owner).hand)))


def _own_card(game: Match2016, command: Command, audience: Audience) -> Ask | None:
    return _ask_hand(game, "" if game.turn is None else str(game.turn.figure), audience)


def _event_card(game: Match2016, command: Command, audience: Audience) -> Ask | None:
    return _ask_hand(game, INVADER, audience)


def _argent_cards(game: Match2016, command: Command, audience: Audience) -> Ask | None:
    if not audience.sees(INVADER):
        return hide_cards("cards", INVADER)
    # One by one: each may go onto another card, and each is offered again as long as the rules allow it.
    return ask_card("cards", (([card], named([game.card(card).name])) for card in game.deck(INVADER).hand))


def _argent_place(game: Match2016, command: Command, audience: Audience) -> Ask:
    count = len(command.get("cards", ()))
    places = [(kind, named([kind])) for kind in game.demon_cards] if audience.sees(INVADER) else []
    everywhere = [*places, (INVASION, said("the invasion card"))]
    return ask_thing("onto", said("Argent onto which card?"), (({place: count}, text) for place, text in everywhere))


def _initiative_card(game: Match2016, command: Command, audience: Audience) -> Ask | None:
    if game.shuffled_here:
        return None
    return ask_thing(
        "card", said("Which card was revealed?"), ((card, named([card])) for card in dict.fromkeys(game.initiative))
    )


def _ready_kind(game: Match2016, command: Command, audience: Audience) -> Ask:
    return ask_thing("kind", said("Which demons act?"), ((kind, named([kind])) for kind in list_ready_kinds(game)))


def _argent_kind(game: Match2016, command: Command, audience: Audience) -> Ask:
    holding = (kind for kind, card in game.demon_cards.items() if card.face_up and card.argent)
    return ask_thing("kind", said("From which demon card?"), ((kind, named([kind])) for kind in holding))


def _waiting_figure(game: Match2016, command: Command, audience: Audience) -> Ask:
    return ask_figure("figure", said("Which figure acts?"), () if game.turn is None else game.turn.queue)


def _item(game: Match2016, command: Command, audience: Audience) -> Ask:
    return ask_item(game.items)


def _teleporter(game: Match2016, command: Command, audience: Audience) -> Ask:
    return ask_token("teleporter", said("Which teleporter?"), game.setup.teleporters)


def _change_of_damage(game: Match2016, command: Command, audience: Audience) -> Ask:
    return ask_change("damage", said("How does the damage change?"), (-2, -1, 0, 1, 2, 3))


def _change_of_shields(game: Match2016, command: Command, audience: Audience) -> Ask | None:
    """Asked where the damage stays as it is: something must change."""
    return (
        None if command.get("damage") else ask_change("shields", said("How do the shields change?"), (-2, -1, 1, 2, 3))
    )


def _portal(game: Match2016, command: Command, audience: Audience) -> Ask:
    return ask_token("portal", said("Which portal?"), game.portals)


def _group(game: Match2016, command: Command, audience: Audience) -> Ask:
    if not audience.sees(INVADER):
        return hide_cards("group", INVADER)
    color = next((portal.color for portal in game.portals if portal.id == command.get("portal")), None)
    groups = ((i, _name_group(group)) for i, group in enumerate(game.setup.invasion) if group.portal == color)
    return ask_thing("group", said("Which demons come?"), groups)


def _name_group(group: InvasionGroup) -> Said:
    return listed(said("{count} × {kind}", count=count, kind=kind) for kind, count in group.demons.items())


def _summoned(game: Match2016, command: Command, audience: Audience) -> Ask | None:
    """Where the next demon of the group stands, until all that the box still has are placed."""
    if "group" not in command or not audience.sees(INVADER):
        return None
    placed = dict(command.get("cells", {}))
    portal = next((portal for portal in game.portals if portal.id == command.get("portal")), None)
    name = next(_still_to_come(game, game.setup.invasion[command["group"]], placed), None)
    if name is None or portal is None:
        return None
    taken = {tuple(cell) for cells in placed.values() for cell in cells}
    places = _summon_places(game, name, portal.cell) if game.ground else free_places(game, name)
    picks = tuple(
        Pick(value={**placed, name: [list(cell) for cell in cells]}, cells=tuple(sorted(cells)), cost=0)
        for cells in places
        if not taken.intersection(cells)
    )
    text = said("Where does {figure} come out?", figure=name)
    asked = Ask(field="cells", kind="spaces", text=text, picks=picks, goes_on=True)
    group = game.setup.invasion[command["group"]]
    nearest = _on_first_places(game, list(_still_to_come(game, group, placed)), portal.cell, taken)
    if len(nearest) < 2:
        return asked
    at_once = said("All of them, on free spaces at the portal")
    return replace(asked, may_skip=True, skipped={**placed, **nearest}, skip_text=at_once)


def _on_first_places(
    game: Match2016, names: list[str], portal: tuple[int, int], taken: set[tuple[int, ...]]
) -> dict[str, list[list[int]]]:
    """A place for each of these demons, the first that is free; nothing where one of them finds none."""
    found: dict[str, list[list[int]]] = {}
    taken = set(taken)
    for name in names:
        places = _summon_places(game, name, portal) if game.ground else free_places(game, name)
        place = next((cells for cells in places if not taken.intersection(cells)), None)
        if place is None:
            return {}
        found[name] = [list(cell) for cell in place]
        taken.update(place)
    return found


def _still_to_come(game: Match2016, group: InvasionGroup, placed: Mapping[str, Any]) -> Iterator[str]:
    for kind, count in group.demons.items():
        box = [piece.id for piece in game.pieces.values() if piece.kind == kind and not piece.on_table]
        yield from (name for name in box[:count] if name not in placed)


def _summon_places(game: Match2016, name: str, portal: tuple[int, int]) -> Iterator[tuple[tuple[int, int], ...]]:
    shape = shape_of(game, name)
    columns, rows = (len({cell[axis] for cell in shape}) for axis in (0, 1))
    yield from (tuple(sorted(place)) for place in find_summon_placements(board_of(game), portal, columns, rows))


def _summon_argent(game: Match2016, command: Command, audience: Audience) -> Ask | None:
    if "group" not in command or not audience.sees(INVADER):
        return None
    group = game.setup.invasion[command["group"]]
    count = min(group.argent, count_argent_left(game)) + game.invasion_argent
    if not count:
        return None
    return ask_thing(
        "argent", said("Argent onto which card?"), (({kind: count}, named([kind])) for kind in group.demons)
    )


def _profile(game: Match2016, command: Command, audience: Audience) -> Ask | None:
    attacks = () if game.turn is None else game.turn.attacks
    if len(attacks) < 2:
        return None
    return ask_thing(
        "profile", said("With which attack?"), ((i, describe_attack(one)) for i, one in enumerate(attacks))
    )


def _drop(game: Match2016, command: Command, audience: Audience) -> Ask | None:
    turn = game.turn
    if turn is None or turn.figure is None or STUNNED not in game.piece(turn.figure).marks or not may_choose_drop(game):
        return None
    colors = sorted({color for attack in turn.attacks for color in attack.dice})
    return ask_thing("drop", said("Die to leave out"), ((color, color_in_words(color)) for color in colors))


def _revealed_glory(game: Match2016, command: Command, audience: Audience) -> Ask:
    revealed = () if game.turn is None else game.turn.glory
    return ask_thing("card", said("Which card?"), ((card, named([game.card(card).name])) for card in revealed))


def _rerolled(game: Match2016, command: Command, audience: Audience) -> Ask:
    """The dice of the open attack that a card lets be rolled again."""
    attack = game.pending
    dice = () if attack is None else attack.dice
    shown = (([place], said("{color}: {icons}", color=color_in_words(c), icons=n)) for place, (c, n) in enumerate(dice))
    most = max(2, 0 if attack is None else attack.rerolls)
    return replace(ask_thing("which", said("Which dice?"), shown), most=most)


def _reacting(game: Match2016, command: Command, audience: Audience) -> Ask | None:
    """The reactions in the hands of all marines; whose they are follows from the card."""
    if not audience.sees(MARINES):
        return hide_cards("card", MARINES)
    owners = [marine.id for marine in game.setup.marines if marine.id in game.decks]
    mine = str(command["figure"]) if command.get("figure") else None
    cards = dict.fromkeys(card for owner in owners if mine in (None, owner) for card in game.deck(owner).hand)
    return ask_card("card", ((card, describe_card(game, card)) for card in cards if game.card(card).kind == "reaction"))


def _reacting_marine(game: Match2016, command: Command, audience: Audience) -> Ask:
    owners = (marine.id for marine in game.setup.marines if command.get("card") in game.deck(marine.id).hand)
    shown = owners if audience.sees(MARINES) else iter(())
    return ask_thing("figure", said("Whose card?"), ((name, named([name])) for name in shown))


def _stun_on(game: Match2016, command: Command, audience: Audience) -> Ask:
    return ask_thing("on", said("Which?"), ((True, said_in("stun", "stunned")), (False, said("no longer stunned"))))


def describe_card(game: Match2016, card_id: str) -> Said:
    """A card with what it gives, in one line."""
    card = game.card(card_id)
    parts: list[Said] = []
    if card.movement:
        parts.append(counted("{n} point of movement", "{n} points of movement", card.movement))
    if card.attack is not None:
        parts.append(describe_attack(card.attack))
    if card.kind == "reaction":
        parts.append(said("reaction"))
    if card.shields:
        parts.append(counted("{n} shield", "{n} shields", card.shields))
    if card.dodge:
        parts.append(said("dodge"))
    name = named([card.name])
    return said("{card_name}: {parts}", card_name=name, parts=listed(parts)) if parts else name


def describe_attack(attack: AttackProfile) -> Said:
    """An attack by its range and its dice."""
    return said("range {range}, dice {dice}", range=attack.range, dice=dice_in_words(attack.dice))


_ASKS: Mapping[tuple[str, str], Callable[[Match2016, Command, Audience], Ask | None]] = {
    ("play", "card"): _own_card,
    ("use_glory", "card"): _revealed_glory,
    ("modify", "damage"): _change_of_damage,
    ("modify", "shields"): _change_of_shields,
    ("spend_threat", "portal"): _portal,
    ("reroll", "which"): _rerolled,
    ("sprint", "card"): _own_card,
    ("play_event", "card"): _event_card,
    ("gain_argent", "cards"): _argent_cards,
    ("gain_argent", "onto"): _argent_place,
    ("reveal", "card"): _initiative_card,
    ("activate_kind", "kind"): _ready_kind,
    ("spend_argent", "kind"): _argent_kind,
    ("activate", "figure"): _waiting_figure,
    ("take", "item"): _item,
    ("respawn", "teleporter"): _teleporter,
    ("teleport", "teleporter"): _teleporter,
    ("activate_teleporter", "teleporter"): _teleporter,
    ("summon", "portal"): _portal,
    ("summon", "group"): _group,
    ("summon", "cells"): _summoned,
    ("summon", "argent"): _summon_argent,
    ("attack", "profile"): _profile,
    ("attack", "drop"): _drop,
    ("attack", "range"): lambda game, command, audience: ask_range(game),
    ("react", "card"): _reacting,
    ("react", "figure"): _reacting_marine,
    ("stun", "on"): _stun_on,
}

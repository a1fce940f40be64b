"""What is DOOM 2004's own to ask for a command: weapons, cards, groups that spawn, orders in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from assistant.games.doom2004.match.attack_rules import DROPPED
from assistant.games.doom2004.match.setup import HAND_LIMIT
from assistant.games.doom2004.match.state import AIM, DODGE, GUARD, ORDERS, Match2004
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
from assistant.match.ways import free_places
from assistant.translations.messages import Said, color_in_words, listed, named, said

DEEDS: Mapping[str, Said] = {
    "attack": said("Shoot on guard"),
    "door": said("Open or close a door"),
    "take": said("Pick up a token"),
    "use_order": said("Use an order"),
    "dodge": said("Dodge"),
    "dodge_by_card": said("Dodge by a card"),
    "play_event": said("Play an event card"),
    "discard": said("Discard cards"),
    "teleport": said("Teleport"),
    "reveal_area": said("Lay out an area"),
    "scatter": said("Where the shot lands"),
    "activate": said("Activate an invader by a card"),
    "modify": said("A card or an ability changes the attack"),
    "damage": said("Wounds by hand"),
    "heal": said("Take wounds off by hand"),
    "frag": said("Kill a figure by hand"),
}
"""What may be done besides what is prompted."""


def ask_about(game: Match2004, command: Command, field: str, audience: Audience) -> Ask | None:
    """What is asked about a field; None where its type says it all, or it is filled in by the program."""
    asked = _ASKS.get((str(command["type"]), field))
    return None if asked is None else asked(game, command, audience)


def _card(game: Match2004, command: Command, audience: Audience) -> Ask:
    if not audience.sees(INVADER):
        return hide_cards("card", INVADER)
    return ask_card("card", ((card, describe_card(game, card)) for card in game.deck.hand))


def _spawn_card(game: Match2004, command: Command, audience: Audience) -> Ask:
    """The spawn cards of the hand, each with whom it brings: a card with two groups is there twice."""
    if not audience.sees(INVADER):
        return hide_cards("card", INVADER)
    picks = tuple(
        Pick(value=card, text=said("{card_name}: {parts}", card_name=name, parts=name_group(group)), fills={"group": i})
        for card in dict.fromkeys(game.deck.hand)
        for name in [named([game.setup.cards[card].name])]
        for i, group in enumerate(game.setup.cards[card].spawns)
    )
    return replace(ask_card("card", ()), picks=picks)


def _discards(game: Match2004, command: Command, audience: Audience) -> Ask:
    if not audience.sees(INVADER):
        return hide_cards("cards", INVADER)
    over = max(1, len(game.deck.hand) - HAND_LIMIT)
    cards = (([card], describe_card(game, card)) for card in game.deck.hand)
    return ask_card("cards", cards, least=over, most=over)


def _group(game: Match2004, command: Command, audience: Audience) -> Ask:
    if not audience.sees(INVADER):
        return hide_cards("group", INVADER)
    card = game.setup.cards.get(str(command.get("card")))
    groups = () if card is None else card.spawns
    return ask_thing("group", said("Which invaders come?"), ((i, name_group(one)) for i, one in enumerate(groups)))


def _spawned(game: Match2004, command: Command, audience: Audience) -> Ask | None:
    """Where the next invader of the card stands; who finds no space is left out."""
    card = game.setup.cards.get(str(command.get("card")))
    if card is None or "group" not in command or not audience.sees(INVADER):
        return None
    placed = dict(command.get("cells", {}))
    name = next(_still_to_come(game, card.spawns[command["group"]], placed), None)
    if name is None:
        return None
    taken = {tuple(cell) for cells in placed.values() for cell in cells}
    picks = tuple(
        Pick(value={**placed, name: [list(cell) for cell in cells]}, cells=cells)
        for cells in free_places(game, name)
        if not taken.intersection(cells)
    )
    text, nowhere = said("Where does {figure} come?", figure=name), said("{figure} finds no space", figure=name)
    left_out = {**placed, name: []}
    return Ask(
        field="cells",
        kind="spaces",
        text=text,
        picks=picks,
        goes_on=True,
        may_skip=True,
        skipped=left_out,
        skip_text=nowhere,
    )


def _still_to_come(game: Match2004, group: Mapping[str, int], placed: Mapping[str, Any]) -> Iterator[str]:
    for kind, count in group.items():
        box = [piece.id for piece in game.pieces.values() if piece.kind == kind and not piece.on_table]
        yield from (name for name in box[:count] if name not in placed)


def _targets(game: Match2004, command: Command, audience: Audience) -> Ask | None:
    """The figure that is attacked; a space that is empty is chosen in the attack assistant."""
    if command.get("targets") or command.get("space") is not None:
        return None
    guard = command.get("guard")
    who = game.pieces.get(str(guard)) if guard or game.turn is None else game.piece(game.turn.figure)
    side = MARINES if who is None else who.side
    enemies = [piece.id for piece in game.standing() if piece.side != side]
    picks = tuple(Pick(value=[name], text=named([name]), figure=name) for name in enemies)
    return Ask(field="targets", kind="figure", text=said("Whom?"), picks=picks)


def _guard(game: Match2004, command: Command, audience: Audience) -> Ask | None:
    """Who shoots while nobody acts; whoever guards in somebody's turn has a prompt of his own."""
    if game.turn is not None:
        return None
    guards = (piece.id for piece in game.standing(MARINES) if GUARD in piece.marks)
    return ask_figure("guard", said("Who shoots on guard?"), guards)


def _weapon(game: Match2004, command: Command, audience: Audience) -> Ask | None:
    """With what a marine shoots; invaders have one attack each."""
    who = command.get("guard") or (None if game.turn is None else game.turn.figure)
    if who not in game.equipment:
        return None
    weapons = game.equipment[str(who)].weapons
    return ask_thing("weapon", said("With which weapon?"), ((name, named([name])) for name in weapons))


def _aimed(game: Match2004, command: Command, audience: Audience) -> Ask | None:
    who = None if game.turn is None else game.turn.figure
    if who is None or AIM not in game.piece(who).marks:
        return None
    return ask_thing("aimed", said("Use the order to aim?"), ((True, said("yes")), (False, said("no"))))


def _drop(game: Match2004, command: Command, audience: Audience) -> Ask | None:
    through = game.through
    if through is None or command.get("weapon") != through.weapon or "drop" in command:
        return None
    left = [color for color in DROPPED if through.dice.get(color)]
    return ask_thing("drop", said("Die to leave out"), ((color, color_in_words(color)) for color in left))


def _order(game: Match2004, command: Command, audience: Audience) -> Ask:
    return ask_thing("order", said("Which order?"), ORDERS.items())


def _dodging(game: Match2004, command: Command, audience: Audience) -> Ask:
    targets = () if game.pending is None else game.pending.targets
    shown = [name for name in targets if command["type"] == "dodge_by_card" or DODGE in game.piece(name).marks]
    return ask_figure("figure", said("Who dodges?"), shown)


def _change_of_range(game: Match2004, command: Command, audience: Audience) -> Ask:
    return ask_change("range", said("How does the range change?"), (-2, -1, 0, 1, 2, 3))


def _change_of_damage(game: Match2004, command: Command, audience: Audience) -> Ask | None:
    """Asked where the range stays as it is: something must change."""
    return (
        None if command.get("range") else ask_change("damage", said("How does the damage change?"), (-2, -1, 1, 2, 3))
    )


def _item(game: Match2004, command: Command, audience: Audience) -> Ask:
    return ask_item(game.items)


def _teleporter(game: Match2004, command: Command, audience: Audience) -> Ask:
    return ask_token("teleporter", said("Which teleporter?"), game.setup.teleporters)


def _area(game: Match2004, command: Command, audience: Audience) -> Ask:
    hidden = [area.id for area in game.setup.areas if area.id not in game.areas_shown]
    return ask_thing("area", said("Which area?"), ((area, named([area])) for area in hidden))


def _by_card(game: Match2004, command: Command, audience: Audience) -> Ask | None:
    if game.phase == "activate":
        return None
    return ask_thing("by_card", said("By an event card?"), ((True, said("yes")),))


def _rerolled(game: Match2004, command: Command, audience: Audience) -> Ask:
    """The dice that are rolled again."""
    attack = game.pending
    dice = () if attack is None else attack.dice
    shown = (([place], _name_die(color, face.damage, face.range)) for place, (color, face) in enumerate(dice))
    return replace(ask_thing("which", said("Which dice?"), shown), most=max(2, len(dice)))


def _name_die(color: str, damage: int, far: int) -> Said:
    return said("{color}: {damage} damage, range {range}", color=color_in_words(color), damage=damage, range=far)


def describe_card(game: Match2004, card_id: str) -> Said:
    """A card with whom it brings, in one line."""
    card = game.setup.cards[card_id]
    name = named([card.name])
    if not card.is_spawn:
        return name
    groups = listed(name_group(group) for group in card.spawns)
    return said("{card_name}: {parts}", card_name=name, parts=groups)


def name_group(group: Mapping[str, int]) -> Said:
    """Some invaders by their kinds."""
    return listed(said("{count} × {kind}", count=count, kind=kind) for kind, count in group.items())


_ASKS: Mapping[tuple[str, str], Callable[[Match2004, Command, Audience], Ask | None]] = {
    ("spawn", "card"): _spawn_card,
    ("spawn", "group"): _group,
    ("spawn", "cells"): _spawned,
    ("play_event", "card"): _card,
    ("dodge_by_card", "card"): _card,
    ("dodge_by_card", "figure"): _dodging,
    ("dodge", "figure"): _dodging,
    ("discard", "cards"): _discards,
    ("teleport", "teleporter"): _teleporter,
    ("reveal_area", "area"): _area,
    ("attack", "targets"): _targets,
    ("attack", "weapon"): _weapon,
    ("attack", "guard"): _guard,
    ("attack", "aimed"): _aimed,
    ("attack", "drop"): _drop,
    ("attack", "range"): lambda game, command, audience: ask_range(game),
    ("order", "order"): _order,
    ("use_order", "order"): _order,
    ("take", "item"): _item,
    ("activate", "by_card"): _by_card,
    ("reroll", "which"): _rerolled,
    ("modify", "range"): _change_of_range,
    ("modify", "damage"): _change_of_damage,
}

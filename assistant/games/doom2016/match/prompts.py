"""What may be done at each moment of a DOOM 2016 match, the most pressing first."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.games.doom2016.match.ability_steps import list_usable
from assistant.games.doom2016.match.attack_rules import damage_of, has_cover
from assistant.games.doom2016.match.marine_steps import TakeItem, has_main_left
from assistant.games.doom2016.match.state import STUNNED, Activation, Match2016, PendingAttack2016
from assistant.games.doom2016.match.table_steps import OpenDoor
from assistant.match.game import INVADER, MARINES, Piece, Prompt
from assistant.match.ground import board_of, door_in_words
from assistant.translations.messages import counted, dice_in_words, said, said_in


def list_prompts(game: Match2016) -> tuple[Prompt, ...]:
    """What may be done now, the most pressing first."""
    if game.phase in ("setup", "round over"):
        return (Prompt(type="status", text=said("Prepare round {round}", round=game.round + 1), side=INVADER),)
    if game.summons_due:
        return tuple(
            Prompt(
                type="summon",
                text=said("Summon demons from {portal}", portal=portal),
                side=INVADER,
                fields={"portal": portal},
            )
            for portal in game.summons_due
        )
    if game.pending is not None:
        return _attack_prompts(game)
    if game.turn is None:
        first = (Prompt(type="reveal", text=said("Reveal the next initiative card")),)
        argent = Prompt(type="gain_argent", text=said("Discard event cards for argent"), side=INVADER)
        return (*first, argent, *_threat_prompts(game)) if game.phase == "status" else first
    return _turn_prompts(game, game.turn)


def _attack_prompts(game: Match2016) -> tuple[Prompt, ...]:
    attack = game.pending
    assert attack is not None
    side = game.piece(attack.defender).side
    if attack.dice_due:
        return (
            Prompt(type="roll_added", text=said("Roll the added dice: {dice}", dice=dice_in_words(attack.dice_due))),
        )
    helps = (*list_ability_prompts(game, attack.attacker), *list_ability_prompts(game, attack.defender))
    if attack.rerolls:
        again = counted("Roll {n} die again", "Roll up to {n} dice again", attack.rerolls)
        helps = (*helps, Prompt(type="reroll", text=again, side=game.piece(attack.attacker).side))
    return (*_defence_prompts(game, attack, side), *helps)


def _threat_prompts(game: Match2016) -> tuple[Prompt, ...]:
    cost = game.setup.threat_cost
    if not cost or game.threat < cost or game.argent_gained:
        return ()
    return tuple(
        Prompt(
            type="spend_threat",
            text=counted("Spend {n} threat on {portal}", "Spend {n} threat on {portal}", cost, portal=portal.id),
            side=INVADER,
            fields={"portal": portal.id},
        )
        for portal in game.portals
    )


def list_ability_prompts(game: Match2016, figure: str) -> tuple[Prompt, ...]:
    """The abilities that a figure may use at this moment."""
    return tuple(
        Prompt(
            type="use_ability",
            text=said("{figure} uses {ability}", figure=figure, ability=ability.name),
            side=game.piece(figure).side,
            fields={"figure": figure, "ability": ability.name},
        )
        for ability in list_usable(game, figure)
    )


def _defence_prompts(game: Match2016, attack: PendingAttack2016, side: str) -> tuple[Prompt, ...]:
    if not attack.defended:
        return (Prompt(type="defend", text=said("{figure}: reveal a defence card", figure=attack.defender), side=side),)
    dealt = said("Apply {damage} damage to {figure}", damage=damage_of(game, attack), figure=attack.defender)
    resolve = Prompt(type="resolve", text=dealt)
    if has_cover(game, attack) and len(attack.revealed) == 1 and STUNNED not in game.piece(attack.defender).marks:
        text = said("{figure} is in cover: take another card instead", figure=attack.defender)
        return (resolve, Prompt(type="defend", text=text, side=side, fields={"again": True}))
    return (resolve,)


def _turn_prompts(game: Match2016, turn: Activation) -> tuple[Prompt, ...]:
    if turn.side == INVADER and turn.kind is None:
        return (Prompt(type="activate_kind", text=said("Choose a ready demon card"), side=INVADER),)
    if turn.figure is None:
        acts = (
            Prompt(type="activate", text=said("Activate {figure}", figure=name), side=INVADER, fields={"figure": name})
            for name in turn.queue
        )
        rest = said("The other figures of {kind} do not act", kind=str(turn.kind))
        return (*acts, Prompt(type="end", text=rest, side=INVADER))
    piece = game.piece(turn.figure)
    end = Prompt(type="end", text=said("End the activation of {figure}", figure=piece.id), side=turn.side)
    if not piece.on_table:
        comes_back = said("{figure} respawns on an active teleporter", figure=piece.id)
        respawn = Prompt(type="respawn", text=comes_back, side=MARINES)
        return (end,) if turn.fell or not game.teleporters_active else (respawn,)
    return (*_place_prompts(game, piece), *_figure_prompts(game, turn, piece), end)


def _figure_prompts(game: Match2016, turn: Activation, piece: Piece) -> Iterator[Prompt]:
    """What the acting figure may do wherever it stands."""
    if turn.attacks:
        yield Prompt(type="attack", text=said_in("command", "Attack"), side=turn.side)
    if turn.movement:
        points = counted("Move: {n} point left", "Move: {n} points left", turn.movement)
        yield Prompt(type="move", text=points, side=turn.side, fields={"figure": piece.id})
    if turn.side == MARINES:
        yield Prompt(type="play", text=said("Play an action card"), side=MARINES)
        if has_main_left(game):
            yield Prompt(type="sprint", text=said("Sprint: a card for six points"), side=MARINES)
    yield from list_ability_prompts(game, piece.id)
    for card in turn.glory:
        uses = said("{figure} uses {ability}", figure=piece.id, ability=game.card(card).name)
        yield Prompt(type="use_glory", text=uses, side=MARINES, fields={"card": card})


def _place_prompts(game: Match2016, piece: Piece) -> Iterator[Prompt]:
    """What the acting figure may do because of where it stands: the token under it, the closed door beside it."""
    for item in game.items if piece.side == MARINES else ():
        if TakeItem(item=item.id).is_allowed(game):
            yield Prompt(type="take", text=said("Take {item}", item=item.id), side=MARINES, fields={"item": item.id})
    for door in board_of(game).doors if game.ground else ():
        if OpenDoor(door=door.id).is_allowed(game):
            opens = said("Open {door}: 1 point", door=door_in_words(game, door))
            yield Prompt(type="open_door", text=opens, side=piece.side, fields={"door": door.id})

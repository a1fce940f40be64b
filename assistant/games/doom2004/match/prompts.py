"""What may be done at each moment of a DOOM 2004 match, the most pressing first."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.games.doom2004.match.attack_rules import damage_of, resolve_attack
from assistant.games.doom2004.match.board_steps import DOOR_POINTS, SetDoor, Take
from assistant.games.doom2004.match.guide import word_landing
from assistant.games.doom2004.match.reroll_steps import Dodge
from assistant.games.doom2004.match.setup import HAND_LIMIT
from assistant.games.doom2004.match.state import GUARD, Match2004, PendingAttack2004, Turn2004
from assistant.games.doom2004.match.turn_steps import ACTION_WORDS, ACTIONS
from assistant.match.game import INVADER, MARINES, Piece, Prompt
from assistant.match.ground import board_of, door_in_words
from assistant.translations.messages import counted, said, said_in


def list_prompts(game: Match2004) -> tuple[Prompt, ...]:
    """What may be done now, the most pressing first."""
    if game.phase == "setup":
        return (Prompt(type="begin", text=said("Begin the match")),)
    if game.areas_due:
        return tuple(
            Prompt(
                type="reveal_area",
                text=said("Lay out the new area: {area}", area=area),
                side=INVADER,
                fields={"area": area},
            )
            for area in game.areas_due
        )
    if game.pending is not None:
        return _attack_prompts(game, game.pending)
    if game.phase == "draw":
        return (Prompt(type="draw", text=said("Draw cards"), side=INVADER),)
    if game.phase == "spawn":
        return _spawn_prompts(game)
    return _turn_prompts(game)


def _attack_prompts(game: Match2004, attack: PendingAttack2004) -> tuple[Prompt, ...]:
    if attack.scatters:
        return (Prompt(type="scatter", text=word_landing(game, attack)),)
    hits = resolve_attack(game, attack).outcome.hits
    hit = said("The attack hits for {damage} damage: apply it", damage=damage_of(game, attack))
    prompts = [Prompt(type="resolve", text=hit if hits else said("The attack misses: apply it"))]
    if attack.may_reroll is not None:
        attacker_chooses = attack.may_reroll == "attacker" or game.rules.options["dodge_choice"] == "attacker"
        chooser = attack.attacker if attacker_chooses else str(attack.dodger)
        prompts.insert(0, Prompt(type="reroll", text=said("Choose dice to roll again"), side=game.piece(chooser).side))
    prompts = [*_dodge_prompts(game, attack), *prompts]
    interrupts = game.piece(attack.attacker).side == INVADER and game.held is None
    return (*prompts, *_guard_prompts(game)) if interrupts else tuple(prompts)


def _dodge_prompts(game: Match2004, attack: PendingAttack2004) -> list[Prompt]:
    """The marines among the targets who have an order to dodge."""
    return [
        Prompt(type="dodge", text=said("{figure} dodges", figure=name), side=MARINES, fields={"figure": name})
        for name in attack.targets
        if Dodge(figure=name).is_allowed(game)
    ]


def _guard_prompts(game: Match2004) -> list[Prompt]:
    """The marines who may interrupt the invader's turn with an attack."""
    if game.phase == "marine":
        return []
    return [
        Prompt(
            type="attack",
            text=said("{figure} guards: attack first", figure=piece.id),
            side=MARINES,
            fields={"guard": piece.id},
        )
        for piece in game.standing(MARINES)
        if GUARD in piece.marks
    ]


def _spawn_prompts(game: Match2004) -> tuple[Prompt, ...]:
    over = len(game.deck.hand) - HAND_LIMIT
    if over > 0:
        return (Prompt(type="discard", text=counted("Discard {n} card", "Discard {n} cards", over), side=INVADER),)
    go_on = Prompt(type="activations", text=said("Activate the invaders"), side=INVADER)
    spawn = Prompt(type="spawn", text=said("Play a spawn card"), side=INVADER)
    return (go_on,) if game.spawned else (spawn, go_on)


def _turn_prompts(game: Match2004) -> tuple[Prompt, ...]:
    turn = game.turn
    if turn is None:
        waiting = (piece.id for piece in game.standing(INVADER) if piece.id not in game.acted)
        acts = (
            Prompt(type="activate", text=said("Activate {figure}", figure=name), side=INVADER, fields={"figure": name})
            for name in waiting
        )
        return (*acts, *_guard_prompts(game), Prompt(type="end", text=said("End the round"), side=INVADER))
    piece = game.piece(turn.figure)
    if not piece.on_table and turn.action is None:
        return (Prompt(type="respawn", text=said("Put {figure} back on the board", figure=piece.id), side=MARINES),)
    if turn.action is None:
        return tuple(
            Prompt(
                type="action",
                text=said("{figure}: {action}", figure=piece.id, action=ACTION_WORDS[action]),
                side=MARINES,
                fields={"action": action},
            )
            for action in ACTIONS
        )
    end = Prompt(type="end", text=said("{figure} is done", figure=piece.id), side=piece.side)
    if not piece.on_table:
        return (end, *_guard_prompts(game))
    return (*_place_prompts(game, piece), *_figure_prompts(game, turn, piece), *_guard_prompts(game), end)


def _figure_prompts(game: Match2004, turn: Turn2004, piece: Piece) -> Iterator[Prompt]:
    """What the acting figure may do wherever it stands."""
    if game.through is not None:
        on = {"weapon": game.through.weapon}
        yield Prompt(type="attack", text=said("Blow through into a space beside"), side=MARINES, fields=on)
    if turn.attacks:
        yield Prompt(type="attack", text=said_in("command", "Attack"), side=piece.side)
    if turn.movement:
        points = counted("Move: {n} point left", "Move: {n} points left", turn.movement)
        yield Prompt(type="move", text=points, side=piece.side, fields={"figure": piece.id})
    if turn.order_left:
        yield Prompt(type="order", text=said("Place an order"), side=piece.side)


def _place_prompts(game: Match2004, piece: Piece) -> Iterator[Prompt]:
    """What the acting figure may do because of where it stands: a token, a closed door beside it, a teleporter."""
    for item in game.items:
        if Take(item=item.id).is_allowed(game):
            yield Prompt(type="take", text=said("Take {item}", item=item.id), side=MARINES, fields={"item": item.id})
    for door in board_of(game).doors if game.ground else ():
        if SetDoor(door=door.id, open=True).is_allowed(game):
            told = door_in_words(game, door)
            opens = counted("Open {door}: {n} point", "Open {door}: {n} points", DOOR_POINTS, door=told)
            yield Prompt(type="door", text=opens, side=piece.side, fields={"door": door.id, "open": True})
    if piece.side == MARINES and game.the_turn().movement:
        yield from _list_teleports(game, piece)


def _list_teleports(game: Match2004, marine: Piece) -> list[Prompt]:
    """Where a marine who stands on a teleporter may go."""
    places = game.setup.teleporters
    if not any(place.cell in marine.cells for place in places):
        return []
    return [
        Prompt(
            type="teleport",
            text=said("Teleport to {teleporter}", teleporter=place.id),
            side=MARINES,
            fields={"teleporter": place.id},
        )
        for place in places
        if place.cell not in marine.cells
    ]

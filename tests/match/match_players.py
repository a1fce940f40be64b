"""Players that finish a match of any system by taking prompts, with a seed for their choices."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from assistant.errors import InputError
from assistant.games.doom2016.match.places import find_displaced_cells
from assistant.match.actor import JUDGE, Actor, player
from assistant.match.game import INVADER, MARINES
from assistant.match.ground import table_of
from assistant.match.moments import list_open
from assistant.match.views import list_prompts

Fields = dict[str, Any]
MAX_STEPS = 4_000


def played_out(match: Any, seed: int, watch: Callable[[Any], None] = lambda match: None) -> int:
    """Play until somebody wins; return the number of commands. ``watch`` is called after each."""
    whims = random.Random(seed)
    for count in range(MAX_STEPS):
        if match.game.winner is not None:
            return count
        take_a_step(match, whims)
        watch(match)
    raise AssertionError(f"nobody has won after {MAX_STEPS} steps")


def take_a_step(match: Any, whims: random.Random) -> None:
    """The first of the offered commands that the rules allow, tried in an order of chance.

    Where all wait for the answer of another side, everybody lets it be.
    """
    refused = []
    for type_, fields, side in [*wanted(match, whims), *list_passes(match)]:
        try:
            match.do(type_, by=_actor(type_, side), **fields)
        except InputError as problem:
            refused.append(f"{type_} {fields}: {problem}")
        else:
            return
    if match.session.moments():
        match.let_be()
        return
    raise AssertionError("nothing can be done: " + "; ".join(refused))


def list_passes(match: Any) -> Iterator[tuple[str, Fields, str]]:
    """Yield the answer no to every question that is open before something is closed."""
    for moment in list_open(match.session.system, match.game):
        yield "pass", {"of": moment.side, "asked": [moment.id]}, moment.side


def _actor(type_: str, side: str | None) -> Actor:
    if type_ == "hold_back":  # a judge's finding
        return JUDGE
    return player(side) if side else Actor(role="table")


def wanted(match: Any, whims: random.Random) -> Iterator[tuple[str, Fields, str | None]]:
    """Yield every command that a player would try now, the most wanted first."""
    game, system = match.game, match.session.system
    prompts = list(list_prompts(system, game))
    # "end" and its kind come last: a player with other steps left mostly takes one of them.
    prompts.sort(key=lambda p: (p.type in ("end", "next", "activations", "gain_argent"), whims.random()))
    chooser = {"doom2016": _doom2016, "doom2004": _doom2004, "roads": _roads}[game.rules.name]
    for prompt in prompts:
        for fields in chooser(game, prompt.type, dict(prompt.fields), whims):
            other = fields.pop("type_", None)  # actions instead of an answer to a prompt
            yield (prompt.type, fields, prompt.side) if other is None else (other, fields, INVADER)
        if prompt.type == "move" and game.rules.name != "roads":
            yield from _beside_moving(game)


def _beside_moving(game: Any) -> Iterator[tuple[str, Fields, str | None]]:
    """Yield a moving figure's other options: doors, tokens, staggered demons."""
    figure = game.acting()
    for door in getattr(table_of(game), "doors", ()) if game.ground else ():
        if not door.open and figure.side == MARINES:
            opening = (
                {"open_door": {"door": door.id}}
                if game.rules.name == "doom2016"
                else {"door": {"door": door.id, "open": True}}
            )
            for type_, fields in opening.items():
                yield type_, fields, figure.side
    for item in game.items:
        yield "take", {"item": item.id}, MARINES
    if game.rules.name == "doom2016":
        for demon in game.standing(INVADER):
            yield "glory_kill", {"demon": demon.id}, MARINES


def _doom2016(game: Any, type_: str, fields: Fields, whims: random.Random) -> Iterator[Fields]:
    if type_ == "activate_kind":
        yield from ({"kind": kind} for kind in game.kinds_on_table() if game.demon_cards[kind].ready)
    elif type_ == "summon":
        yield from _summons(game, fields["portal"], whims)
    elif type_ == "gain_argent":
        if whims.random() < 0.5 and game.deck(INVADER).hand:
            yield {"cards": [game.deck(INVADER).hand[0]], "onto": {whims.choice(["invasion", "imp"]): 1}}
    elif type_ == "respawn":
        yield from ({"teleporter": name} for name in game.teleporters_active)
    elif type_ == "displace":
        found = find_displaced_cells(game, fields["figure"])
        yield from ({**fields, "cells": [list(cell)]} for cell in found)
        yield fields
    elif type_ == "play":
        yield from ({"card": card} for card in game.deck(game.turn.figure).hand)
    elif type_ == "attack":
        yield from ({"defender": name} for name in _enemies(game, game.turn.figure, whims))
    elif type_ == "move":
        yield from _moves(game, game.turn.figure, game.turn.movement, whims)
    else:
        yield from _in_attack2016(game, type_, fields, whims)


def _in_attack2016(game: Any, type_: str, fields: Fields, whims: random.Random) -> Iterator[Fields]:
    """Yield actions in an open attack: re-rolls, and sometimes an event instead of an answer."""
    if type_ == "reroll":
        yield {"which": [whims.randrange(len(game.pending.dice))]} if game.pending.dice else {}
        return
    if type_ == "defend" and whims.random() < 0.3:
        yield from ({"type_": "play_event", "card": card} for card in game.deck(INVADER).hand[:2])
    yield fields


def _summons(game: Any, portal_id: str, whims: random.Random) -> Iterator[Fields]:
    portal = next(portal for portal in game.portals if portal.id == portal_id)
    groups = [i for i, group in enumerate(game.setup.invasion) if group.portal == portal.color]
    whims.shuffle(groups)
    for index in groups:
        group = game.setup.invasion[index]
        names = [
            name
            for kind, count in group.demons.items()
            for name in [p.id for p in game.pieces.values() if p.kind == kind and not p.on_table][:count]
        ]
        cells = dict(zip(names, ([cell] for cell in _free_near(game, portal.cell)), strict=False))
        if len(cells) == len(names):
            kind = next(iter(group.demons))
            argent = {kind: group.argent} if group.argent else {}
            yield {"portal": portal_id, "group": index, "cells": cells, "argent": argent}


def _free(game: Any) -> list[tuple[int, int]]:
    """Return the free cells of the table, or of a corridor without a seen table."""
    cells = table_of(game).cells if game.ground else {(x, y) for x in range(13) for y in range(3)}
    return sorted(set(cells) - set(game.places_after({})))


def _free_near(game: Any, center: tuple[int, int]) -> list[tuple[int, int]]:
    return [(x, y) for x, y in _free(game) if max(abs(x - center[0]), abs(y - center[1])) <= 1]


def _enemies(game: Any, figure: str, whims: random.Random) -> list[str]:
    own = game.piece(figure).side
    names = [piece.id for piece in game.standing() if piece.side != own]
    whims.shuffle(names)
    return names


def _moves(game: Any, figure: str, points: int, whims: random.Random) -> Iterator[Fields]:
    """Yield moves to a place nearest to a goal (a closed door, a token or an enemy), or sometimes none."""
    if whims.random() < 0.2:
        return
    if not game.ground:
        yield {"figure": figure, "cells": [whims.choice(_free(game))], "cost": 1}
        return
    piece, board = game.piece(figure), table_of(game)
    goals = [cell for p in game.standing() if p.side != piece.side for cell in p.cells]
    if piece.side == MARINES:
        goals += [cell for door in board.doors if not door.open for edge in door.edges for cell in edge.cells] * 3
        goals += [item.cell for item in game.items]
    if not goals:
        return
    goal = whims.choice(goals)
    ends = [end for end in game.rules.reach(board, figure, points).ends if end.cost]
    ends.sort(key=lambda end: max(abs(end.cells[0][0] - goal[0]), abs(end.cells[0][1] - goal[1])))
    for end in ends[:1]:
        yield {"figure": figure, "cells": end.cells}


def _doom2004(game: Any, type_: str, fields: Fields, whims: random.Random) -> Iterator[Fields]:
    if type_ == "action":
        yield {"action": whims.choice(["sprint", "unload", "advance", "advance", "ready"])}
    elif type_ == "respawn":
        yield from ({"cells": [cell]} for cell in _free(game))
    elif type_ == "order":
        yield {"order": whims.choice(["aim", "dodge", "guard"])}
    elif type_ == "discard":
        yield {"cards": list(game.deck.hand[8:])}
    elif type_ == "spawn":
        yield from _spawns(game, whims)
    elif type_ == "attack":
        yield from _attacks2004(game, whims) if "guard" not in fields else _guarding(game, fields, whims)
    elif type_ == "reroll":
        yield {"which": [0]}
    elif type_ == "move":
        yield from _moves(game, game.turn.figure, game.turn.movement, whims)
    else:
        yield fields


def _attacks2004(game: Any, whims: random.Random) -> Iterator[Fields]:
    if game.through is not None:
        yield from _onward(game, whims)
        return
    marine = game.turn.figure in game.equipment
    weapons = game.equipment[game.turn.figure].weapons if marine else (None,)
    if whims.random() < 0.1:
        yield {"space": whims.choice(_free(game)), "weapon": "grenade" if marine else None, "range": 1}
    for name in _enemies(game, game.turn.figure, whims):
        yield from ({"targets": [name], "range": 1, **({"weapon": w} if w else {})} for w in weapons)


def _guarding(game: Any, fields: Fields, whims: random.Random) -> Iterator[Fields]:
    """Yield a guarding marine's shot before the invader continues."""
    for name in _enemies(game, fields["guard"], whims):
        yield {**fields, "targets": [name], "weapon": "pistol", "range": 1}


def _onward(game: Any, whims: random.Random) -> Iterator[Fields]:
    """Yield the next step of a shot that blows through."""
    for color in ("green", "blue"):
        if game.through.dice.get(color):
            for name in _enemies(game, game.through.attacker, whims):
                yield {"targets": [name], "weapon": game.through.weapon, "drop": color, "range": 1}


def _spawns(game: Any, whims: random.Random) -> Iterator[Fields]:
    free = _free(game)
    for card in game.deck.hand:
        for index, group in enumerate(game.setup.cards[card].spawns):
            names = [
                name
                for kind, count in group.items()
                for name in [p.id for p in game.pieces.values() if p.kind == kind and not p.on_table][:count]
            ]
            places = whims.sample(free, min(len(names), len(free)))
            bases = {name: _base(game, name, place) for name, place in zip(names, places, strict=False)}
            yield {"card": card, "group": index, "cells": bases}


def _base(game: Any, name: str, corner: tuple[int, int]) -> list[list[int]]:
    """Return the spaces of an invader's base from its upper left corner on."""
    wide, high = game.invader_setup(game.piece(name).kind).size or (1, 1)
    return [[corner[0] + x, corner[1] + y] for x in range(wide) for y in range(high)]


def _roads(game: Any, type_: str, fields: Fields, whims: random.Random) -> Iterator[Fields]:
    own = [piece.id for piece in game.standing(game.active)] if game.active else []
    whims.shuffle(own)
    is_shot = game.find_open() == "shot"
    if type_ == "reroll" or (
        type_ in ("wield", "shoot", "clear_jam") and fields and not is_shot and whims.random() < 0.6
    ):
        return
    if type_ == "shoot" and game.find_open() == "shot":
        yield {**fields, "hits": whims.choice([0, 1]), "total": 20}
        yield {**fields, "total": 20}  # its target may have gone out of sight
        return
    if type_ == "shoot" and fields:
        target = fields.get("target") or _enemies(game, fields["figure"], whims)[0]
        yield {**fields, "target": target, "hits": whims.choice([0, 1])}
        return
    if type_ in _OF_ONE_MODEL and "figure" not in fields:
        for name in own:
            yield from _OF_ONE_MODEL[type_](game, name, whims)
        return
    if type_ == "draw_in" and whims.random() < 0.6:
        yield fields
    extra: dict[str, Fields] = {
        "wound": whims.choice([{"wounds": 1}, {"wounds": 2}, {"down": True}, {"wounds": 1}, {}]),
        "draw_in": {"avoids": True},
        "advance": {"stays": True},
    }
    yield {**fields, **extra.get(type_, {})}


def _moves_on_plane(game: Any, name: str, whims: random.Random) -> Iterator[Fields]:
    """Now and then to a place of chance, over another one or straight."""
    if whims.random() < 0.3:
        path = [[whims.randrange(30, 1170), whims.randrange(30, 870)] for _ in range(whims.choice([1, 1, 2]))]
        yield {"figure": name, "path": path, "how": whims.choice(["walk", "run"])}


def _manoeuvres(game: Any, name: str, whims: random.Random) -> Iterator[Fields]:
    if whims.random() < 0.2:
        kind = whims.choice(["climb", "descend", "gap", "down", "leap"])
        yield {"figure": name, "kind": kind, "steps": whims.choice([0.5, 1, 2]), "fall_steps": whims.choice([0, 1.5])}
    enemy = _enemies(game, name, whims)[0]
    if whims.random() < 0.2:
        yield {"figure": name, "kind": whims.choice(["down", "leap"]), "target": enemy, "fall_steps": 1}


def _rarely(game: Any, name: str, whims: random.Random) -> Iterator[Fields]:
    if whims.random() < 0.2:
        yield {"figure": name}


def _charges(game: Any, name: str, whims: random.Random) -> Iterator[Fields]:
    enemy = game.piece(_enemies(game, name, whims)[0])
    dx, dy = whims.choice([(25, 0), (-25, 0), (0, 25), (0, -25)])
    place = None if enemy.center_mm is None else [enemy.center_mm[0] + dx, enemy.center_mm[1] + dy]
    yield {"figure": name, "target": enemy.id, "center_mm": place}


def _shots(game: Any, name: str, whims: random.Random) -> Iterator[Fields]:
    reaction = game.reaction
    if reaction is not None:
        pair = (reaction.shooter, reaction.figure)
        shooter, target = pair[::-1] if reaction.is_first else pair
        yield {"figure": shooter, "target": target, "hits": 1, "total": 20}
        return
    yield {"figure": name, "target": _enemies(game, name, whims)[0], "hits": whims.choice([0, 0, 1])}


def _reactions(game: Any, name: str, whims: random.Random) -> Iterator[Fields]:
    """Yield an enemy's reactions to this model's shot; rarely, since the shot then has to follow."""
    if game.reaction is None and whims.random() < 0.3:
        for enemy in _enemies(game, name, whims):
            yield {"figure": enemy, "shooter": name, "how": whims.choice(["duck", "take cover", "shoot first"])}


def _fights(game: Any, name: str, whims: random.Random) -> Iterator[Fields]:
    yield from ({"fighters": [name, enemy]} for enemy in _enemies(game, name, whims))


def _announced(game: Any, name: str, whims: random.Random) -> Iterator[Fields]:
    if whims.random() < 0.2:
        yield {"figure": name, "target": _enemies(game, name, whims)[0]}


_OF_ONE_MODEL: dict[str, Callable[[Any, str, random.Random], Iterator[Fields]]] = {
    "watch": _rarely,
    "hide": _rarely,
    "move": _moves_on_plane,
    "manoeuvre": _manoeuvres,
    "charge": _charges,
    "shoot": _shots,
    "announce": _announced,
    "fight": _fights,
    "react": _reactions,
}

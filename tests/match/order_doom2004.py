"""A short match of DOOM 2004 in the order of seeds 002 and 004, for its page of the order of play."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from loading import beside

PAGES = beside(__file__, "order_pages")
Line = PAGES.Line

TITLE = "DOOM (2004)"

EVENTS: dict[str, dict[str, Any]] = {
    "before": {
        "name": "Before his turn",
        "when": "marine_turn",
        "effects": [{"effect": "told", "text": "as the card says"}],
    },
    "trap": {"name": "It is a trap", "when": "token_taken", "effects": [{"effect": "activate", "count": 2}]},
    "duck": {"name": "Dodge", "effects": [{"effect": "dodge"}]},
}
START = {"name": "At the start", "when": "turn_start", "scatter": [1, 0]}
CARDS = {
    **{f"{name}{copy}": {**card, "scatter": [1, 0]} for name, card in EVENTS.items() for copy in ("", "-again")},
    "start": START,
    **{f"spawn-{n}": {"name": "Spawn", "spawns": [{"trite": 1}], "scatter": [1, 0]} for n in range(3)},
}
PLAYED = {*EVENTS, "start"}
RED, GREEN, IMP, ZOMBIE = "red-marine", "green-marine", "imp-1", "zombie-1"


def face(reach: int = 4, damage: int = 2, *, miss: bool = False) -> dict[str, Any]:
    return {"range": reach, "damage": damage, "ammo": False, "miss": miss}


def shot(weapon: str | None, *faces: dict[str, Any], **more: Any) -> dict[str, Any]:
    colors = {"pistol": ["yellow", "green"], "grenade": ["blue", "green"], None: ["yellow", "green"]}[weapon]
    dice = [[color, one] for color, one in zip(colors, faces, strict=True)]
    return {"rolled_here": False, "dice": dice, **({"weapon": weapon} if weapon else {}), **more}


def begin(build: ModuleType) -> Any:
    """Return the match before its first round: the invader holds or draws every card that the script plays."""
    base = build.mission(build.KNEE_DEEP)
    items = [{"id": "rockets", "kind": "ammo", "what": "rockets", "count": 2, "cell": [2, 0]}]
    for seed in range(5_000):
        match = build.begun(build.with_setup(base, cards=CARDS, items=items), seed=str(seed))
        deck = match.game.deck  # the missed grenade draws the first card of the pile, the invader's turn two more
        if set(deck.hand) >= PLAYED and "spawn-0" in deck.pile[1:3]:
            break
    match.do("see", document=build.corridor(12, 4, {"red-door": ((8, 1), (9, 1))}))
    return match


LINES = (
    Line(
        "“Durante cada ronda, cada jugador recibe un turno, comenzando con el primer jugador marino” (002)",
        "begin",
        part="The round begins",
    ),
    Line(
        "““Play immediately before a marine takes his turn” can be played until the marine player declares "
        "his action” (004)",
        "play_event",
        {"card": "before"},
        "A marine's turn",
    ),
    Line(
        "“Como primer evento de su turno, un jugador marino debe elegir una acción” (002)",
        "action",
        {"action": "advance"},
    ),
    Line(
        "“puede moverse hasta 4 espacios y puede realizar 1 ataque … antes, después o en cualquier momento” (002)",
        "move",
        {"figure": RED, "cells": [[2, 0]]},
    ),
    Line("“Después de que un jugador marino ha recogido una ficha” (002)", "take", {"item": "rockets"}),
    Line("“antes de que pueda continuar el turno del marine” (002)", "play_event", {"card": "trap"}),
    Line("“activar inmediatamente hasta 2 invasores” (002)", "activate", {"figure": "zombie-3", "by_card": True}),
    Line("“Después de haber activado a ambos invasores” (002)", "end"),
    Line("“hasta 2 invasores” (002)", "end_card"),
    Line(
        "“declara qué espacio está atacando su figura … qué arma está usando”, then sight, range and dice "
        "(002, Pasos 1–3)",
        "attack",
        shot("grenade", face(miss=True), face(), targets=[IMP]),
        "An attack in that turn",
    ),
    Line(
        "“the invader player can quickly interrupt and play his card before the attack is resolved” (004)",
        "dodge_by_card",
        {"figure": IMP, "card": "duck"},
    ),
    Line(
        "“The player causing the re-roll chooses one or more of the dice” (004)",
        "reroll",
        {"which": [1], "rolled_here": False, "faces": [face(0, 0)]},
    ),
    Line("“Paso 4: determinar el éxito del ataque”, “Paso 5: infligir heridas” (002)", "resolve"),
    Line("“If a blast attack misses, determine its new destination by drawing the top card” (004)", "scatter"),
    Line("“mover 2 espacios, atacar y luego mover otros 2 espacios” (002)", "move", {"figure": RED, "cells": [[3, 0]]}),
    Line("“su turno termina y el juego pasa al jugador a su izquierda” (002)", "end"),
    Line("“Un marine que se prepara …” (002)", "action", {"action": "ready"}, "The next marine readies"),
    Line("“o hacer 1 ataque durante el turno” (002)", "move", {"figure": GREEN, "cells": [[2, 1]]}),
    Line("“El pedido podrá realizarse en cualquier momento durante su turno” (002)", "order", {"order": "guard"}),
    Line("“Después de que todos los marines hayan tomado su turno” (002)", "end"),
    Line("“Paso 1: … debe robar 1 carta … para cada jugador marino” (002)", "draw", {}, "The invader's turn"),
    Line(
        "“after the invader player has discarded down to 8 cards …, but before he has activated his first "
        "invader” (004)",
        "play_event",
        {"card": "start"},
    ),
    Line(
        "“Paso 2: … puede jugar 1 (y solo 1) carta de generación” (002)",
        "spawn",
        {"card": "spawn-0", "cells": {"trite-1": [[11, 0]]}},
    ),
    Line("“Paso 3: Activando invasores” (002)", "activations"),
    Line("“puede activar cada invasor en el tablero una vez” (002)", "activate", {"figure": IMP}, "An activation"),
    Line(
        "“puede mover un número de espacios hasta su puntuación de movimiento y realizar un ataque” (002)",
        "move",
        {"figure": IMP, "cells": [[5, 1]]},
    ),
    Line("“Paso 1: declarar el ataque” (002)", "attack", shot(None, face(), face(), targets=[GREEN])),
    Line(
        "“This is also true for the marine guard order” (004)",
        "attack",
        shot("pistol", face(0, 0), face(0, 0), targets=[IMP], guard=GREEN),
    ),
    Line("“Cada ataque se resuelve por completo” (002): the guard's shot first", "resolve"),
    Line("“Paso 5: infligir heridas” (002): then the attack that it interrupted", "resolve"),
    Line("“simplemente declara qué invasor se está activando”: one after the other (002)", "end"),
    Line(
        "“Entonces se completa la ronda y comienza una nueva ronda con el primer jugador marino” (002)",
        "end",
        {},
        "The round ends",
    ),
)

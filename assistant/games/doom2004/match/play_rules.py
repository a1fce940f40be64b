"""The rules of play of DOOM 2004 by which commands are refused, each with its place in seeds 002 and 004."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Rule
from assistant.translations.messages import message

TURNS = Rule(
    "doom2004/turn-order",
    message("source 002, “Como se Juega”"),
    message("Marines take their turns in order, then the invader; then the round ends."),
)
ACTION = Rule(
    "doom2004/marine-action",
    message("source 002, “El giro marino”"),
    message("A marine first declares sprint, unload, advance or ready and does only that."),
)
ORDER = Rule(
    "doom2004/orders",
    message("source 002, “Listo”"),
    message("A marine who readies places one order beside himself."),
)
INVADER = Rule(
    "doom2004/invader-cards",
    message("source 002, “Paso 1: Dibujar y descartar”"),
    message("The invader draws a card for each marine and discards down to eight."),
)
SPAWN_CARD = Rule(
    "doom2004/spawn-card",
    message("source 002, “Paso 2: generación”"),
    message("One spawn card a turn; its invaders come from the box, out of sight of every marine."),
)
AREA = Rule(
    "doom2004/areas",
    message("source 002, “Crea el tablero de juego”"),
    message("The start area is laid out first; a later one comes with its invaders and tokens when it is revealed."),
)
ACTIVATE = Rule(
    "doom2004/activation",
    message("source 002, “Paso 3: Activando invasores”"),
    message("Each invader on the board is activated once: movement and one attack."),
)
EVENT = Rule(
    "doom2004/events",
    message("source 004, “Timing and Start of Turn”"),
    message("An event card is played when its condition is met, and before what it interrupts."),
)
ATTACKING = Rule(
    "doom2004/attack",
    message("source 002, “Agresor”"),
    message("An attack names a space in sight, with a weapon that is at hand and has ammunition."),
)
REROLL = Rule(
    "doom2004/dodge-and-aim",
    message("source 004, “Re-rolls”"),
    message("Aim and dodge re-roll an attack once; both together cancel out."),
)
SCATTERING = Rule(
    "doom2004/missed-blast",
    message("source 004, “Scatter”"),
    message("The drawn card, laid by the compass, says where a missed blast lands."),
)
MOVING = Rule(
    "doom2004/moving",
    message("source 002, “Movimiento”"),
    message("A figure moves space by space, past friends, and ends on empty spaces."),
)
TELEFRAG = Rule(
    "doom2004/telefrag",
    message("source 004, “Telefrags”"),
    message("A marine who teleports into an invader kills it."),
)
TOKENS = Rule(
    "doom2004/equipment",
    message("source 002, “Configurar equipo marino”"),
    message("Tokens that marines pick up go into their equipment."),
)
WOUNDED = Rule(
    "doom2004/wounds-taken",
    message("source 002, “Paso 5: infligir heridas”"),
    message("A marine without wound tokens is fragged; an invader with enough of them is killed."),
)

PLAY_RULES: Mapping[str, Rule] = {
    "begin": TURNS,
    "end": TURNS,
    "respawn": TURNS,
    "action": ACTION,
    "order": ORDER,
    "use_order": ORDER,
    "draw": INVADER,
    "discard": INVADER,
    "spawn": SPAWN_CARD,
    "reveal_area": AREA,
    "activations": ACTIVATE,
    "activate": ACTIVATE,
    "play_event": EVENT,
    "attack": ATTACKING,
    "resolve": ATTACKING,
    "modify": ATTACKING,
    "dodge": REROLL,
    "dodge_by_card": REROLL,
    "reroll": REROLL,
    "scatter": SCATTERING,
    "move": MOVING,
    "door": MOVING,
    "teleport": TELEFRAG,
    "take": TOKENS,
    "damage": WOUNDED,
    "heal": WOUNDED,
    "frag": WOUNDED,
}
"""The rule by which each command is allowed or refused."""

"""The rules that reasons of DOOM: The Boardgame (2004) cite, with sources, summaries and sentences.

“Rules” is the rulebook, known in machine Spanish (seed document 002) and by its page 11 (seed document 004).
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Rule, doubt_rule, index_rules, option_rule, what_if_rule
from assistant.translations.messages import message

RANGE = Rule(
    "doom2004/range",
    message("Rules, attack steps 2 and 3; obstacles: inferred from the exception for attacks without sight"),
    message("Range is the number of spaces on the shortest path round walls, closed doors and blocking obstacles."),
    {
        "counted": message("Range {range}."),
        "none": message("No path leads to {defender}, so there is no range."),
    },
)

SIGHT = Rule(
    "doom2004/line-of-sight",
    message("Rules, attack, step 2 “Line of sight”; figures of several spaces: p. 11, “Oversized Invaders”"),
    message(
        "A straight line from the centre of the attacker's space to the centre of the target's must meet no wall, "
        "closed door, blocking obstacle or other figure."
    ),
    {
        "clear": message("Line of sight: the line from centre {origin} to centre {target} is free."),
        "blocked": message("No line of sight: from centre {origin} to centre {target} the line is cut by {blocker}."),
        "all_blocked": message(
            "No line of sight: every line from {attacker} to {defender} is cut. "
            "Nearest miss: {origin} to {target}, cut by {blocker}."
        ),
    },
)

ADJACENT = Rule(
    "doom2004/adjacent",
    message("Rules, “Movement” and melee attacks"),
    message("Spaces that share a side or a corner are adjacent unless a wall or a closed door is between them."),
    {
        "yes": message("{attacker} and {defender} are adjacent."),
        "parted": message("{attacker} and {defender} stand side by side but something is between them: not adjacent."),
    },
)

OPTION = option_rule("doom2004")

MOVE = Rule(
    "doom2004/movement",
    message("Rules, “Movement”"),
    message(
        "One point a step in eight directions; friends may be passed, enemies and blocking obstacles not; "
        "a move ends on empty spaces."
    ),
)

OVERSIZED = Rule(
    "doom2004/oversized",
    message("Rules p. 11, “Oversized Invaders”"),
    message(
        "A demon of two spaces snakes (one half steps, the other takes its place) or sidesteps diagonally as a whole; "
        "figures of four spaces move like others."
    ),
)

DOOR = Rule(
    "doom2004/doors",
    message("restatement of the rules, “Doors”"),
    message("A figure on a space next to a door opens or closes it for two points."),
)

SPAWN = Rule(
    "doom2004/spawn",
    message("Rules, “Step 2: Spawning”"),
    message("New invaders are placed out of sight of every marine; for this, invaders block no sight."),
)

BLAST = Rule(
    "doom2004/blast",
    message("restatement of the rules, p. 12, “Blast”"),
    message(
        "A blast hits every figure within its radius round the target. It does not pass walls, closed doors "
        "or blocking obstacles."
    ),
)

SCATTER = Rule(
    "doom2004/scatter",
    message("Rules p. 11, “Scatter”"),
    message(
        "A missed blast lands some spaces off. It fizzles if a wall, a closed door or a blocking obstacle is "
        "in the way."
    ),
)

BLOW_THROUGH = Rule(
    "doom2004/blow-through",
    message("restatement of the rules, p. 12, “Blow-Through”"),
    message(
        "After an attack a marine may attack a space adjacent to the last one with one die fewer, no figure twice."
    ),
)

DAMAGING = Rule(
    "doom2004/damaging-obstacles",
    message("restatement of the rules, “Obstacles”; once a move: p. 11, “Oversized Invaders”"),
    message(
        "Entering a damaging obstacle costs one wound, and staying on it for the whole turn another. Large "
        "figures take one a move."
    ),
)

WHAT_IF = what_if_rule("doom2004")

DOUBT = doubt_rule("doom2004")

AMMO = Rule(
    "doom2004/ammo",
    message("Rules, additional rules on ammunition (public restatement)"),
    message("A marine needs a matching token to attack and discards one, never more, if any die shows a bullet."),
    {
        "spent": message("A bullet shows: {attacker} discards one token."),
        "none": message("{attacker} has no token left and cannot attack."),
    },
)
REROLL = Rule(
    "doom2004/re-roll",
    message("Rules p. 11, “Re-rolls”"),
    message("Aim and dodge make dice roll again, once for an attack; both together cancel out."),
    {
        "aimed": message("The attack is aimed: any dice may be rolled again once."),
        "dodged": message("{target} dodges: chosen dice are rolled again once."),
        "cancel": message("Aim and dodge cancel out: nothing is rolled again."),
    },
)
HIT = Rule(
    "doom2004/hit",
    message("Rules, attack, steps 3 and 4"),
    message("A miss face misses; otherwise the range numbers together must reach the range."),
    {
        "hit": message("{attacker} reaches {reached}, needs {range}: a hit."),
        "short": message("{attacker} reaches {reached}, needs {range}: a miss."),
        "miss": message("A die shows the miss face: {attacker} misses."),
    },
)
ACCURACY = Rule(
    "doom2004/accuracy",
    message("Rules, back cover: Accuracy (public restatement)"),
    message("Accuracy adds 1 to the range for each icon."),
    {"told": message("Accuracy adds {change} to the range.")},
)
DEADLY = Rule(
    "doom2004/deadly",
    message("Rules, back cover: Deadly (public restatement)"),
    message("Deadly adds 1 to the damage for each icon."),
    {"told": message("Deadly adds {change} to the damage.")},
)
WOUNDS = Rule(
    "doom2004/wounds",
    message("Rules, attack, step 5"),
    message("Each full armour value in the damage is a wound; the rest is lost."),
    {
        "told": message("Damage {damage} against armour {armour}: {target} takes wounds: {wounds}."),
        "killed": message("{target} has lost all its {health} wounds and is out."),
    },
)

ATTACK_RULES: Mapping[str, Rule] = index_rules((AMMO, REROLL, ACCURACY, HIT, DEADLY, WOUNDS))
"""The rules that the steps of an attack refer to."""

RULES = {**ATTACK_RULES, **index_rules((
    RANGE, SIGHT, ADJACENT, MOVE, OVERSIZED, DOOR, SPAWN, BLAST, SCATTER, BLOW_THROUGH, DAMAGING,
    OPTION, WHAT_IF, DOUBT,
))}  # fmt: skip

"""The rules of DOOM: The Boardgame (2004) that reasons refer to: where each stands, and its sentences.

“Rules” is the rulebook, known in machine Spanish (seed document 002) and by its page 11 (seed document 004).
"""

from __future__ import annotations

from assistant.games.doom2004.rules.attack_reasons import ATTACK_RULES
from assistant.rules.reasons import Rule, doubt_rule, index_rules, what_if_rule
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

OPTION = Rule(
    "doom2004/option",
    message("an open point of the printed rules, settled by a house rule"),
    message("Where the printed rules are silent, the house's option decides."),
    {"decides": message("This rests on the house option {option} = {choice}; with {other} {outcome}.")},
)

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

RULES = {
    **ATTACK_RULES,
    **index_rules(
        (
            RANGE,
            SIGHT,
            ADJACENT,
            MOVE,
            OVERSIZED,
            DOOR,
            SPAWN,
            BLAST,
            SCATTER,
            BLOW_THROUGH,
            DAMAGING,
            OPTION,
            WHAT_IF,
            DOUBT,
        )
    ),
}

"""The rules that reasons of DOOM (2016) cite, with sources, summaries and sentences.

“Learn to Play” is the game's first booklet, cited by its headings (seed document 001, Russian) in each language.
“Rules Reference” is the second one, known through public restatements.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Rule, doubt_rule, index_rules, option_rule, what_if_rule
from assistant.translations.messages import message

RANGE = Rule(
    "doom2016/range",
    message("Learn to Play, “Attack” (p. 7); counting round walls: inferred from “Terrain and walls”"),
    message("Range is the number of cells from the attacker to the defender, including the defender's own."),
    {
        "counted": message("Range {range}."),
        "none": message("No path leads to {defender}, so there is no range."),
    },
)

SIGHT = Rule(
    "doom2016/line-of-sight",
    message("Learn to Play, “Attack” (p. 7); touching and running along: Rules Reference, “Line of Sight”"),
    message(
        "One free straight line from a corner of the attacker's cell to a corner of the defender's cell is enough."
    ),
    {
        "clear": message("Line of sight: the line from corner {origin} to corner {target} is free."),
        "blocked": message(
            "No line of sight: every line from a corner of {attacker} to a corner of {defender} is cut. "
            "Nearest miss: {origin} to {target}, cut by {blocker}."
        ),
        "named_blocked": message(
            "No line of sight from corner {origin}: every line to a corner of {defender} is cut. "
            "Nearest miss: the one to {target}, cut by {blocker}."
        ),
    },
)

COVER = Rule(
    "doom2016/cover",
    message("Learn to Play, “Cover”; the same corner as for sight: Rules Reference, “Cover”"),
    message(
        "From the corner that sees, lines go to all corners of the defender's cell; if one passes through a "
        "wall, a door, "
        "an obstacle, difficult terrain or another figure's cell, the defender has cover."
    ),
    {
        "none": message("No cover: from corner {origin} all lines to {defender} are free."),
        "cover": message(
            "Cover: from corner {origin} the line to {target} passes through {blocker}, "
            "and no corner of {attacker} does better."
        ),
        "named": message("Cover: from corner {origin} the line to {target} passes through {blocker}."),
    },
)

LARGE_COVER = Rule(
    "doom2016/large-cover",
    message("Learn to Play, “Large figures and attacks”"),
    message("Large figures never have cover."),
    {"none": message("No cover: {defender} is large, and large figures never have cover.")},
)

ADJACENT = Rule(
    "doom2016/adjacent",
    message("Learn to Play, “Movement” and “Terrain and walls”"),
    message("Cells that share an edge or a corner are adjacent unless a wall or a closed door is between them."),
    {
        "yes": message("{attacker} and {defender} are adjacent."),
        "parted": message(
            "{attacker} and {defender} stand side by side but a wall or a closed door is between them: not adjacent."
        ),
    },
)

OPTION = option_rule("doom2016")

MOVE = Rule(
    "doom2016/movement",
    message("Learn to Play, “Movement” and “Terrain and walls”"),
    message(
        "One point a step in eight directions; one more into difficult terrain and one more into an enemy's cell; "
        "no move ends on an occupied cell."
    ),
)

LARGE_MOVE = Rule(
    "doom2016/large-movement",
    message("Learn to Play, “Large figures and movement”"),
    message(
        "Large figures do not move diagonally, ignore terrain and small figures, and turn by 90 degrees for one point "
        "if they have two or six cells and keep half of them; small figures below make room."
    ),
)

DOOR = Rule(
    "doom2016/doors",
    message("Learn to Play, “Doors”; which cells reach a door: inferred from related games"),
    message("A figure next to a door opens it for one point; doors never close again."),
)

TELEPORT = Rule(
    "doom2016/teleporters",
    message("Learn to Play, “Teleporters” and “Telefrag”"),
    message(
        "A marine on a teleporter makes it active. Another active one is then a step away, and a demon on it dies."
    ),
)

GLORY = Rule(
    "doom2016/glory-kill",
    message("Learn to Play, “Glory kills”"),
    message("A marine who enters the cell of a staggered demon kills it at once."),
)

WHAT_IF = what_if_rule("doom2016")

DOUBT = doubt_rule("doom2016")

ROLLED = Rule(
    "doom2016/roll",
    message("Learn to Play, “Attack overview”, step 2"),
    message("The attacker rolls the dice that the card shows."),
    {"told": message("{attacker} rolls {count} dice: {icons} damage icons.")},
)
STUN = Rule(
    "doom2016/stun",
    message("Learn to Play, “Stun”"),
    message("A stunned attacker rolls one die fewer; a stunned defender reveals no card. The stun then ends."),
    {
        "attacker": message("{figure} is stunned and rolls one die fewer."),
        "defender": message("{figure} is stunned and reveals no defence card."),
    },
)
CARD = Rule(
    "doom2016/defence-card",
    message("Learn to Play, “Attack overview”, step 3"),
    message("The defender reveals a card: each shield takes away 1 damage, a dodge all of it."),
    {"told": message("{defender} reveals a card with shields: {shields}.")},
)
SPECIAL = Rule(
    "doom2016/special-defence",
    message("Learn to Play, “Attack overview”, step 3: the icon of special defence"),
    message("The icon on an event card sets off the defence printed on the demon's card."),
    {"told": message("{defender} uses its special defence, shields: {shields}.")},
)
SECOND_CARD = Rule(
    "doom2016/cover-second-card",
    message(
        "Learn to Play, “Cover”; that the second card is optional and then binding: restatement of the Rules Reference"
    ),
    message("A defender in cover may discard its card and reveal a second one, which it must use."),
    {"told": message("{defender} has cover, discards the first card and uses the second.")},
)
THICK_SKIN = Rule(
    "doom2016/thick-skin",
    message("Learn to Play, “Thick-skinned”"),
    message("Thick skin always gives one more shield."),
    {
        "told": message("{defender} has thick skin: one more shield."),
        "lost": message("{defender} is stunned, its thick skin does not count (house option stun_thick_skin)."),
    },
)
DAMAGE = Rule(
    "doom2016/damage",
    message("Learn to Play, “Attack overview”, step 5; “Suffering damage” (p. 8)"),
    message("Damage is the icons less the shields."),
    {
        "told": message("Icons: {icons}, shields: {shields}. Damage for {defender}: {damage}."),
        "dodged": message("{defender} dodges: no damage."),
    },
)
FRAG = Rule(
    "doom2016/frag",
    message("Learn to Play, “Frags”"),
    message("A figure with as much damage as health is fragged and removed at once."),
    {"told": message("That is all of its health of {health}: {defender} is fragged.")},
)
STAGGER = Rule(
    "doom2016/stagger",
    message("Learn to Play: the value below the health on the demon card"),
    message("A demon whose remaining health is at most its stagger value is staggered."),
    {"told": message("{defender} has {left} health left, at most {stagger}: it is staggered.")},
)

ATTACK_RULES: Mapping[str, Rule] = index_rules(
    (ROLLED, STUN, CARD, SPECIAL, SECOND_CARD, THICK_SKIN, DAMAGE, FRAG, STAGGER),
)
"""The rules that the steps of an attack refer to."""

RULES = {
    **ATTACK_RULES,
    **index_rules(
        (RANGE, SIGHT, COVER, LARGE_COVER, ADJACENT, MOVE, LARGE_MOVE, DOOR, TELEPORT, GLORY, OPTION, WHAT_IF, DOUBT)
    ),
}

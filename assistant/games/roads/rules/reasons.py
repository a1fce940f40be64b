"""The rules of ``roads`` about the table that reasons refer to, and their sentences; melee's are beside them.

The source is the known fragment of “Дороги Апокалипсиса” (seed document 003), named by its headings.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.roads.rules.check_reasons import DEED_RULES
from assistant.games.roads.rules.melee_reasons import MELEE_RULES
from assistant.rules.reasons import Rule, index_rules
from assistant.translations.messages import message

DISTANCE = Rule(
    "roads/distance",
    message("distances between the edges of the bases: inferred (option distance_ref); steps throughout the rules"),
    message("Distances are measured between the edges of the bases, in steps."),
    {
        "apart": message("{steps} steps ({mm} mm) lie between the bases."),
        "contact": message("The bases touch: {attacker} and {defender} are in base contact."),
    },
)

SIGHT = Rule(
    "roads/line-of-sight",
    message("not in the known fragment; inferred (options sight_lines and sight_figures)"),
    message(
        "Lines go from the eye over the middle of the viewer's base to the top of the target, over the middle and both "
        "outermost points of its base, or over every place between these; a wall stops a line that enters its outline "
        "below its height."
    ),
    {
        "clear": message("{attacker} sees {defender}: free lines {free} of {count}."),
        "part": message("{attacker} sees {defender}: {percent} % of its width, from one outermost point to the other."),
        "blocked": message("{attacker} does not see {defender}: every line is stopped, the first by {blocker}."),
    },
)

COVER = Rule(
    "roads/cover",
    message(
        "source 003, “Modifiers of combat results” and “Camouflage” name cover; what gives it: inferred "
        "(option cover_height)"
    ),
    message("A target has cover if a sight line passes over low cover, or if a part of it is hidden."),
    {
        "none": message("No cover: no line to {defender} passes over cover, and none is stopped."),
        "low": message("{defender} has cover: a line passes over {blocker}."),
        "part": message("{defender} has cover: {blocker} hides a part of it."),
    },
)

IN_MELEE = Rule(
    "roads/who-fights",
    message("source 003, “Who may fight”"),
    message("Who touches an enemy's base fights and does not shoot, whichever way he faces."),
    {"told": message("{attacker} is in melee and does not shoot.")},
)

DRAWN_IN = Rule(
    "roads/draw-in",
    message("source 003, “Drawing into melee”"),
    message(
        "Whoever is within a step of the fighting is moved into it at the start of a round; who is not may not shoot."
    ),
    {"told": message("{attacker} is within a step of a fight: drawn in, or unable to shoot.")},
)

CAMOUFLAGE = Rule(
    "roads/camouflage",
    message("source 003, “Camouflage”"),
    message("A camouflaged figure cannot be shot at, except by who is within half of his own Mobility in steps."),
    {
        "hidden": message("{defender} is camouflaged, and {attacker} finds only what is within {steps} steps."),
        "found": message("{defender} is camouflaged, but within {steps} steps of {attacker}, who finds it."),
        "noticed": message("{attacker} has found {defender} in its camouflage."),
    },
)

LEADER = Rule(
    "roads/leader",
    message("source 003, “Squad leaders”"),
    message("Within 3 steps of a leader who is neither down nor in flight his Spirit may be tested on."),
    {"told": message("{figure} may test on Spirit {spirit} of a leader within 3 steps.")},
)

LONELY = Rule(
    "roads/alone",
    message("source 003, “Flight”"),
    message("Who fights two or more with no friend within 3 steps tests at the end of his melee phase."),
    {"told": message("{figure} fights alone and must test on Spirit {spirit} at the end of the melee phase.")},
)

TERROR = Rule(
    "roads/terror",
    message("source 003, “Terror”"),
    message("Who starts his turn within 3 steps of a terrible enemy tests on Spirit, or flees."),
    {"told": message("{figure} is within 3 steps of {enemies}: Spirit {spirit} at the start of the turn, or flight.")},
)

WHAT_IF = Rule(
    "roads/what-if",
    message("follows from the other rules"),
    message("One piece of terrain taken away, or one figure where figures block, that would flip the answer."),
    {
        "line_of_sight": message("Without {subject} {attacker} would see {defender}."),
        "cover": message("Without {subject} {defender} would have no cover."),
        "none": message("Taking away any one thing would change neither sight nor cover."),
    },
)

HOUSE = Rule(
    "roads/house-option",
    message("the options of the house"),
    message("Where the rules are open, the house has chosen."),
    {"told": message("This rests on the house option {option} = {choice}; with {other} {outcome}.")},
)

RULES: Mapping[str, Rule] = {
    **index_rules((DISTANCE, SIGHT, COVER, IN_MELEE, DRAWN_IN, CAMOUFLAGE, LEADER, LONELY, TERROR, WHAT_IF, HOUSE)),
    **MELEE_RULES,
    **DEED_RULES,
}

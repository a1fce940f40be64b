"""The rules of psychology, manoeuvres and shots in ``roads`` that reasons refer to, and their sentences.

The source is the known fragment of “Дороги Апокалипсиса” (seed document 003), named by its headings.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Rule, index_rules
from assistant.translations.messages import message

ROUT = Rule(
    "roads/rout",
    message("“Rout test”"),
    message(
        "With a third of the models out, D6 up to the leader's Spirit at the start of the turn, or the side loses."
    ),
    {
        "due": message("{out} of {starting} are out: test on Spirit {spirit}, chance {chance}."),
        "not_due": message("{out} of {starting} are out: no rout test yet."),
    },
)
ESCAPE = Rule(
    "roads/escape",
    message("“Flight”; “Fleeing from combat”"),
    message("Alone against two or more: D6 up to Spirit, or one automatic hit from each and flight by D6 steps."),
    {"told": message("{figure} tests on Spirit {spirit}, chance {chance}; who breaks takes {hits} automatic hits.")},
)
FEAR = Rule(
    "roads/fear",
    message("“Fear”"),
    message("Charged by what causes fear: test, or the attack die is halved. Charging it: test, or stand still."),
    {
        "charged": message(
            "{figure} is charged by a terrible enemy: Spirit {spirit}, chance {chance}, or half the attack die."
        ),
        "charging": message(
            "{figure} wants to charge a terrible enemy: Spirit {spirit}, chance {chance}, or it stands still."
        ),
    },
)
CLIMB = Rule(
    "roads/climb",
    message("“Climbing”"),
    message(
        "Mobility test; up to half the Mobility a turn at double cost; higher than the Mobility cannot be climbed."
    ),
    {
        "too_high": message("{height} steps are higher than Mobility {mobility}: it cannot be climbed."),
        "up": message(
            "Up {rise} of {height} steps for {cost} of Mobility {mobility}, chance {chance}, or no move this turn."
        ),
        "down": message("Down {rise} of {height} steps for {cost} of Mobility {mobility}, chance {chance}, or a fall."),
    },
)
GAP = Rule(
    "roads/jump-gap",
    message("“Jumping over gaps”"),
    message("Gaps up to a step wide: the width comes off the movement, then a Mobility test, or a fall."),
    {
        "short": message("{left} steps left for a gap of {width}: a fall without a test."),
        "test": message("A gap of {width} of the {left} steps left: chance {chance}."),
    },
)
JUMP_DOWN = Rule(
    "roads/jump-down",
    message("“Jumping down”; “Giant leap”"),
    message("Up to 2 steps: one Mobility test for each full step; any failure is a fall from the top."),
    {"told": message("Down {height} steps: tests {tests}, chance {chance}.")},
)
DUCK = Rule(
    "roads/duck",
    message("“Duck!”"),
    message("The target rolls D6 and Mobility against the shooter's roll."),
    {},
)
TAKE_COVER = Rule(
    "roads/take-cover",
    message("“Take cover!”"),
    message("A target may move into cover within a step, or else drop to the ground, and then only shoots this turn."),
    {
        "near": message("{figure} could take cover at {pieces}."),
        "none": message("{figure} has no cover within a step and could only drop to the ground."),
    },
)

SHOOT_FIRST = Rule(
    "roads/shoot-first",
    message("“Shooting first”"),
    message("Both roll D6 and Mobility; the target shoots first, at -1, only if it is higher."),
    {"told": message("D6 + {target} against D6 + {shooter}: the target shoots first with chance {chance}, at -1.")},
)
WATCH = Rule(
    "roads/watch",
    message("“Watch”; “Shooting on watch”"),
    message("A shot on watch at who appears, disappears or charges the watcher has -1 to hit."),
    {
        "told": message("{figure} shoots on watch: {change} to hit."),
        "free": message("{figure} shoots on watch at a steady target: no change."),
    },
)
AMBUSH = Rule(
    "roads/ambush",
    message("“Shooting from ambush”"),
    message("Every enemy who saw the target fall and has the shooter in view tests Mobility; one success finds him."),
    {"told": message("Witnesses: {count}; the shooter stays hidden with chance {chance}.")},
)

DEED_RULES: Mapping[str, Rule] = index_rules(
    (ROUT, ESCAPE, FEAR, CLIMB, GAP, JUMP_DOWN, DUCK, TAKE_COVER, SHOOT_FIRST, WATCH, AMBUSH),
)

"""The rules of psychology, manoeuvres and shots in ``roads`` that reasons refer to, and their sentences.

The source is the known fragment of “Дороги Апокалипсиса” (seed document 003), named by its headings.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Rule, index_rules
from assistant.translations.messages import message

ROUT = Rule(
    "roads/rout",
    message("source 003, “Rout test”"),
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
    message("source 003, “Flight”; “Fleeing from combat”"),
    message("Alone against two or more: D6 up to Spirit, or one automatic hit from each and flight by D6 steps."),
    {"told": message("{figure} tests on Spirit {spirit}, chance {chance}; who breaks takes {hits} automatic hits.")},
)
FEAR = Rule(
    "roads/fear",
    message("source 003, “Fear”"),
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
    message("source 003, “Climbing”"),
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
    message("source 003, “Jumping over gaps”"),
    message("Gaps up to a step wide: the width comes off the movement, then a Mobility test, or a fall."),
    {
        "short": message("{left} steps left for a gap of {width}: a fall without a test."),
        "test": message("A gap of {width} of the {left} steps left: chance {chance}."),
    },
)
JUMP_DOWN = Rule(
    "roads/jump-down",
    message("source 003, “Jumping down”; “Giant leap”"),
    message("Up to 2 steps: one Mobility test for each full step; any failure is a fall from the top."),
    {"told": message("Down {height} steps: tests {tests}, chance {chance}.")},
)
DUCK = Rule(
    "roads/duck",
    message("source 003, “Duck!”"),
    message("The target rolls D6 and Mobility against the shooter's roll."),
    {},
)
TAKE_COVER = Rule(
    "roads/take-cover",
    message("source 003, “Take cover!”"),
    message("A target may move into cover within a step, or else drop to the ground, and then only shoots this turn."),
    {
        "near": message("{figure} could take cover at {pieces}."),
        "none": message("{figure} has no cover within a step and could only drop to the ground."),
    },
)

SHOOT_FIRST = Rule(
    "roads/shoot-first",
    message("source 003, “Shooting first”"),
    message("Both roll D6 and Mobility; the target shoots first, at -1, only if it is higher."),
    {"told": message("D6 + {target} against D6 + {shooter}: the target shoots first with chance {chance}, at -1.")},
)
WATCH = Rule(
    "roads/watch",
    message("source 003, “Watch”; “Shooting on watch”"),
    message(
        "Who watches shoots at any moment of the enemy's moves; at who appears, hides or charges him with -1 to hit."
    ),
    {
        "told": message("{figure} shoots on watch: {change} to hit."),
        "free": message("{figure} shoots on watch at a steady target: no change."),
    },
)
AMBUSH = Rule(
    "roads/ambush",
    message("source 003, “Shooting from ambush”"),
    message(
        "A shooter stays hidden only if his weapon is silent and the target dies at once; then every enemy who saw it "
        "and has him in view tests Mobility, and one success finds him."
    ),
    {"told": message("Witnesses: {count}; the shooter stays hidden with chance {chance}.")},
)

FLIGHT = Rule(
    "roads/flight",
    message("source 003, “Flight”"),
    message(
        "Who breaks runs D6 steps straight away from his enemies, later to the nearest edge of the table, where he is "
        "out."
    ),
    {},
)
FREE_HITS = Rule(
    "roads/free-hits",
    message("source 003, “Fleeing from combat”"),
    message("Whoever breaks and runs turns his back: each of his opponents hits him once, at once."),
    {},
)
FRENZY = Rule(
    "roads/frenzy",
    message("source 003, “Frenzy”"),
    message(
        "A model in frenzy must charge any enemy in its charge range, and within that range minds no other psychology."
    ),
    {},
)
STUPIDITY = Rule(
    "roads/stupidity",
    message("source 003, “Stupidity”"),
    message("Who fails the test does not charge, shoot or strike until his next turn; he shuffles on, or stands."),
    {},
)
WITHDRAWAL = Rule(
    "roads/withdrawal",
    message("source 003, “Voluntary flight”"),
    message("A side may give up only at the start of its turn, and only if its rout test is due."),
    {},
)
RALLY = Rule(
    "roads/rally",
    message("source 003, “Flight”"),
    message("Who flees tests at the start of each turn; if he passes, he stops and does nothing else in this turn."),
    {},
)
LEAP = Rule(
    "roads/giant-leap",
    message("source 003, “Giant leap”"),
    message("Only who has the ability leaps so far, up to its steps; the height of the leap counts as part of them."),
    {},
)
FALL = Rule(
    "roads/fall",
    message("source 003, “Falling”"),
    message("A fall is D3 damage a step, without armour; the fallen neither moves nor hides any more in this turn."),
    {},
)
CRAWL = Rule(
    "roads/crawl",
    message("source 003, “Many-sided fights”"),
    message("A model of the larger side that is down may crawl one step away from the fighting in its movement phase."),
    {},
)
ADVANCE = Rule(
    "roads/advance",
    message("source 003, “Advance”"),
    message(
        "With all its opponents out a model may move one step at once; whom it meets it fights in the next melee phase."
    ),
    {},
)
INTO_CONTACT = Rule(
    "roads/into-contact",
    message("source 003, “Advance”: but for it nobody joins a melee without charging; “Drawing into melee”"),
    message("Into contact with an enemy leads a charge, being drawn in, or an advance: no walk, run or jump."),
    {},
)
MANY_SIDED = Rule(
    "roads/many-sided",
    message("source 003, “Many-sided fights”"),
    message("In a fight of several everybody fights every enemy whom he touches, in every melee phase."),
    {},
)
WEAPONS = Rule(
    "roads/melee-weapons",
    message("source 003, “Weapons”"),
    message("Only pistols and melee weapons strike; who carries a bulky weapon fights with one hand."),
    {},
)
SWAP = Rule(
    "roads/weapon-swap",
    message("source 003, “Fight and change of weapons”"),
    message("Weapons are changed before the fight begins, by announcing it, and not until it is over."),
    {},
)
MISFIRE = Rule(
    "roads/misfire",
    message("source 003, “Grenades and other thrown weapons”"),
    message("Grenades and thrown weapons fail every test for a misfire: the last one has been thrown."),
    {},
)
OUT_OF_RANGE = Rule(
    "roads/out-of-range",
    message("source 003, “Out of range”"),
    message("A shot out of range hits nobody; it is rolled all the same, for the weapon may jam."),
    {},
)

DEED_RULES: Mapping[str, Rule] = index_rules(
    (
        ROUT, ESCAPE, FLIGHT, FREE_HITS, FEAR, FRENZY, STUPIDITY, WITHDRAWAL, RALLY, CLIMB, GAP, JUMP_DOWN, LEAP, FALL,
        CRAWL, ADVANCE, INTO_CONTACT, MANY_SIDED, WEAPONS, SWAP, DUCK, TAKE_COVER, SHOOT_FIRST, WATCH, AMBUSH, MISFIRE,
        OUT_OF_RANGE,
    ),
)  # fmt: skip

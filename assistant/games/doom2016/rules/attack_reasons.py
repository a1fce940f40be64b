"""The rules of attacks in DOOM (2016) that reasons refer to, and their sentences.

“Learn to Play” is the game's first booklet, named by its headings (seed document 001, Russian).
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Rule, index_rules
from assistant.translations.messages import message

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
    message("Learn to Play, “Cover”; “may” and “must use the second”: restatement of the Rules Reference"),
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

"""The rules of attacks in DOOM (2004) that reasons refer to, and their sentences.

“Rules” is the rule book (seed document 002, by its attack steps; page 11 in English is seed 004).
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Rule, index_rules
from assistant.translations.messages import message

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

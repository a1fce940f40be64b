"""What the rules of Lanterns are called, and the sentences that tell what they came to."""

from __future__ import annotations

from assistant.rules.reasons import Rule, doubt_rule, index_rules, what_if_rule
from assistant.translations.messages import message

LIGHT = Rule(
    "lanterns/light",
    message("Lanterns, “Light”"),
    message("Light runs along rows and columns until something stops it."),
    {
        "lit": message("{attacker} shines on {defender} along one line."),
        "aside": message("{attacker} and {defender} share no row and no column."),
        "stopped": message("The light of {attacker} is stopped: {blocker}."),
    },
)

RANGE = Rule(
    "lanterns/range",
    message("Lanterns, “Steps”"),
    message("The range counts steps over the sides of cells, walls or not."),
    {"counted": message("The range is {range}.")},
)

HOUSE = Rule(
    "lanterns/house",
    message("the house"),
    message("Options of the house on which an answer rests."),
    {"rests": message("The house plays {option} as {choice}; with {other}, {outcome}.")},
)

RULES = index_rules((LIGHT, RANGE, HOUSE, what_if_rule("lanterns"), doubt_rule("lanterns")))

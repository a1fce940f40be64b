"""How it is worded what the camera could not tell for sure and what that would make of an answer."""

from __future__ import annotations

from assistant.rules.reasons import Rule
from assistant.translations.messages import message

DIRECTIONS = {
    (-1, 0): "left",
    (1, 0): "right",
    (0, -1): "up",
    (0, 1): "down",
    (-1, -1): "up-left",
    (1, -1): "up-right",
    (-1, 1): "down-left",
    (1, 1): "down-right",
}
"""What a step of one cell is called, by columns and rows, as on a page seen from above."""


def doubt_rule(rule_set: str) -> Rule:
    """The rule of a rule set by which doubts that flip a ruling are worded; ``{percent}`` is their chance."""
    return Rule(
        f"{rule_set}/doubt",
        message("worked out: the ruling asked again for what the camera could not tell for sure"),
        message("What the camera could not tell for sure, and what it would change."),
        {
            "step": message(
                "If {subject} stood one cell further {direction}, on {cell} ({percent} % likely), {outcome}."
            ),
            "stand": message("If {subject} stood on {cells} ({percent} % likely), {outcome}."),
            "remove": message("If {subject} were not there ({percent} % likely), {outcome}."),
            "kind": message("If {subject} were another figure, of kind {kind} ({percent} % likely), {outcome}."),
            "no-door": message("If there were no door between {cell} and {cells} ({percent} % likely), {outcome}."),
            "door": message("If there were a door between {cell} and {cells} ({percent} % likely), {outcome}."),
            "tile": message("If the tile at {cell} were {other} and not {tile} ({percent} % likely), {outcome}."),
            "no-tile": message("If the tile {tile} at {cell} were not there ({percent} % likely), {outcome}."),
            "more-tile": message("If the tile {other} lay beside {cell} ({percent} % likely), {outcome}."),
            "strange-tile": message("If a tile of no known set lay beside {cell} ({percent} % likely), {outcome}."),
            "several": message("If {subject} had been seen wrongly ({percent} % likely), {outcome}."),
        },
    )

"""The rules of every kept match: what undo takes back, who decides, what people set by hand.

They are this program's own; the README of this folder lists them under “The order of a kept match”. The rules of a game
stand with its commands (`Command.rule`).
"""

from __future__ import annotations

from assistant.rules.reasons import Rule
from assistant.translations.messages import message

HISTORY = Rule(
    "match/history",
    message("the order of a kept match, “History”"),
    message("Undo goes back from the last entry. Only a judge takes back what was revealed."),
)
CLOCKS = Rule(
    "match/clocks",
    message("the order of a kept match, “Clocks”"),
    message("Anyone at the table stops and starts the clocks. They enforce nothing."),
)
NOTES = Rule(
    "match/notes",
    message("the order of a kept match, “Notes”"),
    message("A note stays whatever is undone."),
)
TABLE_SEEN = Rule(
    "match/table",
    message("the order of a kept match, “The table”"),
    message("The camera reports where figures stand; the game judges what moved like a move."),
)
BY_HAND = Rule(
    "match/by-hand",
    message("the order of a kept match, “By hand”"),
    message("What people set right by hand counts as they say; the rules of the game are not asked."),
)
RULINGS = Rule(
    "match/rulings",
    message("the order of a kept match, “Rulings”"),
    message("A kept ruling is what the rules say about the table at its moment."),
)
ENDING = Rule(
    "match/ending",
    message("the order of a kept match, “The end”"),
    message("A match that is over takes no further step until the last one is undone."),
)
WHO_DECIDES = Rule(
    "match/who-decides",
    message("the order of a kept match, “Who decides”"),
    message("Each side decides for itself, a judge for everybody, the camera for nobody."),
)
IN_TURN = Rule(
    "match/in-turn",
    message("the order of a kept match, “One after the other”"),
    message("A command made before the last event is refused."),
)

"""The rules by which a match is kept, whatever its game: what may be taken back, who decides, what is by hand.

They are this program's own, and stand in the README of this folder under “The order of a kept match”; what a game says
about a command of its own stands with that command (`Command.rule`).
"""

from __future__ import annotations

from assistant.rules.reasons import Rule
from assistant.translations.messages import message

HISTORY = Rule(
    "match/history",
    message("the order of a kept match, “History”"),
    message("Entries are taken back from the last one on; what was revealed only a judge takes back."),
)
CLOCKS = Rule(
    "match/clocks",
    message("the order of a kept match, “Clocks”"),
    message("Clocks are stopped and started by anyone at the table, and enforce nothing."),
)
NOTES = Rule(
    "match/notes",
    message("the order of a kept match, “Notes”"),
    message("A note stays whatever is undone."),
)
TABLE_SEEN = Rule(
    "match/table",
    message("the order of a kept match, “The table”"),
    message("The camera reports where figures stand; what moved is asked of the game like a move."),
)
BY_HAND = Rule(
    "match/by-hand",
    message("the order of a kept match, “By hand”"),
    message("What people set right by hand counts as they say; no rule of the game is asked."),
)
RULINGS = Rule(
    "match/rulings",
    message("the order of a kept match, “Rulings”"),
    message("A ruling that is kept is what the rules say on the table of its moment."),
)
ENDING = Rule(
    "match/ending",
    message("the order of a kept match, “The end”"),
    message("A match that is over takes no further step, until the last one is undone."),
)
WHO_DECIDES = Rule(
    "match/who-decides",
    message("the order of a kept match, “Who decides”"),
    message("Each side decides for itself, a judge for everybody, the camera for nobody."),
)
IN_TURN = Rule(
    "match/in-turn",
    message("the order of a kept match, “One after the other”"),
    message("A command that was thought of before the last event is not carried out any more."),
)

"""The rules of every saved match: the reach of undo, who decides, corrections by hand.

They are this program's own. The README of this folder lists them under “How a match is recorded”. A game's rules stand
with its commands (`Command.rule`).
"""

from __future__ import annotations

from assistant.rules.reasons import Rule
from assistant.translations.messages import message

HISTORY = Rule(
    "match/history",
    message("how a match is recorded, “History”"),
    message("Undo goes back from the last entry. Only a judge takes back what was revealed."),
)
CLOCKS = Rule(
    "match/clocks",
    message("how a match is recorded, “Clocks”"),
    message("Anyone at the table stops and starts the clocks. They enforce nothing."),
)
NOTES = Rule(
    "match/notes",
    message("how a match is recorded, “Notes”"),
    message("Undo never removes a note."),
)
TABLE_SEEN = Rule(
    "match/table",
    message("how a match is recorded, “The table”"),
    message("The camera reports the figures' places; the game judges each change like a move."),
)
BY_HAND = Rule(
    "match/by-hand",
    message("how a match is recorded, “By hand”"),
    message("Corrections by hand count as entered; the game's rules do not apply."),
)
RULINGS = Rule(
    "match/rulings",
    message("how a match is recorded, “Rulings”"),
    message("A saved ruling is the rules' answer for the table at that moment."),
)
ENDING = Rule(
    "match/ending",
    message("how a match is recorded, “The end”"),
    message("A match that is over takes no further step until the last one is undone."),
)
WHO_DECIDES = Rule(
    "match/who-decides",
    message("how a match is recorded, “Who decides”"),
    message("Each side decides for itself, a judge for everybody, the camera for nobody."),
)
IN_TURN = Rule(
    "match/in-turn",
    message("how a match is recorded, “One after the other”"),
    message("A command made before the last event is refused."),
)
MOMENTS = Rule(
    "match/moments",
    message("the order of a kept match, “Before it is closed”"),
    message("A command that closes something waits until everyone who may still answer has answered or passed."),
)

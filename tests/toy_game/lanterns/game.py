"""Registration of Lanterns, found by its entry point."""

from assistant.match.games import Game
from lanterns.rules import Lanterns

GAME = Game(title="Lanterns", package="lanterns", rule_set=Lanterns, match="match:SYSTEM")

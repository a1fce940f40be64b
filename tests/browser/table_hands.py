"""Run inside of the program before it begins: on the signal USR1 a hand reaches into the simulated table.

It takes away the doors beside who acts; on a table without a grid it moves a model of whose turn it is.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType

from assistant.app.live import free_stage, simulated_hands
from assistant.match.ground import board_of
from assistant.match.session import Session
from vision.sources.virtual import SetDoors

at_table: list[Session] = []
hands: list[simulated_hands.SimulatedHands] = []
stages: list[free_stage.FreeStage] = []


class ReachingHands(simulated_hands.SimulatedHands):
    """Hands that know at which match they sit."""

    def follow(self, session: Session) -> Callable[[], None]:
        at_table[:], hands[:] = [session], [self]
        return super().follow(session)


class ReachingStage(free_stage.FreeStage):
    """The same for a table without a grid."""

    def follow(self, session: Session) -> Callable[[], None] | None:
        stop = super().follow(session)
        stages[:] = [] if stop is None else [self]
        return stop


def reach_in(number: int, frame: FrameType | None) -> None:
    """Move something before anybody tells the match."""
    if stages:
        stages[0].let_move()
    else:
        take_door()


def take_door() -> None:
    """Take the doors away that stand beside the figure that acts."""
    game = at_table[0].timeline.game
    figure = game.mover().figure
    assert figure is not None, "somebody acts"
    closed = {edge for door in board_of(game).doors if not door.open for edge in door.edges}
    standing = {edge for edge in closed if not set(game.piece(figure).cells).intersection(edge.cells)}
    hands[0].ask("hand", SetDoors(frozenset(standing)))


simulated_hands.SimulatedHands = ReachingHands  # type: ignore[misc]
free_stage.FreeStage = ReachingStage  # type: ignore[misc]
signal.signal(signal.SIGUSR1, reach_in)

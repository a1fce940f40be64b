"""Run inside of the program before it begins: on the signal USR1 a hand takes away the doors beside who acts."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType

from assistant.app.live import simulated_hands
from assistant.match.ground import board_of
from assistant.match.session import Session
from vision.sources.virtual import SetDoors

at_table: list[Session] = []
hands: list[simulated_hands.SimulatedHands] = []


class ReachingHands(simulated_hands.SimulatedHands):
    """Hands that know at which match they sit."""

    def follow(self, session: Session) -> Callable[[], None]:
        at_table[:], hands[:] = [session], [self]
        return super().follow(session)


def take_door(number: int, frame: FrameType | None) -> None:
    """Takes the doors away that stand beside the figure that acts, before anybody tells the match."""
    game = at_table[0].timeline.game
    figure = game.mover().figure
    assert figure is not None, "somebody acts"
    closed = {edge for door in board_of(game).doors if not door.open for edge in door.edges}
    standing = {edge for edge in closed if not set(game.piece(figure).cells).intersection(edge.cells)}
    hands[0].ask("hand", SetDoors(frozenset(standing)))


simulated_hands.SimulatedHands = ReachingHands  # type: ignore[misc]
signal.signal(signal.SIGUSR1, take_door)

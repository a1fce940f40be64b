"""Hands at the simulated table: they move, place and remove its figures as the match does.

At a real table people do this.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass

from assistant.match.game import Cells, GameState
from assistant.match.ground import table_of
from assistant.match.session import Receipt, Session
from assistant.table.board import Board
from assistant.table.lattice import Edge
from vision.sources.virtual import PutFigures, SetDoors

SEEN = "see"
"""The type of the step by which a match takes its table from the camera. Hands have nothing to move after it."""


@dataclass(frozen=True)
class SimulatedHands:
    """Hands at the simulated table.

    Args:
        ask: sends the simulated camera a request, with its subject.
        box: the names of the figures that can be placed on it.
        laid: the names of matches whose tables are already laid out, as the demo's; the hands lay out all others.
    """

    ask: Callable[[object, PutFigures | SetDoors], None]
    box: frozenset[str]
    laid: Container[str]

    def follow(self, session: Session) -> Callable[[], None]:
        """Lay out the table as the match has it, and move it with the match. Return a function that stops this."""
        game = session.timeline.game
        places, doors = _places_in(game), _doors_in(game)
        standing = {name for name, cells in places.items() if cells}
        if session.header.id not in self.laid and standing and standing <= self.box:
            self.ask("match", PutFigures(tuple((name, (), places[name]) for name in standing), is_everybody=True))
            self.ask("doors", SetDoors(doors))
        known = dict(places)

        def do(receipt: Receipt) -> None:
            nonlocal doors
            before, doors = doors, _doors_in(session.timeline.game)
            if doors is not None and before is not None and doors != before and receipt.type != SEEN:
                self.ask("doors", SetDoors(doors))
            now = _places_in(session.timeline.game)
            puts = [(name, known.get(name, ()), now[name]) for name in now if now[name] != known.get(name)]
            known.update(now)
            if puts and receipt.type != SEEN:
                self.ask(receipt.seq, PutFigures(tuple(puts)))

        return session.subscribe(do)


def _places_in(game: GameState) -> dict[str, Cells]:
    """Return the cells of each figure whose place is known. A figure in the box has none."""
    pieces = game.pieces.values()
    return {piece.id: piece.cells if piece.on_table else () for piece in pieces if piece.cells or not piece.on_table}


def _doors_in(game: GameState) -> frozenset[Edge] | None:
    """Return the edges of closed doors, or None without a board."""
    table = table_of(game) if game.ground else None
    if not isinstance(table, Board):
        return None
    return frozenset(edge for door in table.doors if not door.open for edge in door.edges)

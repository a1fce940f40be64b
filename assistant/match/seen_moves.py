"""A move that the camera has seen: who acts stands elsewhere, and the rules allow the way there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from assistant.match.audience import Prompt
from assistant.match.game import Cells
from assistant.match.ways import WayFinder


class CameraMove(Struct, frozen=True, kw_only=True):
    """Who moved by how many points, and the command that says so."""

    figure: str
    cost: int
    command: dict[str, Any]


def find_seen_move(finder: WayFinder, prompts: Iterable[Prompt], cells: Cells) -> CameraMove | None:
    """The move by which the figure that acts came to these cells.

    Args:
        finder: asks the match what it allows.
        prompts: what may be done now.
        cells: where the camera sees the figure that acts.

    Returns:
        None where it stands where the match has it, or no way leads there.
    """
    figure = finder.game.mover().figure
    if figure is None or tuple(sorted(cells)) == finder.game.piece(figure).cells:
        return None
    for prompt in prompts:
        way = finder.find({"type": prompt.type, **prompt.fields})
        picks = () if way.ask is None or way.ask.kind != "spaces" else way.ask.picks
        for pick in picks:
            if pick.cost and frozenset(pick.cells) == frozenset(cells):
                assert way.ask is not None, "its answers were looked at"
                command = {"type": way.type, **way.fields, way.ask.field: pick.value}
                return CameraMove(figure=figure, cost=pick.cost, command=command)
    return None

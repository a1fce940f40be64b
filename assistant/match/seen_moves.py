"""Legal steps that the camera has seen: a move of the acting figure, or an opened or closed door."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from assistant.match.game import Cells, Prompt
from assistant.match.ground import board_of
from assistant.match.ways import WayFinder
from assistant.table.board import Board


class CameraMove(Struct, frozen=True, kw_only=True):
    """A move with its cost, and the command for it."""

    figure: str
    cost: int
    command: dict[str, Any]


class CameraDoor(Struct, frozen=True, kw_only=True):
    """A door that somebody opened or closed, the spaces beside it, and the command for it."""

    figure: str
    door: str
    cells: Cells
    is_open: bool
    command: dict[str, Any]


def find_seen_move(finder: WayFinder, prompts: Iterable[Prompt], cells: Cells) -> CameraMove | None:
    """Find the move by which the acting figure came to these cells.

    Args:
        finder: asks the match for its legal commands.
        prompts: the prompts of this moment.
        cells: the acting figure's cells as the camera sees them.

    Returns:
        None if it has not moved, or no way leads there.
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


def find_seen_door(finder: WayFinder, seen: Board) -> CameraDoor | None:
    """Find the door that differs from the match, if the acting figure may just have opened or closed it.

    A door that the camera no longer sees is open. A door that it sees in an open one's place is closed. Any other
    difference is a doubt about the table, not a step.

    Args:
        finder: asks the match for its legal commands.
        seen: the table as the camera sees it, with the same spaces as the match's.
    """
    game = finder.game
    figure = game.mover().figure
    if figure is None:
        return None
    closed = {edge for door in seen.doors if not door.open for edge in door.edges}
    types = [command for command in finder.system.commands.values() if "door" in command.__struct_fields__]
    for door in board_of(game).doors:
        is_open = closed.isdisjoint(door.edges)
        if is_open == door.open:
            continue
        for step in types:
            setting = {"open": is_open} if "open" in step.__struct_fields__ else {}
            if not is_open and not setting:
                continue  # this kind of door never closes again
            command = {"type": step.__struct_config__.tag, "door": door.id, **setting}
            if finder.refuses(command) is None:
                cells = tuple(sorted({cell for edge in door.edges for cell in edge.cells}))
                return CameraDoor(figure=figure, door=door.id, cells=cells, is_open=is_open, command=command)
    return None

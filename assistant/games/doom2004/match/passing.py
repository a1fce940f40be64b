"""Stops in a friend's space in the middle of a move (rules B3).

“Las figuras pueden atravesar espacios ocupados por figuras amigas durante el movimiento, pero deben terminar su turno
en un espacio vacío”; “Los ataques pueden realizarse en cualquier momento durante el movimiento” (seed 002). So a figure
may attack, open a door or pick up a token from a friend's space, as long as it can still reach an empty one.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from assistant.games.doom2004.match.state import Match2004, Turn2004
from assistant.match.game import Cells, require
from assistant.match.ground import board_of
from assistant.match.ways import free_places
from assistant.rules.moves import Footprint, MoveGround
from assistant.rules.paths import chebyshev
from assistant.table.lattice import Cell
from assistant.translations.messages import named, said


class Stop(NamedTuple):
    """A place in a friend's spaces, and the points to get there."""

    cost: int
    cells: Cells


def list_stops(game: Match2004, figure: str, points: int) -> list[Stop]:
    """Return the places in friends' spaces from which the figure can still reach empty ones, by cost.

    Raises:
        IllegalStep: the match has not seen the table.
    """
    ground, taken = game.rules.move_ground(board_of(game), figure), _find_taken(game, figure)
    found: dict[Cells, int] = {}
    for placement, cost in _walk(ground, game.piece(figure).cells, points).items():
        is_stop = cost > 0 and not taken.isdisjoint(placement)
        if is_stop and _has_way_out(ground, taken, placement, points - cost):
            cells = tuple(sorted(placement))
            found[cells] = min(cost, found.get(cells, cost))
    return [Stop(cost, cells) for cost, cells in sorted((cost, cells) for cells, cost in found.items())]


def may_go_on(game: Match2004, figure: str, points: int) -> bool:
    """Return whether a figure in a friend's space can reach an empty one."""
    ground, cells = game.rules.move_ground(board_of(game), figure), game.piece(figure).cells
    return _has_way_out(ground, _find_taken(game, figure), cells, points)


def require_way_on(game: Match2004, figure: str, points: int) -> None:
    """Refuse a step that would force a figure to end its turn in a friend's space.

    Raises:
        IllegalStep: too few points would be left.
    """
    shared = game.list_shared(figure)
    require(
        not shared or may_go_on(game, figure, points),
        said(
            "{figure} stands in the space of {friend} and needs the movement to go on",
            figure=figure,
            friend=named(shared),
        ),
    )


def require_empty_space(game: Match2004, turn: Turn2004) -> None:
    """Refuse the end of a turn in a friend's space while the figure can move on.

    Raises:
        IllegalStep: the figure has to move on.
    """
    piece = game.piece(turn.figure)
    shared = game.list_shared(piece.id) if piece.on_table else ()
    require(
        not shared or not game.ground or not may_go_on(game, piece.id, turn.movement),
        said(
            "{figure} stands in the space of {friend}; a turn ends on empty spaces",
            figure=piece.id,
            friend=named(shared),
        ),
    )


def put_back(game: Match2004, turn: Turn2004) -> Match2004:
    """Put a figure that cannot leave a friend's space back where it last stood alone.

    Something in mid-move blocked its way out, such as an invader activated by a card. The seeds do not cover this case.
    If its last place is taken, it goes to the nearest empty one.
    """
    piece = game.piece(turn.figure)
    if not piece.on_table or not game.list_shared(piece.id):
        return game
    places = [turn.stood] if turn.stood and game.has_room({piece.id: turn.stood}) else []
    if not places and game.ground:
        places = sorted(free_places(game, piece.id), key=lambda cells: (chebyshev(cells, piece.cells), cells))
    return game.with_piece(replace(piece, cells=places[0] if places else ()))


def _walk(ground: MoveGround, start: Footprint, points: int) -> dict[Footprint, int]:
    """Return the points to every placement within reach; each step costs one."""
    found, edge = {start: 0}, [start]
    for cost in range(1, points + 1):
        following = dict.fromkeys(one.placement for here in edge for one in ground.strides(here))
        edge = [placement for placement in following if placement not in found]
        found |= dict.fromkeys(edge, cost)
    return found


def _find_taken(game: Match2004, figure: str) -> frozenset[Cell]:
    """Return the spaces of all other figures. A large figure may share some of them before and after a step."""
    return frozenset(cell for piece in game.standing() if piece.id != figure for cell in piece.cells)


def _has_way_out(ground: MoveGround, taken: frozenset[Cell], start: Footprint, points: int) -> bool:
    ways = _walk(ground, start, points).items()
    return any(cost and ground.may_end(place) and taken.isdisjoint(place) for place, cost in ways)

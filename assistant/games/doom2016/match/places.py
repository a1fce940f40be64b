"""Where figures of DOOM 2016 are put without moving: beside others, displaced, out of portals (rules A4 to A6)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from assistant.games.doom2016.match.state import Match2016
from assistant.games.doom2016.rules.places import find_displacements, find_summon_placements
from assistant.match.game import Cells, Piece, require
from assistant.match.ground import board_of
from assistant.table.board import Figure
from assistant.table.lattice import Cell
from assistant.translations.messages import as_told, named, said


def are_neighbours(game: Match2016, piece: Piece, cell: Cell) -> bool:
    """Whether a cell is next to a figure; on a table that was seen, walls and doors part them."""
    near = any(max(abs(c - cell[0]), abs(r - cell[1])) <= 1 for c, r in piece.cells)
    if not (near and game.ground):
        return near
    place = Figure("place", "place", "place", (cell,))
    return game.rules.adjacent(board_of(game), Figure(piece.id, piece.kind, piece.side, piece.cells), place)


def require_displaced(game: Match2016, figure: str, cells: Cells, displaced: Mapping[str, Cells]) -> None:
    """Makes sure that only small figures under a large one's last cells are moved, each to a nearest cell (A4).

    Raises:
        IllegalStep: another figure is moved, or one farther than it has to go.
    """
    under = {piece.id for piece in game.standing() if piece.id != figure and set(piece.cells) & set(cells)}
    strays = sorted(set(displaced) - under)
    require(
        not strays,
        said("{strays} does not stand under {figure}; only who does is displaced", strays=named(strays), figure=figure),
    )
    require(
        not displaced or len(cells) > 1,
        said("{figure} is small and displaces nobody; end on free cells", figure=figure),
    )
    if not game.ground:
        return
    for name, place in displaced.items():
        nearest = find_displacements(board_of(game), game.rules.move_rules(), figure, cells)[name]
        shown = (
            as_told(", ".join(str(list(cell)) for cell in nearest)) if nearest else said("none; it is fragged instead")
        )
        fits = len(place) == 1 and place[0] in nearest
        require(
            fits, said("{figure} goes to a nearest free cell that it could enter: {shown}", figure=name, shown=shown)
        )
        game = game.with_piece(replace(game.piece(name), cells=place))


def require_at_portal(game: Match2016, portal: Cell, placed: Mapping[str, Cells]) -> None:
    """Makes sure that summoned figures stand on a portal or next to it, on this side of walls and doors (A6).

    Raises:
        IllegalStep: one does not.
    """
    if not game.ground:
        return
    far = [name for name, cells in placed.items() if not _is_at(game, portal, cells)]
    require(not far, said("{far} would stand neither on the portal nor next to it", far=named(far)))


def _is_at(game: Match2016, portal: Cell, cells: Cells) -> bool:
    columns, rows = ({cell[axis] for cell in cells} for axis in (0, 1))
    found = find_summon_placements(board_of(game), portal, len(columns), len(rows))
    return frozenset(cells) in {frozenset(placement) for placement in found}

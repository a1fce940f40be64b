"""Places of figures and the consequences of entering them (rules A4 to A6, seed 001, pp. 13 and 14).

Figures are displaced, or come out of portals. A marine who enters a cell kills a staggered demon there and turns over a
teleporter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from assistant.games.doom2016.match.state import Match2016, frag, heal
from assistant.games.doom2016.rules.places import find_displacements, find_nearest_free, find_summon_placements
from assistant.match.chance import Chance
from assistant.match.deck import draw_cards
from assistant.match.game import INVADER, Cells, Piece, require
from assistant.match.ground import board_of
from assistant.rules.capabilities import Marks
from assistant.table.board import Figure
from assistant.table.lattice import Cell
from assistant.translations.messages import named, said, verbatim


def are_neighbours(game: Match2016, piece: Piece, cell: Cell) -> bool:
    """Return whether a cell is next to a figure. Walls and doors of a seen table separate cells."""
    near = any(max(abs(c - cell[0]), abs(r - cell[1])) <= 1 for c, r in piece.cells)
    if not (near and game.ground):
        return near
    place = Figure("place", "place", "place", (cell,))
    return game.rules.adjacent(board_of(game), Figure(piece.id, piece.kind, piece.side, piece.cells), place)


def require_displaced(game: Match2016, figure: str, cells: Cells, displaced: Mapping[str, Cells]) -> None:
    """Require that only small figures under a large one are displaced, each to a nearest cell (A4).

    Raises:
        IllegalStep: another figure is displaced, or one goes farther than necessary.
    """
    under = {piece.id for piece in game.standing() if piece.id != figure and set(piece.cells) & set(cells)}
    strays = sorted(set(displaced) - under)
    require(
        not strays,
        said(
            "{strays} does not stand under {figure}; only figures under it are displaced",
            strays=named(strays),
            figure=figure,
        ),
    )
    require(
        not displaced or len(cells) > 1,
        said("{figure} is small and displaces nobody; end on free cells", figure=figure),
    )
    if not game.ground:
        return
    for name, place in displaced.items():
        nearest = find_displacements(board_of(game), game.rules.move_rules(), figure, cells)[name]
        shown = verbatim(", ".join(str(list(cell)) for cell in nearest)) if nearest else said("none; it is fragged")
        fits = len(place) == 1 and place[0] in nearest
        require(
            fits, said("move {figure} to the nearest free cell that it can enter: {shown}", figure=name, shown=shown)
        )
        game = game.with_piece(replace(game.piece(name), cells=place))


def find_displaced_cells(game: Match2016, figure: str) -> tuple[Cell, ...]:
    """Return the owner's choices for a displaced figure: the nearest empty cells that it can enter."""
    return find_nearest_free(board_of(game), game.rules.move_rules(), game.displaced_from[figure][0])


def require_at_portal(game: Match2016, portal: Cell, placed: Mapping[str, Cells]) -> None:
    """Require that summoned figures stand on a portal or next to it, not behind walls or doors (A6).

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


GLORY_KILL_POINTS = 2
GLORY = "glory"
"""The key of the glory kill cards among the decks."""


class WayOn(NamedTuple):
    """A marine's path over the board: its cost, the entered cells, and the demons that die on it, in order."""

    cost: int
    path: tuple[Cell, ...]
    kills: tuple[str, ...]


def find_way(game: Match2016, marine: str, stops: Cells, points: int) -> WayOn | None:
    """Return the cheapest path from stop to stop with the fewest dead demons, or None without a path.

    “Как только морпех входит в клетку с таким демоном, демон тут же умирает” (seed 001): a demon on his path dies too,
    and no longer blocks the way.
    """
    way, here = WayOn(0, (), ()), game.piece(marine).cells[0]
    for stop in stops:
        marks = Marks(staggered=frozenset(piece.id for piece in game.standing(INVADER) if is_entered(game, piece)))
        route = game.rules.route(board_of(game), marine, points - way.cost, marks, start=here, end=stop)
        if route is None:
            return None
        died = list_killed(game, route.path)
        way = WayOn(way.cost + route.cost, (*way.path, *route.path), (*way.kills, *died))
        after = (replace(game.piece(name), cells=(), on_table=False) for name in died)
        game, here = game.with_piece(*after), stop
    return way


def is_entered(game: Match2016, demon: Piece) -> bool:
    """Return whether a marine may enter the demon's cell and stay there, because that kills it."""
    return bool(demon.cells) and game.is_staggered(demon)


def list_killed(game: Match2016, path: Cells) -> tuple[str, ...]:
    """Return the staggered demons on a path, in order."""
    found: list[str] = []
    for cell in path:
        for demon in game.standing(INVADER):
            if cell in demon.cells and demon.id not in found and game.is_staggered(demon):
                found.append(demon.id)
    return tuple(found)


def kill_by_glory(game: Match2016, marine: str, demon: str, chance: Chance) -> Match2016:
    """Remove the demon, heal the marine by two points, and reveal the next glory kill card."""
    game = frag(game, game.piece(demon), chance)
    game = heal(game, game.piece(marine), GLORY_KILL_POINTS)
    if GLORY not in game.decks:
        return game
    draw = draw_cards(game.deck(GLORY), 1, chance)
    game = game.with_deck(GLORY, draw.deck.discarding(*draw.cards))
    useful = tuple(card for card in draw.cards if game.card(card).effects)
    turn = game.the_turn()
    return replace(game, turn=replace(turn, glory=(*turn.glory, *useful)))


def list_turned_over(game: Match2016, cells: Cells) -> tuple[str, ...]:
    """Return the inactive teleporters on these cells, which turn over under a marine.

    “морпех должен встать на клетку с таким Телепортом, маркер Телепорта переворачивается активной стороной вверх” (seed
    001).
    """
    return tuple(t.id for t in game.setup.teleporters if t.cell in cells and t.id not in game.teleporters_active)


def turn_over(game: Match2016, teleporters: tuple[str, ...]) -> Match2016:
    """Activate these teleporters."""
    if not teleporters:
        return game
    new = tuple(name for name in teleporters if name not in game.teleporters_active)
    return replace(game, teleporters_active=(*game.teleporters_active, *new))

"""What a marine's steps bring about: staggered demons die, teleporters turn over (seed 001, pp. 13 and 14)."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from assistant.games.doom2016.match.state import Match2016, frag, heal
from assistant.match.chance import Chance
from assistant.match.deck import draw_cards
from assistant.match.game import INVADER, Cells, Piece
from assistant.match.ground import board_of
from assistant.rules.capabilities import Marks
from assistant.table.lattice import Cell

GLORY_KILL_POINTS = 2
GLORY = "glory"
"""The owner of the glory kill cards among the decks."""


class WayOn(NamedTuple):
    """A marine's way over the board: what it costs, the cells entered, and the demons that die on it, in order."""

    cost: int
    path: tuple[Cell, ...]
    kills: tuple[str, ...]


def find_way(game: Match2016, marine: str, stops: Cells, points: int) -> WayOn | None:
    """The cheapest way from stop to stop, on which no more demons die than must; None if there is none.

    “Как только морпех входит в клетку с таким демоном, демон тут же умирает” (seed 001): one who walks through dies
    as well, and is in nobody's way from then on.
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
    """Whether a marine may enter the demon's cell and stay there, because it dies of that."""
    return bool(demon.cells) and game.is_staggered(demon)


def list_killed(game: Match2016, path: Cells) -> tuple[str, ...]:
    """The staggered demons whose cells are entered, in that order."""
    found: list[str] = []
    for cell in path:
        for demon in game.standing(INVADER):
            if cell in demon.cells and demon.id not in found and game.is_staggered(demon):
                found.append(demon.id)
    return tuple(found)


def kill_by_glory(game: Match2016, marine: str, demon: str, chance: Chance) -> Match2016:
    """The game with the demon gone, the marine two points better, and the next glory kill card revealed."""
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
    """The inactive teleporters on these cells, which turn over under a marine who stands on them.

    “морпех должен встать на клетку с таким Телепортом, маркер Телепорта переворачивается активной стороной вверх”
    (seed 001).
    """
    return tuple(t.id for t in game.setup.teleporters if t.cell in cells and t.id not in game.teleporters_active)


def turn_over(game: Match2016, teleporters: tuple[str, ...]) -> Match2016:
    """The game with these teleporters active."""
    if not teleporters:
        return game
    new = tuple(name for name in teleporters if name not in game.teleporters_active)
    return replace(game, teleporters_active=(*game.teleporters_active, *new))

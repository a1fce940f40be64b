"""Whether figures would be seen where they are about to be placed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from assistant.match.game import Cells, Game
from assistant.match.ground import table_of
from assistant.match.rulings import rules_of


def seen_by(game: Game, side: str, placed: Mapping[str, Cells]) -> tuple[str, ...]:
    """Those figures that some figure of the side would see on the cells given; none where no table is known.

    Each is looked at alone: other figures of its own side do not hide it, nor do those that come with
    it (DOOM 2004, rules B1: for spawning, invaders do not block a marine's sight).
    """
    if not game.ground:
        return ()
    watchers = [piece for piece in game.standing(side) if piece.cells]
    seen = []
    for name, cells in placed.items():
        newcomer = replace(game.piece(name), cells=tuple(sorted(cells)), on_table=True)
        alone = replace(game, pieces={piece.id: piece for piece in (*watchers, newcomer)})
        table, rules = table_of(alone), rules_of(game)
        if any(rules.rule(table, watcher.id, name).line_of_sight for watcher in watchers):
            seen.append(name)
    return tuple(seen)

"""Shots out of camouflage (“Стрельба из засады”): the effect of the target's death on its shooter."""

from __future__ import annotations

from msgspec.structs import replace

from assistant.games.roads.match.movement import reveal
from assistant.games.roads.match.pending import Ambush, PendingTest
from assistant.games.roads.match.state import MatchRoads


def lay_ambush(game: MatchRoads, shooter: str, target: str) -> MatchRoads:
    """Return the game with a silent shot whose hits are open. The witnesses are those of this moment."""
    table = game.table()
    names = () if table is None else game.rules.witnesses(table, shooter, target)
    return replace(game, ambush=Ambush(shooter=shooter, target=target, witnesses=names))


def settle_ambush(game: MatchRoads, figure: str, *, has_died: bool) -> MatchRoads:
    """Return the game after the hits on a model are resolved.

    «Цель погибает сразу после выстрела»: then every witness tests Mobility. Otherwise the shooter is found at once.
    """
    ambush = game.ambush
    if ambush is None or ambush.target != figure:
        return game
    game = replace(game, ambush=None)
    if not has_died:
        return game.with_piece(reveal(game.piece(ambush.shooter)))
    tests = (
        PendingTest(
            kind="ambush",
            side=game.piece(name).side,
            figure=name,
            against=ambush.shooter,
            value=game.fighter(name).mobility,
        )
        for name in ambush.witnesses
        if game.piece(name).on_table
    )
    return game.first_due(*tests)

"""What a climb or a jump comes to once its tests are passed: the landing, and the attack out of the jump."""

from __future__ import annotations

from msgspec.structs import replace

from assistant.games.roads.match.marks import CHARGED, FLEEING, JUMPED, MOVED
from assistant.games.roads.match.pending import Leaping, PendingTest
from assistant.games.roads.match.state import MatchRoads
from assistant.games.roads.match.ways import reveal
from assistant.games.roads.rules.movement import exact, find_contact_place


def land(game: MatchRoads) -> MatchRoads:
    """The game with the climb or the jump that is open made."""
    leaping = game.leaping
    if leaping is None:
        return game
    piece = game.piece(leaping.figure)
    if leaping.center_mm is not None:
        piece = replace(piece, center_mm=leaping.center_mm)
    if leaping.kind in ("climb", "descend"):
        climbed = game.climbed.get(piece.id, 0) + leaping.steps
        game = replace(game, climbed={**game.climbed, piece.id: climbed})
    game = replace(game, leaping=None).with_piece(piece)
    return game if leaping.target is None else _attack(game, leaping, leaping.target)


def _attack(game: MatchRoads, leaping: Leaping, target: str) -> MatchRoads:
    """“Атака в прыжке”: into contact with an enemy beside the landing."""
    piece = reveal(game.piece(leaping.figure)).marked(JUMPED).marked(MOVED)
    if game.rules.options["jump_attack_charge"] == "also_charge":
        piece = piece.marked(CHARGED)
    table = game.table()
    if table is not None and leaping.center_mm is not None and {piece.id, target} <= set(table.figure_by_id):
        landed, enemy = table.figure(piece.id), table.figure(target)
        piece = replace(piece, center_mm=find_contact_place(landed, exact(leaping.center_mm), enemy))
    game = game.with_piece(piece)
    other = game.piece(target)
    if FLEEING in other.marks:
        return game.first_due(PendingTest(kind="flight", side=other.side, figure=target, against=piece.id))
    return game

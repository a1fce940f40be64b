"""What a climb or a jump comes to once its tests are passed: the landing, and the attack out of the jump."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from assistant.games.roads.match.marks import CHARGED, FLEEING, JUMPED, MOVED
from assistant.games.roads.match.pending import Leaping, PendingTest, TestKind
from assistant.games.roads.match.psychology import list_fears
from assistant.games.roads.match.state import MatchRoads
from assistant.games.roads.match.ways import reveal
from assistant.games.roads.rules.movement import exact, find_contact_place

TAKEN_OFF: Mapping[str, int] = {"climb": 2, "descend": 2, "gap": 1}
"""How much of the movement a step of each takes; jumps down and giant leaps take nothing (seed 003)."""


def take_off(game: MatchRoads) -> MatchRoads:
    """The game with the tests due that the open climb or jump takes, or with the jump made that takes none."""
    leaping = game.leaping
    if leaping is None:
        return game
    piece, value = game.piece(leaping.figure), game.fighter(leaping.figure).mobility
    kind: TestKind = "climb" if leaping.kind == "climb" else "jump"
    test = PendingTest(kind=kind, side=piece.side, figure=piece.id, value=value, steps=leaping.dice)
    fears = () if leaping.target is None else list_fears(game, piece.id, leaping.target)
    due = (*fears, *(test,) * leaping.tests)
    return game.first_due(*due) if due else land(game)


def go_on_leaping(game: MatchRoads) -> MatchRoads:
    """The same after those who watch had their shots: who was in the air begins where he stood, for the tests."""
    moving = game.moving
    if moving is None:
        return game
    back = replace(game.piece(moving.figure), center_mm=moving.start)
    return take_off(replace(game, moving=None).with_piece(back))


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
    # Whoever jumped in the middle of a walk goes on with what is left of it.
    game = replace(game, leaping=None).with_piece(piece.unmarked(MOVED))
    game = game.with_gone(piece.id, TAKEN_OFF.get(leaping.kind, 0) * leaping.steps)
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
    game = game.with_piece(piece).without_gone(piece.id)
    other = game.piece(target)
    if FLEEING in other.marks:
        return game.first_due(PendingTest(kind="flight", side=other.side, figure=target, against=piece.id))
    return game

"""What follows from each test that is due, and from each roll (rules C3 to C5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from assistant.games.roads.match.leaps import land
from assistant.games.roads.match.marks import (
    AFRAID,
    DULLED,
    FALLEN,
    FLEEING,
    OF_A_TURN,
    ROOTED,
    SHUFFLING,
    STILL,
    TERRIFIED,
    WATCH,
)
from assistant.games.roads.match.pending import FEARS, HitsDue, PendingTest
from assistant.games.roads.match.psychology import list_tests_of_turn
from assistant.games.roads.match.state import MatchRoads, rout, take_out
from assistant.games.roads.match.ways import reveal, set_out_to_charge
from assistant.games.roads.rules.checks import passes
from assistant.match.game import Piece
from assistant.translations.messages import said

ROLLS = ("flight", "shuffle", "fall")
"""What is rolled without being a test: how far a model runs, what a stupid one does, how hard one falls."""

SHUFFLES_UP_TO = 3
"""On 1 to 3 a stupid model shuffles on, on 4 to 6 it stands (C3)."""


def begin_turn(game: MatchRoads, side: str) -> MatchRoads:
    """The game at the beginning of a side's turn, with the tests that are due then.

    Watches end with the enemy's turn (C5); what anybody did in the turn before is forgotten, and whoever fought in it
    has a round of its melee behind it.
    """
    fresh = [piece.unmarked(*OF_A_TURN) for piece in game.standing()]
    first = side == game.setup.sides[0]
    game = game.with_piece(*(piece.unmarked(WATCH) if piece.side == side else piece for piece in fresh))
    game = replace(
        game,
        round=game.round + 1 if first else game.round,
        active=side,
        phase="start",
        seasoned=tuple(dict.fromkeys((*game.seasoned, *(name for pair in game.fought for name in pair)))),
        fought=(),
        to_draw_in=(),
        to_advance=(),
        met_in_advance=(),
        climbed={},
        gone={},
        fired={},
        noticed=(),
        escapes_asked=False,
        reaction=None,
    )
    return replace(game, due=list_tests_of_turn(game, side))


def resolve(game: MatchRoads, roll: int) -> MatchRoads:
    """The game after the first test that is due was rolled."""
    due, game = game.due[0], replace(game, due=game.due[1:])
    if due.kind in ROLLS:
        return _ROLLED[due.kind](game, due, roll)
    assert due.value is not None, "tests have a value"
    passed = passes(due.value, roll, game.rules.options)
    game = _TESTED[due.kind](game, due, passed)
    charge = game.charging
    if charge is None or any(waiting.kind in FEARS for waiting in game.due):
        return game
    return set_out_to_charge(replace(game, charging=None), charge)


def _after_rout(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    return game if passed else rout(game, due.side, said("{side} break and run", side=due.side))


def _after_rally(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    piece = _piece(game, due)
    if passed:
        return game.with_piece(piece.unmarked(FLEEING, TERRIFIED).marked(STILL))
    away = {name: enemies for name, enemies in game.fleeing_from.items() if name != due.figure}
    return replace(game, fleeing_from=away).first_due(PendingTest(kind="flight", side=due.side, figure=due.figure))


def _after_terror(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    if passed:
        return game
    game = game.with_piece(_piece(game, due).marked(TERRIFIED))
    return _break(game, due, (str(due.against),))


def _after_stupidity(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    piece = _piece(game, due)
    if passed:
        return game.with_piece(piece.unmarked(DULLED))
    game = game.with_piece(piece.marked(DULLED))
    if game.opponents_of(piece.id):
        return game
    return game.first_due(PendingTest(kind="shuffle", side=due.side, figure=due.figure))


def _after_fear_to_charge(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    if passed:
        return game
    left = tuple(
        other
        for other in game.due
        if other.kind != "fear of the charger" and (other.kind, other.figure) != ("jump", due.figure)
    )
    return replace(game, charging=None, leaping=None, due=left).with_piece(_piece(game, due).marked(ROOTED))


def _after_fear_of_charger(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    return game if passed else game.with_piece(_piece(game, due).marked(AFRAID))


def _after_escape(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    return game if passed else _break(game, due, ())


def _break(game: MatchRoads, due: PendingTest, causes: tuple[str, ...]) -> MatchRoads:
    """A model breaks: each of its opponents hits it once at once, then it runs from them and from what it fears."""
    piece = _piece(game, due)
    opponents = game.opponents_of(piece.id)
    hits = tuple(HitsDue(figure=piece.id, by=enemy, hits=1) for enemy in opponents)
    away = {**game.fleeing_from, piece.id: tuple(dict.fromkeys((*causes, *opponents)))}
    game = game.with_piece(reveal(piece).marked(FLEEING).unmarked(WATCH))
    game = replace(game, hits=(*game.hits, *hits), fleeing_from=away)
    return game.first_due(PendingTest(kind="flight", side=due.side, figure=piece.id, against=due.against))


def _after_ambush(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    if not passed or due.against is None:
        return game
    left = tuple(other for other in game.due if other.kind != "ambush")
    return replace(game, due=left).with_piece(reveal(game.piece(due.against)))


def _after_climb(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    """Who fails to climb up does not move in this turn, and may still shoot (“Лазание”)."""
    if passed:
        return land(game)
    return replace(game, leaping=None).with_piece(_piece(game, due).marked(ROOTED))


def _after_jump(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    """A failed jump is a fall from where it began; the tests that were to follow are not made (C4)."""
    waiting = any((other.kind, other.figure) == ("jump", due.figure) for other in game.due)
    if passed:
        return game if waiting else land(game)
    left = tuple(other for other in game.due if (other.kind, other.figure) != ("jump", due.figure))
    fallen = replace(game, due=left, leaping=None).with_piece(reveal(_piece(game, due)).marked(FALLEN))
    return (
        fallen.first_due(PendingTest(kind="fall", side=due.side, figure=due.figure, steps=due.steps))
        if due.steps
        else fallen
    )


def _fall(game: MatchRoads, due: PendingTest, roll: int) -> MatchRoads:
    """A D3 of damage for each step, which no armour stops (C4)."""
    piece = _piece(game, due)
    hurt = replace(piece, harm=piece.harm + (roll + 1) // 2).unmarked(WATCH)
    limit = game.fighter(piece.id).out_at
    if limit is not None and hurt.harm >= limit:
        return take_out(game.with_piece(hurt), piece.id)
    game = game.with_piece(hurt)
    return game.first_due(replace(due, steps=due.steps - 1)) if due.steps > 1 else game


def _flight(game: MatchRoads, due: PendingTest, roll: int) -> MatchRoads:
    return replace(game, flights={**game.flights, str(due.figure): roll})


def _shuffle(game: MatchRoads, due: PendingTest, roll: int) -> MatchRoads:
    return game.with_piece(_piece(game, due).marked(SHUFFLING if roll <= SHUFFLES_UP_TO else STILL))


def _piece(game: MatchRoads, due: PendingTest) -> Piece:
    return game.piece(str(due.figure))


_TESTED: Mapping[str, Callable[[MatchRoads, PendingTest, bool], MatchRoads]] = {
    "rout": _after_rout,
    "rally": _after_rally,
    "terror": _after_terror,
    "stupidity": _after_stupidity,
    "fear to charge": _after_fear_to_charge,
    "fear of the charger": _after_fear_of_charger,
    "escape": _after_escape,
    "ambush": _after_ambush,
    "climb": _after_climb,
    "jump": _after_jump,
}

_ROLLED: Mapping[str, Callable[[MatchRoads, PendingTest, int], MatchRoads]] = {
    "flight": _flight,
    "shuffle": _shuffle,
    "fall": _fall,
}

"""What the rules say of the tests and shots of a skirmish before they are rolled: why, and with what chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assistant.games.roads.match.state import HIDDEN, WATCH, MatchRoads, PendingTest, TestKind
from assistant.games.roads.rules.checks import CheckOdds, WatchTarget, ambush, check_fear, check_rout, escape, watch
from assistant.rules.ruling import Reason


def reasons_of_test(game: MatchRoads, due: PendingTest) -> tuple[Reason, ...]:
    """Why a test is due and what hangs on it; nothing for rolls that are no test."""
    check = _CHECKS.get(due.kind)
    return () if check is None or due.value is None else check(game, due, due.value).reasons


def reasons_of_shot(game: MatchRoads, shooter: str, target: str) -> tuple[Reason, ...]:
    """What a watch takes from the shot of whoever watches, and how likely an ambush stays hidden."""
    marks, options = game.piece(shooter).marks, game.rules.options
    told: tuple[Reason, ...] = ()
    if WATCH in marks:
        charge = game.charging
        charges = charge is not None and (charge.figure, charge.target) == (target, shooter)
        kind: WatchTarget = "charging_the_watcher" if charges else "steady"
        told = (watch(shooter, kind, options),)
    table = game.table()
    if HIDDEN in marks and table is not None:
        witnesses = game.rules.witnesses(table, shooter, target)
        told += ambush([game.fighter(name).mobility for name in witnesses], options).reasons
    return told


def _rout(game: MatchRoads, due: PendingTest, value: int) -> CheckOdds:
    return check_rout(game.starting_count(due.side), game.out_count(due.side), value, game.rules.options)


def _fear(game: MatchRoads, due: PendingTest, value: int) -> CheckOdds:
    return check_fear(str(due.figure), value, is_charging=due.kind == "fear to charge", options=game.rules.options)


def _escape(game: MatchRoads, due: PendingTest, value: int) -> CheckOdds:
    return escape(str(due.figure), value, len(game.opponents_of(str(due.figure))), game.rules.options)


def _ambush(game: MatchRoads, due: PendingTest, value: int) -> CheckOdds:
    witnesses = [other.value for other in game.due if other.kind == "ambush" and other.value is not None]
    return ambush(witnesses, game.rules.options)


_CHECKS: Mapping[TestKind, Callable[[MatchRoads, PendingTest, int], CheckOdds]] = {
    "rout": _rout,
    "fear to charge": _fear,
    "fear of the charger": _fear,
    "escape": _escape,
    "ambush": _ambush,
}

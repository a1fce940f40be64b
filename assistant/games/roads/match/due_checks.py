"""What the rules say of the tests and shots of a skirmish before they are rolled: why, and with what chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assistant.games.roads.match.marks import EMERGED, HIDDEN, WATCH
from assistant.games.roads.match.pending import PendingTest, TestKind
from assistant.games.roads.match.state import MatchRoads
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
        told = (watch(shooter, find_watch_target(game, shooter, target), options),)
    table = game.table()
    if HIDDEN in marks and table is not None:
        witnesses = game.rules.witnesses(table, shooter, target)
        told += ambush([game.fighter(name).mobility for name in witnesses], options).reasons
    return told


def find_watch_target(game: MatchRoads, shooter: str, target: str) -> WatchTarget:
    """What a target is to whoever shoots at it on watch (“Стрельба в дозоре”)."""
    moving = game.moving
    if moving is not None and moving.figure == target:
        if moving.how == "charge" and moving.target == shooter:
            return "charging_the_watcher"
        if moving.how == "hide":
            return "fleeting"
    return "fleeting" if EMERGED in game.piece(target).marks else "steady"


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

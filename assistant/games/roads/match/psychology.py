"""Tests that the rules demand (rules C3): the model, the value, the reason, and the exemptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from assistant.games.roads.match.pending import FEARS, PendingTest, TestKind
from assistant.games.roads.match.state import STOPPING, Mark, MatchRoads
from assistant.games.roads.rules.checks import (
    WatchTarget,
    ambush,
    check_fear,
    check_rout,
    escape,
    is_rout_due,
    rout_spirit,
    watch,
)
from assistant.games.roads.rules.movement import find_contact_place, touches_at
from assistant.games.roads.rules.reasons import HOUSE, RULES
from assistant.rules.reasons import reason
from assistant.rules.ruling import Reason
from assistant.translations.messages import Said, said


def list_tests_of_turn(game: MatchRoads, side: str) -> tuple[PendingTest, ...]:
    """Return the tests at the start of a side's turn: rout, rallies, terror, stupidity."""
    return (
        *_list_rout(game, side),
        *_list_rallies(game, side),
        *_list_terrors(game, side),
        *_list_stupid(game, side),
    )


def list_escapes(game: MatchRoads, side: str) -> tuple[PendingTest, ...]:
    """Return the tests at the end of a side's melee, for each model alone against two or more (C3)."""
    distances = game.distances()
    if distances is None:
        return ()
    return tuple(
        PendingTest(kind="escape", side=side, figure=piece.id, value=game.spirit_of(piece.id))
        for piece in game.standing(side)
        if not {Mark.DOWN, Mark.FLEEING} & set(piece.marks) and piece.id in distances.table.figure_by_id
        if distances.is_lonely(distances.table.figure(piece.id)) and not ignores_psychology(game, piece.id)
    )


def list_fears(game: MatchRoads, charger: str, target: str) -> tuple[PendingTest, ...]:
    """Return the fear tests of a charge, the charger's first."""
    dues = []
    is_free = Mark.RAGING in game.piece(charger).marks or game.fighter(charger).immune
    if _frightens(game, target, charger) and not is_free:
        dues.append(_make_fear_test("fear to charge", game, charger, target))
    if _frightens(game, charger, target) and not ignores_psychology(game, target):
        dues.append(_make_fear_test("fear of the charger", game, target, charger))
    return tuple(dues)


def may_ignore_fear(game: MatchRoads, due: PendingTest) -> bool:
    """Return whether the testing model causes fear itself, and so may ignore the test (“Страх”)."""
    return due.kind in FEARS and game.fighter(str(due.figure)).fear


def find_charge_targets(game: MatchRoads, figure: str, gone: float = 0) -> tuple[str, ...] | None:
    """Return the enemies in charge range, less the used steps ``gone``, and those in contact, or None if unknown."""
    reach, distances = game.fighter(figure).charge_steps, game.distances()
    if distances is None or figure not in distances.table.figure_by_id:
        return None
    own = distances.table.figure(figure)
    touched = game.opponents_of(figure)
    if reach is None:
        return touched or None
    steps = max(Fraction(0), Fraction(str(reach)) - Fraction(str(gone)))
    enemies = (other for other in distances.table.figures if other.side != own.side)
    return tuple(other.id for other in enemies if other.id in touched or distances.is_within(own, other, steps))


def ignores_psychology(game: MatchRoads, figure: str) -> bool:
    """Return whether a model is immune to psychology, or in frenzy with an enemy in charge range.

    The side of immune models still tests for a rout (“Тест на Разгром”, seed 003).
    """
    if game.fighter(figure).immune:
        return True
    return Mark.RAGING in game.piece(figure).marks and bool(find_charge_targets(game, figure))


def find_bound_to_charge(game: MatchRoads) -> tuple[str, ...]:
    """Return frenzied models of the side to play that must charge now (“Бешенство”)."""
    stopped = {Mark.MOVED, Mark.ROOTED, Mark.FALLEN, Mark.DULLED, Mark.RAN, Mark.WATCH, Mark.PRONE, *STOPPING}
    return tuple(
        piece.id
        for piece in game.standing(game.active)
        if Mark.RAGING in piece.marks and not stopped & set(piece.marks)
        if not game.opponents_of(piece.id) and list_reachable(game, piece.id)
    )


def list_reachable(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """Return the enemies that a straight charge would touch. The judge decides about obstacles.

    A model that has moved and jumped charges with its remaining movement.
    """
    table, targets = game.table(), find_charge_targets(game, figure, game.gone.get(figure, 0)) or ()
    if table is None:
        return targets
    own = table.figure(figure)
    places = {name: find_contact_place(own, own.center_mm, table.figure(name)) for name in targets}
    taken = {piece.center_mm for piece in game.standing()}
    return tuple(
        name for name, place in places.items() if place not in taken and touches_at(own, place, table.figure(name))
    )


def find_bound_to_shuffle(game: MatchRoads) -> tuple[str, ...]:
    """Return stupid models of the side to play that must shuffle now (“Тупость”)."""
    stopped = {Mark.MOVED, Mark.ROOTED, Mark.FALLEN, Mark.WATCH, *STOPPING}
    return tuple(
        piece.id
        for piece in game.standing(game.active)
        if Mark.SHUFFLING in piece.marks and not stopped & set(piece.marks) and not game.opponents_of(piece.id)
    )


def _list_rout(game: MatchRoads, side: str) -> tuple[PendingTest, ...]:
    if not is_rout_due(game.starting_count(side), game.out_count(side), game.rules.options):
        return ()
    ready = [piece for piece in game.standing(side) if Mark.DOWN not in piece.marks]
    leader = next((game.fighter(p.id).spirit for p in ready if game.fighter(p.id).is_leader), None)
    spirits = [game.fighter(piece.id).spirit for piece in ready]
    # With everybody down, nobody holds the side together: no die passes a value of 0.
    value = rout_spirit(leader, spirits) if spirits else 0
    return (PendingTest(kind="rout", side=side, value=value),)


def _list_rallies(game: MatchRoads, side: str) -> tuple[PendingTest, ...]:
    return tuple(
        PendingTest(kind="rally", side=side, figure=piece.id, value=game.spirit_of(piece.id))
        for piece in game.standing(side)
        if Mark.FLEEING in piece.marks
    )


def _list_terrors(game: MatchRoads, side: str) -> tuple[PendingTest, ...]:
    distances = game.distances()
    if distances is None:
        return ()
    found = []
    for piece in game.standing(side):
        figure = distances.table.figure_by_id.get(piece.id)
        causes = () if figure is None or Mark.FLEEING in piece.marks else distances.terrified_by(figure)
        fighter = game.fighter(piece.id)
        if causes and not (fighter.fear or fighter.terror or ignores_psychology(game, piece.id)):
            value = game.spirit_of(piece.id)
            found.append(PendingTest(kind="terror", side=side, figure=piece.id, against=causes[0], value=value))
    return tuple(found)


def _list_stupid(game: MatchRoads, side: str) -> tuple[PendingTest, ...]:
    takes_leader = game.rules.options["stupidity_spirit"] == "leader"
    return tuple(
        PendingTest(
            kind="stupidity",
            side=side,
            figure=piece.id,
            value=game.spirit_of(piece.id) if takes_leader else game.fighter(piece.id).spirit,
        )
        for piece in game.standing(side)
        if game.fighter(piece.id).stupid and Mark.FLEEING not in piece.marks and not ignores_psychology(game, piece.id)
    )


def _frightens(game: MatchRoads, cause: str, figure: str) -> bool:
    """Return whether a model must test for fear of another (“Страх”, “Ужас”)."""
    other, own = game.fighter(cause), game.fighter(figure)
    if own.terror or not (other.fear or other.terror):
        return False
    if own.fear:
        return other.terror and game.rules.options["fear_meets_terror"] == "tests_fear"
    return True


def _make_fear_test(kind: TestKind, game: MatchRoads, figure: str, against: str) -> PendingTest:
    side = game.piece(figure).side
    return PendingTest(kind=kind, side=side, figure=figure, against=against, value=game.spirit_of(figure))


def reasons_of_test(game: MatchRoads, due: PendingTest) -> tuple[Reason, ...]:
    """Return the reason for a test and its chance, or empty for a plain roll."""
    if due.value is None:
        return ()
    kind = "fear" if due.kind in FEARS else due.kind
    return _REASONS[kind](game, due, due.value) if kind in _REASONS else ()


def word_rule_of_test(game: MatchRoads, due: PendingTest) -> Said | None:
    """Return the rule behind a test, or else what its die decides; None if neither is known."""
    why = reasons_of_test(game, due)
    return Said(RULES[why[0].rule].summary) if why else _STAKES.get(due.kind)


_STAKES: Mapping[TestKind, Said] = {
    "stupidity": said("If it fails, a roll decides: it shuffles straight on, or stands still"),
    "shuffle": said("1–3: it shuffles straight on at half speed. 4–6: it stands still"),
}


def _explain_rout(game: MatchRoads, due: PendingTest, value: int) -> tuple[Reason, ...]:
    return check_rout(game.starting_count(due.side), game.out_count(due.side), value, game.rules.options).reasons


def _explain_fear(game: MatchRoads, due: PendingTest, value: int) -> tuple[Reason, ...]:
    is_charging = due.kind == "fear to charge"
    return check_fear(str(due.figure), value, is_charging=is_charging, options=game.rules.options).reasons


def _explain_escape(game: MatchRoads, due: PendingTest, value: int) -> tuple[Reason, ...]:
    figure = str(due.figure)
    return escape(figure, value, len(game.opponents_of(figure)), game.rules.options).reasons


def _explain_ambush(game: MatchRoads, due: PendingTest, value: int) -> tuple[Reason, ...]:
    witnesses = [other.value for other in game.due if other.kind == "ambush" and other.value is not None]
    return ambush(witnesses, game.rules.options).reasons


def _explain_spirit(game: MatchRoads, due: PendingTest, value: int) -> tuple[Reason, ...]:
    """Return the house option about whose Spirit counts against stupidity, if another choice would change the test."""
    figure, chosen = str(due.figure), game.rules.options["stupidity_spirit"]
    spirits = {"own": game.fighter(figure).spirit, "leader": game.spirit_of(figure)}
    other = "own" if chosen == "leader" else "leader"
    if spirits[other] == value:
        return ()
    house = {"option": "stupidity_spirit", "choice": chosen, "other": other}
    return (reason(HOUSE, "spirit", figure=figure, value=spirits[other], **house),)


_REASONS: Mapping[str, Callable[[MatchRoads, PendingTest, int], tuple[Reason, ...]]] = {
    "rout": _explain_rout,
    "fear": _explain_fear,
    "escape": _explain_escape,
    "ambush": _explain_ambush,
    "stupidity": _explain_spirit,
}


def reasons_of_shot(game: MatchRoads, shooter: str, target: str) -> tuple[Reason, ...]:
    """Return the modifier of a shot on overwatch, and the chance that an ambush stays hidden."""
    marks, options = game.piece(shooter).marks, game.rules.options
    reasons: tuple[Reason, ...] = ()
    if Mark.WATCH in marks:
        reasons = (watch(shooter, find_watch_target(game, shooter, target), options),)
    table = game.table()
    if Mark.HIDDEN in marks and table is not None:
        witnesses = game.rules.witnesses(table, shooter, target)
        reasons += ambush([game.fighter(name).mobility for name in witnesses], options).reasons
    return reasons


def find_watch_target(game: MatchRoads, shooter: str, target: str) -> WatchTarget:
    """Return the kind of target for a shot on overwatch (“Стрельба в дозоре”)."""
    moving = game.moving
    if moving is not None and moving.figure == target:
        if moving.how == "charge" and moving.target == shooter:
            return "charging_the_watcher"
        if moving.how == "hide":
            return "fleeting"
    return "fleeting" if Mark.EMERGED in game.piece(target).marks else "steady"

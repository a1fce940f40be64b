"""Which tests the rules demand of whom, and who is spared them (rules C3)."""

from __future__ import annotations

from fractions import Fraction

from assistant.games.roads.match.marks import (
    DOWN,
    FALLEN,
    FLEEING,
    MOVED,
    RAGING,
    ROOTED,
    SHUFFLING,
    STOPPING,
    WATCH,
)
from assistant.games.roads.match.pending import PendingTest, TestKind
from assistant.games.roads.match.state import MatchRoads
from assistant.games.roads.rules.checks import is_rout_due, rout_spirit


def list_tests_of_turn(game: MatchRoads, side: str) -> tuple[PendingTest, ...]:
    """The tests at the start of a side's turn: rout, rallies, terror, stupidity."""
    return (
        *_list_rout(game, side),
        *_list_rallies(game, side),
        *_list_terrors(game, side),
        *_list_stupid(game, side),
    )


def list_escapes(game: MatchRoads, side: str) -> tuple[PendingTest, ...]:
    """The tests at the end of a side's melee: who fights two or more alone (C3)."""
    distances = game.distances()
    if distances is None:
        return ()
    return tuple(
        PendingTest(kind="escape", side=side, figure=piece.id, value=game.spirit_of(piece.id))
        for piece in game.standing(side)
        if not {DOWN, FLEEING} & set(piece.marks) and piece.id in distances.table.figure_by_id
        if distances.is_lonely(distances.table.figure(piece.id)) and not is_carried_away(game, piece.id)
    )


def list_fears(game: MatchRoads, charger: str, target: str) -> tuple[PendingTest, ...]:
    """The tests of fear that a charge demands of the two, the charger's first."""
    dues = []
    if _frightens(game, target, charger) and RAGING not in game.piece(charger).marks:
        dues.append(_make_fear_test("fear to charge", game, charger, target))
    if _frightens(game, charger, target) and not is_carried_away(game, target):
        dues.append(_make_fear_test("fear of the charger", game, target, charger))
    return tuple(dues)


def may_ignore_fear(game: MatchRoads, due: PendingTest) -> bool:
    """Whether the model that is to test causes fear itself, and so may ignore the test (“Страх”)."""
    return due.kind in ("fear to charge", "fear of the charger") and game.fighter(str(due.figure)).fear


def find_charge_targets(game: MatchRoads, figure: str) -> tuple[str, ...] | None:
    """The enemies in charge range of a model, those in contact among them; None where the range is not known."""
    reach, distances = game.fighter(figure).charge_steps, game.distances()
    if distances is None or figure not in distances.table.figure_by_id:
        return None
    own = distances.table.figure(figure)
    touched = game.opponents_of(figure)
    if reach is None:
        return touched or None
    steps = Fraction(str(reach))
    enemies = (other for other in distances.table.figures if other.side != own.side)
    return tuple(other.id for other in enemies if other.id in touched or distances.is_within(own, other, steps))


def is_carried_away(game: MatchRoads, figure: str) -> bool:
    """Whether a model in frenzy is known to have an enemy in charge range, and so minds no other psychology."""
    return RAGING in game.piece(figure).marks and bool(find_charge_targets(game, figure))


def find_bound_to_charge(game: MatchRoads) -> tuple[str, ...]:
    """The models of the side whose turn it is that must charge now because they are in frenzy (“Бешенство”)."""
    stopped = {MOVED, ROOTED, *STOPPING}
    return tuple(
        piece.id
        for piece in game.standing(game.active)
        if RAGING in piece.marks and not stopped & set(piece.marks)
        if not game.opponents_of(piece.id) and find_charge_targets(game, piece.id)
    )


def find_bound_to_shuffle(game: MatchRoads) -> tuple[str, ...]:
    """The models of the side whose turn it is that must shuffle on now because they are stupid (“Тупость”)."""
    stopped = {MOVED, ROOTED, FALLEN, WATCH, *STOPPING}
    return tuple(
        piece.id
        for piece in game.standing(game.active)
        if SHUFFLING in piece.marks and not stopped & set(piece.marks) and not game.opponents_of(piece.id)
    )


def _list_rout(game: MatchRoads, side: str) -> tuple[PendingTest, ...]:
    if not is_rout_due(game.starting_count(side), game.out_count(side), game.rules.options):
        return ()
    ready = [piece for piece in game.standing(side) if DOWN not in piece.marks]
    leader = next((game.fighter(p.id).spirit for p in ready if game.fighter(p.id).is_leader), None)
    spirits = [game.fighter(piece.id).spirit for piece in ready]
    # With everybody down nobody can hold the side together: a die of 1 would still have to be at most 0.
    value = rout_spirit(leader, spirits) if spirits else 0
    return (PendingTest(kind="rout", side=side, value=value),)


def _list_rallies(game: MatchRoads, side: str) -> tuple[PendingTest, ...]:
    return tuple(
        PendingTest(kind="rally", side=side, figure=piece.id, value=game.spirit_of(piece.id))
        for piece in game.standing(side)
        if FLEEING in piece.marks
    )


def _list_terrors(game: MatchRoads, side: str) -> tuple[PendingTest, ...]:
    distances = game.distances()
    if distances is None:
        return ()
    found = []
    for piece in game.standing(side):
        figure = distances.table.figure_by_id.get(piece.id)
        causes = () if figure is None or FLEEING in piece.marks else distances.terrified_by(figure)
        fighter = game.fighter(piece.id)
        if causes and not (fighter.fear or fighter.terror or is_carried_away(game, piece.id)):
            value = game.spirit_of(piece.id)
            found.append(PendingTest(kind="terror", side=side, figure=piece.id, against=causes[0], value=value))
    return tuple(found)


def _list_stupid(game: MatchRoads, side: str) -> tuple[PendingTest, ...]:
    return tuple(
        PendingTest(kind="stupidity", side=side, figure=piece.id, value=game.fighter(piece.id).spirit)
        for piece in game.standing(side)
        if game.fighter(piece.id).stupid and FLEEING not in piece.marks and not is_carried_away(game, piece.id)
    )


def _frightens(game: MatchRoads, cause: str, figure: str) -> bool:
    """Whether a model has to test against fear of another (“Страх”, “Ужас”)."""
    other, own = game.fighter(cause), game.fighter(figure)
    if own.terror or not (other.fear or other.terror):
        return False
    if own.fear:
        return other.terror and game.rules.options["fear_meets_terror"] == "tests_fear"
    return True


def _make_fear_test(kind: TestKind, game: MatchRoads, figure: str, against: str) -> PendingTest:
    side = game.piece(figure).side
    return PendingTest(kind=kind, side=side, figure=figure, against=against, value=game.spirit_of(figure))

"""Which tests the rules demand, and what follows from them (rules C3, C5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from assistant.games.roads.match.state import (
    AFRAID,
    CHARGED,
    DOWN,
    DULLED,
    FEARS,
    FLEEING,
    HIDDEN,
    MOVED,
    OF_A_TURN,
    STILL,
    TERRIFIED,
    WATCH,
    Charging,
    HitsDue,
    MatchRoads,
    PendingTest,
    TestKind,
    rout,
    take_out,
)
from assistant.games.roads.rules.checks import is_rout_due, passes, rout_spirit
from assistant.match.game import Piece
from assistant.translations.messages import said

ROLLS = ("flight", "shuffle", "fall")
"""What is rolled without being a test: how far a model runs, what a stupid one does, how hard one falls."""

SHUFFLES_UP_TO = 3
"""On 1 to 3 a stupid model shuffles on, on 4 to 6 it stands (C3)."""


def begin_turn(game: MatchRoads, side: str) -> MatchRoads:
    """The game at the beginning of a side's turn, with the tests that are due then.

    Watches end with the enemy's turn (C5); what models did in their last turn is forgotten.
    """
    fresh = (piece.unmarked(*OF_A_TURN, WATCH) for piece in game.standing(side))
    first = side == game.setup.sides[0]
    game = game.with_piece(*fresh)
    game = replace(
        game,
        round=game.round + 1 if first else game.round,
        active=side,
        phase="start",
        fought=(),
        to_draw_in=(),
        to_advance=(),
        escapes_asked=False,
        reaction=None,
    )
    return replace(
        game,
        due=(
            *_list_rout(game, side),
            *_list_rallies(game, side),
            *_list_terrors(game, side),
            *_list_stupid(game, side),
        ),
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
        if distances.is_lonely(distances.table.figure(piece.id))
    )


def declare_charge(game: MatchRoads, charge: Charging) -> MatchRoads:
    """The game after a charge was declared: both sides' tests of fear come before the contact."""
    charger, target = game.fighter(charge.figure), game.fighter(charge.target)
    dues = []
    if (target.fear or target.terror) and not _is_fearless(game, charge.figure):
        dues.append(_make_fear_test("fear to charge", game, charge.figure, charge.target))
    if (charger.fear or charger.terror) and not _is_fearless(game, charge.target):
        dues.append(_make_fear_test("fear of the charger", game, charge.target, charge.figure))
    game = replace(game, charging=charge, due=(*dues, *game.due))
    return game if dues else _charge_home(game)


def resolve(game: MatchRoads, roll: int) -> MatchRoads:
    """The game after the first test that is due was rolled."""
    due, game = game.due[0], replace(game, due=game.due[1:])
    if due.kind in ROLLS:
        return _ROLLED[due.kind](game, due, roll)
    assert due.value is not None, "tests have a value"
    passed = passes(due.value, roll, game.rules.options)
    game = _TESTED[due.kind](game, due, passed)
    waiting = game.charging is not None and not any(waiting.kind in FEARS for waiting in game.due)
    return _charge_home(game) if waiting else game


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
        if causes and not _is_fearless(game, piece.id):
            value = game.spirit_of(piece.id)
            found.append(PendingTest(kind="terror", side=side, figure=piece.id, against=causes[0], value=value))
    return tuple(found)


def _list_stupid(game: MatchRoads, side: str) -> tuple[PendingTest, ...]:
    return tuple(
        PendingTest(kind="stupidity", side=side, figure=piece.id, value=game.fighter(piece.id).spirit)
        for piece in game.standing(side)
        if game.fighter(piece.id).stupid and FLEEING not in piece.marks
    )


def _make_fear_test(kind: TestKind, game: MatchRoads, figure: str, against: str) -> PendingTest:
    side = game.piece(figure).side
    return PendingTest(kind=kind, side=side, figure=figure, against=against, value=game.spirit_of(figure))


def _is_fearless(game: MatchRoads, figure: str) -> bool:
    fighter = game.fighter(figure)
    return fighter.fear or fighter.terror


def _charge_home(game: MatchRoads) -> MatchRoads:
    charge = game.charging
    assert charge is not None, "a charge is running"
    game = replace(game, charging=None)
    charger, target = game.piece(charge.figure), game.piece(charge.target)
    center = charger.center_mm if charge.center_mm is None else charge.center_mm
    game = game.with_piece(replace(charger, center_mm=center).marked(CHARGED).marked(MOVED).unmarked(HIDDEN))
    if FLEEING in target.marks:
        return game.first_due(PendingTest(kind="flight", side=target.side, figure=target.id, against=charger.id))
    return game


def _after_rout(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    return game if passed else rout(game, due.side, said("{side} break and run", side=due.side))


def _after_rally(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    piece = _piece(game, due)
    if passed:
        return game.with_piece(piece.unmarked(FLEEING, TERRIFIED).marked(STILL))
    return game.first_due(PendingTest(kind="flight", side=due.side, figure=due.figure))


def _after_terror(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    if passed:
        return game
    game = game.with_piece(_piece(game, due).marked(FLEEING).marked(TERRIFIED).unmarked(WATCH, HIDDEN))
    return game.first_due(PendingTest(kind="flight", side=due.side, figure=due.figure, against=due.against))


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
    left = tuple(other for other in game.due if other.kind != "fear of the charger")
    return replace(game, charging=None, due=left).with_piece(_piece(game, due).marked(STILL))


def _after_fear_of_charger(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    return game if passed else game.with_piece(_piece(game, due).marked(AFRAID))


def _after_escape(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    if passed:
        return game
    piece = _piece(game, due)
    hits = tuple(HitsDue(figure=piece.id, by=enemy, hits=1) for enemy in game.opponents_of(piece.id))
    game = replace(game.with_piece(piece.marked(FLEEING)), hits=(*game.hits, *hits))
    return game.first_due(PendingTest(kind="flight", side=due.side, figure=piece.id))


def _after_ambush(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    if not passed or due.against is None:
        return game
    left = tuple(other for other in game.due if other.kind != "ambush")
    return replace(game, due=left).with_piece(game.piece(due.against).unmarked(HIDDEN))


def _after_climb(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    return game if passed else game.with_piece(_piece(game, due).marked(STILL))


def _after_jump(game: MatchRoads, due: PendingTest, passed: bool) -> MatchRoads:
    """A failed jump is a fall from where it began; the tests that were to follow are not made (C4)."""
    if passed:
        return game
    left = tuple(other for other in game.due if (other.kind, other.figure) != ("jump", due.figure))
    fallen = replace(game, due=left).with_piece(_piece(game, due).marked(STILL))
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
    return game if roll <= SHUFFLES_UP_TO else game.with_piece(_piece(game, due).marked(STILL))


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

"""Turns, their phases, and their due tests with the consequences (rules C3 to C5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Self

from msgspec import Meta
from msgspec.structs import replace

from assistant.games.roads.match.duel import list_opponents
from assistant.games.roads.match.movement import land, reveal, set_out_to_charge
from assistant.games.roads.match.pending import FEARS, TEST_WORDS, HitsDue, PendingTest, TestKind, word_test
from assistant.games.roads.match.psychology import (
    find_charge_targets,
    list_tests_of_turn,
    may_ignore_fear,
    word_rule_of_test,
)
from assistant.games.roads.match.state import (
    MARKS_OF_A_TURN,
    Mark,
    MatchRoads,
    rout,
    take_out,
)
from assistant.games.roads.rules.checks import passes
from assistant.games.roads.rules.reasons import FREE_HITS, FRENZY, WITHDRAWAL
from assistant.match.chance import Chance
from assistant.match.game import Piece, Prompt, ShownDie, Step, require
from assistant.rules.reasons import Rule
from assistant.translations.messages import SILENCE, Said, counted, message, said

TURNS = Rule(
    "roads/turn-order",
    message("the known rules lack the chapter on turns; it names the start of a turn, moving, shooting and melee"),
    message("A side's turn has its start, moves, shots and melee, in this order."),
)
TESTS = Rule(
    "roads/tests",
    message("rules, “Психология”"),
    message("Roll a due test on Spirit before anything else."),
)

DieFace = Annotated[int, Meta(ge=1, le=6)]

SHUFFLES_UP_TO = 3
"""Highest roll on which a stupid model shuffles; on 4 to 6 it stands still (C3)."""


def begin_turn(game: MatchRoads, side: str) -> MatchRoads:
    """Return the game at the start of a side's turn, with its due tests.

    Overwatch ends with the enemy's turn (C5). The previous turn's tokens go, but a model that fought in it has a round
    of its melee behind it.
    """
    fresh = [piece.unmarked(*MARKS_OF_A_TURN) for piece in game.standing()]
    first = side == game.setup.sides[0]
    game = game.with_piece(*(piece.unmarked(Mark.WATCH) if piece.side == side else piece for piece in fresh))
    game = replace(
        game,
        round=game.round + 1 if first else game.round,
        active=side,
        phase="start",
        seasoned=tuple(dict.fromkeys((*game.seasoned, *_list_seasoned(game)))),
        fought=(),
        has_many_sided=False,
        to_draw_in=(),
        to_advance=(),
        met_in_advance=(),
        climbed={},
        leapt={},
        gone={},
        fired={},
        noticed=(),
        escapes_asked=False,
        reaction=None,
        shot=None,
    )
    return replace(game, due=list_tests_of_turn(game, side))


def _list_seasoned(game: MatchRoads) -> Iterator[str]:
    """Yield the models with a round behind them of the melee in which they still are.

    A model whose opponents of this turn are gone is in another melee, if any: its hatred is fresh («каждого рукопашного
    боя», seed 003).
    """
    for first, second in game.fought:
        for name, enemy in ((first, second), (second, first)):
            if not game.ground or enemy in game.opponents_of(name):
                yield name


def resolve(game: MatchRoads, roll: int) -> MatchRoads:
    """Return the game after the roll of the first due test.

    A charge waits in ``charging`` until both fear tests are made. The last of them starts it.
    """
    due, game = game.due[0], replace(game, due=game.due[1:])
    if due.kind in _AFTER_ROLL:
        return _AFTER_ROLL[due.kind](game, due, roll)
    assert due.value is not None, "tests have a value"
    outcomes = _AFTER_SUCCESS if passes(due.value, roll, game.rules.options) else _AFTER_FAILURE
    if due.kind in outcomes:
        game = outcomes[due.kind](game, due)
    charge = game.charging
    if charge is None or any(waiting.kind in FEARS for waiting in game.due):
        return game
    return set_out_to_charge(replace(game, charging=None), charge)


def _tester(game: MatchRoads, due: PendingTest) -> Piece:
    return game.piece(str(due.figure))


def _lose_by_rout(game: MatchRoads, due: PendingTest) -> MatchRoads:
    return rout(game, due.side, said("{side} break and run", side=due.side))


def _rally(game: MatchRoads, due: PendingTest) -> MatchRoads:
    return game.with_piece(_tester(game, due).unmarked(Mark.FLEEING, Mark.TERRIFIED).marked(Mark.STILL))


def _keep_fleeing(game: MatchRoads, due: PendingTest) -> MatchRoads:
    """Forget a fleer's enemies: from its second turn on, a flight leads to the nearest edge."""
    away = {name: enemies for name, enemies in game.fleeing_from.items() if name != due.figure}
    return replace(game, fleeing_from=away).first_due(PendingTest(kind="flight", side=due.side, figure=due.figure))


def _flee_in_terror(game: MatchRoads, due: PendingTest) -> MatchRoads:
    """Flee from every terrifying enemy within 3 steps: «убегают от ужасного существа» holds for each (seed 003)."""
    distances, figure = game.distances(), str(due.figure)
    known = distances is not None and figure in distances.table.figure_by_id
    near = distances.terrified_by(distances.table.figure(figure)) if distances is not None and known else ()
    causes = tuple(dict.fromkeys((str(due.against), *near)))
    return _break(game.with_piece(_tester(game, due).marked(Mark.TERRIFIED)), due, causes)


def _break(game: MatchRoads, due: PendingTest, causes: tuple[str, ...] = ()) -> MatchRoads:
    """Break a model: each able opponent hits it once, at once. Then it runs from them and from what it fears."""
    piece = _tester(game, due)
    opponents = game.opponents_of(piece.id)
    able = (
        name for name in list_opponents(game, piece.id) if not {Mark.DOWN, Mark.DULLED} & set(game.piece(name).marks)
    )
    hits = tuple(HitsDue(figure=piece.id, by=enemy, hits=1) for enemy in able)
    away = {**game.fleeing_from, piece.id: tuple(dict.fromkeys((*causes, *opponents)))}
    game = game.with_piece(reveal(piece).marked(Mark.FLEEING).unmarked(Mark.WATCH))
    game = replace(game, hits=(*game.hits, *hits), fleeing_from=away)
    return game.first_due(PendingTest(kind="flight", side=due.side, figure=piece.id, against=due.against))


def _become_stupid(game: MatchRoads, due: PendingTest) -> MatchRoads:
    piece = _tester(game, due)
    game = game.with_piece(piece.marked(Mark.DULLED))
    if game.opponents_of(piece.id):
        return game
    return game.first_due(PendingTest(kind="shuffle", side=due.side, figure=due.figure))


def _refuse_to_charge(game: MatchRoads, due: PendingTest) -> MatchRoads:
    """Cancel the charge: the enemy no longer tests for fear, and an attack out of a jump needs no jump."""
    left = tuple(
        other
        for other in game.due
        if other.kind != "fear of the charger" and (other.kind, other.figure) != ("jump", due.figure)
    )
    piece = _tester(game, due).marked(Mark.ROOTED)
    stays = piece.marked(Mark.STILL) if game.rules.options["fear_stay"] == "idle" else piece
    return replace(game, charging=None, leaping=None, due=left).with_piece(stays)


def _find_ambusher(game: MatchRoads, due: PendingTest) -> MatchRoads:
    """Reveal the ambusher. One witness is enough: the others need not test."""
    if due.against is None:
        return game
    left = tuple(other for other in game.due if other.kind != "ambush")
    return replace(game, due=left).with_piece(reveal(game.piece(due.against)))


def _stay_below(game: MatchRoads, due: PendingTest) -> MatchRoads:
    """Keep a model below after a failed climb: it does not move this turn but may still shoot (“Лазание”)."""
    return replace(game, leaping=None).with_piece(_tester(game, due).marked(Mark.ROOTED))


def _land_after_last_test(game: MatchRoads, due: PendingTest) -> MatchRoads:
    waiting = any((other.kind, other.figure) == ("jump", due.figure) for other in game.due)
    return game if waiting else land(game)


def _fail_jump(game: MatchRoads, due: PendingTest) -> MatchRoads:
    """Turn a failed jump into a fall from its start, without its further tests (C4)."""
    left = tuple(other for other in game.due if (other.kind, other.figure) != ("jump", due.figure))
    fallen = replace(game, due=left, leaping=None).with_piece(reveal(_tester(game, due)).marked(Mark.FALLEN))
    fall = PendingTest(kind="fall", side=due.side, figure=due.figure, steps=due.steps)
    return fallen.first_due(fall) if due.steps else fallen


def _fall(game: MatchRoads, due: PendingTest, roll: int) -> MatchRoads:
    """Apply D3 damage a step, which no armour stops (C4)."""
    piece = _tester(game, due)
    hurt = replace(piece, harm=piece.harm + (roll + 1) // 2).unmarked(Mark.WATCH)
    limit = game.fighter(piece.id).out_at
    if limit is not None and hurt.harm >= limit:
        return take_out(game.with_piece(hurt), piece.id)
    game = game.with_piece(hurt)
    return game.first_due(replace(due, steps=due.steps - 1)) if due.steps > 1 else game


_Outcome = Callable[[MatchRoads, PendingTest], MatchRoads]
_AFTER_FAILURE: Mapping[str, _Outcome] = {
    "rout": _lose_by_rout,
    "rally": _keep_fleeing,
    "terror": _flee_in_terror,
    "stupidity": _become_stupid,
    "fear to charge": _refuse_to_charge,
    "fear of the charger": lambda game, due: game.with_piece(_tester(game, due).marked(Mark.AFRAID)),
    "escape": _break,
    "climb": _stay_below,
    "jump": _fail_jump,
}
_AFTER_SUCCESS: Mapping[str, _Outcome] = {
    "rally": _rally,
    "stupidity": lambda game, due: game.with_piece(_tester(game, due).unmarked(Mark.DULLED)),
    "ambush": _find_ambusher,
    "climb": lambda game, due: land(game),
    "jump": _land_after_last_test,
}
_AFTER_ROLL: Mapping[str, Callable[[MatchRoads, PendingTest, int], MatchRoads]] = {
    "flight": lambda game, due, roll: replace(game, flights={**game.flights, str(due.figure): roll}),
    "shuffle": lambda game, due, roll: game.with_piece(
        _tester(game, due).marked(Mark.SHUFFLING if roll <= SHUFFLES_UP_TO else Mark.STILL)
    ),
    "fall": _fall,
}
"""Plain rolls: the length of a run, a stupid model's move, the damage of a fall."""


class BeginSkirmish(Step[MatchRoads], frozen=True, kw_only=True, tag="begin"):
    """The skirmish begins with the first side."""

    rule = TURNS

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if game.find_open() == "set-up":
            yield cls.prompt(said("Begin the skirmish"))

    def check(self, game: MatchRoads) -> None:
        require(game.phase == "setup", said("the skirmish has begun already"))

    def apply(self, game: MatchRoads) -> MatchRoads:
        return begin_turn(game, game.setup.sides[0])

    def title(self, game: MatchRoads) -> Said:
        return said("The skirmish begins with {side}", side=game.setup.sides[0])


class Test(Step[MatchRoads], frozen=True, kw_only=True, tag="test"):
    """The first due test (or roll): a D6 of the program or a typed one.

    The program fills in ``kind`` and ``figure``, so that people can read the log.
    """

    __test__ = False  # a test of the game, which pytest must not collect

    rule = TESTS
    reveals = True
    rolled_here: bool = True
    roll: DieFace = 1
    kind: str = ""
    figure: str | None = None

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if game.find_open() == "test":
            due = game.due[0]
            test, note = word_test(due), word_rule_of_test(game, due)
            yield cls.prompt(test, side=due.side, task=None if due.side == game.active else test, note=note)

    def side(self, game: MatchRoads) -> str | None:
        return game.due[0].side if game.due else None

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        if not game.due:
            return self
        due, roll = game.due[0], chance.die() if self.rolled_here else self.roll
        return replace(self, roll=roll, kind=due.kind, figure=due.figure)

    def check(self, game: MatchRoads) -> None:
        require(bool(game.due), said("no test is due now"))
        waiting = [hit.by for hit in game.hits if hit.figure == game.due[0].figure]
        require(not waiting, said("work out the hits on {figure} first", figure=game.due[0].figure), FREE_HITS)

    def apply(self, game: MatchRoads) -> MatchRoads:
        return resolve(game, self.roll) if game.due else game

    def title(self, game: MatchRoads) -> Said:
        if not game.due:
            return SILENCE
        due = game.due[0]
        who, kind = due.figure or due.side, TEST_WORDS[due.kind]
        if due.value is None:
            then = _word_roll(due, self.roll)
            return said("{who}: {kind}, rolled {roll}: {then}", kind=kind, who=who, roll=self.roll, then=then)
        is_passed = passes(due.value, self.roll, game.rules.options)
        return said(
            "{who}: {kind}, rolled {roll}, needed {value} or less: {then}",
            kind=kind,
            who=who,
            roll=self.roll,
            value=due.value,
            then=said("passed") if is_passed else _FAILED.get(due.kind, said("failed")),
        )

    def dice_shown(self, game: MatchRoads) -> tuple[ShownDie, ...]:
        return (ShownDie(str(self.roll), whose=game.due[0].figure or game.due[0].side if game.due else ""),)


_FAILED: Mapping[TestKind, Said] = {
    "rout": said("failed, the side breaks and runs"),
    "rally": said("failed, it keeps fleeing"),
    "terror": said("failed, it flees in terror"),
    "stupidity": said("failed, a roll decides"),
    "fear to charge": said("failed, it does not charge"),
    "fear of the charger": said("failed, it fights afraid"),
    "escape": said("failed, it flees"),
    "climb": said("failed, it stays below"),
    "jump": said("failed, it falls"),
}


def _word_roll(due: PendingTest, roll: int) -> Said:
    """Return the meaning of a plain roll."""
    if due.kind == "flight":
        return counted("it flees {n} step", "it flees {n} steps", roll)
    if due.kind == "fall":
        return counted("{n} wound", "{n} wounds", (roll + 1) // 2)
    return said("it shuffles straight on") if roll <= SHUFFLES_UP_TO else said("it stands still this turn")


class Waive(Step[MatchRoads], frozen=True, kw_only=True, tag="waive"):
    """A model ignores the due test: in frenzy with an enemy in charge range, or of fear if it causes fear (C3).

    If the program knows the charge range, a frenzied model gets no such tests in the first place.
    """

    rule = TESTS

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if game.find_open() != "test" or game.due[0].figure is None:
            return
        due, figure = game.due[0], str(game.due[0].figure)
        if may_ignore_fear(game, due):
            yield cls.prompt(said("{figure} causes fear and ignores it", figure=figure), side=due.side)
        elif Mark.RAGING in game.piece(figure).marks and find_charge_targets(game, figure) != ():
            yield cls.prompt(said("{figure} is in frenzy and ignores it", figure=figure), side=due.side)

    def side(self, game: MatchRoads) -> str | None:
        return game.due[0].side if game.due else None

    def check(self, game: MatchRoads) -> None:
        require(bool(game.due), said("no test is due now"))
        due = game.due[0]
        if due.figure is not None and may_ignore_fear(game, due):
            return
        raging = due.figure is not None and Mark.RAGING in game.piece(due.figure).marks
        require(raging, said("only a model in frenzy ignores its tests"), FRENZY)
        near = None if due.figure is None else find_charge_targets(game, due.figure)
        refusal = said("{figure} has no enemy in charge range, so its frenzy ignores nothing", figure=due.figure)
        require(near is None or bool(near), refusal, FRENZY)

    def apply(self, game: MatchRoads) -> MatchRoads:
        if not game.due:
            return game
        due = game.due[0]
        if due.kind in FEARS:
            return resolve(replace(game, due=(replace(due, value=6), *game.due[1:])), 1)
        return replace(game, due=game.due[1:])

    def title(self, game: MatchRoads) -> Said:
        if not game.due:
            return SILENCE
        due = game.due[0]
        who = due.figure or due.side
        if may_ignore_fear(game, due):
            return said("{figure} causes fear and ignores the {kind}", figure=who, kind=TEST_WORDS[due.kind])
        return said("{figure} is in frenzy and ignores the {kind}", figure=who, kind=TEST_WORDS[due.kind])


class Withdraw(Step[MatchRoads], frozen=True, kw_only=True, tag="withdraw"):
    """A side with a rout test due gives up instead (C3)."""

    rule = WITHDRAWAL

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if game.find_open() == "test" and game.due[0].kind == "rout":
            side = game.due[0].side
            yield cls.prompt(said("{side} withdraw", side=side), side=side)

    def side(self, game: MatchRoads) -> str | None:
        return game.active

    def check(self, game: MatchRoads) -> None:
        is_due = bool(game.due) and game.due[0].kind == "rout"
        require(is_due, said("a side may withdraw only when its rout test is due"), WITHDRAWAL)

    def apply(self, game: MatchRoads) -> MatchRoads:
        side = game.due[0].side if game.due else str(game.active)
        return rout(game, side, said("{side} withdraw", side=side))

    def title(self, game: MatchRoads) -> Said:
        return said("{side} withdraw", side=game.due[0].side if game.due else str(game.active))

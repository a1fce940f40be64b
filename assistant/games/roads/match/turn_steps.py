"""Turns, their phases, and the tests that are due (rules C3)."""

from __future__ import annotations

from typing import Annotated, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from assistant.games.roads.match.duel import list_unfought
from assistant.games.roads.match.marks import RAGING
from assistant.games.roads.match.pending import FEARS, TEST_WORDS
from assistant.games.roads.match.pending_tests import begin_turn, resolve
from assistant.games.roads.match.psychology import (
    find_bound_to_charge,
    find_bound_to_shuffle,
    find_charge_targets,
    list_escapes,
    may_ignore_fear,
)
from assistant.games.roads.match.state import (
    PHASE_WORDS,
    PHASES,
    MatchRoads,
    PhaseRoads,
    require_nothing_open,
    rout,
)
from assistant.games.roads.rules.check_reasons import FREE_HITS, FRENZY, MANY_SIDED, STUPIDITY, WITHDRAWAL
from assistant.games.roads.rules.reasons import DRAWN_IN
from assistant.match.chance import Chance
from assistant.match.game import ShownDie, Step, require
from assistant.translations.messages import SILENCE, Said, named, said

DieFace = Annotated[int, Meta(ge=1, le=6)]


class BeginSkirmish(Step[MatchRoads], frozen=True, kw_only=True, tag="begin"):
    """The skirmish begins with the first side."""

    def check(self, game: MatchRoads) -> None:
        """It must not have begun."""
        require(game.phase == "setup", said("the skirmish has begun already"))

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game at the first side's turn."""
        return begin_turn(game, game.setup.sides[0])

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("The skirmish begins with {side}", side=game.setup.sides[0])


class Test(Step[MatchRoads], frozen=True, kw_only=True, tag="test"):
    """The first test (or roll) that is due: a D6 of the program, or one that is typed in.

    ``kind`` and ``figure`` are filled in by the program, so that the log can be read.
    """

    __test__ = False  # the word means a test of the game's; pytest need not collect it

    reveals = True
    rolled_here: bool = True
    roll: DieFace = 1
    kind: str = ""
    figure: str | None = None

    def side(self, game: MatchRoads) -> str | None:
        """Whose test it is."""
        return game.due[0].side if game.due else None

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        """The step with its die, unless that is typed."""
        if not game.due:
            return self
        due, roll = game.due[0], chance.die() if self.rolled_here else self.roll
        return replace(self, roll=roll, kind=due.kind, figure=due.figure)

    def check(self, game: MatchRoads) -> None:
        """A test must be due, and hits on that model be worked out before."""
        require(bool(game.due), said("no test is due now"))
        waiting = [hit.by for hit in game.hits if hit.figure == game.due[0].figure]
        require(not waiting, said("work out the hits on {figure} first", figure=game.due[0].figure), FREE_HITS)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with what follows."""
        return resolve(game, self.roll) if game.due else game

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        if not game.due:
            return SILENCE
        due = game.due[0]
        who, kind = due.figure or due.side, TEST_WORDS[due.kind]
        if due.value is None:
            return said("{kind} of {who}: {roll}", kind=kind, who=who, roll=self.roll)
        return said("{kind} of {who}: {roll} against {value}", kind=kind, who=who, roll=self.roll, value=due.value)

    def dice_shown(self, game: MatchRoads) -> tuple[ShownDie, ...]:
        """The die of the test."""
        return (ShownDie(str(self.roll)),)


class Waive(Step[MatchRoads], frozen=True, kw_only=True, tag="waive"):
    """A model ignores the test that is due: in frenzy with an enemy in charge range, or fear if it causes fear (C3).

    Where the program knows the charge range, models in frenzy are not asked for such tests at all.
    """

    def side(self, game: MatchRoads) -> str | None:
        """Whose test it is."""
        return game.due[0].side if game.due else None

    def check(self, game: MatchRoads) -> None:
        """The test must be one of a model that is in frenzy."""
        require(bool(game.due), said("no test is due now"))
        due = game.due[0]
        if due.figure is not None and may_ignore_fear(game, due):
            return
        raging = due.figure is not None and RAGING in game.piece(due.figure).marks
        require(raging, said("only a model in frenzy ignores its tests"), FRENZY)
        near = None if due.figure is None else find_charge_targets(game, due.figure)
        told = said("{figure} has no enemy in charge range, so its frenzy ignores nothing", figure=due.figure)
        require(near is None or bool(near), told, FRENZY)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game without that test."""
        if not game.due:
            return game
        due = game.due[0]
        if due.kind in FEARS:
            return resolve(replace(game, due=(replace(due, value=6), *game.due[1:])), 1)
        return replace(game, due=game.due[1:])

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        if not game.due:
            return SILENCE
        due = game.due[0]
        who = due.figure or due.side
        if may_ignore_fear(game, due):
            return said("{figure} causes fear and ignores the {kind}", figure=who, kind=TEST_WORDS[due.kind])
        return said("{figure} is in frenzy and ignores the {kind}", figure=who, kind=TEST_WORDS[due.kind])


class Withdraw(Step[MatchRoads], frozen=True, kw_only=True, tag="withdraw"):
    """A side that has to take a rout test gives up instead (C3)."""

    def side(self, game: MatchRoads) -> str | None:
        """Whose turn it is."""
        return game.active

    def check(self, game: MatchRoads) -> None:
        """A rout test must be due."""
        require(_is_rout_due(game), said("a side may withdraw only when its rout test is due"), WITHDRAWAL)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game lost by that side."""
        side = game.due[0].side if game.due else str(game.active)
        return rout(game, side, said("{side} withdraw", side=side))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{side} withdraw", side=game.due[0].side if game.due else str(game.active))


def _is_rout_due(game: MatchRoads) -> bool:
    return bool(game.due) and game.due[0].kind == "rout"


class NextPhase(Step[MatchRoads], frozen=True, kw_only=True, tag="next"):
    """The next phase of the turn; after melee the tests of who fights alone, then the other side's turn."""

    def side(self, game: MatchRoads) -> str | None:
        """Whose turn it is."""
        return game.active

    def check(self, game: MatchRoads) -> None:
        """Nothing may be open."""
        require(game.phase != "setup", said("begin the skirmish first"))
        require_nothing_open(game)
        require(
            not game.to_draw_in,
            said("{to_draw_in} must be drawn into the melee, or stay out of it", to_draw_in=named(game.to_draw_in)),
            DRAWN_IN,
        )
        bound = find_bound_to_charge(game) if game.phase == "move" else ()
        require(
            not bound, said("{bound}: in frenzy with an enemy in charge range, must charge", bound=named(bound)), FRENZY
        )
        unfought = list_unfought(game) if game.phase == "melee" else ()
        pair = named(unfought[0]) if unfought else SILENCE
        told = said("{pair}: in a fight of several everybody fights every enemy whom he touches", pair=pair)
        require(not unfought, told, MANY_SIDED)
        slow = find_bound_to_shuffle(game) if game.phase == "move" else ()
        told = said("{slow}: failed the test of stupidity, must shuffle on until something stops it", slow=named(slow))
        require(not slow, told, STUPIDITY)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game in the next phase."""
        if game.phase != "melee":
            return _enter_phase(game, PHASES[PHASES.index(game.phase) + 1])
        assert game.active is not None
        if not game.escapes_asked:
            game = replace(game, escapes_asked=True, due=list_escapes(game, game.active))
            if game.due:
                return game
        sides = game.setup.sides
        return begin_turn(game, sides[(sides.index(game.active) + 1) % len(sides)])

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{side}: {phase} is over", side=str(game.active), phase=PHASE_WORDS[game.phase])


def _enter_phase(game: MatchRoads, phase: PhaseRoads) -> MatchRoads:
    game = replace(game, phase=phase, reaction=None)
    if phase != "melee":
        return game
    distances = game.distances()
    return game if distances is None else replace(game, to_draw_in=distances.drawn_in())


STEPS: tuple[type[Struct], ...] = (BeginSkirmish, Test, Waive, Withdraw, NextPhase)

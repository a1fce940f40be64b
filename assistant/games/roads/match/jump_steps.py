"""Climbs and jumps (“Особые маневры”, rules C4): the tests they take and where they may end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace as moved
from fractions import Fraction
from typing import Annotated, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from assistant.games.roads.match.model_steps import ModelStep
from assistant.games.roads.match.movement import (
    find_watchers,
    movement_left,
    require_first_in_phase,
    require_free_of_frenzy,
    require_free_to_jump,
    require_no_contact,
    require_untouched,
    reveal,
    set_out,
    take_off,
    word_steps,
)
from assistant.games.roads.match.pending import Leaping, Moving, PendingTest
from assistant.games.roads.match.psychology import find_bound_to_charge
from assistant.games.roads.match.setup import Steps
from assistant.games.roads.match.state import Mark, MatchRoads
from assistant.games.roads.rules.checks import (
    GAP_LIMIT_STEPS,
    JUMP_DOWN_LIMIT_STEPS,
    climb_steps,
    count_fall_dice,
    count_jump_tests,
)
from assistant.games.roads.rules.movement import exact, is_within
from assistant.games.roads.rules.reasons import CLIMB, GAP, JUMP_ATTACK, JUMP_DOWN, LEAP
from assistant.match.asks import Ask, Asks, Draft, ask_number, ask_thing
from assistant.match.chance import Chance
from assistant.match.game import Name, PointMm, Prompt, require
from assistant.rules.reasons import Rule
from assistant.translations.messages import Said, message, said

MANOEUVRES = Rule(
    "roads/manoeuvres",
    message("source 003, “Особые маневры”"),
    message("Climbing, jumping and leaping cost movement and tests of Mobility."),
)

JUMP_ATTACK_STEPS = 1
"""Reach of an attack out of a jump, from the landing."""

Kind = Literal["climb", "descend", "gap", "down", "leap"]


def _ask_kind(draft: Draft[MatchRoads]) -> Ask:
    picks: tuple[tuple[Kind, Said], ...] = (
        ("climb", said("climbs up")),
        ("descend", said("climbs down")),
        ("gap", said("jumps over a gap")),
        ("down", said("jumps down")),
        ("leap", said("makes a giant leap")),
    )
    return ask_thing("kind", said("How?"), picks)


def _ask_steps(draft: Draft[MatchRoads]) -> Ask:
    return ask_number("steps", said("How many steps high or wide?"), range(1, 6))


class Manoeuvre(ModelStep, frozen=True, kw_only=True, tag="manoeuvre"):
    """A climb, a jump over a gap, a jump down or a giant leap; Mobility tests then decide (C4).

    Args:
        kind: which of them.
        steps: the height of a climb or a jump down, or the width of a jump.
        height: the whole height of a climb that takes more than this turn.
        fall_steps: the depth of a gap, or of a giant leap's way down from its highest point.
        rise: the height of a giant leap's highest point above its start.
        left: the movement left before a gap; the program fills it in where it knows the lengths.
        terrain: what it climbs, by its name on the table.
        center_mm: the landing.
        target: the enemy it attacks out of the jump.
        is_watched: whether an enemy on overwatch may shoot; filled in.
    """

    rule = MANOEUVRES
    label = said("Climb or jump")
    filled_later = frozenset({"left"})
    kind: Annotated[Kind, Asks(_ask_kind)]
    steps: Annotated[float, Meta(gt=0, le=20), Asks(_ask_steps)] = 1
    height: Steps | None = None
    fall_steps: Steps = 0
    rise: Steps = 0
    left: Steps | None = None
    terrain: Name | None = None
    center_mm: PointMm | None = None
    target: Name | None = None
    is_watched: bool = False

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        """The smallest manoeuvre stands for all; a model that must charge may do so out of a jump."""
        if game.is_free_in("move") and (find_bound_to_charge(game) or cls.is_open_to_some(game, kind="gap")):
            yield cls.prompt(side=game.active)

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        left = movement_left(game, self.figure) if self.kind == "gap" and self.left is None else self.left
        return replace(self, is_watched=bool(find_watchers(game, self.figure)), left=left)

    def check(self, game: MatchRoads) -> None:
        super().check(game)
        require(game.phase == "move", said("models climb and jump in the movement phase"))
        require_free_to_jump(game, self.figure)
        if self.target is None:
            require_free_of_frenzy(game, self.figure)
        if self.kind in ("climb", "descend"):
            self._check_climb(game)
        steps = word_steps(self.steps)
        if self.kind == "gap":
            require(self.steps <= GAP_LIMIT_STEPS, said("a gap of {steps} is too wide", steps=steps), GAP)
        if self.kind == "down":
            require(self.steps <= JUMP_DOWN_LIMIT_STEPS, said("nobody jumps down {steps}", steps=steps), JUMP_DOWN)
        if self.kind == "leap":
            self._check_leap(game)
        self._check_attack(game)

    def apply(self, game: MatchRoads) -> MatchRoads:
        piece = game.piece(self.figure)
        dice = count_fall_dice(Fraction(str(self._drop())), game.rules.options)
        if self.kind == "gap" and self.left is not None and self.left < self.steps:
            fall = PendingTest(kind="fall", side=piece.side, figure=piece.id, steps=dice)
            return game.with_piece(reveal(piece).marked(Mark.FALLEN)).first_due(*(fall,) * bool(dice))
        leaping = Leaping(
            figure=self.figure,
            kind=self.kind,
            steps=self.steps,
            tests=self._count_tests(),
            dice=dice,
            center_mm=self.center_mm,
            target=self.target,
        )
        game = replace(game, leaping=leaping)
        if not self.is_watched:
            return take_off(game)
        path = () if self.center_mm is None else (self.center_mm,)
        return set_out(game, Moving(figure=self.figure, how="leap", path=path), is_watched=True)

    def title(self, game: MatchRoads) -> Said:
        figure, steps = self.figure, word_steps(self.steps)
        titles: Mapping[Kind, Said] = {
            "climb": said("{figure} climbs {steps}", figure=figure, steps=steps),
            "descend": said("{figure} climbs down {steps}", figure=figure, steps=steps),
            "gap": said("{figure} jumps over a gap of {steps}", figure=figure, steps=steps),
            "down": said("{figure} jumps down {steps}", figure=figure, steps=steps),
            "leap": said("{figure} makes a giant leap of {steps}", figure=figure, steps=steps),
        }
        return titles[self.kind]

    def _count_tests(self) -> int:
        return count_jump_tests(Fraction(str(self._drop()))) if self.kind in ("down", "leap") else 1

    def _drop(self) -> float:
        """The depth of a fall after a failure, in steps."""
        return {"climb": 0.0, "descend": self.steps, "down": self.steps}.get(self.kind, self.fall_steps)

    def _check_attack(self, game: MatchRoads) -> None:
        if self.target is None:
            require_no_contact(game, self.figure, self.center_mm)
            return
        enemy, own = game.piece(self.target), game.piece(self.figure)
        require(self.kind in ("down", "leap"), said("an attack comes out of a jump down or a giant leap"), JUMP_ATTACK)
        require(
            enemy.on_table and enemy.side != own.side, said("{target} is not an enemy on the table", target=enemy.id)
        )
        require_untouched(game, own.id, enemy.id)
        distances = game.distances()
        if distances is None or not {own.id, enemy.id} <= set(distances.table.figure_by_id):
            return
        figure = distances.table.figure(own.id)
        landed = figure if self.center_mm is None else moved(figure, center_mm=exact(self.center_mm))
        near = distances.is_within(landed, distances.table.figure(enemy.id), JUMP_ATTACK_STEPS)
        require(near, said("{target} is not within a step of the landing", target=enemy.id), JUMP_ATTACK)

    def _check_climb(self, game: MatchRoads) -> None:
        fighter, options = game.fighter(self.figure), game.rules.options
        height = Fraction(str(self.steps if self.height is None else max(self.height, self.steps)))
        require(fighter.climbs, said("{figure} does not climb", figure=self.figure), CLIMB)
        require_first_in_phase(game, self.figure)
        most = fighter.mobility
        too_high = said("{figure} cannot climb higher than {mobility} steps", figure=self.figure, mobility=most)
        require(height <= most, too_high, CLIMB)
        limit = climb_steps(most, most, options) - Fraction(str(game.climbed.get(self.figure, 0)))
        too_far = said("{figure} climbs at most {limit} more this turn", figure=self.figure, limit=word_steps(limit))
        require(Fraction(str(self.steps)) <= limit, too_far, CLIMB)
        table = game.table()
        if table is None or self.terrain is None or self.figure not in table.figure_by_id:
            return
        piece = next((piece for piece in table.terrain if piece.id == self.terrain), None)
        touches = piece is not None and is_within(table.figure(self.figure), piece, 0)
        names = {"figure": self.figure, "terrain": self.terrain}
        require(touches, said("{figure} does not touch {terrain}; a climb starts in contact", **names), CLIMB)

    def _check_leap(self, game: MatchRoads) -> None:
        most = game.fighter(self.figure).leap
        require(most > 0, said("{figure} is not able to make a giant leap", figure=self.figure), LEAP)
        # “Высота скачка входит в его дистанцию”: up and across together.
        length = Fraction(str(self.steps)) + Fraction(str(self.rise))
        refusal = said("{figure} leaps at most {most}, including the height", figure=self.figure, most=word_steps(most))
        require(length <= most, refusal, LEAP)

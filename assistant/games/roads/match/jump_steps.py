"""Climbs and jumps (“Особые маневры”, rules C4): their tests and possible ends."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace as moved
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple, Self

from msgspec import Meta
from msgspec.structs import replace

from assistant.games.roads.match.model_steps import ModelStep
from assistant.games.roads.match.movement import (
    count_movement,
    find_leap_left,
    find_watchers,
    halt,
    movement_left,
    require_first_in_phase,
    require_free_of_frenzy,
    require_free_to_jump,
    require_left,
    require_length,
    require_no_contact,
    require_room,
    require_untouched,
    reveal,
    set_out,
    take_off,
    word_steps,
)
from assistant.games.roads.match.pending import Leaping, Moving, PendingTest
from assistant.games.roads.match.psychology import find_bound_to_charge
from assistant.games.roads.match.setup import Steps
from assistant.games.roads.match.state import FigureStep, Mark, MatchRoads, require_nothing_due
from assistant.games.roads.rules.checks import (
    GAP_LIMIT_STEPS,
    JUMP_DOWN_LIMIT_STEPS,
    climb_steps,
    count_fall_dice,
    count_jump_tests,
)
from assistant.games.roads.rules.movement import (
    MEASURED_MM,
    exact,
    find_highest,
    find_top_mm,
    is_within,
    measure_gap,
)
from assistant.games.roads.rules.reasons import CLIMB, FALL, GAP, JUMP_ATTACK, JUMP_DOWN, LEAP
from assistant.match.asks import Ask, Asks, Draft, ask_number, ask_thing
from assistant.match.chance import Chance
from assistant.match.game import Name, PointMm, Prompt, require
from assistant.rules.reasons import Rule
from assistant.table.free_table import FreeFigure
from assistant.translations.messages import Said, message, said

MANOEUVRES = Rule(
    "roads/manoeuvres",
    message("rules, “Особые маневры”"),
    message("Climbing, jumping and leaping cost movement and tests of Mobility."),
)

JUMP_ATTACK_STEPS = 1
"""Reach of an attack out of a jump, from the landing."""

JumpSteps = Annotated[float, Meta(gt=0, le=100)]
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
        kind: the kind of manoeuvre.
        steps: the height of a climb or a jump down, or the length of a jump; by default the program measures it.
        height: the whole height of a climb that takes more than this turn, or the starting height of a descent.
        fall_steps: the depth of a gap, or of a giant leap's fall if it exceeds the rise.
        rise: the height of a giant leap's highest point above its start.
        up: the height of a giant leap's landing above its start.
        left: the remaining movement before a gap; the program fills it in if it knows the lengths.
        terrain: the climbed piece by its name on the table; filled in if the model touches only one.
        center_mm: the landing.
        target: the target of an attack out of the jump.
        is_watched: whether an enemy on overwatch may shoot; filled in.
    """

    rule = MANOEUVRES
    label = said("Climb or jump")
    filled_later = frozenset({"left", "steps", "terrain"})
    kind: Annotated[Kind, Asks(_ask_kind)]
    steps: Annotated[JumpSteps | None, Asks(_ask_steps)] = None
    height: Steps | None = None
    fall_steps: Steps = 0
    rise: Steps = 0
    up: Steps = 0
    left: Steps | None = None
    terrain: Name | None = None
    center_mm: PointMm | None = None
    target: Name | None = None
    is_watched: bool = False

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        """Yield one prompt. The smallest manoeuvre stands for all. A model bound to charge may do so out of a jump."""
        if game.is_free_in("move") and (find_bound_to_charge(game) or cls.is_open_to_some(game, kind="gap")):
            yield cls.prompt(side=game.active)

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        known = movement_left(game, self.figure) if self.kind == "gap" else None
        left = self.left if known is None else min(known, known if self.left is None else self.left)
        step = replace(self, is_watched=bool(find_watchers(game, self.figure)), left=left)
        if self.kind in ("climb", "descend") and self.terrain is None:
            touched = list_climbable(game, self.figure)
            step = replace(step, terrain=touched[0] if len(touched) == 1 else None)
        return replace(step, steps=step._find_steps(game)) if self.steps is None else step

    @property
    def went(self) -> float:
        """Its steps; one while they are neither stated nor measured."""
        return 1.0 if self.steps is None else self.steps

    def _find_steps(self, game: MatchRoads) -> float:
        """Return its height or length from the table, or one step."""
        ground, distances = _Ground.of(game, self), game.distances()
        if self.kind in ("gap", "leap"):
            if self.center_mm is None or distances is None or self.figure not in distances.table.figure_by_id:
                return 1.0
            start = distances.table.figure(self.figure).center_mm
            return math.dist(start, self.center_mm) / float(distances.step_mm) * _UP or 1.0
        shown = {"down": ground.fall_steps, "descend": ground.start_steps}.get(self.kind, ground.wall_steps)
        return float(shown) or 1.0

    def check(self, game: MatchRoads) -> None:
        super().check(game)
        require(game.phase == "move", said("models climb and jump in the movement phase"))
        require_free_to_jump(game, self.figure)
        if self.target is None:
            require_free_of_frenzy(game, self.figure)
        if self.kind in ("climb", "descend"):
            self._check_climb(game)
        steps = word_steps(self.went)
        if self.kind == "gap":
            require(self.went <= GAP_LIMIT_STEPS, said("a gap of {steps} is too wide", steps=steps), GAP)
        if self.kind == "down":
            require(self.went <= JUMP_DOWN_LIMIT_STEPS, said("nobody jumps down {steps}", steps=steps), JUMP_DOWN)
        if self.kind == "leap":
            self._check_leap(game)
        self._check_attack(game)
        self._check_place(game)

    def apply(self, game: MatchRoads) -> MatchRoads:
        piece = game.piece(self.figure)
        dice = count_fall_dice(self._drop(game), game.rules.options)
        if self.kind == "gap" and self.left is not None and self.left < self.went:
            fall = PendingTest(kind="fall", side=piece.side, figure=piece.id, steps=dice)
            return game.with_piece(reveal(piece).marked(Mark.FALLEN)).first_due(*(fall,) * bool(dice))
        leaping = Leaping(
            figure=self.figure,
            kind=self.kind,
            steps=self.went,
            rise=self.rise,
            tests=self._count_tests(game),
            dice=dice,
            center_mm=self.center_mm,
            elevation_mm=self._find_height(game),
            target=self.target,
        )
        game = replace(game, leaping=leaping)
        if not self.is_watched:
            return take_off(game)
        path = () if self.center_mm is None else (self.center_mm,)
        return set_out(game, Moving(figure=self.figure, how="leap", path=path), is_watched=True)

    def title(self, game: MatchRoads) -> Said:
        figure, steps = self.figure, word_steps(self.went)
        titles: Mapping[Kind, Said] = {
            "climb": said("{figure} climbs {steps}", figure=figure, steps=steps),
            "descend": said("{figure} climbs down {steps}", figure=figure, steps=steps),
            "gap": said("{figure} jumps over a gap of {steps}", figure=figure, steps=steps),
            "down": said("{figure} jumps down {steps}", figure=figure, steps=steps),
            "leap": said("{figure} makes a giant leap of {steps}", figure=figure, steps=steps),
        }
        return titles[self.kind]

    def _count_tests(self, game: MatchRoads) -> int:
        return count_jump_tests(self._drop(game)) if self.kind in ("down", "leap") else 1

    def _drop(self, game: MatchRoads) -> Fraction:
        """Return the depth of a fall after a failure, in steps; at least the depth on the table.

        A failed descent falls «с того места, где начинал движение», a giant leap from its highest point (seed 003).
        """
        ground = _Ground.of(game, self)
        stated = Fraction(str(self.fall_steps))
        if self.kind == "climb":
            return Fraction(0)
        if self.kind in ("descend", "down"):
            hung = self.went if self.height is None or self.kind == "down" else max(self.height, self.went)
            return max(Fraction(str(hung)), ground.start_steps if self.kind == "descend" else Fraction(0))
        if self.kind == "leap":
            return max(stated, Fraction(str(self.rise)) - max(Fraction(str(self.up)), ground.landing_rise_steps))
        return max(stated, ground.gap_depth_steps)

    def _find_height(self, game: MatchRoads) -> float | None:
        """Return the height of its end over the table; None if the table shows no heights."""
        distances = game.distances()
        if distances is None or self.figure not in distances.table.figure_by_id:
            return None
        start_mm, step_mm = distances.table.figure(self.figure).elevation_mm, distances.step_mm
        end_mm = None if self.center_mm is None else find_top_mm(distances.table, exact(self.center_mm))
        went_mm = Fraction(str(self.went)) * step_mm
        if self.kind == "climb":
            return None if self.terrain is None else float(start_mm + went_mm)
        if self.kind == "leap":
            return float(end_mm) if end_mm is not None and (start_mm or end_mm) else None
        if self.kind in ("descend", "down") and start_mm:
            return float(max(end_mm or Fraction(0), start_mm - went_mm))
        return None

    def _check_place(self, game: MatchRoads) -> None:
        """Check the landing against the limits: its steps, the gap, the terrain on the way."""
        if self.center_mm is None:
            return
        ground = _Ground.of(game, self)
        limits: dict[Kind, float] = {"leap": self.went, "gap": self.went}
        aside_steps = ground.reach_steps
        aside = None
        if self.kind not in limits and aside_steps is not None:
            steps = word_steps(Fraction(str(aside_steps)))
            aside = said("the house lets {figure} end at most {steps} to the side", figure=self.figure, steps=steps)
        require_length(game, self.figure, (self.center_mm,), limits.get(self.kind, aside_steps), self._rule(), aside)
        require_left(game, self.figure, self.center_mm)
        require_room(game, self.figure, self.center_mm, self._find_height(game), self.target)
        if self.kind == "gap":
            wide = said("the gap is {steps} wide on this way", steps=word_steps(ground.gap_steps))
            require(ground.gap_steps <= Fraction(str(self.went)) + ground.measured_steps, wide, GAP)
        if self.kind == "down":
            deep = said("{figure} jumps down {steps} there", figure=self.figure, steps=word_steps(ground.fall_steps))
            require(ground.fall_steps <= Fraction(str(self.went)) + ground.measured_steps, deep, JUMP_DOWN)
        if self.kind == "leap":
            need = ground.top_steps
            high = said("a leap over {terrain} rises {steps}", terrain=ground.top_name, steps=word_steps(need))
            require(need <= Fraction(str(self.rise)) + ground.measured_steps, high, LEAP)

    def _rule(self) -> Rule:
        rules: Mapping[Kind, Rule] = {"climb": CLIMB, "descend": CLIMB, "gap": GAP, "down": JUMP_DOWN, "leap": LEAP}
        return rules[self.kind]

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
        whole = self.went if self.height is None else max(self.height, self.went)
        height = max(Fraction(str(whole)), _Ground.of(game, self).wall_steps)
        require(fighter.climbs, said("{figure} does not climb", figure=self.figure), CLIMB)
        require_first_in_phase(game, self.figure)
        most = fighter.mobility
        too_high = said("{figure} cannot climb higher than {mobility} steps", figure=self.figure, mobility=most)
        require(height <= most, too_high, CLIMB)
        limit = climb_steps(most, most, options) - Fraction(str(game.climbed.get(self.figure, 0)))
        too_far = said("{figure} climbs at most {limit} more this turn", figure=self.figure, limit=word_steps(limit))
        require(Fraction(str(self.went)) <= limit, too_far, CLIMB)
        table = game.table()
        if table is None or self.figure not in table.figure_by_id:
            return
        bare = said("{figure} touches nothing that it could climb; a climb starts in contact", figure=self.figure)
        require(not table.terrain or bool(self.terrain or list_climbable(game, self.figure)), bare, CLIMB)
        if self.terrain is None:
            return
        piece = next((piece for piece in table.terrain if piece.id == self.terrain), None)
        touches = piece is not None and is_within(table.figure(self.figure), piece, MEASURED_MM)
        names = {"figure": self.figure, "terrain": self.terrain}
        require(touches, said("{figure} does not touch {terrain}; a climb starts in contact", **names), CLIMB)
        ground = _Ground.of(game, self)
        over = said("{terrain} is {steps} high from there", terrain=self.terrain, steps=word_steps(ground.wall_steps))
        rises = Fraction(str(self.went)) <= ground.wall_steps + ground.measured_steps
        require(self.kind == "descend" or rises, over, CLIMB)

    def _check_leap(self, game: MatchRoads) -> None:
        able, most = game.fighter(self.figure).leap, find_leap_left(game, self.figure)
        require(able > 0, said("{figure} is not able to make a giant leap", figure=self.figure), LEAP)
        done = said("{figure} has leapt as far as it can this turn", figure=self.figure)
        require(most > 0, done, LEAP)
        # “Высота скачка входит в его дистанцию”: up and across together.
        length = Fraction(str(self.went)) + Fraction(str(self.rise))
        refusal = said("{figure} leaps at most {most}, including the height", figure=self.figure, most=word_steps(most))
        require(length <= most, refusal, LEAP)
        left = movement_left(game, self.figure) if count_movement(game, "leap") else None
        short = said(
            "{figure} has {steps} of movement left; the house counts leaps",
            figure=self.figure,
            steps=word_steps(left or 0),
        )
        require(left is None or self.went <= left, short, LEAP)


def list_climbable(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """Return the pieces of terrain with a height that a model touches; none while no table is known."""
    table = game.table()
    if table is None or figure not in table.figure_by_id:
        return ()
    own = table.figure(figure)
    pieces = (piece for piece in table.terrain if piece.kind != "gap" and piece.height_mm > 0)
    return tuple(piece.id for piece in pieces if is_within(own, piece, MEASURED_MM))


def find_jump_reach(game: MatchRoads, figure: FreeFigure) -> float | None:
    """Return how many steps to the side a climb or a jump down may end; None if people decide."""
    distances = game.distances()
    choice = game.rules.options["jump_reach"]
    if distances is None or choice == "people":
        return None
    base_steps = 2 * figure.reach_mm / float(distances.step_mm)
    return max(1.0, base_steps) if choice == "step" else base_steps


_UP = 1 + 1e-9
"""Factor that keeps a measured length on the right side of an exact comparison."""


class _Ground(NamedTuple):
    """The table's measures for a climb or a jump, in steps; 0 if the table shows none.

    With a height of 0, the players state the height.
    """

    measured_steps: Fraction = Fraction(0)
    reach_steps: float | None = None
    """Limit to the side for the end of a climb or a jump down."""
    start_steps: Fraction = Fraction(0)
    fall_steps: Fraction = Fraction(0)
    landing_rise_steps: Fraction = Fraction(0)
    gap_steps: Fraction = Fraction(0)
    gap_depth_steps: Fraction = Fraction(0)
    wall_steps: Fraction = Fraction(0)
    """The rest of the climbed wall."""
    top_steps: Fraction = Fraction(0)
    top_name: str = ""
    """The name of the highest terrain on the way, above the start."""

    @classmethod
    def of(cls, game: MatchRoads, step: Manoeuvre) -> _Ground:
        distances = game.distances()
        if distances is None or step.figure not in distances.table.figure_by_id:
            return cls()
        figure, step_mm = distances.table.figure(step.figure), distances.step_mm
        start_mm = figure.elevation_mm
        wall = next((piece for piece in distances.table.terrain if piece.id == step.terrain), None)
        found = cls(
            measured_steps=MEASURED_MM / step_mm,
            reach_steps=find_jump_reach(game, figure),
            start_steps=start_mm / step_mm,
            wall_steps=Fraction(0) if wall is None else max(Fraction(0), wall.height_mm - start_mm) / step_mm,
        )
        if step.center_mm is None:
            return found
        end = exact(step.center_mm)
        end_mm = find_top_mm(distances.table, end)
        crossed = find_highest(distances.table, figure.center_mm, end)
        gap = measure_gap(distances, figure, end)
        return found._replace(
            fall_steps=max(Fraction(0), start_mm - end_mm) / step_mm,
            landing_rise_steps=(end_mm - start_mm) / step_mm,
            gap_steps=Fraction(0) if gap is None else gap.width_steps,
            gap_depth_steps=Fraction(0) if gap is None else gap.depth_steps,
            top_steps=Fraction(0) if crossed is None else (crossed.height_mm - start_mm) / step_mm,
            top_name="" if crossed is None else crossed.id,
        )


class Fall(FigureStep, frozen=True, kw_only=True, tag="fall"):
    """A model falls without a jump of its own: over an edge in a shuffle, or from a push."""

    rule = FALL
    label = said("A model falls")
    steps: Annotated[JumpSteps, Asks(_ask_steps)]

    def check(self, game: MatchRoads) -> None:
        require_nothing_due(game)
        require(game.phase != "setup", said("begin the skirmish first"))
        require(game.piece(self.figure).on_table, said("{figure} is out", figure=self.figure))

    def apply(self, game: MatchRoads) -> MatchRoads:
        game = halt(game, self.figure)
        piece = game.piece(self.figure)
        dice = count_fall_dice(Fraction(str(self.steps)), game.rules.options)
        fall = PendingTest(kind="fall", side=piece.side, figure=piece.id, steps=dice)
        return game.with_piece(reveal(piece).marked(Mark.FALLEN)).first_due(*(fall,) * bool(dice))

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} falls {steps}", figure=self.figure, steps=word_steps(self.steps))

    def silent_rule(self, game: MatchRoads) -> Rule | None:
        return FALL

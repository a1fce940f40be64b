"""What one model does in its turn: watch, move, charge, crawl, hide, and finish a watched move (rules C3 to C5)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from assistant.games.roads.match.movement import (
    arrive,
    find_watchers,
    require_free_of_frenzy,
    require_free_to_move,
    require_length,
    require_no_contact,
    require_not_stupid,
    require_shuffle,
    require_untouched,
    reveal,
    set_out,
    set_out_to_charge,
    steps_left,
    take_off_after_watch,
)
from assistant.games.roads.match.pending import Charging, Moving
from assistant.games.roads.match.psychology import find_bound_to_charge, list_fears
from assistant.games.roads.match.state import (
    FigureStep,
    Mark,
    MatchRoads,
    require_able,
    require_nothing_due,
    require_nothing_open,
)
from assistant.games.roads.rules.movement import (
    TAKE_COVER_STEPS,
    exact,
    find_contact_place,
    is_farther,
    is_within,
    touches_at,
)
from assistant.games.roads.rules.reasons import (
    CAMOUFLAGE,
    CHARGE,
    CLIMB,
    CRAWL,
    FALL,
    FRENZY,
    STUPIDITY,
    TAKE_COVER,
    WATCH,
)
from assistant.match.chance import Chance
from assistant.match.game import Name, PointMm, Step, require
from assistant.translations.messages import Said, named, said

CRAWL_STEPS = 1
Path = Annotated[tuple[PointMm, ...], Meta(max_length=40)]


class ModelStep(FigureStep, frozen=True, kw_only=True):
    """A step of one model in its side's turn."""

    def check(self, game: MatchRoads) -> None:
        piece = game.piece(self.figure)
        require(game.active == piece.side, said("it is the turn of {side}", side=game.active))
        require_nothing_open(game)
        require_able(game, self.figure)
        watches = said("{figure} is on overwatch and does nothing else this turn", figure=self.figure)
        require(Mark.WATCH not in piece.marks, watches, WATCH)
        # «Если боец залег, то он больше не может производить больше никаких действий до конца этого хода…» (seed 003)
        lies = said("{figure} lies in cover and only shoots this turn", figure=self.figure)
        require(Mark.PRONE not in piece.marks, lies, TAKE_COVER)


class Watch(ModelStep, frozen=True, kw_only=True, tag="watch"):
    """A model on foot gives up its turn for overwatch (C5)."""

    def check(self, game: MatchRoads) -> None:
        super().check(game)
        require(game.phase == "start", said("overwatch is declared at the start of the turn"), WATCH)
        require_not_stupid(game, self.figure)
        require(game.fighter(self.figure).on_foot, said("only models on foot go on overwatch"), WATCH)
        require(not game.opponents_of(self.figure), said("{figure} is fighting", figure=self.figure), WATCH)
        require_free_of_frenzy(game, self.figure)

    def apply(self, game: MatchRoads) -> MatchRoads:
        return game.with_piece(game.piece(self.figure).marked(Mark.WATCH))

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} goes on overwatch", figure=self.figure)


class MoveModel(ModelStep, frozen=True, kw_only=True, tag="move"):
    """A model moves straight to ``center_mm``, or over the places of ``path`` to the last one.

    The known rules lack the lengths of a walk and a run. The program measures those of the set-up; without them people
    measure. With an enemy on overwatch (``is_watched``, filled in) the move stays open until ``go_on``.
    """

    center_mm: PointMm | None = None
    path: Path = ()
    how: Literal["walk", "run"] = "walk"
    is_watched: bool = False

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        return replace(self, is_watched=bool(find_watchers(game, self.figure)))

    def check(self, game: MatchRoads) -> None:
        super().check(game)
        require(game.phase == "move", said("models move in the movement phase"))
        require_free_to_move(game, self.figure)
        require_free_of_frenzy(game, self.figure)
        climbs = said("{figure} climbs this turn and does not run", figure=self.figure)
        require(self.how == "walk" or not game.climbed.get(self.figure), climbs, CLIMB)
        if Mark.DULLED in game.piece(self.figure).marks:
            require_shuffle(game, self.figure, self._way())
        require_no_contact(game, self.figure, self._way()[-1] if self._way() else None)
        fighter = game.fighter(self.figure)
        # A model that ran before a jump still runs after it.
        runs = self.how == "run" or Mark.RAN in game.piece(self.figure).marks
        limit = steps_left(game, self.figure, fighter.run_steps if runs else fighter.walk_steps)
        require_length(game, self.figure, self._way(), limit)

    def apply(self, game: MatchRoads) -> MatchRoads:
        moving = Moving(figure=self.figure, how=self.how, path=self._way())
        return set_out(game, moving, is_watched=self.is_watched)

    def title(self, game: MatchRoads) -> Said:
        if self.how == "run":
            return said("{figure} runs", figure=self.figure)
        return said("{figure} moves", figure=self.figure)

    def _way(self) -> tuple[PointMm, ...]:
        return self.path + (() if self.center_mm is None else (self.center_mm,))


class Charge(ModelStep, frozen=True, kw_only=True, tag="charge"):
    """A model charges an enemy within reach and ends in base contact, after any fear tests (C3).

    Without ``center_mm`` the program moves it straight into contact from the last place of ``path``.
    """

    finds_place = True
    target: Name
    center_mm: PointMm | None = None
    path: Path = ()
    is_watched: bool = False

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        step = replace(self, is_watched=bool(find_watchers(game, self.figure)))
        table = game.table()
        if table is None or self.center_mm is not None or not {self.figure, self.target} <= set(table.figure_by_id):
            return step
        own = table.figure(self.figure)
        start = exact(self.path[-1]) if self.path else own.center_mm
        return replace(step, center_mm=find_contact_place(own, start, table.figure(self.target)))

    def check(self, game: MatchRoads) -> None:
        super().check(game)
        require(game.phase == "move", said("charges are declared in the movement phase"))
        require_free_to_move(game, self.figure)
        piece, target = game.piece(self.figure), game.piece(self.target)
        dull = said("{figure} failed its stupidity test and does not charge", figure=self.figure)
        require(Mark.DULLED not in piece.marks, dull, STUPIDITY)
        is_enemy = target.on_table and target.side != piece.side
        require(is_enemy, said("{target} is no enemy on the table", target=self.target))
        require_untouched(game, self.figure, self.target)
        # A fear test may come first, but the end of the charge must be free before anybody rolls.
        taken = [other.id for other in game.standing() if other.center_mm == self.center_mm is not None]
        refusal = said("{figure} would stand on {taken}; choose another place", figure=self.figure, taken=named(taken))
        require(not set(taken) - {self.figure}, refusal)
        table = game.table()
        if table is None or self.center_mm is None or not {self.figure, self.target} <= set(table.figure_by_id):
            return
        touches = touches_at(table.figure(self.figure), self.center_mm, table.figure(self.target))
        pair = {"figure": self.figure, "target": self.target}
        require(touches, said("a charge ends in contact: {figure} would not touch {target}", **pair), CHARGE)
        limit = steps_left(game, self.figure, game.fighter(self.figure).charge_steps)
        require_length(game, self.figure, (*self.path, self.center_mm), limit, CHARGE)

    def apply(self, game: MatchRoads) -> MatchRoads:
        charge = Charging(
            figure=self.figure,
            target=self.target,
            center_mm=self.center_mm,
            path=self.path,
            is_watched=self.is_watched,
        )
        fears = list_fears(game, self.figure, self.target)
        if not fears:
            return set_out_to_charge(game, charge)
        return replace(game, charging=charge, due=(*fears, *game.due))

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} charges {target}", figure=self.figure, target=self.target)


class GoOn(Step[MatchRoads], frozen=True, kw_only=True, tag="go_on"):
    """A watched model finishes its move: no more shots on overwatch."""

    def check(self, game: MatchRoads) -> None:
        require(game.moving is not None, said("nobody is on the way"))
        require_nothing_due(game)
        require(game.reaction is None, said("a reaction to a shot is open; shoot first"))

    def apply(self, game: MatchRoads) -> MatchRoads:
        if game.moving is None:
            return game
        return take_off_after_watch(game) if game.moving.how == "leap" else arrive(game, game.moving)

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} goes on", figure="" if game.moving is None else game.moving.figure)


class Crawl(FigureStep, frozen=True, kw_only=True, tag="crawl"):
    """A downed model of the larger side crawls a step away from the fighting (“Многосторонние бои”)."""

    center_mm: PointMm | None = None

    def check(self, game: MatchRoads) -> None:
        piece = game.piece(self.figure)
        require_nothing_open(game)
        may_move = game.active == piece.side and game.phase == "move"
        require(may_move, said("a model that is down crawls in its own movement phase"), CRAWL)
        require(Mark.DOWN in piece.marks, said("{figure} is not down", figure=self.figure), CRAWL)
        require(Mark.MOVED not in piece.marks, said("{figure} has moved already", figure=self.figure), CRAWL)
        if not game.ground:
            return
        enemies = game.opponents_of(self.figure)
        larger = any(len(game.opponents_of(enemy)) > 1 for enemy in enemies)
        require(larger, said("{figure} is not in a fight of several against one", figure=self.figure), CRAWL)
        if self.center_mm is None:
            return
        require_length(game, self.figure, (self.center_mm,), CRAWL_STEPS, CRAWL)
        table, end = game.table(), exact(self.center_mm)
        assert table is not None, "the table was seen"
        start = table.figure(self.figure).center_mm
        away = all(is_farther(start, end, table.figure(enemy)) for enemy in enemies)
        require(away, said("{figure} crawls away from the fighting, not into it", figure=self.figure), CRAWL)
        require_no_contact(game, self.figure, self.center_mm)

    def apply(self, game: MatchRoads) -> MatchRoads:
        piece = game.piece(self.figure)
        center = piece.center_mm if self.center_mm is None else self.center_mm
        return game.with_piece(replace(piece, center_mm=center).marked(Mark.MOVED))

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} crawls away", figure=self.figure)


class HoldBack(ModelStep, frozen=True, kw_only=True, tag="hold_back"):
    """A judge rules that a frenzied model cannot reach the enemy in its charge range and need not charge."""

    for_judge = True

    def check(self, game: MatchRoads) -> None:
        super().check(game)
        is_bound = game.phase == "move" and self.figure in find_bound_to_charge(game)
        require(is_bound, said("{figure} need not charge", figure=self.figure), FRENZY)

    def apply(self, game: MatchRoads) -> MatchRoads:
        return game.with_piece(game.piece(self.figure).marked(Mark.ROOTED))

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} cannot reach an enemy", figure=self.figure)


class Hide(ModelStep, frozen=True, kw_only=True, tag="hide"):
    """A model that ended its move beside real cover camouflages itself (C5).

    An enemy on overwatch may shoot at it first (``is_watched``, filled in).
    """

    is_watched: bool = False

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        return replace(self, is_watched=bool(find_watchers(game, self.figure)))

    def check(self, game: MatchRoads) -> None:
        super().check(game)
        marks = game.piece(self.figure).marks
        require(game.phase == "move", said("a model hides at the end of its move, in the movement phase"), CAMOUFLAGE)
        require_not_stupid(game, self.figure)
        ran = said("{figure} ran, charged or is on overwatch this turn", figure=self.figure)
        require(not {Mark.RAN, Mark.CHARGED} & set(marks), ran, CAMOUFLAGE)
        fallen = said("{figure} has fallen and does not hide this turn", figure=self.figure)
        require(Mark.FALLEN not in marks, fallen, FALL)
        require(not game.opponents_of(self.figure), said("{figure} is fighting", figure=self.figure), CAMOUFLAGE)
        require_free_of_frenzy(game, self.figure)
        bare = said("{figure} stands beside nothing to hide behind", figure=self.figure)
        require(may_hide_there(game, self.figure), bare, CAMOUFLAGE)
        found = find_detectors(game, self.figure)
        refusal = said("{found} is too near: it would notice {figure}", found=named(found), figure=self.figure)
        require(not found, refusal, CAMOUFLAGE)

    def apply(self, game: MatchRoads) -> MatchRoads:
        return set_out(game, Moving(figure=self.figure, how="hide"), is_watched=self.is_watched)

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} hides", figure=self.figure)


class Found(Step[MatchRoads], frozen=True, kw_only=True, tag="found"):
    """An enemy sees a camouflaged model: it moved in view, or the enemy came where nothing hides it (C5)."""

    figure: Name

    def check(self, game: MatchRoads) -> None:
        refusal = said("{figure} is not camouflaged", figure=self.figure)
        require(Mark.HIDDEN in game.piece(self.figure).marks, refusal, CAMOUFLAGE)

    def apply(self, game: MatchRoads) -> MatchRoads:
        return game.with_piece(reveal(game.piece(self.figure)))

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} is found", figure=self.figure)


def find_detectors(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """The enemies that find a camouflaged model within half their Mobility (C5)."""
    distances = game.distances()
    if distances is None or figure not in distances.table.figure_by_id:
        return ()
    hidden = distances.table.figure(figure)
    enemies = (other for other in distances.table.figures if other.side != hidden.side)
    return tuple(other.id for other in enemies if distances.detects(other, hidden))


def may_hide_there(game: MatchRoads, figure: str) -> bool:
    """Whether something to hide behind lies within a step; True where only people can see that.

    “…если он завершает движение возле низкой стены, колонны, камня, угла здания, обломков или любого подобного места”
    (seed 003): difficult ground hides like rubble, a gap does not.
    """
    distances = game.distances()
    if distances is None or figure not in distances.table.figure_by_id or not distances.table.terrain:
        return True
    own, reach_mm = distances.table.figure(figure), TAKE_COVER_STEPS * distances.step_mm
    return any(piece.kind != "gap" and is_within(own, piece, reach_mm) for piece in distances.table.terrain)

"""Steps of one model in its turn: overwatch, move, charge, crawl, and the end of a watched move (rules C3 to C5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from assistant.games.roads.match.answers import ask_watchers
from assistant.games.roads.match.duel import find_melee, list_opponents
from assistant.games.roads.match.movement import (
    LEAVING,
    arrive,
    ask_enemy,
    ask_within,
    find_watchers,
    list_shuffle_ends,
    measure_way,
    require_free_of_frenzy,
    require_free_to_move,
    require_left,
    require_length,
    require_no_contact,
    require_not_stupid,
    require_room,
    require_shuffle,
    require_untouched,
    set_out,
    set_out_to_charge,
    steps_left,
    take_off_after_watch,
    word_steps,
)
from assistant.games.roads.match.pending import Charging, HitsDue, Moving
from assistant.games.roads.match.psychology import (
    find_bound_to_charge,
    find_bound_to_shuffle,
    find_charge_targets,
    list_fears,
    list_reachable,
)
from assistant.games.roads.match.state import (
    FigureStep,
    Mark,
    MatchRoads,
    add_hits,
    require_able,
    require_no_shot,
    require_nothing_due,
    require_nothing_open,
)
from assistant.games.roads.rules.movement import exact, find_contact_place, find_free_contact, is_farther, touches_at
from assistant.games.roads.rules.reasons import CHARGE, CLIMB, CRAWL, FRENZY, STUPIDITY, TAKE_COVER, WATCH
from assistant.match.asks import Ask, Asks, Draft, ask_number, ask_thing
from assistant.match.chance import Chance
from assistant.match.game import Count, Moment, Name, PointMm, Prompt, Step, require
from assistant.rules.reasons import Rule
from assistant.table.free_table import FreeTable
from assistant.translations.messages import Said, message, named, said

MOVES = Rule(
    "roads/moves",
    message("the known rules lack the chapter on moving; its measure is Mobility, as in “Лазание” and “Маскировка”"),
    message("A model moves in its movement phase, as far as the set-up or people say; jumps may interrupt its move."),
)

CRAWL_STEPS = 1


def _ask_hits(draft: Draft[MatchRoads]) -> Ask:
    return ask_number("hits", said("How many hits does it take?"), range(5))


def _ask_stays(draft: Draft[MatchRoads]) -> Ask:
    picks = ((False, said("It leaves the melee")), (True, said("It stays in the melee")))
    return ask_thing("stays", said("Which?"), picks)


def _ask_end(draft: Draft[MatchRoads]) -> Ask | None:
    """Ask for the end of a walk or run, within the set-up's length. A shuffle has ends of its own."""
    figure = str(draft.fields.get("figure"))
    if Mark.DULLED in draft.game.piece(figure).marks:
        return None
    step = MoveModel(figure=figure, how=draft.fields.get("how", "walk"))
    return ask_within(draft, step.find_left(draft.game))


def _ask_crawl(draft: Draft[MatchRoads]) -> Ask | None:
    return ask_within(draft, CRAWL_STEPS)


def _ask_charged(draft: Draft[MatchRoads]) -> Ask:
    figure = str(draft.fields.get("figure"))
    has_length = figure in draft.game.pieces and draft.game.fighter(figure).charge_steps is not None
    return ask_enemy(draft, said("Charge whom?"), is_reached=has_length)


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

    rule = WATCH

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if game.is_free_in("start") and cls.is_open_to_some(game):
            # After the end of the phase: if all models of a side stand on overwatch, the sides never meet.
            yield cls.prompt(said("Put a model on overwatch"), side=game.active, urgency=-3)

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

    rule = MOVES
    center_mm: Annotated[PointMm | None, Asks(_ask_end)] = None
    path: Path = ()
    how: Literal["walk", "run"] = "walk"
    is_watched: bool = False

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if not game.is_free_in("move"):
            return
        for name in find_bound_to_shuffle(game):
            text = said("{figure} shuffles straight on, at half speed", figure=name)
            ends = (cls(figure=name, center_mm=place) for place in list_shuffle_ends(game, name))
            end = next((step for step in ends if step.is_allowed(game)), None)
            where: dict[str, Any] = {} if end is None or end.center_mm is None else {"center_mm": end.center_mm}
            yield cls.prompt(text, side=game.active, urgency=1, figure=name, how="walk", **where)
        if cls.is_open_to_some(game, how="walk"):
            yield cls.prompt(said("A model walks"), side=game.active, how="walk")
        if cls.is_open_to_some(game, how="run"):
            yield cls.prompt(said("A model runs"), side=game.active, how="run")

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        return replace(self, is_watched=bool(find_watchers(game, self.figure)))

    def check(self, game: MatchRoads) -> None:
        super().check(game)
        require(game.phase == "move", said("models move in the movement phase"))
        require_free_to_move(game, self.figure)
        require_free_of_frenzy(game, self.figure)
        climbs = said("{figure} climbs this turn and does not run", figure=self.figure)
        require(self.how == "walk" or not game.climbed.get(self.figure), climbs, CLIMB)
        end = self._way()[-1] if self._way() else None
        if Mark.DULLED in game.piece(self.figure).marks:
            require_shuffle(game, self.figure, self._way())
        else:
            require_room(game, self.figure, end)
        require_no_contact(game, self.figure, end)
        require_left(game, self.figure, end)
        require_length(game, self.figure, self._way(), self.find_left(game))

    def apply(self, game: MatchRoads) -> MatchRoads:
        moving = Moving(figure=self.figure, how=self.how, path=self._way())
        return set_out(game, moving, is_watched=self.is_watched)

    def title(self, game: MatchRoads) -> Said:
        steps = measure_way(game, self.figure, self._way())
        if steps is None:
            runs, moves = said("{figure} runs", figure=self.figure), said("{figure} moves", figure=self.figure)
            return runs if self.how == "run" else moves
        how_far = word_steps(steps)
        if self.how == "run":
            return said("{figure} ran {how_far}", figure=self.figure, how_far=how_far)
        return said("{figure} moved {how_far}", figure=self.figure, how_far=how_far)

    def silent_rule(self, game: MatchRoads) -> Rule | None:
        """Return the rule for a path that the players state: out of a melee, or of unknown length."""
        if Mark.LEAVING in game.piece(self.figure).marks:
            return LEAVING
        return MOVES if self._way() and self._length(game) is None else None

    def find_left(self, game: MatchRoads) -> float | None:
        """Return the model's remaining steps; None if people measure them."""
        return steps_left(game, self.figure, self._length(game))

    def _length(self, game: MatchRoads) -> float | None:
        """Return the steps of its walk or run. A model that ran before a jump still runs after it."""
        fighter = game.fighter(self.figure)
        runs = self.how == "run" or Mark.RAN in game.piece(self.figure).marks
        return fighter.run_steps if runs else fighter.walk_steps

    def _way(self) -> tuple[PointMm, ...]:
        return self.path + (() if self.center_mm is None else (self.center_mm,))


class Leave(ModelStep, frozen=True, kw_only=True, tag="leave"):
    """A model leaves its melee at will. The known rules lack the procedure, so people state the outcome.

    It takes ``hits`` from its opponents and may then move, unless it ``stays`` after all.
    """

    rule = LEAVING
    label = said("A model leaves its melee")
    by_hand = True
    hits: Annotated[Count, Asks(_ask_hits)] = 0
    stays: Annotated[bool, Asks(_ask_stays)] = False

    def check(self, game: MatchRoads) -> None:
        super().check(game)
        require(game.phase == "move", said("models move in the movement phase"))
        require_not_stupid(game, self.figure)
        is_held = bool(list_opponents(game, self.figure)) or not game.ground
        require(is_held, said("{figure} fights nobody", figure=self.figure), LEAVING)
        gone = said("{figure} has said this turn whether it leaves", figure=self.figure)
        require(not {Mark.LEAVING, Mark.MOVED, Mark.ROOTED} & set(game.piece(self.figure).marks), gone, LEAVING)

    def apply(self, game: MatchRoads) -> MatchRoads:
        opponents = list_opponents(game, self.figure)
        game = game.with_piece(game.piece(self.figure).marked(Mark.ROOTED if self.stays else Mark.LEAVING))
        by = opponents[0] if opponents else self.figure
        return add_hits(game, HitsDue(figure=self.figure, by=by, hits=self.hits))

    def title(self, game: MatchRoads) -> Said:
        if self.stays:
            return said("{figure} stays in the melee", figure=self.figure)
        return said("{figure} leaves the melee", figure=self.figure)


class Charge(ModelStep, frozen=True, kw_only=True, tag="charge"):
    """A model charges an enemy within reach and ends in base contact, after any fear tests (C3).

    Without ``center_mm`` the program moves it straight into contact from the last place of ``path``.
    """

    rule = MOVES
    finds_place = True
    target: Annotated[Name, Asks(_ask_charged)]
    center_mm: PointMm | None = None
    path: Path = ()
    is_watched: bool = False

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if not game.is_free_in("move"):
            return
        for name in find_bound_to_charge(game):
            for target in find_charge_targets(game, name, game.gone.get(name, 0)) or ():
                text = said("{figure} is in frenzy and must charge: {target}", figure=name, target=target)
                yield cls.prompt(text, side=game.active, urgency=2, figure=name, target=target)
        own = (piece.id for piece in game.standing(game.active) if find_charge_targets(game, piece.id) != ())
        charges = (cls(figure=name, target=enemy) for name in own for enemy in game.list_enemies())
        if any(charge.is_allowed(game) for charge in charges):
            note = said("Move into contact with an enemy")
            yield cls.prompt(said("Charge"), side=game.active, urgency=1, note=note)

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        step = replace(self, is_watched=bool(find_watchers(game, self.figure)))
        table = game.table()
        if table is None or self.center_mm is not None or not {self.figure, self.target} <= set(table.figure_by_id):
            return step
        own = table.figure(self.figure)
        start = exact(self.path[-1]) if self.path else own.center_mm
        step = replace(step, center_mm=find_free_contact(own, start, table.figure(self.target), table))
        if self.path or step.is_allowed(game) or self.figure not in find_bound_to_charge(game):
            return step
        # No free place round the target is near enough, but a frenzied model has no choice.
        return replace(step, center_mm=find_contact_place(own, start, table.figure(self.target)))

    def check(self, game: MatchRoads) -> None:
        super().check(game)
        require(game.phase == "move", said("charges are declared in the movement phase"))
        require_untouched(game, self.figure, self.target)
        require_free_to_move(game, self.figure)
        piece, target = game.piece(self.figure), game.piece(self.target)
        dull = said("{figure} failed its stupidity test and does not charge", figure=self.figure)
        require(Mark.DULLED not in piece.marks, dull, STUPIDITY)
        is_enemy = target.on_table and target.side != piece.side
        require(is_enemy, said("{target} is not an enemy on the table", target=self.target))
        # A fear test may come first, but the end of the charge must be free before any roll.
        taken = [other.id for other in game.standing() if other.center_mm == self.center_mm is not None]
        refusal = said("{figure} would stand on {taken}; choose another place", figure=self.figure, taken=named(taken))
        require(not set(taken) - {self.figure}, refusal)
        table = game.table()
        if table is None or self.center_mm is None or not {self.figure, self.target} <= set(table.figure_by_id):
            return
        touches = touches_at(table.figure(self.figure), self.center_mm, table.figure(self.target))
        pair = {"figure": self.figure, "target": self.target}
        require(touches, said("a charge ends in contact: {figure} would not touch {target}", **pair), CHARGE)
        require_left(game, self.figure, self.center_mm)
        if self.figure not in find_bound_to_charge(game):  # a bound model charges; people see how models stand
            require_room(game, self.figure, self.center_mm, target=self.target)
        if self._is_straight(table) and self.target in list_reachable(game, self.figure):
            return  # its range reaches the enemy, whatever float errors the path has
        limit = steps_left(game, self.figure, game.fighter(self.figure).charge_steps)
        require_length(game, self.figure, (*self.path, self.center_mm), limit, CHARGE)

    def _is_straight(self, table: FreeTable) -> bool:
        own, target = table.figure(self.figure), table.figure(self.target)
        return not self.path and self.center_mm == find_contact_place(own, own.center_mm, target)

    def silent_rule(self, game: MatchRoads) -> Rule | None:
        if Mark.LEAVING in game.piece(self.figure).marks:
            return LEAVING
        return MOVES if game.fighter(self.figure).charge_steps is None else None

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

    rule = WATCH

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if game.find_open() == "move" and game.moving is not None:
            figure = game.moving.figure
            yield cls.prompt(said("{figure} goes on", figure=figure), side=game.piece(figure).side)

    @classmethod
    def moments(cls, game: MatchRoads) -> Iterator[Moment]:
        return iter(()) if game.moving is None else ask_watchers(game, game.moving)

    def check(self, game: MatchRoads) -> None:
        require(game.moving is not None, said("nobody is on the way"))
        require_nothing_due(game)
        require_no_shot(game)

    def apply(self, game: MatchRoads) -> MatchRoads:
        if game.moving is None:
            return game
        return take_off_after_watch(game) if game.moving.how == "leap" else arrive(game, game.moving)

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} goes on", figure="" if game.moving is None else game.moving.figure)


class Crawl(FigureStep, frozen=True, kw_only=True, tag="crawl"):
    """A downed model of the larger side crawls a step away from the fighting (“Многосторонние бои”)."""

    rule = CRAWL
    label = said("A downed model crawls away")
    center_mm: Annotated[PointMm | None, Asks(_ask_crawl)] = None

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        for piece in game.standing(game.active) if game.is_free_in("move") else ():
            if cls(figure=piece.id).is_allowed(game) and game.ground:
                text = said("{figure} crawls a step away from the fighting", figure=piece.id)
                yield cls.prompt(text, side=piece.side, urgency=1, figure=piece.id)

    def check(self, game: MatchRoads) -> None:
        piece = game.piece(self.figure)
        require_nothing_open(game)
        may_move = game.active == piece.side and game.phase == "move"
        require(may_move, said("a model that is down crawls in its own movement phase"), CRAWL)
        require(Mark.DOWN in piece.marks, said("{figure} is not down", figure=self.figure), CRAWL)
        require(Mark.MOVED not in piece.marks, said("{figure} has moved already", figure=self.figure), CRAWL)
        if not game.ground:
            return
        enemies = list_opponents(game, self.figure)
        require(self._is_of_larger_side(game), self._word_few(game), CRAWL)
        if self.center_mm is None:
            return
        require_length(game, self.figure, (self.center_mm,), CRAWL_STEPS, CRAWL)
        table, end = game.table(), exact(self.center_mm)
        assert table is not None, "the table was seen"
        start = table.figure(self.figure).center_mm
        away = all(is_farther(start, end, table.figure(enemy)) for enemy in enemies)
        require(away, said("{figure} crawls away from the fighting, not into it", figure=self.figure), CRAWL)
        require_no_contact(game, self.figure, self.center_mm)
        require_room(game, self.figure, self.center_mm)

    def apply(self, game: MatchRoads) -> MatchRoads:
        piece = game.piece(self.figure)
        center = piece.center_mm if self.center_mm is None else self.center_mm
        return game.with_piece(replace(piece, center_mm=center).marked(Mark.MOVED))

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} crawls away", figure=self.figure)

    def _word_few(self, game: MatchRoads) -> Said:
        if game.rules.options["crawl_from"] == "one":
            return said(
                "{figure} is not in a fight of several against one; the house lets no other fallen model crawl away",
                figure=self.figure,
            )
        return said("the side of {figure} is not the larger one in this fight", figure=self.figure)

    def _is_of_larger_side(self, game: MatchRoads) -> bool:
        """Return whether its side is the many of «один против многих», or merely larger, by house option."""
        sides = Counter(game.piece(name).side for name in find_melee(game, self.figure))
        own = sides[game.piece(self.figure).side]
        others = sides.total() - own
        return own > others and (others == 1 or game.rules.options["crawl_from"] == "any_majority")


class HoldBack(ModelStep, frozen=True, kw_only=True, tag="hold_back"):
    """A judge rules that a frenzied model cannot reach the enemy in its charge range and need not charge."""

    rule = FRENZY
    label = said("Judge's ruling: it need not charge")
    for_judge = True

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        for name in find_bound_to_charge(game) if game.is_free_in("move") else ():
            text = said("{figure} cannot reach an enemy (judge's ruling)", figure=name)
            yield cls.prompt(text, urgency=2, figure=name)

    def check(self, game: MatchRoads) -> None:
        super().check(game)
        is_bound = game.phase == "move" and self.figure in find_bound_to_charge(game)
        require(is_bound, said("{figure} need not charge", figure=self.figure), FRENZY)

    def apply(self, game: MatchRoads) -> MatchRoads:
        return game.with_piece(game.piece(self.figure).marked(Mark.ROOTED))

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} cannot reach an enemy", figure=self.figure)

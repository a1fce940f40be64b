"""Shots and the target's reactions (rules C5). The known rules lack the roll of a shot, so people type in its hits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Self

from msgspec import Meta
from msgspec.structs import replace

from assistant.games.roads.match.movement import (
    at_moment,
    find_watchers,
    halt,
    require_length,
    require_no_contact,
    reveal,
)
from assistant.games.roads.match.pending import Moving, PendingTest, Reaction, ReactionKind
from assistant.games.roads.match.psychology import find_watch_target
from assistant.games.roads.match.state import FigureStep, Mark, MatchRoads, add_hits, require_able, require_nothing_due
from assistant.games.roads.match.turn_steps import DieFace
from assistant.games.roads.match.weapons import (
    has_shot_left,
    is_of_kind,
    is_out_of_range,
    list_unfired,
    list_weapons,
    weapon,
)
from assistant.games.roads.rules.checks import evades, watch_modifier
from assistant.games.roads.rules.movement import TAKE_COVER_STEPS
from assistant.games.roads.rules.reasons import (
    CAMOUFLAGE,
    DRAWN_IN,
    DUCK,
    IN_MELEE,
    MISFIRE,
    OUT_OF_RANGE,
    SHOOT_FIRST,
    SIGHT,
    STUPIDITY,
    TAKE_COVER,
    WATCH,
)
from assistant.match.asks import Ask, Asks, Draft, ask_number, ask_thing
from assistant.match.chance import Chance
from assistant.match.game import Count, Integer, Name, PointMm, Prompt, ShownDie, require
from assistant.match.rulings import sight_document
from assistant.rules.reasons import Rule
from assistant.translations.messages import Said, counted, message, named, said

SHOTS = Rule(
    "roads/shots",
    message("source 003 lacks the roll of a shot; it begins with “Вне диапазона дальности”"),
    message("A shot needs line of sight, a weapon at hand, and a model that may shoot this turn."),
)
REACTIONS = Rule(
    "roads/reactions",
    message("source 003, “Реакции на выстрел”"),
    message("The target of a shot may duck, take cover or shoot first."),
)

FIRST_SHOT_CHANGE = -1
"""Penalty for shooting first, in haste (“Стрельба на опережение”)."""

UNNAMED = "weapon"
"""The weapon of a shot for which nobody named one."""

Moment = Annotated[float, Meta(ge=0, le=50)]


def _ask_weapon(draft: Draft[MatchRoads]) -> Ask | None:
    """The weapon of a shot, out of those it carries; where the set-up describes none of them, people know."""
    owned = dict.fromkeys(list_weapons(draft.game, str(draft.fields.get("figure"))))
    if not any(weapon(draft.game, name) for name in owned):
        return None
    picks = ((name, named([name])) for name in owned if not is_of_kind(draft.game, name, "melee"))
    return ask_thing("weapon", said("Which weapon?"), picks)


def _ask_hits(draft: Draft[MatchRoads]) -> Ask:
    return ask_number("hits", said("How many hits?"), range(5))


def _ask_total(draft: Draft[MatchRoads]) -> Ask | None:
    reaction = draft.game.reaction
    if reaction is None or reaction.is_first or reaction.how == "shoot first":
        return None
    text = said("Total of the shooter's roll? {figure} has {total}", figure=reaction.figure, total=reaction.total)
    return ask_number("total", text, range(1, 13), value=reaction.total)


def _ask_reaction(draft: Draft[MatchRoads]) -> Ask:
    picks: tuple[tuple[ReactionKind, Said], ...] = (
        ("duck", said("ducks")),
        ("take cover", said("takes cover")),
        ("shoot first", said("tries to shoot first")),
    )
    return ask_thing("how", said("How?"), picks)


def is_shot_open(game: MatchRoads) -> bool:
    """Whether a model of the side to play may shoot at an enemy in its phase, as far as the program can tell.

    Any enemy out of camouflage stands for all: the line of sight is checked when a model shoots.
    """
    target = next((enemy for enemy in game.list_enemies() if Mark.HIDDEN not in game.piece(enemy).marks), None)
    if target is None or not game.is_free_in("shoot"):
        return False
    own = [piece.id for piece in game.standing(game.active)]
    shots = (
        Shoot(figure=name, target=target, weapon=arm) for name in own for arm in (UNNAMED, *list_weapons(game, name))
    )
    return any(shot.is_allowed(game) for shot in shots)


class Shoot(FigureStep, frozen=True, kw_only=True, tag="shoot"):
    """A shot in one's own turn or on overwatch.

    A camouflaged shooter stays hidden only if a ``silent`` weapon kills at once and no witness then passes a Mobility
    test (C5).

    Args:
        target: the enemy.
        weapon: the weapon by its name.
        hits: the hits that people rolled; the known rules lack that roll.
        silent: whether the weapon is silent.
        kills: whether the target dies at once.
        total: the shooter's roll before ``change``. It hits a target that ducked or took cover only if the sum of both
            is no less than the target's.
        moment: when a moving target is shot at: the number of legs behind it and a share of the next.
        misfire_test: whether the roll called for a misfire test.
        misfires: whether that test failed, as it always does for a thrown weapon.
        change: -1 on overwatch at a fleeting target or a charger, -1 for shooting first; filled in.
        ruling: the line of sight at that moment; filled in.
    """

    rule = SHOTS
    target: Name
    weapon: Annotated[Name, Asks(_ask_weapon)] = UNNAMED
    hits: Annotated[Count, Asks(_ask_hits)] = 0
    silent: bool = False
    kills: bool = False
    total: Annotated[Integer | None, Asks(_ask_total)] = None
    moment: Moment | None = None
    misfire_test: bool = False
    misfires: bool = False
    change: Integer = 0
    ruling: dict[str, Any] | None = None

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if game.find_open() == "move" and game.moving is not None:
            yield from cls._prompt_at(game, game.moving)
        if game.find_open() is not None:
            return
        if is_shot_open(game):
            yield cls.prompt(said("Shoot"), side=game.active)
        for piece in game.standing():
            if piece.side != game.active and Mark.WATCH in piece.marks:
                text = said("{figure} shoots on overwatch", figure=piece.id)
                yield cls.prompt(text, side=piece.side, urgency=-1, figure=piece.id)

    @classmethod
    def _prompt_at(cls, game: MatchRoads, moving: Moving) -> Iterator[Prompt]:
        """Shots on overwatch at a model on its way: early, half way or late."""
        if game.reaction is not None:
            yield cls.prompt(said("Shoot"))
            return
        legs = len(moving.path)
        moments = (
            (said("as it starts to move"), 0.0),
            (said("half way"), legs / 2),
            (said("before it arrives"), float(legs) if moving.how != "charge" else legs - 0.1),
        )
        for name in find_watchers(game, moving.figure):
            for when, moment in moments[: 3 if legs else 1]:
                if moment >= moving.moment:
                    text = said("{figure} shoots on overwatch: {when}", figure=name, when=when)
                    side = game.piece(name).side
                    yield cls.prompt(text, side=side, figure=name, target=moving.figure, moment=moment)

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        step = self
        if self.misfire_test and is_of_kind(game, self.weapon, "thrown"):
            step = replace(step, misfires=True)
        known = weapon(game, self.weapon)
        silent = self.silent if known is None else self.silent or known.silent
        step = replace(step, change=self._find_change(game), silent=silent)
        then = self._then(game)
        return replace(step, ruling=sight_document(then, self.figure, self.target)) if game.ground else step

    def check(self, game: MatchRoads) -> None:
        require_nothing_due(game)
        self._check_turn(game)
        self._check_moment(game)
        self._check_shooter(game)
        self._check_target(game)
        self._check_weapon(game)
        if game.reaction is not None and not game.reaction.is_first:
            self._check_reaction(game.reaction)

    def apply(self, game: MatchRoads) -> MatchRoads:
        game = self._then(game)
        piece = game.piece(self.figure)
        stays_hidden = Mark.HIDDEN in piece.marks and self.silent and self.kills
        first = game.reaction if game.reaction is not None and game.reaction.is_first else None
        game = replace(game, reaction=None if first is None else replace(first, is_first=False))
        piece = piece if stays_hidden else reveal(piece)
        game = game.with_piece(piece.unmarked(Mark.WATCH).marked(Mark.SHOT))
        fired = (*game.fired.get(self.figure, ()), self.weapon)
        game = replace(game, fired={**game.fired, self.figure: fired})
        if self.misfires:
            gone = (*game.spent.get(self.figure, ()), self.weapon)
            game = replace(game, spent={**game.spent, self.figure: gone})
        if stays_hidden:
            game = replace(game, due=(*_list_witness_tests(game, self.figure, self.target), *game.due))
        return add_hits(game, self.target, self.figure, self.hits, (self.weapon,) * self.hits)

    def title(self, game: MatchRoads) -> Said:
        pair = {"figure": self.figure, "target": self.target}
        if game.reaction is not None and game.reaction.is_first:
            return counted(
                "{figure} shoots first, at -1 to hit, at {target}: {n} hit",
                "{figure} shoots first, at -1 to hit, at {target}: {n} hits",
                self.hits,
                **pair,
            )
        if self.change:
            return counted(
                "{figure} shoots on overwatch, at -1 to hit, at {target}: {n} hit",
                "{figure} shoots on overwatch, at -1 to hit, at {target}: {n} hits",
                self.hits,
                **pair,
            )
        return counted(
            "{figure} shoots at {target}: {n} hit", "{figure} shoots at {target}: {n} hits", self.hits, **pair
        )

    def _then(self, game: MatchRoads) -> MatchRoads:
        """The game at the moment of the shot."""
        moving = game.moving
        if moving is None or moving.figure != self.target or self.moment is None:
            return game
        return at_moment(game, self.moment)

    def _find_change(self, game: MatchRoads) -> int:
        reaction = game.reaction
        if reaction is not None and reaction.is_first and reaction.figure == self.figure:
            return FIRST_SHOT_CHANGE
        if Mark.WATCH not in game.piece(self.figure).marks:
            return 0
        return watch_modifier(find_watch_target(game, self.figure, self.target), game.rules.options)

    def _check_turn(self, game: MatchRoads) -> None:
        piece, reaction = game.piece(self.figure), game.reaction
        if reaction is not None and reaction.is_first:
            pair = (reaction.figure, reaction.shooter)
            refusal = said("{figure} shoots at {shooter} first", figure=reaction.figure, shooter=reaction.shooter)
            require((self.figure, self.target) == pair, refusal, SHOOT_FIRST)
        elif game.active == piece.side:
            require(game.phase == "shoot", said("models shoot in the shooting phase"))
            ran = said("{figure} ran or is on overwatch this turn", figure=self.figure)
            require(not {Mark.RAN, Mark.WATCH} & set(piece.marks), ran)
        else:
            refusal = said("only a model on overwatch shoots in the turn of {side}", side=game.active)
            require(Mark.WATCH in piece.marks, refusal, WATCH)

    def _check_moment(self, game: MatchRoads) -> None:
        if self.moment is None:
            return
        moving = None if game.moving is None or game.moving.figure != self.target else game.moving
        require(moving is not None, said("{target} is not on the way", target=self.target), WATCH)
        assert moving is not None, "the target is on its way"
        passed = said("{target} has passed that place, or does not pass it", target=self.target)
        require(moving.moment <= self.moment <= len(moving.path), passed, WATCH)

    def _check_shooter(self, game: MatchRoads) -> None:
        marks, then = game.piece(self.figure).marks, self._then(game)
        require_able(game, self.figure)
        spare = game.reaction is not None and game.reaction.is_first and self.weapon in list_unfired(game, self.figure)
        again = said("{figure} cannot shoot (again) this turn", figure=self.figure)
        require(Mark.SHOT not in marks or spare, again)
        dull = said("{figure} failed its stupidity test and does not shoot", figure=self.figure)
        require(Mark.DULLED not in marks, dull, STUPIDITY)
        require(not then.opponents_of(self.figure), said("{figure} is fighting", figure=self.figure), IN_MELEE)
        distances = game.distances()
        near = distances is not None and self.figure in distances.drawn_in()
        refusal = said("{figure} is within a step of a fight and does not shoot", figure=self.figure)
        require(not near, refusal, DRAWN_IN)

    def _check_target(self, game: MatchRoads) -> None:
        piece, target = game.piece(self.figure), game.piece(self.target)
        is_enemy = target.on_table and target.side != piece.side
        require(is_enemy, said("{target} is not an enemy on the table", target=self.target))
        hidden = said("{target} is camouflaged and cannot be shot at", target=self.target)
        require(Mark.HIDDEN not in target.marks, hidden, CAMOUFLAGE)
        sees = self.ruling is None or bool(self.ruling["line_of_sight"])
        require(sees, said("{figure} does not see {target}", figure=self.figure, target=self.target), SIGHT)

    def _check_weapon(self, game: MatchRoads) -> None:
        names = {"figure": self.figure, "weapon": self.weapon}
        blade = said("the {weapon} of {figure} does not shoot", **names)
        require(not is_of_kind(game, self.weapon, "melee"), blade)
        owned = list_weapons(game, self.figure)
        lacks = said("{figure} carries: {weapons}", figure=self.figure, weapons=named(owned))
        described = weapon(game, self.weapon) is not None or all(weapon(game, name) is not None for name in owned)
        require(self.weapon in owned or not described, lacks)
        used_up = self.weapon in game.spent.get(self.figure, ())
        if is_of_kind(game, self.weapon, "thrown"):
            require(not used_up, said("{figure} has thrown the last {weapon}", **names), MISFIRE)
        require(not used_up, said("the {weapon} of {figure} is jammed", **names), MISFIRE)
        far = is_out_of_range(self._then(game), self.figure, self.target, self.weapon)
        refusal = said("{target} is out of range: no hits; still roll for a misfire", target=self.target)
        require(not (far and self.hits), refusal, OUT_OF_RANGE)

    def _check_reaction(self, reaction: Reaction) -> None:
        pair = {"shooter": reaction.shooter, "figure": reaction.figure}
        is_shooter = (self.figure, self.target) == (reaction.shooter, reaction.figure)
        require(is_shooter, said("{shooter} shoots at {figure} before anybody else", **pair))
        if reaction.how == "shoot first":
            return
        theirs: dict[str, str | int] = {"target": self.target, "total": reaction.total}
        missing = said("enter the total of {figure}'s roll; {target} has {total}", figure=self.figure, **theirs)
        require(self.total is not None, missing, DUCK)
        total = (self.total or 0) + self.change
        refusal = said("{target} has {total} against {total_2}: no hits", total_2=total, **theirs)
        require(not (evades(reaction.total, total) and self.hits), refusal, DUCK)


def _list_witness_tests(game: MatchRoads, shooter: str, target: str) -> tuple[PendingTest, ...]:
    table = game.table()
    if table is None:
        return ()
    names = game.rules.witnesses(table, shooter, target)
    return tuple(
        PendingTest(kind="ambush", side=game.piece(n).side, figure=n, against=shooter, value=game.fighter(n).mobility)
        for n in names
    )


class ReactToShot(FigureStep, frozen=True, kw_only=True, tag="react"):
    """The target of an announced shot ducks, takes cover, or tries to shoot first.

    ``roll`` is the target's D6, before its Mobility; ``shooter_roll`` counts for shooting first. A model taking cover
    moves to ``center_mm`` within a step or, without it, lies down. ``moment`` is that of the shot, as in `Shoot`.
    """

    rule = REACTIONS
    reveals = True
    shooter: Name
    how: Annotated[ReactionKind, Asks(_ask_reaction)]
    center_mm: PointMm | None = None
    rolled_here: bool = True
    roll: DieFace = 1
    shooter_roll: DieFace = 1
    moment: Moment | None = None

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if is_shot_open(game):
            yield cls.prompt(said("The target of an announced shot reacts"))

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        return replace(self, roll=chance.die(), shooter_roll=chance.die()) if self.rolled_here else self

    def check(self, game: MatchRoads) -> None:
        require(game.reaction is None, said("a reaction to a shot is open; shoot first"))
        Shoot(figure=self.shooter, target=self.figure, moment=self.moment).check(game)
        marks = game.piece(self.figure).marks
        stopped = said("{figure} is down or fleeing and cannot react", figure=self.figure)
        require(not {Mark.DOWN, Mark.FLEEING} & set(marks), stopped)
        if self.how == "shoot first":
            able = Mark.DULLED not in marks and not game.opponents_of(self.figure)
            ready = able and has_shot_left(game, self.figure)
            refusal = said("{figure} has no weapon left to shoot with first", figure=self.figure)
            require(ready, refusal, SHOOT_FIRST)
        if self.how == "take cover" and self.center_mm is not None:
            require_length(game, self.figure, (self.center_mm,), TAKE_COVER_STEPS, TAKE_COVER)
            require_no_contact(game, self.figure, self.center_mm)

    def apply(self, game: MatchRoads) -> MatchRoads:
        total = self.roll + game.fighter(self.figure).mobility
        against = self.shooter_roll + game.fighter(self.shooter).mobility
        is_first = self.how == "shoot first" and evades(total, against)
        reaction = Reaction(figure=self.figure, shooter=self.shooter, how=self.how, total=total, is_first=is_first)
        if game.moving is not None and game.moving.figure == self.figure and self.moment is not None:
            game = at_moment(game, self.moment)
        game = replace(game, reaction=reaction)
        if self.how != "take cover":
            return game
        game = halt(game, self.figure)
        piece = game.piece(self.figure)
        center = piece.center_mm if self.center_mm is None else self.center_mm
        covered = replace(piece, center_mm=center).marked(Mark.MOVED)
        return game.with_piece(covered.marked(Mark.PRONE) if self.center_mm is None else covered)

    def title(self, game: MatchRoads) -> Said:
        mobility = game.fighter(self.figure).mobility
        numbers = {"roll": self.roll, "mobility": mobility, "total": self.roll + mobility}
        if self.how == "duck":
            return said("{figure} ducks: {roll} + {mobility} = {total}", figure=self.figure, **numbers)
        if self.how == "take cover":
            return said("{figure} takes cover: {roll} + {mobility} = {total}", figure=self.figure, **numbers)
        theirs = game.fighter(self.shooter).mobility
        return said(
            "{figure} tries to shoot first: {roll} + {mobility} = {total} against {roll2} + {mobility2} = {total2}",
            figure=self.figure,
            roll2=self.shooter_roll,
            mobility2=theirs,
            total2=self.shooter_roll + theirs,
            **numbers,
        )

    def dice_shown(self, game: MatchRoads) -> tuple[ShownDie, ...]:
        faces = (self.roll, self.shooter_roll) if self.how == "shoot first" else (self.roll,)
        return tuple(ShownDie(str(face)) for face in faces)

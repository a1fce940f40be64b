"""Shooting (rules C5); the roll of a shot is not in the known rules, so its hits are told."""

from __future__ import annotations

from typing import Annotated, Any, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from assistant.games.roads.match.arms import carried, is_of_kind, is_out_of_range, list_unfired, weapon
from assistant.games.roads.match.due_checks import find_watch_target
from assistant.games.roads.match.marks import DULLED, HIDDEN, RAN, SHOT, WATCH
from assistant.games.roads.match.pending import PendingTest, Reaction
from assistant.games.roads.match.state import MatchRoads, add_hits, require_able, require_nothing_due
from assistant.games.roads.match.ways import at_moment, reveal
from assistant.games.roads.rules.check_reasons import (
    DUCK,
    MISFIRE,
    OUT_OF_RANGE,
    SHOOT_FIRST,
    STUPIDITY,
)
from assistant.games.roads.rules.check_reasons import WATCH as WATCHING
from assistant.games.roads.rules.checks import evades, watch_modifier
from assistant.games.roads.rules.reasons import CAMOUFLAGE, DRAWN_IN, IN_MELEE, SIGHT
from assistant.match.chance import Chance
from assistant.match.game import Count, Integer, Name, Step, require
from assistant.match.rulings import sight_document
from assistant.translations.messages import Said, counted, named, said

FIRST_SHOT_CHANGE = -1
"""Who shoots first does so in haste (“Стрельба на опережение”)."""

UNNAMED = "weapon"
"""What a shot is with where nobody says so."""

Moment = Annotated[float, Meta(ge=0, le=50)]


class Shoot(Step[MatchRoads], frozen=True, kw_only=True, tag="shoot"):
    """A shot, on one's own turn or from a watch; its roll is not in the known rules, so the hits are typed in.

    A camouflaged shooter stays hidden only with a ``silent`` weapon whose target dies at once (``kills``), and if then
    no witness passes a test of Mobility (C5). ``total`` is the shooter's own roll without what the program takes from
    it (``change``: -1 from a watch at a fleeting target or a charger, -1 for shooting first): a target that ducked or
    took cover is hit only if the rest is no less than the target's. ``moment`` is when on its way a moving model is
    shot at: the number of legs behind it and a share of the next. ``misfire_test`` tells that the roll asks for one and
    ``misfires`` that it failed, as those of thrown weapons always do.
    """

    figure: Name
    target: Name
    weapon: Name = UNNAMED
    hits: Count = 0
    silent: bool = False
    kills: bool = False
    total: Integer | None = None
    moment: Moment | None = None
    misfire_test: bool = False
    misfires: bool = False
    change: Integer = 0
    ruling: dict[str, Any] | None = None

    def side(self, game: MatchRoads) -> str | None:
        """Whose model shoots."""
        return game.piece(self.figure).side

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        """The step with the ruling of this table at that moment, and with what the rules take from the roll."""
        step = self
        if self.misfire_test and is_of_kind(game, self.weapon, "thrown"):
            step = replace(step, misfires=True)
        known = weapon(game, self.weapon)
        silent = self.silent if known is None else self.silent or known.silent
        step = replace(step, change=self._find_change(game), silent=silent)
        then = self._then(game)
        return replace(step, ruling=sight_document(then, self.figure, self.target)) if game.ground else step

    def check(self, game: MatchRoads) -> None:
        """In one's own shooting phase or from a watch in the enemy's turn, at a visible enemy."""
        require_nothing_due(game)
        self._check_turn(game)
        self._check_moment(game)
        self._check_shooter(game)
        self._check_target(game)
        self._check_weapon(game)
        if game.reaction is not None and not game.reaction.is_first:
            self._check_reaction(game.reaction)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the hits to be worked out and the watch over; witnesses of an ambush test."""
        game = self._then(game)
        piece = game.piece(self.figure)
        stays_hidden = HIDDEN in piece.marks and self.silent and self.kills
        first = game.reaction if game.reaction is not None and game.reaction.is_first else None
        game = replace(game, reaction=None if first is None else replace(first, is_first=False))
        piece = piece if stays_hidden else reveal(piece)
        game = game.with_piece(piece.unmarked(WATCH).marked(SHOT))
        fired = (*game.fired.get(self.figure, ()), self.weapon)
        game = replace(game, fired={**game.fired, self.figure: fired})
        if self.misfires:
            gone = (*game.spent.get(self.figure, ()), self.weapon)
            game = replace(game, spent={**game.spent, self.figure: gone})
        if stays_hidden:
            game = replace(game, due=(*_list_witness_tests(game, self.figure, self.target), *game.due))
        return add_hits(game, self.target, self.figure, self.hits, (self.weapon,) * self.hits)

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        told = {"figure": self.figure, "target": self.target}
        if game.reaction is not None and game.reaction.is_first:
            return counted(
                "{figure} shoots first, at -1 to hit, at {target}: {n} hit",
                "{figure} shoots first, at -1 to hit, at {target}: {n} hits",
                self.hits,
                **told,
            )
        if self.change:
            return counted(
                "{figure} shoots on watch, at -1 to hit, at {target}: {n} hit",
                "{figure} shoots on watch, at -1 to hit, at {target}: {n} hits",
                self.hits,
                **told,
            )
        return counted(
            "{figure} shoots at {target}: {n} hit", "{figure} shoots at {target}: {n} hits", self.hits, **told
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
        if WATCH not in game.piece(self.figure).marks:
            return 0
        return watch_modifier(find_watch_target(game, self.figure, self.target), game.rules.options)

    def _check_turn(self, game: MatchRoads) -> None:
        piece, reaction = game.piece(self.figure), game.reaction
        if reaction is not None and reaction.is_first:
            pair = (reaction.figure, reaction.shooter)
            told = said("{figure} shoots at {shooter} first", figure=reaction.figure, shooter=reaction.shooter)
            require((self.figure, self.target) == pair, told, SHOOT_FIRST)
        elif game.active == piece.side:
            require(game.phase == "shoot", said("models shoot in the shooting phase"))
            require(
                not {RAN, WATCH} & set(piece.marks), said("{figure} ran or watches in this turn", figure=self.figure)
            )
        else:
            told = said("only a model that watches shoots in the turn of {side}", side=game.active)
            require(WATCH in piece.marks, told, WATCHING)

    def _check_moment(self, game: MatchRoads) -> None:
        moving = game.moving
        if self.moment is None:
            return
        require(
            moving is not None and moving.figure == self.target,
            said("{target} is not on the way", target=self.target),
            WATCHING,
        )
        assert moving is not None, "somebody is on the way"
        require(
            moving.moment <= self.moment <= len(moving.path),
            said("{target} has passed that place, or does not come there", target=self.target),
            WATCHING,
        )

    def _check_shooter(self, game: MatchRoads) -> None:
        marks, then = game.piece(self.figure).marks, self._then(game)
        require_able(game, self.figure)
        spare = game.reaction is not None and game.reaction.is_first and self.weapon in list_unfired(game, self.figure)
        again = said("{figure} cannot shoot (again) in this turn", figure=self.figure)
        require(SHOT not in marks or spare, again)
        dull = said("{figure} failed the test of stupidity and does not shoot", figure=self.figure)
        require(DULLED not in marks, dull, STUPIDITY)
        require(not then.opponents_of(self.figure), said("{figure} is fighting", figure=self.figure), IN_MELEE)
        distances = game.distances()
        near = distances is not None and self.figure in distances.drawn_in()
        told = said("{figure} is within a step of a fight and does not shoot", figure=self.figure)
        require(not near, told, DRAWN_IN)

    def _check_target(self, game: MatchRoads) -> None:
        piece, target = game.piece(self.figure), game.piece(self.target)
        require(
            target.on_table and target.side != piece.side, said("{target} is no enemy on the table", target=self.target)
        )
        hidden = said("{target} is camouflaged and cannot be shot at", target=self.target)
        require(HIDDEN not in target.marks, hidden, CAMOUFLAGE)
        sees = self.ruling is None or bool(self.ruling["line_of_sight"])
        require(sees, said("{figure} does not see {target}", figure=self.figure, target=self.target), SIGHT)

    def _check_weapon(self, game: MatchRoads) -> None:
        blade = said("the {weapon} of {figure} does not shoot", figure=self.figure, weapon=self.weapon)
        require(not is_of_kind(game, self.weapon, "melee"), blade)
        owned = carried(game, self.figure)
        lacks = said("{figure} carries: {weapons}", figure=self.figure, weapons=named(owned))
        described = weapon(game, self.weapon) is not None or all(weapon(game, name) is not None for name in owned)
        require(self.weapon in owned or not described, lacks)
        used_up = self.weapon in game.spent.get(self.figure, ())
        if is_of_kind(game, self.weapon, "thrown"):
            require(
                not used_up,
                said("{figure} has thrown the last {weapon}", figure=self.figure, weapon=self.weapon),
                MISFIRE,
            )
        require(
            not used_up, said("the {weapon} of {figure} is jammed", figure=self.figure, weapon=self.weapon), MISFIRE
        )
        far = is_out_of_range(self._then(game), self.figure, self.target, self.weapon)
        told = said("{target} is out of range: there are no hits; roll for a misfire all the same", target=self.target)
        require(not (far and self.hits), told, OUT_OF_RANGE)

    def _check_reaction(self, reaction: Reaction) -> None:
        pair = (reaction.shooter, reaction.figure)
        require(
            (self.figure, self.target) == pair,
            said("{shooter} shoots at {figure} before anybody else", shooter=reaction.shooter, figure=reaction.figure),
        )
        if reaction.how == "shoot first":
            return
        require(
            self.total is not None,
            said(
                "tell the roll of {figure} as total; {target} has {total}",
                figure=self.figure,
                target=self.target,
                total=reaction.total,
            ),
            DUCK,
        )
        total = (self.total or 0) + self.change
        told = said(
            "{target} has {total} against {total_2}: there are no hits",
            target=self.target,
            total=reaction.total,
            total_2=total,
        )
        require(not (evades(reaction.total, total) and self.hits), told, DUCK)


def _list_witness_tests(game: MatchRoads, shooter: str, target: str) -> tuple[PendingTest, ...]:
    table = game.table()
    if table is None:
        return ()
    names = game.rules.witnesses(table, shooter, target)
    return tuple(
        PendingTest(kind="ambush", side=game.piece(n).side, figure=n, against=shooter, value=game.fighter(n).mobility)
        for n in names
    )


STEPS: tuple[type[Struct], ...] = (Shoot,)

"""Hiding and shooting (rules C5); the roll of a shot is not in the known rules, so its hits are told."""

from __future__ import annotations

from typing import Any, Self

from msgspec import Struct
from msgspec.structs import replace

from assistant.games.roads.match.model_steps import ModelStep
from assistant.games.roads.match.state import (
    CHARGED,
    DULLED,
    HIDDEN,
    RAN,
    SHOT,
    WATCH,
    MatchRoads,
    PendingTest,
    Reaction,
    add_hits,
    require_able,
    require_nothing_open,
)
from assistant.games.roads.rules.checks import evades
from assistant.match.chance import Chance
from assistant.match.game import Count, Integer, Name, Step, require
from assistant.match.rulings import sight_document
from assistant.translations.messages import Said, counted, named, said


class Hide(ModelStep, frozen=True, kw_only=True, tag="hide"):
    """A model that ended its move beside real cover camouflages itself (C5)."""

    def check(self, game: MatchRoads) -> None:
        """Not after a run or a charge, not while fighting, and not where an enemy detects it."""
        super().check(game)
        piece = game.piece(self.figure)
        require(
            not {RAN, CHARGED, WATCH} & set(piece.marks),
            said("{figure} ran, charged or watches in this turn", figure=self.figure),
        )
        require(not game.opponents_of(self.figure), said("{figure} is fighting", figure=self.figure))
        found = find_detectors(game, self.figure)
        require(
            not found,
            said("{found} is too near: he would hear and see {figure}", found=named(found), figure=self.figure),
        )

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the token beside the model."""
        return game.with_piece(game.piece(self.figure).marked(HIDDEN))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure} hides", figure=self.figure)


class Found(Step[MatchRoads], frozen=True, kw_only=True, tag="found"):
    """A camouflaged model is seen: it moved in view, or an enemy came where nothing hides it (C5)."""

    figure: Name

    def check(self, game: MatchRoads) -> None:
        """It must be camouflaged."""
        require(HIDDEN in game.piece(self.figure).marks, said("{figure} is not camouflaged", figure=self.figure))

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game without the token."""
        return game.with_piece(game.piece(self.figure).unmarked(HIDDEN))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure} is found", figure=self.figure)


class Shoot(Step[MatchRoads], frozen=True, kw_only=True, tag="shoot"):
    """A shot, on one's own turn or from a watch; its roll is not in the known rules, so the hits are typed in.

    ``silent`` (or a target that dies at once, ``kills``) keeps a camouflaged shooter hidden unless a witness
    passes a test of Mobility (C5). ``total`` is the shooter's own roll with all its modifiers: a target that ducked
    or took cover is hit only if it is no less than the target's.
    """

    figure: Name
    target: Name
    hits: Count = 0
    weapon: Name = "weapon"
    silent: bool = False
    kills: bool = False
    total: Integer | None = None
    ruling: dict[str, Any] | None = None

    def side(self, game: MatchRoads) -> str | None:
        """Whose model shoots."""
        return game.piece(self.figure).side

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        """The step with the ruling of this table."""
        return replace(self, ruling=sight_document(game, self.figure, self.target)) if game.ground else self

    def check(self, game: MatchRoads) -> None:
        """In one's own shooting phase or from a watch in the enemy's turn, at a visible enemy."""
        piece, target = game.piece(self.figure), game.piece(self.target)
        require_nothing_open(game)
        reaction = game.reaction
        if reaction is not None and reaction.is_first:
            pair = (reaction.figure, reaction.shooter)
            require(
                (self.figure, self.target) == pair,
                said("{figure} shoots at {shooter} first", figure=reaction.figure, shooter=reaction.shooter),
            )
        elif game.active == piece.side:
            require(game.phase == "shoot", said("models shoot in the shooting phase"))
            require(
                not {RAN, WATCH} & set(piece.marks), said("{figure} ran or watches in this turn", figure=self.figure)
            )
        else:
            require(
                WATCH in piece.marks, said("only a model that watches shoots in the turn of {side}", side=game.active)
            )
        require_able(game, self.figure)
        require(
            not {SHOT, DULLED} & set(piece.marks),
            said("{figure} cannot shoot (again) in this turn", figure=self.figure),
        )
        require(not game.opponents_of(self.figure), said("{figure} is fighting", figure=self.figure))
        require(
            target.on_table and target.side != piece.side, said("{target} is no enemy on the table", target=self.target)
        )
        require(HIDDEN not in target.marks, said("{target} is camouflaged and cannot be shot at", target=self.target))
        if reaction is not None and not reaction.is_first:
            self._check_reaction(reaction)
        if self.ruling is not None:
            require(
                bool(self.ruling["line_of_sight"]),
                said("{figure} does not see {target}", figure=self.figure, target=self.target),
            )

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the hits to be worked out and the watch over; witnesses of an ambush test."""
        piece = game.piece(self.figure)
        hidden = HIDDEN in piece.marks and (self.silent or self.kills)
        first = game.reaction if game.reaction is not None and game.reaction.is_first else None
        game = replace(game, reaction=None if first is None else replace(first, is_first=False))
        game = game.with_piece(piece.unmarked(WATCH, *(() if hidden else (HIDDEN,))).marked(SHOT))
        if hidden:
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
        return counted(
            "{figure} shoots at {target}: {n} hit", "{figure} shoots at {target}: {n} hits", self.hits, **told
        )

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
        )
        missed = self.total is not None and evades(reaction.total, self.total)
        require(
            not (missed and self.hits),
            said(
                "{target} has {total} against {total_2}: there are no hits",
                target=self.target,
                total=reaction.total,
                total_2=self.total,
            ),
        )


def find_detectors(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """The enemies that find a camouflaged model because it is within half their Mobility (C5)."""
    distances = game.distances()
    if distances is None or figure not in distances.table.figure_by_id:
        return ()
    hidden = distances.table.figure(figure)
    enemies = (other for other in distances.table.figures if other.side != hidden.side)
    return tuple(other.id for other in enemies if distances.detects(other, hidden))


def _list_witness_tests(game: MatchRoads, shooter: str, target: str) -> tuple[PendingTest, ...]:
    table = game.table()
    if table is None:
        return ()
    names = game.rules.witnesses(table, shooter, target)
    return tuple(
        PendingTest(kind="ambush", side=game.piece(n).side, figure=n, against=shooter, value=game.fighter(n).mobility)
        for n in names
    )


STEPS: tuple[type[Struct], ...] = (Hide, Found, Shoot)

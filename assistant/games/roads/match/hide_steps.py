"""Camouflage (“Маскировка”, rules C5): hiding beside cover, and detection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from assistant.games.roads.match.model_steps import ModelStep
from assistant.games.roads.match.movement import (
    find_watchers,
    require_free_of_frenzy,
    require_not_stupid,
    reveal,
    set_out,
)
from assistant.games.roads.match.pending import Moving
from assistant.games.roads.match.state import FigureStep, Mark, MatchRoads
from assistant.games.roads.rules.movement import TAKE_COVER_STEPS, is_within
from assistant.games.roads.rules.reasons import CAMOUFLAGE, FALL
from assistant.match.chance import Chance
from assistant.match.game import Prompt, require
from assistant.rules.reasons import Rule
from assistant.translations.messages import Said, named, said


class Hide(ModelStep, frozen=True, kw_only=True, tag="hide"):
    """A model that ended its move beside real cover camouflages itself (C5).

    An enemy on overwatch may shoot at it first (``is_watched``, filled in).
    """

    rule = CAMOUFLAGE
    is_watched: bool = False

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if game.is_free_in("move") and cls.is_open_to_some(game):
            yield cls.prompt(said("Hide a model"), side=game.active)

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        return replace(self, is_watched=bool(find_watchers(game, self.figure)))

    def check(self, game: MatchRoads) -> None:
        super().check(game)
        marks = game.piece(self.figure).marks
        require(game.phase == "move", said("a model hides at the end of its move, in the movement phase"), CAMOUFLAGE)
        require(Mark.HIDDEN not in marks, said("{figure} is hidden already", figure=self.figure), CAMOUFLAGE)
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

    def silent_rule(self, game: MatchRoads) -> Rule | None:
        """Return the rule if the table shows no terrain: the players then see whether there is a hiding place."""
        table = game.table()
        return CAMOUFLAGE if table is None or not table.terrain else None


class Found(FigureStep, frozen=True, kw_only=True, tag="found"):
    """An enemy sees a camouflaged model: it moved in view, or lost its cover to the enemy (C5).

    The model's own side declares it. If the players disagree, a judge does.
    """

    rule = CAMOUFLAGE
    label = said("A camouflaged model is found")

    def check(self, game: MatchRoads) -> None:
        refusal = said("{figure} is not camouflaged", figure=self.figure)
        require(Mark.HIDDEN in game.piece(self.figure).marks, refusal, CAMOUFLAGE)

    def apply(self, game: MatchRoads) -> MatchRoads:
        return game.with_piece(reveal(game.piece(self.figure)))

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} is found", figure=self.figure)

    def silent_rule(self, game: MatchRoads) -> Rule | None:
        return CAMOUFLAGE


def find_detectors(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """Return the enemies that detect a camouflaged model within half their Mobility (C5)."""
    distances = game.distances()
    if distances is None or figure not in distances.table.figure_by_id:
        return ()
    hidden = distances.table.figure(figure)
    enemies = (other for other in distances.table.figures if other.side != hidden.side)
    return tuple(other.id for other in enemies if distances.detects(other, hidden))


def may_hide_there(game: MatchRoads, figure: str) -> bool:
    """Return whether a hiding place lies within a step, or True if only people can see that.

    “…если он завершает движение возле низкой стены, колонны, камня, угла здания, обломков или любого подобного места”
    (seed 003): difficult ground hides like rubble, a gap does not.
    """
    distances = game.distances()
    if distances is None or figure not in distances.table.figure_by_id or not distances.table.terrain:
        return True
    own, reach_mm = distances.table.figure(figure), TAKE_COVER_STEPS * distances.step_mm
    return any(piece.kind != "gap" and is_within(own, piece, reach_mm) for piece in distances.table.terrain)

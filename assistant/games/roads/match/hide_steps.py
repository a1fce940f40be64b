"""Hiding and being found (“Маскировка”, rules C5)."""

from __future__ import annotations

from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from assistant.games.roads.match.limits import require_free_of_frenzy
from assistant.games.roads.match.marks import CHARGED, DULLED, FALLEN, HIDDEN, RAN
from assistant.games.roads.match.model_steps import ModelStep
from assistant.games.roads.match.pending import Moving
from assistant.games.roads.match.state import MatchRoads
from assistant.games.roads.match.ways import find_watchers, reveal, set_out
from assistant.games.roads.rules.check_reasons import FALL, STUPIDITY
from assistant.games.roads.rules.ground import TAKE_COVER_STEPS, is_within
from assistant.games.roads.rules.reasons import CAMOUFLAGE
from assistant.match.chance import Chance
from assistant.match.game import Name, Step, require
from assistant.translations.messages import Said, named, said


class Hide(ModelStep, frozen=True, kw_only=True, tag="hide"):
    """A model that ended its move beside real cover camouflages itself (C5).

    An enemy who watches may shoot at it before it is hidden (``is_watched``, which the program fills in).
    """

    is_watched: bool = False

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        """The step with whether anybody watches it."""
        return replace(self, is_watched=bool(find_watchers(game, self.figure)))

    def check(self, game: MatchRoads) -> None:
        """As its move ends, beside cover, not after a run, charge or fall, in a fight or where an enemy detects it."""
        super().check(game)
        marks = game.piece(self.figure).marks
        require(game.phase == "move", said("a model hides where it ends its move, in the movement phase"), CAMOUFLAGE)
        dull = said("{figure} failed the test of stupidity: it shuffles on or stands", figure=self.figure)
        require(DULLED not in marks, dull, STUPIDITY)
        ran = said("{figure} ran, charged or watches in this turn", figure=self.figure)
        require(not {RAN, CHARGED} & set(marks), ran, CAMOUFLAGE)
        require(
            FALLEN not in marks, said("{figure} has fallen and does not hide in this turn", figure=self.figure), FALL
        )
        require(not game.opponents_of(self.figure), said("{figure} is fighting", figure=self.figure), CAMOUFLAGE)
        require_free_of_frenzy(game, self.figure)
        bare = said("{figure} stands beside nothing that would hide it", figure=self.figure)
        require(may_hide_there(game, self.figure), bare, CAMOUFLAGE)
        found = find_detectors(game, self.figure)
        told = said("{found} is too near: he would hear and see {figure}", found=named(found), figure=self.figure)
        require(not found, told, CAMOUFLAGE)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the token beside the model, or with whoever watches to shoot first."""
        return set_out(game, Moving(figure=self.figure, how="hide"), is_watched=self.is_watched)

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure} hides", figure=self.figure)


class Found(Step[MatchRoads], frozen=True, kw_only=True, tag="found"):
    """A camouflaged model is seen: it moved in view, or an enemy came where nothing hides it (C5)."""

    figure: Name

    def check(self, game: MatchRoads) -> None:
        """It must be camouflaged."""
        told = said("{figure} is not camouflaged", figure=self.figure)
        require(HIDDEN in game.piece(self.figure).marks, told, CAMOUFLAGE)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game without the token."""
        return game.with_piece(reveal(game.piece(self.figure)))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure} is found", figure=self.figure)


def find_detectors(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """The enemies that find a camouflaged model because it is within half their Mobility (C5)."""
    distances = game.distances()
    if distances is None or figure not in distances.table.figure_by_id:
        return ()
    hidden = distances.table.figure(figure)
    enemies = (other for other in distances.table.figures if other.side != hidden.side)
    return tuple(other.id for other in enemies if distances.detects(other, hidden))


def may_hide_there(game: MatchRoads, figure: str) -> bool:
    """Whether a model stands beside something, within the step in which it would take cover; else people see it.

    “…если он завершает движение возле низкой стены, колонны, камня, угла здания, обломков или любого подобного места”
    (seed 003): difficult ground hides as rubble does, a gap hides nobody.
    """
    distances = game.distances()
    if distances is None or figure not in distances.table.figure_by_id or not distances.table.terrain:
        return True
    own, reach_mm = distances.table.figure(figure), TAKE_COVER_STEPS * distances.step_mm
    return any(piece.kind != "gap" and is_within(own, piece, reach_mm) for piece in distances.table.terrain)


STEPS: tuple[type[Struct], ...] = (Hide, Found)

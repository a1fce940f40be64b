"""Who stands within a step of the fighting is moved into contact with it (“Втягивание в рукопашную схватку”)."""

from __future__ import annotations

from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from assistant.games.roads.match.marks import WATCH
from assistant.games.roads.match.state import MatchRoads
from assistant.games.roads.match.ways import reveal
from assistant.games.roads.rules.movement import find_contact_place, touches_at
from assistant.games.roads.rules.reasons import DRAWN_IN
from assistant.match.chance import Chance
from assistant.match.game import Name, PointMm, Step, require
from assistant.rules.free_distance import Distances
from assistant.table.free_table import FreeFigure
from assistant.translations.messages import Said, said


class DrawIn(Step[MatchRoads], frozen=True, kw_only=True, tag="draw_in"):
    """A model within a step of the fighting is moved into contact, or (``avoids``) stays where it is.

    Without ``center_mm`` the program puts it where it touches the nearest enemy who fights, on the straight way.
    """

    finds_place = True
    figure: Name
    center_mm: PointMm | None = None
    avoids: bool = False

    def side(self, game: MatchRoads) -> str | None:
        """Whose model it is."""
        return game.piece(self.figure).side

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        """The step with the place of contact, where the table tells it and nobody else has."""
        distances = game.distances()
        if self.avoids or self.center_mm is not None or distances is None:
            return self
        own = distances.table.figure_by_id.get(self.figure)
        enemies = [] if own is None else _fighting_enemies(distances, own)
        if own is None or not enemies:
            return self
        nearest = min(enemies, key=lambda enemy: (distances.between_mm(own, enemy), enemy.id))
        return replace(self, center_mm=find_contact_place(own, own.center_mm, nearest))

    def check(self, game: MatchRoads) -> None:
        """It must be one of those that are drawn in, and end in contact with an enemy who fights."""
        told = said("{figure} is not drawn into the melee", figure=self.figure)
        require(self.figure in game.to_draw_in, told, DRAWN_IN)
        distances = game.distances()
        if self.avoids or self.center_mm is None or distances is None:
            return
        own = distances.table.figure_by_id.get(self.figure)
        if own is None:
            return
        met = any(touches_at(own, self.center_mm, enemy) for enemy in _fighting_enemies(distances, own))
        told = said("{figure} is drawn into contact with an enemy who fights, and would touch none", figure=self.figure)
        require(met, told, DRAWN_IN)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the model there."""
        left = tuple(name for name in game.to_draw_in if name != self.figure)
        game = replace(game, to_draw_in=left)
        if self.avoids:
            return game
        piece = game.piece(self.figure)
        center = piece.center_mm if self.center_mm is None else self.center_mm
        return game.with_piece(reveal(replace(piece, center_mm=center)).unmarked(WATCH))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        if self.avoids:
            return said("{figure} keeps out of the melee", figure=self.figure)
        return said("{figure} is drawn into the melee", figure=self.figure)


def _fighting_enemies(distances: Distances, own: FreeFigure) -> list[FreeFigure]:
    fighting = distances.fighting()
    return [other for other in distances.table.figures if other.side != own.side and other.id in fighting]


STEPS: tuple[type[Struct], ...] = (DrawIn,)

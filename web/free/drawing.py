"""A table without a grid as lines and outlines in picture pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from assistant.app.live.free_answers import kind_at
from assistant.app.live.free_shots import FreeShot
from assistant.app.live.place_names import shorten_names
from assistant.app.live.shots import PictureProjection, PointPx
from assistant.app.live.table_words import move_words
from assistant.table.camera import PointMm
from assistant.table.free_sighting import FreeMaybe
from assistant.table.free_table import FreeFigure
from assistant.table.silhouettes import Face, list_faces, list_pillar
from assistant.translations.catalogue import speak_id
from assistant.translations.speech import Speech
from web.scene.drawing import BASE_TOP_MM, LOW_CONFIDENCE, around_base

FACING_SHARE = 1.35
"""Length of the facing line, in radii of the base."""

RADIUS_CORNERS = 72


class FromAbove:
    """The table from straight above, one pixel per millimetre."""

    def image_from_table(self, points_mm: Sequence[PointMm], height_mm: float = 0.0) -> list[PointPx]:
        return [*points_mm]


class FreeDrawing:
    """Draws the contents of one picture, over the picture or from above."""

    def __init__(self, shot: FreeShot, speech: Speech, *, from_above: bool = False) -> None:
        self._shot = shot
        self._speech = speech
        self._view: PictureProjection = FromAbove() if from_above else shot.view

    def document(self) -> dict[str, Any]:
        """Return the picture as the page's JSON."""
        shot, table = self._shot, self._shot.sighting.table
        short = shorten_names(table.figures, self._speech.language)
        return {
            "shot": shot.id,
            "picture": f"/api/v1/free/shots/{shot.id}/picture",
            "width_px": shot.picture.width_px,
            "height_px": shot.picture.height_px,
            "step_mm": float(table.step_mm),
            "terrain": [
                {
                    "id": piece.id,
                    "kind": piece.kind,
                    "name": speak_id(piece.id, self._speech.language),
                    "outline": self.project(
                        [(float(x), float(y)) for x, y in piece.outline_mm], float(piece.height_mm)
                    ),
                }
                for piece in table.terrain
            ],
            "figures": [self._figure(figure, short[figure.id]) for figure in table.figures],
            "maybes": [self._maybe(maybe) for maybe in shot.sighting.maybes if not maybe.is_anywhere],
            "moves": [move_words(move, self._speech) for move in shot.moves],
        }

    def base(self, figure: FreeFigure) -> list[PointPx]:
        """Return the outline of a figure's base."""
        return around_base(self._view, figure)

    def around(self, figure: FreeFigure, reach_mm: float, corners: int = RADIUS_CORNERS) -> list[PointPx]:
        """Return the outline at a distance from a figure's base, at the height of its top."""
        return around_base(self._view, figure, reach_mm, corners)

    def faces(self, besides: frozenset[str], over_mm: float) -> list[Face]:
        """Return the sides and tops that occlude a line at that height: higher terrain, and other figures."""
        table = self._shot.sighting.table
        faces: list[Face] = []
        for piece in table.terrain:
            if piece.height_mm > over_mm:
                outline = [(float(x), float(y)) for x, y in piece.outline_mm]
                faces += list_faces(self.project, outline, 0.0, float(piece.height_mm))
        for figure in table.figures:
            if figure.id not in besides:
                low_mm, high_mm = float(figure.elevation_mm), float(figure.elevation_mm + figure.height_mm)
                faces += list_pillar(self.project, _place(figure), float(figure.base_mm), low_mm, high_mm)
        return faces

    def front(self, figure: FreeFigure, reach_mm: float) -> list[PointPx] | None:
        """Return the line between front and back of a figure, or None if its facing is unknown."""
        spot = self._shot.sighting.spots.get(figure.id)
        if spot is None or spot.facing_error_deg is None:
            return None
        (x, y), turn, wide = _place(figure), math.radians(float(figure.facing_deg)), figure.reach_mm + reach_mm
        aside = -wide * math.sin(turn), wide * math.cos(turn)
        ends = [(x - aside[0], y - aside[1]), (x + aside[0], y + aside[1])]
        return self.project(ends, float(figure.elevation_mm) + BASE_TOP_MM)

    def project(self, places_mm: Sequence[PointMm], height_mm: float) -> list[PointPx]:
        """Return the pixels of places at a height."""
        return [(round(x, 1), round(y, 1)) for x, y in self._view.image_from_table(places_mm, height_mm)]

    def _maybe(self, maybe: FreeMaybe) -> dict[str, Any]:
        """Return a possible place of a figure, with the question."""
        figure, name = maybe.figure, speak_id(kind_at(maybe.figure.id), self._speech.language)
        return {
            "id": figure.id,
            "name": name,
            "base": self.base(figure),
            "center": self.project([_place(figure)], float(figure.elevation_mm) + BASE_TOP_MM)[0],
            "question": self._speech.text(
                "{name} may stand here ({percent} sure).",
                name=name,
                percent=self._speech.percent(maybe.chance),
            ),
        }

    def _figure(self, figure: FreeFigure, short: str) -> dict[str, Any]:
        spot = self._shot.sighting.spots.get(figure.id)
        shown: dict[str, Any] = {
            "id": figure.id,
            "name": speak_id(figure.id, self._speech.language),
            "short": short,
            "side": figure.side,
            "base": self.base(figure),
            "center": self.project([_place(figure)], float(figure.elevation_mm) + BASE_TOP_MM)[0],
            "is_unsure": spot is not None and spot.confidence < LOW_CONFIDENCE,
            "facing": None,
        }
        if spot is not None and spot.facing_error_deg is not None:
            (x, y), turn = _place(figure), math.radians(float(figure.facing_deg))
            reach = FACING_SHARE * figure.reach_mm
            ahead = [(x, y), (x + reach * math.cos(turn), y + reach * math.sin(turn))]
            shown["facing"] = self.project(ahead, float(figure.elevation_mm) + BASE_TOP_MM)
        return shown


def _place(figure: FreeFigure) -> PointMm:
    return float(figure.center_mm[0]), float(figure.center_mm[1])

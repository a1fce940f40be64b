"""Read one photo of a table without a grid: markers, pose, bases to the millimetre, and the resulting table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import cv2
import numpy as np
from jaxtyping import Float

from assistant.errors import BadValue
from assistant.table.camera import CameraLens, PointMm, TableMarkers
from assistant.table.free_sighting import UNSEEN, FreeMaybe, FreeSighting, FreeSpot, settled_table, snapped
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.roster import Roster, RosterFigure
from assistant.translations.messages import said
from calibration.arrays import BgrImage, Numbers
from calibration.color import gray_from_bgr, lab_from_bgr
from calibration.marker_tracking import MarkerTracker
from calibration.pose import CameraView, solve_view
from vision.evidence.bases import BASE_HEIGHT_MM
from vision.free.bases import base_kinds
from vision.free.choice import BaseSighting, choose_bases, choose_maybes, outline_of
from vision.free.facing import Facing, find_facing
from vision.free.relief import is_raised
from vision.free.rim_colors import read_rim_colors
from vision.free.rims import BasePose, RimFit, RimPicture, fit_again, fit_rim, quick_score
from vision.free.search import BasePlace, Plane, find_places, is_in_its_color, levels_of, plane_of, rim_share
from vision.photo.paper_light import paper_light

SPARE, BARE_SPARE = 10, 40
"""Fitted places beyond the box's number, for painted and for bare bases. Only the fit distinguishes a bare base from
other things with edges."""

LEAST_IN_SIGHT = 0.35
"""Least unoccluded share of a fitted outline."""

RAY_STEPS = 24


@dataclass(frozen=True, eq=False)
class FreeReading:
    """A sighting with its view, and the fitted bases in the sighting's order."""

    sighting: FreeSighting
    view: CameraView
    bases: tuple[BaseSighting, ...]


class Ground:
    """The heights of a table's solid terrain, and its occlusion.

    A pixel of the stored heights is a millimetre. A hand-drawn outline is no finer.
    """

    def __init__(self, table: FreeTable) -> None:
        solid = sorted((t for t in table.terrain if t.kind in ("wall", "cover")), key=lambda t: t.height_mm)
        self._pieces = [
            (np.array([[float(x), float(y)] for x, y in t.outline_mm], np.float32), float(t.height_mm)) for t in solid
        ]
        width, depth = (max(1, round(float(side))) for side in table.size_mm)
        self._heights = np.zeros((depth, width), np.float32)
        for outline, height_mm in self._pieces:
            cv2.fillPoly(self._heights, [np.round(outline - 0.5).astype(np.int32)], height_mm)

    def height_at(self, place_mm: tuple[float, float]) -> float:
        """Return the height of the ground: the top of the highest solid piece of terrain, or the table."""
        x, y = (float(value) for value in place_mm)
        tops = (height for outline, height in self._pieces if cv2.pointPolygonTest(outline, (x, y), False) >= 0)
        return max(tops, default=0.0)

    def share_in_sight(
        self, points_mm: Float[Numbers, "n 2"], elevation_mm: float, eye_mm: Float[Numbers, "3"]
    ) -> float:
        """Return the share of points at a height that no terrain occludes from a camera, 0 to 1."""
        highest = float(self._heights.max(initial=0.0))
        if highest <= elevation_mm:
            return 1.0
        heights = np.linspace(elevation_mm, highest, RAY_STEPS + 1)[1:]
        along = (heights - elevation_mm) / max(float(eye_mm[2]) - elevation_mm, 1.0)
        places = points_mm[:, None] + along[None, :, None] * (eye_mm[:2] - points_mm)[:, None]
        columns, rows = np.moveaxis(np.floor(places).astype(int), 2, 0)
        depth, width = self._heights.shape
        is_on = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < depth)
        over = self._heights[np.clip(rows, 0, depth - 1), np.clip(columns, 0, width - 1)]
        # What is no higher than a base occludes nothing, since its outline may be slightly off.
        is_hidden = is_on & (over > heights) & (over > elevation_mm + BASE_HEIGHT_MM)
        return float(1 - is_hidden.any(axis=1).mean())


class FreeTableReader:
    """Reads photos of one table without a grid.

    Args:
        box: the table of the set-up: step, size, terrain, and the values of every model of the box. It ignores the
            places of these models.
        roster: the bases and rims of these models.
        markers: where the printed markers lie.
        lens: the camera's lens. None estimates it from the markers.

    Raises:
        BadValue: a model of the roster has no values in the box.
    """

    def __init__(self, box: FreeTable, roster: Roster, markers: TableMarkers, lens: CameraLens | None) -> None:
        for figure in roster.figures:
            if figure.id not in box.figure_by_id:
                text = said("has no values in the free table of the set-up; add it there: “{figure}”", figure=figure.id)
                raise BadValue(text, field="figures")
        self.box = box
        self._kinds = base_kinds(roster)
        self._ground = Ground(box)
        self._roster = roster
        self._markers = markers
        self._lens = lens
        self._tracker = MarkerTracker(markers, lens)

    def read(self, photo: BgrImage) -> FreeReading:
        """Read the photo.

        Raises:
            SizeMismatch: the photo's size does not fit the lens.
            TooFewMarkers: fewer than three of the table's markers were found.
            PoseAmbiguous: the markers contradict each other.
        """
        gray_image = gray_from_bgr(photo)
        height, width = gray_image.shape
        view = solve_view(self._tracker.find(gray_image), self._markers, self._lens, image_wh=(width, height))
        picture = RimPicture(lab_from_bgr(photo), view)
        paper = paper_light(photo, view, self._markers)
        planes = [plane_of(photo, view, paper, level) for level in levels_of(self.box)]
        painted, bare = ([k for k in self._kinds if (k.ring is None) == is_bare] for is_bare in (False, True))
        found = [base for plane in planes for base in self._fit(picture, plane, find_places(plane, painted))]
        sure = [base for base in choose_bases(found) if base.may_be_sure]
        for plane in planes:
            free = [place for place in find_places(plane, bare) if not any(_lies_in(place, base) for base in sure)]
            found += self._fit(picture, plane, free)
        bases = [replace(base, fit=fit_again(picture, base.fit)) for base in choose_bases(found)]
        maybes = tuple(self._maybes(bases, choose_maybes(found, bases)))
        return FreeReading(replace(self._sight(picture, bases), maybes=maybes), view, tuple(bases))

    def _fit(self, picture: RimPicture, plane: Plane, places: Sequence[BasePlace]) -> Iterator[BaseSighting]:
        """Yield the fitted bases on a plane, for the best places of each kind only."""
        standing = [place for place in places if self._may_stand(place)]
        scored = [(quick_score(picture, p.kind, _pose(p)) + p.score, p) for p in standing]
        left: Counter[int] = Counter()
        for _, place in sorted(scored, key=lambda pair: -pair[0]):
            left[id(place.kind)] += 1
            spare = BARE_SPARE if place.kind.ring is None else SPARE
            if left[id(place.kind)] <= len(place.kind.figures) + spare:
                fit = fit_rim(picture, place.kind, _pose(place))
                if not self._is_there_to_see(picture, fit):
                    continue
                at = replace(place, center_mm=fit.pose.center_mm, turn_rad=fit.pose.turn_rad)
                colors, own_color = read_rim_colors(picture, fit), is_in_its_color(plane, at)
                sighting = BaseSighting(fit, rim_share(plane, at), colors, is_in_its_color=own_color)
                yield replace(sighting, is_raised=sighting.may_be_sure and is_raised(picture, fit))

    def _may_stand(self, place: BasePlace) -> bool:
        """Return whether the ground there has the height of the search, and no marker lies there."""
        on_marker = any(_holds(marker.corners_mm, place.center_mm) for marker in self._markers.markers)
        return not on_marker and self._ground.height_at(place.center_mm) == place.elevation_mm

    def _is_there_to_see(self, picture: RimPicture, fit: RimFit) -> bool:
        """Return whether the ground under a fitted base has the right height and no terrain occludes it.

        A wall's top looks much like a larger base on the table behind it, which the wall would occlude.
        """
        if self._ground.height_at(fit.pose.center_mm) != fit.pose.elevation_mm:
            return False
        eye_mm, elevation_mm = np.array(picture.view.camera_center_mm), fit.pose.elevation_mm
        return self._ground.share_in_sight(outline_of(fit), elevation_mm, eye_mm) >= LEAST_IN_SIGHT

    def _maybes(self, bases: Sequence[BaseSighting], unsure: Sequence[BaseSighting]) -> Iterator[FreeMaybe]:
        """Yield the possible figures at places without a chosen one, and those of each kind without any place."""
        missing = Counter({id(kind): len(kind.figures) for kind in self._kinds})
        missing.subtract(id(base.fit.kind) for base in bases)
        left = {name: float(count) for name, count in missing.items()}
        for number, sighting in enumerate(unsure, 1):
            kind = sighting.fit.kind
            left[id(kind)] -= sighting.confidence
            figure = self._figure(f"{kind.figures[0].kind}?{number}", kind.figures[0], sighting, None)
            yield FreeMaybe(figure, sighting.confidence, spot=_spot(sighting, 1.0, None))
        for kind in self._kinds:
            for number in range(math.ceil(left[id(kind)])):
                known = self.box.figure(kind.figures[number].id)
                size_mm = None if kind.is_round else (snapped(kind.size_mm[0]), snapped(kind.size_mm[1]))
                figure = replace(known, id=f"{known.id}?", elevation_mm=Fraction(0), base_size_mm=size_mm)
                yield FreeMaybe(figure, UNSEEN * min(1.0, left[id(kind)] - number), is_anywhere=True)

    def _sight(self, picture: RimPicture, bases: Sequence[BaseSighting]) -> FreeSighting:
        """Return the sighting, with every figure named."""
        placed = sorted(bases, key=lambda s: s.fit.pose.center_mm)
        figures: list[FreeFigure] = []
        spots: dict[str, FreeSpot] = {}
        seen: dict[str, tuple[float, float]] = {}
        for sighting, (name, model) in zip(placed, name_bases(placed, self._roster), strict=True):
            facing = find_facing(picture, sighting.fit)
            figures.append(self._figure(name, model, sighting, facing))
            spots[name] = _spot(sighting, sighting.chosen_confidence, facing)
            seen[name] = sighting.fit.pose.center_mm
        table = settled_table(replace(self.box, figures=tuple(figures)), seen)
        view = picture.view
        return FreeSighting(table, spots, seen, view.reprojection_px, view.markers_seen)

    def _figure(self, name: str, model: RosterFigure, sighting: BaseSighting, facing: Facing | None) -> FreeFigure:
        """Return the sighted figure. A rectangle keeps its turn even if its front is unknown."""
        kind, pose = sighting.fit.kind, sighting.fit.pose
        x, y = pose.center_mm
        lies_deg = 0.0 if kind.is_round else math.degrees(pose.turn_rad) % 360
        known = self.box.figure(model.id)
        return replace(
            known,
            id=name,
            center_mm=(snapped(x), snapped(y)),
            elevation_mm=snapped(pose.elevation_mm),
            facing_deg=round(Fraction(lies_deg if facing is None else facing.facing_deg), 1),
            base_size_mm=None if kind.is_round else (snapped(kind.size_mm[0]), snapped(kind.size_mm[1])),
        )


def _spot(sighting: BaseSighting, confidence: float, facing: Facing | None) -> FreeSpot:
    """Return the accuracy and confidence of a base and its figure."""
    kinds = tuple(dict.fromkeys(figure.kind for figure in sighting.fit.kind.figures))
    return FreeSpot(
        sighting.fit.error_mm,
        confidence / len(kinds),
        None if facing is None else facing.error_deg,
        kinds if len(kinds) > 1 else (),
        math.degrees(sighting.fit.turn_error_rad),
    )


def _lies_in(place: BasePlace, base: BaseSighting) -> bool:
    """Return whether the middle of a place lies within the circle of a sure base."""
    kind, pose = base.fit.kind, base.fit.pose
    near = math.dist(place.center_mm, pose.center_mm) < min(kind.size_mm) / 2
    return near and place.elevation_mm == pose.elevation_mm


def _pose(place: BasePlace) -> BasePose:
    return BasePose(place.center_mm, place.turn_rad, place.elevation_mm)


def _holds(outline_mm: Iterable[tuple[Fraction, Fraction]] | Iterable[PointMm], place_mm: tuple[float, float]) -> bool:
    outline = np.array([[float(x), float(y)] for x, y in outline_mm], dtype=np.float32)
    return cv2.pointPolygonTest(outline, (float(place_mm[0]), float(place_mm[1])), False) >= 0


def name_bases(placed: Sequence[BaseSighting], roster: Roster) -> Iterator[tuple[str, RosterFigure]]:
    """Yield each base's name and model with its values: its own name if unique in the box, else a number."""
    taken = {figure.id for figure in roster.figures}
    count: Counter[str] = Counter()
    for sighting in placed:
        model, *others = sighting.fit.kind.figures
        if not others:
            yield model.id, model
            continue
        count[model.kind] += 1
        while f"{model.kind}~{count[model.kind]}" in taken:
            count[model.kind] += 1
        yield f"{model.kind}~{count[model.kind]}", model

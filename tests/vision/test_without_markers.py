"""Photos on which no marker lies: the tiles' own prints give the view."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from assistant import documents
from assistant.errors import NoTiles, TooFewMarkers
from assistant.table.camera import NO_MARKERS, CameraLens, TableMarker, TableMarkers
from assistant.table.roster import Roster
from calibration.arrays import BgrImage
from calibration.pose import CameraView, pinhole
from vision.photo.decoding import decode_photo
from vision.reading import Reading, TableReader
from vision.tiles import print_seeds
from vision.tiles.print_view import view_by_prints
from vision.tiles.prints import TilePrints, load_prints

WITH_PAPER = 1.6
"""Side of a marker's white paper in sides of the marker."""


@dataclass(frozen=True, eq=False)
class Laid:
    """A ray-traced table, its photo without some of the markers, and the true view."""

    photo: BgrImage
    view: CameraView
    prints: TilePrints
    roster: Roster
    markers: TableMarkers
    lens: CameraLens
    truth: dict[str, Any]

    def reader(self, markers: TableMarkers, lens: CameraLens | None) -> TableReader:
        return TableReader(self.prints, self.roster, markers, lens)

    def without(self, markers: Sequence[TableMarker]) -> BgrImage:
        """Return the photo with markers painted over in the colours round them."""
        mask = np.zeros(self.photo.shape[:2], np.uint8)
        for marker in markers:
            corners = np.array(marker.corners_mm)
            middle = corners.mean(axis=0)
            outline = self.view.image_from_table(middle + (corners - middle) * WITH_PAPER)
            cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 1)
        return np.asarray(cv2.inpaint(self.photo, mask, 5, cv2.INPAINT_TELEA), dtype=np.uint8)

    def corners_mm(self) -> NDArray[np.float64]:
        """Return the corners of the board's cells on the table."""
        grid = self.truth["grid"]
        points = sorted({(c + i, r + j) for c, r in self.truth["board"]["cells"] for i in (0, 1) for j in (0, 1)})
        c, s = math.cos(math.radians(grid["angle_deg"])), math.sin(math.radians(grid["angle_deg"]))
        turn = np.array([[c, -s], [s, c]])
        return np.array(grid["origin_mm"]) + grid["cell_mm"] * np.array(points, dtype=float) @ turn.T

    def off_mm(self, view: CameraView) -> NDArray[np.float64]:
        """Return how far a view has each corner off the truth, however its frame lies."""
        true = self.corners_mm()
        seen = view.table_from_image(self.view.image_from_table(true, 2.0), 2.0)
        p, q = (points @ np.array([1, 1j]) for points in (seen, true))
        turn = np.vdot(p - p.mean(), q - q.mean())
        return np.asarray(np.abs((p - p.mean()) * turn / abs(turn) - (q - q.mean())))


@pytest.fixture(scope="module", params=["easy-04", "normal-02", "hard-02"])
def laid(request: pytest.FixtureRequest, dev_scenes: Path) -> Laid:
    folder = dev_scenes / request.param
    prints = load_prints(dev_scenes.parent / "tiles-dev")
    roster = documents.roster_from_json((folder / "roster.json").read_bytes())
    markers = documents.table_from_json((folder / "table.json").read_bytes())
    lens = documents.camera_from_json((folder / "camera.json").read_bytes())
    photo = decode_photo((folder / "photo.jpg").read_bytes())
    view = TableReader(prints, roster, markers, lens).find_view(photo)
    return Laid(photo, view, prints, roster, markers, lens, json.loads((folder / "truth.json").read_text()))


def ids(reading: Reading) -> list[str]:
    return sorted(tile.id for tile in reading.observation.tiles)


@pytest.mark.parametrize(("votes", "searches"), [(60.0, 1), (9.0, 2)])
def test_the_whole_picture_is_not_searched_where_a_tile_is_clear_in_its_middle(monkeypatch, votes, searches):
    reaches_mm = []

    def seeds_at(photo, prints, view, reach_mm=print_seeds._REACH_MM):
        reaches_mm.append(reach_mm)
        return [SimpleNamespace(votes=votes)]

    monkeypatch.setattr(print_seeds, "_seeds_at", seeds_at)
    next(print_seeds.find_seeds(None, None, pinhole((1920, 1080), 0.8)))
    assert reaches_mm == [print_seeds._MIDDLE_MM, print_seeds._REACH_MM][:searches]


@pytest.mark.parametrize("size_wh", [(1, 1), (300, 1), (1, 300)])
def test_a_picture_one_pixel_wide_shows_no_tile(laid: Laid, size_wh: tuple[int, int]) -> None:
    with pytest.raises(NoTiles, match="No tile"):
        laid.reader(NO_MARKERS, None).read(np.full((size_wh[1], size_wh[0], 3), 120, np.uint8))


@pytest.mark.parametrize("knows_lens", [True, False], ids=["lens", "no lens"])
def test_the_tiles_alone_give_the_view(laid: Laid, knows_lens: bool) -> None:
    lens = laid.lens if knows_lens else None
    found = view_by_prints(laid.without(laid.markers.markers), laid.prints, lens).view
    off_mm = laid.off_mm(found)
    assert np.median(off_mm) < 0.4
    assert off_mm.max() < 1.0
    assert found.markers_seen == ()
    assert set(found.tiles_seen) <= {tile["id"] for tile in laid.truth["tiles"]}
    height = found.camera_center_mm[2] / laid.view.camera_center_mm[2]
    assert abs(math.log(height)) < (0.01 if knows_lens else 4 * found.focal_uncertainty)


def test_a_table_without_markers_is_read_as_with_them(laid: Laid) -> None:
    reading = laid.reader(NO_MARKERS, None).read(laid.without(laid.markers.markers))
    assert ids(reading) == sorted(tile["id"] for tile in laid.truth["tiles"])
    kinds = sorted(str(figure.kind) for figure in reading.observation.figures)
    assert len(set(kinds) ^ {str(figure["kind"]) for figure in laid.truth["figures"]}) <= 1
    assert abs(len(kinds) - len(laid.truth["figures"])) <= 1
    assert 0.1 < reading.observation.grid.angle_deg < 89.9
    light = reading.observation.camera.light
    assert light is not None
    assert light.by == "prints"
    assert light.uncertainty > 0.1


def test_one_marker_in_sight_fixes_the_table_s_frame(laid: Laid) -> None:
    seen = next(marker for marker in laid.markers.markers if marker.id in laid.view.markers_seen)
    hidden = [marker for marker in laid.markers.markers if marker is not seen]
    view = laid.reader(laid.markers, laid.lens).find_view(laid.without(hidden))
    assert view.markers_seen == (seen.id,)
    assert view.tiles_seen
    true = laid.corners_mm()
    off_mm = np.linalg.norm(view.table_from_image(laid.view.image_from_table(true, 2.0), 2.0) - true, axis=1)
    assert off_mm.max() < 3.0


def test_a_table_known_by_its_markers_keeps_its_frame_when_they_are_gone(laid: Laid) -> None:
    reader = laid.reader(laid.markers, laid.lens)
    before = reader.read(laid.photo).observation
    after = reader.read(laid.without(laid.markers.markers)).observation
    assert after.camera.tiles_seen
    there = {tile.id: tile.center_mm for tile in after.tiles}
    assert max(math.dist(tile.center_mm, there[tile.id]) for tile in before.tiles if tile.id in there) < 0.8


def test_tiles_of_another_set_are_no_view(laid: Laid, photographed: Any) -> None:
    with pytest.raises(NoTiles):
        view_by_prints(laid.without(laid.markers.markers), photographed.prints, laid.lens)


def test_a_bare_table_without_markers_names_the_markers_where_some_were_printed(laid: Laid) -> None:
    blank = np.full((1080, 1920, 3), 128, dtype=np.uint8)
    with pytest.raises(TooFewMarkers):
        laid.reader(laid.markers, laid.lens).read(blank)
    with pytest.raises(NoTiles):
        laid.reader(NO_MARKERS, laid.lens).read(blank)


def middle_of(photo: BgrImage, share: float) -> BgrImage:
    """Return the middle of a photo, enlarged to its size."""
    height, width = photo.shape[:2]
    top, left = (round(side * (1 - share) / 2) for side in (height, width))
    part = photo[top : height - top, left : width - left]
    return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def test_large_spaces_are_read_and_not_called_blurred(laid: Laid) -> None:
    photo = middle_of(laid.photo, 0.25)
    reading = laid.reader(NO_MARKERS, None).read(photo)
    assert ids(reading)
    assert set(ids(reading)) <= {tile["id"] for tile in laid.truth["tiles"]}


def test_an_enlarged_part_of_too_few_spaces_is_asked_for_more_of_the_table(laid: Laid) -> None:
    with pytest.raises(NoTiles, match="too few spaces"):
        laid.reader(NO_MARKERS, None).read(middle_of(laid.photo, 0.06))

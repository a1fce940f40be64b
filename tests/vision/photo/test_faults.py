"""An unreadable photo gets advice for its cause: blurred, dark, glare, mirrored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from loose_box import lay_out_loosely, loose_scene, random_box

from assistant.errors import NoTiles, PhotoError, PictureMirrored, TooFewMarkers
from assistant.table.camera import NO_MARKERS
from calibration.arrays import BgrImage
from vision.photo.decoding import decode_photo
from vision.photo.faults import PhotoUnclear, fault_of, require_clear
from vision.reading import TableReader
from vision.simulation.dataset import take_photo
from vision.tiles.print_view import CLEAR_VOTES, view_by_prints
from vision.tiles.prints import prints_from_images


@pytest.fixture(scope="module")
def photo(photographed: Any) -> BgrImage:
    return decode_photo((photographed.folder / "photo.jpg").read_bytes())


def blurred(photo: BgrImage, way_px: int = 45) -> BgrImage:
    """Return the photo with the blur of a moving hand."""
    kernel = np.full((1, way_px), 1 / way_px, np.float32)
    moved = cv2.filter2D(cv2.GaussianBlur(photo, (0, 0), 6), -1, kernel)
    return np.asarray(moved, dtype=np.uint8)


def dark(photo: BgrImage) -> BgrImage:
    return np.asarray(photo * 0.02, dtype=np.uint8)


FAULTS = {"blurred": (blurred, "is blurred"), "dark": (dark, "too dark")}


def test_a_good_photo_has_no_fault(photo: BgrImage) -> None:
    assert fault_of(photo) is None
    large = np.asarray(cv2.resize(photo, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    assert fault_of(large) is None


def test_a_reflected_lamp_is_glare(photo: BgrImage) -> None:
    glare = cv2.circle(photo.copy(), (960, 540), 320, (255, 255, 255), -1)
    assert "reflected" in str(fault_of(np.asarray(glare, dtype=np.uint8)))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_spoilt_photo_teaches_nothing(photo: BgrImage, fault: str) -> None:
    spoil, words = FAULTS[fault]
    with pytest.raises(PhotoUnclear, match=words):
        require_clear(spoil(photo))
    assert require_clear(photo) is photo


@pytest.mark.parametrize("has_markers", [True, False], ids=["markers", "no markers"])
@pytest.mark.parametrize("fault", FAULTS)
def test_what_spoils_a_photo_is_said(photographed: Any, photo: BgrImage, fault: str, has_markers: bool) -> None:
    spoil, words = FAULTS[fault]
    reader = reader_of(photographed, has_markers)
    with pytest.raises(PhotoError, match=words) as refused:
        reader.read(spoil(photo))
    assert isinstance(refused.value, TooFewMarkers if has_markers else NoTiles)


@pytest.mark.parametrize("has_markers", [True, False], ids=["markers", "no markers"])
def test_a_mirrored_photo_is_called_mirrored(photographed: Any, photo: BgrImage, has_markers: bool) -> None:
    with pytest.raises(PictureMirrored, match="mirrored"):
        reader_of(photographed, has_markers).read(np.ascontiguousarray(photo[:, ::-1]))


def test_a_mirrored_photo_of_few_pixels_is_called_mirrored(photographed: Any, photo: BgrImage) -> None:
    small = cv2.resize(photo, (480, 270), interpolation=cv2.INTER_AREA)
    with pytest.raises(PictureMirrored):
        reader_of(photographed, has_markers=False).find_view(np.ascontiguousarray(small[:, ::-1]))


def reader_of(photographed: Any, has_markers: bool) -> TableReader:
    markers = photographed.reader.markers if has_markers else NO_MARKERS
    return TableReader(photographed.prints, photographed.reader.roster, markers, None)


def test_a_mirrored_photo_whose_tiles_still_resemble_prints_is_called_mirrored(photographed: Any) -> None:
    box = random_box(7, 3)
    laid = lay_out_loosely(np.random.default_rng(3), box, box.tiles, ("card",))
    photo = decode_photo(take_photo(loose_scene(33, box, laid, "A", "wood", photo_wh=(1600, 1200)))[0])
    printed = box.printed
    sides = tuple(printed.tile_set.side(f"{tile}A") for tile in box.tiles)
    prints = prints_from_images(replace(printed.tile_set, sides=sides), [printed.images[side.id] for side in sides])
    mirrored = np.ascontiguousarray(photo[:, ::-1])
    assert view_by_prints(mirrored, prints, None).votes < CLEAR_VOTES
    with pytest.raises(PictureMirrored):
        TableReader(prints, photographed.reader.roster, NO_MARKERS, None).find_view(mirrored)

"""Reads photos of one game for the page."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

import cv2

from assistant.app.live.game_files import ReadableGame
from assistant.app.live.last_tiles import LastTiles
from assistant.app.live.shots import PageView, Picture, ReadPicture, SetUp
from assistant.table.camera import Calibration
from calibration.arrays import BgrImage
from vision.photo.decoding import decode_photo
from vision.reading import TableReader, known_tiles
from vision.views.reading import SidePhoto, read_together

SHOWN_WIDTH_PX = 2048
"""Width in pixels of a tablet's screen. A phone's 12 megapixels would take seconds over a club's wireless network."""

SHOWN_QUALITY = 82
READ_QUALITY = 95

REPORT_PX = 4096
"""Longer side in pixels of a picture for another reading in a report: a phone's 12 megapixels stay whole."""

MOST_SIDES = 3
"""Photos from other sides. Each takes as long to read as the first picture, and a fourth adds little."""

SMALL_WIDTH_PX = 640
"""Width in pixels of the pictures in the list of rulings, about 40 kB each."""


@dataclass(frozen=True)
class GameReader:
    """Reads photos of one game.

    Args:
        game: the documents.
        last: the tiles of the table's last picture, which a photo is searched for first.
    """

    game: ReadableGame
    last: LastTiles = field(default_factory=LastTiles)

    @property
    def setup(self) -> SetUp:
        return self.game.setup

    @cached_property
    def _reader(self) -> TableReader:
        return TableReader(self.game.prints, self.game.roster, self.game.markers, self.game.lens)

    def read(self, photo: bytes) -> ReadPicture:
        """Read an uploaded photo.

        Raises:
            PhotoUnreadable: the bytes are not a picture, or exceed the limits.
            PhotoError: the table cannot be read from it.
        """
        return self.read_image(decode_photo(photo))

    def read_side(self, photo: bytes, seen: ReadPicture, *, by_same_camera: bool) -> ReadPicture:
        """Read a picture again, together with a photo of the same table from another side.

        Args:
            photo: the uploaded photo.
            seen: the picture, with the photos that it was read with so far.
            by_same_camera: whether the picture's camera took the photo; otherwise the lens of all sides is estimated.

        The markers, and the lens of the picture, are those that it was read with.

        Raises:
            PhotoUnreadable: the bytes are not a picture, or exceed the limits.
            PhotoError: the table cannot be read from it, or something has moved since the picture.
        """
        added = with_side(photo, seen, by_same_camera=by_same_camera)
        own, tiles = seen.calibration, known_tiles(seen.observation, self.game.prints)
        of_sides = own if added.has_one_camera else replace(own, lens=None)
        photos = [
            SidePhoto(self._fresh_reader(own), decode_photo(seen.picture.jpeg), earlier=tiles),
            *(SidePhoto(self._fresh_reader(of_sides), decode_photo(jpeg), earlier=tiles) for jpeg in added.sides),
        ]
        return replace(added, observation=read_together(photos).observation)

    def _fresh_reader(self, calibration: Calibration) -> TableReader:
        """Return a reader without a memory of pictures, because the photos come from different places."""
        return TableReader(self.game.prints, self.game.roster, calibration.markers, calibration.lens)

    def read_image(self, image: BgrImage) -> ReadPicture:
        """Read a camera's frame.

        Raises:
            PhotoError: the table cannot be read from it.
        """
        reading = self._reader.read(image, self.last.of(self.game))
        return ReadPicture(encode_for_page(image), reading.observation, PageView(reading.view), reading.calibration)


def with_side(photo: bytes, seen: ReadPicture, *, by_same_camera: bool) -> ReadPicture:
    """Return a picture with one more photo from another side, before they are read together.

    Args:
        photo: the uploaded photo.
        seen: the picture, with the photos that it was read with so far.
        by_same_camera: whether the picture's camera took the photo.

    Raises:
        PhotoUnreadable: the bytes are not a picture, or exceed the limits.
    """
    sides = (*seen.sides, encode_for_page(decode_photo(photo)).jpeg)[-MOST_SIDES:]
    return replace(seen, sides=sides, has_one_camera=by_same_camera and (seen.has_one_camera or not seen.sides))


def encode_for_page(image: BgrImage) -> Picture:
    """Return the picture for the page: at most ``SHOWN_WIDTH_PX`` wide, without the file's metadata."""
    height_px, width_px = image.shape[:2]
    large = _shrink(image, SHOWN_WIDTH_PX)
    return Picture(_encode(large), width_px, height_px, _encode(_shrink(large, SMALL_WIDTH_PX)))


def encode_whole(image: BgrImage) -> bytes:
    """Return the picture at full size and nearly full quality, for another reading."""
    return _encode(image, READ_QUALITY)


def encode_for_report(image: BgrImage) -> bytes:
    """Return the picture for another reading, with at most ``REPORT_PX`` on its longer side."""
    height_px, width_px = image.shape[:2]
    return encode_whole(_shrink(image, width_px * REPORT_PX // max(height_px, width_px, REPORT_PX)))


def _shrink(image: BgrImage, limit_px: int) -> BgrImage:
    height_px, width_px = image.shape[:2]
    if width_px <= limit_px:
        return image
    scale = limit_px / width_px
    wanted_wh = (limit_px, max(1, round(height_px * scale)))
    return cast(BgrImage, cv2.resize(image, wanted_wh, interpolation=cv2.INTER_AREA))


def _encode(image: BgrImage, quality: int = SHOWN_QUALITY) -> bytes:
    _, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return encoded.tobytes()

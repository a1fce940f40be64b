"""The bytes of a picture file become an array, or one sentence about what is wrong with them."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from jaxtyping import UInt8
from PIL import Image, UnidentifiedImageError

from assistant.errors import PhotoTooLarge, PhotoUnreadable
from assistant.translations.foreign import told_by_system
from assistant.translations.messages import Said, said
from calibration.arrays import BgrImage, Levels
from calibration.color import bgr_from_gray, bgr_from_rgb
from calibration.opencv import opencv_means
from vision.photo.parts import has_jpeg_too_many_parts, has_png_too_many_parts

MAX_PHOTO_BYTES = 64 << 20
"""No camera writes a larger JPEG; it keeps a wrong file from filling the memory."""

MAX_PHOTO_PIXELS = 50_000_000
"""The largest phone cameras deliver 50 megapixels when asked to; more is refused before it is decoded."""

_Kind = Literal["JPEG", "PNG", "WEBP"]

MIN_SIDE_PX = 64
"""Smaller than this, not even one marker fits."""

_JPEG = b"\xff\xd8"
_PNG = b"\x89PNG\r\n\x1a\n"
_WEBP = re.compile(rb"RIFF.{4}WEBP", re.DOTALL)

_REFUSALS = (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError, EOFError)
"""What Pillow raises for bytes that are no picture."""


def read_photo_bytes(path: Path) -> bytes:
    """The bytes of a picture file.

    Raises:
        PhotoUnreadable: the file is not there, cannot be read or is far too large.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_PHOTO_BYTES + 1)  # a device or a pipe tells no size and may have no end
    except OSError as problem:
        reason = told_by_system(problem)
        raise PhotoUnreadable(
            said("cannot be read ({reason}); check the name of the file", reason=reason), document=str(path)
        ) from None
    except ValueError as problem:  # a name from a list may hold what no file system takes
        raise PhotoUnreadable(
            said("is no name of a file ({reason}); check it", reason=str(problem)), document=repr(str(path))
        ) from None
    if len(data) > MAX_PHOTO_BYTES:
        raise _no_photo(said("it has over {mb} MB", mb=MAX_PHOTO_BYTES >> 20), str(path))
    return data


def decode_photo(data: bytes, name: str | None = None, *, aloud: bool = False) -> BgrImage:
    """The picture as the sensor saw it; a turn noted in the file is not applied, since the lens does not turn.

    The size is read from the header first, so that nothing large is ever decoded. ``aloud`` lets the decoder tell on
    standard error what it found amiss in a picture that it could still make whole; for those who listen there.

    Raises:
        PhotoUnreadable: no picture, cut short, too small or too large.
    """
    kind = _check(data, name)
    if kind == "WEBP":
        return np.ascontiguousarray(_decoded_webp(data, name)[..., :3])
    jpeg_image = _decoded_jpeg(data, name) if kind == "JPEG" and not aloud else None
    if jpeg_image is not None:
        return jpeg_image
    return _decoded_by_opencv(data, name, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)


def decode_print(data: bytes, name: str | None = None) -> UInt8[Levels, "height width channels"]:
    """The drawn picture of a tile, blue before green before red, and its opacity where the file has one.

    Raises:
        PhotoUnreadable: no picture, cut short, too small or too large.
    """
    kind = _check(data, name)
    if kind == "WEBP":
        return _decoded_webp(data, name)
    image = _decoded_jpeg(data, name) if kind == "JPEG" else None
    if image is not None:
        return image
    drawn = _decoded_by_opencv(data, name, cv2.IMREAD_UNCHANGED)
    return bgr_from_gray(drawn) if drawn.ndim == 2 else drawn


def _kind_of(data: bytes, name: str | None) -> _Kind:
    """The kind that the first bytes tell.

    Only kinds whose size is read by what decodes them, or stands in one place only: of a file of another kind
    (AVIF, say) header and picture may name different sizes, and 3 kB would fill the memory.
    """
    if data.startswith(_JPEG):
        return "JPEG"
    if data.startswith(_PNG):
        return "PNG"
    if _WEBP.match(data):
        return "WEBP"
    raise _no_photo(said("it is no JPEG, PNG or WebP picture"), name)


def _check(data: bytes, name: str | None) -> _Kind:
    """The kind of picture; refuses what is none or of no sensible size, before anything is decoded."""
    kind = _kind_of(data, name)
    if (kind == "JPEG" and has_jpeg_too_many_parts(data)) or (kind == "PNG" and has_png_too_many_parts(data)):
        raise _no_photo(said("it is made of more parts than any camera writes"), name)
    width_px, height_px = _size_px(data, kind, name)
    if width_px * height_px > MAX_PHOTO_PIXELS:
        megapixels = round(width_px * height_px / 1e6)
        raise PhotoTooLarge(megapixels, round(MAX_PHOTO_PIXELS / 1e6), document=name)
    if min(width_px, height_px) < MIN_SIDE_PX:
        few = said("{width}x{height} pixels are too few to show a table", width=width_px, height=height_px)
        raise _no_photo(few, name)
    if kind == "JPEG" and b"\xff\xd9" not in data[-65536:]:
        raise _no_photo(said("it is cut short"), name)
    return kind


def _decoded_by_opencv(data: bytes, name: str | None, flags: int) -> UInt8[Levels, "height width *channels"]:
    with opencv_means(lambda: _no_photo(said("it cannot be decoded"), name)):
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if image is None:
        raise _damaged(name)
    return np.asarray(image, dtype=np.uint8)


def _decoded_jpeg(data: bytes, name: str | None) -> BgrImage | None:
    """The same pixels as OpenCV gives; None for printers' colours, which only OpenCV turns into ours.

    OpenCV lets the decoder write what it finds amiss to standard error, where only our sentences belong.
    """
    try:
        with _quiet(), Image.open(io.BytesIO(data), formats=("JPEG",)) as picture:
            if picture.mode not in ("RGB", "L"):
                return None
            pixels = np.asarray(picture)
    except _REFUSALS:
        raise _damaged(name) from None
    return bgr_from_gray(pixels) if pixels.ndim == 2 else bgr_from_rgb(pixels)


def _decoded_webp(data: bytes, name: str | None) -> UInt8[Levels, "height width channels"]:
    """Blue, green, red and, where the file has it, opacity; by the reader that told the size."""
    try:
        with _quiet(), Image.open(io.BytesIO(data), formats=("WEBP",)) as picture:
            pixels = np.asarray(picture)
    except _REFUSALS:
        raise _damaged(name) from None
    bgr_image = bgr_from_rgb(np.ascontiguousarray(pixels[..., :3]))
    return np.concatenate([bgr_image, pixels[..., 3:]], axis=-1)


def _no_photo(reason: Said, name: str | None) -> PhotoUnreadable:
    text = said(
        "This file cannot be read as a photo ({reason}). Choose a whole JPEG or PNG picture and try again.",
        reason=reason,
    )
    return PhotoUnreadable(text, document=name)


def _damaged(name: str | None) -> PhotoUnreadable:
    return _no_photo(said("it is damaged or cut short"), name)


@contextmanager
def _quiet() -> Iterator[None]:
    """Pillow warns of sizes that we refuse ourselves a moment later, and of meta data that nobody reads."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _size_px(data: bytes, kind: _Kind, name: str | None) -> tuple[int, int]:
    try:
        with _quiet(), Image.open(io.BytesIO(data), formats=(kind,)) as header:
            if kind == "PNG":
                # libpng would write a line of its own to standard error; this reads the checksums alone.
                header.verify()
            return header.size
    except _REFUSALS:
        raise _damaged(name) from None

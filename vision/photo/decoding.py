"""Decode the bytes of a picture file into an array, or say in one sentence what is wrong with them."""

from __future__ import annotations

import io
import re
import struct
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
from assistant.translations.foreign import system_reason
from assistant.translations.messages import Said, said
from calibration.arrays import BgrImage, Levels
from calibration.color import bgr_from_gray, bgr_from_rgb
from calibration.opencv import opencv_means

MAX_PHOTO_BYTES = 64 << 20
"""Largest picture file; no camera writes a larger JPEG. Keeps a wrong file from filling the memory."""

MAX_PHOTO_PIXELS = 50_000_000
"""Largest picture, checked before decoding; phone cameras deliver up to 50 megapixels."""

_Kind = Literal["JPEG", "PNG", "WEBP"]

MIN_SIDE_PX = 64
"""Smallest side of a picture; not even one marker fits into less."""

MAX_SCANS = 64
"""Most passes over a JPEG; progressive ones have about ten."""

MAX_JPEG_PARTS = 10_000
"""Most parts of a JPEG and stray bytes between them; a phone's depth map and colour profile take hundreds."""

MAX_PNG_PARTS = 50_000
"""Most chunks of a PNG; the largest accepted picture has 8,000 in chunks of 8 kB."""

_JPEG = b"\xff\xd8"
_PNG = b"\x89PNG\r\n\x1a\n"
_WEBP = re.compile(rb"RIFF.{4}WEBP", re.DOTALL)

_MARKER_IN_SCAN = re.compile(rb"\xff(?=[^\x00\xd0-\xd7\xff])")
_MARKER = re.compile(rb"\xff[^\xff]")
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
_WITHOUT_LENGTH = frozenset({0x00, 0x01, *range(0xD0, 0xDA)})

_REFUSALS = (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError, EOFError)
"""What Pillow raises for bytes that are not a picture."""


def read_photo_bytes(path: Path) -> bytes:
    """Read a picture file.

    Raises:
        PhotoUnreadable: the file is missing, unreadable or far too large.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_PHOTO_BYTES + 1)  # a device or a pipe has no size and maybe no end
    except OSError as problem:
        reason = system_reason(problem)
        raise PhotoUnreadable(
            said("cannot be read ({reason}). Check the file's name.", reason=reason), document=str(path)
        ) from None
    except ValueError as problem:  # a name in a list may hold characters that no file system takes
        text = said("This is not a valid file name ({reason}). Check it.", reason=str(problem))
        raise PhotoUnreadable(text, document=repr(str(path))) from None
    if len(data) > MAX_PHOTO_BYTES:
        raise _refusal(said("it has over {mb} MB", mb=MAX_PHOTO_BYTES >> 20), str(path))
    return data


def decode_photo(data: bytes, name: str | None = None, *, aloud: bool = False) -> BgrImage:
    """Decode a picture as the sensor saw it, (H, W, 3). A turn noted in the file is ignored: the lens does not turn.

    ``aloud`` lets the decoder report damage that it could repair on standard error, for callers that listen there.

    Raises:
        PhotoUnreadable: not a picture, cut short, too small or too large.
    """
    kind = _check(data, name)
    if kind == "WEBP":
        return np.ascontiguousarray(_decode_webp(data, name)[..., :3])
    jpeg_image = _decode_jpeg(data, name) if kind == "JPEG" and not aloud else None
    if jpeg_image is not None:
        return jpeg_image
    return _decode_by_opencv(data, name, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)


def decode_print(data: bytes, name: str | None = None) -> UInt8[Levels, "height width channels"]:
    """Decode the drawn picture of a tile: blue, green, red, and opacity where the file has it.

    Raises:
        PhotoUnreadable: not a picture, cut short, too small or too large.
    """
    kind = _check(data, name)
    if kind == "WEBP":
        return _decode_webp(data, name)
    image = _decode_jpeg(data, name) if kind == "JPEG" else None
    if image is not None:
        return image
    drawn = _decode_by_opencv(data, name, cv2.IMREAD_UNCHANGED)
    return bgr_from_gray(drawn) if drawn.ndim == 2 else drawn


def _kind_of(data: bytes, name: str | None) -> _Kind:
    # Only kinds whose decoder reads the size that we checked, or that store it in one place. Another kind (AVIF)
    # may name different sizes in header and picture, and 3 kB would fill the memory.
    if data.startswith(_JPEG):
        return "JPEG"
    if data.startswith(_PNG):
        return "PNG"
    if _WEBP.match(data):
        return "WEBP"
    raise _refusal(said("it is not a JPEG, PNG or WebP picture"), name)


def _check(data: bytes, name: str | None) -> _Kind:
    """The kind of picture, after everything that can be checked before decoding."""
    kind = _kind_of(data, name)
    if (kind == "JPEG" and has_jpeg_too_many_parts(data)) or (kind == "PNG" and has_png_too_many_parts(data)):
        raise _refusal(said("it has more parts than any camera writes"), name)
    width_px, height_px = _size_px(data, kind, name)
    if width_px * height_px > MAX_PHOTO_PIXELS:
        megapixels = round(width_px * height_px / 1e6)
        raise PhotoTooLarge(megapixels, round(MAX_PHOTO_PIXELS / 1e6), document=name)
    if min(width_px, height_px) < MIN_SIDE_PX:
        few = said("{width}x{height} pixels are too few to show a table", width=width_px, height=height_px)
        raise _refusal(few, name)
    if kind == "JPEG" and b"\xff\xd9" not in data[-65536:]:
        raise _refusal(said("it is cut short"), name)
    return kind


def has_jpeg_too_many_parts(data: bytes) -> bool:
    """Whether a JPEG has more passes or parts than any camera writes; bytes behind its picture do not count.

    Counted before a decoder runs: 200 kB may order a thousand passes over 50 megapixels, 20 MB as many million empty
    parts. That is minutes of work for a picture of nothing.
    """
    place, parts, scans = 2, 0, 0
    while parts <= MAX_JPEG_PARTS and scans <= MAX_SCANS:
        found = _MARKER.search(data, place)
        if found is None:
            return parts + len(data) - place > MAX_JPEG_PARTS
        parts += found.end() - 1 - place
        marker = data[found.end() - 1]
        if marker == _END_OF_IMAGE and scans:
            return False
        place = found.end()
        if marker in _WITHOUT_LENGTH:
            continue
        (length,) = struct.unpack_from(">H", data, place) if place + 2 <= len(data) else (2,)
        place += max(length, 2)
        if marker == _START_OF_SCAN:
            scans += 1
            coded = _MARKER_IN_SCAN.search(data, place)
            if coded is None:
                break
            place = coded.start()
    return parts > MAX_JPEG_PARTS or scans > MAX_SCANS


def has_png_too_many_parts(data: bytes) -> bool:
    """Whether a PNG is cut into more chunks than any program writes."""
    place, parts = 8, 0
    while place + 8 <= len(data) and parts <= MAX_PNG_PARTS:
        (length,) = struct.unpack_from(">I", data, place)
        if data[place + 4 : place + 8] == b"IEND":
            break
        place += length + 12
        parts += 1
    return parts > MAX_PNG_PARTS


def _decode_by_opencv(data: bytes, name: str | None, flags: int) -> UInt8[Levels, "height width *channels"]:
    with opencv_means(lambda: _refusal(said("it cannot be decoded"), name)):
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if image is None:
        raise _damaged(name)
    return np.asarray(image, dtype=np.uint8)


def _decode_jpeg(data: bytes, name: str | None) -> BgrImage | None:
    """The same pixels as OpenCV gives; None for CMYK, which only OpenCV converts.

    OpenCV lets the decoder write its complaints to standard error, where only our sentences belong.
    """
    try:
        with _quiet(), Image.open(io.BytesIO(data), formats=("JPEG",)) as picture:
            if picture.mode not in ("RGB", "L"):
                return None
            pixels = np.asarray(picture)
    except _REFUSALS:
        raise _damaged(name) from None
    return bgr_from_gray(pixels) if pixels.ndim == 2 else bgr_from_rgb(pixels)


def _decode_webp(data: bytes, name: str | None) -> UInt8[Levels, "height width channels"]:
    """Blue, green, red and, where the file has it, opacity."""
    try:
        with _quiet(), Image.open(io.BytesIO(data), formats=("WEBP",)) as picture:
            pixels = np.asarray(picture)
    except _REFUSALS:
        raise _damaged(name) from None
    bgr_image = bgr_from_rgb(np.ascontiguousarray(pixels[..., :3]))
    return np.concatenate([bgr_image, pixels[..., 3:]], axis=-1)


def _refusal(reason: Said, name: str | None) -> PhotoUnreadable:
    text = said(
        "This file cannot be read as a photo ({reason}). Choose a whole JPEG or PNG picture and try again.",
        reason=reason,
    )
    return PhotoUnreadable(text, document=name)


def _damaged(name: str | None) -> PhotoUnreadable:
    return _refusal(said("it is damaged or cut short"), name)


@contextmanager
def _quiet() -> Iterator[None]:
    # Pillow warns of sizes that we refuse a moment later, and of meta data that nobody reads.
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

"""Decode picture files into arrays, or report their fault in one sentence."""

from __future__ import annotations

import io
import re
import struct
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

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
"""Largest picture file. No camera writes a larger JPEG. The limit keeps a wrong file from filling the memory."""

MAX_PHOTO_PIXELS = 210_000_000
"""Largest JPEG. Phones write 50, 108 and 200 megapixels. Decoding reduces its size."""

MAX_WHOLE_PIXELS = 52_000_000
"""Largest picture that a decoder must hold whole: PNG, WebP, HEIC and multi-pass JPEG."""

MAX_PRINT_PIXELS = 20_000_000
"""Largest picture of a tile, decoded in full size with its opacity. A tile of 12 by 12 cells at 256 pixels a cell has
nine million."""

ENOUGH_PIXELS = 25_000_000
"""Size above which a photo is halved. At 25 megapixels a table of 1.5 m shows 4 pixels a millimetre."""

Image.MAX_IMAGE_PIXELS = MAX_PHOTO_PIXELS
"""Pillow refuses pictures of twice this many pixels. We count them before it decodes anything."""

_Kind = Literal["JPEG", "PNG", "WEBP", "HEIC"]

MIN_SIDE_PX = 64
"""Smallest side of a picture. A smaller one has no room for a single marker."""

MAX_SCANS = 64
"""Most passes over a JPEG. Progressive files have about ten."""

MAX_PARTS = 50_000
"""Most parts of a JPEG with stray bytes between them, and most chunks of a PNG. A phone's depth map and colour profile
take hundreds. The largest accepted PNG has 8,000 in chunks of 8 kB."""

_JPEG = b"\xff\xd8"
_PNG = b"\x89PNG\r\n\x1a\n"
_WEBP = re.compile(rb"RIFF.{4}WEBP", re.DOTALL)

_HEIC = re.compile(rb".{4}ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1)", re.DOTALL)

_MARKER_IN_SCAN = re.compile(rb"\xff(?=[^\x00\xd0-\xd7\xff])")
_MARKER = re.compile(rb"\xff[^\xff]")
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
_PROGRESSIVE = frozenset({0xC2, 0xC6, 0xCA, 0xCE})
_WITHOUT_LENGTH = frozenset({0x00, 0x01, *range(0xD0, 0xDA)})

_REFUSALS = (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError, EOFError)
"""Pillow's exceptions for bytes that are no picture."""


def read_photo_bytes(path: Path) -> bytes:
    """Read a picture file.

    Raises:
        PhotoUnreadable: the file is missing, unreadable or far too large.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_PHOTO_BYTES + 1)  # a device or a pipe has no size and may have no end
    except OSError as problem:
        reason = system_reason(problem)
        raise PhotoUnreadable(
            said("cannot be read ({reason}). Check the file's name.", reason=reason), document=str(path)
        ) from None
    except ValueError as problem:  # a listed name may hold characters that no file system accepts
        text = said("This is not a valid file name ({reason}). Check it.", reason=str(problem))
        raise PhotoUnreadable(text, document=repr(str(path))) from None
    if len(data) > MAX_PHOTO_BYTES:
        raise _refusal(said("it has over {mb} MB", mb=MAX_PHOTO_BYTES >> 20), str(path))
    return data


def decode_photo(data: bytes, name: str | None = None, *, aloud: bool = False) -> BgrImage:
    """Decode a picture as the sensor saw it, (H, W, 3). Ignore the file's rotation tag, since the lens does not rotate.

    A picture of more than ``ENOUGH_PIXELS`` is reduced to a half, a quarter or an eighth of its size. ``aloud`` lets
    the decoder report repaired damage on standard error, for callers that listen there.

    Raises:
        PhotoUnreadable: not a picture, cut short, too small or too large.
    """
    found = _check(data, name)
    if found.kind == "HEIC":
        return _shrink(decode_heic(data, name), found.shrinks)
    jpeg_image = _decode_jpeg(data, name, found.shrinks) if found.kind == "JPEG" and not aloud else None
    if jpeg_image is not None:
        return jpeg_image
    flags = _REDUCED[found.shrinks] if found.kind == "JPEG" else cv2.IMREAD_COLOR
    image = _decode_by_opencv(data, name, flags | cv2.IMREAD_IGNORE_ORIENTATION)
    return image if found.kind == "JPEG" else _shrink(image, found.shrinks)


def decode_print(data: bytes, name: str | None = None) -> UInt8[Levels, "height width channels"]:
    """Decode the drawn picture of a tile: blue, green, red, and opacity if the file has it.

    Raises:
        PhotoUnreadable: not a picture, cut short, too small or too large.
    """
    found = _check(data, name, MAX_PRINT_PIXELS)
    if found.kind == "HEIC":
        return decode_heic(data, name)
    if found.kind == "WEBP":
        return _decode_webp(data, name)
    image = _decode_jpeg(data, name) if found.kind == "JPEG" else None
    if image is not None:
        return image
    drawn = _decode_by_opencv(data, name, cv2.IMREAD_UNCHANGED)
    return bgr_from_gray(drawn) if drawn.ndim == 2 else drawn


_REDUCED: Mapping[int, int] = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


def _shrink(image: BgrImage, by: int) -> BgrImage:
    height, width = image.shape[:2]
    if by == 1:
        return image
    smaller = cv2.resize(image, (-(-width // by), -(-height // by)), interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, dtype=np.uint8)


def _kind_of(data: bytes, name: str | None) -> _Kind:
    # Accept only formats whose decoder reads the checked size, or that store the size once. Another format (AVIF) may
    # have different sizes in header and picture, so that 3 kB could fill the memory.
    if data.startswith(_JPEG):
        return "JPEG"
    if data.startswith(_PNG):
        return "PNG"
    if _WEBP.match(data):
        return "WEBP"
    if _HEIC.match(data):
        return "HEIC"
    raise _refusal(said("it is not a JPEG, PNG, WebP or HEIC picture"), name)


class _Found(NamedTuple):
    """The format of a picture, and the divisor of its sides."""

    kind: _Kind
    shrinks: int


def _check(data: bytes, name: str | None, most_pixels: int = MAX_PHOTO_PIXELS) -> _Found:
    """Return the format of a picture after all checks possible before decoding."""
    kind = _kind_of(data, name)
    walk = _walk_jpeg(data) if kind == "JPEG" else None
    if (walk is not None and walk.is_endless) or (kind == "PNG" and has_png_too_many_parts(data)):
        raise _refusal(said("it has more parts than any camera writes"), name)
    width_px, height_px = _heic_size_px(data, name) if kind == "HEIC" else _size_px(data, kind, name)
    if walk is None or walk.is_progressive:
        most_pixels = min(most_pixels, MAX_WHOLE_PIXELS)
    if width_px * height_px > most_pixels:
        raise PhotoTooLarge(width_px * height_px / 1e6, most_pixels / 1e6, document=name)
    if min(width_px, height_px) < MIN_SIDE_PX:
        few = said("{width}x{height} pixels are too few to show a table", width=width_px, height=height_px)
        raise _refusal(few, name)
    # Damage may hide a picture's end from the walk. A truncated picture has no end.
    if walk is not None and not walk.is_whole and b"\xff\xd9" not in data[-65536:]:
        raise _refusal(said("it is cut short"), name)
    shrinks = next((by for by in (1, 2, 4) if width_px * height_px <= ENOUGH_PIXELS * by**2), 8)
    return _Found(kind, shrinks)


class _JpegWalk(NamedTuple):
    """Whether a JPEG has more parts than any camera writes, is complete, and comes in several passes."""

    is_endless: bool
    is_whole: bool
    is_progressive: bool


def _walk_jpeg(data: bytes) -> _JpegWalk:
    """Walk through the parts of a JPEG to its own end. Data that a phone appends, such as a film, does not count.

    The count comes before any decoder runs. 200 kB may demand a thousand passes over 50 megapixels, and 20 MB may hold
    as many million empty parts. Either costs minutes for an empty picture.
    """
    place, parts, scans, is_progressive = 2, 0, 0, False
    while parts <= MAX_PARTS and scans <= MAX_SCANS:
        found = _MARKER.search(data, place)
        if found is None:
            return _JpegWalk(parts + len(data) - place > MAX_PARTS, is_whole=False, is_progressive=is_progressive)
        parts += found.end() - 1 - place
        marker = data[found.end() - 1]
        if marker == _END_OF_IMAGE and scans:
            return _JpegWalk(is_endless=False, is_whole=True, is_progressive=is_progressive)
        place = found.end()
        if marker in _WITHOUT_LENGTH:
            continue
        is_progressive = is_progressive or marker in _PROGRESSIVE or (marker == _START_OF_SCAN and scans > 0)
        (length,) = struct.unpack_from(">H", data, place) if place + 2 <= len(data) else (2,)
        place += max(length, 2)
        if marker == _START_OF_SCAN:
            scans += 1
            coded = _MARKER_IN_SCAN.search(data, place)
            if coded is None:
                break
            place = coded.start()
    is_endless = parts > MAX_PARTS or scans > MAX_SCANS
    return _JpegWalk(is_endless, is_whole=False, is_progressive=is_progressive)


def has_png_too_many_parts(data: bytes) -> bool:
    """Return whether a PNG is cut into more chunks than any program writes."""
    place, parts = 8, 0
    while place + 8 <= len(data) and parts <= MAX_PARTS:
        (length,) = struct.unpack_from(">I", data, place)
        if data[place + 4 : place + 8] == b"IEND":
            break
        place += length + 12
        parts += 1
    return parts > MAX_PARTS


def _decode_by_opencv(data: bytes, name: str | None, flags: int) -> UInt8[Levels, "height width *channels"]:
    with opencv_means(lambda: _refusal(said("it cannot be decoded"), name)):
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if image is None:
        raise _damaged(name)
    return np.asarray(image, dtype=np.uint8)


def _decode_jpeg(data: bytes, name: str | None, shrinks: int = 1) -> BgrImage | None:
    """Return the same pixels as OpenCV, or None for CMYK, which only OpenCV converts.

    OpenCV lets the decoder write warnings to standard error, which is reserved for our own sentences.
    """
    try:
        with _quiet(), Image.open(io.BytesIO(data), formats=("JPEG",)) as picture:
            if picture.mode not in ("RGB", "L"):
                return None
            if shrinks > 1:
                picture.draft(None, (picture.width // shrinks, picture.height // shrinks))
            pixels = np.asarray(picture)
    except _REFUSALS:
        raise _damaged(name) from None
    return bgr_from_gray(pixels) if pixels.ndim == 2 else bgr_from_rgb(pixels)


def _decode_webp(data: bytes, name: str | None) -> UInt8[Levels, "height width channels"]:
    """Return blue, green, red and, if the file has it, opacity."""
    try:
        with _quiet(), Image.open(io.BytesIO(data), formats=("WEBP",)) as picture:
            pixels = np.asarray(picture)
    except _REFUSALS:
        raise _damaged(name) from None
    bgr_image = bgr_from_rgb(np.ascontiguousarray(pixels[..., :3]))
    return np.concatenate([bgr_image, pixels[..., 3:]], axis=-1)


def _heic_size_px(data: bytes, name: str | None) -> tuple[int, int]:
    size_px: tuple[int, int] = _open_heic(data, name).size
    return size_px


def decode_heic(data: bytes, name: str | None = None) -> BgrImage:
    """Decode the main picture of an iPhone's HEIC file.

    Raises:
        PhotoUnreadable: it is damaged, or no decoder is installed.
    """
    picture = _open_heic(data, name)
    try:
        with _quiet():
            pixels = np.asarray(picture)
    except _REFUSALS:
        raise _damaged(name) from None
    if pixels.ndim != 3 or pixels.shape[:2] != (picture.size[1], picture.size[0]):
        raise _damaged(name)
    return bgr_from_rgb(np.ascontiguousarray(pixels[..., :3]))


def _open_heic(data: bytes, name: str | None) -> Any:
    """Return the header of a HEIC file. Its picture is decoded on first access."""
    try:
        import pi_heif  # noqa: PLC0415 - loaded for such a file only, and not to be had on every system
    except ImportError:
        raise PhotoUnreadable(
            said(
                "This is a HEIC photo of an iPhone, and this computer cannot decode it. Choose it from Photos instead "
                "of Files, or set Camera > Formats > Most Compatible."
            ),
            document=name,
        ) from None
    try:
        return pi_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=True)
    except (*_REFUSALS, RuntimeError):
        raise _damaged(name) from None


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
    # Pillow warns of sizes that we refuse a moment later, and of unused metadata.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _size_px(data: bytes, kind: _Kind, name: str | None) -> tuple[int, int]:
    try:
        with _quiet(), Image.open(io.BytesIO(data), formats=(kind,)) as header:
            if kind == "PNG":
                # libpng would write to standard error. This call reads only the checksums.
                header.verify()
            return header.size
    except _REFUSALS:
        raise _damaged(name) from None

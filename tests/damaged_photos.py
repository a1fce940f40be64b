"""Pictures without a usable table: damaged files, and scenes without markers; each from its number."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
from PIL import Image

Bytes = bytearray
Rng = np.random.Generator
Picture = np.ndarray[Any, Any]
Maker = Callable[[Picture, Sequence[Picture], tuple[int, int], Rng], Picture]

BASE_WIDTHS_PX = (176,) * 46 + (320,) * 3 + (640,)
"""Most are small, so that ten thousand of them finish within half an hour."""


def flipped(data: Bytes, rng: Rng) -> Bytes:
    """Return a few bits turned over, anywhere."""
    for at in rng.integers(0, len(data), int(rng.choice([1, 3, 20, 200]))):
        data[at] ^= 1 << int(rng.integers(8))
    return data


def overwritten(data: Bytes, rng: Rng) -> Bytes:
    """Return a stretch of other bytes."""
    at, size = int(rng.integers(len(data))), int(rng.choice([1, 4, 64, 4096]))
    data[at : at + size] = rng.bytes(min(size, len(data) - at))
    return data


def cut(data: Bytes, rng: Rng) -> Bytes:
    """Cut short, with an end marker or without."""
    return data[: int(rng.integers(len(data)))] + (b"\xff\xd9" if rng.random() < 0.7 else b"")


def with_gap(data: Bytes, rng: Rng) -> Bytes:
    """Return a stretch left out, or put in twice."""
    a, b = sorted(int(v) for v in rng.integers(0, len(data), 2))
    return data[:a] + data[b:] if rng.random() < 0.5 else data[:b] + data[a:]


def with_rubbish(data: Bytes, rng: Rng) -> Bytes:
    """Something else behind the picture, or before it."""
    rubbish = Bytes(rng.bytes(int(rng.choice([1, 100, 100_000]))))
    return data + rubbish + (b"\xff\xd9" if rng.random() < 0.5 else b"") if rng.random() < 0.8 else rubbish + data


def segments(data: Bytes) -> list[tuple[int, int]]:
    """Return the start and end of the segments before the picture's data."""
    found: list[tuple[int, int]] = []
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != 0xDA:
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        found.append((at, end))
        at = end
    return found


def frame_header(data: Bytes) -> int:
    """Return the start of the segment with size and colours, or 0 without one."""
    return next((at for at, _ in segments(data) if data[at + 1] in (0xC0, 0xC1, 0xC2)), 0)


def swapped(data: Bytes, rng: Rng) -> Bytes:
    """Return the bytes with two segments exchanged, one left out, or one duplicated."""
    parts = [data[a:b] for a, b in segments(data)]
    if len(parts) < 2:
        return flipped(data, rng)
    rest = data[2 + sum(map(len, parts)) :]
    i, j = (int(v) for v in rng.choice(len(parts), 2, replace=False))
    parts[i], parts[j] = [(parts[j], parts[i]), (Bytes(), parts[j]), (parts[i], parts[i])][int(rng.integers(3))]
    return Bytes(b"\xff\xd8") + b"".join(parts) + rest


def resized(data: Bytes, rng: Rng) -> Bytes:
    """Another size claimed: none, huge, or a whole one of the right shape."""
    at = frame_header(data)
    if not at:
        return flipped(data, rng)
    sizes = [(0, 320), (180, 0), (65_500, 65_500), (4_320, 7_680), (1_080, 1_920), (360, 640), (90, 160), (64, 64)]
    height, width = sizes[int(rng.integers(len(sizes)))]
    data[at + 5 : at + 9] = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return data


def recolored(data: Bytes, rng: Rng) -> Bytes:
    """Another number of colours, another sampling, tables that are not there, another precision."""
    at = frame_header(data)
    if not at:
        return flipped(data, rng)
    places = [at + 4, at + 9, at + 11, at + 12, at + 1]
    data[places[int(rng.integers(len(places)))]] = int(
        rng.choice([0, 1, 2, 3, 4, 8, 0x11, 0x22, 0x44, 0xC1, 0xC2, 0xFF])
    )
    return data


def with_lies(data: Bytes, rng: Rng) -> Bytes:
    """Meta data that are not true: a turn, a directory without end, lengths beyond the file, rubbish."""
    turn = b"\x01\x12\x00\x03\x00\x00\x00\x01" + bytes([0, int(rng.integers(12)), 0, 0])
    count = int(rng.choice([1, 200, 65_535])).to_bytes(2, "big")
    body = b"Exif\0\0MM\0*\0\0\0\x08" + count + turn * int(rng.choice([1, 50])) + rng.bytes(int(rng.integers(60)))
    size = int(rng.choice([len(body) + 2, 2, 0, 60_000]))
    return data[:2] + b"\xff\xe1" + size.to_bytes(2, "big") + body + data[2:]


def unchanged(data: Bytes, rng: Rng) -> Bytes:
    """Return no damage: the encoding alone."""
    return data


MUTATIONS: tuple[Callable[[Bytes, Rng], Bytes], ...] = (
    flipped,
    flipped,
    overwritten,
    cut,
    with_gap,
    with_rubbish,
    swapped,
    resized,
    recolored,
    with_lies,
    unchanged,
)


def encoded(image: Picture, rng: Rng) -> Bytes:
    """Return the picture as one of the JPEGs that there are: plain, progressive, grey, in printers' colours."""
    picture = Image.fromarray(image[:, :, ::-1])
    mode = str(rng.choice(["RGB"] * 6 + ["L", "CMYK"]))
    written = io.BytesIO()
    picture.convert(mode).save(
        written,
        "JPEG",
        quality=int(rng.integers(30, 96)),
        progressive=bool(rng.random() < 0.25),
        restart_marker_blocks=int(rng.choice([0, 0, 7])),
    )
    return Bytes(written.getvalue())


def mutated(photo: Picture, number: int) -> bytes:
    """Return the damaged picture of that number."""
    rng = np.random.default_rng([1, number])
    width = int(rng.choice(BASE_WIDTHS_PX))
    small = cv2.resize(photo, (width, width * 9 // 16), interpolation=cv2.INTER_AREA)
    data = encoded(small, rng)
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        if len(data) > 4:
            data = MUTATIONS[int(rng.integers(len(MUTATIONS)))](data, rng)
    return bytes(data)


def without_markers(photo: Picture, prints: Sequence[Picture], number: int) -> bytes:
    """Return the markerless picture of that number: nothing, noise, shapes, tiles, or a covered table."""
    rng = np.random.default_rng([2, number])
    width = int(rng.choice([640, 960, 960, 1920]))
    image = _maker(number)(photo, prints, (width, width * 9 // 16), rng)
    if rng.random() < 0.3:
        image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.5, 6)))
    if rng.random() < 0.3:
        image = np.clip(image * float(rng.uniform(0.05, 2)), 0, 255).astype(np.uint8)
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(20, 96))])[1])


def shows_the_table(number: int) -> bool:
    """Return whether the picture of that number is a part of the table's own photo."""
    return _maker(number) is of_a_covered_table


def _maker(number: int) -> Maker:
    return (of_noise, of_shapes, of_checks, of_tiles, of_lines, of_a_covered_table)[number % 6]


def of_noise(photo: Picture, prints: Sequence[Picture], size_wh: tuple[int, int], rng: Rng) -> Picture:
    """Noise of any grain, or a plain colour."""
    grain = int(rng.choice([1, 4, 16, 64, 2000]))
    small = rng.integers(0, 256, (size_wh[1] // grain + 1, size_wh[0] // grain + 1, 3), dtype=np.uint8)
    how = cv2.INTER_NEAREST if rng.random() < 0.5 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(small, size_wh, interpolation=how))


def of_shapes(photo: Picture, prints: Sequence[Picture], size_wh: tuple[int, int], rng: Rng) -> Picture:
    """Squares, discs and polygons in all colours, black quadrangles on white among them."""
    image = of_noise(photo, prints, size_wh, rng) // 2
    for _ in range(int(rng.integers(5, 120))):
        center = rng.uniform(0, 1, 2) * size_wh
        corners = center + rng.normal(0, rng.uniform(5, 120), (int(rng.integers(3, 6)), 2))
        color = (0, 0, 0) if rng.random() < 0.4 else tuple(int(v) for v in rng.integers(0, 256, 3))
        if rng.random() < 0.3:
            cv2.circle(image, center.astype(int).tolist(), int(rng.integers(3, 60)), color, -1)
        else:
            cv2.fillPoly(image, [corners.astype(np.int32)], color)
    return image


def of_checks(photo: Picture, prints: Sequence[Picture], size_wh: tuple[int, int], rng: Rng) -> Picture:
    """Return a checkered board in perspective: thousands of quadrangles."""
    cells = rng.integers(0, 2, (24, 40)).astype(np.uint8) if rng.random() < 0.5 else np.indices((24, 40)).sum(0) % 2
    board = cv2.resize(cells.astype(np.uint8) * 255, None, fx=20, fy=20, interpolation=cv2.INTER_NEAREST)
    here = np.array([[0, 0], [800, 0], [800, 480], [0, 480]], dtype=np.float32)
    there = (here / (800, 480) * size_wh + rng.normal(0, 60, (4, 2))).astype(np.float32)
    seen = cv2.warpPerspective(board, cv2.getPerspectiveTransform(here, there), size_wh, borderValue=(128,))
    return np.asarray(cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR))


def of_tiles(photo: Picture, prints: Sequence[Picture], size_wh: tuple[int, int], rng: Rng) -> Picture:
    """Return the game's own tiles, strewn about, with no marker beside them."""
    image = of_noise(photo, prints, size_wh, rng) // 3
    for _ in range(int(rng.integers(1, 9))):
        tile = prints[int(rng.integers(len(prints)))]
        turn, scale = float(rng.uniform(0, 360)), float(rng.uniform(0.2, 0.9)) * size_wh[0] / 1920
        frame_from_tile = cv2.getRotationMatrix2D((0, 0), turn, scale)
        frame_from_tile[:, 2] = rng.uniform(0, 1, 2) * size_wh
        seen = cv2.warpAffine(tile, frame_from_tile, size_wh)
        image = np.where(seen.any(axis=2, keepdims=True), seen, image)
    return image


def of_lines(photo: Picture, prints: Sequence[Picture], size_wh: tuple[int, int], rng: Rng) -> Picture:
    """Writing and lines."""
    image = np.full((size_wh[1], size_wh[0], 3), int(rng.integers(256)), dtype=np.uint8)
    for _ in range(int(rng.integers(5, 80))):
        a, b = (rng.uniform(0, 1, (2, 2)) * size_wh).astype(int).tolist()
        color = tuple(int(v) for v in rng.integers(0, 256, 3))
        if rng.random() < 0.5:
            cv2.putText(image, str(rng.integers(10**9)), a, int(rng.integers(8)), float(rng.uniform(0.3, 4)), color, 2)
        else:
            cv2.line(image, a, b, color, int(rng.integers(1, 12)))
    return image


def of_a_covered_table(photo: Picture, prints: Sequence[Picture], size_wh: tuple[int, int], rng: Rng) -> Picture:
    """Return the middle of a real table, its rim with the markers cut away, mirrored or turned over."""
    height, width = photo.shape[:2]
    middle = photo[height // 3 : -height // 3, width // 3 : -width // 3]
    image = cv2.resize(middle, size_wh, interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.flip(image, int(rng.integers(-1, 2))))

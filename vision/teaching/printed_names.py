"""Read the names printed on the tiles of a photo: ``7``, ``12A``, ``03B``, upright or in quarter turns.

Characters are regions lighter or darker than everything round them at some level. A network on patches names them
(``vision.training.character_fit``), and a line of them is a name. Art holds characters, too. So a photo only lists
candidates, and ``box_names.py`` chooses among them over the whole box.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Float, Float32, UInt8

from assistant.table.lattice import Cell
from calibration.arrays import BgrImage, GrayImage, Mask, Numbers, Singles
from vision.learned import probabilities, run_in_batches
from vision.teaching.sighting import bounds

CHARACTERS = "0123456789ABCD"
"""The characters of names, in the order of the network's classes. A small letter counts as its capital."""

OTHER_LETTER, NO_CHARACTER = len(CHARACTERS), len(CHARACTERS) + 1
"""The classes of all other letters and signs, and of art."""


CLOSE_PX = 144
"""Pixels of a cell in the picture that is searched: 17 for a character of 3 mm on a cell of an inch."""

PATCH_PX, CHARACTER_PX = 32, 20
"""Sides of a patch, and of the longer side of the region in its middle."""

_LEAST_PX = 60.0
"""Pixels of a cell in the photo from which printed names are legible: 7 for a character of 3 mm."""

_HEIGHT_CELLS = (0.085, 0.36)
"""Range of a character's height: 2.2 to 9 mm on a cell of an inch."""

_REACH_CELLS = 0.6
"""Largest distance of a name's characters from the tile's outline."""

_LEAST_CONTRAST = 18.0
"""Least difference of levels between a character and its ground."""

_SAME_REGION = 0.7
"""Overlap of two regions' boxes from which they are one at different levels."""

_LEVELS = 16
"""Number of levels at which the picture is parted into light and dark regions."""

_INK_ENDS = (0.02, 99.98)
"""Percentiles between which the levels lie. A name covers less than a thousandth of a large tile."""


_LEAST_CHANCE = 0.3
"""Chance from which a region is worth considering as a character."""

_WRITTEN = 0.5
"""Chance from which a region counts as a letter that continues a text."""

_GAP, _OFF_LINE, _OTHER_SIZE = 0.75, 0.22, 0.24
"""Largest gap between neighbours, offset from the line and difference in height, relative to the height."""

_LONGEST, _LEAST_TEXT = 4, 0.05
"""Most characters of a name, and the least chance of a candidate."""

_NAME = re.compile(r"\d{1,3}[A-D]?")


@dataclass(frozen=True)
class PrintedText:
    """A candidate for a printed name.

    Args:
        text: its characters.
        chance: the chance that all of them are right, 0 to 1.
        height_cells: their height.
        place: the middle of its line in its cell, with the text upright: right and down, 0 to 1.
        is_dark: whether it is darker than its ground.
    """

    text: str
    chance: float
    height_cells: float
    place: tuple[float, float]
    is_dark: bool


class CharacterBox(NamedTuple):
    """A region that may be a character: its box in the close-up, and whether it is darker than its ground."""

    left: int
    top: int
    width: int
    height: int
    is_dark: bool

    @property
    def longer(self) -> int:
        return max(self.width, self.height)

    def holds(self, other: CharacterBox) -> bool:
        """Return whether the middle of another region lies in this one."""
        x, y = other.left + other.width / 2, other.top + other.height / 2
        return self.left <= x <= self.left + self.width and self.top <= y <= self.top + self.height


def read_texts(photo: BgrImage, corners_px: Float[Numbers, "4 2"], cells: frozenset[Cell]) -> tuple[PrintedText, ...]:
    """Return the candidates for a tile's name.

    Args:
        photo: the photo.
        corners_px: the corners of the tile's bounding box in the photo, clockwise from its picture's top left one.
        cells: its cells, from column 0 and row 0.
    """
    _, _, columns, rows = bounds(cells)
    lengths = np.linalg.norm(corners_px - np.roll(corners_px, -1, axis=0), axis=1)
    if lengths.min() <= 0 or min(lengths[[0, 2]].max() / columns, lengths[[1, 3]].max() / rows) < _LEAST_PX:
        return ()
    return texts_of(close_up(photo, corners_px, (columns, rows)), cells)


def close_up(photo: BgrImage, corners_px: Float[Numbers, "4 2"], size_cells: tuple[int, int]) -> GrayImage:
    """Return a tile's picture at ``CLOSE_PX`` a cell."""
    width, height = (side * CLOSE_PX for side in size_cells)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners_px.astype(np.float32), target)
    seen = cv2.warpPerspective(photo, matrix, (width, height), flags=cv2.INTER_CUBIC)
    return np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def texts_of(image: GrayImage, cells: frozenset[Cell]) -> tuple[PrintedText, ...]:
    """Return the candidates in a close-up of a tile."""
    regions = find_regions(image, cells)
    if not regions:
        return ()
    patches = np.stack([patch_of(image, region) for region in regions])
    size = (image.shape[1], image.shape[0])
    ways = []
    for turns in range(4):
        chances = character_chances(np.rot90(patches, turns, axes=(1, 2)))
        likely = np.flatnonzero(chances[:, NO_CHARACTER] < 1 - _LEAST_CHANCE).tolist()
        ways.append(_Way({at: _Sign(turned(regions[at], size, turns), chances[at]) for at in likely}))
    # Upside down, a zero of a longer number stands alone, since its neighbours look like nothing.
    return tuple(
        text for way in ways for parts, text in way.texts() if not any(one.goes_on(parts, regions) for one in ways)
    )


def find_regions(image: GrayImage, cells: frozenset[Cell]) -> list[CharacterBox]:
    """Return the regions of a character's size near a tile's outline, each at the level where it stands out most."""
    low, high = (share * CLOSE_PX for share in _HEIGHT_CELLS)
    near = _near_outline(cells, (image.shape[1], image.shape[0]))
    first, last = np.percentile(image[near], _INK_ENDS) if near.any() else (0.0, 0.0)
    if last <= first:  # a blown-out or blank tile
        return []
    found: list[tuple[float, CharacterBox]] = []
    for level in np.linspace(first, last, _LEVELS + 2)[1:-1]:
        for is_dark in (False, True):
            kind = cv2.THRESH_BINARY_INV if is_dark else cv2.THRESH_BINARY
            _, mask = cv2.threshold(image, float(level), 255, kind)
            _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
            longer = stats[:, 2:4].max(axis=1)
            middle = stats[:, :2] + stats[:, 2:4] // 2
            is_likely = (longer >= low) & (longer <= high) & near[middle[:, 1], middle[:, 0]]
            for label in np.flatnonzero(is_likely[1:]) + 1:
                left, top, width, height, area = stats[label].tolist()
                part = np.s_[top : top + height, left : left + width]
                ink = image[part][labels[part] == label].astype(np.float64)
                ground = (float(image[part].sum()) - ink.sum()) / max(width * height - area, 1)
                contrast = abs(ink.mean() - ground)
                if contrast >= _LEAST_CONTRAST:
                    found.append((contrast, CharacterBox(left, top, width, height, is_dark)))
    return _without_doubles(found)


def patch_of(image: GrayImage, region: CharacterBox) -> UInt8[Numbers, "32 32"]:
    """Return the patch round a region: ink above 128, ground below, of even contrast."""
    scale = region.longer / CHARACTER_PX
    corner = np.array([region.left + region.width / 2, region.top + region.height / 2]) - 0.5
    corner -= (PATCH_PX - 1) / 2 * scale
    seen = cv2.warpAffine(
        image,
        np.array([[scale, 0, corner[0]], [0, scale, corner[1]]]),
        (PATCH_PX, PATCH_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float64)
    return even_patch(-seen if region.is_dark else seen)


def even_patch(ink: Float[Numbers, "32 32"]) -> UInt8[Numbers, "32 32"]:
    """Return a patch with more ink where it is lighter as bytes of even contrast."""
    even = (ink - ink.mean()) / max(float(ink.std()), 1.0)
    return np.asarray(np.clip(even * 40 + 128, 0, 255), dtype=np.uint8)


def character_chances(patches: UInt8[Numbers, "n 32 32"]) -> Float32[Singles, "n 16"]:
    """Return the chance of each class for patches with upright characters."""
    even = np.ascontiguousarray(patches[:, None], dtype=np.float32) / np.float32(255)
    return probabilities(run_in_batches("characters", even))


def turned(region: CharacterBox, size_wh: tuple[int, int], turns: int) -> CharacterBox:
    """Return a region after quarter turns of its picture counterclockwise."""
    for _ in range(turns):
        left, top, width, height, is_dark = region
        region = CharacterBox(top, size_wh[0] - left - width, height, width, is_dark)
        size_wh = size_wh[1], size_wh[0]
    return region


def _near_outline(cells: frozenset[Cell], size_wh: tuple[int, int]) -> Mask:
    """Return which pixels lie on the tile near its outline."""
    inside = np.zeros((size_wh[1] + 2, size_wh[0] + 2), dtype=np.uint8)
    for column, row in cells:
        inside[1 + row * CLOSE_PX : 1 + (row + 1) * CLOSE_PX, 1 + column * CLOSE_PX : 1 + (column + 1) * CLOSE_PX] = 1
    away = cv2.distanceTransform(inside, cv2.DIST_L2, 3)[1:-1, 1:-1]
    return np.asarray((away > 0) & (away < _REACH_CELLS * CLOSE_PX))


def _without_doubles(found: Sequence[tuple[float, CharacterBox]]) -> list[CharacterBox]:
    """Return one region for each place and colour, the one with most contrast."""
    regions = [region for _, region in sorted(found, reverse=True)]
    boxes: Numbers = np.array(regions, dtype=np.float64).reshape(-1, 5)
    is_left = np.ones(len(regions), dtype=bool)
    for at, region in enumerate(regions):
        if is_left[at]:
            later = boxes[at + 1 :]
            is_left[at + 1 :] &= (overlaps(region, later) < _SAME_REGION) | (later[:, 4] != region.is_dark)
    return [region for region, is_kept in zip(regions, is_left, strict=True) if is_kept]


def overlaps(region: CharacterBox, boxes: Float[Numbers, "n 5"]) -> Float[Numbers, " n"]:
    """Return the common part of a region's box and each of some others, as a share of both together."""
    left, top, width, height, _ = boxes.T
    wide = np.minimum(left + width, region.left + region.width) - np.maximum(left, region.left)
    high = np.minimum(top + height, region.top + region.height) - np.maximum(top, region.top)
    common = np.maximum(wide, 0) * np.maximum(high, 0)
    return np.asarray(common / (width * height + region.width * region.height - common))


class _Sign(NamedTuple):
    """A region with the chances of its classes, the text upright."""

    at: CharacterBox
    chances: Float32[Singles, " 16"]

    @property
    def is_written(self) -> float:
        """The chance of any letter or sign."""
        return float(1 - self.chances[NO_CHARACTER])

    def precedes(self, other: _Sign) -> bool:
        """Return whether another sign is the next one on its line."""
        here, there = self.at, other.at
        height = max(here.height, there.height)
        gap = there.left - here.left - here.width
        off = abs(here.top + here.height / 2 - there.top - there.height / 2)
        return (
            here.is_dark == there.is_dark
            and -0.25 * height < gap < _GAP * height
            and there.left + there.width / 2 > here.left + here.width * 0.75
            and off < _OFF_LINE * height
            and abs(here.height - there.height) < _OTHER_SIZE * height
        )


class _Way:
    """All likely characters of a tile in one quarter turn.

    Args:
        signs: the characters, by the numbers of their regions.
    """

    def __init__(self, signs: Mapping[int, _Sign]) -> None:
        self._signs = signs
        self._after = {i: [j for j in signs if sign.precedes(signs[j])] for i, sign in signs.items()}
        self._before = {j: [i for i in signs if j in self._after[i]] for j in signs}

    def texts(self) -> Iterator[tuple[tuple[int, ...], PrintedText]]:
        """Yield the names, each with the numbers of its regions. A part of a longer word or number is none."""
        lines: list[tuple[int, ...]] = [(i,) for i in self._signs]
        longest = lines
        for _ in range(_LONGEST - 1):
            longest = [(*line, j) for line in longest for j in self._after[line[-1]]]
            lines = lines + longest
        for line in lines:
            signs = [self._signs[i] for i in line]
            characters = [int(sign.chances[:OTHER_LETTER].argmax()) for sign in signs]
            text = "".join(CHARACTERS[one] for one in characters)
            if _NAME.fullmatch(text) is None:
                continue
            chance = math.prod(float(sign.chances[one]) for sign, one in zip(signs, characters, strict=True))
            for beyond in (self._before[line[0]], self._after[line[-1]]):
                chance *= 1 - max((self._signs[i].is_written for i in beyond), default=0.0)
            if chance >= _LEAST_TEXT:
                yield line, _text(text, chance, [sign.at for sign in signs])

    def goes_on(self, parts: Sequence[int], regions: Sequence[CharacterBox]) -> bool:
        """Return whether a text of these regions, or one that they are holes of, goes on in this turn beside them."""
        written = [i for i, sign in self._signs.items() if sign.is_written > _WRITTEN]
        for i in written:
            if any(regions[i].holds(regions[part]) for part in parts):
                beside = {*self._before[i], *self._after[i]}.intersection(written)
                if any(all(not regions[part].holds(regions[j]) for part in parts) for j in beside):
                    return True
        return False


def _text(text: str, chance: float, parts: Sequence[CharacterBox]) -> PrintedText:
    left, right = parts[0].left, parts[-1].left + parts[-1].width
    middle = float(np.median([part.top + part.height / 2 for part in parts]))
    height = float(np.median([part.height for part in parts])) / CLOSE_PX
    place = ((left + right) / 2 / CLOSE_PX % 1, middle / CLOSE_PX % 1)
    return PrintedText(text, chance, height, place, parts[0].is_dark)

"""Draw names on the art of tiles, as boxes print them, photograph them, and cut the patches of all regions out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from jaxtyping import Float, Int, UInt8
from numpy.random import Generator
from PIL import Image, ImageDraw, ImageFont

from assistant.table.lattice import Cell
from calibration.arrays import BgrImage, Numbers
from vision.teaching.printed_names import (
    CHARACTER_PX,
    CHARACTERS,
    CLOSE_PX,
    NO_CHARACTER,
    OTHER_LETTER,
    PATCH_PX,
    CharacterBox,
    close_up,
    even_patch,
    find_regions,
    overlaps,
    patch_of,
    turned,
)
from vision.training.other_art import varied_tiles

ART_PX = 192
"""Pixels of a cell in the printed picture."""

_TEXTS_PER_CELL = 0.9
_OTHERS = "EFGHJKLMNPQRTUVWXYefghkmnprtuwy?&%#$+=*"
"""Letters and signs that no name holds, and that look unlike any of its characters."""

_SAME_PLACE, _APART = 0.55, 0.25
"""Overlap from which a region shows a character, and up to which it shows at most a small part of one."""

_TRIAL_PX = 40.0
"""Size at which a font's digits are measured."""

_DRAWN_PX, _TURNED = 60, 0.2
"""Size of the font of characters drawn straight into patches, and the share that is shown in another turn."""

_PRINTS = 4
"""Prints of other texts on each tile."""

_NAMES, _WORDS = 0.62, 0.25
"""Shares of names and of words without any of their characters among the texts."""

_PHOTO_PX = (72.0, 190.0)
"""Pixels of a cell in a photo."""

_OVER = {"0": "0", "8": "8", "6": "9", "9": "6"}
"""Characters that are one upside down."""

_EVEN = "018lIXxHNZSO+*%=#"
"""Characters that may look the same, or like another, in another turn."""


@dataclass(frozen=True)
class Ink:
    """How a name is printed: the font's file, height of digits, colour, plate or rim. None is Pillow's own font."""

    font: str | None
    height_mm: float
    color: tuple[int, int, int]
    plate: tuple[int, int, int] | None
    rim: tuple[int, int, int] | None

    def loaded(self, digit_px: float) -> ImageFont.FreeTypeFont:
        """Return the font with digits of that height."""

        def of_size(size: float) -> ImageFont.FreeTypeFont:
            font = ImageFont.load_default(size) if self.font is None else ImageFont.truetype(self.font, size)
            assert isinstance(font, ImageFont.FreeTypeFont)  # Pillow's plain fonts have no size
            return font

        _, top, _, bottom = of_size(_TRIAL_PX).getbbox("0")
        return of_size(max(8.0, _TRIAL_PX * digit_px / max(bottom - top, 1)))


def random_ink(rng: Generator, fonts: Sequence[Path], art: BgrImage) -> Ink:
    """Return a print that is legible on that art: light on dark or dark on light, sometimes on a plate or rimmed."""
    level = float(np.median(art))
    is_dark = level > 150 or (level > 80 and rng.random() < 0.5)
    dark, light = rng.uniform(0, 50, 3), rng.uniform(185, 255, 3)
    if rng.random() < 0.25:  # one garish channel
        light[int(rng.integers(3))] = rng.uniform(40, 255)
    color, under = (dark, light) if is_dark else (light, dark)
    has_plate, has_rim = rng.random() < 0.3, rng.random() < 0.3
    return Ink(
        str(fonts[int(rng.integers(len(fonts)))]),
        float(rng.uniform(2.7, 8.2)),
        _bytes(color),
        _bytes(under) if has_plate else None,
        _bytes(under) if has_rim and not has_plate else None,
    )


def draw_text(
    art: BgrImage, text: str, ink: Ink, middle_mm: tuple[float, float], turns: int, cell_mm: float
) -> list[CharacterBox]:
    """Draw a text in quarter turns counterclockwise, in place, and return the boxes of its characters in the art.

    Args:
        art: a picture with ``ART_PX`` pixels a cell.
        text: the text.
        ink: how it is printed.
        middle_mm: its middle, from the art's top left corner.
        turns: its quarter turns.
        cell_mm: the size of a cell.
    """
    px = ART_PX / cell_mm
    font = ink.loaded(ink.height_mm * px)
    left, top, right, bottom = (round(value) for value in font.getbbox(text))
    edge = max(3, round(0.3 * (bottom - top)))
    mask = Image.new("L", (right - left + 2 * edge, bottom - top + 2 * edge), 0)
    ImageDraw.Draw(mask).text((edge - left, edge - top), text, 255, font)
    letters = []
    for at, sign in enumerate(text):
        begin = edge - left + font.getlength(text[: at + 1]) - font.getlength(sign)
        first, upper, last, lower = (round(value) for value in font.getbbox(sign))
        letters.append(CharacterBox(round(begin) + first, edge - top + upper, last - first, lower - upper, False))
    upright = np.asarray(mask, dtype=np.float32) / 255
    covered, under = (np.rot90(part, turns)[:, :, None] for part in (upright, _under(upright, ink, edge)))
    high, wide = covered.shape[:2]
    x, y = (round(value * px - side / 2) for value, side in zip(middle_mm, (wide, high), strict=True))
    if min(x, y) < 0 or x + wide > art.shape[1] or y + high > art.shape[0]:
        return []
    spot = art[y : y + high, x : x + wide]
    ground = spot + under * (np.array(ink.plate or ink.rim or (0, 0, 0)) - spot)
    spot[:] = np.round(ground + covered * (np.array(ink.color) - ground)).astype(np.uint8)
    boxes = [turned(letter, upright.shape[::-1], turns) for letter in letters]
    return [box._replace(left=box.left + x, top=box.top + y) for box in boxes]


def _under(covered: Float[Numbers, "h w"], ink: Ink, edge: int) -> Float[Numbers, "h w"]:
    """Return the share of the plate or the rim under each pixel of a text."""
    if ink.plate is not None:
        inset = edge // 3
        plate = np.zeros_like(covered)
        plate[inset:-inset, inset:-inset] = 1
        return plate
    if ink.rim is not None:
        side = 2 * max(1, round(0.12 * (covered.shape[0] - 2 * edge))) + 1
        return cv2.GaussianBlur(cv2.dilate(covered, np.ones((side, side), np.uint8)), (0, 0), 0.8)
    return np.zeros_like(covered)


def _bytes(color: Float[Numbers, " 3"]) -> tuple[int, int, int]:
    b, g, r = (round(float(value)) for value in color)
    return b, g, r


@dataclass(frozen=True, eq=False)
class CharacterSamples:
    """Upright patches with their classes."""

    patches: UInt8[Numbers, "n 32 32"]
    labels: Int[Numbers, " n"]


def character_samples(seed: int, fonts: Sequence[Path]) -> CharacterSamples:
    """Draw a tile with names and other words, photograph it, and label its regions.

    A region with a character is shown upright, and half of them in another turn, too. Art is shown in any turn.
    """
    rng = np.random.default_rng([seed, 707])
    printed = varied_tiles(rng, "characters", 1)
    side = printed.tile_set.sides[0]
    left, top, columns, rows = side.bounds
    cells = frozenset((c - left, r - top) for c, r in side.cells)
    bare = cv2.resize(
        printed.images[side.id][:, :, :3], (columns * ART_PX, rows * ART_PX), interpolation=cv2.INTER_CUBIC
    )
    shown: list[tuple[UInt8[Numbers, "32 32"], int]] = []
    for _ in range(_PRINTS):
        art = np.array(bare, dtype=np.uint8)
        written = _print_texts(rng, art, cells, printed.tile_set.cell_mm, fonts)
        photo, corners_px = _photographed(rng, art)
        image = close_up(photo, corners_px, (columns, rows))
        for region in find_regions(image, cells):
            shown += _labelled(rng, patch_of(image, region), region, written)
    patches = np.array([patch for patch, _ in shown], dtype=np.uint8).reshape(-1, PATCH_PX, PATCH_PX)
    return CharacterSamples(patches, np.array([label for _, label in shown], dtype=int))


def join_samples(parts: Sequence[CharacterSamples]) -> CharacterSamples:
    """Return all patches with their classes."""
    patches = np.concatenate([part.patches for part in parts])
    return CharacterSamples(patches, np.concatenate([part.labels for part in parts]))


def written_samples(rng: Generator, fonts: Sequence[Path], count: int, grounds: CharacterSamples) -> CharacterSamples:
    """Draw characters straight into patches, a hundred times cheaper than on tiles.

    Args:
        rng: the source of all chances.
        fonts: the fonts' files.
        count: how many patches.
        grounds: patches of art, which lie under them.
    """
    art = grounds.patches[grounds.labels == NO_CHARACTER]
    loaded = [ImageFont.truetype(str(font), _DRAWN_PX) for font in fonts]
    patches, labels = np.zeros((count, PATCH_PX, PATCH_PX), dtype=np.uint8), np.zeros(count, dtype=int)
    for at in range(count):
        text = _any_text(rng)
        index = int(rng.integers(len(text)))
        drawn = _drawn_in_patch(rng, loaded[int(rng.integers(len(loaded)))], text, index)
        ground = art[int(rng.integers(len(art)))].astype(np.float64) - 128
        seen = drawn * rng.uniform(60, 120) + ground * rng.uniform(0, 0.45) * (1 - 0.8 * drawn)
        seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.3, 1.1))) + rng.normal(
            0, rng.uniform(0, 6), seen.shape
        )
        turns, label = 0, class_of(text[index])
        if rng.random() < _TURNED:
            turns = int(rng.integers(1, 4))
            over = _OVER.get(text[index], "") if turns == 2 else ""
            turns = 0 if not over and text[index] in _EVEN else turns
            label = label if turns == 0 else class_of(over) if over else NO_CHARACTER
        patches[at] = np.rot90(even_patch(seen), turns)
        labels[at] = label
    return CharacterSamples(patches, labels)


def _drawn_in_patch(rng: Generator, font: ImageFont.FreeTypeFont, text: str, index: int) -> Float[Numbers, "32 32"]:
    """Return how much ink a text leaves in a patch round one of its characters."""
    mask = Image.new("L", (_DRAWN_PX * (len(text) + 1), 2 * _DRAWN_PX), 0)
    draw = ImageDraw.Draw(mask)
    spacing = rng.uniform(0, 0.12) * _DRAWN_PX
    x, parts = _DRAWN_PX / 2, []
    for sign in text:
        draw.text((x, _DRAWN_PX / 3), sign, 255, font)
        left, top, right, bottom = draw.textbbox((x, _DRAWN_PX / 3), sign, font)
        parts.append((left, top, right, bottom))
        x += font.getlength(sign) + spacing
    left, top, right, bottom = parts[index]
    scale = max(right - left, bottom - top, 1) / CHARACTER_PX * rng.uniform(0.88, 1.06)
    corner = np.array([(left + right) / 2, (top + bottom) / 2]) - 0.5 - (PATCH_PX - 1) / 2 * scale
    corner += rng.normal(0, 0.5, 2) * scale
    sharp = cv2.GaussianBlur(np.asarray(mask, dtype=np.float32) / 255, (0, 0), 0.4 * scale)
    slant = rng.normal(0, 0.02)
    matrix = np.array([[scale, slant, corner[0]], [-slant, scale, corner[1]]])
    return cv2.warpAffine(sharp, matrix, (PATCH_PX, PATCH_PX), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)


def class_of(sign: str) -> int:
    """Return the class of a letter or digit."""
    at = CHARACTERS.find(sign.upper())
    return OTHER_LETTER if at < 0 else at


@dataclass(frozen=True)
class _Written:
    """A character in the close-up, and the quarter turns counterclockwise of its text."""

    at: CharacterBox
    sign: str
    turns: int

    def covered_by(self, region: CharacterBox) -> float:
        """Return the share of the character in a region's box."""
        here = self.at
        wide = min(here.left + here.width, region.left + region.width) - max(here.left, region.left)
        high = min(here.top + here.height, region.top + region.height) - max(here.top, region.top)
        return max(wide, 0) * max(high, 0) / max(here.width * here.height, 1)


def _print_texts(
    rng: Generator, art: BgrImage, cells: frozenset[Cell], cell_mm: float, fonts: Sequence[Path]
) -> list[_Written]:
    """Print texts on some cells, in place, and return their characters."""
    written = []
    times = CLOSE_PX / ART_PX
    for column, row in sorted(cells):
        if rng.random() > _TEXTS_PER_CELL:
            continue
        x, y = ((np.array([column, row]) + rng.uniform(0.28, 0.72, 2)) * cell_mm).tolist()
        turns, text = int(rng.integers(4)), _any_text(rng)
        ground = art[row * ART_PX : (row + 1) * ART_PX, column * ART_PX : (column + 1) * ART_PX]
        boxes = draw_text(art, text, random_ink(rng, fonts, ground), (x, y), turns, cell_mm)
        for box, sign in zip(boxes, text, strict=False):
            left, top, width, height = (round(value * times) for value in box[:4])
            written.append(_Written(CharacterBox(left, top, width, height, box.is_dark), sign, turns))
    return written


def _any_text(rng: Generator) -> str:
    """Return a name, a longer number or a word."""
    choice = rng.random()
    if choice < _NAMES:
        number = int(rng.integers(0, 10)) if rng.random() < 0.4 else int(rng.integers(10, 100))
        letter = str(rng.choice(list("ABCDabcd"))) if rng.random() < 0.6 else ""
        return (f"{number:02d}" if rng.random() < 0.5 else str(number)) + letter
    signs = _OTHERS if choice < _NAMES + _WORDS else CHARACTERS
    return "".join(rng.choice(list(signs), int(rng.integers(1, 5))))


def _photographed(rng: Generator, art: BgrImage) -> tuple[BgrImage, Float[Numbers, "4 2"]]:
    """Return a photo of some art by a hand-held phone, and where a reader assumes its corners."""
    px = float(rng.uniform(*_PHOTO_PX))
    high, wide = (side / ART_PX * px for side in art.shape[:2])
    turn = np.radians(rng.uniform(-20, 20))
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = (np.array([[0, 0], [wide, 0], [wide, high], [0, high]]) - (wide / 2, high / 2)) @ axes
    corners = corners * (1 + rng.normal(0, 0.01, (4, 2)))
    corners += rng.uniform(4, 8, 2) - corners.min(axis=0)
    size = np.ceil(corners.max(axis=0) + 6).astype(int)
    source = np.array([[0, 0], [art.shape[1], 0], [art.shape[1], art.shape[0]], [0, art.shape[0]]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    sharp = cv2.GaussianBlur(art, (0, 0), 0.45 * ART_PX / px)
    seen = cv2.warpPerspective(sharp, matrix, tuple(size.tolist()), flags=cv2.INTER_LINEAR).astype(np.float32)
    blurred = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.3, 1.2)))
    light: Numbers = (
        (np.asarray(blurred, dtype=np.float64) / 255) ** rng.uniform(0.8, 1.3)
        * rng.uniform(0.45, 1.05)
        * rng.uniform(0.85, 1.1, 3)
    )
    light = light + rng.uniform(0, 0.06) + rng.normal(0, rng.uniform(0.004, 0.02), light.shape)
    _, data = cv2.imencode(
        ".jpg", np.clip(light * 255, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 96))]
    )
    photo = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return photo, corners + rng.normal(0, 0.01 * px, 2)


def _labelled(
    rng: Generator, patch: UInt8[Numbers, "32 32"], region: CharacterBox, written: Sequence[_Written]
) -> list[tuple[UInt8[Numbers, "32 32"], int]]:
    """Return a region's patch as the network shall see it, with its class. Doubtful ones are left out."""
    shares = overlaps(region, np.array([one.at for one in written], dtype=np.float64).reshape(-1, 5))
    known = written[int(shares.argmax())] if written else None
    share = float(shares.max(initial=0.0))
    several = share > 0 and sum(one.covered_by(region) > 0.6 for one in written) > 1
    if known is None or several or share < _APART:
        return [(np.rot90(patch, int(rng.integers(4))), NO_CHARACTER)]
    if share < _SAME_PLACE:
        return []
    upright = np.rot90(patch, -known.turns % 4)
    shown = [(upright, class_of(known.sign))]
    turns = int(rng.integers(1, 4))
    over = _OVER.get(known.sign, "") if turns == 2 else ""
    if over or known.sign not in _EVEN:
        shown.append((np.rot90(upright, turns), class_of(over) if over else NO_CHARACTER))
    return shown

"""Find tiles by their whole prints, where too few keypoints are left: under a crowd, under another lamp.

Photo and print are compared by the slopes of their brightness, each relative to the slopes around it. So the lamp and
its colour do not count, and neither does an occluded place. A product of Fourier transforms gives the correlation of a
print with all places of the photo at once, for one turn. The straight lines of the photo and its few keypoints propose
the turns.

All places are compared at half the scale. Only where a print may stand out are its best places compared at full scale.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
import scipy.fft
from jaxtyping import Complex64, Float, Float32, Shaped

from assistant.table.lattice import Cell
from calibration.arrays import ComplexSingles, GrayImage, Numbers, Singles
from calibration.color import gray_from_bgr
from vision.learned import MOST_LOG_ODDS
from vision.photo.rectify import Rectified
from vision.tiles.candidates import TileCandidate
from vision.tiles.lattice_fit import Lattice, fit_lattice
from vision.tiles.placements import Pose, TilePlacement, cells_of, piece_at, placement_at
from vision.tiles.prints import Print, TilePrints

PX_PER_CELL = 30
"""Scale of the comparison. At 12 pixels the right place of a chequered board under a crowd was ahead in 4 of 10 photos,
at 24 in 9, at 30 in all."""

_NOISE = 1.0
"""Slope in grey levels a pixel that counts as noise."""

_LINES_TRIED, _CANDIDATES_TRIED = 3, 4
"""Number of turns by the lines of the photo, and by its keypoints. Lines alone missed half of seven rendered tables,
whose wood has lines of its own. Chequered boards leave few useful keypoints."""

_BIN_DEG, _APART_DEG = 0.5, 3.0
"""Step of the turns, and the difference from which a turn is another one."""

_PEAKS = 2
"""Places of a print at each turn."""

_MAY_STAND_OUT, _OTHERS_COMPARED = 1.2, 24
"""Least lead at half scale for a comparison at full scale, and the number of places at other turns that it takes. On
four photos the order at half scale was that at full scale but for ties, and the least lead accepted is 1.5."""

_NEAR_PX = 2
"""Range at full scale round a place found at half scale."""

_STANDS_OUT, _LEAST_SHARE = 1.5, 0.2
"""Least lead of a tile over everything at other turns, and least share of its slopes that the photo shows. True tiles
accepted had a lead of 1.57 or more and .28 or more of their slopes. Prints of other sets had 1.2; chequered ones 1.9 on
tables with a printed grid, but .10 of their slopes."""


_SIZES, _AWAY_PX = (0.88, 0.91, 0.94, 0.97, 1.0, 1.03, 1.06, 1.09, 1.12), 12
"""Sizes compared for a found print, and the range round its place, which few keypoints may miss. A board of ten cells
loses a fifth of its votes at 3 %."""

_INDEPENDENT = 30.0
"""Difference of squared votes that counts as 1 in log odds between two places of a tile, since neighbouring slopes
correlate. On 105 relit or crowded photos of chequered boards it was 38 or less for six, four of them in a wrong place,
and 43 or more for the others, all right."""


class _Peak(NamedTuple):
    """A place of a turned print: column and row of its corner in the field, and its votes at half scale."""

    print_index: int
    turn_deg: float
    quarters: int
    corner: tuple[int, int]
    votes: float

    @property
    def rotation_deg(self) -> float:
        return (self.turn_deg + 90 * self.quarters) % 360


class _Place(NamedTuple):
    """A place of a template in the field: column and row of its corner, its votes, and the seen share of its slopes."""

    column: int
    row: int
    votes: float
    share: float


class _Match(NamedTuple):
    """A place of a print, its votes being signal over noise, and the share of its slopes that the photo shows."""

    candidate: TileCandidate
    share: float


def find_whole_prints(
    seen: Rectified, prints: TilePrints, candidates: Sequence[TileCandidate]
) -> tuple[Lattice, list[TilePlacement]] | None:
    """Return the lattice and the tiles whose whole prints stand out, or None if none does.

    Args:
        seen: the search area at ``PX_PER_CELL``, without the markers' places.
        prints: the tile set.
        candidates: the tiles by keypoints, which propose turns.
    """
    found = _matches(seen, prints, candidates)
    if not found:
        return None
    least = _STANDS_OUT * _by_chance((m.candidate.rotation_deg, m.candidate.votes) for m in found)
    clear = [m.candidate for m in found if m.candidate.votes > least and m.share > _LEAST_SHARE]
    fitted = fit_lattice(clear, prints)
    if fitted is None:
        return None
    lattice, agreeing = fitted
    placements: list[TilePlacement] = []
    taken: set[Cell] = set()
    for candidate in sorted(agreeing, key=lambda c: -c.votes):
        placement = placement_at(candidate, lattice, prints)
        own = cells_of(placement, prints)
        pieces = {piece_at(p, prints) for p in placements}
        if taken.isdisjoint(own) and piece_at(placement, prints) not in pieces:
            placements.append(_with_rivals(placement, [m.candidate for m in found], lattice, prints))
            taken |= own
    return lattice, placements


def _with_rivals(
    placement: TilePlacement, found: Sequence[TileCandidate], lattice: Lattice, prints: TilePrints
) -> TilePlacement:
    """Return the placement as likely as its lead over every other place on its cells.

    A print that repeats itself, as a chequered one does, fits almost as well when turned or moved.
    """
    own, log_odds = cells_of(placement, prints), MOST_LOG_ODDS
    rivals: dict[tuple[int, int, Cell], TilePlacement] = {}
    for candidate in found:
        if _turned_by(candidate.rotation_deg, lattice.angle_deg) > _APART_DEG:
            continue
        other = placement_at(candidate, lattice, prints)
        cells = cells_of(other, prints)
        lead = (placement.strength**2 - candidate.votes**2) / _INDEPENDENT
        if other.key == placement.key or cells.isdisjoint(own) or lead >= MOST_LOG_ODDS:
            continue
        if cells != own:
            log_odds = min(log_odds, max(lead, 0.0))
        elif other.key not in rivals:
            rivals[other.key] = replace(other, log_odds=min(-lead, 0.0))
    return replace(placement, log_odds=log_odds, rivals=tuple(rivals.values()))


def size_by_whole_print(seen: Rectified, tile_print: Print, pose: Pose) -> float:
    """Return how much larger a tile looks than its print: the size with the most votes, by a parabola.

    Args:
        seen: the search area at ``PX_PER_CELL``.
        tile_print: the tile's print.
        pose: about where it lies.
    """
    templates = [_turned(tile_print, pose.rotation_deg, size) for size in _SIZES]
    reach = len(templates[-1]) // 2 + 1 + _AWAY_PX
    field = np.pad(slopes(gray_from_bgr(seen.image)), reach)
    middle = seen.frame.frame_from_table(np.array([pose.center_mm]))[0] + reach
    votes = []
    for template in templates:
        column, row = np.rint(middle - (len(template) - 1) / 2).astype(int).tolist()
        votes.append(_compared(field, template, (column, row), _AWAY_PX).votes)
    best = min(max(int(np.argmax(votes)), 1), len(_SIZES) - 2)
    smaller, same, larger = votes[best - 1 : best + 2]
    bend = 2 * same - smaller - larger
    step = (larger - smaller) / (2 * bend) if bend > 0 else 0.0
    return float(np.interp(best + step, range(len(_SIZES)), _SIZES))


def _turned_by(one_deg: float, other_deg: float) -> float:
    return abs((one_deg - other_deg + 45) % 90 - 45)


def _matches(seen: Rectified, prints: TilePrints, candidates: Sequence[TileCandidate]) -> list[_Match]:
    """Return the best places of the prints, the clearest first, or none if no print may stand out."""
    # Slopes at the rim of the area are none of the table.
    inside = cv2.erode(seen.inside_mask.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    field = np.where(inside, slopes(gray_from_bgr(seen.image)), 0)
    turns = {*_line_turns(field), *_voted_turns(candidates)}
    reach = math.ceil(max(math.hypot(*p.size_cells) for p in prints.prints) * PX_PER_CELL / 2) + 2 + _NEAR_PX
    field = np.pad(field, reach)
    turned = {
        (index, turn_deg): _turned(tile_print, turn_deg)
        for index, tile_print in enumerate(prints.prints)
        for turn_deg in sorted(turns)
    }
    peaks = sorted(_peaks(field, turned), key=lambda peak: (-peak.votes, peak.print_index))
    if not peaks or peaks[0].votes < _MAY_STAND_OUT * _by_chance((p.rotation_deg, p.votes) for p in peaks):
        return []
    at_best = [_turned_by(p.rotation_deg, peaks[0].rotation_deg) <= _APART_DEG for p in peaks]
    same, others = ([p for p, is_at in zip(peaks, at_best, strict=True) if is_at is which] for which in (True, False))
    found = []
    for peak in [*same, *others[:_OTHERS_COMPARED]]:
        own = turned[peak.print_index, peak.turn_deg]
        column, row, votes, share = _compared(field, _rotated(own, peak.quarters), peak.corner)
        middle = np.array([[column, row]]) + (len(own) - 1) / 2 - reach
        x, y = seen.frame.table_from_frame(middle)[0].tolist()
        found.append(_Match(TileCandidate(peak.print_index, peak.rotation_deg, (x, y), votes), share))
    return sorted(found, key=lambda match: (-match.candidate.votes, match.candidate.print_index))


def _by_chance(votes_at: Iterable[tuple[float, float]]) -> float:
    """Return the most votes at other turns than the best one's, infinite without any.

    No tile lies at another turn, so the photo itself shows how well a print fits by chance.
    """
    (best_deg, _), *others = votes_at
    return max((votes for turn_deg, votes in others if _turned_by(turn_deg, best_deg) > _APART_DEG), default=math.inf)


def _peaks(
    field: Complex64[ComplexSingles, "height width"],
    turned: Mapping[tuple[int, float], Complex64[ComplexSingles, "_side _side"]],
) -> Iterator[_Peak]:
    """Yield the best places of every turned print in each of four quarters, found at half scale."""
    small, energy = _halved(field), _halved(np.square(np.abs(field)))
    shape = [scipy.fft.next_fast_len(length, real=True) for length in small.shape]
    spectrum = scipy.fft.rfft2(_parts(small), s=shape)
    for (index, turn_deg), print_slopes in turned.items():
        own, own_weight = _halved(print_slopes), _halved(np.square(np.abs(print_slopes)))
        side = len(own)
        for quarters in range(4):
            product = spectrum * np.conj(scipy.fft.rfft2(_parts(_rotated(own, quarters)), s=shape))
            match = scipy.fft.irfft2(product.sum(axis=0), s=shape)
            weight = np.rot90(own_weight, -quarters)
            for column, row in _highest(match[: small.shape[0] - side, : small.shape[1] - side]):
                noise = float((weight * energy[row : row + side, column : column + side]).sum())
                votes = float(match[row, column]) / math.sqrt(noise + 1e-6)
                yield _Peak(index, turn_deg, quarters, (2 * column, 2 * row), votes)


def _compared(
    field: Complex64[ComplexSingles, "height width"],
    template: Complex64[ComplexSingles, "side side"],
    corner: tuple[int, int],
    near_px: int = _NEAR_PX,
) -> _Place:
    """Return a template's best place near a corner."""
    side = len(template)
    left, top = (max(0, value - near_px) for value in corner)
    reach = side + 2 * near_px
    around = field[top : top + reach, left : left + reach]
    around_channels, template_channels = (np.dstack([*_parts(one)]) for one in (around, template))
    match = np.asarray(cv2.matchTemplate(around_channels, template_channels, cv2.TM_CCORR))
    row, column = (int(i) for i in np.unravel_index(match.argmax(), match.shape))
    weight = np.square(np.abs(template))
    noise = float((weight * np.square(np.abs(around[row : row + side, column : column + side]))).sum())
    value = float(match[row, column])
    share = value / float(weight.sum() + 1e-6)
    return _Place(left + column, top + row, value / math.sqrt(noise + 1e-6), share)


def _rotated(values: Complex64[ComplexSingles, "side side"], quarters: int) -> Complex64[ComplexSingles, "side side"]:
    """Return the slopes of the picture turned by quarters. Each turns its slopes, too."""
    return np.rot90(values, -quarters) * np.complex64(1j**quarters)


def _parts(values: Complex64[ComplexSingles, "height width"]) -> Float32[Singles, "2 height width"]:
    return np.stack([values.real, values.imag])


def _halved(values: Shaped[Numbers, "height width"]) -> Shaped[Numbers, "height_half width_half"]:
    """Return the sum of each block of two by two pixels, without an odd last row or column."""
    height, width = (length // 2 * 2 for length in values.shape)
    rows = values[:height:2] + values[1:height:2]
    return np.asarray(rows[:, :width:2] + rows[:, 1:width:2])


def slopes(gray: GrayImage) -> Complex64[ComplexSingles, "height width"]:
    """Return the slope of brightness at each pixel relative to those around, x real and y imaginary."""
    smooth = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), 0.8)
    right, down = (cv2.Sobel(smooth, cv2.CV_32F, *axis, ksize=3, scale=1 / 8) for axis in ((1, 0), (0, 1)))
    steepness = np.hypot(right, down)
    around = np.sqrt(cv2.GaussianBlur(steepness * steepness, (0, 0), PX_PER_CELL / 2))
    found: ComplexSingles = ((right + 1j * down) / (steepness + around + _NOISE)).astype(np.complex64)
    return found


def _line_turns(field: Complex64[ComplexSingles, "_height _width"]) -> list[float]:
    weight = np.abs(field) ** 4
    return _strongest_turns(np.degrees(np.angle(field[weight > 0])), weight[weight > 0], _LINES_TRIED)


def _voted_turns(candidates: Sequence[TileCandidate]) -> list[float]:
    turns_deg, votes = (
        np.array([getattr(c, name) for c in candidates], dtype=float) for name in ("rotation_deg", "votes")
    )
    return _strongest_turns(turns_deg, votes**2, _CANDIDATES_TRIED)


def _strongest_turns(turns_deg: Float[Numbers, " n"], weights: Float[Numbers, " n"], limit: int) -> list[float]:
    """Return the fullest turns, from 0 to 90 degrees."""
    bins = round(90 / _BIN_DEG)
    which = (turns_deg % 90 / _BIN_DEG).astype(int) % bins
    count = np.bincount(which, weights=weights, minlength=bins)
    smooth = [share * np.roll(count, by) for by, share in ((-2, 0.25), (-1, 0.75), (0, 1.0), (1, 0.75), (2, 0.25))]
    total = np.sum(smooth, axis=0)
    found = []
    for _ in range(limit):
        best = int(total.argmax())
        if total[best] <= 0:
            break
        found.append((best + 0.5) * _BIN_DEG)
        apart = round(_APART_DEG / _BIN_DEG)
        total[np.arange(best - apart, best + apart + 1) % bins] = 0
    return found


def _turned(tile_print: Print, turn_deg: float, size: float = 1.0) -> Complex64[ComplexSingles, "side side"]:
    """Return the slopes of a turned print, ``size`` times as large, 0 outside, in a square round its middle."""
    gray = gray_from_bgr(tile_print.image)
    height, width = gray.shape
    scale = size * PX_PER_CELL * tile_print.size_cells[0] / width
    side = 2 * math.ceil(math.hypot(width, height) * scale / 2) + 4
    c, s = scale * math.cos(math.radians(turn_deg)), scale * math.sin(math.radians(turn_deg))
    turn = np.array([[c, -s], [s, c]])
    into = np.column_stack([turn, (side - 1) / 2 - turn @ (np.array([width, height]) - 1) / 2])
    soft = cv2.GaussianBlur(gray, (0, 0), 0.5 / scale)
    image = cv2.warpAffine(soft, into, (side, side), borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpAffine(tile_print.inside_mask.astype(np.uint8), into, (side, side))
    inside = cv2.erode(mask, np.ones((3, 3), np.uint8)) > 0
    return np.where(inside, slopes(np.asarray(image, dtype=np.uint8)), 0)


def _highest(match: Float[Numbers, "height width"]) -> Iterator[tuple[int, int]]:
    """Yield column and row of the highest places of a correlation at half scale."""
    left = match.copy()
    near = PX_PER_CELL // 4
    for _ in range(_PEAKS):
        row, column = (int(i) for i in np.unravel_index(left.argmax(), left.shape))
        yield column, row
        left[max(0, row - near) : row + near + 1, max(0, column - near) : column + near + 1] = -np.inf

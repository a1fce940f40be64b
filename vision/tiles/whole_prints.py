"""Find tiles by their whole prints, where too few keypoints are left: under a crowd, under another lamp.

Photo and print are compared by the slopes of their brightness, each relative to the slopes around it. So the lamp and
its colour do not count, and neither does an occluded place. A product of Fourier transforms gives the correlation of a
print with all places of the photo at once, for one turn. The straight lines of the photo and its few keypoints propose
the turns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np
import scipy.fft
from jaxtyping import Complex64, Float

from assistant.table.lattice import Cell
from calibration.arrays import ComplexSingles, GrayImage, Numbers
from calibration.color import gray_from_bgr
from vision.learned import MOST_LOG_ODDS
from vision.photo.rectify import Rectified
from vision.tiles.candidates import TileCandidate
from vision.tiles.lattice_fit import Lattice, fit_lattice
from vision.tiles.placements import TilePlacement, cells_of, piece_at, placement_at
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

_STANDS_OUT, _LEAST_SHARE = 1.5, 0.2
"""Least lead of a tile over everything at other turns, and least share of its slopes that the photo shows. True tiles
accepted had a lead of 1.57 or more and .28 or more of their slopes. Prints of other sets had 1.2; chequered ones 1.9 on
tables with a printed grid, but .10 of their slopes."""


_INDEPENDENT = 30.0
"""Difference of squared votes that counts as 1 in log odds between two places of a tile, since neighbouring slopes
correlate. On 105 relit or crowded photos of chequered boards it was 38 or less for six, four of them in a wrong place,
and 43 or more for the others, all right."""


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
    found = _correlate(seen, prints, candidates)
    if not found:
        return None
    best_deg = found[0].candidate.rotation_deg
    # No tile lies at another turn, so the photo itself shows how well a print fits by chance.
    others = (m.candidate.votes for m in found if _turned_by(m.candidate.rotation_deg, best_deg) > _APART_DEG)
    least = _STANDS_OUT * max(others, default=math.inf)
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


def _turned_by(one_deg: float, other_deg: float) -> float:
    return abs((one_deg - other_deg + 45) % 90 - 45)


def _correlate(seen: Rectified, prints: TilePrints, candidates: Sequence[TileCandidate]) -> list[_Match]:
    """Return the best places of every print, the clearest first. Their votes are signal over noise."""
    # Slopes at the rim of the area are none of the table.
    inside = cv2.erode(seen.inside_mask.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    field = np.where(inside, slopes(gray_from_bgr(seen.image)), 0)
    turns = {*_line_turns(field), *_voted_turns(candidates)}
    reach = math.ceil(max(math.hypot(*p.size_cells) for p in prints.prints) * PX_PER_CELL / 2) + 2
    field = np.pad(field, reach)
    shape = [scipy.fft.next_fast_len(side) for side in field.shape]
    spectrum = scipy.fft.fft2(field, s=shape)
    energy = np.square(np.abs(field))
    found: list[_Match] = []
    for (index, tile_print), turn_deg in product(enumerate(prints.prints), sorted(turns)):
        own = _turned(tile_print, turn_deg)
        side = len(own)
        for quarters in range(4):
            # A quarter turn of the picture turns its slopes, too.
            turned = np.rot90(own, -quarters) * 1j**quarters
            match = scipy.fft.ifft2(spectrum * np.conj(scipy.fft.fft2(turned, s=shape))).real
            weight = np.square(np.abs(turned))
            for column, row, value in _peaks(match[: field.shape[0] - side, : field.shape[1] - side]):
                noise = float((weight * energy[row : row + side, column : column + side]).sum())
                middle = np.array([[column, row]]) + (side - 1) / 2 - reach
                x, y = seen.frame.table_from_frame(middle)[0].tolist()
                votes = value / math.sqrt(noise + 1e-6)
                candidate = TileCandidate(index, (turn_deg + 90 * quarters) % 360, (x, y), votes)
                found.append(_Match(candidate, value / float(weight.sum() + 1e-6)))
    return sorted(found, key=lambda match: (-match.candidate.votes, match.candidate.print_index))


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


def _turned(tile_print: Print, turn_deg: float) -> Complex64[ComplexSingles, "side side"]:
    """Return the slopes of a turned print, 0 outside, in a square round its middle."""
    gray = gray_from_bgr(tile_print.image)
    height, width = gray.shape
    scale = PX_PER_CELL * tile_print.size_cells[0] / width
    side = math.ceil(math.hypot(width, height) * scale) + 4
    c, s = scale * math.cos(math.radians(turn_deg)), scale * math.sin(math.radians(turn_deg))
    turn = np.array([[c, -s], [s, c]])
    into = np.column_stack([turn, (side - 1) / 2 - turn @ (np.array([width, height]) - 1) / 2])
    soft = cv2.GaussianBlur(gray, (0, 0), 0.5 / scale)
    image = cv2.warpAffine(soft, into, (side, side), borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpAffine(tile_print.inside_mask.astype(np.uint8), into, (side, side))
    inside = cv2.erode(mask, np.ones((3, 3), np.uint8)) > 0
    return np.where(inside, slopes(np.asarray(image, dtype=np.uint8)), 0)


def _peaks(match: Float[Numbers, "height width"]) -> Iterator[tuple[int, int, float]]:
    """Yield column, row and height of the highest peaks."""
    left = match.copy()
    near = PX_PER_CELL // 2
    for _ in range(_PEAKS):
        row, column = (int(i) for i in np.unravel_index(left.argmax(), left.shape))
        yield column, row, float(match[row, column])
        left[max(0, row - near) : row + near + 1, max(0, column - near) : column + near + 1] = -np.inf

"""Outlines of separate things on a table, in one photo.

A smooth table (felt, wood, a mat with soft clouds) is everything reachable from the photo's rim without crossing an
edge. A patterned cloth has edges of its own, but its colours separate it from the things. The photo's rim shows these
colours. GrabCut (Rother et al. 2004) then moves the borders to edges of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float, Int

from calibration.arrays import BgrImage, FloatImage, Mask, Numbers
from calibration.color import lab_from_bgr
from vision.teaching.table_light import fall_of_light
from vision.teaching.things import lab_of, off_colors_of

WORK_PX = 1000
"""Longer side of the picture for the segmentation."""

_RIM = 0.05
"""Share of the picture's sides that shows only the table, since people put things in the middle."""

LEAST_SHARE = 0.00025
"""Least area of a thing as a share of the picture, a token of 15 mm on a table of 900."""

MOST_SHARE = 0.12
"""Largest area of a thing as a share of the picture. A tile has a twentieth at most."""

_BESIDE = 14
"""Largest distance, in pixels, of a part of the table enclosed by seams from the table beyond the seam. Its colour
differs from that by a spread of the table's colours at most."""

_NOISES = 1.5
"""Difference from the table's colours, relative to the table's 95th percentile, from which a part of the picture is a
thing, as grey tiles on a grey and blue cloth."""

_ROUNDS = 2
"""Rounds of the segmentation by colours, and of GrabCut in each."""

_LIKELY, _SURE = 11.0, 26.0
"""Differences (CIELAB) from the table's colours from which a pixel is likely, and surely, not the table."""

_LEAST_EDGE, _EDGE_NOISES, _SMOOTH_TABLE = 1.5, 1.6, 6.0
"""Least gradient of an edge (CIELAB per pixel), its least factor over the table's gradient, and the table gradient from
which the table is patterned."""


_WHOLE = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (15, 15))
_GAP, _BRIDGE = (cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)) for side in (5, 9))
"""Structuring elements in the small picture: the largest gap in a thing or its outline, and the widest bridge between
two."""


@dataclass(frozen=True, eq=False)
class LooseThing:
    """One thing: the mask of its pixels in a smaller picture, its outline in the photo's pixels, and whether it is cut.

    Args:
        outline_px: the outline, clockwise or not, in pixels of the photo.
        is_cut: whether it extends beyond the photo's rim.
    """

    outline_px: Float[Numbers, "n 2"]
    is_cut: bool


def find_loose_things(photo: BgrImage) -> list[LooseThing]:
    """Return the things on the table, the largest first."""
    scale = min(1.0, WORK_PX / max(photo.shape[:2]))
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    image = np.asarray(small, dtype=np.uint8)
    mask = part_from_table(image)
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    limits = np.array(image.shape[1::-1]) - 1
    things = []
    for contour in sorted(contours, key=cv2.contourArea, reverse=True):
        if cv2.contourArea(contour) < LEAST_SHARE * mask.size:
            break
        places = contour.reshape(-1, 2).astype(np.float64)
        is_cut = bool(((places <= 1) | (places >= limits - 1)).any())
        things.append(LooseThing((places + 0.5) / scale - 0.5, is_cut))
    return things


def part_from_table(image: BgrImage) -> Mask:
    """Return the mask of everything but the table in a small picture."""
    height, width = image.shape[:2]
    edge = max(4, round(_RIM * min(height, width)))
    rim = np.ones((height, width), dtype=bool)
    rim[edge:-edge, edge:-edge] = False
    is_table = rim
    even = _in_even_light(image, rim)
    slope = _slope(even)
    steep = max(_LEAST_EDGE, _EDGE_NOISES * float(np.percentile(slope[rim], 97)))
    if steep < _SMOOTH_TABLE:
        return _clean(_shut_in(even, slope > steep, rim))
    mask = ~rim
    for _ in range(_ROUNDS):
        even = _in_even_light(image, is_table)
        off = _off_table(even, is_table)
        # On a plain table a small difference suffices, and small things of a rare colour become visible.
        plainly = max(_LIKELY, _NOISES * float(np.percentile(off[is_table], 95)))
        mask = _clean(_cut_out(even, off, rim) | (off > plainly))
        is_table = rim | ~(cv2.dilate(mask.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0)
    # Things in nearly the table's colours counted as table so far. Only the rim's colours are certain.
    off = _off_table(_in_even_light(image, is_table), rim & is_table)
    faint = off > _NOISES * float(np.percentile(off[rim & is_table], 95))
    return _clean(mask | _find_overlooked(faint, mask))


def _slope(image: BgrImage) -> FloatImage:
    """Return the colour gradient at each pixel, CIELAB per pixel."""
    lab = lab_from_bgr(np.asarray(cv2.GaussianBlur(image, (0, 0), 1.2), dtype=np.uint8)).astype(np.float32)
    across, down = (cv2.Sobel(lab, cv2.CV_32F, *order, scale=1 / 8) for order in ((1, 0), (0, 1)))
    return np.asarray(np.sqrt((across**2 + down**2).sum(axis=2)), dtype=np.float32)


def _shut_in(image: BgrImage, is_edge: Mask, rim: Mask) -> Mask:
    """Return everything unreachable from the rim without crossing an edge.

    Seams of planks and the things between them enclose parts of the table. Its colours identify these.
    """
    gap = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
    walls = cv2.morphologyEx(is_edge.astype(np.uint8), cv2.MORPH_CLOSE, gap)
    free = cv2.erode(1 - walls, _GAP)
    _, labels = cv2.connectedComponents(free)
    at_rim = np.unique(labels[rim & (free > 0)])
    outside = np.isin(labels, at_rim) & (free > 0)
    cut_off = [number for number in at_rim.tolist() if _is_cut_off(image, labels == number, outside)]
    outside &= ~np.isin(labels, cut_off)
    shut_in = _of_table(image, labels, outside) & (free > 0)
    things = cv2.dilate((outside | shut_in).astype(np.uint8), np.ones((9, 9), np.uint8)) == 0
    if not shut_in.any():
        return np.asarray(things)
    # Remove seams before filling holes: round an enclosed part of the table they form a ring.
    return np.asarray(cv2.morphologyEx(things.astype(np.uint8), cv2.MORPH_OPEN, _BRIDGE) > 0)


def _is_cut_off(image: BgrImage, region: Mask, outside: Mask) -> bool:
    """Return whether a region at the photo's rim belongs to a thing: it shares no colour with all others there.

    The table spans the photo from one side to the opposite one, or is the larger part.
    """
    rest = outside & ~region
    share = float(region.mean())
    ends = [bool(part.any()) for part in (region[0], region[-1], region[:, 0], region[:, -1])]
    if not LEAST_SHARE <= share <= MOST_SHARE or share > float(rest.mean()) or all(ends[:2]) or all(ends[2:]):
        return False
    off = _off_table(image, rest)
    return float(off[region].mean()) > float(np.percentile(off[rest], 95))


def _of_table(image: BgrImage, labels: Int[Numbers, "height width"], outside: Mask) -> Mask:
    """Return the regions in the table's colours, and in the colours of the table beside them.

    A dark tile may have a seam's colour.
    """
    off = _off_table(image, outside)
    most_off = float(np.percentile(off[outside], 95))
    lab = lab_from_bgr(np.asarray(cv2.GaussianBlur(image, (0, 0), 1.5), dtype=np.uint8)).astype(np.float32)
    usual = np.median(lab[outside], axis=0)
    spread = float(np.sqrt(((lab[outside] - usual) ** 2).sum(axis=1).mean()))
    found = np.zeros(outside.shape, dtype=bool)
    for number in np.flatnonzero(np.bincount(labels.ravel()) >= LEAST_SHARE * labels.size):
        region = labels == number
        if outside[region].any() or float(off[region].mean()) > most_off:
            continue
        x, y, width, height = cv2.boundingRect(region.astype(np.uint8))
        part = np.s_[max(0, y - _BESIDE) : y + height + _BESIDE, max(0, x - _BESIDE) : x + width + _BESIDE]
        near = cv2.dilate(region[part].astype(np.uint8), np.ones((2 * _BESIDE + 1, 2 * _BESIDE + 1), np.uint8)) > 0
        beside = near & outside[part]
        if not beside.any():
            continue
        away = np.median(lab[part][beside], axis=0) - np.median(lab[region], axis=0)
        found |= region if float(np.linalg.norm(away)) < spread else False
    return found


def _cut_out(image: BgrImage, off: Float[Numbers, "height width"], is_table: Mask) -> Mask:
    """Return the mask of things by GrabCut, which moves its borders to edges of the picture."""
    core = cv2.erode((off > _SURE).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    marks = np.where(off > _LIKELY, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    marks[core] = cv2.GC_FGD
    marks[is_table] = cv2.GC_BGD
    if (marks & 1).any() and not (marks & 1).all():
        cv2.setRNGSeed(1)
        models = np.zeros((1, 65)), np.zeros((1, 65))
        cv2.grabCut(image, marks, (0, 0, 1, 1), *models, _ROUNDS, cv2.GC_INIT_WITH_MASK)
    return np.asarray((marks & 1) > 0)


def _clean(mask: Mask) -> Mask:
    """Close small gaps, remove thin bridges and specks, and fill holes."""
    part = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, _GAP)
    outlines, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(part, outlines, -1, 1, cv2.FILLED)
    return np.asarray(cv2.morphologyEx(part, cv2.MORPH_OPEN, _BRIDGE) > 0)


def _find_overlooked(faint: Mask, known: Mask) -> Mask:
    """Return faint parts as wide as a token that are mostly outside known things.

    Known things keep their outlines, which are more accurate. Shadows beside things are narrower.
    """
    part = cv2.morphologyEx(faint.astype(np.uint8), cv2.MORPH_CLOSE, _GAP)
    whole = cv2.erode(cv2.morphologyEx(part, cv2.MORPH_OPEN, _WHOLE), np.ones((3, 3), np.uint8))
    _, labels = cv2.connectedComponents(whole)
    sizes = np.bincount(labels.ravel())
    is_new = np.bincount(labels[~known], minlength=len(sizes)) > np.bincount(labels[known], minlength=len(sizes))
    is_new[0] = False
    return np.asarray(is_new[labels])


def _in_even_light(image: BgrImage, is_table: Mask) -> BgrImage:
    """Return the picture without the light's fall-off, divided by a smooth fit of the table."""
    field = fall_of_light(image, is_table)
    return np.asarray(np.clip(image * np.exp(-field)[:, :, None], 0, 255), dtype=np.uint8)


def _off_table(image: BgrImage, is_table: Mask) -> Float[Numbers, "height width"]:
    """Return each pixel's difference from all colours of the table."""
    return off_colors_of(lab_of(np.asarray(cv2.GaussianBlur(image, (0, 0), 1.5), dtype=np.uint8)), is_table)

"""The camera's lens and the table's printed markers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.errors import SizeMismatch
from assistant.table.fields import MarkerId

PointMm = tuple[float, float]
"""A point on the table in millimetres: x to the right, y towards the near edge."""

Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class CameraLens:
    """OpenCV's pinhole model with distortion ``(k1, k2, p1, p2, k3)`` for pictures of one size."""

    width_px: int
    height_px: int
    matrix: Matrix
    distortion: tuple[float, float, float, float, float]

    def scaled_to(self, width_px: int, height_px: int) -> CameraLens:
        """Return the lens for a picture that was scaled as a whole.

        Pixel centres are at integer coordinates, so ``cx' = (cx + 0.5) s - 0.5`` (formats, camera/1).

        Raises:
            SizeMismatch: the two sizes do not have the same proportions.
        """
        if (width_px, height_px) == (self.width_px, self.height_px):
            return self
        scale = width_px / self.width_px
        # A resized picture has whole pixels, so each side may be off by its own rounding.
        if scale <= 0 or abs(self.height_px * scale - height_px) > max(1.0, scale):
            raise SizeMismatch((width_px, height_px), (self.width_px, self.height_px))
        (fx, skew, cx), (zero, fy, cy), last = self.matrix
        matrix = (
            (fx * scale, skew * scale, (cx + 0.5) * scale - 0.5),
            (zero, fy * scale, (cy + 0.5) * scale - 0.5),
            last,
        )
        return CameraLens(width_px, height_px, matrix, self.distortion)

    def zoomed(self, by: float) -> CameraLens:
        """Return the lens with a focal length longer by that factor."""
        (fx, skew, cx), (zero, fy, cy), last = self.matrix
        return replace(self, matrix=((fx * by, skew * by, cx), (zero, fy * by, cy), last))

    def fits(self, width_px: int, height_px: int) -> bool:
        """Return whether a picture of that size is a scaled picture of this lens."""
        try:
            self.scaled_to(width_px, height_px)
        except SizeMismatch:
            return False
        return True

    def turned(self, quarters: int) -> CameraLens:
        """Return the lens for pictures that were turned clockwise by quarter turns, as phones and messengers do."""
        lens = self
        for _ in range(quarters % 4):
            (fx, _skew, cx), (_, fy, cy), last = lens.matrix
            k1, k2, p1, p2, k3 = lens.distortion
            # A pixel (x, y) moves to (height - 1 - y, x).
            matrix = ((fy, 0.0, lens.height_px - 1 - cy), (0.0, fx, cx), last)
            lens = CameraLens(lens.height_px, lens.width_px, matrix, (k1, k2, p2, -p1, k3))
        return lens


@dataclass(frozen=True, slots=True)
class TableMarker:
    """A printed marker: top-left, top-right, bottom-right and bottom-left corner as printed."""

    id: MarkerId
    corners_mm: tuple[PointMm, PointMm, PointMm, PointMm]

    def scaled(self, by: float) -> TableMarker:
        a, b, c, d = ((x * by, y * by) for x, y in self.corners_mm)
        return TableMarker(self.id, (a, b, c, d))


@dataclass(frozen=True)
class TableMarkers:
    """The positions of the printed markers on the table."""

    marker_family: str
    markers: tuple[TableMarker, ...]
    cell_mm: float | None = None

    def scaled(self, by: float) -> TableMarkers:
        """Return the table with its markers printed larger by that factor."""
        return TableMarkers(self.marker_family, tuple(marker.scaled(by) for marker in self.markers), self.cell_mm)


@dataclass(frozen=True)
class Calibration:
    """What a picture is read with: where the printed markers lie, and the camera's lens.

    ``lens`` is None if the picture gives its own estimate.
    """

    markers: TableMarkers
    lens: CameraLens | None


NO_MARKERS = TableMarkers("DICT_APRILTAG_36h11", ())
"""A table without printed markers, where the tiles' own prints give camera pose and light."""

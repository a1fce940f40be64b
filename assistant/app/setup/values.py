"""The state of a set-up, step by step, as frozen values for the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from assistant.app.live.shots import PointPx
from calibration.lens_guidance import Missing, PictureRefusal
from calibration.table_solve import MarkerFault

SetUpStep = Literal["camera", "sheets", "lens", "table", "teach", "game", "save", "read"]

STEPS: tuple[SetUpStep, ...] = get_args(SetUpStep)
"""The steps in the order in which a person meets them. ``teach`` has its own page."""

StepStatus = Literal["open", "done", "skipped"]

PaperName = Literal["a4", "letter"]


@dataclass(frozen=True)
class SheetSettings:
    """The paper, and the measured length of the ruler on it.

    Args:
        paper: the paper.
        measured_mm: the length of the printed ruler of 100 mm; None before it was measured.
        is_reprinted: whether the sheets in use were reprinted at the corrected scale.
        files: the names of the sheets that can be printed.
    """

    paper: PaperName
    measured_mm: float | None
    is_reprinted: bool
    files: tuple[str, ...]


@dataclass(frozen=True)
class LensFound:
    """A lens and its uncertainty. ``view_rms_px`` is None for a dropped view."""

    focal_px: float
    focal_uncertainty: float
    rms_px: float
    view_rms_px: tuple[float | None, ...]
    image_wh: tuple[int, int]


@dataclass(frozen=True)
class LensState:
    """The lens step: the views so far, what is missing (None before the first picture), and the result."""

    views: int
    missing: Missing | None
    can_solve: bool
    is_enough: bool
    found: LensFound | None


@dataclass(frozen=True)
class TableFound:
    """The located markers: their ids, the fit, the largest uncertainty, and faults of other markers."""

    marker_ids: tuple[int, ...]
    reprojection_px: float
    sigma_mm: float
    focal_uncertainty: float
    faults: tuple[MarkerFault, ...]


@dataclass(frozen=True)
class TableState:
    """The table step: the markers in each photo, and the result."""

    photos: tuple[tuple[int, ...], ...]
    found: TableFound | None


@dataclass(frozen=True)
class GameStepState:
    """The tile sets and rosters to choose from, by name, and the choice. None means the sample game's.

    ``step_mm`` is the length of a step on a table without a grid, or None for a table with tiles. ``with_figures`` and
    ``with_doors`` are the rosters that hold some, listed at the step that teaches them.
    """

    tile_sets: tuple[str, ...]
    rosters: tuple[str, ...]
    tiles: str | None
    roster: str | None
    step_mm: float | None = None
    with_figures: tuple[str, ...] = ()
    with_doors: tuple[str, ...] = ()


@dataclass(frozen=True)
class SetUpPreview:
    """The newest picture's findings.

    Args:
        number: grows with every picture.
        image_wh: its size.
        outlines_px: outlines of the found board or markers.
        marker_ids: the markers' numbers, in the order of their outlines.
        refusal: why it was not used; None if it was used or not requested.
        is_taken: whether the step uses the picture.
    """

    number: int
    image_wh: tuple[int, int]
    outlines_px: tuple[tuple[PointPx, ...], ...] = ()
    marker_ids: tuple[int, ...] = ()
    refusal: PictureRefusal | None = None
    is_taken: bool = False


@dataclass(frozen=True)
class SetUpState:
    """Everything that the set-up page shows."""

    step: SetUpStep
    statuses: Mapping[SetUpStep, StepStatus]
    source: str | None
    cameras: tuple[str, ...]
    sheets: SheetSettings
    lens: LensState
    table: TableState
    game: GameStepState
    name: str | None
    names: tuple[str, ...]
    look: SetUpPreview | None
    print_scale: float | None = None
    """Size of the printed markers relative to the table document, if the tiles in the first reading contradict it."""

    @property
    def has_live_camera(self) -> bool:
        """Whether pictures come from a live camera. Otherwise a person uploads photos."""
        return self.source is not None and self.source != "photos"

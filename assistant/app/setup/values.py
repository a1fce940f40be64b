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
"""The steps in the order in which a person meets them; ``teach`` is a page of its own."""

StepStatus = Literal["open", "done", "skipped"]

PaperName = Literal["a4", "letter"]


@dataclass(frozen=True)
class SheetSettings:
    """The paper, and the measured length of the ruler on it.

    Args:
        paper: the paper.
        measured_mm: the length of the printed ruler of 100 mm; None before it was measured.
        is_reprinted: whether the sheets in use were printed with the scale put right.
        files: the names of the sheets that can be printed.
    """

    paper: PaperName
    measured_mm: float | None
    is_reprinted: bool
    files: tuple[str, ...]


@dataclass(frozen=True)
class LensFound:
    """A lens and its uncertainty; ``view_rms_px`` has None for a view that was dropped."""

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
    """The positions of the markers: which, their fit, the largest uncertainty, and faults of other markers."""

    marker_ids: tuple[int, ...]
    reprojection_px: float
    sigma_mm: float
    focal_uncertainty: float
    faults: tuple[MarkerFault, ...]


@dataclass(frozen=True)
class TableState:
    """The table step: the markers that each photo shows, and the result."""

    photos: tuple[tuple[int, ...], ...]
    found: TableFound | None


@dataclass(frozen=True)
class GameStepState:
    """The tile sets and rosters that can be chosen, by name, and the chosen ones; None is the sample game's.

    ``step_mm`` is the length of a step on a table without a grid; None where tiles lie on it.
    """

    tile_sets: tuple[str, ...]
    rosters: tuple[str, ...]
    tiles: str | None
    roster: str | None
    step_mm: float | None = None


@dataclass(frozen=True)
class SetUpPreview:
    """The newest picture's findings.

    Args:
        number: grows with every picture.
        image_wh: its size.
        outlines_px: the board, or the markers, that were found in it.
        marker_ids: the markers' numbers, in the order of their outlines.
        refusal: why it was not taken; None where it was, or where nothing was asked of it.
        is_taken: whether it is one of the step's pictures now.
    """

    number: int
    image_wh: tuple[int, int]
    outlines_px: tuple[tuple[PointPx, ...], ...] = ()
    marker_ids: tuple[int, ...] = ()
    refusal: PictureRefusal | None = None
    is_taken: bool = False


@dataclass(frozen=True)
class SetUpState:
    """Everything that the set-up view shows."""

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
    """Size of the printed markers by what the table says, where the tiles of the first reading show another."""

    @property
    def has_live_camera(self) -> bool:
        """Whether pictures come by themselves; else a person hands in photos."""
        return self.source is not None and self.source != "photos"

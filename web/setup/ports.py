"""What the set-up view needs from the other rooms, as values and a Protocol of its own.

``assistant.app.setup`` brings them; the page words and draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from calibration.lens_guidance import Missing, Refusal
from calibration.table_solve import MarkerFault
from web.scene.shot import Picture, PointPx, Shot

SetUpStep = Literal["camera", "sheets", "lens", "table", "teach", "game", "save", "read"]

STEPS: tuple[SetUpStep, ...] = get_args(SetUpStep)
"""The steps in the order in which a person meets them; ``teach`` is a page of its own."""

StepStatus = Literal["open", "done", "skipped"]

PaperName = Literal["a4", "letter"]


@dataclass(frozen=True)
class SheetSettings:
    """What is printed, and how long the ruler on it came out.

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
    """A lens and how sure it is; ``view_rms_px`` has None for a view that was dropped."""

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
    """Where the markers lie: which, how well they fit, how sure the least sure is, and what is wrong with others."""

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
class GameState:
    """The tile sets and rosters that can be chosen, by name, and the chosen ones; None is the sample game's."""

    tile_sets: tuple[str, ...]
    rosters: tuple[str, ...]
    tiles: str | None
    roster: str | None


@dataclass(frozen=True)
class Look:
    """What the newest picture showed.

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
    refusal: Refusal | None = None
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
    game: GameState
    name: str | None
    names: tuple[str, ...]
    look: Look | None

    @property
    def has_live_camera(self) -> bool:
        """Whether pictures come by themselves; else a person hands in photos."""
        return self.source is not None and self.source != "photos"


class SetUpDesk(Protocol):
    """Leads a person through the set-up; every call returns at once or after the work it names."""

    @property
    def turn(self) -> AbstractContextManager[object]:
        """Held by whoever asks for something, so that one request follows the other."""

    def state(self) -> SetUpState:
        """Everything that is known so far."""

    def go_to(self, step: SetUpStep) -> None:
        """Opens a step; a step before it that is not done stays open."""

    def choose_camera(self, source: str) -> None:
        """Takes pictures from that source from now on; a lens and photos of another camera are forgotten."""

    def look(self, *, is_wanted: bool) -> None:
        """Takes the newest picture and judges it; ``is_wanted`` says that the person wants this very one."""

    def send(self, picture: bytes) -> None:
        """Brings the newest picture of the page's own camera, which is looked at next."""

    def hand_in(self, photo: bytes) -> None:
        """Judges a photo file as a picture of the open step."""

    def photo(self) -> bytes:
        """The newest picture of the live camera in its own size, as JPEG; no step judges it."""

    def preview(self) -> Picture | None:
        """The newest picture."""

    def sheet(self, name: str, say: Callable[[str], str]) -> bytes:
        """A sheet to print, as PDF; ``say`` says its words in the reader's language."""

    def set_sheets(self, paper: PaperName, measured_mm: float | None, *, is_reprinted: bool) -> None:
        """Keeps what was printed."""

    def solve_lens(self) -> None:
        """Works the lens out."""

    def skip_lens(self) -> None:
        """Goes on without a lens; it is estimated from the table's markers then."""

    def solve_table(self) -> None:
        """Works out where the markers lie."""

    def start_over(self, step: SetUpStep) -> None:
        """Forgets the pictures and the result of the lens or the table step."""

    def choose_game(self, tiles: str | None, roster: str | None) -> None:
        """Reads pictures by that tile set and roster from now on."""

    def save(self, name: str) -> None:
        """Keeps the whole set-up under a name."""

    def read(self) -> Shot:
        """Reads the newest picture of the table with what was set up."""

    def finish(self) -> None:
        """Lets the running page use the set-up."""

    def use(self, name: str) -> None:
        """Lets the running page use a set-up that is kept."""

    def backup(self) -> bytes:
        """Everything that is kept, as one zip file."""

    def restore(self, data: bytes) -> None:
        """Brings back what a backup holds."""

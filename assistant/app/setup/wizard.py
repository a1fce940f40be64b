"""The wizard that leads a person through the set-up. All its page requests end here."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import msgspec
from msgspec.structs import replace

from assistant.app.live.game_files import FreeGame, ReadableGame
from assistant.app.live.reader import GameReader, encode_whole
from assistant.app.live.shots import Picture, Shot
from assistant.app.setup.cameras import PHOTOS, PUSH, VIRTUAL, list_usb_cameras, shown_camera
from assistant.app.setup.free_ground import area_between, bare_ground, keep_ground, load_ground
from assistant.app.setup.game_step import free_game_named, game_of, load_kept_setup, sheets_of
from assistant.app.setup.lens_step import lens_state, solve_lens
from assistant.app.setup.pictures import Pictures
from assistant.app.setup.progress import Progress, ProgressFile
from assistant.app.setup.table_step import scaled_table, solve_from_photos, table_of, table_state
from assistant.app.setup.values import STEPS, GameStepState, PaperName, SetUpState, SetUpStep, SheetSettings, StepStatus
from assistant.documents import KeptSetUp, roster_from_json, setup_document, table_document, to_json
from assistant.errors import BadValue, SightlineError, StepMissing, UnknownName
from assistant.profiles import Profiles
from assistant.run_clock import now_s
from assistant.table.camera import TableMarkers
from assistant.table.free_table import FAR_MM
from assistant.table.roster import Roster
from assistant.translations.messages import said
from calibration.paper import PAPERS, RULER_MM, Translate, scale_for
from vision.photo.decoding import decode_photo

PRINT_AGREES = 0.005
"""Largest chance deviation, as a share, of the printed markers' size from the tiles beside them."""


class SetUpWizard:
    """Leads a person through the set-up.

    Each request holds the lock ``turn``, so that two tablets or an impatient finger do not take one step twice.

    Args:
        folder: the data folder.
        sample: the sample game, which fills in documents that a person lacks.
        on_ready: called with the game and the source name of a set-up that is put to use.
        let_go: frees the camera from its other user.
    """

    def __init__(
        self,
        folder: Path,
        sample: ReadableGame,
        on_ready: Callable[[ReadableGame | FreeGame, str], None],
        let_go: Callable[[], None] = lambda: None,
    ) -> None:
        self.turn = threading.Lock()
        self._file = ProgressFile(folder)
        self._profiles = Profiles(folder)
        self._sample = sample
        self._on_ready = on_ready
        self._progress = self._file.read()
        self._pictures = Pictures(let_go)

    def state(self) -> SetUpState:
        progress = self._progress
        taught = self._taught_rosters() if progress.step == "teach" else {}
        return SetUpState(
            step=progress.step,
            statuses=list_statuses(progress),
            source=shown_camera(progress.source),
            cameras=(PHOTOS, PUSH, *list_usb_cameras(), VIRTUAL),
            sheets=SheetSettings(
                progress.paper,
                progress.measured_mm,
                progress.is_reprinted,
                tuple(sheets_of(self._profiles, progress.tiles, progress.roster)),
            ),
            lens=lens_state(progress),
            table=table_state(progress),
            game=GameStepState(
                self._profiles.names("tiles"),
                self._profiles.names("roster"),
                progress.tiles,
                progress.roster,
                progress.step_mm,
                tuple(name for name in taught if taught[name].figures),
                tuple(name for name in taught if taught[name].doors.count),
            ),
            name=progress.name,
            names=self._profiles.names("setup"),
            look=self._pictures.look,
            print_scale=progress.print_scale,
        )

    def go_to(self, step: SetUpStep) -> None:
        self._pictures.forget()
        has_passed = {"sheets": {"has_sheets": True}, "game": {"has_game": True}}.get(self._progress.step, {})
        is_forward = STEPS.index(step) > STEPS.index(self._progress.step)
        progress = replace(self._progress, step=step, **(has_passed if is_forward else {}))
        self._keep(self._with_own_box(progress) if is_forward and self._progress.step == "teach" else progress)

    def choose_camera(self, source: str) -> None:
        """Switch to that source of pictures, and set aside the previous one's lens and photos.

        A stream's address is shown without its password. If the page sends the shown address back, it means the known
        one.

        Raises:
            BadValue: no source has that name.
        """
        if self._progress.source is not None and source == shown_camera(self._progress.source):
            source = self._progress.source
        self._pictures.choose(source)
        self._keep(self._progress.with_camera(source))

    def look(self, *, is_wanted: bool) -> None:
        """Take the newest picture of the live camera and judge it.

        Raises:
            CameraError: the camera delivers no picture.
            PhotoError: the picture cannot be used; the sentence says why.
            CalibrationError: the requested picture cannot be used.
        """
        image = self._pictures.take(self._progress)
        self._keep(self._pictures.judged(self._progress, image, is_photo=False, is_wanted=is_wanted))

    def send(self, picture: bytes) -> None:
        """Pass on the newest picture of the page's own camera, which is judged next.

        Raises:
            PhotoUnreadable: the bytes are not a picture.
            CameraNotFound: another camera is chosen.
        """
        self._pictures.send(self._progress, decode_photo(picture))

    def hand_in(self, photo: bytes) -> None:
        """Judge a photo file as a picture of the open step.

        Raises:
            PhotoUnreadable: the bytes are not a picture.
            PhotoError: the picture cannot be used; the sentence says why.
            CalibrationError: the picture cannot be used.
        """
        image = decode_photo(photo)
        self._keep(self._pictures.judged(self._progress, image, is_photo=True, is_wanted=True))

    def photo(self) -> bytes:
        """Return the live camera's newest picture at full size as JPEG, without judging it.

        Raises:
            CameraError: there is no live camera, or it delivers no picture.
        """
        return encode_whole(self._pictures.take(self._progress))

    def preview(self) -> Picture | None:
        return self._pictures.preview()

    def sheet(self, name: str, say: Translate = str) -> bytes:
        """Return a sheet to print, as PDF, in the reader's language.

        Raises:
            UnknownName: there is no such sheet for this game.
        """
        progress = self._progress
        sheets = sheets_of(self._profiles, progress.tiles, progress.roster)
        if name not in sheets:
            raise UnknownName(
                said("there is no sheet “{name}”; there are: {known}", name=name, known=", ".join(sheets))
            )
        return sheets[name](PAPERS[progress.paper], scale_for(progress.measured_mm), say)

    def set_sheets(self, paper: PaperName, measured_mm: float | None, *, is_reprinted: bool) -> None:
        """Set the measurements of the printed sheets. Markers of another size invalidate an earlier table.

        Raises:
            BadValue: no ruler prints at that length.
        """
        scale_for(measured_mm)
        changed = replace(self._progress, paper=paper, measured_mm=measured_mm, is_reprinted=is_reprinted)
        is_same = (measured_mm, is_reprinted) == (self._progress.measured_mm, self._progress.is_reprinted)
        self._keep(changed if is_same else replace(changed, table=None, name=None, is_read=False, before=None))

    def solve_lens(self) -> None:
        """Compute the lens.

        Raises:
            CalibrationError: the views do not determine it.
        """
        self._keep(solve_lens(self._progress))

    def skip_lens(self) -> None:
        """Continue without a lens, which is then estimated from the table's markers."""
        self._keep(replace(self._progress.without_lens(), is_lens_skipped=True))

    def skip_table(self) -> None:
        """Continue without markers. The tiles' own prints then give the camera pose."""
        self._keep(replace(self._progress.without_table(), is_table_skipped=True))

    def solve_table(self) -> None:
        """Compute the positions of the markers.

        Raises:
            CalibrationError: the photos do not determine them.
        """
        self._keep(solve_from_photos(self._progress))

    def start_over(self, step: SetUpStep) -> None:
        """Forget the pictures and the result of the lens or the table step."""
        changes = {"lens": self._progress.without_lens, "table": self._progress.without_table}
        if step not in changes:
            raise BadValue(said("only the lens and the table step can be begun again"), field="step")
        self._pictures.forget()
        is_lens_skipped = self._progress.is_lens_skipped and step != "lens"
        self._keep(replace(changes[step](), is_lens_skipped=is_lens_skipped, is_table_skipped=False))

    def choose_game(self, tiles: str | None, roster: str | None, step_mm: float | None = None) -> None:
        """Choose the tile set and roster for reading. ``step_mm`` chooses a table without a grid.

        Raises:
            UnknownName: there is none of that name.
            BadValue: the step length is out of range.
        """
        sheets_of(self._profiles, tiles, roster)
        if step_mm is not None and not 0 < step_mm <= FAR_MM:
            raise BadValue(said("a step must be longer than 0 mm"), field="step_mm")
        chosen = replace(self._progress, tiles=tiles, roster=roster, step_mm=step_mm)
        self._keep(replace(chosen, has_game=True, name=None, is_read=False))

    def save(self, name: str) -> None:
        """Save lens, table and the whole set-up under a name.

        Raises:
            StepMissing: the table was neither solved nor skipped; one without a grid must be solved.
            BadValue: the name is not allowed.
            StoreError: it cannot be written.
        """
        progress = self._progress
        if progress.source is None or (progress.table is None and not progress.is_table_skipped):
            raise StepMissing("table")
        if progress.step_mm is not None and progress.table is None:
            raise StepMissing("markers")
        if progress.lens is not None:
            self._profiles.keep("camera", name, msgspec.json.encode(progress.lens.camera))
        if progress.table is not None:
            self._profiles.keep("table", name, msgspec.json.encode(self._table_document()))
        if progress.step_mm is not None:
            self._keep_bare_ground(name, progress.step_mm)
        setup = KeptSetUp(
            source=progress.source,
            table=None if progress.table is None else name,
            camera=None if progress.lens is None else name,
            tiles=progress.tiles,
            roster=progress.roster,
            free_table=None if progress.step_mm is None else name,
        )
        self._profiles.keep("setup", name, to_json(setup_document(setup)).encode())
        self._keep(replace(progress, name=name, is_read=False))

    def read(self) -> Shot:
        """Read the newest picture of the table, live or uploaded, with the new set-up.

        Raises:
            StepMissing: nothing is saved yet, or no photo was uploaded.
            CameraError: the camera delivers no picture.
            PhotoError: the table cannot be read.
        """
        if self._progress.name is None:
            raise StepMissing("name")
        image = self._pictures.image
        if self._progress.source != PHOTOS:
            image = self._pictures.take(self._progress)
            self._pictures.judged(self._progress, image, is_photo=False, is_wanted=True)
        if image is None:
            raise StepMissing("photo")
        reader = GameReader(game_of(self._profiles, self._progress.name, self._sample))
        shot_id = f"photo-{secrets.token_urlsafe(12)}"
        shot = Shot(shot_id, "photo", reader.read_image(image), reader.setup, now_s())
        scale = shot.read.observation.camera.marker_scale
        is_off = self._progress.table is not None and abs(scale - 1) > PRINT_AGREES
        self._keep(replace(self._progress, is_read=True, print_scale=scale if is_off else None))
        return shot

    def take_print_scale(self) -> None:
        """Adopt the printed markers' size that the tiles showed, and save the set-up with it.

        Raises:
            StepMissing: the table was not read, or its markers have the documented size.
            StoreError: it cannot be written.
        """
        progress = self._progress
        if progress.print_scale is None or progress.table is None or progress.name is None:
            raise StepMissing("reading")
        table = scaled_table(progress.table.table, progress.print_scale)
        measured_mm = (progress.measured_mm or RULER_MM) * progress.print_scale
        outcome = replace(progress.table, table=table)
        self._keep(replace(progress, table=outcome, measured_mm=round(measured_mm, 2), print_scale=None))
        self.save(progress.name)

    def finish(self) -> None:
        """Hand the set-up to the running page, and start at the first step next time.

        Raises:
            StepMissing: the table was not read yet.
        """
        if self._progress.name is None or not self._progress.is_read:
            raise StepMissing("reading")
        self.use(self._progress.name)

    def use(self, name: str) -> None:
        """Hand a stored set-up to the running page.

        Raises:
            UnknownName: there is none of that name, or a part of it is no longer stored.
            CannotDo: the current camera cannot be released.
        """
        game = free_game_named(self._profiles, name) or game_of(self._profiles, name, self._sample)
        self.close()
        self._on_ready(game, load_kept_setup(self._profiles, name).source)

    def backup(self) -> bytes:
        """Return all profiles as one zip file.

        Raises:
            StoreError: something cannot be read.
        """
        return self._profiles.backup()

    def restore(self, data: bytes) -> None:
        """Restore the profiles of a backup.

        Raises:
            BadValue: the data are not a Sightline backup.
            DocumentError: a document in it breaks its format; nothing is changed.
        """
        self._profiles.restore(data)

    def close(self) -> None:
        self._pictures.close()

    def _taught_rosters(self) -> dict[str, Roster]:
        """Return the readable rosters. A damaged one must not close the step."""
        found = {}
        for name in self._profiles.names("roster"):
            with suppress(SightlineError):
                found[name] = roster_from_json(self._profiles.read("roster", name), name)
        return found

    def _with_own_box(self, progress: Progress) -> Progress:
        """Return the progress with what was taught last, where it would read the sample game."""
        tiles = progress.tiles or self._profiles.newest("tiles")
        roster = progress.roster or self._profiles.newest("roster")
        if (tiles, roster) == (progress.tiles, progress.roster):
            return progress
        return replace(progress, tiles=tiles, roster=roster, name=None, is_read=False)

    def _table_document(self) -> dict[str, object]:
        """Return the table document with the cell size of the chosen tile set."""
        assert self._progress.table is not None, "asked for only with a table"
        if self._progress.step_mm is not None:
            return table_document(self._area()[0])
        cell_mm = self._sample.prints.tile_set.cell_mm
        if self._progress.tiles is not None:
            document = msgspec.json.decode(self._profiles.read("tiles", self._progress.tiles))
            cell_mm = float(document["cell_mm"])
        return {**self._progress.table.table, "cell_mm": cell_mm}

    def _area(self) -> tuple[TableMarkers, tuple[int, int]]:
        """Return the markers relative to a corner of the playing area between them, and its size in mm."""
        markers = table_of(self._progress)
        assert markers is not None, "asked for only with a table"
        return area_between(markers)

    def _keep_bare_ground(self, name: str, step_mm: float) -> None:
        """Save a table without a grid. One of the same size and step keeps its terrain."""
        ground = bare_ground(self._area()[1], Fraction(str(step_mm)))
        known = load_ground(self._profiles, name)
        if known is None or (known.size_mm, known.step_mm) != (ground.size_mm, ground.step_mm):
            keep_ground(self._profiles, name, ground)

    def _keep(self, progress: Progress) -> None:
        if progress != self._progress:
            self._file.write(progress)
            self._progress = progress


def list_statuses(progress: Progress) -> Mapping[SetUpStep, StepStatus]:
    """Return the status of each step."""
    done = {
        "camera": progress.source is not None,
        "sheets": progress.has_sheets,
        "lens": progress.lens is not None,
        "table": progress.table is not None,
        "game": progress.has_game,
        "save": progress.name is not None,
        "read": progress.is_read,
    }
    marks: dict[SetUpStep, StepStatus] = {step: "done" if done.get(step) else "open" for step in STEPS}
    if progress.is_lens_skipped and progress.lens is None:
        marks["lens"] = "skipped"
    # Photos of a table without a grid need its markers.
    if progress.is_table_skipped and progress.table is None and progress.step_mm is None:
        marks["table"] = "skipped"
    if marks["lens"] == marks["table"] == "skipped" and not progress.has_sheets:
        marks["sheets"] = "skipped"
    if progress.tiles is not None or progress.roster is not None:
        marks["teach"] = "done"
    elif progress.name is not None:
        marks["teach"] = "skipped"
    return marks

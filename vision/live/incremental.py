"""Read a watched table: the whole picture first, then only changed cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from assistant.errors import PhotoError
from assistant.table.camera import Calibration
from assistant.table.lattice import Cell
from assistant.table.observation import FrameObservation, Observation
from assistant.table.roster import Roster
from calibration.arrays import BgrImage
from calibration.pose import CameraView
from vision.live.frames import Frame
from vision.live.gating import RIM_CELLS, FrameGate, Gate, StillPicture
from vision.live.partial import ReadingScope, read_again
from vision.live.renewal import Earlier, cell_names, is_large, keep_covered_figures, newly_covered
from vision.reading import Reading, TableReader, TilePose
from vision.scene.observation import StageResults, observation_of
from vision.tiles.lattice_fit import cells_in, normalize_lattice, relabel
from vision.tiles.placements import piece_at
from vision.tiles.prints import TilePrints

AGREEING_FRAMES = 2
"""Frames that must agree on a cell. Half a picture, a reflection or a passing shadow is in one frame alone."""

WHOLE_EVERY_S, FAILING_EVERY_S = 0.7, 4.0
"""Time between two readings of the whole picture while nothing fits, doubled up to the second one while the picture
stays the same: it shows no table, or somebody leans on it. Each takes about a second of one core."""

STILL_S, PATIENCE_S = 1.0, 3.0
"""Stillness before a new reading of the whole picture, and the longer wait if a known tile is missing, since an arm
occludes tiles."""

BLIND_S = 6.0
"""Time after which other light, and a small still cover, belong to the table. After a fault the table must be correct
within ten seconds, of which reading and settling take two."""

RESTING_S = 30.0
"""The same time for a cover that hides print, if it reaches in like an arm or is large: somebody may lean on the table,
and what stands under the arm is unknown. A book that is left there is read at last."""

CALM_S = 3.0
"""Time without a hand after which a missing figure has left the board."""

SEARCH_AFTER_S, SEARCH_EVERY_S = 3.0, 60.0
"""First and longest time between searches for unrecognised tiles, doubled each time, since a crowd may have left, and
for tiles that were laid beside the board."""


@dataclass(frozen=True, eq=False)
class FrameReading:
    """The result of one frame.

    Args:
        look: its observations for the tracker.
        view: the camera.
        calibration: what the whole picture was read with.
        is_current: whether the frame equals the picture read: no hand, no motion, no change.
    """

    look: FrameObservation
    view: CameraView
    calibration: Calibration
    is_current: bool


@dataclass(eq=False)
class _Known:
    """The last reading, and the state of its watch.

    Args:
        seen: the results of the stages.
        view: the camera.
        calibration: what the whole picture was read with.
        gate: compares frames with the picture read.
        observation: the observation of ``seen``.
        figure_count: number of figures at the last calm moment.
        calm_since_s: the start of the present calm.
        upset_since_s: the start of a still difference on most of the board, None without one.
        problem: why the whole picture cannot be read since then, or None.
        rests_since_s: the start of a supposed hand's rest.
        rest_due_s: length of that rest after which the whole picture is read.
        blind: cells that were covered in the reading of the whole picture, until they change or time is up.
        blind_until_s: the end of that time.
        agreeing: number of agreeing frames for each cell judged anew since its picture was accepted.
        settled: places of figures at the last moment without unjudged changes.
        earlier: the picture of that moment, if a whole reading followed.
        likeness: similarity to that picture of figures that the last frame judged anew, by their cells.
        is_outdated: whether everything must be read anew.
        is_new_beside: whether something large lies beside the board that no whole reading has seen.
        search_s: time from the last search for unrecognised tiles to the next.
        searched_at_s: the time of that last search.
    """

    seen: StageResults
    view: CameraView
    calibration: Calibration
    gate: FrameGate
    observation: Observation
    figure_count: int
    calm_since_s: float | None = None
    upset_since_s: float | None = None
    problem: PhotoError | None = None
    rests_since_s: float | None = None
    rest_due_s: float = BLIND_S
    blind: frozenset[Cell] = frozenset()
    blind_until_s: float = 0.0
    agreeing: dict[Cell, int] = field(default_factory=dict)
    settled: frozenset[tuple[Cell, ...]] = frozenset()
    earlier: Earlier | None = None
    likeness: dict[tuple[Cell, ...], float] = field(default_factory=dict)
    is_outdated: bool = False
    is_new_beside: bool = False
    search_s: float = SEARCH_AFTER_S
    searched_at_s: float = 0.0


class LiveReader:
    """Reads the frames of one camera in order. ``reader`` reads whole pictures.

    ``known`` are the tiles of an earlier watch, tried before the first picture is refused.

    Invariant: it reads changed cells frame by frame until ``AGREEING_FRAMES`` agree, and never under a hand. It reads
        everything anew if most of the board differs, if a supposed hand rests for longer than hands do, or after
        ``renew``. A whole reading counts as one frame for every cell.
    """

    def __init__(self, reader: TableReader, prints: TilePrints, roster: Roster, known: Iterable[TilePose] = ()) -> None:
        self._reader = reader
        self._prints = prints
        self._roster = roster
        self._known: _Known | None = None
        self._tile_poses = {piece_at(tile.placement, prints): tile for tile in known}
        self._still = StillPicture()
        self._count = 0
        self._next_whole_s, self._whole_every_s = float("-inf"), WHOLE_EVERY_S

    def forget(self) -> None:
        """Read everything anew with the next frame, whatever covers it: a photo from another place."""
        self._known = None
        self._tile_poses.clear()

    def renew(self) -> None:
        """Read everything anew once the picture is still: camera, table or light changed."""
        if self._known is not None:
            self._known.is_outdated = True

    def recalibrate(self, calibration: Calibration) -> None:
        """Read everything anew once the picture is still, with the markers and the lens that were measured again."""
        self._reader.recalibrate(calibration)
        self.renew()

    def confirm(self) -> None:
        """Read the cells once more, for another frame of a doubtful state."""
        if self._known is not None:
            self._known.agreeing = dict.fromkeys(self._known.seen.board.cells, AGREEING_FRAMES - 1)

    def look(self, frame: Frame) -> FrameReading:
        """Read the frame.

        Raises:
            PhotoError: it shows no readable table, and there is no earlier reading, or it has been so for a while.
        """
        known = self._known
        if known is None:
            self._still = StillPicture(frame.image_bgr)
            return self._begin(self._read_whole(), frame)
        known.likeness = {}
        gate = known.gate.judge(frame.image_bgr)
        self._still.add(frame.image_bgr, is_still=gate.is_still)
        if gate.is_upset or gate.is_blurred or known.is_outdated:
            return self._upset(known, gate, frame)
        known.upset_since_s = known.problem = None
        rest_s = self._rest_s(known, gate, frame.monotonic_s)
        if rest_s >= RESTING_S or (rest_s and not known.gate.is_covered(frame.image_bgr, gate.hidden)):
            # No hand rests that long: the light changed there, or the reading was wrong.
            reading = self._read_again(known, frame, rest_s)
            if reading is not None:
                return reading
        known.blind = known.blind - gate.changed if frame.monotonic_s < known.blind_until_s else frozenset()
        # A cell judged in a picture that was never accepted is read again even if it looks as before by now.
        cells = (gate.changed | known.agreeing.keys()) - gate.hidden
        if cells:
            self._read_cells(known, gate, cells)
        elif not gate.hidden:
            self._watch_beside(known, gate, frame.monotonic_s)
            known.gate.accept(gate)
            reading = self._search_tiles(known, gate, frame)
            if reading is not None:
                return reading
        self._count_figures(known, frame.monotonic_s, is_calm=not (cells or gate.hidden))
        hidden = gate.hidden | known.blind
        return self._state(known, hidden, frame, is_current=gate.is_still and not (hidden or cells))

    def _count_figures(self, known: _Known, time_s: float, *, is_calm: bool) -> None:
        """Update the expected number of figures after a calm period."""
        if not is_calm:
            known.calm_since_s = None
        elif known.calm_since_s is None:
            known.calm_since_s = time_s
        elif time_s - known.calm_since_s > CALM_S:
            known.figure_count = len(known.seen.figures)
            known.seen = replace(known.seen, assumed=frozenset())

    def _upset(self, known: _Known, gate: Gate, frame: Frame) -> FrameReading:
        """Wait until a changed picture is still and uncovered, then read everything anew.

        Raises:
            PhotoError: the picture has been still for a while and shows no readable table.
        """
        if not gate.is_still or known.upset_since_s is None:
            known.upset_since_s, known.problem = frame.monotonic_s, None
            self._next_whole_s, self._whole_every_s = float("-inf"), WHOLE_EVERY_S
        still_s = frame.monotonic_s - known.upset_since_s
        # A lens finds its focus again by itself. A soft picture is still better than none.
        enough_s = BLIND_S if gate.is_blurred else STILL_S
        if still_s >= enough_s and frame.monotonic_s >= self._next_whole_s:
            reading = self._read_again(known, frame, still_s)
            if reading is not None:
                return reading
        if known.problem is not None and still_s >= PATIENCE_S:
            raise known.problem.with_traceback(None)
        return self._state(known, known.seen.board.cells, frame, is_current=False)

    def _rest_s(self, known: _Known, gate: Gate, time_s: float) -> float:
        """Return how long a supposed hand has rested, once every ``BLIND_S`` of such a rest, otherwise 0."""
        if not gate.hidden or not gate.is_still or known.rests_since_s is None:
            known.rests_since_s, known.rest_due_s = time_s, BLIND_S
        rest_s = time_s - known.rests_since_s
        if rest_s < known.rest_due_s:
            return 0.0
        known.rest_due_s = rest_s + BLIND_S
        return rest_s

    def _watch_beside(self, known: _Known, gate: Gate, time_s: float) -> None:
        """Notice what was laid beside the board and changes none of its cells: perhaps a tile."""
        if gate.is_still and gate.differing_cells > RIM_CELLS:
            if known.search_s == SEARCH_AFTER_S and not (known.is_new_beside or known.seen.unknown_tiles):
                known.searched_at_s = time_s
            known.is_new_beside = True
        elif not (known.is_new_beside or known.seen.unknown_tiles):
            known.search_s = SEARCH_AFTER_S

    def _search_tiles(self, known: _Known, gate: Gate, frame: Frame) -> FrameReading | None:
        """Read the whole picture in search of unrecognised tiles. Return None if it shows no more."""
        is_time = frame.monotonic_s - known.searched_at_s >= known.search_s
        is_wanted = known.is_new_beside or known.seen.unknown_tiles
        if not (is_wanted and gate.is_still and is_time) or known.blind:
            return None
        known.is_new_beside = False
        known.searched_at_s, known.search_s = frame.monotonic_s, min(2 * known.search_s, SEARCH_EVERY_S)
        reading = self._try_whole(known)
        if reading is None:
            return None
        if _tiles(known.seen) < _tiles(reading.seen):
            return self._begin(reading, frame)
        if _tiles(known.seen) == _tiles(reading.seen):
            # The later reading may number cells differently.
            lattices = known.seen.board.lattice, reading.seen.board.lattice
            unknown, hidden = (
                [cells_in(lattices[0], group, lattices[1]) for group in groups]
                for groups in (reading.seen.unknown_tiles, reading.seen.hidden_tiles)
            )
            known.seen = replace(known.seen, unknown_tiles=unknown, hidden_tiles=hidden)
            known.observation = observation_of(known.seen, self._prints, self._roster)
        return None

    def _read_again(self, known: _Known, frame: Frame, still_s: float) -> FrameReading | None:
        """Read the whole picture anew. Return None if it is covered, or lacks known tiles for now."""
        reading = self._try_whole(known)
        self._next_whole_s = frame.monotonic_s + self._whole_every_s
        self._whole_every_s = min(2 * self._whole_every_s, FAILING_EVERY_S)
        is_whole = reading is not None and (still_s >= PATIENCE_S or _tiles(known.seen) <= _tiles(reading.seen))
        if reading is None or not is_whole:
            return None
        covered = newly_covered(known.seen, reading.seen)
        if still_s < RESTING_S and is_large(covered, reading.seen):
            return None
        # A smaller cover that has rested for a while belongs to the table.
        return self._begin(reading, frame, covered if still_s < BLIND_S else frozenset())

    def _read_cells(self, known: _Known, gate: Gate, cells: frozenset[Cell]) -> None:
        before, photo = known.seen, self._still.image()
        stood = known.settled if known.earlier is not None else ()
        # Where the picture did not change, the figure is still there.
        unmoved = (place for place in _places(before) if gate.changed.isdisjoint(place))
        places = frozenset(place[0] for place in (*stood, *unmoved) if len(place) == 1)
        wanted = ReadingScope(cells, gate.hidden, known.figure_count, places)
        known.seen = read_again(before, photo, wanted, self._roster)
        self._count += 1
        differing = _differing(before, known.seen)
        for cell in cells:
            known.agreeing[cell] = 1 if cell in differing else known.agreeing.get(cell, 0) + 1
        if differing or any(not cells.isdisjoint(figure.cells) for figure in known.seen.figures):
            # Do this even if the same kind stands on a cell: it may be another figure, slightly displaced.
            known.observation = observation_of(known.seen, self._prints, self._roster)
        self._compare(known, cells, gate.hidden, photo)
        agreed = {cell for cell in cells if known.agreeing[cell] >= AGREEING_FRAMES}
        if agreed == cells:
            known.gate.accept(gate)
            known.earlier, known.settled = None, _places(known.seen)
        else:
            agreed -= gate.changed  # the others look as in the picture that was accepted
        for cell in agreed:
            del known.agreeing[cell]

    def _compare(self, known: _Known, cells: frozenset[Cell], hidden: frozenset[Cell], photo: BgrImage) -> None:
        """Compare the figures at known places with the earlier picture."""
        there = sorted(_places(known.seen) & known.settled)
        judged = [place for place in there if not cells.isdisjoint(place) and hidden.isdisjoint(place)]
        earlier = known.earlier
        known.likeness = known.gate.likeness(photo, judged) if earlier is None else earlier.likeness(photo, judged)

    def _try_whole(self, known: _Known) -> Reading | None:
        """Read the whole picture. Return None if it shows no table, is dark or covered, and note the problem."""
        known.problem = None
        try:
            return self._read_whole()
        except PhotoError as problem:
            known.problem = problem
            return None

    def _read_whole(self) -> Reading:
        # Each whole reading is independent: tiles read through glare must not survive as unmoved.
        self._reader.forget_tiles()
        return self._reader.read(self._still.image(), self._tile_poses.values())

    def _begin(self, reading: Reading, frame: Frame, blind: frozenset[Cell] = frozenset()) -> FrameReading:
        """Start watching from a reading of the whole picture, except for the covered cells."""
        self._count += 1
        board, before = reading.seen.board, self._known
        for placement in reading.seen.placements:
            self._tile_poses[piece_at(placement, self._prints)] = TilePose(board.lattice, placement)
        seen = reading.seen if before is None else keep_covered_figures(before.seen, reading.seen, blind)
        photo = self._still.image()
        gate = FrameGate(reading.view, board.lattice, board.cells, board.thickness_mm, photo)
        stated = reading.observation if seen is reading.seen else observation_of(seen, self._prints, self._roster)
        count, begun_s = len(seen.figures), frame.monotonic_s
        self._known = _Known(seen, reading.view, reading.calibration, gate, stated, count, searched_at_s=begun_s)
        # Read once more, cell by cell, so that two frames agree before the reading counts.
        self._known.agreeing = dict.fromkeys(board.cells, 1)
        self._known.settled = _places(seen)
        names = {} if before is None else cell_names(board, before.seen.board)
        if before is not None and names:
            # A nearly hidden figure may appear in one picture and not in the next, though nobody moved it.
            self._known.figure_count = max(len(seen.figures), before.figure_count)
        if before is not None and before.earlier is None:
            settled = [place for place in before.settled if all(cell in names for cell in place)]
            self._known.settled = frozenset(tuple(sorted(names[cell] for cell in place)) for place in settled)
            self._known.earlier = Earlier(before.gate, cell_names(before.seen.board, board))
            self._compare(self._known, board.cells, blind, photo)
        self._known.blind, self._known.blind_until_s = blind, frame.monotonic_s + BLIND_S
        return self._state(self._known, blind, frame, is_current=False)

    def _state(self, known: _Known, hidden: frozenset[Cell], frame: Frame, *, is_current: bool) -> FrameReading:
        board = known.seen.board
        _, change = normalize_lattice(board.lattice, board.cells)
        cells = frozenset(relabel(cell, change) for cell in hidden)
        likeness = {tuple(sorted(relabel(c, change) for c in cells)): like for cells, like in known.likeness.items()}
        look = FrameObservation(known.observation, cells, self._count, frame.monotonic_s, likeness)
        return FrameReading(look, known.view, known.calibration, is_current)


def _tiles(seen: StageResults) -> set[int]:
    return {placement.print_index for placement in seen.placements}


def _differing(before: StageResults, now: StageResults) -> frozenset[Cell]:
    """Return the cells with other occupants or doors."""
    figures = _figures(before) ^ _figures(now)
    doors = {door.edge for door in before.doors} ^ {door.edge for door in now.doors}
    cells = {cell for places, _ in figures for cell in places}
    return frozenset(cells | {cell for edge in doors for cell in edge.cells})


def _figures(seen: StageResults) -> set[tuple[tuple[Cell, ...], str]]:
    return {(figure.cells, figure.kind or "") for figure in seen.figures}


def _places(seen: StageResults) -> frozenset[tuple[Cell, ...]]:
    return frozenset(figure.cells for figure in seen.figures)

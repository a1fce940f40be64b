"""Reads a table that is watched: the whole picture at first, afterwards only the cells that have changed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from assistant.errors import PhotoError
from assistant.table.lattice import Cell, Edge
from assistant.table.observation import FrameObservation, Observation
from assistant.table.roster import Roster
from calibration.arrays import BgrImage
from calibration.pose import CameraView
from vision.live.frames import Frame
from vision.live.gating import FrameGate, Gate
from vision.live.partial import ReadingScope, read_again
from vision.live.renewal import Earlier, cell_names, is_large, keep_covered_figures, newly_covered
from vision.live.still import StillPicture
from vision.reading import Reading, TableReader, TilePose
from vision.scene.observation import StageResults, observation_of
from vision.tiles.lattice_fit import cells_in, normalize_lattice, relabel
from vision.tiles.placements import piece_at
from vision.tiles.prints import TilePrints

WITNESSES = 2
"""Frames that must show the same in a cell: half a picture, a reflex or a passing shadow is in one alone."""

WHOLE_EVERY_S = 0.7
"""Time between two readings of the whole picture while nothing fits: each takes about a second of one core."""


STILL_S, PATIENCE_S = 1.0, 3.0
"""So long the picture must stand still before all of it is read anew; longer if a tile that was there is not found,
since an arm hides tiles."""

BLIND_S = 6.0
"""So long nobody holds an arm over a board without moving it; what lies there for longer belongs there. After a fault
the table is to be as it was within ten seconds, of which reading and settling take two."""

CALM_S = 3.0
"""After so long without a hand, a figure that did not turn up again was taken off the board."""

SEARCH_AFTER_S, SEARCH_EVERY_S = 3.0, 60.0
"""Time until tiles that were not recognised are looked for again: a crowd may have left. Each time it is doubled, from
the first up to the second."""


@dataclass(frozen=True, eq=False)
class FrameReading:
    """What one frame gave.

    Args:
        look: what it says.
        view: where the camera is.
        is_current: whether the frame shows nothing else than what was read: no hand, nothing that moves or has moved.
    """

    look: FrameObservation
    view: CameraView
    is_current: bool


@dataclass(eq=False)
class _Known:
    """What was read, and how it is watched.

    Args:
        seen: what was read.
        view: the camera.
        gate: compares frames with it.
        observation: the same as an observation.
        figure_count: how many figures there were when all was calm.
        calm_since_s: since when it is.
        upset_since_s: since when most of the board looks otherwise and stands still; None while it does not.
        rests_since_s: since when what seems to be a hand does not move.
        blind: cells that something lay over when the whole picture was read, until they change or some time is over.
        blind_until_s: when that is.
        agreeing: how many frames said the same of each cell that is judged anew.
        settled: where figures stood when all that had changed was judged.
        earlier: knows what they looked like then, if the whole picture was read anew since.
        likeness: how much those of them that the last frame judged anew look as they did then, by their cells.
        is_outdated: whether all of it is to be read anew.
        search_s: time from the last search for tiles that were not recognised to the next.
        searched_at_s: when that last one was.
    """

    seen: StageResults
    view: CameraView
    gate: FrameGate
    observation: Observation
    figure_count: int
    calm_since_s: float | None = None
    upset_since_s: float | None = None
    rests_since_s: float | None = None
    blind: frozenset[Cell] = frozenset()
    blind_until_s: float = 0.0
    agreeing: dict[Cell, int] = field(default_factory=dict)
    settled: frozenset[tuple[Cell, ...]] = frozenset()
    earlier: Earlier | None = None
    likeness: dict[tuple[Cell, ...], float] = field(default_factory=dict)
    is_outdated: bool = False
    search_s: float = SEARCH_AFTER_S
    searched_at_s: float = 0.0


class LiveReader:
    """Reads the frames of one camera, one after the other.

    Args:
        reader: reads whole pictures.
        prints: the tile set that it reads by.
        roster: the figures and doors that may be there.
    """

    def __init__(self, reader: TableReader, prints: TilePrints, roster: Roster) -> None:
        self._reader = reader
        self._prints = prints
        self._roster = roster
        self._known: _Known | None = None
        self._lain: dict[str, TilePose] = {}
        self._still = StillPicture()
        self._count = 0
        self._next_whole_s = float("-inf")

    def forget(self) -> None:
        """Reads everything anew with the next frame, whatever lies over it: another photo, from another place."""
        self._known = None
        self._lain.clear()

    def renew(self) -> None:
        """Reads everything anew as soon as the picture stands still: camera, table or light are not what they were."""
        if self._known is not None:
            self._known.is_outdated = True

    def confirm(self) -> None:
        """Reads the cells once more, one witness more for what somebody does not believe yet."""
        if self._known is not None:
            self._known.agreeing = dict.fromkeys(self._known.seen.board.cells, WITNESSES - 1)

    def look(self, frame: Frame) -> FrameReading:
        """What the frame says.

        Raises:
            PhotoError: the table cannot be read from it, and nothing is known from before.
        """
        known = self._known
        if known is None:
            self._still = StillPicture(frame.image_bgr)
            return self._begun(self._whole(), frame)
        known.likeness = {}
        gate = known.gate.judge(frame.image_bgr)
        self._still.add(frame.image_bgr, is_still=gate.is_still)
        if gate.is_upset or gate.is_blurred or known.is_outdated:
            return self._upset(known, gate, frame)
        known.upset_since_s = None
        if self._lies_still(known, gate, frame.monotonic_s):
            # No arm rests as long as that: the light is another one there, or what was read of it was wrong.
            glance = self._again(known, frame, BLIND_S)
            if glance is not None:
                return glance
        known.blind = known.blind - gate.changed if frame.monotonic_s < known.blind_until_s else frozenset()
        cells = self._to_read(known, gate)
        if cells:
            self._read_cells(known, gate, cells)
        elif not gate.hidden:
            known.gate.accept(gate)
            glance = self._with_more_tiles(known, gate, frame)
            if glance is not None:
                return glance
        self._count_figures(known, frame.monotonic_s, is_calm=not (cells or gate.hidden))
        hidden = gate.hidden | known.blind
        return self._glance(known, hidden, frame, is_current=gate.is_still and not (hidden or cells))

    def _count_figures(self, known: _Known, time_s: float, *, is_calm: bool) -> None:
        """Takes the figures that there are for all that there ought to be, once all has been calm for a while."""
        if not is_calm:
            known.calm_since_s = None
        elif known.calm_since_s is None:
            known.calm_since_s = time_s
        elif time_s - known.calm_since_s > CALM_S:
            known.figure_count = len(known.seen.figures)

    def _upset(self, known: _Known, gate: Gate, frame: Frame) -> FrameReading:
        """Nothing looks as it did: once it stands still and nothing lies over it, everything is read anew."""
        if not gate.is_still or known.upset_since_s is None:
            known.upset_since_s = frame.monotonic_s
        still_s = frame.monotonic_s - known.upset_since_s
        # A lens finds its focus again by itself; one that does not gives a picture that is better than none.
        enough_s = BLIND_S if gate.is_blurred else STILL_S
        if still_s >= enough_s and frame.monotonic_s >= self._next_whole_s:
            glance = self._again(known, frame, still_s)
            if glance is not None:
                return glance
        return self._glance(known, known.seen.board.cells, frame, is_current=False)

    def _lies_still(self, known: _Known, gate: Gate, time_s: float) -> bool:
        """Whether what seems to be a hand has not moved for longer than a hand does; told once in such a time."""
        if not gate.hidden or not gate.is_still or known.rests_since_s is None:
            known.rests_since_s = time_s
        if time_s - known.rests_since_s < BLIND_S:
            return False
        known.rests_since_s = time_s
        return True

    def _with_more_tiles(self, known: _Known, gate: Gate, frame: Frame) -> FrameReading | None:
        """The whole picture read anew in search of tiles that were not recognised; None where it shows no more."""
        is_time = frame.monotonic_s - known.searched_at_s >= known.search_s
        if not (known.seen.unknown_tiles and gate.is_still and is_time) or known.blind:
            return None
        known.searched_at_s, known.search_s = frame.monotonic_s, min(2 * known.search_s, SEARCH_EVERY_S)
        reading = self._tried()
        if reading is None:
            return None
        if _tiles(known.seen) < _tiles(reading.seen):
            return self._begun(reading, frame)
        if _tiles(known.seen) == _tiles(reading.seen):
            known.seen = replace(known.seen, unknown_tiles=_unknown_in(known.seen, reading.seen))
            known.observation = observation_of(known.seen, self._prints, self._roster)
        return None

    def _again(self, known: _Known, frame: Frame, still_s: float) -> FrameReading | None:
        """The whole picture read anew; None where it is covered, or does not show what was there yet."""
        self._next_whole_s = frame.monotonic_s + WHOLE_EVERY_S
        reading = self._tried()
        is_whole = reading is not None and (still_s >= PATIENCE_S or _tiles(known.seen) <= _tiles(reading.seen))
        if reading is None or not is_whole:
            return None
        # What has lain there for so long already belongs there.
        covered = newly_covered(known.seen, reading.seen) if still_s < BLIND_S else frozenset[Cell]()
        return None if is_large(covered, reading.seen) else self._begun(reading, frame, covered)

    def _to_read(self, known: _Known, gate: Gate) -> frozenset[Cell]:
        """The cells that have changed and do not agree yet with what was read of them."""
        waiting = {cell for cell, count in known.agreeing.items() if count < WITNESSES}
        return (gate.changed | waiting) - gate.hidden

    def _read_cells(self, known: _Known, gate: Gate, cells: frozenset[Cell]) -> None:
        before, photo = known.seen, self._still.image()
        stood = known.settled if known.earlier is not None else ()
        places = frozenset(place[0] for place in stood if len(place) == 1)
        wanted = ReadingScope(cells, gate.hidden, known.figure_count, places)
        known.seen = read_again(before, photo, wanted, self._roster)
        self._count += 1
        differing = _differing(before, known.seen)
        for cell in cells:
            known.agreeing[cell] = 1 if cell in differing else known.agreeing.get(cell, 0) + 1
        if differing or any(not cells.isdisjoint(figure.cells) for figure in known.seen.figures):
            # Also where the same stands on a cell: it may be another one like it, a little off its place.
            known.observation = observation_of(known.seen, self._prints, self._roster)
        self._compare(known, cells, gate.hidden, photo)
        if all(known.agreeing[cell] >= WITNESSES for cell in cells):
            known.gate.accept(gate)
            known.earlier, known.settled = None, _places(known.seen)
            for cell in cells:
                del known.agreeing[cell]

    def _compare(self, known: _Known, cells: frozenset[Cell], hidden: frozenset[Cell], photo: BgrImage) -> None:
        """Notes how much the figures that stand where some stood before look like those."""
        there = sorted(_places(known.seen) & known.settled)
        judged = [place for place in there if not cells.isdisjoint(place) and hidden.isdisjoint(place)]
        earlier = known.earlier
        known.likeness = known.gate.likeness(photo, judged) if earlier is None else earlier.likeness(photo, judged)

    def _tried(self) -> Reading | None:
        """The whole picture read; None where it shows no table, as a dark or covered one."""
        try:
            return self._whole()
        except PhotoError:
            return None

    def _whole(self) -> Reading:
        # What was read through glare must not be taken for seen again: each whole reading stands for itself.
        self._reader.forget_tiles()
        return self._reader.read(self._still.image(), self._lain.values())

    def _begun(self, reading: Reading, frame: Frame, blind: frozenset[Cell] = frozenset()) -> FrameReading:
        """Watches from a reading of the whole picture on, but for cells that something lies over."""
        self._count += 1
        board, before = reading.seen.board, self._known
        for placement in reading.seen.placements:
            self._lain[piece_at(placement, self._prints)] = TilePose(board.lattice, placement)
        seen = reading.seen if before is None else keep_covered_figures(before.seen, reading.seen, blind)
        photo = self._still.image()
        gate = FrameGate(reading.view, board.lattice, board.cells, board.thickness_mm, photo)
        told = reading.observation if seen is reading.seen else observation_of(seen, self._prints, self._roster)
        self._known = _Known(seen, reading.view, gate, told, len(seen.figures), searched_at_s=frame.monotonic_s)
        # Read once more, cell by cell, so that two frames say the same before anybody believes it.
        self._known.agreeing = dict.fromkeys(board.cells, 1)
        self._known.settled = _places(seen)
        names = {} if before is None else cell_names(board, before.seen.board)
        if before is not None and names:
            # Who stands nearly hidden is read in one picture and not in the next; nobody took him away meanwhile.
            self._known.figure_count = max(len(seen.figures), before.figure_count)
        if before is not None and before.earlier is None:
            settled = [place for place in before.settled if all(cell in names for cell in place)]
            self._known.settled = frozenset(tuple(sorted(names[cell] for cell in place)) for place in settled)
            self._known.earlier = Earlier(before.gate, cell_names(before.seen.board, board))
            self._compare(self._known, board.cells, blind, photo)
        self._known.blind, self._known.blind_until_s = blind, frame.monotonic_s + BLIND_S
        return self._glance(self._known, blind, frame, is_current=False)

    def _glance(self, known: _Known, hidden: frozenset[Cell], frame: Frame, *, is_current: bool) -> FrameReading:
        board = known.seen.board
        _, change = normalize_lattice(board.lattice, board.cells)
        told = frozenset(relabel(cell, change) for cell in hidden)
        likeness = {tuple(sorted(relabel(c, change) for c in cells)): like for cells, like in known.likeness.items()}
        look = FrameObservation(known.observation, told, self._count, frame.monotonic_s, likeness)
        return FrameReading(look, known.view, is_current)


def _tiles(seen: StageResults) -> set[int]:
    return {placement.print_index for placement in seen.placements}


def _unknown_in(known: StageResults, now: StageResults) -> list[frozenset[Cell]]:
    """What a later reading of the same board does not recognise, by the cells of the earlier one."""
    return [cells_in(known.board.lattice, group, now.board.lattice) for group in now.unknown_tiles]


def _differing(before: StageResults, now: StageResults) -> frozenset[Cell]:
    """The cells on which something else stands."""
    figures = _figures(before) ^ _figures(now)
    doors = _doors(before) ^ _doors(now)
    cells = {cell for places, _ in figures for cell in places}
    return frozenset(cells | {cell for edge in doors for cell in edge.cells})


def _figures(seen: StageResults) -> set[tuple[tuple[Cell, ...], str]]:
    return {(figure.cells, figure.model.kind if figure.model else "") for figure in seen.figures}


def _places(seen: StageResults) -> frozenset[tuple[Cell, ...]]:
    return frozenset(figure.cells for figure in seen.figures)


def _doors(seen: StageResults) -> set[Edge]:
    return {door.edge for door in seen.doors}

"""Puts the watching of a table together: source by name, eye, memory, and a recording if one is wanted."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from assistant.app.live.game_files import Game
from assistant.app.live.marker_watch import MarkerWatch
from assistant.app.live.recorder import Recorder
from assistant.app.live.table_memory import TableMemory
from assistant.app.live.table_watch import TableWatch
from assistant.errors import CannotDo, RecordingStopped, StoreError
from assistant.match.ground import table_of
from assistant.settings import Settings
from assistant.table.board import Board
from assistant.table.observation import Observation
from assistant.tracking.move_cost import NOBODYS_TURN, Turn, turn_of
from assistant.tracking.relocalization import recalled
from assistant.tracking.values import Cells
from calibration.watching import Watcher
from vision.live.frames import FrameSource
from vision.live.incremental import LiveReader
from vision.photo import decode_photo
from vision.reading import TableReader
from vision.sources.names import SourceName
from vision.sources.opening import open_source
from vision.sources.push import PushedSource
from vision.sources.replay import ReplaySource
from vision.sources.usb import Wanted
from vision.sources.virtual import VirtualTable
from web.state import PageState


def watch_of(settings: Settings, name: SourceName, game: Game, state: PageState) -> TableWatch:
    """The watching of a table through the source of that name; it is not started yet.

    Args:
        settings: whether and how large it is recorded.
        name: what the table is watched by.
        game: the documents that pictures are read by.
        state: the page that shows it; it learns of the table, and takes pictures for a source that wants them.

    Raises:
        PhotoUnreadable: what is to be played back is not there.
        StoreError: the recording cannot be written.
    """
    source = source_of(name, game)
    reader = TableReader(game.prints, game.roster, game.markers, game.lens)
    watch = TableWatch(
        source=source,
        eye=LiveReader(reader, game.prints, game.roster),
        memory=TableMemory(game.roster),
        state=state,
        setup=game.setup,
        markers=MarkerWatch(Watcher(game.markers, game.lens)),
        recorder=_recorder(settings, state),
        turn=lambda: _turn(state),
        known=lambda seen: _known(state, seen),
    )
    state.live = watch
    if isinstance(source, PushedSource):
        state.take_frame, state.take_photo = _takes(source, is_photo=False), _takes(source, is_photo=True)
    if isinstance(source, ReplaySource):
        source.on_event = watch.replayed
        if source.is_recording:
            # What was known then stands in the file; what is known here and now would give other names.
            watch.turn, watch.known = (lambda: NOBODYS_TURN), (lambda seen: {})
    return watch


def source_of(name: SourceName, game: Game, *, table: VirtualTable | None = None) -> FrameSource:
    """The source of that name, asked for pictures of the size that the lens was calibrated for.

    Raises:
        PhotoUnreadable: what is to be played back is not there.
    """
    lens = game.lens
    wanted = Wanted() if lens is None else Wanted(lens.width_px, lens.height_px)
    return open_source(name, wanted=wanted, table=table)


def _takes(source: PushedSource, *, is_photo: bool) -> Callable[[bytes], None]:
    def take(jpeg: bytes) -> None:
        source.push(decode_photo(jpeg), is_photo=is_photo)

    return take


def new_recording(settings: Settings) -> None:
    """Makes sure that nothing is recorded over.

    Raises:
        StoreError: there is a file of the name that the settings give the recording.
    """
    if settings.record and os.path.exists(settings.record):  # also says no to what cannot be a name
        raise StoreError(f"{settings.record} is there already; give the recording a new name")


def _recorder(settings: Settings, state: PageState) -> Recorder | None:
    """What records the watching; None where nothing is to be recorded, or no further file can be begun.

    Whoever looks again from the page begins a new watching, and with it the next file of the same evening.

    Raises:
        StoreError: the first file cannot be written.
    """
    if not settings.record:
        return None
    path = Path(settings.record)
    further = (path.with_stem(f"{path.stem}-{number}") for number in itertools.count(2))
    free = path if not os.path.exists(path) else next(name for name in further if not os.path.exists(name))

    def trouble(problem: CannotDo) -> None:
        state.report("recording", problem)

    try:
        recorder = Recorder(free, settings.record_mb << 20, trouble)
    except StoreError as problem:
        if free == path:
            raise
        trouble(RecordingStopped(str(problem)))  # an evening that goes on without is better than one that ends
        return None
    state.clear("recording")
    return recorder


def _turn(state: PageState) -> Turn:
    return NOBODYS_TURN if state.match is None else turn_of(state.match.timeline.game)


def _known(state: PageState, seen: Observation) -> Mapping[str, Cells]:
    """Where figures stand on the board that is seen by all that was known of them when it was not watched."""
    return next((places for board in _remembered(state) if (places := recalled(board, seen))), {})


def _remembered(state: PageState) -> Iterator[Board]:
    """The boards that people know: what the camera showed last, if it is only opened anew, and the match's."""
    shot = state.shelf.latest_live()
    if shot is not None:
        yield shot.board
    game = None if state.match is None else state.match.timeline.game
    table = None if game is None or not game.ground else table_of(game)
    if isinstance(table, Board):
        yield table

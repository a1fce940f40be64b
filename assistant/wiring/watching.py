"""Puts the watching of a table together: source by name, eye, memory, and a recording if one is wanted."""

from __future__ import annotations

from assistant.app.live.game_files import ReadableGame
from assistant.app.live.gaze import Gaze
from assistant.app.live.live_shots import LiveShots
from assistant.app.live.marker_watch import MarkerWatch
from assistant.app.live.match_knowledge import known_places, turn_in
from assistant.app.live.recorded_memory import RecordedMemory
from assistant.app.live.recordings import next_recorder
from assistant.app.live.sources import pushes_into, source_of
from assistant.app.live.table_memory import TableMemory
from assistant.app.live.table_watch import TableWatch
from assistant.app.live.watch_log import WatchLog
from assistant.settings import Settings
from calibration.watching import DriftWatcher
from vision.live.incremental import LiveReader
from vision.reading import TableReader
from vision.sources.names import SourceName
from vision.sources.push import PushedSource
from vision.sources.replay import ReplaySource
from web.state import PageState


def watch_of(settings: Settings, name: SourceName, game: ReadableGame, state: PageState) -> TableWatch:
    """The watching of a table through the source of that name; it is not started yet.

    Args:
        settings: whether and how large it is recorded.
        name: what the table is watched by.
        game: the documents that pictures are read by.
        state: the page that shows it; it takes pictures for a source that wants them.

    Raises:
        PhotoUnreadable: what is to be played back is not there.
        StoreError: the recording cannot be written.
    """
    source = source_of(name, game)
    reader = TableReader(game.prints, game.roster, game.markers, game.lens)
    eye = LiveReader(reader, game.prints, game.roster)
    recorded = RecordedMemory(
        TableMemory(game.roster),
        WatchLog(next_recorder(settings.record, settings.record_mb << 20, state)),
        turn=lambda: turn_in(state.match),
        known=lambda seen: known_places(seen, state.shelf.latest_live(), state.match),
    )
    gaze = Gaze(eye, state.reading, MarkerWatch(DriftWatcher(game.markers, game.lens)))
    watch = TableWatch(source, gaze, recorded, LiveShots(state, game.setup))
    if isinstance(source, PushedSource):
        state.take_frame, state.take_photo = pushes_into(source, is_photo=False), pushes_into(source, is_photo=True)
    if isinstance(source, ReplaySource):
        source.on_event = watch.replayed
        if source.is_recording:
            recorded.forget_the_match()
    return watch

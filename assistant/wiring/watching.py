"""Opens the camera over a table with cells: the source by its name, the reader, the believed table, the recording."""

from __future__ import annotations

from assistant.app.live.believed_table import BelievedTable
from assistant.app.live.frame_reader import LiveFrameReader, MarkerCheck
from assistant.app.live.game_files import ReadableGame
from assistant.app.live.match_knowledge import known_places, turn_in
from assistant.app.live.recorder import next_recorder
from assistant.app.live.watcher import source_of
from assistant.settings import Settings
from assistant.tracking.association import NOBODYS_TURN
from calibration.watching import DriftWatcher
from vision.live.frames import FrameSource
from vision.live.incremental import LiveReader
from vision.photo.decoding import decode_photo
from vision.reading import TableReader
from vision.sources.names import SourceName
from vision.sources.push import PushedSource
from vision.sources.replay import ReplaySource
from web.state import PageState


def open_table_with_cells(
    settings: Settings, name: SourceName, game: ReadableGame, state: PageState
) -> tuple[FrameSource, BelievedTable]:
    """The source of that name, and the table that is believed from its frames.

    Args:
        settings: whether and how large it is recorded.
        name: what the table is watched by.
        game: the documents that pictures are read by.
        state: the page that shows it; it takes pictures for a source that wants them.

    Raises:
        PhotoUnreadable: the recording or the photos to be played back are not there.
        StoreError: the recording cannot be written.
    """
    source = source_of(name, game)
    reader = LiveReader(TableReader(game.prints, game.roster, game.markers, game.lens), game.prints, game.roster)
    table = BelievedTable(
        LiveFrameReader(reader, state.reading, MarkerCheck(DriftWatcher(game.markers, game.lens))),
        game.setup,
        state.shown,
        next_recorder(settings.record, settings.record_mb << 20, state.problem_list),
        turn=lambda: turn_in(state.match),
        known=lambda seen: known_places(seen, state.shelf.latest_live(), state.match),
    )
    if isinstance(source, PushedSource):
        state.take_frame = lambda jpeg: source.push(decode_photo(jpeg))
        state.take_photo = lambda jpeg: source.push(decode_photo(jpeg), is_photo=True)
    if isinstance(source, ReplaySource):
        source.on_event = table.replay
        if source.is_recording:  # its match is not the one that is played here
            table.turn, table.known = (lambda: NOBODYS_TURN), (lambda seen: {})
    return source, table

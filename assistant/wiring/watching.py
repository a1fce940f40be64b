"""Opens the camera above a table with cells: the named source, the reader, the believed table, the recording."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.app.live.believed_table import BelievedTable
from assistant.app.live.frame_reader import LiveFrameReader, MarkerCheck
from assistant.app.live.game_files import ReadableGame
from assistant.app.live.recorder import next_recorder
from assistant.app.live.shots import Shot
from assistant.app.live.watcher import source_of
from assistant.match.ground import table_of
from assistant.match.session import Session
from assistant.settings import Settings
from assistant.table.board import Board
from assistant.table.observation import Observation
from assistant.tracking.alignment import relocalize
from assistant.tracking.association import NOBODYS_TURN, ActiveFigure, turn_of
from assistant.tracking.values import Cells
from calibration.watching import DriftWatcher
from vision.live.frames import FrameSource
from vision.live.incremental import LiveReader
from vision.photo.decoding import decode_photo
from vision.reading import TableReader
from vision.sources.names import SourceName
from vision.sources.push import PushedSource
from vision.sources.replay import ReplaySource
from web.parts import Parts


def open_table_with_cells(
    settings: Settings, name: SourceName, game: ReadableGame, page: Parts
) -> tuple[FrameSource, BelievedTable]:
    """Return the source of that name, and the table believed from its frames.

    Args:
        settings: whether to record, and the size limit.
        name: the name of the source.
        game: the documents for reading pictures.
        page: the page that shows it, which accepts pictures for a source that needs them.

    Raises:
        PhotoUnreadable: the recording or photos for playback do not exist.
        StoreError: the recording cannot be written.
    """
    source = source_of(name, game)
    whole = TableReader(game.prints, game.roster, game.markers, game.lens)
    reader = LiveReader(whole, game.prints, game.roster, page.last_tiles.of(game))
    table = BelievedTable(
        LiveFrameReader(reader, page.readers.turns, _marker_check(game)),
        game.setup,
        page.shown,
        next_recorder(settings.record, settings.record_mb << 20, page.problems),
        turn=lambda: turn_in(page.match.session),
        known=lambda seen: known_places(seen, page.shelf.latest_live(), page.match.session),
    )
    if isinstance(source, PushedSource):
        page.readers.take_frame = lambda jpeg: source.push(decode_photo(jpeg))
        page.readers.take_photo = lambda jpeg: source.push(decode_photo(jpeg), is_photo=True)
    if isinstance(source, ReplaySource):
        source.on_event = table.replay
        if source.is_recording:  # its match is not the one played here
            table.turn, table.known = (lambda: NOBODYS_TURN), (lambda seen: {})
    return source, table


def _marker_check(game: ReadableGame) -> MarkerCheck | None:
    """Return a check for a moved camera. Without markers, the reader finds the camera again by the tiles."""
    return MarkerCheck(DriftWatcher(game.markers, game.lens)) if game.markers.markers else None


def turn_in(match: Session | None) -> ActiveFigure:
    """Return the active figure of the current match, if any."""
    return NOBODYS_TURN if match is None else turn_of(match.timeline.game)


def known_places(seen: Observation, shot: Shot | None, match: Session | None) -> Mapping[str, Cells]:
    """Return figures' places on a board, from what was known before it was watched.

    Args:
        seen: the first look.
        shot: the camera's last picture, if it was only reopened; it is tried first.
        match: the current match, if any.
    """
    return next((places for board in _iterate_remembered(shot, match) if (places := relocalize(board, seen))), {})


def _iterate_remembered(shot: Shot | None, match: Session | None) -> Iterator[Board]:
    """Yield remembered boards, the best first."""
    if shot is not None:
        yield shot.board
    game = None if match is None else match.timeline.game
    table = None if game is None or not game.ground else table_of(game)
    if isinstance(table, Board):
        yield table

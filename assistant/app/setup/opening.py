"""The documents and the camera that a table is opened with."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.app.live.game_files import FreeGame, GameFiles, ReadableGame, free_game_from, game_from_files
from assistant.app.setup.cameras import VIRTUAL
from assistant.app.setup.game_step import find_live_source, free_game_named, game_of
from assistant.profiles import Profiles
from vision.sources.names import SourceName, source_name


@dataclass(frozen=True)
class Wanted:
    """The requested table. Without a request, a real table uses the set-up that was made last.

    Args:
        files: the requested documents.
        setup: the requested stored set-up, or empty.
        camera: the requested camera, or empty.
        is_simulated: whether a simulated camera watches a sample table.
    """

    files: GameFiles
    setup: str = ""
    camera: str = ""
    is_simulated: bool = False


@dataclass(frozen=True)
class Opening:
    """The documents and the camera of a table.

    Args:
        game: the documents for reading photos.
        source: the source that watches the table; None if people upload photos.
        watched: the documents for reading that source.
        free: the documents of a table without a grid; None for one with tiles.
    """

    game: ReadableGame
    source: SourceName | None
    watched: ReadableGame
    free: FreeGame | None = None


def opening_of(wanted: Wanted, profiles: Profiles, sample: ReadableGame) -> Opening:
    """Return the documents and the camera for a request, filled in from stored profiles.

    Raises:
        UnknownName: there is no such set-up, or a part of it is no longer stored.
        DocumentError: a document cannot be used.
        BadValue: no camera has that name, or a table without a grid lacks a document.
    """
    has_documents = wanted.is_simulated or wanted.files.named
    setup = wanted.setup or (None if has_documents else profiles.newest("setup"))
    game = game_of(profiles, setup, sample) if setup else game_from_files(wanted.files, sample)
    free = free_game_from(wanted.files) or (free_game_named(profiles, setup) if setup else None)
    camera = wanted.camera or (VIRTUAL if wanted.is_simulated else find_live_source(profiles, setup))
    source = source_name(camera) if camera else None
    # The simulated table shows the sample game, whatever documents are requested.
    is_sample = source is not None and source.kind == VIRTUAL
    return Opening(game, source, sample if is_sample else game, free)

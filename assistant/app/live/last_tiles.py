"""Remembers where the tiles of the last picture lay, so that a crowded picture after a restart finds them again."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

import msgspec
from msgspec import Struct

from assistant.app.live.game_files import ReadableGame
from assistant.app.live.shots import Shot
from assistant.documents import observation_document, observation_from_json
from assistant.documents.camera import table_document
from assistant.documents.reading import decode_fields, read_bytes
from assistant.documents.tiles import tile_set_document
from assistant.errors import InputError, StoreError
from assistant.kept_files import write_kept
from assistant.table.camera import TableMarkers
from assistant.table.observation import Observation
from assistant.table.tiles import TileSet
from vision.reading import TilePose, known_tiles

log = logging.getLogger(__name__)


class _Kept(Struct, frozen=True):
    """The last reading, as sightline.observation/1, and a hash of the markers and tiles that it was read with."""

    table: str
    seen: msgspec.Raw


@dataclass
class LastTiles:
    """The tiles of the last picture of a table with markers. Without markers no place holds for the next picture.

    Args:
        file: where a run of the program leaves them for the next one, or None to keep them in memory only.
    """

    file: Path | None = None
    _table: tuple[TableMarkers, TileSet] | None = None
    _seen: Observation | None = None
    _alone: Lock = field(default_factory=Lock, repr=False)

    def keep(self, shot: Shot) -> None:
        """Remember the tiles of a picture. If the disk takes none, the next run starts without them."""
        seen, table = shot.read.observation, (shot.read.calibration.markers, shot.setup.tiles)
        with self._alone:  # a camera's thread and uploads keep tiles, too
            is_known = self._seen is not None and self._seen.tiles == seen.tiles and self._table == table
            if is_known or not seen.camera.markers_seen:
                return
            self._table, self._seen = table, seen
            if self.file is None:
                return
            # Doubts may take most of a document, and say nothing of tiles.
            brief = observation_document(replace(seen, doubts=(), ground_doubts=(), worlds=()))
            kept = _Kept(_hash(*table), msgspec.Raw(msgspec.json.encode(brief)))
            try:
                write_kept(self.file, msgspec.json.encode(kept))
            except StoreError as problem:
                log.warning("the last tiles are not kept: %s", problem)

    def of(self, game: ReadableGame) -> Sequence[TilePose]:
        """Return the tiles of the last picture of that table, by this run of the program or an earlier one."""
        table = game.markers, game.prints.tile_set
        with self._alone:
            if self._seen is None and self.file is not None and self.file.exists():
                self._load(self.file, table)
            seen = self._seen if self._table == table else None
        return known_tiles(seen, game.prints) if seen is not None else ()

    def _load(self, file: Path, table: tuple[TableMarkers, TileSet]) -> None:
        """Load what an earlier run left, if it was about that table."""
        try:
            kept = decode_fields(read_bytes(file), _Kept, str(file))
            if kept.table == _hash(*table):
                self._table, self._seen = table, observation_from_json(bytes(kept.seen), str(file))
        except InputError as problem:
            log.warning("the last tiles are unknown: %s", problem)


def _hash(markers: TableMarkers, tiles: TileSet) -> str:
    documents = msgspec.json.encode([table_document(markers), tile_set_document(tiles)])
    return hashlib.sha256(documents).hexdigest()

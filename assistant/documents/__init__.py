"""Strict readers and writers of the documents that other programs rely on.

A reader refuses a document of unknown ``format``, names the field at fault and never guesses: no number from a string,
no integer from a fraction. Sizes are limited before anything is parsed, so a wrong file is refused quickly. Each family
of documents has its own module. The functions for boards and photos can be imported from here.
"""

from assistant.documents.board import board_document, board_from_json
from assistant.documents.camera import camera_document, camera_from_json, table_document, table_from_json
from assistant.documents.free_table import (
    FREE_TABLE_FORMAT,
    free_sighting_document,
    free_sighting_from_json,
    free_table_document,
    free_table_from_json,
)
from assistant.documents.match import (
    MatchLog,
    convert,
    event_line,
    header_line,
    line_hash,
    match_from_lines,
    match_lines,
)
from assistant.documents.observation import (
    OBSERVATION_FORMAT,
    error_document,
    observation_document,
    observation_from_json,
)
from assistant.documents.reading import MAX_DOCUMENT_BYTES, check_format, format_of, plain_utf8, read_bytes, to_json
from assistant.documents.ruling import (
    about_document,
    claim_document,
    reach_document,
    ruling_document,
    sight_map_document,
)
from assistant.documents.setup import KeptSetUp, setup_document, setup_from_json
from assistant.documents.tiles import roster_document, roster_from_json, tile_set_document, tile_set_from_json

__all__ = [
    "FREE_TABLE_FORMAT",
    "MAX_DOCUMENT_BYTES",
    "OBSERVATION_FORMAT",
    "KeptSetUp",
    "MatchLog",
    "about_document",
    "board_document",
    "board_from_json",
    "camera_document",
    "camera_from_json",
    "check_format",
    "claim_document",
    "convert",
    "error_document",
    "event_line",
    "format_of",
    "free_sighting_document",
    "free_sighting_from_json",
    "free_table_document",
    "free_table_from_json",
    "header_line",
    "line_hash",
    "match_from_lines",
    "match_lines",
    "observation_document",
    "observation_from_json",
    "plain_utf8",
    "reach_document",
    "read_bytes",
    "roster_document",
    "roster_from_json",
    "ruling_document",
    "setup_document",
    "setup_from_json",
    "sight_map_document",
    "table_document",
    "table_from_json",
    "tile_set_document",
    "tile_set_from_json",
    "to_json",
]

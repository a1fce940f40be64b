"""Files of tables, read by the games that they name."""

from __future__ import annotations

from assistant.documents.tables import OddsTables, tables_head
from assistant.errors import BadValue
from assistant.match.games import games
from assistant.translations.messages import said


def tables_from_toml(data: bytes, document: str = "tables") -> tuple[str, OddsTables]:
    """The id of the game that a ``sightline.tables/1`` file names, and its tables as the game reads them.

    Raises:
        DocumentError: the file breaks its format; the field at fault is named.
    """
    named, raw = tables_head(data, document)
    known = {game.id: game for game in games() if game.odds}
    if named not in known:
        raise BadValue(said("must be one of: {known}", known=", ".join(known)), document=document, field="game")
    return named, known[named].odds_tables().read(raw, document)

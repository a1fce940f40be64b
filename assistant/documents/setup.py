"""``sightline.setup/1``: a camera, a table and a game that belong together, by profile name."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, to_builtins

from assistant.documents.reading import decode
from assistant.table.fields import Name

FORMAT = "sightline.setup/1"
SourceText = Annotated[str, Meta(min_length=1, max_length=500)]


class KeptSetUp(Struct, frozen=True, kw_only=True, tag_field="format", tag=FORMAT):
    """A saved set-up.

    ``source`` is the source of pictures (``photos``, ``virtual``, or a live camera such as ``usb:0``). The others name
    profiles. Without ``table`` there are no markers. Without ``camera`` the lens is estimated. Without ``tiles`` or
    ``roster`` the sample game's are used. With ``free_table`` (size, step and terrain) the table has no grid.
    """

    source: SourceText
    table: Name | None = None
    camera: Name | None = None
    tiles: Name | None = None
    roster: Name | None = None
    free_table: Name | None = None


def setup_from_json(data: bytes, document: str = "setup") -> KeptSetUp:
    """Read the set-up of a ``sightline.setup/1`` document.

    Raises:
        DocumentError: the document breaks its format.
    """
    return decode(data, FORMAT, KeptSetUp, document)


def setup_document(setup: KeptSetUp) -> dict[str, Any]:
    """Return the ``sightline.setup/1`` document of a set-up."""
    document: dict[str, Any] = to_builtins(setup)
    if setup.free_table is None:  # omitted, as in documents from before this field existed
        del document["free_table"]
    return document

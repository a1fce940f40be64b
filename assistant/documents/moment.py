"""``sightline.moment/1``: the table at the moment of a judge's call, with the hashes of all frozen parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from assistant.documents.reading import decode
from assistant.documents.table_event import Hash, TimeMs
from assistant.table.fields import Name, whole

MOMENT_FORMAT = "sightline.moment/1"

MOST_PICTURES = 120
MOST_RULINGS = 24
MOST_EDGES = 12_000
"""Cap on the edges over one picture: two hundred bases, and terrain with thousands of corners."""

PartName = Annotated[str, Meta(pattern=whole(r"frozen/[a-z0-9][a-z0-9-]{0,60}\.(json|jpg)"))]
"""Name of a part of the evidence, which cannot lead out of the folder where it is unpacked."""

_Pixels = Annotated[float, Meta(gt=-1e6, lt=1e6)]
_Size = Annotated[int, Meta(ge=1, le=100_000)]


class SnappedEdge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cell side with something on it, or an outline's side without a grid, in pixels of its picture."""

    ends: tuple[_Pixels, _Pixels, _Pixels, _Pixels]
    kind: Literal["wall", "obstacle", "impassable", "closed door", "open door", "terrain", "base"]


class SnappedFigure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A figure with the centre of its cells, in pixels of its picture."""

    id: Name
    at: tuple[_Pixels, _Pixels]


class SnappedBoard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The board that the program believed, projected into its picture."""

    edges: Annotated[tuple[SnappedEdge, ...], Meta(max_length=MOST_EDGES)] = ()
    figures: Annotated[tuple[SnappedFigure, ...], Meta(max_length=400)] = ()


_Number = Annotated[float, Meta(gt=-1e9, lt=1e9)]
_Row = tuple[_Number, _Number, _Number]


class FrozenCamera(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lens and pose of the camera, and the thickness of the tiles, which determine all drawing.

    Args:
        matrix: the camera matrix, for the size to which the picture's pixel coordinates refer.
        distortion: ``(k1, k2, p1, p2, k3)`` as in OpenCV.
        rotation, translation_mm: from table points ``(x, y, -height)`` to the camera's axes.
        tiles_mm: the height of the printed cells above the table; 0 without tiles.
    """

    matrix: tuple[_Row, _Row, _Row]
    distortion: tuple[_Number, _Number, _Number, _Number, _Number]
    rotation: tuple[_Row, _Row, _Row]
    translation_mm: _Row
    tiles_mm: _Number


class FrozenPicture(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture of the table with its reading.

    Args:
        t: milliseconds since 1970, UTC.
        source: a live camera, or a photo, perhaps corrected by hand.
        picture: the part with the JPEG.
        width_px, height_px: the size to which its pixel coordinates refer; the JPEG may be smaller.
        focus: left, top, width and height of the board in it, in pixels.
        observation: the part with its ``sightline.observation/1``, or ``sightline.free-table/1`` without a grid.
        believed: the part with the corrected reading, or None.
        snapped: the projected board; None for earlier pictures.
        camera: the camera used for drawing; None in evidence of versions that did not store it.
        markers: the part with the ``sightline.table/1`` of the printed markers, from which the camera can be measured
            again; None if it was not stored.
    """

    t: TimeMs
    source: Literal["live", "photo"]
    picture: PartName
    width_px: _Size
    height_px: _Size
    focus: tuple[_Pixels, _Pixels, _Pixels, _Pixels]
    observation: PartName
    believed: PartName | None = None
    snapped: SnappedBoard | None = None
    camera: FrozenCamera | None = None
    markers: PartName | None = None


class DrawnLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a ruling in pixels of its picture."""

    ends: tuple[_Pixels, _Pixels, _Pixels, _Pixels]
    is_free: bool


class FrozenRuling(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ruling made before the call.

    Args:
        asked_t: milliseconds since 1970, UTC.
        picture: the index of its picture.
        ruling: its ``sightline.ruling/1`` document, with English reasons.
        lines: its drawn lines.
        figures: the marker point in the picture of each of the two figures.
    """

    asked_t: TimeMs
    picture: Annotated[int, Meta(ge=0, lt=MOST_PICTURES)]
    ruling: Mapping[str, Any]
    lines: Annotated[tuple[DrawnLine, ...], Meta(max_length=500)]
    figures: tuple[tuple[_Pixels, _Pixels], tuple[_Pixels, _Pixels]]


class FrozenSeat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tournament, the round and the players of a table. Round 0 before the desk has sent it."""

    event: Name
    round: Annotated[int, Meta(ge=0, le=99)] = 0
    players: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=4)] = ()


class FrozenMoment(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="format", tag=MOMENT_FORMAT
):
    """The facts frozen with one tap. Nothing in it is hidden from anyone at the table.

    Args:
        t: milliseconds since 1970, UTC.
        table: the table.
        holding: the relation of picture and table: ``now``, ``moving``, ``old`` and so on.
        versions: versions of the program and its rules.
        match: the public view of the match, with its options and last events; None without a match.
        pictures: the oldest first; the last one is the moment itself.
        rulings: the oldest first.
        parts: the hash of every part.
        seat: the game's place in its tournament; absent outside of one.
    """

    t: TimeMs
    table: Name
    holding: Annotated[str, Meta(max_length=40)]
    versions: Mapping[str, str]
    match: Mapping[str, Any] | None
    pictures: Annotated[tuple[FrozenPicture, ...], Meta(max_length=MOST_PICTURES)]
    rulings: Annotated[tuple[FrozenRuling, ...], Meta(max_length=MOST_RULINGS)]
    parts: Mapping[PartName, Hash]
    seat: FrozenSeat | UnsetType = UNSET


def moment_document(moment: FrozenMoment) -> bytes:
    """Return the bytes of the ``sightline.moment/1`` document of a moment."""
    return msgspec.json.encode(moment)


def moment_from_json(data: bytes, document: str = "moment") -> FrozenMoment:
    """Read the moment of a ``sightline.moment/1`` document.

    Raises:
        DocumentError: the document breaks its format.
    """
    return decode(data, MOMENT_FORMAT, FrozenMoment, document)

"""``look`` of a figure in a ``sightline.roster/1``: what was taught of its appearance.

    "look": {"version": 1, "rim": "#1b9e3a", "views": [{"tilt_deg": 27.5, "points": "…"}], "picture": "…"}

``points`` are bytes as base64, five a point of the figure (``evidence.figure_views``). ``picture`` is a small PNG
as base64, for people. Rosters taught before the format had views hold that picture alone, as a string.
"""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any

from msgspec import Meta, Struct

from assistant.documents.reading import HexColor
from assistant.errors import BadValue
from assistant.table.roster import POINT_BYTES, FigureLook, LookView
from assistant.translations.messages import said

LOOK_VERSION = 1

MAX_VIEWS = 12
"""Three sides tell a figure; more of them only take time."""

MAX_POINTS = 400
MAX_PICTURE_BYTES = 200_000
"""A crop of 128 pixels a side has about 30 kB."""

_LONGEST = MAX_PICTURE_BYTES * 4 // 3 + 4
_Base64 = Annotated[str, Meta(max_length=_LONGEST)]


class _ViewWire(Struct):
    tilt_deg: Annotated[float, Meta(ge=0, le=90)]
    points: _Base64


class LookWire(Struct):
    """A look as it stands in a document."""

    version: int
    views: Annotated[list[_ViewWire], Meta(max_length=MAX_VIEWS)] = []
    rim: HexColor | None = None
    picture: _Base64 = ""


def look_of(wire: LookWire | str | None, where: str, document: str) -> FigureLook | None:
    """What was taught of a figure; None where nothing was.

    Raises:
        BadValue: it is of another version, or bytes in it are too many, too few or no base64.
    """
    if wire is None:
        return None
    if isinstance(wire, str):
        return FigureLook(picture_png=_picture(wire, where, document))
    if wire.version != LOOK_VERSION:
        text = said("this look was taught by another version of Sightline; teach the figure again")
        raise BadValue(text, document=document, field=f"{where}.version")
    views = tuple(
        LookView(view.tilt_deg, _points(view.points, f"{where}.views[{i}].points", document))
        for i, view in enumerate(wire.views)
    )
    rim = wire.rim.lower() if wire.rim else None
    return FigureLook(views, rim, _picture(wire.picture, f"{where}.picture", document))


def look_document(look: FigureLook) -> dict[str, Any]:
    """The look as it stands in a roster."""
    document: dict[str, Any] = {"version": LOOK_VERSION}
    if look.rim is not None:
        document["rim"] = look.rim
    document["views"] = [{"tilt_deg": view.tilt_deg, "points": _text(view.points)} for view in look.views]
    if look.picture_png:
        document["picture"] = _text(look.picture_png)
    return document


def _points(text: str, where: str, document: str) -> bytes:
    points = _bytes(text, where, document)
    if not 0 < len(points) <= MAX_POINTS * POINT_BYTES or len(points) % POINT_BYTES:
        text_said = said("these points of a figure are cut off or too many; teach the figure again")
        raise BadValue(text_said, document=document, field=where)
    return points


def _picture(text: str, where: str, document: str) -> bytes:
    picture = _bytes(text, where, document)
    if len(picture) > MAX_PICTURE_BYTES:
        problem = said("the picture of what was taught is too large to be kept; crop it closer")
        raise BadValue(problem, document=document, field=where)
    return picture


def _bytes(text: str, where: str, document: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadValue(said("this is no base64; teach the figure again"), document=document, field=where) from None


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()

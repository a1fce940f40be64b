"""``look`` of a figure in a ``sightline.roster/1``: its taught appearance.

    "look": {"version": 1, "rim": "#1b9e3a", "views": [{"tilt_deg": 27.5, "points": "…"}], "picture": "…"}

``points`` are base64 bytes, five per point of the figure (``evidence.figure_views``). ``picture`` is a small PNG as
base64, for people. In rosters taught before the format had views, ``look`` is only that picture, as a string.
"""

from __future__ import annotations

import base64
import binascii
from functools import cached_property
from typing import Annotated, Any

from msgspec import Meta

from assistant.documents.reading import Wire
from assistant.errors import BadValue
from assistant.table.fields import HexColor
from assistant.table.roster import POINT_BYTES, VIEW_POINTS, FigureLook, LookView
from assistant.translations.messages import said

LOOK_VERSION = 1

MAX_VIEWS = 12
"""Cap on views. Three sides identify a figure. More only take time."""

MAX_PICTURE_BYTES = 200_000
"""Size cap in bytes. A crop of 128 pixels a side has about 30 kB."""

_LONGEST = MAX_PICTURE_BYTES * 4 // 3 + 4
_Base64 = Annotated[str, Meta(max_length=_LONGEST)]


class _ViewWire(Wire):
    tilt_deg: Annotated[float, Meta(ge=0, le=90)]
    points: _Base64

    @cached_property
    def made(self) -> LookView:
        points = _bytes(self.points, "points")
        if not 0 < len(points) <= VIEW_POINTS * POINT_BYTES or len(points) % POINT_BYTES:
            text = said("The points of this figure are damaged. Teach the figure again.")
            raise BadValue(text, field="points")
        return LookView(self.tilt_deg, points)


class LookWire(Wire):
    """A look in a document."""

    version: int
    views: Annotated[tuple[_ViewWire, ...], Meta(max_length=MAX_VIEWS)] = ()
    rim: HexColor | None = None
    picture: _Base64 = ""

    @cached_property
    def made(self) -> FigureLook:
        if self.version != LOOK_VERSION:
            text = said("Another version of Sightline taught this look. Teach the figure again.")
            raise BadValue(text, field="version")
        rim = self.rim.lower() if self.rim else None
        return FigureLook(tuple(view.made for view in self.views), rim, picture_bytes(self.picture, "picture"))


def look_document(look: FigureLook) -> dict[str, Any]:
    """Return the document of a look, for a roster."""
    document: dict[str, Any] = {"version": LOOK_VERSION}
    if look.rim is not None:
        document["rim"] = look.rim
    document["views"] = [{"tilt_deg": view.tilt_deg, "points": _text(view.points)} for view in look.views]
    if look.picture_png:
        document["picture"] = _text(look.picture_png)
    return document


def picture_bytes(text: str, field: str) -> bytes:
    """Decode the picture of a look, which is all that old rosters hold.

    Raises:
        BadValue: it is too large, or is not base64.
    """
    picture = _bytes(text, field)
    if len(picture) > MAX_PICTURE_BYTES:
        raise BadValue(said("The picture of this figure is too large. Crop it closer."), field=field)
    return picture


def _bytes(text: str, field: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadValue(said("This is not base64. Teach the figure again."), field=field) from None


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()

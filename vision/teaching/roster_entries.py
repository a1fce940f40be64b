"""Figures and doors put into a roster document; whatever else stands in it stays as it is.

Beside the fields of the format each entry may have ``look``: a small PNG of how it looked when it was taught, as
base64. It is what a figure without a ring is told by to people, and keeps the document whole in one file.
"""

from __future__ import annotations

import base64
from typing import Any

import msgspec

from assistant.documents import roster_document, roster_from_json
from assistant.errors import BadValue
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from assistant.translations.messages import said

MAX_LOOK_BYTES = 200_000
"""A crop of 128 pixels a side has about 30 kB."""

NO_DOORS = DoorSpec(0, 1, 30.0, 2.0)


def empty_roster() -> bytes:
    """A ``sightline.roster/1`` document without figures and doors."""
    return msgspec.json.encode(roster_document(Roster((), NO_DOORS)))


def with_figure(document: bytes, figure: RosterFigure, look_png: bytes | None) -> bytes:
    """The roster with the figure, in the place of the one of its id if there is one.

    Raises:
        DocumentError: the document, or the figure in it, breaks the format.
    """
    raw = _checked(document)
    fields = roster_document(Roster((figure,), NO_DOORS))["figures"][0]
    entry = {**fields, **_look(look_png)}
    others = [one for one in raw["figures"] if one["id"] != figure.id]
    place = next((i for i, one in enumerate(raw["figures"]) if one["id"] == figure.id), len(others))
    raw["figures"] = [*others[:place], entry, *others[place:]]
    return _encoded(raw)


def with_doors(document: bytes, doors: DoorSpec, look_png: bytes | None) -> bytes:
    """The roster with these doors.

    Raises:
        DocumentError: the document, or the doors in it, break the format.
    """
    raw = _checked(document)
    raw["doors"] = {**roster_document(Roster((), doors))["doors"], **_look(look_png)}
    return _encoded(raw)


def free_id(document: bytes, kind: str) -> str:
    """A name for one more figure of a kind: ``imp``, then ``imp-2``, ``imp-3`` and so on."""
    taken = {figure.id for figure in roster_from_json(document).figures}
    number = 1
    while (name := kind if number == 1 else f"{kind}-{number}") in taken:
        number += 1
    return name


def _checked(document: bytes) -> dict[str, Any]:
    roster_from_json(document)
    raw: dict[str, Any] = msgspec.json.decode(document)
    return raw


def _encoded(raw: dict[str, Any]) -> bytes:
    document = msgspec.json.encode(raw)
    roster_from_json(document)
    return document


def _look(png: bytes | None) -> dict[str, str]:
    if png is not None and len(png) > MAX_LOOK_BYTES:
        raise BadValue(said("the picture of what was taught is too large to be kept; crop it closer"), field="look")
    return {} if png is None else {"look": base64.b64encode(png).decode()}

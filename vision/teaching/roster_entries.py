"""Insert figures and doors into a roster document, without other changes.

Beside the fields of the format each entry may have ``look``. A figure's look (``assistant.documents.looks``) identifies
it and its kind without a visible ring. A door's look is a small PNG as base64, for people.
"""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

import msgspec

from assistant.documents import plain_utf8, roster_document, roster_from_json
from assistant.documents.looks import MAX_PICTURE_BYTES, MAX_VIEWS
from assistant.errors import BadValue
from assistant.table.roster import DoorSpec, FigureLook, Roster, RosterFigure
from assistant.translations.messages import said

NO_DOORS = DoorSpec(0, 1, 30.0, 2.0)


def empty_roster() -> bytes:
    """Return a ``sightline.roster/1`` document without figures and doors."""
    return msgspec.json.encode(roster_document(Roster((), NO_DOORS)))


def with_figure(document: bytes, figure: RosterFigure) -> bytes:
    """Return the roster with the figure, which replaces any of the same id.

    A figure taught again keeps its earlier views, the newest first.

    Raises:
        DocumentError: the document, or the figure in it, breaks the format.
    """
    raw = _decode(document)
    before = next((one for one in roster_from_json(document).figures if one.id == figure.id), None)
    entry = roster_document(Roster((_keep_views(figure, before),), NO_DOORS))["figures"][0]
    others = [one for one in raw["figures"] if one["id"] != figure.id]
    place = next((i for i, one in enumerate(raw["figures"]) if one["id"] == figure.id), len(others))
    raw["figures"] = [*others[:place], entry, *others[place:]]
    return _encode(raw)


def with_doors(document: bytes, doors: DoorSpec, look_png: bytes | None) -> bytes:
    """Return the roster with these doors.

    Raises:
        BadValue: the picture is too large.
        DocumentError: the document, or the doors in it, break the format.
    """
    if look_png is not None and len(look_png) > MAX_PICTURE_BYTES:
        raise BadValue(said("the picture is too large to save; crop it closer"), field="look")
    raw = _decode(document)
    look = {} if look_png is None else {"look": base64.b64encode(look_png).decode()}
    raw["doors"] = {**roster_document(Roster((), doors))["doors"], **look}
    return _encode(raw)


def merged_rosters(mine: bytes, theirs: bytes, *, theirs_win: bool) -> bytes:
    """Merge both rosters. Of two figures of one id, and of two kinds of doors, one wins.

    Raises:
        DocumentError: one of them, or both together, break the format.
    """
    raw, other = _decode(mine), _decode(theirs)
    figures = {one["id"]: one for one in raw["figures"]}
    for one in other["figures"]:
        if one["id"] not in figures or theirs_win:
            figures[one["id"]] = one
    raw["figures"] = list(figures.values())
    if theirs_win or not raw["doors"]["count"]:
        raw["doors"] = other["doors"]
    return _encode(raw)


def free_id(document: bytes, kind: str) -> str:
    """Return an id for another figure of a kind: ``imp``, then ``imp-2``, ``imp-3`` and so on."""
    taken = {figure.id for figure in roster_from_json(document).figures}
    number = 1
    while (name := kind if number == 1 else f"{kind}-{number}") in taken:
        number += 1
    return name


def _decode(document: bytes) -> dict[str, Any]:
    roster_from_json(document)
    raw: dict[str, Any] = msgspec.json.decode(plain_utf8(document))
    return raw


def _encode(raw: dict[str, Any]) -> bytes:
    document = msgspec.json.encode(raw)
    roster_from_json(document)
    return document


def _keep_views(figure: RosterFigure, before: RosterFigure | None) -> RosterFigure:
    """Return the figure with its earlier views, if it is of the same kind on the same base."""
    if figure.look is None or before is None or before.look is None:
        return figure
    if (figure.kind, figure.base_shape, figure.size) != (before.kind, before.base_shape, before.size):
        return figure
    views = tuple(dict.fromkeys((*figure.look.views, *before.look.views)))[:MAX_VIEWS]
    return replace(figure, look=FigureLook(views, figure.look.rim or before.look.rim, figure.look.picture_png))

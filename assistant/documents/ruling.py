"""``sightline.ruling/1`` and ``sightline.reach/1``: answers of the rules."""

from __future__ import annotations

import math
from typing import Any

from assistant.documents.board import edge_document
from assistant.rules.ruling import Blocker, Place, Reach, Ruling, SightLine


def ruling_document(ruling: Ruling) -> dict[str, Any]:
    """The ``sightline.ruling/1`` document of a ruling."""
    document: dict[str, Any] = {
        "format": "sightline.ruling/1",
        "ruleset": ruling.ruleset,
        "attacker": ruling.attacker,
        "defender": ruling.defender,
        "range": ruling.range,
        "line_of_sight": ruling.line_of_sight,
        "cover": ruling.cover,
        "origin": None if ruling.origin is None else _place(ruling.origin),
        "lines": [_line_document(line) for line in ruling.lines],
        "reasons": [
            {"rule": reason.rule, "text": reason.text, "arguments": dict(reason.arguments)} for reason in ruling.reasons
        ],
        "options": dict(ruling.options),
        "stability": ruling.stability,
    }
    if ruling.distance_mm is not None:
        document["distance_mm"] = ruling.distance_mm
    return document


def reach_document(reach: Reach) -> dict[str, Any]:
    """The ``sightline.reach/1`` document of a reach."""
    return {
        "format": "sightline.reach/1",
        "ruleset": reach.ruleset,
        "figure": reach.figure,
        "points": reach.points,
        "ends": [{"cells": [list(cell) for cell in end.cells], "cost": end.cost} for end in reach.ends],
    }


def _line_document(line: SightLine) -> dict[str, Any]:
    return {
        "from": _place(line.start),
        "to": _place(line.end),
        "purpose": line.purpose,
        "blocked_by": None if line.blocked_by is None else _blocker(line.blocked_by),
    }


def _place(place: Place) -> list[float]:
    return [int(v) if float(v).is_integer() else float(v) for v in place if math.isfinite(v)]


def _blocker(blocker: Blocker) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": blocker.kind}
    if blocker.edge is not None:
        document.update(edge_document(blocker.edge))
    if blocker.id is not None:
        document["id"] = blocker.id
    if blocker.cell is not None:
        document["cell"] = list(blocker.cell)
    return document

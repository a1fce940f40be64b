"""``sightline.ruling/1``, ``sightline.reach/1`` and ``sightline.about/1``: answers of the rules."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from assistant.documents.board import edge_document
from assistant.rules.claims import Claim
from assistant.rules.reasons import Rule, plain_blocker
from assistant.rules.ruling import Change, Flip, LinePoint, Origin, Reach, Reason, Ruling, SightLine
from assistant.rules.whatif import SightMap
from assistant.translations.catalogue import ENGLISH, translate


def ruling_document(ruling: Ruling, rules: Mapping[str, Rule], language: str = ENGLISH) -> dict[str, Any]:
    """Return the ``sightline.ruling/1`` document of a ruling, with its reasons as already worded.

    ``rules`` are the reasons' rules by id. ``language`` applies to their sources.
    """
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
        "reasons": [_reason_document(reason, rules, language) for reason in ruling.reasons],
        "options": dict(ruling.options),
        "stability": ruling.stability,
    }
    if ruling.origins:
        document["origins"] = [_origin_document(origin) for origin in ruling.origins]
    if ruling.adjacent is not None:
        document["adjacent"] = ruling.adjacent
    if ruling.changes:
        document["changes"] = [_change_document(change) for change in ruling.changes]
    if ruling.flips:
        document["flips"] = [_flip_document(flip) for flip in ruling.flips]
    if ruling.distance_mm is not None:
        document["distance_mm"] = ruling.distance_mm
    return document


def without_words(ruling: Mapping[str, Any]) -> dict[str, Any]:
    """Return a ``sightline.ruling/1`` document without the sentences and sources of its reasons.

    These follow from rule, phrase and arguments, and another version may word them differently.
    """
    reasons = [
        {name: value for name, value in reason.items() if name not in {"text", "source"}}
        for reason in ruling.get("reasons", ())
    ]
    return {**ruling, "reasons": reasons}


def about_document(
    ruleset: str, figure: str, reasons: tuple[Reason, ...], rules: Mapping[str, Rule], language: str = ENGLISH
) -> dict[str, Any]:
    """Return the ``sightline.about/1`` document of the effects on one figure. ``rules`` are the reasons' rules."""
    return {
        "format": "sightline.about/1",
        "ruleset": ruleset,
        "figure": figure,
        "reasons": [_reason_document(reason, rules, language) for reason in reasons],
    }


def reach_document(reach: Reach) -> dict[str, Any]:
    """Return the ``sightline.reach/1`` document of a reach."""
    return {
        "format": "sightline.reach/1",
        "ruleset": reach.ruleset,
        "figure": reach.figure,
        "points": reach.points,
        "ends": [{"cells": [list(cell) for cell in end.cells], "cost": end.cost} for end in reach.ends],
    }


def claim_document(claim: Claim, language: str = ENGLISH) -> dict[str, Any]:
    """Return one of two claims for a ``sightline.ruling/1`` document, worded in that language."""
    return {
        "about": claim.about,
        "says": claim.says,
        "holds": claim.holds,
        "words": claim.words().worded(language),
        "answer": claim.answer().worded(language),
        "under": [
            {
                "option": option.name,
                "choice": choice,
                "text": f"{translate(option.title, language)}: {translate(option.choice_title(choice), language)}",
                "source": translate(option.source, language),
            }
            for option, choice in claim.under
        ],
    }


def _reason_document(reason: Reason, rules: Mapping[str, Rule], language: str) -> dict[str, Any]:
    document: dict[str, Any] = {"rule": reason.rule, "text": reason.text, "arguments": dict(reason.arguments)}
    if reason.rule in rules:
        document["source"] = translate(rules[reason.rule].source, language)
    if reason.phrase:
        document["phrase"] = reason.phrase
    return document


def sight_map_document(ruleset: str, found: SightMap) -> dict[str, Any]:
    """Return the ``sightline.map/1`` document of a what-if map."""
    return {
        "format": "sightline.map/1",
        "ruleset": ruleset,
        "question": found.question,
        "figure": found.figure,
        "target": found.target,
        "asked": [list(cell) for cell in found.asked],
        "holds": [list(cell) for cell in sorted(found.holds)],
    }


def _line_document(line: SightLine) -> dict[str, Any]:
    return {
        "from": _place(line.start),
        "to": _place(line.end),
        "purpose": line.purpose,
        "blocked_by": None if line.blocked_by is None else plain_blocker(line.blocked_by),
    }


def _origin_document(origin: Origin) -> dict[str, Any]:
    return {
        "at": _place(origin.place),
        "line_of_sight": origin.line_of_sight,
        "cover": origin.cover,
        "targets": [_place(target) for target in origin.targets],
    }


def _change_document(change: Change) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": change.kind, "flips": change.flips, "becomes": change.becomes}
    if change.subject is not None:
        document["id"] = change.subject
    if change.cells:
        document["cells"] = [list(cell) for cell in change.cells]
    if change.edge is not None:
        document["edge"] = edge_document(change.edge)
    return document


def _flip_document(flip: Flip) -> dict[str, Any]:
    return {
        "kind": flip.kind,
        "ids": list(flip.subjects),
        "cells": [list(cell) for cell in flip.cells],
        "chance": round(flip.chance, 4),
        "range": flip.range,
        "line_of_sight": flip.line_of_sight,
        "cover": flip.cover,
    }


def _place(place: LinePoint) -> list[float]:
    x, y = place
    if type(x) is int and type(y) is int:  # the common case, and a ruling has dozens
        return [x, y]
    return [int(v) if float(v).is_integer() else float(v) for v in place if math.isfinite(v)]

"""A client of the guide alone: it presses offers as the page does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assistant.match.actor import Actor, player
from assistant.match.audience import JUDGE_VIEW, Audience
from assistant.match.game import INVADER

TABLE = Actor(role="table")


def looked(match: Any, wish: Mapping[str, Any] | None = None, audience: Audience = JUDGE_VIEW) -> dict[str, Any]:
    """Return the guide for a considered attack."""
    found: dict[str, Any] = match.session.guide(wish or {}, audience)
    return found


def offer(guide: Mapping[str, Any], type_: str, **fields: Any) -> dict[str, Any]:
    """Return the first offer of that type with these fields.

    Raises:
        AssertionError: there is none.
    """
    for found in guide["offers"]:
        if found["type"] == type_ and all(found["fields"].get(name) == value for name, value in fields.items()):
            result: dict[str, Any] = found
            return result
    raise AssertionError(f"no {type_} is offered, but {[other['type'] for other in guide['offers']]}")


def pressed(
    match: Any,
    chosen: Mapping[str, Any],
    faces: Sequence[str] | None = None,
    which: Sequence[int] = (),
    **inputs: Any,
) -> Any:
    """Give the command of an offer: with the program's dice, or with these faces typed by their texts."""
    known = {entry["field"]: entry for entry in chosen["inputs"]}
    assert set(inputs) <= set(known), f"there is nothing to fill in called {set(inputs) - set(known)}"
    command = {**chosen["fields"]}
    for name, entry in known.items():
        value = inputs.get(name, entry["value"])
        if value is None or (entry["kind"] == "tags" and not value):
            continue
        command[name] = {entry["key"]: value} if entry["kind"] == "tags" else value
        if entry["kind"] == "figures":
            command[name] = [*chosen["fields"].get(name, ()), *value]
    if chosen["roll"] is not None:
        command |= rolled(chosen["roll"], faces, which)
    by = player(INVADER) if chosen["type"] == "dodge_by_card" else TABLE
    return match.session.command({"type": chosen["type"], **command}, by)


def rolled(roll: Mapping[str, Any], faces: Sequence[str] | None, which: Sequence[int]) -> dict[str, Any]:
    """Return the dice of a command in the form that the offer names."""
    picked = {"which": list(which)} if roll["picks"] else {}
    if faces is None:
        return picked
    dice = [roll["dice"][place] for place in which] if roll["picks"] else roll["dice"]
    values = [
        next(face["value"] for face in die["faces"] if face["text"] == text)
        for die, text in zip(dice, faces, strict=True)
    ]
    told: dict[str, Any] = {"rolled_here": False, **picked}
    if roll["form"] == "pairs":
        told[roll["field"]] = [[die["color"], value] for die, value in zip(dice, values, strict=True)]
    elif roll["form"] == "values":
        told[roll["field"]] = values
    elif roll["form"] == "groups":
        told[roll["field"]] = [
            [value for die, value in zip(dice, values, strict=True) if die["group"] == group] for group in (0, 1)
        ]
    else:
        told |= {die["field"]: value for die, value in zip(dice, values, strict=True)}
    return told

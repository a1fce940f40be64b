"""Small skirmishes of `roads` for its rules, one by one: fighters of our own on a table of 1200 by 900 mm, a step
is 50 mm.
"""

from __future__ import annotations

from typing import Any

from sightline_tests_match_builders import BRIDGE, Played, begun, field, mission, with_setup

from assistant.games.roads.match.duel import count_dice, count_excess, list_unfought
from assistant.games.roads.match.pending import PendingDuel
from assistant.match.audience import PUBLIC

STEP_MM = 50


def fighter(name: str, side: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    """Return a model with 4 of everything, on a base of 25 mm."""
    values = {"mobility": 4, "toughness": 4, "spirit": 4, "combat": 4}
    return {"id": name, "side": side, "center_mm": [x, y], **values, **more}


def wall(name: str, left: float, top: float, right: float, bottom: float, **more: Any) -> dict[str, Any]:
    """Return a rectangular piece of terrain, of 60 mm unless it says otherwise."""
    outline = [[left, top], [right, top], [right, bottom], [left, bottom]]
    return {"id": name, "outline_mm": outline, "height_mm": 60, "kind": "wall", **more}


def skirmish(*fighters: dict[str, Any], terrain: tuple[dict[str, Any], ...] = (), **more: Any) -> Played:
    """Return a match of these models, begun on a seen table; ``more`` holds ``options`` and ``arms``."""
    sides = list(dict.fromkeys(each["side"] for each in fighters))
    base = with_setup(mission(BRIDGE), sides=sides, fighters=list(fighters), arms=more.get("arms", {}))
    match = begun(base, options=more.get("options"))
    match.do("see", document={**field(base), "terrain": list(terrain)})
    match.do("begin")
    return match


def roll(match: Any, *values: int) -> None:
    """The tests and rolls that are due, with these faces."""
    for value in values:
        match.do("test", rolled_here=False, roll=value)


def go_to(match: Any, phase: str, side: str | None = None) -> None:
    """Advance to that phase (of that side): tests pass, and no model is drawn in."""
    while True:
        while match.game.due:
            roll(match, 1)
        if match.game.phase == phase and side in (None, match.game.active):
            return
        end_phase(match)
        while match.game.due:
            roll(match, 1)
        for name in match.game.to_draw_in:
            match.do("draw_in", figure=name, avoids=True)


def end_phase(match: Any) -> None:
    """End the phase; required fights of several are decided, and no armour fails."""
    while match.game.phase == "melee" and (pairs := list_unfought(match.game)):
        duel = PendingDuel(fighters=pairs[0], excess=count_excess(match.game, pairs[0]))
        fight(match, *pairs[0], *([2] * count for count in count_dice(match.game, duel)))
        for hit in match.game.hits:
            match.do("wound", figure=hit.figure)
    match.do("next")


def fight(match: Any, first: str, second: str, *rolls: list[int], **more: Any) -> dict[str, Any]:
    """Return the view before the decision of a fight with these dice."""
    match.do("fight", fighters=[first, second], rolled_here=False, rolls=list(rolls), **more)
    told = match.session.view(PUBLIC)["fight"]
    match.do("strike")
    return told


def marks(match: Any, figure: str) -> set[str]:
    """Return the tokens beside a model."""
    return set(match.game.piece(figure).marks)

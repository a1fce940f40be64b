"""Was that legal, in DOOM 2004: by hand where the seeds are silent, no for violations, later corrections."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from loading import beside

from assistant.match.actor import CAMERA, JUDGE

CLAIMS = beside(__file__, "test_claims2004")
RED, GREEN, IMP, ZOMBIE = "red-marine", "green-marine", "imp-1", "zombie-1"


def verdict(match: Any) -> tuple[str, str]:
    """Return the verdict on the last event, and the source that it cites."""
    session = match.played.session
    found = session.judge(session.seq, JUDGE)
    return str(found["verdict"]), str(found["rule"]["source"])


def begun(build: ModuleType, **setup: Any) -> Any:
    return CLAIMS.Match(build, **setup)


def respawned(build: ModuleType) -> Any:
    match = begun(build).begin()
    match.do("frag", by=JUDGE, figure=RED)
    match.do("respawn", cells=[[0, 3]])
    return match


def modified(build: ModuleType) -> Any:
    match = begun(build).begin("unload")
    match.shoot(ZOMBIE)
    match.do("modify", reason="smoke", range=-1)
    return match


def unseen_attack(build: ModuleType) -> Any:
    match = begun(build, places={"zombie_3": [[3, 0]], "zombie_1": [[5, 0]]}).begin("unload")
    match.shoot(ZOMBIE, needs_sight=False)
    return match


def paid_token(build: ModuleType) -> Any:
    match = begun(build, places={"red_marine": [[2, 0]]}).begin("advance")
    match.do("take", item="shotgun-token", cost=1)
    return match


def teleported(build: ModuleType) -> Any:
    match = begun(build, places={"red_marine": [[1, 2]]}).begin("advance")
    match.do("teleport", teleporter="teleporter-2", cost=2)
    return match


def acted_by_a_plain_card(build: ModuleType) -> Any:
    match = begun(build, cards=CLAIMS.with_events("any")).begin("advance")
    match.do("activate", figure=IMP, by_card=True)
    return match


def wounded(build: ModuleType) -> Any:
    match = begun(build).begin()
    match.do("damage", figure=RED, amount=1)
    return match


@pytest.mark.parametrize(
    ("done", "source"),
    [
        (respawned, "How to play"),
        (modified, "Aggressor"),
        (unseen_attack, "Aggressor"),
        (paid_token, "Setting up the marine team"),
        (teleported, "Telefrags"),
        (acted_by_a_plain_card, "Timing and Start of Turn"),
        (wounded, "Step 5: wounds"),
    ],
)
def test_by_hand_where_the_seeds_are_silent(build: ModuleType, done: Any, source: str) -> None:
    found, cited = verdict(done(build))
    assert found == "by hand"
    assert source in cited


def seen(match: Any, **places: Any) -> None:
    """The camera sees the table with these figures elsewhere."""
    board = match.game.ground
    figures = [
        {"id": piece.id, "kind": piece.kind, "side": piece.side, "cells": [list(cell) for cell in piece.cells]}
        for piece in match.game.standing()
    ]
    moved = {name.replace("_", "-"): cells for name, cells in places.items()}
    document = {**CLAIMS.hall(), "figures": [{**one, "cells": moved.get(one["id"], one["cells"])} for one in figures]}
    assert board
    match.do("see", by=CAMERA, document=document)


def test_a_figure_that_is_put_back_is_set_right(build: ModuleType) -> None:
    match = begun(build, table=CLAIMS.hall()).begin("advance")
    seen(match, green_marine=[[3, 3]])
    found, cited = verdict(match)
    assert found == "no"
    assert "Movement" in cited or "The marine turn" in cited
    seen(match, green_marine=[[0, 1]])
    assert verdict(match)[0] == "set right"


def test_a_legal_move_that_the_camera_saw_cites_movement(build: ModuleType) -> None:
    match = begun(build, table=CLAIMS.hall()).begin("advance")
    seen(match, red_marine=[[2, 0]])
    assert verdict(match) == ("yes", "Rules, “Movement”")


@pytest.mark.parametrize("steps", [4, 5])
def test_a_seen_move_is_held_to_the_points(build: ModuleType, steps: int) -> None:
    match = begun(build, table=CLAIMS.hall()).begin("advance")
    seen(match, red_marine=[[steps, 0]] if steps == 4 else [[5, 1]])
    assert verdict(match)[0] == ("yes" if steps == 4 else "no")

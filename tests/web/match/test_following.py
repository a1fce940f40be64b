"""A hand that follows the large buttons ends every shipped mission, on every set of devices: each button has an answer.

The same on the page itself, with real taps, is in ``tests/browser/test_following.py``.
"""

from __future__ import annotations

import random

import pytest
from loading import beside

import assistant.app.matches.archive as kept
from assistant.app.matches.archive import KeptMatches, list_shipped_missions
from assistant.app.matches.choice import MatchShow
from assistant.app.matches.match_menu import MatchMenu
from web.serving.roles import Role

following = beside(__file__, "following")
CHANGE = {"X-Sightline": "1"}

SETS = {
    "one shared": ((Role.OWNER, None),),
    "a guest's alone": ((Role.PLAYER, None),),
    "owner first": ((Role.OWNER, 0), (Role.PLAYER, 1)),
    "owner second": ((Role.OWNER, 1), (Role.PLAYER, 0)),
}
"""The devices of a match: the role of each, and its side; None is handed round."""

WHIMS = {
    "doom2004_knee_deep_sample": (4, 1, 2, 3),
    "doom2004_sample_table": (2, 3, 1, 4),
    "doom2016_sample_table": (5, 2, 4, 6),
    "doom2016_tutorial_sample": (1, 5, 2, 3, 4),
}
"""Seeds of choices to try on a mission in order; the quickest ones first."""


@pytest.fixture
def walk(app, build, state, tmp_path, monkeypatch):
    """Begins a mission for a set of devices: a walk through it."""
    matches = KeptMatches(tmp_path)
    show = MatchShow(state.match.play, state.match.announce, lambda view: None)
    build.put(state, archive=matches, matches=MatchMenu(matches, show.change))

    def hand(role, side):
        client = app.test_client()
        token, _ = state.door.devices.admit(role)
        client.set_cookie("sightline", token)
        name = f"{role} {side or 'shared'}"

        def get(path):
            answer = client.get(f"/api/v1{path}")
            assert answer.status_code == 200, f"{name}: {path}: {answer.get_data(as_text=True)}"
            return answer.get_json()

        def send(path, body):
            answer = client.post(f"/api/v1{path}", json=body, headers=CHANGE)
            assert answer.status_code < 300, f"{name}: {path} {body}: {answer.get_data(as_text=True)}"
            return answer.get_json()

        if side:
            send("/seat", {"side": side})
        return following.Hand(name, get, send)

    def begin(mission, devices, seed):
        monkeypatch.setattr(kept, "new_seed", lambda: str(seed))
        session = state.matches.begin(f"Friday {seed}", mission, {}, on_sample_table=True)
        sides = list(dict.fromkeys(piece.side for piece in session.timeline.game.pieces.values()))
        for device in state.door.devices.all():  # those of the previous walk, which would keep their sides
            state.door.devices.end(device.id)
        hands = [hand(role, None if place is None else sides[place]) for role, place in SETS[devices]]
        return following.Walk(hands, random.Random(seed), following.towards_goals)

    yield begin
    matches.close()


ON_THE_CAMERAS_TABLE = {"doom2016_simulated_fight"}
"""Its key is only on the simulated camera's table: `tests/browser/test_whole_2016.py` plays it there."""


@pytest.mark.parametrize("devices", SETS)
@pytest.mark.parametrize("mission", [one for one in list_shipped_missions() if one not in ON_THE_CAMERAS_TABLE])
def test_a_hand_that_follows_the_large_buttons_ends_the_match(walk, mission, devices):
    """No whims leave it without a next step, and some of them reach its end."""
    is_shared = len(SETS[devices]) == 1
    for seed in WHIMS.get(mission, (1, 2, 3, 4)):
        taken = walk(mission, devices, seed)
        winner = taken.plays()
        assert bool(taken.covers) == (is_shared and not mission.startswith("roads"))
        if winner is not None:
            return
    raise AssertionError(f"no end: {taken.done}")

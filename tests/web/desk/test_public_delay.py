"""Published pairings and clocks are public at once; results have the organiser's delay, to the second."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from loading import beside

from web.desk.routes import create_desk_app
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}
DELAY_S = 900.0
LIST = b"Round,Table,Player 1,Player 2\n1,one,Ann,Bo\n1,two,Cy,Di\n"


@pytest.fixture
def hall(tmp_path: Path, build: ModuleType) -> Iterator[Any]:
    """A desk whose clock a test sets, a judge's browser and a spectator's."""
    state = beside(__file__, "hall_page").make_hall_page(tmp_path, build)
    clock = SimpleNamespace(now_s=10_000.0)
    state.delay_s, state.now_s = DELAY_S, lambda: clock.now_s
    app = create_desk_app(state)
    judge, spectator = app.test_client(), app.test_client()
    token, _ = state.door.devices.admit(Role.JUDGE)
    judge.set_cookie("sightline", token)
    yield SimpleNamespace(state=state, clock=clock, judge=judge, spectator=spectator)
    state.hall.store.close()


def shown(hall: Any, at_s: float) -> Any:
    """Return the public view at a time."""
    hall.clock.now_s = at_s
    answer = hall.spectator.get("/api/v1/public")
    assert answer.status_code == 200
    return answer.get_json()


def results(view: Any) -> list[str]:
    return [pairing["result"] for one in view["rounds"] for pairing in one["pairings"]]


def test_a_result_is_public_when_the_delay_is_over_and_not_a_moment_before(hall: Any) -> None:
    assert hall.judge.post("/api/v1/hall/rounds", data=LIST, headers=CHANGE).status_code == 200
    hall.clock.now_s = 11_000.0
    hall.judge.post("/api/v1/hall/results", json={"round": 1, "table": "one", "result": "1-0"}, headers=CHANGE)
    hall.clock.now_s = 11_500.0
    hall.judge.post("/api/v1/hall/results", json={"round": 1, "table": "one", "result": "0-1"}, headers=CHANGE)
    now = hall.judge.get("/api/v1/hall").get_json()
    assert results(now) == ["0-1", "*"]

    assert "Ann" not in str(shown(hall, 11_500.0))
    publish(hall, is_public=True)
    assert results(shown(hall, 11_500.0)) == ["*", "*"]
    assert results(shown(hall, 11_000.0 + DELAY_S - 0.1)) == ["*", "*"]
    assert results(shown(hall, 11_000.0 + DELAY_S)) == ["1-0", "*"]
    assert results(shown(hall, 11_500.0 + DELAY_S - 0.1)) == ["1-0", "*"]
    assert results(shown(hall, 11_500.0 + DELAY_S)) == ["0-1", "*"]


def publish(hall: Any, *, is_public: bool) -> Any:
    """Return a judge's tap on “Publish the pairings”, or on “Withdraw”."""
    body = {"is_public": is_public}
    return hall.judge.post("/api/v1/hall/rounds/1/publication", json=body, headers=CHANGE)


def test_pairings_are_public_at_once_when_a_judge_publishes_them_and_can_be_withdrawn(hall: Any) -> None:
    hall.judge.post("/api/v1/hall/rounds", data=LIST, headers=CHANGE)
    assert shown(hall, 10_001.0)["rounds"] == []
    assert publish(hall, is_public=True).status_code == 200
    assert "Ann" in str(shown(hall, 10_002.0))
    assert publish(hall, is_public=False).status_code == 200
    assert shown(hall, 10_003.0)["rounds"] == []


def test_the_public_clock_is_exact_and_a_begun_round_cannot_be_withdrawn(hall: Any) -> None:
    hall.judge.post("/api/v1/hall/rounds", data=LIST, headers=CHANGE)
    hall.clock.now_s = 20_000.0
    hall.judge.post("/api/v1/hall/rounds/1/clock", json={"runs": True, "minutes": 60}, headers=CHANGE)
    (public,) = shown(hall, 20_030.0)["rounds"]
    (desk,) = hall.judge.get("/api/v1/hall").get_json()["rounds"]
    assert (public["runs"], public["left_s"]) == (True, 3600 - 30) == (desk["runs"], desk["left_s"])
    refused = publish(hall, is_public=False)
    assert (refused.status_code, refused.get_json()["error"]["kind"]) == (409, "IllegalStep")


def test_calls_and_tables_are_never_public(hall: Any) -> None:
    publish(hall, is_public=True)
    view = shown(hall, 10_000_000.0)
    assert set(view) == {"delay_s", "rounds"}
    assert view["delay_s"] == DELAY_S
    assert "Bravo" not in str(view)
    given = [pairing["extension_s"] for one in view["rounds"] for pairing in one["pairings"]]
    assert set(given) == {0}, "time that a judge gave back tells of a call"

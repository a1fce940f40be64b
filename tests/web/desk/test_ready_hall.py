"""The hall is cached for pages, never older than their last event, and sends only changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hall_builders import wait_for

from assistant.errors import StoreError
from assistant.translations.messages import said
from web.desk.ready import ReadyHall


def table(name: str, **other: object) -> dict[str, Any]:
    return {"name": name, "condition": "online", "unheard_s": 0.4, "title": "", "match": "", "round": 0, **other}


def pairing(number: int, result: str = "*") -> dict[str, Any]:
    return {"table": str(number), "place": f"table-{number}", "result": result, "left_s": 900.0}


def hall(tables: list[dict[str, Any]], pairings: list[dict[str, Any]]) -> dict[str, Any]:
    rounds = [{"number": 1, "runs": True, "left_s": 900.0, "pairings": pairings}]
    return {"now_s": 1.0, "tables": tables, "calls": [], "rounds": rounds, "problems": []}


FIRST = hall([table("table-1"), table("table-2")], [pairing(1), pairing(2)])


class Painter:
    """Counts the hall's computations; its answer is set from outside."""

    def __init__(self) -> None:
        self.now: dict[str, Any] | None = deepcopy(FIRST)
        self.count = 0
        self.changes = 0

    def __call__(self, language: str) -> dict[str, Any]:
        self.count += 1
        if self.now is None:
            raise StoreError(said("the store is away"))
        return deepcopy(self.now)

    def changed(self) -> None:
        self.changes += 1


@pytest.fixture
def painter() -> Painter:
    return Painter()


@pytest.fixture
def ready(painter: Painter) -> Iterator[ReadyHall]:
    made = ReadyHall(painter, painter.changed, "run")
    made.start()
    yield made
    made.close()


def seen(ready: ReadyHall, since: str = "") -> Any:
    return json.loads(ready.document("en", since))


def names(answer: Any) -> list[str]:
    return [one["name"] for one in answer["tables"]]


def test_many_pages_cost_what_one_costs(ready: ReadyHall, painter: Painter) -> None:
    assert {ready.document("en") for _ in range(500)} == {ready.document("en")}
    assert painter.count < 20


def test_an_announced_change_is_in_the_next_answer(ready: ReadyHall, painter: Painter) -> None:
    seen(ready)
    for problem in ("second", "third"):
        assert painter.now is not None
        painter.now["problems"] = [problem]
        ready.outdate()
        assert seen(ready)["problems"] == [problem]


def test_a_store_that_is_away_is_reported_and_the_hall_comes_back(ready: ReadyHall, painter: Painter) -> None:
    seen(ready)
    before, painter.now = painter.now, None
    ready.outdate()
    with pytest.raises(StoreError, match="the store is away"):
        ready.document("en")
    painter.now = before
    wait_for(lambda: names(seen(ready)) == ["table-1", "table-2"], 1.0)


def test_a_page_gets_the_tables_and_pairings_that_changed(painter: Painter) -> None:
    ready = ReadyHall(painter, painter.changed, "run")
    whole = seen(ready)
    assert whole["is_whole"]
    assert names(whole) == ["table-1", "table-2"]
    same = seen(ready, whole["stamp"])
    assert not same["is_whole"]
    assert (names(same), same["rounds"][0]["pairings"], same["stamp"]) == ([], [], whole["stamp"])
    assert painter.now is not None
    painter.now["tables"][1]["condition"] = "offline"
    after = seen(ready, whole["stamp"])
    assert names(after) == ["table-2"]
    painter.now["rounds"][0]["pairings"][0]["result"] = "1-0"
    last = seen(ready, after["stamp"])
    assert (names(last), [one["table"] for one in last["rounds"][0]["pairings"]]) == ([], ["1"])
    assert names(seen(ready, whole["stamp"])) == ["table-2"], "who asks from further back gets all that changed since"


def test_what_passes_by_itself_is_no_change(painter: Painter) -> None:
    ready = ReadyHall(painter, painter.changed, "run")
    stamp = seen(ready)["stamp"]
    assert painter.now is not None
    painter.now["tables"][0].update(unheard_s=2.1, title="Bravo attacks", match="evening", round=3)
    painter.now["rounds"][0].update(left_s=880.0)
    painter.now["rounds"][0]["pairings"][0]["left_s"] = 880.0
    assert seen(ready, stamp)["stamp"] == stamp
    painter.now["tables"][0].update(condition="stale", unheard_s=6.2)
    assert seen(ready, stamp)["stamp"] != stamp


def test_other_tables_or_pairings_come_whole(painter: Painter) -> None:
    ready = ReadyHall(painter, painter.changed, "run")
    assert painter.now is not None
    for change in (painter.now["tables"], painter.now["rounds"][0]["pairings"]):
        stamp = seen(ready)["stamp"]
        change.pop()
        assert seen(ready, stamp)["is_whole"]


@pytest.mark.parametrize("stamp", ["", "run", "run-", "run-9999", "run-x", "run-٣", "other-1", "-1", "run--1"])
def test_a_stamp_of_another_run_gets_the_whole_hall(painter: Painter, stamp: str) -> None:
    ready = ReadyHall(painter, painter.changed, "run")
    seen(ready)
    assert seen(ready, stamp)["is_whole"]


def test_a_change_is_published_once_and_silence_is_not(ready: ReadyHall, painter: Painter) -> None:
    wait_for(lambda: painter.changes == 1, 2.0)
    began = painter.count
    wait_for(lambda: painter.count > began + 3, 3.0)
    assert painter.changes == 1
    assert painter.now is not None
    painter.now["tables"][0]["condition"] = "stale"
    wait_for(lambda: painter.changes == 2, 2.0)

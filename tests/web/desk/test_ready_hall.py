"""The hall's document is ready when pages ask, and never older than the last event they got."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hall_builders import wait_for

from assistant.errors import StoreError
from assistant.translations.messages import said
from web.desk.ready import ReadyHall


class Painter:
    """Counts how often the hall was worked out; what it says is set from outside."""

    def __init__(self) -> None:
        self.says: bytes | None = b"first"
        self.count = 0

    def __call__(self, language: str) -> bytes:
        self.count += 1
        if self.says is None:
            raise StoreError(said("the store is away"))
        return self.says


@pytest.fixture
def painter() -> Painter:
    return Painter()


@pytest.fixture
def ready(painter: Painter) -> Iterator[ReadyHall]:
    made = ReadyHall(painter)
    made.start()
    yield made
    made.close()


def test_many_pages_cost_what_one_costs(ready: ReadyHall, painter: Painter) -> None:
    assert {ready.document("en") for _ in range(500)} == {b"first"}
    assert painter.count < 20


def test_an_announced_change_is_in_the_next_answer(ready: ReadyHall, painter: Painter) -> None:
    ready.document("en")
    for says in (b"second", b"third"):
        painter.says = says
        ready.outdate()
        assert ready.document("en") == says


def test_a_table_that_is_otherwise_is_seen_a_moment_later(ready: ReadyHall, painter: Painter) -> None:
    ready.document("en")
    painter.says = b"second"
    ready.freshen()
    wait_for(lambda: ready.document("en") == b"second", 1.0)


def test_a_store_that_is_away_is_reported_and_the_hall_comes_back(ready: ReadyHall, painter: Painter) -> None:
    ready.document("en")
    painter.says = None
    ready.outdate()
    with pytest.raises(StoreError, match="the store is away"):
        ready.document("en")
    painter.says = b"back"
    wait_for(lambda: ready.document("en") == b"back", 1.0)

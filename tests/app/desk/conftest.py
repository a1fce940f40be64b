"""A real broker and a real PostgreSQL; tests skip with a reason without them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hall_builders as halls
import pytest


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[halls.Broker]:
    """A running broker with the tables one to four and two desks."""
    if halls.MOSQUITTO is None:
        pytest.skip(halls.NO_MOSQUITTO)
    made = halls.make_broker(tmp_path / "tournament", ["one", "two", "three", "four"], ["desk", "desk-2"])
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def postgres() -> Iterator[halls.Postgres]:
    """A running server."""
    binaries = halls.find_postgres()
    if binaries is None:
        pytest.skip(halls.NO_POSTGRES)
    # Beside pytest's own folder, which shuts everybody else out, the server's user among them.
    with tempfile.TemporaryDirectory(prefix="sightline-") as folder:
        Path(folder).chmod(0o755)
        made = halls.make_postgres(Path(folder) / "server", binaries)
        made.start()
        yield made
        made.stop()


@pytest.fixture
def hall(broker: halls.Broker, tmp_path: Path) -> Iterator[Any]:
    """Makes tables and desks in that tournament, and ends them."""
    made: list[Callable[[], None]] = []

    class Hall:
        url = f"sqlite:///{tmp_path / 'desk.db'}"

        def table(self, name: str, **more: Any) -> halls.FakeTable:
            table = halls.FakeTable(name)
            table.join(more.pop("code", broker.codes[name]), tmp_path / f"table-{name}-{len(made)}", **more)
            made.append(lambda: table.leave() if table.link else None)
            return table

        def desk(self, name: str = "desk", url: str = "") -> Any:
            desk, watcher = halls.make_desk(broker.codes[name], url or self.url)
            desk.start()
            made.append(desk.close)
            return desk, watcher

    yield Hall()
    for end in reversed(made):
        end()

"""A filling or unwritable disk is reported in time."""

from __future__ import annotations

from types import SimpleNamespace

from assistant.app.matches.disk_check import ALERT_EVERY_S, LOOK_EVERY_S, DiskCheck
from assistant.errors import DiskFull
from assistant.hosting.disk import LEAST_FREE_MB


class Told:
    """The reports about the disk."""

    def __init__(self) -> None:
        self.problems: dict[str, Exception] = {}

    def report(self, part: str, error: Exception) -> None:
        self.problems[part] = error

    def clear(self, part: str, how: object = None) -> None:
        self.problems.pop(part, None)


def test_a_disk_that_fills_is_reported_in_time_and_cleared(tmp_path):
    told, free = Told(), SimpleNamespace(mb=5000)
    watch = DiskCheck(tmp_path, told, free_bytes=lambda _folder: free.mb << 20)
    assert watch.look() == LOOK_EVERY_S
    assert told.problems == {}

    free.mb = LEAST_FREE_MB - 1
    assert watch.look() == ALERT_EVERY_S <= 5
    assert told.problems["disk"].free_mb == LEAST_FREE_MB - 1

    free.mb = 5000
    watch.look()
    assert told.problems == {}
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_takes_nothing_is_reported(tmp_path):
    told = Told()
    DiskCheck(tmp_path / "gone", told, free_bytes=lambda _folder: 5000 << 20).look()

    assert isinstance(told.problems["disk"], DiskFull)
    assert told.problems["disk"].free_mb is None

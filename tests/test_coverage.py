"""Every row of a game's ``COVERAGE.md`` has tests that prove it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

HOME = Path(__file__).resolve().parent.parent
LISTS = sorted((HOME / "assistant" / "games").glob("*/COVERAGE.md"))
STATES = ("done", "partly", "missing", "not in the fragment", "not in the sources")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


class Row(NamedTuple):
    """A line of such a table: its subject, its state, and its tests."""

    heading: str
    state: str
    tests: tuple[tuple[str, str], ...]
    text: str


def rows_of(path: Path) -> Iterator[Row]:
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| ") and len(cells) >= 3 and cells[1] != "state" and set(cells[0]) != {"-"}:
            yield Row(cells[0], cells[1], tuple(NAMED.findall(cells[2])), line)


@cache
def functions_of(path: str) -> frozenset[str]:
    file = HOME / path
    return (
        frozenset(re.findall(r"^def (\w+)", file.read_text(encoding="utf-8"), re.M)) if file.exists() else frozenset()
    )


def missing_tests(rows: Iterator[Row]) -> list[str]:
    return [f"{path}::{name}" for row in rows for path, name in row.tests if name not in functions_of(path)]


def test_games_say_what_they_play() -> None:
    assert LISTS


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.parent.name)
def test_every_row_has_a_known_state_and_what_is_played_its_test(path: Path) -> None:
    rows = list(rows_of(path))
    assert rows
    assert not [row.heading for row in rows if row.state not in STATES]
    assert not [row.heading for row in rows if row.state in ("done", "partly") and not row.tests]


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.parent.name)
def test_nothing_is_missing_and_partly_played_is_only_what_the_seeds_do_not_say(path: Path) -> None:
    rows = list(rows_of(path))
    assert not [row.heading for row in rows if row.state == "missing"]
    assert not [row.heading for row in rows if row.state == "partly" and "the seeds do not say" not in row.text]


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.parent.name)
def test_the_named_tests_are_there(path: Path) -> None:
    assert missing_tests(rows_of(path)) == []


def test_a_test_that_is_not_there_would_be_noticed(tmp_path: Path) -> None:
    claimed = tmp_path / "COVERAGE.md"
    claimed.write_text("| heading | state | tests |\n| --- | --- | --- |\n| X | done | `tests/nowhere.py::test_x` |\n")
    assert missing_tests(rows_of(claimed)) == ["tests/nowhere.py::test_x"]

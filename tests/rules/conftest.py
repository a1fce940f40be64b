"""The builders of this folder as fixtures; tests are no package, so they are loaded by path."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from loading import beside

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parent / "data" / "rules"


def load(name: str) -> ModuleType:
    """Return a module of this folder."""
    return beside(__file__, name)


@pytest.fixture(scope="session")
def build() -> ModuleType:
    """The boards of ``boards.py``."""
    return load("boards")


@pytest.fixture(scope="session")
def free() -> ModuleType:
    """The free tables of ``free_tables.py``."""
    return load("free_tables")


@pytest.fixture(scope="session")
def plain() -> ModuleType:
    """The second implementation, ``plain_rules.py``."""
    return load("plain_rules")


@pytest.fixture(scope="session")
def vectors() -> Callable[[str], Iterator[dict[str, Any]]]:
    """The boards with expected answers of the golden data, by the name of their file."""

    def read(name: str) -> Iterator[dict[str, Any]]:
        with (VECTORS / f"{name}.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)

    return read

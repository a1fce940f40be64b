"""The builders and players of this folder as fixtures; tests are no package, so they are loaded by path."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from loading import beside

from assistant.match.actor import CAMERA

HERE = Path(__file__).resolve().parent


def load(name: str) -> ModuleType:
    """Return a module of this folder."""
    return beside(__file__, name)


load("match_builders")
load("match_players")
load("roads_skirmishes")
load("hidden_things")


@pytest.fixture(scope="session")
def build() -> ModuleType:
    """The builders of ``match_builders.py``."""
    return load("match_builders")


@pytest.fixture(scope="session")
def players() -> ModuleType:
    """The players of ``match_players.py``."""
    return load("match_players")


@pytest.fixture(scope="session")
def roads() -> ModuleType:
    """The small skirmishes of ``roads_skirmishes.py``."""
    return load("roads_skirmishes")


@pytest.fixture(scope="session")
def client() -> ModuleType:
    """The client of ``guide_client.py``, which presses the attack assistant's offers."""
    return load("guide_client")


@pytest.fixture(scope="session")
def invariants() -> ModuleType:
    """The invariants of ``match_invariants.py``."""
    return load("match_invariants")


@pytest.fixture(scope="session")
def writer() -> ModuleType:
    """The process of ``write_until_killed.py``."""
    return load("write_until_killed")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The long runs of this folder wait until they are asked for: ``-m slow``."""
    if config.option.markexpr:
        return
    for item in items:
        if HERE in item.path.parents and "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="takes minutes; run it with: pytest -m slow"))


@pytest.fixture
def imp_acts(build: ModuleType) -> Any:
    """A match of 2016 in which an imp has four points, in a room with a door."""
    base = build.mission("doom2016_first_fight")
    match = build.begun(base)
    match.do("see", by=CAMERA, document=base.table)
    match.script([("status", {"shuffled_here": False}), ("reveal", {"card": "invader"})])
    match.do("activate_kind", kind="imp")
    match.do("activate", figure="imp-1")
    return match

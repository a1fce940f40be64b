"""The builders and players of this folder as fixtures; tests are no package, so they are loaded by their place."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from loading import beside

HERE = Path(__file__).resolve().parent


def load(name: str) -> ModuleType:
    """A module of this folder."""
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
    """The client of ``guide_client.py``, which presses what the attack assistant offers."""
    return load("guide_client")


@pytest.fixture(scope="session")
def invariants() -> ModuleType:
    """What ``match_invariants.py`` holds to be true."""
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

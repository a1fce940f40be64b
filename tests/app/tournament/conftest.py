"""Fixtures for the tests of judges and evidence. ``evidence_builders.py`` beside this file builds the values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from loading import beside


@pytest.fixture(scope="session")
def build() -> ModuleType:
    """The builders of ``evidence_builders.py``."""
    return beside(__file__, "evidence_builders")


@pytest.fixture
def court(build: ModuleType, tmp_path: Path) -> Iterator[Any]:
    """A table with one call that was ruled on."""
    made = build.court(tmp_path / "data")
    yield made
    made.store.close()

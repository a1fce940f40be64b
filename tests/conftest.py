"""What the tests of several rooms need."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import toy_game
from hypothesis import settings

# A slow machine is no finding, and the same commit gives the same examples everywhere.
settings.register_profile("sightline", deadline=None, derandomize=True)
settings.load_profile("sightline")
# What ``make fuzz`` asks for: other examples every time, and as many as there is time for.
settings.register_profile("fuzz", deadline=None, max_examples=int(os.environ.get("FUZZ_EXAMPLES", "20000")))

DATA = Path(__file__).resolve().parent / "data"


@pytest.fixture(scope="session")
def golden() -> Path:
    """The data by which a clone alone proves itself; its README says where each comes from."""
    return DATA


@pytest.fixture(scope="session")
def dev_scenes(golden: Path) -> Path:
    """The ray-traced photos with exact truth."""
    return golden / "scenes" / "dev"


@pytest.fixture(scope="session")
def lanterns_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the game of ``tests/toy_game`` is installed, apart from everything else."""
    return toy_game.install(tmp_path_factory.mktemp("lanterns"))


@pytest.fixture
def lanterns(lanterns_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The same folder, where this process looks for packages."""
    monkeypatch.syspath_prepend(lanterns_folder)
    toy_game.forget()
    yield lanterns_folder
    monkeypatch.undo()
    toy_game.forget()

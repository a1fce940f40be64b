"""What the tests of several rooms need."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# A slow machine is no finding, and the same commit gives the same examples everywhere.
settings.register_profile("sightline", deadline=None, derandomize=True)
settings.load_profile("sightline")

DATA = Path(__file__).resolve().parent / "data"


@pytest.fixture(scope="session")
def golden() -> Path:
    """The data by which a clone alone proves itself; its README says where each comes from."""
    return DATA


@pytest.fixture(scope="session")
def dev_scenes(golden: Path) -> Path:
    """The ray-traced photos with exact truth."""
    return golden / "scenes" / "dev"

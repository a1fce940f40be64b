"""What the tests of several rooms need."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# A slow machine is no finding, and the same commit gives the same examples everywhere.
settings.register_profile("sightline", deadline=None, derandomize=True)
settings.load_profile("sightline")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the contract, the scenes and the photos that lies beside a developer's checkout."""
    if not SHARED.is_dir():
        pytest.skip("the folder `shared` does not lie beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def dev_scenes(shared: Path) -> Path:
    """The ray-traced photos with exact truth."""
    return shared / "scenes" / "dev"

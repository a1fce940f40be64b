"""The tables of this folder as a fixture; tests are no package, so they are loaded by path."""

from __future__ import annotations

from types import ModuleType

import pytest
from loading import beside


@pytest.fixture(scope="session")
def minds() -> ModuleType:
    """The tables of ``tracked_table.py``."""
    return beside(__file__, "tracked_table")

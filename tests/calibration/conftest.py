"""The rendered table as a fixture, and the photographs beside the project."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def synthetic() -> ModuleType:
    """The builders of ``synthetic_table.py``; tests are no package, so they are loaded by path."""
    name = "sightline_tests_synthetic_table"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("synthetic_table.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def shared_file() -> Callable[[str], Path]:
    """Returns a path beside the project; without it the test is skipped, with the reason."""
    root = Path(__file__).resolve().parents[3] / "shared"

    def path(name: str) -> Path:
        if not (root / name).exists():
            pytest.skip(f"needs the shared material {name}, which is not beside the project")
        return root / name

    return path

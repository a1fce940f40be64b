"""Loads the builders beside tests; tests are no package, so modules are found by path."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def beside(conftest: str, name: str) -> ModuleType:
    """Return the module of that name in the folder of a ``conftest.py``, the same object for every caller.

    Its full name is ``sightline_tests_NAME``, by which the modules of a folder import one another.
    """
    full_name = f"sightline_tests_{name}"
    if full_name in sys.modules:
        return sys.modules[full_name]
    spec = importlib.util.spec_from_file_location(full_name, Path(conftest).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[full_name] = module
    spec.loader.exec_module(module)
    return module

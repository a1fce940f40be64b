"""The game of ``tests/toy_game``, installed like any package, and found without a new process."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from assistant.match import games as registry
from assistant.translations import catalogue

SOURCE = Path(__file__).resolve().parents[1] / "toy_game"


def install(folder: Path) -> Path:
    """Install the game from a copy of its sources, without downloads; return its folder."""
    copy, target = folder / "source", folder / "installed"
    shutil.copytree(SOURCE, copy)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    alone = ["--no-deps", "--no-build-isolation", "--target", str(target)]
    subprocess.run([*pip, *alone, str(copy)], check=True, capture_output=True, text=True, timeout=240)
    return target


def forget() -> None:
    """Has the program look for games and words anew, and forgets the modules of this one."""
    registry.games.cache_clear()
    registry._entry_points.cache_clear()
    registry._loaded.cache_clear()
    catalogue.forget()
    for name in [name for name in sys.modules if name.partition(".")[0] == "lanterns"]:
        del sys.modules[name]

"""Shared fixtures and options of several rooms."""

from __future__ import annotations

import os
import sys
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

# The tests start the program some two hundred times; where Python may not keep what it compiled, each start compiles
# all of it anew, which takes longer than the start itself.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# More workers than cores keep the cores busy; threads of their own would wait for one another, an eighth of the time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

DATA = Path(__file__).resolve().parent / "data"

LONGEST = (
    "browser/test_whole_2016.py",
    "browser/test_whole_2004.py",
    "browser/test_whole_roads.py",
    "browser/test_first_minute.py",
    "browser/test_setup.py",
    "browser/test_teach.py",
    "browser/test_demo.py",
    "browser/test_laying.py",
    "web/test_secrets.py",
    "app/desk/test_desk_store.py",
    "app/live/test_live_faults.py",
)
"""Begun first: whatever of these began last would be waited for by all the other workers."""

LONG = (
    "app/setup/test_free_ground.py",
    "browser",
    "app/live/test_live_faults.py",
    "app/live/test_side_photo.py",
    "app/care/test_free_reports.py",
    "app/teaching/test_box.py",
    "app/teaching/test_line_up_scale.py",
    "web/teach/test_box_api.py",
    "app/desk/test_nothing_lost.py",
    "app/desk/test_two_programs.py",
    "app/tournament/test_evidence.py",
    "assistant/test_wiring.py",
    "calibration/test_lens_capture.py",
    "calibration/test_sheets.py",
    "match/test_answers.py",
    "match/test_closers.py",
    "match/test_dead_ends.py",
    "match/test_every_way.py",
    "match/test_hidden.py",
    "raytraced_evenings",
    "raytraced_roads",
    "vision/free/test_free_reading.py",
    "vision/live",
    "vision/photo/test_photo_fuzz.py",
    "vision/simulation/test_simulation_photos.py",
    "vision/simulation/test_simulation_scenes.py",
    "vision/simulation/test_simulation_sequences.py",
    "vision/teaching/test_edge_views.py",
    "vision/teaching/test_figure_looks.py",
    "vision/teaching/test_teaching_photos.py",
    "vision/test_without_markers.py",
    "vision/tiles/test_loose_tiles.py",
    "vision/tiles/test_missing_tiles.py",
    "vision/tiles/test_outlines.py",
    "vision/training",
    "vision/views",
    "web/test_secrets.py",
    "web/match/test_following.py",
    "web/free/test_free_page.py",
    "web/free/test_free_moves.py",
    "web/teach/test_teach_api.py",
    "vision/teaching/test_line_up.py",
    "web/teach/test_line_up_api.py",
)
"""Left out of `make test`, which takes five minutes: the browser at length, faulty cameras, killed programs, photos."""

SMOKE = ("browser/test_demo.py",)
"""Part of `make test` all the same."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files before all others, which stay in their order, and marks the long ones."""
    here = Path(__file__).parent
    place = {here / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(LONGEST)))
    for item in items:
        is_smoke = any(item.path == here / name for name in SMOKE)
        if not is_smoke and any(item.path.is_relative_to(here / name) for name in LONG):
            item.add_marker(pytest.mark.long)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show why a first try failed: an accepted second try still needs a cause and a fix."""
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.section(f"first try: {report.nodeid}, {report.when}")
        terminalreporter.line(report.longreprtext)


@pytest.fixture(scope="session")
def golden() -> Path:
    """The data by which a clone alone proves itself; its README gives each file's origin."""
    return DATA


@pytest.fixture(scope="session")
def dev_scenes(golden: Path) -> Path:
    """The ray-traced photos with exact truth."""
    return golden / "scenes" / "dev"


@pytest.fixture(scope="session")
def lanterns_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the installed game from ``tests/toy_game``, separate from everything else."""
    return toy_game.install(tmp_path_factory.mktemp("lanterns"))


@pytest.fixture
def lanterns(lanterns_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The same folder, where this process looks for packages."""
    monkeypatch.syspath_prepend(lanterns_folder)
    toy_game.forget()
    yield lanterns_folder
    monkeypatch.undo()
    toy_game.forget()

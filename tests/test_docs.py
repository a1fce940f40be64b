"""The READMEs and CONTRIBUTING are true: examples run and are typed, and named things exist."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.cli import run

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("assistant", "calibration", "hardware", "vision", "web")
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "tests" / "data" / "README.md"]
    + [path for room in ROOMS for path in (ROOT / room).rglob("README.md")]
)
SOURCES = r"[\w./*-]+\.(?:py|js|html|css|c|ino|md|po|toml)"
"""Endings of our own files; documents and pictures in examples are the reader's."""

INVENTED = {"hardware/protocols/my_light.py", "my_doom2004.toml"}
"""Files of the reader's own, in examples."""


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def python_examples() -> list[tuple[str, str]]:
    """Return every Python example, with the page and number by which a failure names it."""
    return [
        (f"{name_of(page)}, example {number}", code)
        for page in PAGES
        for number, code in enumerate(
            re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL), 1
        )
    ]


def console_examples() -> list[tuple[str, str]]:
    """Return every ``$ sightline …`` of the rooms; `test_house` runs those of the first page with their answers."""
    return [
        (name_of(page), command)
        for page in PAGES
        if page.parent != ROOT
        for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        for command in re.findall(r"^\$ (.+)$", block, re.MULTILINE)
    ]


@pytest.mark.parametrize(("where", "code"), python_examples())
def test_a_python_example_runs_and_prints_what_it_says(where, code, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    exec(compile(code, where, "exec"), {"__name__": "example"})

    printed = capsys.readouterr().out.splitlines()
    promised = re.findall(r"^print\(.+?\)  # (.+)$", code, re.MULTILINE)
    assert [line for line in promised if line not in printed] == []


@pytest.mark.timeout(900)
def test_every_python_example_and_the_toy_game_are_typed(tmp_path):
    for number, (where, code) in enumerate(python_examples()):
        (tmp_path / f"example_{number}.py").write_text(f'"""{where}."""\n{code}', encoding="utf-8")
    files = [*tmp_path.glob("*.py"), *(ROOT / "tests" / "toy_game" / "lanterns").rglob("*.py")]
    asked = [sys.executable, "-m", "mypy", "--strict", *map(str, files)]
    ran = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout.splitlines()[:-1]) == (0, [])


@pytest.fixture
def desk_of_a_reader(tmp_path: Path, golden: Path) -> Path:
    """The files that the examples of the rooms name, as a reader might have them."""
    cells = [[x, y] for x in range(8) for y in range(6)]
    figures = [
        {"id": "alpha", "kind": "marine", "side": "marines", "cells": [[2, 1]]},
        {"id": "imp-1", "kind": "imp", "side": "demons", "cells": [[5, 1]]},
    ]
    board = {"format": "sightline.board/1", "cell_mm": 25.4, "cells": cells, "figures": figures}
    board |= {"edges": [], "doors": [{"id": "d", "edges": [{"from": [4, 3], "to": [4, 4]}], "open": False}]}
    seen = json.loads((golden / "scenes" / "dev" / "easy-03" / "truth.json").read_text())
    for part in ("tiles", "doors", "figures"):
        for thing in seen[part]:
            thing["confidence"] = 1.0
    base = {"base_mm": 25, "height_mm": 30, "elevation_mm": 0, "facing_deg": 0}
    base |= {"stats": {"mobility": 4, "toughness": 4, "spirit": 4, "combat": 4}}
    table = {"format": "sightline.free-table/1", "step_mm": 25, "size_mm": [600, 400], "terrain": []}
    table |= {
        "figures": [
            {"id": "mortar", "side": "one", "center_mm": [100, 100], **base},
            {"id": "squire", "side": "two", "center_mm": [200, 100], **base},
        ]
    }
    for name, document in {"board": board, "observation": seen, "table": table}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
    sample = ROOT / "assistant" / "games" / "doom2004" / "samples" / "sample_doom2004.toml"
    shutil.copy(sample, tmp_path / "my_doom2004.toml")
    return tmp_path


@pytest.mark.parametrize(("where", "command"), console_examples())
def test_a_command_of_a_room_answers(where, command, desk_of_a_reader, monkeypatch, capsys):
    monkeypatch.chdir(desk_of_a_reader)
    name, *arguments = shlex.split(command, comments=True)
    assert name == "sightline"
    assert run(arguments) == 0, f"{where}: {capsys.readouterr().err}"
    assert capsys.readouterr().out


def spans(page: Path) -> list[str]:
    """Return the text in backticks on a page, without examples."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.findall(r"`([^`\n]+)`", text)


def is_there(name: str, page: Path) -> bool:
    """Return whether a file or folder of that name is beside the page, in a folder below it, or at the root."""
    pattern = re.sub(r"\b[A-Z]{3,}\b", "*", name.rstrip("/"))  # GAME, NAME, TAG stand for any
    if page.parent != ROOT and any(page.parent.rglob(pattern.replace("../", ""))):
        return True
    return any(any(folder.glob(pattern)) for folder in (ROOT, page.parent.parent, page.parent))


def is_module(name: str) -> bool:
    """Return whether one of our modules, or something in one, has that name."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        place = ROOT.joinpath(*parts[:length])
        if place.is_dir() and length == len(parts):
            return True
        source = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        if source.is_file():
            return length == len(parts) or re.search(rf"\b{parts[length]}\b", source.read_text("utf-8")) is not None
    return False


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_file_and_module_that_a_page_names_is_there(page):
    rooms = "|".join((*ROOMS, "tests"))
    named = [span for span in spans(page) if re.fullmatch(rf"{SOURCES}|(?:{rooms})/[\w./*-]*", span)]
    modules = [span for span in spans(page) if re.fullmatch(rf"(?:{rooms})(?:\.\w+)+", span) and span not in named]
    missing = [name for name in named if name not in INVENTED and not is_there(name, page)]
    assert [*missing, *(name for name in modules if not is_module(name))] == []


def test_every_link_of_a_page_leads_somewhere():
    broken = [
        f"{name_of(page)}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []


def rows_of_what_to_touch() -> list[tuple[str, str, str]]:
    """Return the table of CONTRIBUTING: the addition, the files to touch, and the test."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("## What to touch to add")[2].partition("\n## ")[0]
    rows = [row.strip("| ").split(" | ") for row in table.splitlines() if row.startswith("| ")]
    return [(row[0], row[1], row[2]) for row in rows[2:]]


@pytest.mark.parametrize(("added", "touched", "test"), rows_of_what_to_touch())
def test_a_row_of_what_to_touch_names_a_test_that_is_there(added, touched, test):
    files = re.findall(r"`(tests/[\w/]+\.py)`", test)
    assert files, f"{added}: no test keeps this row true"
    assert all("def test_" in (ROOT / name).read_text(encoding="utf-8") for name in files)


def test_what_to_touch_tells_of_everything_that_people_add():
    assert [added for added, _, _ in rows_of_what_to_touch()] == [
        *("a game", "a command of a match", "a house option", "a language", "a light", "a camera source"),
        *("a view of the page", "a command", "an error"),
    ]

"""The house rules hold: packages, commands, README, the top folder, places that catch errors."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import click
import pytest

from assistant.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("assistant", "calibration", "hardware", "vision", "web")
TOP = {
    *ROOMS,
    *("tests", ".ci", ".gitignore", ".github"),
    *("pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "NOTICE", "Makefile"),
}
PROGRAM = [sys.executable, "-c", "from assistant.cli import main; main()"]

OS_ERRORS = frozenset({"OSError", "IOError", "EnvironmentError", "PermissionError", "FileNotFoundError"})
OS_ERROR_FILES = {
    "assistant/cli/__init__.py",  # what it prints: a full disk, a reader that is gone
    "assistant/cli/backup.py",
    "assistant/cli/owning.py",  # the keyboard of the terminal
    "assistant/app/side_process.py",  # the pipe to a process that it started
    "assistant/app/live/tuio.py",  # the network to a program that listens
    "assistant/documents/reading.py",
    "assistant/app/care/evening.py",  # an export that cannot be read
    "assistant/kept_files.py",
    "assistant/store.py",
    "assistant/hosting/announcement.py",  # the network's sockets
    "assistant/hosting/addresses.py",  # tries a port
    "assistant/hosting/disk.py",
    "hardware/transports/mdns.py",  # the network's sockets
    "hardware/transports/serial_port.py",
    "hardware/transports/udp.py",  # the network to a light
    "vision/overlays.py",
    "vision/photo/decoding.py",
    "vision/sources/captured.py",  # a process and memory that the system may refuse
    "vision/sources/devices.py",  # a camera's connection
    "vision/sources/mjpeg.py",  # a camera's connection
    "vision/sources/recording.py",
    "web/people/keeping.py",
    "web/serving/admission.py",  # connections that are cut off
    "web/serving/server.py",
    "web/serving/tls.py",  # connections that end
}
"""Each opens one kind of thing and words its own error. The list may shrink; a new file needs a reason."""

NAMES_OF_GAMES = re.compile("doom2016|doom2004|roads")

TURNED_TO = {
    *("format_commands", "get_command", "list_commands"),  # click asks a group for them
    *("fix_addr", "parser_class", "to_response"),  # waitress asks its server, connections and errors for them
    *("press", "plug_in", "unplug"),  # people's actions on the virtual strip
    *("open_streams", "process_id", "reference_grid"),  # accessed from outside, by tests and benchmarks
    *("free_game", "installed_games", "read_photo"),  # the public face, for other programs
}
"""Public functions without a caller in the rooms, each with its reason. The list may only shrink."""

UNDECLARED = {
    *("torch", "onnx", "sklearn"),  # only there where the networks are trained
    "_typeshed",  # only there for the type checker
    "werkzeug",  # Flask's other half; always installed with it
}


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@cache
def sources() -> tuple[tuple[str, ast.Module], ...]:
    """Return every module of the rooms with its path from the root."""
    return tuple(
        (path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
    )


def caught(module: ast.Module) -> set[str]:
    """Return the names of all exceptions that a module catches, with the classes behind a tuple of its own."""
    groups = {
        target.id: ast.unparse(node.value)
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    names: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            written = ast.unparse(node.type)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("suppress", "contextlib.suppress"):
            written = ast.unparse(node)
        else:
            continue
        names.update(re.findall(r"[\w.]+", groups.get(written, written)))
    return names


def imported(module: ast.Module) -> set[str]:
    """Return the top packages that a module imports."""
    names: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def imports_within_the_house() -> dict[str, set[str]]:
    """Return the imports of each module of the rooms, anywhere in it, even for the type checker only."""
    modules = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): tree for path, tree in sources()}
    graph: dict[str, set[str]] = {}
    for name, module in modules.items():
        named: set[str] = set()
        for node in ast.walk(module):
            if isinstance(node, ast.Import):
                named.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                parts = [f"{node.module}.{alias.name}" for alias in node.names]
                named.update(part if part in modules else node.module for part in parts)
        graph[name] = named & modules.keys() - {name}
    return graph


def circle_in(graph: Mapping[str, set[str]]) -> list[str]:
    """Return the modules of some import cycle in order, or none without one."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def files_of(*arguments: str) -> list[str]:
    """Return the files under version control here; skip without version control."""
    asked = subprocess.run(["git", "ls-files", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if asked.returncode != 0:
        pytest.skip("this is no checkout, so nobody says which files belong to the project")
    return asked.stdout.splitlines()


def test_the_package_list_is_the_tree(project):
    there = {path.parent.relative_to(ROOT).as_posix() for room in ROOMS for path in (ROOT / room).rglob("__init__.py")}
    listed = project["tool"]["setuptools"]["packages"]

    assert listed == sorted(listed)
    assert {*listed, "vision.training"} == {folder.replace("/", ".") for folder in there}


def test_only_what_belongs_there_lies_at_the_top():
    assert {path.partition("/")[0] for path in files_of()} <= TOP


def test_everything_imported_is_a_declared_dependency(project):
    needed = [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["desk"]]
    declared = {re.split(r"[<>=\[ ]", line)[0].lower().replace("_", "-") for line in needed}
    own = {*ROOMS, *sys.stdlib_module_names, *UNDECLARED}
    by_module = packages_distributions()
    missing = {
        f"{name} ({path})"
        for path, module in sources()
        for name in imported(module) - own
        if not declared & {one.lower().replace("_", "-") for one in by_module.get(name, [name])}
    }
    assert missing == set()


def test_a_circle_of_imports_is_noticed():
    assert set(circle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}
    assert circle_in({"a": {"b", "c"}, "b": {"c"}}) == []


def test_no_import_goes_in_a_circle():
    graph = imports_within_the_house()
    assert {"vision.reading", "vision.live.incremental"} <= graph.keys()
    assert circle_in(graph) == []


def test_every_pinned_version_names_no_index():
    lines = (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert pins
    assert all(re.fullmatch(r"[\w.-]+==[\w.!+]+(?:; sys_platform .+)?", pin) for pin in pins)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_overview_is_there(name):
    command = getattr(import_module(f"assistant.cli.{COMMANDS[name][0]}"), name)
    assert isinstance(command, click.Command)
    assert command.name == name
    assert command.help


def console_examples() -> list[tuple[str, str]]:
    """Return every ``$ sightline …`` of the README with the answer printed below it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    return [example for block in blocks for example in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)]


def test_the_readme_shows_an_example():
    assert console_examples()


@pytest.mark.parametrize(("command", "answer"), console_examples())
def test_an_example_of_the_readme_answers_what_it_prints(command, answer):
    name, *arguments = shlex.split(command)
    assert name == "sightline"
    asked = subprocess.run(
        [*PROGRAM, *arguments], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
    )
    assert (asked.returncode, asked.stderr) == (0, "")
    beginning = answer.partition("…")[0].strip()  # the README shortens a long answer
    assert len(beginning) > 40
    assert asked.stdout.startswith(beginning)


def test_every_make_command_of_the_readme_is_there():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    pages = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")]
    named = [target for page in pages for target in re.findall(r"(?:`|^    )make ([\w-]+)", page, re.MULTILINE)]
    assert {"demo", "test", "train"} <= set(named)
    assert [target for target in named if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


def test_errors_of_opencv_are_caught_in_one_file():
    assert [path for path, module in sources() if "cv2.error" in caught(module)] == ["calibration/opencv.py"]


def test_errors_of_serial_ports_are_caught_in_one_file():
    found = [path for path, module in sources() if any(name.startswith("serial.") for name in caught(module))]
    assert found == ["hardware/transports/serial_port.py"]


def test_errors_of_the_system_are_caught_where_files_and_ports_are_opened():
    assert {path for path, module in sources() if caught(module) & OS_ERRORS} == OS_ERROR_FILES


def test_nothing_catches_every_error():
    broad = {"Exception", "BaseException"}
    found = [path for path, module in sources() if caught(module) & broad]
    # A transaction is rolled back whatever ended it, and the error goes on.
    assert found == ["assistant/store.py"]


def test_a_game_is_named_in_its_own_folder_alone():
    found = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for ending in ("py", "js", "html")
        for path in (ROOT / room).rglob(f"*.{ending}")
        if NAMES_OF_GAMES.search(path.read_text(encoding="utf-8"))
    }
    assert {path for path in found if not path.startswith("assistant/games/")} == set()


def modules() -> dict[str, ast.Module]:
    """Return every module of the rooms by its full name."""
    return {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): tree for path, tree in sources()}


@cache
def imports() -> dict[str, set[str]]:
    """Return the modules of the rooms that each module imports, at any time and for types alone, too."""
    trees = modules()
    found: dict[str, set[str]] = {}
    for name, tree in trees.items():
        wanted: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                wanted.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                wanted.update(one if one in trees else node.module for one in inner)
        found[name] = (wanted & trees.keys()) - {name}
    return found


def test_nothing_but_a_game_imports_a_game():
    found = {
        f"{name} imports {other}"
        for name, others in imports().items()
        for other in others
        if other.startswith("assistant.games.") and not name.startswith("assistant.games.")
    }
    assert found == set()


@pytest.mark.parametrize("room", [room for room in ROOMS if room != "vision"])
def test_no_import_leads_back_to_where_it_began(room):
    graph = {name: others for name, others in imports().items() if name.split(".")[0] == room}
    TopologicalSorter(graph).prepare()


def examples() -> list[tuple[str, ast.Module]]:
    """Return the Python examples of the READMEs, which use the public API."""
    return [
        (path.as_posix(), ast.parse(code))
        for path in (ROOT / "README.md", *(readme for room in ROOMS for readme in (ROOT / room).rglob("README.md")))
        for code in re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    ]


def called_names() -> set[str]:
    """Return every name that the rooms and the READMEs' examples use, and the table of commands' names."""
    used: set[str] = set()
    for path, tree in (*sources(), *examples()):
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                used.add(node.id)
            elif isinstance(node, ast.Attribute):
                used.add(node.attr)
            elif isinstance(node, ast.Constant) and path == "assistant/cli/__init__.py":
                used.add(str(node.value))
    return used


def is_registered(function: ast.FunctionDef) -> bool:
    """Return whether a decorator hands the function to something that calls it: a route, a command, a hook of Flask."""
    return any(isinstance(one, ast.Call) or ast.unparse(one).startswith("app.") for one in function.decorator_list)


def test_no_public_function_is_reached_by_tests_only():
    public = {
        node.name
        for _, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and not is_registered(node)
    }
    assert public - called_names() == TURNED_TO


def test_no_public_class_name_stands_for_two_things():
    places: dict[str, list[str]] = {}
    for path, module in sources():
        for node in module.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(path)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}

"""``make mutate``: which small changes of the rules no test notices.

    python -m tests.mutate OUT [--only PART] [--most N] [--workers N]

A module is changed in one small place at a time, in memory and in a process of its own, and the fast tests of that
module are run: a change after which they all pass has survived. Of each module at most so many changes are tried,
always the same ones. ``OUT/mutants.md`` lists the survivors; what is to be said of them stands in
``tests/mutate/README.md``.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import random
import signal
import sys
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType

import click
import pytest

from tests.mutate.changes import Mutant, mutants_of

ROOT = Path(__file__).resolve().parents[2]
PARTS = Path(__file__).with_name("parts.toml")
WHOLE_S = 300.0
"""The tests of a part without a change take no longer, or something else is wrong."""

PRELOADED = ("hypothesis.strategies", "msgspec", "numpy", "babel.numbers", "flask")
"""Modules of all tests that no mutant changes: loaded once, before the processes are forked."""

PATIENCE = 6.0
"""Tests that take so many times as long as without a change run for ever."""


@dataclass(frozen=True)
class Part:
    """Some modules and the fast tests that should notice their changes, the ones that notice most first."""

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Hands out one module with its change instead of the file's own."""

    def __init__(self, module: str, path: Path, code: CodeType) -> None:
        self._module, self._path, self._code = module, path, code

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the changed module's spec, or None for any other."""
        if name != self._module:
            return None
        return importlib.util.spec_from_file_location(name, self._path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed code."""
        exec(self._code, module.__dict__)  # our own module but for one change


def module_name(file: str) -> str:
    """Return the name by which a file is imported."""
    return file.removesuffix(".py").replace("/", ".")


@dataclass(frozen=True)
class Running:
    """A part's tests in a process of their own."""

    child: int
    until_s: float

    @classmethod
    def begun(cls, part: Part, changed: Changed | None, patience_s: float) -> Running:
        """Return the tests, begun on the modules as they are or with a change."""
        child = os.fork()
        if child == 0:
            _run_tests(part, changed)
        return cls(child, time.monotonic() + patience_s)

    def status(self) -> int | None:
        """Return their exit status, not 0 for an endless run, or None while they run."""
        ended, status = os.waitpid(self.child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() < self.until_s:
            return None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        return 1


def status_of(running: Running) -> int:
    """Return the exit status of tests, waited for."""
    while (status := running.status()) is None:
        time.sleep(0.02)
    return status


def _run_tests(part: Part, changed: Changed | None) -> None:
    """Run them and ends this process, whatever happens."""
    status = 3
    try:
        os.setpgid(0, 0)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        if changed is not None:
            sys.meta_path.insert(0, changed)
        quiet = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow", "--assert=plain"]
        status = int(pytest.main([*quiet, *(str(ROOT / test) for test in part.tests)]))
    finally:
        os._exit(status)


def tried(file: str, most: int) -> list[Mutant]:
    """Return the changes of a module that are tried."""
    found = list(mutants_of((ROOT / file).read_text()))
    if len(found) > most:
        found = sorted(random.Random(file).sample(found, most), key=lambda mutant: mutant.line)
    return found


def survivors_of(part: Part, file: str, mutants: list[Mutant], patience_s: float, workers: int) -> list[Mutant]:
    """Return the changes that no test notices, in the order of the source."""
    running, alive = dict[int, Running](), list[int]()
    for number, mutant in enumerate(mutants):
        while len(running) >= workers:
            _collect(running, alive)
        code = compile(mutant.tree, str(ROOT / file), "exec")
        running[number] = Running.begun(part, Changed(module_name(file), ROOT / file, code), patience_s)
    while running:
        _collect(running, alive)
    return [mutants[number] for number in sorted(alive)]


def _collect(running: dict[int, Running], alive: list[int]) -> None:
    """Remove the finished tests, and record mutants that passed them all."""
    for number, tests in list(running.items()):
        status = tests.status()
        if status is not None:
            del running[number]
            alive += [number] if status == 0 else []
    time.sleep(0.02)


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--only", multiple=True, help="Only these parts.")
@click.option("--most", default=60, show_default=True, help="How many changes of a module are tried.")
@click.option("--workers", default=1, show_default=True, help="How many are tried at once.")
def main(out: Path, only: tuple[str, ...], most: int, workers: int) -> None:
    """Try small changes of the rules and list those that no test notices."""
    for package in PRELOADED:
        importlib.import_module(package)
    out.mkdir(parents=True, exist_ok=True)
    os.chdir(ROOT)
    rows, told, counts = list[str](), list[str](), [0, 0]
    for name, part in tomllib.loads(PARTS.read_text()).items():
        if only and name not in only:
            continue
        asked = Part(name, tuple(part["modules"]), tuple(part["tests"]))
        begun_s = time.monotonic()
        if status_of(Running.begun(asked, None, WHOLE_S)) != 0:
            raise click.ClickException(f"the tests of {name} fail without any change")
        patience_s = max(20.0, PATIENCE * (time.monotonic() - begun_s))
        for file in asked.modules:
            mutants = tried(file, most)
            alive = survivors_of(asked, file, mutants, patience_s, workers)
            counts = [counts[0] + len(mutants), counts[1] + len(alive)]
            rows.append(
                f"| {file} | {len(mutants)} | {len(mutants) - len(alive)} | {_share(len(mutants), len(alive))} |"
            )
            told += [f"- {file}:{m.line} `{_first(m.was)}` → `{_first(m.became)}`" for m in alive]
            click.echo(rows[-1])
            # After each module, so that an interrupted run keeps its findings.
            (out / "mutants.md").write_text(_report(rows, counts, told))
    click.echo((out / "mutants.md").read_text())


def _report(rows: list[str], counts: list[int], told: list[str]) -> str:
    head = ["| module | changes tried | noticed | share |", "| --- | ---: | ---: | ---: |"]
    together = f"| together | {counts[0]} | {counts[0] - counts[1]} | {_share(*counts)} |"
    return "\n".join([*head, *rows, together, "", *told]) + "\n"


def _first(source: str) -> str:
    """Return the first line of a piece of source."""
    return source.partition("\n")[0]


def _share(count: int, alive: int) -> str:
    return f"{(count - alive) / count:.0%}" if count else "–"


if __name__ == "__main__":
    main()

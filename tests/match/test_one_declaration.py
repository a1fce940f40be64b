"""The cost of a new command in a game: one class in one file, and nothing else to forget.

The toy game is the example. A second copy of it gets a command more; the page offers it, the rules decide about it, and
the history names it, without another line.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from difflib import SequenceMatcher
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
import toy_game

from assistant.errors import IllegalStep
from assistant.match.actor import TABLE
from assistant.match.audience import PUBLIC
from assistant.match.games import system_of
from assistant.match.header import Header
from assistant.match.session import Session

SNUFF = '''
class Snuff(FigureTurn, frozen=True, kw_only=True, tag="snuff"):
    """A figure puts out a light beside it."""

    label = said("Put a light out")
    target: Annotated[Name, Asks(lambda draft: ask_figure("target", said("Which light?"), draft.game.pieces))]

    def check(self, game: Night) -> None:
        FigureTurn.check(self, game)
        require(self.target != self.figure, said("nobody puts out the own light"))

    def apply(self, game: Night) -> Night:
        return game.with_piece(game.piece(self.target).gone()).after_turn()

    def title(self, game: Night) -> Said:
        return said("{figure} puts out {target}", figure=self.figure, target=self.target)
'''
IMPORTS = "from typing import Annotated\n\nfrom assistant.match.asks import Asks, ask_figure\n"
PLACE = "\n\nclass Nights("
"""The place for new commands: before the class of the game, which finds the steps above it."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the toy game's sources, where this process looks for packages."""
    shutil.copytree(toy_game.SOURCE, tmp_path / "toy")
    monkeypatch.syspath_prepend(tmp_path / "toy")
    toy_game.forget()
    yield tmp_path / "toy"
    monkeypatch.undo()
    toy_game.forget()


def with_command(folder: Path, command: str) -> ModuleType:
    """Return the match of the copy with a command more."""
    file = folder / "lanterns" / "match.py"
    before = file.read_text()
    first_import = before.index("from collections")
    file.write_text((before[:first_import] + IMPORTS + before[first_import:]).replace(PLACE, f"\n{command}{PLACE}"))
    sys.modules.pop("lanterns.match", None)
    return import_module("lanterns.match")


def changed_lines(folder: Path) -> dict[str, int]:
    """Return the files of the copy that differ from the toy game, each with how many lines are new or gone."""
    found = {}
    for file in sorted(toy_game.SOURCE.rglob("*.py")):
        name = file.relative_to(toy_game.SOURCE)
        before, after = file.read_text().splitlines(), (folder / name).read_text().splitlines()
        codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        count = sum(max(old_end - old, end - start) for kind, old, old_end, start, end in codes if kind != "equal")
        if count:
            found[name.name] = count
    return found


def test_a_command_is_one_class_in_one_file(folder: Path) -> None:
    system = with_command(folder, SNUFF).SYSTEM
    written = len(f"{IMPORTS}{SNUFF}".splitlines())

    assert changed_lines(folder) == {"match.py": pytest.approx(written, abs=2)}
    assert "snuff" in system.commands
    assert system.rule_of("snuff").id == "lanterns/night"
    assert str(system.labels["snuff"]) == "Put a light out"


def test_the_page_offers_it_and_asks_what_it_needs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = with_command(folder, SNUFF).SYSTEM
    monkeypatch.setattr("assistant.match.session.system_of", lambda name: system)
    lamps = [
        {"id": name, "side": side, "kind": "keeper", "reach": 3, "oil": 2}
        for name, side in (("keeper-1", "keepers"), ("moth-1", "moths"))
    ]
    header = Header(id="night", ruleset="lanterns", seed="seed", setup={"lamps": lamps})
    session = Session(header, journal=None, clock_ms=lambda: 0)
    session.command({"type": "kindle"}, TABLE)

    assert "snuff" in {deed["type"] for deed in session.actions(TABLE)}
    ask = session.way({"type": "snuff", "figure": "keeper-1"}, TABLE)["ask"]
    assert (ask["text"], [pick["value"] for pick in ask["picks"]]) == ("Which light?", ["moth-1"])
    with pytest.raises(IllegalStep, match="nobody puts out the own light") as refused:
        session.command({"type": "snuff", "figure": "keeper-1", "target": "keeper-1"}, TABLE)
    assert refused.value.rule.id == "lanterns/night"
    receipt = session.command({"type": "snuff", "figure": "keeper-1", "target": "moth-1"}, TABLE)
    assert str(receipt.title) == "Keeper 1 puts out Moth 1"
    assert session.view(PUBLIC)["history"][-1]["title"] == "Keeper 1 puts out Moth 1"


def test_a_command_without_a_rule_is_refused_at_once(folder: Path) -> None:
    lawless = SNUFF.replace("(FigureTurn,", "(Step[Night],").replace("FigureTurn.check(self, game)", "pass")
    with pytest.raises(TypeError, match="Snuff declares no rule"):
        with_command(folder, lawless.replace("    target:", "    figure: Name\n    target:"))


def test_a_command_that_nothing_would_offer_is_refused_at_once(folder: Path) -> None:
    with pytest.raises(TypeError, match="Snuff declares neither prompts nor a label"):
        with_command(folder, SNUFF.replace('    label = said("Put a light out")\n', ""))


@pytest.mark.parametrize("game", ["doom2016", "doom2004", "roads"])
def test_the_readme_describes_every_command(game: str) -> None:
    page = (Path(__file__).resolve().parents[2] / "assistant" / "match" / "README.md").read_text(encoding="utf-8")
    described = set(re.findall(r"`(\w+)`", page))
    assert set(system_of(game).commands) - described == set()

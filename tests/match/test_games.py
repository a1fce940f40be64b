"""Games are found by entry points: in a stable order, one fault at a time, with abilities from their base classes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.cli import run
from assistant.errors import BadValue, CannotDo, UnknownName
from assistant.match import games as registry
from assistant.match.games import game_named, games, rule_set, system_of
from assistant.match.missions import mission_from_toml
from assistant.rules.ruleset import CellRules, FreeRules

GAME = """
from assistant.games.doom2016.rules.ruleset import Doom2016
from assistant.match.games import Game

class Rules(Doom2016):
    name = "{name}"

GAME = Game(title="A toy", package="{module}", rule_set=Rules{more})
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a package with one game on Python's path; the last folder is searched first."""

    def forget() -> None:
        registry.games.cache_clear()
        registry._entry_points.cache_clear()
        registry._loaded.cache_clear()

    def make(package: str, entry: str, source: str) -> None:
        folder = tmp_path / package
        metadata = folder / f"{package}-1.0.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[sightline.games]\n{entry}\n")
        (folder / f"{package}_game.py").write_text(source)
        monkeypatch.syspath_prepend(folder)
        monkeypatch.delitem(sys.modules, f"{package}_game", raising=False)
        forget()

    yield make
    forget()


def toy(name: str = "toy", module: str = "toys_game", more: str = "") -> str:
    return GAME.format(name=name, module=module, more=more)


def test_ours_come_first_and_in_their_order() -> None:
    assert [game.id for game in games()] == ["doom2016", "doom2004", "roads"]
    assert [game.table for game in games()] == ["cells", "cells", "free"]


def test_what_a_game_can_be_asked_follows_from_what_its_rules_derive_from() -> None:
    known = {game.id: set(game.abilities) for game in games()}
    assert {"corner", "teleporters", "reach", "doors", "odds", "match", "hidden hands"} == known["doom2016"]
    assert {"space", "reach", "doors", "odds", "match", "hidden hands"} == known["doom2004"]
    assert {"about", "odds", "match"} == known["roads"]


def test_the_rules_of_a_game_are_of_its_kind_of_table() -> None:
    for game in games():
        assert isinstance(game.rules(), CellRules if game.table == "cells" else FreeRules)


def test_a_game_of_another_package_is_found_ruled_and_listed(
    install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    install("toys", "toy = toys_game:GAME", toy())

    assert [game.id for game in games()] == ["doom2016", "doom2004", "roads", "toy"]
    assert rule_set("toy").name == "toy"
    assert run(["rules"]) == 0
    assert "toy: A toy" in capsys.readouterr().out


def test_a_game_that_is_only_ruled_on_is_no_game_of_a_match(install: Install) -> None:
    install("toys", "toy = toys_game:GAME", toy())

    with pytest.raises(UnknownName, match="has rules but no matches; choose one of doom2016, doom2004, roads"):
        system_of("toy")
    with pytest.raises(BadValue, match="no matches") as caught:
        mission_from_toml(b'ruleset = "toy"\ntitle = "t"\nsetup = {}\n', "mine.toml")
    assert (caught.value.document, caught.value.field) == ("mine.toml", "ruleset")


@pytest.mark.parametrize(
    ("entry", "source", "why"),
    [
        ("toy = toys_game:GAME", "import no_such_module", "no_such_module"),
        ("toy = toys_game:GAME", "GAME =", "invalid syntax"),
        ("toy = toys_game:GONE", toy(), "GONE"),
        ("toy = toys_game:GAME", toy(more=", age=12"), "age"),
        ("toy = toys_game:Rules", toy(), "toys_game:Rules is not a game"),
        ("toy = toys_game:GAME", toy("other"), "its rules are called “other”"),
    ],
)
def test_the_log_names_the_package_of_a_broken_game_and_the_others_work(
    install: Install, caplog: pytest.LogCaptureFixture, entry: str, source: str, why: str
) -> None:
    install("toys", entry, source)

    with pytest.raises(CannotDo, match="package toys cannot be loaded") as caught:
        rule_set("toy")
    assert why in str(caught.value)
    assert [game.id for game in games()] == ["doom2016", "doom2004", "roads"]
    assert [record.message for record in caplog.records] == [str(caught.value)]
    assert rule_set("roads").name == "roads"


def test_two_games_of_one_id_are_refused_by_name(install: Install) -> None:
    install("toys", "toy = toys_game:GAME", toy())
    install("bricks", "toy = bricks_game:GAME", toy(module="bricks_game"))

    with pytest.raises(CannotDo, match="the packages bricks and toys bring a game “toy” each"):
        game_named("toy")
    assert "toy" not in [game.id for game in games()]


def test_one_ruling_loads_the_rules_of_one_game_and_no_match() -> None:
    asked = [
        "from assistant.cli import run",
        "import sys",
        "assert run(['rule', 'doom2016', 'assistant/data/boards/corridor.json', '--pairs']) == 0",
        "print([name for name in sys.modules if name.startswith('assistant.games')], file=sys.stderr)",
    ]
    root = Path(__file__).resolve().parents[2]
    ran = subprocess.run([sys.executable, "-c", "\n".join(asked)], cwd=root, capture_output=True, text=True, check=True)
    assert "doom2016.rules.ruleset" in ran.stderr
    assert all(word not in ran.stderr for word in ("doom2004", "roads", ".match", ".tables"))

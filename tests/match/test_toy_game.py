"""A game in a package of its own: found, ruled, explained and played without any change to the program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assistant.app.matches.archive import list_shipped_missions, load_shipped_mission
from assistant.errors import IllegalStep
from assistant.match.actor import JUDGE, TABLE, player
from assistant.match.audience import PUBLIC, Audience
from assistant.match.games import game_named
from assistant.match.missions import new_header
from assistant.match.session import Session

ROOT = Path(__file__).resolve().parents[2]


def board(*places: tuple[str, str, int, int], edges: tuple[Any, ...] = ()) -> dict[str, Any]:
    return {
        "format": "sightline.board/1",
        "cell_mm": 25.4,
        "cells": [[x, y] for x in range(5) for y in range(3)],
        "edges": list(edges),
        "doors": [],
        "figures": [
            {"id": name, "kind": name.partition("-")[0], "side": side, "cells": [[x, y]]} for name, side, x, y in places
        ],
    }


@pytest.fixture
def ask(lanterns_folder: Path, tmp_path: Path) -> Any:
    """Runs the command line as an owner of the installed game."""

    def asked(*arguments: str, document: dict[str, Any] | None = None) -> str:
        path = tmp_path / "board.json"
        path.write_text(json.dumps(document))
        words = [str(path) if word == "BOARD" else word for word in arguments]
        program = [sys.executable, "-c", "from assistant.cli import main; main()", *words]
        environment = {**os.environ, "PYTHONPATH": str(lanterns_folder), "PYTHONIOENCODING": "utf-8"}
        ran = subprocess.run(
            program, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=120, check=False
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        return ran.stdout

    return asked


@pytest.fixture
def night(lanterns: Path) -> Session:
    """The shipped mission with its figures on the table, before the lamps are lit."""
    mission = load_shipped_mission("lanterns_first_night")
    header = new_header(mission, match_id="night", seed="seed", created_t=0, options={})
    session = Session(header, journal=None, clock_ms=lambda: 0)
    session.command({"type": "see", "document": mission.table}, JUDGE)
    return session


def prompts(session: Session) -> list[dict[str, Any]]:
    return [{"type": prompt["type"], **prompt["fields"]} for prompt in session.view(PUBLIC)["prompts"]]


def test_it_is_listed_with_what_it_can_be_asked(ask: Any) -> None:
    assert "lanterns: Lanterns\n    table: cells\n    can: match\n" in ask("rules")
    assert "crowd = clear | dark" in ask("rules", "lanterns")


@pytest.mark.parametrize(
    ("language", "sight", "steps"),
    [
        ("en", "keeper-1 shines on moth-1 along one line.", "The range is 3."),
        ("ru", "keeper-1: свет идёт по прямой и попадает в цель (moth-1).", "Дальность — 3."),
        ("es", "keeper-1 alumbra a moth-1 en línea recta.", "El alcance es 3."),
    ],
)
def test_it_is_ruled_with_reasons_in_every_language(ask: Any, language: str, sight: str, steps: str) -> None:
    seen = board(("keeper-1", "keepers", 0, 1), ("moth-1", "moths", 3, 1))
    pair = ("--from", "keeper-1", "--to", "moth-1", "--lang", language)
    ruling = json.loads(ask("rule", "lanterns", "BOARD", *pair, document=seen))

    assert (ruling["range"], ruling["line_of_sight"], ruling["cover"]) == (3, True, None)
    assert [reason["text"] for reason in ruling["reasons"]] == [sight, steps]


def test_it_explains_what_would_flip_an_answer(ask: Any) -> None:
    wall = {"from": [2, 1], "to": [2, 2], "kind": "wall"}
    seen = board(("keeper-1", "keepers", 0, 1), ("moth-1", "moths", 3, 1), edges=(wall,))
    pair = ("--from", "keeper-1", "--to", "moth-1", "--explain", "--lang", "es")
    ruling = json.loads(ask("rule", "lanterns", "BOARD", *pair, document=seen))

    assert not ruling["line_of_sight"]
    assert "remove-edge" in [change["kind"] for change in ruling["changes"]]
    assert "habría línea de visión" in ruling["reasons"][-1]["text"]


def test_a_house_option_decides_and_is_named_where_it_does(ask: Any) -> None:
    seen = board(("keeper-1", "keepers", 0, 1), ("keeper-2", "keepers", 1, 1), ("moth-1", "moths", 3, 1))
    pair = ("--from", "keeper-1", "--to", "moth-1")
    clear = json.loads(ask("rule", "lanterns", "BOARD", *pair, document=seen))
    dark = json.loads(ask("rule", "lanterns", "BOARD", *pair, "--option", "crowd=dark", document=seen))

    assert (clear["line_of_sight"], clear["options"]) == (True, {"crowd": "clear"})
    assert (dark["line_of_sight"], dark["options"]) == (False, {"crowd": "dark"})


def test_its_mission_is_found(lanterns: Path) -> None:
    assert "lanterns_first_night" in list_shipped_missions()
    assert game_named("lanterns").abilities == ("match",)


def test_a_night_is_played_to_its_winner_by_its_prompts(night: Session) -> None:
    assert prompts(night) == [{"type": "kindle"}]
    night.command({"type": "kindle"}, TABLE)
    for deed in (
        {"type": "creep", "figure": "keeper-1", "way": "south"},
        {"type": "wait"},
        {"type": "shine", "figure": "keeper-1", "target": "moth-1"},
        {"type": "creep", "figure": "moth-1", "way": "north"},
        {"type": "creep", "figure": "keeper-1", "way": "north"},
        {"type": "wait"},
        {"type": "shine", "figure": "keeper-1", "target": "moth-1"},
    ):
        assert deed in prompts(night)
        night.command(deed, player("moths" if night.timeline.game.side_to_act() == "moths" else "keepers"))

    view = night.view(PUBLIC)
    assert (view["winner"], view["ending"], view["prompts"]) == (
        "keepers",
        "No light is left on the other side",
        [],
    )


@pytest.mark.parametrize(
    ("language", "kindle", "creep"),
    [
        ("ru", "Зажечь фонари", "Хранитель 1 крадётся на юг"),
        ("es", "Encender los faroles", "Guardián 1 avanza con sigilo hacia el sur"),
    ],
)
def test_a_night_has_its_own_words(night: Session, language: str, kindle: str, creep: str) -> None:
    def told() -> list[str]:
        return [prompt["text"] for prompt in night.view(Audience(language=language))["prompts"]]

    assert told() == [kindle]
    night.command({"type": "kindle"}, TABLE)
    assert creep in told()


def test_what_the_rules_forbid_is_refused_with_a_sentence(night: Session) -> None:
    with pytest.raises(IllegalStep, match="the night has not begun"):
        night.command({"type": "wait"}, TABLE)
    night.command({"type": "kindle"}, TABLE)
    with pytest.raises(IllegalStep, match="the light of Keeper 1 does not reach Moth 1"):
        night.command({"type": "shine", "figure": "keeper-1", "target": "moth-1"}, TABLE)
    with pytest.raises(IllegalStep, match="the side “Keepers” decides that"):
        night.command({"type": "wait"}, player("moths"))


def test_undo_and_a_state_from_plain_data_work_as_in_every_game(night: Session) -> None:
    night.command({"type": "kindle"}, TABLE)
    night.command({"type": "creep", "figure": "keeper-1", "way": "south"}, TABLE)
    lit = night.timeline.game
    assert night.system.state_from(msgspec.to_builtins(lit)) == lit
    night.command({"type": "undo"}, TABLE)

    assert night.timeline.game.piece("keeper-1").cells == ((0, 0),)
    assert night.tracker().order[0].name == "keeper-1"

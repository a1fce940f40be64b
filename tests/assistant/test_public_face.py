"""The public API: every answer through it alone, and no import before it is needed."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

import assistant
from assistant.errors import BadValue, UnknownFormat, UnknownName

ROOT = Path(__file__).resolve().parents[2]
CORRIDOR = ROOT / "assistant" / "data" / "boards" / "corridor.json"
TABLES = ROOT / "assistant" / "games" / "doom2004" / "samples" / "sample_doom2004.toml"


def test_a_board_is_read_from_a_file_its_bytes_or_plain_data() -> None:
    board = assistant.read_board(CORRIDOR)

    assert assistant.read_board(str(CORRIDOR)) == board
    assert assistant.read_board(CORRIDOR.read_bytes()) == board
    assert assistant.read_board(json.loads(CORRIDOR.read_text())) == board


def test_a_document_at_fault_is_named() -> None:
    with pytest.raises(UnknownFormat, match="board"):
        assistant.read_board({"format": "sightline.bored/1"})
    with pytest.raises(assistant.SightlineError, match=r"nowhere\.json"):
        assistant.read_board("nowhere.json")


def test_a_game_rules_explains_and_maps() -> None:
    board, rules = assistant.read_board(CORRIDOR), assistant.cell_game("doom2016", cover_doors="no")
    ruling = rules.rule(board, "alpha", "imp-1")

    assert (ruling.range, ruling.line_of_sight, ruling.cover) == (3, True, True)
    in_english, in_spanish = assistant.explain(rules, board, ruling), assistant.explain(rules, board, ruling, "es")
    assert in_english[0] == ruling.reasons[0].text
    assert len(in_english) == len(in_spanish) > len(ruling.reasons)
    assert in_english != in_spanish
    seeing = assistant.sees_from(rules, board, "alpha", "imp-1")
    assert board.figure("alpha").cells[0] in seeing
    assert seeing < board.cells


def test_a_game_is_asked_for_by_its_kind_of_table() -> None:
    assert {game.id for game in assistant.installed_games()} >= {"doom2016", "doom2004", "roads"}
    assert assistant.free_game("roads").name == "roads"
    with pytest.raises(UnknownName, match="Call free_game for it"):
        assistant.cell_game("roads")
    with pytest.raises(UnknownName, match="Call cell_game for it"):
        assistant.free_game("doom2016")
    with pytest.raises(UnknownName, match="no option"):
        assistant.cell_game("doom2016", no_such="yes")


def test_a_table_without_cells_is_read_and_ruled_on() -> None:
    stats = {"mobility": 4, "toughness": 4, "spirit": 4, "combat": 4}
    base = {"base_mm": 25, "height_mm": 30, "elevation_mm": 0, "facing_deg": 0, "stats": stats}
    document = {
        "format": "sightline.free-table/1",
        "step_mm": 25,
        "size_mm": [600, 400],
        "terrain": [],
        "figures": [
            {"id": "a", "side": "one", "center_mm": [100, 100], **base},
            {"id": "b", "side": "two", "center_mm": [200, 100], **base},
        ],
    }
    table = assistant.read_free_table(document)
    assert assistant.free_game("roads").rule(table, "a", "b").line_of_sight


def test_odds_are_those_of_the_command() -> None:
    told = assistant.odds(TABLES, attack="pistol", target="sample demon", range_spaces=3, attack_is=["aimed"])
    asked = [
        "odds",
        str(TABLES),
        "--attack",
        "pistol",
        "--target",
        "sample demon",
        "--range",
        "3",
        "--attack-is",
        "aimed",
    ]
    ran = run(f"from assistant.cli import run; run({asked!r})")

    assert json.loads(ran) == json.loads(json.dumps(told))


def test_a_match_is_begun_commanded_seen_and_followed(tmp_path: Path) -> None:
    heard: list[str] = []
    session = assistant.begin_match("doom2016_sample_table")
    stop = session.subscribe(lambda receipt: heard.append(receipt.type))
    session.command({"type": "status"}, assistant.TABLE)
    stop()

    assert heard == ["status"]
    assert session.view(assistant.PUBLIC)["round"] == 1
    missions = ROOT / "assistant" / "games" / "doom2016" / "missions"
    own = tmp_path / "mine.toml"
    own.write_bytes((missions / "doom2016_sample_table.toml").read_bytes())
    assert assistant.begin_match(own).seq == 0
    with pytest.raises(BadValue, match="not valid TOML"):
        assistant.begin_match(b"=")


def test_a_photo_is_read_as_the_command_reads_it(golden: Path) -> None:
    scene = golden / "scenes" / "dev" / "easy-03"
    documents = {"table": scene / "table.json", "camera": scene / "camera.json", "roster": scene / "roster.json"}
    seen = assistant.read_photo(scene / "photo.jpg", tiles=golden / "scenes" / "tiles-dev", **documents)

    truth = json.loads((scene / "truth.json").read_text())
    stand = {tuple(sorted(map(tuple, figure["cells"]))) for figure in truth["figures"]}
    assert {figure.cells for figure in seen.board.figures} == stand


def test_every_name_of_the_face_is_there_and_at_home_where_it_says() -> None:
    for name in assistant.__all__:
        assert getattr(assistant, name) is not None
    for name, place in assistant._PLACES.items():
        assert getattr(assistant, name) is getattr(import_module(f"assistant.{place}"), name)
    assert set(assistant._PLACES) < set(assistant.__all__)
    with pytest.raises(AttributeError, match="no attribute 'bored'"):
        assistant.bored  # type: ignore[attr-defined]  # noqa: B018 - a name that is misspelt


def test_nothing_is_imported_before_it_is_needed() -> None:
    asked = "import assistant, sys; print([m for m in sys.modules if m.partition('.')[0] in {rooms!r}])"
    rooms = {"cv2", "flask", "numpy", "msgspec", "vision", "web", "calibration"}
    assert run(asked.format(rooms=rooms)).strip() == "[]"
    read = f"import assistant, sys; assistant.read_board({str(CORRIDOR)!r})"
    assert run(f"{read}; print([m for m in ('cv2', 'flask') if m in sys.modules])").strip() == "[]"


def run(code: str) -> str:
    """Return a new process's output."""
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    return ran.stdout


def test_a_ruling_reads_as_one_sentence_at_a_prompt() -> None:
    seen = assistant.Ruling("toy", "alpha", "imp-1", 4, True, False, None, (), ())
    assert str(seen) == "alpha has line of sight to imp-1, range 4, no cover."
    assert str(replace(seen, cover=True, stability=0.875)) == (
        "alpha has line of sight to imp-1, range 4, cover (88% sure)."
    )
    unseen = replace(seen, line_of_sight=False, cover=None, range=None)
    assert str(unseen) == "alpha has no line of sight to imp-1."

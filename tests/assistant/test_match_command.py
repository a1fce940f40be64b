"""``sightline match``: whole matches to files and back, strictly checked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.app.matches.archive import MAX_MATCH_BYTES, KeptMatches, load_shipped_mission
from assistant.cli import run
from assistant.documents import event_line, line_hash
from assistant.match.actor import JUDGE, TABLE

Answer = tuple[int, str, str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with a match of a few events."""
    data = tmp_path / "data"
    kept = KeptMatches(data, lambda: 1_700_000_000_000)
    session = kept.begin("evening", load_shipped_mission("doom2016_tutorial_sample"), {})
    session.command({"type": "status"}, TABLE)
    session.command({"type": "reveal"}, TABLE)
    session.command({"type": "damage", "figure": "alpha", "amount": 2}, JUDGE)
    kept.close()
    return data


@pytest.fixture
def ask(capfd: pytest.CaptureFixture[str], folder: Path) -> Callable[..., Answer]:
    """Calls the program in that data folder: status, standard output, standard error."""

    def call(*arguments: str | Path, data: Path = folder) -> Answer:
        status = run(["match", *(str(argument) for argument in arguments), "--data", str(data)])
        output, errors = capfd.readouterr()
        return status, output, errors

    return call


def test_the_list_tells_name_rules_beginning_and_length(ask: Callable[..., Answer]) -> None:
    status, output, _ = ask("list")
    assert status == 0
    assert (
        output == "evening\tdoom2016\t2023-11-14 22:13 UTC\t3 events\tTutorial (sample data)\n" or "evening" in output
    )
    label = json.loads(ask("list", "--json")[1])
    assert (label["id"], label["ruleset"], label["event_count"]) == ("evening", "doom2016", 3)


def test_a_match_goes_to_a_file_and_comes_back_as_it_was(ask: Callable[..., Answer], tmp_path: Path) -> None:
    file = tmp_path / "saved.jsonl"
    assert ask("export", "evening", file)[:2] == (0, f"3 events in {file}\n")
    status, output, _ = ask("import", file)
    assert (status, output.split("\t")[0]) == (0, "saved")
    assert ask("export", "saved")[1].encode() == file.read_bytes()
    assert ask("import", file, "--as", "once more")[0] == 0
    assert len(ask("list")[1].splitlines()) == 3


def test_an_imported_match_is_gone_on_with(ask: Callable[..., Answer], folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "saved.jsonl"
    ask("export", "evening", file)
    ask("import", file)
    kept = KeptMatches(folder)
    session = kept.go_on("saved")
    assert session.timeline.game.piece("alpha").harm == 2
    session.command({"type": "undo"}, JUDGE)
    assert session.timeline.game.piece("alpha").harm == 0
    kept.close()


def faulty(file: Path, fault: str) -> None:
    lines = file.read_bytes().splitlines()
    if fault == "line changed":
        lines[2] = lines[2].replace(b'"type":"reveal"', b'"type": "reveal"')
    elif fault == "line gone":
        del lines[2]
    elif fault == "header changed":
        lines[0] = lines[0].replace(b'"doom2016"', b'"doom2004"', 1)
    elif fault == "cut short in a line":
        lines[3] = lines[3][:20]
    elif fault == "other format":
        lines[0] = b'{"format":"sightline.board/1"}'
    elif fault == "no JSON":
        lines = [b"\xff\xfe not a match"]
    elif fault == "empty":
        lines = []
    file.write_bytes(b"\n".join(lines))


@pytest.mark.parametrize(
    "fault",
    ["line changed", "line gone", "header changed", "cut short in a line", "other format", "no JSON", "empty"],
)
def test_each_fault_is_one_sentence_and_nothing_is_kept(ask: Callable[..., Answer], tmp_path: Path, fault: str) -> None:
    file = tmp_path / "saved.jsonl"
    ask("export", "evening", file)
    faulty(file, fault)
    status, output, errors = ask("import", file)
    assert (status, output) == (2, "")
    assert len(errors.strip().splitlines()) == 1
    assert "saved" not in ask("list")[1]


def test_a_die_that_the_seed_does_not_give_is_found_although_the_chain_holds(
    ask: Callable[..., Answer], tmp_path: Path
) -> None:
    file = tmp_path / "saved.jsonl"
    ask("export", "evening", file)
    lines = file.read_bytes().splitlines()
    event = json.loads(lines[1])
    event["salt"] = "0" * 16
    del event["prev"]
    lines[1] = event_line(event, line_hash(lines[0]))
    for place in (2, 3):
        later = json.loads(lines[place])
        del later["prev"]
        lines[place] = event_line(later, line_hash(lines[place - 1]))
    file.write_bytes(b"\n".join(lines))
    status, _, errors = ask("import", file)
    assert status == 2
    assert "event 1 does not follow from the rules and the seed" in errors


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", ".hidden", "x" * 61, "a\nb", "ends ", "-x", "con\x00"])
def test_names_are_checked(ask: Callable[..., Answer], tmp_path: Path, name: str) -> None:
    file = tmp_path / "saved.jsonl"
    ask("export", "evening", file)
    status, output, errors = ask("import", file, "--as", name)
    assert (status, output) == (2, "")
    assert "letters, digits" in errors


@pytest.mark.parametrize("name", ["a", "Ночь 3", "élan_2.1", "x" * 60])
def test_names_in_any_script_are_fine(ask: Callable[..., Answer], tmp_path: Path, name: str) -> None:
    file = tmp_path / "saved.jsonl"
    ask("export", "evening", file)
    assert ask("import", file, "--as", name)[0] == 0


def test_a_name_that_is_taken_an_unknown_one_and_no_folder(ask: Callable[..., Answer], tmp_path: Path) -> None:
    file = tmp_path / "saved.jsonl"
    ask("export", "evening", file)
    status, _, errors = ask("import", file, "--as", "evening")
    assert (status, "is taken" in errors) == (1, True)
    status, _, errors = ask("export", "morning")
    assert (status, "no match “morning”" in errors) == (2, True)
    status, _, errors = ask("export", "evening", data=tmp_path / "nowhere")
    assert (status, "--data" in errors) == (1, True)
    status, _, errors = ask("import", tmp_path / "gone.jsonl")
    assert (status, "Check the file's name" in errors) == (2, True)
    status, _, errors = ask("export", "evening", tmp_path / "data" / "sightline.db" / "x")
    assert (status, "Choose another place" in errors) == (1, True)


def test_a_file_larger_than_any_match_is_refused_before_it_is_read(folder: Path) -> None:
    kept = KeptMatches(folder)
    with pytest.raises(Exception, match="larger than any match"):
        kept.imported(b"x" * (MAX_MATCH_BYTES + 1), "big")
    kept.close()


def test_a_folder_that_a_table_has_open_is_left_alone(ask: Callable[..., Answer], folder: Path) -> None:
    kept = KeptMatches(folder)
    status, output, errors = ask("list")
    assert (status, output) == (1, "")
    assert "Another Sightline" in errors
    kept.close()


def test_on_a_fresh_machine_the_list_is_empty_and_a_match_can_be_taken_in(
    ask: Callable[..., Answer], tmp_path: Path
) -> None:
    file, fresh = tmp_path / "saved.jsonl", tmp_path / "fresh"
    ask("export", "evening", file)

    status, output, told = ask("list", data=fresh)
    assert (status, output, "There is no match in" in told) == (0, "", True)
    assert not fresh.exists()

    assert ask("import", file, data=fresh)[0] == 0
    assert ask("list", data=fresh)[1].startswith("saved\t")

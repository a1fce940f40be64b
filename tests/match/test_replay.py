"""A saved match is rebuilt at any of its events, and every change to it is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from assistant.cli import run
from assistant.documents import line_hash, match_from_lines
from assistant.errors import DocumentError, UnknownName
from assistant.match.replay import replay_match


@pytest.fixture(scope="module")
def saved(build: ModuleType, players: ModuleType) -> Callable[[str], Any]:
    """A match of each sample mission, played to its end; made once."""
    made: dict[str, Any] = {}

    def match(name: str) -> Any:
        if name not in made:
            made[name] = build.on_table(name, seed="replay")
            players.played_out(made[name], 3)
        return made[name]

    return match


def forged(data: bytes, change: Callable[[int, dict[str, Any]], None]) -> bytes:
    """Return the match with some events changed and the chain of hashes made to fit again."""
    lines = data.splitlines()
    forged_lines = [lines[0]]
    for number, line in enumerate(lines[1:], 1):
        event = json.loads(line)
        change(number, event)
        event["prev"] = line_hash(forged_lines[-1])
        forged_lines.append(json.dumps(event).encode())
    return b"\n".join(forged_lines) + b"\n"


MISSIONS = ["doom2016_tutorial_sample", "doom2004_knee_deep_sample", "roads_bridge_sample", "roads_every_rule"]


@pytest.mark.parametrize("name", MISSIONS)
def test_a_replay_equals_the_live_match_and_finds_nothing(saved: Any, name: str) -> None:
    match = saved(name)
    result = replay_match(match.document(), "m")
    assert result.findings == ()
    assert result.timeline.game == match.game
    assert result.timeline.entries() == match.session.timeline.entries()


def test_any_point_can_be_rebuilt(saved: Any) -> None:
    match = saved(MISSIONS[0])
    for to in (0, 1, 17, match.session.seq):
        assert replay_match(match.document(), "m", to).timeline.seq == to
    with pytest.raises(UnknownName, match="there is no event"):
        replay_match(match.document(), "m", match.session.seq + 1)


def first_of(data: bytes, type_: str) -> int:
    return next(event["seq"] for event in match_from_lines(data).events if event["type"] == type_)


def change_of(number: int, field: str, value: Any) -> Callable[[int, dict[str, Any]], None]:
    def change(seq: int, event: dict[str, Any]) -> None:
        if seq == number:
            event[field] = value

    return change


def test_a_changed_line_breaks_the_chain_of_hashes(saved: Any) -> None:
    data = saved(MISSIONS[0]).document()
    with pytest.raises(DocumentError, match="changed after it was written"):
        replay_match(data.replace(b'"rolled_here":true', b'"rolled_here":false', 1), "m")
    with pytest.raises(DocumentError, match="is missing"):
        replay_match(b"\n".join(data.splitlines()[:5] + data.splitlines()[6:]), "m")


@pytest.mark.parametrize(
    ("type_", "field", "value"), [("attack", "dice", [["black", 3], ["red", 3]]), ("defend", "salt", "0")]
)
def test_dice_and_shuffles_that_the_seed_does_not_give_are_found(
    saved: Any, type_: str, field: str, value: Any
) -> None:
    data = saved(MISSIONS[0]).document()
    number = first_of(data, type_)
    findings = replay_match(forged(data, change_of(number, field, value)), "m", number).findings
    assert findings[0].seq == number
    assert field in str(findings[0].text) or "roll these dice" in str(findings[0].text)


def test_a_ruling_that_the_rules_do_not_give_is_found(saved: Any) -> None:
    data = saved(MISSIONS[0]).document()
    number = first_of(data, "attack")
    ruling = next(event for event in match_from_lines(data).events if event["seq"] == number)["ruling"]
    changed = {**ruling, "cover": not ruling["cover"]}
    findings = replay_match(forged(data, change_of(number, "ruling", changed)), "m", number).findings
    assert [finding.seq for finding in findings] == [number]
    assert "ruling" in str(findings[0].text)


def test_a_step_that_the_rules_do_not_allow_is_found_and_ends_the_replay(build: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL))
    match.do("status", shuffled_here=False)
    match.do("reveal", card="alpha")
    match.do("damage", figure="alpha", amount=1)
    result = replay_match(forged(match.document(), change_of(2, "card", "nobody")), "m")
    assert [finding.seq for finding in result.findings] == [2]
    assert "not among the initiative cards" in str(result.findings[0].text)
    assert result.timeline.seq == 1


def test_the_command_prints_the_match_at_a_moment(
    saved: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = saved(MISSIONS[0])
    file = tmp_path / "match.jsonl"
    file.write_bytes(match.document())
    assert run(["replay", str(file), "--to", "10"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["format"], printed["at"], printed["events"]) == ("sightline.replay/1", 10, match.session.seq)
    assert printed["view"]["seq"] == 10


def test_the_command_says_in_one_sentence_what_was_found(
    saved: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = saved(MISSIONS[0]).document()
    file = tmp_path / "match.jsonl"
    file.write_bytes(forged(data, change_of(first_of(data, "defend"), "salt", "0")))
    assert run(["replay", str(file)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "first event" in told.err
    assert told.err.count("\n") == 1
    file.write_bytes(data[:-10])
    assert run(["replay", str(file)]) == 2
    assert run(["replay", str(tmp_path / "none.jsonl")]) == 2

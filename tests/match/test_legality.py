"""Was that legal? Every event of a match is judged: verdict, rule with source, and alternatives."""

from __future__ import annotations

import json
from collections import Counter
from types import ModuleType
from typing import Any

import pytest

from assistant.documents import event_line, header_line, line_hash, match_lines
from assistant.errors import IllegalStep, NotYours, UnknownName
from assistant.match.actor import CAMERA, JUDGE, TABLE, player
from assistant.match.audience import JUDGE_VIEW
from assistant.match.replay import judge_events, replay_match

GAMES = ("doom2016_tutorial_sample", "doom2004_knee_deep_sample", "roads_bridge_sample")


def judged(match: Any, seq: int | None = None) -> list[dict[str, Any]]:
    return list(judge_events(match.document(), "match", JUDGE_VIEW, seq))


def last(match: Any, by: Any = JUDGE) -> dict[str, Any]:
    found: dict[str, Any] = match.session.judge(match.session.seq, by)
    return found


def chosen(found: dict[str, Any], field: str) -> list[dict[str, Any]]:
    ask = next(ask for ask in found["alternatives"] if ask["field"] == field)
    return [pick for pick in ask["picks"] if pick["is_chosen"]]


@pytest.mark.parametrize("name", GAMES)
def test_whatever_a_match_let_happen_was_legal_and_names_its_rule(
    build: ModuleType, players: ModuleType, name: str
) -> None:
    match = build.on_table(name)
    players.played_out(match, 5, lambda _: None)
    found = judged(match)
    assert [one["seq"] for one in found] == list(range(1, match.session.seq + 1))
    assert Counter(one["verdict"] for one in found)["no"] == 0
    for one in found:
        assert one["rule"]["id"] != "match/unplaced"
        assert one["rule"]["source"]
        assert all(reason["source"] for reason in one["reasons"])


@pytest.mark.parametrize(("name", "seed"), list(zip(GAMES, (6, 9, 8), strict=True)))
def test_what_was_done_is_among_what_would_have_been_legal(
    build: ModuleType, players: ModuleType, name: str, seed: int
) -> None:
    match = build.on_table(name)
    players.played_out(match, seed, lambda _: None)
    asked = 0
    for seq in range(1, match.session.seq + 1):
        for ask in match.session.judge(seq, JUDGE)["alternatives"]:
            if ask["kind"] in ("figure", "door") or ask["field"] == "profile":
                asked += 1
                assert sum(pick["is_chosen"] for pick in ask["picks"]) == 1, (seq, ask)
    assert asked > 20


def begun_turn(build: ModuleType) -> Any:
    match = build.on_table(build.TUTORIAL)
    match.do("status", shuffled_here=False)
    match.do("reveal", card="alpha")
    card = next(card for card in match.game.deck("alpha").hand if match.game.setup.cards[card].kind == "main")
    match.do("play", card=card)
    return match


def next_cell(match: Any) -> list[int]:
    """Return the nearest cell that Alpha may move to."""
    picks = match.session.way({"type": "move", "figure": "alpha"}, TABLE)["ask"]["picks"]
    cell: list[int] = min(picks, key=lambda pick: pick["cost"])["value"][0]
    return cell


def test_a_move_tells_every_other_end_with_its_cost(build: ModuleType) -> None:
    match = begun_turn(build)
    before = match.game.turn.movement
    cell = next_cell(match)
    match.do("move", figure="alpha", cells=[cell])
    found = last(match)
    assert (found["verdict"], found["rule"]["id"]) == ("yes", "doom2016/movement")
    assert found["rule"]["source"] == "Rules, “Movement”"
    ends = next(ask for ask in found["alternatives"] if ask["field"] == "cells")["picks"]
    assert [pick["cells"] for pick in chosen(found, "cells")] == [[cell]]
    assert max(pick["cost"] for pick in ends) <= before


def test_the_judgement_is_of_its_own_moment_whatever_came_later(build: ModuleType) -> None:
    match = begun_turn(build)
    cell = next_cell(match)
    match.do("move", figure="alpha", cells=[cell])
    seq = match.session.seq
    told = match.session.judge(seq, JUDGE)
    match.session.command({"type": "undo"}, JUDGE)
    match.do("end")
    assert match.session.judge(seq, JUDGE) == told


def test_a_figure_that_the_camera_saw_too_far_away_is_judged_as_a_move(build: ModuleType) -> None:
    match = begun_turn(build)
    board = json.loads(match.game.ground)
    figures = [
        {"id": one.id, "kind": one.kind, "side": one.side, "cells": [list(cell) for cell in one.cells]}
        for one in match.game.standing()
    ]
    far = max((c for c in map(tuple, board["cells"])), key=lambda cell: cell[0])
    seen = [{**one, "cells": [list(far)]} if one["id"] == "alpha" else one for one in figures]
    match.session.command({"type": "see", "document": {**board, "figures": seen}}, CAMERA)
    found = last(match)
    assert (found["verdict"], found["rule"]["id"]) == ("no", "doom2016/movement")
    assert found["sentence"].startswith("No: Alpha could not move there:")
    assert [one["figure"] for one in found["moved"]] == ["alpha"]
    assert next(ask for ask in found["alternatives"] if ask["field"] == "cells")["picks"]


def test_what_is_put_by_hand_is_no_move_and_says_whether_it_might_have_been(build: ModuleType) -> None:
    match = build.on_table(build.TUTORIAL)
    match.do("place", by=JUDGE, figure="alpha", cells=[[5, 2]])
    found = last(match)
    assert (found["verdict"], found["rule"]["id"]) == ("by hand", "match/by-hand")
    assert [one["is_legal"] for one in found["moved"]] == [False]


def test_an_illegal_step_written_into_a_file_is_found_with_its_rule(build: ModuleType) -> None:
    match = begun_turn(build)
    header = header_line(match.session.header.document())
    lines, previous = [header], line_hash(header)
    for raw in map(json.loads, match.journal.lines):
        raw.pop("prev")
        lines.append(event_line(raw, previous))
        previous = line_hash(lines[-1])
    forged = {**raw, "seq": raw["seq"] + 1, "type": "move", "figure": "alpha", "cells": [[12, 2]]}
    kept = ("seq", "t", "actor", "type", "figure", "cells")
    lines.append(event_line({name: forged[name] for name in kept}, previous))
    found = list(judge_events(match_lines(lines), "forged", JUDGE_VIEW))[-1]
    assert (found["verdict"], found["is_possible"], found["rule"]["id"]) == ("no", False, "doom2016/movement")
    assert found["sentence"].startswith("No: ")


def test_a_ruling_saved_before_rules_had_a_source_still_equals_the_programs(build: ModuleType) -> None:
    match = build.on_table(build.TUTORIAL)
    match.do("ruling", attacker="alpha", defender="imp-1")
    header = header_line(match.session.header.document())
    lines, previous = [header], line_hash(header)
    for raw in map(json.loads, match.journal.lines):
        raw.pop("prev")
        for reason in (raw.get("ruling") or {}).get("reasons", ()):
            assert reason.pop("source")
        lines.append(event_line(raw, previous))
        previous = line_hash(lines[-1])
    assert replay_match(match_lines(lines), "old").findings == ()


def test_what_the_program_fills_in_since_a_later_version_is_no_objection_to_an_older_match(roads: ModuleType) -> None:
    jumper = roads.fighter("jumper", "knights", 300, 300, walk_steps=4)
    match = roads.skirmish(jumper, roads.fighter("far", "diggers", 1000, 300))
    roads.go_to(match, "move")
    match.do("manoeuvre", figure="jumper", kind="gap", steps=1)
    assert json.loads(match.journal.lines[-1])["left"] == 4
    header = header_line(match.session.header.document())
    lines, previous = [header], line_hash(header)
    for raw in map(json.loads, match.journal.lines):
        lines.append(event_line({name: raw[name] for name in raw if name not in ("prev", "left")}, previous))
        previous = line_hash(lines[-1])
    assert [one["verdict"] for one in judge_events(match_lines(lines), "old", JUDGE_VIEW)][-1] == "yes"


def test_the_cards_of_the_other_side_are_no_alternatives(build: ModuleType) -> None:
    match = begun_turn(build)
    seq = next(one["seq"] for one in judged(match) if one["type"] == "play")
    assert match.session.judge(seq, player("marines"))["alternatives"]
    assert not match.session.judge(seq, player("invader"))["alternatives"]


def test_there_is_no_judgement_of_what_never_was(build: ModuleType) -> None:
    match = build.on_table(build.TUTORIAL)
    for seq in (0, 99):
        with pytest.raises(UnknownName, match="there is no event"):
            match.session.judge(seq, JUDGE)
        with pytest.raises(UnknownName, match="there is no event"):
            judged(match, seq)


REFUSED = (
    ({"type": "undo", "to": 99}, TABLE, "match/history"),
    ({"type": "redo"}, TABLE, "match/history"),
    ({"type": "resume"}, TABLE, "match/clocks"),
    ({"type": "place", "figure": "alpha", "cells": [[99, 99]]}, TABLE, "match/by-hand"),
    ({"type": "declare", "winner": "nobody"}, TABLE, "match/ending"),
    ({"type": "ruling", "attacker": "alpha", "defender": "imp-1"}, CAMERA, "match/who-decides"),
    ({"type": "wake"}, TABLE, "match/who-decides"),
    ({"type": "reveal", "after": 0}, TABLE, "match/in-turn"),
    ({"type": "status"}, player("invader"), "doom2016/status-phase"),
)


@pytest.mark.parametrize(("command", "by", "rule"), REFUSED, ids=[case[0]["type"] for case in REFUSED])
def test_every_refusal_of_the_commands_of_all_games_names_its_rule(
    build: ModuleType, command: dict[str, Any], by: Any, rule: str
) -> None:
    match = build.on_table(build.TUTORIAL)
    match.do("status")
    with pytest.raises(IllegalStep) as refused:
        match.session.command(command, by)
    assert refused.value.rule is not None
    assert refused.value.rule.id == rule
    assert refused.value.rule.source


def test_a_refusal_of_the_wrong_side_names_a_rule(build: ModuleType) -> None:
    match = begun_turn(build)
    with pytest.raises(NotYours) as refused:
        match.session.command({"type": "move", "figure": "alpha", "cells": [[1, 0]]}, player("invader"))
    assert refused.value.rule is not None
    assert refused.value.rule.id == "match/who-decides"


def test_a_way_that_is_refused_names_the_rule_and_its_source(build: ModuleType) -> None:
    match = build.on_table(build.TUTORIAL)
    way = match.session.way({"type": "reveal"}, TABLE)
    assert way["refusal"]
    assert way["rule"]["source"] == "Rules, “Activation phase”"

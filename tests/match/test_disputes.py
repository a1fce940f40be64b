"""Classic disputes: the program agrees with the stored answers, each checked against its rule's text."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from assistant.cli import run
from assistant.cli.disputes import DisputeFile, disputes
from assistant.errors import UnknownName
from assistant.rules.claims import settle_claims
from assistant.table.free_table import FreeTable
from assistant.translations.catalogue import translate
from vision.simulation import by_hand
from vision.simulation.by_hand import BLOCKED_BGR, FREE_BGR, PICTURE_WH, FreeHandScene, ThreadLine, set_up_by_hand

ALL = disputes()
ON_CELLS = [dispute for dispute in ALL if isinstance(dispute.file, DisputeFile)]
FREE = [dispute for dispute in ALL if dispute not in ON_CELLS]


def named(dispute):
    return f"{dispute.game.id}-{dispute.name}"


def test_there_are_fifteen_of_them_and_two_games_differ_about_the_same_table():
    assert (len(ON_CELLS), len(FREE)) == (10, 5)
    tables: dict[str, set[bool]] = {}
    for dispute in ON_CELLS:
        tables.setdefault(json.dumps(dispute.file.figures), set()).add(dispute.file.answer.line_of_sight)
    assert sum(len(answers) == 2 for answers in tables.values()) >= 2


@pytest.mark.parametrize("dispute", ON_CELLS, ids=named)
def test_a_dispute_is_settled_as_the_book_says(dispute):
    file, rules = dispute.file, dispute.rules
    board = set_up_by_hand(dispute.name, file.figures, file.doors).board

    ruling = rules.rule(board, file.attacker, file.defender)

    right = file.answer
    assert (ruling.range, ruling.line_of_sight, ruling.cover) == (right.range, right.line_of_sight, right.cover)
    assert set(file.rules) <= {reason.rule for reason in ruling.reasons}
    yes, no = settle_claims(rules, board, file.attacker, file.defender, file.about)
    asked = right.line_of_sight if file.about == "sight" else right.cover
    assert (yes.holds, no.holds) == (asked, not asked)


@pytest.mark.parametrize("dispute", FREE, ids=named)
def test_a_dispute_without_a_grid_is_settled_as_the_house_reads_the_fragment(dispute):
    file, rules, table = dispute.file, dispute.rules, dispute.stands
    ruling = rules.rule(table, file.attacker, file.defender)

    right = file.answer
    assert (ruling.line_of_sight, ruling.cover) == (right.line_of_sight, right.cover)
    assert set(file.rules) <= {reason.rule for reason in ruling.reasons}
    yes, no = settle_claims(rules, table, file.attacker, file.defender, file.about)
    asked = right.line_of_sight if file.about == "sight" else right.cover
    assert (yes.holds, no.holds) == (asked, not asked)
    assert FreeHandScene(dispute.name, table).scene.table == table  # the photo shows the board of the ruling


def blank(scene):
    """Return a grey photo at once, in place of a rendered one."""
    size = scene.view.lens.height_px, scene.view.lens.width_px, 3
    return cv2.imencode(".png", np.full(size, 90, np.uint8))[1].tobytes(), {}


def test_lines_are_drawn_where_they_lie_green_where_free_and_red_where_stopped(monkeypatch):
    monkeypatch.setattr(by_hand, "take_photo", blank)
    scene = set_up_by_hand("lines", {"ranger-1": ((6, 1),)}, ())
    picture = scene.picture([ThreadLine((4, 0), (6, 2), True, True), ThreadLine((7, 3), (8, 3), False, False)])

    assert picture.shape == (PICTURE_WH[1], PICTURE_WH[0], 3)
    for color, ends in ((FREE_BGR, ((4, 0), (6, 2))), (BLOCKED_BGR, ((7, 3), (8, 3)))):
        inked = np.argwhere((picture == color).all(axis=2)).mean(axis=0)[::-1]
        points = np.column_stack([by_hand.on_table(scene.scene.grid, np.array(ends)), [4.0, 4.0]])
        middle = scene.scene.view.project(points).mean(axis=0)
        assert np.hypot(*(inked - middle)) < 8


def test_the_command_writes_a_page_with_picture_answer_and_rule(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(by_hand, "take_photo", blank)
    assert run(["--lang", "es", "simulate", str(tmp_path), "--disputes"]) == 0
    names = capsys.readouterr().out.split()

    assert len(names) == len(ALL)
    page = (tmp_path / "README.md").read_text()
    for name, dispute in zip(names, ALL, strict=True):
        assert f"({name}/picture.png)" in page
        assert cv2.imread(str(tmp_path / name / "picture.png")) is not None
        ruling = json.loads((tmp_path / name / "ruling.json").read_text())
        assert ruling["line_of_sight"] is dispute.file.answer.line_of_sight
        assert translate(dispute.rules.rules[dispute.file.rules[0]].summary, "es") in page
        is_free = isinstance(dispute.stands, FreeTable)
        kind = "sightline.free-table/1" if is_free else "sightline.board/1"
        document = (tmp_path / name / ("table.json" if is_free else "board.json")).read_text()
        assert json.loads(document)["format"] == kind
    assert page.count("Es cierto.") == len(ALL)


@pytest.mark.parametrize(("figures", "doors"), [({"nobody": ((6, 1),)}, ()), ({}, ("d9",))])
def test_who_is_not_in_the_box_cannot_be_set_up(figures, doors):
    with pytest.raises(UnknownName, match="it has: "):
        set_up_by_hand("wrong", figures, doors)

"""``sightline rule``, ``reach``, ``whatif`` and ``rules`` from outside: documents, refusals, a light start."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from assistant.cli import run
from assistant.documents import board_document, observation_document
from assistant.match.games import rule_set
from assistant.table.board import Door
from assistant.table.doubt import Doubt, Variant
from assistant.table.lattice import Edge
from assistant.table.observation import CameraSighting, LatticePose, Observation
from assistant.translations.catalogue import translate

LIGHT_START = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("cv2", "flask", "numpy", "scipy"):
            raise ImportError(f"{name} must not be needed here")

sys.meta_path.insert(0, Blocked())
from assistant.cli import run
sys.exit(run(sys.argv[1:]))
"""

QUICKLY_S = 5.0
"""Limit in processor time, so that a busy machine does not fail the test. It takes about a second."""


@pytest.fixture
def saved(build, tmp_path):
    """Writes a board, or any document, to a file."""

    def save(document):
        path = tmp_path / "board.json"
        text = document if isinstance(document, str) else json.dumps(document)
        path.write_text(text, encoding="utf-8")
        return str(path)

    return save


@pytest.fixture
def board_file(build, saved):
    """A row of six cells with a closed door between the marine and the demon."""
    row = [(x, 0) for x in range(6)]
    return saved(board_document(build.board(a=(0, 0), d=(5, 0), cells=row, doors=[((3, 0), (3, 1))])))


def answer(capsys, *arguments):
    status = run([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert status == 0, err
    return [json.loads(line) for line in out.splitlines()]


def refusal(capsys, *arguments):
    status = run([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert status == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    return err


@pytest.mark.parametrize("game", ["doom2016", "doom2004"])
def test_rule_starts_without_cv2_flask_and_numpy(board_file, game):
    command = [sys.executable, "-c", LIGHT_START, "rule", game, board_file, "--from", "a", "--to", "d", "--explain"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["line_of_sight"] is False


def test_ruling_document_has_origins_options_and_changes(capsys, board_file):
    (found,) = answer(capsys, "rule", "doom2016", board_file, "--from", "a", "--to", "d", "--explain")
    assert found["range"] is None
    assert found["origin"] is None
    assert [origin["at"] for origin in found["origins"]] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert found["changes"][0] == {"kind": "open-door", "flips": "line_of_sight", "becomes": True, "id": "d1"}
    assert found["lines"][0]["blocked_by"] == {"kind": "door", "id": "d1"}


def test_pairs_reach_map_and_options(capsys, board_file):
    pairs = answer(capsys, "rule", "doom2004", board_file, "--pairs")
    assert [(p["attacker"], p["defender"]) for p in pairs] == [("a", "d"), ("d", "a")]
    (reach,) = answer(capsys, "reach", "doom2016", board_file, "--figure", "a", "--points", 4, "--open-doors")
    assert reach["ends"][-1] == {"cells": [[3, 0]], "cost": 4}
    (seen,) = answer(capsys, "whatif", "doom2016", board_file, "--figure", "a", "--target", "d")
    assert seen["holds"] == [[3, 0], [4, 0]]
    (straight,) = answer(
        capsys, "rule", "doom2016", board_file, "--from", "a", "--to", "d", "--option", "range_metric=chebyshev"
    )
    assert straight["range"] == 5


def test_teleporters_and_staggered_demons_can_be_named(capsys, build, saved):
    path = saved(board_document(build.board(a=(0, 0), d=(1, 0))))
    asked = ("reach", "doom2016", path, "--figure", "a", "--points", 2)
    (plain,) = answer(capsys, *asked)
    (found,) = answer(capsys, *asked, "--teleporter", 0, 1, "--teleporter", 9, 9, "--staggered", "d")
    more = [end for end in found["ends"] if end not in plain["ends"]]
    assert more == [{"cells": [[1, 0]], "cost": 2}, {"cells": [[9, 9]], "cost": 2}]
    (woken,) = answer(capsys, *asked, "--sleeping", 0, 1, "--teleporter", 9, 9)
    assert {"cells": [[9, 9]], "cost": 2} in woken["ends"]
    assert "no cell [50, 50]" in refusal(capsys, *asked, "--teleporter", 50, 50)
    assert "no figure" in refusal(capsys, *asked, "--staggered", "x")
    assert "on the side of" in refusal(capsys, *asked, "--staggered", "a")
    assert "doom2016" in refusal(capsys, "reach", "doom2004", *asked[2:], "--staggered", "d")


def test_reasons_speak_russian_and_spanish(capsys, board_file):
    for lang, words in (("ru", "Линии видимости нет"), ("es", "No hay línea de visión")):
        (found,) = answer(capsys, "rule", "doom2016", board_file, "--from", "a", "--to", "d", "--lang", lang)
        assert words in found["reasons"][0]["text"]


def test_corner_and_space_can_be_named_where_the_game_knows_them(capsys, board_file):
    pair = ("--from", "a", "--to", "d")
    assert answer(capsys, "rule", "doom2016", board_file, *pair, "--origin", 1, 0)[0]["line_of_sight"] is False
    assert "doom2016" in refusal(capsys, "rule", "doom2004", board_file, *pair, "--origin", 1, 0)
    assert "not a corner" in refusal(capsys, "rule", "doom2016", board_file, *pair, "--origin", 3, 3)


def test_a_corner_named_for_all_pairs_is_not_passed_over_in_silence(capsys, board_file):
    assert "one pair" in refusal(capsys, "rule", "doom2016", board_file, "--pairs", "--origin", 0, 0)
    assert "one pair" in refusal(capsys, "rule", "doom2004", board_file, "--pairs", "--space", 0, 0)


def test_changes_of_a_named_corner_reach_the_document(capsys, board_file):
    named = ("--from", "a", "--to", "d", "--origin", 1, 0, "--explain")
    (found,) = answer(capsys, "rule", "doom2016", board_file, *named)
    assert found["changes"][0]["kind"] == "open-door"
    assert "from corner (1, 0)" in found["reasons"][0]["text"]


@pytest.mark.parametrize("game", ["doom2016", "doom2004"])
def test_no_figure_is_asked_about_itself(capsys, board_file, game):
    assert "itself" in refusal(capsys, "rule", game, board_file, "--from", "a", "--to", "a")
    assert "itself" in refusal(capsys, "whatif", game, board_file, "--figure", "a", "--target", "a")


def test_no_target_is_passed_over_in_silence_where_safety_is_asked(capsys, board_file):
    asked = ("--figure", "a", "--target", "d", "--question", "safe")
    assert "Leave out --target" in refusal(capsys, "whatif", "doom2016", board_file, *asked)


def test_an_option_set_to_two_choices_is_refused(capsys, board_file):
    twice = ("--option", "los_pinch=open", "--option", "los_pinch=blocked")
    assert "Set it once" in refusal(capsys, "rule", "doom2016", board_file, "--pairs", *twice)


def test_rules_are_listed_with_their_sources(capsys):
    assert run(["rules", "doom2016"]) == 0
    out, _ = capsys.readouterr()
    assert "doom2016/cover" in out
    assert "“Cover”" in out
    assert "los_corner_touch = graze | always_clear | strict" in out


@pytest.mark.parametrize("game", ["doom2016", "doom2004", "roads"])
@pytest.mark.parametrize("lang", ["ru", "es"])
def test_rules_and_options_are_listed_in_the_readers_language(capsys, game, lang):
    assert run(["rules", game, "--lang", lang]) == 0
    told = capsys.readouterr().out
    for option in rule_set(game).option_table:
        for text in (option.question, option.source, *option.choice_titles):
            assert f" {translate(text, lang)}\n" in told
            assert translate(text, lang) != text or text in ("5 cm", "no")


@pytest.mark.parametrize(
    "arguments", [[], ["--from", "a"], ["--pairs", "--from", "a", "--to", "d"], ["--from", "a", "--to", "x"]]
)
def test_unclear_questions_are_refused(capsys, board_file, arguments):
    refusal(capsys, "rule", "doom2016", board_file, *arguments)


BASE = {
    "format": "sightline.board/1",
    "cell_mm": 25.4,
    "cells": [[c, r] for c in range(6) for r in range(4)],
    "edges": [],
    "doors": [],
    "figures": [{"id": "a", "kind": "m", "side": "marines", "cells": [[1, 1]]}],
}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"figures": [{"id": n, "kind": "m", "side": n, "cells": [[1, 1]]} for n in "ab"]}, "figures"),
        ({"doors": [{"id": "d1", "edges": [{"from": [50, 50], "to": [50, 51]}], "open": False}]}, "doors"),
        ({"edges": [{"from": [0, 0], "to": [2, 0], "kind": "wall"}]}, "edges"),
        ({"cells": [[0.5, 1]]}, "cells"),
        ({"cells": [[-30000, -30000], [30000, 30000], [1, 1]]}, "cells"),
    ],
)
def test_boards_that_contradict_themselves_are_refused_quickly(capsys, saved, change, named):
    refuses_quickly(capsys, saved({**BASE, **change}), named)


# Made where they are needed: as cases, a million lists would be kept by every worker for as long as it runs.
def test_a_board_of_a_million_cells_is_refused_quickly(capsys, saved):
    cells = [[c, r] for c in range(1000) for r in range(1000)]
    refuses_quickly(capsys, saved({**BASE, "cells": cells}), "cells")


def test_a_board_of_fifty_thousand_figures_is_refused_quickly(capsys, saved):
    figures = [{"id": f"f{n}", "kind": "m", "side": "s", "cells": [[1, 1]]} for n in range(50_000)]
    refuses_quickly(capsys, saved({**BASE, "figures": figures}), "figures")


def refuses_quickly(capsys, path, named):
    began_s = time.process_time()
    assert named in refusal(capsys, "rule", "doom2016", path, "--pairs")
    assert time.process_time() - began_s < QUICKLY_S


@pytest.fixture
def photo_file(build, saved):
    """The result of a photo of a row of six cells: the demon is on the fifth or, less likely, the last."""
    board = build.board(a=(0, 0), d=(4, 0), cells=[(x, 0) for x in range(6)] + [(0, 1)])
    elsewhere = replace(board.figure("d"), cells=((5, 0),))
    where = Doubt(("d",), (Variant(0.75, (board.figure("d"),)), Variant(0.25, (elsewhere,))))
    whether = Doubt((), (Variant(0.9), Variant(0.1, (), (Door("door-1", (Edge((2, 0), (2, 1)),)),))))
    camera, grid = CameraSighting(0.3, (0, 1, 2)), LatticePose((0.0, 0.0), 0.0, 25.4)
    return saved(observation_document(Observation(camera, grid, (), (), (), board, (where, whether))))


@pytest.mark.parametrize("game", ["doom2016", "doom2004"])
def test_a_ruling_on_an_observation_is_as_sure_as_its_doubts_let_it_be(capsys, photo_file, game):
    (found,) = answer(capsys, "rule", game, photo_file, "--from", "a", "--to", "d")
    assert found["stability"] == pytest.approx(0.675)
    assert "flips" not in found
    pairs = answer(capsys, "rule", game, photo_file, "--pairs")
    assert [pair["stability"] for pair in pairs] == pytest.approx([0.675, 0.675])


def test_what_the_camera_could_not_tell_is_explained_before_other_changes(capsys, photo_file):
    (found,) = answer(capsys, "rule", "doom2004", photo_file, "--from", "a", "--to", "d", "--explain")
    assert [(flip["kind"], flip["ids"], flip["chance"]) for flip in found["flips"]] == [
        ("move", ["d"], 0.25),
        ("door", ["door-1"], 0.1),
    ]
    told = [reason["text"] for reason in found["reasons"] if reason["rule"] == "doom2004/doubt"]
    assert told == [
        "If d stood one cell further right, on (5, 0) (25 % likely), the range would be 5.",
        "If there were a door between (1, 0) and (2, 0) (10 % likely), there would be no line of sight.",
    ]
    rules = [reason["rule"] for reason in found["reasons"]]
    assert "doom2004/what-if" in rules[rules.index("doom2004/doubt") :]
    assert "doom2004/what-if" not in rules[: rules.index("doom2004/doubt")]


def test_a_named_corner_is_asked_about_on_an_observation_too(capsys, photo_file):
    asked = ("rule", "doom2016", photo_file, "--from", "a", "--to", "d", "--origin", 1, 0, "--explain")
    (found,) = answer(capsys, *asked)
    assert found["stability"] == pytest.approx(0.675)


def test_a_document_that_is_neither_board_nor_observation_is_refused(capsys, saved):
    path = saved({"format": "sightline.roster/1", "figures": []})
    assert "sightline.board/1" in refusal(capsys, "rule", "doom2016", path, "--from", "a", "--to", "d")

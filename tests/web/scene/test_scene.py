from __future__ import annotations

import dataclasses
import json
import math

import pytest

from assistant.app.live.place_names import shorten_names, speak_name, speak_names
from assistant.table.board import Figure
from assistant.table.cell_names import CellNames, column_letters
from assistant.table.observation import table_from_lattice
from web.scene.drawing import LOW_CONFIDENCE, ShotDrawing

DEMONS = ["archvile", "brute", "cacodemon", "crawler", "cyberdemon", "demon", "harrier", "hell-knight", "imp"]
DEMONS += ["mancubus", "pinky", "possessed", "spitter", "trite", "zombie"]


@pytest.mark.parametrize("name", ["easy-03", "normal-03", "hard-05"])
def test_what_is_drawn_lies_where_the_true_camera_sees_it(build, name):
    shot = build.true_shot(name)
    truth = json.loads((build.SCENES / "dev" / name / "truth.json").read_text())
    scene = ShotDrawing(shot).document()

    for seen in truth["figures"]:
        drawn = next(figure for figure in scene["figures"] if figure["cells"] == sorted(seen["cells"]))
        [expected] = shot.read.view.image_from_table([tuple(seen["center_mm"])], 2.0)
        assert math.dist(drawn["center"], expected) < 0.1
        xs, ys = zip(*drawn["base"], strict=True)
        assert min(xs) < expected[0] < max(xs)
        assert min(ys) < expected[1] < max(ys)


def test_the_first_look_holds_the_whole_board(shot):
    scene = ShotDrawing(shot).document()
    left, top, width, height = scene["focus_px"]

    corners = [point for cell in scene["cells"] for point in cell["outline"]]
    assert all(left <= x <= left + width and top <= y <= top + height for x, y in corners)
    assert width * height < scene["width_px"] * scene["height_px"]


def test_tiles_are_outlined_where_they_were_seen(shot):
    scene = ShotDrawing(shot).document()

    # Joined tiles share the lattice, so their outlines run along drawn cell sides (misfit: 0.4 mm and 0.3 degrees).
    corners = [point for cell in scene["cells"] for point in cell["outline"]]
    for tile in scene["tiles"]:
        assert tile["outline"]
        for edge in tile["outline"]:
            for end in edge:
                assert min(math.dist(end, corner) for corner in corners) < 4


def test_the_plan_is_square_to_the_lattice_and_to_scale(shot):
    scene = ShotDrawing(shot, as_plan=True).document()

    for cell in scene["cells"]:
        top_left, top_right, bottom_right, _ = cell["outline"]
        assert top_left[1] == pytest.approx(top_right[1], abs=0.2)
        assert top_right[0] - top_left[0] == pytest.approx(25.4 * 3, abs=0.3)
        assert bottom_right[1] - top_right[1] == pytest.approx(25.4 * 3, abs=0.3)
        assert 0 <= top_left[0] <= scene["width_px"]


def test_what_was_not_seen_clearly_is_marked(shot):
    seen = shot.read.observation
    figures = tuple(dataclasses.replace(figure, confidence=0.3) for figure in seen.figures)
    read = dataclasses.replace(shot.read, observation=dataclasses.replace(seen, figures=figures))
    doubtful = dataclasses.replace(shot, read=read)

    assert all(figure["low"] for figure in ShotDrawing(doubtful).document()["figures"])
    assert not any(figure["low"] for figure in ShotDrawing(shot).document()["figures"])
    assert LOW_CONFIDENCE > 0.3


def test_a_figure_beside_the_board_is_drawn_but_cannot_be_chosen(shot):
    seen = shot.read.observation
    stray = dataclasses.replace(seen.figures[2], cells=(), center_mm=(20.0, 20.0))
    observation = dataclasses.replace(seen, figures=(*seen.figures, stray))
    scene = ShotDrawing(
        dataclasses.replace(shot, read=dataclasses.replace(shot.read, observation=observation))
    ).document()

    assert len(scene["beside"]) == 1
    assert len(scene["figures"]) == len(seen.figures)


@pytest.mark.parametrize("name", ["normal-01", "normal-06", "hard-02"])
def test_doors_stand_on_their_foot_line_and_reach_their_height(build, name):
    shot = build.true_shot(name)
    scene = ShotDrawing(shot).document()

    assert len(scene["doors"]) == len(shot.board.doors)
    for door in scene["doors"]:
        for foot_a, foot_b, head_b, head_a in door["panels"]:
            assert math.dist(foot_a, foot_b) > 5
            assert math.dist(foot_a, head_a) < 200
            assert math.dist(foot_b, head_b) < 200


@pytest.mark.parametrize(("index", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (702, "AAA")])
def test_columns_have_letters(index, letters):
    assert column_letters(index) == letters


@pytest.mark.parametrize(("index", "letters"), [(-1, "−A"), (-2, "−B"), (-27, "−AA")])
def test_columns_left_of_the_board_have_letters_too(index, letters):
    assert column_letters(index) == letters


def test_cells_are_counted_from_the_boards_top_left(shot):
    names = CellNames.of(shot.board)

    assert names.short((0, 0)) == "A1"
    assert names.short((3, 4)) == "D5"


@pytest.mark.parametrize(
    ("figure_id", "spoken", "short"),
    [
        ("imp~2", "Imp 2", "Im2"),
        ("imp-12", "Imp 12", "Im12"),
        ("alpha", "Alpha", "AL"),
        ("cyber_demon", "Cyber demon", "CY"),
        ("-", "-", "-"),
    ],
)
def test_figures_are_called_as_people_call_them(figure_id, spoken, short):
    figure = Figure(figure_id, "k", "s", ((0, 0),))

    assert speak_name(figure) == spoken
    assert shorten_names([figure]) == {figure_id: short}


def test_no_two_figures_of_a_board_have_the_same_label_and_those_of_a_kind_begin_alike():
    names = ["ranger-1", "runner-1", "runner-2", "rung-1", "alpha", "alpine", "plain"]
    short = shorten_names([Figure(name, "k", "s", ((0, 0),)) for name in names])

    assert list(short.values()) == ["Ra1", "Runn1", "Runn2", "Rung1", "ALPH", "ALPI", "PL"]


@pytest.mark.parametrize("language", ["en", "ru", "es"])
def test_no_label_reads_as_a_space_or_changes_when_others_come(language):
    figures = [Figure(f"{kind}-1", kind, "s", ((n, 0),)) for n, kind in enumerate(DEMONS)]
    together = shorten_names(figures, language)
    for figure in figures:
        assert shorten_names([figure], language)[figure.id] == together[figure.id]
        assert together[figure.id] != together[figure.id].upper(), "columns are large letters"


def test_two_of_one_first_word_are_told_apart_by_their_last_one():
    names = ["marine_red", "marine_green", "marine_grey", "medic"]
    short = shorten_names([Figure(name, "k", "s", ((0, 0),)) for name in names])

    assert list(short.values()) == ["MR", "MGREE", "MGREY", "ME"]


def test_lattice_points_lie_on_the_table_as_the_contract_says(build):
    grid = build.true_shot("easy-03").read.observation.grid
    x, y = table_from_lattice(grid, (3, 1))
    turn = math.radians(grid.angle_deg)

    assert x == pytest.approx(grid.origin_mm[0] + 25.4 * (3 * math.cos(turn) - math.sin(turn)))
    assert y == pytest.approx(grid.origin_mm[1] + 25.4 * (3 * math.sin(turn) + math.cos(turn)))


def test_a_figure_without_a_name_is_never_called_as_a_known_one() -> None:
    figures = [
        Figure(name, "crawler", "s", ((n, 0),)) for n, name in enumerate(("crawler-1", "crawler~1", "crawler~2"))
    ]
    assert list(speak_names(figures).values()) == ["Crawler 1", "Crawler ?", "Crawler 2"]
    assert list(shorten_names(figures).values()) == ["Cr1", "Cr?", "Cr2"]
    assert list(speak_names(figures[1:]).values()) == ["Crawler 1", "Crawler 2"]

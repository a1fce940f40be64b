"""Doubts that a tap settles: each has its place and its answers, and the answer lasts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.table.board import Door, Figure
from assistant.table.cell_names import CellNames
from assistant.table.doubt import Doubt, Variant
from assistant.table.lattice import edge_between
from assistant.table.observation import FallenFigure
from web.app import create_app
from web.serving.roles import Role

IMP_CHANCE = 0.6


def free_edge(board):
    """Return an edge between two cells on which no door stands."""
    taken = {edge for door in board.doors for edge in door.edges}
    pairs = ((cell, (cell[0] + 1, cell[1])) for cell in sorted(board.cells))
    return next(edge for a, b in pairs if b in board.cells and (edge := edge_between(a, b)) not in taken)


@pytest.fixture
def doubtful(state, shot, build):
    """A shot on whose picture a figure, a door, and a door that is not there are in doubt."""
    shot = build.true_shot("normal-02")
    board = shot.board
    figure, door = board.figure("charlie"), board.doors[0]
    new = Door("door?1", (free_edge(board),))
    doubts = (
        Doubt((figure.id,), (Variant(IMP_CHANCE, (figure,)), Variant(1 - IMP_CHANCE))),
        Doubt((door.id,), (Variant(0.7, doors=(door,)), Variant(0.3))),
        Doubt((), (Variant(0.8), Variant(0.2, doors=(new,)))),
    )
    seen = replace(shot.read.observation, doubts=doubts)
    made = replace(shot, id="photo-doubtful", read=replace(shot.read, observation=seen))
    state.shelf.put(made)
    return made


def listed(client, shot_id, language="en"):
    return client.get(f"/api/v1/shots/{shot_id}/doubts?lang={language}").json["doubts"]


def test_every_open_doubt_is_reported_with_its_place_and_answers(client, doubtful):
    figure, door, new = listed(client, doubtful.id)
    assert figure["text"] == "Charlie was not seen clearly. Sure: 60 %"
    assert [answer["text"] for answer in figure["answers"]] == [
        "Charlie stands here", "It is another figure", "No figure stands here",
    ]  # fmt: skip
    assert [answer["text"] for answer in door["answers"]] == ["The door stands here", "There is no door here"]
    assert [answer["text"] for answer in new["answers"]] == ["A door stands here", "There is no door here"]
    assert all(len(outline) == 4 for outline in figure["spot"])
    assert [len(line) for line in (*door["spot"], *new["spot"])] == [2] * (len(door["spot"]) + 1)


@pytest.mark.parametrize("language", ["ru", "es"])
def test_they_are_reported_in_the_readers_language(client, doubtful, language):
    english = {one["text"] for one in listed(client, doubtful.id)}
    assert english.isdisjoint(one["text"] for one in listed(client, doubtful.id, language))


@pytest.mark.parametrize("which", range(3))
def test_each_answer_settles_its_doubt_and_no_other(client, post, doubtful, which):
    before = listed(client, doubtful.id)
    for answer in before[which]["answers"]:
        if answer["who"]:
            continue
        made = post(f"/shots/{doubtful.id}/corrections", answer["correction"])
        assert made.status_code == 201, made.text
        left = [one["text"] for one in listed(client, made.json["shot"])]
        assert left == [one["text"] for n, one in enumerate(before) if n != which]


def test_the_answers_change_the_board_as_they_say(client, post, doubtful):
    figure, door, new = listed(client, doubtful.id)
    figure, door, new = (one["correction"] for one in (figure["answers"][-1], door["answers"][-1], new["answers"][0]))
    before = client.get(f"/api/v1/shots/{doubtful.id}").json
    after = post(f"/shots/{doubtful.id}/corrections", {**figure, **door}).json
    assert len(after["figures"]) == len(before["figures"]) - 1
    assert len(after["doors"]) == len(before["doors"]) - 1
    more = post(f"/shots/{after['shot']}/corrections", new).json
    assert len(more["doors"]) == len(before["doors"])
    again = post(f"/shots/{more['shot']}/corrections", new)
    assert (again.status_code, "oor stands there already" in again.text) == (400, True)


def test_a_figure_of_a_photo_is_another_one_and_a_missing_one_is_there(client, post, doubtful):
    box = client.get(f"/api/v1/shots/{doubtful.id}/doubts").json["box"]
    absent = next(one for one in box if not one["is_there"] and one["size"] == [1, 1])
    named = post(f"/shots/{doubtful.id}/corrections", {"names": {"charlie": absent["id"]}}).json
    ids = {figure["id"]: figure["cells"] for figure in named["figures"]}
    assert ids[absent["id"]] == [list(cell) for cell in doubtful.board.figure("charlie").cells]
    assert "charlie" not in ids

    free = min(doubtful.board.cells - set(doubtful.board.figure_at) - doubtful.board.blocking)
    placed = post(f"/shots/{doubtful.id}/corrections", {"figures": {absent["id"]: [list(free)]}}).json
    assert [list(free)] in [figure["cells"] for figure in placed["figures"]]
    refused = post(f"/shots/{doubtful.id}/corrections", {"names": {"charlie": "nobody-at-all"}})
    assert (refused.status_code, "nobody-at-all" in refused.text) == (400, True)


def test_two_figures_of_a_photo_exchange_their_names(post, doubtful):
    one, other = [figure for figure in doubtful.board.figures if len(figure.cells) == 1][:2]
    made = post(f"/shots/{doubtful.id}/corrections", {"names": {one.id: other.id}}).json
    cells = {figure["id"]: tuple(map(tuple, figure["cells"])) for figure in made["figures"]}
    assert (cells[one.id], cells[other.id]) == (other.cells, one.cells)


def test_somebody_who_may_be_missing_is_reported_or_denied(client, post, state, shot):
    free = min(shot.board.cells - set(shot.board.figure_at) - shot.board.blocking)
    doubt = Doubt((), (Variant(0.75), Variant(0.25, (Figure("figure?1", "imp", "demons", (free,)),))))
    seen = replace(shot.read.observation, doubts=(doubt,))
    state.shelf.put(replace(shot, id="photo-missing", read=replace(shot.read, observation=seen)))
    (told,) = listed(client, "photo-missing")
    missing, nobody = told["answers"]
    assert missing["who"] == {"cells": [list(free)]}
    made = post("/shots/photo-missing/corrections", nobody["correction"]).json
    assert listed(client, made["shot"]) == []


def test_a_figure_that_was_seen_badly_is_settled_on_the_card(post, state, shot):
    cells = shot.board.figure("imp-1").cells
    badly = tuple(replace(f, confidence=0.41) if f.cells == cells else f for f in shot.read.observation.figures)
    read = replace(shot.read, observation=replace(shot.read.observation, figures=badly))
    state.shelf.put(replace(shot, id="photo-badly", read=read))
    pair = {"attacker": "bravo", "defender": "imp-1"}
    (point,) = post("/shots/photo-badly/rulings", pair).json["open_points"]
    sure = next(answer for answer in point["answers"] if answer["text"] == "Imp 1 stands here")
    made = post("/shots/photo-badly/corrections", sure["correction"]).json
    assert post(f"/shots/{made['shot']}/rulings", pair).json["open_points"] == []
    assert next(figure for figure in made["figures"] if figure["id"] == "imp-1")["low"] is False


def test_who_only_watches_settles_nothing(build):
    state = build.page_state(guest_role=Role.SPECTATOR)
    shot = build.true_shot("easy-03")
    state.shelf.put(shot)
    client = create_app(state).test_client()
    assert client.get(f"/api/v1/shots/{shot.id}/doubts").status_code == 200
    for path in (f"/shots/{shot.id}/corrections", "/live/corrections"):
        refused = client.post(f"/api/v1{path}", json={"sure": ["imp-1"]}, headers={"X-Sightline": "1"})
        assert refused.status_code == 403


def test_two_figures_that_share_a_space_are_asked_for_by_the_space(client, state, shot):
    cell = next(cell for cell in sorted(shot.board.cells) if not any(cell in f.cells for f in shot.board.figures))
    maybe = Doubt((), (Variant(0.55), Variant(0.45, (Figure("figure?1", "figure", "unknown", (cell,)),))))
    seen = replace(shot.read.observation, doubts=(maybe,), covered=(cell,))
    state.shelf.put(replace(shot, id="photo-shared", read=replace(shot.read, observation=seen)))

    (crowded,) = listed(client, "photo-shared")
    assert crowded["text"].endswith("two figures, a fallen one or a shadow. Say what stands there.")
    assert [answer["text"] for answer in crowded["answers"]] == ["A figure is missing here", "No figure stands here"]


def test_a_fallen_figure_is_asked_for_once_by_all_spaces_that_it_lies_across(client, state, shot, post):
    taken = {cell for figure in shot.board.figures for cell in figure.cells}
    free = sorted(shot.board.cells - taken)
    one = next(cell for cell in free if (cell[0] + 1, cell[1]) in free)
    cells = (one, (one[0] + 1, one[1]))
    doubts = tuple(
        Doubt((), (Variant(0.6), Variant(0.4, (Figure(f"figure?{number}", "figure", "unknown", (cell,)),))))
        for number, cell in enumerate(cells, start=1)
    )
    seen = replace(shot.read.observation, doubts=doubts, fallen=(FallenFigure(cells, 0.8),))
    state.shelf.put(replace(shot, id="photo-fallen", read=replace(shot.read, observation=seen)))

    (fallen,) = listed(client, "photo-fallen")
    across = ", ".join(CellNames.of(shot.board).short(cell) for cell in cells)
    assert fallen["text"].startswith(f"A figure has fallen over on {across}, ")
    missing, nobody = fallen["answers"]
    assert [missing["text"], nobody["text"]] == ["A figure is missing here", "No figure stands here"]
    made = post("/shots/photo-fallen/corrections", nobody["correction"]).json
    assert listed(client, made["shot"]) == []

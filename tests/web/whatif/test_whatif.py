from __future__ import annotations

import pytest

from assistant.table.board import Figure
from web.rulings.rulebook import cell_rules


def cells_of(answer):
    return {tuple(cell["cell"]) for cell in answer.get_json()["cells"]}


def test_a_figure_is_put_elsewhere_and_the_ruling_follows(post, client, shot):
    before = post(f"/shots/{shot.id}/rulings", {"attacker": "bravo", "defender": "charlie"}).get_json()
    answer = post(f"/shots/{shot.id}/corrections", {"figures": {"charlie": [[4, 2]]}})
    scene = answer.get_json()
    after = post(f"/shots/{scene['shot']}/rulings", {"attacker": "bravo", "defender": "charlie"}).get_json()

    assert answer.status_code == 201
    assert scene["is_corrected"] is True
    assert next(f for f in scene["figures"] if f["id"] == "charlie")["cells"] == [[4, 2]]
    assert before["verdict"] == "blocked"
    assert after["ruling"]["range"] == 1
    assert client.get(f"/api/v1/shots/{shot.id}").get_json()["is_corrected"] is False


def test_a_figure_is_taken_off_the_board(post, shot):
    scene = post(f"/shots/{shot.id}/corrections", {"figures": {"brute-1": None}}).get_json()

    assert "brute-1" not in {figure["id"] for figure in scene["figures"]}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"figures": {"nobody": [[0, 0]]}}, 400),
        ({"figures": {"charlie": [[99, 99]]}}, 400),
        ({"figures": {"charlie": [[3, 2]]}}, 400),
        ({"figures": {"charlie": [[3, 2], [4, 3]]}}, 400),
        ({"figures": {"charlie": []}}, 400),
        ({"figures": {"charlie": [[0.5, 0]]}}, 400),
        ({"doors": {"none": True}}, 400),
        ({"doors": {"none": "yes"}}, 400),
        ({}, 201),
    ],
)
def test_a_correction_that_cannot_be_is_refused_with_a_sentence(post, shot, body, status):
    answer = post(f"/shots/{shot.id}/corrections", body)

    assert answer.status_code == status
    assert status == 201 or answer.get_json()["error"]["message"].endswith(".")


def test_the_reach_is_the_contract_document_with_outlines(post, shot):
    answer = post(f"/shots/{shot.id}/reaches", {"figure": "bravo", "points": 2}).get_json()

    assert answer["reach"]["format"] == "sightline.reach/1"
    assert {tuple(c) for end in answer["reach"]["ends"] for c in end["cells"]} == {
        tuple(cell["cell"]) for cell in answer["cells"]
    }
    assert all(len(cell["outline"]) == 4 for cell in answer["cells"])


def test_maps_agree_with_rulings(post, shot):
    """A ruling from there agrees where the map shows sight, and nowhere else."""
    question = {"figure": "bravo", "target": "charlie", "question": "sees"}
    sees = cells_of(post(f"/shots/{shot.id}/maps", question))
    free = [c for c in sorted(shot.board.cells) if c not in shot.board.figure_at][::5]

    for cell in free:
        moved = post(f"/shots/{shot.id}/corrections", {"figures": {"bravo": [list(cell)]}}).get_json()["shot"]
        card = post(f"/shots/{moved}/rulings", {"attacker": "bravo", "defender": "charlie"}).get_json()
        assert (cell in sees) == card["ruling"]["line_of_sight"]


@pytest.mark.parametrize("question", ["seen", "safe", "no_cover", "sees_unseen"])
def test_every_map_stays_on_the_board(post, shot, question):
    answer = post(f"/shots/{shot.id}/maps", {"figure": "bravo", "target": "imp-1", "question": question})

    assert answer.status_code == 200
    assert cells_of(answer) <= shot.board.cells


def test_a_map_about_a_target_needs_one(post, shot):
    assert post(f"/shots/{shot.id}/maps", {"figure": "bravo", "question": "sees"}).status_code == 400


def test_what_would_change_the_answer_is_reported_in_the_readers_language(post, shot):
    question = {"attacker": "bravo", "defender": "charlie"}
    english = post(f"/shots/{shot.id}/changes", question).get_json()["changes"]
    russian = post(f"/shots/{shot.id}/changes?lang=ru", question).get_json()["changes"]

    assert english
    assert [change["rule"] for change in english] == [change["rule"] for change in russian]
    assert english[0]["text"] != russian[0]["text"]


def test_what_is_only_thought_is_kept_nowhere_and_published_to_nobody(state, client, post, shot):
    question = {"attacker": "bravo", "defender": "imp-1"}
    really = post(f"/shots/{shot.id}/rulings", question).get_json()
    seq = state.hub.seq
    there = next(figure for figure in shot.board.figures if figure.id == "imp-1").cells[0]
    free = sorted(shot.board.cells - set(shot.board.figure_at))
    near = min(free, key=lambda cell: max(abs(cell[0] - there[0]), abs(cell[1] - there[1])))
    thought = post(f"/shots/{shot.id}/what-if", {**question, "figures": {"bravo": [list(near)]}}).get_json()

    assert thought["ruling"]["range"] < really["ruling"]["range"]
    assert (state.hub.seq, len(state.asked)) == (seq, 1)
    assert client.get(f"/api/v1/shots/{shot.id}").get_json()["is_corrected"] is False


def test_a_thought_that_cannot_be_is_refused(post, shot):
    taken = next(figure for figure in shot.board.figures if figure.id == "imp-1").cells[0]
    question = {"attacker": "bravo", "defender": "imp-1", "figures": {"bravo": [list(taken)]}}

    assert post(f"/shots/{shot.id}/what-if", question).status_code == 400


@pytest.mark.parametrize("ruleset", ["doom2016", "doom2004"])
def test_rings_number_every_free_space_with_its_range(post, shot, ruleset):
    asked = {"figure": "bravo", "question": "range", "ruleset": ruleset}
    cells = post(f"/shots/{shot.id}/maps", asked).get_json()["cells"]
    rules = cell_rules(ruleset)
    bravo = shot.board.figure("bravo")

    assert len(cells) > 30
    for cell in cells[::5]:
        target = Figure("", "", "", (tuple(cell["cell"]),))
        assert cell["cost"] == rules.verdict(shot.board, bravo, target).range


def test_danger_is_the_number_of_enemies_that_would_see_the_figure_there(post, shot):
    asked = {"figure": "bravo", "question": "danger"}
    cells = {tuple(c["cell"]): c["cost"] for c in post(f"/shots/{shot.id}/maps", asked).get_json()["cells"]}
    safe = post(f"/shots/{shot.id}/maps", {"figure": "bravo", "question": "safe"}).get_json()["cells"]

    assert {cell for cell, count in cells.items() if count == 0} == {tuple(c["cell"]) for c in safe}
    assert max(cells.values()) <= sum(figure.side != shot.board.figure("bravo").side for figure in shot.board.figures)


@pytest.mark.parametrize("ruleset", ["doom2016", "doom2004"])
def test_who_sees_a_space_agrees_with_rulings_on_a_figure_put_there(post, shot, ruleset):
    free = sorted(shot.board.cells - set(shot.board.figure_at) - shot.board.blocking)[::9]
    for cell in free:
        answer = post(f"/shots/{shot.id}/watchers", {"cell": cell, "ruleset": ruleset}).get_json()
        thought = {"figures": {"bravo": [cell]}, "ruleset": ruleset, "defender": "bravo"}
        really = {
            figure.id
            for figure in shot.board.figures
            if figure.id != "bravo"
            and post(f"/shots/{shot.id}/what-if", {**thought, "attacker": figure.id}).get_json()["ruling"][
                "line_of_sight"
            ]
        }
        assert {watcher["id"] for watcher in answer["watchers"]} - {"bravo"} == really
        assert all(watcher["name"] in answer["sentence"] for watcher in answer["watchers"])
        assert len(answer["outline"]) == 4


@pytest.mark.parametrize("ruleset", ["doom2016", "doom2004"])
def test_the_ruler_counts_as_the_rules_do(post, shot, ruleset):
    rules = cell_rules(ruleset)
    bravo = shot.board.figure("bravo")
    [start] = bravo.cells
    free = sorted(shot.board.cells - set(shot.board.figure_at) - shot.board.blocking)[::9]
    for cell in free:
        found = post(f"/shots/{shot.id}/measures", {"start": start, "end": cell, "ruleset": ruleset}).get_json()
        verdict = rules.verdict(shot.board, bravo, Figure("", "", "", (cell,)))
        assert (found["range"], found["is_free"]) == (verdict.range, verdict.line_of_sight)
        assert verdict.range is None or found["sentences"][0] == f"Range {verdict.range}."
        reach = rules.reach(shot.board, "bravo", 40)
        assert found["cost"] == min((end.cost for end in reach.ends if end.cells == (cell,)), default=None)


def test_the_ruler_wants_two_spaces_of_the_board(post, shot):
    [start] = shot.board.figure("bravo").cells
    assert post(f"/shots/{shot.id}/measures", {"start": start, "end": start}).status_code == 400
    assert post(f"/shots/{shot.id}/measures", {"start": start, "end": [900, 900]}).status_code == 400
    answer = post(f"/shots/{shot.id}/measures?lang=ru", {"start": start, "end": shot.board.figure("imp-1").cells[0]})
    assert "Дальность" in answer.get_json()["sentences"][0]


def test_a_space_with_a_figure_is_reported_with_its_name_and_one_beside_the_board_is_refused(post, shot):
    imp = shot.board.figure("imp-1").cells[0]
    answer = post(f"/shots/{shot.id}/watchers?lang=ru", {"cell": imp}).get_json()

    assert "(Имп 1)" in answer["sentence"]
    assert "imp-1" not in {watcher["id"] for watcher in answer["watchers"]}
    assert post(f"/shots/{shot.id}/watchers", {"cell": [900, 900]}).status_code == 400

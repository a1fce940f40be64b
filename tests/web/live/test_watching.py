"""The live table on the page: agreement, corrections, questions; and answers that state their doubt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from said_table import SaidTable

from assistant.app.live.table_correction import TableCorrection
from assistant.errors import CameraAlarm, PicturesDamaged, PicturesStopped
from assistant.table.lattice import Edge
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from assistant.translations.catalogue import languages, translate
from assistant.translations.speech import speech
from calibration.drift import Alarm, DriftCorrection, DriftEvent
from web.live.words import DOUBTS
from web.problems.errors import word_error

ROSTER = Roster(
    (
        RosterFigure("imp-1", "imp", "demons", (1, 1), 22, 30),
        RosterFigure("imp-2", "imp", "demons", (1, 1), 22, 30),
        RosterFigure("marine-red", "marine", "marines", (1, 1), 22, 30),
    ),
    DoorSpec(4, 1, 30, 2),
)


@dataclass(frozen=True)
class Asked:
    id: str = "question-1"
    figure: str = "imp-1"
    candidates: tuple[str, ...] = ("imp-1", "imp-2")


@dataclass(frozen=True)
class Moved:
    id: str = "note-2"
    kind: str = "too_far"
    figure: str = "imp-1"
    points: int | None = 4


@pytest.fixture
def table(state):
    return SaidTable(state, ROSTER)


def hold(state, holding, now_s):
    """Set how the shown table compares with the real one at a time."""
    state.shown.now_s = lambda: now_s
    state.shown.hold(holding)


@pytest.fixture
def live_shot(state, shot, build):
    copy = build.live_copy(shot, "live-1")
    state.shelf.put(copy)
    return copy


def test_a_table_without_a_camera_cannot_be_held(post):
    refused = post("/live/freeze", {"is_frozen": True})
    assert refused.status_code == 409
    assert "with a camera" in refused.json["error"]["message"]


def test_the_table_is_held_and_let_go(table, post, client):
    assert post("/live/freeze", {"is_frozen": True}).json["is_frozen"]
    assert client.get("/api/v1/live").json["is_frozen"]
    assert not post("/live/freeze", {"is_frozen": False}).json["is_frozen"]


@pytest.mark.usefixtures("table", "live_shot")
@pytest.mark.parametrize(
    ("said", "by"),
    [
        ({"figures": {"imp-1": None}}, {"role": "table", "name": "127.0.0.1"}),
        ({"names": {"imp-1": "imp-2"}}, {"role": "table", "name": "127.0.0.1"}),
        ({"doors": {"door-1": True}}, {"role": "table", "name": "127.0.0.1"}),
        ({"new_doors": [[[[3, 4], [3, 5]]]]}, {"role": "table", "name": "127.0.0.1"}),
        ({"no_doors": [[[[1, 2], [1, 1]]]]}, {"role": "table", "name": "127.0.0.1"}),
        ({"sure": ["alpha"]}, {"role": "camera"}),
        ({"notes": ["note-2"]}, {"role": "camera"}),
    ],
)
def test_the_history_names_who_set_the_watched_table_right(build, state, post, said, by):
    state.match.play(build.new_session("doom2016", "doom2016_sample_table", is_on_any_table=True))
    assert post("/live/corrections", said).status_code == 200
    assert post("/match/table", {"shot": "live-1"}).status_code == 200
    assert state.match.session.history()[-1]["by"] == by


def test_what_a_person_says_reaches_the_table(table, post):
    body = {
        "figures": {"imp-1": [[2, 3]], "imp-2": None},
        "doors": {"door-1": True, "door-2": None},
        "names": {"imp-1": "imp-2"},
        "answers": {"question-1": "imp-2"},
        "new_doors": [[[[3, 4], [3, 5]]]],
        "no_doors": [[[[1, 2], [1, 1]]]],
        "nobody": [[[7, 7]]],
        "sure": ["alpha"],
    }
    assert post("/live/corrections", body).status_code == 200
    assert table.said == [
        TableCorrection(
            figures={"imp-1": ((2, 3),), "imp-2": None},
            doors={"door-1": True, "door-2": None},
            names={"imp-1": "imp-2"},
            answers={"question-1": "imp-2"},
            new_doors=((Edge((3, 4), (3, 5)),),),
            no_doors=((Edge((1, 1), (1, 2)),),),
            nobody=(((7, 7),),),
            sure=("alpha",),
        )
    ]


def test_what_cannot_be_is_refused_in_one_sentence(table, post):
    refused = post("/live/corrections", {"figures": {"nobody": None}})
    assert refused.status_code == 400
    assert "nobody" in refused.json["error"]["message"]
    assert post("/live/corrections", {"figures": 3}).status_code == 400
    assert post("/live/corrections", {"new_doors": [[[[3, 4], [5, 5]]]]}).status_code == 400


def test_questions_and_odd_moves_are_put_into_words(table, client, state):
    table.questions, table.notes = (Asked(),), (Moved(), Moved("note-3", "no_way"))
    document = client.get("/api/v1/live").json
    assert document["questions"][0]["candidates"] == [
        {"id": "imp-1", "name": "Imp 1", "look": None},
        {"id": "imp-2", "name": "Imp 2", "look": None},
    ]
    assert [note["sentence"] for note in document["notes"]] == [
        "Imp 1 moved further than 4 points allow?",
        "Imp 1 went where no path leads?",
    ]


def test_a_fallen_figure_is_named_with_its_space(table, client, state, live_shot):
    table.fallen = {"imp-1": tuple(live_shot.board.figure("imp-1").cells)}
    (fallen,) = client.get("/api/v1/live").json["fallen"]
    assert fallen["sentence"].startswith("Imp 1 has fallen over on ")
    assert fallen["sentence"].endswith(". Stand it up.")
    assert fallen["cells"] == [list(cell) for cell in live_shot.board.figure("imp-1").cells]
    assert "fallen-imp-1" in state.shown.news(live_shot)["asks"]


def test_each_candidate_is_shown_as_it_looked_before_anybody_doubted(table, client, state, live_shot, build, shot):
    hold(state, "now", 5.0)
    table.questions = (Asked(),)
    later = build.live_copy(shot, "live-2")
    state.shelf.put(later)
    hold(state, "moving", 6.0)
    hold(state, "now", 7.0)
    for number in range(3, 13):
        state.shelf.put(build.live_copy(shot, f"live-{number}"))

    question = client.get("/api/v1/live").json["questions"][0]
    looks = {one["id"]: one["look"] for one in question["candidates"]}
    assert looks["imp-1"]["picture"] == f"/api/v1/shots/{live_shot.id}/picture"  # from before the question
    assert looks["imp-2"] is None  # was never on this table
    x, y, width, height = looks["imp-1"]["box_px"]
    base = next(f["base"] for f in client.get(f"/api/v1/shots/{later.id}").json["figures"] if f["id"] == "imp-1")
    assert all(x < px < x + width and y < py < y + height for px, py in base)
    assert client.get(looks["imp-1"]["picture"]).status_code == 200  # ten pictures later
    assert question["sentence"].startswith("Which one is this, on ")


def test_an_odd_move_is_confirmed(table, post):
    assert post("/live/corrections", {"notes": ["note-2"]}).status_code == 200
    assert table.said == [TableCorrection(notes=("note-2",))]


def test_who_a_figure_may_be_is_reported_in_the_readers_language(table, client):
    names = client.get("/api/v1/live?lang=ru").json["roster"]
    assert names[0] == {"id": "imp-1", "name": "Имп 1", "side": "demons", "side_name": "Демоны"}
    assert [each["id"] for each in names] == ["imp-1", "imp-2", "marine-red"]


def pair(shot) -> dict[str, str]:
    one, other = shot.board.figures[:2]
    return {"attacker": one.id, "defender": other.id}


def test_an_answer_on_a_picture_with_a_hand_over_it_has_no_lines_and_is_kept_nowhere(state, client, live_shot, post):
    over = replace(live_shot, id="live-hand", is_still=False)
    state.shelf.put(over)
    assert not client.get("/api/v1/shots/live-hand").json["is_still"]
    card = post("/shots/live-hand/rulings", pair(over)).json
    assert not card["is_still"]
    assert (card["lines"], card["origins"], card["origin"]) == ([], [], None)
    assert not any(reason["lines"] for reason in card["reasons"])
    assert not state.asked
    assert post("/shots/live-hand/rulings", {**pair(over), "as_plan": True}).json["lines"], (
        "a plan shows what is believed"
    )
    assert post(f"/shots/{live_shot.id}/rulings", pair(live_shot)).json["lines"]
    assert len(state.asked) == 1


@pytest.mark.parametrize("holding", ["waiting", "moving", "old", "frozen"])
def test_an_answer_on_a_table_that_is_not_seen_now_says_so(state, live_shot, post, holding):
    hold(state, holding, 5.0)
    doubts = post(f"/shots/{live_shot.id}/rulings", pair(live_shot)).json["doubts"]
    assert DOUBTS[holding] in doubts


def test_an_answer_on_the_table_as_it_is_now_bears_no_such_doubt(state, live_shot, post):
    hold(state, "now", 5.0)
    doubts = post(f"/shots/{live_shot.id}/rulings", pair(live_shot)).json["doubts"]
    assert not set(doubts) & set(DOUBTS.values())


def test_a_photo_is_what_it_is_whatever_the_camera_does(state, shot, post):
    hold(state, "old", 5.0)
    doubts = post(f"/shots/{shot.id}/rulings", pair(shot)).json["doubts"]
    assert not set(doubts) & set(DOUBTS.values())


def test_the_stream_tells_how_the_table_stands_once_a_second_and_at_every_change(state, live_shot):
    before = state.hub.seq
    begun_s = live_shot.taken_at_s + 100
    for tenth in range(25):
        hold(state, "now", begun_s + tenth / 10)
    hold(state, "old", begun_s + 2.5)
    hold(state, "old", begun_s + 2.6)
    events = state.hub.events_after(before, 0)
    assert [(event.body["holding"], event.body["taken_at_s"]) for event in events] == [
        ("now", begun_s),
        ("now", begun_s + 1),
        ("now", begun_s + 2),
        ("old", begun_s + 2),
    ]


def test_a_clock_that_is_put_back_ages_no_picture(state, live_shot):
    put_back_s = live_shot.taken_at_s - 3600
    hold(state, "now", live_shot.taken_at_s)
    before = state.hub.seq
    hold(state, "now", put_back_s)
    (event,) = state.hub.events_after(before, 0)
    assert event.body["taken_at_s"] == event.body["now_s"] == put_back_s


def test_everything_that_the_calibration_notices_has_words_in_every_language():
    told = [{translate(kind.value, tag) for tag in languages()} for kind in (*Alarm, *DriftCorrection)]
    assert all(len(sentences) == len(languages()) for sentences in told)
    moved = CameraAlarm(DriftEvent(DriftCorrection.CAMERA_MOVED, {"mm": 12.345, "deg": 1.62}).sentence)
    assert word_error(moved, speech("en")) == (
        "The camera moved by 12.3 mm and 1.6 degrees. Its position is known again."
    )
    assert "12,3" in word_error(moved, speech("ru"))
    assert "1,6" in word_error(moved, speech("es"))


@pytest.mark.parametrize("problem", [PicturesStopped(), PicturesDamaged()])
def test_faults_of_the_camera_are_reported_in_the_readers_language(problem):
    sentences = {word_error(problem, speech(language)) for language in ("en", "ru", "es")}
    assert len(sentences) == 3


def test_a_camera_that_is_opened_again_knows_the_tiles_of_its_last_picture(build, state):
    game, shot = state.readers.reader.game, build.true_shot("easy-03")
    assert not state.last_tiles.of(game)
    state.shelf.put(build.live_copy(shot, "live-1"))
    assert len(state.last_tiles.of(game)) == len(shot.read.observation.tiles) > 0
    assert not state.last_tiles.of(game.without_markers())

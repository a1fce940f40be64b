"""Calls at the desk: claimed, escalated, ruled, appealed and ruled anew, searched, printed; penalties by player."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import hall_builders as halls
import msgspec
import pytest
from loading import beside

from assistant.app.tournament.desk import SilentTable
from assistant.documents.call import Call
from assistant.documents.hall import Answer, DeskCommand
from web.desk import answers
from web.desk.routes import create_desk_app
from web.desk.view import FAIR, fairly
from web.serving.roles import Role
from web.serving.routes import route_of

CHANGE = {"X-Sightline": "1"}
CALL = "/hall/calls/call-1"


class Judge:
    """A device that joined the desk."""

    def __init__(self, app: Any, state: Any, role: Role) -> None:
        self.client = app.test_client()
        token, _ = state.door.devices.admit(role)
        self.client.set_cookie("sightline", token)

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/v1{path}")

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(f"/api/v1{path}", json=body, headers=CHANGE)

    def bring(self, path: str, rows: str) -> Any:
        return self.client.post(f"/api/v1/hall/rounds{path}", data=rows.encode(), headers=CHANGE)

    def refused(self, path: str, **body: Any) -> str:
        answer = self.post(path, **body)
        assert answer.status_code >= 400, answer.text
        kind: str = answer.get_json()["error"]["kind"]
        return kind


@pytest.fixture
def desk(tmp_path: Path, build: ModuleType) -> Iterator[Any]:
    """A desk with a call, two judges and the head judge."""
    state = beside(__file__, "hall_page").make_hall_page(tmp_path, build)
    app = create_desk_app(state)
    state.event = "open"
    one, two = Judge(app, state, Role.JUDGE), Judge(app, state, Role.JUDGE)
    yield SimpleNamespace(state=state, app=app, one=one, two=two, head=Judge(app, state, Role.HEAD_JUDGE))
    state.hall.store.close()


def test_one_judge_is_on_the_way_and_a_second_one_is_told(desk: Any) -> None:
    assert desk.one.refused(f"{CALL}/claim", type="claim") == "Nameless"
    assert desk.one.post(f"{CALL}/claim", type="claim", name="Jo").get_json() == {
        "claim": {"judge": "Jo", "is_escalated": False}
    }
    assert desk.two.refused(f"{CALL}/claim", type="claim", name="Max") == "ClaimTaken"
    (call,) = desk.two.get("/hall").get_json()["calls"]
    assert call["claim"]["judge"] == "Jo"
    assert desk.two.post(f"{CALL}/claim", type="take over", name="Max").get_json()["claim"]["judge"] == "Max"
    assert desk.two.post(f"{CALL}/claim", type="escalate").get_json()["claim"] == {"judge": "Max", "is_escalated": True}
    assert desk.two.post(f"{CALL}/claim", type="let go").get_json()["claim"]["judge"] == ""
    assert desk.one.refused("/hall/calls/nothing/claim", type="claim", name="Jo") == "UnknownName"


def test_the_first_name_of_a_device_stays_its_own(desk: Any) -> None:
    desk.one.post(f"{CALL}/claim", type="claim", name="Jo")
    ruled = desk.one.post(f"{CALL}/steps", type="rule", ruling="Yes.", name="Somebody else").get_json()
    assert ruled["call"]["judge"]["name"] == "Jo"
    assert desk.one.get("/me").get_json()["name"] == "Jo"


def rule_with_warning(desk: Any) -> None:
    given = [{"player": "two A", "level": "warning", "infraction": "Slow play"}]
    answer = desk.one.post(
        f"{CALL}/steps", type="rule", ruling="No line.", reason="The wall.", name="Jo", penalties=given
    )
    assert answer.get_json()["call"]["penalty"] == "two A: Warning, Slow play"
    assert desk.one.post(f"{CALL}/steps", type="appeal", grounds="It ends before.").status_code == 200


def test_only_the_head_judge_rules_on_an_appeal_and_says_what_stays(desk: Any) -> None:
    rule_with_warning(desk)
    assert desk.two.refused(f"{CALL}/steps", type="rule", ruling="Upheld.", name="Max") == "NotAllowed"
    assert desk.head.refused(f"{CALL}/steps", type="rule", ruling="Upheld.", name="Hana") == "AsBeforeOrNone"
    ruled = desk.head.post(f"{CALL}/steps", type="rule", ruling="Upheld.", empty="before", name="Hana").get_json()
    assert (ruled["call"]["penalty"], ruled["call"]["reason"]) == ("two A: Warning, Slow play", "The wall.")
    (penalty,) = desk.one.get("/hall/penalties").get_json()["penalties"]
    assert (penalty["player"], penalty["level_name"], penalty["stands"]) == ("two A", "Warning", True)


def test_a_penalty_that_falls_on_appeal_is_listed_as_taken_back_and_the_first_ruling_stays_in_the_report(
    desk: Any,
) -> None:
    rule_with_warning(desk)
    ruled = desk.head.post(f"{CALL}/steps", type="rule", ruling="Line of sight.", empty="none", name="Hana").get_json()
    assert ruled["call"]["penalty"] == ""
    facts = [(one["name"], one["value"]) for one in desk.one.get(CALL).get_json()["facts"]]
    assert ("Ruling 1", "No line.") in facts
    assert ("Penalty", "two A: Warning, Slow play") in facts
    assert ("Ruling 2", "Line of sight.") in facts
    assert facts.index(("Penalty", "none")) > facts.index(("Ruling 2", "Line of sight."))
    assert [value for name, value in facts if name == "Ruled by"] == ["Jo (a judge)", "Hana (a judge)"]
    assert {("Tournament", "open"), ("Round", "1"), ("Players", "two A – two B")} <= {*facts}
    rows = list(csv.DictReader(io.StringIO(desk.one.get("/hall/penalties.csv").text.lstrip("\ufeff"))))
    assert [(row["Player"], row["Level"], row["Infraction"], row["Stands"]) for row in rows] == [
        ("two A", "Warning", "Slow play", "no")
    ]


def test_earlier_penalties_of_both_players_stand_beside_a_new_call(desk: Any) -> None:
    rule_with_warning(desk)
    desk.head.post(f"{CALL}/steps", type="rule", ruling="Upheld.", empty="before", name="Hana")
    desk.head.post(f"{CALL}/steps", type="close")
    payload = {"question": "again", "frozen_hash": "b" * 64, "corrections": []}
    again = desk.state.hall.tell(None, "opened", halls.PLAYER, payload, "two")
    (past,) = desk.two.get(f"/hall/calls/{again.id}").get_json()["history"]
    assert (past["player"], past["level"], past["infraction"], past["round"]) == ("two A", "warning", "Slow play", 1)


def test_closed_calls_are_found_by_table_player_round_and_words(desk: Any) -> None:
    desk.one.post(f"{CALL}/steps", type="rule", ruling="The door is open.", name="Jo")
    desk.one.post(f"{CALL}/steps", type="close")
    assert desk.one.get("/hall").get_json()["calls"] == []
    for words in ("two", "TWO%20a", "r1", "door%20open", "bravo", "jo"):
        found = desk.one.get(f"/hall/calls?q={words}").get_json()
        assert [call["id"] for call in found["calls"]] == ["call-1"], words
    assert desk.one.get("/hall/calls?q=three").get_json() == {"calls": [], "count": 0}
    assert desk.one.get(f"{CALL}/report.pdf").data.startswith(b"%PDF")


def test_open_calls_stand_before_ruled_ones(desk: Any) -> None:
    payload = {"question": "younger", "frozen_hash": "b" * 64, "corrections": []}
    younger = desk.state.hall.tell(None, "opened", halls.PLAYER, payload, "one")
    assert [call["id"] for call in desk.one.get("/hall").get_json()["calls"]] == ["call-1", younger.id]
    desk.one.post(f"{CALL}/steps", type="rule", ruling="Yes.", name="Jo")
    assert [call["id"] for call in desk.one.get("/hall").get_json()["calls"]] == [younger.id, "call-1"]


PARTIAL = "Round,Table,Player 1,Player 2\n1,one,Ada,Bo\n"


def test_a_list_tells_what_it_would_change_before_it_changes_anything(desk: Any) -> None:
    (change,) = desk.one.bring("/preview", PARTIAL).get_json()["rounds"]
    assert (change["changes"], change["goes"], change["comes"]) == (["one"], ["two", "three"], [])
    assert [p["first"] for p in pairings(desk)] == ["one A", "two A", "three A"]
    (new,) = desk.one.bring("/preview", "Round,Table,Player 1,Player 2\n2,77,Ada,Bo\n").get_json()["rounds"]
    assert (new["is_new"], new["comes"], new["unknown_tables"]) == (True, ["77"], ["77"])


def test_a_partial_list_can_leave_the_other_games_as_they_are(desk: Any) -> None:
    (change,) = desk.one.bring("/preview?others=stay", PARTIAL).get_json()["rounds"]
    assert change["goes"] == []
    desk.one.bring("?others=stay", PARTIAL)
    assert [p["first"] for p in pairings(desk)] == ["Ada", "two A", "three A"]
    desk.one.bring("", PARTIAL)
    assert [p["first"] for p in pairings(desk)] == ["Ada"]


def pairings(desk: Any) -> list[Any]:
    (one,) = desk.one.get("/hall").get_json()["rounds"]
    found: list[Any] = one["pairings"]
    return found


GETS = {
    "/hall": answers.HallAnswer,
    "/hall/problems": answers.ProblemsAnswer,
    "/hall/calls": answers.CallsAnswer,
    CALL: answers.CallAnswer,
    "/hall/penalties": answers.PenaltiesAnswer,
    "/public": answers.PublicAnswer,
}


def test_answers_have_the_schemas_that_openapi_tells_of(desk: Any) -> None:
    rule_with_warning(desk)
    desk.one.post(f"{CALL}/claim", type="escalate")
    document = desk.one.get("/openapi.json").get_json()
    for path, form in GETS.items():
        msgspec.convert(desk.one.get(path).get_json(), form)
        declared = document["paths"][f"/api/v1{path}".replace("call-1", "{call_id}")]["get"]
        name = declared["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        assert name == form.__name__
        assert name in document["components"]["schemas"]
    for rule in desk.app.url_map.iter_rules():
        route = route_of(desk.app, rule.endpoint)
        if route is not None and rule.rule.startswith("/api/v1/hall") and route.gives == "application/json":
            is_look_back = rule.rule.endswith(("/difference", "/changes", "rounds.json"))
            assert route.answer is not None or is_look_back, rule.rule


def test_a_table_that_calls_without_end_buries_nobody() -> None:
    def call(name: str, table: str) -> Call:
        facts = {"opened_t": 1, "changed_t": 1, "seq": 1, "question": "", "frozen_hash": "0" * 64}
        return Call(id=name, table=table, opened_by=halls.PLAYER, **facts)

    shown, places = fairly([*(call(f"flood-{n}", "two") for n in range(120)), call("real", "one")])
    assert [one.id for one in shown] == [*(f"flood-{n}" for n in range(10)), "real"]
    assert places["real"] == 0
    assert sum(place < FAIR for place in places.values()) == FAIR + 1


def test_a_call_of_a_table_that_does_not_answer_is_closed_at_the_desk(desk: Any, monkeypatch: Any) -> None:
    def silent(call_id: str, *_args: Any, **_more: Any) -> Call:
        call = hall.store.call(call_id)
        hall.store.add_command(call.table, DeskCommand(id="gone", call=call_id, type="closed", actor=halls.JUDGE), 0.0)
        raise SilentTable(call.table)

    hall = desk.state.hall
    monkeypatch.setattr(hall, "speak", silent)
    closed = desk.one.post(f"{CALL}/steps", type="close", name="Jo").get_json()["call"]
    assert (closed["state"], closed["closed_here"]) == ("closed", True)
    assert desk.one.get("/hall").get_json()["calls"] == []
    assert [one["closed_here"] for one in desk.one.get("/hall/calls?q=two").get_json()["calls"]] == [True]
    hall.store.keep_answer(Answer(id="gone", is_done=False, sentence="there is an appeal"))
    desk.state.call_changed(hall.store.call("call-1"))
    assert [one["state"] for one in desk.one.get("/hall").get_json()["calls"]] == ["open"]

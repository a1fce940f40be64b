"""The desk's routes, from every role and from a stranger; a judge's view of a call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from loading import beside

from web.desk.routes import create_desk_app
from web.desk.state import DeskState
from web.serving.roles import Right, Role, may
from web.serving.routes import route_of

CHANGE = {"X-Sightline": "1"}

EXPECTED = {
    "/": Right.PUBLIC,
    "/public": Right.PUBLIC,
    "/favicon.ico": Right.PUBLIC,
    "/static/<feature>/<name>": Right.PUBLIC,
    "/api/v1/me": Right.PUBLIC,
    "/api/v1/join": Right.PUBLIC,
    "/api/v1/leave": Right.PUBLIC,
    "/api/v1/language": Right.PUBLIC,
    "/api/v1/events": Right.WATCH,
    "/api/v1/public": Right.WATCH,
    "/api/v1/hall": Right.JUDGE,
    "/api/v1/openapi.json": Right.PUBLIC,
    "/api/v1/hall/problems": Right.JUDGE,
    "/api/v1/hall/keys.csv": Right.JUDGE,
    "/api/v1/hall/calls": Right.JUDGE,
    "/api/v1/hall/penalties": Right.JUDGE,
    "/api/v1/hall/penalties.csv": Right.JUDGE,
    "/api/v1/hall/calls/<call_id>/claim": Right.JUDGE,
    "/api/v1/hall/calls/<call_id>/evidence.zip": Right.JUDGE,
    "/api/v1/hall/calls/<call_id>/report.pdf": Right.JUDGE,
    "/api/v1/hall/rounds/preview": Right.JUDGE,
    "/api/v1/hall/calls/<call_id>": Right.JUDGE,
    "/api/v1/hall/calls/<call_id>/difference": Right.JUDGE,
    "/api/v1/hall/calls/<call_id>/changes": Right.JUDGE,
    "/api/v1/hall/calls/<call_id>/pictures/<name>": Right.JUDGE,
    "/api/v1/hall/calls/<call_id>/steps": Right.JUDGE,
    "/api/v1/hall/tables/<table>/closing": Right.JUDGE,
    "/api/v1/hall/tables/<table>/key": Right.JUDGE,
    "/api/v1/hall/rounds": Right.JUDGE,
    "/api/v1/hall/rounds.csv": Right.JUDGE,
    "/api/v1/hall/rounds.json": Right.JUDGE,
    "/api/v1/hall/rounds/<int:number>/clock": Right.JUDGE,
    "/api/v1/hall/rounds/<int:number>/publication": Right.JUDGE,
    "/api/v1/hall/results": Right.JUDGE,
    "/api/v1/invitations": Right.JUDGE,
    "/api/v1/devices": Right.OWN,
    "/api/v1/devices/<device_id>/end": Right.OWN,
    "/api/v1/devices/<device_id>/camera": Right.OWN,
    "/api/v1/guests": Right.OWN,
}
STRANGER = None


@pytest.fixture
def hall_state(tmp_path: Path, build: ModuleType) -> Iterator[DeskState]:
    """A desk over a hall that stands still."""
    made: DeskState = beside(__file__, "hall_page").make_hall_page(tmp_path, build)
    yield made
    made.hall.store.close()  # type: ignore[attr-defined]


def client_of(state: DeskState, role: Role | None) -> Any:
    """Return a browser that joined in that role, or a stranger's."""
    client = create_desk_app(state).test_client()
    if role is not STRANGER:
        token, _ = state.door.devices.admit(role)
        client.set_cookie("sightline", token)
    return client


def test_every_route_of_the_desk_is_classified_as_this_table_says(hall_state: DeskState) -> None:
    app = create_desk_app(hall_state)
    found = {rule.rule: route_of(app, rule.endpoint) for rule in app.url_map.iter_rules()}
    assert None not in found.values()
    assert {rule: facts.right for rule, facts in found.items() if facts} == EXPECTED


@pytest.mark.parametrize("role", [STRANGER, *Role])
def test_every_role_and_a_stranger_meet_exactly_their_routes(hall_state: DeskState, role: Role | None) -> None:
    client = client_of(hall_state, role)
    for rule in client.application.url_map.iter_rules():
        if rule.rule in ("/api/v1/events", "/api/v1/leave"):
            continue  # one never ends, the other would end this device
        path = rule.rule.replace("<feature>/<name>", "shell/shell.css").replace("<int:number>", "1")
        for place in ("<name>", "<call_id>", "<device_id>"):
            path = path.replace(place, "x")
        is_change = "POST" in (rule.methods or set())
        answer = client.open(path, method="POST" if is_change else "GET", headers=CHANGE if is_change else None)
        refused = answer.status_code == 403 and "NotAllowed" in answer.text
        allowed = may(Role.SPECTATOR if role is STRANGER else role, EXPECTED[rule.rule])
        assert refused == (not allowed), (role, path, answer.text)


@pytest.mark.parametrize("path", ["hall/results", "hall/rounds", "hall/calls/call-1/steps", "hall/rounds/1/clock"])
def test_a_change_at_the_desk_without_our_header_is_refused(hall_state: DeskState, path: str) -> None:
    answer = client_of(hall_state, Role.JUDGE).post(f"/api/v1/{path}", json={})
    assert (answer.status_code, answer.get_json()["error"]["kind"]) == (403, "WrongOrigin")


def test_a_judge_is_shown_the_call_with_its_lines_in_the_judges_language(hall_state: DeskState) -> None:
    client = client_of(hall_state, Role.JUDGE)
    shown = client.get("/api/v1/hall/calls/call-1?lang=ru").get_json()
    (ruling,) = shown["report"]["rulings"]
    assert ruling["lines"]
    assert "Браво" in ruling["attacker"]
    assert not re.search(r"bravo|imp-1|los_|\b[a-z]+_[a-z]+", " ".join(ruling["reasons"]))
    assert client.get(shown["pictures"][0]).mimetype == "image/jpeg"
    assert client.get("/api/v1/hall/calls/call-1/pictures/frozen-moment.json").status_code == 400
    assert "los_touch" not in {one["name"] for one in shown["report"]["options"]}


def test_what_troubles_a_table_is_reported_in_the_judges_language(hall_state: DeskState) -> None:
    client = client_of(hall_state, Role.JUDGE)
    for language, sentence in (("ru", "Камера отключена."), ("es", "The camera is unplugged.")):
        tables = client.get(f"/api/v1/hall?lang={language}").get_json()["tables"]
        assert [table["troubles"] for table in tables if table["name"] == "three"] == [[sentence]]


def test_what_is_not_what_the_call_froze_is_not_told(hall_state: DeskState) -> None:
    parts, given = hall_state.hall.store, []

    def other(call_id: str, name: str) -> bytes | None:
        given.append(name)
        found = parts.part(call_id, name)
        return found and found.replace(b'"bravo"', b'"alpha"')

    hall_state.hall.store = _Changed(parts, other)  # type: ignore[misc, assignment]
    shown = client_of(hall_state, Role.JUDGE).get("/api/v1/hall/calls/call-1").get_json()
    hall_state.hall.store = parts  # type: ignore[misc]
    assert given == ["frozen-moment.json"]
    assert (shown["report"], len(shown["pictures"])) == (None, 2)


class _Changed:
    """A store with one changed answer."""

    def __init__(self, store: Any, part: Any) -> None:
        self._store, self.part = store, part

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

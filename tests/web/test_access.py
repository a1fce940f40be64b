from __future__ import annotations

import pytest

from web.app import create_app
from web.serving.roles import ROLE_RIGHTS, Right, Role, may
from web.serving.routes import route_of
from web.serving.security import HEADERS, HostAllowList

CHANGE = {"X-Sightline": "1"}

EXPECTED = {
    "/": Right.PUBLIC,
    "/wall": Right.PUBLIC,
    "/setup": Right.PUBLIC,
    "/setup/teach": Right.PUBLIC,
    "/setup/box": Right.PUBLIC,
    "/free": Right.PUBLIC,
    "/lens": Right.PUBLIC,
    "/stream": Right.PUBLIC,
    "/api/v1/lens/scene": Right.WATCH,
    "/api/v1/free": Right.WATCH,
    "/api/v1/free/shots": Right.SHOW,
    "/api/v1/free/shots/<shot_id>/picture": Right.WATCH,
    "/api/v1/free/shots/<shot_id>/plan": Right.WATCH,
    "/api/v1/free/shots/<shot_id>/report": Right.OWN,
    "/api/v1/free/shots/<shot_id>/reports": Right.CORRECT,
    "/api/v1/free/refusals": Right.CORRECT,
    "/api/v1/free/shots/<shot_id>/rulings": Right.ASK,
    "/api/v1/free/shots/<shot_id>/claims": Right.ASK,
    "/api/v1/free/shots/<shot_id>/figures/<name>": Right.WATCH,
    "/api/v1/free/shots/<shot_id>/measures": Right.ASK,
    "/api/v1/free/shots/<shot_id>/circles": Right.ASK,
    "/api/v1/free/shots/<shot_id>/answers": Right.CORRECT,
    "/api/v1/free/shots/<shot_id>/match": Right.CORRECT,
    "/api/v1/free/shots/<shot_id>/terrain": Right.CORRECT,
    "/api/v1/free/shots/<shot_id>/terrain/removals": Right.CORRECT,
    "/api/v1/free/shots/<shot_id>/terrain/searches": Right.CORRECT,
    "/api/v1/match/seen": Right.PLAY,
    "/api/v1/match/hands": Right.PLAY,
    "/api/v1/match/drawn": Right.PLAY,
    "/api/v1/demo/game": Right.PLAY,
    "/api/v1/demo/moves": Right.PLAY,
    "/api/v1/demo/attack": Right.PLAY,
    "/api/v1/wizard": Right.OWN,
    "/api/v1/wizard/step": Right.OWN,
    "/api/v1/wizard/again": Right.OWN,
    "/api/v1/wizard/camera": Right.OWN,
    "/api/v1/wizard/frames": Right.OWN,
    "/api/v1/wizard/look": Right.OWN,
    "/api/v1/wizard/photos": Right.OWN,
    "/api/v1/wizard/photo": Right.OWN,
    "/api/v1/wizard/picture": Right.OWN,
    "/api/v1/wizard/sheets": Right.OWN,
    "/api/v1/wizard/sheets/<name>.pdf": Right.OWN,
    "/api/v1/wizard/work": Right.OWN,
    "/api/v1/wizard/game": Right.OWN,
    "/api/v1/wizard/save": Right.OWN,
    "/api/v1/wizard/read": Right.OWN,
    "/api/v1/wizard/finish": Right.OWN,
    "/api/v1/wizard/light": Right.OWN,
    "/api/v1/wizard/use": Right.OWN,
    "/api/v1/wizard/backup.zip": Right.OWN,
    "/api/v1/wizard/restore": Right.OWN,
    "/favicon.ico": Right.PUBLIC,
    "/manifest.webmanifest": Right.PUBLIC,
    "/sw.js": Right.PUBLIC,
    "/certificate": Right.PUBLIC,
    "/static/<feature>/<name>": Right.PUBLIC,
    "/api/v1/me": Right.PUBLIC,
    "/api/v1/join": Right.PUBLIC,
    "/api/v1/leave": Right.PUBLIC,
    "/api/v1/language": Right.PUBLIC,
    "/api/v1/openapi.json": Right.PUBLIC,
    "/api/v1/tournament": Right.WATCH,
    "/api/v1/tournament/result": Right.PLAY,
    "/api/v1/calls": Right.WATCH,
    "/api/v1/calls/new": Right.PLAY,
    "/api/v1/calls/<call_id>": Right.WATCH,
    "/api/v1/calls/<call_id>/ruling": Right.JUDGE,
    "/api/v1/calls/<call_id>/appeal": Right.PLAY,
    "/api/v1/calls/<call_id>/speech": Right.JUDGE,
    "/api/v1/calls/<call_id>/closing": Right.JUDGE,
    "/api/v1/calls/<call_id>/withdrawal": Right.PLAY,
    "/api/v1/calls/<call_id>/parts/<name>": Right.WATCH,
    "/api/v1/calls/<call_id>/difference": Right.WATCH,
    "/api/v1/calls/<call_id>/changes": Right.WATCH,
    "/api/v1/calls/<call_id>/evidence.zip": Right.WATCH,
    "/api/v1/calls/<call_id>/report.html": Right.WATCH,
    "/api/v1/calls/<call_id>/report.pdf": Right.WATCH,
    "/api/v1/now": Right.WATCH,
    "/api/v1/events": Right.WATCH,
    "/api/v1/teach": Right.OWN,
    "/api/v1/teach/work": Right.OWN,
    "/api/v1/teach/work/cancel": Right.OWN,
    "/api/v1/teach/line-ups": Right.OWN,
    "/api/v1/teach/line-ups/<draft_id>/scale": Right.OWN,
    "/api/v1/teach/line-ups/<draft_id>/<int:number>/picture": Right.OWN,
    "/api/v1/teach/line-ups/<draft_id>/figures": Right.OWN,
    "/api/v1/teach/tiles": Right.OWN,
    "/api/v1/teach/figures": Right.OWN,
    "/api/v1/teach/doors": Right.OWN,
    "/api/v1/teach/drafts/<draft_id>/picture": Right.OWN,
    "/api/v1/teach/drafts/<draft_id>/tile": Right.OWN,
    "/api/v1/teach/drafts/<draft_id>/figure": Right.OWN,
    "/api/v1/teach/drafts/<draft_id>/door": Right.OWN,
    "/api/v1/teach/sets/<set_name>": Right.OWN,
    "/api/v1/teach/sets": Right.OWN,
    "/api/v1/teach/box": Right.OWN,
    "/api/v1/teach/box/photos": Right.OWN,
    "/api/v1/teach/box/next": Right.OWN,
    "/api/v1/teach/box/cancel": Right.OWN,
    "/api/v1/teach/box/clear": Right.OWN,
    "/api/v1/teach/box/pictures/<key>": Right.OWN,
    "/api/v1/teach/box/sides/<key>": Right.OWN,
    "/api/v1/teach/box/sides/<key>/name": Right.OWN,
    "/api/v1/teach/box/sides/<key>/pair": Right.OWN,
    "/api/v1/teach/box/game": Right.OWN,
    "/api/v1/teach/box/drop/<key>": Right.OWN,
    "/api/v1/teach/box/doors/<key>": Right.OWN,
    "/api/v1/teach/box/keep": Right.OWN,
    "/api/v1/setup": Right.WATCH,
    "/api/v1/frames": Right.SHOW,
    "/api/v1/shots": Right.SHOW,
    "/api/v1/shots/<shot_id>": Right.WATCH,
    "/api/v1/shots/<shot_id>/doubts": Right.WATCH,
    "/api/v1/shots/<shot_id>/picture": Right.WATCH,
    "/api/v1/shots/<shot_id>/report": Right.OWN,
    "/api/v1/shots/<shot_id>/reports": Right.CORRECT,
    "/api/v1/shots/<shot_id>/sides/refusals": Right.CORRECT,
    "/api/v1/refusals": Right.CORRECT,
    "/api/v1/shots/<shot_id>/observation": Right.WATCH,
    "/api/v1/shots/<shot_id>/rulings": Right.ASK,
    "/api/v1/shots/<shot_id>/changes": Right.ASK,
    "/api/v1/shots/<shot_id>/claims": Right.ASK,
    "/api/v1/shots/<shot_id>/reaches": Right.ASK,
    "/api/v1/shots/<shot_id>/maps": Right.ASK,
    "/api/v1/shots/<shot_id>/watchers": Right.ASK,
    "/api/v1/shots/<shot_id>/measures": Right.ASK,
    "/api/v1/shots/<shot_id>/sides": Right.SHOW,
    "/api/v1/shots/<shot_id>/corrections": Right.CORRECT,
    "/api/v1/shots/<shot_id>/what-if": Right.ASK,
    "/api/v1/live": Right.WATCH,
    "/api/v1/live/corrections": Right.CORRECT,
    "/api/v1/live/freeze": Right.CORRECT,
    "/api/v1/problems": Right.WATCH,
    "/api/v1/problems/<part>/remedy": Right.SHOW,
    "/api/v1/portraits": Right.WATCH,
    "/api/v1/portraits/<name>": Right.WATCH,
    "/api/v1/rules/<ruleset>": Right.WATCH,
    "/api/v1/rulings": Right.WATCH,
    "/api/v1/rulings/<ruling_id>": Right.WATCH,
    "/api/v1/match": Right.WATCH,
    "/api/v1/match/laying": Right.WATCH,
    "/api/v1/match/commands": Right.PLAY,
    "/api/v1/match/history": Right.WATCH,
    "/api/v1/match/history/<int:seq>": Right.WATCH,
    "/api/v1/match/table": Right.CORRECT,
    "/api/v1/match/ways": Right.PLAY,
    "/api/v1/match/deeds": Right.PLAY,
    "/api/v1/match/played-on": Right.JUDGE,
    "/api/v1/seat": Right.PLAY,
    "/api/v1/hand": Right.PLAY,
    "/api/v1/match/advice": Right.ASK,
    "/api/v1/match/attack": Right.ASK,
    "/api/v1/match/ground": Right.WATCH,
    "/missions": Right.PUBLIC,
    "/api/v1/mission-games": Right.JUDGE,
    "/api/v1/mission-games/<ruleset>": Right.JUDGE,
    "/api/v1/mission-games/<ruleset>/beginning": Right.JUDGE,
    "/api/v1/missions/check": Right.JUDGE,
    "/api/v1/missions/<name>/keep": Right.JUDGE,
    "/api/v1/match/story": Right.WATCH,
    "/api/v1/missions": Right.JUDGE,
    "/api/v1/matches": Right.JUDGE,
    "/api/v1/matches/<match_id>/play": Right.JUDGE,
    "/api/v1/matches/<match_id>/copy": Right.JUDGE,
    "/api/v1/matches/<match_id>/opening": Right.JUDGE,
    "/api/v1/matches/<match_id>/name": Right.JUDGE,
    "/api/v1/matches/<match_id>": Right.JUDGE,
    "/api/v1/matches/<match_id>/import": Right.OWN,
    "/api/v1/invitations": Right.JUDGE,
    "/api/v1/devices": Right.OWN,
    "/api/v1/devices/<device_id>/end": Right.OWN,
    "/api/v1/devices/<device_id>/camera": Right.OWN,
    "/api/v1/guests": Right.OWN,
}


def test_every_route_is_classified_as_this_table_says(app):
    found = {rule.rule: route_of(app, rule.endpoint) for rule in app.url_map.iter_rules()}

    assert None not in found.values()
    assert {rule: facts.right for rule, facts in found.items() if facts} == EXPECTED


@pytest.mark.parametrize("role", Role)
def test_every_role_meets_exactly_its_routes(build, role):
    state = build.page_state(guest_role=Role.SPECTATOR)
    app = create_app(state)
    client = app.test_client()
    token, _ = state.door.devices.admit(role)
    client.set_cookie("sightline", token)

    for rule in app.url_map.iter_rules():
        if rule.rule in ("/api/v1/events", "/api/v1/leave"):
            continue  # one never ends, the other would remove this device; both have their own tests
        path = (
            rule.rule.replace("<feature>/<name>", "shell/shell.css")
            .replace("<name>", "x")
            .replace("<shot_id>", "x")
            .replace("<ruling_id>", "x")
            .replace("<device_id>", "x")
            .replace("<draft_id>", "x")
            .replace("<set_name>", "x")
            .replace("<part>", "x")
            .replace("<call_id>", "x")
            .replace("<int:seq>", "1")
            .replace("<int:number>", "1")
        )
        is_change = "POST" in (rule.methods or set())
        answer = client.open(path, method="POST" if is_change else "GET", headers=CHANGE if is_change else None)
        refused = answer.status_code == 403 and "NotAllowed" in answer.text
        assert refused == (not may(role, EXPECTED[rule.rule])), (role, path, answer.text)


def test_a_view_without_facts_is_refused_to_everybody(state):
    app = create_app(state)
    app.add_url_rule("/forgotten", view_func=lambda: "secret")

    answer = app.test_client().get("/forgotten")

    assert answer.status_code == 403
    assert "secret" not in answer.text


def test_rights_grow_with_the_roles():
    assert ROLE_RIGHTS[Role.SPECTATOR] in ROLE_RIGHTS[Role.PLAYER]
    assert ROLE_RIGHTS[Role.PLAYER] in ROLE_RIGHTS[Role.OWNER]
    assert not may(Role.PLAYER, Right.HIDDEN)
    assert not may(Role.JUDGE, Right.OWN)


def test_a_change_without_our_header_is_refused(client):
    answer = client.post("/api/v1/shots", data=b"x")

    assert answer.status_code == 403
    assert answer.get_json()["error"]["kind"] == "WrongOrigin"


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost", 404),
        ("http://evil.example", 403),
        ("https://localhost", 403),
        ("null", 403),
        ("http://localhost:81", 403),
    ],
)
def test_a_change_from_another_origin_is_refused(client, origin, status):
    answer = client.post(
        "/api/v1/shots/none/rulings", json={"attacker": "a", "defender": "b"}, headers={**CHANGE, "Origin": origin}
    )

    assert answer.status_code == status


@pytest.mark.parametrize("path", ["/", "/static/page/page.js", "/api/v1/now", "/api/v1/none", "/api/v1/shots/none"])
def test_every_answer_carries_the_security_headers(client, path):
    answer = client.get(path)

    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "unsafe" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("localhost:8642", True), ("LOCALHOST", True), ("table.local:8642", True), ("table.local.", True),
        ("192.168.1.7:8642", True), ("127.0.0.1", True), ("[::1]:8642", True),
        ("evil.example", False), ("other.local", False), ("localhost.evil.example", False), ("", False),
        ("192.168.1.7.evil.example", False), ("[::1", False), ("[evil]", False),
    ],
)  # fmt: skip
def test_only_the_tables_own_names_are_answered(app, host, allowed):
    gate = HostAllowList(app, ["localhost", "table.local"])

    assert gate.allows(host) is allowed


def test_a_rebound_name_gets_nothing_but_the_refusal(app):
    app.wsgi_app = HostAllowList(app.wsgi_app, ["localhost"])
    client = app.test_client()

    answer = client.get("/api/v1/now", headers={"Host": "evil.example"})

    assert answer.status_code == 421
    assert answer.get_json()["error"]["kind"] == "WrongHost"
    assert client.get("/api/v1/now").status_code == 200


def test_forwarded_headers_buy_nothing(app, state):
    state.door.devices.guest_role = Role.SPECTATOR
    client = app.test_client()

    answer = client.get("/api/v1/devices", headers={"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "localhost"})

    assert answer.status_code == 403


@pytest.mark.parametrize("path", ["/api/v1//devices", "/api/v1/./devices", "/api/v1/x/../devices", "/api/v1/%64evices"])
def test_another_spelling_of_a_path_does_not_lead_past_the_guard(app, state, path):
    state.door.devices.guest_role = Role.SPECTATOR

    assert app.test_client().get(path).status_code in (308, 403, 404)


def test_an_unknown_address_and_a_wrong_method_have_the_one_error_shape(client):
    for answer, status in ((client.get("/api/v1/none"), 404), (client.get("/api/v1/join"), 405)):
        assert answer.status_code == status
        assert set(answer.get_json()["error"]) == {"status", "kind", "message", "document", "field"}

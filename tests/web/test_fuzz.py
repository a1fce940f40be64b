"""Any data to any route from any role: never a 500, always the one error shape."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from web.app import create_app
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}
NAMES = st.sampled_from(["bravo", "imp-1", "brute-1", "nobody", "", "💥", "x" * 300, "../..", "\x00"])
NUMBERS = st.one_of(st.integers(-3, 12), st.integers(), st.floats(allow_nan=False, allow_infinity=False))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, NAMES),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["attacker", "defender", "ruleset", "figure", "target", "points", "question", "figures", "doors", "code", "role",
     "language", "type", "amount", "after", "id", "as_plan", "name", "to"]
)  # fmt: skip
QUESTIONS = st.sampled_from(
    ["seen", "sees", "sees_unseen", "no_cover", "safe", "doom2016", "doom2004", "damage", "undo"]
)
BODIES = st.one_of(VALUES, st.dictionaries(FIELDS, st.one_of(VALUES, QUESTIONS), max_size=6))


@pytest.fixture(scope="module")
def clients(build):
    """A client of every role before one application with a shot on its shelf."""
    state = build.page_state(guest_role=Role.SPECTATOR)
    state.shelf.put(build.true_shot("easy-03"))
    state.match.play(build.sample_session())
    app = create_app(state)
    made = {}
    for role in Role:
        token, _ = state.door.devices.admit(role)
        made[role] = app.test_client()
        made[role].set_cookie("sightline", token)
    return made


def check(answer):
    assert answer.status_code < 500 or answer.status_code == 503, answer.text
    if answer.status_code >= 400:
        error = answer.get_json()["error"]
        assert error["status"] == answer.status_code
        assert error["message"]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=BODIES, role=st.sampled_from(list(Role)), data=st.data())
def test_no_body_makes_a_route_fall_over(clients, body, role, data):
    rules = clients[role].application.url_map.iter_rules()
    paths = sorted(rule.rule for rule in rules if "POST" in (rule.methods or set()))
    path = data.draw(st.sampled_from(paths)).replace("<shot_id>", "photo-easy-03").replace("<device_id>", "none")
    if path.endswith("/leave"):
        return  # it would end the device that the next example needs

    check(clients[role].post(path, data=json.dumps(body), headers={**CHANGE, "Content-Type": "application/json"}))


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.text(max_size=40), role=st.sampled_from(list(Role)), data=st.data())
def test_no_name_in_a_path_makes_a_route_fall_over(clients, name, role, data):
    rules = clients[role].application.url_map.iter_rules()
    paths = sorted(rule.rule for rule in rules if "GET" in (rule.methods or set()) and "<" in rule.rule)
    path = re.sub(r"<[^>]+>", "{}", data.draw(st.sampled_from(paths)))

    check(clients[role].get(path.replace("{}", name.replace("/", "%2F").replace("?", "%3F").replace("#", "%23"))))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.binary(max_size=200), kind=st.sampled_from(["application/json", "text/plain", "multipart/form-data", ""]))
def test_no_bytes_make_a_route_fall_over(clients, raw, kind):
    check(
        clients[Role.OWNER].post(
            "/api/v1/shots/photo-easy-03/rulings", data=raw, headers={**CHANGE, "Content-Type": kind}
        )
    )

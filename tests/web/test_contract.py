"""The API against its own OpenAPI document: whatever fits it is answered to every role, and nothing falls over.

A few examples for each route with every run; ``make slow`` asks hundreds.
"""

from __future__ import annotations

import re
import warnings

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from said_table import SaidTable

from assistant.app.matches.archive import KeptMatches, load_shipped_mission
from assistant.app.setup.sample import sample_game
from assistant.app.setup.wizard import SetUpWizard
from assistant.app.teaching.library import TaughtGames, TeachingTable
from assistant.app.teaching.teacher import Teacher
from assistant.documents import camera_from_json, table_from_json
from assistant.documents.table_event import Person
from web.app import create_app
from web.judge.gathering import table_now
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}
NEVER_ENDS = "/api/v1/events"
KIND = re.compile(r"(?<=<)\w+:")
"""The converter of a path's part, before its name."""
for files in ("image/*", "image/jpeg", "application/zip", "*/*"):
    schemathesis.serializer.alias(files, "application/octet-stream")  # files are bytes to it

THERE = {
    "shot_id": "photo-easy-03", "call_id": "call-1", "part": "camera", "match_id": "evening", "name": "table-markers",
    "attacker": "bravo", "figure": "bravo", "defender": "imp-1", "target": "imp-1", "ruleset": "doom2004",
}  # fmt: skip
"""Names that exist at the table: invented ones would hardly pass the first check."""

REFUSED = frozenset({400, 403, 404, 405, 409, 413, 415, 421, 422, 429, 503})


@pytest.fixture
def table(build, tmp_path):
    """A table on which everything can be asked: a match, a photo, a camera, a set-up, teaching, kept matches."""
    state = build.page_state(guest_role=Role.SPECTATOR)
    state.match.play(build.sample_session())
    state.shelf.put(build.true_shot("easy-03"))
    state.problems.remedies["camera"] = lambda: None
    state.readers.take_frame = lambda _jpeg: None
    roster = build.true_setup("easy-03").roster
    SaidTable(state, roster)
    referee = build.referee(state, tmp_path / "calls")
    build.judge(state, referee)
    referee.call_judge("", Person(role="player"), table_now(state, "here"), "call-1")
    build.put(state, desk=SetUpWizard(tmp_path / "setup", sample_game(), nothing))
    place = build.SCENES / "dev" / "easy-03"
    seen_by = TeachingTable(
        table_from_json((place / "table.json").read_bytes()), camera_from_json((place / "camera.json").read_bytes())
    )
    build.put(state, teaching=Teacher(TaughtGames(tmp_path / "taught"), lambda: seen_by))
    build.put(state, archive=KeptMatches(tmp_path / "matches"))
    state.archive.begin("evening", load_shipped_mission("roads_bridge_sample"), {})
    yield state
    state.archive.close()
    build.stores.pop().close()


def nothing(*_: object, **__: object) -> None:
    """Take whatever it is given."""


@pytest.fixture
def schema(table):
    app = create_app(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the loader's own
        return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)


def ask_everything(table, schema, examples: int) -> dict[str, set[int]]:
    """Request every operation of the document from every role; return the statuses of each."""
    operations = (found.ok() for found in schema.get_all_operations())
    return {
        f"{operation.method.upper()} {operation.path}": statuses_of(table, operation, examples)
        for operation in operations
        if operation.path != NEVER_ENDS
    }


def statuses_of(table, operation, examples: int) -> set[int]:
    """Return an operation's statuses for requests that fit the document, each from every role."""
    statuses: set[int] = set()

    @given(case=operation.as_strategy())
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case):
        ask(case)
        case.path_parameters = with_names_that_are_there(case.path_parameters)
        if isinstance(case.body, dict):
            case.body = with_names_that_are_there(case.body)
        ask(case)

    def ask(case):
        for role in Role:
            token, _ = table.door.devices.admit(role)
            answer = case.call(headers={**CHANGE, "Cookie": f"sightline={token}"})
            table.door.devices.leave(token)
            statuses.add(answer.status_code)
            if answer.status_code >= 400:
                assert answer.status_code in REFUSED, (role, case.as_curl_command(), answer.text)
                assert set(answer.json()["error"]) == {"status", "kind", "message", "document", "field"}

    check()
    return statuses


def with_names_that_are_there(fields):
    return {name: THERE.get(name, value) for name, value in (fields or {}).items()}


def routes(app) -> set[str]:
    """Return every operation of the API, without the stream and the document itself, fetched at the beginning."""
    return {
        f"{method} {KIND.sub('', rule.rule)}".replace("<", "{").replace(">", "}")
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/v1") and rule.rule not in (NEVER_ENDS, "/api/v1/openapi.json")
    }


def test_every_route_answers_every_role_whatever_it_is_asked(table, schema):
    answered = ask_everything(table, schema, examples=1)

    assert set(answered) == routes(create_app(table))
    assert all(statuses for statuses in answered.values())


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_hundreds_of_questions_to_every_route_from_every_role(table, schema):
    answered = ask_everything(table, schema, examples=100)

    assert 500 not in set().union(*answered.values())

"""Every sentence that refuses something, in the reader's language: asked of every route, from every role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import assistant.app.live.table_watch  # the errors of the camera
import assistant.app.setup.desk  # noqa: F401  # and of the set-up
from assistant.errors import BadValue, BoardError, SightlineError, UnknownFormat
from assistant.table.board import BoardStatus
from assistant.translations.speech import speech
from web.app import create_app
from web.problems.errors import worded
from web.problems.general_words import status_words
from web.serving.roles import Role
from web.serving.routes import facts_of, json_schema
from web.serving.security import HostAllowList

CHANGE = {"X-Sightline": "1"}
MARKED = re.compile(r"(⟦[^⟧]*⟧ ?)+[.!?]?")
"""A sentence of the made-up language: nothing in it escaped translation."""

IDS = {"shot_id": "photo-easy-03", "name": "x", "ruling_id": "x", "device_id": "x", "draft_id": "x"}
IDS |= {"feature": "x", "set_name": "x", "part": "x", "match_id": "x"}


def errors_of_the_house() -> list[type[SightlineError]]:
    found = [SightlineError]
    for kind in found:
        found += [sub for sub in kind.__subclasses__() if sub not in found]
    return found


@pytest.mark.parametrize("kind", errors_of_the_house(), ids=lambda kind: kind.__name__)
def test_no_error_is_told_in_english_to_others(kind):
    problem = kind.__new__(kind)
    Exception.__init__(problem, "something in English went wrong; do this")
    problem.__dict__.update(document="request", field="figures[2].cells", flags=BoardStatus.VALID, message="English")
    problem.__dict__.update(
        seen=2, needed=3, step="table", fault="name", free_mb=3, limit_mb=5, name="BLURRED", values={}
    )

    assert re.fullmatch(r"(?:⟦[^⟧]*⟧ ?)+", worded(problem, speech("xx"))), worded(problem, speech("xx"))
    assert worded(problem, speech("ru")) != worded(problem, speech("es"))
    assert not re.search(r"[a-z]{3,} [a-z]{3,}", worded(problem, speech("ru")))


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (
            BoardError("x", flags=BoardStatus.FIGURES_OVERLAP | BoardStatus.FIGURE_TWICE),
            "Там стоит другая фигура. Выберите свободную клетку.",
        ),
        (BadValue("x", document="m", field="line 12.seq"), "строка 12, seq"),
        (UnknownFormat("x", document="m"), "Этот файл повреждён"),
        (BadValue("x", document="request", field="figures"), "(figures)"),
        (BadValue("x"), "Так это не годится"),
    ],
)
def test_what_is_wrong_is_still_told(problem, told):
    assert told in worded(problem, speech("ru"))


def test_english_readers_are_told_exactly_what_is_wrong():
    assert worded(BadValue("the corners enclose no area"), speech("en")) == "The corners enclose no area."


@pytest.fixture
def full(build):
    """A page with a match and a photo; joined devices of every role come by `as_role`."""
    state = build.page_state(guest_role=Role.SPECTATOR)
    state.play(build.sample_session())
    state.shelf.put(build.true_shot("easy-03"))
    return state


def broken_bodies(schema: dict[str, Any]) -> Iterator[bytes]:
    """Bodies that are no answer to the schema, each in its own way, and one whose names nobody knows."""
    yield b"{"
    yield b"[]"
    yield b"\xff"
    yield b'{"surprise": 1}'
    names = list(schema.get("properties", {}))
    for name in names:
        yield b'{"%s": {"a": [1.5]}}' % name.encode()
    if names:
        yield ("{" + ",".join(f'"{name}": "nobody"' for name in names) + "}").encode()


def requests_of(app) -> Iterator[tuple[str, str, bytes | None]]:
    """Method, path and body of questions to every route that answer with something wrong."""
    for rule in app.url_map.iter_rules():
        facts = facts_of(app, rule.endpoint)
        path = re.sub(r"<(\w+)>", lambda found: IDS[found[1]], rule.rule)
        if path == "/api/v1/events" or not path.startswith("/api/"):
            continue
        if "POST" not in (rule.methods or ()):
            yield "GET", path, None
            continue
        if facts.body is None:
            yield "POST", path, None
            continue
        for body in broken_bodies(json_schema(facts.body)[1][facts.body.__name__]):
            yield "POST", path, body
    for body in (b"{", b"[]", b"{}", b'{"type": "dance"}', b'{"type": "damage", "figure": "nobody", "amount": 1}'):
        yield "POST", "/api/v1/match/commands", body


@pytest.mark.parametrize("role", [Role.SPECTATOR, Role.OWNER])
def test_every_refusal_of_every_route_is_translated(full, role):
    app = create_app(full)
    client = app.test_client()
    token, _ = full.devices.admit(role)
    client.set_cookie("sightline", token)
    refused = 0
    for method, path, body in requests_of(app):
        if path == "/api/v1/leave":
            continue
        answer = client.open(f"{path}?lang=xx", method=method, data=body, headers=CHANGE)
        if answer.status_code < 400:
            continue
        refused += 1
        sentence = answer.get_json()["error"]["message"]
        assert MARKED.fullmatch(sentence), (method, path, body, sentence)
    assert refused > (20 if role is Role.SPECTATOR else 100)


@pytest.mark.parametrize(
    ("path", "method", "headers"),
    [
        ("/api/v1/none", "GET", {}),
        ("/api/v1/join", "GET", {}),
        ("/static/page/none.js", "GET", {}),
        ("/api/v1/language", "POST", {}),
        ("/api/v1/language", "POST", {**CHANGE, "Origin": "http://evil.example"}),
    ],
)
def test_strange_requests_are_refused_in_the_readers_language(client, path, method, headers):
    answer = client.open(f"{path}?lang=xx", method=method, headers=headers)

    assert answer.status_code >= 400
    assert MARKED.fullmatch(answer.get_json()["error"]["message"])


@pytest.mark.parametrize(("tag", "begins"), [("ru-RU,ru;q=0.9", "Это имя"), ("es", "Este nombre"), ("", "This name")])
def test_a_wrong_name_of_the_table_is_refused_in_the_browsers_language(app, tag, begins):
    app.wsgi_app = HostAllowList(app.wsgi_app, ["localhost"])
    answer = app.test_client().get("/", headers={"Host": "evil.example", "Accept-Language": tag})

    assert answer.get_json()["error"]["message"].startswith(begins)


@pytest.mark.parametrize("status", [400, 404, 405, 408, 413, 415, 500, 502])
def test_every_status_has_words(status):
    assert status_words(status, speech("ru")) != status_words(status, speech("es"))

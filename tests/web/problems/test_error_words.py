"""Every sentence that refuses something, in the reader's language: asked of every route, from every role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from assistant.errors import BadValue, BoardError, IllegalStep, MissingField
from assistant.games.roads.rules.reasons import FRENZY
from assistant.table.board import Board, Figure
from assistant.translations.messages import said
from assistant.translations.speech import speech
from web.app import create_app
from web.problems.errors import register, status_words, word_error
from web.serving.roles import Role
from web.serving.routes import json_schema, route_of
from web.serving.security import HostAllowList

CHANGE = {"X-Sightline": "1"}
MARKED = re.compile(r"(⟦[^⟦⟧]*⟧ ?)+[.!?]?")
"""A sentence of the made-up language: nothing in it escaped translation."""


def is_marked(error: dict[str, Any]) -> bool:
    """Whether the sentence of an answer is marked, behind the names of the document and field that it is about."""
    sentence = error["message"]
    for place in (error.get("document"), error.get("field")):
        if place and sentence.startswith(f"{place}: "):
            sentence = sentence.removeprefix(f"{place}: ")
    while (inner := re.sub(r"(⟦[^⟦⟧]*)⟦([^⟦⟧]*)⟧", r"\1\2", sentence)) != sentence:
        sentence = inner  # a part of a sentence is marked by itself
    return MARKED.fullmatch(sentence) is not None


IDS = {"shot_id": "photo-easy-03", "name": "x", "ruling_id": "x", "device_id": "x", "draft_id": "x"}
IDS |= {"feature": "x", "call_id": "x", "ruleset": "x", "set_name": "x", "part": "x", "match_id": "x", "key": "x"}


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (
            BadValue(said("must be an object"), document="m", field="line 12.seq"),
            "m: строка 12.seq: должен быть объект.",
        ),
        (MissingField(said("this field is missing"), document="m"), "m: этого поля не хватает."),
        (
            BadValue(said("must be an object"), document="request", field="figures"),
            "Стол не может использовать то, что получил. Перезагрузите страницу и попробуйте снова.",
        ),
        (BadValue(said("the corners enclose no area")), "Углы не охватывают никакой площади."),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(problem, told):
    assert word_error(problem, speech("ru")) == told


def test_where_a_finger_put_a_figure_is_reported_exactly():
    figures = Figure("imp-1", "imp", "demons", ((0, 0),)), Figure("alpha", "marine", "marines", ((0, 0),))
    with pytest.raises(BoardError) as refused:
        Board(frozenset({(0, 0), (1, 0)}), figures=figures)

    assert "«imp-1» и «alpha» обе стоят на [0, 0]" in word_error(refused.value, speech("ru"))
    assert "Выберите свободную клетку" in word_error(refused.value, speech("ru"))


def test_english_readers_learn_exactly_what_is_wrong():
    assert word_error(BadValue(said("the corners enclose no area")), speech("en")) == "The corners enclose no area."


@pytest.fixture
def full(build):
    """A page with a match and a photo; joined devices of every role come by `as_role`."""
    state = build.page_state(guest_role=Role.SPECTATOR)
    state.match.play(build.sample_session())
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
        facts = route_of(app, rule.endpoint)
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
    token, _ = full.door.devices.admit(role)
    client.set_cookie("sightline", token)
    refused = 0
    for method, path, body in requests_of(app):
        if path == "/api/v1/leave":
            continue
        answer = client.open(f"{path}?lang=xx", method=method, data=body, headers=CHANGE)
        if answer.status_code < 400:
            continue
        refused += 1
        error = answer.get_json()["error"]
        assert is_marked(error), (method, path, body, error)
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
    assert is_marked(answer.get_json()["error"])


@pytest.mark.parametrize(
    ("tag", "begins"), [("ru-RU,ru;q=0.9", "По этому имени"), ("es", "Este nombre"), ("", "This name")]
)
def test_a_wrong_name_of_the_table_is_refused_in_the_browsers_language(app, tag, begins):
    app.wsgi_app = HostAllowList(app.wsgi_app, ["localhost"])
    answer = app.test_client().get("/", headers={"Host": "evil.example", "Accept-Language": tag})

    assert answer.get_json()["error"]["message"].startswith(begins)


@pytest.mark.parametrize("status", [400, 404, 405, 408, 413, 415, 500, 502])
def test_every_status_has_words(status):
    assert status_words(status, speech("ru")) != status_words(status, speech("es"))


@pytest.mark.parametrize(
    ("language", "source"),
    [("en", "rules, “Frenzy”"), ("ru", "правила, «Бешенство»"), ("es", "reglamento, «Frenesí»")],
)
def test_a_refusal_names_the_rule_and_where_it_stands(language, source):
    def refuse(rule):
        told = said("it is the turn of {side}", side="knights")
        raise IllegalStep.by(FRENZY, told) if rule else IllegalStep(told)

    application = Flask("refusals")
    register(application, lambda: speech(language))
    application.add_url_rule("/<int:rule>", view_func=refuse)
    errors = [application.test_client().get(f"/{rule}").get_json()["error"] for rule in (1, 0)]

    assert errors[0]["rule"] == {"id": "roads/frenzy", "source": source}
    assert "rule" not in errors[1], "whose turn it is follows from no rule of a game"

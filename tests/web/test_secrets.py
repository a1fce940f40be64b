"""Nothing secret leaves the server: whatever route or stream is asked, over 200 hands and reveals of each game."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from loading import beside

from assistant.match.game import INVADER, MARINES
from assistant.match.views import list_prompts
from assistant.wiring.tournament import table_news
from web.parts import Parts
from web.people.door import PARTS
from web.serving.roles import ROLE_RIGHTS, Right, Role
from web.serving.routes import route_of

HANDS = 200
MATCH_ROOM = str(Path(__file__).parents[1] / "match" / "conftest.py")
TOLD = ("application/json", "text/html", "application/jsonl")
"""Content types of routes that can reveal a secret in words; pictures and sheets contain no match."""
SLOW = ("/api/v1/match/history/<int:seq>", "/api/v1/match/story", "/api/v1/openapi.json")
"""Asked now and then: they cost more than all others."""


@dataclass
class Seat:
    """A device at the table."""

    role: Role
    side: str | None
    client: FlaskClient


@pytest.fixture(scope="module")
def rooms() -> dict[str, ModuleType]:
    return {name: beside(MATCH_ROOM, name) for name in ("match_builders", "match_players", "hidden_things")}


def seats_at(state: Parts, app: Flask, sides: tuple[str, ...]) -> list[Seat]:
    """Return a tablet or a phone for each side, a shared tablet, and a spectator."""
    found = []
    for role, side in [*((Role.PLAYER, side) for side in sides), (Role.PLAYER, None), (Role.SPECTATOR, None)]:
        client = app.test_client()
        invited = state.door.devices.invite(role, side=side or "")
        client.post("/api/v1/join", json={"code": invited.token}, headers={"X-Sightline": "1"})
        me = client.get("/api/v1/me").json
        assert (me["role"], me["side"]) == (role, side or "")
        found.append(Seat(role, side, client))
    return found


def telling_routes(app: Flask, role: Role) -> list[str]:
    """Return every route that this role may ask and that gives words."""
    found = []
    for rule in app.url_map.iter_rules():
        facts = route_of(app, rule.endpoint)
        assert facts is not None
        is_asked = "GET" in (rule.methods or ()) and facts.right in ROLE_RIGHTS[role] and facts.gives in TOLD
        if is_asked and "/static/" not in rule.rule:
            found.append(rule.rule)
    return sorted(found)


def answers(seat: Seat, routes: list[str], match: Any, whims: random.Random) -> Iterator[str]:
    """Yield all that a device can learn from its permitted requests."""
    past = whims.randint(1, max(1, match.session.seq))
    values = {"int:seq": past, "shot_id": "photo-easy-03"}
    for rule in routes:
        if rule in SLOW and whims.random() < 0.85:
            continue
        path = re.sub(r"<([^>]+)>", lambda found: str(values.get(found[1], "alpha")), rule)
        yield seat.client.get(path).get_data(as_text=True)
    yield seat.client.get(f"/api/v1/match/ground?at={past}").get_data(as_text=True)


def questions(seat: Seat, match: Any, whims: random.Random) -> Iterator[str]:
    """Answer to a device that begins prompted steps, considers an attack, or tries steps of others."""
    names = [piece.id for piece in match.game.standing()] or ["x"]
    pair = {"attacker": whims.choice(names), "defender": whims.choice(names)}
    types = list(match.session.system.commands)
    prompts = [{"type": one.type, **one.fields} for one in list_prompts(match.session.system, match.game)]
    asked = [("ways", one) for one in prompts[:3]]
    asked += [("ways", {"type": whims.choice(types)}), ("attack", pair), ("advice", pair)]
    asked += [("commands", {"type": whims.choice(types), "card": "x", "figure": "x", "cards": ["x"]})]
    for route, body in asked:
        yield seat.client.post(f"/api/v1/match/{route}", json=body, headers={"X-Sightline": "1"}).get_data(as_text=True)


def streamed(seat: Seat, state: Parts) -> str:
    """Return all that the stream tells a device since the match began."""
    answer = seat.client.get(f"/api/v1/events?after={state.hub.boot}.0")
    last, told = f"id: {state.hub.boot}.{state.hub.seq}\nevent: match", ""
    for chunk in answer.response:
        told += chunk if isinstance(chunk, str) else chunk.decode()
        if last in told:
            break
    answer.close()
    return told


def taken_away(seats: list[Seat]) -> Iterator[str]:
    """Yield a judge call's frozen state, as a spectator downloads it: its page, its report, its evidence."""
    called = seats[0].client.post("/api/v1/calls/new", json={"id": "c1"}, headers={"X-Sightline": "1"})
    assert called.status_code == 201
    watching = seats[-1].client
    for part in ("", "/report.html"):
        yield watching.get(f"/api/v1/calls/c1{part}").get_data(as_text=True)
    with zipfile.ZipFile(io.BytesIO(watching.get("/api/v1/calls/c1/evidence.zip").data)) as evidence:
        assert evidence.namelist()
        for name in evidence.namelist():
            yield evidence.read(name).decode("utf-8", "replace")


MARKED = {
    "doom2016": ("marked_tutorial", "Secrets2016", (MARINES, INVADER)),
    "doom2004": ("marked_knee_deep", "Secrets2004", (MARINES, INVADER)),
    "roads": (None, "SecretsRoads", ("knights", "diggers")),
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", MARKED)
def test_nothing_secret_leaves_by_any_route_stream_or_document(build, rooms, app, tmp_path, game):
    marked, secrets_of, sides = MARKED[game]
    matches, players, hidden = (rooms[name] for name in ("match_builders", "match_players", "hidden_things"))
    base = matches.mission(matches.BRIDGE) if marked is None else getattr(hidden, marked)()
    table = matches.TABLES[{"doom2016": matches.TUTORIAL, "doom2004": matches.KNEE_DEEP}.get(game, matches.BRIDGE)]
    whims, hands, rounds, noticed = random.Random(game), 0, 0, False
    while hands < HANDS:
        rounds += 1
        match = matches.begun(base, seed=f"seed-{rounds}-zq")
        match.do("see", document=table(base))
        state = build.page_state(guest_role=Role.SPECTATOR)
        state.match.play(match.session)
        build.judge(state, build.referee(state, tmp_path / str(rounds)))
        app.extensions[PARTS] = state
        seats = seats_at(state, app, sides)
        routes = {seat.role: telling_routes(app, seat.role) for seat in seats}
        secrets = getattr(hidden, secrets_of)(match)
        for _ in range(60):
            players.take_a_step(match, whims)
            secrets.note_what_is_shown()
            if match.game.winner is not None:
                break
            if whims.random() < 0.5:
                continue
            hands += 1
            seat = whims.choice(seats)
            told = [*answers(seat, routes[seat.role], match, whims)]
            told += questions(seat, match, whims) if Right.PLAY in ROLE_RIGHTS[seat.role] else ()
            if seat.side == INVADER:
                noticed = noticed or any(one in "".join(told) for one in secrets.hidden_from(MARINES))
            require_silence(told, secrets.hidden_from(seat.side), hidden.forms, match)
        seat = whims.choice(seats)
        require_silence([streamed(seat, state)], secrets.hidden_from(seat.side), hidden.forms, match)
        require_silence([*taken_away(seats), repr(table_news(state))], secrets.hidden_from(None), hidden.forms, match)
        while build.stores:
            build.stores.pop().close()
    assert hands >= HANDS
    assert noticed == (MARKED[game][0] is not None), "the invader's own device shows his hand, so a leak would be found"


def require_silence(told: list[str], secrets: set[str], forms: Callable[[str], set[str]], match: Any) -> None:
    everything = "\n".join(told)
    leaked = [one for one in secrets if any(form in everything for form in forms(one))]
    assert leaked == [], f"told after event {match.session.seq}"
    assert match.session.header.seed not in everything

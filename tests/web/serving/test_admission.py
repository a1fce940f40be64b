"""Strangers who hold connections, send what they may not, or never read: the page goes on for everybody else."""

from __future__ import annotations

import http.client
import json
import socket
import time

import pytest

from web.app import create_app
from web.people.door import BodyRights
from web.serving import admission
from web.serving.admission import Allowance, BodyBudget
from web.serving.roles import Role
from web.serving.server import MIN_CONNECTIONS, PageServer

HEAD = b"POST /api/v1/shots HTTP/1.1\r\nHost: localhost\r\nX-Sightline: 1\r\nContent-Type: image/jpeg\r\n"
MB = 1 << 20


@pytest.fixture
def server(app, state):
    made = PageServer(
        app, host="127.0.0.1", port=0, devices=2, allow=BodyRights(state.door.devices, "localhost".__eq__)
    )
    made.start()
    yield made
    made.stop()


@pytest.fixture
def connect(server):
    """Opens connections, and sends what they begin with."""
    opened: list[socket.socket] = []

    def connection(begins: bytes = b"") -> socket.socket:
        made = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        opened.append(made)
        made.sendall(begins)
        return made

    yield connection
    for one in opened:
        one.close()


def answer_on(connection: socket.socket) -> tuple[int, dict]:
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    return answer.status, json.loads(answer.read())


def is_answered(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/api/v1/now")
    answered = connection.getresponse().status == 200
    connection.close()
    return answered


def is_cut_off(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def announcing(count: int, cookie: str = "") -> bytes:
    return HEAD + (f"Cookie: {cookie}\r\n" if cookie else "").encode() + f"Content-Length: {count}\r\n\r\n".encode()


def test_newcomers_come_in_while_one_address_holds_every_connection(server, connect):
    crowd = [connect(b"GET /api/v1/now HTTP/1.1\r\nHost: localhost\r\n") for _ in range(MIN_CONNECTIONS + 60)]

    assert is_answered(server.port)
    assert is_cut_off(crowd[0])


@pytest.mark.parametrize(
    ("limit", "begins"),
    [("HEAD_S", b""), ("HEAD_S", b"GET / HTTP/1.1\r\nHost:"), ("BODY_S", announcing(9 * MB) + b"\xff\xd8")],
    ids=["silent", "head that does not end", "body that does not come"],
)
def test_what_does_not_come_in_time_is_cut_off(server, connect, monkeypatch, limit, begins):
    for name in ("HEAD_S", "BODY_S"):
        monkeypatch.setattr(admission, name, 0.2 if limit in (name, "BODY_S") else 60.0)
    assert is_cut_off(connect(begins))
    assert is_answered(server.port)


def test_a_stream_that_nobody_reads_gives_its_thread_back(server, connect, state, monkeypatch):
    monkeypatch.setattr(admission, "STUCK_S", 0.5)
    stalled = connect(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    while state.hub.open_streams == 0:
        time.sleep(0.01)
    for number in range(3000):
        state.hub.publish("live", {"filling": "x" * 4000, "number": number})
        if number % 100 == 0:
            time.sleep(0.01)
    until_s = time.monotonic() + 20
    while state.hub.open_streams and time.monotonic() < until_s:
        time.sleep(0.05)

    assert state.hub.open_streams == 0
    assert stalled.fileno() > 0


def test_a_backup_of_a_stranger_is_refused_by_its_head(server, connect, state):
    owner, _ = state.door.devices.admit(Role.OWNER)

    assert answer_on(connect(announcing(200 * MB)))[0] == 413
    assert answer_on(connect(announcing(26 * MB)))[1]["error"]["kind"] == "TooLarge"
    held = connect(announcing(200 * MB, f"sightline={owner}"))
    held.settimeout(0.3)
    assert not is_cut_off(held)


def test_under_another_name_only_a_small_body_is_taken(server, connect):
    strange = announcing(2 * MB).replace(b"localhost", b"evil.example")

    assert answer_on(connect(strange))[0] == 413


def test_bodies_on_their_way_are_bounded_for_an_address_and_given_back(server, connect):
    first = connect(announcing(20 * MB))
    refused = connect(announcing(20 * MB))
    status, told = answer_on(refused)
    assert (status, told["error"]["kind"]) == (503, "ServiceUnavailable")
    assert "Try again" in told["error"]["message"]

    first.close()
    until_s = time.monotonic() + 5
    again = connect(announcing(20 * MB))
    again.settimeout(0.2)
    while is_answered_at_once(again) and time.monotonic() < until_s:
        again = connect(announcing(20 * MB))
        again.settimeout(0.2)
    assert time.monotonic() < until_s


def is_answered_at_once(connection: socket.socket) -> bool:
    try:
        return bool(connection.recv(1))
    except TimeoutError:
        return False


def test_one_address_may_send_half_of_what_all_may():
    budget = BodyBudget(100)
    first, second, third = object(), object(), object()

    assert budget.take(first, "a", 40)
    assert not budget.take(second, "a", 20)
    assert budget.take(second, "b", 50)
    assert not budget.take(third, "c", 20)
    budget.done(first)
    assert budget.take(third, "c", 20)


def test_who_may_send_what(build):
    devices = build.page_state(guest_role=Role.SPECTATOR).door.devices
    tokens = {role: devices.admit(role)[0] for role in Role}
    rights = BodyRights(devices, "table".__eq__)
    asked = {role: rights({"HOST": "table", "COOKIE": f"sightline={token}"}) for role, token in tokens.items()}

    assert asked[Role.OWNER] == Allowance(256 * MB, is_counted=False)
    assert asked[Role.PLAYER] == asked[Role.JUDGE] == Allowance(25 * MB)
    assert asked[Role.SPECTATOR] == rights({"HOST": "table"}) == Allowance(64 << 10)
    assert rights({"HOST": "evil", "COOKIE": f"sightline={tokens[Role.OWNER]}"}) == Allowance(64 << 10)


def test_a_player_who_sends_photo_after_photo_holds_up_nobody(build, connect):
    state = build.page_state()
    client = create_app(state).test_client()
    with state.readers.turns.turn_of("127.0.0.1"):
        answer = client.post("/api/v1/shots", data=b"\xff\xd8", headers={"X-Sightline": "1"})

    assert answer.status_code == 503
    assert "Retry-After" in answer.headers
    assert answer.json["error"]["kind"] == "ReadingBusy"

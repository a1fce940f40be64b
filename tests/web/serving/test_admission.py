"""Strangers who hold connections, send forbidden data, or never read: the page keeps serving everybody else."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
import time

import pytest

from web.app import create_app
from web.people.door import BodyRights
from web.serving import admission
from web.serving.admission import Allowance, BodyBudget, FairThreads, Sender
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
    """Opens connections, and sends their first bytes."""
    opened: list[socket.socket] = []

    def connection(begins: bytes = b"", address: str = "127.0.0.1") -> socket.socket:
        made = socket.create_connection(("127.0.0.1", server.port), timeout=10, source_address=(address, 0))
        opened.append(made)
        with contextlib.suppress(ConnectionError):  # a body may be refused while it is sent
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
    first = connect(announcing(21 * MB) + bytes(20 * MB))
    refused = connect(announcing(21 * MB) + bytes(13 * MB))
    status, told = answer_on(refused)
    assert (status, told["error"]["kind"]) == (503, "ServiceUnavailable")
    assert "Try again" in told["error"]["message"]

    first.close()
    until_s = time.monotonic() + 10
    while is_refused(connect(announcing(21 * MB) + bytes(13 * MB))):
        assert time.monotonic() < until_s


def is_refused(connection: socket.socket) -> bool:
    connection.settimeout(0.3)
    try:
        return bool(connection.recv(1))
    except TimeoutError:
        return False


@pytest.mark.parametrize("senders", [3, 8, 40])
def test_bodies_that_are_announced_and_do_not_come_shut_nobody_out(server, connect, state, senders):
    """Three phones that announced 64 MB kept every photo of a player out for half an hour."""
    for number in range(senders):
        connect(announcing(25 * MB) + bytes(20_000), f"127.0.0.{20 + number}")
    token, _ = state.door.devices.join(state.door.devices.invite(Role.PLAYER).token, None)
    photo = b"\xff\xd8" + bytes(1 * MB)
    for cookie in (f"sightline={token}", ""):
        status, _ = answer_on(connect(announcing(len(photo), cookie) + photo, "127.0.0.99"))
        assert status == 201, cookie


def test_guests_that_send_much_shut_out_guests_and_no_device_that_joined(server, connect, state):
    for number in range(3):
        connect(announcing(22 * MB) + bytes(21 * MB), f"127.0.0.{20 + number}")
    token, _ = state.door.devices.join(state.door.devices.invite(Role.PLAYER).token, None)
    photo = b"\xff\xd8" + bytes(20 * MB)

    assert answer_on(connect(announcing(len(photo), f"sightline={token}") + photo, "127.0.0.20"))[0] == 201
    assert answer_on(connect(announcing(22 * MB) + bytes(20 * MB), "127.0.0.98"))[0] == 503


def test_a_device_that_joined_sends_one_large_photo_at_a_time(server, connect, state):
    token, _ = state.door.devices.join(state.door.devices.invite(Role.PLAYER).token, None)
    cookie = f"sightline={token}"
    connect(announcing(25 * MB, cookie) + bytes(20 * MB))

    assert answer_on(connect(announcing(25 * MB, cookie) + bytes(20 * MB)))[0] == 503


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 400),
        (b"Expect: 100-continue\r\nContent-Length: 0\r\n\r\n", 400),
        (b"Expect: 100-continue\r\n\r\n", 400),
    ],
    ids=["two lengths", "continue with nothing", "continue without a length"],
)
def test_odd_heads_are_answered_at_once(server, connect, head, status):
    connection = connect(HEAD + head)
    connection.settimeout(3)
    assert answer_on(connection)[0] == status


class Threads:
    """A server's threads, started by hand."""

    def __init__(self, **limits):
        self.started: list[str] = []
        self.fair = FairThreads(self.started.append, **limits)

    def ask(self, sender: Sender, count: int) -> None:
        for _ in range(count):
            self.fair.ask(sender.name, sender)


def test_a_sender_has_some_threads_and_the_others_do_not_wait_for_it():
    threads = Threads(most_of_one=3, most_of_guests=9)
    crowd, other = Sender("crowd", is_guest=True), Sender("other", is_guest=True)
    threads.ask(crowd, 80)
    threads.ask(other, 1)
    assert threads.started == ["crowd"] * 3 + ["other"]
    for _ in range(80):
        threads.fair.done(crowd)
    assert threads.started.count("crowd") == 80


def test_guests_together_leave_threads_to_devices_that_joined_and_come_in_turn():
    threads = Threads(most_of_one=3, most_of_guests=4)
    guests = [Sender(f"guest-{number}", is_guest=True) for number in range(5)]
    for guest in guests:
        threads.ask(guest, 3)
    assert len(threads.started) == 4
    threads.ask(Sender("joined", is_guest=False), 1)
    assert threads.started[-1] == "joined"
    for guest in guests:
        for _ in range(3):
            threads.fair.done(guest)
    assert sorted(threads.started) == sorted([one.name for one in guests for _ in range(3)] + ["joined"])


def test_80_slow_requests_of_an_address_leave_the_page_to_others(server, connect, state, monkeypatch):
    """80 connections of one guest requested a call's PDF; another address waited 41 s for the match."""
    began = threading.Semaphore(0)
    go_on = threading.Event()

    def slow() -> None:
        began.release()
        go_on.wait(30)

    monkeypatch.setattr(type(state.hub), "seq", property(lambda hub: slow() or 0))
    try:
        for _ in range(80):
            connect(b"GET /api/v1/now HTTP/1.1\r\nHost: localhost\r\n\r\n", "127.0.0.21")
        for _ in range(admission.THREADS_OF_ONE):
            assert began.acquire(timeout=10)
        answer = connect(b"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n", "127.0.0.22")
        answer.settimeout(5)
        assert answer_on(answer)[0] == 200
        assert not began.acquire(timeout=0.2)
    finally:
        go_on.set()


def test_one_address_may_send_half_of_what_all_may():
    budget = BodyBudget(100, 50)
    first, second, third = object(), object(), object()
    a, b, c = (Sender(name, is_guest=True) for name in "abc")

    assert budget.hold(first, a, 20)
    assert budget.hold(first, a, 40)
    assert not budget.hold(second, a, 20)
    assert budget.hold(second, b, 50)
    assert not budget.hold(third, c, 20)
    budget.done(first)
    assert budget.hold(third, c, 20)


def test_who_may_send_what(build):
    devices = build.page_state(guest_role=Role.SPECTATOR).door.devices
    tokens = {role: devices.admit(role)[0] for role in Role}
    rights = BodyRights(devices, "table".__eq__)
    asked = {role: rights({"HOST": "table", "COOKIE": f"sightline={token}"}) for role, token in tokens.items()}

    ids = {role: devices.known(token).id for role, token in tokens.items()}
    assert asked[Role.OWNER] == Allowance(256 * MB, is_counted=False, device=ids[Role.OWNER])
    for role in (Role.PLAYER, Role.JUDGE):
        assert asked[role] == Allowance(25 * MB, device=ids[role])
    assert asked[Role.SPECTATOR] == Allowance(64 << 10, device=ids[Role.SPECTATOR])
    assert rights({"HOST": "table"}) == Allowance(64 << 10)
    assert rights({"HOST": "evil", "COOKIE": f"sightline={tokens[Role.OWNER]}"}) == Allowance(64 << 10)


def test_a_player_who_sends_photo_after_photo_holds_up_nobody(build, connect):
    state = build.page_state()
    client = create_app(state).test_client()
    with state.readers.turns.turn_of("127.0.0.1"):
        answer = client.post("/api/v1/shots", data=b"\xff\xd8", headers={"X-Sightline": "1"})

    assert answer.status_code == 503
    assert "Retry-After" in answer.headers
    assert answer.json["error"]["kind"] == "ReadingBusy"

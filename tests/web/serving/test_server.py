from __future__ import annotations

import http.client
import json
import socket
import time

import pytest
from timing import soonest_s

from assistant.errors import BadValue
from web.app import create_app
from web.serving.server import PageServer, PortTaken


@pytest.fixture
def server(app):
    made = PageServer(app, host="127.0.0.1", port=0, devices=2)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def ask():
    """Requests a port and returns the answer, whose body may never end."""
    opened: list[http.client.HTTPConnection | http.client.HTTPResponse] = []

    def get(port: int, path: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", path)
        answer = connection.getresponse()
        opened.extend((answer, connection))
        return answer

    yield get
    for one in opened:
        one.close()


def test_it_answers_and_tells_nothing_of_what_it_is(server, ask):
    answer = ask(server.port, "/api/v1/now")

    assert answer.status == 200
    assert answer.headers["Server"] is None
    assert json.loads(answer.read())["seq"] == 0


def test_pages_are_answered_while_every_stream_is_taken_and_not_read(server, state, ask):
    streams = [ask(server.port, "/api/v1/events") for _ in range(4)]
    for number in range(300):
        state.hub.publish("live", {"filling": "x" * 2000, "number": number})
    begun = time.monotonic()
    answers = [ask(server.port, "/api/v1/now").status for _ in range(20)]

    assert answers == [200] * 20
    assert time.monotonic() - begun < 4
    assert all(stream.status == 200 for stream in streams)


def test_it_stops_within_two_seconds_with_streams_open(app, state, ask):
    server = PageServer(app, host="127.0.0.1", port=0, devices=2)
    server.start()
    streams = [ask(server.port, "/api/v1/events") for _ in range(4)]
    begun = time.monotonic()
    state.hub.close()
    server.stop()

    assert time.monotonic() - begun < 2
    with pytest.raises(OSError):  # noqa: PT011  # refused or reset, as the system likes
        socket.create_connection(("127.0.0.1", server.port), timeout=1)
    assert len(streams) == 4


def test_stopping_while_streams_end_by_themselves_is_no_race(build, ask):
    """A stream that ended just then used to close the pipe under the hand that stopped the server."""
    for _ in range(12):
        state = build.page_state()
        server = PageServer(create_app(state), host="127.0.0.1", port=0, devices=2)
        server.start()
        streams = [ask(server.port, "/api/v1/events") for _ in range(3)]
        state.hub.close()
        server.stop()
        assert all(stream.status == 200 for stream in streams)


def test_a_taken_port_is_named_with_what_to_do(app, server):
    with pytest.raises(PortTaken, match=f"port {server.port} is taken.*--port"):
        PageServer(app, host="127.0.0.1", port=server.port, devices=2)


@pytest.mark.parametrize("host", ["192.0.2.77", "no-such-host.invalid", "not an address"])
def test_an_address_that_is_not_of_this_machine_is_a_wrong_argument(app, host):
    with pytest.raises(BadValue, match=r"host: .* is not an address of this machine.*--host"):
        PageServer(app, host=host, port=0, devices=2)


def test_an_event_reaches_a_reader_at_once(server, state, ask):
    stream = ask(server.port, "/api/v1/events")
    while b"event: hello" not in stream.fp.readline():
        pass

    def told():
        state.hub.publish("live", {"shot": "s"})
        while b"event: live" not in stream.fp.readline():
            pass

    assert soonest_s(told, 0.5) < 0.5


HEAD = b"HTTP/1.1\r\nHost: localhost\r\nX-Sightline: 1\r\n"
MULTIPART = b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 60\r\n\r\n--b\r\nContent-Disp"


@pytest.mark.parametrize(
    "raw",
    [
        b"POST /api/v1/shots " + HEAD + b"Content-Length: 99999999\r\n\r\nx",
        b"POST /api/v1/join " + HEAD + MULTIPART,
        b"GET /" + b"a" * 70_000,
        b"\x00\x01\x02\r\n\r\n",
    ],
    ids=["promises more than it sends", "multipart cut short", "endless path", "no HTTP at all"],
)
def test_a_broken_request_does_not_hold_up_the_page(server, raw, ask):
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as broken:
        broken.sendall(raw)
        statuses = []
        assert soonest_s(lambda: statuses.append(ask(server.port, "/api/v1/now").status), 1) < 1
        assert set(statuses) == {200}

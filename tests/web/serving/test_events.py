from __future__ import annotations

import itertools
import json
import threading
from contextlib import ExitStack
from dataclasses import replace

import pytest

from assistant.app.live.strip_on_page import StripOnPage
from assistant.errors import CameraLost
from assistant.translations.messages import said
from hardware.light import LightSettings
from hardware.strip import open_strip
from web.live.stream import EVENT_RIGHTS
from web.people.streaming import may_see
from web.serving.events import (
    KEPT_EVENTS,
    LEAVING,
    MOST_OF_ONE,
    EventHub,
    Listener,
    StreamEvent,
    TooManyStreams,
    encode,
    find_last_seq,
    stream,
)
from web.serving.roles import Role


@pytest.fixture
def hub():
    return EventHub(boot="boot", max_streams=3, beat_s=0.01)


def everything(event: StreamEvent) -> bool:
    return True


def parsed(chunk: bytes) -> tuple[str, str, dict]:
    fields = dict(line.split(": ", 1) for line in chunk.decode().strip().split("\n"))
    return fields["id"], fields["event"], json.loads(fields["data"])


def take(lines, count):
    return [parsed(chunk) for chunk in itertools.islice((c for c in lines if c.startswith(b"id")), count)]


def test_a_new_page_is_greeted_and_learns_what_happens_next(hub):
    hub.publish("live", {"shot": "old"})
    lines = stream(hub, {"version": "1"}, None, everything)
    greeting = take(lines, 1)
    hub.publish("live", {"shot": "new"})

    assert greeting == [("boot.1", "hello", {"version": "1", "resumed": False})]
    assert take(lines, 1) == [("boot.2", "live", {"shot": "new"})]


def test_a_page_that_was_away_gets_exactly_what_it_missed(hub):
    for number in range(5):
        hub.publish("live", {"n": number})
    lines = stream(hub, {}, "boot.2", everything)
    answers = take(lines, 4)

    assert answers[0][2]["resumed"] is True
    assert [body["n"] for _, _, body in answers[1:]] == [2, 3, 4]


@pytest.mark.parametrize("last", ["other.2", "boot.x", "2", "", None, "boot.99999999999999999999"])
def test_a_page_of_another_run_starts_anew(hub, last):
    assert find_last_seq(hub, last) is None


def test_a_page_that_fell_behind_has_to_ask_again(hub):
    for number in range(KEPT_EVENTS + 10):
        hub.publish("live", {"n": number})
    lines = stream(hub, {}, "boot.1", everything)

    assert [kind for _, kind, _ in take(lines, 2)] == ["hello", "resync"]


def test_a_number_from_the_future_is_resynced(hub):
    hub.publish("live", {})

    assert [event.kind for event in hub.events_after(9, 0.01)] == ["resync"]


def test_silence_is_filled_with_heartbeats(hub):
    lines = stream(hub, {}, None, everything)

    assert [kind for _, kind, _ in take(lines, 3)] == ["hello", "beat", "beat"]


def test_what_a_role_may_not_see_is_not_sent(hub):
    lines = stream(hub, {}, None, lambda event: event.kind != "secret")
    take(lines, 1)
    hub.publish("secret", {"hidden": 1})
    hub.publish("live", {})

    assert take(lines, 1)[0][1] == "live"


def test_a_kind_that_nobody_classified_is_told_to_nobody():
    assert not any(may_see(role, StreamEvent(1, "new kind", {}), EVENT_RIGHTS) for role in Role)
    assert all(may_see(Role.SPECTATOR, StreamEvent(1, kind, {}), EVENT_RIGHTS) for kind in EVENT_RIGHTS)


def test_closing_ends_every_stream(hub):
    hub.beat_s = 30
    lines = stream(hub, {}, None, everything)
    take(lines, 1)
    ended = threading.Event()
    threading.Thread(target=lambda: (list(lines), ended.set()), daemon=True).start()
    hub.close()

    assert ended.wait(2)


def test_streams_are_counted_and_their_places_come_back(hub):
    with hub.place(), hub.place(), hub.place():
        assert hub.open_streams == 3
        with pytest.raises(TooManyStreams), hub.place():
            pass
    assert hub.open_streams == 0


GUEST, OTHER = Listener(address="10.0.0.7"), Listener(address="10.0.0.8")
OWNER = Listener("owner", "10.0.0.9", has_joined=True)


def listening(hub, stack, *listeners):
    return [stack.enter_context(hub.place(listener)) for listener in listeners]


def test_a_guest_with_all_places_gives_one_up_to_the_next_guest(hub):
    with ExitStack() as stack:
        first, second, third = listening(hub, stack, GUEST, GUEST, GUEST)
        listening(hub, stack, OTHER)

        assert (first.is_ended, second.is_ended, third.is_ended) == (True, False, False)
        with pytest.raises(TooManyStreams):
            listening(hub, stack, OTHER)
        listening(hub, stack, OWNER)
        assert second.is_ended


def test_who_joined_is_never_put_out_by_a_guest(hub):
    with ExitStack() as stack:
        joined = listening(hub, stack, OWNER, replace(OWNER, device="judge"), replace(OWNER, device="player"))
        with pytest.raises(TooManyStreams):
            listening(hub, stack, GUEST)
        assert not any(place.is_ended for place in joined)


def test_a_device_that_opens_ever_more_streams_loses_its_oldest():
    hub = EventHub(boot="boot", max_streams=40)
    with ExitStack() as stack:
        places = listening(hub, stack, *[OWNER] * (MOST_OF_ONE + 2))
        assert [place.is_ended for place in places] == [True, True] + [False] * MOST_OF_ONE


def test_streams_that_were_ended_and_do_not_go_are_bounded():
    hub = EventHub(boot="boot", max_streams=40)
    with ExitStack() as stack:
        listening(hub, stack, *[OWNER] * (MOST_OF_ONE + LEAVING))
        with pytest.raises(TooManyStreams):
            listening(hub, stack, OWNER)
        assert hub.open_streams == MOST_OF_ONE + LEAVING


def test_a_stream_ends_at_once_when_its_place_is_anothers(hub):
    hub.beat_s, ended = 30, threading.Event()
    with ExitStack() as stack:
        (place,) = listening(hub, stack, GUEST)
        lines = stream(hub, {}, None, everything, place=place)
        take(lines, 1)
        threading.Thread(target=lambda: (list(lines), ended.set()), daemon=True).start()
        listening(hub, stack, GUEST, GUEST, OWNER)

        assert ended.wait(2)


def test_over_http_one_stream_too_many_is_503_and_others_come_back(app, state):
    client = app.test_client()
    answers = [client.get("/api/v1/events") for _ in range(4)]
    refused = client.get("/api/v1/events")

    assert [answer.status_code for answer in answers] == [200] * 4
    assert answers[0].mimetype == "text/event-stream"
    assert refused.status_code == 503
    assert "Retry-After" in refused.headers
    state.hub.close()
    for answer in answers:
        answer.get_data()
        answer.close()
    assert state.hub.open_streams == 0


def test_a_line_break_in_a_body_cannot_forge_an_event(hub):
    body = encode(StreamEvent(1, "live", {"text": "a\n\nevent: strip\ndata: {}"}), "boot").decode()

    assert body.count("\n\n") == 1
    assert body.count("event:") == 2  # ours, and the harmless one inside the JSON string
    assert "\nevent: strip" not in body


def show_strip(build, state, color):
    """Show a virtual strip of one pixel."""
    if state.strip is None:
        strip = open_strip("virtual", LightSettings())
        build.put(state, strip=StripOnPage(strip, "virtual", state.problems, state.hub.publish))
    state.strip._show_pixels([color], is_virtual=True)


def test_live_shots_strip_and_problems_reach_the_page(build, client, state):
    shot = build.true_shot("easy-03")
    state.watcher.has_live = True
    state.shown.show(type(shot)("live-1", "live", shot.read, shot.setup, 5.0))
    show_strip(build, state, (255, 0, 16))
    state.problems.report("camera", CameraLost(said("the simulated camera is unplugged; plug it in again")))
    now = client.get("/api/v1/now").get_json()

    assert now["live"] == {
        "shot": "live-1",
        "taken_at_s": 5.0,
        "now_s": pytest.approx(now["now_s"], abs=1),
        "holding": "waiting",
        "asks": [],
    }
    assert now["strip"] == {"pixels": ["#ff0010"], "is_virtual": True}
    assert now["problems"][0]["sentence"] == ("The simulated camera is unplugged; plug it in again.")
    assert now["seq"] == 3


def test_the_same_problem_is_reported_once_and_cleared_once(state):
    for _ in range(3):
        state.problems.report("camera", CameraLost(said("gone; plug it in")))
    state.problems.clear("camera")
    state.problems.clear("camera")

    assert state.hub.seq == 2
    assert state.problems.problems == []


def test_the_same_pixels_are_reported_once(build, state):
    show_strip(build, state, (1, 2, 3))
    show_strip(build, state, (1, 2, 3))

    assert state.hub.seq == 1


def test_the_stream_of_an_ended_device_ends_before_the_next_news(app, state):
    token, device = state.door.devices.admit(Role.JUDGE)
    client = app.test_client()
    client.set_cookie("sightline", token)
    lines = iter(client.get("/api/v1/events").response)
    assert b"hello" in next(lines) + next(lines)
    state.problems.report("camera", CameraLost(said("gone; plug it in")))
    assert b"event: problems" in next(lines)

    state.door.devices.end(device.id)
    state.problems.report("strip", CameraLost(said("gone; plug it in")))
    assert list(lines) == []
    assert state.hub.open_streams == 0


def test_a_stream_ends_when_its_device_becomes_something_else(hub):
    role = [Role.JUDGE]
    lines = stream(hub, {}, None, lambda _: True, is_still_here=lambda: role == [Role.JUDGE])
    assert b"hello" in next(lines) + next(lines)
    role[:] = [Role.SPECTATOR]
    hub.publish("match", {"seq": 1})

    assert list(lines) == []

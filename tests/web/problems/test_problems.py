"""The parts of the table: one sentence and one button each."""

from __future__ import annotations

import threading

import pytest

from assistant.app.live.recovery_actions import RecoveryActions
from assistant.errors import CameraLost, DiskFull, StoreError, StripLost
from assistant.store import FULL
from assistant.translations.messages import said
from web.serving.roles import Role

ERRORS = {
    "camera": CameraLost(said("the simulated camera is unplugged; plug it in again")),
    "strip": StripLost(said("The strip is gone from its port. Plug it in again.")),
    "disk": DiskFull(12),
    "match": StoreError(FULL),
}


def parts(client, language="en"):
    listed = client.get(f"/api/v1/problems?lang={language}").get_json()["parts"]
    return {part["part"]: part for part in listed}


def test_without_a_watch_there_is_nothing_to_tell(client):
    assert parts(client) == {}


def test_a_part_that_is_looked_after_is_well_until_it_is_not(client, state):
    state.problems.watches.add("camera")
    assert parts(client)["camera"] == {
        "part": "camera",
        "title": "Camera",
        "is_well": True,
        "sentence": "It sends pictures.",
        "since_s": None,
        "button": None,
    }
    state.problems.report("camera", ERRORS["camera"])
    assert parts(client)["camera"]["is_well"] is False


@pytest.mark.parametrize("part", ERRORS)
def test_each_problem_has_one_plain_sentence_and_a_button_in_every_language(client, state, part):
    state.problems.remedies[part] = lambda: None
    state.problems.report(part, ERRORS[part])
    said = [parts(client, language)[part] for language in ("en", "ru", "es")]

    assert len({row["sentence"] for row in said}) == len({row["button"] for row in said}) == 3
    assert all(row["sentence"].endswith(".") and row["since_s"] for row in said)


def test_the_button_does_what_the_wiring_says(client, state, post):
    pressed = []
    state.problems.remedies["camera"] = lambda: pressed.append("camera")

    assert post("/problems/camera/remedy").status_code == 202
    assert pressed == ["camera"]
    assert post("/problems/strip/remedy").status_code == 404


def test_presses_open_a_camera_with_a_problem_once_in_a_while_and_no_other(state):
    going_on, opened, now_s = threading.Event(), [], [100.0]
    actions = RecoveryActions(state.problems, lambda: now_s[0])
    actions.offer_watching(lambda: opened.append(going_on.wait(10)), is_watched=True, is_recorded=False)

    def press(times):
        going_on.clear()
        for _ in range(times):
            state.problems.remedies["camera"]()
        going_on.set()
        actions._hand.submit(lambda: None).result(10)
        return len(opened)

    assert press(5) == 0
    state.problems.report("camera", ERRORS["camera"])
    assert press(50) == 1
    now_s[0] += 1
    assert press(50) == 1
    now_s[0] += 6
    assert press(50) == 2
    actions.close()


def test_what_is_wrong_comes_first(client, state):
    state.problems.watches.update({"camera", "table", "strip", "disk"})
    state.problems.clear("table")
    state.problems.report("disk", ERRORS["disk"])

    assert list(parts(client)) == ["disk", "camera", "table", "strip"]


def test_before_the_first_picture_and_without_a_camera_nobody_knows_how_the_markers_lie(client, state):
    state.problems.watches.update({"camera", "table"})
    assert "table" not in parts(client)
    state.problems.clear("table")  # a picture came, and its markers were found
    assert parts(client)["table"]["is_well"]
    state.problems.report("camera", ERRORS["camera"])
    assert list(parts(client)) == ["camera"]
    state.problems.clear("camera")
    assert list(parts(client)) == ["camera"]
    state.problems.clear("table")
    assert list(parts(client)) == ["camera", "table"]


def test_a_spectator_presses_no_buttons(app, state, build):
    state.door.devices.guest_role = Role.SPECTATOR
    state.problems.remedies["camera"] = lambda: None
    client = app.test_client()

    assert client.get("/api/v1/problems").status_code == 200
    assert client.post("/api/v1/problems/camera/remedy", headers={"X-Sightline": "1"}).status_code == 403


def test_a_stream_ends_when_its_device_is_ended(client, state):
    """A page that was sent away must not go on listening."""
    token, device = state.door.devices.admit(Role.JUDGE)
    client.set_cookie("sightline", token)
    lines = client.get("/api/v1/events").iter_encoded()
    while b"event: hello" not in next(lines):
        pass
    state.hub.publish("live", {"shot": "a"})
    assert b"event: live" in next(lines)

    state.door.devices.end(device.id)
    state.hub.publish("live", {"shot": "b"})
    assert list(lines) == []


def test_a_part_that_tells_how_it_is_is_listed_until_something_is_wrong(client, state):
    state.problems.clear("strip", said("It is lit: {kind}, {address}.", kind="WLED", address="wled://auto"))
    assert parts(client)["strip"]["sentence"] == "It is lit: WLED, wled://auto."
    assert parts(client, "ru")["strip"]["sentence"] == "Светится: WLED, wled://auto."

    state.problems.report("strip", ERRORS["strip"])
    assert parts(client)["strip"]["is_well"] is False
    state.problems.clear("strip")
    assert parts(client) == {}

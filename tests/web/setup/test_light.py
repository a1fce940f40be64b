"""The light over the page's API: listed in the reader's language, chosen, refused in one sentence."""

from __future__ import annotations

import pytest

from assistant.app.setup.light import LightOption, LightState
from assistant.errors import BadValue
from assistant.translations.messages import said
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}
WLED = LightOption("wled-udp", said("a WLED controller on the network"))


class FakeLight:
    """Takes every address but one."""

    def __init__(self):
        self.chosen = ("auto", "auto")

    def state(self):
        kind, port = self.chosen
        lit = "wled-udp" if port != "auto" else None
        told = said("It is lit: {kind}, {address}.", kind="WLED", address=port)
        return LightState((WLED,), ("auto", "virtual"), kind, port, lit, told if lit else said("no strip is there"))

    def choose(self, kind, address):
        if address == "none":
            raise BadValue(said("there is no light at “{address}”; plug it in, or choose another address", address="x"))
        self.chosen = (kind, address)


@pytest.fixture
def owner(build, app, state):
    build.put(state, light=FakeLight())
    client = app.test_client()
    token, _ = state.door.devices.admit(Role.OWNER)
    client.set_cookie("sightline", token)
    return client


def choose(owner, body):
    return owner.post("/api/v1/wizard/light", json=body, headers=CHANGE)


def test_the_light_is_listed_and_another_one_chosen(owner, state):
    before = owner.get("/api/v1/wizard/light").get_json()
    after = choose(owner, {"address": " wled://192.168.1.40 "}).get_json()

    assert before["kinds"] == [{"id": "wled-udp", "about": "a WLED controller on the network", "is_lit": False}]
    assert (before["is_lit"], before["sentence"]) == (False, "No strip is there.")
    assert state.light.chosen == ("auto", "wled://192.168.1.40")
    assert (after["is_lit"], after["address"]) == (True, "wled://192.168.1.40")
    assert after["sentence"] == "It is lit: WLED, wled://192.168.1.40."
    assert after["kinds"][0]["is_lit"]


def test_the_light_is_reported_in_the_readers_language(owner):
    about = {
        owner.get(f"/api/v1/wizard/light?lang={one}").get_json()["kinds"][0]["about"] for one in ("en", "ru", "es")
    }
    assert len(about) == 3


def test_what_is_no_address_is_one_sentence(owner):
    refused = choose(owner, {"address": "none"})
    assert refused.status_code == 400
    assert refused.get_json()["error"]["message"].startswith("There is no light at")
    assert choose(owner, {"kind": "auto"}).status_code == 400


def test_a_table_without_a_light_offers_none(build, owner, state):
    build.put(state, light=None)
    assert owner.get("/api/v1/wizard/light").status_code == 404
    assert 'id="light"' not in owner.get("/setup").text

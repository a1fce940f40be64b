"""A device's side: one side, or every side in turn with its hands covered."""

from __future__ import annotations

import json

import pytest

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import MatchShow
from assistant.app.matches.match_menu import MatchMenu
from assistant.match.actor import JUDGE
from web.app import create_app
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}


@pytest.fixture
def menu(build, state, tmp_path):
    """The menu of a table with a first fight of DOOM 2016 in its first round."""
    kept = KeptMatches(tmp_path)
    made = MatchMenu(kept, MatchShow(state.match.play, state.match.announce, lambda view: None).change)
    build.put(state, archive=kept, matches=made)
    begin(made, "Friday")
    yield made
    kept.close()


def begin(menu, name):
    session = menu.begin(name, "doom2016_first_fight", {}, on_sample_table=True)
    session.command({"type": "status"}, JUDGE)
    return session


@pytest.fixture
def device(app, state):
    """Somebody's device in a role: its client."""

    def made(role=Role.PLAYER, **belonging):
        client = app.test_client()
        code = state.door.devices.invite(role, **belonging).code
        assert client.post("/api/v1/join", json={"code": code}, headers=CHANGE).status_code == 200
        return client

    return made


def tell(client, path, side):
    return client.post(f"/api/v1{path}", json={"side": side}, headers=CHANGE)


def look(client):
    return client.get("/api/v1/match").get_json()


def cards_of(client):
    """Return the owners of all hands that a device is sent."""
    decks = look(client)["view"]["decks"]
    return {owner for owner, deck in decks.items() if deck.get("cards") is not None}


def hand_words(state, owner):
    deck = state.match.session.timeline.game.decks[owner]
    return [state.match.session.timeline.game.card(card).name for card in deck.hand]


@pytest.mark.usefixtures("menu")
@pytest.mark.parametrize("role", [Role.OWNER, Role.PLAYER])
def test_a_shared_tablet_shows_each_hand_in_its_turn_and_nothing_while_covered(role, device, state):
    shared = device(role)
    assert look(shared)["seat"]["hands"] == ["marines", "invader"]
    assert cards_of(shared) == set()
    covered = "".join(
        shared.get(f"/api/v1{path}").get_data(as_text=True) for path in ("/match", "/match/hands", "/match/deeds")
    )
    assert not [word for word in hand_words(state, "invader") if json.dumps(word) in covered]

    assert tell(shared, "/hand", "marines").status_code == 200
    assert cards_of(shared) == {"alpha", "bravo"}
    assert {hand["owner"] for hand in shared.get("/api/v1/match/hands").get_json()["hands"]} == {"alpha", "bravo"}
    assert tell(shared, "/hand", "invader").status_code == 200
    assert cards_of(shared) == {"invader"}
    assert tell(shared, "/hand", "").status_code == 200
    assert cards_of(shared) == set()


@pytest.mark.usefixtures("menu")
def test_the_hand_is_covered_again_by_the_next_who_opens_the_page_and_once_its_side_has_nothing_to_do(device, state):
    shared = device(Role.OWNER)
    tell(shared, "/hand", "marines")
    shared.get("/")
    assert cards_of(shared) == set()

    session = state.match.session
    assert not {"marines", "invader"} <= session.sides_prompted()
    for side in ("marines", "invader"):
        tell(shared, "/hand", side)
        shared.post("/api/v1/match/commands", json={"type": "note", "text": "on"}, headers=CHANGE)
        assert (look(shared)["seat"]["holder"] == side) == (side in session.sides_prompted())


@pytest.mark.usefixtures("menu")
def test_no_shared_tablet_shows_the_hand_of_a_side_with_a_device_of_its_own(device, state):
    shared, session = device(), state.match.session
    invader = device(side="invader")
    assert look(shared)["seat"] | {"sides": []} == {
        "side": "", "holder": "", "is_asked": False, "is_new": False, "sides": [], "may_be_shared": True,
        "hands": ["marines"], "elsewhere": ["invader"],
    }  # fmt: skip
    assert tell(shared, "/hand", "invader").status_code == 403
    assert tell(shared, "/seat", "invader").status_code == 403
    assert tell(invader, "/seat", "").status_code == 403
    assert tell(invader, "/seat", "marines").status_code == 403
    assert tell(invader, "/hand", "invader").status_code == 403
    assert session.seq == state.match.session.seq


def test_the_hand_stays_open_in_its_own_turn_while_the_other_side_answers(menu, device, state):
    shared, session = device(Role.OWNER), menu.begin("Sunday", "doom2016_first_fight", {}, on_sample_table=True)
    for command in (
        {"type": "status", "shuffled_here": False},
        {"type": "reveal", "card": "invader"},
        {"type": "activate_kind", "kind": "imp"},
        {"type": "activate", "figure": "imp-1"},
        {"type": "place", "figure": "imp-1", "cells": [[1, 1]]},
    ):
        session.command(command, JUDGE)
    tell(shared, "/hand", "invader")
    attack = {"type": "attack", "defender": "alpha"}
    assert shared.post("/api/v1/match/commands", json=attack, headers=CHANGE).status_code == 200
    assert session.sides_prompted() == {"marines"}
    assert look(shared)["seat"]["holder"] == "invader"


def test_the_hand_is_covered_in_the_turn_of_the_other_side_though_a_card_may_still_be_played(menu, device):
    shared, session = device(Role.OWNER), menu.begin("Sunday", "doom2004_knee_deep_sample", {}, on_sample_table=True)
    tell(shared, "/hand", "invader")
    note = {"type": "note", "text": "on"}
    assert shared.post("/api/v1/match/commands", json=note, headers=CHANGE).status_code == 200
    for invader in session.timeline.game.standing("invader"):  # a healing card changes something for one that survives
        session.command({"type": "damage", "figure": invader.id, "amount": 1}, JUDGE)
    assert session.timeline.game.side_to_act() == "marines"
    assert "invader" in session.sides_prompted()
    assert look(shared)["seat"]["holder"] == ""


@pytest.mark.usefixtures("menu")
def test_a_guest_beside_other_devices_does_nothing_for_a_side_before_it_says_which(device, app, state):
    guest = app.test_client()
    guest.get("/")
    assert not look(guest)["seat"]["is_new"], "the only device of a table is handed round"
    device(Role.OWNER)
    seat = look(guest)["seat"]
    assert (seat["is_new"], seat["is_asked"], seat["hands"]) == (True, True, [])
    assert seat["sides"] == ["marines", "invader"]
    before = state.match.session.seq
    command = {"type": "damage", "figure": "bravo", "amount": 1}
    assert guest.post("/api/v1/match/commands", json=command, headers=CHANGE).status_code == 403
    assert tell(guest, "/hand", "invader").status_code == 403
    assert state.match.session.seq == before

    assert tell(guest, "/seat", "invader").status_code == 200
    seat = look(guest)["seat"]
    assert (seat["side"], seat["is_new"], seat["is_asked"]) == ("invader", False, False)
    assert cards_of(guest) == {"invader"}


def test_in_the_demo_a_second_device_says_first_what_it_plays(build, tmp_path):
    state = build.page_state(guest_role=Role.JUDGE)
    kept = KeptMatches(tmp_path)
    build.put(
        state,
        archive=kept,
        matches=MatchMenu(kept, MatchShow(state.match.play, state.match.announce, lambda view: None).change),
    )
    hall = create_app(state)
    tablet, phone, third = hall.test_client(), hall.test_client(), hall.test_client()
    for one in (tablet, phone, third):
        one.get("/")
    new = {"name": "Friday", "mission": "doom2016_first_fight", "on_sample_table": True, "plays": "marines"}
    assert tablet.post("/api/v1/matches", json=new, headers=CHANGE).status_code == 201
    assert (look(tablet)["seat"]["side"], look(tablet)["mine"]["side"]) == ("marines", "marines")
    assert look(phone)["seat"]["is_new"]
    command = {"type": "damage", "figure": "bravo", "amount": 1}
    assert phone.post("/api/v1/match/commands", json=command, headers=CHANGE).status_code == 403
    assert tell(phone, "/seat", "invader").status_code == 200
    assert cards_of(phone) == {"invader"}
    assert look(tablet)["seat"]["elsewhere"] == ["invader"]
    assert tell(third, "/seat", "").status_code == 200  # one more visitor: the demo stays open
    assert tablet.post("/api/v1/matches", json={**new, "name": "Saturday"}, headers=CHANGE).status_code == 201
    visitor = hall.test_client()
    visitor.get("/")
    state.matches.begin("Sunday", "doom2016_first_fight", {}, on_sample_table=True)
    assert not look(visitor)["seat"]["is_new"], "nobody plays this match yet"
    assert look(visitor)["seat"]["sides"] == ["marines", "invader"], "the devices of the last one hold no side"
    kept.close()


@pytest.mark.usefixtures("menu")
def test_a_guest_may_say_that_it_is_handed_round(device, app):
    guest = app.test_client()
    guest.get("/")
    device(Role.OWNER)
    assert tell(guest, "/seat", "").status_code == 200
    assert not look(guest)["seat"]["is_new"]
    assert (
        guest.post(
            "/api/v1/match/commands", json={"type": "damage", "figure": "bravo", "amount": 1}, headers=CHANGE
        ).status_code
        == 200
    )


def test_a_hand_shown_in_one_match_is_covered_in_the_next(menu, device):
    shared = device(Role.OWNER)
    tell(shared, "/hand", "invader")
    begin(menu, "Saturday")
    assert (look(shared)["seat"]["holder"], cards_of(shared)) == ("", set())
    assert shared.get("/api/v1/match/hands").get_json()["hands"] == []


@pytest.mark.usefixtures("menu")
@pytest.mark.parametrize("belonging", [{"role": Role.PLAYER, "side": "invader"}, {"role": Role.INVADER}])
def test_a_hand_is_covered_once_its_side_has_a_device_of_its_own(device, belonging):
    shared = device()
    tell(shared, "/hand", "invader")
    own = device(**belonging)
    assert (cards_of(shared), cards_of(own)) == (set(), {"invader"})


@pytest.mark.usefixtures("menu")
def test_the_owner_plays_a_side_and_every_side_again(device):
    owner = device(Role.OWNER)
    assert tell(owner, "/seat", "invader").status_code == 200
    seen = look(owner)
    assert (seen["mine"]["side"], seen["seat"]["side"]) == ("invader", "invader")
    assert cards_of(owner) == {"invader"}
    refused = owner.post("/api/v1/match/commands", json={"type": "play", "card": "x"}, headers=CHANGE)
    assert refused.status_code in (403, 409)
    assert tell(owner, "/seat", "knights").status_code == 400
    assert tell(owner, "/seat", "").status_code == 200
    assert look(owner)["mine"] is None


def test_devices_of_the_last_match_are_asked_once_what_they_play_now(menu, device, state):
    old, shared = device(), device()
    bound = state.door.devices.invite(Role.PLAYER, side="marines", side_of="another match").code
    assert old.post("/api/v1/join", json={"code": bound}, headers=CHANGE).status_code == 200
    assert look(old)["seat"]["is_asked"]
    assert look(old)["seat"]["sides"] == ["marines", "invader"]
    assert not look(shared)["seat"]["is_asked"]
    assert tell(old, "/seat", "").status_code == 403
    assert tell(old, "/seat", "invader").status_code == 200
    assert not look(old)["seat"]["is_asked"]
    assert cards_of(old) == {"invader"}

    begin(menu, "Saturday")
    assert look(old)["seat"]["is_asked"]
    assert tell(old, "/seat", "invader").status_code == 200
    assert not look(old)["seat"]["is_asked"]


@pytest.mark.usefixtures("menu")
def test_guests_choose_a_side_that_nobody_else_has(app, state):
    clients = []
    for _ in range(2):
        client = app.test_client()
        token, _device = state.door.devices.admit(Role.PLAYER)
        client.set_cookie("sightline", token)
        clients.append(client)
    first, second = clients
    assert tell(first, "/seat", "marines").status_code == 200
    assert tell(second, "/seat", "marines").status_code == 403
    assert look(second)["seat"]["sides"] == ["invader"]
    assert tell(second, "/seat", "invader").status_code == 200
    assert cards_of(second) == {"invader"}
    assert tell(first, "/seat", "").status_code == 200


@pytest.mark.usefixtures("menu")
def test_who_begins_a_match_says_what_his_device_plays(device):
    owner = device(Role.OWNER)
    wanted = {"name": "Sunday", "mission": "doom2016_first_fight", "on_sample_table": True, "plays": "invader"}
    assert owner.post("/api/v1/matches", json=wanted, headers=CHANGE).status_code == 201
    assert look(owner)["mine"]["side"] == "invader"
    assert not look(owner)["seat"]["is_asked"]


@pytest.mark.usefixtures("menu")
def test_the_hand_of_a_side_that_has_not_answered_yet_is_on_no_other_device(device):
    marine, invader = (device(side=side, side_of="the last match") for side in ("marines", "invader"))
    free = device()
    assert look(marine)["seat"]["is_asked"]
    for client in (marine, free):
        assert tell(client, "/seat", "invader").status_code == 403
        assert tell(client, "/hand", "invader").status_code == 403
        assert cards_of(client) <= {"alpha", "bravo"}
    assert tell(invader, "/seat", "invader").status_code == 200
    assert tell(marine, "/seat", "invader").status_code == 403
    assert tell(marine, "/seat", "marines").status_code == 200


def test_two_devices_change_places_before_anybody_has_played(menu, device):
    marine, invader = (device(side=side, side_of="the last match") for side in ("marines", "invader"))
    menu.begin("Saturday", "doom2016_first_fight", {}, on_sample_table=True)
    assert tell(marine, "/seat", "invader").status_code == 200
    assert (cards_of(marine), cards_of(invader)) == ({"invader"}, {"alpha", "bravo"})
    assert look(invader)["seat"]["is_asked"]
    assert tell(marine, "/seat", "marines").status_code == 403
    assert tell(invader, "/seat", "marines").status_code == 200
    assert not look(invader)["seat"]["is_asked"]


@pytest.mark.usefixtures("menu")
def test_a_device_that_was_invited_to_a_side_never_becomes_the_shared_tablet(device):
    marine = device(side="marines", side_of="the last match")
    assert tell(marine, "/seat", "marines").status_code == 200
    assert not look(marine)["seat"]["may_be_shared"]
    assert tell(marine, "/seat", "").status_code == 403
    assert tell(marine, "/seat", "invader").status_code == 403


@pytest.mark.usefixtures("menu")
@pytest.mark.parametrize("address", ["192.0.2.7", "192.0.2.9"])
def test_a_side_that_a_guest_chose_closes_the_door_for_new_guests(app, address):
    def phone(address):
        client = app.test_client()
        client.environ_base["REMOTE_ADDR"] = address
        client.get("/")
        return client

    ann, waiting = phone("192.0.2.7"), phone("192.0.2.8")
    assert tell(ann, "/seat", "marines").status_code == 200
    stranger = phone(address)  # a private window of the same phone, or another one
    assert stranger.get("/api/v1/me").get_json()["role"] == "spectator"
    for path, body in (("match/commands", {"type": "note", "text": "x"}), ("seat", {"side": "invader"})):
        assert stranger.post(f"/api/v1/{path}", json=body, headers=CHANGE).status_code == 403
    assert waiting.get("/api/v1/me").get_json()["role"] == "player"  # was here before
    assert tell(waiting, "/seat", "invader").status_code == 200


@pytest.mark.usefixtures("menu")
def test_the_word_of_the_host_about_guests_outlasts_a_chosen_side(app, state, device):
    state.door.devices.let_guests(may_play=True)
    assert tell(device(), "/seat", "marines").status_code == 200
    client = app.test_client()
    client.get("/")
    assert client.get("/api/v1/me").get_json()["role"] == "player"


@pytest.mark.usefixtures("menu")
def test_a_guest_with_a_side_is_known_after_a_restart(app, state):
    client = app.test_client()
    client.get("/")
    assert tell(client, "/seat", "marines").status_code == 200
    (kept,) = [one for one in state.door.devices.all() if one.side]
    assert kept.has_joined


def test_every_page_looks_at_the_match_again_once_a_side_has_a_device_or_loses_it(device, menu, state):
    tablet = device(Role.OWNER)
    before = state.hub.seq
    phone = device(side="invader")
    heard = state.hub.events_after(before, 1.0)
    assert [(one.kind, "run" in one.body) for one in heard] == [("match", False)]
    assert look(tablet)["seat"]["elsewhere"] == ["invader"]
    phone.post("/api/v1/leave", headers=CHANGE)
    assert [one.kind for one in state.hub.events_after(heard[-1].seq, 1.0)] == ["match"]
    assert look(tablet)["seat"]["elsewhere"] == []

"""A device tied to a side or to figures decides for those alone, and sees what is theirs."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from assistant.app.matches import match_bounds
from assistant.app.tournament.seat import HeardSeat
from assistant.documents import event_line, header_line, line_hash
from assistant.documents.moment import FrozenSeat
from assistant.match.actor import Actor, player
from assistant.match.audience import PUBLIC
from assistant.match.session import Session, event_document
from web.people.devices import MAX_INVITATIONS, JoinRefused
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}


@pytest.fixture
def session(state, build):
    made = build.sample_session()
    state.match.play(made)
    return made


@pytest.fixture
def join(app, state, session):
    """Joins a device in a role, perhaps tied to a side or figures; returns its client."""

    def as_one(role=Role.PLAYER, **belonging):
        client = app.test_client()
        code = state.door.devices.invite(role, **belonging).code
        assert client.post("/api/v1/join", json={"code": code}, headers=CHANGE).status_code == 200
        return client

    return as_one


def give(client, **command):
    return client.post("/api/v1/match/commands", json=command, headers=CHANGE)


def test_a_player_changes_his_own_figures_alone(join):
    marine = join(side="marines", figures=("ranger-1",))

    assert give(marine, type="damage", figure="ranger-1", amount=1).status_code == 200
    for other in ("ranger-2", "crawler-1", "nobody", "<img src=x onerror=alert(1)>"):
        answer = give(marine, type="damage", figure=other, amount=1)
        assert answer.status_code == 403, other
        assert answer.get_json()["error"]["kind"] == "NotYours"


def test_a_player_of_a_side_changes_all_its_figures_and_no_other(join):
    marine = join(side="marines")

    assert give(marine, type="stun", figure="medic-1", on=True).status_code == 200
    assert give(marine, type="stun", figure="crawler-1", on=True).status_code == 403


@pytest.mark.parametrize("role", [Role.JUDGE, Role.OWNER, Role.PLAYER])
def test_judges_and_shared_tablets_change_every_figure(join, role):
    shared = join(role)

    for name in ("ranger-1", "crawler-1"):
        assert give(shared, type="damage", figure=name, amount=1).status_code == 200


def test_each_side_sees_its_own_hand(join):
    marine, invader, spectator = join(side="marines"), join(Role.INVADER), join(Role.SPECTATOR)

    def hand(client, owner):
        return client.get("/api/v1/match").get_json()["view"]["decks"][owner].get("cards")

    assert hand(marine, "ranger-1") is not None
    assert hand(marine, "invader") is None
    assert hand(invader, "invader") is not None
    assert hand(spectator, "ranger-1") is hand(spectator, "invader") is None


def test_the_page_learns_what_is_the_devices_own(join):
    assert join(side="marines").get("/api/v1/match").get_json()["mine"] == {
        "side": "marines",
        "figures": ["medic-1", "ranger-1", "ranger-2"],
    }
    assert join(Role.JUDGE).get("/api/v1/match").get_json()["mine"] is None


def test_a_board_set_by_hand_moves_nobodys_figures_for_a_player(join, state, shot):
    """Otherwise a player could put the other side's figures anywhere."""
    state.shelf.put(replace(shot, id="by-hand", corrected=shot.board))
    marine, judge = join(side="marines"), join(Role.JUDGE)

    def hand_in(client):
        return client.post("/api/v1/match/table", json={"shot": "by-hand"}, headers=CHANGE)

    assert hand_in(marine).status_code == 403
    assert hand_in(judge).status_code == 200


@pytest.mark.usefixtures("session")
@pytest.mark.parametrize(
    "belonging",
    [
        {"side": "elves"},
        {"figures": ["nobody"]},
        {"figures": ["ranger-1", "crawler-1"]},
        {"side": "invader", "figures": ["ranger-1"]},
    ],
)
def test_an_invitation_ties_to_what_is_there(client, state, belonging):
    owner, _ = state.door.devices.admit(Role.OWNER)
    client.set_cookie("sightline", owner)
    answer = client.post("/api/v1/invitations", json={"role": "player", **belonging}, headers=CHANGE)

    assert answer.status_code == 400
    assert "choose a side" in answer.get_json()["error"]["message"].lower()


@pytest.mark.usefixtures("session")
def test_an_invited_figure_brings_its_side(client, state, join):
    owner, _ = state.door.devices.admit(Role.OWNER)
    client.set_cookie("sightline", owner)
    asked = client.post("/api/v1/invitations", json={"role": "player", "figures": ["medic-1"]}, headers=CHANGE)

    assert (asked.status_code, asked.get_json()["side"]) == (201, "marines")


@pytest.mark.parametrize("belonging", [{"side": "marines"}, {"side": "marines", "figures": ("ranger-1",)}])
def test_a_player_ends_the_match_by_his_own_defeat_alone(join, session, belonging):
    marine = join(**belonging)
    refused = give(marine, type="declare", winner="marines", ending="the judge said so")
    assert (refused.status_code, refused.get_json()["error"]["kind"]) == (403, "NotYours")
    assert give(marine, type="declare", winner="").status_code == 403  # a match without a winner is the host's word
    assert session.timeline.game.winner is None
    assert give(marine, type="declare", winner="invader").status_code == 200


@pytest.mark.parametrize("role", [Role.JUDGE, Role.OWNER, Role.PLAYER])
def test_judges_the_host_and_a_shared_tablet_end_the_match(join, role):
    assert give(join(role), type="declare", winner="marines").status_code == 200


def test_the_tablet_that_goes_round_decides_nothing_for_a_side_with_a_device_of_its_own(join, session):
    shared = join()
    assert give(shared, type="damage", figure="crawler-1", amount=1).status_code == 200
    invader = join(side="invader")
    for command in (
        {"type": "damage", "figure": "crawler-1", "amount": 1},
        {"type": "stun", "figure": "crawler-1", "on": True},
        {"type": "heal", "figure": "crawler-1", "amount": 1},
        {"type": "place", "figure": "crawler-1", "cells": [[0, 0]]},
        {"type": "declare", "winner": "marines"},
    ):
        refused = give(shared, **command)
        assert (refused.status_code, refused.get_json()["error"]["kind"]) == (403, "NotYours"), command
    assert give(shared, type="damage", figure="ranger-1", amount=1).status_code == 200
    assert give(shared, type="declare", winner="invader").status_code == 200
    assert session.timeline.game.winner == "invader"
    assert give(invader, type="note", text="well played").status_code == 200


def test_where_every_side_has_a_device_the_tablet_that_goes_round_only_watches_and_talks(join, session):
    shared, marine, _ = join(), join(side="marines"), join(side="invader")
    for command in ({"type": "reveal"}, {"type": "place", "figure": "ranger-1", "cells": [[0, 0]]}):
        assert give(shared, **command).status_code == 403, command
    assert give(shared, type="note", text="hello").status_code == 200
    assert give(marine, type="reveal").status_code != 403
    assert session.timeline.notes[-1].actor.name


def test_a_program_without_a_device_is_no_more_than_a_tablet_that_goes_round(app, state, join):
    join(side="invader")
    state.door.devices.let_guests(may_play=True)
    nobody = app.test_client()
    assert give(nobody, type="damage", figure="crawler-1", amount=1).status_code == 403
    assert give(nobody, type="damage", figure="ranger-1", amount=1).status_code == 200


def test_the_tablet_that_goes_round_takes_back_nothing_of_a_side_with_a_device_of_its_own(join, session):
    shared, invader = join(), join(side="invader")
    assert give(invader, type="damage", figure="crawler-1", amount=1).status_code == 200
    for goal in ({}, {"to": 0}):
        assert give(shared, type="undo", **goal).status_code == 403, goal
    assert give(shared, type="damage", figure="ranger-1", amount=1).status_code == 200
    assert give(shared, type="undo").status_code == 200
    assert session.timeline.game.pieces["crawler-1"] != session.wanted().pieces["crawler-1"]


def test_a_photo_of_the_tablet_that_goes_round_moves_no_figure_of_a_side_with_a_device(join, state, shot):
    state.shelf.put(replace(shot, id="by-hand", corrected=shot.board))
    shared, _ = join(), join(side="invader")
    handed_in = shared.post("/api/v1/match/table", json={"shot": "by-hand"}, headers=CHANGE)
    assert (handed_in.status_code, handed_in.get_json()["error"]["kind"]) == (403, "NotYours")


@pytest.mark.parametrize(
    ("role", "by"),
    [
        (Role.PLAYER, {"role": "player", "side": "marines"}),
        (Role.PLAYER, {"role": "table"}),
        (Role.INVADER, {"role": "player", "side": "invader"}),
        (Role.JUDGE, {"role": "judge"}),
        (Role.OWNER, {"role": "table"}),
    ],
)
@pytest.mark.parametrize("name", ["", "Ann"])
def test_the_history_names_the_device_of_every_entry(app, state, session, role, by, name):
    client = app.test_client()
    code = state.door.devices.invite(role, side=by.get("side", "") if role is Role.PLAYER else "").code
    assert client.post("/api/v1/join", json={"code": code, "name": name}, headers=CHANGE).status_code == 200
    figure = "crawler-1" if role is Role.INVADER else "ranger-1"
    assert give(client, type="damage", figure=figure, amount=1).status_code == 200
    number = client.get("/api/v1/me").get_json()["number"]
    entry = session.view(PUBLIC)["history"][-1]
    assert entry["by"] == {**by, "name": name or f"#{number}"}


def test_no_device_has_the_name_of_another(app, state, session):
    def joined(role, name, **belonging):
        client = app.test_client()
        code = state.door.devices.invite(role, **belonging).code
        assert client.post("/api/v1/join", json={"code": code, "name": name}, headers=CHANGE).status_code == 200
        return client.get("/api/v1/me").get_json()["name"]

    assert joined(Role.PLAYER, "Ann", side="marines") == "Ann"
    assert joined(Role.PLAYER, "ann") == "ann #2"
    assert joined(Role.PLAYER, "#1") == "1"  # no name looks like the number of a device
    alike = ["\uff21nn", "\u0410nn", "A n n", "Sightline", "judge", "\u0421\u0443\u0434\u044c\u044f"]
    assert [joined(Role.PLAYER, name) for name in alike] == [f"{name} #{n}" for n, name in enumerate(alike, 4)]
    assert session is state.match.session


def test_a_command_of_the_name_of_anothers_command_is_carried_out(join, session):
    marine, invader = join(side="marines"), join(side="invader")
    assert [give(one, type="note", text=f"{n}", id="same").status_code for n, one in enumerate((marine, invader))] == [
        200,
        200,
    ]
    assert give(marine, type="note", text="0", id="same").get_json()["title"] == "0"  # its own is sent again
    assert [text for _, text in notes(session)] == ["0", "1"]


def test_a_note_forges_no_line_of_the_history(join, session):
    forged = "\u202eab\x00\n\n\n\n\n\nJudge: Ann wins\u2028"
    assert give(join(side="marines"), type="note", text=forged).status_code == 200
    assert session.view(PUBLIC)["notes"][-1]["text"] == "ab\n\n\nJudge: Ann wins"


def notes(session):
    return [(note["by"]["name"], note["text"]) for note in session.view(PUBLIC)["notes"]]


def test_a_flood_of_notes_of_one_device_hides_no_other_note(join, session):
    judge, marine, invader = join(Role.JUDGE), join(side="marines"), join(side="invader")
    assert give(judge, type="note", text="ruled").status_code == 200
    assert give(invader, type="note", text="I see").status_code == 200
    for number in range(60):
        assert give(marine, type="note", text=f"flood {number}").status_code == 200
    texts = [text for _, text in notes(session)]
    assert texts == ["ruled", "I see", *(f"flood {number}" for number in range(50, 60))]


def test_a_match_takes_a_bounded_number_of_bytes_of_a_device_and_of_guests(app, join, session, monkeypatch):
    for name, most in {"MOST_OF_ONE": 20_000, "MOST_WITH_GUESTS": 50_000, "MOST": 70_000}.items():
        monkeypatch.setattr(match_bounds, name, most)
    lines = [header_line(session.header.document())]
    for event in session._events:
        lines.append(event_line(event_document(event), line_hash(lines[-1])))
    monkeypatch.setattr(session, "_journal", SimpleNamespace(append=lambda _, line: lines.append(line)))

    def flood(sender):
        """Return the bytes that it writes until it is refused."""
        before = session.written.total()
        answers = (give(sender, type="note", text="x" * 500) for _ in range(200))
        refused = next(answer for answer in answers if answer.status_code != 200)
        assert (refused.status_code, refused.get_json()["error"]["kind"]) == (429, "MatchFull")
        return session.written.total() - before

    early, late = app.test_client(), app.test_client()
    assert give(late, type="note", text="hello").status_code == 200
    assert all(20_000 <= flood(sender) < 21_000 for sender in (early, join()))
    assert flood(late) < 11_000  # guests end where devices that joined go on
    last = join()
    assert give(last, type="note", text="and now?").status_code == 200
    flood(last)
    assert give(last, type="damage", figure="ranger-1", amount=1).status_code == 429
    assert session.written.total() < 71_000
    assert give(join(Role.JUDGE), type="note", text="ruled").status_code == 200
    again = Session.resumed(lines, journal=None, clock_ms=lambda: 0)  # a restart forgets nothing of it
    assert {name: pytest.approx(size, rel=0.01) for name, size in session.written.items()} == again.written


def test_of_many_devices_the_newest_note_of_each_comes_first(session):
    for number in range(8):
        for turn in range(10):
            session.command({"type": "note", "text": f"{number} {turn}"}, player("marines", f"#{number}"))
    session.command({"type": "note", "text": "ruled"}, Actor(role="judge", name="Jo"))
    found = notes(session)
    assert len(found) == 50
    assert {name for name, _ in found} == {"Jo", *(f"#{number}" for number in range(8))}


@pytest.mark.parametrize("kind", ["note", "declare"])
@pytest.mark.parametrize("forged", ["a\u202eb", "a\u2066b", "a\x1bb", "a\u200bb", "a\u3164b"])
def test_every_text_that_people_write_is_cleaned(join, session, kind, forged):
    fields = {"text": forged} if kind == "note" else {"winner": "invader", "ending": forged}
    assert give(join(side="marines"), type=kind, **fields).status_code == 200
    written = session.view(PUBLIC)["notes"][-1]["text"] if kind == "note" else str(session.timeline.game.ending)
    assert written == "ab"


@pytest.fixture
def in_tournament(build, state, tmp_path):
    """The same table in a tournament."""
    referee = build.referee(state, tmp_path)
    link = SimpleNamespace(has_reached_desk=lambda _: True)
    seat = FrozenSeat(event="cup", round=1, players=("Ann", "Bo"))
    told = {"desk_seat": HeardSeat(), "link": link, "sealed": None, "frozen_seat": seat}
    referee.member = SimpleNamespace(**told, end_bare_call=lambda: None)
    build.judge(state, referee)
    yield referee
    build.stores.pop().close()


@pytest.mark.usefixtures("in_tournament")
@pytest.mark.parametrize("command", [{"type": "pause"}, {"type": "limits", "turn_s": 1, "side_s": 1}])
def test_in_a_tournament_the_clocks_are_the_judges(join, session, command):
    for player_of in (join(side="marines"), join(), join(Role.INVADER), join(Role.OWNER)):
        if player_of.get("/api/v1/me").get_json()["role"] == "owner":
            seat = player_of.post("/api/v1/seat", json={"side": "marines"}, headers=CHANGE)
            assert seat.status_code == 200
        refused = give(player_of, **command)
        assert (refused.status_code, refused.get_json()["error"]["kind"]) == (403, "NotYours")
        assert not player_of.get("/api/v1/match").get_json()["sets_clocks"]
    assert session.timeline.clock.running
    judge = join(Role.JUDGE)
    assert judge.get("/api/v1/match").get_json()["sets_clocks"]
    assert give(judge, **command).status_code == 200


def test_at_a_table_of_its_own_everybody_stops_the_clocks(join):
    done = give(join(side="marines"), type="pause")
    assert (done.status_code, done.get_json()["sets_clocks"]) == (200, True)


@pytest.mark.parametrize("path", ["ruling", "speech", "closing"])
def test_in_a_tournament_the_host_of_a_table_does_not_judge_at_it(join, in_tournament, path):
    owner, judge = join(Role.OWNER), join(Role.JUDGE)
    called = owner.post("/api/v1/calls/new", json={"id": "c1"}, headers=CHANGE)
    assert called.status_code == 201, called.text
    if path == "speech":
        judge.post("/api/v1/calls/c1/ruling", json={"id": "j", "ruling": "So"}, headers=CHANGE)
    body = {"id": "x", "ruling": "I win", "extension_s": 14_400} if path == "ruling" else {"id": "x"}
    refused = owner.post(f"/api/v1/calls/c1/{path}", json=body, headers=CHANGE)
    assert (refused.status_code, refused.get_json()["error"]["kind"]) == (403, "NotYours")
    assert in_tournament.book.call("c1").extension_s == 0
    assert judge.post(f"/api/v1/calls/c1/{path}", json={**body, "id": "y"}, headers=CHANGE).status_code == 200


@pytest.mark.usefixtures("in_tournament")
def test_in_a_tournament_a_host_who_plays_ends_the_match_by_his_own_defeat_alone(join, session):
    owner = join(Role.OWNER)
    owner.post("/api/v1/seat", json={"side": "marines"}, headers=CHANGE)
    assert give(owner, type="declare", winner="marines").status_code == 403
    assert give(owner, type="declare", winner="invader").status_code == 200
    assert session.timeline.game.winner == "invader"


@pytest.mark.usefixtures("session")
def test_a_visitor_of_the_demo_invites_the_players_of_a_side_and_nobody_else(client, state):
    """Who opened the first address of the demo had a field for a code, and no way to make one for a friend."""
    judge, _ = state.door.devices.admit(Role.JUDGE)
    client.set_cookie("sightline", judge)

    def invite(**wanted):
        return client.post("/api/v1/invitations", json=wanted, headers=CHANGE).status_code

    assert invite(role="player", side="invader") == 201
    assert [invite(role=role) for role in ("player", "judge", "owner", "spectator")] == [403] * 4
    player, _ = state.door.devices.admit(Role.PLAYER)
    client.set_cookie("sightline", player)
    assert invite(role="player", side="invader") == 403


@pytest.mark.usefixtures("session")
def test_a_friend_who_joins_the_demo_takes_it_from_nobody(state):
    """His code made every other visitor a spectator, also after a restart."""
    devices = state.door.devices
    devices.guest_role = Role.JUDGE
    inviter, _ = devices.admit(Role.JUDGE)
    invited = devices.invite(Role.PLAYER, side="invader")

    devices.join(invited.code, None, address="127.0.0.1")

    assert devices.standing_of(inviter)[0] is Role.JUDGE
    assert devices.guest_role is Role.JUDGE


def test_open_invitations_are_bounded_and_the_owners_stay(state):
    devices = state.door.devices
    owner = devices.invite(Role.OWNER)
    first, *_, last = [devices.invite(Role.PLAYER) for _ in range(MAX_INVITATIONS + 1)]

    for invitation, is_open in ((first, False), (last, True), (owner, True)):
        if is_open:
            devices.join(invitation.token, None)
        else:
            with pytest.raises(JoinRefused):
                devices.join(invitation.token, None)

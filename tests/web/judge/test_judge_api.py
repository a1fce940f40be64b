"""A judge's call over the API: permissions, frozen state, clocks, and downloads."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.app.tournament.checking import check_evidence
from assistant.match.actor import Actor
from assistant.match.audience import PUBLIC
from assistant.match.session import Receipt
from assistant.translations.messages import said
from web.people.door import PARTS
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}


@pytest.fixture
def judged(build: Any, made_app: Any, tmp_path: Any) -> Iterator[Any]:
    """A table with a photo and a ruling on it, a match and a store of calls."""
    state = build.page_state(guest_role=Role.SPECTATOR)
    state.match.play(build.sample_session())
    state.shelf.put(build.true_shot("easy-03"))
    build.judge(state, build.referee(state, tmp_path))
    made_app.extensions[PARTS] = state
    yield state
    build.stores.pop().close()


class Device:
    """One device at the table."""

    def __init__(self, app: Any, state: Any, role: Role, name: str) -> None:
        self.client = app.test_client()
        invitation = state.door.devices.invite(role)
        token, _ = state.door.devices.join(invitation.token, None, name)
        self.client.set_cookie("sightline", token)

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(f"/api/v1{path}", json=body, headers=CHANGE)

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/v1{path}")


@pytest.fixture
def player(made_app: Any, judged: Any) -> Device:
    return Device(made_app, judged, Role.PLAYER, "Ann")


@pytest.fixture
def judge(made_app: Any, judged: Any) -> Device:
    return Device(made_app, judged, Role.JUDGE, "Bea")


def facts(call: Any) -> dict[str, str]:
    return {one["name"]: one["value"] for one in call["facts"]}


def test_a_call_freezes_the_table_and_goes_through_its_states(judged: Any, player: Device, judge: Device) -> None:
    player.post("/shots/photo-easy-03/rulings", attacker="bravo", defender="imp-1", ruleset="doom2016")
    called = player.post("/calls/new", id="c1", question="Does Bravo see it?")
    assert called.status_code == 201
    assert called.json["state"] == "open"
    assert len(called.json["pictures"]) == 1
    (ruling,) = called.json["rulings"]
    assert ruling["lines"]
    assert len(called.json["events"]) == 1
    picture = player.client.get(called.json["pictures"][0]["picture"])
    assert (picture.mimetype, picture.data[:2]) == ("image/jpeg", b"\xff\xd8")

    words = {"ruling": "Bravo does not", "disputed": "The wall", "reason": "Line 2", "penalty": "Warning"}
    ruled = judge.post("/calls/c1/ruling", id="r1", extension_s=180, **words).json
    assert (ruled["state"], facts(ruled)["Ruled by"]) == ("ruled", "Bea (a judge)")
    assert facts(ruled)["Time given back"] == "3 min 0 s"
    assert player.get("/match").json["view"]["clock"]["extra_s"] == 180
    assert player.post("/calls/c1/appeal", id="a1", grounds="The line is free").json["state"] == "appealed"
    assert judge.post("/calls/c1/closing", id="x1").status_code == 409
    refused = judge.post("/calls/c1/ruling", id="r2", ruling="Upheld")
    assert (refused.status_code, refused.json["error"]["kind"]) == (409, "AsBeforeOrNone")
    upheld = judge.post("/calls/c1/ruling", id="r2", ruling="Upheld", empty="before").json
    assert (upheld["state"], upheld["ruling"]) == ("ruled", "Upheld")
    assert facts(upheld)["Ruling 1"] == "Bravo does not"
    assert [one["value"] for one in upheld["facts"] if one["name"] == "Penalty"] == ["Warning", "Warning"]
    assert judge.post("/calls/c1/speech", id="s1").json["spoken_t"] is not None
    assert judge.post("/calls/c1/closing", id="x2").json["state"] == "closed"
    assert [one["state"] for one in player.get("/calls").json["calls"]] == ["closed"]


def test_a_step_that_is_sent_again_gives_time_back_once(player: Device, judge: Device) -> None:
    player.post("/calls/new", id="c1")
    player.post("/calls/new", id="c1")
    for _ in range(2):
        judge.post("/calls/c1/ruling", id="r1", ruling="So", extension_s=60)
    assert len(player.get("/calls").json["calls"]) == 1
    assert player.get("/match").json["view"]["clock"]["extra_s"] == 60


def test_a_call_holds_nothing_of_an_earlier_match(build: Any, judged: Any, player: Device) -> None:
    assert player.post("/match/commands", type="damage", figure="ranger-1", amount=1).status_code == 200
    judged.referee.note_step(Receipt(2, 0, Actor(role="table", name="Ann"), "declare", said("Marines win the match")))
    later = build.sample_session()
    time.sleep(0.005)  # the earlier timestamp differs by its millisecond
    later.header = replace(later.header, id="round-2", created_t=time.time_ns() // 1_000_000)
    judged.match.play(later)
    judged.referee.note_step(Receipt(3, 0, Actor(role="table", name="Bo"), "declare", said("Invader wins the match")))
    assert player.post("/match/commands", type="damage", figure="ranger-1", amount=1).status_code == 200
    called = player.post("/calls/new", id="c1").json
    corrections = [one["text"] for one in called["corrections"]]
    assert called["events"][-1].endswith("– at the table · Ann")
    assert not [one for one in corrections if "Marines win" in one]
    after = next(one for one in corrections if "Invader wins" in one)
    assert "[round-2]" not in after  # there is no other
    (event,) = [one for one in judged.referee.book.events_of("c1") if one.type == "opened"]
    assert len(event.payload["corrections"]) == len(corrections)
    evidence = check_evidence(player.get("/calls/c1/evidence.zip").data, "call.zip")
    assert [str(one) for one in evidence.findings] == []


@pytest.mark.parametrize("played_on", ["drawing", "nothing"])
def test_a_match_without_a_camera_shows_no_pictures_of_the_table_of_an_earlier_one(
    build: Any, judged: Any, player: Device, played_on: str
) -> None:
    player.post("/shots/photo-easy-03/rulings", attacker="bravo", defender="imp-1", ruleset="doom2016")
    assert len(player.get("/rulings").json["rulings"]) == 1
    drawn = build.sample_session()
    drawn.played_on = played_on
    judged.match.play(drawn)
    called = player.post("/calls/new", id="c1").json
    assert (called["pictures"], called["rulings"]) == ([], [])
    assert player.get("/rulings").json["rulings"] == []


def test_the_next_match_on_a_watched_table_begins_with_the_newest_picture_alone(
    build: Any, judged: Any, player: Device
) -> None:
    player.post("/shots/photo-easy-03/rulings", attacker="bravo", defender="imp-1", ruleset="doom2016")
    player.post("/shots/photo-easy-03/corrections", figures={"imp-1": None})
    assert len(player.post("/calls/new", id="c1").json["pictures"]) == 2
    later = build.sample_session()
    later.header = replace(later.header, seed="another")
    judged.match.play(later)
    called = player.post("/calls/new", id="c2").json
    assert (len(called["pictures"]), called["rulings"]) == (1, [])


def test_the_time_of_the_newest_ruling_replaces_that_before_on_the_match_clock(player: Device, judge: Device) -> None:
    player.post("/calls/new", id="c1")
    for step, seconds, clock_s in (
        ("r1", 300, 300),
        ("r2", 300, 300),
        ("r3", 120, 120),
        ("r4", None, 120),
        ("r5", 0, 0),
    ):
        more = {} if seconds is None else {"extension_s": seconds}
        assert judge.post("/calls/c1/ruling", id=step, ruling="So", **more).status_code == 200
        assert player.get("/match").json["view"]["clock"]["extra_s"] == clock_s, step


def test_who_called_takes_the_call_back_until_somebody_has_ruled(
    made_app: Any, judged: Any, player: Device, judge: Device
) -> None:
    other = Device(made_app, judged, Role.PLAYER, "Cid")
    assert player.post("/calls/new", id="c1").json["is_own"]
    assert not other.get("/calls/c1").json["is_own"]
    assert other.post("/calls/c1/withdrawal", id="x0").status_code == 403
    assert player.post("/calls/c1/withdrawal", id="x1").json["state"] == "closed"
    player.post("/calls/new", id="c2")
    judge.post("/calls/c2/ruling", id="r1", ruling="So")
    assert player.post("/calls/c2/withdrawal", id="x2").status_code == 403


def test_players_call_and_appeal_and_judges_rule(made_app: Any, judged: Any, player: Device, judge: Device) -> None:
    spectator = Device(made_app, judged, Role.SPECTATOR, "Sam")
    assert spectator.post("/calls/new", id="c0").status_code == 403
    player.post("/calls/new", id="c1")
    for step in ("ruling", "speech", "closing"):
        assert (
            player.post(f"/calls/c1/{step}", id="x", **({"ruling": "Me"} if step == "ruling" else {})).status_code
            == 403
        )
    assert spectator.post("/calls/c1/appeal", id="x").status_code == 403
    assert spectator.get("/calls/c1").json["state"] == "open"
    assert judge.post("/calls/none/closing", id="x").status_code == 400
    assert judge.post("/calls/c1/ruling", id="x", ruling="a" * 3000).status_code == 400
    assert judge.post("/calls/c1/ruling", id="x", ruling="So", extension_s=10**9).status_code == 400


def test_the_evidence_that_anybody_takes_away_holds_and_holds_no_secret(judged: Any, player: Device) -> None:
    player.post("/shots/photo-easy-03/rulings", attacker="bravo", defender="imp-1", ruleset="doom2016")
    player.post("/calls/new", id="c1")
    answer = player.get("/calls/c1/evidence.zip")
    checked = check_evidence(answer.data, "call.zip", player.get("/calls").json["fingerprint"])
    assert [str(one) for one in checked.findings] == []
    assert checked.ruling_count == 1
    assert set(checked.moment.match) == {"match", "seq", "round", "phase", "to_act", "clock", "events"}
    assert set(checked.moment.match["match"]) == set(judged.match.session.view(PUBLIC)["match"])
    assert judged.match.session.header.seed not in checked.moment.match["match"].values()


def test_what_was_set_right_by_hand_stands_in_the_call_with_who_did_it(judged: Any, player: Device) -> None:
    marine = next(piece.id for piece in judged.match.session.timeline.game.pieces.values() if piece.on_table)
    corrected = player.post("/shots/photo-easy-03/corrections", figures={"imp-1": None})
    assert corrected.status_code == 201
    player.post("/match/commands", type="damage", figure=marine, amount=1)
    called = player.post("/calls/new", id="c1").json
    assert any("Imp 1 was taken off the board – Ann (a player)" in one["text"] for one in called["corrections"])
    assert any("A step by hand" in one["text"] for one in called["corrections"])
    assert called["pictures"][-1]["by_hand"]
    difference = player.get("/calls/c1/difference?first=0&second=1").json
    assert difference["sentences"] == ["Imp 1 is not on the board any more."]
    assert difference["boxes"] == []
    assert player.get("/calls/c1/changes").json["changes"] == [
        {"text": "Imp 1 is not on the board any more.", "before": 0, "after": 1}
    ]
    for wrong in ("first=0&second=2", "first=-1&second=0", "first=0", "first=0&second=1e3"):
        assert player.get(f"/calls/c1/difference?{wrong}").status_code == 400


@pytest.mark.parametrize("language", ["en", "ru", "es"])
def test_page_and_pdf_tell_the_call_in_every_language(player: Device, judge: Device, language: str) -> None:
    player.post("/shots/photo-easy-03/rulings", attacker="bravo", defender="imp-1", ruleset="doom2016")
    player.post("/calls/new", id="c1", question="<img onerror=alert(1)>")
    judge.post("/calls/c1/ruling", id="r1", ruling="Да · Sí · Yes")
    page = player.get(f"/calls/c1/report.html?lang={language}")
    assert page.mimetype == "text/html"
    assert "<img onerror" not in page.text
    assert page.text.count("<line ") >= 1
    assert "attachment" in page.headers["Content-Disposition"]
    pdf = player.get(f"/calls/c1/report.pdf?lang={language}")
    assert pdf.data.startswith(b"%PDF-")
    assert len(pdf.data) > 50_000


def test_a_table_without_a_place_to_keep_calls_says_so(client: Any, post: Any) -> None:
    listing = client.get("/api/v1/calls").json
    assert (listing["is_kept"], listing["waiting"], listing["calls"]) == (False, None, [])
    assert client.get("/api/v1/calls/c1").status_code == 404
    assert "Calls are not saved" in post("/calls/new", {"id": "c1"}).json["error"]["message"]


def test_a_call_stops_the_clocks_until_the_ruling(player: Device, judge: Device) -> None:
    def clocks_run() -> bool:
        return bool(player.get("/match").json["view"]["clock"]["running"])

    player.post("/calls/new", id="c1", question="May the Imp see Bravo?")
    assert not clocks_run()
    waiting = judge.get("/calls").json["waiting"]
    assert (waiting["id"], waiting["text"], waiting["words"]) == (
        "c1",
        "Ann (a player) calls a judge.",
        "May the Imp see Bravo?",
    )
    assert waiting["clocks"] == "The clocks stand still until somebody rules."
    judge.post("/calls/c1/ruling", id="r1", ruling="It may")
    assert clocks_run()
    assert judge.get("/calls").json["waiting"] is None
    player.post("/calls/c1/appeal", id="a1", grounds="The wall")
    assert not clocks_run()
    judge.post("/calls/c1/ruling", id="r2", ruling="It may not")
    assert clocks_run()


def test_clocks_that_people_stopped_stay_stopped_after_a_ruling(player: Device, judge: Device) -> None:
    player.post("/match/commands", type="pause")
    player.post("/calls/new", id="c1")
    judge.post("/calls/c1/ruling", id="r1", ruling="So")
    assert not player.get("/match").json["view"]["clock"]["running"]


def test_a_call_of_an_earlier_match_waits_no_more(build: Any, judged: Any, player: Device) -> None:
    player.post("/calls/new", id="c1")
    time.sleep(0.005)
    later = build.sample_session()
    later.header = replace(later.header, seed="another", created_t=time.time_ns() // 1_000_000)
    judged.match.play(later)
    listing = player.get("/calls").json
    assert (listing["waiting"], listing["waiting_count"]) == (None, 0)
    assert [one["is_earlier"] for one in listing["calls"]] == [True]


def test_a_table_on_its_own_may_call_again_after_every_ruling(player: Device, judge: Device) -> None:
    for number in range(6):
        assert player.post("/calls/new", id=f"c{number}").status_code == 201
        judge.post(f"/calls/c{number}/ruling", id=f"r{number}", ruling="So")


def test_a_call_names_its_side_and_tells_times_by_the_reader(made_app: Any, judged: Any, judge: Device) -> None:
    invitation = judged.door.devices.invite(Role.INVADER)
    client = made_app.test_client()
    token, _ = judged.door.devices.join(invitation.token, None, "")
    client.set_cookie("sightline", token)
    called = client.post("/api/v1/calls/new", json={"id": "c1"}, headers=CHANGE).json
    facts_of = {one["name"]: one for one in called["facts"]}
    assert facts_of["Called by"]["value"] == "Invader"
    assert facts_of["Called at"]["t"] == called["opened_t"]
    assert {name for name, one in facts_of.items() if one["is_aside"]} == {"Table", "State", "Called at"}

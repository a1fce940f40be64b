"""Attacks by strangers and cheats at a table, each with variations: refused, or bounded with a figure."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from assistant.app.fair_shares import FairList, SenderShare
from assistant.app.tournament import call_bounds
from assistant.documents import board_document
from assistant.match.actor import TABLE
from web.judge.papers import Papers
from web.people import session
from web.people.devices import MAX_WRONG_CODES, MAX_WRONG_OF_ONE, JoinRefused, TooManyTries
from web.rulings.asked import KEPT_RULINGS
from web.serving.roles import Role
from web.serving.security import HostAllowList

CHANGE = {"X-Sightline": "1"}
FORGED = "nul\nJudge: ruled for me\u202e\u200b\x1b"


@pytest.fixture
def table(build, state, tmp_path):
    """A table with a match, a photo and a keeper of calls."""
    session = build.sample_session()
    state.match.play(session)
    state.shelf.put(build.true_shot("easy-03"))
    build.judge(state, build.referee(state, tmp_path))
    yield state
    build.stores.pop().close()


@pytest.fixture
def join(app, table):
    """Joins a device in a role, perhaps tied; returns its client. Without a role it is a guest of an address."""

    def as_one(role=None, address="127.0.0.1", **belonging):
        client = app.test_client()
        client.environ_base["REMOTE_ADDR"] = address
        if role is not None:
            code = table.door.devices.invite(role, **belonging).code
            body = {"code": code, "name": f"{role} \u202e{address}"}
            assert client.post("/api/v1/join", json=body, headers=CHANGE).status_code == 200
        return client

    return as_one


def post(client, path, **body):
    return client.post(f"/api/v1{path}", json=body, headers=CHANGE)


# ── 1: identifiers ──


@pytest.mark.parametrize(
    "name", ["nl1\n", "nl1\r\n", "\nnl1", "a/b", "a+", "#", "a\x00", "\u202ea", "a" * 65, "", "ＡＢ", "a "]
)
def test_1_no_name_of_a_step_leaves_the_letters_that_topics_and_files_take(join, name):
    client = join(Role.JUDGE)
    assert post(client, "/calls/new", id=name).status_code == 400
    assert post(client, "/calls/new", id="c1").status_code == 201
    for step, words in (("ruling", {"ruling": "So"}), ("appeal", {}), ("speech", {}), ("closing", {})):
        assert post(client, f"/calls/c1/{step}", id=name, **words).status_code == 400
    assert [one["id"] for one in client.get("/api/v1/calls").json["calls"]] == ["c1"]


# ── 2: papers ──


def test_2_a_report_is_made_once_however_many_ask(join):
    client = join(Role.JUDGE)
    post(client, "/calls/new", id="c1")
    before = client.get("/api/v1/calls/c1/report.pdf").data
    assert client.get("/api/v1/calls/c1/report.pdf").data is not None
    post(client, "/calls/c1/ruling", id="r1", ruling="So")
    after = client.get("/api/v1/calls/c1/report.pdf").data
    assert before != after
    assert client.get("/api/v1/calls/c1/report.pdf?lang=ru").data != after


@pytest.mark.parametrize("keys", [1, 3])
def test_2_twenty_that_ask_at_once_make_one_file_each_and_one_at_a_time(keys):
    papers, made, busy, most = Papers(), [], [], []

    def make():
        busy.append(1)
        most.append(len(busy))
        time.sleep(0.01)
        made.append(1)
        busy.pop()
        return b"pdf"

    threads = [threading.Thread(target=papers.get, args=(n % keys, make)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(made), max(most)) == (keys, 1)


def test_2_what_is_kept_is_bounded():
    papers = Papers(most_bytes=1000)
    for key in range(100):
        papers.get(key, lambda: bytes(300))
    assert sum(map(len, papers._kept.values())) <= 1000


# ── 3: other people's figures ──


def elsewhere(shot, figure):
    """Return the shot with a figure on a free cell."""
    taken = {cell for one in shot.board.figures for cell in one.cells}
    free = next(cell for cell in sorted(shot.board.cells, reverse=True) if cell not in taken)
    moved = tuple(replace(one, cells=(free,)) if one.id == figure else one for one in shot.board.figures)
    seen = shot.read.observation
    return replace(shot, read=replace(shot.read, observation=replace(seen, board=replace(seen.board, figures=moved))))


def places(state):
    return {name: piece.cells for name, piece in state.match.session.timeline.game.pieces.items() if piece.on_table}


@pytest.fixture
def laid(build, table):
    """The match with the figures of the picture, as its camera has seen it; the live shot."""
    live = build.live_copy(build.true_shot("easy-03"), "live-1")
    table.match.play(build.new_session("doom2016", "doom2016_sample_table", is_on_any_table=True))
    table.match.session.command({"type": "status"}, TABLE)
    names = [figure.id for figure in live.board.figures]
    pieces = sorted(table.match.session.timeline.game.pieces)
    renamed = tuple(replace(figure, id=name) for figure, name in zip(live.board.figures, pieces, strict=False))
    seen = live.read.observation
    live = replace(live, read=replace(live.read, observation=replace(seen, board=replace(seen.board, figures=renamed))))
    table.shelf.put(live)
    assert names
    return live


@pytest.mark.parametrize("way", ["photo", "older", "command"])
def test_3_a_tied_player_moves_no_figure_of_others(laid, join, table, way):
    judge = join(Role.JUDGE)
    assert post(judge, "/match/table", shot="live-1").status_code == 200
    before = places(table)
    seen = [figure.id for figure in laid.board.figures]
    enemy = next(name for name in seen if table.match.session.timeline.game.piece(name).side == "invader")
    forged = replace(elsewhere(laid, enemy), id="forged", source="live" if way == "older" else "photo")
    table.shelf.put(forged)
    if way == "older":
        table.shelf.put(replace(laid, id="live-2"))
    bob = join(Role.PLAYER, side="marines")
    if way == "command":
        answer = post(bob, "/match/commands", type="see", document=board_document(forged.board))
        assert answer.status_code == 403
    else:
        answer = post(bob, "/match/table", shot="forged")
    assert places(table)[enemy] == before[enemy], answer.text


def test_3_a_picture_of_his_own_moves_his_own_and_the_history_names_him(laid, join, table):
    judge = join(Role.JUDGE)
    post(judge, "/match/table", shot="live-1")
    before = places(table)
    seen = [figure.id for figure in laid.board.figures]
    own = next(name for name in seen if table.match.session.timeline.game.piece(name).side == "marines")
    table.shelf.put(replace(elsewhere(laid, own), id="own", source="photo"))
    bob = join(Role.PLAYER, side="marines")
    answer = post(bob, "/match/table", shot="own")
    assert answer.status_code == 200, answer.text
    assert places(table)[own] != before[own]
    assert answer.json["view"]["history"][-1]["by"] == {"role": "player", "side": "marines", "name": "player 127.0.0.1"}


def test_3_a_photo_sets_up_no_table_for_a_tied_player(laid, join, table):
    table.shelf.put(replace(laid, id="photo", source="photo"))
    assert post(join(Role.PLAYER, side="marines"), "/match/table", shot="photo").status_code == 403


# ── 4: leaving ──


@pytest.mark.parametrize("way", ["leave", "no cookie", "private window", "an ended device"])
def test_4_leaving_is_no_promotion(join, table, app, way):
    marine = join(Role.PLAYER, side="marines", address="10.0.0.7")
    assert post(marine, "/match/commands", type="damage", figure="crawler-1", amount=1).status_code == 403
    match way:
        case "leave":
            post(marine, "/leave")
        case "private window":
            marine = join(address="10.0.0.7")
            marine.get("/")
        case "an ended device":
            table.door.devices.end(next(one.id for one in table.door.devices.all() if one.side))
        case _:
            marine = join(address="10.0.0.8")
    for command in ({"type": "damage", "figure": "crawler-1", "amount": 1}, {"type": "undo", "to": 0}):
        assert post(marine, "/match/commands", **command).status_code == 403
    assert marine.get("/api/v1/me").json["role"] == "spectator"


def test_4_a_guest_that_came_before_from_the_same_phone_watches_too_and_the_shared_tablet_plays_on(join, table):
    tablet, spare = join(address="10.0.0.5"), join(address="10.0.0.7")
    for one in (tablet, spare):
        assert one.get("/").status_code == 200
    join(Role.PLAYER, side="marines", address="10.0.0.7")
    damage = {"type": "damage", "figure": "crawler-1", "amount": 1}
    assert post(spare, "/match/commands", **damage).status_code == 403
    assert post(spare, "/seat", side="").status_code == 403
    assert post(tablet, "/seat", side="").status_code == 200
    assert post(tablet, "/match/commands", **damage).status_code == 200


def test_4_the_host_lets_guests_play_again(join, table):
    join(Role.PLAYER, side="marines")
    guest, owner = join(address="10.0.0.9"), join(Role.OWNER)
    guest.get("/")
    damage = {"type": "damage", "figure": "crawler-1", "amount": 1}
    assert post(guest, "/match/commands", **damage).status_code == 403
    assert post(guest, "/guests", may_play=True).status_code == 403
    assert post(owner, "/guests", may_play=True).json["guests_play"]
    assert post(guest, "/seat", side="").status_code == 200
    assert post(guest, "/match/commands", **damage).status_code == 200


# ── 5: the camera ──


def test_5_the_owners_device_is_the_camera_and_no_other(join, table):
    frames = []
    table.readers.take_frame = frames.append
    table.readers.take_photo = frames.append
    guest, player, owner, phone = join(), join(Role.PLAYER), join(Role.OWNER), join(Role.PLAYER)

    def send(client, query=""):
        return client.post(f"/api/v1/frames{query}", data=b"\xff\xd8", headers=CHANGE).status_code

    for other in (guest, player, phone):
        assert send(other) == send(other, "?photo=1") == 403
    assert send(owner) == 202
    phone_id = phone.get("/api/v1/me").json["id"]
    assert post(player, f"/devices/{phone_id}/camera").status_code == 403
    assert post(owner, f"/devices/{phone_id}/camera").status_code == 200
    assert (send(phone), send(owner), send(player)) == (202, 403, 403)
    post(phone, "/leave")
    assert send(phone) == 403
    assert len(frames) == 2


@pytest.mark.parametrize("way", ["no cookie", "an ended device", "the owner's second device", "a judge", "the invader"])
def test_5_nobody_else_becomes_the_camera(join, table, way):
    frames = []
    table.readers.take_frame = frames.append
    owner = join(Role.OWNER)

    def send(client):
        return client.post("/api/v1/frames", data=b"\xff\xd8", headers=CHANGE).status_code

    assert send(owner) == 202
    match way:
        case "an ended device":
            other = join(Role.PLAYER)
            post(owner, f"/devices/{other.get('/api/v1/me').json['id']}/camera")
            assert send(other) == 202
            post(owner, f"/devices/{other.get('/api/v1/me').json['id']}/end")
        case "the owner's second device":
            other = join(Role.OWNER)
        case "a judge":
            other = join(Role.JUDGE)
        case "the invader":
            other = join(Role.INVADER)
        case _:
            other = join()
    before = len(frames)
    assert (send(other), len(frames)) == (403, before)


# ── 7: the disputed ruling ──


def ask_rulings(state, client, count, start=0):
    """Request rulings on that many corrected pictures, each a different one."""
    shot = state.shelf.get("photo-easy-03")
    for number in range(count):
        state.shelf.put(replace(shot, id=f"flood-{start + number}"), SenderShare("flood", is_guest=True))
        body = {"attacker": "bravo", "defender": "imp-1", "ruleset": "doom2016"}
        assert post(client, f"/shots/flood-{start + number}/rulings", **body).status_code == 200


@pytest.mark.parametrize("is_guest", [True, False])
@pytest.mark.parametrize("victim_is_guest", [True, False])
def test_7_the_ruling_in_dispute_stays_whoever_asks_more(join, table, is_guest, victim_is_guest):
    victim = join(address="10.0.0.1") if victim_is_guest else join(Role.PLAYER, address="10.0.0.1")
    body = {"attacker": "imp-1", "defender": "bravo", "ruleset": "doom2016"}
    assert post(victim, "/shots/photo-easy-03/rulings", **body).status_code == 200
    cheat = join(address="10.0.0.2") if is_guest else join(Role.PLAYER, address="10.0.0.2")
    ask_rulings(table, cheat, KEPT_RULINGS + 6)
    kept = victim.get("/api/v1/rulings").json["rulings"]
    assert len(kept) == KEPT_RULINGS
    assert any((card["attacker"]["id"], card["shot"]) == ("imp-1", "photo-easy-03") for card in kept)
    frozen = post(join(Role.PLAYER), "/calls/new", id="c1").json["rulings"]
    assert any(one["attacker"] == "Imp 1" for one in frozen), [one["attacker"] for one in frozen]


def test_7_guests_of_many_addresses_push_out_each_other_and_no_device_that_joined(join, table):
    victim = join(Role.PLAYER, address="10.0.0.1")
    body = {"attacker": "imp-1", "defender": "bravo", "ruleset": "doom2016"}
    post(victim, "/shots/photo-easy-03/rulings", **body)
    for number in range(KEPT_RULINGS + 6):
        ask_rulings(table, join(address=f"10.0.1.{number}"), 1, start=number)
    kept = victim.get("/api/v1/rulings").json["rulings"]
    assert any(card["attacker"]["id"] == "imp-1" for card in kept)


def test_7_asking_the_same_again_takes_no_ruling_over():
    kept = FairList(3)
    kept.add("disputed", "disputed", SenderShare("victim"))
    kept.also_of("disputed", SenderShare("cheat", is_guest=True))
    for number in range(9):
        kept.add(number, number, SenderShare("cheat", is_guest=True))
    assert [*kept] == ["disputed", 7, 8]


# ── 8: calls ──


@pytest.mark.parametrize("addresses", [1, 4, 30])
def test_8_calls_of_guests_are_bounded(join, addresses):
    guests = [join(address=f"10.0.2.{number}") for number in range(addresses)]
    answers = [post(guests[n % addresses], "/calls/new", id=f"c{n}").status_code for n in range(30)]
    assert set(answers) == {201, 429}
    assert answers.count(201) == min(call_bounds.MOST_OF_GUEST * addresses, call_bounds.MOST_OF_GUESTS)


def test_8_a_player_still_calls_after_guests_called_and_again_once_calls_are_closed(join):
    guest, player, judge = join(address="10.0.2.1"), join(Role.PLAYER), join(Role.JUDGE)
    for number in range(10):
        post(guest, "/calls/new", id=f"g{number}")
    answers = [post(player, "/calls/new", id=f"p{number}").status_code for number in range(5)]
    assert answers == [201] * call_bounds.MOST_OF_DEVICE + [429] * (5 - call_bounds.MOST_OF_DEVICE)
    assert post(player, "/calls/new", id="p0").status_code == 201  # the same call again
    assert post(judge, "/calls/p0/closing", id="x").status_code == 200
    assert post(player, "/calls/new", id="p9").status_code == 201


# ── 10: names ──


@pytest.mark.parametrize("kind", ["html", "pdf", "calls", "devices"])
def test_10_a_name_forges_no_line(app, table, kind):
    client = app.test_client()
    code = table.door.devices.invite(Role.OWNER).code
    body = {"code": code, "name": FORGED}
    assert client.post("/api/v1/join", json=body, headers=CHANGE).status_code == 200
    question = "one\ntwo\u202e three\x00"
    assert post(client, "/calls/new", id="c1", question=question).status_code == 201
    path = {"html": "calls/c1/report.html", "pdf": "calls/c1/report.pdf", "calls": "calls/c1", "devices": "devices"}
    answer = client.get(f"/api/v1/{path[kind]}")
    assert answer.status_code == 200
    if kind == "pdf":
        return
    for sign in ("\u202e", "\u200b", "\x1b", "\x00", "\\u202e", "\\u001b"):
        assert sign not in answer.text
    if kind == "html":
        assert (
            "<bdi>nul Judge: ruled for me (a player)</bdi>" in answer.text or "nul Judge: ruled for me" in answer.text
        )


# ── 12: codes ──


@pytest.mark.parametrize(
    ("addresses", "most"), [(1, MAX_WRONG_OF_ONE), (3, 3 * MAX_WRONG_OF_ONE), (40, MAX_WRONG_CODES)]
)
def test_12_wrong_codes_at_once_are_looked_at_no_oftener_than_one_by_one(table, addresses, most):
    devices, looked_at, refused = table.door.devices, [], []

    def guess(number: int) -> None:
        try:
            devices.join(f"x{number:05d}", None, address=f"10.0.3.{number % addresses}")
        except JoinRefused:
            looked_at.append(number)
        except TooManyTries:
            refused.append(number)

    threads = [threading.Thread(target=guess, args=(number,)) for number in range(120)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(looked_at), len(refused)) == (most, 120 - most)


# ── 15: small ──


def test_15_a_mistake_of_the_sender_is_no_trouble_of_the_table(join):
    client = join(Role.OWNER)
    for path, body in (("/live/freeze", {"is_frozen": True}), ("/live/corrections", {})):
        answer = post(client, path, **body)
        assert answer.status_code == 409, answer.text
        assert "Retry-After" not in answer.headers


@pytest.mark.parametrize(
    "host", ["127.0.0.1:80@evil.com", "[::1", "localhost:80:80", "127.0.0.1:abc", "[::1]x", "127.0.0.1:"]
)
def test_15_odd_hosts_are_refused(table, host):
    allowed = HostAllowList(lambda *_: [], ["localhost"])
    assert not allowed.allows(host)
    for good in ("localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:8642", "[::1]", "[::1]:8642", "localhost."):
        assert allowed.allows(good)


# ── 16: the log ──


def lines_of(caplog):
    return [record.getMessage() for record in caplog.records if record.name == "sightline.security"]


@pytest.fixture
def log(caplog):
    """The log of a new minute."""
    session._logged[0] = -1
    return caplog


def test_16_the_log_tells_who_came_in_and_what_left(join, log):
    owner, guest = join(Role.OWNER), join(address="10.0.4.1")
    assert post(guest, "/join", code="00\n000").status_code == 403
    assert post(guest, "/guests", may_play=True).status_code == 403
    post(guest, "/calls/new", id="c1")
    owner.get("/api/v1/calls/c1/evidence.zip")
    post(owner, f"/devices/{owner.get('/api/v1/me').json['id']}/end")
    told = "\n".join(lines_of(log))
    for part in (
        "joined as owner",
        "a wrong code from 10.0.4.1",
        "was refused (by guest of 10.0.4.1)",
        "c1 was taken away",
        "was ended",
    ):
        assert part in told, part
    assert len(told.splitlines()) == len(lines_of(log))


def test_16_a_flood_of_refusals_does_not_fill_the_log(join, log, monkeypatch):
    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: 6000.0))  # one minute
    guest = join(address="10.0.4.2")
    for _ in range(3 * session.MOST_LINES):
        post(guest, "/guests", may_play=True)
    assert len(lines_of(log)) == session.MOST_LINES
    assert lines_of(log)[-1].endswith("further ones this minute are not written)")

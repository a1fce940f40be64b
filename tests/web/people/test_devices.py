from __future__ import annotations

import errno
import json
import logging
import threading

import pytest

from web.people.devices import (
    CODE_LIFETIME_S,
    GUESTS_OF_ADDRESS,
    KEPT_DEVICE_S,
    MAX_DEVICES,
    MAX_WRONG_CODES,
    MAX_WRONG_OF_ONE,
    RETRY_S,
    DeviceList,
    JoinRefused,
    NoSuchDevice,
    TooManyTries,
)
from web.people.keeping import AttemptLog, KeptFile
from web.people.owner_links import OWNER_LINK_S, OwnerLinks
from web.people.session import browser_kind
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}


class Clock:
    def __init__(self) -> None:
        self.now_s = 1_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def attempt_path(tmp_path):
    return tmp_path / "attempts.json"


@pytest.fixture
def devices(clock, attempt_path):
    return DeviceList(Role.SPECTATOR, AttemptLog(KeptFile(attempt_path)), clock)


def wrong_code(devices, address=""):
    with pytest.raises(JoinRefused):
        devices.join("999999x", None, address=address)


def test_a_code_has_six_digits_and_a_token_128_bits(devices):
    invitation = devices.invite(Role.PLAYER)

    assert len(invitation.code) == 6
    assert invitation.code.isdecimal()
    assert len(invitation.token) >= 22  # 22 characters of base64 carry 128 bits


def test_joining_gives_the_role_and_a_new_token_and_ends_the_old_one(devices):
    old_token, guest = devices.admit()
    token, device = devices.join(devices.invite(Role.JUDGE).code, old_token, "Ann")

    assert guest.role is Role.SPECTATOR
    assert (device.role, device.name) == (Role.JUDGE, "Ann")
    assert token != old_token
    assert devices.known(old_token) is None
    assert devices.known(token).role is Role.JUDGE


def test_devices_are_called_by_numbers_and_by_what_they_run_on(devices):
    phone = (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile Safari/604.1"
    )
    old_token, first = devices.admit(kind=browser_kind(phone))
    _, second = devices.admit(kind=browser_kind("<img onerror=x>"))
    _, joined = devices.join(devices.invite(Role.JUDGE).code, old_token, kind=browser_kind(phone))

    assert [first.number, second.number, joined.number] == [1, 2, 1]  # a joining device keeps the number
    assert [first.kind, second.kind, joined.kind] == ["iPhone, Safari", "", "iPhone, Safari"]


@pytest.mark.parametrize(
    ("user_agent", "kind"),
    [
        (
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36",
            "Android, Chrome",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0",
            "Windows, Edge",
        ),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0", "Linux, Firefox"),
        (
            "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 CriOS/126.0 Mobile Safari/604.1",
            "iPad, Chrome",
        ),
        ("curl/8.5.0", ""),
    ],
)
def test_what_a_browser_runs_on_is_reported(user_agent, kind):
    assert browser_kind(user_agent) == kind


def test_devices_of_a_file_without_numbers_are_numbered(tmp_path, clock):
    kept = KeptFile(tmp_path / "devices.json")
    row = {"role": "judge", "seen_at_s": clock.now_s, "name": "", "side": "", "figures": []}
    kept.write([{"key": letter * 64, "id": letter * 8, **row} for letter in "ab"])
    devices = DeviceList(Role.SPECTATOR, AttemptLog(KeptFile(None)), clock, kept)

    assert sorted(device.number for device in devices.all()) == [1, 2]


def test_an_invitation_works_once_by_code_or_token(devices):
    invitation = devices.invite(Role.PLAYER)
    devices.join(invitation.token, None)

    for secret in (invitation.token, invitation.code):
        with pytest.raises(JoinRefused):
            devices.join(secret, None)


def test_an_invitation_ends_after_minutes(devices, clock):
    invitation = devices.invite(Role.PLAYER)
    clock.now_s += CODE_LIFETIME_S + 1

    with pytest.raises(JoinRefused):
        devices.join(invitation.code, None)


def test_wrong_codes_are_limited_for_the_whole_table_even_over_a_restart(devices, clock, attempt_path):
    for number in range(MAX_WRONG_CODES):
        wrong_code(devices, f"10.0.0.{number}")
    restarted = DeviceList(Role.SPECTATOR, AttemptLog(KeptFile(attempt_path)), clock)
    invitation = restarted.invite(Role.PLAYER)

    with pytest.raises(TooManyTries):
        restarted.join(invitation.code, None)
    clock.now_s += CODE_LIFETIME_S + 1
    assert restarted.join(restarted.invite(Role.PLAYER).code, None)[1].role is Role.PLAYER


def test_nobody_can_lock_the_owner_out(devices):
    for number in range(MAX_WRONG_CODES):
        wrong_code(devices, f"10.0.0.{number}")

    assert devices.join(devices.invite(Role.OWNER).token, None)[1].role is Role.OWNER


def test_who_guesses_closes_the_codes_for_itself_first(devices, clock):
    for _ in range(MAX_WRONG_OF_ONE):
        wrong_code(devices, "10.0.0.7")

    with pytest.raises(TooManyTries, match="from this device"):
        devices.join(devices.invite(Role.PLAYER).code, None, address="10.0.0.7")
    assert devices.join(devices.invite(Role.PLAYER).code, None, address="10.0.0.8")[1].role is Role.PLAYER
    clock.now_s += CODE_LIFETIME_S + 1
    assert devices.join(devices.invite(Role.PLAYER).code, None, address="10.0.0.7")[1].role is Role.PLAYER


def test_a_clock_that_was_put_back_between_two_runs_closes_codes_for_minutes_and_not_for_a_month(clock, attempt_path):
    log = AttemptLog(KeptFile(attempt_path), clock)
    for _ in range(MAX_WRONG_CODES):
        log.add(clock.now_s)
    clock.now_s -= 30 * 24 * 3600
    restarted = DeviceList(Role.SPECTATOR, AttemptLog(KeptFile(attempt_path), clock), clock)

    with pytest.raises(TooManyTries):
        restarted.join(restarted.invite(Role.PLAYER).code, None)
    clock.now_s += CODE_LIFETIME_S + 1
    assert restarted.join(restarted.invite(Role.PLAYER).code, None)[1].role is Role.PLAYER


@pytest.mark.parametrize("text", ["", "[1, ", "{}", '["x"]', "null"])
def test_a_damaged_file_of_attempts_does_no_harm(attempt_path, text):
    attempt_path.write_text(text)
    log = AttemptLog(KeptFile(attempt_path))
    log.add(5.0)

    assert log.count_since(0) == 1
    assert json.loads(attempt_path.read_text()) == [5.0]


def test_the_list_of_devices_does_not_grow_without_end(devices, clock):
    kept, _ = devices.join(devices.invite(Role.OWNER).token, None)
    for _ in range(MAX_DEVICES + 20):
        clock.now_s += 1
        devices.admit()

    assert len(devices.all()) <= MAX_DEVICES
    assert devices.known(kept).role is Role.OWNER


def test_an_ended_device_is_a_guest_again(devices):
    token, device = devices.join(devices.invite(Role.PLAYER).code, None)
    devices.end(device.id)

    assert devices.known(token) is None
    with pytest.raises(NoSuchDevice):
        devices.end(device.id)


def test_joining_over_http_sets_a_cookie_that_scripts_and_other_sites_do_not_get(client, state, post):
    client.get("/")
    before = client.get_cookie("sightline").value
    answer = post("/join", {"code": state.door.devices.invite(Role.OWNER).code})

    assert answer.get_json()["role"] == "owner"
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert client.get_cookie("sightline").value != before
    assert client.get("/api/v1/me").get_json()["role"] == "owner"


def test_the_owner_invites_sees_and_ends_devices(client, app, state, post):
    post("/join", {"code": state.door.devices.invite(Role.OWNER).token})
    invitation = post("/invitations", {"role": "invader"})
    other = app.test_client()
    other.post("/api/v1/join", json={"code": invitation.get_json()["code"]}, headers=CHANGE)

    assert invitation.status_code == 201
    assert invitation.get_json()["qr"].startswith("data:image/svg+xml")
    listed = client.get("/api/v1/devices").get_json()["devices"]
    assert {device["role"] for device in listed} == {"owner", "invader"}
    invader = next(device for device in listed if device["role"] == "invader")
    assert post(f"/devices/{invader['id']}/end").status_code == 200
    assert other.get("/api/v1/me").get_json()["role"] == "spectator"  # to be ended is no promotion


def test_no_answer_shows_a_token(client, state, post):
    post("/join", {"code": state.door.devices.invite(Role.OWNER).token})
    token = client.get_cookie("sightline").value

    for path in ("/", "/api/v1/me", "/api/v1/devices", "/api/v1/now", "/api/v1/setup"):
        assert token not in client.get(path).text


def test_secrets_are_never_logged(client, state, post, caplog):
    caplog.set_level(logging.DEBUG)
    invitation = state.door.devices.invite(Role.OWNER)
    post("/join", {"code": "000000"})
    post("/join", {"code": invitation.token})

    assert invitation.token not in caplog.text
    assert invitation.code not in caplog.text


def test_wrong_codes_over_http_end_in_429(post):
    answers = [post("/join", {"code": "12345x"}).status_code for _ in range(MAX_WRONG_OF_ONE + 1)]

    assert answers == [403] * MAX_WRONG_OF_ONE + [429]


def test_leaving_ends_the_session_and_the_cookie(client, state, post):
    post("/join", {"code": state.door.devices.invite(Role.JUDGE).code})
    token = client.get_cookie("sightline").value
    post("/leave")

    assert state.door.devices.known(token) is None
    assert client.get("/api/v1/me").get_json()["role"] == "player"


def test_the_language_is_kept_in_the_browser(client, post):
    post("/language", {"language": "es"})

    assert '<html lang="es"' in client.get("/", headers={"Accept-Language": "ru"}).text
    assert post("/language", {"language": "tlh"}).status_code == 400


@pytest.fixture
def device_path(tmp_path):
    return tmp_path / "devices.json"


@pytest.mark.parametrize("guests", [Role.SPECTATOR, Role.PLAYER])
def test_who_joined_is_known_again_after_a_restart_and_a_guest_is_not(clock, device_path, guests):
    first = DeviceList(guests, AttemptLog(), clock, KeptFile(device_path))
    guest, _ = first.admit()
    invitation = first.invite(Role.PLAYER, side="marines", figures=("ranger-1",))
    token, device = first.join(invitation.code, None, "Ann")
    again = DeviceList(guests, AttemptLog(), clock, KeptFile(device_path))

    assert again.known(token) == device
    assert (device.side, device.figures) == ("marines", ("ranger-1",))
    assert again.known(guest) is None


def test_who_was_ended_stays_out_after_a_restart(clock, device_path):
    first = DeviceList(Role.SPECTATOR, AttemptLog(), clock, KeptFile(device_path))
    token, device = first.join(first.invite(Role.JUDGE).code, None)
    first.end(device.id)

    assert DeviceList(Role.SPECTATOR, AttemptLog(), clock, KeptFile(device_path)).known(token) is None


def test_who_was_ended_while_the_disk_was_full_stays_out_after_a_restart(clock, device_path, monkeypatch):
    first = DeviceList(Role.SPECTATOR, AttemptLog(), clock, KeptFile(device_path))
    token, judge = first.join(first.invite(Role.JUDGE).code, None)
    stays, _ = first.join(first.invite(Role.PLAYER).code, None)
    with monkeypatch.context() as full:
        full.setattr("assistant.kept_files.os.replace", refuse_for_want_of_space)
        first.end(judge.id)
        clock.now_s += RETRY_S
        first.known(stays)
    assert DeviceList(Role.SPECTATOR, AttemptLog(), clock, KeptFile(device_path)).known(token) is not None
    clock.now_s += RETRY_S
    first.known(stays)
    again = DeviceList(Role.SPECTATOR, AttemptLog(), clock, KeptFile(device_path))

    assert again.known(token) is None
    assert again.known(stays) is not None


def refuse_for_want_of_space(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_what_is_known_later_is_written_later(clock, device_path):
    devices = DeviceList(Role.SPECTATOR, AttemptLog(), clock, KeptFile(device_path))

    def come_and_go() -> None:
        for _ in range(20):
            _, device = devices.join(devices.invite(Role.JUDGE).token, None)
            devices.end(device.id)

    threads = [threading.Thread(target=come_and_go) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert DeviceList(Role.SPECTATOR, AttemptLog(), clock, KeptFile(device_path)).all() == []


def test_the_file_of_devices_lets_nobody_in_who_reads_it(clock, device_path):
    first = DeviceList(Role.SPECTATOR, AttemptLog(), clock, KeptFile(device_path))
    token, _ = first.join(first.invite(Role.OWNER).code, None)
    text = device_path.read_text()

    assert token not in text
    assert device_path.stat().st_mode & 0o077 == 0
    assert all(first.known(entry["key"]) is None for entry in json.loads(text))


def test_a_device_that_was_away_for_longer_than_its_cookie_is_forgotten(clock, device_path):
    first = DeviceList(Role.SPECTATOR, AttemptLog(), clock, KeptFile(device_path))
    token, _ = first.join(first.invite(Role.JUDGE).code, None)
    clock.now_s += KEPT_DEVICE_S + 1

    assert DeviceList(Role.SPECTATOR, AttemptLog(), clock, KeptFile(device_path)).known(token) is None


@pytest.mark.parametrize("text", ["", "[1, ", "{}", '[{"key": "x"}]', '[{"role": "king"}]', "null", "\x00"])
def test_a_damaged_file_of_devices_does_no_harm(clock, device_path, text):
    device_path.write_text(text)

    assert DeviceList(Role.SPECTATOR, AttemptLog(), clock, KeptFile(device_path)).all() == []


def test_a_disk_that_keeps_nothing_is_reported_and_holds_nobody_up(clock, tmp_path):
    told = []
    folder_in_the_way = tmp_path / ".devices.json.new"
    folder_in_the_way.mkdir()
    devices = DeviceList(Role.SPECTATOR, AttemptLog(), clock, KeptFile(tmp_path / "devices.json", told.append))
    _, device = devices.join(devices.invite(Role.JUDGE).code, None)

    assert device.role is Role.JUDGE
    assert "free some space" in str(told[-1])
    folder_in_the_way.rmdir()
    devices.end(device.id)
    assert told[-1] is None


@pytest.fixture
def links(tmp_path, clock):
    """The links of a data folder, as the page and as another command each open them."""
    return [OwnerLinks(KeptFile(tmp_path / "owner-links.json"), clock) for _ in range(2)]


def test_a_link_that_another_command_made_owns_the_table_once(clock, links):
    devices = DeviceList(Role.SPECTATOR, AttemptLog(), clock, owner_links=links[0])
    token = links[1].add()

    assert devices.join(token, None)[1].role is Role.OWNER
    with pytest.raises(JoinRefused):
        devices.join(token, None)


def test_such_a_link_is_over_after_a_day_and_a_clock_put_back_makes_it_no_longer(clock, links):
    token = links[0].add()
    clock.now_s -= 60
    assert not links[1].take(token)
    clock.now_s += OWNER_LINK_S + 61
    assert not links[1].take(token)


@pytest.mark.parametrize("content", ["", "{}", "[1]", '[{"key": "", "ends_at_s": 1}]'])
def test_a_file_of_links_that_somebody_else_wrote_opens_nothing(tmp_path, links, content):
    (tmp_path / "owner-links.json").write_text(content)
    assert not links[0].take("")
    assert links[0].take(links[1].add())


def test_no_token_stands_in_the_file_of_links(tmp_path, links):
    token = links[0].add()
    assert token not in (tmp_path / "owner-links.json").read_text()


def test_pages_that_were_only_fetched_do_not_bury_the_devices_of_the_host(app, state):
    owner = app.test_client()
    token, device = state.door.devices.admit(Role.OWNER, "Host")
    owner.set_cookie("sightline", token)
    for number in range(120):
        state.door.devices.admit(address=f"192.0.2.{number % 20}")
    for _ in range(30):  # one address that sends a second request for each
        ghost, _ = state.door.devices.admit(address="192.0.2.77")
        state.door.devices.known(ghost)
    found = owner.get("/api/v1/devices").get_json()
    assert len(found["devices"]) <= 1 + GUESTS_OF_ADDRESS
    assert found["further_guests"] >= 120
    assert device.id in {one["id"] for one in found["devices"]}


def test_an_invitation_says_that_only_the_qr_code_works_while_codes_are_closed(app, state):
    owner = app.test_client()
    token, _ = state.door.devices.admit(Role.OWNER)
    owner.set_cookie("sightline", token)

    def invite():
        return owner.post("/api/v1/invitations", json={"role": "player"}, headers={"X-Sightline": "1"}).get_json()

    assert not invite()["only_qr"]
    for number in range(MAX_WRONG_CODES):
        with pytest.raises(JoinRefused):
            state.door.devices.join("000000", None, address=f"192.0.2.{number}")
    invitation = invite()
    assert invitation["only_qr"]
    with pytest.raises(TooManyTries):
        state.door.devices.join(invitation["code"], None, address="192.0.2.99")
    state.door.devices.join(invitation["url"].partition("#join=")[2], None)


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", "\u115f", "\u200b", "\u202e", "\uffa0\u034f"])
def test_an_invisible_name_is_none(app, state, name):
    client = app.test_client()
    code = state.door.devices.invite(Role.PLAYER).code
    joined = client.post("/api/v1/join", json={"code": code, "name": name}, headers={"X-Sightline": "1"})
    assert joined.status_code == 200
    assert client.get("/api/v1/me").get_json()["name"] == ""


def test_no_name_covers_the_lines_above_it(app, state):
    client = app.test_client()
    code = state.door.devices.invite(Role.PLAYER).code
    client.post("/api/v1/join", json={"code": code, "name": "A" + "\u0301" * 36}, headers={"X-Sightline": "1"})
    assert client.get("/api/v1/me").get_json()["name"] == "A" + "\u0301" * 3

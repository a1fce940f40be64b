"""``sightline tournament init`` and ``sightline desk`` on the command line."""

from __future__ import annotations

import stat

import pytest

from assistant.app.tournament.founding import renew_rights
from assistant.app.tournament.home_assistant import discovery
from assistant.app.tournament.topics import Topics
from assistant.cli import desk, run
from assistant.documents.join import read_join

INIT = ["--event", "open", "--tables", "12", "--desks", "2", "--host", "127.0.0.1"]


def test_init_writes_a_code_for_each_table_and_desk(tmp_path, capsys):
    folder = tmp_path / "hall"
    assert run(["tournament", "init", str(folder), *INIT]) == 0
    assert "15 join codes" in capsys.readouterr().out  # Home Assistant's is the fifteenth
    codes = {path.stem: read_join(str(path)) for path in (folder / "codes").iterdir()}
    assert {"table-01", "table-12", "desk", "desk-2"} <= set(codes)
    assert len({code.password for code in codes.values()}) == 15
    passwords = (folder / "passwords").read_text()
    assert not any(code.password in passwords for code in codes.values())
    assert stat.S_IMODE((folder / "passwords").stat().st_mode) == 0o600
    assert run(["tournament", "init", str(folder), *INIT]) == 2
    assert "already" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["Open", "", "desks", "a/b", "x" * 41, "+", "a b"])
def test_a_name_that_cannot_stand_in_a_topic_is_refused(name, tmp_path, capsys):
    assert run(["tournament", "init", str(tmp_path / "hall"), "--event", name, "--tables", "1"]) == 2
    assert "cannot be a name here" in capsys.readouterr().err


@pytest.mark.parametrize(
    "host",
    ["https://hall", "hall:8883", "a b", "müller.local", "0.0.0.0", "::", "fe80::1%eth0", "192.168.1.300", "x" * 300],
)
def test_an_address_that_no_table_can_reach_is_refused_before_anything_is_written(host, tmp_path, capsys):
    folder = tmp_path / "hall"
    assert run(["tournament", "init", str(folder), "--event", "open", "--tables", "1", "--host", host]) == 2
    assert "is not an address that tables can reach" in capsys.readouterr().err
    assert not folder.exists()


@pytest.mark.parametrize("host", ["hall", "Hall-2.local", "10.0.0.5", "2001:db8::5", "my_host.lan"])
def test_names_and_numbers_of_machines_are_taken(host, tmp_path):
    assert run(["tournament", "init", str(tmp_path / "hall"), "--event", "open", "--tables", "1", "--host", host]) == 0
    assert read_join(str(tmp_path / "hall" / "codes" / "table-1.txt")).host == host


def test_a_desk_says_what_it_lacks(tmp_path, capsys, monkeypatch):
    run(["tournament", "init", str(tmp_path / "hall"), *INIT])
    capsys.readouterr()
    monkeypatch.setattr(desk, "NEEDED", ("no_such_package",))
    assert run(["desk", str(tmp_path / "hall")]) == 1
    assert "pip install “sightline[desk]”" in capsys.readouterr().err


def test_a_desk_without_mosquitto_says_what_to_install(tmp_path, capsys, monkeypatch):
    run(["tournament", "init", str(tmp_path / "hall"), *INIT, "--port", "1"])
    capsys.readouterr()
    monkeypatch.setattr("assistant.hosting.broker_process.shutil.which", lambda *_, **__: None)
    assert run(["desk", str(tmp_path / "hall"), "--data", str(tmp_path)]) == 1
    assert "on Debian the package mosquitto" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["nothing.txt", "sightline-join:abc", "x" * 400])
def test_what_is_no_join_code_is_refused(place, capsys):
    assert run(["desk", place]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_without_a_tournament_is_refused(tmp_path, capsys):
    assert run(["desk", str(tmp_path)]) == 2
    assert "tournament init" in capsys.readouterr().err


def test_home_assistant_learns_the_topics_of_the_table(tmp_path):
    messages = discovery(Topics("open"), "table-1", "1.0")
    assert len({message.topic for message in messages}) == 6
    assert all(message.retained and message.topic.startswith("homeassistant/") for message in messages)
    assert all(b'"~": "sightline/open/table-1"' in message.payload for message in messages)


def test_a_folder_of_an_older_version_gets_the_rights_of_this_one(tmp_path):
    folder = tmp_path / "hall"
    assert run(["tournament", "init", str(folder), *INIT]) == 0
    now = (folder / "acl").read_text()
    assert not renew_rights(folder)
    older = "".join(line for line in now.splitlines(keepends=True) if "/seat" not in line)
    (folder / "acl").write_text(older)
    assert renew_rights(folder)
    assert (folder / "acl").read_text() == now
    (folder / "acl").write_text("user somebody\ntopic read #\n")
    assert not renew_rights(folder), "rights that somebody wrote stay"

"""``sightline verify``: plain sentences and exit statuses."""

from __future__ import annotations

import datetime
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.app.tournament.evidence import Signer, pack_evidence, write_evidence
from assistant.app.tournament.key_authority import authority_of
from assistant.app.tournament.table_key import TableKey
from assistant.cli import run
from assistant.documents.sealed_key import SealedKey
from assistant.hosting.certificates import page_certificate
from assistant.translations.speech import speech


def test_evidence_that_holds_says_so_and_by_which_key(
    court: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "call.zip"
    file.write_bytes(court.evidence())
    assert run(["verify", str(file)]) == 3, "nobody has vouched for the key"
    told, _ = capfd.readouterr()
    assert "Nothing in the evidence has changed since it was signed." in told
    assert "signed it: “" in told
    assert "The evidence holds" not in told
    assert court.referee.fingerprint in told
    assert "2 rulings, computed again, are the same." in told
    assert run(["verify", str(file), "--key", court.referee.fingerprint]) == 0
    told, _ = capfd.readouterr()
    assert "The evidence holds" in told
    assert "Signed with the key that you gave" in told


@pytest.mark.parametrize("key", ["", " ", "-"])
def test_an_empty_key_is_refused(court: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str], key: str) -> None:
    file = tmp_path / "call.zip"
    file.write_bytes(court.evidence())
    assert run(["verify", str(file), f"--key={key}"]) == 2
    told, complaint = capfd.readouterr()
    assert told == ""
    assert "--key is empty" in complaint


def test_the_tournaments_authority_vouches_for_the_key_of_a_table_and_for_no_other(
    court: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file, now = tmp_path / "call.zip", datetime.datetime.now(datetime.UTC)
    page_certificate(tmp_path / "hall" / "tls", ["127.0.0.1"], now)
    page_certificate(tmp_path / "other" / "tls", ["127.0.0.1"], now)
    authority = authority_of(tmp_path / "hall", "open")
    assert authority is not None
    key, book, call = court.referee.key, court.referee.book, court.call_id
    ours = ["--tournament", str(tmp_path / "hall" / "tls" / "authority.pem")]

    def verified(sealed: SealedKey | None, *more: str) -> int:
        file.write_bytes(write_evidence(book, key, call, 1, sealed))
        return run(["verify", str(file), *more])

    sealed = authority.seal(book.table, key.public, 5)
    assert verified(sealed, *ours) == 0
    told, _ = capfd.readouterr()
    assert "The tournament's authority signed this key." in told
    assert f"since the table “{book.table}” signed it" in told
    assert verified(sealed) == 3
    assert verified(sealed, "--tournament", str(tmp_path / "other" / "tls" / "authority.pem")) == 1
    assert verified(None, *ours) == 1
    assert verified(authority.seal("elsewhere", key.public, 5), *ours) == 1
    assert verified(authority.seal(book.table, TableKey(tmp_path / "strange").public, 5), *ours) == 1
    assert verified(replace(sealed, t=6), *ours) == 1
    assert verified(sealed, "--tournament", str(file)) == 2
    assert "not the certificate of a tournament" in capfd.readouterr()[1]


def test_a_desk_signs_for_every_table_and_a_table_for_itself_alone(court: Any, tmp_path: Path) -> None:
    file, hall = tmp_path / "call.zip", tmp_path / "hall"
    page_certificate(hall / "tls", ["127.0.0.1"], datetime.datetime.now(datetime.UTC))
    authority = authority_of(hall, "open")
    assert authority is not None
    key, kept = court.referee.key, court.referee.book.kept(court.call_id)

    def verified(name: str, written_at: str, *, is_desk: bool) -> int:
        signer = Signer(key, authority.seal(name, key.public, 5, is_desk=is_desk), written_at)
        file.write_bytes(pack_evidence(*kept, signer, 1))
        return run(["verify", str(file), "--tournament", str(hall / "tls" / "authority.pem")])

    table = court.referee.book.table
    assert verified("desk", "desk", is_desk=True) == 0
    assert verified("table-9", "table-9", is_desk=False) == 1, "a table signs as if it were a desk"
    assert verified(table, "", is_desk=True) == 1
    assert verified(table, "", is_desk=False) == 0


def test_what_does_not_hold_is_named_with_status_one(
    court: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "call.zip"
    data = bytearray(court.evidence())
    data[data.index(b"Line 2 is free")] ^= 1
    file.write_bytes(data)
    assert run(["verify", str(file)]) == 1
    told, complaint = capfd.readouterr()
    assert told == ""
    assert "call.json was changed after it was signed" in complaint or "events.jsonl was changed" in complaint
    assert run(["verify", str(file), "--key", "beef"]) == 1
    assert "another key" in capfd.readouterr()[1]


def test_it_writes_the_call_for_people_without_the_program(
    court: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, page = tmp_path / "call.zip", tmp_path / "call.html"
    file.write_bytes(court.evidence())
    monkeypatch.setenv("SIGHTLINE_LANG", "es")
    assert run(["verify", str(file), "--page", str(page)]) == 3
    told = page.read_text()
    assert f"Escrito: {page}" in capfd.readouterr()[0]
    assert '<html lang="es">' in told
    assert "<line " in told
    assert "1. Ronda nueva" in told
    assert "los_touch" not in told
    assert speech("es").text("a corner that a line only touches") in told
    file.write_bytes(court.evidence() + b" ")
    assert run(["verify", str(file), "--page", str(tmp_path / "no.html")]) == 1
    assert not (tmp_path / "no.html").exists()


def test_what_is_no_evidence_is_refused_with_status_two(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "call.zip"
    file.write_bytes(b"no zip")
    assert run(["verify", str(file)]) == 2
    assert "not a zip file" in capfd.readouterr()[1]
    assert run(["verify", str(tmp_path / "nothing.zip")]) == 2


def test_it_is_checked_without_camera_and_page(court: Any, tmp_path: Path) -> None:
    file = tmp_path / "call.zip"
    file.write_bytes(court.evidence())
    program = (
        "import sys; sys.modules['cv2'] = sys.modules['flask'] = None\n"
        f"from assistant.cli import run; sys.exit(run(['verify', {str(file)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr

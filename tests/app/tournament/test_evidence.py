"""Evidence is valid exactly as long as no byte changes, and every ruling in it is computed again."""

from __future__ import annotations

import hashlib
import io
import random
import stat
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from evidence_forging import found, head_of, signed_again, with_moment
from msgspec.structs import replace

from assistant.app.tournament.call_book import CallBook
from assistant.app.tournament.checking import check_evidence
from assistant.app.tournament.referee import Referee
from assistant.app.tournament.steps import CORRECTIONS_MS
from assistant.app.tournament.table_key import KEY_FILE, TableKey, key_fingerprint
from assistant.documents.call import HandCorrection
from assistant.documents.evidence import (
    CALL,
    EVENTS,
    MOMENT,
    evidence_from_zip,
    evidence_zip,
)
from assistant.errors import InputError, NoEvidence, StoreError
from assistant.store import Store

CHANGES = 1_000


def test_what_a_table_wrote_holds_and_every_ruling_is_computed_again(court: Any) -> None:
    checked = check_evidence(court.evidence(), "e.zip", court.referee.fingerprint)
    assert checked.findings == ()
    assert checked.ruling_count == 2
    assert checked.call == court.referee.book.call(court.call_id)
    assert checked.fingerprint == court.referee.fingerprint
    assert checked.moment is not None
    assert next(one.ruling["stability"] for one in checked.moment.rulings) < 1


def test_what_only_one_side_may_know_is_not_in_it(court: Any) -> None:
    assert b"secret" not in court.evidence()


def test_every_one_of_a_thousand_changed_bytes_is_found(court: Any) -> None:
    data = court.evidence()
    chance = random.Random(18)
    missed = []
    for _ in range(CHANGES):
        place, change = chance.randrange(len(data)), chance.randrange(1, 256)
        changed = data[:place] + bytes([data[place] ^ change]) + data[place + 1 :]
        try:
            findings = check_evidence(changed, "e.zip").findings
        except InputError:
            continue
        if not findings:
            missed.append((place, change))
    assert missed == []


def test_a_cut_or_a_longer_file_is_found(court: Any) -> None:
    data = court.evidence()
    assert "changed after it was written" in found(check_evidence(data + b"\0", "e.zip"))
    for length in (0, 10, len(data) // 2, len(data) - 1):
        with pytest.raises(NoEvidence):
            check_evidence(data[:length], "e.zip")


def test_a_changed_ruling_is_found_even_if_everything_was_signed_again_with_the_tables_own_key(court: Any) -> None:
    data = court.evidence()

    def lie(moment: dict[str, Any]) -> None:
        ruling = moment["rulings"][0]["ruling"]
        ruling["line_of_sight"] = not ruling["line_of_sight"]

    parts = with_moment(data, lie)
    forged = signed_again(data, parts, court.referee.key, head=head_of(parts))
    text = found(check_evidence(forged, "e.zip", court.referee.fingerprint))
    assert "give another answer than ruling 1" in text
    assert "line_of_sight" in text
    assert len(text.splitlines()) == 1


def _move_a_line(moment: dict[str, Any]) -> None:
    moment["rulings"][0]["lines"][0]["ends"][0] += 30


def _drop_a_line(moment: dict[str, Any]) -> None:
    moment["rulings"][0]["lines"].pop()


def _free_a_line(moment: dict[str, Any]) -> None:
    line = moment["rulings"][0]["lines"][0]
    line["is_free"] = not line["is_free"]


def _mark_elsewhere(moment: dict[str, Any]) -> None:
    moment["rulings"][1]["figures"][1][0] += 30


def _hide_a_wall(moment: dict[str, Any]) -> None:
    moment["pictures"][0]["snapped"]["edges"].pop()


def _show_another_part(moment: dict[str, Any]) -> None:
    moment["pictures"][1]["focus"][2] -= 50


def _name_another_photo(moment: dict[str, Any]) -> None:
    moment["pictures"][1]["picture"] = "frozen/picture-099.jpg"


def _lose_the_camera(moment: dict[str, Any]) -> None:
    moment["pictures"][1]["camera"] = None


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (_move_a_line, "for ruling 1 does not follow from its table (different: lines)"),
        (_drop_a_line, "for ruling 1 does not follow from its table (different: lines)"),
        (_free_a_line, "for ruling 1 does not follow from its table (different: lines)"),
        (_mark_elsewhere, "for ruling 2 does not follow from its table (different: figures)"),
        (_hide_a_wall, "on picture 1 does not follow from its table (different: snapped)"),
        (_show_another_part, "on picture 2 does not follow from its table (different: focus)"),
        (_lose_the_camera, "on picture 2 cannot be computed again"),
        (_name_another_photo, "frozen/picture-099.jpg is missing from the frozen files"),
    ],
)
def test_what_is_drawn_otherwise_is_found_even_if_signed_again(court: Any, change: Any, finding: str) -> None:
    data = court.evidence()
    parts = with_moment(data, change)
    forged = signed_again(data, parts, court.referee.key, head=head_of(parts))
    text = found(check_evidence(forged, "e.zip", court.referee.fingerprint))
    assert finding in text
    assert len(text.splitlines()) == 1


def test_a_figure_that_was_moved_afterwards_is_found(court: Any) -> None:
    data = court.evidence()
    old = evidence_from_zip(data).parts["frozen/observation-001.json"]
    document = msgspec.json.decode(old)
    alpha = next(one for one in document["board"]["figures"] if one["id"] == "alpha")
    alpha["cells"] = [[column + 1, row] for column, row in alpha["cells"]]
    changed = msgspec.json.encode(document)

    def fit(moment: dict[str, Any]) -> None:
        moment["parts"]["frozen/observation-001.json"] = hashlib.sha256(changed).hexdigest()

    parts = {**with_moment(data, fit), "frozen/observation-001.json": changed}
    forged = signed_again(data, parts, court.referee.key, head=head_of(parts))
    assert "ruling 1" in found(check_evidence(forged, "e.zip"))


def test_another_key_is_noticed_by_the_tables_fingerprint(court: Any, tmp_path: Path) -> None:
    forged = signed_again(court.evidence(), {}, TableKey(tmp_path / "other"))
    assert check_evidence(forged, "e.zip").findings == ()
    text = found(check_evidence(forged, "e.zip", court.referee.fingerprint))
    assert "another key" in text
    assert court.referee.fingerprint in text


def test_last_events_that_are_missing_are_found(court: Any) -> None:
    data = court.evidence()
    old = evidence_from_zip(data)
    lines = old.parts[EVENTS].splitlines(keepends=True)
    parts = {**old.parts, EVENTS: b"".join(lines[:-1])}
    shorter = evidence_zip(old.signed, old.signature, parts)
    text = found(check_evidence(shorter, "e.zip"))
    assert "1 of 2 events" in text
    assert "the call does not match its events" in text
    same_head = signed_again(data, {EVENTS: parts[EVENTS]}, court.referee.key)
    assert "the last events are missing" in found(check_evidence(same_head, "e.zip"))


def with_corrections(data: bytes, corrections: list[Any]) -> dict[str, bytes]:
    """Return the parts that follow if the call tells other corrections and everything is made to fit."""
    old = evidence_from_zip(data)
    prev, lines = "0" * 64, []
    for line in old.parts[EVENTS].splitlines():
        event = {**msgspec.json.decode(line), "prev_hash": prev}
        if event["type"] == "opened":
            event["payload"]["corrections"] = corrections
        lines.append(msgspec.json.encode(event))
        prev = hashlib.sha256(lines[-1]).hexdigest()
    call = {**msgspec.json.decode(old.parts[CALL]), "corrections": corrections}
    return {EVENTS: b"".join(line + b"\n" for line in lines), CALL: msgspec.json.encode(call)}


def test_corrections_that_a_call_leaves_out_or_makes_up_are_found(build: Any, tmp_path: Path) -> None:
    with Store(tmp_path / "data") as store:
        book = CallBook(store, "table-7", lambda: build.NOW_MS)
        referee = Referee(book, TableKey(tmp_path / "data"), lambda: None)
        late, early, after = (
            HandCorrection(t=build.NOW_MS + t_ms, by=build.ANN, kind="door", subject="door-1", value="open")
            for t_ms in (-1_000, -CORRECTIONS_MS - 1, 1_000)
        )
        for one in (early, late):
            book.note_correction(one)
        call = referee.call_judge("", build.ANN, build.table_now())
        book.note_correction(after)
        data = referee.evidence(call.id)
    assert call.corrections == (late,)
    assert check_evidence(data, "e.zip").findings == ()
    other = replace(late, value="closed")
    for lie in ((), (other,), (early, late), (late, after)):
        parts = with_corrections(data, [msgspec.to_builtins(one) for one in lie])
        text = found(check_evidence(signed_again(data, parts, referee.key, head=head_of(parts)), "e.zip"))
        assert text == "the call's corrections by hand do not match the events before it"


def test_a_picture_that_was_put_in_the_place_of_another_is_found(court: Any) -> None:
    data = court.evidence()
    forged = signed_again(data, {"frozen/picture-001.jpg": b"\xff\xd8another\xff\xd9"}, court.referee.key)
    assert "frozen/picture-001.jpg is not what the call froze" in found(check_evidence(forged, "e.zip"))


def entries(*pairs: tuple[str, bytes], packed: bool = False) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as archive:
        for name, content in pairs:
            archive.writestr(name, content)
    return target.getvalue()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_hostile_files_are_refused_by_name() -> None:
    many = entries(*((f"frozen/picture-{i:04d}.jpg", b"") for i in range(700)))
    deep, endless = b"[" * 200_000, b'{"format":"sightline.evidence/1","event_count":1e999}'
    for data, reason in (
        (b"PK\x03\x04 nothing", "not a zip file"),
        (entries(("../../etc/passwd", b"x")), "Evidence never has an entry named '../../etc/passwd'"),
        (entries(("frozen/../x.json", b"x")), "Evidence never has an entry named"),
        (entries(("frozen\\x.json", b"x")), "Evidence never has an entry named"),
        (entries(("call.json", b"x"), ("call.json", b"y")), "call.json is there twice"),
        (entries(("call.json", b"0" * 5_000_000), packed=True), "The entry call.json is compressed"),
        (many, "over 600 entries"),
        (entries(("call.json", b"{}")), "no signed manifest"),
        (entries(("manifest.json", b"{}"), ("signature.bin", b"short")), "no signed manifest"),
        (entries(("manifest.json", deep), ("signature.bin", b"0" * 64)), "manifest.json"),
        (entries(("manifest.json", endless), ("signature.bin", b"0" * 64)), "manifest.json"),
    ):
        with pytest.raises(InputError, match=reason.replace(".", r"\.").replace("\\", "")):
            check_evidence(data, "e.zip")


def test_parts_that_would_harm_a_reader_are_findings_by_name(court: Any) -> None:
    data, key = court.evidence(), court.referee.key
    for name, content in (
        (CALL, b"[" * 200_000),
        (MOMENT, b'{"format":"sightline.moment/1","t":1e999}'),
        (EVENTS, b'{"seq":NaN}\n'),
        ("frozen/observation-001.json", b"{" * 100_000),
    ):
        text = found(check_evidence(signed_again(data, {name: content}, key), "e.zip"))
        assert name in text


def test_the_key_is_made_once_for_its_owners_eyes_alone(tmp_path: Path) -> None:
    first = TableKey(tmp_path)
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert TableKey(tmp_path).public == first.public
    assert len(key_fingerprint(first.public).replace(" ", "")) == 32
    (tmp_path / KEY_FILE).write_bytes(b"not a key")
    with pytest.raises(StoreError, match="holds no key"):
        TableKey(tmp_path)

"""A call at a table without a grid: the same evidence, with every ruling and drawing computed again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from evidence_forging import found, head_of, signed_again, with_moment

from assistant.app.tournament.call_report import report_call
from assistant.app.tournament.checking import check_evidence
from assistant.app.tournament.comparing import steps_back
from assistant.app.tournament.sent_parts import iterate_parts_to_send, report_of_sent
from assistant.cli import run
from assistant.documents import FREE_TABLE_FORMAT, format_of
from assistant.documents.evidence import evidence_from_zip
from assistant.translations.speech import speech


@pytest.fixture
def free_court(build: Any, tmp_path: Path) -> Iterator[Any]:
    """A table without a grid with one call that was ruled on."""
    made = build.court(tmp_path / "data", build.free_table_now())
    yield made
    made.store.close()


def test_pictures_tables_rulings_and_what_is_drawn_are_frozen_and_computed_again(free_court: Any) -> None:
    data = free_court.evidence()
    checked = check_evidence(data, "e.zip", free_court.referee.fingerprint)
    assert checked.findings == ()
    assert checked.ruling_count == 2
    assert checked.moment is not None
    parts = evidence_from_zip(data).parts
    assert {format_of(parts[picture.observation]) for picture in checked.moment.pictures} == {FREE_TABLE_FORMAT}
    drawn = checked.moment.pictures[-1].snapped
    assert drawn is not None
    assert {edge.kind for edge in drawn.edges} == {"terrain", "base"}
    assert {figure.id for figure in drawn.figures} == {"digger~1", "digger~2", "ratnik~1", "ratnik~2"}
    first, second = checked.moment.rulings
    assert (first.ruling["line_of_sight"], second.ruling["line_of_sight"]) == (False, True)
    assert second.ruling["distance_mm"] == pytest.approx(176, abs=1)  # 201 mm between the middles, less both radii
    assert first.lines
    assert first.figures[0] == pytest.approx((200.0, 200.0), abs=1.5)  # two pixels a millimetre


def _other_distance(moment: dict[str, Any]) -> None:
    moment["rulings"][1]["ruling"]["distance_mm"] += 5


def _other_line(moment: dict[str, Any]) -> None:
    moment["rulings"][0]["lines"][0]["ends"][2] += 30


def _other_base(moment: dict[str, Any]) -> None:
    moment["pictures"][1]["snapped"]["edges"][0]["ends"][0] += 5


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (_other_distance, "give another answer than ruling 2"),
        (_other_line, "for ruling 1 does not follow from its table (different: lines)"),
        (_other_base, "on picture 2 does not follow from its table (different: snapped)"),
    ],
)
def test_what_was_changed_and_signed_again_is_found(free_court: Any, change: Any, finding: str) -> None:
    data = free_court.evidence()
    parts = with_moment(data, change)
    forged = signed_again(data, parts, free_court.referee.key, head=head_of(parts))
    text = found(check_evidence(forged, "e.zip", free_court.referee.fingerprint))
    assert finding in text
    assert len(text.splitlines()) == 1


def test_a_ruling_by_rules_for_cells_cannot_be_computed(free_court: Any) -> None:
    def other_game(moment: dict[str, Any]) -> None:
        moment["rulings"][0]["ruling"] |= {"ruleset": "doom2016", "options": {}}

    data = free_court.evidence()
    parts = with_moment(data, other_game)
    forged = signed_again(data, parts, free_court.referee.key, head=head_of(parts))
    assert "is not played without a grid" in found(check_evidence(forged, "e.zip"))


@pytest.mark.parametrize("language", ["en", "ru", "es"])
def test_the_move_before_the_call_and_the_ruling_are_reported(free_court: Any, language: str) -> None:
    referee, speaker = free_court.referee, speech(language)
    moment = referee.moment(free_court.call_id)

    def part(name: str) -> bytes:
        return referee.part(free_court.call_id, name)

    (step,) = steps_back(moment.pictures, part, speaker)
    assert (step.before, step.after) == (0, 1)
    assert speaker.number(3.0, 2) in step.sentence
    report = report_call(
        referee.book.call(free_court.call_id), moment, part, speaker, referee.past_steps(free_court.call_id)
    )
    assert [one.verdict for one in report.rulings] == ["blocked", "clear"]
    told = [reason for one in report.rulings for reason in one.reasons]
    assert told
    assert not any("~" in reason for reason in told), "an id in place of a name"


def test_a_desk_with_the_parts_shows_the_same(free_court: Any) -> None:
    call = free_court.referee.book.call(free_court.call_id)
    told = dict(iterate_parts_to_send(free_court.store.frozen_parts(free_court.call_id)))
    assert len(told) == 5  # the moment, two pictures, and the reading of each
    report = report_of_sent(call, told.get, speech("en"), ())
    assert report is not None
    assert len(report.rulings) == 2


def test_the_command_checks_it(free_court: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "call.zip"
    file.write_bytes(free_court.evidence())
    assert run(["verify", str(file), "--key", free_court.referee.fingerprint]) == 0
    assert "2 rulings, computed again, are the same." in capfd.readouterr()[0]
    assert msgspec.json.decode(evidence_from_zip(file.read_bytes()).parts["call.json"])["state"] == "ruled"

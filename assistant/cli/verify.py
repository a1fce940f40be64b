"""``sightline verify``: verifies the evidence of a judge call, for anybody with the file."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click

from assistant.app.tournament.call_report import report_call
from assistant.app.tournament.checking import Checked, check_evidence
from assistant.app.tournament.report_page import report_html
from assistant.cli.language import reader_language, say
from assistant.documents.evidence import MAX_EVIDENCE_BYTES
from assistant.documents.reading import read_bytes
from assistant.errors import CannotDo
from assistant.kept_files import write_file
from assistant.translations.messages import Said, counted, said, spaced
from assistant.translations.speech import speech


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--key",
    "fingerprint",
    metavar="FINGERPRINT",
    default="",
    help="The key's fingerprint, as the table's page shows it.",
)
@click.option(
    "--pdf",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write the call as a PDF, if the evidence holds.",
)
@click.option(
    "--page",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write the call as an HTML page, if the evidence holds.",
)
def verify(*, file: Path, fingerprint: str, pdf: Path | None, page: Path | None) -> None:
    """Verify the evidence in FILE: signature, events, frozen documents and every ruling.

    The markers on the photos show again where the cameras stood.

    Exit status 0: the evidence holds. 1: it does not, with the reason. 2: this is not evidence.
    """
    checked = check_evidence(read_bytes(file, MAX_EVIDENCE_BYTES), str(file), fingerprint)
    findings, news = checked.findings, _good_news(checked, is_key_known=bool(fingerprint))
    if not findings:
        findings, of_cameras = _cameras(checked)
        news += of_cameras
    if findings:
        raise CannotDo(_complaint(findings), document=str(file))
    for sentence in news:
        say(sentence)
    _write_reports(checked, pdf, page)


def _cameras(checked: Checked) -> tuple[tuple[Said, ...], list[Said]]:
    """Contradictions between photos and recorded cameras, and sentences about the other cameras."""
    moment = checked.moment
    if moment is None or not moment.pictures:
        return (), []
    if all(picture.markers is None for picture in moment.pictures):
        text = said("The cameras were not measured again: the evidence lacks the markers' positions.")
        return (), [text]
    if find_spec("cv2") is None:
        return (), [said("The cameras were not measured again: OpenCV is missing. Install the whole program.")]
    measuring = import_module("assistant.app.tournament.camera_again")
    found = measuring.measure_cameras(checked.evidence, moment)
    news = []
    if found.measured_count:
        news.append(
            counted(
                "{n} camera, measured again by the markers on its photo, stood where the table recorded it.",
                "{n} cameras, measured again by the markers on their photos, stood where the table recorded them.",
                found.measured_count,
            )
        )
    if found.unseen_count:
        news.append(
            counted(
                "{n} photo shows too few markers to measure its camera again.",
                "{n} photos show too few markers to measure their cameras again.",
                found.unseen_count,
            )
        )
    return found.findings, news


def _write_reports(checked: Checked, pdf: Path | None, page: Path | None) -> None:
    """Writes the reports for people without the program, in the reader's language."""
    call, moment, parts, speaker = checked.call, checked.moment, checked.evidence.parts, speech(reader_language())
    if (pdf is None and page is None) or call is None or moment is None:
        return
    report = report_call(call, moment, parts.__getitem__, speaker)
    if page is not None:
        write_file(page, report_html(report, parts.__getitem__, checked.fingerprint, speaker).encode())
    if pdf is not None:
        printing = import_module("assistant.app.tournament.report_pdf")  # verifying needs no cv2, printing does
        write_file(pdf, printing.report_pdf(report, parts.__getitem__, checked.fingerprint, speaker))
    for target in filter(None, (page, pdf)):
        say(said("Written: {file}", file=str(target)))


def _complaint(findings: tuple[Said, ...]) -> Said:
    """All contradictions in one sentence, with what to do."""
    what = spaced(*(Said("{finding}.", {"finding": one}) for one in findings))
    return said("This evidence does not hold. {what} Ask the table for another copy and compare them.", what=what)


def _good_news(checked: Checked, *, is_key_known: bool) -> list[Said]:
    manifest = checked.evidence.manifest
    key = (
        said("Signed with the key that you gave.")
        if is_key_known
        else said(
            "Signed with the key “{mark}”. Compare it with the key on the table's page.", mark=checked.fingerprint
        )
    )
    return [
        said("The evidence holds: nothing has changed since the table “{table}” signed it.", table=manifest.table),
        key,
        counted("{n} event, none missing.", "{n} events, none missing.", manifest.event_count),
        _count_rulings(checked.ruling_count),
        said(
            "The drawings over the photos were computed again from the recorded camera. Check by eye "
            "that they fit the table."
        ),
    ]


def _count_rulings(count: int) -> Said:
    if not count:
        return said("There was no ruling before the call.")
    return counted("{n} ruling, computed again, is the same.", "{n} rulings, computed again, are the same.", count)

"""``sightline verify``: the evidence of a judge's call, checked by anybody who has the file."""

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
    "--key", "fingerprint", metavar="FINGERPRINT", default="", help="The fingerprint that the table's page shows."
)
@click.option(
    "--pdf",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the call as a PDF, too, for people without this program; only if the evidence holds.",
)
@click.option(
    "--page",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write it as one HTML page, too; only if the evidence holds.",
)
def verify(*, file: Path, fingerprint: str, pdf: Path | None, page: Path | None) -> None:
    """Check the evidence in FILE: signature, events, everything that was frozen, and every ruling, computed again.

    Where the camera stood is measured again from the photos, by the markers that they show.

    Exit status 0: nothing was changed; 1: something does not hold, and what; 2: this is no evidence.
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
    """What does not hold of where the cameras stood, by the photos themselves; and what there is to say of the rest."""
    moment = checked.moment
    if moment is None or not moment.pictures:
        return (), []
    if all(picture.markers is None for picture in moment.pictures):
        text = said("The cameras were not measured again: it was not kept where the printed markers lay.")
        return (), [text]
    if find_spec("cv2") is None:
        return (), [
            said("The cameras were not measured again: OpenCV is not there. Install the whole program for that.")
        ]
    measuring = import_module("assistant.app.tournament.camera_again")
    found = measuring.measure_cameras(checked.evidence, moment)
    news = []
    if found.measured_count:
        news.append(
            counted(
                "{n} camera was measured again by the markers on its photo, and stood where the table wrote.",
                "{n} cameras were measured again by the markers on their photos, and stood where the table wrote.",
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
    """Writes what people without the program read, in the reader's language."""
    call, moment, parts, speaker = checked.call, checked.moment, checked.evidence.parts, speech(reader_language())
    if (pdf is None and page is None) or call is None or moment is None:
        return
    report = report_call(call, moment, parts.__getitem__, speaker)
    if page is not None:
        write_file(page, report_html(report, parts.__getitem__, checked.fingerprint, speaker).encode())
    if pdf is not None:
        printing = import_module("assistant.app.tournament.report_pdf")  # what checks evidence does without cv2
        write_file(pdf, printing.report_pdf(report, parts.__getitem__, checked.fingerprint, speaker))
    for target in filter(None, (page, pdf)):
        say(said("Written: {file}", file=str(target)))


def _complaint(findings: tuple[Said, ...]) -> Said:
    """Everything that does not hold in one sentence, with what to do about it."""
    what = spaced(*(Said("{finding}.", {"finding": one}) for one in findings))
    return said("this evidence does not hold. {what} Ask the table for another copy and compare", what=what)


def _good_news(checked: Checked, *, is_key_known: bool) -> list[Said]:
    manifest = checked.evidence.manifest
    key = (
        said("It was signed by the key of the table that you named.")
        if is_key_known
        else said("It was signed by the key “{mark}”; compare that with the table's page.", mark=checked.fingerprint)
    )
    return [
        said(
            "The evidence holds: nothing in it was changed since the table “{table}” signed it.", table=manifest.table
        ),
        key,
        counted("{n} event, none missing.", "{n} events, none missing.", manifest.event_count),
        _told_of_rulings(checked.ruling_count),
        said(
            "What is drawn over the photos was computed again, too, from where the camera stood as the table wrote it; "
            "that it fits what lies there is for you to see."
        ),
    ]


def _told_of_rulings(count: int) -> Said:
    if not count:
        return said("No ruling was asked for before the call, so there was none to compute again.")
    return counted(
        "{n} ruling was computed again and is the same.", "{n} rulings were computed again and are the same.", count
    )

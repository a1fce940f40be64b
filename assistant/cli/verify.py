"""``sightline verify``: verifies the evidence of a judge call, for anybody with the file."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click

from assistant.app.tournament.call_report import report_call
from assistant.app.tournament.checking import Checked, check_evidence
from assistant.app.tournament.report_page import report_html
from assistant.app.tournament.steps import past_steps
from assistant.cli.language import BadUsage, reader_language, say
from assistant.documents.evidence import EVENTS, MAX_EVIDENCE_BYTES
from assistant.documents.reading import read_bytes
from assistant.documents.table_event import table_events_from_lines
from assistant.errors import CannotDo
from assistant.kept_files import write_file
from assistant.translations.messages import Said, counted, said, spaced
from assistant.translations.speech import speech

SIGNER_UNKNOWN = 3
"""Exit status for consistent evidence whose signer is unknown."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--key",
    "fingerprint",
    metavar="FINGERPRINT",
    default=None,
    help="The key's fingerprint, as the table's page or the desk's list of keys shows it.",
)
@click.option(
    "--tournament",
    "authority",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The tournament's certificate, “tls/authority.pem” of its folder: its authority signs each table's key.",
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
def verify(*, file: Path, fingerprint: str | None, authority: Path | None, pdf: Path | None, page: Path | None) -> int:
    """Verify the evidence in FILE: signature, events, frozen documents and every ruling.

    The markers on the photos show again where the cameras stood.

    Exit status 0: the evidence holds, and the key is the table's. 1: it does not hold, with the reason. 2: this is not
    evidence. 3: nothing was changed, but nobody has said whose key signed it; give --key or --tournament.
    """
    if fingerprint is not None and not any(one.isalnum() for one in fingerprint):
        raise BadUsage(said("--key is empty. Give the fingerprint of the table's key, or leave the option out."))
    pem = None if authority is None else read_bytes(authority)
    checked = check_evidence(read_bytes(file, MAX_EVIDENCE_BYTES), str(file), fingerprint or "", pem)
    findings, news = checked.findings, _good_news(checked, _signer(checked, fingerprint, is_sealed=pem is not None))
    if not findings:
        findings, of_cameras = _cameras(checked)
        news += of_cameras
    if findings:
        raise CannotDo(_complaint(findings), document=str(file))
    for sentence in news:
        say(sentence)
    _write_reports(checked, pdf, page)
    return 0 if fingerprint or pem is not None else SIGNER_UNKNOWN


def _cameras(checked: Checked) -> tuple[tuple[Said, ...], list[Said]]:
    """Return contradictions between photos and recorded cameras, and sentences about the other cameras."""
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
    """Write the reports for people without the program, in the reader's language."""
    call, moment, parts, speaker = checked.call, checked.moment, checked.evidence.parts, speech(reader_language())
    if (pdf is None and page is None) or call is None or moment is None:
        return
    events, _ = table_events_from_lines(parts[EVENTS].splitlines())
    steps = past_steps(events, call.id)
    report = report_call(call, moment, parts.__getitem__, speaker, steps)
    if page is not None:
        write_file(page, report_html(report, parts.__getitem__, checked.fingerprint, speaker).encode())
    if pdf is not None:
        printing = import_module("assistant.app.tournament.report_pdf")  # verifying needs no cv2, but printing does
        write_file(pdf, printing.report_pdf(report, parts.__getitem__, checked.fingerprint, speaker))
    for target in filter(None, (page, pdf)):
        say(said("Written: {file}", file=str(target)))


def _complaint(findings: tuple[Said, ...]) -> Said:
    """Combine all contradictions into one sentence, with advice."""
    what = spaced(*(Said("{finding}.", {"finding": one}) for one in findings))
    return said("This evidence does not hold. {what} Ask the table for another copy and compare them.", what=what)


def _signer(checked: Checked, fingerprint: str | None, *, is_sealed: bool) -> list[Said]:
    """Return sentences about the signer, as far as a key or a tournament identifies it."""
    manifest = checked.evidence.manifest
    if not fingerprint and not is_sealed:
        return [
            said("Nothing in the evidence has changed since it was signed."),
            said(
                "Nobody has said yet whose key signed it: “{mark}”. Compare it with the key of the table "
                "“{table}”, or give --tournament.",
                mark=checked.fingerprint,
                table=manifest.table,
            ),
        ]
    by = (
        said("The evidence holds: nothing has changed since the desk “{desk}” signed it.", desk=manifest.written_at)
        if manifest.written_at
        else said("The evidence holds: nothing has changed since the table “{table}” signed it.", table=manifest.table)
    )
    return [
        by,
        *([said("Signed with the key that you gave.")] if fingerprint else []),
        *([said("The tournament's authority signed this key.")] if is_sealed else []),
    ]


def _good_news(checked: Checked, signer: list[Said]) -> list[Said]:
    manifest = checked.evidence.manifest
    return [
        *signer,
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

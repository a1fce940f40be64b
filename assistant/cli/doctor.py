"""``sightline doctor`` and ``sightline diagnostics``: the problems of this machine, and a file about it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import click

from assistant.app.care.diagnostics import finding_documents, pack_diagnostics
from assistant.app.care.examination import PARTS, State, examine
from assistant.cli.language import reader_language, say
from assistant.cli.options import data_option
from assistant.documents import read_bytes, to_json
from assistant.documents.report import MAX_REPORT_BYTES, report_from_zip
from assistant.kept_files import write_file
from assistant.profiles import Profiles
from assistant.settings import Settings
from assistant.translations.messages import counted, said
from assistant.translations.speech import speech

MARKS: dict[State, str] = {"well": "✓", "look": "?", "wrong": "✗"}


def _settings(data: Path, port: int | None) -> Settings:
    settings = Settings(data=data)
    return settings if port is None else replace(settings, port=port)


port_option = click.option("--port", type=click.IntRange(0, 65535), envvar="SIGHTLINE_PORT", help="The page's port.")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@port_option
@data_option
def doctor(*, as_json: bool, port: int | None, data: Path) -> None:
    """Check disk, matches, set-up, network, camera, strip and clock. Changes nothing."""
    findings, spoken = examine(_settings(data, port)), speech(reader_language())
    if as_json:
        click.echo(to_json({"findings": finding_documents(findings, spoken)}))
        return
    for finding in findings:
        part = spoken.text(PARTS[finding.part])
        click.echo(f"{MARKS[finding.state]} {part}: {finding.sentence.worded(spoken.language)}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--with-report",
    "reports",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Add a report of a wrong reading with its photo; repeatable.",
)
@port_option
@data_option
def diagnostics(*, file: Path, reports: tuple[Path, ...], port: int | None, data: Path) -> None:
    """Write the doctor's findings, the installed packages and the set-up into FILE, a zip for a bug report.

    Leaves out passwords, matches, devices and pictures, except for the reports that you name.
    """
    readings = {path.name: _report_bytes(path) for path in reports}
    findings = examine(_settings(data, port))
    write_file(file, pack_diagnostics(findings, Profiles(data), os.environ, speech(reader_language()), readings))
    if readings:
        text = counted(
            "{file} describes this machine and holds {n} report with its photo. It holds no password and no match.",
            "{file} describes this machine and holds {n} reports with their photos. It holds no password and no match.",
            len(readings),
            file=str(file),
        )
        say(text)
        return
    say(said("{file} describes this machine. It holds no password, match or picture.", file=str(file)))


def _report_bytes(path: Path) -> bytes:
    """Return the bytes of a valid report."""
    data = read_bytes(path, MAX_REPORT_BYTES)
    report_from_zip(data, str(path))
    return data

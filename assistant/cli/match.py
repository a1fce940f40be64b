"""``sightline match``: the matches of the data folder, to and from files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

from assistant.app.matches.archive import KeptMatches
from assistant.cli.keeping import data_option
from assistant.cli.language import say, worded
from assistant.cli.legal import judge_match
from assistant.documents import read_bytes, to_json
from assistant.errors import CannotDo
from assistant.kept_files import write_file
from assistant.match.header import MatchLabel
from assistant.translations.messages import counted, said


@click.group()
def match() -> None:
    """List, export and import whole matches, and judge saved ones."""


match.add_command(judge_match)


@match.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@data_option
def list_matches(*, as_json: bool, data: Path) -> None:
    """Every match that is kept, the newest first."""
    labels: tuple[MatchLabel, ...] = ()
    if data.is_dir():
        with _open_matches(data) as matches:
            labels = matches.labels()
    for label in labels:
        click.echo(to_json(_label_fields(label)) if as_json else _format_label(label))
    if not labels:
        say(said("no match was kept yet in {data}", data=str(data)), err=True)


@match.command("export")
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@data_option
def export_match(*, name: str, file: Path | None, data: Path) -> None:
    """Write the match NAME to FILE (or to standard output) as sightline.match/1, secrets and all."""
    with _open_matches(data) as matches:
        document = matches.exported(name)
    if file is None:
        sys.stdout.buffer.write(document)
        return
    write_file(file, document)
    event_count = document.count(b"\n") - 1
    say(counted("{n} event in {file}", "{n} events in {file}", event_count, file=str(file)))


@match.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--as", "name", metavar="NAME", help="What to call it here. Default: the file's name.")
@data_option
def import_match(*, file: Path, name: str | None, data: Path) -> None:
    """Keep the match in FILE, after every line, die, shuffle and ruling in it was checked."""
    document = read_bytes(file)
    with _open_matches(data, is_made=True) as matches:
        click.echo(_format_label(matches.imported(document, file.stem if name is None else name)))


@contextmanager
def _open_matches(data: Path, *, is_made: bool = False) -> Iterator[KeptMatches]:
    """The matches of a data folder; one that is not there yet is refused, or made."""
    if not (is_made or data.is_dir()):
        raise CannotDo(
            said(
                "there is no data folder {data} yet; begin a match first, or name the folder with --data",
                data=str(data),
            )
        )
    matches = KeptMatches(data)
    try:
        yield matches
    finally:
        matches.close()


def _label_fields(label: MatchLabel) -> dict[str, object]:
    return {name: getattr(label, name) for name in label.__struct_fields__}


def _format_label(label: MatchLabel) -> str:
    begun = datetime.fromtimestamp(label.created_t / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    events = worded(counted("{n} event", "{n} events", label.event_count))
    return f"{label.id}\t{label.ruleset}\t{begun}\t{events}\t{label.title}"

"""``sightline match``: the matches of the data folder, to and from files, and the legality of their steps."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from msgspec.structs import asdict

from assistant.app.matches.archive import KeptMatches
from assistant.cli.language import reader_language, say, worded
from assistant.cli.options import data_option
from assistant.documents import read_bytes, to_json
from assistant.errors import CannotDo
from assistant.kept_files import write_file
from assistant.match.audience import Audience
from assistant.match.header import MatchLabel
from assistant.match.replay import judge_events
from assistant.translations.messages import counted, said, said_in


@click.group()
def match() -> None:
    """List, export and import whole matches, and check saved ones against the rules."""


@match.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@data_option
def list_matches(*, as_json: bool, data: Path) -> None:
    """List the saved matches, newest first."""
    labels: tuple[MatchLabel, ...] = ()
    if data.is_dir():
        with _open_matches(data) as matches:
            labels = matches.labels()
    for label in labels:
        click.echo(to_json(asdict(label)) if as_json else _format_label(label))
    if not labels:
        say(said("There is no match in {data} yet.", data=str(data)), err=True)


@match.command("export")
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@data_option
def export_match(*, name: str, file: Path | None, data: Path) -> None:
    """Write the match NAME to FILE or standard output as sightline.match/1, including its secrets."""
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
@click.option("--as", "name", metavar="NAME", help="Save it under this name. Default: the file's name.")
@data_option
def import_match(*, file: Path, name: str | None, data: Path) -> None:
    """Check every line, die, shuffle and ruling of the match in FILE, then save it."""
    document = read_bytes(file)
    with _open_matches(data, is_made=True) as matches:
        click.echo(_format_label(matches.imported(document, file.stem if name is None else name)))


@contextmanager
def _open_matches(data: Path, *, is_made: bool = False) -> Iterator[KeptMatches]:
    """Open the matches of a data folder. Create a missing folder only with ``is_made``."""
    if not (is_made or data.is_dir()):
        raise CannotDo(
            said(
                "There is no data folder {data}. Begin a match first, or name the folder with --data.",
                data=str(data),
            )
        )
    matches = KeptMatches(data)
    try:
        yield matches
    finally:
        matches.close()


def _format_label(label: MatchLabel) -> str:
    begun = datetime.fromtimestamp(label.created_t / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    events = worded(counted("{n} event", "{n} events", label.event_count))
    return f"{label.id}\t{label.ruleset}\t{begun}\t{events}\t{label.title}"


_VERDICTS = {
    "yes": said_in("legal", "yes"),
    "no": said_in("legal", "no"),
    "by hand": said_in("legal", "by hand"),
    "set right": said_in("legal", "set right"),
}


@match.command("legal")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("seq", type=int, required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def judge_match(*, file: Path, seq: int | None, as_json: bool) -> None:
    """Check whether each step of the match in FILE was legal, by which rule and page.

    With SEQ, the number of one step, also list what else was legal. The output reveals secrets.
    """
    audience = Audience(is_judge=True, language=reader_language())
    for found in judge_events(read_bytes(file), str(file), audience, seq):
        if as_json:
            click.echo(to_json(found))
        elif seq is None:
            click.echo(_line(found))
        else:
            click.echo("\n".join(_lines(found)))


def _line(found: dict[str, Any]) -> str:
    verdict, rule = worded(_VERDICTS[found["verdict"]]), found["rule"]
    words = found["title"] if found["verdict"] != "no" else f"{found['title']}: {found['sentence']}"
    return f"{found['seq']}\t{verdict}\t{words}\t{rule['id']} ({rule['source']})"


def _lines(found: dict[str, Any]) -> Iterator[str]:
    rule = found["rule"]
    yield f"{found['seq']}  {found['title']}"
    yield found["sentence"]
    yield f"  {rule['says']} [{rule['id']}: {rule['source']}]"
    for reason in found["reasons"]:
        yield f"  {reason['text']} [{reason['rule']}: {reason['source']}]"
    yield from (f"  {note}" for note in found["notes"])
    for moved in found["moved"]:
        yield f"  {moved['text']}"
    for ask in found["alternatives"]:
        yield f"{ask['question']} {', '.join(_pick(pick) for pick in ask['picks'])}"


def _pick(pick: dict[str, Any]) -> str:
    words = pick["text"] or "+".join(f"({column}, {row})" for column, row in pick["cells"])
    cost = "" if pick["cost"] is None else f" [{pick['cost']}]"
    return f"{'*' if pick['is_chosen'] else ''}{words}{cost}"

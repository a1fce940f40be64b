"""``sightline match legal``: whether the steps of a saved match were legal, by which rule, and what else was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from assistant.cli.language import reader_language, worded
from assistant.documents import read_bytes, to_json
from assistant.match.audience import Audience
from assistant.match.replay import judge_events
from assistant.translations.messages import said_in

_VERDICTS = {
    "yes": said_in("legal", "yes"),
    "no": said_in("legal", "no"),
    "by hand": said_in("legal", "by hand"),
}


@click.command("legal")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("seq", type=int, required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def judge_match(*, file: Path, seq: int | None, as_json: bool) -> None:
    """Tell of each step of the match in FILE whether it was legal, with the rule and where it stands.

    With SEQ, the number of one step, what else would have been legal is told as well. Secrets are told, too.
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

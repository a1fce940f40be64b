"""``sightline replay``: a saved match at any of its events, verified."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.documents import read_bytes, to_json
from assistant.errors import CannotDo
from assistant.match.audience import JUDGE_VIEW
from assistant.match.replay import Replay, replay_match
from assistant.match.views import Offered, Reader, list_prompts, match_view
from assistant.translations.messages import said


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--to", metavar="NUMBER", type=int, help="Stop after the event with this number.")
def replay(file: Path, to: int | None) -> None:
    """Rebuild a saved match and check every die, shuffle and ruling in it.

    Prints the match after the last event, or the one given by --to, as the judge sees it.
    """
    result = replay_match(read_bytes(file), str(file), to)
    _require_clean(result, file)
    reader = Reader(JUDGE_VIEW, map(Offered, list_prompts(result.system, result.timeline.game)))
    view = match_view(result.header, result.system, result.timeline, reader, now_ms=result.timeline.clock.t_ms)
    document = {
        "format": "sightline.replay/1",
        "events": result.event_count,
        "at": result.timeline.seq,
        "rulings_checked": result.ruling_count,
        "view": view,
    }
    click.echo(to_json(document))


def _require_clean(result: Replay, file: Path) -> None:
    if not result.findings:
        return
    first = result.findings[0]
    raise CannotDo(
        said(
            "{count} of {all} events contradict the rules or the seed, first event {number} ({text})."
            " Compare it with the table's own record.",
            count=len(result.findings),
            all=result.timeline.seq,
            number=first.seq,
            text=first.text,
        ),
        document=str(file),
    )

"""``sightline reach``: where a figure may end its move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assistant.cli.language import BadUsage
from assistant.cli.options import house_options, option_option, read_table, ruleset_argument
from assistant.documents import reach_document, to_json
from assistant.games.doom2016.rules.places import Marks
from assistant.rules.rulesets import rule_set
from assistant.translations.messages import said

MAX_POINTS = 10_000
"""More than it takes to walk round the largest board."""

_FOR = ", as often as needed (doom2016)."


@click.command()
@ruleset_argument
@click.argument("board", type=click.Path(path_type=Path))
@click.option("--figure", required=True, metavar="ID", help="The figure that moves.")
@click.option("--points", required=True, type=click.IntRange(0, MAX_POINTS), metavar="N", help="What it may spend.")
@click.option("--open-doors", is_flag=True, help="Doors may be opened on the way, at what the rules ask for it.")
@click.option(
    "--teleporter", "active", type=int, nargs=2, multiple=True, metavar="C R", help=f"An active teleporter{_FOR}"
)
@click.option("--sleeping", type=int, nargs=2, multiple=True, metavar="C R", help=f"An inactive teleporter{_FOR}")
@click.option("--staggered", multiple=True, metavar="ID", help=f"A demon that a marine kills by entering{_FOR}")
@option_option
def reach(  # noqa: PLR0913 - click hands over every option by its name
    *,
    ruleset: str,
    board: Path,
    figure: str,
    points: int,
    open_doors: bool,
    active: tuple[tuple[int, int], ...],
    sleeping: tuple[tuple[int, int], ...],
    staggered: tuple[str, ...],
    settings: tuple[str, ...],
) -> None:
    """Where FIGURE may end a move of N points under RULESET, on the table in the file BOARD."""
    rules: Any = rule_set(ruleset, house_options(settings))
    has_marks = bool(active or sleeping or staggered)
    if has_marks and rules.name != "doom2016":
        raise BadUsage(said("teleporters and staggered demons are known for doom2016 alone; leave them out"))
    table = read_table(rules.name, board)
    if has_marks:
        marks = Marks(frozenset(active), frozenset(sleeping), frozenset(staggered))
        found = rules.marine_reach(table, figure, points, marks, open_doors=open_doors)
    else:
        found = rules.reach(table, figure, points, open_doors)
    click.echo(to_json(reach_document(found)))

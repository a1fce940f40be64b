"""``sightline reach``: where a figure may end its move."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.cli.asking import house_options, option_option, read_table, ruleset_argument
from assistant.documents import reach_document, to_json
from assistant.rules.rulesets import rule_set

MAX_POINTS = 10_000
"""More than it takes to walk round the largest board."""


@click.command()
@ruleset_argument
@click.argument("board", type=click.Path(path_type=Path))
@click.option("--figure", required=True, metavar="ID", help="The figure that moves.")
@click.option("--points", required=True, type=click.IntRange(0, MAX_POINTS), metavar="N", help="What it may spend.")
@click.option("--open-doors", is_flag=True, help="Doors may be opened on the way, at what the rules ask for it.")
@option_option
def reach(*, ruleset: str, board: Path, figure: str, points: int, open_doors: bool, settings: tuple[str, ...]) -> None:
    """Where FIGURE may end a move of N points under RULESET, on the table in the file BOARD."""
    rules = rule_set(ruleset, house_options(settings))
    click.echo(to_json(reach_document(rules.reach(read_table(rules.name, board), figure, points, open_doors))))

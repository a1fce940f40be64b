"""``sightline about``: what the table means for one figure of “Roads of the Apocalypse”."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.cli.options import house_options, language_option, option_option
from assistant.documents import about_document, free_table_from_json, read_bytes, to_json
from assistant.games.roads.rules.ruleset import Roads
from assistant.rules.reasons import reworded


@click.command()
@click.argument("free_table", type=click.Path(path_type=Path))
@click.option("--figure", metavar="ID", required=True, help="The figure that is asked about.")
@option_option
@language_option
def about(*, free_table: Path, figure: str, settings: tuple[str, ...], lang: str) -> None:
    """Tell whom a figure fights, who leads or frightens it, whom it detects, and what cover it could take."""
    rules = Roads(house_options(settings))
    table = free_table_from_json(read_bytes(free_table), str(free_table))
    reasons = reworded(rules.about(table, figure), Roads.rules, lang)
    click.echo(to_json(about_document(rules.name, figure, reasons)))

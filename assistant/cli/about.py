"""``sightline about``: the effects of a table without a grid on one figure."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from assistant.cli.options import house_options, language_option, not_known, option_option, read_free_table
from assistant.documents import about_document, to_json
from assistant.errors import UnknownName
from assistant.match.games import games, rule_set
from assistant.rules.capabilities import TellsAbout
from assistant.rules.reasons import reword
from assistant.translations.messages import said

_MM = click.IntRange(-100_000, 100_000)


@click.command()
@click.argument("free_table", type=click.Path(path_type=Path))
@click.option("--figure", metavar="ID", required=True, help="The figure.")
@click.option("--jump-to", "landing", type=_MM, nargs=2, metavar="X Y", help="Where to jump over a gap, in mm.")
@click.option("--ruleset", metavar="NAME", help="The game. Default: the first that supports this command.")
@option_option
@language_option
def about(
    *,
    free_table: Path,
    figure: str,
    landing: tuple[int, int] | None,
    ruleset: str | None,
    settings: tuple[str, ...],
    lang: str,
) -> None:
    """Print the effects of a table on one figure: its opponents, leaders, fears, detected models, climbs and cover."""
    options = house_options(settings)
    if ruleset is None:
        telling = next((game for game in games() if issubclass(game.rule_set, TellsAbout)), None)
        if telling is None:
            raise UnknownName(
                said("No installed game lists the effects of a table on a figure. Install one that does.")
            )
        ruleset = telling.id
    rules = rule_set(ruleset, options)
    if not isinstance(rules, TellsAbout):
        raise not_known("sightline about", TellsAbout)
    place = None if landing is None else (Fraction(landing[0]), Fraction(landing[1]))
    found = rules.about(read_free_table(free_table), figure, place)
    click.echo(to_json(about_document(ruleset, figure, reword(found, rules.rules, lang), rules.rules, lang)))

"""``sightline rule``: who may attack whom, with range, line of sight, cover and the reasons."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.cli.asking import house_options, language_option, option_option, read_table, ruleset_argument
from assistant.documents import ruling_document, to_json
from assistant.rules.reasons import in_language
from assistant.rules.rulesets import rule_set


@click.command()
@ruleset_argument
@click.argument("board", type=click.Path(path_type=Path))
@click.option("--from", "attacker", metavar="ID", help="The figure that attacks.")
@click.option("--to", "defender", metavar="ID", help="The figure that is attacked.")
@click.option("--pairs", is_flag=True, help="A ruling for every ordered pair of figures on different sides.")
@option_option
@language_option
def rule(  # noqa: PLR0913 - click hands over every option by its name
    *,
    ruleset: str,
    board: Path,
    attacker: str | None,
    defender: str | None,
    pairs: bool,
    settings: tuple[str, ...],
    lang: str,
) -> None:
    """Rule on one pair of figures, or on all pairs, under RULESET, on the table in the file BOARD."""
    if pairs == bool(attacker or defender) or bool(attacker) != bool(defender):
        raise click.UsageError("say either --from ID --to ID or --pairs")
    rules = rule_set(ruleset, house_options(settings))
    table = read_table(rules.name, board)
    rulings = iter([rules.rule(table, attacker, defender)]) if attacker and defender else rules.pairs(table)
    for ruling in rulings:
        click.echo(to_json(ruling_document(in_language(ruling, rules.rules, lang))))

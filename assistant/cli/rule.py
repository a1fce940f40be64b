"""``sightline rule``: who may attack whom, with range, line of sight, cover and the reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assistant.cli.asking import (
    house_options,
    language_option,
    option_option,
    read_table,
    ruleset_argument,
)
from assistant.documents import ruling_document, to_json
from assistant.rules.reasons import in_language
from assistant.rules.rulesets import rule_set


@click.command()
@ruleset_argument
@click.argument("board", type=click.Path(path_type=Path))
@click.option("--from", "attacker", metavar="ID", help="The figure that attacks.")
@click.option("--to", "defender", metavar="ID", help="The figure that is attacked.")
@click.option("--pairs", is_flag=True, help="A ruling for every ordered pair of figures on different sides.")
@click.option("--explain", is_flag=True, help="Name the smallest changes that would flip the answer.")
@click.option("--origin", type=int, nargs=2, metavar="X Y", help="The corner that the attacker names (doom2016).")
@click.option("--space", type=int, nargs=2, metavar="C R", help="The space that the attack names (doom2004).")
@option_option
@language_option
def rule(  # noqa: PLR0913 - click hands over every option by its name
    *,
    ruleset: str,
    board: Path,
    attacker: str | None,
    defender: str | None,
    pairs: bool,
    explain: bool,
    origin: tuple[int, int] | None,
    space: tuple[int, int] | None,
    settings: tuple[str, ...],
    lang: str,
) -> None:
    """Rule on one pair of figures, or on all pairs, under RULESET, on the table in the file BOARD."""
    if pairs == (attacker is not None or defender is not None) or (attacker is None) != (defender is None):
        raise click.UsageError("say either --from ID --to ID or --pairs")
    rules: Any = rule_set(ruleset, house_options(settings))
    named = _named(rules.name, origin=origin, space=space)
    if named and pairs:
        raise click.UsageError("a corner or a space is named for one pair; say --from ID --to ID with it")
    table = read_table(rules.name, board)
    rulings = iter([rules.rule(table, attacker, defender, **named)]) if not pairs else rules.pairs(table)
    for ruling in rulings:
        told = rules.explained(table, ruling, **named) if explain else ruling
        click.echo(to_json(ruling_document(in_language(told, rules.rules, lang))))


def _named(ruleset: str, **places: tuple[int, int] | None) -> dict[str, Any]:
    """What the attacker named, for the rule set that knows such a thing."""
    named = {name: place for name, place in places.items() if place is not None}
    for name in named:
        if _NAMED_BY.get(name) != ruleset:
            raise click.UsageError(f"--{name} is for {_NAMED_BY[name]}")
    return named


_NAMED_BY = {"origin": "doom2016", "space": "doom2004"}

"""``sightline rule``: who may attack whom, with range, line of sight, cover and the reasons."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from assistant.cli.language import BadUsage
from assistant.cli.options import (
    FREE_TABLE_RULE_SETS,
    house_options,
    language_option,
    option_option,
    read_doubtful,
    read_table,
    ruleset_argument,
)
from assistant.documents import ruling_document, to_json
from assistant.rules.doubtful import judged, with_flips
from assistant.rules.reasons import in_language
from assistant.rules.rulesets import rule_set
from assistant.rules.ruling import Ruling
from assistant.translations.messages import said


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
    """Rule on one pair of figures, or on all pairs, under RULESET, on the table in the file BOARD.

    BOARD may also be what a photo showed, as sightline detect prints it; how sure a ruling is then stands in it, and
    --explain names first what the camera could not tell for sure and would make the answer another one.
    """
    if pairs == (attacker is not None or defender is not None) or (attacker is None) != (defender is None):
        raise BadUsage(said("say either --from ID --to ID or --pairs"))
    rules: Any = rule_set(ruleset, house_options(settings))
    named = _named(rules.name, origin=origin, space=space)
    if named and pairs:
        raise BadUsage(said("a corner or a space is named for one pair; say --from ID --to ID with it"))
    asked = None if pairs else (str(attacker), str(defender))
    tell = _on_free_table if rules.name in FREE_TABLE_RULE_SETS else _on_board
    for ruling in tell(rules, board, asked, named, explain=explain):
        click.echo(to_json(ruling_document(in_language(ruling, rules.rules, lang))))


_Asked = tuple[str, str] | None
"""Who attacks whom; None for every pair."""


def _on_board(rules: Any, path: Path, asked: _Asked, named: dict[str, Any], *, explain: bool) -> Iterator[Ruling]:
    table = read_doubtful(path)
    for ruling in _rulings(rules, table.board, asked, named):
        ask = rules.asking(table.board, ruling, **named)
        told = judged(ask, table, ruling, only_hinders=rules.only_hinders)
        if explain:
            told = rules.explained(table.board, with_flips(ask, table, told), **named)
        yield told


def _on_free_table(rules: Any, path: Path, asked: _Asked, named: dict[str, Any], *, explain: bool) -> Iterator[Ruling]:
    table = read_table(rules.name, path)
    for ruling in _rulings(rules, table, asked, named):
        yield rules.explained(table, ruling) if explain else ruling


def _rulings(rules: Any, table: Any, asked: _Asked, named: dict[str, Any]) -> Iterator[Ruling]:
    return rules.pairs(table) if asked is None else iter([rules.rule(table, *asked, **named)])


def _named(ruleset: str, **places: tuple[int, int] | None) -> dict[str, Any]:
    """What the attacker named, for the rule set that knows such a thing."""
    named = {name: place for name, place in places.items() if place is not None}
    for name in named:
        if _NAMED_BY.get(name) != ruleset:
            raise BadUsage(said("--{name} is for {game}", name=name, game=_NAMED_BY[name]))
    return named


_NAMED_BY = {"origin": "doom2016", "space": "doom2004"}

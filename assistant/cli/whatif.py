"""``sightline whatif``: a map of the board for one question about where a figure might stand."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from assistant.cli.language import BadUsage
from assistant.cli.options import house_options, ids_of, option_option, read_board, ruleset_argument
from assistant.documents import sight_map_document, to_json
from assistant.errors import UnknownName
from assistant.match.games import games, rule_set
from assistant.rules.ruleset import CellRules
from assistant.rules.whatif import SightCondition, sight_map
from assistant.translations.messages import said


@click.command()
@ruleset_argument
@click.argument("board", type=click.Path(path_type=Path))
@click.option("--figure", required=True, metavar="ID", help="The figure that might stand elsewhere.")
@click.option("--target", metavar="ID", help="Whom it is to see; not asked for “safe”.")
@click.option("--question", type=click.Choice(get_args(SightCondition)), default="sees", show_default=True)
@option_option
def whatif(
    *, ruleset: str, board: Path, figure: str, target: str | None, question: SightCondition, settings: tuple[str, ...]
) -> None:
    """From which cells FIGURE would see the target, see it unseen, have it without cover, or be safe."""
    rules = rule_set(ruleset, house_options(settings))
    if not isinstance(rules, CellRules):
        known = ids_of(game for game in games() if game.table == "cells")
        raise UnknownName(said("maps are drawn on boards; choose one of: {known}", known=known))
    if question == "safe" and target is not None:
        raise BadUsage(said("the question “safe” is about all enemies; leave out --target"))
    found = sight_map(rules, read_board(board), question, figure, target)
    click.echo(to_json(sight_map_document(rules.name, found)))

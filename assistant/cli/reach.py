"""``sightline reach`` and ``sightline whatif``: spaces that a figure can reach, or from which it would see."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from assistant.cli.language import BadUsage
from assistant.cli.options import house_options, ids_of, not_known, option_option, read_board, ruleset_argument
from assistant.documents import reach_document, sight_map_document, to_json
from assistant.errors import UnknownName
from assistant.match.games import games, rule_set
from assistant.rules.capabilities import FindsReach, HasTeleporters, Marks
from assistant.rules.ruleset import CellRules
from assistant.rules.whatif import SightCondition, sight_map
from assistant.translations.messages import said

MAX_POINTS = 10_000
"""Cap on movement points: more than enough to walk around the largest board."""


@click.command()
@ruleset_argument
@click.argument("board", type=click.Path(path_type=Path))
@click.option("--figure", required=True, metavar="ID", help="The figure that moves.")
@click.option("--points", required=True, type=click.IntRange(0, MAX_POINTS), metavar="N", help="Its movement points.")
@click.option("--open-doors", is_flag=True, help="Allow opening doors, at their movement cost.")
@click.option(
    "--teleporter",
    "active",
    type=int,
    nargs=2,
    multiple=True,
    metavar="C R",
    help="An active teleporter; repeatable.",
)
@click.option(
    "--sleeping",
    type=int,
    nargs=2,
    multiple=True,
    metavar="C R",
    help="An inactive teleporter; repeatable.",
)
@click.option(
    "--staggered",
    multiple=True,
    metavar="ID",
    help="A staggered enemy, killed by entering its space; repeatable.",
)
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
    """List the spaces where FIGURE may end a move of N points under RULESET, on the board in the file BOARD."""
    rules = rule_set(ruleset, house_options(settings))
    if active or sleeping or staggered:
        marks = Marks(frozenset(active), frozenset(sleeping), frozenset(staggered))
        if not isinstance(rules, HasTeleporters):
            raise not_known("--teleporter, --sleeping, --staggered", HasTeleporters)
        found = rules.marked_reach(read_board(board), figure, points, marks, open_doors=open_doors)
    elif isinstance(rules, FindsReach):
        found = rules.reach(read_board(board), figure, points, open_doors)
    else:
        raise UnknownName(
            said("“{game}” does not count moves in spaces. Measure the move on the table.", game=ruleset)
            if isinstance(rules, CellRules)
            else said("“{game}” is played without spaces. Measure the move on the table.", game=ruleset)
        )
    click.echo(to_json(reach_document(found)))


@click.command()
@ruleset_argument
@click.argument("board", type=click.Path(path_type=Path))
@click.option("--figure", required=True, metavar="ID", help="The figure that might stand elsewhere.")
@click.option("--target", metavar="ID", help="The target; leave it out for “safe”.")
@click.option(
    "--question", type=click.Choice(get_args(SightCondition)), default="sees", show_default=True, help="Which spaces."
)
@option_option
def whatif(
    *, ruleset: str, board: Path, figure: str, target: str | None, question: SightCondition, settings: tuple[str, ...]
) -> None:
    """Map the spaces from which FIGURE would see the target, see it unseen, attack it without cover, or be safe."""
    rules = rule_set(ruleset, house_options(settings))
    if not isinstance(rules, CellRules):
        known = ids_of(game for game in games() if game.table == "cells")
        raise UnknownName(said("Only games on boards have such maps. Choose from: {known}.", known=known))
    if question == "safe" and target is not None:
        raise BadUsage(said("The question “safe” is about all enemies. Leave out --target."))
    found = sight_map(rules, read_board(board), question, figure, target)
    click.echo(to_json(sight_map_document(rules.name, found)))

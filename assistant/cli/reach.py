"""``sightline reach``: where a figure may end its move."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.cli.options import house_options, not_known, option_option, read_board, ruleset_argument
from assistant.documents import reach_document, to_json
from assistant.errors import UnknownName
from assistant.match.games import rule_set
from assistant.rules.capabilities import FindsReach, HasTeleporters, Marks
from assistant.rules.ruleset import CellRules
from assistant.translations.messages import said

MAX_POINTS = 10_000
"""More than it takes to walk round the largest board."""


@click.command()
@ruleset_argument
@click.argument("board", type=click.Path(path_type=Path))
@click.option("--figure", required=True, metavar="ID", help="The figure that moves.")
@click.option("--points", required=True, type=click.IntRange(0, MAX_POINTS), metavar="N", help="What it may spend.")
@click.option("--open-doors", is_flag=True, help="Doors may be opened on the way, at what the rules ask for it.")
@click.option(
    "--teleporter",
    "active",
    type=int,
    nargs=2,
    multiple=True,
    metavar="C R",
    help="An active teleporter, as often as needed, where a game knows such.",
)
@click.option(
    "--sleeping",
    type=int,
    nargs=2,
    multiple=True,
    metavar="C R",
    help="An inactive teleporter, as often as needed, where a game knows such.",
)
@click.option(
    "--staggered",
    multiple=True,
    metavar="ID",
    help="An enemy that a figure kills by entering, as often as needed, where a game knows such.",
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
    """Where FIGURE may end a move of N points under RULESET, on the table in the file BOARD."""
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
            said("“{game}” counts no moves, so there is no reach to list; measure moves on the table", game=ruleset)
            if isinstance(rules, CellRules)
            else said("“{game}” is played without cells, so there is no reach; measure moves there", game=ruleset)
        )
    click.echo(to_json(reach_document(found)))

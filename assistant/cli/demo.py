"""``sightline demo``: the whole system on a simulated table."""

from __future__ import annotations

from typing import Any

import click

from assistant.app.matches.choice import demo_games
from assistant.cli.keeping import DEMO_DATA
from assistant.cli.serving import game_options, match_options, serve, setting_options


@click.command()
@click.option(
    "--game",
    type=click.Choice(list(demo_games())),
    help="The game that is shown, on a table of its own. Default: the first one.",
)
@click.option(
    "--tour/--no-tour",
    default=True,
    help="Begin with a still table and a short tour on the page. Without it hands move the figures from the start.",
)
@match_options
@game_options
@setting_options
def demo(**options: Any) -> None:
    """Open the page on a simulated table with moving figures and a virtual LED strip; runs until stopped.

    Whoever opens the page may play every side of its match, and see every hand.

    Photos that are handed in are read by the documents named here, or by the sample game's. Matches are kept in a data
    folder of the demo's own, unless one is named.
    """
    if options["match"] is None and options["mission"] is None:
        options["guests"] = options["guests"] or "judge"  # whoever tries it alone needs the cards of both sides
    options["data"] = options["data"] or DEMO_DATA
    serve(options, is_simulated=True)

"""``sightline setup``: from nothing to a table that is read, in the browser."""

from __future__ import annotations

from typing import Any

import click

from assistant.cli.serving import game_options, match_options, serve, setting_options


@click.command()
@click.option("--browser/--no-browser", default=True, help="Whether to open the page in this machine's browser.")
@match_options
@game_options
@setting_options
def setup(*, browser: bool, **options: Any) -> None:
    """Set up camera, table and game step by step in the browser; runs until stopped.

    Every step has a twin in the terminal: sheets, lens, table, profile (which keeps the whole set-up under a name, and
    reads a photo with it by --try), backup and restore.
    """
    serve(options, is_simulated=False, page="/setup", shows=click.launch if browser else str)

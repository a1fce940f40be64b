"""``sightline run``: the page on the real table."""

from __future__ import annotations

from typing import Any

import click

from assistant.cli.serving import game_options, match_options, serve, setting_options


@click.command()
@match_options
@game_options
@setting_options
def run(**options: Any) -> None:
    """Open the page for photos of the real table; runs until stopped."""
    serve(options, is_simulated=False)

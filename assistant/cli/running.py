"""``sightline run``: the page on the real table."""

from __future__ import annotations

from typing import Any

import click

from assistant.cli.serving import game_options, match_options, serve, setting_options


@click.command()
@click.option("--safe", is_flag=True, help="Start in safe mode, as after two starts that failed.")
@match_options
@game_options
@setting_options
def run(*, safe: bool, **options: Any) -> None:
    """Open the page for photos of the real table; runs until stopped.

    After two starts that failed it comes up in safe mode: without camera, light, kept set-up, last match, recording,
    tournament and TUIO. The start after that is an ordinary one again.
    """
    serve(options, is_simulated=False, is_safe=safe)

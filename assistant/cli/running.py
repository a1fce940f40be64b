"""``sightline demo``, ``run``, ``record`` and ``setup``: the page on a simulated or the real table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assistant.app.matches.choice import demo_games
from assistant.cli.options import DEMO_DATA
from assistant.cli.serving import game_options, match_options, serve, setting_options


@click.command()
@click.option(
    "--game",
    type=click.Choice(list(demo_games())),
    help="The game to show; each has its own table. Default: the first one.",
)
@click.option(
    "--tour/--no-tour",
    default=True,
    help="Start with a still table and a short tour, or with hands moving the figures.",
)
@match_options
@game_options
@setting_options
def demo(**options: Any) -> None:
    """Open the page on a simulated table with moving figures and a virtual LED strip. Runs until stopped.

    Everybody who opens the page may play every side and see every hand.

    The options name the documents for reading uploaded photos; default: the sample game's. The demo keeps its matches
    in its own data folder.
    """
    if options["match"] is None and options["mission"] is None:
        options["guests"] = options["guests"] or "judge"  # trying it alone needs the cards of both sides
    options["data"] = options["data"] or DEMO_DATA
    serve(options, is_simulated=True)


@click.command()
@click.option("--safe", is_flag=True, help="Start in safe mode, as after two failed starts.")
@match_options
@game_options
@setting_options
def run(*, safe: bool, **options: Any) -> None:
    """Open the page for the real table. Runs until stopped.

    After two failed starts it starts in safe mode: without camera, light, saved set-up, last match, recording,
    tournament and TUIO. The next start is normal again.
    """
    serve(options, is_simulated=False, is_safe=safe)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@match_options
@game_options
@setting_options
def record(file: Path, **options: Any) -> None:
    """Watch the table as “run” does and record it into the new file FILE, until stopped or full.

    Play it back with “run --camera replay:FILE”. Every frame gives the same result.
    """
    camera = options.pop("camera") or "usb:0"
    serve({**options, "camera": camera, "record": str(file)}, is_simulated=False)


@click.command()
@click.option("--browser/--no-browser", default=True, help="Open the page in this machine's browser.")
@match_options
@game_options
@setting_options
def setup(*, browser: bool, **options: Any) -> None:
    """Set up camera, table and game step by step in the browser. Runs until stopped.

    Every step also has a command: sheets, lens, table, profile, backup and restore.
    """
    serve(options, is_simulated=False, page="/setup", shows=click.launch if browser else str)

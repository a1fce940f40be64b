"""``sightline record``: the page on the real table, with everything that the camera shows kept in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assistant.cli.serving import game_options, match_options, serve, setting_options

USUAL_CAMERA = "usb:0"


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@match_options
@game_options
@setting_options
def record(file: Path, **options: Any) -> None:
    """Watch the table as run does, and record it in the new file FILE until stopped or full.

    What was recorded is played back with run --camera replay:FILE, with the same result frame for frame.
    """
    camera = options.pop("camera") or USUAL_CAMERA
    serve({**options, "camera": camera, "record": str(file)}, is_simulated=False)

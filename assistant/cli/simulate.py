"""``sightline simulate``: photos of simulated tables with their exact truth."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the first scene.")
@click.option(
    "--count", type=click.IntRange(min=1, max=100_000), default=10, show_default=True, help="How many scenes."
)
@click.option(
    "--bucket",
    type=click.Choice(["easy", "normal", "hard", "mixed"]),
    default="mixed",
    show_default=True,
    help="How hard the photos are to read.",
)
@click.option(
    "--frames",
    type=click.IntRange(min=0, max=10_000),
    default=0,
    show_default=True,
    help="Write a sequence of so many frames for each scene, in which figures are moved by hand; 0 for single photos.",
)
@click.option("--free", is_flag=True, help="Skirmishes on tables without a grid, in place of boards of tiles.")
@click.option("--fps", type=click.FloatRange(min=0.1, max=60), default=2.0, show_default=True, help="Frames a second.")
def simulate(  # noqa: PLR0913 - click hands over every option by its name
    *,
    out: Path,
    seed: int,
    count: int,
    bucket: Literal["easy", "normal", "hard", "mixed"],
    frames: int,
    fps: float,
    free: bool,
) -> None:
    """Render COUNT photos of simulated games into the folder OUT, with truth, tile sets and list.json.

    The same seed always gives the same files.
    """
    from vision.simulation import dataset, free_dataset, sequences  # noqa: PLC0415 - cv2 is loaded only when needed

    if free:
        names = free_dataset.write_free_scenes(out, seed=seed, count=count)
    elif frames:
        names = sequences.write_sequences(out, seed=seed, count=count, bucket=bucket, frames=frames, frames_per_s=fps)
    else:
        names = dataset.write_scenes(out, seed=seed, count=count, bucket=bucket)
    for name in names:
        click.echo(name)

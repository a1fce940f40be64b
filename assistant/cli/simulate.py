"""``sightline simulate``: photos of simulated tables with their exact truth."""

from __future__ import annotations

from pathlib import Path

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
def simulate(out: Path, seed: int, count: int, bucket: str) -> None:
    """Render COUNT photos of simulated games into the folder OUT, with truth, tile sets and list.json.

    The same seed always gives the same files.
    """
    from vision.simulation.dataset import write_scenes  # noqa: PLC0415 - cv2 is loaded only when it is needed

    for name in write_scenes(out, seed=seed, count=count, bucket=bucket):  # type: ignore[arg-type] # checked by Choice
        click.echo(name)

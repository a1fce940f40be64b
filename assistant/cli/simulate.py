"""``sightline simulate``: photos of simulated tables with their ground truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from assistant.cli import language
from assistant.table.board import Board
from assistant.table.free_table import FreeTable

if TYPE_CHECKING:
    from assistant.cli.disputes import FigurePlaces

_Render = Callable[[Sequence[Mapping[str, Any]]], Any]


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="The seed of the first scene.")
@click.option(
    "--count", type=click.IntRange(min=1, max=100_000), default=10, show_default=True, help="The number of scenes."
)
@click.option(
    "--bucket",
    type=click.Choice(["easy", "normal", "hard", "mixed", "evening"]),
    default="mixed",
    show_default=True,
    help="The difficulty of the photos.",
)
@click.option(
    "--frames",
    type=click.IntRange(min=0, max=10_000),
    default=0,
    show_default=True,
    help="Write a film of this many frames for each scene, with hands moving figures; 0 for single photos.",
)
@click.option("--free", is_flag=True, help="Render skirmishes on tables without a grid instead of boards of tiles.")
@click.option(
    "--disputes",
    is_flag=True,
    help="Render classic disputes instead of random tables, each with picture, answer and rule.",
)
@click.option(
    "--fps", type=click.FloatRange(min=0.1, max=60), default=2.0, show_default=True, help="Frames per second of a film."
)
def simulate(  # noqa: PLR0913 - click hands over every option by its name
    *,
    out: Path,
    seed: int,
    count: int,
    bucket: Literal["easy", "normal", "hard", "mixed", "evening"],
    frames: int,
    fps: float,
    free: bool,
    disputes: bool,
) -> None:
    """Render COUNT photos of simulated games into the folder OUT, with their ground truth, tile sets and a list.json.

    The same seed always gives the same files.
    """
    from vision.simulation import dataset  # noqa: PLC0415 - cv2 is loaded only when needed

    if disputes:
        from assistant.cli.disputes import write_disputes  # noqa: PLC0415 - as above

        names = write_disputes(out, _set_up, language.reader_language())
    elif free:
        names = dataset.write_free_scenes(out, seed=seed, count=count)
    elif frames:
        names = dataset.write_sequences(out, seed=seed, count=count, bucket=bucket, frames=frames, frames_per_s=fps)
    else:
        names = dataset.write_scenes(out, seed=seed, count=count, bucket=bucket)
    for name in names:
        click.echo(name)


def _set_up(name: str, stands: FigurePlaces | FreeTable) -> tuple[Board | FreeTable, _Render]:
    """Set up a dispute's table, and return it with a function that photographs it with a ruling's lines."""
    from vision.simulation import by_hand  # noqa: PLC0415 - as above

    scene = (
        by_hand.FreeHandScene(name, stands)
        if isinstance(stands, FreeTable)
        else by_hand.set_up_by_hand(name, stands.figures, stands.doors)
    )

    def render(lines: Sequence[Mapping[str, Any]]) -> Any:
        return scene.picture(
            [
                by_hand.ThreadLine(
                    tuple(line["from"]), tuple(line["to"]), line["blocked_by"] is None, line["purpose"] == "sight"
                )
                for line in lines
            ]
        )

    return scene.board, render

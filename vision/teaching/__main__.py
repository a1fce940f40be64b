"""``python -m vision.teaching OUT``: the network for printed lines, from simulated boards to the file that ships.

The same seeds give the same file on the same machine. Copy ``OUT`` to ``vision/data/edges.npz`` to ship it.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from vision.teaching.edge_fit import FitSamples, fit, fit_samples, save
from vision.teaching.edge_samples import flat_sample, rendered_sample

FIRST_FLAT, FIRST_RENDERED = 100, 10_000
"""Seeds of the first boards; those of the bench and of the tests lie elsewhere."""


@click.command()
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--flat", type=click.IntRange(0), default=900, show_default=True, help="Boards put together flat.")
@click.option("--rendered", type=click.IntRange(0), default=60, show_default=True, help="Boards rendered with figures.")
@click.option("--looks", type=click.IntRange(1), default=2, show_default=True, help="Lights in which each is shown.")
@click.option("--epochs", type=click.IntRange(1), default=30, show_default=True, help="Rounds through all of them.")
@click.option("--seed", type=int, default=0, show_default=True, help="Where the chance of the fit comes from.")
def main(*, out: Path, flat: int, rendered: int, looks: int, epochs: int, seed: int) -> None:
    """Make the boards, fit the network and write it to OUT."""
    rng = np.random.default_rng(seed)
    makers = [(rendered_sample, FIRST_RENDERED + i) for i in range(rendered)]
    makers += [(flat_sample, FIRST_FLAT + i) for i in range(flat)]
    parts = []
    for number, (make, board_seed) in enumerate(makers, start=1):
        board = make(board_seed)
        parts += [fit_samples(board, rng) for _ in range(looks)]
        if number % 50 == 0:
            click.echo(f"{number} of {len(makers)} boards")
    rounds = []
    for network, loss in fit(FitSamples.joined(parts), epochs=epochs, seed=seed):
        rounds.append(network)
        click.echo(f"round {len(rounds)} of {epochs}, loss {loss:.4f}")
    out.parent.mkdir(parents=True, exist_ok=True)
    save(rounds[-1], out)


if __name__ == "__main__":
    main()

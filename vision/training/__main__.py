"""``python -m vision.training OUT``: makes samples, fits both networks, writes them as ONNX into OUT.

Samples are kept in OUT in parts of ``--part`` tables, so that an interrupted run goes on where it was.
The same seeds and versions give the same samples; copy the two files into ``vision/data`` to use them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
import numpy as np

from vision.images import Numbers
from vision.training.networks import Averaged, FitSettings, export, fit, logits_of
from vision.training.samples import Samples, samples_of

_HELD_OUT = 0.1
"""Share of the parts that is kept for the report."""


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--tables", default=300, show_default=True, help="How many simulated tables.")
@click.option("--part", default=20, show_default=True, help="How many tables a file of samples holds.")
@click.option("--seed", default=1, show_default=True, help="Seed of the first table.")
@click.option("--epochs", default=14, show_default=True, help="Rounds of a fit.")
@click.option("--fits", default=3, show_default=True, help="How many fits are averaged.")
def main(out: Path, tables: int, part: int, seed: int, epochs: int, fits: int) -> None:
    """Fit the networks that judge doors and bases on simulated tables."""
    out.mkdir(parents=True, exist_ok=True)
    parts = [_part(out, start, min(part, seed + tables - start)) for start in range(seed, seed + tables, part)]
    held_out = parts[: max(1, round(_HELD_OUT * len(parts)))]
    fitted = parts[len(held_out) :] or held_out
    for name, settings in (
        ("doors", FitSettings(2, epochs, 5.0, (1.0, 3.0))),
        ("bases", FitSettings(3, epochs, 2.0, (1.0, 1.0, 1.0))),
    ):
        patches, labels = _joined(fitted, name)
        networks = []
        for attempt in range(fits):
            rounds = []
            for network, loss in fit(patches, labels, replace(settings, seed=attempt)):
                rounds.append(network)
                click.echo(f"{name}: fit {attempt + 1} of {fits}, round {len(rounds)} of {epochs}, loss {loss:.4f}")
            networks.append(rounds[-1])
        network = Averaged(networks)
        export(network, patches.shape[2:], out / f"{name}.onnx")
        seen, truth = _joined(held_out, name)
        right = logits_of(network, seen).argmax(axis=1) == truth
        click.echo(f"{name}: {right.mean():.4f} right of {len(truth)} patches held out")


def _part(out: Path, start: int, count: int) -> Samples:
    path = out / f"samples-{start}-{count}.npz"
    if not path.exists():
        made = [samples_of(seed) for seed in range(start, start + count)]
        np.savez(
            path,
            door_patches=np.concatenate([s.door_patches for s in made]),
            door_labels=np.concatenate([s.door_labels for s in made]),
            base_patches=np.concatenate([s.base_patches for s in made]),
            base_labels=np.concatenate([s.base_labels for s in made]),
        )
        click.echo(f"{path.name} made")
    with np.load(path) as kept:
        return Samples(kept["door_patches"], kept["door_labels"], kept["base_patches"], kept["base_labels"])


def _joined(parts: list[Samples], name: str) -> tuple[Numbers, Numbers]:
    if name == "doors":
        return np.concatenate([p.door_patches for p in parts]), np.concatenate([p.door_labels for p in parts])
    return np.concatenate([p.base_patches for p in parts]), np.concatenate([p.base_labels for p in parts])


if __name__ == "__main__":
    main()

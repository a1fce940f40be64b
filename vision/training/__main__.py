"""``python -m vision.training networks OUT``: makes samples, fits two networks, writes them as ONNX into OUT.

``rings OUT`` fits the one that tells rings, ``edges OUT`` the one that reads printed lines; ``standing OUT`` then the
chances of figures and doors, with the networks in ``vision/data``; ``tiles OUT LIST...`` those of tiles and ``ground
OUT LIST...`` the network that tells print from table, on photos made by ``sightline simulate``. Samples of ``networks``
are kept in OUT in parts of ``--part`` tables, so that an interrupted run goes on where it was. The same seeds and
versions give the same samples; copy the files into ``vision/data`` to use them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click
import numpy as np
from jaxtyping import Int, UInt8

from calibration.arrays import Numbers
from vision.patches import CHANNELS
from vision.ring_strips import ANGLES, INSETS
from vision.ring_strips import CHANNELS as RING_CHANNELS
from vision.teaching import edge_patches
from vision.tile_evidence import model_document
from vision.training.edge_fit import STEPS_REPORTED, fit_edges
from vision.training.edge_samples import flat_sample, rendered_sample
from vision.training.edge_views import LabelledBoard, label_edges
from vision.training.ground_fit import ground_samples
from vision.training.networks import Averaged, FitSettings, export, fit, fit_ground, logits_of
from vision.training.ring_fit import (
    RingSamples,
    fit_rings,
    joined,
    right_share,
    ring_samples,
    table_with_plain_bases,
)
from vision.training.samples import Samples, table_of, thinned_samples_of
from vision.training.standing_fit import DoorSample, FigureSample, door_document, figure_document, standing_samples
from vision.training.tile_fit import TileSample, fit_tiles, tile_samples
from vision.training.witness_fit import witness_document, witness_samples

_HELD_OUT = 0.1
"""Share of the parts that is kept for the report."""


_FIRST_FLAT, _FIRST_RENDERED = 100, 10_000
"""Seeds of the first boards for printed lines; those of the bench and of the tests lie elsewhere."""

_RENDERED_SHOWN = 3.0
"""A rendered board is nearer to a photo than a flat one: each is shown so much more often."""

_OUT = click.Path(path_type=Path, file_okay=False)


@click.group()
def main() -> None:
    """Fit what is learned to simulated tables."""


@main.command()
@click.argument("out", type=_OUT)
@click.option("--tables", default=1700, show_default=True, help="How many simulated tables.")
@click.option("--part", default=50, show_default=True, help="How many tables a file of samples holds.")
@click.option("--seed", default=20_000, show_default=True, help="Seed of the first table.")
@click.option("--epochs", default=12, show_default=True, help="Rounds of a fit.")
@click.option("--fits", default=1, show_default=True, help="How many fits are averaged.")
def networks(out: Path, tables: int, part: int, seed: int, epochs: int, fits: int) -> None:
    """Fit the networks that judge doors and bases on simulated tables."""
    out.mkdir(parents=True, exist_ok=True)
    parts = [_part(out, start, min(part, seed + tables - start)) for start in range(seed, seed + tables, part)]
    held_out = parts[: max(1, round(_HELD_OUT * len(parts)))]
    fitted = parts[len(held_out) :] or held_out
    for name, settings in (
        ("doors", FitSettings(2, epochs, 4.0, (1.0, 2.0))),
        ("bases", FitSettings(3, epochs, 1.6, (1.0, 1.0, 1.0))),
    ):
        patches, labels = _joined(fitted, name)
        fits_made = []
        for attempt in range(fits):
            rounds = []
            for network, loss in fit(patches, labels, replace(settings, seed=attempt)):
                rounds.append(network)
                click.echo(f"{name}: fit {attempt + 1} of {fits}, round {len(rounds)} of {epochs}, loss {loss:.4f}")
            fits_made.append(rounds[-1])
        network = Averaged(fits_made)
        export(network, CHANNELS, patches.shape[2:], out / f"{name}.onnx")
        seen, truth = _joined(held_out, name)
        right = logits_of(network, seen).argmax(axis=1) == truth
        click.echo(f"{name}: {right.mean():.4f} right of {len(truth)} patches held out")


@main.command()
@click.argument("out", type=_OUT)
@click.option("--tables", default=1200, show_default=True, help="How many simulated tables.")
@click.option("--seed", default=70_000, show_default=True, help="Seed of the first table.")
@click.option("--epochs", default=8, show_default=True, help="Rounds of the fit.")
def rings(out: Path, tables: int, seed: int, epochs: int) -> None:
    """Fit the network that tells which ring a base has."""
    out.mkdir(parents=True, exist_ok=True)
    parts: list[RingSamples] = []
    for number in range(seed, seed + tables):
        rng = np.random.default_rng([number, 80])
        parts.append(ring_samples(*table_with_plain_bases(number, rng), rng))
        click.echo(f"table {len(parts)} of {tables}: {len(parts[-1].labels)} places")
    held_out = max(1, round(_HELD_OUT * tables))
    rounds = []
    for network, loss in fit_rings(joined(parts[held_out:] or parts), epochs):
        rounds.append(network)
        click.echo(f"rings: round {len(rounds)} of {epochs}, loss {loss:.4f}")
    export(rounds[-1], RING_CHANNELS, (INSETS, ANGLES), out / "rings.onnx")
    click.echo(f"rings: {right_share(rounds[-1], joined(parts[:held_out])):.4f} right of the places held out")


@main.command()
@click.argument("out", type=_OUT)
@click.option("--flat", default=3200, show_default=True, help="Boards put together flat.")
@click.option("--rendered", default=60, show_default=True, help="Boards rendered as photos.")
@click.option("--steps", default=5000, show_default=True, help="Steps of the fit, ten boards each.")
def edges(out: Path, flat: int, rendered: int, steps: int) -> None:
    """Fit the network that reads what is printed on edges."""
    out.mkdir(parents=True, exist_ok=True)
    makers = [(flat_sample, _FIRST_FLAT + i) for i in range(flat)]
    makers += [(rendered_sample, _FIRST_RENDERED + i) for i in range(rendered)]
    boards: list[LabelledBoard] = []
    for make, seed in makers:
        boards.append(label_edges(make(seed)))
        click.echo(f"board {len(boards)} of {len(makers)}")
    weights = [1.0] * flat + [_RENDERED_SHOWN] * rendered
    rounds = []
    for network, loss in fit_edges(boards, weights, steps=steps):
        rounds.append(network)
        click.echo(f"edges: step {min(STEPS_REPORTED * len(rounds), steps)} of {steps}, loss {loss:.4f}")
    export(rounds[-1], edge_patches.CHANNELS, (edge_patches.ACROSS_PX, edge_patches.ALONG_PX), out / "edges.onnx")


@main.command()
@click.argument("out", type=_OUT)
@click.option("--tables", default=240, show_default=True, help="How many simulated tables.")
@click.option("--seed", default=50_000, show_default=True, help="Seed of the first table.")
def standing(out: Path, tables: int, seed: int) -> None:
    """Fit the chances of figures and doors."""
    out.mkdir(parents=True, exist_ok=True)
    figures: list[FigureSample] = []
    doors: list[DoorSample] = []
    for number in range(tables):
        of_figures, of_doors = standing_samples(*table_of(seed + number, crowded=False))
        figures, doors = figures + of_figures, doors + of_doors
        click.echo(f"table {number + 1} of {tables}: {len(figures)} places for figures, {len(doors)} for doors")
    _write(out / "figures.json", figure_document(figures))
    _write(out / "doors.json", door_document(doors))


@main.command()
@click.argument("out", type=_OUT)
@click.option("--tables", default=60, show_default=True, help="How many simulated tables, three photos each.")
@click.option("--seed", default=851_000, show_default=True, help="Seed of the first table.")
def witnesses(out: Path, tables: int, seed: int) -> None:
    """Fit how much several photos of a table tell together."""
    out.mkdir(parents=True, exist_ok=True)
    samples = []
    for number in range(tables):
        samples.append(witness_samples(seed + number))
        click.echo(f"table {number + 1} of {tables}")
    fitted = {what: witness_document(what, [of_table[what] for of_table in samples]) for what in ("doors", "figures")}
    _write(out / "witnesses.json", fitted)


@main.command()
@click.argument("out", type=_OUT)
@click.argument("lists", type=click.Path(path_type=Path, exists=True, dir_okay=False), nargs=-1, required=True)
def tiles(out: Path, lists: tuple[Path, ...]) -> None:
    """Fit the chances of tiles to the photos of LISTS."""
    out.mkdir(parents=True, exist_ok=True)
    samples: list[TileSample] = []
    for path in lists:
        samples += tile_samples(path)
        click.echo(f"{path}: {len(samples)} places for tiles")
    _write(out / "tiles.json", model_document(fit_tiles(samples)))


@main.command()
@click.argument("out", type=_OUT)
@click.argument("lists", type=click.Path(path_type=Path, exists=True, dir_okay=False), nargs=-1, required=True)
@click.option("--epochs", default=8, show_default=True, help="Rounds of the fit.")
def ground(out: Path, lists: tuple[Path, ...], epochs: int) -> None:
    """Fit the network that tells print from table to the photos of LISTS."""
    out.mkdir(parents=True, exist_ok=True)
    samples = [sample for number, path in enumerate(lists) for sample in ground_samples(path, number)]
    patches, labels = (np.concatenate(parts) for parts in zip(*samples, strict=True))
    rounds = []
    for network, loss in fit_ground(patches, labels, epochs):
        rounds.append(network)
        click.echo(f"ground: round {len(rounds)} of {epochs}, loss {loss:.4f}")
    export(rounds[-1], patches.shape[1], patches.shape[2:], out / "ground.onnx")


def _write(path: Path, document: Mapping[str, object]) -> None:
    path.write_text(json.dumps(document) + "\n", encoding="utf-8")
    click.echo(f"{path} written")


def _part(out: Path, start: int, count: int) -> Samples:
    path = out / f"samples-{start}-{count}.npz"
    if not path.exists():
        made = [thinned_samples_of(seed) for seed in range(start, start + count)]
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


def _joined(parts: list[Samples], name: str) -> tuple[UInt8[Numbers, "n channels height width"], Int[Numbers, " n"]]:
    if name == "doors":
        return np.concatenate([p.door_patches for p in parts]), np.concatenate([p.door_labels for p in parts])
    return np.concatenate([p.base_patches for p in parts]), np.concatenate([p.base_labels for p in parts])


if __name__ == "__main__":
    main()

"""Command ``python -m vision.training networks OUT``: make samples, fit two networks, write them as ONNX into OUT.

``tables OUT`` renders tables of every look, with truth. ``further OUT`` fits the shipped networks further, on such
tables (``--varied LIST``) and on ray-traced ones (``--traced LIST``), which count more. ``cells OUT`` fits the trunk
and the networks for cells on such tables and on photographs, ``cells-further OUT`` fits the latter further on more
boards. ``doors OUT`` fits the networks behind the trunk that judge doors, ``rings OUT`` the network for rings, ``edges
OUT`` the one for printed lines, ``characters OUT FONTS`` the one for printed names, ``forms OUT`` the one for forms,
``bodies OUT`` the one that looks for bodies in its maps, and ``fallen OUT`` the one that looks for fallen figures.
``standing OUT`` then fits the odds of figures and doors, with the networks in ``vision/data``. ``tiles OUT LIST...``
fits the odds of tiles and ``ground OUT LIST...`` the network that separates print from table, on photos of ``sightline
simulate``. ``networks`` keeps its samples in OUT in parts of ``--part`` tables, so that an interrupted run can
continue. The same seeds and versions give the same samples. Copy the files into ``vision/data`` to use them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

import click
import numpy as np
from numpy.random import Generator
from torch import nn

from vision.evidence.bodies import asks_for_bodies
from vision.evidence.forms import HEIGHT, MAPS, WIDTH
from vision.evidence.patches import CHANNELS
from vision.evidence.ring_strips import ANGLES, INSETS
from vision.evidence.ring_strips import CHANNELS as RING_CHANNELS
from vision.teaching import edge_network
from vision.teaching.printed_names import NO_CHARACTER, PATCH_PX
from vision.training.body_fit import fit_bodies, weights_document
from vision.training.body_samples import BodySamples, body_samples, joined_bodies
from vision.training.cell_fit import export_cells, export_part, fit_cells
from vision.training.cell_further import KeptBoard, fit_cells_further, keep_board
from vision.training.cell_samples import cell_board
from vision.training.character_fit import fit_characters
from vision.training.character_samples import CharacterSamples, character_samples, join_samples, written_samples
from vision.training.door_fit import door_board, export_doors, fit_doors, mean_of
from vision.training.edge_fit import STEPS_REPORTED, fit_edges
from vision.training.edge_samples import flat_sample, rendered_sample
from vision.training.edge_views import LabelledBoard, label_edges
from vision.training.fallen_fit import fallen_samples, fit_fallen, joined_fallen
from vision.training.form_fit import LEAST_SCULPTS, LEAST_VIEWS, fit_forms
from vision.training.form_views import form_samples
from vision.training.further import Course, Network, PatchName, cut_list, cut_scenes, fit_further, patches_of
from vision.training.labelled import compressed, labelled_photos, labelled_scene, shrunk
from vision.training.networks import Averaged, FitSettings, export, fit, fit_ground, logits_of
from vision.training.recolored import recolored
from vision.training.rim_fit import RimSample, rim_document, rim_samples
from vision.training.ring_fit import (
    RingSamples,
    fit_rings,
    joined,
    right_share,
    ring_samples,
    table_with_plain_bases,
)
from vision.training.samples import joined_patches, table_of, thinned_samples_of
from vision.training.standing_fit import (
    StandingSamples,
    as_simulated,
    door_document,
    figure_document,
    standing_samples,
)
from vision.training.tables import write_tables
from vision.training.tile_fit import TileSample, fit_tiles, ground_samples, model_document, tile_samples
from vision.training.view_weight_fit import view_samples, view_weights_document

_HELD_OUT = 0.1
"""Held-out share of the parts for the report."""


_FIRST_FLAT, _FIRST_RENDERED = 100, 10_000
"""Seeds of the first boards for printed lines, apart from those of the bench and of the tests."""

_RENDERED_SHOWN = 3.0
"""Weight of a rendered board relative to a flat one, since it is closer to a photo."""

_FIRST_PLAIN, _PLAIN_PART = 20_000, 10
_TRACED_CUT, _TRACED_SHOWN = 5, 2
"""Cuts of a ray-traced photo, each worn differently, and showings of each cut per round."""

_TRACED_TIMES = 4
"""Showings of a ray-traced photo to the networks for doors behind the trunk, all but the first one worn."""

NetworkT = TypeVar("NetworkT")
_FITTED_FURTHER: tuple[Network, ...] = ("doors", "bases", "rings")
_OUT = click.Path(path_type=Path, file_okay=False)
_LIST = click.Path(path_type=Path, exists=True, dir_okay=False)
_SHIPPED = Path(__file__).parent.parent / "data"


def _make(_context: click.Context, _parameter: click.Parameter, out: Path) -> Path:
    out.mkdir(parents=True, exist_ok=True)
    return out


_OUT_FOLDER = click.argument("out", type=_OUT, callback=_make)


@click.group()
def main() -> None:
    """Fit networks and weights to simulated tables."""


@main.command()
@_OUT_FOLDER
@click.option("--tables", default=1700, show_default=True, help="How many simulated tables.")
@click.option("--part", default=50, show_default=True, help="How many tables a file of samples holds.")
@click.option("--seed", default=20_000, show_default=True, help="Seed of the first table.")
@click.option("--epochs", default=12, show_default=True, help="Rounds of a fit.")
@click.option("--fits", default=1, show_default=True, help="How many fits are averaged.")
def networks(out: Path, tables: int, part: int, seed: int, epochs: int, fits: int) -> None:
    """Fit the networks that judge doors and bases on simulated tables."""
    parts = [_part(out, start, min(part, seed + tables - start)) for start in range(seed, seed + tables, part)]
    held_out = parts[: max(1, round(_HELD_OUT * len(parts)))]
    fitted = parts[len(held_out) :] or held_out
    kinds: tuple[tuple[PatchName, FitSettings], ...] = (
        ("door", FitSettings(2, epochs, 4.0, (1.0, 2.0))),
        ("base", FitSettings(3, epochs, 1.6, (1.0, 1.0, 1.0))),
    )
    for kind, settings in kinds:
        name = f"{kind}s"
        patches, labels, _ = patches_of(fitted, kind)
        fits_made: list[nn.Module] = []
        for attempt in range(fits):
            rounds = fit(patches, labels, replace(settings, seed=attempt))
            fits_made.append(_last(f"{name}: fit {attempt + 1} of {fits}, round", rounds, epochs))
        averaged = Averaged(fits_made)
        export(averaged, CHANNELS, patches.shape[2:], out / f"{name}.onnx")
        seen, truth, _ = patches_of(held_out, kind)
        right = logits_of(averaged, seen).argmax(axis=1) == truth
        click.echo(f"{name}: {right.mean():.4f} right of {len(truth)} patches held out")


@main.command()
@_OUT_FOLDER
@click.option("--tables", default=1200, show_default=True, help="How many simulated tables.")
@click.option("--seed", default=70_000, show_default=True, help="Seed of the first table.")
@click.option("--epochs", default=8, show_default=True, help="Rounds of the fit.")
def rings(out: Path, tables: int, seed: int, epochs: int) -> None:
    """Fit the network that recognises the ring of a base."""
    parts: list[RingSamples] = []
    for number in range(seed, seed + tables):
        rng = np.random.default_rng([number, 80])
        parts.append(ring_samples(labelled_scene(*table_with_plain_bases(number, rng)), rng))
        click.echo(f"table {len(parts)} of {tables}: {len(parts[-1].labels)} places")
    held_out = max(1, round(_HELD_OUT * tables))
    network = _last("rings: round", fit_rings(joined(parts[held_out:] or parts), epochs), epochs)
    export(network, RING_CHANNELS, (INSETS, ANGLES), out / "rings.onnx")
    click.echo(f"rings: {right_share(network, joined(parts[:held_out])):.4f} right of the places held out")


@main.command()
@_OUT_FOLDER
@click.option("--tables", "count", default=600, show_default=True, help="How many tables.")
@click.option("--seed", default=300_000, show_default=True, help="Seed of the first table.")
@click.option("--crowded/--as-in-a-game", default=True, show_default=True, help="Whether there are many doors.")
@click.option("--cluttered", is_flag=True, help="With more things, standees and flying figures.")
@click.option("--oblique-pieces", is_flag=True, help="All figures are pieces, large in oblique photos.")
@click.option("--fallen", default=0.0, show_default=True, help="Share of small figures that have fallen over.")
def tables(  # noqa: PLR0913 - one option each
    *, out: Path, count: int, seed: int, crowded: bool, cluttered: bool, oblique_pieces: bool, fallen: float
) -> None:
    """Render tables of every look, with truth and a list."""
    names = write_tables(
        out,
        seed=seed,
        count=count,
        crowded=crowded,
        cluttered=cluttered,
        oblique_pieces=oblique_pieces,
        fallen=fallen,
    )
    for number, name in enumerate(names, start=1):
        click.echo(f"table {number} of {count}: {name}")


@main.command()
@_OUT_FOLDER
@click.option("--varied", multiple=True, type=_LIST, help="A list of tables made by “tables”.")
@click.option("--traced", multiple=True, type=_LIST, help="A list of ray-traced tables.")
@click.option("--plain", default=120, show_default=True, help="How many plain simulated tables.")
@click.option("--start", default=_SHIPPED, type=_OUT, help="The folder of the networks to fit further.")
@click.option("--epochs", default=5, show_default=True, help="Rounds of each fit.")
@click.option("--pace", default=1.0, show_default=True, help="Length of its steps; shorter for a second run.")
@click.option("--only", multiple=True, type=click.Choice(_FITTED_FURTHER), help="Which networks.")
def further(  # noqa: PLR0913, PLR0917 - one option each
    out: Path,
    varied: tuple[Path, ...],
    traced: tuple[Path, ...],
    plain: int,
    start: Path,
    epochs: int,
    pace: float,
    only: tuple[Network, ...],
) -> None:
    """Fit the networks for doors, bases and rings further."""
    samples: dict[Path, float] = {}
    for first in range(_FIRST_PLAIN, _FIRST_PLAIN + plain, _PLAIN_PART):
        samples[out / f"plain-{first}.npz"] = 1
        cut_scenes(first, _PLAIN_PART, kept=out / f"plain-{first}.npz")
    for number, path in enumerate([*varied, *traced]):
        is_traced = number >= len(varied)
        kept = out / f"{'traced' if is_traced else 'varied'}-{path.parent.name}.npz"
        cut_list(path, times=_TRACED_CUT if is_traced else 1, seed=number, kept=kept)
        samples[kept] = _TRACED_SHOWN if is_traced else 1
        click.echo(f"{path}: cut")
    for name in only or _FITTED_FURTHER:
        for number, loss in enumerate(fit_further(samples, name, Course(start, epochs, pace), out), start=1):
            click.echo(f"{name}: round {number} of {epochs}, loss {loss:.4f}")


@main.command()
@_OUT_FOLDER
@click.option("--varied", multiple=True, required=True, type=_LIST, help="A list of tables made by “tables”.")
@click.option("--real", multiple=True, type=_LIST, help="A list of photographs of one board.")
@click.option("--weights", required=True, type=_LIST, help="The trunk's weights: the .pth file of its Python package.")
@click.option(
    "--epochs", nargs=2, default=(8, 6), show_default=True, help="Rounds with an unchanged trunk, and of all."
)
def cells(out: Path, varied: tuple[Path, ...], real: tuple[Path, ...], weights: Path, epochs: tuple[int, int]) -> None:
    """Fit the networks that hear what hides a cell's print."""
    boards = {
        path: [cell_board(photo.seen(), path.parent.name) for photo in labelled_photos(path)]
        for path in (*varied, *real)
    }
    rendered, photographed = ([board for path in paths for board in boards[path]] for paths in (varied, real))
    rounds = fit_cells(rendered, photographed, weights, epochs)
    for number, (networks, loss) in enumerate(rounds, start=1):
        export_cells(networks, out)
        click.echo(f"cells: round {number} of {sum(epochs)}, loss {loss:.4f}")


@main.command()
@_OUT_FOLDER
@click.option("--shown", nargs=2, multiple=True, required=True, type=(_LIST, float), help="A list, and its share.")
@click.option("--start", default=_SHIPPED, type=_OUT, help="The folder of the networks to fit further.")
@click.option("--recolor", "times", default=2, show_default=True, help="How often each board comes in other colours.")
@click.option("--steps", default=1200, show_default=True, help="Steps of four boards.")
def cells_further(out: Path, shown: tuple[tuple[Path, float], ...], start: Path, times: int, steps: int) -> None:
    """Fit the networks behind the trunk further, which hear what hides a cell's print.

    Each photo is shown unchanged, in other colours, and compressed or shrunk in turn.
    """
    rng = np.random.default_rng(0)

    def boards_of(path: Path) -> Iterable[KeptBoard]:
        for photo in labelled_photos(path):
            board = cell_board(photo.seen(), path.parent.name)
            yield keep_board(board)
            for _ in range(times):
                yield keep_board(recolored(board, rng))
        photos = chain(
            islice(labelled_photos(path, compressed), 0, None, 2), islice(labelled_photos(path, shrunk), 1, None, 2)
        )
        for photo in photos:
            yield keep_board(cell_board(photo.seen(), path.parent.name))

    sets = [([*boards_of(path)], share) for path, share in shown]
    for number, (part, loss) in enumerate(fit_cells_further(sets, start, steps), start=1):
        if number % 100 == 0 or number == steps:
            export_part(*part, out)
            click.echo(f"cells: step {number} of {steps}, loss {loss:.4f}")


@main.command()
@_OUT_FOLDER
@click.option("--varied", multiple=True, type=_LIST, help="A list of tables made by “tables”.")
@click.option("--traced", multiple=True, type=_LIST, help="A list of ray-traced tables.")
@click.option("--plain", default=570, show_default=True, help="How many plain simulated tables.")
@click.option("--seed", default=1_700_000, show_default=True, help="Seed of the first plain table.")
@click.option("--rounds", default=12, show_default=True, help="Rounds of a fit.")
@click.option("--fits", default=2, show_default=True, help="How many fits are averaged.")
def doors(  # noqa: PLR0913, PLR0917 - one option each
    out: Path, varied: tuple[Path, ...], traced: tuple[Path, ...], plain: int, seed: int, rounds: int, fits: int
) -> None:
    """Fit the networks behind the trunk that judge doors."""
    rng = np.random.default_rng(seed)
    tables = (labelled_scene(*table_of(number, crowded=True)) for number in range(seed, seed + plain))
    looks = (photo.seen(rng) for path in varied for photo in labelled_photos(path))
    photos = (
        photo.seen(rng if time else None)
        for path in traced
        for photo in labelled_photos(path)
        for time in range(_TRACED_TIMES)
    )
    simulated, photographed = ([door_board(table) for table in part] for part in (chain(tables, looks), photos))
    made = []
    for attempt in range(fits):
        name = f"doors: fit {attempt + 1} of {fits}, round"
        made.append(_last(name, fit_doors(simulated, photographed, rounds, attempt), rounds))
    export_doors(mean_of(made), out)


@main.command()
@_OUT_FOLDER
@click.option("--flat", default=3200, show_default=True, help="Boards put together flat.")
@click.option("--rendered", default=60, show_default=True, help="Boards rendered as photos.")
@click.option("--steps", default=5000, show_default=True, help="Steps of the fit, ten boards each.")
def edges(out: Path, flat: int, rendered: int, steps: int) -> None:
    """Fit the network that reads the print on edges."""
    makers = [(flat_sample, _FIRST_FLAT + i) for i in range(flat)]
    makers += [(rendered_sample, _FIRST_RENDERED + i) for i in range(rendered)]
    boards: list[LabelledBoard] = []
    for make, seed in makers:
        boards.append(label_edges(make(seed)))
        click.echo(f"board {len(boards)} of {len(makers)}")
    weights = [1.0] * flat + [_RENDERED_SHOWN] * rendered
    network = _last("edges: step", fit_edges(boards, weights, steps=steps), steps, step=STEPS_REPORTED)
    export(network, edge_network.CHANNELS, (edge_network.ACROSS_PX, edge_network.ALONG_PX), out / "edges.onnx")


@main.command()
@_OUT_FOLDER
@click.argument("fonts", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--tiles", "count", default=100, show_default=True, help="How many tiles with names are drawn.")
@click.option("--drawn", default=24_000, show_default=True, help="How many characters are drawn straight into patches.")
@click.option("--seed", default=1000, show_default=True, help="Seed of the first tile.")
@click.option("--epochs", default=12, show_default=True, help="Rounds of the fit.")
def characters(out: Path, fonts: Path, count: int, drawn: int, seed: int, epochs: int) -> None:
    """Fit the network that reads printed names, in all fonts of the folder FONTS."""
    files = sorted([*fonts.rglob("*.ttf"), *fonts.rglob("*.otf")])
    parts: list[CharacterSamples] = []
    for number in range(seed, seed + count):
        parts.append(character_samples(number, files))
        click.echo(f"tile {len(parts)} of {count}: {len(parts[-1].labels)} regions")
    held_out = max(1, round(_HELD_OUT * count))
    photographed = join_samples(parts[held_out:] or parts)
    written = written_samples(np.random.default_rng([seed, 708]), files, drawn, photographed)
    network = _last("characters: round", fit_characters(join_samples([photographed, written]), epochs), epochs)
    export(network, 1, (PATCH_PX, PATCH_PX), out / "characters.onnx")
    unseen = join_samples(parts[:held_out])
    right = logits_of(network, unseen.patches[:, None]).argmax(axis=1) == unseen.labels
    is_art = unseen.labels == NO_CHARACTER
    click.echo(
        f"characters: {right[~is_art].mean():.4f} right, {1 - right[is_art].mean():.4f} of the art taken for one"
    )


@main.command()
@_OUT_FOLDER
@click.option("--tables", default=120, show_default=True, help="How many plain simulated tables.")
@click.option("--seed", default=50_000, show_default=True, help="Seed of the first table.")
@click.option("--varied", multiple=True, type=_LIST, help="A list of tables made by “tables”, as in a game.")
@click.option("--traced", multiple=True, type=_LIST, help="A list of ray-traced tables.")
def standing(out: Path, tables: int, seed: int, varied: tuple[Path, ...], traced: tuple[Path, ...]) -> None:
    """Fit the chances of figures and doors."""
    samples: list[StandingSamples] = []
    plain = (labelled_scene(*table_of(seed + number, crowded=False)) for number in range(tables))
    looks = (photo.seen() for path in varied for photo in labelled_photos(path))
    simulated = (as_simulated(table, number) for number, table in enumerate(chain(plain, looks)))
    photographed = (photo.seen() for path in traced for photo in labelled_photos(path))
    for number, table in enumerate(chain(simulated, photographed), start=1):
        one = standing_samples(table)
        samples.append(one)
        click.echo(f"table {number}, {table.name}: {len(one.figures)} places for figures, {len(one.doors)} for doors")
    _write(out / "figures.json", figure_document(samples))
    _write(out / "doors.json", door_document(door for table in samples for door in table.doors))


@main.command()
@_OUT_FOLDER
@click.option("--varied", multiple=True, required=True, type=_LIST, help="A list of tables made by “tables”.")
@click.option("--traced", multiple=True, type=_LIST, help="A list of ray-traced tables.")
@click.option("--seed", default=7, show_default=True, help="Seed of the worn cuts.")
def rims(out: Path, varied: tuple[Path, ...], traced: tuple[Path, ...], seed: int) -> None:
    """Fit how photos bend the colours of rims, from photos unchanged and worn, ray-traced ones also sent and small."""
    rng, samples = np.random.default_rng(seed), list[RimSample]()
    for path in (*varied, *traced):
        for photo in labelled_photos(path):
            samples += rim_samples(photo.seen(), photo.name)
            samples += rim_samples(photo.seen(rng), f"{photo.name}, worn")
        click.echo(f"{path}: {len(samples)} rims")
    for path in traced:
        for sent in (compressed, shrunk):
            for photo in labelled_photos(path, sent):
                samples += rim_samples(photo.seen(), f"{photo.name}, {sent.__name__}")
        click.echo(f"{path}, sent: {len(samples)} rims")
    _write(out / "rims.json", rim_document(samples))


@main.command()
@_OUT_FOLDER
@click.option("--tables", default=60, show_default=True, help="How many simulated tables, three photos each.")
@click.option("--seed", default=851_000, show_default=True, help="Seed of the first table.")
def view_weights(out: Path, tables: int, seed: int) -> None:
    """Fit the weights of several photos of one table."""
    samples = []
    for number in range(tables):
        samples.append(view_samples(seed + number))
        click.echo(f"table {number + 1} of {tables}")
    fitted = {
        what: view_weights_document(what, [of_table[what] for of_table in samples]) for what in ("doors", "figures")
    }
    _write(out / "view_weights.json", fitted)


@main.command()
@_OUT_FOLDER
@click.argument("lists", type=click.Path(path_type=Path, exists=True, dir_okay=False), nargs=-1, required=True)
def tiles(out: Path, lists: tuple[Path, ...]) -> None:
    """Fit the chances of tiles to the photos of LISTS."""
    samples: list[TileSample] = []
    for path in lists:
        samples += tile_samples(path)
        click.echo(f"{path}: {len(samples)} places for tiles")
    _write(out / "tiles.json", model_document(fit_tiles(samples)))


@main.command()
@_OUT_FOLDER
@click.argument("lists", type=click.Path(path_type=Path, exists=True, dir_okay=False), nargs=-1, required=True)
@click.option("--epochs", default=8, show_default=True, help="Rounds of the fit.")
def ground(out: Path, lists: tuple[Path, ...], epochs: int) -> None:
    """Fit the network that separates print from table to the photos of LISTS."""
    samples = [sample for number, path in enumerate(lists) for sample in ground_samples(path, number)]
    patches, labels = (np.concatenate(parts) for parts in zip(*samples, strict=True))
    network = _last("ground: round", fit_ground(patches, labels, epochs), epochs)
    export(network, patches.shape[1], patches.shape[2:], out / "ground.onnx")


@main.command()
@_OUT_FOLDER
@click.option("--weights", required=True, type=_LIST, help="The first blocks' weights: the .pth file of their package.")
@click.option("--sculpts", default=12_000, show_default=True, type=click.IntRange(min=LEAST_SCULPTS), help="Sculpts.")
@click.option(
    "--views", default=3, show_default=True, type=click.IntRange(min=LEAST_VIEWS), help="Views in each paint."
)
@click.option("--steps", default=3000, show_default=True, help="Steps of the fit.")
def forms(out: Path, weights: Path, sculpts: int, views: int, steps: int) -> None:
    """Fit the forms of figures."""
    samples = []
    for seed in range(1, sculpts + 1):
        samples.append(form_samples(seed, views))
        if seed % 100 == 0:
            click.echo(f"sculpt {seed} of {sculpts}")
    rounds = fit_forms(np.stack(samples), steps, weights)
    export(_last("forms: step", rounds, steps, step=STEPS_REPORTED), 3, (HEIGHT, WIDTH), out / "forms.onnx")


@main.command()
@_OUT_FOLDER
@click.option("--shown", multiple=True, required=True, type=_LIST, help="A list of tables or of photographs.")
@click.option("--unseen", multiple=True, required=True, type=_LIST, help="A list that no network saw, for the weights.")
@click.option("--epochs", default=4, show_default=True, help="Rounds of a fit.")
@click.option("--fits", default=4, show_default=True, help="How many fits are averaged.")
def bodies(out: Path, shown: tuple[Path, ...], unseen: tuple[Path, ...], epochs: int, fits: int) -> None:
    """Fit the network that looks for bodies, and the weights of its answer.

    Each shown photo counts unchanged and worn.
    """

    def samples_of(paths: tuple[Path, ...], worn: tuple[Generator | None, ...]) -> BodySamples:
        rng = np.random.default_rng(0)
        photos = (photo for path in paths for photo in labelled_photos(path) if asks_for_bodies(photo.roster))
        return joined_bodies([body_samples(photo.seen(wear), rng) for photo in photos for wear in worn])

    samples = samples_of(shown, (None, np.random.default_rng(1)))
    networks = [
        _last(f"bodies: fit {seed + 1} of {fits}, round", fit_bodies(samples, epochs, seed), epochs)
        for seed in range(fits)
    ]
    network = Averaged(networks)
    export(network, MAPS[0], MAPS[1:], out / "bodies.onnx")
    _write(out / "bodies.json", weights_document(network, samples_of(unseen, (None,))))


@main.command()
@_OUT_FOLDER
@click.option("--shown", multiple=True, required=True, type=_LIST, help="A list of tables, some with fallen figures.")
@click.option("--start", default=_SHIPPED, type=_OUT, help="The folder of the network for cells to start from.")
@click.option("--epochs", default=5, show_default=True, help="Rounds of a fit.")
@click.option("--fits", default=3, show_default=True, help="How many fits are averaged.")
def fallen(out: Path, shown: tuple[Path, ...], start: Path, epochs: int, fits: int) -> None:
    """Fit the network that looks for fallen figures.

    Each photo is shown unchanged, and compressed or shrunk in turn.
    """
    photos = chain.from_iterable(
        chain(labelled_photos(path), labelled_photos(path, compressed if number % 2 else shrunk))
        for number, path in enumerate(shown)
    )
    samples = joined_fallen([fallen_samples(photo.seen()) for photo in photos])
    networks = [
        _last(f"fallen: fit {seed + 1} of {fits}, round", fit_fallen(samples, start, epochs, seed), epochs)
        for seed in range(fits)
    ]
    export(Averaged(networks), samples.inputs.shape[1], samples.inputs.shape[2:], out / "fallen.onnx")


def _write(path: Path, document: Mapping[str, object]) -> None:
    path.write_text(json.dumps(document) + "\n", encoding="utf-8")
    click.echo(f"{path} written")


def _last(name: str, rounds: Iterable[tuple[NetworkT, float]], count: int, *, step: int = 1) -> NetworkT:
    """Report every round of a fit, and return the last one's network."""
    networks: list[NetworkT] = []
    for network, loss in rounds:
        networks.append(network)
        click.echo(f"{name} {min(step * len(networks), count)} of {count}, loss {loss:.4f}")
    return networks[-1]


def _part(out: Path, start: int, count: int) -> Path:
    path = out / f"samples-{start}-{count}.npz"
    if not path.exists():
        made = [
            thinned_samples_of(labelled_scene(*table_of(seed, crowded=True)), np.random.default_rng([seed, 79]))
            for seed in range(start, start + count)
        ]
        np.savez(path, **joined_patches(made))
        click.echo(f"{path.name} made")
    return path


if __name__ == "__main__":
    main()

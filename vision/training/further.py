"""Fit the shipped networks further on more varied tables, with samples cut from lists and kept. This needs PyTorch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Int, UInt8

from calibration.arrays import Numbers
from vision.evidence.patches import CHANNELS
from vision.evidence.ring_strips import ANGLES, INSETS
from vision.evidence.ring_strips import CHANNELS as RING_CHANNELS
from vision.training.labelled import KnownBoard, labelled_photos, labelled_scene
from vision.training.networks import FitSettings, export, fit
from vision.training.ring_fit import NO_RING, RingSamples, fit_rings, joined, ring_samples
from vision.training.samples import joined_patches, table_of, thinned_samples_of

PatchName = Literal["door", "base"]

_SEEN_AS_TAKEN = 0.5
"""Share of unchanged photos among those cut once. The others are worn and moved."""


class Patches(NamedTuple):
    """Patches (N, channels, rows, columns) as bytes, their classes (N,), and their number from each file."""

    patches: UInt8[Numbers, "n channels rows columns"]
    labels: Int[Numbers, " n"]
    counts: tuple[int, ...]


def cut_list(list_path: Path, *, times: int, seed: int, kept: Path) -> None:
    """Cut samples from a list's photos into a file, unless it exists.

    Args:
        list_path: the list.
        times: cuts of each photo. The first is unchanged, each other one worn and moved differently.
        seed: the seed of all random numbers.
        kept: the file.

    Raises:
        InputError: a file of the list is missing or breaks its format.
    """
    if not kept.exists():
        rng = np.random.default_rng([seed, 6])
        boards = (
            photo.seen(None if (time == 0 if times > 1 else rng.random() < _SEEN_AS_TAKEN) else rng)
            for photo in labelled_photos(list_path)
            for time in range(times)
        )
        _keep(boards, rng, kept)


def cut_scenes(first_seed: int, count: int, *, kept: Path) -> None:
    """Cut samples from plain simulated tables into a file. Every other table is crowded with doors."""
    if not kept.exists():
        seeds = range(first_seed, first_seed + count)
        boards = (labelled_scene(*table_of(seed, crowded=seed % 2 == 0)) for seed in seeds)
        _keep(boards, np.random.default_rng([first_seed, 5]), kept)


def patches_of(paths: Sequence[Path], name: PatchName) -> Patches:
    """Read one type of patches and labels from files. All types together would fill the memory."""
    with ExitStack() as opened:
        files = [opened.enter_context(np.load(path)) for path in paths]
        labels = [file[f"{name}_labels"] for file in files]
        patches: UInt8[Numbers, "n channels rows columns"] | None = None
        first = 0
        for file, own in zip(files, labels, strict=True):
            part = file[f"{name}_patches"]
            if patches is None:
                patches = np.empty((sum(len(some) for some in labels), *part.shape[1:]), np.uint8)
            patches[first : first + len(own)] = part
            first += len(own)
    if patches is None:
        raise ValueError("no samples to learn from; name at least one list")
    return Patches(patches, np.concatenate(labels), tuple(len(own) for own in labels))


def rings_of(paths: Sequence[Path]) -> tuple[RingSamples, tuple[int, ...]]:
    """Read the rims of files, with their number in each file."""
    parts = []
    for path in paths:
        with np.load(path) as kept:
            colors = tuple(tuple(color for color in str(text).split(",") if color) for text in kept["colors"])
            parts.append(RingSamples(kept["strips"], colors, kept["ring_labels"]))
    return joined(parts), tuple(len(part.labels) for part in parts)


def _keep(boards: Iterable[KnownBoard], rng: np.random.Generator, path: Path) -> None:
    patches, rings = [], []
    for labelled in boards:
        patches.append(thinned_samples_of(labelled, rng))
        rings.append(ring_samples(labelled, rng))
    all_rings = joined(rings)
    unfinished = path.with_suffix(".part.npz")  # an interrupted run must not leave half a file
    np.savez(
        unfinished,
        **joined_patches(patches),
        strips=all_rings.strips,
        colors=np.array([",".join(colors) for colors in all_rings.colors]),
        ring_labels=all_rings.labels,
    )
    unfinished.rename(path)


_RATES = {"doors": 1.2e-3, "bases": 1.0e-3, "rings": 1.2e-3}
"""Learning rates, a third of a fresh fit's, to preserve earlier learning."""


_SHOWN: Mapping[str, tuple[float, tuple[float, ...]]] = {"doors": (4.0, (1.0, 1.5)), "bases": (1.6, (1.0, 1.0, 1.0))}
"""Empty patches for each filled one, and the cost of a mistake in each class."""

_RIMS_SHOWN = (0.25, 1.5)
"""Weights of places without and with a ring, since most samples are floor, and most mistakes are on rings."""

Network = Literal["doors", "bases", "rings"]


class Course(NamedTuple):
    """A further fit: the folder of its starting networks, number of rounds, and factor of its learning rate."""

    start: Path
    epochs: int
    pace: float = 1.0


def fit_further(samples: Mapping[Path, float], name: Network, course: Course, out: Path) -> Iterator[float]:
    """Fit one network further. Write it into ``out`` after every round and yield the round's mean loss.

    Args:
        samples: files of samples, and showings of each in a round.
        name: the network.
        course: rounds, rate and starting networks.
        out: folder of the result.
    """
    start, written = course.start / f"{name}.onnx", out / f"{name}.onnx"
    times, rate = list(samples.values()), course.pace * _RATES[name]
    if name == "rings":
        rims, counts = rings_of(list(samples))
        shown = np.repeat(times, counts) * np.where(rims.labels == NO_RING, *_RIMS_SHOWN)
        for network, loss in fit_rings(rims, course.epochs, start=start, rate=rate, shown=shown):
            export(network, RING_CHANNELS, (INSETS, ANGLES), written)
            yield loss
        return
    patches, labels, counts = patches_of(list(samples), "door" if name == "doors" else "base")
    empty_share, weights = _SHOWN[name]
    settings = FitSettings(len(weights), course.epochs, empty_share, weights, rate=rate, start=start)
    for network, loss in fit(patches, labels, settings, np.repeat(times, counts)):
        export(network, CHANNELS, patches.shape[2:], written)
        yield loss

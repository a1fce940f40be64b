"""Photographs of evenings by a ray tracer: ``python -m tests.raytraced_evenings v840 OUT --odd``.

Tables of the generator of ``../shared/scenes/make`` with things on the board and across its edge, scratched rims and
leaning bodies; every second photo goes through a phone's picture pipeline. ``--odd`` lays things of a household,
``--made-up`` random shapes and more of them. With ``--bare`` no rim is painted, as in a box fresh from the shop. With
``--fallen`` about half of the small figures lie where there is room. OUT
gets the generator's folders and ``list.json``; each ``truth.json`` also names the ``things``. ``score.py`` beside the
generator scores them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import cv2
import numpy as np

from tests.raytraced_evenings.phone import phone_jpeg
from tests.raytraced_evenings.things import FAMILIAR, MADE_UP, ODD, bare_rims, lay_things, tip_over, wear_figures
from tests.raytraced_roads.generator import FOLDER, load_generator

BLENDER_SIDE = Path(__file__).with_name("blender_side.py")
COUNTS = {FAMILIAR: (4, 14), ODD: (4, 14), MADE_UP: (10, 18)}
"""Least and most things on a table of each group."""

_FALLEN = 0.5
"""Share of small figures that fall where there is room."""


def _remove_rings(*documents: Any) -> None:
    for figure in (figure for document in documents for figure in document["figures"]):
        figure["ring"] = None


def _lay_down(truth: Any, fallen: Sequence[dict[str, Any]]) -> None:
    """Take fallen figures off the true board, and say where each one lies."""
    names = {figure["id"] for figure in fallen}
    for document in (truth, truth["board"]):
        document["figures"] = [figure for figure in document["figures"] if figure["id"] not in names]
    truth["fallen"] = [
        {
            "id": figure["id"],
            "kind": figure["kind"],
            "cells": [list(cell) for cell in figure["cells"]],
            "across": [list(cell) for cell in figure["fallen"]["across"]],
        }
        for figure in fallen
    ]


def add_evening(generator: Any, kinds: tuple[str, ...], *, bare: bool, fallen: bool) -> None:
    """Change the generator's steps so that its tables are those of an evening, with bare rims where asked.

    With ``fallen`` some figures lie on the board.
    """
    lay_out, documents, photograph = generator.make_layout, generator.docs, generator.photo
    plain_job = generator.job

    def with_things(*args: Any, **kwargs: Any) -> Any:
        shot = lay_out(*args, **kwargs)
        if shot is not None:
            rng = np.random.default_rng([shot.seed, 91])
            toppling = np.random.default_rng([shot.seed, 94])
            tip_over(toppling, shot, lambda place: generator.lat2mm(shot, place), share=_FALLEN if fallen else 0.0)
            count = int(rng.integers(*COUNTS[kinds], endpoint=True))
            shot.things = lay_things(rng, kinds, count, shot, lambda place: generator.lat2mm(shot, place))
            shot.clutter.extend(shot.things)
            wear_figures(rng, shot.figures)
        return shot

    def with_truth(shot: Any, *args: Any) -> Any:
        table, camera, roster, truth = documents(shot, *args)
        if bare:
            _remove_rings(roster, truth)
        _lay_down(truth, [figure for figure in shot.figures if "fallen" in figure])
        truth["things"] = [
            {
                "kind": thing["kind"],
                "center_mm": [thing["x"], thing["y"]],
                "turn_deg": thing["rot"],
                "size_mm": thing["size"],
            }
            for thing in shot.things
        ]
        return table, camera, roster, truth

    def job(shot: Any, cfg: Any, work: str, tag: str, figures: Any, *args: Any) -> Any:
        path, picture = plain_job(shot, cfg, work, tag, figures, *args)
        document = json.loads(Path(path).read_text())
        rims = bare_rims(np.random.default_rng([shot.seed, 93]), {figure["kind"] for figure in figures}) if bare else {}
        for written, figure in zip(document["figures"], figures, strict=True):
            written.update({name: figure[name] for name in ("chips", "fallen", "lean") if name in figure})
            written["ring"] = rims.get(figure["kind"], written["ring"])
        Path(path).write_text(json.dumps(document))
        return path, picture

    def by_phone(shot: Any, picture: str, out: str, *args: Any, **kwargs: Any) -> Any:
        result = photograph(shot, picture, out, *args, **kwargs)
        rng = np.random.default_rng([shot.seed, 92])
        if rng.random() < 0.5:
            image = cv2.imread(out)
            assert image is not None
            Path(out).write_bytes(phone_jpeg(np.asarray(image, np.uint8), rng))
        return result

    def call(command: list[str], **kwargs: Any) -> int:
        command_line = [
            "blender",
            "-b",
            "-noaudio",
            "-P",
            str(BLENDER_SIDE),
            "--",
            str(FOLDER / "render.py"),
            command[-1],
        ]
        return subprocess.call(command_line, **kwargs)

    generator.make_layout, generator.docs, generator.job, generator.photo = with_things, with_truth, job, by_phone
    generator.subprocess = SimpleNamespace(call=call, check_call=subprocess.check_call, STDOUT=subprocess.STDOUT)


@click.command()
@click.argument("name")
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--odd", is_flag=True, help="Things of a household that no fit has seen, not those of games.")
@click.option("--made-up", is_flag=True, help="Many things of random shapes, for the fit of networks.")
@click.option("--bare", is_flag=True, help="Without painted rims.")
@click.option("--fallen", is_flag=True, help="With figures that have fallen over.")
@click.option("--buckets", default=1, show_default=True, help="Photos of each of easy, normal, hard.")
@click.option("--only", help="Names of photos, as hard-01,easy-02.")
@click.option("--samples", default=8, show_default=True, help="Rays a pixel.")
@click.option("--work", help="Folder for what is between.")
def main(
    *,
    name: str,
    out: Path,
    odd: bool,
    made_up: bool,
    bare: bool,
    fallen: bool,
    buckets: int,
    only: str | None,
    samples: int,
    work: str | None,
) -> None:
    """Make ray-traced evenings of the set NAME, a v and a number, in the folder OUT."""
    generator = load_generator()
    add_evening(generator, MADE_UP if made_up else ODD if odd else FAMILIAR, bare=bare, fallen=fallen)
    arguments = [name, "--root", str(out), "--buckets", str(buckets), "--sequences", "0", "--samples", str(samples)]
    arguments += ["--only", only] if only else []
    sys.argv = ["make_scenes.py", *arguments, *(["--work", work] if work else [])]
    generator.main()


if __name__ == "__main__":
    main()

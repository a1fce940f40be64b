"""Photographs of tables without a grid by a ray tracer: ``python -m tests.raytraced_roads OUT --seed 1 --count 3``.

Made with the generator of ``../shared/scenes/make`` and Blender, which have to be there. OUT gets a folder with the
photo, the documents and the truth of each table, and ``list.json``; ``python -m tests.bench_free SCORES --list
OUT/list.json --pairs 40`` scores them. What is there already is not made again.
"""

from __future__ import annotations

import json
import math
import time
from pathlib import Path

import click
import cv2
import numpy as np

from assistant.kept_files import write_file
from calibration.arrays import BgrImage, Floats
from tests.raytraced_roads.generator import load_generator, trace
from tests.raytraced_roads.tables import make_job
from vision.simulation.dataset import list_text, write_with_truth
from vision.simulation.figures import BASE_HEIGHT_MM
from vision.simulation.free_scene import FreeScene
from vision.simulation.free_stage import corners_of


def with_truth(image: BgrImage, scene: FreeScene) -> BgrImage:
    """Return the photo with every base's upper edge and facing drawn on it, and the upper edges of terrain."""
    drawn, radians = image.copy(), np.radians(np.arange(0, 360, 10))
    for piece in scene.terrain:
        corners = corners_of(piece)
        rim = np.column_stack([corners, np.full(len(corners), float(piece.height_mm))])
        _trace_over(drawn, scene, rim, (255, 200, 0))
    for model in scene.figures:
        length, width = model.figure.base_size_mm
        shape = np.column_stack([np.cos(radians), np.sin(radians)]) * (length / 2, width / 2)
        if model.figure.base_shape == "rectangle":
            shape = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (length / 2, width / 2)
        shape = np.vstack([shape, [[0, 0], [length / 2, 0]]])
        turn = math.radians(model.turn_deg)
        turned = shape @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        top = np.full((len(shape), 1), model.elevation_mm + BASE_HEIGHT_MM)
        edge = np.hstack([turned + model.center_mm, top])
        _trace_over(drawn, scene, edge[:-2], (0, 255, 0))
        _trace_over(drawn, scene, edge[-2:], (0, 0, 255))
    return drawn


def _trace_over(image: BgrImage, scene: FreeScene, places_mm: Floats, color: tuple[int, int, int]) -> None:
    pixels = np.round(scene.view.project(places_mm) * 16).astype(np.int32)
    cv2.polylines(image, [pixels], True, color, 1, cv2.LINE_AA, 4)


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--seed", default=1, show_default=True, help="Of the first table.")
@click.option("--count", default=3, show_default=True, help="How many tables.")
@click.option("--samples", default=8, show_default=True, help="Rays a pixel.")
@click.option("--overlay", is_flag=True, help="Draw the truth over each photo, into overlay.png beside it.")
def main(*, out: Path, seed: int, count: int, samples: int, overlay: bool) -> None:
    """Make ray-traced tables without a grid."""
    generator = load_generator()
    entries = []
    for number in range(seed, seed + count):
        begun_s, work = time.perf_counter(), out.resolve() / "work"
        job = make_job(generator, number, work, samples)
        name = job.scene.name
        write_file(work / f"{name}.json", json.dumps(job.document).encode())
        trace(work / f"{name}.json", Path(job.document["out"]))
        photo = work / f"{name}.jpg"
        _, _, sharp = generator.photo(job.shot, job.document["out"], str(photo))
        entries.append(write_with_truth(out, job.scene, photo.read_bytes()))
        if overlay:
            cv2.imwrite(str(out / name / "overlay.png"), with_truth(cv2.imread(str(photo)), job.scene))
        fit = generator.check(job.shot, str(photo), sharp)
        # A shadow's edge across a marker's corner leads that corner astray by pixels: the median tells the truth's own.
        off_px = np.median(fit["per_marker_px"])
        took_s = time.perf_counter() - begun_s
        click.echo(f"{name}: {took_s:.0f} s, half of the markers within {off_px:.2f} px of the truth", err=True)
        write_file(out / "list.json", list_text(entries))


if __name__ == "__main__":
    main()

"""Draw what is stated against what is true: ``python -m tests.bench_curves OUT --rendered LIST --real LIST``.

Each list has photos with truths, as ``bench_sure.py`` takes them. One picture has a row for rendered photos and one for
real ones, and a curve each for presence, kinds, doors and tiles. Observations are kept in OUT: ``--kept`` only draws.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import click

from assistant import documents
from assistant.table.lattice import list_inner_edges
from assistant.table.observation import Observation
from tests.bench_sure import TrueTable, base_chances, door_chances, observe
from tests.vision_charts import draw_calibration
from tests.vision_marks import TILE_MM, Stated
from vision.tiles.prints import load_prints

Named = tuple[str, Stated]


def stated_of(read: Observation, truth: Observation) -> Iterator[Named]:
    """Yield every stated chance of one reading by what it is about, and whether it is true."""
    true = TrueTable(truth, read)
    common = read.board.cells & true.cells
    bases, under = base_chances(read), {cell for figure in true.board.figures for cell in figure.cells}
    for cell in sorted(common):
        yield "presence", Stated(min(1.0, bases.get(cell, 0.0)), cell in under)
    doors = door_chances(read)
    if truth.board.doors or read.board.doors:
        for edge in list_inner_edges(common):
            yield "doors", Stated(min(1.0, doors.get(edge, 0.0)), edge in true.doors)
    there = {figure.cells: figure.kind for figure in true.board.figures}
    for seen in read.figures:
        if seen.kind is not None and seen.cells in there:
            yield "kinds", Stated(seen.confidence, seen.kind == there[seen.cells])
    for tile in read.tiles:
        away_mm = [math.dist(one.center_mm, tile.center_mm) for one in truth.tiles if one.id == tile.id]
        yield "tiles", Stated(tile.confidence, min(away_mm, default=math.inf) < TILE_MM)


def _read_list(path: Path, out: Path, *, use_kept: bool) -> Iterator[Named]:
    load = lru_cache(1)(load_prints)
    for entry in json.loads(path.read_text(encoding="utf-8")):
        prints = load(path.parent / entry["tiles"])
        kept = out / f"{path.parent.name}-{entry['name']}.json"
        read = observe(path.parent, [entry], prints, kept, use_kept=use_kept, with_markers=True)
        if read is None:
            click.echo(f"{kept.stem}: not read")
            continue
        yield from stated_of(read, documents.observation_from_json((path.parent / entry["truth"]).read_bytes()))


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--rendered", type=click.Path(path_type=Path, exists=True, dir_okay=False), multiple=True)
@click.option("--real", type=click.Path(path_type=Path, exists=True, dir_okay=False), multiple=True)
@click.option("--kept", "use_kept", is_flag=True, help="Take the observations of an earlier run in OUT.")
def main(out: Path, rendered: Sequence[Path], real: Sequence[Path], use_kept: bool) -> None:
    """Draw OUT/curves.png."""
    out.mkdir(parents=True, exist_ok=True)
    curves: dict[str, list[Stated]] = {}
    for row, lists in (("rendered", rendered), ("real", real)):
        for what in ("presence", "kinds", "doors", "tiles"):
            curves[f"{row} {what}"] = []
        for path in lists:
            for what, stated in _read_list(path, out, use_kept=use_kept):
                curves[f"{row} {what}"].append(stated)
    draw_calibration(curves, out / "curves.png", columns=len(curves) // 2)
    click.echo(str(out / "curves.png"))


if __name__ == "__main__":
    main()

"""``make bench``: every benchmark in one run, on one page of pictures.

    python -m tests.bench [OUT] [--only SECTION …] [--quick]

Everything is measured beside what others offer for the same question, in the same run: ratios, medians and spread.
``OUT/index.html`` is the page; it is written after every section, so that nothing is lost where the last is cut short.
``--quick`` takes a few minutes: no growth, no films. What takes much longer has commands of its own, named
in CONTRIBUTING.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import click

from assistant.table.board import Board
from tests.bench import host_tables, rules_speed, rules_tables, sight_tables
from tests.bench.figures import Growth, Table, write_page

MISSING = (
    "scikit-geometry: no wheels for this Python; CGAL is asked through its own bindings instead.",
    "Not on this page: growth with tables on one desk (make bench-desk), photos with truths (make bench-vision), "
    "a minute of film (make bench-live).",
)


NOT_MEASURED = "Left out, for it was measured quickly: how all grows with cells, figures, tiles and tablets, and films."


def _board() -> tuple[Board, Random]:
    """Return a board of 1,408 cells with 40 figures, and the chance that goes on from it."""
    rng = Random(3)
    return rules_speed.rooms(44, 32, 40, rng), rng


@dataclass(frozen=True)
class Section:
    """Some measures: tables, and how something grows.

    Args:
        tables: each makes a table.
        growths: each makes some pictures of growth; they take the longest.
        is_quick: whether its tables take a minute at most.
    """

    tables: Sequence[Callable[[], Table]]
    growths: Sequence[Callable[[], Sequence[Growth]]] = ()
    is_quick: bool = True


SECTIONS: dict[str, Section] = {
    "rules": Section(
        (
            lambda: rules_tables.sight_table(_board()[0], rules_speed.plain_rules()),
            lambda: rules_tables.map_table(_board()[0]),
            lambda: rules_tables.document_table(*_board()),
        ),
        (lambda: rules_tables.growths(_board()[1]),),
    ),
    "host": Section(
        (host_tables.store_table, host_tables.strip_table, host_tables.stream_table), (lambda: [host_tables.growth()],)
    ),
    "sight": Section((sight_tables.marker_table, sight_tables.photo_table), (lambda: [sight_tables.growth()],)),
    "live": Section((sight_tables.live_table,), is_quick=False),
}


@click.command()
@click.argument("out", type=click.Path(path_type=Path), default=Path("out/bench"))
@click.option("--quick", is_flag=True, help="Without what takes long.")
@click.option("--only", type=click.Choice(list(SECTIONS)), multiple=True, help="Only these sections.")
def main(out: Path, only: tuple[str, ...], *, quick: bool) -> None:
    """Measure everything and draw the page."""
    tables: list[Table] = []
    growths: list[Growth] = []
    missing = (*MISSING, NOT_MEASURED) if quick else MISSING
    for section in (SECTIONS[name] for name in only or SECTIONS):
        if quick and not section.is_quick:
            continue
        for measure in section.tables:
            tables.append(measure())
            told = ", ".join(f"{row.name} {row.median:.3g}" for row in tables[-1].rows)
            click.echo(f"{tables[-1].title} ({tables[-1].unit}): {told}")
        for grow in () if quick else section.growths:
            growths += grow()
        page = write_page(out, tables, growths, missing)
    click.echo(str(page))


if __name__ == "__main__":
    main()

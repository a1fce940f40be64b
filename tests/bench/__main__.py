"""``make bench``: every benchmark in one run, on one page of pictures.

    python -m tests.bench [OUT] [--only SECTION …]

Everything is measured beside what others offer for the same question, in the same run: ratios, medians and spread.
``OUT/index.html`` is the page. What takes much longer has commands of its own, named in CONTRIBUTING.md.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import click

from tests.bench import host_tables, rules_speed, rules_tables, sight_tables
from tests.bench.figures import Growth, Table, write_page

MISSING = (
    "scikit-geometry: no wheels for this Python; CGAL is asked through its own bindings instead.",
    "Not on this page: growth with tables on one desk (make bench-desk), photos with truths (make bench-vision), "
    "a minute of film (make bench-live).",
)


def _rules() -> tuple[list[Table], list[Growth]]:
    rng = Random(3)
    board, plain = rules_speed.rooms(44, 32, 40, rng), rules_speed.plain_rules()
    tables = [
        rules_tables.sight_table(board, plain),
        rules_tables.map_table(board),
        rules_tables.document_table(board, rng),
    ]
    return tables, rules_tables.growths(rng)


SECTIONS: dict[str, Callable[[], tuple[list[Table], list[Growth]]]] = {
    "rules": _rules,
    "sight": lambda: ([sight_tables.marker_table(), sight_tables.photo_table()], [sight_tables.growth()]),
    "live": lambda: ([sight_tables.live_table()], []),
    "host": lambda: (
        [host_tables.store_table(), host_tables.strip_table(), host_tables.stream_table()],
        [host_tables.growth()],
    ),
}


@click.command()
@click.argument("out", type=click.Path(path_type=Path), default=Path("out/bench"))
@click.option("--only", type=click.Choice(list(SECTIONS)), multiple=True, help="Only these sections.")
def main(out: Path, only: tuple[str, ...]) -> None:
    """Measure everything and draw the page."""
    tables: list[Table] = []
    growths: list[Growth] = []
    for name in only or SECTIONS:
        found = SECTIONS[name]()
        tables += found[0]
        growths += found[1]
        for table in found[0]:
            told = ", ".join(f"{row.name} {row.median:.3g}" for row in table.rows)
            click.echo(f"{table.title} ({table.unit}): {told}")
    click.echo(str(write_page(out, tables, growths, MISSING)))


if __name__ == "__main__":
    main()

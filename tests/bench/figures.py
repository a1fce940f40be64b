"""Benchmark results, and the page of charts for them."""

from __future__ import annotations

import html
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
from matplotlib.figure import Figure

OURS, THEIRS = "#1f77b4", "#9aa5b1"


@dataclass(frozen=True)
class Row:
    """One repeatedly timed thing.

    Args:
        name: its name.
        values: the results, in the unit of its table.
        is_ours: whether it is Sightline's own.
    """

    name: str
    values: tuple[float, ...]
    is_ours: bool = False

    @property
    def median(self) -> float:
        """The median of the results."""
        return statistics.median(self.values)

    @property
    def spread(self) -> tuple[float, float]:
        """The middle half of the results; all of them if there are few."""
        ordered = sorted(self.values)
        quarter = len(ordered) // 4
        return ordered[quarter], ordered[-1 - quarter]


@dataclass
class Table:
    """Rows to compare with one another; the others are multiples of the first one.

    Args:
        title: the subject.
        unit: of the values.
        rows: the timed things.
        notes: caveats for readers.
    """

    title: str
    unit: str
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass
class Growth:
    """Growth of one quantity with another.

    Args:
        title: the growing quantity.
        across: the other quantity.
        unit: its unit.
        lines: for each name, the result at each amount.
    """

    title: str
    across: str
    unit: str
    lines: dict[str, list[tuple[float, float]]] = field(default_factory=dict)


def timed_ms(call: Callable[[], object], repeats: int, *, of: int = 1) -> tuple[float, ...]:
    """Return the processor time of each call, in milliseconds, divided by the number of things that it does.

    Other programs on the machine do not count.
    """
    found = []
    for _ in range(repeats):
        began_s = time.process_time()
        call()
        found.append((time.process_time() - began_s) * 1000 / of)
    return tuple(found)


def machine() -> str:
    """Return the machine that the figures are from."""
    names = [line.partition(":")[2].strip() for line in _cpu_lines() if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{name}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def _cpu_lines() -> list[str]:
    listed = Path("/proc/cpuinfo")
    return listed.read_text().splitlines() if listed.exists() else []


def write_page(folder: Path, tables: Sequence[Table], growths: Sequence[Growth], missing: Sequence[str]) -> Path:
    """Draw the charts and write their page; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [_head(missing)]
    for number, table in enumerate(tables):
        picture = f"table-{number}.svg"
        _draw_table(table, folder / picture)
        parts.append(_table_part(table, picture))
    for number, growth in enumerate(growths):
        picture = f"growth-{number}.svg"
        _draw_growth(growth, folder / picture)
        parts.append(f'<section><h2>{html.escape(growth.title)}</h2><img src="{picture}" alt=""></section>')
    page = folder / "index.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><title>Sightline, measured</title>{STYLE}{''.join(parts)}\n")
    return page


STYLE = (
    "<style>body{font:16px system-ui,sans-serif;margin:2rem auto;padding:0 1.5rem;max-width:70rem;color:#1c2430}"
    "section{margin:2.5rem 0}h2{margin:0 0 .5rem}img{width:100%}table{border-collapse:collapse;margin:.5rem 0}"
    "td,th{padding:.2rem .9rem .2rem 0;text-align:right;font-variant-numeric:tabular-nums}"
    "td:first-child,th:first-child{text-align:left}.ours{font-weight:600}p{max-width:50rem}</style>"
)


def _head(missing: Sequence[str]) -> str:
    told = "".join(f"<li>{html.escape(one)}</li>" for one in missing)
    absent = f"<p>Not compared with:</p><ul>{told}</ul>" if told else ""
    day = time.strftime("%Y-%m-%d")
    return (
        f"<h1>Sightline, measured</h1><p>{html.escape(machine())}; {day}. Figures of one run, to be compared with one "
        f"another: medians, and in brackets the middle half of what was found.</p>{absent}"
    )


def _table_part(table: Table, picture: str) -> str:
    first = table.rows[0].median
    rows = "".join(
        f'<tr class="{"ours" if row.is_ours else ""}"><td>{html.escape(row.name)}</td><td>{_figure(row.median)}</td>'
        f"<td>({_figure(row.spread[0])} – {_figure(row.spread[1])})</td><td>× {_figure(row.median / first)}</td></tr>"
        for row in table.rows
    )
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in table.notes)
    head = f"<tr><th></th><th>{html.escape(table.unit)}</th><th></th><th>times the first</th></tr>"
    return (
        f'<section><h2>{html.escape(table.title)}</h2><img src="{picture}" alt="">'
        f"<table>{head}{rows}</table>{notes}</section>"
    )


def _figure(value: float) -> str:
    """Return a number with three figures."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _draw_table(table: Table, path: Path) -> None:
    rows = list(reversed(table.rows))
    figure = Figure(figsize=(11, 0.9 + 0.42 * len(rows)), layout="constrained")
    axes = figure.subplots()
    for place, row in enumerate(rows):
        low, high = row.spread
        axes.barh(place, row.median, color=OURS if row.is_ours else THEIRS)
        axes.plot([low, high], [place, place], color="black", linewidth=1.5)
        axes.annotate(
            f" {_figure(row.median)}", (max(high, row.median), place), va="center", fontsize=9, annotation_clip=False
        )
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    medians = [row.median for row in rows if row.median > 0]
    if max(medians) > 30 * min(medians):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_xlabel(f"{table.unit}, each mark ten times the one before")
    else:
        axes.set_xlabel(table.unit)
    axes.margins(x=0.12)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path)


def _draw_growth(growth: Growth, path: Path) -> None:
    figure = Figure(figsize=(11, 3.6), layout="constrained")
    axes = figure.subplots()
    for name, points in growth.lines.items():
        axes.plot([x for x, _ in points], [y for _, y in points], marker="o", label=name)
    axes.set(xlabel=growth.across, ylabel=growth.unit, ylim=(0, None), xlim=(0, None))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend()
    figure.savefig(path)

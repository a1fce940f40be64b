"""What sight lines on a free table come to: who is seen, and who has cover."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.rules.free_sight import Line, crosses, first_blocking, lines_between, meets_figure
from assistant.rules.ruling import Blocker
from assistant.table.free_table import FreeFigure, FreeTable, Terrain


@dataclass(frozen=True)
class Traced:
    """A line with what stops it, and the low cover that a free one passes over."""

    line: Line
    blocker: Blocker | None = None
    low_cover: Blocker | None = None


@dataclass(frozen=True)
class Sight:
    """What all lines from one figure to another come to; the first is the one between the middles."""

    lines: tuple[Traced, ...]

    @property
    def is_clear(self) -> bool:
        """Whether the target is seen: one free line is enough."""
        return any(traced.blocker is None for traced in self.lines)

    @property
    def gives_cover(self) -> bool:
        """Whether a seen target has cover: low cover on a line, or a part of it hidden."""
        return any(traced.low_cover or traced.blocker for traced in self.lines)


def sight(table: FreeTable, viewer: FreeFigure, target: FreeFigure, options: Mapping[str, str]) -> Sight:
    """What the lines from a figure to another come to under the house's options.

    The whole of sight and cover is inferred: the known fragment of the rules does not say how they are found.
    """
    walls = [piece for piece in table.terrain if piece.kind == "wall"]
    low = [piece for piece in table.terrain if piece.kind == "cover"]
    others = [figure for figure in table.figures if figure.id not in (viewer.id, target.id)]
    standing = others if options["sight_figures"] == "block" else []
    lines = lines_between(viewer, target, to_height_mm=target.top_mm)
    to_foot = lines_between(viewer, target, to_height_mm=target.elevation_mm)
    traced: list[Traced] = []
    for line, foot in zip(lines, to_foot, strict=True):
        if options["sight_lines"] == "center" and traced:
            break
        stop = first_blocking(line, walls) or next((f for f in standing if meets_figure(line, f)), None)
        cover = None
        if stop is None:
            hides = options["cover_height"] == "hides_foot"
            cover = first_blocking(foot, [*low, *walls]) if hides else next((p for p in low if crosses(line, p)), None)
        traced.append(Traced(line, _named(stop), _named(cover)))
    return Sight(tuple(traced))


def _named(thing: Terrain | FreeFigure | None) -> Blocker | None:
    if thing is None:
        return None
    return Blocker("terrain" if isinstance(thing, Terrain) else "figure", id=thing.id)

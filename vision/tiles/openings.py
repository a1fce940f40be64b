"""Where doors stand, before anybody looks: in openings between tiles, hardly ever within one, not on printed lines.

A door closes an opening, and openings are where two tiles were laid together without a line printed between them. Of
such edges one in three has a door, of those within a tile one in 160, of those with a printed line none at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from assistant.table.lattice import Cell, Edge, list_inner_edges
from calibration.arrays import Numbers
from vision.tiles.placements import TilePlacement, cells_of
from vision.tiles.prints import TilePrints

_ANYWHERE = 0.5
"""How much every edge without a line is taken for an opening on a board of one tile, where there are no seams."""


@dataclass(frozen=True)
class Openings:
    """The edges that differ from those within a tile.

    Args:
        seams: where two tiles meet.
        lines: on which a line is printed.
    """

    seams: frozenset[Edge]
    lines: frozenset[Edge]

    def features(self, edges: Sequence[Edge]) -> Float[Numbers, "n 2"]:
        """Of each edge how much it is an opening, a seam without a line, and whether it has a line, (N, 2)."""
        return np.array([self._features(edge) for edge in edges], dtype=float).reshape(-1, 2)

    def _features(self, edge: Edge) -> tuple[float, float]:
        if edge in self.lines:
            return 0.0, 1.0
        return (float(edge in self.seams) if self.seams else _ANYWHERE), 0.0


def openings_of(placements: Iterable[TilePlacement], prints: TilePrints) -> Openings:
    """The seams and printed lines of the tiles of a board."""
    tile_of: dict[Cell, int] = {}
    lines: set[Edge] = set()
    for number, placement in enumerate(placements):
        side = prints.prints[placement.print_index].side
        tile_of.update(dict.fromkeys(cells_of(placement, prints), number))
        lines.update(placement.edge_of(side, edge) for edge in side.edges)
    inner = list_inner_edges(frozenset(tile_of))
    return Openings(frozenset(e for e in inner if len({tile_of[c] for c in e.cells}) > 1), frozenset(lines))

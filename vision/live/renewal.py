"""Compare a new whole reading with the previous one: covered cells, and their former figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.table.lattice import Cell
from calibration.arrays import BgrImage
from vision.evidence.figures import FigureSighting
from vision.live.gating import FrameGate
from vision.scene.observation import StageResults
from vision.scene.occupants import ACCEPT, apart, each_of
from vision.tiles.board_view import BoardView
from vision.tiles.lattice_fit import normalize_lattice, relabel

LIKE_PRINT, UNLIKE_PRINT, COVERED_SHARE = 0.4, 0.25, 0.15
"""Correlations of photo and print above which a cell shows its print, and below which it does not, and the share of
covered cells that counts as large. Bodies of figures occlude up to a tenth of the cells, a hand more."""


@dataclass(frozen=True, eq=False)
class Earlier:
    """The picture of an earlier reading, in its gate, with the former names of the present cells."""

    gate: FrameGate
    names: Mapping[Cell, Cell]

    def likeness(self, photo: BgrImage, places: Sequence[tuple[Cell, ...]]) -> dict[tuple[Cell, ...], float]:
        """Return the similarity of each place to that picture (``FrameGate.likeness``)."""
        known = {
            tuple(self.names[cell] for cell in place): place for place in places if set(place) <= self.names.keys()
        }
        return {known[place]: like for place, like in self.gate.likeness(photo, list(known)).items()}


def cell_names(before: BoardView, now: BoardView) -> dict[Cell, Cell]:
    """Return each cell's name in an earlier reading of the same board, or nothing for another board.

    A lattice may begin at any of its tiles, so two readings of one picture may number cells differently.
    """
    (_, old), (_, new) = normalize_lattice(before.lattice, before.cells), normalize_lattice(now.lattice, now.cells)
    then = {relabel(cell, old): cell for cell in before.cells}
    places = {cell: relabel(cell, new) for cell in now.cells}
    if old[0] != new[0] or then.keys() != set(places.values()):
        return {}
    return {cell: then[place] for cell, place in places.items()}


def unlike_print(seen: StageResults) -> frozenset[Cell]:
    """Return the cells that show neither their print nor a figure that is likelier there than not.

    A hand may look like a large figure, doubtful at each of several places.
    """
    under_figures = {cell for figure in seen.figures if figure.confidence > ACCEPT for cell in figure.cells}
    likeness = seen.board.likeness
    return frozenset(cell for cell, like in likeness.items() if like < UNLIKE_PRINT and cell not in under_figures)


def newly_covered(before: StageResults, now: StageResults) -> frozenset[Cell]:
    """Return the cells that something may cover now. Cells behind figures were occluded before as well."""
    covered, names = unlike_print(now), cell_names(before.board, now.board)
    likeness = before.board.likeness
    return frozenset(cell for cell in covered if not names or likeness[names[cell]] >= LIKE_PRINT)


def is_large(covered: frozenset[Cell], seen: StageResults) -> bool:
    """Return whether something large covers the board."""
    return len(covered) > COVERED_SHARE * len(seen.board.cells)


def keep_covered_figures(before: StageResults, now: StageResults, blind: frozenset[Cell]) -> StageResults:
    """Return the new results with the figures and possible figures on covered cells, if it is the same board."""
    names = cell_names(now.board, before.board)
    kept = _kept(before.figures, names, blind, now.figures)
    figures = [*now.figures, *kept]
    doubts = _kept(each_of(before.maybe_figures), names, blind, [*figures, *each_of(now.maybe_figures)])
    if not kept and not doubts:
        return now
    taken = {cell for figure in figures for cell in figure.cells}
    free = [maybe for maybe in (*each_of(now.maybe_figures), *doubts) if taken.isdisjoint(maybe.cells)]
    maybe = apart(sorted(free, key=lambda figure: (-figure.log_odds, figure.cells)))
    return replace(now, figures=figures, maybe_figures=maybe)


def _kept(
    before: Iterable[FigureSighting], names: Mapping[Cell, Cell], blind: frozenset[Cell], now: Iterable[FigureSighting]
) -> list[FigureSighting]:
    """Return the earlier figures on covered cells, unless another one is there now."""
    there = [
        replace(figure, cells=tuple(sorted(names[cell] for cell in figure.cells)), rivals=())
        for figure in before
        if names.keys() >= set(figure.cells)
    ]
    taken = {cell for figure in now for cell in figure.cells}
    return [f for f in there if not blind.isdisjoint(f.cells) and taken.isdisjoint(f.cells)]

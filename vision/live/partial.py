"""Judge some cells of a board anew, and keep the rest of the reading.

The functions for a whole photo read a smaller board: the cells in question and their neighbours. Only the occupants of
the cells in question are adopted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.table.lattice import Cell, connected_groups, grow
from assistant.table.roster import Roster
from calibration.arrays import BgrImage
from vision.evidence.doors import DoorSighting
from vision.evidence.figures import FigureSighting
from vision.evidence.occupancy import Occupancy
from vision.photo.rectify import rectify
from vision.scene.observation import StageResults
from vision.scene.occupants import ACCEPT, apart, each_of, find_standing
from vision.scene.table import TableWay
from vision.tiles.board_view import RIM_CELLS, BoardView
from vision.tiles.placements import lattice_frame, span_of
from vision.tiles.prints import PX_PER_CELL

_ROUND = 1
"""Cells of context round the judged ones. A patch shows about a cell more on each side."""

MAY_BE_EMPTY = 0.6
"""Largest chance of being empty at which a changed cell may hold the missing figure, if no cell is likelier. A whole
reading needs far more, since most cells of a board are empty. A changed cell often is not."""

STOOD_ODDS = 3.0
"""Log odds of a cell where a figure stood before: most stay in place, among many other cells."""

MOST_ODDS = 1.0
"""Cap on the stated log odds of such a figure, three to one."""


@dataclass(frozen=True)
class ReadingScope:
    """The cells to judge anew.

    Args:
        cells: the cells to judge. Anything that extends to a hidden cell stays unchanged.
        hidden: the cells that the picture does not show.
        figure_count: number of figures on the whole board. While fewer are found, a figure of unknown kind goes to the
            judged cell least likely to be empty, since the lifted figure must be somewhere. It is assumed there until
            more figures are found.
        stood: cells of figures at the whole reading, and of those that nobody touched since. They are the likeliest
            places of a missing figure.
    """

    cells: frozenset[Cell]
    hidden: frozenset[Cell]
    figure_count: int
    stood: frozenset[Cell] = frozenset()


def read_again(seen: StageResults, photo: BgrImage, wanted: ReadingScope, roster: Roster) -> StageResults:
    """Return the results with some cells judged anew in a new picture from the same place."""
    figures, doors, hidden = list(seen.figures), list(seen.doors), wanted.hidden
    maybe_figures, maybe_doors = list(each_of(seen.maybe_figures)), list(seen.maybe_doors)
    judged, covered, lain_across, worlds = [], seen.covered, dict(seen.lain_across), list(seen.worlds)
    for group in connected_groups(wanted.cells & seen.board.cells, 2 * _ROUND):
        # A judged corner of a large base needs the whole base in view. So does a base beside it: its half in view would
        # have to be another base. Only what touches the group is adopted.
        known = [figure.cells for figure in (*figures, *maybe_figures)]
        around = grow(_with_bases(group, known), _ROUND)
        part = _part_of(seen.board, photo, _with_bases(around, known))
        now = find_standing(part, seen.sizes or roster, seen.quiet)
        judged.append((now.occupancy, group))
        bases = [figure.cells for figure in now.figures]
        covered = (covered - group) | (now.occupancy.covered(bases) & group - hidden)
        lying_now = {
            cell: chance for cell, chance in now.occupancy.lain_across(bases).items() if cell in group - hidden
        }
        lain_across = {cell: chance for cell, chance in lain_across.items() if cell not in group - hidden} | lying_now
        figures = _merge_figures(figures, _move(now.figures, part, seen.board), group, hidden)
        maybe_figures = _merge_doubts(maybe_figures, _move(each_of(now.maybe_figures), part, seen.board), group, hidden)
        doors = _merge_doors(doors, now.doors, group, hidden)
        maybe_doors = _merge_doors(maybe_doors, now.maybe_doors, group, hidden)
        worlds = [ways for ways in worlds if group.isdisjoint(_cells_in(ways))]
        worlds += [_move_ways(ways, part, seen.board) for ways in now.worlds if group - hidden >= _cells_in(ways)]
    unjudged = {place for place in seen.assumed if wanted.cells.isdisjoint(place) or not hidden.isdisjoint(place)}
    assumed = sorted((f for f in figures if f.cells in unjudged), key=lambda figure: (figure.log_odds, figure.cells))
    # A missing figure that has turned up elsewhere is not where it was assumed.
    found = assumed[: max(0, len(figures) - wanted.figure_count)]
    somebody = _somebody(judged, seen.board, figures, wanted)
    figures = [figure for figure in figures if figure not in found] + somebody
    # A door beyond the box takes the place of one that is gone.
    waiting = [door for door in maybe_doors if door.confidence >= ACCEPT]
    by_chance = sorted([*doors, *waiting], key=lambda door: (-door.confidence, door.edge))
    best_doors, too_many = by_chance[: roster.doors.count], by_chance[roster.doors.count :]
    taken = {cell for figure in figures for cell in figure.cells}
    free = [figure for figure in maybe_figures if taken.isdisjoint(figure.cells)]
    edges = {door.edge for door in best_doors}
    # Parts were judged separately, so together they may have more doors than the box.
    unlikely = [replace(door, confidence=min(door.confidence, ACCEPT)) for door in too_many]
    maybe_doors = [door for door in maybe_doors if door.edge not in edges] + unlikely
    return replace(
        seen,
        figures=figures,
        doors=best_doors,
        maybe_figures=apart(sorted(free, key=lambda figure: (-figure.log_odds, figure.cells))),
        maybe_doors=maybe_doors,
        # Dependences of places that were judged only in part are unknown.
        worlds=[ways for ways in worlds if _is_read(ways, figures, best_doors)],
        covered=covered - taken,
        lain_across={cell: chance for cell, chance in lain_across.items() if cell not in taken},
        assumed=frozenset(figure.cells for figure in (*assumed[len(found) :], *somebody)),
    )


def _with_bases(cells: frozenset[Cell], bases: Iterable[tuple[Cell, ...]]) -> frozenset[Cell]:
    """Return the cells and those of every base that has one of them."""
    return cells.union(*(base for base in bases if not cells.isdisjoint(base)))


def _cells_in(ways: Iterable[TableWay]) -> frozenset[Cell]:
    """Return the cells of a group of worlds, and those beside its doors."""
    cells = (cell for way in ways for figure in way.figures for cell in figure.cells)
    return frozenset(cells).union(*(door.edge.cells for way in ways for door in way.doors))


def _is_read(ways: Sequence[TableWay], figures: Iterable[FigureSighting], doors: Iterable[DoorSighting]) -> bool:
    """Return whether the reading has the likeliest world's pieces on the cells and edges of the group."""
    cells, edges = _cells_in(ways), {door.edge for way in ways for door in way.doors}
    there = {(figure.cells, figure.kind) for figure in figures if not cells.isdisjoint(figure.cells)}
    closed = edges.intersection(door.edge for door in doors)
    return there == {(f.cells, f.kind) for f in ways[0].figures} and closed == {d.edge for d in ways[0].doors}


def _move_ways(ways: Iterable[TableWay], part: BoardView, board: BoardView) -> list[TableWay]:
    return [way._replace(figures=tuple(_move(way.figures, part, board))) for way in ways]


def _somebody(
    judged: Iterable[tuple[Occupancy, frozenset[Cell]]],
    board: BoardView,
    figures: Iterable[FigureSighting],
    wanted: ReadingScope,
) -> list[FigureSighting]:
    """Return the missing number of figures, of unknown kind, on the judged cells least likely to be empty."""
    known = list(figures)
    taken = wanted.hidden.union(*(figure.cells for figure in known))
    stood = math.exp(STOOD_ODDS)
    chances = (
        # A cell where a figure stood before is less likely to be empty than the picture alone suggests.
        (chance[0] / (chance[0] + (1 - chance[0]) * stood) if cell in wanted.stood else chance[0], cell)
        for occupancy, group in judged
        for cell, chance in occupancy.chance_of.items()
        if cell in group and cell not in taken
    )
    found = []
    least = sorted((empty, cell) for empty, cell in chances if empty < MAY_BE_EMPTY)
    for empty, cell in least[: max(0, wanted.figure_count - len(known))]:
        x, y = board.frame_from_lattice(np.array([[cell[0] + 0.5, cell[1] + 0.5]]))[0]
        odds = math.log((1 - empty) / max(empty, 0.01))
        found.append(FigureSighting(None, (cell,), (float(x), float(y)), min(odds, MOST_ODDS)))
    return found


def _part_of(board: BoardView, photo: BgrImage, cells: frozenset[Cell]) -> BoardView:
    """Return the board of some cells in a new picture, in the light of the old one."""
    cells &= board.cells
    low, high = span_of(cells, RIM_CELLS)
    columns, rows = (side // PX_PER_CELL for side in board.frame.size_wh)
    first = (max(low[0], board.first[0]), max(low[1], board.first[1]))
    last = (min(high[0], board.first[0] + columns), min(high[1], board.first[1] + rows))
    frame = lattice_frame(board.lattice, first, last, board.px_per_mm)
    top, left = (first[1] - board.first[1]) * PX_PER_CELL, (first[0] - board.first[0]) * PX_PER_CELL
    box = (slice(top, top + frame.size_wh[1]), slice(left, left + frame.size_wh[0]))
    return replace(
        board,
        frame=frame,
        first=first,
        cells=cells,
        photo=photo,
        ground_image=rectify(photo, board.view, frame, board.thickness_mm).image,
        print_image=board.print_image[box],
        board_mask=board.board_mask[box],
        gain=board.gain[box],
    )


def _move(figures: Iterable[FigureSighting], part: BoardView, board: BoardView) -> Iterator[FigureSighting]:
    """Yield the same figures with their centres in the frame of the whole board."""
    dx, dy = ((a - b) * PX_PER_CELL for a, b in zip(part.first, board.first, strict=True))
    for figure in figures:
        yield replace(figure, center_px=(figure.center_px[0] + dx, figure.center_px[1] + dy))


def _merge_figures(
    before: Iterable[FigureSighting], now: Iterable[FigureSighting], group: frozenset[Cell], hidden: frozenset[Cell]
) -> list[FigureSighting]:
    kept = [f for f in before if group.isdisjoint(f.cells) or not hidden.isdisjoint(f.cells)]
    taken = {cell for figure in kept for cell in figure.cells}
    fresh = [f for f in now if not group.isdisjoint(f.cells) and taken.isdisjoint(f.cells)]
    return kept + [f for f in fresh if hidden.isdisjoint(f.cells)]


def _merge_doubts(
    before: Iterable[FigureSighting], now: Iterable[FigureSighting], group: frozenset[Cell], hidden: frozenset[Cell]
) -> list[FigureSighting]:
    """Return the possible figures, each by itself. They may share cells, since they are rivals then."""
    kept = [f for f in before if group.isdisjoint(f.cells) or not hidden.isdisjoint(f.cells)]
    return kept + [f for f in now if not group.isdisjoint(f.cells) and hidden.isdisjoint(f.cells)]


def _merge_doors(
    before: Iterable[DoorSighting], now: Iterable[DoorSighting], group: frozenset[Cell], hidden: frozenset[Cell]
) -> list[DoorSighting]:
    def is_judged(door: DoorSighting) -> bool:
        return not group.isdisjoint(door.edge.cells) and hidden.isdisjoint(door.edge.cells)

    return [door for door in before if not is_judged(door)] + [door for door in now if is_judged(door)]

"""Occupants of the board: joint selection of doors and figures, with their rivals.

The evidence treats every place by itself. Here candidates exclude each other (``scene.table``): no two bases share a
cell, no door stands under a base, and the box limits each kind. An unchosen candidate stays as a rival of the chosen
one, or as a possible figure. A discarded candidate could not make a ruling less sure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from assistant.table.lattice import Cell, connected_groups, list_inner_edges, neighbors
from assistant.table.roster import DoorSpec, Roster
from vision.evidence.base_sizes import with_shown_sizes
from vision.evidence.bases import shapes_of, stands
from vision.evidence.bodies import weigh_bodies
from vision.evidence.doors import DoorSighting, door_views, judge_doors
from vision.evidence.figures import LEAST_CHANCE, FigureSighting, bases_in, judge_figures
from vision.evidence.hidden_print import QuietDifference, print_maps
from vision.evidence.leaning import door_shares, hidden_door_shares
from vision.evidence.looks import apply_looks
from vision.evidence.occupancy import COVERED, Occupancy, find_occupancy
from vision.evidence.patches import patch_source
from vision.learned import chance_of_presence, log_odds_of
from vision.scene.door_colors import apply_door_colors
from vision.scene.same_kind import apply_same_kind
from vision.scene.table import HiddenShares, Settled, TableWay, scene_of, settle, with_somebody
from vision.tiles.board_view import BoardView

ACCEPT = 0.5
"""Chance from which a candidate is reported as present."""

_NEAR_CELLS = 3
"""Group size in cells for merging faint doors. A sight line passes them together. Reported one by one they would be
thirty on a photo. Left out, they add up to at least 1 in 20 on 35 ray-traced photos."""

_UNPLACED, _COVERED_TAKEN, _TAKEN, _EMPTY = 0.45, 0.9, 0.95, 0.95
"""Chance of a figure where something surely hides cells though none was found. The least chances, by the trunk, that
one cell is taken, if its print and that around it are covered and if not, and that it is empty.

On seven photos with fallen figures three of five such places held a large figure and two a fallen one. Of thirty
simulated spaces with two figures .95 left two in no doubt that .9 keeps. Of nineteen uncovered cells on 253 photos
eleven held a figure. The chance stays below ``ACCEPT``, since nothing tells which figure stands there."""

_UNSEEN = 0.12
"""Chance of a figure on a cell that no photo shows: the share of cells with one on rendered tables."""

_SHOWN = 0.5
"""Least visible print of a surely empty cell. Behind a leaning body the networks guess."""

_PART, _PART_BY_PATCHES = 0.65, 0.3
"""Least chance of each cell under such a large base to be a part of one, by the trunk, and least mean by the base
network. Two bases of 3x2 side by side, without a rim in a box with rims, had .81 to .998 by the trunk. On 24 ray-traced
photos one pair of cells without a base passes; another one had a mean of .03 by the base network."""

_BEHIND, _UNSEEN_BEHIND = 0.7, 0.25
"""Share of a door's outline hidden by a large body from which the networks miss doors, and the share that they miss:
one of four on 111 photos."""

_COVER_CELLS, _COVER_EMPTY = 2, 0.5
"""Fewest cells of a cover, and the largest chance that its least empty cell is empty. Of 63 covered cells on 21
ray-traced photos without a cover 11 pass, of 788 under arms, hands, sleeves and sheets drawn over them 598."""

_LEAST_HIDING = 0.02
"""Least chance of a door that explains print behind it. Fainter ones explain nothing."""

_RIVALS = 4
_LEAST_RIVAL = 0.01
"""Most rivals kept in a place, and their least chance. The rest is redistributed."""


@dataclass(frozen=True, eq=False)
class Standing:
    """The occupants.

    Args:
        doors: the doors, the surest first.
        figures: the figures with their rivals, the surest first. No two share a cell.
        maybe_doors: edges with an unlikely door.
        maybe_figures: unlikely figures with their rivals. None shares a cell with a reported figure or another of
            these.
        occupancy: the networks' evidence for every cell.
        worlds: the possible outcomes of dependent places with figures (``scene.table``).
        sizes: the roster with the sizes of bases that the photo shows.
    """

    doors: tuple[DoorSighting, ...]
    figures: tuple[FigureSighting, ...]
    maybe_doors: tuple[DoorSighting, ...]
    maybe_figures: tuple[FigureSighting, ...]
    occupancy: Occupancy
    worlds: Sequence[Sequence[TableWay]] = ()
    sizes: Roster | None = None


@dataclass(frozen=True, eq=False)
class PlaceEvidence:
    """The evidence for every place by itself, before mutual exclusion.

    Args:
        doors: every edge that allows a door, the surest first.
        figures: every candidate figure. Many exclude each other.
        occupancy: the network's evidence for every cell.
        sizes: the roster with the sizes of bases that the photo shows.
        by_photo: each photo's own ``occupancy``, if there are several.
        hidden: what each likely door occludes.
        unseen: the cells that no photo shows.
    """

    doors: Sequence[DoorSighting]
    figures: Sequence[FigureSighting]
    occupancy: Occupancy
    sizes: Roster | None = None
    by_photo: Sequence[Occupancy] = ()
    hidden: HiddenShares = field(default_factory=dict)
    unseen: frozenset[Cell] = frozenset()


def find_standing(board: BoardView, roster: Roster, quiet: QuietDifference | None = None) -> Standing:
    """Return the doors and figures on the board, or on a part of one whose ``quiet`` is known."""
    return choose_standing(judge_places(board, roster, quiet), roster, board)


def judge_places(board: BoardView, roster: Roster, quiet: QuietDifference | None = None) -> PlaceEvidence:
    """Return one photo's evidence for every place by itself."""
    source = patch_source(board, roster)
    edges = list_inner_edges(board.cells) if roster.doors.count else []
    with ThreadPoolExecutor(1) as second_core:
        viewed_doors = second_core.submit(door_views, source, roster.doors, edges)
        maps = print_maps(source, quiet)
        occupancy = find_occupancy(source, maps, roster)
        by_ring = judge_figures(board, roster, occupancy)
        shown = with_shown_sizes(board, roster, occupancy, by_ring)
        if shown is not roster:
            roster, by_ring = shown, judge_figures(board, shown, occupancy)
        by_body = weigh_bodies(by_ring, board, roster, occupancy.by_trunk)
        by_look = apply_looks(by_body, board, roster)
        figures = apply_same_kind(by_look, board, roster)
    judged = judge_doors(source, roster.doors, viewed_doors.result(), maps, occupancy)
    colored = apply_door_colors(judged, source, roster.doors, figures)
    raised = behind_bodies(colored, figures, board, roster)
    covered = occupancy.covered(figure.cells for figure in figures if figure.confidence > ACCEPT)
    doors = not_under_covers(raised, covers(covered, occupancy), board)
    hidden = _hidden_by(doors, board, roster.doors)
    return PlaceEvidence(doors, figures, occupancy, roster, hidden=hidden, unseen=board.unseen)


def behind_bodies(
    doors: Sequence[DoorSighting], figures: Iterable[FigureSighting], board: BoardView, roster: Roster
) -> list[DoorSighting]:
    """Raise doors in openings behind large bodies to what the networks' misses leave of their chance."""
    bases = bases_in((figure for figure in figures if len(figure.cells) > 1), least_log_odds=0.0)
    openings = board.openings.seams - board.openings.lines
    edges = [door.edge for door in doors if door.edge in openings and door.print_seen < COVERED]
    if not bases or not edges:
        return list(doors)
    height_mm = float(np.median([figure.height_mm for figure in roster.figures if figure.size != (1, 1)]))
    shares = hidden_door_shares(board, edges, roster.doors, bases, height_mm).max(axis=1).tolist()
    least = {
        edge: chance_of_presence(odds + math.log(_UNSEEN_BEHIND))
        for edge, share, odds in zip(edges, shares, board.openings.prior_log_odds(edges).tolist(), strict=True)
        if share >= _BEHIND
    }
    return [replace(door, confidence=max(door.confidence, least.get(door.edge, 0.0))) for door in doors]


def covers(covered: Iterable[Cell], occupancy: Occupancy) -> frozenset[Cell]:
    """Return the covered cells under something that lies across the board. Shadows and glare also hide print.

    A thing reaches over several cells, and makes a network doubt that one of them is empty.
    """
    chance, by_trunk = occupancy.chance_of, occupancy.by_trunk.chance_of
    return frozenset[Cell]().union(
        *(
            group
            for group in connected_groups(covered)
            if len(group) >= _COVER_CELLS and min(min(chance[c][0], by_trunk[c][0]) for c in group) < _COVER_EMPTY
        )
    )


def not_under_covers(doors: Sequence[DoorSighting], covered: frozenset[Cell], board: BoardView) -> list[DoorSighting]:
    """Return the doors, those under a cover at least as likely as before any photo, the surest first.

    An arm or a mug across an edge looks like no door, and hides the print that alone proves an edge empty.
    """
    prior = [chance_of_presence(odds) for odds in board.openings.prior_log_odds([door.edge for door in doors]).tolist()]
    after = [
        replace(door, confidence=least, is_hidden=True)
        if door.confidence < least and door.print_seen < COVERED and not covered.isdisjoint(door.edge.cells)
        else door
        for door, least in zip(doors, prior, strict=True)
    ]
    return sorted(after, key=lambda door: (-door.confidence, door.edge))


def _hidden_by(doors: Iterable[DoorSighting], board: BoardView, spec: DoorSpec) -> HiddenShares:
    edges, cells = [door.edge for door in doors if door.confidence >= _LEAST_HIDING], sorted(board.cells)
    shares = door_shares(board, edges, spec, cells).T.tolist()
    return {
        edge: {cell: share for cell, share in zip(cells, row, strict=True) if share}
        for edge, row in zip(edges, shares, strict=True)
    }


def choose_standing(places: PlaceEvidence, roster: Roster, board: BoardView) -> Standing:
    """Select the occupants, all places jointly."""
    scene = scene_of(places.figures, places.doors, roster, hidden=places.hidden)
    settled = settle(scene)
    found = [figure.cells for figure in settled.figures]
    unplaced = _unplaced(places, found, roster)
    fallen = _set_up(places.occupancy.lain_across(found))
    has_small = any(figure.size == (1, 1) for figure in roster.figures)
    unseen = [(cell,) for cell in sorted(places.unseen)] if has_small else []
    chances: dict[tuple[Cell, ...], float] = {
        **dict.fromkeys(unseen, _UNSEEN),
        **fallen,
        **dict.fromkeys(unplaced, _UNPLACED),
    }
    if chances:
        middles = np.array([np.mean(cells, axis=0) + 0.5 for cells in chances])
        somebody = [
            FigureSighting(None, cells, (x, y), log_odds_of(chance))
            for (cells, chance), (x, y) in zip(chances.items(), board.frame_from_lattice(middles).tolist(), strict=True)
        ]
        settled = settle(with_somebody(scene, somebody))
    return replace(standing_of(settled, places.occupancy), sizes=places.sizes)


def _set_up(lain_across: Mapping[Cell, float]) -> dict[tuple[Cell, ...], float]:
    """Return the chance that a fallen figure, once it is set up again, stands on each cell that it lies across."""
    return {
        (cell,): min(max(lain_across[one] for one in group) / len(group), _UNPLACED)
        for group in connected_groups(lain_across)
        for cell in group
    }


def standing_of(settled: Settled, occupancy: Occupancy) -> Standing:
    """Return the occupants for the page: each figure with its rivals, and the possible others."""
    order = sorted(range(len(settled.figures)), key=lambda i: (-settled.figures[i].log_odds, settled.figures[i].cells))
    figures, absence = [settled.figures[i] for i in order], [settled.absence[i] for i in order]
    taken = {cell: index for index, figure in enumerate(figures) for cell in figure.cells}
    rivals: dict[int, list[FigureSighting]] = {}
    maybe: list[FigureSighting] = []
    for other in sorted(settled.other_figures, key=lambda f: (-f.log_odds, f.cells)):
        over = {taken[cell] for cell in other.cells if cell in taken}
        if over:
            rivals.setdefault(max(over), []).append(other)
        elif other.confidence >= LEAST_CHANCE:
            maybe.append(other)
    named = [
        replace(figure, rivals=_against_absence(figure, rivals.get(index, ()), absent))
        for index, (figure, absent) in enumerate(zip(figures, absence, strict=True))
    ]
    doors = sorted(settled.doors, key=lambda door: (-door.confidence, door.edge))
    open_doors = [door for door in settled.other_doors if not _is_under_a_base(door, taken)]
    maybe_doors, maybe_figures = tuple(gathered(open_doors, settled.worlds)), tuple(apart(maybe))
    return Standing(tuple(doors), tuple(named), maybe_doors, maybe_figures, occupancy, settled.worlds)


def _unplaced(places: PlaceEvidence, found: Sequence[tuple[Cell, ...]], roster: Roster) -> list[tuple[Cell, ...]]:
    """Return the places where something surely hides cells, though no figure was found there.

    Two figures that share a space look like a part of a larger base, so the evidence of each single place is against
    them. Large bases without a rim, in a box with rims, lack the evidence that such a box makes usual. The doubt of one
    photo stays unless another photo surely shows an empty cell there.
    """
    photos = places.by_photo or (places.occupancy,)
    empty = {cell for one in photos for cell in one.by_trunk.chance_of if shows_empty(one, cell)}
    has_small = any(figure.size == (1, 1) for figure in roster.figures)
    chosen: list[tuple[Cell, ...]] = []
    for occupancy in photos:
        large = _large_unplaced(occupancy, frozenset(cell for cells in (*found, *chosen) for cell in cells), roster)
        chosen += [cells for cells in large if empty.isdisjoint(cells)]
        chosen += [(cell,) for cell in _surely_taken(occupancy, [*found, *chosen]) if has_small and cell not in empty]
    return sorted(chosen)


def _surely_taken(occupancy: Occupancy, found: Sequence[tuple[Cell, ...]]) -> list[Cell]:
    """Return the cells that the trunk surely finds taken, though none of these figures stands there."""
    covered, explained = occupancy.covered(found), frozenset(cell for cells in found for cell in cells)
    return [
        cell
        for cell, (empty, _, _) in sorted(occupancy.by_trunk.chance_of.items())
        if cell not in explained and 1 - empty >= (_COVERED_TAKEN if cell in covered else _TAKEN)
    ]


def shows_empty(photo: Occupancy, cell: Cell) -> bool:
    """Return whether a photo surely shows an empty cell, its print in sight."""
    inside, _ = photo.print_of.get(cell, (1.0, 1.0))
    return inside > _SHOWN and photo.by_trunk.chance_of[cell][0] >= _EMPTY


def _large_unplaced(occupancy: Occupancy, taken: frozenset[Cell], roster: Roster) -> list[tuple[Cell, ...]]:
    """Return the places of large bases, all of whose cells look like parts of one, though none of them is taken.

    The place with the fewest such cells beside it comes first, so that two bases side by side are cut where they meet.
    """
    by_patches, by_trunk = occupancy.chance_of, occupancy.by_trunk.chance_of
    parts = frozenset(c for c in by_trunk if by_trunk[c][2] >= _PART and c not in taken)
    shapes = {shape for figure in roster.figures if figure.size != (1, 1) for shape in shapes_of(figure)}
    every = {tuple(sorted(stand.cells)) for shape in shapes for stand in stands(shape, parts)}
    places = {cells for cells in every if sum(by_patches[c][2] for c in cells) >= _PART_BY_PATCHES * len(cells)}
    beside = {
        cells: len(parts.intersection(n for c in cells for n in neighbors(c)).difference(cells)) for cells in places
    }
    chosen: list[tuple[Cell, ...]] = []
    for cells in sorted(places, key=lambda cells: (beside[cells], -len(cells), cells)):
        if all(frozenset(other).isdisjoint(cells) for other in chosen):
            chosen.append(cells)
    return chosen


def _against_absence(
    figure: FigureSighting, others: Iterable[FigureSighting], absent: float
) -> tuple[FigureSighting, ...]:
    """Return the likeliest rivals of a figure, with log odds against an empty place."""
    seen = {(figure.cells, figure.kind)}
    best: list[FigureSighting] = []
    for other in others:
        if (other.cells, other.kind) not in seen and other.confidence >= _LEAST_RIVAL and len(best) < _RIVALS:
            seen.add((other.cells, other.kind))
            best.append(other)
    nobody = max(absent, _LEAST_RIVAL / 100)
    return tuple(replace(rival, log_odds=math.log(rival.confidence / nobody)) for rival in best)


def gathered(maybe: Iterable[DoorSighting], worlds: Sequence[Sequence[TableWay]] = ()) -> list[DoorSighting]:
    """Return the possible doors, the likeliest first. Merge faint ones near each other into the likeliest.

    No chance is lost: each faint door adds its own to the representative of its group. Worlds repeat their own doors
    alone, so no other door's chance joins theirs.
    """
    world_of = {door.edge: number for number, ways in enumerate(worlds) for way in ways for door in way.doors}
    kept: list[DoorSighting] = []
    faint: dict[tuple[int, int, int | None], list[DoorSighting]] = {}
    for door in maybe:
        if door.confidence >= LEAST_CHANCE:
            kept.append(door)
        else:
            x, y = door.edge.start
            faint.setdefault((x // _NEAR_CELLS, y // _NEAR_CELLS, world_of.get(door.edge)), []).append(door)
    for near in faint.values():
        likeliest = max(near, key=lambda door: (door.confidence, door.edge))
        kept.append(replace(likeliest, confidence=math.fsum(door.confidence for door in near)))
    return sorted((door for door in kept if door.confidence > 0), key=lambda door: (-door.confidence, door.edge))


def _is_under_a_base(door: DoorSighting, under: dict[Cell, int]) -> bool:
    a, b = door.edge.cells
    return a in under and under[a] == under.get(b)


def each_of(maybe: Iterable[FigureSighting]) -> Iterator[FigureSighting]:
    """Yield every possible figure and every rival by itself."""
    for figure in maybe:
        yield from (replace(figure, rivals=()), *figure.rivals)


def apart(maybe: Iterable[FigureSighting]) -> list[FigureSighting]:
    """Return the likeliest figures without shared cells, with the others as rivals of the likeliest in their place.

    A figure too unlikely for a rival still raises the chance that the place is occupied.
    """
    first: dict[Cell, int] = {}
    kept: list[FigureSighting] = []
    over: list[list[FigureSighting]] = []
    for figure in maybe:
        before = [first[cell] for cell in figure.cells if cell in first]
        if before:
            over[min(before)].append(figure)
        else:
            first.update(dict.fromkeys(figure.cells, len(kept)))
            kept.append(figure)
            over.append([])
    found = []
    for figure, others in zip(kept, over, strict=True):
        rivals = _best_rivals(figure, others)
        rest = math.fsum(other.confidence for other in others) - math.fsum(rival.confidence for rival in rivals)
        odds = log_odds_of(min(figure.confidence + max(rest, 0.0), ACCEPT))
        found.append(replace(figure, log_odds=max(odds, figure.log_odds), rivals=rivals))
    return found


def _best_rivals(figure: FigureSighting, rivals: Iterable[FigureSighting]) -> tuple[FigureSighting, ...]:
    """Return the likeliest rivals, none of them likelier than the figure."""
    seen: set[tuple[tuple[Cell, ...], str | None]] = set()
    best = []
    for rival in sorted(rivals, key=lambda f: -f.log_odds):
        if rival.confidence >= _LEAST_RIVAL and (rival.cells, rival.kind) not in seen:
            seen.add((rival.cells, rival.kind))
            best.append(replace(rival, log_odds=min(rival.log_odds, figure.log_odds)))
    return tuple(best[:_RIVALS])

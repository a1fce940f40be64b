"""Combine the evidence of several pictures of one board for every place, before the occupants are chosen.

The boards share their lattice, so that a cell or an edge has one name in all of them. A door, base or ring occluded
from one side is visible from another.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from assistant.table.lattice import Cell, Edge
from assistant.table.roster import Roster, RosterFigure
from calibration.arrays import Numbers
from vision.evidence.bases import ring_kinds
from vision.evidence.doors import DoorSighting
from vision.evidence.figures import LEAST_CHANCE, FigureSighting, by_place, cells_under, of_each_kind
from vision.evidence.occupancy import Occupancy
from vision.learned import MOST_LOG_ODDS, chance_of, log_odds_of
from vision.scene.occupants import PlaceEvidence, shows_empty
from vision.scene.table import HiddenShares
from vision.tiles.board_view import BoardView
from vision.views.weights import ViewWeights, unit_sides, view_weights

_NOT_SEEN = log_odds_of(0.005)
"""Log odds for places that a picture's evidence omits, those with a chance below 0.01."""

_LEAST_SEEN = 0.01

_RING_UNREAD = 0.05
"""Share of a picture's unknown kind that may be any ring, in a box where some figures have none. Of 729 simulated
figures of such boxes from two sides each, in no fit, 0.02 to 0.1 cost as little. With half or more, a ring that one
picture barely suspects names a figure without one."""

_CLEAR = 1.5
"""Least log odds of a place that counts towards a move: one picture is sure of it, and another of the contrary. Weaker
ones look like misreadings, and a crowd has many."""


class SeenPlaces(NamedTuple):
    """One picture's board and its evidence for every place."""

    board: BoardView
    places: PlaceEvidence


@dataclass(frozen=True)
class Contradiction:
    """A place where one picture surely shows something and another one surely does not.

    Args:
        what: the kind of the figure, None if unknown.
        cells: the cells under it, or the two cells on either side of the door.
        is_door: whether it is a door.
        surprise: log odds that the two pictures show two tables.
        shown_in: the one of the two pictures that shows it more surely.
    """

    what: str | None
    cells: tuple[Cell, ...]
    is_door: bool
    surprise: float
    shown_in: int


def join_places(seen: Sequence[SeenPlaces], roster: Roster) -> PlaceEvidence:
    """Combine the pictures' evidence on the first picture's board.

    Args:
        seen: the pictures. Their boards have the same cells.
        roster: the figures and doors that may be there.
    """
    if len(seen) == 1:
        return seen[0].places
    boards = [one.board for one in seen]
    sides, clarity = sides_of(boards), clarity_of(boards)
    doors = sorted(_joined_doors(seen, sides, clarity), key=lambda door: (-door.confidence, door.edge))
    first = list(_joined_figures(seen, sides, clarity, roster))
    figures = list(_joined_figures(seen, sides, clarity, roster, settled=cells_under(first, least_log_odds=0.0)))
    weights = view_weights("figures").weights_of(sides, clarity)
    by_photo = [one.places.occupancy for one in seen]
    sizes = [one.places.sizes for one in seen]
    shown = next((measured for measured in sizes if measured not in (None, roster)), sizes[0])
    hidden = _joined_hidden([one.places.hidden for one in seen], weights)
    unseen = frozenset.intersection(*(one.places.unseen for one in seen))
    return PlaceEvidence(doors, figures, _joined_occupancy(by_photo, weights), shown, by_photo, hidden, unseen)


def sides_of(boards: Sequence[BoardView]) -> Float[Numbers, "n 3"]:
    """Return unit vectors from the middle of the board to each camera, (N, 3)."""
    cells = np.array(sorted(boards[0].cells), dtype=float) + 0.5
    middle_mm = boards[0].lattice.table_from_lattice(cells).mean(axis=0)
    return unit_sides(middle_mm, [board.view for board in boards])


def clarity_of(boards: Sequence[BoardView]) -> Float[Numbers, " n"]:
    """Return how clearly each picture shows the print."""
    return np.array([board.clarity for board in boards])


def contradictions(seen: tuple[SeenPlaces, SeenPlaces]) -> list[Contradiction]:
    """Return the places where two pictures clearly contradict each other, the clearest first.

    It ignores their joint evidence. Bases that share a cell are hypotheses about the same thing, so only the clearest
    counts.
    """
    clear: list[Contradiction] = []
    for one in sorted((*_about_doors(seen), *_about_figures(seen)), key=lambda one: (-one.surprise, one.cells)):
        apart = (set(one.cells).isdisjoint(other.cells) for other in clear if not (one.is_door or other.is_door))
        if one.surprise >= _CLEAR and all(apart):
            clear.append(one)
    return clear


def _about_doors(seen: Sequence[SeenPlaces]) -> Iterator[Contradiction]:
    model, clarity = view_weights("doors"), clarity_of([one.board for one in seen])
    for edge in sorted({door.edge for one in seen for door in one.places.doors}):
        odds = _door_odds_in_sight(seen, edge, model.prior)
        yield Contradiction(None, edge.cells, True, model.surprise(odds, clarity), int(np.argmax(odds)))


def _about_figures(seen: Sequence[SeenPlaces]) -> Iterator[Contradiction]:
    model, clarity = view_weights("figures"), clarity_of([one.board for one in seen])
    views = [_by_cells(one.places.figures) for one in seen]
    for cells, somebody in somebody_odds(seen).items():
        best = max((s for there in views for s in there.get(cells, {}).values()), key=lambda s: s.log_odds)
        yield Contradiction(best.kind, cells, False, model.surprise(somebody, clarity), int(np.argmax(somebody)))


def _joined_doors(
    seen: Sequence[SeenPlaces], sides: Float[Numbers, "n 3"], clarity: Float[Numbers, " n"]
) -> Iterator[DoorSighting]:
    model = view_weights("doors")
    weights = model.weights_of(sides, clarity)
    by_place = {door.edge: door.by_place for one in seen for door in one.places.doors}
    for edge, part in by_place.items():
        odds = _door_odds_in_sight(seen, edge, model.prior)
        joint = model.joint_log_odds(odds, weights) + part
        yield DoorSighting(edge, _chance_of_presence(joint), part)


def _chance_of_presence(log_odds: float) -> float:
    """Return the chance of presence. Presence is never certain, but absence in several pictures may be."""
    return 1 / (1 + math.exp(-min(log_odds, MOST_LOG_ODDS)))


def _door_odds_in_sight(seen: Sequence[SeenPlaces], edge: Edge, prior: float) -> list[float]:
    """Return each picture's log odds of a door on that edge, as far as it sees that place."""
    return [_in_sight(own, prior, one, edge) for own, one in zip(door_odds(seen, edge), seen, strict=True)]


def _in_sight(log_odds: float, prior: float, one: SeenPlaces, edge: Edge) -> float:
    """Return one picture's log odds of a door, nearer to the prior as far as a body occludes that place.

    That only removes evidence against the door: the networks hardly know an occluded door. A picture that does not show
    the place, or whose print something hides there, is evidence only beyond the chance before any photo.
    """
    for door in one.places.doors:
        if door.edge == edge and (door.is_hidden or not door.is_shown):
            return prior + log_odds_of(door.confidence) - float(one.board.openings.prior_log_odds([edge])[0])
    leans = one.places.occupancy.by_trunk.leaned_over
    hidden = max(leans.get(cell, 0.0) for cell in edge.cells)
    return log_odds if log_odds >= prior else prior + (1 - hidden) * (log_odds - prior)


def door_odds(seen: Sequence[SeenPlaces], edge: Edge) -> list[float]:
    """Return each picture's log odds of a door on that edge. The place's part is common to all and counts once."""
    by_edge = [{door.edge: log_odds_of(door.confidence) - door.by_place for door in one.places.doors} for one in seen]
    return [there.get(edge, _NOT_SEEN) for there in by_edge]


def somebody_odds(seen: Sequence[SeenPlaces]) -> dict[tuple[Cell, ...], list[float]]:
    """Return each picture's log odds of any figure, for all cells with evidence in any picture."""
    views = [_by_cells(one.places.figures) for one in seen]
    every = sorted({cells for there in views for cells in there})
    return {
        cells: [_somebody(there.get(cells, {}), cells, one) for there, one in zip(views, seen, strict=True)]
        for cells in every
    }


_Sightings = Mapping[str | None, FigureSighting]
"""One picture's sightings on the same cells: the likeliest of each kind, None for unknown kind."""


def _joined_figures(
    seen: Sequence[SeenPlaces],
    sides: Float[Numbers, "n 3"],
    clarity: Float[Numbers, " n"],
    roster: Roster,
    settled: frozenset[Cell] | None = None,
) -> Iterator[FigureSighting]:
    """Yield for each place a figure of each kind with evidence in any picture.

    Ignore a view that saw a larger base here, once that base is elsewhere: the figure competes with the empty cell
    alone. ``settled`` are the cells of everything likely in all pictures, or None if not yet known.
    """
    model = view_weights("figures")
    weights_of_shown: dict[tuple[bool, ...], list[float]] = {}
    kinds = _kinds_by_size(roster)
    views = [_by_cells(one.places.figures) for one in seen]
    for cells in sorted({cells for there in views for cells in there}):
        shown = tuple(one.places.unseen.isdisjoint(cells) for one in seen)
        if shown not in weights_of_shown:
            weights_of_shown[shown] = _weights_where_shown(model, sides, clarity, shown)
        weights = weights_of_shown[shown]
        sightings = [there.get(cells, {}) for there in views]
        odds = [_somebody(there, cells, one) for there, one in zip(sightings, seen, strict=True)]
        if settled is not None and len(cells) == 1 and settled.isdisjoint(cells):
            odds = [_if_nobody_else(own, one, cells[0]) for own, one in zip(odds, seen, strict=True)]
        somebody = model.joint_log_odds(odds, weights)
        shares = _kind_shares(sightings, weights, kinds[_size(cells)], all_have_rings=roster.all_have_rings)
        for kind, share in shares.items():
            chance = _chance_of_presence(somebody) * share
            if chance > LEAST_CHANCE:
                yield replace(_best(sightings, seen, kind), log_odds=min(log_odds_of(chance), somebody))


def _weights_where_shown(
    model: ViewWeights, sides: Float[Numbers, "n 3"], clarity: Float[Numbers, " n"], shown: Sequence[bool]
) -> list[float]:
    """Return the pictures' weights for a place that some of them show, 0 for the others. If none does, all count."""
    if not any(shown):
        return model.weights_of(sides, clarity)
    counting = iter(model.weights_of(sides[np.array(shown)], clarity[np.array(shown)]))
    return [next(counting) if is_shown else 0.0 for is_shown in shown]


def _by_cells(figures: Iterable[FigureSighting]) -> dict[tuple[Cell, ...], dict[str | None, FigureSighting]]:
    return {
        cells: {figure.kind: figure for figure in of_each_kind(there)} for cells, there in by_place(figures).items()
    }


def _somebody(there: _Sightings, cells: Sequence[Cell], one: SeenPlaces) -> float:
    """Return one picture's log odds of any figure on the cells. Cells that it does not show are no evidence against."""
    least = _NOT_SEEN if one.places.unseen.isdisjoint(cells) else view_weights("figures").prior
    if not there:
        return least
    somebody = math.fsum(sighting.confidence for sighting in there.values())
    return max(log_odds_of(max(min(somebody, 1.0), _LEAST_SEEN / 2)), least)


def _if_nobody_else(log_odds: float, one: SeenPlaces, cell: Cell) -> float:
    """Return one picture's log odds of a figure in a cell, given no part of a larger base there.

    That only removes evidence against the figure.
    """
    empty = one.places.occupancy.chance_of[cell][0]
    return max(log_odds, min(math.log(chance_of(log_odds) / max(empty, _LEAST_SEEN)), 0.0))


def _kind_shares(
    sightings: Sequence[_Sightings], weights: Sequence[float], kinds: int, *, all_have_rings: bool
) -> dict[str | None, float]:
    """Return the share of each kind, given that a figure is there. A picture without evidence favours no kind.

    If all figures have rings, an unknown kind is a ring that was not read, or a stranger. Otherwise it is mostly a
    figure without a ring.
    """
    named = sorted({kind for there in sightings for kind in there if kind is not None})
    strangers = max(kinds - len(named), 0) + 1 if all_have_rings else 1
    of_any_ring = kinds / (kinds + 1) if all_have_rings else _RING_UNREAD
    logs = dict.fromkeys(named, 0.0)
    rest = 0.0
    for there, weight in zip(sightings, weights, strict=True):
        if not there:
            continue
        likely = {kind: s.confidence for kind, s in there.items() if kind is not None}
        left_open = max(there[None].confidence if None in there else 0.0, _LEAST_SEEN)
        total = left_open + sum(likely.values())
        each = left_open * of_any_ring / max(kinds, 1)
        for kind in named:
            logs[kind] += weight * math.log((likely.get(kind, 0.0) + each) / total)
        rest += weight * math.log(left_open * (1 - of_any_ring) / total)
    most = max([rest, *logs.values()])
    powers = {kind: math.exp(log - most) for kind, log in logs.items()}
    unnamed = strangers * math.exp(rest - most)
    total = unnamed + sum(powers.values())
    shares: dict[str | None, float] = {kind: power / total for kind, power in powers.items()}
    return {**shares, None: unnamed / total}


def _best(sightings: Sequence[_Sightings], seen: Sequence[SeenPlaces], kind: str | None) -> FigureSighting:
    """Return the strongest sighting of that kind, with its place in the frame of the first board."""
    own = [(there[kind], one) for there, one in zip(sightings, seen, strict=True) if kind in there]
    every = own or [(s, one) for there, one in zip(sightings, seen, strict=True) for s in there.values()]
    best, one = max(every, key=lambda pair: pair[0].log_odds)
    model: RosterFigure | None = best.model if kind is not None else None
    place_mm = one.board.frame.table_from_frame(np.array([best.center_px]))
    x, y = seen[0].board.frame.frame_from_table(place_mm)[0]
    return replace(best, model=model, center_px=(float(x), float(y)))


def _joined_occupancy(by_photo: Sequence[Occupancy], weights: Sequence[float]) -> Occupancy:
    """Return the joint evidence for every cell: its chances by both networks, and the print that the photos see."""
    by_trunk = [one.by_trunk for one in by_photo]
    cells = sorted(by_photo[0].chance_of)
    leans = {cell: [one.leaned_over.get(cell, 0.0) for one in by_trunk] for cell in cells}
    prints = {
        cell: _joined_print([one.print_of.get(cell, (1.0, 1.0)) for one in by_photo], weights, leans[cell])
        for cell in cells
    }
    hidden = Occupancy(
        {cell: _joined_chances([one.chance_of[cell] for one in by_trunk], weights) for cell in cells},
        prints,
        {cell: min(shares) for cell, shares in leans.items()},
        {cell: _joined_lying(by_photo, cell) for cell in cells},
    )
    chances = {cell: _joined_chances([one.chance_of[cell] for one in by_photo], weights) for cell in cells}
    return Occupancy(chances, prints, hidden=hidden)


def _joined_lying(by_photo: Sequence[Occupancy], cell: Cell) -> float:
    """Return the chance that a fallen figure lies across a cell: the largest, unless a photo shows the cell empty."""
    is_empty = any(shows_empty(one, cell) for one in by_photo)
    return 0.0 if is_empty else max(one.by_trunk.lying.get(cell, 0.0) for one in by_photo)


def _joined_hidden(by_photo: Sequence[HiddenShares], weights: Sequence[float]) -> HiddenShares:
    """Return what each door occludes, by the weight of each photo's evidence, since that is what the door explains."""
    joined: dict[Edge, dict[Cell, float]] = {}
    for hidden, weight in zip(by_photo, weights, strict=True):
        for edge, shares in hidden.items():
            there = joined.setdefault(edge, {})
            for cell, share in shares.items():
                there[cell] = there.get(cell, 0.0) + weight * share
    return joined


def _joined_chances(rows: Sequence[tuple[float, float, float]], weights: Sequence[float]) -> tuple[float, float, float]:
    """Return the joint chances of a cell: empty, base of one cell, part of a larger base."""
    powers = np.exp(np.log(np.maximum(rows, 1e-6)).T @ np.array(weights) / sum(weights))
    empty, small, large = (float(p) for p in powers / powers.sum())
    return empty, small, large


def _joined_print(
    prints: Sequence[tuple[float, float]], weights: Sequence[float], leans: Sequence[float]
) -> tuple[float, float]:
    """Return the mean print that the photos see, inside and around.

    Print behind a leaning body is no evidence of what lies there. Visible print always is.
    """
    says = [w * max(inside, 1 - lean) for w, (inside, _), lean in zip(weights, prints, leans, strict=True)]
    inside, around = np.average(prints, axis=0, weights=says) if sum(says) else np.mean(prints, axis=0)
    return float(inside), float(around)


def _kinds_by_size(roster: Roster) -> Counter[tuple[int, int]]:
    """Return the number of rings for bases of each size in cells, in any turn."""
    return Counter(shape.size_cells for shape, _ in ring_kinds(roster))


def _size(cells: Sequence[Cell]) -> tuple[int, int]:
    columns, rows = {c for c, _ in cells}, {r for _, r in cells}
    return len(columns), len(rows)

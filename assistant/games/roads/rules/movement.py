"""Movement of ``roads`` on the table: length of a way, models it passes, ends of flights and charges, climbs and jumps.

Lengths are compared by their squares over exact numbers. Where several legs are added, their roots are cut off 30
digits behind those of a float. Heights and widths come from the table; ``checks`` says what must be rolled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import floor, hypot

from assistant.errors import BadValue
from assistant.games.roads.rules.checks import JUMP_DOWN_LIMIT_STEPS, CheckOdds, climb, jump_down, jump_gap
from assistant.rules.free_distance import Distances, is_in_contact
from assistant.rules.free_lines import LineGeometry
from assistant.rules.free_sight import measure_share_inside
from assistant.rules.ruling import Reason
from assistant.rules.surd import root
from assistant.table.free_table import FreeFigure, FreeTable, Terrain
from assistant.table.plane import ExactPoint, cross, nearest_on, square_between, square_mm2
from assistant.translations.messages import said

MEASURED_MM = 2
"""The middle of a base is read to 2 mm in 95 of 100 cases, so a flight may end that much short of its length."""

STRAIGHT = 10
"""A run by hand may go one to the side for so many ahead and still counts as straight away."""

_INWARDS = 1 - 1e-9
"""What keeps a place that was reckoned with floats on the right side of an exact comparison."""

_HALVINGS = 24
"""So often a way is halved to find where it first touches: a table's length to a ten-thousandth of a millimetre."""

PlaceMm = tuple[float, float]


def exact(place: PlaceMm) -> ExactPoint:
    """A place of a command as exact numbers, as documents are read."""
    return Fraction(str(place[0])), Fraction(str(place[1]))


def is_within_way(way: Sequence[ExactPoint], limit_mm: Fraction) -> bool:
    """Whether a way over these places is at most that long."""
    if len(way) == 2:
        return square_mm2(*way) <= limit_mm**2
    return measure_way(way) <= limit_mm


def measure_way(way: Sequence[ExactPoint]) -> Fraction:
    """How long a way over these places is, in millimetres."""
    return sum((root(square_mm2(a, b)) for a, b in pairwise(way)), Fraction(0))


def point_at(way: Sequence[ExactPoint], moment: float) -> ExactPoint:
    """The place on a way after so many legs and a share of the next; its end from the last leg on."""
    leg = floor(moment)
    if leg >= len(way) - 1:
        return way[-1]
    a, b = way[leg : leg + 2]
    return _between(a, b, Fraction(str(moment)) - leg)


def find_finders(
    distances: Distances, mover: FreeFigure, way: Sequence[ExactPoint], hidden: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Who is found by whom while a figure goes that way: pairs of the hidden and of whoever detects it."""
    names = set(hidden)
    for other in distances.table.figures:
        if other.side == mover.side:
            continue
        near = [replace(mover, center_mm=nearest_on(other.center_mm, leg)) for leg in _legs(way)]
        if other.id in names and any(distances.detects(place, other) for place in near):
            yield other.id, mover.id
        if mover.id in names and any(distances.detects(other, place) for place in near):
            yield mover.id, other.id


def find_contact_place(mover: FreeFigure, start: ExactPoint, target: FreeFigure) -> PlaceMm:
    """Where a figure that comes straight from there touches another's base."""
    if mover.base_size_mm or target.base_size_mm:
        return _first_touch(mover, start, target)
    dx, dy = (float(start[i] - target.center_mm[i]) for i in (0, 1))
    reach_mm = float(mover.radius_mm + target.radius_mm) * _INWARDS
    away = hypot(dx, dy) or 1.0
    x, y = (float(value) for value in target.center_mm)
    return x + (dx if dx or dy else 1.0) / away * reach_mm, y + dy / away * reach_mm


def _first_touch(mover: FreeFigure, start: ExactPoint, target: FreeFigure) -> PlaceMm:
    """The same where a base is no circle: the straight way to the other's middle is halved until it is told."""
    apart, touching = Fraction(0), Fraction(1)
    for _ in range(_HALVINGS):
        share = (apart + touching) / 2
        if is_in_contact(replace(mover, center_mm=_between(start, target.center_mm, share)), target):
            touching = share
        else:
            apart = share
    x, y = _between(start, target.center_mm, touching)
    return float(x), float(y)


def _between(a: ExactPoint, b: ExactPoint, share: Fraction) -> ExactPoint:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def touches_at(mover: FreeFigure, place: PlaceMm, target: FreeFigure) -> bool:
    """Whether a figure that stands there is in base contact with another."""
    return is_in_contact(replace(mover, center_mm=exact(place)), target)


def meets_going_on(mover: FreeFigure, end: ExactPoint, length_mm: Fraction, target: FreeFigure) -> bool:
    """Whether a figure that goes straight on over a place, so far in all or at least to there, touches another's base.

    Who stays where it is meets nobody.
    """
    if end == mover.center_mm:
        return False
    last = find_way_on(mover, end, length_mm)
    nearest = nearest_on(target.center_mm, (mover.center_mm, last))
    return any(is_in_contact(replace(mover, center_mm=place), target) for place in (nearest, end))


def find_way_on(mover: FreeFigure, end: ExactPoint, length_mm: Fraction) -> ExactPoint:
    """Where a figure that went to a place would be if it had gone straight on so far in all; the place if it has."""
    way = float(end[0] - mover.center_mm[0]), float(end[1] - mover.center_mm[1])
    is_over = way == (0.0, 0.0) or hypot(*way) >= length_mm
    return end if is_over else exact(_run(mover, way, length_mm))


def is_way_open(way: tuple[ExactPoint, ExactPoint], reach_mm: Fraction, figure: str, table: FreeTable) -> bool:
    """Whether within that reach of a straight way nobody else stands and no terrain lies, and the table goes on."""
    others = [(other.core_mm, other.radius_mm) for other in table.figures if other.id != figure]
    shapes = [*others, *((piece.outline_mm, Fraction(0)) for piece in table.terrain)]
    if any(square_between(way, shape) <= (reach_mm + radius_mm) ** 2 for shape, radius_mm in shapes):
        return False
    return all(reach_mm < place[axis] < table.size_mm[axis] - reach_mm for place in way for axis in (0, 1))


def find_flight_end(fleer: FreeFigure, enemies: Sequence[FreeFigure], length_mm: Fraction) -> PlaceMm:
    """Where a flight straight away from these enemies ends (“Побег”)."""
    dx, dy = 0.0, 0.0
    for enemy in enemies:
        away = [float(fleer.center_mm[i] - enemy.center_mm[i]) for i in (0, 1)]
        size = hypot(*away) or 1.0
        dx, dy = dx + away[0] / size, dy + away[1] / size
    if hypot(dx, dy) < MEASURED_MM / 1e3:  # between two enemies the way away from both goes across
        first = enemies[0].center_mm
        dx, dy = float(first[1] - fleer.center_mm[1]), float(fleer.center_mm[0] - first[0])
    return _run(fleer, (dx, dy), length_mm)


def find_edge_run_end(fleer: FreeFigure, size_mm: tuple[Fraction, Fraction], length_mm: Fraction) -> PlaceMm:
    """Where a flight straight to the nearest edge of the table ends."""
    gaps = list_edge_gaps(fleer.center_mm, size_mm)
    ways = ((-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0))
    return _run(fleer, ways[gaps.index(min(gaps))], length_mm)


def list_edge_gaps(place: ExactPoint, size_mm: tuple[Fraction, Fraction]) -> tuple[Fraction, ...]:
    """How far a place is from the left, right, upper and lower edge of the table."""
    return place[0], size_mm[0] - place[0], place[1], size_mm[1] - place[1]


def nears_edge(start: ExactPoint, end: ExactPoint, size_mm: tuple[Fraction, Fraction]) -> bool:
    """Whether a run leads towards an edge of the table that was the nearest."""
    before, after = list_edge_gaps(start, size_mm), list_edge_gaps(end, size_mm)
    nearest = min(before)
    return any(then < now for now, then in zip(before, after, strict=True) if now == nearest)


def is_farther(start: ExactPoint, end: ExactPoint, enemy: FreeFigure) -> bool:
    """Whether a run ends farther from an enemy than it began."""
    return square_mm2(end, enemy.center_mm) > square_mm2(start, enemy.center_mm)


def keeps_straight(start: ExactPoint, end: ExactPoint, straight_end: ExactPoint) -> bool:
    """Whether a run leads where it should, not more than one to the side for every ten ahead."""
    ahead = sum((end[i] - start[i]) * (straight_end[i] - start[i]) for i in (0, 1))
    return ahead > 0 and STRAIGHT * abs(cross(start, straight_end, end)) <= ahead


def _run(fleer: FreeFigure, way: PlaceMm, length_mm: Fraction) -> PlaceMm:
    size = hypot(*way) or 1.0
    run_mm = float(length_mm) * _INWARDS
    return (
        float(fleer.center_mm[0]) + way[0] / size * run_mm,
        float(fleer.center_mm[1]) + way[1] / size * run_mm,
    )


def _legs(way: Sequence[ExactPoint]) -> list[tuple[ExactPoint, ExactPoint]]:
    return list(pairwise(way)) or [(way[0], way[0])]


TAKE_COVER_STEPS = 1


def is_within(figure: FreeFigure, piece: Terrain, reach_mm: Fraction | int) -> bool:
    """Whether the edge of a base is at most that far from an outline; 0 asks whether they touch."""
    return square_between(figure.core_mm, piece.outline_mm) <= (figure.radius_mm + reach_mm) ** 2


def find_cover_in_reach(distances: Distances, figure: FreeFigure) -> tuple[str, ...]:
    """The walls and cover that a figure under fire could move into (“В укрытие!”), by their names."""
    reach_mm = TAKE_COVER_STEPS * distances.step_mm
    pieces = (piece for piece in distances.table.terrain if piece.kind in ("wall", "cover"))
    return tuple(sorted(piece.id for piece in pieces if is_within(figure, piece, reach_mm)))


def ground_reasons(distances: Distances, figure: FreeFigure, options: Mapping[str, str]) -> Iterator[Reason]:
    """What a figure may climb that it touches, and the jump down from where it stands, if it may be tried."""
    for piece in distances.table.terrain:
        rises = piece.kind != "gap" and 0 < piece.height_mm >= figure.elevation_mm
        if rises and is_within(figure, piece, 0):
            yield from climb_piece(distances, figure, piece, options).reasons
    if 0 < figure.elevation_mm <= JUMP_DOWN_LIMIT_STEPS * distances.step_mm:
        yield from jump_from(distances, figure, options).reasons


def climb_piece(distances: Distances, figure: FreeFigure, piece: Terrain, options: Mapping[str, str]) -> CheckOdds:
    """A climb up a piece of terrain that the figure touches, or down from it (“Лазание”).

    Raises:
        BadValue: the figure does not touch it, or stands at neither of its heights.
    """
    if not is_within(figure, piece, 0):
        raise BadValue(
            said("“{figure}” does not touch “{item}”; a climb starts in contact", figure=figure.id, item=piece.id)
        )
    rise_mm = piece.height_mm - figure.elevation_mm
    if rise_mm < 0 or piece.height_mm == 0:
        raise BadValue(
            said(
                "“{item}” is not higher than “{figure}” stands, so there is nothing to climb",
                item=piece.id,
                figure=figure.id,
            )
        )
    is_descent = rise_mm == 0
    height_steps = (piece.height_mm if is_descent else rise_mm) / distances.step_mm
    return climb(figure.stats.mobility, height_steps, is_descent=is_descent, options=options)


def jump_from(distances: Distances, figure: FreeFigure, options: Mapping[str, str]) -> CheckOdds:
    """A jump from where the figure stands down to the table (“Прыжок вниз”).

    Raises:
        BadValue: it is higher than may be jumped.
    """
    return jump_down(figure.stats.mobility, figure.elevation_mm / distances.step_mm, options=options)


def jump_across(
    distances: Distances,
    figure: FreeFigure,
    to_mm: ExactPoint,
    movement_left_steps: Fraction,
    options: Mapping[str, str],
) -> CheckOdds:
    """A jump in a straight line across every gap on the way (“Прыжки через провалы”).

    The width is that of the gaps under the way of the base's middle; who fails falls as deep as the deepest of
    them (its height is its depth) below where he stands.

    Raises:
        BadValue: there is no gap on the way, or it is wider than may be jumped.
    """
    landed = replace(figure, id=f"{figure.id} landed", center_mm=to_mm)
    gaps = tuple(piece for piece in distances.table.terrain if piece.kind == "gap")
    ground = LineGeometry(replace(distances.table, terrain=gaps, figures=(figure, landed)))
    line = ground.lines_between(ground.bases[figure.id], ground.bases[landed.id])[0]
    crossed = [(outline.piece, Fraction(measure_share_inside(line, outline).whole)) for outline in ground.outlines]
    width_share = sum((share for _, share in crossed), Fraction(0))
    if width_share == 0:
        raise BadValue(said("there is no gap between “{id}” and the landing place", id=figure.id))
    way_mm2 = (to_mm[0] - figure.center_mm[0]) ** 2 + (to_mm[1] - figure.center_mm[1]) ** 2
    width_steps = width_share * root(way_mm2) / distances.step_mm
    depth_mm = figure.elevation_mm + max(piece.height_mm for piece, share in crossed if share)
    depth_steps = depth_mm / distances.step_mm
    return jump_gap(figure.stats.mobility, width_steps, movement_left_steps, depth_steps, options)

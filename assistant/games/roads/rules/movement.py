"""Movement of ``roads`` on the table: path lengths, passed models, ends of flights and charges, climbs and jumps.

Lengths are compared by their squares over exact numbers. In sums of several legs, roots are truncated 30 digits after
those of a float. Heights and widths come from the table. ``checks`` defines the rolls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import cos, floor, hypot, radians, sin
from typing import NamedTuple

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
"""Tolerance of measured places: a base's centre is read to 2 mm in 95 of 100 cases."""

STRAIGHT = 10
"""Slope of a manual run that still counts as straight: one to the side for ten ahead."""

_INWARDS = 1 - 1e-9
"""Factor that keeps a place computed with floats on the right side of an exact comparison."""

_HALVINGS = 24
"""Bisections for a first touch: a table's length to a ten-thousandth of a millimetre."""

PlaceMm = tuple[float, float]


def exact(place: PlaceMm) -> ExactPoint:
    """Return a command's place in the exact numbers of documents: decimal, not binary, fractions."""
    return Fraction(str(place[0])), Fraction(str(place[1]))


def is_path_within(way: Sequence[ExactPoint], limit_mm: Fraction) -> bool:
    """Return whether a path over these places is no longer than the limit."""
    if len(way) == 2:
        return square_mm2(*way) <= limit_mm**2
    return measure_path(way) <= limit_mm


def measure_path(way: Sequence[ExactPoint]) -> Fraction:
    """Return the length of a path over these places, in millimetres."""
    return sum((root(square_mm2(a, b)) for a, b in pairwise(way)), Fraction(0))


def point_at(way: Sequence[ExactPoint], moment: float) -> ExactPoint:
    """Return the place on a path at a moment: whole legs and a share of the next; its end beyond the last leg."""
    leg = floor(moment)
    if leg >= len(way) - 1:
        return way[-1]
    a, b = way[leg : leg + 2]
    return _between(a, b, Fraction(str(moment)) - leg)


def find_finders(
    distances: Distances, mover: FreeFigure, way: Sequence[ExactPoint], hidden: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield pairs of a hidden figure and its finder, as a figure takes that path."""
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
    """Return the place where a figure coming straight from ``start`` touches another's base."""
    if mover.base_size_mm or target.base_size_mm:
        return _first_touch(mover, start, target)
    dx, dy = (float(start[i] - target.center_mm[i]) for i in (0, 1))
    reach_mm = float(mover.radius_mm + target.radius_mm) * _INWARDS
    away = hypot(dx, dy) or 1.0
    x, y = (float(value) for value in target.center_mm)
    return x + (dx if dx or dy else 1.0) / away * reach_mm, y + dy / away * reach_mm


def find_free_contact(mover: FreeFigure, start: ExactPoint, target: FreeFigure, table: FreeTable) -> PlaceMm:
    """Return a place in contact without another base: straight ahead, or the nearest to it round the target.

    If all are taken, return the straight one. People then see how the models stand.
    """
    others = [other for other in table.figures if other.id not in (mover.id, target.id)]
    x, y = (float(start[axis] - target.center_mm[axis]) for axis in (0, 1))
    straight = find_contact_place(mover, start, target)
    for degrees in _ROUND_DEG:
        turn = radians(degrees)
        aside = (x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn))
        coming = exact((float(target.center_mm[0]) + aside[0], float(target.center_mm[1]) + aside[1]))
        place = find_contact_place(mover, coming, target) if degrees else straight
        if not any(overlaps(replace(mover, center_mm=exact(place)), other) for other in others):
            return place
    return straight


_ROUND_DEG = tuple(sign * degrees for degrees in range(0, 181, 15) for sign in ((1, -1) if degrees else (1,)))
"""Directions round a target, the straightest first."""


def overlaps(a: FreeFigure, b: FreeFigure) -> bool:
    """Return whether two bases would lie on each other, by more than a measuring error."""
    reach_mm = a.radius_mm + b.radius_mm - MEASURED_MM
    return is_in_contact(a, b) and (reach_mm < 0 or square_between(a.core_mm, b.core_mm) < reach_mm**2)


def _first_touch(mover: FreeFigure, start: ExactPoint, target: FreeFigure) -> PlaceMm:
    """Return the contact place for a non-circular base: bisect the path to the other's centre for the first touch."""
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
    """Return whether a figure at that place is in base contact with another."""
    return is_in_contact(replace(mover, center_mm=exact(place)), target)


def meets_going_on(mover: FreeFigure, end: ExactPoint, length_mm: Fraction, target: FreeFigure) -> bool:
    """Return whether a figure going straight over ``end``, up to this length in all, touches another's base.

    A figure that stays in place meets nobody.
    """
    if end == mover.center_mm:
        return False
    last = extend_path(mover, end, length_mm)
    nearest = nearest_on(target.center_mm, (mover.center_mm, last))
    return any(is_in_contact(replace(mover, center_mm=place), target) for place in (nearest, end))


def extend_path(mover: FreeFigure, end: ExactPoint, length_mm: Fraction) -> ExactPoint:
    """Return the place of a figure that goes straight over ``end`` up to this length; ``end`` if that is farther."""
    way = float(end[0] - mover.center_mm[0]), float(end[1] - mover.center_mm[1])
    is_over = way == (0.0, 0.0) or hypot(*way) >= length_mm
    return end if is_over else exact(_run(mover, way, length_mm))


def is_path_open(way: tuple[ExactPoint, ExactPoint], reach_mm: Fraction, figure: str, table: FreeTable) -> bool:
    """Return whether no other figure, terrain or table edge lies within that reach of a straight path."""
    others = [(other.core_mm, other.radius_mm) for other in table.figures if other.id != figure]
    shapes = [*others, *((piece.outline_mm, Fraction(0)) for piece in table.terrain)]
    if any(square_between(way, shape) <= (reach_mm + radius_mm) ** 2 for shape, radius_mm in shapes):
        return False
    return all(reach_mm < place[axis] < table.size_mm[axis] - reach_mm for place in way for axis in (0, 1))


def find_flight_end(fleer: FreeFigure, enemies: Sequence[FreeFigure], length_mm: Fraction) -> PlaceMm:
    """Return the end of a flight straight away from these enemies (“Побег”)."""
    dx, dy = 0.0, 0.0
    for enemy in enemies:
        away = [float(fleer.center_mm[i] - enemy.center_mm[i]) for i in (0, 1)]
        size = hypot(*away) or 1.0
        dx, dy = dx + away[0] / size, dy + away[1] / size
    if hypot(dx, dy) < MEASURED_MM / 1e3:  # between two enemies, the way from both leads sideways
        first = enemies[0].center_mm
        dx, dy = float(first[1] - fleer.center_mm[1]), float(fleer.center_mm[0] - first[0])
    return _run(fleer, (dx, dy), length_mm)


def find_edge_run_end(fleer: FreeFigure, size_mm: tuple[Fraction, Fraction], length_mm: Fraction) -> PlaceMm:
    """Return the end of a flight straight to the nearest table edge."""
    gaps = list_edge_gaps(fleer.center_mm, size_mm)
    ways = ((-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0))
    return _run(fleer, ways[gaps.index(min(gaps))], length_mm)


def list_edge_gaps(place: ExactPoint, size_mm: tuple[Fraction, Fraction]) -> tuple[Fraction, ...]:
    """Distances of a place from the left, right, upper and lower table edge."""
    return place[0], size_mm[0] - place[0], place[1], size_mm[1] - place[1]


def nears_edge(start: ExactPoint, end: ExactPoint, size_mm: tuple[Fraction, Fraction]) -> bool:
    """Return whether a run leads towards a nearest table edge."""
    before, after = list_edge_gaps(start, size_mm), list_edge_gaps(end, size_mm)
    nearest = min(before)
    return any(then < now for now, then in zip(before, after, strict=True) if now == nearest)


def is_farther(start: ExactPoint, end: ExactPoint, enemy: FreeFigure) -> bool:
    """Return whether a run ends farther from an enemy than it began."""
    return square_mm2(end, enemy.center_mm) > square_mm2(start, enemy.center_mm)


def keeps_straight(start: ExactPoint, end: ExactPoint, straight_end: ExactPoint) -> bool:
    """Return whether a run goes towards ``straight_end``, at most one to the side for every ten ahead."""
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
    """Return whether a base is within reach of an outline; with 0, whether they touch."""
    return square_between(figure.core_mm, piece.outline_mm) <= (figure.radius_mm + reach_mm) ** 2


def list_cover(table: FreeTable) -> tuple[Terrain, ...]:
    """Return the walls and the cover of a table."""
    return tuple(piece for piece in table.terrain if piece.kind in ("wall", "cover"))


def find_cover_in_reach(distances: Distances, figure: FreeFigure) -> tuple[str, ...]:
    """Return the names of walls and cover that a figure under fire could move into (“В укрытие!”)."""
    reach_mm = TAKE_COVER_STEPS * distances.step_mm
    pieces = (piece for piece in list_cover(distances.table) if is_within(figure, piece, reach_mm))
    return tuple(sorted(piece.id for piece in pieces))


def find_cover_places(distances: Distances, figure: FreeFigure) -> tuple[PlaceMm, ...]:
    """Return the places within a step where a figure touches a wall or cover, on a straight path, nearest first."""
    reach_mm = TAKE_COVER_STEPS * distances.step_mm
    found: list[tuple[float, PlaceMm]] = []
    for piece in list_cover(distances.table):
        if is_within(figure, piece, reach_mm):
            place = _touch_terrain(figure, piece)
            found.append((hypot(*(place[i] - float(figure.center_mm[i]) for i in (0, 1))), place))
    return tuple(place for length_mm, place in sorted(found) if length_mm <= reach_mm)


def _touch_terrain(figure: FreeFigure, piece: Terrain) -> PlaceMm:
    """Return the place where a figure going straight to the nearest point of an outline first touches it."""
    outline = piece.outline_mm
    corners = zip(outline, (*outline[1:], outline[0]), strict=True)
    goal = min((nearest_on(figure.center_mm, edge) for edge in corners), key=lambda p: square_mm2(p, figure.center_mm))
    apart, touching = Fraction(0), Fraction(1)
    if is_within(figure, piece, 0):
        return float(figure.center_mm[0]), float(figure.center_mm[1])
    for _ in range(_HALVINGS):
        share = (apart + touching) / 2
        if is_within(replace(figure, center_mm=_between(figure.center_mm, goal, share)), piece, 0):
            touching = share
        else:
            apart = share
    x, y = _between(figure.center_mm, goal, touching)
    return float(x), float(y)


def ground_reasons(distances: Distances, figure: FreeFigure, options: Mapping[str, str]) -> Iterator[Reason]:
    """Yield the climbs open to a figure at the terrain in contact, and its jump down if not too high."""
    for piece in distances.table.terrain:
        rises = piece.kind != "gap" and 0 < piece.height_mm >= figure.elevation_mm
        if rises and is_within(figure, piece, 0):
            yield from climb_piece(distances, figure, piece, options).reasons
    if 0 < figure.elevation_mm <= JUMP_DOWN_LIMIT_STEPS * distances.step_mm:
        yield from jump_from(distances, figure, options).reasons


def climb_piece(distances: Distances, figure: FreeFigure, piece: Terrain, options: Mapping[str, str]) -> CheckOdds:
    """Return the chance of a climb up a piece of terrain in contact, or down from its top (“Лазание”).

    Raises:
        BadValue: the figure does not touch it, or stands above it.
    """
    if not is_within(figure, piece, 0):
        raise BadValue(
            said("“{figure}” does not touch “{item}”; a climb starts in contact", figure=figure.id, item=piece.id)
        )
    rise_mm = piece.height_mm - figure.elevation_mm
    if rise_mm < 0 or piece.height_mm == 0:
        raise BadValue(
            said(
                "“{item}” is no higher than “{figure}”, so there is nothing to climb",
                item=piece.id,
                figure=figure.id,
            )
        )
    is_descent = rise_mm == 0
    height_steps = (piece.height_mm if is_descent else rise_mm) / distances.step_mm
    return climb(figure.stats.mobility, height_steps, is_descent=is_descent, options=options)


def jump_from(distances: Distances, figure: FreeFigure, options: Mapping[str, str]) -> CheckOdds:
    """Return the chance of a figure's jump down to the table (“Прыжок вниз”).

    Raises:
        BadValue: it stands too high.
    """
    return jump_down(figure.stats.mobility, figure.elevation_mm / distances.step_mm, options=options)


def jump_across(
    distances: Distances,
    figure: FreeFigure,
    to_mm: ExactPoint,
    movement_left_steps: Fraction,
    options: Mapping[str, str],
) -> CheckOdds:
    """Return the chance of a straight jump across every gap on the path (“Прыжки через провалы”).

    The width is that of all gaps under the path of the base's centre. A failure is a fall to the bottom of the deepest
    one, whose height in the document is its depth.

    Raises:
        BadValue: there is no gap on the way, or it is too wide.
    """
    gap = measure_gap(distances, figure, to_mm)
    if gap is None:
        raise BadValue(said("there is no gap between “{id}” and the landing place", id=figure.id))
    return jump_gap(figure.stats.mobility, gap.width_steps, movement_left_steps, gap.depth_steps, options)


class Gap(NamedTuple):
    """The gaps under a straight path: their total width, and the depth of the deepest one."""

    width_steps: Fraction
    depth_steps: Fraction


def measure_gap(distances: Distances, figure: FreeFigure, to_mm: ExactPoint) -> Gap | None:
    """Return the gaps under the straight path of a base's centre, or None without any."""
    gaps = tuple(piece for piece in distances.table.terrain if piece.kind == "gap")
    if not gaps or to_mm == figure.center_mm:
        return None
    landed = replace(figure, id=f"{figure.id} landed", center_mm=to_mm)
    ground = LineGeometry(replace(distances.table, terrain=gaps, figures=(figure, landed)))
    line = ground.lines_between(ground.bases[figure.id], ground.bases[landed.id])[0]
    crossed = [(outline.piece, Fraction(measure_share_inside(line, outline).whole)) for outline in ground.outlines]
    width_share = sum((share for _, share in crossed), Fraction(0))
    if width_share == 0:
        return None
    way_mm2 = (to_mm[0] - figure.center_mm[0]) ** 2 + (to_mm[1] - figure.center_mm[1]) ** 2
    depth_mm = figure.elevation_mm + max(piece.height_mm for piece, share in crossed if share)
    return Gap(width_share * root(way_mm2) / distances.step_mm, depth_mm / distances.step_mm)


def find_top_mm(table: FreeTable, place: ExactPoint) -> Fraction:
    """Return the height where a model stands there: the top of the highest wall under its centre, or the table."""
    tops = (piece.height_mm for piece in table.terrain if piece.kind == "wall" and _is_under(piece, place, place))
    return max(tops, default=Fraction(0))


def find_highest(table: FreeTable, start: ExactPoint, end: ExactPoint) -> Terrain | None:
    """Return the highest wall or cover under a straight path of a base's centre; None over open ground."""
    crossed = (piece for piece in list_cover(table) if piece.height_mm and _is_under(piece, start, end))
    return max(crossed, key=lambda piece: piece.height_mm, default=None)


def _is_under(piece: Terrain, start: ExactPoint, end: ExactPoint) -> bool:
    way = (start,) if start == end else (start, end)
    return square_between(way, piece.outline_mm) == 0

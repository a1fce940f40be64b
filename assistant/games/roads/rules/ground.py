"""What figures of ``roads`` do with the ground: who is near cover, and climbs and jumps as the table lies.

The heights and widths come from the table; what must be rolled is in ``checks``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from assistant.errors import BadValue
from assistant.games.roads.rules.checks import JUMP_DOWN_LIMIT_STEPS, CheckOdds, climb, jump_down, jump_gap
from assistant.rules.free_distance import Distances
from assistant.rules.free_lines import LineGeometry
from assistant.rules.free_sight import measure_share_inside
from assistant.rules.ruling import Reason
from assistant.rules.surd import root
from assistant.table.free_table import FreeFigure, Terrain
from assistant.table.plane import ExactPoint, square_between
from assistant.translations.messages import said

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

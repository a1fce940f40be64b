"""Doors of one photo have the same colours: an edge is compared with the likely doors."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.table.lattice import Edge, list_inner_edges
from vision.evidence.doors import DoorSighting
from vision.evidence.figures import FigureSighting
from vision.evidence.patches import PatchSource, patch_source
from vision.learned import MOST_LOG_ODDS, chance_of_presence
from vision.scene.door_colors import apply_door_colors, door_color_odds
from vision.simulation.scene import Scene
from vision.training.samples import table_of

SEED = 800_001
"""A table with more doors than a game has, that no number was fitted on."""


@pytest.fixture(scope="module")
def table() -> tuple[Scene, PatchSource]:
    scene, board = table_of(SEED, crowded=True)
    return scene, patch_source(board, scene.roster)


def edges_of(scene: Scene, source: PatchSource) -> tuple[list[Edge], list[Edge]]:
    true = [door.edge for door in scene.doors]
    return true, [edge for edge in list_inner_edges(source.board.cells) if edge not in true]


def test_a_missed_door_is_known_by_the_colors_of_the_sure_ones(table: tuple[Scene, PatchSource]) -> None:
    scene, source = table
    true, empty = edges_of(scene, source)
    found = [DoorSighting(edge, 0.98) for edge in true[:2]] + [DoorSighting(edge, 0.05) for edge in (*true[2:], *empty)]
    confidence_of = {door.edge: door.confidence for door in apply_door_colors(found, source, scene.roster.doors)}
    assert len(true) >= 5
    assert np.mean([confidence_of[edge] for edge in true[2:]]) > 2 * 0.05
    assert np.mean([confidence_of[edge] for edge in empty]) < 0.05
    assert max(confidence_of[edge] for edge in true[2:]) <= 0.2, "colours alone prove nothing"


def test_without_a_likely_door_colors_tell_nothing(table: tuple[Scene, PatchSource]) -> None:
    scene, source = table
    true, empty = edges_of(scene, source)
    found = [DoorSighting(edge, 1e-4) for edge in (*true, *empty)]
    confidence_of = apply_door_colors(found, source, scene.roster.doors)
    assert [door.confidence for door in confidence_of] == pytest.approx([1e-4] * len(found), rel=0.1)
    assert apply_door_colors([], source, scene.roster.doors) == []


def test_colors_make_no_door_surer_than_a_photo_may_state(table: tuple[Scene, PatchSource]) -> None:
    scene, source = table
    true, empty = edges_of(scene, source)
    surest = chance_of_presence(MOST_LOG_ODDS)
    found = [DoorSighting(edge, surest) for edge in true] + [DoorSighting(edge, 1e-3) for edge in empty]
    after = apply_door_colors(found, source, scene.roster.doors)
    assert max(door.confidence for door in after) == pytest.approx(surest)


def test_a_door_does_not_speak_for_the_edge_beside_it(table: tuple[Scene, PatchSource]) -> None:
    scene, source = table
    true, empty = edges_of(scene, source)
    beside = [edge for edge in empty if any({edge.start, edge.end} & {door.start, door.end} for door in true)]
    found = [DoorSighting(edge, 0.99) for edge in true] + [DoorSighting(edge, 0.05) for edge in empty]
    odds = dict(zip((d.edge for d in found), door_color_odds(found, source, scene.roster.doors), strict=True))
    assert beside
    assert max(odds[edge] for edge in beside) < np.mean([odds[edge] for edge in true])


def test_pixels_under_a_large_base_say_nothing_of_a_door(table: tuple[Scene, PatchSource]) -> None:
    """A pale rim beside a pale door made two doors of two sides of a base, one of them at .94."""
    scene, source = table
    true, empty = edges_of(scene, source)
    found = [DoorSighting(edge, 0.98) for edge in true[:2]] + [DoorSighting(edge, 0.05) for edge in (*true[2:], *empty)]
    edge = true[2]
    base = FigureSighting(None, tuple(sorted(edge.cells)), (0.0, 0.0), 6.0)
    place = [door.edge for door in found].index(edge)
    bare, covered = (door_color_odds(found, source, scene.roster.doors, figures)[place] for figures in ((), [base]))
    assert bare > 0.2
    assert abs(covered) < 0.5 * bare

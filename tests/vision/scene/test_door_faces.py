"""Doors of one photo look alike: a doubtful door is compared with the sure ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.table.lattice import Edge, list_inner_edges
from vision.evidence.doors import DoorSighting
from vision.scene.door_faces import apply_door_faces
from vision.simulation.scene import Scene
from vision.tiles.board_view import BoardView
from vision.training.samples import table_of

SEED = 800_001
"""A table with more doors than a game has, that no number was fitted on."""


@pytest.fixture(scope="module")
def table() -> tuple[Scene, BoardView]:
    return table_of(SEED, crowded=True)


def doors_of(scene: Scene) -> list[Edge]:
    return [door.edge for door in scene.doors]


def chance_of(edge: Edge, doors: list[DoorSighting]) -> float:
    return next(door.confidence for door in doors if door.edge == edge)


def test_doubtful_doors_are_recognised_by_sure_ones(table: tuple[Scene, BoardView]) -> None:
    scene, board = table
    true = doors_of(scene)
    empty = [edge for edge in list_inner_edges(board.cells) if edge not in true]
    asked = [*true[2:], *empty]
    found = [*(DoorSighting(edge, 0.95) for edge in true[:2]), *(DoorSighting(edge, 0.5) for edge in asked)]
    told = apply_door_faces(found, board, scene.roster.doors)
    doors, others = ([chance_of(edge, told) for edge in edges] for edges in (true[2:], empty))
    assert len(doors) >= 3
    assert sum(doors) / len(doors) > 0.55
    assert sum(others) / len(others) < 0.3
    assert max(others) < 0.5, "no empty edge becomes likelier"


def test_the_surest_come_first_and_keep_what_they_are(table: tuple[Scene, BoardView]) -> None:
    scene, board = table
    true = doors_of(scene)
    found = [DoorSighting(true[0], 0.99, 0.4), DoorSighting(true[1], 0.3, 0.1), DoorSighting(true[2], 0.01)]
    told = apply_door_faces(found, board, scene.roster.doors)
    assert [door.confidence for door in told] == sorted((door.confidence for door in told), reverse=True)
    assert {door for door in told if door.edge != true[1]} == {found[0], found[2]}
    assert next(door for door in told if door.edge == true[1]).by_place == pytest.approx(0.1)


@pytest.mark.parametrize("chances", [(0.6, 0.5), (0.99,), ()])
def test_without_a_sure_door_or_another_one_nothing_is_reported(
    table: tuple[Scene, BoardView], chances: tuple[float, ...]
) -> None:
    scene, board = table
    found = [DoorSighting(edge, chance) for edge, chance in zip(doors_of(scene), chances, strict=False)]
    assert apply_door_faces(found, board, scene.roster.doors) == found


def test_where_sure_doors_differ_an_unlike_face_tells_less(table: tuple[Scene, BoardView]) -> None:
    scene, board = table
    true = doors_of(scene)
    empty = [edge for edge in list_inner_edges(board.cells) if edge not in true]
    alike = [*(DoorSighting(edge, 0.95) for edge in true[:3]), *(DoorSighting(edge, 0.5) for edge in empty[4:])]
    # Floors taken for doors look like none of the others.
    unlike = [*(DoorSighting(edge, 0.95) for edge in empty[:3]), *(DoorSighting(edge, 0.5) for edge in empty[4:])]
    against = [
        sum(chance_of(edge, apply_door_faces(found, board, scene.roster.doors)) for edge in empty[4:])
        for found in (alike, unlike)
    ]
    assert against[1] > against[0]


def test_a_face_beyond_the_photo_tells_nothing(table: tuple[Scene, BoardView]) -> None:
    scene, board = table
    true = doors_of(scene)
    high = replace(scene.roster.doors, height_mm=4000.0)
    found = [DoorSighting(true[0], 0.95), DoorSighting(true[1], 0.5)]
    assert apply_door_faces(found, board, high) == found

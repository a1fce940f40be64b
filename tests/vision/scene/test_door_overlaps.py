"""Doors in a row: one that reaches over the next edge is not reported twice, and a second one stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import pytest

from assistant.table.lattice import Edge, list_inner_edges
from assistant.table.roster import DoorSpec
from vision.evidence.doors import DoorSighting
from vision.evidence.patches import PatchSource, door_outlines, patch_source, without_thing
from vision.scene import door_overlaps
from vision.scene.door_overlaps import apply_door_overlaps
from vision.training.samples import table_of

SEED = 800_006
"""A table seen from so low that a door hides a third of the next edge in its row."""

SPEC = DoorSpec(8, 1, 30.0, 2.0)


@pytest.fixture(scope="module")
def source() -> PatchSource:
    scene, board = table_of(SEED, crowded=True)
    return patch_source(board, scene.roster)


@pytest.fixture(scope="module")
def row(source: PatchSource) -> tuple[Edge, Edge]:
    """Return two edges of one row, the outline of the first reaching far over the second."""
    edges = list_inner_edges(source.board.cells)
    outlines = dict(zip(edges, door_outlines(source.board, edges, SPEC), strict=True))
    pairs = [
        (one, other)
        for one in edges
        for other in edges
        if one.end == other.start and one.is_horizontal == other.is_horizontal
    ]
    return max(pairs, key=lambda pair: cv2.intersectConvexConvex(outlines[pair[0]], outlines[pair[1]])[0])


def beside_each_other(
    monkeypatch: pytest.MonkeyPatch, source: PatchSource, row: tuple[Edge, Edge], left: Sequence[float]
) -> tuple[float, float]:
    """Return the chances of two doors of .99 and .98 that have these log odds with the other one erased."""
    left_of: Mapping[Edge, float] = dict(zip(row, left, strict=True))
    monkeypatch.setattr(
        door_overlaps, "door_log_odds", lambda _, edges, __: np.array([left_of[edge] for edge in edges])
    )
    found = [DoorSighting(edge, chance) for edge, chance in zip(row, (0.99, 0.98), strict=True)]
    after = {door.edge: door.confidence for door in apply_door_overlaps(found, source, SPEC)}
    return after[row[0]], after[row[1]]


def test_a_door_seen_along_its_row_is_not_reported_twice(
    monkeypatch: pytest.MonkeyPatch, source: PatchSource, row: tuple[Edge, Edge]
) -> None:
    first, second = beside_each_other(monkeypatch, source, row, (4.0, -3.0))
    assert first > 0.95
    assert second < 0.3


def test_a_second_door_that_shows_beside_the_first_stays(
    monkeypatch: pytest.MonkeyPatch, source: PatchSource, row: tuple[Edge, Edge]
) -> None:
    assert beside_each_other(monkeypatch, source, row, (4.0, 3.5)) == pytest.approx((0.99, 0.98), abs=0.02)


def test_of_two_doors_that_each_explain_the_other_one_is_left(
    monkeypatch: pytest.MonkeyPatch, source: PatchSource, row: tuple[Edge, Edge]
) -> None:
    assert sum(beside_each_other(monkeypatch, source, row, (-3.0, -3.0))) == pytest.approx(1.1, abs=0.2)


def test_a_faint_door_explains_nothing_of_a_sure_one(
    monkeypatch: pytest.MonkeyPatch, source: PatchSource, row: tuple[Edge, Edge]
) -> None:
    monkeypatch.setattr(door_overlaps, "door_log_odds", lambda _, edges, __: np.full(len(edges), -4.0))
    found = [DoorSighting(row[0], 0.99), DoorSighting(row[1], 0.03)]
    after = apply_door_overlaps(found, source, SPEC)
    assert after[0].edge == row[0]
    assert after[0].confidence > 0.97


def test_an_erased_door_leaves_the_print(source: PatchSource, row: tuple[Edge, Edge]) -> None:
    outline = next(iter(door_outlines(source.board, row[:1], SPEC)))
    photo, rest = without_thing(source, outline).layers
    x, y = outline.mean(axis=0).astype(int)
    assert photo[y, x, :3].tolist() == [photo[y, x, 3], *rest[y, x, :2]]
    is_changed = (photo[..., :3] != source.layers[0][..., :3]).any(axis=-1)
    assert is_changed.sum() < 3 * cv2.contourArea(outline)

"""The closer fit of two mirror-like poses of a lone tile wins."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from assistant.errors import NoTiles
from vision.tiles import print_view


@pytest.mark.parametrize(
    ("votes", "costs", "chosen"),
    [
        ((22.4, 28.3), (0.17, 1.49), 0),  # measured on a tile at the edge of a photo of a line-up
        ((36.6, 38.2), (0.27, 0.92), 0),
        ((8.0, 40.0), (0.2, 0.6), 1),
    ],
)
def test_the_closer_fit_decides_unless_it_finds_far_fewer_pairs(
    monkeypatch: pytest.MonkeyPatch, votes: tuple[float, float], costs: tuple[float, float], chosen: int
) -> None:
    seeds = ("the only tile",)
    poses: Any = [SimpleNamespace(seeds=seeds, number=number) for number in (0, 1)]

    def refined(_photo: object, _prints: object, pose: Any, *, frees_lens: bool) -> Any:
        return SimpleNamespace(votes=votes[pose.number], cost=costs[pose.number], number=pose.number)

    monkeypatch.setattr(print_view, "_refined", refined)
    prints: Any = SimpleNamespace()
    photo = np.zeros((2, 2, 3), np.uint8)
    found: Any = print_view._best_refined(photo, prints, poses, frees_lens=True)
    assert found.number == chosen


def test_a_pose_without_tiles_leaves_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = ("the only tile",)
    poses: Any = [SimpleNamespace(seeds=seeds, number=number) for number in (0, 1)]

    def refined(_photo: object, _prints: object, pose: Any, *, frees_lens: bool) -> Any:
        if pose.number == 0:
            raise NoTiles()
        return SimpleNamespace(votes=20.0, cost=0.5, number=pose.number)

    monkeypatch.setattr(print_view, "_refined", refined)
    prints: Any = SimpleNamespace()
    found: Any = print_view._best_refined(np.zeros((2, 2, 3), np.uint8), prints, poses, frees_lens=True)
    assert found.number == 1

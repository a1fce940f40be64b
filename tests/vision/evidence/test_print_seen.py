"""Proof of emptiness: visible print that a thing would hide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assistant.table.lattice import list_inner_edges
from assistant.table.roster import DoorSpec
from vision.evidence.doors import door_features, door_views, door_weights
from vision.evidence.hidden_print import print_maps
from vision.evidence.occupancy import Occupancy, find_occupancy
from vision.evidence.patches import patch_source, print_seen
from vision.learned import chance_of, chance_of_presence


def patch(seed: int) -> np.ndarray:
    """Return a patch of an empty board's print, brighter and with noise; its outline is a bar in the middle."""
    rng = np.random.default_rng(seed)
    printed = np.repeat(np.repeat(rng.uniform(0.1, 0.6, (3, 18, 24)), 4, axis=1), 4, axis=2)
    made = np.zeros((9, 72, 96), dtype=np.float32)
    made[:3] = np.clip(1.3 * printed + 0.05 + rng.normal(0, 0.01, printed.shape), 0, 1)
    made[3:6] = printed
    made[6] = 1.0
    made[8, 20:56, 30:60] = 1.0
    return made


def test_print_that_is_seen_is_known_in_any_light() -> None:
    assert print_seen(np.stack([patch(1), patch(2)])).min() > 0.98


def test_what_stands_before_the_print_hides_it_and_not_what_is_round_it() -> None:
    hidden = patch(3)
    hidden[:3, 18:58, 28:62] = np.random.default_rng(4).uniform(0, 1, (3, 40, 34))
    inside, around = print_seen(hidden[None])[0]
    assert inside < 0.3
    assert around > 0.8


def test_plain_print_that_is_seen_is_no_proof_against_itself() -> None:
    plain = patch(5)
    plain[:6] = 0.4
    assert print_seen(plain[None])[0] == pytest.approx([1.0, 1.0])


def test_off_the_board_nothing_speaks_against_it() -> None:
    outside = patch(6)
    outside[6] = 0.0
    assert print_seen(outside[None])[0] == pytest.approx([1.0, 1.0])
    assert print_seen(np.zeros((0, 9, 72, 96), dtype=np.float32)).shape == (0, 2)


def test_a_cell_that_one_network_doubts_is_looked_at_whatever_the_other_says() -> None:
    cells = [(0, 0), (1, 0), (2, 0)]
    by_patches, by_trunk = (
        {cell: (1 - taken, taken, 0.0) for cell, taken in zip(cells, chances, strict=True)}
        for chances in ((0.0001, 0.0001, 0.02), (0.05, 0.001, 0.0001))
    )
    prints = {(0, 0): (0.1, 0.4), (1, 0): (0.95, 0.9)}
    occupancy = Occupancy(by_patches, prints, hidden=Occupancy(by_trunk, prints))
    assert occupancy.possible == {(0, 0), (2, 0)}


def test_what_ships_takes_print_that_is_seen_for_a_sign_of_emptiness(photographed: Any) -> None:
    """By itself it counts against a door. With the network's hint, it takes more than 1 off the log odds."""
    assert door_weights()[2] < 0
    board, roster = photographed.reading.seen.board, photographed.reader.roster
    source = patch_source(board, roster)
    maps = print_maps(source)
    occupancy = find_occupancy(source, maps, roster)
    views = door_views(source, DoorSpec(4, 1, 30.0, 2.0), list_inner_edges(board.cells))
    seen, hidden = (
        door_features(views._replace(print_seen=np.tile(shown, (len(views.edges), 1))), maps, occupancy)
        for shown in ((0.98, 0.98), (0.1, 0.9))
    )
    assert ((seen - hidden) @ door_weights()).mean() < -1


def test_absence_may_be_surer_than_anything_else() -> None:
    assert chance_of_presence(-20.0) < 0.0002 < chance_of(-20.0)
    assert chance_of_presence(20.0) == chance_of(20.0)
    assert chance_of_presence(0.3) == pytest.approx(chance_of(0.3))

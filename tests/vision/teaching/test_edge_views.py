"""Patches of edges, their orientation, and the labels for the fit of their reader."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.table.lattice import Edge
from vision.simulation.tile_art import CELL_MM
from vision.teaching.edge_network import (
    ACROSS_PX,
    ALONG_PX,
    CELL_PX,
    KINDS,
    MISS_MM,
    edge_beliefs,
    edge_patches,
    mirror_answers,
    shifted_by,
)
from vision.training.edge_samples import SAMPLE_PX, BoardSample, flat_sample
from vision.training.edge_views import label_edges, view_of

LEVEL, UPRIGHT = Edge((1, 2), (2, 2)), Edge((2, 1), (2, 2))


def drawn(edge, *, px, first=(0, 0), size=5):
    """Return a white picture of ``size`` by ``size`` cells with a black line, a tenth of a cell wide, along an edge."""
    image = np.full((size * px, size * px, 3), 255, np.uint8)
    (x0, y0), (x1, y1) = ((x - first[0], y - first[1]) for x, y in edge)
    half = px // 20 + 1
    image[y0 * px - half : y1 * px + half, x0 * px - half : x1 * px + half] = 0
    return image


@pytest.mark.parametrize("edge", [LEVEL, UPRIGHT])
@pytest.mark.parametrize("px", [CELL_PX, 48])
def test_an_edge_lies_in_the_middle_of_its_patch(edge, px):
    patch = edge_patches(drawn(edge, px=px), (0, 0), [edge], image_px=px)[0]

    dark = np.argwhere(patch.mean(axis=2) < 128)
    assert dark.mean(axis=0) == pytest.approx([(ACROSS_PX - 1) / 2, (ALONG_PX - 1) / 2], abs=0.3)
    assert np.ptp(dark[:, 1]) == pytest.approx(CELL_PX, abs=5)


@pytest.mark.parametrize("edge", [LEVEL, UPRIGHT])
def test_the_first_cell_of_an_edge_is_on_top(edge):
    image = np.zeros((160, 160, 3), np.uint8)
    column, row = edge.cells[0]
    image[row * CELL_PX : (row + 1) * CELL_PX, column * CELL_PX : (column + 1) * CELL_PX] = 200

    patch = edge_patches(image, (0, 0), [edge])[0]

    assert patch[: ACROSS_PX // 2, ALONG_PX // 4 : -ALONG_PX // 4].min() == 200
    assert patch[ACROSS_PX // 2 :].max() == 0


def test_a_shift_looks_further_right_and_down():
    patch = edge_patches(drawn(LEVEL, px=CELL_PX), (0, 0), [LEVEL], shifted_by(0.0, 0.125))[0]

    dark = np.argwhere(patch.mean(axis=2) < 128)
    assert dark.mean(axis=0)[0] == pytest.approx((ACROSS_PX - 1) / 2 - 0.125 * CELL_PX, abs=0.3)


@pytest.mark.parametrize("edge", [LEVEL, UPRIGHT])
def test_the_fit_learns_where_the_edge_runs_in_its_patch(edge):
    first = (-1, -1)
    image = drawn(edge, px=SAMPLE_PX, first=first, size=7)
    cells = frozenset(edge.cells)
    board = label_edges(BoardSample(image, first, cells, {edge: "wall"}, frozenset()))
    rng = np.random.default_rng(3)

    told = []
    while len(told) < 12:
        view = view_of(board, rng)
        for patch, answer in zip(view.patches, view.answers, strict=True):
            if answer[1] == 1:
                rows = patch.mean(axis=0)[:, ALONG_PX // 4 : -ALONG_PX // 4].mean(axis=1)
                darkness = np.maximum(np.median(rows) - rows - 0.3 * (np.median(rows) - rows.min()), 0)
                seen = (darkness * np.arange(ACROSS_PX)).sum() / darkness.sum() - (ACROSS_PX - 1) / 2
                told.append((answer[-1] * MISS_MM, seen * CELL_MM / CELL_PX))

    said_mm, seen_mm = np.array(told).T
    # In some views a blob or a shadow lies over the line.
    assert np.median(np.abs(said_mm - seen_mm)) < 0.3
    assert np.mean(np.abs(said_mm - seen_mm) < 0.6) > 0.7
    assert np.ptp(said_mm) > 1.0


def test_what_was_mirrored_across_is_worded_the_other_way_round():
    answers = np.arange(18.0).reshape(2, 9)

    assert np.array_equal(mirror_answers(mirror_answers(answers)), answers)
    assert mirror_answers(answers)[0].tolist() == [0, 1, 2, 3, 5, 4, 7, 6, -8]


def test_the_network_says_the_same_whichever_way_round_a_patch_is():
    board = label_edges(flat_sample(4))
    patches = edge_patches(board.sample.image, board.sample.first, board.edges[:40], image_px=SAMPLE_PX)

    said, mirrored = edge_beliefs(patches, board.bright), edge_beliefs(patches[:, ::-1], board.bright)

    assert np.allclose(said.kinds, mirrored.kinds, atol=1e-3)
    assert np.allclose(said.tile, mirrored.tile[:, ::-1], atol=1e-3)
    assert np.allclose(said.offset_mm, -mirrored.offset_mm, atol=1e-3)


def test_the_shipped_network_reads_boards_that_it_was_not_fitted_to():
    right = printed = 0
    for seed in range(3):
        board = label_edges(flat_sample(seed))
        patches = edge_patches(board.sample.image, board.sample.first, board.edges, image_px=SAMPLE_PX)
        said = edge_beliefs(patches, board.bright).kinds.argmax(axis=1)
        true = np.array([KINDS.index(board.sample.edges.get(edge)) for edge in board.edges])
        right += int(((said == true) & (true > 0)).sum())
        printed += int((true > 0).sum())

    assert printed > 40
    assert right / printed > 0.85


def test_a_bare_table_has_edges_too():
    image = np.full((6 * SAMPLE_PX, 8 * SAMPLE_PX, 3), 90, np.uint8)

    board = label_edges(BoardSample(image, (-3, -3), frozenset(), {}, frozenset()))

    assert board.answers[:, 0].all()
    assert not board.answers[:, 1:].any()

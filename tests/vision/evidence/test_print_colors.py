"""Photos without colour, or with a part of it: rims tell rings apart as far as the print keeps its colours."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.arrays import BgrImage
from calibration.color import bgr_from_gray, gray_from_bgr
from vision.evidence.print_colors import print_colors
from vision.evidence.rings import RingSighting, find_rings
from vision.simulation.scene import Scene
from vision.tiles.board_view import BoardView
from vision.training.samples import table_of


@pytest.fixture(scope="module")
def table() -> tuple[Scene, BoardView]:
    return table_of(800_000, crowded=False)


def faded(board: BoardView, left: float) -> BoardView:
    """Return the board in a photo that keeps this share of every colour's difference from grey."""

    def fade(image: BgrImage) -> BgrImage:
        grey = bgr_from_gray(gray_from_bgr(image))
        return np.asarray(cv2.addWeighted(image, left, grey, 1 - left, 0.0), dtype=np.uint8)

    return replace(board, photo=fade(board.photo), ground_image=fade(board.ground_image))


def under_sheen(board: BoardView, left: float) -> BoardView:
    """Return the board whose tiles keep this share of their contrast under white light that they reflect."""
    white = np.full_like(board.ground_image, 255)
    dull = cv2.addWeighted(board.ground_image, left, white, 1 - left, 0.0)
    return replace(board, ground_image=np.asarray(dull, dtype=np.uint8))


def rings_there(scene: Scene, board: BoardView) -> list[tuple[str, list[RingSighting]]]:
    """Return the ring of each figure, and what the reader sees in its place."""
    found = find_rings(board, scene.roster, board.cells)
    places = {tuple(sorted(placed.cells)): placed.figure.ring for placed in scene.figures}
    return [(ring, [one for one in found if one.stand.cells == cells]) for cells, ring in places.items() if ring]


def test_usual_colors_stay_as_they_are(table: tuple[Scene, BoardView]) -> None:
    colors = print_colors(table[1])
    assert colors.evidence == pytest.approx(1.0, abs=0.01)
    assert colors.restored(table[1].photo) == pytest.approx(table[1].photo, abs=20)


def test_faded_colors_are_restored(table: tuple[Scene, BoardView]) -> None:
    """Without it half of these rings are doubts."""
    scene, board = table
    seen = faded(board, 0.2)
    assert print_colors(seen).gain < 0.2
    shares = [sum(one.share for one in there if one.color == ring) for ring, there in rings_there(scene, seen)]
    assert sum(share > 0.9 for share in shares) >= 0.7 * len(shares)


def test_a_grey_photo_tells_no_ring_from_another(table: tuple[Scene, BoardView]) -> None:
    scene, board = table
    seen = faded(board, 0.0)
    assert print_colors(seen).evidence < 0.1
    assert max(one.share for _, there in rings_there(scene, seen) for one in there) < 0.5


def test_a_print_without_colors_is_no_evidence_of_lost_ones(table: tuple[Scene, BoardView]) -> None:
    board = table[1]
    grey_print = bgr_from_gray(gray_from_bgr(board.print_image))
    colors = print_colors(replace(faded(board, 0.0), print_image=grey_print))
    assert colors.gain == pytest.approx(colors.usual, rel=0.02)


def test_colors_unlike_the_print_are_not_lost(table: tuple[Scene, BoardView]) -> None:
    board = table[1]
    other = print_colors(replace(board, print_image=np.ascontiguousarray(board.print_image[:, :, ::-1])))
    assert other.evidence > 0.95


def test_sheen_on_the_tiles_is_no_loss_of_colors(table: tuple[Scene, BoardView]) -> None:
    """It dulls the print alone. Rims were restored, too, and an acolyte's pale pink was a mite's at .996."""
    board = table[1]
    colors = print_colors(under_sheen(board, 0.4))
    assert colors.gain == pytest.approx(colors.usual, rel=0.05)
    assert print_colors(replace(board, ground_image=faded(board, 0.2).ground_image)).gain < 0.5 * colors.usual


def test_a_grey_photo_under_strong_sheen_tells_no_ring_from_another_either() -> None:
    """Of brightness hardly more than noise was left, and noise over noise passed for colours."""
    scene, board = table_of(800_009, crowded=False)
    grey = faded(board, 0.0)
    for left in (0.4, 0.2):
        seen = under_sheen(grey, left)
        assert print_colors(seen).evidence < 0.2
        assert max(one.share for _, there in rings_there(scene, seen) for one in there) < 0.5


def test_a_part_without_clear_print_is_taken_for_a_usual_photo(table: tuple[Scene, BoardView]) -> None:
    """A grey body over every cell says nothing of the photo's colours."""
    board = table[1]
    covered = replace(board, ground_image=np.full_like(board.ground_image, 90))
    assert max(covered.likeness.values()) < 0.6
    assert print_colors(covered).evidence == 1.0

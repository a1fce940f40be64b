"""Two pictures of one camera: moved things are marked, light and noise are not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from assistant.errors import PhotoUnreadable
from vision.photo.difference import DifferenceBox, find_differences

WIDTH, HEIGHT = 1600, 1000


def table(seed: int, brightness: int = 0) -> np.ndarray:
    """Return a checkered cloth with the noise of a sensor."""
    squares = (np.indices((HEIGHT, WIDTH)) // 80).sum(axis=0) % 2
    cloth = np.where(squares[..., None] == 1, (60, 60, 120), (170, 170, 180))
    noise = np.random.default_rng(seed).normal(0, 5, cloth.shape)
    return np.clip(cloth + noise + brightness, 0, 255).astype(np.uint8)


def jpeg(image: np.ndarray) -> bytes:
    return cv2.imencode(".jpg", image)[1].tobytes()


def with_figure(image: np.ndarray, x: int, y: int) -> np.ndarray:
    return cv2.circle(image.copy(), (x, y), 30, (40, 200, 40), -1)


def test_a_figure_that_was_moved_is_marked_where_it_was_and_where_it_is() -> None:
    boxes = find_differences(jpeg(with_figure(table(1), 400, 300)), jpeg(with_figure(table(2), 900, 700)))
    middles = sorted((round(b.left + b.width / 2, 2), round(b.top + b.height / 2, 2)) for b in boxes)
    assert middles == [(0.25, 0.3), (0.56, 0.7)]
    assert all(b.width < 0.06 and b.height < 0.1 for b in boxes)


@pytest.mark.parametrize("brightness", [-25, 0, 25])
def test_noise_and_another_light_are_no_difference(brightness: int) -> None:
    assert find_differences(jpeg(table(1)), jpeg(table(2, brightness))) == ()


def test_a_smaller_jpeg_of_the_same_view_is_compared_all_the_same() -> None:
    small = cv2.resize(table(2), (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA)
    assert find_differences(jpeg(table(1)), jpeg(small)) == ()


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(PhotoUnreadable):
        find_differences(jpeg(table(1)), b"no picture")


def test_what_is_small_on_a_wide_picture_is_found_in_the_part_with_the_board() -> None:
    pictures = jpeg(table(1)), jpeg(cv2.circle(table(2), (400, 300), 9, (40, 200, 40), -1))
    assert find_differences(*pictures) == ()
    (box,) = find_differences(*pictures, DifferenceBox(0.2, 0.2, 0.15, 0.2))
    assert (box.left + box.width / 2, box.top + box.height / 2) == pytest.approx((0.25, 0.3), abs=0.005)

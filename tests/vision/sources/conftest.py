"""Fixtures of the sources' tests: pictures with a sensor's noise, and a real server of motion JPEG."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from types import ModuleType

import cv2
import numpy as np
import pytest
from loading import beside


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests on a real camera are skipped unless they are asked for."""
    if "camera" in config.option.markexpr:
        return
    for item in items:
        if item.get_closest_marker("camera"):
            item.add_marker(pytest.mark.skip(reason="needs a real camera: run with -m camera"))


server_module = beside(__file__, "mjpeg_server")


def noisy_pictures(width: int = 320, height: int = 240) -> Iterator[np.ndarray]:
    """Yield the same slope of grey again and again, each time with other noise."""
    rng = np.random.default_rng(5)
    slope = np.linspace(40, 200, width)[None, :, None] + np.zeros((height, 1, 3))
    while True:
        yield (slope + rng.normal(0, 3, slope.shape)).clip(0, 255).astype(np.uint8)


@pytest.fixture
def pictures() -> Iterator[np.ndarray]:
    return noisy_pictures()


@pytest.fixture(scope="session")
def jpegs() -> list[bytes]:
    """Some whole JPEGs, each different."""
    return [cv2.imencode(".jpg", image)[1].tobytes() for image in itertools.islice(noisy_pictures(), 12)]


@pytest.fixture
def mjpeg() -> ModuleType:
    """The module ``mjpeg_server.py``."""
    return server_module


@pytest.fixture
def line(jpegs):
    """Returns the line of a camera that sends those pictures in turn."""
    turn = itertools.cycle(jpegs)
    return server_module.Line(next_jpeg=lambda: next(turn))


@pytest.fixture
def server(line):
    made = server_module.MjpegServer(line)
    yield made
    made.close()

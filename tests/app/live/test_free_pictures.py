"""A watched table without a grid is read only after a change, once it is still again."""

from types import SimpleNamespace

import numpy as np
import pytest

from assistant.app.live.free_pictures import FreeTablePictures
from assistant.app.live.watcher import Watcher
from assistant.app.problems import ProblemList
from assistant.errors import CameraLost, TooFewMarkers
from assistant.translations.messages import said
from vision.free.stillness import Stillness


def _picture(spot=0):
    image = np.full((540, 960, 3), 90, np.uint8)
    image[200:240, 100 + spot : 160 + spot] = 230
    return image


class _Source:
    """Plays prepared frames and raises prepared faults."""

    def __init__(self, *pictures):
        self.pictures = list(pictures)
        self.is_closed = False

    def next_frame(self, _timeout_s):
        if not self.pictures:
            return None
        picture = self.pictures.pop(0)
        if isinstance(picture, Exception):
            raise picture
        return SimpleNamespace(image_bgr=picture, is_photo=False)

    def close(self):
        self.is_closed = True


class _Pictures(FreeTablePictures):
    """Counts the pictures that it reads."""

    def __init__(self, problem=None):
        self.read_count, self.problem, self._stillness = 0, problem, Stillness()

    def read(self, _image):
        self.read_count += 1
        if self.problem:
            raise self.problem


def _watched(*pictures, problem=None):
    watch, table, reads = Watcher(ProblemList(lambda kind, body: None)), _Pictures(problem), []
    watch.open(lambda: (_Source(*pictures), table), has_live=False)
    for _ in pictures:
        before = table.read_count
        watch.step()
        reads.append(table.read_count > before)
    return watch, reads


def test_a_still_table_is_read_once():
    watch, reads = _watched(*[_picture()] * 9)
    assert (watch.table.read_count, reads.index(True)) == (1, 3)


def test_it_is_read_again_when_a_move_has_come_to_rest():
    moving = [_picture(spot) for spot in (20, 40, 60)]
    watch, reads = _watched(*[_picture()] * 5, *moving, *[_picture(80)] * 5)
    assert watch.table.read_count == 2
    assert not any(reads[5:9])


def test_noise_is_no_move():
    chance = np.random.default_rng(1)
    noisy = [np.clip(_picture() + chance.normal(0, 4, (540, 960, 3)), 0, 255).astype(np.uint8) for _ in range(8)]
    assert _watched(*noisy)[0].table.read_count == 1


@pytest.mark.parametrize("part", ["camera", "table"])
def test_what_goes_wrong_is_reported(part):
    if part == "camera":
        watch, _ = _watched(CameraLost(said("gone")))
    else:
        watch, _ = _watched(*[_picture()] * 4, problem=TooFewMarkers(1, 3))
    assert part in [problem.part for problem in watch.problems.problems]


def test_it_ends_and_lets_the_camera_go():
    watch, _ = _watched()
    watch.start()
    watch.close()
    assert watch.source.is_closed

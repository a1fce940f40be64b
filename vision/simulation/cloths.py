"""What people spread over a table besides plain cloth: lace, printed mats, gingham with spots.

Pictures (H, W, 3), linear, that repeat in both directions, as those of ``flat_prints``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from jaxtyping import Float

from calibration.arrays import Floats
from calibration.color import light_from_srgb
from vision.simulation.arrays import Generator, LightImage
from vision.simulation.flat_prints import TABLE_SIDE_PX
from vision.simulation.floors import FLOORS, Sheet, noise


def lace(rng: Generator) -> LightImage:
    """White lace over a dark cloth: flowers of holes on a net."""
    step = TABLE_SIDE_PX // int(rng.choice([8, 12, 16]))
    motif = np.zeros((step, step), np.float32)
    middle = step / 2
    for petal in range(int(rng.integers(4, 9))):
        turn = petal * 2.399
        place = (int(middle + 0.28 * step * np.cos(turn)), int(middle + 0.28 * step * np.sin(turn)))
        cv2.circle(motif, place, max(2, step // 9), 1.0, max(1, step // 24), cv2.LINE_AA)
    cv2.circle(motif, (int(middle), int(middle)), step // 7, 1.0, -1, cv2.LINE_AA)
    for at in range(0, step, max(3, step // 12)):
        cv2.line(motif, (at, 0), (0, at), 0.6, 1)
        cv2.line(motif, (step - 1 - at, step - 1), (step - 1, step - 1 - at), 0.6, 1)
    times = -(-TABLE_SIDE_PX // step)
    share = np.tile(motif, (times, times))[:TABLE_SIDE_PX, :TABLE_SIDE_PX, None]
    ground, thread = _any_color(rng) * 0.6, rng.uniform(0.6, 0.95) * rng.uniform(0.9, 1.0, 3)
    return _cloth(rng, ground + share * (thread - ground))


def printed_mat(rng: Generator) -> LightImage:
    """A mat printed with a floor, as tiles are; often with a grid of its own."""
    sheet = Sheet(16, 16, TABLE_SIDE_PX // 16)
    tint = tuple(rng.uniform(0.4, 1.2, 3).tolist())
    picture = np.asarray(FLOORS[str(rng.choice(list(FLOORS)))](rng, sheet, tint), np.float32)
    picture = np.clip(picture, 0, 1) * np.float32(rng.uniform(0.5, 1.0))
    if rng.random() < 0.5:
        pitch, shade = int(rng.choice([40, 51, 64])), rng.uniform(0.1, 0.9, 3)
        picture[::pitch], picture[:, ::pitch] = shade, shade
    return light_from_srgb(np.clip(picture, 0, 1).astype(np.float32))


def spotted_checks(rng: Generator) -> LightImage:
    """Gingham in two loud colours with spots of a third."""
    y, x = np.mgrid[:TABLE_SIDE_PX, :TABLE_SIDE_PX]
    step = TABLE_SIDE_PX // int(rng.choice([16, 24, 32, 48]))
    share = (((x // step) % 2 + (y // step) % 2) / 2)[..., None]
    first, second, spots = (_any_color(rng) for _ in range(3))
    picture = np.ascontiguousarray(first + share * (second - first), np.float32)
    if rng.random() < 0.6:
        pitch = int(rng.integers(40, 128))
        for row in range(0, TABLE_SIDE_PX, pitch):
            for column in range(0, TABLE_SIDE_PX, pitch):
                place = np.array([column, row]) + rng.uniform(0, pitch, 2)
                radius = int(pitch * rng.uniform(0.08, 0.3))
                cv2.circle(picture, (int(place[0]), int(place[1])), radius, spots.tolist(), -1, cv2.LINE_AA)
    return _cloth(rng, picture)


def _any_color(rng: Generator) -> Float[Floats, " 3"]:
    return np.asarray(rng.uniform(0.08, 0.95, 3))


def _cloth(rng: Generator, display: Float[Floats, "height width 3"]) -> LightImage:
    """Display colours woven: a little noise, made linear."""
    weave = 1 + 0.06 * noise(rng, (TABLE_SIDE_PX, TABLE_SIDE_PX), 2, 1)[..., None]
    return light_from_srgb(np.clip(display * weave, 0.02, 0.97).astype(np.float32))


CLOTHS: Mapping[str, Callable[[Generator], Floats]] = {
    "lace": lace,
    "printed mat": printed_mat,
    "spotted checks": spotted_checks,
}
"""Every one by its name."""

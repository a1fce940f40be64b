"""A drawn table from above: things present once, and the colour of a partly hidden rim."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from assistant.table.roster import RosterFigure
from calibration.arrays import BgrImage
from calibration.color import bgr_from_hex
from vision.photo.paper_light import PaperLight
from vision.photo.rectify import PlaneFrame
from vision.teaching.base_outlines import BaseOutline
from vision.teaching.novelty import Novelty, novelty_on
from vision.teaching.rim_color import known_ring, lab_of_color, ring_color
from vision.teaching.things import PX_PER_MM, GroundView

SIDE_PX = 500
MIDDLE_PX = (250.0, 250.0)
SPOT = BaseOutline("round", (370.0, 150.0), (22.0, 22.0), 0.0, 1.0)
BASE = BaseOutline("round", MIDDLE_PX, (22.0, 22.0), 0.0, 1.0)
DAY = PaperLight(np.ones(3), np.zeros(3), 4)
"""Paper that throws back all the light there is."""


def ground_of(image: BgrImage) -> GroundView:
    frame = PlaneFrame((0.0, 0.0), 0.0, PX_PER_MM, (SIDE_PX, SIDE_PX))
    nothing = np.zeros((SIDE_PX, SIDE_PX), dtype=bool)
    return GroundView(frame, image, nothing, ~nothing)


def cloth() -> BgrImage:
    """Return a checked cloth with many spots of the size and nearly the colours of a base."""
    rng = np.random.default_rng(3)
    down, right = np.mgrid[:SIDE_PX, :SIDE_PX] // 40 % 2
    colors = np.array([(80, 60, 170), (120, 150, 60), (150, 80, 90), (60, 130, 160)])
    image = np.asarray(colors[2 * down + right], dtype=np.uint8)
    for x, y in [(370, 150), (90, 80), (120, 400), (400, 420), (60, 250), (450, 270), (250, 80), (260, 430), (440, 60)]:
        cv2.circle(image, (x, y), 22, (50, 160, 70), -1, cv2.LINE_AA)
    return np.clip(image + rng.normal(0, 5, image.shape), 0, 255).astype(np.uint8)


def put(image: BgrImage, rim: str) -> BgrImage:
    """Return a dark base with a coloured rim in the middle, and a bright body that leans over its far half."""
    image = image.copy()
    cv2.circle(image, (250, 250), 22, bgr_from_hex(rim), -1, cv2.LINE_AA)
    cv2.circle(image, (250, 250), 19, (40, 42, 45), -1, cv2.LINE_AA)
    cv2.ellipse(image, (250, 225), (16, 30), 0, 0, 360, (240, 80, 60), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.2), dtype=np.uint8)


def new_on(image: BgrImage) -> Novelty:
    return novelty_on(ground_of(image), np.array(MIDDLE_PX), 200.0)


def test_what_is_there_once_is_new_and_one_of_many_spots_is_not() -> None:
    novelty = new_on(put(cloth(), "#5b8779"))
    assert novelty.of(BASE) > 0.5
    assert novelty.of(SPOT) < 0.1
    assert novelty.near(10.0)[250, 250]
    assert not novelty.near(10.0)[150, 370]


def test_nothing_is_new_on_a_bare_cloth_or_where_all_is_unknown() -> None:
    assert max(new_on(cloth()).of(outline) for outline in (SPOT, BASE)) < 0.1
    ground = ground_of(cloth())
    unseen = GroundView(ground.frame, ground.image, ground.thing_mask, np.zeros_like(ground.is_known))
    assert novelty_on(unseen, np.array(MIDDLE_PX), 200.0).share.max() == 0


def test_between_markers_so_close_that_nothing_can_be_compared_all_may_be_a_thing() -> None:
    whole = ground_of(put(cloth(), "#5b8779"))
    known = np.zeros_like(whole.is_known)
    known[210:290, 210:290] = True
    novelty = novelty_on(GroundView(whole.frame, whole.image, whole.thing_mask, known), np.array(MIDDLE_PX), 200.0)
    assert novelty.share[250, 250] > 0.9


def test_an_outline_beyond_the_picture_is_not_new() -> None:
    beyond = BaseOutline("rectangle", (495.0, 495.0), (60.0, 40.0), 30.0, 1.0)
    assert new_on(put(cloth(), "#5b8779")).of(beyond) < 0.1


@pytest.mark.parametrize("rim", ["#3e9bd0", "#d7c12f", "#c2336f", "#3fae4a"])
def test_a_rim_is_distinguished_from_the_camera_s_side_not_from_the_body_over_it(rim: str) -> None:
    ground = ground_of(put(np.full((SIDE_PX, SIDE_PX, 3), (70, 80, 90), np.uint8), rim))
    told = ring_color(ground, BASE, PaperLight(DAY.tint, np.log([0.85, 1.0, 1.0]), 4), np.array([250.0, 900.0]))
    assert told is not None
    off = lab_of_color(np.array(bgr_from_hex(told), float)) - lab_of_color(np.array(bgr_from_hex(rim), float))
    assert np.linalg.norm(off[1:]) < 20


def test_a_rim_as_grey_as_its_base_is_none_and_so_is_one_out_of_sight() -> None:
    image = put(np.full((SIDE_PX, SIDE_PX, 3), (70, 80, 90), np.uint8), "#606468")
    assert ring_color(ground_of(image), BASE, DAY, np.array([250.0, 900.0])) is None
    beyond = BaseOutline("round", (-200.0, -200.0), (22.0, 22.0), 0.0, 1.0)
    assert ring_color(ground_of(image), beyond, DAY, np.array([250.0, 900.0])) is None


def test_a_kind_keeps_its_ring_in_other_light_and_a_new_kind_gets_its_own() -> None:
    imp = RosterFigure("imp", "imp", "demons", (1, 1), 22.0, 30.0, "#33e32d")
    seen = "#39bc39"  # as a photo of that rim showed it
    assert known_ring(seen, [imp], "imp") == "#33e32d"
    assert known_ring(seen, [imp], "ghoul") is None
    assert known_ring("#35e030", [imp], "ghoul") == "#33e32d"
    assert known_ring(seen, [], "imp") is None
    ghoul = RosterFigure("ghoul", "ghoul", "demons", (1, 1), 22.0, 30.0, seen)
    assert known_ring(seen, [imp, ghoul], "imp") == seen

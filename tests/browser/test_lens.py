"""The lens: a phone held over the table shows its figures and the last ruling in place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from lens_film import SHOWN, LensFilm, ends_of, render_film
from page_waits import until
from playwright.sync_api import Browser, Page, expect

from assistant.app.live.shots import SetUp, Shot
from assistant.table.camera import Calibration
from vision.simulation.truth import truth_document

WIDTH, HEIGHT = 640, 360

TAP_ON = """(id) => {
  const pole = document.querySelector(`#lens-overlay .figure[data-figure="${id}"] .pole`).getBoundingClientRect();
  const place = { bubbles: true, clientX: pole.x + pole.width / 2, clientY: pole.y + pole.height / 2 };
  document.getElementById("lens-sheet").dispatchEvent(new MouseEvent("click", place));
}"""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> LensFilm:
    return render_film(tmp_path_factory.mktemp("film") / "walk.mjpeg", WIDTH, HEIGHT, 12, every=6)


@pytest.fixture
def hold(launch: Callable[..., Browser], film: LensFilm, desk: Any) -> Iterator[Callable[[], Page]]:
    """Opens the lens on a phone whose camera plays the film of the very table that the page shows."""
    desk.state.shown.show(sample_shot(desk, film))
    phone = launch(f"--use-file-for-fake-video-capture={film.path}")

    def open_lens(**more: Any) -> Page:
        more = {"viewport": {"width": 844, "height": 390}, "has_touch": True, **more}
        page = phone.new_context(**more).new_page()
        page.goto(f"{desk.address}/lens")
        return page

    yield open_lens
    phone.close()


def sample_shot(desk: Any, film: LensFilm) -> Shot:
    scene = film.scene
    setup = SetUp("sample", scene.roster, scene.printed.tile_set, {})
    true = desk.build.true_shot("easy-03")
    calibration = Calibration(scene.markers, scene.view.lens)
    read = replace(true.read, observation=desk.build.as_seen(truth_document(scene)), calibration=calibration)
    return replace(true, id="live-lens", source="live", read=read, setup=setup)


def ask_ruling(page: Page, attacker: str, defender: str) -> None:
    question = {"attacker": attacker, "defender": defender, "ruleset": "doom2016"}
    answer = page.request.post(
        f"{page.url.removesuffix('/lens')}/api/v1/shots/live-lens/rulings", data=question, headers={"X-Sightline": "1"}
    )
    assert answer.ok, answer.text()


def test_lines_and_figures_hang_where_the_true_camera_sees_them(hold, film, picture):
    page = hold()
    ask_ruling(page, "ranger-1", "crawler-1")
    expect(page.locator("#lens-overlay .ray").first).to_be_attached()
    scene = page.request.get(f"{page.url.removesuffix('/lens')}/api/v1/lens/scene").json()
    origin, right, down = np.array(scene["mm_from_plan"])
    card, top_mm = scene["card"], scene["top_mm"]
    hang_mm = top_mm + 0.6 * min(scene["heights_mm"][card[one]["id"]] for one in ("attacker", "defender"))
    line = card["lines"][0]
    line_mm = [
        origin + x * (right - origin) + y * (down - origin) for x, y in (line["from"], line["stop"] or line["to"])
    ]

    off, seen = [], set()
    until(page, lambda: page.evaluate(SHOWN)["lines"] != [])
    while len(seen) < len(film.views):
        shown = page.evaluate(SHOWN)
        if shown["isHidden"] or shown["number"] in seen:
            continue
        seen.add(shown["number"])
        view = film.views[shown["number"]]
        true = view.project(np.array([[*point, hang_mm] for point in line_mm]))
        off.append(float(np.abs(ends_of(shown["lines"][0]) - true).max()) / WIDTH)
        off += film.poles_off(shown)
    assert np.quantile(off, 0.95) < 0.02
    picture(page, "phone-lens-ruling")


def test_a_tap_says_who_it_is_and_marks_where_it_can_go(hold, film, picture):
    page = hold(viewport={"width": 390, "height": 844})
    pole = page.locator("#lens-overlay .figure[data-figure='medic-1'] .pole")
    expect(pole).to_be_attached()
    until(page, lambda: not page.evaluate(SHOWN)["isHidden"])
    # The table moves under the finger: the nearest figure is taken.
    page.evaluate(TAP_ON, "medic-1")
    expect(page.locator("#lens-name")).to_have_text("Medic 1")
    page.fill("#lens-points", "3")
    page.locator("#lens-points").press("Enter")
    expect(page.locator("#lens-overlay .reach")).to_have_attribute("d", re.compile("M.+M"))
    picture(page, "phone-lens-reach")


def test_without_markers_in_the_picture_it_says_how_to_hold_the_phone(desk, open_page, picture):
    desk.show_live()
    page = open_page(f"{desk.address}/lens", "phone")  # the browser's own test picture shows no table
    expect(page.locator("#lens-hint")).to_have_text("Hold the phone so that a printed marker is in the picture.")
    picture(page, "phone-lens-no-marker")


def test_an_insecure_page_says_what_the_host_can_do(desk, open_page):
    page = open_page(f"{desk.address}/lens", "phone")
    page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', { value: undefined })")
    page.reload()
    expect(page.locator("#trouble")).to_contain_text("--tls")

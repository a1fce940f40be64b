"""The pictures of the README match the present page; `make pictures` renews them."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import numpy as np
import pytest
from page_waits import settled
from PIL import Image
from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "web"
WORDS = ROOT / "tests" / "data" / "pictures"
RENEW = os.environ.get("RENEW_PICTURES") == "1"
PICTURE_WH = {"page": (1280, 800), "tour-1": (640, 400), "tour-2": (640, 400), "tour-3": (640, 400)}
SMALL_WH = (64, 40)
MOST_DIFFERENCE = 8.0
"""Mean difference of two shrunk pictures, of 255."""
FIRST_PICTURE_MS = 150_000


def gray(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.convert("L").resize(SMALL_WH, Image.Resampling.BOX), dtype=float)


def words_on(page: Page, *, is_still: bool) -> str:
    """Return the tour and the ruling in words, without what depends on hands, dice and the noise of one frame."""
    parts = [page.locator(part) for part in ("#tour", *(["#card"] if is_still else []))]
    lines = "\n".join(part.inner_text() for part in parts if part.is_visible()).splitlines()
    words = "\n".join(" ".join(line.split()) for line in lines if line.strip()) + "\n"
    words = re.sub(
        r"(?m)^\d+ % sure.*\n|^In doubt: \d+\n|^Walk round with the phone\n", "", words
    )  # a doubt of 1 % shows in some frames only
    return words if is_still else re.sub(r"\b[A-Z][a-z]+ \d\b", "NAME", words)


def hold(page: Page, name: str, *, is_still: bool = True) -> None:
    """Hold the page against the picture of that name, or makes the picture anew.

    Hands and dice choose figures by chance: of a page after them only the words are compared.
    """
    settled(page)
    taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB").resize(PICTURE_WH[name], Image.Resampling.LANCZOS)
    words = words_on(page, is_still=is_still)
    kept, kept_words = PICTURES / f"{name}.jpg", WORDS / f"{name}.txt"
    if RENEW:
        taken.save(kept, quality=85, optimize=True)
        kept_words.parent.mkdir(exist_ok=True)
        kept_words.write_text(words, encoding="utf-8")
    assert words == kept_words.read_text(encoding="utf-8"), f"{kept.name} has other words; make pictures renews it"
    with Image.open(kept) as picture:
        assert picture.size == PICTURE_WH[name]
        difference = float(np.abs(gray(picture) - gray(taken)).mean())
    assert difference < MOST_DIFFERENCE or not is_still, f"{kept.name} looks otherwise; make pictures renews it"


def test_the_readme_shows_these_pictures():
    shown = re.findall(r"\]\(web/([\w-]+)\.jpg\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert shown == list(PICTURE_WH)


@pytest.fixture
def demo_table(programs, tmp_path):
    running = programs.begin(tmp_path, "demo")
    yield running
    assert programs.end(running) == 0


@pytest.mark.timeout(400)
def test_the_pictures_of_the_readme_are_of_this_page(demo_table, open_page):
    page = open_page(demo_table.address)
    figures = page.get_by_role("main").locator("svg:visible").get_by_role("button", name=re.compile(r"^[A-Z]"))
    tour = page.get_by_role("region", name="A simulated table")
    words = tour.get_by_role("status")
    expect(figures.first).to_be_visible(timeout=FIRST_PICTURE_MS)
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_visible(timeout=FIRST_PICTURE_MS)
    hold(page, "tour-1")
    tour.get_by_role("button", name="Take the tour").tap()
    figures.and_(page.get_by_role("button", name=re.compile("Ranger 2"))).first.press("Enter")
    expect(words).to_contain_text("Now tap its target")
    figures.and_(page.get_by_role("button", name=re.compile("Spitter 2"))).first.press("Enter")
    expect(page.locator("#card .verdict:not(.moving)")).to_be_visible(timeout=FIRST_PICTURE_MS)  # of a table at rest
    hold(page, "page")
    tour.get_by_role("button", name="Move a figure").tap()
    expect(words).to_contain_text(re.compile("[Tt]he camera saw"), timeout=FIRST_PICTURE_MS)
    hold(page, "tour-2", is_still=False)
    tour.get_by_role("button", name="Now an attack").tap()
    expect(words).to_contain_text("is hit")
    hold(page, "tour-3", is_still=False)

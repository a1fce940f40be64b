"""“Walk round with the phone”: a doubt is answered by a photo from another side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assistant.table.doubt import Doubt, Variant

PHOTO = Path(__file__).parents[1] / "data" / "scenes" / "dev" / "easy-03" / "photo.jpg"


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_doubt_is_settled_by_a_photo_from_another_side(
    desk: Any, open_page: Callable[..., Page], picture: Callable[[Page, str], None], size: str
) -> None:
    shot = desk.build.true_shot("easy-03")
    figure = shot.board.figure("imp-1")
    doubt = Doubt((figure.id,), (Variant(0.7, (figure,)), Variant(0.3)))
    read = replace(shot.read, observation=replace(shot.read.observation, doubts=(doubt,)))
    desk.state.shelf.put(replace(shot, id="photo-doubtful", read=read))

    page = open_page(f"{desk.address}/#shot=photo-doubtful&from=bravo&to=imp-1", size)
    expect(page.locator("#walk-label")).to_be_visible()
    expect(page.locator("#settled")).to_be_hidden()
    expect(page.locator("#headline")).to_be_visible()
    picture(page, f"{size}-walk-1-doubt")

    with page.expect_file_chooser() as asked:
        page.locator("#card button", has_text="Walk round with the phone").click()
    asked.value.set_files(PHOTO)
    expect(page.locator("#settled")).to_contain_text("Settled: Brute 1 on")
    expect(page.locator("#walk-label")).to_be_hidden()
    expect(page.locator("#attacker")).to_have_value("bravo")
    expect(page.locator("#defender")).to_have_value("imp-1")
    expect(page.locator("#headline")).to_be_visible()
    picture(page, f"{size}-walk-2-settled")

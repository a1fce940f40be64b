"""The pages of the order of play match the engine: drawn again, they are the same."""

from __future__ import annotations

import os
from types import ModuleType

import pytest
from loading import beside

PAGES = beside(__file__, "order_pages")


@pytest.mark.parametrize("game", PAGES.SCRIPTS)
def test_the_page_of_the_order_of_play_is_what_the_engine_does(build: ModuleType, game: str) -> None:
    drawn = PAGES.draw(game, build)
    if os.environ.get("RENEW_PAGES"):
        PAGES.page_of(game).write_text(drawn, encoding="utf-8")
    assert PAGES.page_of(game).read_text(encoding="utf-8") == drawn, "make order"

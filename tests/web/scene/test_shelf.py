"""The shots that the page can still show."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from assistant.app.live.shelf import ShotGone, ShotShelf


def test_the_newest_pictures_of_a_table_that_is_left_are_given_to_who_is_fetching_them():
    shelf = ShotShelf()
    for number in range(4):
        shelf.put(SimpleNamespace(id=f"live-{number}", source="live"))
    shelf.forget_live()
    assert shelf.latest_live() is None
    assert shelf.get("live-3").id == "live-3"
    with pytest.raises(ShotGone):
        shelf.get("live-0")

"""A hand that follows only the large button ends every game: one shared tablet, two, the owner as either side.

One set of devices a game is played here; `make follow` plays all of them on every shipped mission.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import assistant.app.matches.archive as kept
from assistant.app.matches.archive import KeptMatches, list_shipped_missions
from assistant.app.matches.choice import MatchShow
from assistant.app.matches.match_menu import MatchMenu
from web.serving.roles import Role

MOST_STEPS = 3_000
WHIMS = 1

SETS = {
    "one shared": ((Role.OWNER, None),),
    "a guest's alone": ((Role.PLAYER, None),),
    "owner first": ((Role.OWNER, 0), (Role.PLAYER, 1)),
    "owner second": ((Role.OWNER, 1), (Role.PLAYER, 0)),
}
"""The devices of a match: the role of each, and which side it plays; None is handed round."""

PLAYED = (
    ("doom2016_first_fight", "one shared"),
    ("doom2004_simulated_alarm", "owner second"),
    ("roads_first_skirmish", "owner first"),
)
"""What is played each time."""

EVERYTHING = tuple((mission, devices) for mission in list_shipped_missions() for devices in SETS)


@pytest.fixture
def evening_of(
    desk: Any, open_page: Callable[..., Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    """Begins a mission for a set of devices; the pages in their order, and the state of the table."""
    monkeypatch.setattr(kept, "new_seed", lambda: "a")
    matches = KeptMatches(tmp_path)
    show = MatchShow(desk.state.match.play, desk.state.match.announce, lambda view: None)
    desk.build.put(desk.state, archive=matches, matches=MatchMenu(matches, show.change))

    def begin(mission: str, devices: str) -> list[tuple[str, Page]]:
        session = desk.state.matches.begin("Friday", mission, {}, on_sample_table=True)
        if not session.timeline.game.ground:
            matches.play_on(session, "nothing")
        sides = list(dict.fromkeys(piece.side for piece in session.timeline.game.pieces.values()))
        pages = []
        for role, place in SETS[devices]:
            name = f"{role} {'shared' if place is None else sides[place]}"
            page = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(role).token}")
            expect(page.locator(f'body[data-role="{role}"]:not([inert])')).to_be_attached()
            page.locator('[data-view="initiative"]').tap()
            expect(page.locator("#view-initiative:not([inert])")).to_be_visible()
            if place is not None:
                page.locator("#menu > summary").tap()
                page.locator("#seat").select_option(sides[place])
                expect(page.locator("#seat-now")).to_contain_text(page.locator("#seat option:checked").inner_text())
                page.keyboard.press("Escape")
                page.locator("#menu").evaluate("(menu) => { menu.open = false; }")
            pages.append((name, page))
        return pages

    yield begin
    matches.close()


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize(("mission", "devices"), EVERYTHING if os.environ.get("FOLLOW") else PLAYED)
def test_a_hand_that_follows_the_large_buttons_ends_the_match(desk, evening_of, followers, picture, mission, devices):
    whims = random.Random(WHIMS)
    hands = [followers.PageHand(page, name, whims) for name, page in evening_of(mission, devices)]

    def goes_on() -> bool:
        """Whether somebody had something to do; each looks only once the page has heard the news."""
        for hand in hands:
            expect(hand.page.locator("main")).to_have_attribute("data-seq", str(desk.state.match.session.seq))
        return any(hand.follows() for hand in hands)

    for _ in range(MOST_STEPS):
        if desk.state.match.session.timeline.game.winner is not None:
            break
        assert goes_on(), f"nobody has a button after {sum(hand.taps for hand in hands)} taps"
    for hand in hands:
        picture(hand.page, f"following-{mission}-{hand.name}".replace(" ", "-"))
    assert desk.state.match.session.timeline.game.winner is not None
    assert [one for hand in hands for one in hand.hidden] == []

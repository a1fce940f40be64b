"""A hand that follows only the large button ends every game: one shared tablet, two, the owner as either side.

The shortest mission of each game is played here with two sets of devices; `make follow` plays every shipped mission
with every set.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from loading import beside
from playwright.sync_api import Page, expect

import assistant.app.matches.archive as kept
from assistant.app.matches.archive import KeptMatches, list_shipped_missions
from assistant.app.matches.choice import MatchShow
from assistant.app.matches.match_menu import MatchMenu
from web.serving.roles import Role

followers = beside(__file__, "page_hand")

SCREENSHOTS = Path(__file__).parents[2] / "out" / "screenshots"
MOST_STEPS = 3_000
WHIMS = 1
STILL_PX = 1.5
"""So far may the board and the main action move within a whole match: a border, or a rounded pixel."""

SETS = {
    "one shared": ((Role.OWNER, None),),
    "a guest's alone": ((Role.PLAYER, None),),
    "owner first": ((Role.OWNER, 0), (Role.PLAYER, 1)),
    "owner second": ((Role.OWNER, 1), (Role.PLAYER, 0)),
}
"""The devices of a match: the role of each, and which side it plays; None is handed round."""

IS_WHOLE = bool(os.environ.get("FOLLOW"))

SHORTEST = {
    "doom2016_first_fight": ("one shared", "owner second"),
    "doom2004_knee_deep_sample": ("owner second", "a guest's alone"),
    "roads_first_skirmish": ("owner first", "one shared"),
}
"""The mission of each game that is played each time, and on which devices. On the first a new button is seen in all
sizes.

Other devices look at each button in their own size alone: to lay a page out anew costs more than to tap.
"""

PLAYED = tuple(
    (mission, devices, followers.SIZES[(number + place) % len(followers.SIZES)])
    for number, mission in enumerate(list_shipped_missions() if IS_WHOLE else SHORTEST)
    for place, devices in enumerate(SETS)
    if IS_WHOLE or devices in SHORTEST[mission]
)
"""What is played, on screens of what size: with all sets each mission on all sizes, each set on several."""


def words_of(value: object) -> str:
    """What a set of devices or a size is called in the name of a test or a file."""
    return "x".join(map(str, value)) if isinstance(value, tuple) else re.sub(r"\W+", "-", str(value))


@pytest.fixture
def evening_of(
    desk: Any, open_page: Callable[..., Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    """Begins a mission for a set of devices; the pages in their order, and the state of the table."""
    monkeypatch.setattr(kept, "new_seed", lambda: "a")
    matches = KeptMatches(tmp_path)
    show = MatchShow(desk.state.match.play, desk.state.match.announce, lambda view: None)
    desk.build.put(desk.state, archive=matches, matches=MatchMenu(matches, show.change))

    def begin(mission: str, devices: str, size: tuple[int, int]) -> list[tuple[str, Page]]:
        session = desk.state.matches.begin("Friday", mission, {}, on_sample_table=True)
        if not session.timeline.game.ground:
            matches.play_on(session, "nothing")
        sides = list(dict.fromkeys(piece.side for piece in session.timeline.game.pieces.values()))
        pages = []
        for role, place in SETS[devices]:
            name = f"{role} {'shared' if place is None else sides[place]}"
            page = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(role).token}", size)
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
@pytest.mark.parametrize(("mission", "devices", "size"), PLAYED, ids=words_of)
def test_a_hand_that_follows_the_large_buttons_ends_the_match(desk, evening_of, picture, mission, devices, size):
    whims = random.Random(WHIMS)
    looked_over = followers.SIZES if IS_WHOLE or SHORTEST[mission][0] == devices else ()
    hands = [followers.PageHand(page, name, whims, looked_over) for name, page in evening_of(mission, devices, size)]

    for _ in range(MOST_STEPS):
        session = desk.state.match.session
        if session.timeline.game.winner is not None:
            break
        assert any(hand.follows(session.seq) for hand in hands), f"nobody has a button: {[hand.taps for hand in hands]}"
    for hand in hands:
        name = f"following-{mission}-{words_of(devices)}-{words_of(hand.name)}-{words_of(size)}"
        picture(hand.page, name)
        (SCREENSHOTS / f"{name}.md").write_text(hand.table)
    assert desk.state.match.session.timeline.game.winner is not None
    assert [one for hand in hands for one in hand.hidden] == []
    assert [hand.cancels for hand in hands] == [0] * len(hands)
    moved = {hand.name: {what: px for what, px in hand.moved_px.items() if px > STILL_PX} for hand in hands}
    assert moved == {hand.name: {} for hand in hands}, "the board and the main action stay where they are"

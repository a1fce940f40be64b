"""A hand at a page that follows its large button, takes an answer that each question offers, and never cancels."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Page, expect

SIZES = ((1180, 820), (1024, 768), (768, 1024), (390, 844))
"""Tablets both ways, a small one, and a phone."""

STRAIGHT = 0.7
"""How often a player goes straight for something: walls stand in the way, too."""

SHOWN = """() => {
    const seen = (id) => { const one = document.getElementById(id); return Boolean(one?.getClientRects().length); };
    const is = (one) => Boolean(one?.getClientRects().length);
    const primary = document.querySelector('#prompts .primary');
    return {
        busy: document.querySelector('main').getAttribute('aria-busy') === 'true',
        seq: Number(document.querySelector('main').dataset.seq ?? 0),
        covered: seen('cover'),
        asks: seen('choosing') ? document.getElementById('choice-question').textContent : null,
        refusal: seen('choosing') ? document.getElementById('choice-refusal').textContent : '',
        primary: is(primary) ? primary.textContent : null,
        trouble: [...document.querySelectorAll('.match-trouble')].filter(is).map((one) => one.textContent).join(' '),
    };
}"""
"""What a page shows that a hand could follow."""

OUT_OF_SIGHT = """(selector) => {
    const one = document.querySelector(selector);
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const points = [[x, y], [left + 4, y], [right - 4, y], [x, top + 4], [x, bottom - 4]];
    return points.filter(([x, y]) => !one.contains(document.elementFromPoint(x, y))).map((point) => point.join());
}"""
"""The points of an element that nobody sees, or that something else covers."""


@dataclass
class PageHand:
    """Somebody with a device who does what its page offers.

    Args:
        page: what the device shows.
        name: what it is called in a failure.
        whims: chooses among answers.
    """

    page: Page
    name: str
    whims: random.Random
    taps: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    hidden: list[str] = field(default_factory=list)

    def looks(self) -> dict[str, Any]:
        """What the page shows, once it works on nothing any more."""
        main = self.page.locator("main")
        expect(main).not_to_have_attribute("aria-busy", "true")
        shown: dict[str, Any] = self.page.evaluate(SHOWN)
        assert not shown["trouble"], f"{self.name}: {shown['trouble']}"
        return shown

    def follows(self) -> bool:
        """Taps the large button and answers until the page asks nothing more; False where there is none."""
        shown = self.looks()
        if shown["covered"]:
            self.taps_on("#cover-look", "cover")
        elif shown["asks"] is not None:
            self.answers(shown)
        elif shown["primary"] is not None:
            self.taps_on("#prompts .primary", re.sub(r"[A-Z]\w*( \d+)?|\d+", "…", shown["primary"]))
        else:
            return False
        return True

    def taps_on(self, selector: str, kind: str) -> None:
        """Taps something once it is found in sight; its kind is looked at in every size, once."""
        self.looks_over(selector, kind)
        self.page.locator(selector).first.tap()
        self.taps += 1
        self.looks()

    def looks_over(self, selector: str, kind: str) -> None:
        """Whether something can be tapped without scrolling on every size of screen."""
        self.kinds[kind] += 1
        if self.kinds[kind] > 1:
            return
        before = self.page.viewport_size
        assert before is not None
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            if missed := self.page.evaluate(OUT_OF_SIGHT, selector):
                self.hidden.append(f"{self.name}, {width}x{height}: {kind} at {missed}")
        self.page.set_viewport_size(before)

    def answers(self, shown: dict[str, Any]) -> None:
        """Answers the question of the page: by its list, its board, or the number that stands there."""
        question = shown["asks"]
        is_place = self.page.locator("#choice-picture.places").count() > 0  # where a tap may be refused
        assert is_place or not shown["refusal"], f"{self.name}: “{question}” leads to “{shown['refusal']}”"
        done = self.page.locator("#choice-do:visible")
        kind = f"question {question}"
        if done.count() and done.is_enabled():
            self.taps_on("#choice-do", f"{kind}: do")
            return
        listed = self.page.locator("#choices button:not([aria-pressed=true])")
        board = self.page.locator("#choice-board:not([hidden]) .pick")
        if self.page.locator("#choice-told:visible").count() and not listed.count():
            self.taps_on("#choice-told .primary", f"{kind}: told")
        elif board.count():
            place = self.chosen([str(one.get_attribute("aria-label")) for one in board.all()])
            self.looks_over("#choice-question", f"{kind}: board")
            board.nth(place).tap()
            self.taps += 1
            self.looks()
        elif listed.count():
            place = 0 if done.count() else self.whims.randrange(listed.count())
            self.looks_over("#choice-question", f"{kind}: list")
            listed.nth(place).tap()
            self.taps += 1
            self.looks()
        elif self.page.locator("#choice-skip:visible").count():
            self.taps_on("#choice-skip", f"{kind}: skip")
        else:
            self.looks_over("#choice-question", f"{kind}: place")
            self.taps_in_reach()

    def taps_in_reach(self) -> None:
        """Taps the table somewhere in the circle that a model reaches."""
        circle, table = (self.page.locator(f"#choice-picture{part}").bounding_box() for part in (" .reach", ""))
        assert circle is not None, "the reach is drawn"
        assert table is not None, "the table is drawn"
        x, y = -1.0, -1.0
        while not (table["x"] < x < table["x"] + table["width"] and table["y"] < y < table["y"] + table["height"]):
            turn, share = self.whims.uniform(0, 2 * math.pi), self.whims.uniform(0.3, 0.9)
            x = circle["x"] + circle["width"] / 2 * (1 + share * math.cos(turn))
            y = circle["y"] + circle["height"] / 2 * (1 + share * math.sin(turn))
        self.page.touchscreen.tap(x, y)
        self.taps += 1
        self.looks()

    def chosen(self, labels: Sequence[str]) -> int:
        """The place of the answer that is taken: mostly the space nearest to an enemy, or to what lies there."""
        spaces = [re.match(r"([A-Z]+)(\d+)", label) for label in labels]
        if not all(spaces) or self.whims.random() >= STRAIGHT:
            return self.whims.randrange(len(labels))
        goals = self.goals()
        places = [(ord(one[1][-1]) - ord("A"), int(one[2]) - 1) for one in spaces if one]
        order = list(range(len(places)))
        self.whims.shuffle(order)
        return min(order, key=lambda i: min((_apart(places[i], goal) for goal in goals), default=0))

    def goals(self) -> list[tuple[int, int]]:
        """Where enemies stand, and for marines what lies on the table, as the page was sent it."""
        view = self.page.request.get(urljoin(self.page.url, "/api/v1/match")).json()["view"]
        acting = (view.get("turn") or {}).get("figure")
        side = next((one["side"] for one in view["figures"] if one["id"] == acting), None)
        lying = [tuple(item["cell"]) for item in view.get("items") or () if item.get("cell")]
        enemies = [tuple(one["cells"][0]) for one in view["figures"] if one["side"] != side and one.get("cells")]
        return lying if side == "marines" and lying else enemies


def _apart(one: tuple[int, int], other: tuple[int, int]) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))

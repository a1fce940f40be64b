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

from playwright.sync_api import Page, ViewportSize

SIZES = ((1180, 820), (1024, 768), (768, 1024), (390, 844))
"""Tablets both ways, a small one, and a phone."""

STRAIGHT = 0.7
"""How often a player goes straight for something: walls stand in the way, too."""

PATIENCE_MS = 20_000
"""How long a page may work, or be behind the match, before it counts as stuck."""

COUNTS_TAPS = """() => {
    window.tapped = { all: 0, cancels: 0 };
    addEventListener('click', ({ target }) => {
        window.tapped.all += 1;
        window.tapped.cancels += Number(Boolean(target.closest('#choice-cancel')));
    }, true);
}"""
"""Counts the taps that reach a page, so that nobody has to trust the hand about what it tapped."""

LOOK = """async ({ seq, taps, patienceMs }) => {
    const is = (one) => Boolean(one?.getClientRects().length);
    const shown = (id) => is(document.getElementById(id));
    const text = (id) => shown(id) ? document.getElementById(id).textContent : null;
    const labels = (selector) => [...document.querySelectorAll(selector)].filter(is)
        .map((one) => one.getAttribute('aria-label') ?? one.textContent);
    const main = document.querySelector('main');
    const isThere = () => window.tapped.all >= taps && Number(main.dataset.seq ?? 0) >= seq && main.ariaBusy !== 'true';
    const large = '#prompts :is(.primary, .no)';
    const layout = () => [large, '#choosing', '#choice-picture', '#cover-look'].map((selector) => {
        const { left, top, width, height } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
        return [left, top, width, height];
    }).join();
    const end = performance.now() + patienceMs;
    for (let still = 0, before = ''; still < 2 && performance.now() < end;) {
        await new Promise(requestAnimationFrame);
        const now = isThere() ? layout() : '';
        still = now && now === before ? still + 1 : 0;
        before = now;
    }
    const [primary, done] = [large, '#choice-do'].map((selector) => document.querySelector(selector));
    const place = (selector) => {
        const found = [...document.querySelectorAll(selector)].find(is);
        const { left, top, width, height, bottom } = found.getBoundingClientRect();
        return { left, top, width, height, bottom };
    };
    const isOver = main.querySelector('.is-over') !== null;
    const board = '#now-table, #choice-board';
    return {
        boardAt: [...document.querySelectorAll(board)].some(is) ? place(board) : null,
        mainAt: is(primary) && !isOver ? place(large).bottom : is(done) ? place('#choice-do').bottom : null,
        isThere: isThere(),
        tapped: window.tapped,
        covered: shown('cover'),
        asks: shown('choosing') ? text('choice-question') : null,
        refusal: text('choice-refusal') ?? '',
        primary: is(primary) ? primary.textContent : null,
        isPlace: Boolean(document.querySelector('#choice-picture.places')),
        several: is(done),
        isEnough: is(done) && !done.disabled,
        listed: labels('#choices button:not([aria-pressed=true])'),
        board: labels('#choice-board:not([hidden]) .pick'),
        told: shown('choice-told'),
        skip: shown('choice-skip'),
        trouble: labels('.match-trouble').join(' '),
    };
}"""
"""What a page shows that a hand could follow, once it has heard of the taps and the news and nothing on it moves."""

SPOT = """({ selector, nth }) => {
    const one = [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length)[nth];
    const look = () => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const points = [[x, y], [left + 4, y], [right - 4, y], [x, top + 4], [x, bottom - 4]];
        const missed = points.filter(([x, y]) => !one.contains(document.elementFromPoint(x, y)));
        return { at: points.find((point) => !missed.includes(point)) ?? null, missed: missed.map((at) => at.join()) };
    };
    const found = look();
    if (found.at) return { ...found, isScrolled: false };
    one.scrollIntoView({ block: 'center' });
    return { ...found, at: look().at, isScrolled: true };
}"""
"""Where something can be tapped, and those of its points that nobody sees or that something else covers.

What is out of sight altogether is scrolled to, as a person would, who does not know a button without having seen it.
"""

CIRCLE = """() => ['#choice-picture .reach', '#choice-picture'].map((selector) => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return [x, y, width, height];
})"""

FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@dataclass
class PageHand:
    """Somebody with a device who does what its page offers.

    Args:
        page: what the device shows.
        name: what it is called in a failure.
        whims: chooses among answers.
        sizes: the sizes of screens on which a new kind of button is looked at, beside its own.
    """

    page: Page
    name: str
    whims: random.Random
    sizes: Sequence[tuple[int, int]] = SIZES
    taps: int = 0
    cancels: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    hidden: list[str] = field(default_factory=list)
    scrolled: Counter[str] = field(default_factory=Counter)
    boards: list[dict[str, float]] = field(default_factory=list)
    mains: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.evaluate(COUNTS_TAPS)

    def looks(self, seq: int = 0) -> dict[str, Any]:
        """What the page shows, once it works on nothing any more and has heard of that much of the match."""
        asked = {"seq": seq, "taps": self.taps, "patienceMs": PATIENCE_MS}
        shown: dict[str, Any] = self.page.evaluate(LOOK, asked)
        assert shown["isThere"], f"{self.name}: the page works for ever, or has not heard of step {seq}: {shown}"
        assert not shown["trouble"], f"{self.name}: {shown['trouble']}"
        self.cancels = shown["tapped"]["cancels"]
        self.boards += [shown["boardAt"]] if shown["boardAt"] else []
        self.mains += [shown["mainAt"]] if shown["mainAt"] else []
        return shown

    @property
    def moved_px(self) -> dict[str, float]:
        """How far the sides of the board and the lower edge of the main action moved between any two steps."""
        places = {side: [board[side] for board in self.boards] for side in ("left", "top", "width", "height")}
        return {what: max(at) - min(at) for what, at in {**places, "main action": self.mains}.items() if at}

    def follows(self, seq: int) -> bool:
        """Taps the large button, or answers what the page asks; False where there is neither.

        Args:
            seq: how far the match is: nobody looks before the page has heard of it.
        """
        shown = self.looks(seq)
        if shown["covered"]:
            self.taps_on("#cover-look", "cover")
        elif shown["asks"] is not None:
            self.answers(shown)
        elif shown["primary"] is not None:
            self.taps_on("#prompts :is(.primary, .no)", shown["primary"])
        else:
            return False
        return True

    def taps_on(self, selector: str, kind: str) -> None:
        """Taps something that has to be in sight."""
        kind = kind_of(kind)
        spot = self.looks_at(selector, kind)
        assert spot["at"], f"{self.name}: nobody can tap “{kind}”"
        self.taps_at(*spot["at"])

    def takes(self, selector: str, place: int, kind: str) -> None:
        """Taps one of several answers; the question has to be in sight, the answer may be scrolled to."""
        kind = kind_of(kind)
        self.looks_at("#choice-question", kind)
        spot = self.page.evaluate(SPOT, {"selector": selector, "nth": place})
        assert spot["at"], f"{self.name}: nobody can tap answer {place} to “{kind}”"
        self.scrolled[kind] += spot["isScrolled"]
        self.taps_at(*spot["at"])

    def taps_at(self, x: float, y: float) -> None:
        """Taps a point of the screen and waits for what comes of it."""
        self.page.touchscreen.tap(x, y)
        self.taps += 1
        self.looks()

    def looks_at(self, selector: str, kind: str) -> dict[str, Any]:
        """Whether something is in sight without scrolling: on this screen, and a new kind on every size of screen."""
        own = self.page.viewport_size
        assert own is not None
        self.kinds[kind] += 1
        others: list[ViewportSize] = (
            [] if self.kinds[kind] > 1 else [{"width": one[0], "height": one[1]} for one in self.sizes]
        )
        for size in [other for other in others if other != own]:
            self.turns_to(size)
            self.sees(selector, kind)
        if self.page.viewport_size != own:
            self.turns_to(own)
        return self.sees(selector, kind)

    def turns_to(self, size: ViewportSize) -> None:
        """Gives the screen another size, and waits until the page is laid out for it."""
        self.page.set_viewport_size(size)
        self.page.evaluate(FRAMES)

    def sees(self, selector: str, kind: str) -> dict[str, Any]:
        """Where something is on this screen; what of it is out of sight is noted."""
        spot: dict[str, Any] = self.page.evaluate(SPOT, {"selector": selector, "nth": 0})
        if spot["missed"]:
            self.hidden.append(f"{self.name}, {self.page.viewport_size}: {kind} at {spot['missed']}")
        return spot

    @property
    def table(self) -> str:
        """What was tapped how often, and how often an answer had to be scrolled to; the taps that the page counted."""
        rows = [f"| {kind} | {times} | {self.scrolled[kind]} |" for kind, times in sorted(self.kinds.items())]
        head = ["| tapped | times | scrolled to |", "| --- | ---: | ---: |"]
        return "\n".join(
            [*head, *rows, f"| all, {self.cancels} on Cancel | {self.taps} | {self.scrolled.total()} |", ""]
        )

    def answers(self, shown: dict[str, Any]) -> None:
        """Answers the question of the page: by its list, its board, or the number that stands there."""
        question, listed, board = shown["asks"], shown["listed"], shown["board"]
        # A place may be refused.
        assert shown["isPlace"] or not shown["refusal"], f"{self.name}: “{question}” leads to “{shown['refusal']}”"
        if shown["isEnough"]:
            self.taps_on("#choice-do", f"{question}: do")
        elif shown["told"] and not listed:
            self.taps_on("#choice-told .primary", f"{question}: told")
        elif board:
            self.takes("#choice-board .pick", self.chosen(board), f"{question}: board")
        elif listed:
            place = 0 if shown["several"] else self.whims.randrange(len(listed))
            self.takes("#choices button:not([aria-pressed=true])", place, f"{question}: list")
        elif shown["skip"]:
            self.taps_on("#choice-skip", f"{question}: skip")
        else:
            self.looks_at("#choice-question", kind_of(f"{question}: place"))
            self.taps_in_reach()

    def taps_in_reach(self) -> None:
        """Taps the table somewhere in the circle that a model reaches."""
        circle, (left, top, width, height) = self.page.evaluate(CIRCLE)
        x, y = -1.0, -1.0
        while not (left < x < left + width and top < y < top + height):
            turn, share = self.whims.uniform(0, 2 * math.pi), self.whims.uniform(0.3, 0.9)
            x = circle[0] + circle[2] / 2 * (1 + share * math.cos(turn))
            y = circle[1] + circle[3] / 2 * (1 + share * math.sin(turn))
        self.taps_at(x, y)

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


def kind_of(words: str) -> str:
    """Words of a page without the names and numbers in them: those look alike."""
    return re.sub(r"[A-Z]\w* \d+|(?<!^)\b[A-Z]\w*|\d+", "…", words)


def _apart(one: tuple[int, int], other: tuple[int, int]) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))

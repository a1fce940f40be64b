"""A person before the page: sees roles, names and words, taps what is there, and counts the taps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, expect

Words = str | re.Pattern[str]

CLOCK = re.compile(r"\d+:\d\d")
BUTTON = re.compile(r'button "((?:[^"\\]|\\.)+)"')
STATED = re.compile(r'button "((?:[^"\\]|\\.)+)"((?: \[[^\]]+\])*)')
TOOLS = ("Cancel", "Our own dice", "So it is")
ENDS = frozenset({"end of turn", "initiative", "next figure"})
"""After these somebody else acts."""
READING_MS = 60_000
"""How long a picture may take to be drawn and read on a machine that does much else."""
STEP_MS = 50
PATIENCE = 200
"""How often somebody looks again before he thinks that nothing comes."""


class Person:
    """Somebody with a device, at a match: does what the page offers, and waits until the page has answered.

    Args:
        page: what the device shows.
        name: what the person is called in what a failure tells.
    """

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.taps = 0

    def goes_to(self, view: str) -> None:
        """Opens a view."""
        self.page.get_by_role("navigation", name="Views").get_by_role("button", name=view).tap()

    @property
    def headline(self) -> str:
        """Whose turn it is, or who has won."""
        return self.page.get_by_role("region", name="Initiative").get_by_role("status").first.inner_text()

    @property
    def has_end(self) -> bool:
        """Whether the page says who has won."""
        return re.search("won|The match goes to", self.headline) is not None

    @property
    def offered(self) -> list[str]:
        """The buttons of what may be done now, from top to bottom."""
        return [one for one in self.may_do.get_by_role("button").all_inner_texts() if one]

    @property
    def may_do(self) -> Locator:
        """What may be done now."""
        return self.page.get_by_role("group", name="What may be done now")

    @property
    def question(self) -> str:
        """What the page asks now; empty where it asks nothing."""
        shown = self.page.get_by_role("region").filter(has=self.leave).last.get_by_role("heading").all_inner_texts()
        return shown[-1] if shown else ""

    @property
    def answers(self) -> list[str]:
        """The answers to the question: those in the list, then those on the table."""
        listed = BUTTON.findall(self.page.get_by_role("region").filter(has=self.leave).last.aria_snapshot())
        shown = BUTTON.findall(self.board.aria_snapshot()) if self.board.is_visible() else []
        return [one for one in (*listed, *shown) if one not in TOOLS]

    @property
    def refusal(self) -> str:
        """Why nothing can be answered."""
        part = self.page.get_by_role("region").filter(has=self.leave).last
        return " ".join(part.get_by_role("status").all_inner_texts()).strip()

    @property
    def leave(self) -> Locator:
        """The way out of a question."""
        return self.page.get_by_role("button", name="Cancel", exact=True)

    @property
    def board(self) -> Locator:
        """The table on which something is chosen."""
        return self.page.get_by_role("group", name="The table: tap what is chosen")

    @property
    def told(self) -> str:
        """What happened last, and by whom."""
        line = self.page.get_by_role("status", name="What happened last")
        return line.inner_text().replace("\n", " ") if line.is_visible() else ""

    @property
    def trouble(self) -> str:
        """What the page says that went wrong."""
        return " ".join(self.page.get_by_role("alert").all_inner_texts()).strip()

    @property
    def moment(self) -> str:
        """All that the page shows of the match, without its clocks."""
        return CLOCK.sub("", self.page.get_by_role("main").aria_snapshot() + self.told)

    def can(self, words: str) -> str | None:
        """The first thing of that wording that may be done now."""
        return next((one for one in self.offered if re.search(words, one)), None)

    def taps_on(self, place: Locator) -> None:
        """Taps something and waits for what comes of it."""
        before = self.moment
        place.tap()
        self.taps += 1
        self._waits_from(before)

    def _waits_from(self, before: str) -> None:
        for _ in range(PATIENCE):
            if self.moment != before:
                return
            self.page.wait_for_timeout(STEP_MS)
        raise AssertionError(f"{self.name}: nothing came of a tap; the page shows {before}")

    def does(self, name: str) -> None:
        """Does what is offered under that name."""
        self.taps_on(self.may_do.get_by_role("button", name=name, exact=True).first)

    def does_besides(self, name: str) -> None:
        """Does what is found under “More that may be done”."""
        self.page.get_by_text("More that may be done").tap()
        self.taps += 1
        self.taps_on(self.page.get_by_role("group", name="More that may be done").get_by_role("button", name=name))

    def answers_with(self, name: str) -> None:
        """Answers the question: on the table, or else by the list."""
        part = self.page.get_by_role("region", name=self.question, exact=True)
        listed = part.get_by_role("button", name=name, exact=True)
        if (others := listed.and_(part.get_by_role("button", pressed=False))).count():
            listed = others  # of two cards that are alike the one that is not taken yet
        shown = self.board.get_by_role("button", name=name, exact=True)
        self.taps_on(shown.first if shown.count() else listed.first)

    def taps_table(self, right: float, down: float) -> None:
        """Answers with a place on a table without spaces: so far from its left and its upper edge, as shares of it."""
        box = self.board.bounding_box()
        assert box is not None, "the table is shown"
        before = self.moment
        self.board.tap(position={"x": box["width"] * right, "y": box["height"] * down})
        self.taps += 1
        self._waits_from(before)

    def waits_until_given(self) -> None:
        """Waits until what was chosen is done: until then its question stands there and takes no more taps."""
        standing = self.page.get_by_text("Cancel", exact=True)
        for _ in range(PATIENCE):
            if not any(one.is_visible() for one in standing.all()):
                return
            self.page.wait_for_timeout(STEP_MS)
        raise AssertionError(f"{self.name}: what was chosen is not done")

    def says(self, words: str) -> str | None:
        """The first answer of that wording."""
        return next((one for one in self.answers if re.search(words, one)), None)

    def leaves(self) -> None:
        """Leaves a question as it was."""
        self.taps_on(self.leave)


def first_answer(who: Person) -> str | None:
    """The first answer that is offered; where several are taken together, one after the other until they are enough."""
    part = STATED.findall(who.page.get_by_role("region").filter(has=who.leave).last.aria_snapshot())
    has_chosen = any("[pressed]" in state for _, state in part)
    if has_chosen and ("These", "") in part:
        return "These"
    left = [name for name, state in part if "[pressed]" not in state and name not in (*TOOLS, "These")]
    return next(iter(left if has_chosen else [*left, *who.answers]), None)


@dataclass(frozen=True)
class Habit:
    """What somebody does whenever it is offered.

    Args:
        words: the wording of what is offered.
        kind: what it is, in the table of taps.
        pick: the answer to each question that follows; None where nothing can be answered.
        per_turn: how often in one turn.
        when: whether somebody wants to do it now.
    """

    words: str
    kind: str
    pick: Callable[[Person], str | None] = first_answer
    per_turn: int = 99
    when: Callable[[], bool] = lambda: True


@dataclass
class Evening:
    """Three people at a table: the owner and a player with a tablet each, another player with a phone."""

    owner: Person
    tablet: Person
    phone: Person
    done: Counter[str] = field(default_factory=Counter)
    most_taps: Counter[str] = field(default_factory=Counter)
    refusals: set[str] = field(default_factory=set)
    turn: Counter[str] = field(default_factory=Counter)

    @property
    def everybody(self) -> tuple[Person, Person, Person]:
        """All three."""
        return self.owner, self.tablet, self.phone

    def plays(self, tablet: Sequence[Habit], phone: Sequence[Habit], most: int) -> None:
        """Plays until somebody has won; whoever is offered something does the first that is a habit.

        Raises:
            AssertionError: nobody has won after that many steps, or nobody knows what to do.
        """
        habits = {self.tablet.name: tablet, self.phone.name: phone}
        for _ in range(most):
            if self.owner.has_end:
                return
            player, name = self.next_step(habits)
            self.meets(player)
            if not self.done["undo"] and self.done["move"]:
                self.takes_back(player, name)
        raise AssertionError(f"the match has no end: {self.done}")

    def next_step(self, habits: Mapping[str, Sequence[Habit]]) -> tuple[Person, str]:
        """Who did something next, and what it was called."""
        for _ in range(PATIENCE):
            for player in (self.tablet, self.phone):
                for habit in habits[player.name] if player.offered else ():
                    if name := self.tries(player, habit):
                        return player, name
            self.owner.page.wait_for_timeout(STEP_MS)
        offered = {one.name: one.offered for one in self.everybody}
        raise AssertionError(f"nobody knows what to do: {self.owner.headline}, {offered}")

    def tries(self, who: Person, habit: Habit) -> str | None:
        """What was done by that habit; None where it is not offered, not wanted, or cannot be done now."""
        name = who.can(habit.words)
        if name is None or self.turn[habit.words] >= habit.per_turn or not habit.when():
            return None
        before = who.taps
        self.turn[habit.words] += 1
        who.does(name)
        while who.question:
            answer = self.chooses(who, habit)
            if answer is None and who.question:
                self.refusals.add(who.refusal)
                who.leaves()
                self.turn[habit.words] = habit.per_turn
                return None
            if answer:
                who.answers_with(answer)
        who.waits_until_given()
        self.done[habit.kind] += 1
        self.most_taps[habit.kind] = max(self.most_taps[habit.kind], who.taps - before)
        if habit.kind in ENDS:
            self.turn.clear()
        return name

    def chooses(self, who: Person, habit: Habit) -> str | None:
        """The answer, as soon as the page shows one; None where the page says why there is none, or asks no more."""
        for _ in range(PATIENCE):
            if not who.question or who.refusal:
                return None
            if (answer := habit.pick(who)) is not None:
                return answer
            who.page.wait_for_timeout(STEP_MS)
        raise AssertionError(f"{who.name}: “{who.question}” has no answer and no reason why not")

    def takes_back(self, who: Person, name: str) -> None:
        """The owner takes a move back in the history; the player may make it again."""
        self.owner.goes_to("History")
        self.owner.taps_on(self.owner.page.get_by_role("button", name="Undo", exact=True))
        self.owner.goes_to("Initiative")
        for _ in range(PATIENCE):
            if name in who.offered:
                break
            who.page.wait_for_timeout(STEP_MS)
        assert name in who.offered, f"{name} is not offered again"
        self.done["undo"] += 1
        self.turn.clear()

    def meets(self, who: Person) -> None:
        """Everybody sees what that person did last, and nobody is told of trouble."""
        for _ in range(PATIENCE):
            if len({one.told for one in self.everybody}) == 1:
                break
            who.page.wait_for_timeout(STEP_MS)
        assert [one.told for one in self.everybody] == [who.told] * 3
        assert [one.trouble for one in self.everybody] == [""] * 3


def set_up_table(owner: Person, name: str) -> None:
    """Goes through the set-up with the simulated camera, from an empty data folder to the table."""
    page = owner.page

    def go_on(heading: str) -> None:
        onward = page.get_by_role("button", name="Next", exact=True)
        expect(onward).to_be_enabled(timeout=READING_MS)
        onward.tap()
        expect(page.get_by_role("heading", name=heading)).to_be_visible(timeout=READING_MS)

    page.get_by_role("group", name="Camera").get_by_text("Simulated").tap(timeout=READING_MS)
    go_on("Print the sheets")
    go_on("Show the camera the lens board")
    page.get_by_role("button", name="Go on without the board").tap()
    go_on("Show the camera the markers")
    for count in (1, 2):
        page.get_by_role("button", name="Take this picture").tap()
        expect(page.get_by_role("listitem").filter(has_text="markers")).to_have_count(count, timeout=READING_MS)
    page.get_by_role("button", name="Work the table out").tap()
    go_on("Your own tiles, figures and doors")
    go_on("What do you play with?")
    go_on("Keep this set-up under a name")
    keep = page.get_by_role("region", name="Keep this set-up under a name")
    keep.get_by_role("combobox", name="Name").fill(name)
    keep.get_by_role("button", name="Save", exact=True).tap()
    go_on("Try it: lay out some tiles and figures")
    page.get_by_role("button", name="Read the table").tap()
    page.get_by_role("button", name="That is right: play").tap(timeout=READING_MS)


def begin_match(owner: Person, mission: str) -> None:
    """Begins a match in the form for it, on the table that the mission brings."""
    form = owner.page.get_by_role("dialog", name="New match")
    expect(form).to_be_visible(timeout=READING_MS)
    form.get_by_label("Game and mission").select_option(label=mission)
    form.get_by_label("On the table that the mission brings, without a camera").check()
    form.get_by_role("button", name="Begin the match").tap()
    expect(owner.may_do).to_be_visible()


def invite(owner: Person, guest: Person, plays: str) -> None:
    """The owner shows a code for a side, and the guest types it on a device of his own."""
    menu = "Settings"
    owner.page.get_by_label(menu, exact=True).tap()
    owner.page.get_by_label("It plays").select_option(label=plays)
    owner.page.get_by_role("button", name="Show code").tap()
    code = owner.page.get_by_text(re.compile(r"^\d{3} \d{3}$"))
    expect(code).to_be_visible()
    guest.page.get_by_label(menu, exact=True).tap()
    guest.page.get_by_label("Code from the host's screen").fill(code.inner_text())
    guest.page.get_by_role("button", name="Join", exact=True).tap()
    guest.goes_to("Initiative")
    owner.page.get_by_label(menu, exact=True).tap()


def nearest(space: Callable[[], str]) -> Callable[[Person], str | None]:
    """Who moves goes to the space that is nearest to another one; both are called as they stand along the board."""

    def pick(who: Person) -> str | None:
        column, row = ord(space()[0]), int(space()[1:])

        def apart(answer: str) -> tuple[int, int]:
            name = answer.partition(",")[0]
            across, along = abs(ord(name[0]) - column), abs(int(name[1:]) - row)
            return max(across, along), across + along

        spaces = [one for one in who.answers if re.match(r"[A-Z]\d", one)]
        return min(spaces, key=apart) if spaces else None

    return pick

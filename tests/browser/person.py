"""A person on the page: sees roles, names and words, taps visible things, and counts the taps."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from playwright.sync_api import Locator, Page, expect

CLOCK = re.compile(r"\d+:\d\d")
QUOTED = re.compile(r"'((?:[^']|'')*)'(.*)")
NODE = re.compile(r'([a-z]+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)(?::(?: (.*))?)?')
ON_PICTURE = "The camera's picture: tap your choice"
BOARDS = (ON_PICTURE, "The table: tap your choice")
"""On what something is chosen: the picture of the table, or the table as the match knows it."""
TOOLS = ("Cancel", "Our own dice", "Confirm", "Another number")
ENDS = frozenset({"end of turn", "initiative", "next figure"})
"""After these somebody else acts."""
NOT_PLAYING = "^Medic 1"
"""The figures that the simulated hands remove when a mission is laid out."""
READING_MS = 60_000
"""Limit for drawing and reading a picture on a busy machine."""
CHANGES = """() => {
    if (window.changesSeen === undefined) {
        window.changesSeen = 0;
        const count = () => { window.changesSeen += 1; };
        new MutationObserver(count).observe(
            document, { subtree: true, childList: true, attributes: true, characterData: true });
        for (const kind of ['input', 'change', 'focusin', 'focusout', 'toggle', 'transitionend', 'animationend']) {
            addEventListener(kind, count, { capture: true });
        }
    }
    return `${performance.timeOrigin} ${window.changesSeen}`;
}"""
"""Counts the page's changes since the first look, with the page's own birth."""
LOOK_AGAIN_S = 0.5
"""A look is no older than that, should something change without a word."""
STEP_MS = 20
PATIENCE = 3_000
"""Number of looks before a person expects nothing more: a minute, even if a look takes no time."""


@dataclass(frozen=True)
class Part:
    """Something on the page, as a screen reader speaks it."""

    role: str
    name: str
    states: str
    text: str
    depth: int


@dataclass(frozen=True)
class Look:
    """All that a page shows at one moment, from top to bottom."""

    parts: tuple[Part, ...]

    @classmethod
    def at(cls, page: Page) -> Look:
        """Return the page's present content."""
        found = []
        for line in page.locator("body").aria_snapshot().splitlines():
            indent, _, rest = line.partition("- ")
            if quoted := QUOTED.fullmatch(rest):
                rest = quoted[1].replace("''", "'") + quoted[2]
            if node := NODE.fullmatch(rest):
                role, name, states, text = node.groups(default="")
                text = json.loads(text) if text.startswith('"') else text
                found.append(Part(role, json.loads(f'"{name}"'), states, text, len(indent)))
        return cls(tuple(found))

    def within(self, role: str, name: str | None = None, *, holds: str | None = None) -> Look:
        """Return the last part of that role with everything in it; nothing where there is none.

        Args:
            role: its role.
            name: what it is called.
            holds: the name of a button that it has.
        """
        found = Look(())
        for place, part in enumerate(self.parts):
            if part.role == role and name in (None, part.name):
                ends = (i for i, other in enumerate(self.parts) if i > place and other.depth <= part.depth)
                inside = Look(self.parts[place : next(ends, len(self.parts))])
                found = inside if holds is None or holds in inside.named("button") else found
        return found

    def named(self, role: str) -> list[str]:
        """Return the names of all parts of that role."""
        return [part.name or part.text for part in self.parts if part.role == role]

    @cached_property
    def words(self) -> str:
        """All that is written here, in one line."""
        return " ".join(word for part in self.parts for word in (part.text, part.name) if word).strip()

    @cached_property
    def offered(self) -> list[str]:
        """The buttons of possible actions, from top to bottom."""
        return self.within("group", "What may be done now").named("button")

    @cached_property
    def asking(self) -> Look:
        """The part with a question, or empty without one."""
        return self.within("region", holds="Cancel")

    @cached_property
    def question(self) -> str:
        """The page's present question, or empty without one."""
        return next(iter(self.asking.named("heading")), "")

    @cached_property
    def refusal(self) -> str:
        """Why nothing can be answered."""
        return " ".join(self.asking.named("status")).strip()

    @cached_property
    def listed(self) -> list[Part]:
        """The answers in the list, the tools among them."""
        return [part for part in self.asking.parts if part.role == "button"]

    @cached_property
    def on_board(self) -> list[str]:
        """The answers on the table."""
        return next((found for one in BOARDS if (found := self.within("group", one).named("button"))), [])

    @cached_property
    def is_on_picture(self) -> bool:
        """Whether the answers lie on the camera's picture."""
        return bool(self.within("group", ON_PICTURE).parts)

    @cached_property
    def answers(self) -> list[str]:
        """The answers to the question: those in the list, then those on the table."""
        return [one for one in (*(part.name for part in self.listed), *self.on_board) if one not in TOOLS]

    @cached_property
    def trouble(self) -> str:
        """The page's error message."""
        return " ".join(self.named("alert")).strip()

    @cached_property
    def headline(self) -> str:
        """The headline: whose turn it is, or the winner."""
        return next(iter(self.within("region", "Turns").named("status")), "")

    @cached_property
    def moment(self) -> str:
        """All that the page shows of the match, without its clocks."""
        shown = (*self.within("main").parts, *self.within("status", "What happened last").parts)
        return CLOCK.sub("", "\n".join(f"{part.role} {part.name} {part.states} {part.text}" for part in shown))


class Person:
    """A person with a device at a match: takes the page's offers, and waits for its response.

    Args:
        page: what the device shows.
        name: what the person is called in what a failure tells.
    """

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.taps = 0
        self.taps_on_picture = 0
        self.seen = Look(())
        self._looked = (self.seen, "", 0.0)

    def goes_to(self, view: str) -> None:
        """Open a view."""
        self.page.get_by_role("navigation", name="Views").get_by_role("button", name=view).tap()
        self.looks()

    def looks(self) -> Look:
        """Look again, as soon as the page is idle."""
        self.waits(lambda: not self.is_busy, "the page is busy for ever")
        self.seen = self.glances()
        return self.seen

    def glances(self) -> Look:
        """Return the page's present content, whether the page is idle or not.

        The last look holds while nothing changes: to ask for changes costs less than to look.
        """
        look, changes, looked_s = self._looked
        changed = self.page.evaluate(CHANGES)
        if changed != changes or time.monotonic() > looked_s + LOOK_AGAIN_S:
            look = Look.at(self.page)
            self._looked = (look, changed, time.monotonic())
        return look

    @property
    def is_busy(self) -> bool:
        """Whether the page says to screen readers that it is busy."""
        return self.page.get_by_role("main").get_attribute("aria-busy") == "true"

    @property
    def has_end(self) -> bool:
        """Return whether the page shows a winner."""
        return re.search("won|lost|Winner: ", self.seen.headline) is not None

    @property
    def question(self) -> str:
        """Return the page's question."""
        return self.seen.question

    @property
    def may_do(self) -> Locator:
        """Return the possible actions."""
        return self.page.get_by_role("group", name="What may be done now")

    @property
    def board(self) -> Locator:
        """The table on which something is chosen."""
        return self.page.get_by_role("group", name=BOARDS[0]).or_(self.page.get_by_role("group", name=BOARDS[1]))

    def can(self, words: str) -> str | None:
        """Return the first possible action with that wording, after the question that its button declines."""
        return next((one for one in self.seen.offered if re.search(words, one.rpartition("? If not: ")[2])), None)

    def says(self, words: str) -> str | None:
        """Return the first answer of that wording."""
        return next((one for one in self.seen.answers if re.search(words, one)), None)

    def taps_on(self, place: Locator, *, by_keys: bool = False, **where: Any) -> None:
        """Tap something, or press Enter on it, and wait for the result."""
        before = self.glances().moment
        if by_keys:
            place.press("Enter")
        else:
            place.tap(**where)
        self.taps += 1
        self.waits(lambda: self.glances().moment != before, f"nothing came of a tap; the page shows {before}")
        self.looks()

    def does(self, name: str) -> None:
        """Do the offered action of that name."""
        self.taps_on(self.may_do.get_by_role("button", name=name, exact=True).first)

    def answers_with(self, name: str) -> None:
        """Answer the question: on the table, or else by the list."""
        if name in self.seen.on_board:
            self.taps_on_picture += self.seen.is_on_picture
            self.taps_on(self.board.get_by_role("button", name=name, exact=True).first)
            return
        part = self.page.get_by_role("region", name=self.question, exact=True)
        listed = part.get_by_role("button", name=name, exact=True)
        if any(one.name == name and "[pressed]" in one.states for one in self.seen.listed):
            listed = listed.and_(part.get_by_role("button", pressed=False))  # of two alike the one not taken yet
        self.taps_on(listed.first)

    def taps_table(self, right: float, down: float) -> None:
        """Answer with a place on a table without spaces: so far from its left and its upper edge, as shares of it."""
        box = self.board.bounding_box()
        assert box is not None, "the table is shown"
        self.taps_on_picture += self.seen.is_on_picture
        self.taps_on(self.board, position={"x": box["width"] * right, "y": box["height"] * down})

    def leaves(self) -> None:
        """Leave a question as it was."""
        self.taps_on(self.page.get_by_role("button", name="Cancel", exact=True))

    @property
    def last_told(self) -> str:
        """Return the last event, with its hidden number in the history; empty before any event.

        The news that a device joined is no event, and only the other devices show it.
        """
        last = self.page.get_by_role("status", name="What happened last")
        if not last.is_visible() or last.inner_text().endswith("joined with another device"):
            return ""
        number = self.page.locator("#told").get_attribute("data-seq") or ""
        return " ".join([number, *last.inner_text().split()])

    def waits_for(self, told: str) -> None:
        """Wait until the device tells that this happened last, with its number in the history."""
        self.waits(lambda: self.last_told == told, f"does not tell “{told}”")

    def waits(self, is_so: Callable[[], bool], otherwise: str) -> None:
        """Look again and again until it is so.

        Raises:
            AssertionError: it never was.
        """
        for _ in range(PATIENCE):
            if is_so():
                return
            self.page.wait_for_timeout(STEP_MS)
        raise AssertionError(f"{self.name}: {otherwise}")


def first_answer(who: Person) -> str | None:
    """Return the first offered answer; if several are needed, take them in turn until they suffice."""
    part = who.seen.listed
    has_chosen = any("[pressed]" in one.states for one in part)
    if has_chosen and any(one.name == "These" and not one.states for one in part):
        return "These"
    left = [one.name for one in part if "[pressed]" not in one.states and one.name not in (*TOOLS, "These")]
    return next(iter(left if has_chosen else [*left, *who.seen.answers]), None)


@dataclass(frozen=True)
class Habit:
    """A person's standing reaction to an offer.

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
    """Three people at a table: the owner and a player with a tablet each, another player with a phone.

    Args:
        reaches_in: a hand at the simulated table takes away the doors beside who acts, or moves a model of whose turn
            it is.
        faults_of: what is wrong with what a device shows now; asked once for each kind of question.
        lookers_on: what is wrong with what devices in other languages show; asked once for each kind of sentence.
    """

    owner: Person
    tablet: Person
    phone: Person
    reaches_in: Callable[[], None]
    faults_of: Callable[[Page], Sequence[Any]] = lambda page: ()
    lookers_on: Mapping[Person, Callable[[Page], set[str]]] = field(default_factory=dict)
    looked_at: set[str] = field(default_factory=set)
    done: Counter[str] = field(default_factory=Counter)
    most_taps: Counter[str] = field(default_factory=Counter)
    refusals: set[str] = field(default_factory=set)
    turn: Counter[str] = field(default_factory=Counter)

    @property
    def everybody(self) -> tuple[Person, Person, Person]:
        """All three."""
        return self.owner, self.tablet, self.phone

    @property
    def taps_on_picture(self) -> int:
        """The number of answers tapped on the camera's picture."""
        return sum(one.taps_on_picture for one in self.everybody)

    def plays(self, tablet: Sequence[Habit], phone: Sequence[Habit], most: int) -> None:
        """Play until somebody has won; each player takes the first offer that matches a habit.

        Nobody does anything before every device shows what was done last, so that the same dice make the same evening.

        Raises:
            AssertionError: nobody has won after that many steps, or nobody knows what to do.
        """
        habits = {self.tablet.name: tablet, self.phone.name: phone}
        self.meets(self.owner)
        for _ in range(most):
            if self.owner.has_end:
                return
            player, name = self.next_step(habits)
            self.meets(player)
            self.looks_over(player)
            if not self.done["undo"] and self.done["move"]:
                self.takes_back(player, name)
        raise AssertionError(f"the match has no end: {self.done}")

    def next_step(self, habits: Mapping[str, Sequence[Habit]]) -> tuple[Person, str]:
        """Take the next step; return who acted, and the action's name."""
        for player in (self.tablet, self.phone):
            for habit in habits[player.name]:
                if name := self.tries(player, habit):
                    return player, name
        offered = {one.name: one.seen.offered for one in self.everybody}
        raise AssertionError(f"nobody knows what to do: {self.owner.seen.headline}, {offered}, {self.refusals}")

    def tries(self, who: Person, habit: Habit) -> str | None:
        """Return the action taken by that habit, or None if it is not offered, not wanted, or impossible."""
        name = who.can(habit.words)
        if name is None or self.turn[habit.words] >= habit.per_turn or not habit.when():
            return None
        before = who.taps
        self.turn[habit.words] += 1
        who.does(name)
        while who.question:
            self.looks_over_question(who, habit.kind)
            answer = None if who.seen.refusal else habit.pick(who)
            if answer is None:
                assert who.seen.refusal, f"{who.name}: “{who.question}” has no answer and no reason why not"
                self.refusals.add(who.seen.refusal)
                who.leaves()
                self.turn[habit.words] = habit.per_turn
                return None
            if answer:
                who.answers_with(answer)
        self.done[habit.kind] += 1
        self.most_taps[habit.kind] = max(self.most_taps[habit.kind], who.taps - before)
        if habit.kind in ENDS:
            self.turn.clear()
        return name

    def is_new(self, what: str) -> bool:
        """Return whether this is seen for the first time on this evening."""
        if what in self.looked_at:
            return False
        self.looked_at.add(what)
        return True

    def looks_over(self, who: Person) -> None:
        """Once for each kind of sentence: does it appear in every language, and can everybody read it?"""
        told = who.last_told
        if not self.is_new(re.sub(r"[A-Z]\w*( \d+)?|\d+", "…", told)):
            return
        number = told.partition(" ")[0]
        for looker, wrong_on in self.lookers_on.items():
            line = looker.page.locator("#told")  # it has another name in each language
            looker.waits(lambda told=line: told.get_attribute("data-seq") == number, f"does not tell of {number}")
            found = wrong_on(looker.page)
            assert not found, f"{looker.name} after “{told}”: {found}"

    def looks_over_question(self, who: Person, kind: str) -> None:
        """Check once for each kind of question that everybody can read it, and answer it on the right device."""
        if self.is_new(f"{who.name} {kind} {re.sub(r'[0-9]+', '…', who.question)}"):
            found = self.faults_of(who.page)
            assert not found, f"{who.name}: “{who.question}”: {found}"

    def takes_back(self, who: Person, name: str) -> None:
        """Undo a move as the owner in the history; the player may make it again."""
        self.owner.goes_to("History")
        self.owner.taps_on(self.owner.page.get_by_role("button", name="Undo", exact=True), by_keys=True)
        self.owner.goes_to("Turns")
        self.meets(self.owner)
        assert name in who.seen.offered, f"{name} is not offered again"
        self.done["undo"] += 1
        self.turn.clear()

    def meets(self, who: Person) -> None:
        """Wait until every device shows that person's last action, with the same words and without an error."""
        wanted = who.last_told
        for one in self.everybody:
            one.waits_for(wanted)
            one.looks()
        troubles = [one.seen.trouble for one in self.everybody]
        assert troubles == [""] * 3, troubles


def set_up_table(owner: Person, name: str) -> None:
    """Go through the set-up with the simulated camera, from an empty data folder to the table."""
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
    page.get_by_role("button", name="Measure the table").tap()
    go_on("Your own tiles, figures and doors")
    go_on("What do you play with?")
    go_on("Save this set-up under a name")
    keep = page.get_by_role("region", name="Save this set-up under a name")
    keep.get_by_role("combobox", name="Name").fill(name)
    keep.get_by_role("button", name="Save", exact=True).tap()
    go_on("Try it: lay out some tiles and figures")
    page.get_by_role("button", name="Read the table").tap()
    page.get_by_role("button", name="That is right: play").tap(timeout=READING_MS)


def begin_match(owner: Person, mission: str, *, is_watched: bool = False) -> None:
    """Begin a match in the form for it: at the table that the camera sees, or on the one that the mission brings.

    Args:
        owner: whose device it is.
        mission: what it is called.
        is_watched: whether the camera is to show the table of the mission, too, until it lies as it should.
    """
    form = owner.page.get_by_role("dialog", name="New match")
    expect(form).to_be_visible(timeout=READING_MS)
    named = form.locator("option").filter(has_text=re.compile(rf"^{re.escape(mission)}( \(|$)")).first
    form.get_by_label("Game and mission").select_option(named.get_attribute("value"))
    drawn = form.get_by_label("The drawn board, no camera")
    if is_watched:
        expect(drawn).not_to_be_checked()
    elif drawn.is_enabled():
        drawn.check()
    else:
        expect(owner.page.get_by_role("status").filter(has_text="Live")).to_be_visible(timeout=READING_MS)
    is_drawn = drawn.is_checked()
    for rolled in form.locator("#new-match-first select").all():
        rolled.select_option("by_hand")  # these players know their numbers
    form.get_by_role("button", name="Begin the match").tap()
    expect(owner.may_do).to_be_visible()
    if is_watched:
        expect(owner.page.get_by_text("The table is set up as in the mission.")).to_be_visible(timeout=READING_MS)
    elif not is_drawn:
        owner.goes_to("Table")
        aside = owner.page.get_by_role("button", name=re.compile(NOT_PLAYING))
        expect(aside).to_have_count(0, timeout=READING_MS)
        expect(owner.page.get_by_role("button", name=re.compile("^Ranger 1")).first).to_be_visible(timeout=READING_MS)
        owner.goes_to("Turns")


def invite(owner: Person, guest: Person, plays: str, *, watches: bool = False) -> None:
    """Show a code for a side as the owner, and type it as the guest on another device.

    Who comes first is asked for it; who comes once a guest has a side watches, and finds it above every view.
    """
    menu = "Settings"
    code = owner.page.get_by_text(re.compile(r"^\d{3} \d{3}$"))
    before = code.inner_text() if code.count() else None
    owner.page.get_by_label(menu, exact=True).tap()
    owner.page.get_by_label("It plays").select_option(label=plays)
    owner.page.get_by_role("button", name="Show code").tap()
    expect(code).to_be_visible()
    if before is not None:
        expect(code).not_to_have_text(before)
    form = guest.page.locator("#not-in") if watches else guest.page.get_by_role("dialog", name="You are not in yet")
    form.get_by_label("Type the code from the host's screen").fill(code.inner_text())
    form.get_by_role("button", name="Join", exact=True).tap()
    expect(guest.page.locator('body[data-role="player"] dialog[open]')).to_have_count(0)
    guest.goes_to("Turns")
    owner.page.get_by_label(menu, exact=True).tap()


def nearest(space: Callable[[], str]) -> Callable[[Person], str | None]:
    """Return a habit that moves to the space nearest to another; both by their names on the board."""

    def pick(who: Person) -> str | None:
        column, row = ord(space()[0]), int(space()[1:])

        def apart(answer: str) -> tuple[int, int]:
            name = answer.partition(",")[0]
            across, along = abs(ord(name[0]) - column), abs(int(name[1:]) - row)
            return max(across, along), across + along

        spaces = [one for one in who.seen.answers if re.match(r"[A-Z]\d", one)]
        return min(spaces, key=apart) if spaces else None

    return pick

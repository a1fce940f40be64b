"""A hand that follows a page's buttons: a device's first one, and answers to its questions."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.match.game import tag_of
from assistant.match.steps import Pass

PASS = tag_of(Pass)
MOST_STEPS = 450
STRAIGHT = 0.7
"""Share of moves straight for a goal. Walls are in the way, too."""


class Stuck(AssertionError):
    """No device has a button, or an offered button leads nowhere."""


@dataclass
class Hand:
    """A person at a device who knows its page by the server's answers.

    Args:
        name: what the device is called in a failure.
        get: asks the page's server.
        send: changes something there.
    """

    name: str
    get: Callable[[str], Any]
    send: Callable[[str, Any], Any]

    def looks(self) -> dict[str, Any]:
        """Return the match as this device shows it."""
        document: dict[str, Any] = self.get("/match")
        return document

    def offers(self, document: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the buttons of the device, the large one first, as the page's script builds them."""
        mine, seat, asked = document["mine"], document["seat"], document["view"]["asked"]

        def is_for(prompt: Mapping[str, Any]) -> bool:
            if prompt["hand"] in seat["elsewhere"]:
                return False
            if mine is None or not prompt["side"]:
                return True
            figures = [
                one["figure"] for one in asked if one["figure"] and one["id"] in prompt["fields"].get("asked", ())
            ]
            return prompt["side"] == mine["side"] and set(figures) <= set(mine["figures"])

        return [prompt for prompt in document["view"]["prompts"] if is_for(prompt)]


@dataclass
class Walk:
    """A match that a few hands play by following their large buttons.

    Args:
        hands: the devices, the one that looks first at the beginning.
        whims: chooses among the answers of a question.
        prefers: orders the answers to a question, the most wanted first.
    """

    hands: Sequence[Hand]
    whims: random.Random
    prefers: Callable[[Mapping[str, Any], Mapping[str, Any], random.Random], list[Any]]
    done: Counter[str] = field(default_factory=Counter)
    covers: int = 0
    taps: int = 0
    most_taps: Counter[str] = field(default_factory=Counter)
    spoken: list[str] = field(default_factory=list)

    def plays(self, most: int = MOST_STEPS) -> str | None:
        """Play to the end; returns who has won, None after that many steps without an end.

        Raises:
            Stuck: it does not go on.
        """
        for _ in range(most):
            document = self.hands[0].looks()
            if document["view"]["winner"] is not None:
                return str(document["view"]["winner"])
            self.takes_a_step()
        return None

    def takes_a_step(self) -> None:
        """The large button of the first device that has one."""
        for hand in self.hands:
            document = hand.looks()
            offers = hand.offers(document)
            if offers:
                self.follows(hand, document, offers[0])
                return
        shown = {hand.name: [(p["side"], p["text"]) for p in hand.looks()["view"]["prompts"]] for hand in self.hands}
        raise Stuck(f"nobody has a button: {shown} after {self.spoken[-8:]}")

    def follows(self, hand: Hand, document: Mapping[str, Any], prompt: Mapping[str, Any]) -> None:
        """Tap a button, and answers until the command is whole."""
        taps = 1
        if prompt["hand"] is not None and prompt["hand"] != document["seat"]["holder"]:
            hand.send("/hand", {"side": prompt["hand"]})
            self.covers += 1
            self.taps += 2
            held = hand.looks()
            if held["seat"]["holder"] != prompt["hand"]:
                raise Stuck(f"{hand.name} does not show the hand of {prompt['hand']}")
            same = [
                one for one in hand.offers(held) if one["type"] == prompt["type"] and one["fields"] == prompt["fields"]
            ]
            if not same:
                self.spoken.append(f"{hand.name} looks at the hand of {prompt['hand']}")
                return
            document, prompt = held, same[0]
            taps += 1
        command: dict[str, Any] = {"type": prompt["type"], **prompt["fields"]}
        self.spoken.append(f"{hand.name}: {prompt['text']}")
        for _ in range(40):
            way = hand.send("/match/ways", command)["way"]
            command = {"type": way["type"], **way["fields"]}
            if way["refusal"] is not None:
                raise Stuck(f"{hand.name}: “{prompt['text']}” leads to “{way['refusal']}” after {self.spoken[-8:]}")
            ask = way["ask"]
            if ask is None:
                break
            answer = self.answer(document, way)
            taps += 1 + (len(answer.get(ask["field"]) or ()) if ask["most"] > 1 else 0)
            command |= answer
            if ask["kind"] == "place" and self.is_refused(hand, command):
                command |= {ask["field"]: ask["skipped"]}  # the page asks again: it says why, and keeps its question
        hand.send("/match/commands", command)
        self.taps += taps
        self.done[prompt["type"]] += 1
        self.most_taps[prompt["type"]] = max(self.most_taps[prompt["type"]], taps)

    def is_refused(self, hand: Hand, command: Mapping[str, Any]) -> bool:
        """Return whether the rules refuse a place that somebody tapped."""
        way = hand.send("/match/ways", command)["way"]
        return way["ask"] is None and way["refusal"] is not None

    def answer(self, document: Mapping[str, Any], way: Mapping[str, Any]) -> dict[str, Any]:
        """Return one of the answers that the question offers.

        Raises:
            Stuck: it offers none.
        """
        ask = way["ask"]
        field_ = ask["field"]
        if ask["most"] > 1:
            picks = ask["picks"][: max(1, ask["least"])]
            if len(picks) < ask["least"]:
                raise Stuck(f"“{ask['text']}” wants {ask['least']} of {len(picks)}")
            return {field_: [value for pick in picks for value in pick["value"]]}
        if ask["kind"] == "number":
            return {field_: ask["value"]}
        if ask["picks"]:
            pick = self.prefers(document, ask, self.whims)[0]
            return {field_: pick["value"], **(pick["fills"] or {})}
        if ask["kind"] == "place" and (place := self.place(document, way["fields"])):
            return {field_: place}
        if ask["may_skip"]:
            return {field_: ask["skipped"]}
        if ask["kind"] == "words":
            return {field_: "…"}
        raise Stuck(f"“{ask['text']}” ({ask['kind']}) has no answer")

    def place(self, document: Mapping[str, Any], fields: Mapping[str, Any]) -> list[float] | None:
        """Return a place on a table without spaces, some steps towards an enemy."""
        figures = {one["id"]: one for one in document["view"]["figures"] if one.get("center_mm")}
        mover = figures.get(fields.get("figure"))
        enemies = [one["center_mm"] for one in figures.values() if mover and one["side"] != mover["side"]]
        if mover is None or not enemies:
            return None
        x, y = mover["center_mm"]
        goal = min(enemies, key=lambda one: math.dist(one, (x, y)))
        share = min(1.0, self.whims.choice((40, 80, 120)) / max(1.0, math.dist(goal, (x, y))))
        aside = self.whims.uniform(-30, 30)
        return [round(x + (goal[0] - x) * share + aside, 1), round(y + (goal[1] - y) * share - aside, 1)]


def towards_goals(document: Mapping[str, Any], ask: Mapping[str, Any], whims: random.Random) -> list[Any]:
    """Return the answers in the order of a player who goes for the enemy, marines first for tokens."""
    picks = list(ask["picks"])
    whims.shuffle(picks)
    goals = _goals(document)
    if ask["kind"] == "spaces" and any(pick["cost"] for pick in picks) and goals and whims.random() < STRAIGHT:
        picks.sort(key=lambda pick: min(_apart(pick["cells"], goal) for goal in goals))
    return picks


def _apart(cells: Sequence[Sequence[int]], goal: tuple[int, int]) -> int:
    return min(max(abs(x - goal[0]), abs(y - goal[1])) for x, y in cells)


def _goals(document: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Return the spaces that the acting figure wants to reach."""
    view = document["view"]
    acting = (view.get("turn") or {}).get("figure")
    side = next((one["side"] for one in view["figures"] if one["id"] == acting), None)
    lying = [tuple(item["cell"]) for item in view.get("items") or () if item.get("cell")]
    enemies = [tuple(one["cells"][0]) for one in view["figures"] if one["side"] != side and one.get("cells")]
    return lying if side == "marines" and lying else enemies

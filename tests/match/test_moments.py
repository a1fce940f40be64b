"""Before something is closed: everyone who may still answer is asked, on the own device, and no secret shows by it.

“the invader player should be given a reasonable chance to play his cards first” (seed 004); “он может вскрыть
дополнительную карту” (seed 001).
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import msgspec
import pytest

from assistant.errors import IllegalStep, NotYours, UnknownName
from assistant.match.actor import JUDGE, TABLE, player
from assistant.match.audience import PUBLIC, Audience
from assistant.match.header import Header
from assistant.match.missions import new_header
from assistant.match.replay import replay_match
from assistant.match.session import Session

MARINES, INVADER = player("marines", "Ann"), player("invader", "Bob")
RIFLE = {"card": "rifle", "is_main": True, "movement": 4, "attack": {"range": 9, "dice": {"black": 3}}}
DICE = {"rolled_here": False, "dice": [["black", 1]] * 3}


class Hands:
    """Milliseconds that a test moves on."""

    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now_ms


def attacked(build: ModuleType, clock: Hands | None = None, events: bool = False, **options: str) -> Any:
    """Alpha has shot at an imp behind a possessed soldier, and the defence card is revealed."""
    base = build.mission(build.TUTORIAL)
    marines = [{**one, "deck": [], "abilities": []} for one in base.setup["marines"]]
    changes = {} if events else {"events": []}
    match = build.begun(build.with_setup(base, marines=marines, glory=[], **changes), options=options, clock=clock)
    match.do("see", document=build.corridor(13, 3, {"d1": ((11, 1), (12, 1))}))
    match.do("status", shuffled_here=False)
    for figure, cells in (("possessed-1", [[2, 0]]), ("imp-1", [[4, 0]]), ("bravo", [[0, 2]])):
        match.do("place", figure=figure, cells=cells)
    match.do("reveal", card="alpha")
    match.do("play", **RIFLE)
    match.do("attack", by=MARINES, defender="imp-1", **DICE)
    match.do("defend", by=INVADER, **({} if events else {"shields": 0}))
    return match


def types_of(match: Any, side: str | None) -> list[str]:
    return [prompt["type"] for prompt in match.session.view(Audience(side=side))["prompts"]]


def passes_of(match: Any, side: str) -> list[dict[str, Any]]:
    prompts = match.session.view(Audience(side=side))["prompts"]
    return [prompt["fields"] for prompt in prompts if prompt["type"] == "pass" and prompt["side"] == side]


def test_nobody_closes_what_the_other_side_may_still_answer(build: ModuleType) -> None:
    match = attacked(build)
    assert match.game.pending.cover
    with pytest.raises(IllegalStep, match="does Imp 1 in cover take another card") as refused:
        match.do("resolve", by=MARINES)
    assert refused.value.rule.id == "match/moments"
    match.do("defend", by=INVADER, again=True, shields=2)
    assert match.game.pending.cards[-1].shields == 2


def test_a_pass_lets_the_other_side_go_on(build: ModuleType) -> None:
    match = attacked(build)
    assert "resolve" not in types_of(match, "marines")
    assert [one["side"] for one in match.session.view(PUBLIC)["asked"]] == ["invader", "invader"]
    match.do("pass", by=INVADER, of="invader", asked=["second card", "event at the defence"])
    assert match.session.view(PUBLIC)["asked"] == []
    match.do("resolve", by=MARINES)
    assert match.game.piece("imp-1").harm == 3


def test_the_command_of_who_is_asked_is_a_pass_of_its_own(build: ModuleType) -> None:
    match = attacked(build)
    [closing] = [p for p in match.session.view(Audience(side="invader"))["prompts"] if p["type"] == "resolve"]
    assert "does Imp 1 in cover take another card?" in closing["text"]
    assert passes_of(match, "invader") == []
    match.do("resolve", by=INVADER)
    assert match.game.pending is None


def test_only_that_side_passes(build: ModuleType) -> None:
    match = attacked(build)
    with pytest.raises(NotYours, match="Invader"):
        match.do("pass", by=MARINES, of="invader", asked=["second card"])
    with pytest.raises(IllegalStep, match="nobody is asked that"):
        match.do("pass", by=MARINES, of="marines", asked=["second card"])


def test_whatever_happens_after_a_pass_may_be_answered_anew(build: ModuleType) -> None:
    match = attacked(build)
    match.do("pass", by=INVADER, of="invader", asked=["second card", "event at the defence"])
    match.do("modify", by=INVADER, reason="shield", shields=1)
    with pytest.raises(IllegalStep, match="wait for an answer"):
        match.do("resolve", by=MARINES)


def test_the_shared_tablet_asks_by_name_and_closes_for_the_sides_at_it(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    marines = [{**one, "deck": []} for one in base.setup["marines"]]
    match = build.begun(build.with_setup(base, marines=marines, glory=[], events=[]))
    match.do("status", shuffled_here=False)
    match.do("reveal", card="alpha")
    match.do("play", **RIFLE)
    match.do("attack", defender="imp-1", range=4, cover=True, **DICE)
    match.do("defend")
    [closing] = [p for p in match.session.view(PUBLIC)["prompts"] if p["type"] == "resolve"]
    assert closing["text"].startswith("Invader: does Imp 1 in cover take another card?")
    match.session.command({"type": "resolve"}, TABLE)
    assert match.game.pending is None


def test_the_shared_tablet_waits_for_a_side_with_a_device_of_its_own(build: ModuleType) -> None:
    match = attacked(build)
    with pytest.raises(IllegalStep, match="wait for an answer"):
        match.session.command({"type": "resolve"}, TABLE)
    match.do("pass", by=TABLE, of="invader", asked=["second card", "event at the defence"])
    match.do("resolve", by=TABLE)


def test_a_judge_closes_for_everybody(build: ModuleType) -> None:
    match = attacked(build)
    match.do("resolve", by=JUDGE)
    assert match.game.pending is None


def test_a_hasty_close_is_taken_back_by_the_side_that_had_a_say(build: ModuleType) -> None:
    match = attacked(build)
    match.do("pass", by=TABLE, of="invader", asked=["second card", "event at the defence"])
    match.do("resolve", by=MARINES)
    match.do("end", by=MARINES)
    before = match.session.view(Audience(side="invader"))["undo"]["free_to"]
    assert before == match.session.seq - 2
    with pytest.raises(IllegalStep, match="ask a judge"):  # the cards drawn at the end were shown
        match.do("undo", by=INVADER, to=before)
    match.do("undo", by=JUDGE)
    match.do("undo", by=INVADER, to=before)
    match.do("defend", by=INVADER, again=True)


def test_who_has_passed_on_his_own_device_asks_for_an_undo_as_before(build: ModuleType) -> None:
    match = attacked(build)
    match.do("pass", by=INVADER, of="invader", asked=["second card", "event at the defence"])
    match.do("resolve", by=MARINES)
    with pytest.raises(NotYours, match="ask them"):
        match.do("undo", by=INVADER)


def test_a_quick_match_takes_silence_for_a_no_after_the_time_to_speak_up(build: ModuleType) -> None:
    clock = Hands()
    match = attacked(build, clock, moments="quick", speak_up="20")
    assert match.session.view(Audience(side="marines"))["speak_up_ms"] == 20_000
    clock.now_ms += 19_000
    with pytest.raises(IllegalStep, match="wait for an answer"):
        match.do("resolve", by=MARINES)
    clock.now_ms += 1_000
    assert "resolve" in types_of(match, "marines")
    match.do("resolve", by=MARINES)


@pytest.mark.parametrize("hand", [True, False])
def test_a_quick_match_asks_only_who_holds_an_answer_and_shows_it_to_nobody_else(build: ModuleType, hand: bool) -> None:
    """Two matches that differ in one thing: whether the card in the invader's hand helps a defender."""
    base = build.mission(build.TUTORIAL)
    held = attacked(build, Hands(), events=True).game.deck("invader").hand
    idle = () if hand else held
    shields = {name: give_shield("activation" if name in idle else "defending") for name in base.setup["cards"]}
    match = attacked(with_events(build, shields), Hands(), events=True, moments="quick", speak_up="30")
    match.do("defend", by=INVADER, again=True)
    assert bool(passes_of(match, "invader") or _asks(match, "invader")) is hand
    others = match.session.view(Audience(side="marines"))
    assert [one["id"] for one in others["asked"]] == ["event at the defence"]
    assert [p["type"] for p in others["prompts"] if p["side"] == "invader"] == ["pass"]
    assert others["speak_up_ms"] == 30_000
    with pytest.raises(IllegalStep, match="wait for an answer"):
        match.do("resolve", by=MARINES)


def give_shield(when: str) -> dict[str, Any]:
    """Return an event card that protects whom it helps, and nothing when it is revealed."""
    return {"name": "Shield", "when": when, "effects": [{"effect": "shields", "count": 1}]}


def with_events(build: ModuleType, events: dict[str, Any]) -> Any:
    """Return the builders with a tutorial of other event cards."""
    base = build.mission(build.TUTORIAL)
    cards = {name: events[name] if name.startswith("event") else card for name, card in base.setup["cards"].items()}
    return _Builder(build, build.with_setup(base, cards=cards))


class _Builder:
    """The builders with another tutorial."""

    def __init__(self, build: ModuleType, base: Any) -> None:
        self._build, self._base = build, base

    def mission(self, name: str) -> Any:
        return self._base

    def __getattr__(self, name: str) -> Any:
        return getattr(self._build, name)


def _asks(match: Any, side: str) -> list[str]:
    return [p["text"] for p in match.session.view(Audience(side=side))["prompts"] if "an event card or" in p["text"]]


def test_a_match_from_before_asks_nobody(build: ModuleType) -> None:
    match = attacked(build)
    old = {name: value for name, value in match.session.header.document().items() if name != "asks"}
    header = Header.read(old)
    assert header.asks is None
    session = Session(header, journal=None, clock_ms=lambda: 0)
    assert session.moments() == ()
    assert session.view(PUBLIC)["asked"] == []


def test_a_new_match_says_how_it_asks(build: ModuleType) -> None:
    def asks(**options: str) -> Any:
        header = new_header(build.mission(build.TUTORIAL), match_id="m", seed="s", created_t=0, options=options)
        return msgspec.to_builtins(Header.read(header.document()).asks)

    assert asks() == {}
    assert asks(moments="quick", speak_up="5") == {"quick": True, "speak_up_s": 5}
    with pytest.raises(UnknownName, match="speak_up"):
        asks(speak_up="7")


def test_passes_replay(build: ModuleType) -> None:
    match = attacked(build)
    match.do("pass", by=INVADER, of="invader", asked=["second card", "event at the defence"])
    match.do("resolve", by=MARINES)
    replayed = replay_match(match.document(), "m")
    assert replayed.findings == ()
    assert replayed.timeline.game == match.game
    match.do("undo", by=MARINES)
    assert match.game.passed == ("second card", "event at the defence")


def test_who_puts_a_figure_somewhere_or_takes_from_it_is_its_own_side(build: ModuleType) -> None:
    match = attacked(build)
    match.do("resolve", by=JUDGE)
    for type_, fields in (("place", {"cells": [[9, 2]]}), ("damage", {"amount": 1}), ("frag", {}), ("stun", {})):
        with pytest.raises(NotYours):
            match.do(type_, by=INVADER, figure="alpha", **fields)
    match.do("damage", by=MARINES, figure="alpha", amount=1)

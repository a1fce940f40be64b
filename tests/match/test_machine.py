"""Any sequence of commands, sensible or not, keeps the match sound; undo takes back, replay equals live."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from assistant.errors import InputError
from assistant.match.actor import JUDGE, TABLE
from assistant.match.audience import JUDGE_VIEW, PUBLIC, Audience
from assistant.match.session import Session

HISTORY_TYPES = ["undo", "redo"]

CLOCK_COMMANDS = [
    {"type": "pause"},
    {"type": "resume"},
    {"type": "wake"},
    {"type": "limits", "turn_s": 60},
    {"type": "limits", "side_s": 3600},
    {"type": "limits"},
]

QUICK = settings(
    max_examples=15,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
SLOW = settings(QUICK, max_examples=3_334, stateful_step_count=15, derandomize=False)
"""Of each of the three systems: 10,002 sequences in all."""

WORDS = [
    "alpha",
    "imp-1",
    "imp",
    "red-marine",
    "mortar",
    "digger-1",
    "portal-1",
    "uac-1",
    "event-a1",
    "pistol",
    "invader",
]


MISSIONS = ["doom2016_tutorial_sample", "doom2004_knee_deep_sample", "roads_bridge_sample", "roads_every_rule"]


class MatchMachine(RuleBasedStateMachine):
    """Plays a sample mission, sensibly and not; the test chooses it and provides the tools."""

    build: Any
    players: Any
    truths: Any
    client: Any
    mission: str

    def __init__(self) -> None:
        super().__init__()
        self.match = self.build.begun(self.build.mission(self.mission), seed="machine")
        if self.mission == self.build.EVERY_RULE:  # whose rules measure on the table
            self.match.do("see", document=self.build.TABLES[self.mission](self.build.mission(self.mission)))

    @precondition(lambda self: self.match.game.winner is None)
    @rule(whims=st.integers(0, 1 << 16))
    def play(self, whims: int) -> None:
        before = self.match.session.timeline
        self.players.take_a_step(self.match, self.players.random.Random(whims))
        after = self.match.session.timeline
        self.match.do("undo", by=JUDGE, to=_last_entry(before))  # passes may have come before it
        assert self.match.game == before.game, "undo after do is not identity"
        assert len([e for e in self.match.session.timeline.entries() if e.done]) == _done_count(before)
        self.match.do("redo", by=JUDGE, to=_last_entry(after))
        assert self.match.game == after.game, "redo after undo is not identity"

    @rule(data=st.data())
    def try_anything(self, data: st.DataObject) -> None:
        types = list(self.match.session.system.commands.values())
        chosen = data.draw(st.sampled_from(types))
        before = self.match.session.timeline
        try:
            self.match.session.command(_fields(chosen, data), TABLE)
        except InputError:
            assert self.match.session.timeline is before, "a refused command has changed something"

    @rule(
        actor=st.sampled_from([TABLE, JUDGE]),
        to=st.none() | st.integers(0, 30),
        type_=st.sampled_from(HISTORY_TYPES),
    )
    def go_back_or_on(self, actor: Any, to: int | None, type_: str) -> None:
        try:
            self.match.do(type_, by=actor, to=to)
        except InputError:
            return

    @rule(command=st.sampled_from(CLOCK_COMMANDS))
    def set_the_clocks(self, command: dict[str, Any]) -> None:
        before = self.match.game
        try:
            self.match.session.command(command, JUDGE)
        except InputError:
            return
        assert self.match.game is before, "the clocks have changed the game"

    @rule(whims=st.integers(0, 1 << 16), audience=st.sampled_from([PUBLIC, JUDGE_VIEW]))
    def ask_the_assistant(self, whims: int, audience: Audience) -> None:
        chosen = self.players.random.Random(whims)
        standing = [piece.id for piece in self.match.game.standing()]
        names = [chosen.choice(standing) for _ in range(2)] if standing else [None, None]
        before = self.match.session.timeline
        try:
            guide = self.match.session.guide({"attacker": names[0], "defender": names[1], "range": 1}, audience)
        except InputError:
            return
        assert self.match.session.timeline is before, "a question has changed something"
        self._press(guide, chosen)

    def _press(self, guide: dict[str, Any], chosen: Any) -> None:
        offers = [offer for offer in guide["offers"] if offer["refusal"] is None]
        if offers:
            try:
                self.client.pressed(self.match, chosen.choice(offers))
            except InputError:
                return

    @invariant()
    def is_sound(self) -> None:
        self.truths.require_sound(self.match)

    def teardown(self) -> None:
        live = self.match.session
        lines = self.match.document().splitlines()
        again = Session.resumed(lines, journal=None, clock_ms=lambda: 0)
        assert again.timeline.game == live.timeline.game
        assert again.timeline.entries() == live.timeline.entries()
        assert again.timeline.clock == live.timeline.clock
        snapshot = live.snapshot()
        if snapshot is not None:
            quick = Session.resumed(lines, journal=None, clock_ms=lambda: 0, snapshot=snapshot)
            assert quick.timeline.game == live.timeline.game
            assert quick.timeline.entries() == live.timeline.entries()


def machine(
    build: ModuleType, players: ModuleType, invariants: ModuleType, client: ModuleType, name: str
) -> type[RuleBasedStateMachine]:
    """Return a state machine that plays the sample mission of that name."""
    tools = {"build": build, "players": players, "truths": invariants, "client": client, "mission": name}
    return type("Match", (MatchMachine,), tools)


def _last_entry(timeline: Any) -> int:
    """Return the number of the newest entry that is not undone; 0 at the beginning."""
    return 0 if timeline.done is None else int(timeline.done.event.seq)


def _done_count(timeline: Any) -> int:
    return sum(entry.done for entry in timeline.entries())


def _fields(chosen: Any, data: st.DataObject) -> dict[str, Any]:
    fields: dict[str, Any] = {"type": chosen.__struct_config__.tag}
    for field in chosen.__struct_fields__:
        if data.draw(st.booleans()):
            fields[field] = data.draw(
                st.sampled_from([*WORDS, 0, 1, 3, True, [], [[1, 1]], ["imp-1"], {"imp": 1}, {"imp-1": [[2, 2]]}, None])
            )
    return fields


@pytest.mark.parametrize("name", MISSIONS)
def test_any_sequence_of_commands_keeps_the_match_sound(
    build: ModuleType, players: ModuleType, invariants: ModuleType, client: ModuleType, name: str
) -> None:
    run_state_machine_as_test(machine(build, players, invariants, client, name), settings=QUICK)


@pytest.mark.slow
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("name", MISSIONS)
def test_ten_thousand_sequences_keep_the_match_sound(
    build: ModuleType, players: ModuleType, invariants: ModuleType, client: ModuleType, name: str
) -> None:
    run_state_machine_as_test(machine(build, players, invariants, client, name), settings=SLOW)

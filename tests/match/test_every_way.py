"""Every command that a game declares has its way on the page: reached in a match, and asked for to its end.

What there is comes from the declarations (`MatchSystem.steps`, `Step.prompts`, `Step.label`),
not from what a walk happens to meet: a command or a prompt that nobody reaches fails by its name.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest
from loading import beside

import web
from assistant.match.actor import JUDGE, Actor, player
from assistant.match.asks import AskKind
from assistant.match.game import Step, tag_of
from assistant.match.games import games, system_of
from assistant.match.session import Session
from assistant.match.steps import COMMON
from assistant.match.views import list_prompts

PLAYED = sorted(game.id for game in games() if game.match and game.package.startswith("assistant."))
CHOOSING = (Path(web.__file__).parent / "match" / "choosing.js").read_text()
BY_THE_PROGRAM = frozenset({"see", "ruling", "pass"})
"""Commands from the camera and the rulings, and the pass of a moment, which need no button."""
SCRIPTS = {
    "doom2016": (
        "test_whole_doom2016",
        "test_triggers2016",
        "test_abilities2016",
        "test_entering2016",
        "test_by_the_letter2016",
    ),
    "doom2004": (
        "test_whole_doom2004",
        "test_areas_later2004",
        "test_spawn2004",
        "test_events2004",
        "test_scatter2004",
    ),
    "roads": ("test_roads_whole_match", "test_roads_letter", "test_roads_ways", "test_roads_skirmish"),
}
"""Test files whose scripts together use everything in a game."""
ENOUGH = 2
"""Number of times that each prompt is followed to its end."""


def kinds_in(constant: str) -> set[str]:
    """Return the kinds of questions that the page's script treats alike."""
    found = re.search(rf"const {constant} = \[(.*?)\];", CHOOSING)
    assert found is not None, constant
    return set(re.findall(r'"(\w+)"', found[1]))


def prompted_types(game: str) -> set[str]:
    """Return the types of all steps that say when they are prompted."""
    return {tag_of(step) for step in system_of(game).steps if step.prompts.__func__ is not Step.prompts.__func__}


class Reached:
    """Everything that the scripted matches of a game reach: each prompt and command is followed to its end."""

    def __init__(self) -> None:
        self.prompted: set[str] = set()
        self.offered: set[str] = set()
        self.whole: set[str] = set()
        self._tried: Counter[Any] = Counter()

    def look(self, session: Session) -> None:
        """Follow every present option that has not been followed often enough."""
        game = session.timeline.game
        if game.winner is not None:
            return
        for prompt in list_prompts(session.system, game):
            self.prompted.add(prompt.type)
            by = player(prompt.side) if prompt.side else JUDGE
            self._try(session, {"type": prompt.type, **prompt.fields}, by)
        for by in (JUDGE, *(player(side) for side in sorted({piece.side for piece in game.pieces.values()}))):
            for deed in set(session.system.labels) - self.whole:
                if session.way({"type": deed}, by)["refusal"] is None:
                    self.offered.add(deed)
                    self._try(session, {"type": deed}, by)

    def _try(self, session: Session, command: Mapping[str, Any], by: Actor) -> None:
        kind = (command["type"], *sorted(command))
        if self._tried[kind] >= ENOUGH and command["type"] in self.whole:
            return
        self._tried[kind] += 1
        way = session.way(command, by)
        for _ in range(30):
            if way["refusal"] is not None:
                assert " " in way["refusal"], way
                return
            if way["ask"] is None:
                self.whole.add(way["type"])
                return
            require_choosable(way["ask"])
            chosen = answer(way["ask"], self._tried[kind])
            way = session.way({"type": way["type"], **way["fields"], **chosen}, by)
        raise AssertionError(f"{command} is asked about without end: {way}")


def require_choosable(ask: Mapping[str, Any]) -> None:
    """Require that the page's script can have a question answered."""
    told, on_board = kinds_in("TOLD"), kinds_in("ON_BOARD")
    assert ask["kind"] in get_args(AskKind), ask
    assert ask["text"], ask
    is_told = ask["kind"] in told or ask["kind"] == "place"
    assert ask["picks"] or is_told or ask["may_skip"], f"nothing can be tapped: {ask}"
    for pick in ask["picks"]:
        where = pick["figure"] or pick["cells"] if ask["kind"] in on_board else pick["text"]
        assert where or pick["text"], f"an answer that is nowhere: {pick}"


def answer(ask: Mapping[str, Any], turn: int) -> dict[str, Any]:
    """Return one of the answers, a different one at each turn."""
    if ask["may_skip"] and (not ask["picks"] or turn % 3 == 2):
        return {ask["field"]: ask["skipped"]}
    if ask["kind"] == "number":
        return {ask["field"]: ask["picks"][turn % len(ask["picks"])]["value"] if ask["picks"] else ask["value"]}
    if ask["kind"] == "words":
        return {ask["field"]: "Rage"}
    if ask["kind"] == "place":
        return {ask["field"]: [300.0 + 40 * (turn % 5), 300.0]}
    if ask["most"] > 1:
        return {ask["field"]: [value for pick in ask["picks"][: ask["least"]] for value in pick["value"]]}
    pick = ask["picks"][turn % len(ask["picks"])]
    return {ask["field"]: pick["value"], **pick["fills"]}


def scripts_in(names: tuple[str, ...], given: Mapping[str, Any]) -> Iterator[Callable[[], object]]:
    """Yield the scripted matches of these test files, which need nothing but the given fixtures."""
    for name in names:
        for script in vars(beside(__file__, name)).values():
            if inspect.isfunction(script) and script.__name__.startswith("test_") and not hasattr(script, "pytestmark"):
                wanted = inspect.signature(script).parameters
                if set(wanted) <= set(given):
                    yield partial(script, **{each: given[each] for each in wanted})


def moments_of_2016(build: Any, roads: Any) -> None:
    """Reach a marine on a teleporter and at a token, a returning one, and an open attack."""
    match = build.on_table(build.TUTORIAL)
    match.do("place", figure="alpha", cells=[[9, 2]])
    match.do("place", figure="charlie", cells=[[7, 0]])
    match.script([("status", {"shuffled_here": False}), ("reveal", {"card": "alpha"})])
    match.script([("activate_teleporter", {"teleporter": "teleporter-2"}), ("end", {}), ("frag", {"figure": "bravo"})])
    match.do("place", figure="alpha", cells=[[6, 0]])
    match.script([("reveal", {"card": "bravo"}), ("respawn", {"teleporter": "teleporter-2"}), ("end", {})])
    match.script([("reveal", {"card": "charlie"}), ("end", {}), ("reveal", {"card": "invader"})])
    match.script([("activate_kind", {"kind": "imp"}), ("activate", {"figure": "imp-1"})])
    match.do("place", figure="imp-1", cells=[[8, 0]])
    match.do("attack", defender="charlie")


def moments_of_2004(build: Any, roads: Any) -> None:
    """Reach a marine who may dodge, and a returning one."""
    match = build.on_table(build.KNEE_DEEP)
    match.script([("begin", {}), ("action", {"action": "ready"}), ("order", {"order": "dodge"}), ("end", {})])
    match.script([("action", {"action": "advance"}), ("end", {}), ("draw", {}), ("activations", {})])
    match.do("activate", figure="zombie-1")
    match.do("place", figure="zombie-1", cells=[[1, 0]])
    hits = {"range": 6, "damage": 2, "ammo": False, "miss": False}  # nobody is asked to dodge a miss
    match.do("attack", targets=["red-marine"], rolled_here=False, dice=[["red", hits]])
    match.script([("dodge", {"figure": "red-marine"}), ("reroll", {"which": [0]}), ("resolve", {}), ("end", {})])
    match.do("frag", figure="red-marine")
    match.do("end")


def moments_of_roads(build: Any, roads: Any) -> None:
    """A model that causes terror charges one that causes fear, and a singer in the shooting phase."""
    models = (
        roads.fighter("horror", "knights", 300, 300, terror=True, melodies=["march", "lament"]),
        roads.fighter("ogre", "diggers", 400, 300, fear=True),
    )
    match = roads.skirmish(*models)
    roads.go_to(match, "move")
    match.do("charge", figure="horror", target="ogre")
    roads.go_to(match, "shoot")
    match.do("melody", figure="horror", melody="march")
    match = roads.skirmish(roads.fighter("a", "knights", 300, 300), roads.fighter("b", "diggers", 600, 300))
    roads.go_to(match, "shoot")
    match.do("announce", figure="a", target="b")
    match.do("place", figure="a", center_mm=[577, 300])


MOMENTS: Mapping[str, Callable[[Any, Any], None]] = {
    "doom2016": moments_of_2016,
    "doom2004": moments_of_2004,
    "roads": moments_of_roads,
}
"""States that no script of those files reaches."""


@pytest.mark.parametrize("game", PLAYED)
def test_every_command_of_a_game_is_reached_and_chosen_to_its_end(build, roads, client, monkeypatch, game):
    reached, begun = Reached(), build.begun

    def watched(*arguments: Any, **more: Any) -> Any:
        match = begun(*arguments, **more)
        reached.look(match.session)
        match.session.subscribe(lambda receipt: reached.look(match.session))
        return match

    for module in (build, roads):
        monkeypatch.setattr(module, "begun", watched)
    system = system_of(game)
    types = {step.__struct_config__.tag for step in (*system.steps, *COMMON)} - BY_THE_PROGRAM
    for script in scripts_in(SCRIPTS[game], {"build": build, "roads": roads, "client": client}):
        script()
    MOMENTS[game](build, roads)
    assert prompted_types(game) - reached.prompted == set(), "prompts that no script comes by: add a moment"
    assert types - reached.prompted - reached.offered == set(), "commands that nothing prompts or offers"
    assert types - reached.whole == set(), "commands that no answers make whole"

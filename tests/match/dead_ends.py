"""Dead ends: random missions on random boards, random commands, and in every state somebody must have a legal step.

A game hands in missions of chance with their tables; everything else comes from what its steps declare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from assistant.errors import InputError
from assistant.match.asks import Ask
from assistant.match.audience import JUDGE_VIEW
from assistant.match.chance import Chance
from assistant.match.game import INVADER, MARINES, GameState, Step
from assistant.match.games import system_of
from assistant.match.steps import See
from assistant.match.system import MatchSystem
from assistant.match.ways import WayFinder, refusal_of
from assistant.table.board import Figure

STEPS = 150
"""The most steps of one match before the next mission begins."""

SELDOM = 0.25
"""Share of unprompted actions: playing a card, opening a door, correcting by hand."""


USUALLY = 0.8
"""Share of figures that act before they end their turn."""


class DeadEnd(AssertionError):
    """Nobody has a legal step, or a step leaves a state that no board can show."""


class Start(NamedTuple):
    """A mission of chance and its table."""

    setup: Mapping[str, Any]
    options: Mapping[str, str]
    table: Mapping[str, Any]


def cast(
    rng: Random,
    bases: list[Figure],
    marines: list[dict[str, Any]],
    box: Mapping[str, dict[str, Any]],
    kinds: Mapping[int, list[str]],
    is_free: Callable[[dict[str, Any], str], bool] = lambda each, name: True,
) -> list[Figure]:
    """Return the bases of a board as marines or as figures of the box, by size, without unmatched bases.

    Marines and kinds of the box get the places in ``cells``; ``is_free`` says which figures of a kind may be used.
    """
    found = []
    for base in bases:
        cells = [list(cell) for cell in base.cells]
        waiting = [marine for marine in marines if "cells" not in marine]
        if len(cells) == 1 and waiting and rng.random() < 0.4:
            waiting[0]["cells"] = cells
            found.append(Figure(waiting[0]["id"], "marine", MARINES, base.cells))
            continue
        kind = rng.choice(kinds[len(cells)])
        each = box[kind]
        names = [name for name in each["figures"] if is_free(each, name) and name not in each["cells"]]
        if names:
            each["cells"][names[0]] = cells
            found.append(Figure(names[0], kind, INVADER, base.cells))
    return found


Vary = Callable[[GameState, dict[str, Any], Random], Mapping[str, Any]]
"""Another command for one that was completed: a place on a table without cells, which no question lists."""


class Habits(NamedTuple):
    """The choice of commands.

    Args:
        aside: the types of commands without progress, such as a change of weapons, and of a judge's commands. They are
          never given, so that they hide no dead end.
        vary: changes a value in a command.
    """

    aside: frozenset[str] = frozenset()
    vary: Vary = lambda game, fields, whims: fields


USUAL = Habits()


@dataclass
class Wanderer(WayFinder):
    """Asks for a command as a player does, and gives answers of chance."""

    whims: Random = Random(0)  # noqa: RUF009 - replaced by each walk

    def _next(self, fields: Mapping[str, Any]) -> Ask | None:
        ask = super()._next(fields)
        if ask is None or not ask.picks:
            return ask
        picks = list(ask.picks)
        self.whims.shuffle(picks)
        return replace(ask, picks=tuple(picks))


def walk(system: MatchSystem[Any, Any], start: Start, seed: str, seen: Counter[str], habits: Habits = USUAL) -> int:
    """Play one match at random; return the number of states, all of which had a legal step.

    Raises:
        DeadEnd: one had none.
    """
    whims = Random(seed)
    game: GameState = system.start(start.setup, start.options, seed)
    game = See(document=dict(start.table)).apply(game)
    done: list[str] = []
    for count in range(STEPS):
        if game.winner is not None:
            return count
        step = find_step(system, game, whims, habits)
        if step is None:
            raise DeadEnd(f"{seed}: nobody has a legal step after {'; '.join(done[-12:])}")
        done.append(str(step))
        seen[type(step).__name__] += 1
        game = step.apply(game).concluded()
        try:
            game.require_sound()
        except InputError as problem:
            raise DeadEnd(f"{seed}: {problem} after {'; '.join(done[-12:])}") from None
    return STEPS


def find_step(
    system: MatchSystem[Any, Any], game: GameState, whims: Random, habits: Habits = USUAL
) -> Step[Any] | None:
    """Return a random legal step, or None if only corrections by hand are left."""
    prompts = [prompt for prompt in system.prompts(game) if prompt.type not in habits.aside]
    labelled = [{"type": kind} for kind in system.labels if kind not in habits.aside]
    whims.shuffle(prompts)
    whims.shuffle(labelled)
    if whims.random() < USUALLY:  # the end of a turn comes last
        prompts.sort(key=lambda prompt: prompt.urgency < 0)
    prompted = [{"type": prompt.type, **prompt.fields} for prompt in prompts]
    if whims.random() < SELDOM:
        unprompted = next(_settled(system, game, labelled[:3], whims, habits), None)
        if unprompted is not None:
            return unprompted
    regular = [each for each in labelled if not system.is_by_hand(each["type"])]
    return next(_settled(system, game, [*prompted, *regular], whims, habits), None)


def _settled(
    system: MatchSystem[Any, Any], game: GameState, commands: list[dict[str, Any]], whims: Random, habits: Habits
) -> Iterator[Step[Any]]:
    for command in commands:
        finder = Wanderer(
            system, game, JUDGE_VIEW, refusal_of(system, game, lambda step: None), trials=120, whims=whims
        )
        fields = finder.complete(command)
        tries = () if fields is None else (habits.vary(game, fields, whims), fields)
        step = next((step for each in tries if (step := _try(system, game, each, whims)) is not None), None)
        if step is not None:
            yield step


def _try(system: MatchSystem[Any, Any], game: GameState, fields: Mapping[str, Any], whims: Random) -> Step[Any] | None:
    try:
        step = system.command(fields)
        if not isinstance(step, Step):
            return None
        settled: Step[Any] = step.settle(game, Chance(str(whims.random())))
        settled.check(game)
    except InputError:
        return None
    return None if type(settled).__name__ in ("DeclareEnd", "RecordRuling") else settled


def search(
    game: str, starts: Callable[[Random], Start], states: int, seed: str, habits: Habits = USUAL
) -> Counter[str]:
    """Walk until that many states were seen; return how often each step was taken.

    Raises:
        DeadEnd: a state had no legal step.
    """
    system, seen, count, number = system_of(game), Counter[str](), 0, 0
    while count < states:
        start = starts(Random(f"{seed}/{number}"))
        try:
            count += walk(system, start, f"{seed}/{number}", seen, habits)
        except DeadEnd:
            raise
        except Exception as problem:
            raise DeadEnd(f"{seed}/{number}: {problem!r}") from problem
        number += 1
    return seen

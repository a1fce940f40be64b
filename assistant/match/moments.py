"""Moments of the other side: who may still answer before a command closes something, and who may close it now.

A step names them (`Step.moments`); the rest is here, for every game. Each moment is open until its side has answered,
which the game then shows, or has passed (`steps.Pass`). A judge closes for everybody. A player's own command is his own
pass. The shared tablet is handed round, so it closes for the sides at it; a side with its own device is asked there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from assistant.match.actor import TABLE, Actor, player
from assistant.match.audience import Audience
from assistant.match.game import GameState, Moment, Prompt, Step, tag_of
from assistant.match.guide import Offer
from assistant.match.header import Asking
from assistant.match.steps import Pass
from assistant.match.system import MatchSystem
from assistant.match.timeline import Timeline
from assistant.rules.options import choose_options, read_options
from assistant.translations.messages import Said, listed, said, spaced

OPTIONS = read_options("assistant.match")
"""The house options of every match, whatever its game."""


def split_options(options: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The options of every match with their defaults, and those of the game as they are.

    Raises:
        UnknownName: an option of every match has no such choice.
    """
    names = {option.name for option in OPTIONS}
    own = {name: choice for name, choice in options.items() if name in names}
    return choose_options("match", OPTIONS, own), {k: v for k, v in options.items() if k not in names}


def list_open(system: MatchSystem[Any, Any], game: GameState) -> tuple[Moment, ...]:
    """The moments in which nobody has passed yet, each once."""
    if game.winner is not None:
        return ()
    return tuple({moment.id: moment for step in system.steps for moment in _not_passed(step, game)}.values())


def find_asked_side(
    system: MatchSystem[Any, Any], asks: Asking | None, game: GameState, devices: frozenset[str]
) -> str | None:
    """The side with a device of its own that is asked now; None where silence is an answer."""
    if asks is None or asks.quick or not devices:
        return None
    found = [one for one in list_open(system, game) if not one.is_later and one.side in devices]
    return found[0].side if found else None


def find_waiting(step: type[Step[Any]], timeline: Timeline, actor: Actor) -> list[Moment]:
    """The moments for which a command of that type waits if this actor gives it."""
    return [one for one in _not_passed(step, timeline.game) if _has_to_wait(one, timeline, actor)]


def is_time_over(timeline: Timeline, asks: Asking, now_ms: int) -> bool:
    """Whether silence is an answer by now."""
    return _count_left_ms(timeline, asks, now_ms) == 0


def free_to(timeline: Timeline, side: str | None, asks: Asking | None) -> int:
    """The number of the entry down to which a side may undo without asking.

    All later entries are its own, or a command has closed what it might still have answered.
    """
    own = timeline.free_to(side)
    hasty = None if asks is None else timeline.hasty_to(side)
    return own if hasty is None else min(own, hasty)


def explain_waiting(moments: Iterable[Moment]) -> Said:
    """Who is asked, and what, while a command waits."""
    return said("wait for an answer or a no: {asked}", asked=listed(_word(one) for one in moments))


class Asked(NamedTuple):
    """The open moments as one reader sees them.

    Args:
        moments: the open moments that are asked now; public facts alone.
        passes: the prompts that let moments be, and that this reader may need.
        blocked: the types of the commands that wait for somebody else.
        questions: the questions that a command of a type answers with no, if this reader gives it.
        left_ms: the time until silence is an answer; None where it never is.
    """

    moments: tuple[Moment, ...] = ()
    passes: tuple[Prompt, ...] = ()
    blocked: frozenset[str] = frozenset()
    questions: Mapping[str, Said] = {}
    left_ms: int | None = None

    def find_question(self, prompt: Prompt | Offer) -> Said | None:
        """What a command answers, to stand above its words; None where it answers nothing."""
        if prompt.question is not None:
            return prompt.question
        question = self.questions.get(prompt.type)
        return None if question is None else said("{question} If not:", question=question)

    def word(self, prompt: Prompt) -> Said:
        """A command in one line, after the question that it answers."""
        question = self.find_question(prompt)
        return prompt.text if question is None else spaced(question, prompt.text)


NOBODY_ASKED = Asked()
"""The moments of a match that asks nobody."""


def ask_reader(
    system: MatchSystem[Any, Any],
    timeline: Timeline,
    audience: Audience,
    asks: Asking,
    now_ms: int,
    holds: Callable[[Moment], bool],
) -> Asked:
    """The open moments as one reader sees them.

    Args:
        system: the game.
        timeline: the match.
        audience: the reader; a side sees nothing of what others hold.
        asks: how this match asks.
        now_ms: the time.
        holds: whether the side of a moment holds an answer; asked in a quick match, for the reader's own side alone.
    """
    left_ms, game = _count_left_ms(timeline, asks, now_ms), timeline.game
    if game.winner is not None or left_ms == 0:
        return Asked(left_ms=left_ms)
    own = audience.decides_for
    actor = TABLE if own is None else player(own)
    silent = {m.id for m in list_open(system, game) if asks.quick and m.side == audience.side and not holds(m)}
    blocked, questions, closed = set(), {}, set(silent)
    offered = {prompt.type: prompt.side for prompt in system.prompts(game) if prompt.side in (None, own) or own is None}
    for step in system.steps:
        moments = _not_passed(step, game)
        if not audience.is_judge and any(_has_to_wait(one, timeline, actor) for one in moments):
            blocked.add(tag_of(step))
        elif tag_of(step) in offered:
            closed.update(one.id for one in moments)
            # What its own side may still do has buttons beside it.
            asked = [one for one in moments if one.id not in silent and one.side != offered[tag_of(step)]]
            questions.update({tag_of(step): spaced(*(_word(one, own) for one in asked))} if asked else {})
    everything = list_open(system, game)
    found = tuple(one for one in everything if not one.is_later) or everything
    passes = _list_passes(one for one in found if one.id not in closed)
    return Asked(found, passes, frozenset(blocked), questions, left_ms)


def _list_passes(moments: Iterable[Moment]) -> tuple[Prompt, ...]:
    """The prompts that let moments be, one for each figure that is asked by itself, and one for the rest of a side."""
    groups: dict[tuple[str, str | None], list[Moment]] = {}
    for moment in moments:
        groups.setdefault((moment.side, moment.figure), []).append(moment)
    return tuple(
        Pass.prompt(
            next((moment.no for moment in asked if moment.no is not None), said("No.")),
            question=spaced(*map(_word, asked)),
            side=side,
            of=side,
            note=next((moment.note for moment in asked if moment.note is not None), None),
            asked=[moment.id for moment in asked],
        )
        for (side, _), asked in groups.items()
    )


def _word(moment: Moment, reader: str | None = None) -> Said:
    """The question with the side that is asked; a reader of that side asks nobody but himself."""
    if moment.side == reader:
        return said("Your chance: {question}", question=moment.text)
    return said("{side}: {question}", side=moment.side, question=moment.text)


def _not_passed(step: type[Step[Any]], game: GameState) -> tuple[Moment, ...]:
    return tuple(moment for moment in step.moments(game) if moment.id not in game.passed)


def _has_to_wait(moment: Moment, timeline: Timeline, actor: Actor) -> bool:
    if actor.is_judge:
        return False
    return moment.side != actor.side if actor.role == "player" else moment.side in timeline.devices


def _count_left_ms(timeline: Timeline, asks: Asking, now_ms: int) -> int | None:
    return max(0, timeline.changed_ms + asks.speak_up_s * 1000 - now_ms) if asks.quick else None

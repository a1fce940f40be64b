"""Moments of the other side: who may still answer before a command closes something, and who may close it now.

A step names its moments (`Step.moments`); the rest is here, for every game. Each moment stays open until its side has
answered, as the game then shows, or passed (`steps.Pass`). A judge closes a moment for everybody. Players pass by
giving their own command. A shared tablet goes from hand to hand, so it closes moments for all its sides. A side with
its own device answers there.
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
    """Split options into those of every match, with their defaults, and the game's own.

    Raises:
        UnknownName: an option of every match has no such choice.
    """
    names = {option.name for option in OPTIONS}
    own = {name: choice for name, choice in options.items() if name in names}
    return choose_options("match", OPTIONS, own), {k: v for k, v in options.items() if k not in names}


def list_open(system: MatchSystem[Any, Any], game: GameState) -> tuple[Moment, ...]:
    """Return the moments in which nobody has passed yet, each once."""
    if game.winner is not None:
        return ()
    return tuple({moment.id: moment for step in system.steps for moment in _not_passed(step, game)}.values())


def find_asked_side(
    system: MatchSystem[Any, Any], asks: Asking | None, game: GameState, devices: frozenset[str]
) -> str | None:
    """Return the side that must answer now, whose clock runs, or None if silence counts as an answer.

    A question that others need not wait for asks nobody. Around one tablet only one that stops the game asks a side.
    """
    if asks is None or asks.quick:
        return None
    found = (one for one in list_open(system, game) if not one.is_later and one.clock != "never")
    return next((one.side for one in found if one.clock == "always" or one.side in devices), None)


def find_waiting(step: type[Step[Any]], timeline: Timeline, actor: Actor) -> list[Moment]:
    """Return the moments that a command of that type waits for if this actor gives it."""
    return [one for one in _not_passed(step, timeline.game) if _has_to_wait(one, timeline, actor)]


def is_time_over(timeline: Timeline, asks: Asking, now_ms: int) -> bool:
    """Return whether silence counts as an answer by now."""
    return _count_left_ms(timeline, asks, now_ms) == 0


def free_to(timeline: Timeline, side: str | None, asks: Asking | None) -> int:
    """Return the entry number down to which a side may undo without asking.

    All later entries are its own, or start with a command that closed a moment the side might still have answered.
    """
    own = timeline.free_to(side)
    hasty = None if asks is None else timeline.hasty_to(side)
    return own if hasty is None else min(own, hasty)


def explain_waiting(moments: Iterable[Moment]) -> Said:
    """Name the open questions and their sides while a command waits."""
    return said("wait for an answer or a no: {asked}", asked=listed(_word(one) for one in moments))


class Asked(NamedTuple):
    """The open moments, as one reader sees them.

    Args:
        moments: the moments that await an answer now; public facts alone.
        passes: the prompts by which this reader may pass.
        blocked: the types of the commands that wait for somebody else.
        questions: by type of command, the questions that the command answers with no if this reader gives it.
        left_ms: the time until silence counts as an answer, or None if it never does.
    """

    moments: tuple[Moment, ...] = ()
    passes: tuple[Prompt, ...] = ()
    blocked: frozenset[str] = frozenset()
    questions: Mapping[str, Said] = {}
    left_ms: int | None = None

    def find_question(self, prompt: Prompt | Offer) -> Said | None:
        """Return the question that a command answers, for the line above its words, or None if it answers nothing."""
        if prompt.question is not None:
            return prompt.question
        question = self.questions.get(prompt.type)
        return None if question is None else said("{question} If not:", question=question)

    def word(self, prompt: Prompt) -> Said:
        """Return a command in one line, after the question that it answers."""
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
    """Return the open moments, as one reader sees them.

    Args:
        system: the game.
        timeline: the match.
        audience: the reader; a side learns nothing about other hands.
        asks: this match's way of asking.
        now_ms: the time.
        holds: whether the side of a moment holds an answer; called in a quick match, for the reader's own side alone.
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
            # A side's own options already have buttons of their own.
            asked = [one for one in moments if one.id not in silent and one.side != offered[tag_of(step)]]
            questions.update({tag_of(step): spaced(*(_word(one, own) for one in asked))} if asked else {})
    everything = list_open(system, game)
    found = tuple(one for one in everything if not one.is_later) or everything
    passes = _list_passes(one for one in found if one.id not in closed)
    return Asked(found, passes, frozenset(blocked), questions, left_ms)


def _list_passes(moments: Iterable[Moment]) -> tuple[Prompt, ...]:
    """Return the prompts to pass: one for each figure with a question of its own, and one for the rest of a side."""
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
    """Return the question with its side. A reader of that side gets it as his own chance."""
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

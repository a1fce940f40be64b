"""Views: the match as each audience may know it, ready to send. Nothing hidden ever leaves the server.

A view is composed of public facts, never made by removing secrets from something larger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from assistant.match.audience import Audience, Awaited, Goal
from assistant.match.chance import commit_to
from assistant.match.clock import Clock
from assistant.match.game import GameState, Prompt, ShownDie
from assistant.match.guide import Chances, speak
from assistant.match.hands import Reply
from assistant.match.header import Asking, Header
from assistant.match.laying import wanted_table
from assistant.match.moments import NOBODY_ASKED, Asked, free_to
from assistant.match.story import tell_happening
from assistant.match.system import MatchSystem
from assistant.match.timeline import AskUndo, Entry, Event, Note, Timeline
from assistant.rules.reasons import Rule, reword
from assistant.rules.ruling import Reason
from assistant.translations.catalogue import translate
from assistant.translations.messages import SILENCE, Said, in_words

HISTORY_SHOWN = 200
"""Number of history entries in a view: more than anyone scrolls, few enough to send after every step."""

NOTES_SHOWN = 50
"""Greatest number of notes, of all devices together."""

NOTES_OF_ONE = 10
"""Greatest number of notes of one device, its newest."""


class Offered(NamedTuple):
    """A prompt for one reader.

    Args:
        prompt: the prompt.
        hand: the side that must look at its hidden hand first; None if this reader sees enough.
        nothing: why it has no legal answer now, and therefore no button.
        target: the only figure that it may attack, so that its button asks nothing more.
        odds: the odds against that target.
    """

    prompt: Prompt
    hand: str | None = None
    nothing: Said | None = None
    target: str | None = None
    odds: Chances | None = None


class Replies(NamedTuple):
    """The possible answers of one reader to an open moment.

    Args:
        held: the answers of the reader's own side.
        hand: the side whose hidden hand may hold one; None if the reader sees it.
    """

    held: tuple[Reply, ...] = ()
    hand: str | None = None


NO_REPLIES = Replies()


class Reader(NamedTuple):
    """A reader of the match: his knowledge, options and open questions.

    Args:
        audience: the reader.
        offered: the prompts that he can act on now, and other sides' prompts.
        asked: the open moments, as far as he sees them.
        replies: his possible answers to each moment, by its id.
    """

    audience: Audience
    offered: Iterable[Offered]
    asked: Asked = NOBODY_ASKED
    replies: Mapping[str, Replies] = {}


def shown_notes(notes: Sequence[Event]) -> list[Event]:
    """Return the notes on every page, oldest first; each device's newest come before anybody's further ones."""
    count: Counter[tuple[str, str]] = Counter()
    ranked = []
    for note in reversed(notes):
        sender = (note.actor.role, note.actor.name)
        place = count[sender]
        count[sender] += 1
        if place < NOTES_OF_ONE:
            ranked.append((place, -note.seq, note))
    return sorted((note for *_, note in sorted(ranked)[:NOTES_SHOWN]), key=lambda note: note.seq)


def match_view(
    header: Header,
    system: MatchSystem[Any, Any],
    timeline: Timeline,
    reader: Reader,
    *,
    now_ms: int,
) -> dict[str, Any]:
    """Return the match as a reader may know it."""
    audience, offered, asked, replies = reader
    game = timeline.game
    every = (*offered, *(Offered(prompt) for prompt in asked.passes))
    prompts = [one for one in every if one.prompt.type not in asked.blocked and one.nothing is None]
    stage = game.stage()
    awaited = _find_awaited(timeline, reader, (one.prompt for one in prompts))
    return {
        "match": {**_match(header, timeline), "table": "cells" if game.has_grid else "free"},
        "seq": timeline.seq,
        "round": game.round,
        "to_act": game.side_to_act(),
        "turn_of": game.side_to_act() if game.moves_by_side else None,
        "stage": None if stage is None else stage.worded(audience.language),
        "impossible": [
            {"text": one.prompt.text.worded(audience.language), "why": one.nothing.worded(audience.language)}
            for one in every
            if one.nothing is not None
        ],
        "winner": game.winner,
        "ending": begin_sentence(game.ending.worded(audience.language)),
        "ended_by": msgspec.to_builtins(timeline.ended_by()),
        "doors_open": list(game.doors_open),
        "has_table": bool(game.ground),
        "clock": clock_view(timeline.clock, now_ms, is_over=timeline.game.winner is not None),
        "history": history_view(timeline, HISTORY_SHOWN, audience.language),
        "happened": _last_step(timeline, audience),
        "undo": _undo(timeline, audience, header.asks),
        "asked": [
            {
                "id": one.id,
                "side": one.side,
                "figure": one.figure,
                "text": one.text.worded(audience.language),
                "no": (one.no or SILENCE).worded(audience.language),
                "about": next((answer["figure"] for answer in one.answers if "figure" in answer), one.figure),
                "hand": replies.get(one.id, NO_REPLIES).hand,
                "replies": [speak(reply, audience.language) for reply in replies.get(one.id, NO_REPLIES).held],
            }
            for one in asked.moments
        ],
        "speak_up_ms": asked.left_ms,
        "notes": [
            {"seq": note.seq, "t": note.t_ms, "by": msgspec.to_builtins(note.actor), "text": note.command.text}
            for note in shown_notes(timeline.notes)
            if isinstance(note.command, Note)
        ],
        "waits": None if awaited is None else speak(awaited, audience.language),
        "goals": [speak(goal, audience.language) for goal in list_goals(header, system, game)],
        "panels": [speak(panel, audience.language) for panel in system.panels(game, audience)],
        "prompts": [
            {
                "type": one.prompt.type,
                "text": asked.word(one.prompt).worded(audience.language),
                "question": (asked.find_question(one.prompt) or SILENCE).worded(audience.language),
                "title": one.prompt.text.worded(audience.language),
                "note": (one.prompt.note or SILENCE).worded(audience.language),
                "side": one.prompt.side,
                "fields": msgspec.to_builtins(one.prompt.fields),
                "hand": one.hand,
                "target": one.target,
                "odds": None if one.odds is None else speak(one.odds, audience.language),
            }
            for one in prompts
        ],
        **system.view(game, audience),
    }


def list_goals(header: Header, system: MatchSystem[Any, Any], game: GameState) -> tuple[Goal, ...]:
    """Return how each side wins, on the mission's own table until the match has seen one; nothing after the end."""
    if game.winner is not None:
        return ()
    return system.goals(game if game.ground else wanted_table(game, header.table))


def _find_awaited(timeline: Timeline, reader: Reader, prompts: Iterable[Prompt]) -> Awaited | None:
    """Return the answer that the match waits for; None while the side with the running turn is free to act.

    A side reads the question that it can answer; everybody else reads the first one.
    """
    game = timeline.game
    if game.winner is not None:
        return None
    side = timeline.asked_side(game, timeline.devices) if timeline.devices else None
    moments = [one for one in reader.asked.moments if one.side == side]
    moments.sort(key=lambda one: not reader.replies.get(one.id, NO_REPLIES).held)
    if moments:
        moment = moments[0]
        return Awaited(side=moment.side, text=moment.text)
    awaited = game.side_awaited()
    due = next((prompt for prompt in prompts if prompt.side == awaited is not None), None)
    if due is None or (due.task is None and awaited == game.side_to_act()):
        # Around one tablet nobody is asked by himself: another side's answer that may be given now has the headline.
        theirs = (one for one in prompts if one.task is not None and one.side not in (None, game.side_to_act()))
        due = None if timeline.devices else next(theirs, None)
        if due is None:
            return None
    return Awaited(side=str(due.side), text=due.text if due.task is None else due.task)


def list_prompts(system: MatchSystem[Any, Any], game: GameState) -> tuple[Prompt, ...]:
    """Return the prompts of this moment; none once the match is over."""
    return () if game.winner is not None else system.prompts(game)


def history_view(timeline: Timeline, last: int | None = None, language: str = "en") -> list[dict[str, Any]]:
    """Return the entries, oldest first; ``last`` limits them on either side of this moment."""
    return [_entry(entry, language) for entry in timeline.entries(last)]


def word_steps(steps: Iterable[Reason], rules: Mapping[str, Rule], language: str) -> list[dict[str, str]]:
    """Return the steps of an attack with their rules, in the reader's language."""
    worded = reword(tuple(steps), rules, language, lambda arguments: in_words(arguments, language))
    return [{"rule": step.rule, "text": step.text} for step in worded]


def word_cited(steps: Iterable[Reason], rules: Mapping[str, Rule], language: str) -> list[dict[str, str]]:
    """Return the same steps with the source of each rule."""
    worded = word_steps(steps, rules, language)
    return [{**step, "source": translate(rules[step["rule"]].source, language)} for step in worded]


def begin_sentence(text: str) -> str:
    """Return a sentence with a capital letter, for use on its own."""
    return text[:1].upper() + text[1:]


def clock_view(clock: Clock, now_ms: int, *, is_over: bool) -> dict[str, Any]:
    """Return the clocks now, including the time since the last event; they stand still after the end."""
    passed_ms = 0 if is_over else clock.passed_ms(now_ms)
    side_ms = dict(clock.side_ms)
    if clock.side is not None:
        side_ms[clock.side] = side_ms.get(clock.side, 0) + passed_ms
    return {
        "running": clock.running,
        "side": clock.side,
        "turn_ms": clock.turn_ms + passed_ms,
        "round_ms": clock.round_ms + passed_ms,
        "side_ms": side_ms,
        "turn_limit_s": clock.turn_limit_s,
        "side_limit_s": clock.side_limit_s,
        "extra_s": clock.extra_s,
    }


def _die(die: ShownDie, language: str) -> dict[str, str]:
    words = die.words.worded(language)
    named_die = {"words": words} if words else {}
    return {"face": die.face, "color": die.color, **named_die, **({"whose": die.whose} if die.whose else {})}


def _last_step(timeline: Timeline, audience: Audience) -> dict[str, Any] | None:
    found = tell_happening(timeline)
    if found is None:
        return None
    return {
        "seq": found.seq,
        "dice": [_die(die, audience.language) for die in found.dice],
        "blows": [msgspec.to_builtins(blow) for blow in found.blows],
    }


def _undo(timeline: Timeline, audience: Audience, asks: Asking | None) -> dict[str, Any]:
    """Return the undo for this audience: its goal, any refusal, where it needs consent, and an open request."""
    kept = None if audience.is_judge else timeline.why_kept()
    return {
        "to": timeline.last_by_hand(),
        "refused": None if kept is None else kept.worded(audience.language),
        "free_to": free_to(timeline, audience.decides_for, asks),
        "asked": None if timeline.asked is None else _undo_request(timeline, timeline.asked, audience.language),
    }


def _undo_request(timeline: Timeline, event: Event, language: str) -> dict[str, Any]:
    assert isinstance(event.command, AskUndo)
    to = event.command.to
    titles = [entry.title.worded(language) for entry in timeline.entries() if entry.done and entry.seq > to]
    return {"seq": event.seq, "to": to, "by": msgspec.to_builtins(event.actor), "titles": titles}


def _match(header: Header, timeline: Timeline) -> dict[str, Any]:
    return {
        "id": header.id,
        "title": header.title,
        "ruleset": header.ruleset,
        "options": dict(header.options),
        "created_t": header.created_t,
        "turn_limit_s": header.turn_limit_s,
        "versions": dict(header.versions),
        "seed_commitment": commit_to(timeline.seed or header.seed),
    }


def _entry(entry: Entry, language: str) -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "title": entry.title.worded(language),
        "by": msgspec.to_builtins(entry.actor),
        "reveals": entry.reveals,
        "done": entry.done,
    }

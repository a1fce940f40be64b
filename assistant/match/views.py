"""What each audience may know of a match, made here and sent as it is: nothing hidden ever leaves the server.

A view is built up from what may be shown; nothing is made by taking secrets out of something larger.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from assistant.match.actor import Actor
from assistant.match.chance import commitment
from assistant.match.clock import Clock
from assistant.match.game import Game, Name
from assistant.match.header import Header
from assistant.match.timeline import Entry, Event, Note, Timeline
from assistant.rules.reasons import Rule, reworded
from assistant.rules.ruling import Reason
from assistant.translations.messages import Said, in_words

if TYPE_CHECKING:
    from assistant.match.systems import System


HISTORY_SHOWN = 200
"""Entries of the history in a view: more than anyone scrolls through, few enough to send after every step."""


NOTES_SHOWN = 50


class Audience(Struct, frozen=True, kw_only=True):
    """Who looks, in which language: one side, the judge (every hand, no deck's order), or everybody (``side`` None)."""

    side: str | None = None
    is_judge: bool = False
    language: str = "en"

    def sees(self, side: str) -> bool:
        """Whether it may see what that side keeps to itself."""
        return self.is_judge or self.side == side


PUBLIC = Audience()
JUDGE_VIEW = Audience(is_judge=True)


class Prompt(Struct, frozen=True, kw_only=True):
    """Something that may be done now: the type of the command, in words, and for whom it is.

    ``fields`` holds those fields of the command that are known already. A prompt names nothing hidden.
    """

    type: Name
    text: Said
    side: str | None = None
    fields: dict[str, Any] = {}


class Question(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack that somebody thinks about: who, whom, and with what.

    ``profile`` counts the attacks of a DOOM 2016 activation from 0; ``weapon`` and ``aimed`` are for DOOM
    2004; ``range`` and ``cover`` are told where no table was seen.
    """

    attacker: Name
    defender: Name
    profile: Annotated[int, Meta(ge=0)] = 0
    weapon: str | None = None
    aimed: bool = False
    range: Annotated[int, Meta(ge=0)] | None = None
    cover: bool = False


def audience_of(actor: Actor, language: str = "en") -> Audience:
    """What an actor sees; the shared tablet and the camera see what everybody may."""
    return Audience(side=actor.side if actor.role == "player" else None, is_judge=actor.is_judge, language=language)


def match_view(
    header: Header, system: System, timeline: Timeline, audience: Audience, *, now_ms: int
) -> dict[str, Any]:
    """The match as an audience may know it."""
    game = timeline.game
    return {
        "match": _match(header),
        "seq": timeline.seq,
        "round": game.round,
        "to_act": game.side_to_act(),
        "winner": game.winner,
        "ending": game.ending.worded(audience.language),
        "doors_open": list(game.doors_open),
        "clock": clock_view(timeline.clock, now_ms),
        "history": history_view(timeline, HISTORY_SHOWN, audience.language),
        "notes": [_note(event) for event in timeline.notes[-NOTES_SHOWN:]],
        "prompts": [_prompt(prompt, audience.language) for prompt in prompts_now(system, game)],
        **system.view(game, audience),
    }


def prompts_now(system: System, game: Game) -> tuple[Prompt, ...]:
    """What may be done now; nothing once the match is over."""
    return () if game.winner is not None else system.prompts(game)


def history_view(timeline: Timeline, last: int | None = None, language: str = "en") -> list[dict[str, Any]]:
    """The entries, oldest first; with ``last`` only so many on either side of this moment."""
    return [_entry(entry, language) for entry in timeline.entries(last)]


def told_steps(steps: Iterable[Reason], rules: Mapping[str, Rule], language: str) -> list[dict[str, str]]:
    """The steps of an attack with the rules that they follow, in the reader's language."""
    told = reworded(tuple(steps), rules, language, lambda arguments: in_words(arguments, language))
    return [{"rule": step.rule, "text": step.text} for step in told]


def clock_view(clock: Clock, now_ms: int) -> dict[str, Any]:
    """The clocks as of now."""
    passed_ms = clock.passed_ms(now_ms)
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
    }


def _prompt(prompt: Prompt, language: str) -> dict[str, Any]:
    return {**msgspec.to_builtins(prompt), "text": prompt.text.worded(language)}


def _match(header: Header) -> dict[str, Any]:
    return {
        "id": header.id,
        "title": header.title,
        "ruleset": header.ruleset,
        "options": dict(header.options),
        "created_t": header.created_t,
        "turn_limit_s": header.turn_limit_s,
        "versions": dict(header.versions),
        "seed_commitment": commitment(header.seed),
    }


def _note(event: Event) -> dict[str, Any]:
    assert isinstance(event.command, Note)
    return {"seq": event.seq, "t": event.t_ms, "by": msgspec.to_builtins(event.actor), "text": event.command.text}


def _entry(entry: Entry, language: str) -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "title": entry.title.worded(language),
        "by": msgspec.to_builtins(entry.actor),
        "reveals": entry.reveals,
        "done": entry.done,
    }

"""A running match: commands in, events and views out.

Every event is stored before the caller gets its receipt. The session itself does no input or output: its clock, journal
and seed come from outside.
"""

from __future__ import annotations

import dataclasses
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Protocol

import msgspec
from msgspec.structs import replace

from assistant.documents import MatchLog, convert, event_line, header_line, line_hash, match_from_lines
from assistant.errors import IllegalStep, InputError, MovedOn, NotYours
from assistant.match.actor import JUDGE, PROGRAM, TABLE, Actor, player
from assistant.match.asks import Action, Pick, Way, cite
from assistant.match.audience import AttackQuery, Audience, audience_of
from assistant.match.chance import Chance, chance_of_event
from assistant.match.drawn_way import count_way
from assistant.match.game import Cells, Command, GameState, Moment, Name, Prompt, Step, require, unknown_figure
from assistant.match.games import system_of
from assistant.match.ground import board_of
from assistant.match.guide import Chances, Offer, Wish, find_best, offer_prompts, speak
from assistant.match.hands import find_hand_side, list_hands, list_replies
from assistant.match.header import Header
from assistant.match.kept_order import ENDING, IN_TURN, MOMENTS, WHO_DECIDES
from assistant.match.laying import wanted_table
from assistant.match.legality import MatchJudge, no_event
from assistant.match.moments import (
    NOBODY_ASKED,
    Asked,
    ask_reader,
    explain_waiting,
    find_asked_side,
    find_waiting,
    free_to,
    is_time_over,
    list_open,
)
from assistant.match.seen_moves import find_seen_door, find_seen_move
from assistant.match.snapshot import restore_snapshot, snapshot_of
from assistant.match.steps import Pass, See
from assistant.match.story import find_struck, tell_story
from assistant.match.system import MatchSystem
from assistant.match.timeline import (
    Event,
    HistoryLost,
    Pause,
    Reseed,
    Resume,
    Rewind,
    Timeline,
    fold,
    title_of,
    type_of,
)
from assistant.match.views import (
    Offered,
    Reader,
    Replies,
    begin_sentence,
    clock_view,
    history_view,
    list_goals,
    list_prompts,
    match_view,
    word_steps,
)
from assistant.match.ways import WayFinder, find_pair, find_rule, is_attack, refusal_of
from assistant.table.board import Board
from assistant.table.lattice import Cell
from assistant.table.tracker import TrackerView, TurnTimer
from assistant.translations.messages import Said, said

_PROMPT_TRIALS = 5_000
"""Limit of trial commands for one prompt. Walks over every shipped mission need at most a tenth of it."""

PlayedOn = Literal["camera", "drawing", "nothing"]
"""The play surface: a real table in front of a camera or in photos, the drawn board, or none (only order and dice)."""

Listener = Callable[["Receipt"], None]


class Journal(Protocol):
    """Storage for the lines of a match. ``append`` returns once the line is safe."""

    def append(self, seq: int, line: bytes) -> None:
        """Store the line of the event with that number.

        Raises:
            StoreError: the line could not be stored; the match is unchanged.
        """


@dataclass(frozen=True, slots=True)
class Receipt:
    """The public announcement of a stored event. It holds nothing secret."""

    seq: int
    t_ms: int
    actor: Actor
    type: str
    title: Said


class Session:
    """One running match. Every input path calls `command`, from any thread.

    Args:
        header: the header of the match.
        journal: stores the lines, or None for a match that nobody plays on.
        clock_ms: milliseconds since 1970, UTC.
    """

    def __init__(self, header: Header, *, journal: Journal | None, clock_ms: Callable[[], int]) -> None:
        self.header = header
        self.system: MatchSystem[Any, Any] = system_of(header.ruleset)
        self.played_on: PlayedOn = "camera"
        """Stored beside the match, not in it: people may set up a camera later."""
        self._journal = journal
        self._clock_ms = clock_ms
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []
        self._events: list[Event] = []
        self._receipts: dict[tuple[str, str], Receipt] = {}
        """Receipts by sender and command name, so that senders cannot use up each other's names."""
        self.written: Counter[str] = Counter()
        """Bytes of the match by device name, without those of judges and the camera."""
        self._offered: tuple[int, dict[tuple[Audience, bool], tuple[Offered, ...]]] = (-1, {})
        game = self.system.start(header.setup, header.options, header.seed)
        self._asked_side = partial(find_asked_side, self.system, header.asks)
        self._start = Timeline(game, header.clock(), asked_side=self._asked_side)
        self._timeline = self._start
        self._last_hash = line_hash(header_line(header.document()))

    @classmethod
    def resumed(
        cls,
        lines: Iterable[bytes],
        *,
        journal: Journal | None,
        clock_ms: Callable[[], int],
        snapshot: bytes | None = None,
    ) -> Session:
        """Resume the match in these lines at its last event. With a snapshot, replay only the events after it.

        Raises:
            DocumentError: the lines are no match, or their hash chain is broken.
        """
        log = match_from_lines(b"\n".join(lines))
        session = cls(Header.read(log.header), journal=journal, clock_ms=clock_ms)
        session._resume(log, snapshot)
        return session

    @property
    def timeline(self) -> Timeline:
        """The match at this moment, as an immutable value."""
        return self._timeline

    @property
    def seed(self) -> str:
        """The seed of the dice to come."""
        return self._timeline.seed or self.header.seed

    @property
    def clocks_stopped_by(self) -> Actor | None:
        """The actor who stopped the clocks, or None while they run."""
        last = next((one for one in reversed(self._events) if isinstance(one.command, Pause | Resume)), None)
        return last.actor if last is not None and isinstance(last.command, Pause) else None

    @property
    def is_untouched(self) -> bool:
        """Whether nobody but the camera has acted yet."""
        return all(event.actor.role == "camera" for event in self._events)

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self._timeline.seq

    def command(self, raw: Mapping[str, Any], actor: Actor) -> Receipt:
        """Check a command, fill in the program's decisions, store it, then announce it.

        Args:
            raw: ``type`` and the fields of that type. Optional: ``after``, the number of the last event that the
                sender knew; ``id``, an idempotency key of the sender's choice: a repeated command returns the first
                receipt and does nothing.
            actor: the sender.

        Raises:
            DocumentError: there is no such command, or a field is wrong.
            IllegalStep: the command is not allowed now or not for this actor, or the match has moved on.
            StoreError: the command could not be stored; nothing has changed.
        """
        with self._lock:
            fields = dict(raw)
            known_seq = fields.pop("after", None)
            name = convert(fields.pop("id", None), Name | None, "command id")
            if name is not None and (actor.name, name) in self._receipts:
                return self._receipts[actor.name, name]
            self._require_current(known_seq)
            wanted = self.system.command(fields)
            try:
                receipt = self._carry_out(self._event(wanted, actor, name))
            except IllegalStep as problem:
                raise problem.under(self.system.rule_of(type_of(wanted))) from None
            for listener in tuple(self._listeners):
                listener(receipt)
            return receipt

    def reseed(self, seed: str) -> None:
        """Draw all further dice from another seed.

        Raises:
            StoreError: the change could not be stored.
        """
        self.command({"type": "reseed", "seed": seed}, PROGRAM)

    def wake(self) -> None:
        """Exclude the time since the last event from running clocks, because the program was not running.

        Raises:
            StoreError: the change could not be stored.
        """
        clock = self._timeline.clock
        if clock.running and clock.side is not None:
            self.command({"type": "wake"}, PROGRAM)

    def view(self, audience: Audience, *, awaits_table: bool = False) -> dict[str, Any]:
        """Return the match as this reader may see it. With ``awaits_table``, a camera can show the table on demand."""
        now_ms, timeline = self._clock_ms(), self._timeline
        offered = self._list_offered(timeline, audience, awaits_table=awaits_table)
        asked = self._asked(timeline, audience, now_ms)
        reader = Reader(audience, offered, asked, self._list_replies(timeline.game, audience, offered, asked.moments))
        return match_view(self.header, self.system, timeline, reader, now_ms=now_ms)

    def _list_offered(self, timeline: Timeline, audience: Audience, *, awaits_table: bool) -> tuple[Offered, ...]:
        """List the prompts of this moment. A prompt that the reader alone decides needs a legal answer.

        Readers of one side share the result until the match goes on.
        """
        offered = self._offered  # read once: another thread may begin the prompts of the next step
        if offered[0] != timeline.seq:
            offered = self._offered = (timeline.seq, {})
        reader = replace(audience, language="en")
        known, key = offered[1], (reader, awaits_table)
        if key not in known:
            prompts = list_prompts(self.system, timeline.game)
            tried = (self._offer(prompt, reader, timeline.game, awaits_table=awaits_table) for prompt in prompts)
            known[key] = tuple(one for one in tried if one is not None)
        return known[key]

    def _offer(self, prompt: Prompt, reader: Audience, game: GameState, *, awaits_table: bool) -> Offered | None:
        """Return a prompt with the hand that it needs, or None if no answer to it is legal.

        While a camera has yet to show the table, prompts for a place are offered early. Other readers do not learn
        whether a hidden hand holds an answer. `Asked.blocked` later removes prompts that wait for another side.
        """
        if reader.decides_for is not None and prompt.side not in (None, reader.decides_for):
            return Offered(prompt)
        step = self.system.commands[prompt.type]
        needs_hand = issubclass(step, Step) and (step.is_secret or step.begins_hand)
        if prompt.side is not None and needs_hand and not reader.sees(prompt.side):
            return Offered(prompt, prompt.side)
        actor = JUDGE if reader.is_judge else TABLE if reader.side is None else _actor_of(reader)
        refuses = refusal_of(self.system, game, lambda step: self._require_right(step, actor))
        finder = WayFinder(self.system, game, reader, refuses, trials=_PROMPT_TRIALS)
        if finder.complete({"type": prompt.type, **prompt.fields}) is not None:
            return self._with_target(prompt, finder, reader)
        if finder.lacks_table and awaits_table:
            return Offered(prompt)
        if finder.hidden_of is not None:
            return Offered(prompt, finder.hidden_of)
        nothing = step.word_nothing(game) if issubclass(step, Step) else None
        return None if nothing is None else Offered(prompt, nothing=nothing)

    def _with_target(self, prompt: Prompt, finder: WayFinder, reader: Audience) -> Offered:
        """Return a prompt with its target and odds if a tap on it rolls at once, since nothing else can be answered."""
        if not is_attack(self.system.commands[prompt.type]):
            return Offered(prompt)
        way = finder.find({"type": prompt.type, **prompt.fields})
        pair = (
            None if way.ask is not None or way.refusal is not None else find_pair(way, None, finder.game.mover().figure)
        )
        if pair is None or pair[1] in map(str, prompt.fields.values()):
            return Offered(prompt)
        return Offered(prompt, target=pair[1], odds=self._find_odds(way, None, reader))

    def _list_replies(
        self, game: GameState, reader: Audience, offered: Iterable[Offered], moments: Iterable[Moment]
    ) -> dict[str, Replies]:
        """Find a reader's answers to each open moment; of another side, only that a hand may answer."""
        actor = JUDGE if reader.is_judge else TABLE if reader.side is None else _actor_of(reader)
        refuses = refusal_of(self.system, game, lambda step: self._require_right(step, actor))
        prompted = {one.prompt.type for one in offered}
        panels = self.system.panels(game, reader)
        finder = partial(WayFinder, self.system, game, reader, refuses, trials=_PROMPT_TRIALS)
        found = {}
        for moment in moments:
            is_own = moment.side == reader.side
            held = list_replies(moment, panels, prompted, finder) if is_own or reader.is_shared else ()
            found[moment.id] = Replies(tuple(held), None if is_own else find_hand_side(moment, finder()))
        return found

    def _asked(self, timeline: Timeline, audience: Audience, now_ms: int) -> Asked:
        """Return the open moments as this reader sees them."""

        def holds(moment: Moment) -> bool:
            finder = self._finder(player(moment.side), audience.language)
            return any(finder.complete(answer) is not None for answer in moment.answers)

        asks = self.header.asks
        return NOBODY_ASKED if asks is None else ask_reader(self.system, timeline, audience, asks, now_ms, holds)

    def history(self, language: str = "en") -> list[dict[str, Any]]:
        """Return every entry, oldest first, in the form of the views."""
        return history_view(self._timeline, language=language)

    def advise(self, raw: Mapping[str, Any]) -> Mapping[str, object]:
        """Return an attack's sight, range, cover and odds before its roll (`audience.AttackQuery`).

        Raises:
            DocumentError: a field is wrong.
            IllegalStep: this attack is impossible now.
        """
        question: AttackQuery = convert(raw, AttackQuery, "question")
        for name in (question.attacker, question.defender):
            if self._timeline.game.is_hidden_from(name, None):
                raise unknown_figure(name)
        return self.system.advise(self._timeline.game, question)

    def guide(self, raw: Mapping[str, Any], audience: Audience) -> dict[str, Any]:
        """Return the attack assistant for a considered attack (`guide.Wish`), or for the open one.

        Raises:
            DocumentError: a field is wrong.
        """
        wish: Wish = convert(raw, Wish, "attack")
        game = self._timeline.game
        made = self.system.guide(game, wish, audience)
        asked = self._asked(self._timeline, audience, self._clock_ms())
        open_now = (offer for offer in made.offers if offer.type not in asked.blocked)
        worded = (replace(offer, question=asked.find_question(offer)) for offer in open_now)
        passes = offer_prompts(asked.passes) if made.stage == "open" else ()
        checked = tuple(self._check_offer(offer) for offer in (*worded, *passes))
        document: dict[str, Any] = speak(replace(made, offers=checked, steps=(), sight=()), audience.language)
        return {
            **document,
            "sight": word_steps(made.sight, game.rules.rules, audience.language),
            "steps": word_steps(made.steps, self.system.attack_rules, audience.language),
        }

    def sides_prompted(self) -> frozenset[str | None]:
        """Return the sides that have a prompt or an open question now; None stands for anybody."""
        prompted = (prompt.side for prompt in list_prompts(self.system, self._timeline.game))
        return frozenset((*prompted, *(moment.side for moment in self.moments())))

    def way(self, raw: Mapping[str, Any], actor: Actor, language: str = "en") -> dict[str, Any]:
        """Return the next question of a command with its legal answers (`asks.Way`); nothing changes.

        Raises:
            IllegalStep: this game has no such command, or it is over.
            InputError: the command has no such field.
        """
        found = self._finder(actor, language).find(raw)
        document: dict[str, Any] = speak(found, language)
        audience = audience_of(actor, language)
        document["odds"] = None if found.refusal else speak(self._find_odds(found, None, audience), language)
        if found.ask is not None:
            for pick, shown in zip(found.ask.picks, document["ask"]["picks"], strict=True):
                shown["odds"] = speak(self._find_odds(found, pick, audience), language)
            if found.ask.kind == "thing":
                document["ask"]["picks"].sort(key=_count_hopes, reverse=True)
        return document

    def _find_odds(self, way: Way, pick: Pick | None, audience: Audience) -> Chances | None:
        """Return the odds of an attack with this answer, as the attack assistant computes them, or None if it has none.

        Without an answer, the command itself names the target. While several attacks are possible, such as one for each
        weapon, the best odds count.
        """
        pair = find_pair(way, pick, self._timeline.game.mover().figure)
        if pair is None:
            return None
        offers = self.system.guide(self._timeline.game, Wish(attacker=pair[0], defender=pair[1]), audience).offers
        wanted = way.fields if pick is None else {**way.fields, str(way.ask and way.ask.field): pick.value}
        # Ignore the other side's answers: the odds of a quicker shot are not those of this one.
        known = [one for one in offers if one.odds is not None and one.is_plan]
        fitting = [one for one in known if all(wanted.get(name, value) == value for name, value in one.fields.items())]
        return find_best([one.odds for one in fitting or known if one.odds is not None])

    def actions(self, actor: Actor, language: str = "en") -> list[dict[str, Any]]:
        """List the commands that this actor may give now without a prompt (`asks.Action`)."""
        game = self._timeline.game
        prompted = {prompt.type for prompt in list_prompts(self.system, game)}
        if game.winner is not None:
            return []
        found = [
            Action(
                type=kind,
                text=text,
                is_by_hand=self.system.is_by_hand(kind) or not issubclass(self.system.commands[kind], Step),
            )
            for kind, text in self.system.labels.items()
            if kind not in prompted and self._finder(actor, language).complete({"type": kind}) is not None
        ]
        return [speak(action, language) for action in found]

    def seen_move(self, board: Board, actor: Actor, language: str = "en") -> dict[str, Any] | None:
        """Return the acting figure's move as the camera saw it (`seen_moves.CameraMove`), or None without one.

        A different table than the match's yields None. ``actor`` would give the command.
        """
        game = self._timeline.game
        figure = board.figure_by_id.get(str(game.mover().figure))
        if figure is None or not self._shows_match(board):
            return None
        cells = tuple(sorted(figure.cells))
        found = find_seen_move(self._finder(actor, language), list_prompts(self.system, game), cells)
        return None if found is None else msgspec.to_builtins(found)

    def seen_door(self, board: Board, actor: Actor, language: str = "en") -> dict[str, Any] | None:
        """Return the door that the camera saw open or close (`seen_moves.CameraDoor`), or None without one.

        A different table than the match's yields None. ``actor`` would give the command.
        """
        found = find_seen_door(self._finder(actor, language), board) if self._shows_match(board) else None
        return None if found is None else msgspec.to_builtins(found)

    def _shows_match(self, board: Board) -> bool:
        game = self._timeline.game
        return game.has_grid and bool(game.ground) and board_of(game).cells == board.cells

    def hands(self, actor: Actor, language: str = "en") -> list[dict[str, Any]]:
        """Return the hands that this actor may see, each card with its possible uses now (`hands.Hand`)."""
        game = self._timeline.game
        panels = self.system.panels(game, audience_of(actor, language))
        prompts = list_prompts(self.system, game)
        found = list_hands(panels, prompts, self.system.labels, lambda: self._finder(actor, language))
        return [speak(hand, language) for hand in found]

    def way_drawn(self, figure: str, cells: Sequence[Cell], language: str = "en") -> dict[str, Any]:
        """Return the cost of a drawn way of the acting figure, space by space, and where it stops (`drawn_way`).

        Raises:
            UnknownName: there is no such figure.
            IllegalStep: it has no movement now.
        """
        if self._timeline.game.is_hidden_from(figure, None):
            raise unknown_figure(figure)
        game = self._timeline.game
        refuses = refusal_of(self.system, game, lambda step: None)

        def may_stop(place: Cells) -> bool:
            return refuses({"type": "move", "figure": figure, "cells": [list(cell) for cell in place]}) is None

        document: dict[str, Any] = speak(count_way(game, figure, cells, may_stop), language)
        return document

    def wanted(self) -> GameState:
        """Return the match before its first step, on the mission's table."""
        return wanted_table(self._start.game, self.header.table)

    def story(self, language: str = "en") -> dict[str, Any]:
        document: dict[str, Any] = speak(tell_story(self._with_history()), language)
        moments = [{**moment, "title": begin_sentence(moment["title"])} for moment in document["moments"]]
        return {**document, "moments": moments}

    def game_after(self, seq: int) -> GameState:
        """Return the game just after an entry that is not undone, or 0 for the beginning.

        Raises:
            UnknownName: there is no such entry.
        """
        steps = self._with_history().steps()
        if seq == 0:
            return self._start.game
        found = next((step.after for step in steps if step.entry.seq == seq), None)
        if found is None:
            raise no_event(seq, len(self._events))
        return found

    def table_after(self, seq: int, audience: Audience) -> dict[str, Any]:
        """Return the public table with its goals just after an entry that is not undone, as in a view.

        Raises:
            UnknownName: there is no such entry.
        """
        game = self.game_after(seq)
        goals = [speak(goal, audience.language) for goal in list_goals(self.header, self.system, game)]
        return {**self.system.view(game, audience), "goals": goals}

    def _with_history(self) -> Timeline:
        """Return the timeline with every earlier game, which a snapshot does not hold."""
        timeline = self._timeline
        try:
            timeline.steps()
        except HistoryLost:
            return fold(self._start, self._events)
        return timeline

    def judge(self, seq: int, actor: Actor, language: str = "en") -> dict[str, Any]:
        """Judge whether the event of that number was legal, by which rule, with the alternatives (`legality`).

        Raises:
            UnknownName: there is no such event.
        """
        events = self._events
        if not 1 <= seq <= len(events):
            raise no_event(seq, len(events))
        before = fold(self._start, events[: seq - 1])
        judge = MatchJudge(self.system, self.header.seed, audience_of(actor, language))
        return judge.document(events[seq - 1], before)

    def _finder(self, actor: Actor, language: str) -> WayFinder:
        game = self._timeline.game
        refuses = refusal_of(self.system, game, lambda step: self._require_allowed(step, actor))
        return WayFinder(self.system, game, audience_of(actor, language), refuses)

    def tracker(self, as_of_s: float = 0.0) -> TrackerView:
        """Return the initiative order for strip and page, with the last event's damage and the turn's remaining time.

        ``as_of_s`` is this moment on the clock of the strip.
        """
        view = self.system.tracker(self._timeline.game)
        view = dataclasses.replace(view, struck=find_struck(self._timeline, view.order, as_of_s))
        clock = self._timeline.clock
        limit_s = clock.turn_limit_s
        if limit_s is None or view.active is None:
            return view
        used_s = clock_view(clock, self._clock_ms(), is_over=self._timeline.game.winner is not None)["turn_ms"] / 1000
        timer = TurnTimer(limit_s, max(0.0, limit_s - used_s), as_of_s, clock.running)
        return dataclasses.replace(view, timer=timer)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call the listener after each event, in the thread that caused it. Return a function that unsubscribes."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def snapshot(self) -> bytes | None:
        """Return a snapshot of the match, or None while entries can be redone."""
        with self._lock:
            return snapshot_of(self._timeline, self._last_hash)

    def _require_current(self, known_seq: object) -> None:
        if known_seq is not None and known_seq != self._timeline.seq:
            text = said("the match has moved on; look at the table again and repeat")
            raise MovedOn.by(IN_TURN, text)

    def _event(self, command: Command, actor: Actor, name: str | None) -> Event:
        timeline = self._timeline
        seq = timeline.seq + 1
        if isinstance(command, Step):
            self._require_allowed(command, actor)
            command = self._settle(command, chance_of_event(self.seed, seq))
        else:
            actor.require_may_decide(None)
            command = self._set_goal(command, actor)
            timeline.check(command, actor)
            if isinstance(command, Reseed) and actor is not PROGRAM:  # a judge's actor may carry the program's name
                raise NotYours.by(WHO_DECIDES, said("only the program draws the seed of the dice"))
        return Event(seq, self._clock_ms(), actor, command, name)

    def _set_goal(self, command: Command, actor: Actor) -> Command:
        """Fill in the goal of an undo: by default the last step of a person, with all later camera reports.

        Raises:
            NotYours: the undo would take back steps of others, and nobody has agreed.
        """
        if not isinstance(command, Rewind):
            return command
        timeline = self._timeline
        goal = timeline.last_by_hand() if command.to is None else command.to
        command = replace(command, to=goal)
        is_own = actor.role != "player" or (
            goal is not None and goal >= free_to(timeline, actor.side, self.header.asks)
        )
        if not is_own and not timeline.is_granted(command, actor.side):
            raise NotYours.by(WHO_DECIDES, said("that would take back what others did; ask them for an undo"))
        return command

    def _settle(self, step: Step[GameState], chance: Chance) -> Step[GameState]:
        """Return the step with the program's own fields filled in, once the rules allow it."""
        settled: Step[GameState] = step.settle(self._timeline.game, chance)
        settled.check(self._timeline.game)
        return settled

    def _require_allowed(self, step: Step[GameState], actor: Actor) -> None:
        self._require_right(step, actor)
        if not (isinstance(step, See) and actor.role == "camera"):
            self._require_answered(step, actor)

    def _require_right(self, step: Step[GameState], actor: Actor) -> None:
        game = self._timeline.game
        self._require_known(step, actor)
        if isinstance(step, See) and actor.role == "camera":
            return
        for side in (step.side(game), *sorted(step.sides_besides(game))):
            actor.require_may_decide(side)
        side = step.side(game)
        if step.is_secret and actor.role == "table" and actor.side != side:
            text = said("this takes the cards of the side “{side}”; do it on a device of that side", side=side)
            raise NotYours.by(WHO_DECIDES, text)
        if step.for_judge and not actor.is_judge:
            raise NotYours.by(WHO_DECIDES, said("only a judge can correct this; call one"))
        require(game.winner is None, said("the match is over; undo the last step to play on"), ENDING)

    def _require_answered(self, step: Step[GameState], actor: Actor) -> None:
        """Require that everyone who may still answer before the step has answered or passed (`moments`)."""
        if isinstance(step, Pass):
            known = {one.id for one in self.moments() if one.side == step.of}
            require(known.issuperset(step.asked), said("nobody is asked that any more"), MOMENTS)
        elif self.header.asks is not None:
            waiting = find_waiting(type(step), self._timeline, actor)
            is_over = bool(waiting) and is_time_over(self._timeline, self.header.asks, self._clock_ms())
            require(not waiting or is_over, explain_waiting(waiting), MOMENTS)

    def moments(self) -> tuple[Moment, ...]:
        """Return the moments that are open now, each once (`moments`)."""
        return () if self.header.asks is None else list_open(self.system, self._timeline.game)

    def _require_known(self, step: Step[GameState], actor: Actor) -> None:
        # A figure in the other side's box gets the answer for an unknown figure. Any difference would betray which
        # demons wait there.
        if actor.is_judge:
            return
        for field in ("figure", "attacker", "defender", "demon", "target"):
            name = getattr(step, field, None)
            if isinstance(name, str) and self._timeline.game.is_hidden_from(name, actor.side):
                raise unknown_figure(name)

    def _check_offer(self, offer: Offer) -> Offer:
        """Return an offer with the rules' objection, if any. The dice of this trial are discarded."""
        if not offer.is_plan:
            return offer
        filled = {entry.field: entry.value for entry in offer.inputs if entry.value not in (None, [])}
        try:
            step = self.system.command({"type": offer.type, **offer.fields, **filled})
            if isinstance(step, Step):
                self._settle(step, Chance("what if"))
        except InputError as problem:
            rule = find_rule(self.system, offer.type, problem)
            cited = None if rule is None else cite(rule)
            return replace(offer, refusal=problem.sentence, rule=rule.id if rule else "", cited=cited)
        return offer

    def _carry_out(self, event: Event) -> Receipt:
        after = self._after(event)
        after.game.require_sound()
        line = event_line(event_document(event), self._last_hash)
        receipt = Receipt(
            event.seq, event.t_ms, event.actor, type_of(event.command), title_of(event.command, self._timeline)
        )
        if self._journal is not None:
            self._journal.append(event.seq, line)
        self._events.append(event)
        self._last_hash = line_hash(line)
        self._timeline = after
        self._count_bytes(event.actor, line)
        if event.id is not None:
            self._receipts[event.actor.name, event.id] = receipt
        return receipt

    def _count_bytes(self, actor: Actor, line: bytes) -> None:
        if actor.role in ("player", "table"):
            self.written[actor.name] += len(line)

    def _after(self, event: Event) -> Timeline:
        try:
            return self._timeline.after(event)
        except HistoryLost:
            self._timeline = fold(self._start, self._events)
            return self._timeline.after(event)

    def _resume(self, log: MatchLog, snapshot: bytes | None) -> None:
        self._events = [event_from(raw, self.system) for raw in log.events]
        self._last_hash = log.last_hash
        for event, raw in zip(self._events, log.events, strict=True):
            self._count_bytes(event.actor, msgspec.json.encode(raw))
        start = None if snapshot is None else restore_snapshot(snapshot, self.system, self._events, log.hash_after)
        timeline = self._start if start is None else dataclasses.replace(start, asked_side=self._asked_side)
        try:
            self._timeline = fold(timeline, self._events[timeline.seq :])
        except HistoryLost:
            self._timeline = fold(self._start, self._events)
        titles = {entry.seq: entry.title for entry in self._timeline.entries()}
        self._receipts = {
            (event.actor.name, event.id): Receipt(
                event.seq, event.t_ms, event.actor, type_of(event.command), titles.get(event.seq, said("Undone since"))
            )
            for event in self._events
            if event.id is not None
        }


def _actor_of(reader: Audience) -> Actor:
    """Return the actor that stands for this reader."""
    return Actor(role="table" if reader.is_shared else "player", side=reader.side)


def event_document(event: Event) -> dict[str, Any]:
    """Return the event as a line of `sightline.match/1`, without ``prev``."""
    document = {"seq": event.seq, "t": event.t_ms, "actor": msgspec.to_builtins(event.actor)}
    if event.id is not None:
        document["id"] = event.id
    return {**document, **msgspec.to_builtins(event.command)}


def event_from(raw: Mapping[str, Any], system: MatchSystem[Any, Any]) -> Event:
    """Return the event of a line.

    Raises:
        DocumentError: the game has no such event, or a field is wrong.
    """
    fields = dict(raw)
    seq, t_ms, actor = fields.pop("seq"), fields.pop("t"), fields.pop("actor")
    fields.pop("prev", None)
    name = fields.pop("id", None)
    where = f"event {seq}"
    return Event(seq, convert(t_ms, int, where), convert(actor, Actor, where), system.command(fields, where), name)


def _count_hopes(pick: Mapping[str, Any]) -> list[float]:
    """Return the chances of an answer, which order a list: the better of two weapons comes first."""
    return [] if pick["odds"] is None else [share["chance"] for share in pick["odds"]["outlook"]]

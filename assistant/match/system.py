"""What a session needs of a game: how a match of it begins, which commands it knows, what it shows.

`MatchSystem` is what the engine calls, with the state of any game. A game derives from `TypedMatchSystem`, which
narrows that to the game's own state and set-up, once and for all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar, Generic, TypeVar, Union

import msgspec
from msgspec import Struct

from assistant.documents import convert
from assistant.errors import BadValue
from assistant.match.asks import Ask
from assistant.match.audience import AttackQuery, Audience, Prompt
from assistant.match.game import GameState, Step
from assistant.match.guide import Guide, Wish, plan_attack
from assistant.match.kept_order import ORDER, UNPLACED
from assistant.match.panels import Panel
from assistant.match.rulings import sight_document
from assistant.match.seen_places import SeenAs, SeenPlace
from assistant.match.steps import COMMON
from assistant.match.timeline import (
    AskUndo,
    Command,
    Extend,
    Note,
    Pause,
    Redo,
    RefuseUndo,
    Resume,
    Rewind,
    SetLimits,
    Wake,
)
from assistant.rules.reasons import Rule
from assistant.table.free_table import FreeTable
from assistant.table.tracker import TrackerView
from assistant.translations.messages import Said, said

HISTORY: tuple[type[Struct], ...] = (Rewind, Redo, AskUndo, RefuseUndo, Pause, Resume, SetLimits, Extend, Wake, Note)

HAND_STEPS = frozenset({"place", "declare"})
"""Commands of every game by which people set something right."""

SetupT = TypeVar("SetupT", bound=Struct)
StateT = TypeVar("StateT", bound=GameState)


class MatchSystem(ABC):
    """A game as the session plays it."""

    steps: ClassVar[tuple[type[Struct], ...]]
    """Its own steps; those that every game has come on top."""

    attack_rules: ClassVar[Mapping[str, Rule]] = {}
    """The rules that the steps of an attack refer to, by their ids."""

    deeds: ClassVar[Mapping[str, Said]] = {}
    """What its commands are called where they are offered without being prompted, by their types."""

    by_hand: ClassVar[frozenset[str]] = frozenset({"damage", "heal", "frag", "stun"})
    """Those of them that set something right rather than being played."""

    play_rules: ClassVar[Mapping[str, Rule]] = {}
    """The rule by which each of its commands is allowed or refused, by the command's name."""

    def rule_of(self, kind: str) -> Rule:
        """The rule by which a command of that type is allowed or refused."""
        return self.play_rules.get(kind) or ORDER.get(kind, UNPLACED)

    def is_by_hand(self, kind: str) -> bool:
        """Whether a command of that type sets something right, whatever the rules of the game say."""
        return kind in self.by_hand or kind in HAND_STEPS

    @property
    def command_types(self) -> tuple[type[Struct], ...]:
        """Every command that this game knows."""
        return (*HISTORY, *COMMON, *self.steps)

    def knows(self, name: str) -> bool:
        """Whether it has a command of that type."""
        return any(command.__struct_config__.tag == name for command in self.command_types)

    @property
    @abstractmethod
    def setup_form(self) -> type[Struct]:
        """What a mission of this game consists of, as the type that its set-up is read as."""

    @property
    def has_secrets(self) -> bool:
        """Whether a side has something that only its own devices may show, such as a hand of cards."""
        return any(issubclass(step, Step) and step.is_secret for step in self.steps)

    def command(self, raw: Mapping[str, object], where: str = "command") -> Command:
        """The command with these fields.

        Raises:
            DocumentError: there is no such command, or a field is wrong.
        """
        if not isinstance(raw.get("type"), str):
            raise BadValue(said("every command names its type"), document=where, field="type")
        command: Command = convert(raw, self._commands, where)
        return command

    @cached_property
    def _commands(self) -> object:
        return Union[self.command_types]  # noqa: UP007 - a union of types that only the game knows

    @abstractmethod
    def start(self, setup: Mapping[str, object], options: Mapping[str, str], seed: str) -> GameState:
        """The match before its first event.

        Raises:
            DocumentError: the set-up breaks this game's form.
        """

    @abstractmethod
    def state_from(self, raw: Mapping[str, object]) -> GameState:
        """A state that was written as plain data.

        Raises:
            msgspec.ValidationError: it is none.
        """

    @abstractmethod
    def view(self, state: GameState, audience: Audience) -> Mapping[str, object]:
        """What an audience may know of the match, beside what all games tell; plain data, ready to be sent.

        ``figures`` is a list that every game has: each with ``id``, ``kind``, ``side``, ``on_table`` and ``marks``, and
        with ``health`` and ``wounds`` (or ``damage``), by which the page shows how it is.
        """

    @abstractmethod
    def prompts(self, state: GameState) -> tuple[Prompt, ...]:
        """What may be done now."""

    def ask(self, state: GameState, command: Mapping[str, object], field: str, audience: Audience) -> Ask | None:
        """What the game asks about a field of a command; None where the field's type says it all, or nothing is asked.

        Args:
            state: the match.
            command: its type and the fields that are chosen so far.
            field: the field; it may be chosen already, which matters to questions that go on.
            audience: who is asked; nothing that is hidden from it may be an answer.
        """
        return None

    def panels(self, state: GameState, audience: Audience) -> tuple[Panel, ...]:
        """What lies beside the board, as far as this audience may see it."""
        return ()

    def read_move(self, state: GameState, seen: SeenPlace, after: FreeTable) -> SeenAs | None:
        """What the game takes a move for that a picture of a table without cells shows; None for one that is no play.

        Args:
            state: the match, with the figure where it stood.
            seen: where the picture shows it.
            after: the whole table of the picture, under the names of the match.
        """
        return None

    def tell_news(self, before: GameState, after: GameState) -> tuple[Said, ...]:
        """What follows by itself from a table that was seen, and has to be told at once."""
        return ()

    @abstractmethod
    def tracker(self, state: GameState) -> TrackerView:
        """The initiative order as the strip and the page show it."""

    @abstractmethod
    def advise(self, state: GameState, question: AttackQuery) -> Mapping[str, object]:
        """What is known of an attack before its roll; plain data.

        Raises:
            IllegalStep: there is no such attack now.
        """

    @abstractmethod
    def guide(self, state: GameState, wish: Wish, audience: Audience) -> Guide:
        """The attack assistant for what somebody has in mind, or for the attack that is open.

        Raises:
            UnknownName: a figure is not there.
        """


class TypedMatchSystem(MatchSystem, Generic[SetupT, StateT]):
    """A game that is asked with its own state; ``setup_type`` and ``state_type`` are read from documents strictly."""

    setup_type: type[SetupT]
    state_type: type[StateT]

    def start(self, setup: Mapping[str, object], options: Mapping[str, str], seed: str) -> StateT:
        """The match before its first event.

        Raises:
            DocumentError: the set-up breaks this game's form.
        """
        read: SetupT = convert(setup, self.setup_type, "match set-up")
        return self.begin(read, options, seed)

    @property
    def setup_form(self) -> type[Struct]:
        """The type that a set-up is read as."""
        return self.setup_type

    def state_from(self, raw: Mapping[str, object]) -> StateT:
        """A state that was written as plain data.

        Raises:
            msgspec.ValidationError: it is none.
        """
        return msgspec.convert(raw, self.state_type)

    def view(self, state: GameState, audience: Audience) -> Mapping[str, object]:
        """What an audience may know of the match, beside what all games tell; plain data, ready to be sent."""
        return self.view_of(self._own(state), audience)

    def prompts(self, state: GameState) -> tuple[Prompt, ...]:
        """What may be done now."""
        return self.prompts_of(self._own(state))

    def ask(self, state: GameState, command: Mapping[str, object], field: str, audience: Audience) -> Ask | None:
        """What the game asks about a field of a command."""
        return self.ask_about(self._own(state), command, field, audience)

    def panels(self, state: GameState, audience: Audience) -> tuple[Panel, ...]:
        """What lies beside the board, as far as this audience may see it."""
        return self.panels_of(self._own(state), audience)

    def read_move(self, state: GameState, seen: SeenPlace, after: FreeTable) -> SeenAs | None:
        """What the game takes a move for that a picture shows; None for one that is no play."""
        return self.reading_of(self._own(state), seen, after)

    def tell_news(self, before: GameState, after: GameState) -> tuple[Said, ...]:
        """What follows by itself from a table that was seen, and has to be told at once."""
        return self.news_between(self._own(before), self._own(after))

    def tracker(self, state: GameState) -> TrackerView:
        """The initiative order as the strip and the page show it."""
        return self.tracker_of(self._own(state))

    def advise(self, state: GameState, question: AttackQuery) -> Mapping[str, object]:
        """What is known of an attack before its roll; plain data.

        Raises:
            IllegalStep: there is no such attack now.
        """
        return self.advice_on(self._own(state), question)

    def guide(self, state: GameState, wish: Wish, audience: Audience) -> Guide:
        """The attack assistant for what somebody has in mind, or for the attack that is open.

        Raises:
            UnknownName: a figure is not there.
        """
        return self.guide_for(self._own(state), wish, audience)

    @abstractmethod
    def begin(self, setup: SetupT, options: Mapping[str, str], seed: str) -> StateT:
        """The match of a set-up before its first event.

        Raises:
            BadValue: the set-up contradicts itself.
        """

    @abstractmethod
    def view_of(self, state: StateT, audience: Audience) -> Mapping[str, object]:
        """What an audience may know, built up from what may be shown."""

    @abstractmethod
    def prompts_of(self, state: StateT) -> tuple[Prompt, ...]:
        """What may be done now; a prompt names nothing hidden."""

    @abstractmethod
    def tracker_of(self, state: StateT) -> TrackerView:
        """The initiative order."""

    def ask_about(self, state: StateT, command: Mapping[str, object], field: str, audience: Audience) -> Ask | None:
        """What is the game's own to ask about a field; nothing for a game whose fields say it all by their types."""
        return None

    def panels_of(self, state: StateT, audience: Audience) -> tuple[Panel, ...]:
        """What lies beside the board; nothing for a game that has no cards, scores or stores."""
        return ()

    def reading_of(self, state: StateT, seen: SeenPlace, after: FreeTable) -> SeenAs | None:
        """What a move in a picture is; nothing for a game that is played on cells."""
        return None

    def news_between(self, before: StateT, after: StateT) -> tuple[Said, ...]:
        """What a table that was seen has brought about; nothing for a game that nothing follows from."""
        return ()

    def advice_on(self, state: StateT, question: AttackQuery) -> Mapping[str, object]:
        """What is known of an attack before its roll: the ruling and the range, for a game that tells no odds."""
        ruling = sight_document(state, question.attacker, question.defender) if state.ground else None
        return {"ruling": ruling, "range": question.range if ruling is None else ruling["range"]}

    def guide_for(self, state: StateT, wish: Wish, audience: Audience) -> Guide:
        """The attack assistant: the facts of the table alone, for a game that knows no attacks."""
        return plan_attack(state, wish, lambda: ())

    def _own(self, state: GameState) -> StateT:
        """The state, which is this game's own: it was begun or read by it."""
        assert isinstance(state, self.state_type), f"{type(state).__name__} is no state of this game"
        return state

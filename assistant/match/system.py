"""What a session needs of a game: how a match of it begins, which commands it knows, what it shows."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from inspect import get_annotations
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar, Union, get_args

import msgspec
from msgspec import Struct

from assistant.documents import convert
from assistant.errors import BadValue, InputError
from assistant.match.asks import Ask, Asks, Draft
from assistant.match.audience import AttackQuery, Audience, Goal, Panel
from assistant.match.game import Command, GameState, Prompt, Step, tag_of
from assistant.match.guide import Guide, Wish, plan_attack
from assistant.match.rulings import sight_document
from assistant.match.seen_places import SeenAs, SeenPlace
from assistant.match.setup_fields import find_unknown_fields
from assistant.match.steps import COMMON
from assistant.match.timeline import HISTORY
from assistant.rules.reasons import Rule
from assistant.table.free_table import FreeTable
from assistant.table.tracker import TrackerView
from assistant.translations.messages import Said, said

SetupT = TypeVar("SetupT", bound=Struct)
StateT = TypeVar("StateT", bound=GameState)


class MatchSystem(ABC, Generic[SetupT, StateT]):
    """A game as the session plays it: ``class Night(MatchSystem[NightSetup, NightState])``, made once.

    The two types are read from documents strictly. The steps are found in the module of the game's class and in
    ``modules``; the page lists them in that order.

    Raises:
        TypeError: a step names no rule, or nothing ever offers it.
    """

    modules: ClassVar[tuple[ModuleType, ...]] = ()
    """Where the steps of the game are, besides the module of its class."""

    attack_rules: ClassVar[Mapping[str, Rule]] = {}
    """The rules that the steps of an attack refer to, by their ids."""

    def __init__(self) -> None:
        self.setup_type, self.state_type = _types_of(type(self))
        self.steps = tuple(_find_steps(sys.modules[type(self).__module__], *self.modules))
        self.commands: dict[str, type[Command]] = {
            tag_of(command): command for command in (*HISTORY, *COMMON, *self.steps)
        }
        self.labels: dict[str, Said] = {
            tag_of(one): one.label for one in (*self.steps, *COMMON, *HISTORY) if one.label is not None
        }
        self._asks = {(tag, field): asks for tag, one in self.commands.items() for field, asks in _questions_of(one)}
        for step in self.steps:
            self._require_declared(step)

    def _require_declared(self, step: type[Step[Any]]) -> None:
        """Makes sure that a new step has its rule, and a way for people to give it."""
        if not hasattr(step, "rule"):
            raise TypeError(f"{step.__name__} declares no rule")
        is_prompted = step.prompts.__func__ is not Step.prompts.__func__  # type: ignore[attr-defined]
        if not is_prompted and step.label is None:
            raise TypeError(f"{step.__name__} declares neither prompts nor a label: nobody would ever be offered it")

    def rule_of(self, kind: str) -> Rule:
        """The rule by which a command of that type is allowed or refused."""
        return self.commands[kind].rule

    def is_by_hand(self, kind: str) -> bool:
        """Whether a command of that type sets something right, whatever the rules of the game say."""
        return self.commands[kind].by_hand

    @property
    def has_secrets(self) -> bool:
        """Whether a side has something that only its own devices may show, such as a hand of cards."""
        return any(step.is_secret for step in self.steps)

    def command(self, raw: Mapping[str, object], where: str = "command") -> Command:
        """The command with these fields.

        Raises:
            DocumentError: there is no such command, or a field is wrong.
        """
        if not isinstance(raw.get("type"), str):
            raise BadValue(said("every command names its type"), document=where, field="type")
        command: Command = convert(raw, Union[tuple(self.commands.values())], where)  # noqa: UP007 - made of a list
        return command

    def start(self, setup: Mapping[str, object], options: Mapping[str, str], seed: str) -> StateT:
        """The match before its first event.

        Raises:
            DocumentError: the set-up breaks this game's form.
        """
        return self.begin(convert(setup, self.setup_type, "match set-up"), options, seed)

    def require_mission(self, raw: Mapping[str, object], document: str) -> None:
        """Makes sure that the set-up of a mission has only fields of this game, and fits its box.

        A stored match is not asked: it goes on as it began.

        Raises:
            BadValue: it has another field, or does not fit.
        """
        stray = next(find_unknown_fields(raw, msgspec.inspect.type_info(self.setup_type), "setup"), None)
        if stray is not None:
            text = said("there is no field “{name}”; correct its name or leave it out", name=stray.rpartition(".")[2])
            raise BadValue(text, document=document, field=stray)
        try:
            setup: SetupT = convert(raw, self.setup_type, document)
        except InputError:
            return  # the check at the beginning of the match names what is missing
        self.check_setup(setup, document)

    def check_setup(self, setup: SetupT, document: str, /) -> None:
        """Makes sure that the set-up of a new mission fits the box of the game.

        Raises:
            BadValue: it does not.
        """

    def state_from(self, raw: Mapping[str, object]) -> StateT:
        """The state that was written as plain data.

        Raises:
            msgspec.ValidationError: it is none of this game.
        """
        state: StateT = msgspec.convert(raw, self.state_type)
        return state

    @abstractmethod
    def begin(self, setup: SetupT, options: Mapping[str, str], seed: str, /) -> StateT:
        """The match of a set-up before its first event.

        Raises:
            BadValue: the set-up contradicts itself.
        """

    @abstractmethod
    def view(self, state: StateT, audience: Audience, /) -> Mapping[str, object]:
        """What an audience may know of the match, beside what all games tell; plain data, ready to be sent.

        ``figures`` is a list that every game has: each with ``id``, ``kind``, ``side``, ``on_table`` and ``marks``, and
        with ``health`` and ``wounds`` (or ``damage``), from which the page draws its bar.
        """

    @abstractmethod
    def tracker(self, state: StateT, /) -> TrackerView:
        """The initiative order as the strip and the page show it."""

    def prompts(self, state: StateT) -> tuple[Prompt, ...]:
        """Every prompt of its steps at this moment, the most urgent first."""
        found = [prompt for step in self.steps for prompt in step.prompts(state)]
        return tuple(sorted(found, key=lambda prompt: -prompt.urgency))

    def ask(self, state: StateT, command: Mapping[str, Any], field: str, audience: Audience) -> Ask | None:
        """The game's own question about a field of a command; None where the type of the field says it all.

        Args:
            state: the match.
            command: its type and the fields that are chosen so far.
            field: the field; it may be chosen already, which matters to questions that go on.
            audience: the reader; nothing that is hidden from it may be an answer.
        """
        asks = self._asks.get((str(command["type"]), field))
        return None if asks is None else asks.question(Draft(state, command, audience))

    def panels(self, state: StateT, audience: Audience, /) -> tuple[Panel, ...]:
        """What lies beside the board, as far as this audience may see it."""
        return ()

    def goals(self, state: StateT, /) -> tuple[Goal, ...]:
        """How each side wins, as everybody may know it."""
        return ()

    def read_move(self, state: StateT, seen: SeenPlace, after: FreeTable, /) -> SeenAs | None:
        """The command for a move that a picture of a table without cells shows; None for one that is no play.

        Args:
            state: the match, with the figure where it stood.
            seen: where the picture shows it.
            after: the whole table of the picture, under the names of the match.
        """
        return None

    def tell_news(self, before: StateT, after: StateT, /) -> tuple[Said, ...]:
        """What follows by itself from a table that was seen, and has to be said at once."""
        return ()

    def advise(self, state: StateT, question: AttackQuery, /) -> Mapping[str, object]:
        """The facts of an attack before its roll, as plain data: the ruling and the range, and odds if it knows such.

        Raises:
            IllegalStep: there is no such attack now.
        """
        ruling = sight_document(state, question.attacker, question.defender) if state.ground else None
        return {"ruling": ruling, "range": question.range if ruling is None else ruling["range"]}

    def guide(self, state: StateT, wish: Wish, audience: Audience, /) -> Guide:
        """The attack assistant for an attack that somebody has in mind, or for the attack that is open.

        Raises:
            UnknownName: a figure is not there.
        """
        return plan_attack(state, wish, lambda: ())


def _types_of(system: type[MatchSystem[Any, Any]]) -> tuple[type[Any], type[Any]]:
    """The set-up and the state that a game's class names between its brackets."""
    for base in system.__orig_bases__:  # type: ignore[attr-defined]
        setup_and_state = get_args(base)
        if len(setup_and_state) == 2:
            return setup_and_state[0], setup_and_state[1]
    raise TypeError(f"{system.__name__} does not name its set-up and its state: MatchSystem[Setup, State]")


def _find_steps(*modules: ModuleType) -> Iterator[type[Step[Any]]]:
    """The steps that these modules define, in their order.

    A class that gives no tag of its own has its name for one: it is a base of others.
    """
    for module in modules:
        for found in vars(module).values():
            is_own = isinstance(found, type) and found.__module__ == module.__name__
            if is_own and issubclass(found, Step) and tag_of(found) != found.__name__:
                yield found


def _questions_of(command: type[Command]) -> Iterator[tuple[str, Asks]]:
    # Class by class, since a lambda in an annotation finds its names only in the module that it is written in.
    for one in reversed(command.__mro__):
        for field, hint in get_annotations(one, eval_str=True).items() if issubclass(one, Command) else ():
            yield from ((field, extra) for extra in get_args(hint)[1:] if isinstance(extra, Asks))

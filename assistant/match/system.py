"""The interface from a game to a session: how a match begins, its commands, its views."""

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
    """A game from the session's side: ``class Night(MatchSystem[NightSetup, NightState])``, with one instance.

    Documents of the two types are read strictly. Steps come from the module of the game's class and from ``modules``.
    The page lists them in that order.

    Raises:
        TypeError: a step declares no rule, or has neither prompts nor a label.
    """

    modules: ClassVar[tuple[ModuleType, ...]] = ()
    """Modules with steps of the game, besides the module of its class."""

    attack_rules: ClassVar[Mapping[str, Rule]] = {}
    """The rules that the steps of an attack refer to, by id."""

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
        """Require that a step has its rule, and prompts or a label to offer it by."""
        if not hasattr(step, "rule"):
            raise TypeError(f"{step.__name__} declares no rule")
        is_prompted = step.prompts.__func__ is not Step.prompts.__func__  # type: ignore[attr-defined]
        if not is_prompted and step.label is None:
            raise TypeError(f"{step.__name__} declares neither prompts nor a label: nobody would ever be offered it")

    def rule_of(self, kind: str) -> Rule:
        """Return the rule that allows or refuses commands of that type."""
        return self.commands[kind].rule

    def is_by_hand(self, kind: str) -> bool:
        """Return whether a command of that type is a correction, whatever the rules of the game say."""
        return self.commands[kind].by_hand

    @property
    def has_secrets(self) -> bool:
        """Whether a side has secrets that only its own devices may show, such as a hand of cards."""
        return any(step.is_secret for step in self.steps)

    def command(self, raw: Mapping[str, object], where: str = "command") -> Command:
        """Return the command with these fields.

        Raises:
            DocumentError: there is no such command, or a field is wrong.
        """
        if not isinstance(raw.get("type"), str):
            raise BadValue(said("every command names its type"), document=where, field="type")
        command: Command = convert(raw, Union[tuple(self.commands.values())], where)  # noqa: UP007 - made of a list
        return command

    def start(self, setup: Mapping[str, object], options: Mapping[str, str], seed: str) -> StateT:
        """Return the match before its first event.

        Raises:
            DocumentError: the set-up breaks this game's form.
        """
        return self.begin(convert(setup, self.setup_type, "match set-up"), options, seed)

    def require_mission(self, raw: Mapping[str, object], document: str) -> None:
        """Require that a mission's set-up has only fields of this game, and fits its box.

        A stored match skips this check.

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
        """Require that a new mission's set-up fits the box of the game.

        Raises:
            BadValue: it does not.
        """

    def state_from(self, raw: Mapping[str, object]) -> StateT:
        """Return the state from plain data.

        Raises:
            msgspec.ValidationError: it is no state of this game.
        """
        state: StateT = msgspec.convert(raw, self.state_type)
        return state

    @abstractmethod
    def begin(self, setup: SetupT, options: Mapping[str, str], seed: str, /) -> StateT:
        """Return the match of a set-up before its first event.

        Raises:
            BadValue: the set-up contradicts itself.
        """

    @abstractmethod
    def view(self, state: StateT, audience: Audience, /) -> Mapping[str, object]:
        """Return what an audience may know of the match, besides the facts common to all games, as plain data.

        Every game has the list ``figures``. Each entry has ``id``, ``kind``, ``side``, ``on_table`` and ``marks``, and
        ``health`` with ``wounds`` (or ``damage``) for the page's bar.
        """

    @abstractmethod
    def tracker(self, state: StateT, /) -> TrackerView:
        """Return the initiative order for the strip and the page."""

    def prompts(self, state: StateT) -> tuple[Prompt, ...]:
        """Return all prompts of its steps at this moment, the most urgent first."""
        found = [prompt for step in self.steps for prompt in step.prompts(state)]
        return tuple(sorted(found, key=lambda prompt: -prompt.urgency))

    def ask(self, state: StateT, command: Mapping[str, Any], field: str, audience: Audience) -> Ask | None:
        """Return the game's own question about a field of a command, or None if the field's type is enough.

        Args:
            state: the match.
            command: its type and the fields chosen so far.
            field: the field. It may be chosen already, for questions that go on.
            audience: the reader; answers must not reveal what is hidden from it.
        """
        asks = self._asks.get((str(command["type"]), field))
        return None if asks is None else asks.question(Draft(state, command, audience))

    def panels(self, state: StateT, audience: Audience, /) -> tuple[Panel, ...]:
        """Return the panels beside the board, as far as this audience may see them."""
        return ()

    def goals(self, state: StateT, /) -> tuple[Goal, ...]:
        """Return each side's public winning conditions."""
        return ()

    def read_move(self, state: StateT, seen: SeenPlace, after: FreeTable, /) -> SeenAs | None:
        """Return the command for a move in a picture of a table without cells, or None if it is no play.

        Args:
            state: the match, with the figure where it stood.
            seen: where the picture shows it.
            after: the whole table of the picture, under the names of the match.
        """
        return None

    def tell_news(self, before: StateT, after: StateT, /) -> tuple[Said, ...]:
        """Return the immediate consequences of a newly seen table that people need to know."""
        return ()

    def advise(self, state: StateT, question: AttackQuery, /) -> Mapping[str, object]:
        """Return an attack's facts before its roll, as plain data: ruling, range, and odds if the game has them.

        Raises:
            IllegalStep: this attack is impossible now.
        """
        ruling = sight_document(state, question.attacker, question.defender) if state.ground else None
        return {"ruling": ruling, "range": question.range if ruling is None else ruling["range"]}

    def guide(self, state: StateT, wish: Wish, audience: Audience, /) -> Guide:
        """Return the attack assistant for an attack that somebody considers, or for the open attack.

        Raises:
            UnknownName: there is no such figure.
        """
        return plan_attack(state, wish, lambda: ())


def _types_of(system: type[MatchSystem[Any, Any]]) -> tuple[type[Any], type[Any]]:
    """Return the set-up and state types in the brackets of a game's base class."""
    for base in system.__orig_bases__:  # type: ignore[attr-defined]
        setup_and_state = get_args(base)
        if len(setup_and_state) == 2:
            return setup_and_state[0], setup_and_state[1]
    raise TypeError(f"{system.__name__} does not name its set-up and its state: MatchSystem[Setup, State]")


def _find_steps(*modules: ModuleType) -> Iterator[type[Step[Any]]]:
    """Yield the steps that these modules define, in order.

    A class without a tag of its own is a base of others and is left out.
    """
    for module in modules:
        for found in vars(module).values():
            is_own = isinstance(found, type) and found.__module__ == module.__name__
            if is_own and issubclass(found, Step) and tag_of(found) != found.__name__:
                yield found


def _questions_of(command: type[Command]) -> Iterator[tuple[str, Asks]]:
    # Class by class, because a lambda in an annotation resolves names only in its own module.
    for one in reversed(command.__mro__):
        for field, hint in get_annotations(one, eval_str=True).items() if issubclass(one, Command) else ():
            yield from ((field, extra) for extra in get_args(hint)[1:] if isinstance(extra, Asks))

"""The three systems under one shape: how a match of each begins, which commands it knows, what it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Union

from msgspec import Struct

from assistant.documents import converted
from assistant.errors import BadValue, UnknownName
from assistant.match.game import Game
from assistant.match.guide import Guide, Wish
from assistant.match.header import Header
from assistant.match.steps import COMMON
from assistant.match.timeline import Command, Note, Pause, Redo, Resume, Rewind, SetLimits, Wake
from assistant.match.views import Audience, Prompt, Question
from assistant.rules.reasons import Rule
from assistant.table.tracker import TrackerView
from assistant.translations.messages import said

HISTORY: tuple[type[Struct], ...] = (Rewind, Redo, Pause, Resume, SetLimits, Wake, Note)


@dataclass(frozen=True)
class System:
    """One system as the session needs it; ``view``, ``prompts`` and ``tracker`` read the game of this system."""

    ruleset: str
    setup: type[Struct]
    game: type[Game]
    steps: tuple[type[Struct], ...]
    begin: Callable[[Any, Mapping[str, str], str], Game]
    view: Callable[[Any, Audience], dict[str, Any]]
    prompts: Callable[[Any], tuple[Prompt, ...]]
    tracker: Callable[[Any], TrackerView]
    advise: Callable[[Any, Question], dict[str, Any]]
    guide: Callable[[Any, Wish, Audience], Guide]
    attack_rules: Mapping[str, Rule]

    @cached_property
    def _commands(self) -> Any:
        return Union[(*HISTORY, *COMMON, *self.steps)]

    @property
    def command_types(self) -> tuple[type[Struct], ...]:
        """Every command that this system knows."""
        return (*HISTORY, *COMMON, *self.steps)

    def start(self, header: Header) -> Game:
        """The match before its first event.

        Raises:
            DocumentError: the set-up in the header breaks this system's form.
        """
        setup = converted(header.setup, self.setup, "match set-up")
        return self.begin(setup, header.options, header.seed)

    def command(self, raw: Mapping[str, Any], where: str = "command") -> Command:
        """The command with these fields.

        Raises:
            DocumentError: there is no such command, or a field is wrong.
        """
        if not isinstance(raw.get("type"), str):
            raise BadValue(said("every command names its type"), document=where, field="type")
        command: Command = converted(raw, self._commands, where)
        return command


SYSTEMS: Mapping[str, str] = {
    "doom2016": "assistant.games.doom2016.match",
    "doom2004": "assistant.games.doom2004.match",
    "roads": "assistant.games.roads.match",
}
"""Where each system is implemented; it is imported when it is asked for."""


def system_of(ruleset: str) -> System:
    """The system of that name.

    Raises:
        UnknownName: there is none.
    """
    if ruleset not in SYSTEMS:
        raise UnknownName(
            said("there is no rule set “{name}”; there are: {known}", name=ruleset, known=", ".join(SYSTEMS))
        )
    system: System = import_module(SYSTEMS[ruleset]).SYSTEM
    return system

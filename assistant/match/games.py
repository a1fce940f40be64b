"""Which games there are: one folder each, found by the entry points of the group ``sightline.games``.

An entry point bears the game's id and leads to its `Game`. The rules are loaded with it, the match and the odds when
somebody asks for them, so that one ruling costs the import of one rule set. Nothing else in the program names a game.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module, resources
from importlib.metadata import EntryPoint, entry_points
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any, Literal

from assistant.errors import CannotDo, UnknownName
from assistant.rules.capabilities import CAPABILITIES
from assistant.rules.ruleset import AnyRules, CellRules, FreeRules
from assistant.translations.messages import Said, as_told, said

if TYPE_CHECKING:
    from assistant.documents.tables import OddsTables
    from assistant.match.system import MatchSystem

GROUP = "sightline.games"

TableKind = Literal["cells", "free"]

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class DemoTable:
    """What the simulated table shows as a game's own.

    Args:
        mission: the mission that is played on it.
        seed: from which its tiles, its board and its places are made; None for a table that no camera watches.
        names: kind and side of each kind of figure: five small ones in the order of the sample's, then a large one.
        presses: how often whoever leads through the match goes on before visitors come: until somebody may move.
    """

    mission: str
    seed: int | None = None
    names: tuple[tuple[str, str], ...] = ()
    presses: int = 1


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game as the program knows it.

    Args:
        title: the name of its box.
        package: the package whose folders ``missions``, ``samples`` and ``translations`` belong to it, if it has them.
        rule_set: its rules; what they can be asked follows from what they derive from.
        match: where in its package the `MatchSystem` of it is, such as ``match:SYSTEM``; empty if it is only ruled on.
        odds: where the class of its tables of dice is (`OddsTables`), which tells odds by them; empty without such.
        demo: what the simulated table shows of it, if it can be shown there.
        place: where it stands in lists; games of one place stand by their ids.
    """

    title: str
    package: str
    rule_set: type[CellRules] | type[FreeRules]
    match: str = ""
    odds: str = ""
    demo: DemoTable | None = None
    place: int = 100

    @property
    def id(self) -> str:
        """The name by which documents, commands and the ids of rules call it."""
        return self.rule_set.name

    @property
    def table(self) -> TableKind:
        """Whether it is played on cells or on a free table."""
        return "cells" if issubclass(self.rule_set, CellRules) else "free"

    @property
    def abilities(self) -> tuple[str, ...]:
        """What it can be asked besides rulings, and whether odds and matches of it are known."""
        asked = [name for name, ability in CAPABILITIES.items() if issubclass(self.rule_set, ability)]
        has_secrets = bool(self.match) and self.match_system().has_secrets
        known = {"odds": bool(self.odds), "match": bool(self.match), "hidden hands": has_secrets}
        return (*asked, *(name for name, holds in known.items() if holds))

    def rules(self, options: Mapping[str, str] | None = None) -> AnyRules:
        """Its rules under the house's options.

        Raises:
            UnknownName: it has no such option, or the option no such choice.
        """
        return self.rule_set(options)

    def match_system(self) -> MatchSystem[Any, Any]:
        """The system of its matches, imported when it is first asked for; `match` must name one."""
        system: MatchSystem[Any, Any] = self._load(self.match)
        return system

    def odds_tables(self) -> type[OddsTables]:
        """The class that reads its tables of dice, imported when it is first asked for; `odds` must name one."""
        tables: type[OddsTables] = self._load(self.odds)
        return tables

    def _load(self, place: str) -> Any:
        module, _, name = place.partition(":")
        return getattr(import_module(f"{self.package}.{module}"), name)

    def files(self, folder: str, ending: str) -> Mapping[str, Traversable]:
        """The files of one of its folders by their names without the ending; none without the folder."""
        place = resources.files(self.package) / folder
        entries = place.iterdir() if place.is_dir() else ()
        return {entry.name.removesuffix(ending): entry for entry in entries if entry.name.endswith(ending)}


def game_named(name: str) -> Game:
    """The game with that id.

    Raises:
        UnknownName: there is none.
        CannotDo: it cannot be loaded, or two packages bring a game of that id.
    """
    if name not in _entry_points():
        raise UnknownName(
            said(
                "there is no rule set “{name}”; there are: {known}",
                name=name,
                known=", ".join(game.id for game in games()),
            )
        )
    return _loaded(name)


@cache
def games() -> tuple[Game, ...]:
    """Every game that can be loaded, by place and id; the log tells of each that cannot."""
    found = []
    for name in _entry_points():
        try:
            found.append(_loaded(name))
        except CannotDo as problem:
            logger.warning("%s", problem)
    return tuple(sorted(found, key=lambda game: (game.place, game.id)))


def rule_set(name: str, options: Mapping[str, str] | None = None) -> AnyRules:
    """The rules of the game with that id under the house's options.

    Raises:
        UnknownName: there is no such game, it has no such option, or the option no such choice.
        CannotDo: the game cannot be loaded.
    """
    return game_named(name).rules(options)


def system_of(name: str) -> MatchSystem[Any, Any]:
    """What keeps a match of the game with that id.

    Raises:
        UnknownName: there is no such game, or no match of it is kept.
        CannotDo: the game cannot be loaded.
    """
    game = game_named(name)
    if not game.match:
        known = ", ".join(other.id for other in games() if other.match)
        raise UnknownName(
            said("“{name}” is ruled on, but no match of it can be kept; choose one of {known}", name=name, known=known)
        )
    return game.match_system()


@cache
def _entry_points() -> Mapping[str, tuple[EntryPoint, ...]]:
    """The entry points of each id; several are a fault that is told when the game is wanted."""
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for point in entry_points(group=GROUP):
        found[point.name] = (*found.get(point.name, ()), point)
    return found


@cache
def _loaded(name: str) -> Game:
    point, *others = _entry_points()[name]
    if others:
        packages = " and ".join(sorted(_package(each) for each in (point, *others)))
        raise CannotDo(
            said(
                "the packages {packages} bring a game “{name}” each; remove all but one of them",
                packages=packages,
                name=name,
            )
        )
    try:
        game = point.load()
    except (ImportError, AttributeError, TypeError, SyntaxError) as problem:
        # What is missing, or was written for another version of this program; any other error is a bug of the game.
        raise CannotDo(_broken(point, as_told(str(problem)))) from None
    if not isinstance(game, Game):
        raise CannotDo(_broken(point, said("{place} is no game", place=point.value)))
    if game.id != name:
        raise CannotDo(_broken(point, said("its rules are called “{name}”", name=game.id)))
    return game


def _broken(point: EntryPoint, why: Said) -> Said:
    return said(
        "the game “{name}” of the package {package} cannot be loaded ({why}); "
        "bring that package up to date or remove it",
        name=point.name,
        package=_package(point),
        why=why,
    )


def _package(point: EntryPoint) -> str:
    return point.value.partition(":")[0] if point.dist is None else point.dist.name

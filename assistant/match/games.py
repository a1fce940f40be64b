"""The installed games: one folder each, found by the entry points of the group ``sightline.games``.

An entry point has the game's id and leads to its `Game`. That loads the rules. Match and odds load on first use, so
that one ruling costs the import of one rule set. Nothing else in the program names a game.
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

from assistant.documents.tables import OddsTables, tables_head
from assistant.errors import BadValue, CannotDo, UnknownName
from assistant.rules.capabilities import CAPABILITIES
from assistant.rules.ruleset import AnyRules, CellRules, FreeRules
from assistant.translations.messages import Said, said, verbatim

if TYPE_CHECKING:
    from assistant.match.system import MatchSystem

GROUP = "sightline.games"

TableKind = Literal["cells", "free"]

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class DemoTable:
    """The simulated table of a game.

    Args:
        mission: its mission.
        seed: the seed of its tiles, board and places, or None for a table without a camera.
        names: kind and side per kind of figure: five small ones in the sample's order, then a large one.
        presses: number of steps that the demo takes in advance, until somebody may move.
    """

    mission: str
    seed: int | None = None
    names: tuple[tuple[str, str], ...] = ()
    presses: int = 1


@dataclass(frozen=True, kw_only=True)
class Game:
    """The descriptor of a game.

    Args:
        title: the name on its box.
        package: the package, with its folders ``missions``, ``samples`` and ``translations`` if any.
        rule_set: its rules; their base classes state their abilities.
        match: the place of its `MatchSystem` in its package, such as ``match:SYSTEM``, or empty for rulings only.
        odds: the place of its `OddsTables` class, which computes odds from dice tables, or empty without odds.
        demo: its simulated table, if it has one.
        place: its place in lists; games with the same place are sorted by id.
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
        """Its name in documents, commands and the ids of rules."""
        return self.rule_set.name

    @property
    def table(self) -> TableKind:
        return "cells" if issubclass(self.rule_set, CellRules) else "free"

    @property
    def abilities(self) -> tuple[str, ...]:
        """The names of its abilities besides rulings, with odds, matches and hidden hands."""
        asked = [name for name, ability in CAPABILITIES.items() if issubclass(self.rule_set, ability)]
        has_secrets = bool(self.match) and self.match_system().has_secrets
        known = {"odds": bool(self.odds), "match": bool(self.match), "hidden hands": has_secrets}
        return (*asked, *(name for name, holds in known.items() if holds))

    def rules(self, options: Mapping[str, str] | None = None) -> AnyRules:
        """Return its rules under the house's options.

        Raises:
            UnknownName: it has no such option, or the option no such choice.
        """
        return self.rule_set(options)

    def match_system(self) -> MatchSystem[Any, Any]:
        """Return its match system, imported on first use; `match` must name one."""
        system: MatchSystem[Any, Any] = self._load(self.match)
        return system

    def odds_tables(self) -> type[OddsTables]:
        """Return the class that reads its dice tables, imported on first use; `odds` must name one."""
        tables: type[OddsTables] = self._load(self.odds)
        return tables

    def _load(self, place: str) -> Any:
        module, _, name = place.partition(":")
        return getattr(import_module(f"{self.package}.{module}"), name)

    def files(self, folder: str, ending: str) -> Mapping[str, Traversable]:
        """Return the files in one of its folders, by name without the ending, or none without the folder."""
        place = resources.files(self.package) / folder
        entries = place.iterdir() if place.is_dir() else ()
        return {entry.name.removesuffix(ending): entry for entry in entries if entry.name.endswith(ending)}


def game_named(name: str) -> Game:
    """Return the game with that id.

    Raises:
        UnknownName: there is none.
        CannotDo: it cannot be loaded, or two packages provide a game of that id.
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
    """Return every game that loads, by place and id. The log names the others."""
    found = []
    for name in _entry_points():
        try:
            found.append(_loaded(name))
        except CannotDo as problem:
            logger.warning("%s", problem)
    return tuple(sorted(found, key=lambda game: (game.place, game.id)))


def rule_set(name: str, options: Mapping[str, str] | None = None) -> AnyRules:
    """Return the rules of the game with that id under the house's options.

    Raises:
        UnknownName: there is no such game, it has no such option, or the option no such choice.
        CannotDo: the game cannot be loaded.
    """
    return game_named(name).rules(options)


def system_of(name: str) -> MatchSystem[Any, Any]:
    """Return the system for matches of the game with that id.

    Raises:
        UnknownName: there is no such game, or it has no matches.
        CannotDo: the game cannot be loaded.
    """
    game = game_named(name)
    if not game.match:
        known = ", ".join(other.id for other in games() if other.match)
        raise UnknownName(said("“{name}” has rules but no matches; choose one of {known}", name=name, known=known))
    return game.match_system()


def tables_from_toml(data: bytes, document: str = "tables") -> tuple[str, OddsTables]:
    """Return the game of a ``sightline.tables/1`` file by its id, and the tables as that game reads them.

    Raises:
        DocumentError: the file breaks its format; the field at fault is named.
    """
    named, raw = tables_head(data, document)
    known = {game.id: game for game in games() if game.odds}
    if named not in known:
        raise BadValue(said("must be one of: {known}", known=", ".join(known)), document=document, field="game")
    return named, known[named].odds_tables().read(raw, document)


@cache
def _entry_points() -> Mapping[str, tuple[EntryPoint, ...]]:
    """Return the entry points of each id. Several for one id are an error once somebody asks for the game."""
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
        # The package is incomplete, or made for another version of this program. Any other error is a bug of the game.
        raise CannotDo(_broken(point, verbatim(str(problem)))) from None
    if not isinstance(game, Game):
        raise CannotDo(_broken(point, said("{place} is not a game", place=point.value)))
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

"""The fighters of “Roads of the Apocalypse” in a file of tables, and the odds of their fights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self, get_args

from msgspec.structs import asdict

from assistant.documents import convert
from assistant.documents.odds import OddsQuery, odds_document
from assistant.documents.tables import Count, Head, Named, OddsQuestion, OddsTables, Row, named_rows
from assistant.games.roads.rules.melee import Condition, Fighter
from assistant.games.roads.rules.melee_odds import mean_hits, melee_odds
from assistant.table.fields import Name

CONDITIONS: tuple[Condition, ...] = get_args(Condition)


class _FighterWire(Row, kw_only=True):
    mobility: Count
    toughness: Count
    combat: Count
    wounds: Count = 0
    dice: Count = 1
    weapons: tuple[Name, ...] = ("fists",)
    conditions: frozenset[Condition] = frozenset()


class _Wire(Head, kw_only=True):
    fighters: tuple[_FighterWire, ...] = ()


@dataclass(frozen=True)
class TablesRoads(OddsTables):
    """The fighters of “Roads of the Apocalypse” and the odds between them."""

    attack_words: ClassVar[frozenset[str]] = frozenset(CONDITIONS)
    target_words: ClassVar[frozenset[str]] = frozenset(CONDITIONS)

    fighters: Named[Fighter]

    @classmethod
    def read(cls, raw: Mapping[str, object], document: str) -> Self:
        wire: _Wire = convert(raw, _Wire, document)
        return cls(wire.sample, named_rows("fighter", "fighters", wire.fighters, _fighter, document))

    def odds(self, question: OddsQuestion) -> Mapping[str, object]:
        attacker, defender = self.fighters[question.attack], self.fighters[question.target]
        # Both may come from the same row, so their roles name them.
        attacker = replace(attacker, name="attacker", conditions=attacker.conditions | _conditions(question.attack_is))
        defender = replace(defender, name="target", conditions=defender.conditions | _conditions(question.target_is))
        found = melee_odds(attacker, defender, question.options)
        measures = {f"mean_hits_of_{name}": mean_hits(found, name) for name in ("attacker", "target")}
        asked = OddsQuery("roads", question.attack, question.target, self.is_sample)
        return odds_document(asked, found, lambda outcome: {"winner": outcome[0], "hits": outcome[1]}, measures)


def _conditions(words: frozenset[str]) -> frozenset[Condition]:
    return frozenset(condition for condition in CONDITIONS if condition in words)


def _fighter(row: _FighterWire) -> Fighter:
    values = asdict(row)
    del values["source"]
    return Fighter(**values)

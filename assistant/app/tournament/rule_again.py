"""Computes a ruling from the documents of its table, for a call and again for every check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from assistant.app.live.table_words import plane_words_of, words_of
from assistant.documents import (
    FREE_TABLE_FORMAT,
    convert,
    format_of,
    free_sighting_from_json,
    observation_from_json,
    ruling_document,
)
from assistant.errors import UnknownName
from assistant.match.games import rule_set
from assistant.rules.flips import add_flips
from assistant.rules.free_flips import judge_free_stability
from assistant.rules.reasons import word_ruling
from assistant.rules.ruleset import CellRules, FreeRules
from assistant.rules.ruling import Ruling
from assistant.rules.stability import judge_stability
from assistant.table.doubt import DoubtfulBoard
from assistant.table.free_sighting import FreeSighting
from assistant.translations.catalogue import ENGLISH
from assistant.translations.messages import said

FrozenTable = DoubtfulBoard | FreeSighting
"""A frozen table, of cells or without a grid, with its doubts."""


class AskedAttack(Struct, frozen=True):
    """The question of a ``sightline.ruling/1`` document."""

    ruleset: str
    attacker: str
    defender: str
    options: dict[str, str]


def read_table(data: bytes, document: str) -> FrozenTable:
    """Read an observation or a table without a grid, with its doubts.

    Raises:
        DocumentError: a document breaks its format.
        BoardError: the parts of the board contradict each other.
    """
    if format_of(data) == FREE_TABLE_FORMAT:
        return free_sighting_from_json(data, document)
    return observation_from_json(data, document).table


def rule_again(asked: AskedAttack, table: FrozenTable) -> dict[str, Any]:
    """Rule on one attack, and return its ``sightline.ruling/1`` document in English, as decoded JSON.

    Raises:
        UnknownName: there is no such game for this kind of table, no such option, or no such figure on the table.
    """
    rules, ruling = _rule_on(asked, table)
    worded = word_ruling(ruling, rules.rules, ENGLISH)
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(ruling_document(worded, rules.rules)))
    return document


def asked_of(ruling: Mapping[str, Any]) -> AskedAttack:
    """Return the question of a ``sightline.ruling/1`` document.

    Raises:
        DocumentError: the question is missing.
    """
    asked: AskedAttack = convert(ruling, AskedAttack, "ruling")
    return asked


def worded_again(ruling: Mapping[str, Any], data: bytes, language: str) -> Ruling:
    """Recompute a document's ruling from its table, worded as on the page.

    Raises:
        InputError: it cannot be computed.
    """
    table = read_table(data, "ruling")
    rules, found = _rule_on(asked_of(ruling), table)
    if isinstance(rules, CellRules) and isinstance(table, DoubtfulBoard):
        return word_ruling(found, rules.rules, language, words_of(rules, table, language))
    if isinstance(rules, FreeRules) and isinstance(table, FreeSighting):
        return word_ruling(found, rules.rules, language, plane_words_of(rules, table.table, language))
    return word_ruling(found, rules.rules, language)


def _rule_on(asked: AskedAttack, table: FrozenTable) -> tuple[CellRules | FreeRules, Ruling]:
    rules = rule_set(asked.ruleset, asked.options)
    pair = asked.attacker, asked.defender
    if isinstance(table, FreeSighting):
        if not isinstance(rules, FreeRules):
            raise UnknownName(said("“{name}” is not played without a grid", name=asked.ruleset))
        return rules, judge_free_stability(rules, table, rules.rule(table.table, *pair))
    if not isinstance(rules, CellRules):
        raise UnknownName(said("“{name}” is not played on cells", name=asked.ruleset))
    ruling = judge_stability(rules.verdict, table, rules.rule(table.board, *pair), only_hinders=rules.only_hinders)
    if ruling.stability < 1:
        ruling = add_flips(rules.verdict, table, ruling)
    return rules, ruling

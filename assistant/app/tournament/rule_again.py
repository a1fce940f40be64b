"""A ruling from the documents of its table: what is frozen at a call, and what anybody can compute again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from assistant.app.live.table_words import words_of
from assistant.documents import convert, observation_from_json, ruling_document
from assistant.errors import UnknownName
from assistant.match.games import rule_set
from assistant.rules.doubtful import add_flips, judge_stability
from assistant.rules.reasons import word_ruling
from assistant.rules.ruleset import CellRules
from assistant.rules.ruling import Ruling
from assistant.table.doubt import DoubtfulBoard
from assistant.translations.catalogue import ENGLISH
from assistant.translations.messages import said


class AskedAttack(Struct, frozen=True):
    """What a ``sightline.ruling/1`` document says was asked."""

    ruleset: str
    attacker: str
    defender: str
    options: dict[str, str]


def read_table(observation: bytes, document: str) -> DoubtfulBoard:
    """The table of an observation, with what it leaves open.

    Raises:
        DocumentError: a document breaks its format.
        BoardError: the parts of the board contradict each other.
    """
    seen = observation_from_json(observation, document)
    return DoubtfulBoard(seen.board, seen.doubts, seen.ground_doubts)


def rule_again(asked: AskedAttack, table: DoubtfulBoard) -> dict[str, Any]:
    """The ``sightline.ruling/1`` document of one attack, in English, in the types in which JSON is read back.

    Raises:
        UnknownName: there is no such game on cells, no such option, or no such figure on the table.
    """
    rules = _rules(asked)
    ruling = word_ruling(_ruled(rules, asked, table), rules.rules, ENGLISH)
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(ruling_document(ruling, rules.rules)))
    return document


def asked_of(ruling: Mapping[str, Any]) -> AskedAttack:
    """What a ``sightline.ruling/1`` document says was asked.

    Raises:
        DocumentError: it does not say.
    """
    asked: AskedAttack = convert(ruling, AskedAttack, "ruling")
    return asked


def worded_again(ruling: Mapping[str, Any], observation: bytes, language: str) -> Ruling:
    """The ruling of a document, computed from the documents of its table and told as a page tells it.

    Raises:
        InputError: it cannot be computed.
    """
    asked = asked_of(ruling)
    rules, table = _rules(asked), read_table(observation, "ruling")
    return word_ruling(_ruled(rules, asked, table), rules.rules, language, words_of(rules, table, language))


def _rules(asked: AskedAttack) -> CellRules:
    rules = rule_set(asked.ruleset, asked.options)
    if not isinstance(rules, CellRules):
        raise UnknownName(said("“{name}” is not played on cells", name=asked.ruleset))
    return rules


def _ruled(rules: CellRules, asked: AskedAttack, table: DoubtfulBoard) -> Ruling:
    plain = rules.rule(table.board, asked.attacker, asked.defender)
    ruling = judge_stability(rules.verdict, table, plain, only_hinders=rules.only_hinders)
    if ruling.stability < 1:
        ruling = add_flips(rules.verdict, table, ruling)
    return ruling

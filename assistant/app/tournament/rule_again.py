"""A ruling from the documents of its table: what is frozen at a call, and what anybody can compute again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from assistant.documents import board_from_json, observation_from_json, ruling_document
from assistant.errors import UnknownName
from assistant.match.games import rule_set
from assistant.rules.doubtful import add_flips, judge_stability
from assistant.rules.reasons import word_ruling
from assistant.rules.ruleset import CellRules
from assistant.table.doubt import DoubtfulBoard
from assistant.translations.catalogue import ENGLISH
from assistant.translations.messages import said


def read_table(observation: bytes, board: bytes | None, document: str) -> DoubtfulBoard:
    """The table of an observation, as a person set it right, if anybody did.

    Raises:
        DocumentError: a document breaks its format.
        BoardError: the parts of the board contradict each other.
    """
    seen = observation_from_json(observation, document)
    table = DoubtfulBoard(seen.board, seen.doubts, seen.ground_doubts)
    return table if board is None else table.corrected(board_from_json(board, document))


def rule_again(
    ruleset: str, options: Mapping[str, str], table: DoubtfulBoard, attacker: str, defender: str
) -> dict[str, Any]:
    """The ``sightline.ruling/1`` document of one attack, in English, in the types in which JSON is read back.

    Raises:
        UnknownName: there is no such game on cells, no such option, or no such figure on the table.
    """
    rules = rule_set(ruleset, options)
    if not isinstance(rules, CellRules):
        raise UnknownName(said("“{name}” is not played on cells", name=ruleset))
    plain = rules.rule(table.board, attacker, defender)
    ruling = judge_stability(rules.verdict, table, plain, only_hinders=rules.only_hinders)
    if ruling.stability < 1:
        ruling = add_flips(rules.verdict, table, ruling)
    worded = word_ruling(ruling, rules.rules, ENGLISH)
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(ruling_document(worded, rules.rules)))
    return document

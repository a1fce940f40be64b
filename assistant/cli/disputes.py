"""Classic disputes as illustrated pages: a table, two players' question, its answer and the rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import msgspec

from assistant.app.live.table_words import plane_words_of, words_of
from assistant.documents import (
    board_document,
    claim_document,
    free_table_document,
    free_table_from_json,
    ruling_document,
    to_json,
)
from assistant.kept_files import write_file
from assistant.match.games import Game, games
from assistant.rules.claims import About, settle_claims
from assistant.rules.reasons import Say, word_ruling
from assistant.rules.ruleset import CellRules, FreeRules, RuleSet
from assistant.table.board import Board
from assistant.table.doubt import DoubtfulBoard
from assistant.table.free_table import FreeTable
from assistant.table.lattice import Cell
from assistant.translations.catalogue import translate
from calibration.arrays import BgrImage

Render = Callable[[Sequence[Mapping[str, Any]]], BgrImage]
"""Renders a photo of the table with a ruling's lines (as in its document) drawn over it."""

SetUp = Callable[[str, "FigurePlaces | FreeTable"], tuple[Board | FreeTable, Render]]
"""Sets up a simulated table with that name and contents."""


@dataclass(frozen=True)
class FigurePlaces:
    """Figures of the sample game by their cells, and its doors."""

    figures: Mapping[str, Sequence[Cell]]
    doors: Sequence[str]


class BookAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The right answer, checked by hand against the rule's text."""

    range: int | None
    line_of_sight: bool
    cover: bool | None


class DisputeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dispute in a file of its game: positions, question, and the right answer with its reasons.

    ``rules`` are the ids that the answer must name.
    """

    about: About
    figures: dict[str, tuple[Cell, ...]]
    attacker: str
    defender: str
    answer: BookAnswer
    rules: tuple[str, ...]
    doors: tuple[str, ...] = ()


class FreeAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The right answer on a table without a grid, where nobody argues about a measured distance."""

    line_of_sight: bool
    cover: bool | None


class FreeDisputeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dispute on a table without a grid. ``table`` is a sightline.free-table/1."""

    about: About
    table: msgspec.Raw
    attacker: str
    defender: str
    answer: FreeAnswer
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Dispute:
    """A dispute of one game."""

    game: Game
    name: str
    file: DisputeFile | FreeDisputeFile

    @property
    def rules(self) -> RuleSet[Any]:
        """The game's rules without house options."""
        return self.game.rule_set()

    @cached_property
    def stands(self) -> FigurePlaces | FreeTable:
        """The contents of the table."""
        if isinstance(self.file, DisputeFile):
            return FigurePlaces(self.file.figures, self.file.doors)
        return free_table_from_json(bytes(self.file.table))


def disputes() -> tuple[Dispute, ...]:
    """Return the disputes of all games, game by game."""
    return tuple(
        Dispute(game, name, msgspec.json.decode(file.read_bytes(), type=_file_type(game)))
        for game in games()
        for name, file in sorted(game.files("disputes", ".json").items())
    )


def _file_type(game: Game) -> type[DisputeFile | FreeDisputeFile]:
    return DisputeFile if issubclass(game.rule_set, CellRules) else FreeDisputeFile


def write_disputes(folder: Path, set_up: SetUp, language: str) -> Iterator[str]:
    """Write a folder for each dispute and one page with all of them, ``README.md``, and yield each name.

    Raises:
        StoreError: the folder is not writable.
    """
    pages = []
    for dispute in disputes():
        name = f"{dispute.game.id}-{dispute.name}"
        table, render = set_up(name, dispute.stands)
        rules, asked = dispute.rules, (dispute.file.attacker, dispute.file.defender)
        ruling = rules.rule(table, *asked)
        said = word_ruling(ruling, rules.rules, language, _words_on(rules, table, language))
        worded = ruling_document(said, rules.rules, language)
        _, picture = cv2.imencode(".png", render(worded["lines"]))
        if isinstance(table, FreeTable):
            write_file(folder / name / "table.json", to_json(free_table_document(table)).encode())
        else:
            write_file(folder / name / "board.json", to_json(board_document(table)).encode())
        write_file(folder / name / "ruling.json", to_json(worded).encode())
        write_file(folder / name / "picture.png", picture.tobytes())
        pages.append(_page(dispute, table, worded, language))
        yield name
    write_file(folder / "README.md", "\n".join(pages).encode())


def _page(dispute: Dispute, table: Board | FreeTable, ruling: Mapping[str, Any], language: str) -> str:
    """Return the two claims with their answers, the picture, and every reason with its rule's text and source."""
    rules, file = dispute.rules, dispute.file
    found = settle_claims(rules, table, file.attacker, file.defender, file.about)
    claims = [claim_document(claim, language) for claim in found]
    lines = [
        f"## {dispute.game.title}: {dispute.name.replace('-', ' ')}",
        "",
        f"![{dispute.name}]({dispute.game.id}-{dispute.name}/picture.png)",
        "",
        *(line for claim in claims for line in _list_claim(claim)),
        "",
        *(f"1. {reason['text']} ({_cite(rules, reason, language)})" for reason in ruling["reasons"]),
        "",
    ]
    return "\n".join(lines)


def _list_claim(claim: Mapping[str, Any]) -> Iterator[str]:
    yield f"- {claim['words']} {claim['answer']}"
    yield from (f"  - {choice['text']}" for choice in claim["under"])


def _cite(rules: RuleSet[Any], reason: Mapping[str, Any], language: str) -> str:
    """Return the source and the text of a reason's rule."""
    rule = rules.rules.get(reason["rule"])
    return str(reason["source"]) if rule is None else f"{reason['source']}: {translate(rule.summary, language)}"


def _words_on(rules: RuleSet[Any], table: Board | FreeTable, language: str) -> Say:
    """Return a function that words the things in reasons, for the page."""
    if isinstance(table, FreeTable):
        assert isinstance(rules, FreeRules), "a free table is ruled on by rules without cells"
        return plane_words_of(rules, table, language)
    assert isinstance(rules, CellRules), "a board is ruled on by rules for cells"
    return words_of(rules, DoubtfulBoard(table, ()), language)

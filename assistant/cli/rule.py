"""``sightline rule``: who may attack whom, with range, line of sight, cover and the reasons."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from assistant.cli.language import BadUsage
from assistant.cli.options import (
    house_options,
    language_option,
    not_known,
    option_option,
    read_doubtful,
    read_free_sighting,
    ruleset_argument,
)
from assistant.documents import claim_document, ruling_document, to_json
from assistant.match.games import rule_set
from assistant.rules.capabilities import NamesCorner, NamesSpace
from assistant.rules.claims import ABOUT, About, settle_claims
from assistant.rules.flips import add_flips
from assistant.rules.free_flips import judge_free_stability
from assistant.rules.reasons import word_ruling
from assistant.rules.ruleset import AnyRules, CellAnswers, CellRules, FreeRules, RuleSet, TableT
from assistant.rules.ruling import Ruling
from assistant.rules.stability import judge_stability
from assistant.table.doubt import DoubtfulBoard
from assistant.table.free_sighting import FreeSighting
from assistant.translations.messages import said


@click.command()
@ruleset_argument
@click.argument("board", type=click.Path(path_type=Path))
@click.option("--from", "attacker", metavar="ID", help="The attacker.")
@click.option("--to", "defender", metavar="ID", help="The defender.")
@click.option("--pairs", is_flag=True, help="Rule on every ordered pair of figures of different sides.")
@click.option("--explain", is_flag=True, help="Name the smallest changes that would flip the answer.")
@click.option(
    "--origin",
    type=int,
    nargs=2,
    metavar="X Y",
    help="The corner that the attacker chooses, if the game has that choice.",
)
@click.option(
    "--space", type=int, nargs=2, metavar="C R", help="The space that the attack targets, if the game has such attacks."
)
@click.option(
    "--claim",
    "about",
    type=click.Choice(ABOUT),
    help="Compare two opposite claims: which one holds, under which house options.",
)
@option_option
@language_option
def rule(  # noqa: PLR0913 - click hands over every option by its name
    *,
    ruleset: str,
    board: Path,
    attacker: str | None,
    defender: str | None,
    pairs: bool,
    explain: bool,
    origin: tuple[int, int] | None,
    space: tuple[int, int] | None,
    about: About | None,
    settings: tuple[str, ...],
    lang: str,
) -> None:
    """Rule on one pair of figures, or on all pairs, under RULESET on the board in the file BOARD.

    BOARD may also be an observation printed by “sightline detect”. The ruling then states its confidence, and --explain
    first names the doubts of the camera that would change the answer.
    """
    if pairs == (attacker is not None or defender is not None) or (attacker is None) != (defender is None):
        raise BadUsage(said("Give either --from ID --to ID or --pairs."))
    rules = rule_set(ruleset, house_options(settings))
    if (origin or space) and pairs:
        raise BadUsage(said("--origin and --space need one pair. Add --from ID --to ID."))
    named = _collect_named(rules, origin, space)
    if about is not None and (pairs or named):
        raise BadUsage(said("--claim needs one pair. Leave out --pairs, --origin and --space."))
    asked = None if pairs else (str(attacker), str(defender))
    if isinstance(rules, CellRules):
        table = read_doubtful(board)
        found = _rule_on_board(rules, named or rules, table, asked, explain=explain)
        claims = _claims(rules, table.board, asked, about, lang)
    else:
        seen = read_free_sighting(board)
        found = _rule_on_free_table(rules, seen, asked, explain=explain)
        claims = _claims(rules, seen.table, asked, about, lang)
    for ruling in found:
        click.echo(to_json({**ruling_document(word_ruling(ruling, rules.rules, lang), rules.rules, lang), **claims}))


_Asked = tuple[str, str] | None
"""Attacker and defender, or None for every pair."""


def _claims(rules: RuleSet[TableT], table: TableT, asked: _Asked, about: About | None, lang: str) -> dict[str, object]:
    """Return the two opposite claims as a field of the ruling, or no field without ``--claim``."""
    if about is None or asked is None:
        return {}
    return {"claims": [claim_document(claim, lang) for claim in settle_claims(rules, table, *asked, about)]}


def _collect_named(
    rules: AnyRules, origin: tuple[int, int] | None, space: tuple[int, int] | None
) -> CellAnswers | None:
    """Return the rules for the attacker's choice of corner or space, or None without a choice."""
    named: CellAnswers | None = None
    if origin is not None:
        if not isinstance(rules, NamesCorner):
            raise not_known("--origin", NamesCorner)
        named = rules.from_corner(origin)
    if space is not None:
        if not isinstance(rules, NamesSpace):
            raise not_known("--space", NamesSpace)
        if named is not None:
            raise BadUsage(said("Give --origin or --space, not both."))
        named = rules.into_space(space)
    return named


def _rule_on_board(
    rules: CellRules, answers: CellAnswers, table: DoubtfulBoard, asked: _Asked, *, explain: bool
) -> Iterator[Ruling]:
    board = table.board
    for ruling in rules.pairs(board) if asked is None else [answers.rule(board, *asked)]:
        ask = answers.asking(board, ruling)
        judged = judge_stability(ask, table, ruling, only_hinders=rules.only_hinders)
        yield answers.explained(board, add_flips(ask, table, judged)) if explain else judged


def _rule_on_free_table(rules: FreeRules, seen: FreeSighting, asked: _Asked, *, explain: bool) -> Iterator[Ruling]:
    table = seen.table
    for ruling in rules.pairs(table) if asked is None else [rules.rule(table, *asked)]:
        judged = judge_free_stability(rules, seen, ruling)
        yield rules.explained(table, judged) if explain else judged

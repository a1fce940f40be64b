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
@click.option("--from", "attacker", metavar="ID", help="The figure that attacks.")
@click.option("--to", "defender", metavar="ID", help="The figure that is attacked.")
@click.option("--pairs", is_flag=True, help="A ruling for every ordered pair of figures on different sides.")
@click.option("--explain", is_flag=True, help="Name the smallest changes that would flip the answer.")
@click.option(
    "--origin", type=int, nargs=2, metavar="X Y", help="The corner that the attacker names, if the game knows it."
)
@click.option(
    "--space", type=int, nargs=2, metavar="C R", help="The space that the attack names, if the game knows it."
)
@click.option(
    "--claim", "about", type=click.Choice(ABOUT), help="Set two claims side by side: which holds, under which options."
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
    """Rule on one pair of figures, or on all pairs, under RULESET, on the table in the file BOARD.

    BOARD may also be what a photo showed, as sightline detect prints it; how sure a ruling is then stands in it, and
    --explain names first what the camera could not tell for sure and would make the answer another one.
    """
    if pairs == (attacker is not None or defender is not None) or (attacker is None) != (defender is None):
        raise BadUsage(said("say either --from ID --to ID or --pairs"))
    rules = rule_set(ruleset, house_options(settings))
    if (origin or space) and pairs:
        raise BadUsage(said("a corner or a space is named for one pair; say --from ID --to ID with it"))
    named = _collect_named(rules, origin, space)
    if about is not None and (pairs or named):
        raise BadUsage(said("claims are about one pair; leave out --pairs, --origin and --space"))
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
"""Who attacks whom; None for every pair."""


def _claims(rules: RuleSet[TableT], table: TableT, asked: _Asked, about: About | None, lang: str) -> dict[str, object]:
    """The two claims that are set side by side, as a field of the ruling; none where nobody asked for them."""
    if about is None or asked is None:
        return {}
    return {"claims": [claim_document(claim, lang) for claim in settle_claims(rules, table, *asked, about)]}


def _collect_named(
    rules: AnyRules, origin: tuple[int, int] | None, space: tuple[int, int] | None
) -> CellAnswers | None:
    """The rules about what the attacker named; None if he named nothing."""
    named: CellAnswers | None = None
    if origin is not None:
        if not isinstance(rules, NamesCorner):
            raise not_known("--origin", NamesCorner)
        named = rules.from_corner(origin)
    if space is not None:
        if not isinstance(rules, NamesSpace):
            raise not_known("--space", NamesSpace)
        if named is not None:
            raise BadUsage(said("name a corner or a space, not both"))
        named = rules.into_space(space)
    return named


def _rule_on_board(
    rules: CellRules, answers: CellAnswers, table: DoubtfulBoard, asked: _Asked, *, explain: bool
) -> Iterator[Ruling]:
    board = table.board
    for ruling in rules.pairs(board) if asked is None else [answers.rule(board, *asked)]:
        ask = answers.asking(board, ruling)
        told = judge_stability(ask, table, ruling, only_hinders=rules.only_hinders)
        yield answers.explained(board, add_flips(ask, table, told)) if explain else told


def _rule_on_free_table(rules: FreeRules, seen: FreeSighting, asked: _Asked, *, explain: bool) -> Iterator[Ruling]:
    table = seen.table
    for ruling in rules.pairs(table) if asked is None else [rules.rule(table, *asked)]:
        told = judge_free_stability(rules, seen, ruling)
        yield rules.explained(table, told) if explain else told

"""``sightline odds``: the exact chances of an attack, from tables that the user has filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

import click

from assistant.cli.language import BadUsage
from assistant.cli.options import house_options, option_option
from assistant.documents import read_bytes, to_json
from assistant.documents.odds import Asked, odds_document
from assistant.documents.tables import tables_from_toml
from assistant.errors import UnknownName
from assistant.games.doom2004.rules import attack as attack2004
from assistant.games.doom2016.rules import attack as attack2016
from assistant.games.roads.rules.melee import Condition
from assistant.games.roads.rules.melee_odds import mean_hits, melee_odds
from assistant.rules.rulesets import rule_set
from assistant.rules.tables import Tables2004, Tables2016, TablesRoads
from assistant.translations.messages import said


class Question(NamedTuple):
    """What was asked on the command line."""

    attack: str
    target: str
    range_spaces: int | None
    deck: str | None
    attack_is: frozenset[str]
    target_is: frozenset[str]
    options: Mapping[str, str]


@click.command()
@click.argument("tables", type=click.Path(path_type=Path))
@click.option("--attack", metavar="NAME", required=True, help="A row of attacks (roads: of fighters).")
@click.option("--target", metavar="NAME", required=True, help="A row of figures (roads: of fighters).")
@click.option("--range", "range_spaces", type=click.IntRange(1), help="The range in spaces (doom2004).")
@click.option("--deck", metavar="NAME", help="The defence deck (doom2016).")
@click.option("--attack-is", metavar="WORD", multiple=True, help="stunned; aimed; for roads any condition.")
@click.option("--target-is", metavar="WORD", multiple=True, help="stunned, cover; dodging; for roads any condition.")
@option_option
def odds(  # noqa: PLR0913 - click hands over one argument for each option
    *, tables: Path, attack: str, target: str, range_spaces: int | None, deck: str | None,
    attack_is: tuple[str, ...], target_is: tuple[str, ...], settings: tuple[str, ...],
) -> None:  # fmt: skip
    """Tell the exact chances of an attack by the numbers in the file TABLES."""
    read = tables_from_toml(read_bytes(tables), str(tables))
    ruleset = _RULESETS[type(read)]
    _refuse_what_does_not_count(ruleset, range_spaces=range_spaces, deck=deck)
    options = rule_set(ruleset, house_options(settings)).options
    words = frozenset(attack_is), frozenset(target_is)
    question = Question(attack, target, range_spaces, deck, *words, options)
    asked = Asked(ruleset, attack, target, read.is_sample)
    if isinstance(read, Tables2016):
        answer = _of_2016(read, question, asked)
    elif isinstance(read, Tables2004):
        answer = _of_2004(read, question, asked)
    else:
        answer = _of_roads(read, question, asked)
    click.echo(to_json(answer))


_RULESETS: Mapping[type, str] = {Tables2016: "doom2016", Tables2004: "doom2004", TablesRoads: "roads"}


def _of_2016(tables: Tables2016, question: Question, asked: Asked) -> dict[str, Any]:
    _check(question.attack_is, {"stunned"})
    _check(question.target_is, {"stunned", "cover"})
    attack = replace(tables.attacks[question.attack], is_stunned="stunned" in question.attack_is)
    target = replace(
        tables.figures[question.target],
        is_stunned="stunned" in question.target_is,
        has_cover="cover" in question.target_is,
    )
    deck = tables.decks[question.deck] if question.deck else None
    dealt = attack2016.damage_odds(attack, tables.dice, target, deck, question.options)
    measures = {"mean_damage": dealt.mean(int), "frag": attack2016.frag_chance(dealt, target)}
    return odds_document(asked, dealt, lambda damage: {"damage": damage}, measures)


def _of_2004(tables: Tables2004, question: Question, asked: Asked) -> dict[str, Any]:
    _check(question.attack_is, {"aimed"})
    _check(question.target_is, {"dodging"})
    if question.range_spaces is None:
        raise BadUsage(said("say how far the target is: --range N"))
    attack = replace(tables.attacks[question.attack], is_aimed="aimed" in question.attack_is)
    target = replace(tables.figures[question.target], dodges="dodging" in question.target_is)
    found = attack2004.attack_odds(attack, tables.dice, question.range_spaces, target, question.options)
    measures = {
        "mean_wounds": found.mean(lambda outcome: outcome.wounds),
        "hit": attack2004.hit_chance(found),
        "kill": attack2004.kill_chance(found, target),
    }
    return odds_document(asked, found, lambda outcome: outcome._asdict(), measures)


def _of_roads(tables: TablesRoads, question: Question, asked: Asked) -> dict[str, Any]:
    conditions = frozenset(get_args(Condition))
    _check(question.attack_is, conditions)
    _check(question.target_is, conditions)
    attacker, defender = tables.fighters[question.attack], tables.fighters[question.target]
    # Two of the same row are told apart by what they do.
    attacker = replace(attacker, name="attacker", conditions=attacker.conditions | _known(question.attack_is))
    defender = replace(defender, name="target", conditions=defender.conditions | _known(question.target_is))
    found = melee_odds(attacker, defender, question.options)
    measures = {f"mean_hits_of_{name}": mean_hits(found, name) for name in ("attacker", "target")}
    return odds_document(asked, found, lambda outcome: {"winner": outcome[0], "hits": outcome[1]}, measures)


def _known(words: frozenset[str]) -> frozenset[Condition]:
    return frozenset(condition for condition in get_args(Condition) if condition in words)


def _refuse_what_does_not_count(ruleset: str, *, range_spaces: int | None, deck: str | None) -> None:
    """No odds are told as if they were about a range or a deck that the game's dice do not know."""
    for name, value, belongs_to in (("--range", range_spaces, "doom2004"), ("--deck", deck, "doom2016")):
        if value is not None and ruleset != belongs_to:
            raise BadUsage(
                said(
                    "{name} is for {game}; these are tables of {ruleset}, leave it out",
                    name=name,
                    game=belongs_to,
                    ruleset=ruleset,
                )
            )


def _check(words: frozenset[str], known: frozenset[str] | set[str]) -> None:
    unknown = sorted(words - known)
    if unknown:
        raise UnknownName(
            said(
                "“{unknown}” is nothing that this game knows; choose from: {known}",
                unknown=unknown[0],
                known=", ".join(sorted(known)),
            )
        )

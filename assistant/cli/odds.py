"""``sightline odds``: the exact odds of an attack, from tables that the user has filled in."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.cli.language import BadUsage
from assistant.cli.options import house_options, ids_of, option_option
from assistant.documents import read_bytes, to_json
from assistant.documents.tables import OddsQuestion, Told
from assistant.match.games import games, rule_set, tables_from_toml
from assistant.translations.messages import said


@click.command()
@click.argument("tables", type=click.Path(path_type=Path))
@click.option("--attack", metavar="NAME", required=True, help="The row of the attack or the attacking fighter.")
@click.option("--target", metavar="NAME", required=True, help="The row of the target.")
@click.option("--range", "range_spaces", type=click.IntRange(1), help="The range in spaces, if the game uses it.")
@click.option("--deck", metavar="NAME", help="The defence deck, if the game uses one.")
@click.option(
    "--attack-is", metavar="WORD", multiple=True, help="A condition of the attack (stunned, aimed, …); repeatable."
)
@click.option(
    "--target-is", metavar="WORD", multiple=True, help="A condition of the target (stunned, cover, …); repeatable."
)
@option_option
def odds(  # noqa: PLR0913 - click hands over one argument for each option
    *, tables: Path, attack: str, target: str, range_spaces: int | None, deck: str | None,
    attack_is: tuple[str, ...], target_is: tuple[str, ...], settings: tuple[str, ...],
) -> None:  # fmt: skip
    """Print the exact odds of an attack by the numbers in the file TABLES."""
    game, read = tables_from_toml(read_bytes(tables), str(tables))
    given: dict[Told, object] = {"range": range_spaces, "deck": deck}
    _refuse_unused(game, {name for name, value in given.items() if value is not None} - read.takes)
    options = rule_set(game, house_options(settings)).options
    words = frozenset(attack_is), frozenset(target_is)
    question = OddsQuestion(attack, target, *words, options, range_spaces, deck)
    read.check_words(question)
    click.echo(to_json(read.odds(question)))


def _refuse_unused(game: str, given: set[Told]) -> None:
    """Refuse a range or a deck that the game's dice ignore."""
    for name in sorted(given):
        known = ids_of(other for other in games() if other.odds and name in other.odds_tables().takes)
        raise BadUsage(
            said(
                "--{name} is only for tables of {known}, and these are of {game}. Leave it out.",
                name=name,
                known=known,
                game=game,
            )
        )

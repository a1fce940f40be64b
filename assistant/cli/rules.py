"""``sightline rules``: the rules of a game with their sources, and its house options."""

from __future__ import annotations

import click

from assistant.cli.language import say, worded
from assistant.cli.options import language_option
from assistant.match.games import Game, games, rule_set
from assistant.rules.options import Option
from assistant.rules.reasons import Rule
from assistant.translations.catalogue import translate
from assistant.translations.messages import said


@click.command()
@click.argument("ruleset", required=False)
@language_option
def rules(ruleset: str | None, lang: str) -> None:
    """List the rules of RULESET with their sources, and its house options with their defaults.

    Without RULESET, list the installed games with their tables and abilities.
    """
    if ruleset is None:
        for game in games():
            _show_game(game)
        return
    asked = rule_set(ruleset)
    for rule in asked.rules.values():
        _show_rule(rule, lang)
    click.echo()
    say(said("Options (the first choice is the default):"))
    for option in asked.option_table:
        _show_option(option, lang)


def _show_game(game: Game) -> None:
    click.echo(f"{game.id}: {game.title}")
    click.echo(f"    table: {game.table}")
    click.echo(f"    can: {', '.join(game.abilities)}")


def _show_rule(rule: Rule, lang: str) -> None:
    click.echo(rule.id)
    click.echo(f"    {translate(rule.summary, lang)}")
    _show_source(rule.source, lang)


def _show_option(option: Option, lang: str) -> None:
    click.echo(f"{option.name} = {' | '.join(option.choices)}")
    click.echo(f"    {translate(option.question, lang)}")
    for choice in option.choices:
        click.echo(f"    {choice}: {translate(option.choice_title(choice), lang)}")
    _show_source(option.source, lang)


def _show_source(place: str, lang: str) -> None:
    source = said("source: {place}", place=translate(place, lang))
    click.echo(f"    {worded(source)}")

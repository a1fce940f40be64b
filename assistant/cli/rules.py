"""``sightline rules``: what a rule set goes by, and the options of the house."""

from __future__ import annotations

import click

from assistant.cli.options import language_option, ruleset_argument
from assistant.rules.reasons import Rule
from assistant.rules.rulesets import Option, rule_set
from assistant.translations.catalogue import translate


@click.command()
@ruleset_argument
@language_option
def rules(ruleset: str, lang: str) -> None:
    """List the rules of RULESET with the place of each in the sources, and its options with their defaults."""
    asked = rule_set(ruleset)
    for rule in asked.rules.values():
        _show_rule(rule, lang)
    click.echo()
    click.echo("Options (the first choice is the default):")
    for option in asked.option_table:
        _show_option(option, lang)


def _show_rule(rule: Rule, lang: str) -> None:
    click.echo(rule.id)
    click.echo(f"    {translate(rule.summary, lang)}")
    click.echo(f"    source: {translate(rule.source, lang)}")


def _show_option(option: Option, lang: str) -> None:
    click.echo(f"{option.name} = {' | '.join(option.choices)}")
    click.echo(f"    {translate(option.sentence, lang)}")
    for choice in option.choices:
        click.echo(f"    {choice}: {translate(option.choice_title(choice), lang)}")
    click.echo(f"    source: {translate(option.source, lang)}")

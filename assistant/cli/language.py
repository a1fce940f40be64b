"""The reader's language on the command line, for help and errors.

``--lang`` sets it, else the environment variable ``SIGHTLINE_LANG``, else the system. The default is English. Documents
for programs are the same in every language.
"""

from __future__ import annotations

import inspect
import locale
import os
import re
from collections.abc import Iterable, Sequence
from contextvars import ContextVar

import click
from click.core import ParameterSource
from msgspec.structs import replace as with_fields

from assistant.translations.catalogue import ENGLISH, PSEUDO, languages, translate
from assistant.translations.foreign import recognised
from assistant.translations.messages import Said, known, message, said

VARIABLE = "SIGHTLINE_LANG"

LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables for the system's language, the strongest first."""

CLICK = (
    message("No such option {option}. (Did you mean one of: {others}?)"),
    message("No such option {option}. Did you mean {nearest}?"),
    message("No such option {option}"),
    message("No such command {command}. (Did you mean one of: {others}?)"),
    message("No such command {command}. Did you mean {nearest}?"),
    message("No such command {command}"),
    message("Missing command"),
    message("Missing argument {argument}. Choose from: {choices}"),
    message("Missing argument {argument}"),
    message("Missing option {option}. Choose from: {choices}"),
    message("Missing option {option}"),
    message("Got unexpected extra argument ({argument})"),
    message("Got unexpected extra arguments ({arguments})"),
    message("Option {option} requires an argument"),
    message("Option {option} requires {count} arguments"),
    message("Option {option} does not take a value"),
    message("Argument {argument} takes {count} values"),
    message("Invalid value for {place}: {what}"),
    message("{value} is not one of {choices}"),
    message("{value} is not a valid boolean. Recognized values: {choices}"),
    message("{value} is not in the range {range}"),
    message("give columns and rows from 1 to 8, for example 2x1"),
    message("give a name on one line, of at most 200 visible letters"),
)
"""Click's own usage errors. ``{what}`` is a separate sentence."""

PLAINER = {
    "Directory {path} is a file": message("{path} is a file; name a folder"),
    "File {path} is a directory": message("{path} is a folder; name a file"),
    "{value} is not a valid integer range": message("{value} is not a whole number"),
    "{value} is not a valid integer": message("{value} is not a whole number"),
    "{value} is not a valid float range": message("{value} is not a number"),
    "{value} is not a valid float": message("{value} is not a number"),
}
"""Click's errors that lack advice, with our replacements."""

HEADINGS = (message("Usage:"), message("Options"), message("Commands"), message("Positional arguments"))
"""Click's headings in a help text."""

DETAILS = (message("required"), message("default: ({value})"), message("default: {value}"), message("env var: {name}"))
"""Click's annotations in brackets after an option's help."""

MISSION = message("Play this mission: a TOML file or one of {names}. Continues the match if there already is one.")
"""Help for ``--mission``."""

SENTENCES = (
    message("Show this message and exit."),
    message("Show the version and exit."),
    MISSION,
    message("{sentence} Default: the sample game's."),
    message("{sentence} Default: {value} tablets."),
    message("{sentence} Default: {value} LEDs."),
    message("{sentence} Default: {value}."),
)
"""Help of options that ends with their default."""

USUAL = (
    message("the system's"),
    message("the first that supports this command"),
    message("its kind and a number"),
    message("by its base"),
    message("the set's own name"),
    message("the file's name"),
    message("the mission's, or that of the last match"),
    message("an estimate from the markers"),
)
"""Descriptions of defaults."""

_chosen: ContextVar[str | None] = ContextVar("chosen language", default=None)


def chosen(context: click.Context, option: click.Parameter, language: str | None) -> str | None:
    """Set the language of help and errors, as click's callback of ``--lang``."""
    if language is None or context.get_parameter_source(str(option.name)) is not ParameterSource.COMMANDLINE:
        return language
    tag = _tag(language)
    if not _is_spoken(tag):
        raise BadUsage(
            said(
                "There is no translation into “{language}”. Choose from: {known}.",
                language=language,
                known=known(languages()),
            )
        )
    _chosen.set(tag)
    return language


def forget() -> None:
    """Return to the environment's language at the end of each command."""
    _chosen.set(None)


def reader_language() -> str:
    """Return the current language tag of the reader."""
    return _chosen.get() or _of_environment()


def worded(sentence: Said) -> str:
    """Return the sentence in the reader's language."""
    return sentence.worded(reader_language())


def say(sentence: Said, *, err: bool = False) -> None:
    """Print a sentence in the reader's language, on standard error with ``err``."""
    click.echo(worded(sentence), err=err)


class BadUsage(click.UsageError):
    """A call that click accepts and the command refuses. The sentence is in the reader's language."""

    def __init__(self, sentence: Said) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


def usage_sentence(problem: click.ClickException) -> Said:
    """Describe a usage error, and where to read the help."""
    context = getattr(problem, "ctx", None)
    command = context.command_path if context else "sightline"
    fault = (
        problem.sentence
        if isinstance(problem, BadUsage)
        else _plainer(recognised(" ".join(problem.format_message().split()).rstrip("."), (*CLICK, *PLAINER)))
    )
    if not fault.pattern.endswith((".", "?", "?)")):  # click's sentences, without their full stop
        fault = Said("{fault}.", {"fault": fault})
    return said("{fault} See “{command} --help”.", fault=fault, command=command)


def _plainer(sentence: Said) -> Said:
    """Replace sentences by their ``PLAINER`` form, even inside another sentence."""
    parts = {name: _plainer(part) if isinstance(part, Said) else part for name, part in sentence.values.items()}
    return with_fields(sentence, pattern=PLAINER.get(sentence.pattern, sentence.pattern), values=parts)


class SpokenFormatter(click.HelpFormatter):
    """Writes click's help texts in the reader's language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, f"{_spoken('Usage:')} " if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        super().write_heading(_spoken(heading))

    def write_text(self, text: str) -> None:
        super().write_text("\n\n".join(map(_spoken, paragraphs(text))))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        super().write_dl([(name, spoken_help(text)) for name, text in rows], col_max, col_spacing)


class SpokenContext(click.Context):
    """A call whose help is in the reader's language."""

    formatter_class = SpokenFormatter


def speaks(command: click.Command) -> click.Command:
    """Set a command and its subcommands to show help in the reader's language."""
    command.context_class = SpokenContext
    if isinstance(command, click.Group):
        for under in command.commands.values():
            # Otherwise click shortens the sentence, and no catalogue translates a shortened sentence.
            under.short_help = paragraphs(under.help or "")[0]
            speaks(under)
    return command


def paragraphs(text: str) -> list[str]:
    """Split a docstring into paragraphs of one line each, as the catalogues have them."""
    return [" ".join(part.split()) for part in inspect.cleandoc(text).split("\n\n")]


def spoken_help(text: str) -> str:
    """Translate an option's help and click's annotations after it."""
    sentence, bracket, details = " ".join(text.split()).partition("[")
    sentence = sentence.strip()
    words = _spoken(sentence)
    if words == sentence:  # not a message of its own, so it may end with the option's default
        words = _worded_parts(sentence, SENTENCES)
    if not bracket:
        return words
    facts = [_worded_parts(fact, DETAILS) for fact in details.rstrip("]").split("; ")]
    return f"{words}  [{'; '.join(facts)}]".strip()


def _worded_parts(text: str, patterns: Sequence[str]) -> str:
    found = recognised(text, patterns)
    return worded(Said(found.pattern, {name: Said(str(value)) for name, value in found.values.items()}))


def _spoken(text: str) -> str:
    return translate(text, reader_language())


def _of_environment() -> str:
    wanted = os.environ.get(VARIABLE) or next(filter(None, map(os.environ.get, LOCALE_VARIABLES)), None)
    tag = _tag(wanted or locale.getlocale()[0] or ENGLISH)
    return tag if _is_spoken(tag) else ENGLISH


def _tag(language: str) -> str:
    return re.split(r"[_.@-]", language)[0].lower()


def _is_spoken(tag: str) -> bool:
    if tag in ("c", "posix"):
        return False
    # English needs no catalogue.
    return tag in (ENGLISH, PSEUDO) or tag in languages()

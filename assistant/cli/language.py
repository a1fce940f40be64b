"""The reader's language on the command line: which it is, and help and errors in its words.

It is that of ``--lang``, else of the environment variable ``SIGHTLINE_LANG``, else the system's, else English.
Documents that programs read are the same in every language.
"""

from __future__ import annotations

import inspect
import locale
import os
import re
from collections.abc import Iterable
from contextvars import ContextVar

import click
from click.core import ParameterSource
from msgspec.structs import replace as with_fields

from assistant.translations.catalogue import ENGLISH, PSEUDO, languages, translate
from assistant.translations.foreign import recognised
from assistant.translations.messages import Said, known, message, said

VARIABLE = "SIGHTLINE_LANG"

LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""What systems keep their language in, the strongest first."""

CLICK = (
    message("No such option {option}. (Did you mean one of: {others}?)"),
    message("No such option {option}. Did you mean {other}?"),
    message("No such option {option}"),
    message("No such command {command}. (Did you mean one of: {others}?)"),
    message("No such command {command}. Did you mean {other}?"),
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
    message("{value} is not a valid integer"),
    message("{value} is not a valid integer range"),
    message("{value} is not a valid float"),
    message("{value} is not a valid float range"),
    message("{value} is not a valid boolean. Recognized values: {choices}"),
    message("{value} is not in the range {range}"),
    message("give columns and rows from 1 to 8, like 2x1"),
)
"""What click says of a call that it does not understand; ``{what}`` is a sentence of its own."""

PLAINER = {
    "Directory {path} is a file": message("{path} is a file; name a folder"),
    "File {path} is a directory": message("{path} is a folder; name a file"),
}
"""What click says in words that tell nobody what to do, and what is said instead."""

HEADINGS = (message("Usage:"), message("Options"), message("Commands"), message("Positional arguments"))
"""What click writes over the parts of a help text."""

DETAILS = (message("required"), message("default: ({value})"), message("default: {value}"), message("env var: {name}"))
"""What click writes after the sentence of an option."""

MISSION = message(
    "Begin a match of this mission: a TOML file, or one that comes with the program ({names}). If the match is there "
    "already, it goes on."
)
"""Help for ``--mission``."""

SENTENCES = (
    message("Show this message and exit."),
    message("Show the version and exit."),
    MISSION,
    message("{sentence} Default: the sample game's."),
    message("{sentence} Default: {value} tablets."),
    message("{sentence} Default: {value} lights."),
    message("{sentence} Default: {value}."),
)
"""Help for options that ends in what they are by default."""

USUAL = (
    message("the system's"),
    message("the first that tells about figures"),
    message("its kind and a number"),
    message("by its base"),
    message("as the set itself is called"),
    message("the file's name"),
    message("the mission's, or the last match"),
)
"""Defaults that are told in words."""

_chosen: ContextVar[str | None] = ContextVar("chosen language", default=None)


def chosen(context: click.Context, option: click.Parameter, language: str | None) -> str | None:
    """Lets help and errors speak the language that a person asks for by an option, as click's callback."""
    if language is None or context.get_parameter_source(str(option.name)) is not ParameterSource.COMMANDLINE:
        return language
    tag = _tag(language)
    if not _is_spoken(tag):
        raise BadUsage(
            said(
                "there are no words in “{language}”; choose one of: {known}",
                language=language,
                known=known(languages()),
            )
        )
    _chosen.set(tag)
    return language


def forget() -> None:
    """Lets the next call of the command line be in the language of the environment."""
    _chosen.set(None)


def reader_language() -> str:
    """The tag of the language in which people are told something now."""
    chosen = _chosen.get()
    return _of_environment() if chosen is None else chosen


def worded(sentence: Said) -> str:
    """The sentence in the reader's language."""
    return sentence.worded(reader_language())


def say(sentence: Said, *, err: bool = False) -> None:
    """Prints a sentence in the reader's language.

    Args:
        sentence: the sentence.
        err: whether on standard error.
    """
    click.echo(worded(sentence), err=err)


class BadUsage(click.UsageError):
    """A call that click understands and the command does not; told in the reader's language."""

    def __init__(self, sentence: Said) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


def usage_sentence(problem: click.ClickException) -> Said:
    """What is wrong with a call, and where to read what it takes."""
    context = getattr(problem, "ctx", None)
    command = context.command_path if context else "sightline"
    fault = (
        problem.sentence
        if isinstance(problem, BadUsage)
        else _plainer(recognised(" ".join(problem.format_message().split()).rstrip("."), (*CLICK, *PLAINER)))
    )
    return said("{fault}; {command} --help tells what it takes", fault=fault, command=command)


def _plainer(sentence: Said) -> Said:
    """The sentence with what click says badly in better words, also where it stands inside of another."""
    parts = {name: _plainer(part) if isinstance(part, Said) else part for name, part in sentence.values.items()}
    return with_fields(sentence, pattern=PLAINER.get(sentence.pattern, sentence.pattern), values=parts)


class SpokenFormatter(click.HelpFormatter):
    """Writes click's help texts in the reader's language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The first line of a help text."""
        super().write_usage(prog, args, f"{_spoken('Usage:')} " if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """A heading over options or commands."""
        super().write_heading(_spoken(heading))

    def write_text(self, text: str) -> None:
        """Paragraphs about a command."""
        super().write_text("\n\n".join(map(_spoken, paragraphs(text))))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Options or commands, each with its sentence."""
        super().write_dl([(name, spoken_help(text)) for name, text in rows], col_max, col_spacing)


class SpokenContext(click.Context):
    """A call whose help is in the reader's language."""

    formatter_class = SpokenFormatter


def speaks(command: click.Command) -> click.Command:
    """The command and those under it, with their help in the reader's language."""
    command.context_class = SpokenContext
    if isinstance(command, click.Group):
        for under in command.commands.values():
            # Else click cuts the sentence to its own length, and no catalogue has a piece of one.
            under.short_help = paragraphs(under.help or "")[0]
            speaks(under)
    return command


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a docstring, each on one line, as they stand in the catalogues."""
    return [" ".join(part.split()) for part in inspect.cleandoc(text).split("\n\n")]


def spoken_help(text: str) -> str:
    """The sentence about an option and what click writes after it, in the reader's language."""
    sentence, bracket, details = " ".join(text.split()).partition("[")
    told = worded(said_about(sentence.strip()))
    if not bracket:
        return told
    facts = [_fact(fact) for fact in details.rstrip("]").split("; ")]
    return f"{told}  [{'; '.join(facts)}]".strip()


def said_about(sentence: str) -> Said:
    """The sentence about an option: as it is, or one that is completed with the option's default."""
    if translate(sentence, reader_language()) != sentence:
        return Said(sentence)
    found = recognised(sentence, SENTENCES)
    return Said(found.pattern, {name: Said(str(value)) for name, value in found.values.items()})


def _fact(text: str) -> str:
    found = recognised(text, DETAILS)
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
    # English needs no catalogue, so none is looked for.
    return tag in (ENGLISH, PSEUDO) or tag in languages()

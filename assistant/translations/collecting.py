"""Collecting the messages of the sources into every catalogue: ``make catalogue``."""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from assistant.translations.names import CONTEXT

HERE = Path(__file__).parent
HOME = HERE.parent.parent
"""The folder of all packages."""

METHODS = [("**.py", "python"), ("**.html", "jinja2")]
"""Which files hold messages, and how they are read."""

_SAID: Mapping[str, Any] = {"message": None, "said": None, "counted": (1, 2), "said_in": ((1, "c"), 2), "text": None}
"""The calls that hold a message, and which of their arguments it is: all, one and many, or context and message."""

FOLDERS: Mapping[str, Mapping[str, Any]] = {
    "assistant": _SAID,
    "calibration": {**_SAID, "say": None},
    "hardware": _SAID,
    "vision": _SAID,
    "web": {**_SAID, "_": None, "told": None, "count": (1, 2)},
}
"""The packages whose messages are collected, with the calls that hold them there."""


_DEFAULT = re.compile(r" Default: .*")
"""What follows the sentence of an option is a message of its own, marked where the command line says it."""


def messages_of_sources() -> Catalog:
    """Every message that the sources hold, without words."""
    found = Catalog()
    for folder, calls in FOLDERS.items():
        for _, _, text, _, context in extract_from_dir(HOME / folder, METHODS, keywords=calls):
            found.add(text, context=context)
    for path in sorted((HOME / "assistant" / "cli").glob("*.py")):
        for text in help_texts(path.read_text(encoding="utf-8")):
            found.add(text)
    for path in sorted((HOME / "assistant" / "games").glob("*/options.toml")):
        for text in option_texts(path.read_text(encoding="utf-8")):
            found.add(text)
    return found


def option_texts(source: str) -> Iterator[str]:
    """The messages of a game's ``options.toml``: question, source and titles of every option."""
    for options in tomllib.loads(source).values():
        for fields in options.values():
            yield from (fields["title"], fields["question"], fields["source"], *fields["choices"].values())


def help_texts(source: str) -> Iterator[str]:
    """The help of the commands of a module: each paragraph of a command's docstring, each ``help`` of its options.

    Click takes them from where they stand, so that nothing marks them. They are read and not imported: this package
    stands below the command line.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and any(map(_makes_command, node.decorator_list)):
            described = inspect.cleandoc(ast.get_docstring(node) or "")
            yield from (" ".join(part.split()) for part in described.split("\n\n") if part)
        elif isinstance(node, ast.Call):
            told = [keyword.value for keyword in node.keywords if keyword.arg == "help"]
            for value in told:
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield _DEFAULT.sub("", " ".join(value.value.split()))


def _makes_command(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in ("command", "group")


def updated(folder: Path = HERE) -> dict[Path, list[str]]:
    """The messages without words of each catalogue, after every catalogue of the folder got what the sources hold.

    What the sources no longer hold goes, except for names of figures and things, which stand in data: every catalogue
    keeps those that any has.
    """
    catalogues = {path: read_catalogue(path) for path in sorted(folder.glob("*.po"))}
    wanted = messages_of_sources()
    for catalogue in catalogues.values():
        for name in names_in(catalogue):
            wanted.add(name.id, context=CONTEXT)
    for path, catalogue in catalogues.items():
        catalogue.update(wanted, no_fuzzy_matching=True, update_creation_date=False)
        with path.open("wb") as file:
            write_po(file, catalogue, width=0, no_location=True, sort_output=True, ignore_obsolete=True)
    return {
        path: [str(message.id) for message in catalogue if is_unsaid(message)] for path, catalogue in catalogues.items()
    }


def read_catalogue(path: Path) -> Catalog:
    """A catalogue with its words."""
    with path.open("rb") as file:
        return read_po(file, locale=path.stem, abort_invalid=True)


def names_in(catalogue: Catalog) -> Iterator[Message]:
    """The names of figures and things that a catalogue has words for."""
    return (message for message in catalogue if message.context == CONTEXT)


def is_unsaid(message: Message) -> bool:
    """Whether a catalogue lacks words for a message, or for one of its plural forms."""
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    return bool(message.id) and (message.fuzzy or not all(forms))

"""Collects the messages of the sources into every catalogue, for ``make catalogue``."""

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

from assistant.translations.catalogue import NAME_CONTEXT

HERE = Path(__file__).parent
HOME = HERE.parent.parent
"""The folder that contains all packages."""

METHODS = [("**.py", "python"), ("**.html", "jinja2")]
"""The files with messages, and the extractor for each."""

_SAID: Mapping[str, Any] = {"message": None, "said": None, "counted": (1, 2), "said_in": ((1, "c"), 2), "text": None}
"""The calls that contain a message, with its arguments: all, one and many, or context and message."""

FOLDERS: Mapping[str, Mapping[str, Any]] = {
    "assistant": _SAID,
    "calibration": {**_SAID, "say": None},
    "hardware": _SAID,
    "vision": _SAID,
    "web": {**_SAID, "_": None, "told": None, "count": (1, 2)},
}
"""The packages to collect from, with their calls."""

_DEFAULT = re.compile(r" Default: .*")
"""Matches the default at the end of an option's help, a separate message in ``assistant.cli.language``."""


def messages_of_sources() -> Catalog:
    """Return every message of the sources, without translations."""
    found = Catalog()
    for folder, calls in FOLDERS.items():
        for _, _, text, _, context in extract_from_dir(HOME / folder, METHODS, keywords=calls):
            found.add(text, context=context)
    for path in sorted((HOME / "assistant" / "cli").glob("*.py")):
        for text in help_texts(path.read_text(encoding="utf-8")):
            found.add(text)
    of_games = sorted((HOME / "assistant" / "games").glob("*/options.toml"))
    for path in (HOME / "assistant" / "match" / "options.toml", *of_games):
        for text in option_texts(path.read_text(encoding="utf-8")):
            found.add(text)
    return found


def option_texts(source: str) -> Iterator[str]:
    """Yield the messages of an ``options.toml``: question, source and titles of every option."""
    for options in tomllib.loads(source).values():
        for fields in options.values():
            yield from (fields["title"], fields["question"], fields["source"], *fields["choices"].values())


def help_texts(source: str) -> Iterator[str]:
    """Yield the help in a module: each paragraph of a command's docstring, each ``help`` of its options.

    Click takes them from there, so no call marks them. This function reads the source, because the package is below the
    command line and cannot import it.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and any(map(_makes_command, node.decorator_list)):
            described = inspect.cleandoc(ast.get_docstring(node) or "")
            yield from (" ".join(part.split()) for part in described.split("\n\n") if part)
        elif isinstance(node, ast.Call):
            for keyword in node.keywords:
                text = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
                if keyword.arg == "help" and isinstance(text, str):
                    yield _DEFAULT.sub("", " ".join(text.split()))


def _makes_command(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in ("command", "group")


def update_catalogues(folder: Path = HERE) -> dict[Path, list[str]]:
    """Update every catalogue of the folder from the sources, and return each one's untranslated messages.

    Removes messages that the sources lack, except names of figures and things, which come from data and stay in every
    catalogue.
    """
    catalogues = {path: read_catalogue(path) for path in sorted(folder.glob("*.po"))}
    wanted = messages_of_sources()
    for catalogue in catalogues.values():
        for name in names_in(catalogue):
            wanted.add(name.id, context=NAME_CONTEXT)
    for path, catalogue in catalogues.items():
        catalogue.update(wanted, no_fuzzy_matching=True, update_creation_date=False)
        with path.open("wb") as file:
            write_po(file, catalogue, width=0, no_location=True, sort_output=True, ignore_obsolete=True)
    return {
        path: [str(message.id) for message in catalogue if is_untranslated(message)]
        for path, catalogue in catalogues.items()
    }


def read_catalogue(path: Path) -> Catalog:
    """Read the catalogue in a file. Raises on a malformed one."""
    with path.open("rb") as file:
        return read_po(file, locale=path.stem, abort_invalid=True)


def names_in(catalogue: Catalog) -> Iterator[Message]:
    """Yield the names of figures and things in a catalogue."""
    return (message for message in catalogue if message.context == NAME_CONTEXT)


def is_untranslated(message: Message) -> bool:
    """Return whether a message, or one of its plural forms, is untranslated."""
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    return bool(message.id) and (message.fuzzy or not all(forms))

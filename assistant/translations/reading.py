"""Reading one ``.po`` file into what gettext asks; loaded for the first reader who is no English one."""

from __future__ import annotations

import io
from importlib.resources.abc import Traversable

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations


def read_catalogues(files: list[Traversable], language: str) -> NullTranslations:
    """All messages of a language; where several files have words for one, those of the later file hold.

    The 1,800 messages of a language take 0.06 s, so nothing compiled is kept.
    """
    found = NullTranslations()
    for file in files:
        read = _read(file, language)
        read.add_fallback(found)  # each file keeps its own rule of plural forms
        found = read
    return found


def _read(file: Traversable, language: str) -> Translations:
    with file.open("rb") as lines:
        catalogue = read_po(lines, locale=language, abort_invalid=True)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)

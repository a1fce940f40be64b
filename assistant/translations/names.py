"""What people call a figure, a kind or a thing by its id: “Imp 2” for ``imp-2``, in Russian «Имп 2».

The words stand in the catalogues under the context ``name``. Ids that nobody put into words there stay as their owner
wrote them, with spaces for the signs between.
"""

from __future__ import annotations

import re

from assistant.translations.catalogue import ENGLISH, PSEUDO, translate

CONTEXT = "name"

_NUMBERED = re.compile(r"(?P<words>.*?)(?P<number> \d+)?")


def speak_id(name: str, language: str = ENGLISH) -> str:
    """A name in words: ``imp~2`` and ``imp-2`` become “Imp 2”, ``alpha`` becomes “Alpha”, in ``ru`` «Альфа»."""
    words = speak_word(name, language)
    return words[:1].upper() + words[1:]


def speak_word(name: str, language: str = ENGLISH) -> str:
    """The same inside a sentence: a kind that is written small stays small."""
    words = re.sub(r"[~_-]+", " ", name).strip() or name
    if language in (ENGLISH, PSEUDO):
        return words
    numbered = _NUMBERED.fullmatch(words)
    if numbered is None:
        return words
    noun = numbered["words"].lower()
    called = translate(noun, language, CONTEXT)
    return words if called == noun else f"{called}{numbered['number'] or ''}"

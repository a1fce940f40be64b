"""English that reads like another language in English words stays out of sources, documents and catalogues."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.translations.collecting import read_catalogue

ROOT = Path(__file__).resolve().parents[1]

STIFF = {
    "someone is told": r"\b(?:is|are|was|were|be|been|being) told\b",
    "something is said": r"\b(?:is|are) said\b",
    "whoever": r"\bwhoever\b",
    "a relative clause without its noun": r"\bfor who\b|\bwho stands there\b|\bthose of (?:them|it|these|which) that\b",
    "some of them that": r"\bof them that\b",
    "what it does": r"\bwhat it does\b",
    "as it is": r"\bas it is\b(?! (?:now|today|wide|long|large|high)\b)",
    "so many": r"\b(?:of|with|after|for|by|in|at) so (?:many|much)\b|\bso many (?:are|is|of|as)\b",
    "be it": r"\bbe (?:it|he|she|they) (?!is|are)\w",
    "told of": r"\btold (?:of|by)\b",
    "tells what it takes": r"\btells what (?:it|they|he) takes?\b",
}
"""A name for each phrase, and the pattern that finds it; `design/voice.md` shows what to write in its place."""

GAP = r"(?:\s|[\"'#*]|//)+"
"""Between two words: also the end of a line in a comment, a docstring or a string of several parts."""

FOREIGN = {
    "ru": (
        r"\b(?:Стой|Лежи|Не лежи|Окажись) [{\w]",  # an order in place of a condition
        r"\bначинает \{|\bБез \{subject\} \{",  # a verb or a case that cannot agree with every name
        r"\bждут это устройство\b|\bпока не остановят\w* его\b",
        r"\bматч",  # партия
        r"\bуворот",  # уклонение
        r"\bмимо своих\b|\bстановится фрагом\b|\bв эфире\b|\bэтого мгновения\b",
        r"\bдоск\w+ для объектива|\b(?:огней|огня):|\bсветильник",
        r"\bСтолу отправляют\b|\bимитирует программа\b|\bкак скажут люди\b|\bНеверное чтение\b",
    ),
    "es": (
        r"\bfallo (?:guardado|del juez)\b",  # a ruling is una decisión
        r"\bse espera a este\b|\bno mira ninguna\b|\baquello con lo que\b|\bNo según las reglas\b",
        r"\bsufre un frag\b|\bcon tanto daño como\b.*\bsufre\b|\bCada uno en los dados\b",
        r"\bmueve casilla a casilla\b(?<!se mueve casilla a casilla)|\bpasa junto a amigos\b",
        r"\bRondas traídas\b|\bcomo se dibuja\b|\bdecide por sí\b|\bella dispara\b|\bpensada antes\b",
        r"\b(?:las|por) personas\b(?! sin)|\bcambie a alguien\b",
        r"\b(?:el|del|al|un) puesto\b",  # the desk is la central
    ),
}
"""Phrases that no native uses: orders in place of conditions, and English clauses word for word."""

SUFFIXES = frozenset({".py", ".js", ".html", ".md"})
HERE = "tests/test_voice.py"


def _files() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    return [
        name
        for name in listed
        if Path(name).suffix in SUFFIXES and not name.startswith("tests/data/") and name != HERE
        if (ROOT / name).is_file()
    ]


def find_stiff(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of every stiff phrase in a text."""
    for phrase, pattern in STIFF.items():
        for found in re.finditer(pattern.replace(" ", GAP), text, re.IGNORECASE):
            yield text.count("\n", 0, found.start()) + 1, f"{phrase} ({' '.join(found[0].split())})"


def test_sources_and_documents_speak_plainly() -> None:
    stiff = [
        f"{name}:{line}: {phrase}"
        for name in _files()
        for line, phrase in sorted(find_stiff((ROOT / name).read_text(encoding="utf-8")))
    ]

    assert stiff == []


def test_messages_speak_plainly() -> None:
    catalogue = read_catalogue(ROOT / "assistant/translations/ru.po")
    messages = [entry.id if isinstance(entry.id, str) else " ".join(entry.id) for entry in catalogue]

    assert [(text, phrase) for text in messages for _, phrase in find_stiff(text)] == []


@pytest.mark.parametrize("language", FOREIGN)
def test_catalogues_speak_as_natives_do(language: str) -> None:
    catalogue = read_catalogue(ROOT / f"assistant/translations/{language}.po")
    stiff = []
    for entry in catalogue:
        forms = entry.string if isinstance(entry.string, (tuple, list)) else [entry.string]
        stiff += [
            form
            for form in filter(None, forms if entry.id else ())
            for pattern in FOREIGN[language]
            if re.search(pattern, form, re.IGNORECASE)
        ]

    assert stiff == []


@pytest.mark.parametrize(
    "stiff",
    [
        "the owner is told",
        "it is\n    # told by the desk",
        "Whoever opens it",
        'a file for "\n    "who mends it',
        "tells what it takes",
        "the box as it is",
    ],
)
def test_a_stiff_phrase_is_found_over_the_end_of_a_line(stiff: str) -> None:
    assert list(find_stiff(stiff))

"""A page's texts for its readers, and any English left in them."""

from __future__ import annotations

import re
from functools import cache

from playwright.sync_api import Page

from assistant.translations.collecting import HERE, read_catalogue

GATHER = """() => {
    const words = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { textContent, parentElement } = walker.currentNode;
        if (!parentElement.closest('script, style') && textContent.trim()) words.push(textContent.trim());
    }
    for (const name of ['aria-label', 'title', 'alt', 'placeholder'])
        for (const node of document.querySelectorAll(`[${name}]`)) words.push(node.getAttribute(name));
    return [...new Set(words)];
}"""
OWN_NAMES = re.compile(r"(sample [\w ,]+|steady hand|dash)", re.IGNORECASE)
"""The missions' own card names, in their original language."""
HOLE = r"{\w+}"
"""A placeholder in a sentence of the catalogue: a figure, a number, a space."""


def texts_on(page: Page) -> list[str]:
    """Everything on the page that is read or read out, shown just now or not, each once."""
    found: list[str] = page.evaluate(GATHER)
    return found


def matching(part: str) -> str:
    """Return the pattern of a part of a sentence; counts are numbers."""
    if part == "{n}":
        return r"[\d.,]+"
    return ".+?" if re.fullmatch(HOLE, part) else re.escape(part)


@cache
def english_patterns(language: str) -> re.Pattern[str]:
    """Return every English sentence of the program with a translation in that language, whatever its values."""
    found = []
    for message in read_catalogue(HERE / f"{language}.po"):
        told = message.string if isinstance(message.string, tuple) else (message.string,)
        for english in message.id if isinstance(message.id, tuple) else (message.id,):
            if english not in told and re.search(r"[A-Za-z]{3}", re.sub(HOLE, "", english)):
                found.append("".join(map(matching, re.split(f"({HOLE})", english))))
    return re.compile("|".join(found))


@cache
def is_english(text: str, language: str) -> bool:
    """Return whether the program says this otherwise in that language."""
    return english_patterns(language).fullmatch(OWN_NAMES.sub("…", text)) is not None


def wrong_on(page: Page, language: str) -> set[str]:
    """Return English left on a page in another language, and any overflow of the screen's width."""
    is_too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    wrong = {text for text in texts_on(page) if is_english(text, language)}
    return wrong | ({"wider than the screen"} if is_too_wide else set())

"""Puts a table into a tournament: what it says of itself, and who takes a judge's steps."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from importlib.metadata import version

from assistant.app.tournament.membership import PART, Membership
from assistant.documents.hall import TableNews
from assistant.documents.join import read_join
from assistant.errors import SightlineError
from assistant.match.audience import PUBLIC
from assistant.settings import Settings
from assistant.translations.catalogue import ENGLISH, languages
from assistant.translations.speech import speech
from web.problems.errors import word_error
from web.state import PageState

MOST_TROUBLES = 20
MOST_LETTERS = 2000


def membership_of(settings: Settings, state: PageState) -> Membership | None:
    """The table's part in a tournament, not begun yet; None for a table that plays on its own.

    Raises:
        DocumentError: the join code is none.
        StoreError: the outbox cannot be opened.
    """
    if not settings.tournament:
        return None
    join = read_join(settings.tournament)
    news = partial(table_news, state)
    return Membership(join, settings.data, state.problem_list, news, run=state.hub.boot, version=version("sightline"))


def table_news(state: PageState) -> TableNews:
    """How the table is, as everybody may know it."""
    match = state.match
    view = {} if match is None else match.view(PUBLIC)
    wrong = [problem.error for problem in state.problems if problem.part != PART][:MOST_TROUBLES]
    others = [language for language in languages() if language != ENGLISH] if wrong else []
    return TableNews(
        t=0,
        match="" if match is None else (match.header.title or match.header.id)[:200],
        round=int(view.get("round") or 0),
        troubles=_told(wrong, ENGLISH),
        troubles_in={language: _told(wrong, language) for language in others},
        strip=None if "strip" not in state.watches else not any(p.part == "strip" for p in state.problems),
    )


def _told(wrong: Iterable[SightlineError], language: str) -> tuple[str, ...]:
    return tuple(word_error(error, speech(language))[:MOST_LETTERS] for error in wrong)

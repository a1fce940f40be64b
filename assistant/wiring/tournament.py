"""Connects a table to a tournament: its public state, and the delivery of judges' steps."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from importlib.metadata import version

from assistant.app.tournament.membership import PART, Membership
from assistant.app.tournament.table_key import TableKey
from assistant.documents.hall import Status, TableNews
from assistant.documents.join import read_join
from assistant.errors import SightlineError
from assistant.match.audience import PUBLIC
from assistant.run_clock import now_s
from assistant.settings import Settings
from assistant.translations.catalogue import ENGLISH, languages
from assistant.translations.speech import speech
from web.parts import Parts
from web.problems.errors import word_error

MOST_TROUBLES = 20
MOST_LETTERS = 2000


def membership_of(settings: Settings, page: Parts) -> Membership | None:
    """Build the table's part in a tournament, not yet started, or None for a table on its own.

    Raises:
        DocumentError: the join code is invalid.
        StoreError: the outbox cannot be opened.
    """
    if not settings.tournament:
        return None
    join = read_join(settings.tournament)
    news = partial(table_news, page)
    status = Status(
        state="online",
        run=page.hub.boot,
        since_t=round(now_s() * 1000),
        version=version("sightline"),
        key=TableKey(settings.data).public,
        double_loss=True,
    )
    made = Membership(join, settings.data, page.problems, news, status)

    def tell() -> None:
        page.hub.publish("tournament", {})

    made.seat_changed = tell
    return made


def table_news(page: Parts) -> TableNews:
    """Return the public state of the table."""
    match, found = page.match.session, page.problems
    view = {} if match is None else match.view(PUBLIC)
    wrong = [problem.error for problem in found.problems if problem.part != PART][:MOST_TROUBLES]
    others = [language for language in languages() if language != ENGLISH] if wrong else []
    return TableNews(
        t=0,
        match="" if match is None else (match.header.title or match.header.id)[:200],
        round=int(view.get("round") or 0),
        troubles=_sentences(wrong, ENGLISH),
        troubles_in={language: _sentences(wrong, language) for language in others},
        strip=None if "strip" not in found.watches else not any(p.part == "strip" for p in found.problems),
    )


def _sentences(wrong: Iterable[SightlineError], language: str) -> tuple[str, ...]:
    return tuple(word_error(error, speech(language))[:MOST_LETTERS] for error in wrong)

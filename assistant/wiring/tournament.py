"""Puts a table into a tournament: what it says of itself, and who takes a judge's steps."""

from __future__ import annotations

from importlib.metadata import version

from assistant.app.tournament.membership import PART, Membership
from assistant.documents.hall import TableNews
from assistant.documents.join import read_join
from assistant.match.audience import PUBLIC
from assistant.settings import Settings
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
    return Membership(join, settings.data, state, lambda: _news(state), run=state.boot, version=version("sightline"))


def _news(state: PageState) -> TableNews:
    """How the table is, as everybody may know it."""
    match = state.match
    view = {} if match is None else match.view(PUBLIC)
    wrong = [str(problem.error)[:MOST_LETTERS] for problem in state.problems if problem.part != PART]
    return TableNews(
        t=0,
        match="" if match is None else (match.header.title or match.header.id)[:200],
        round=int(view.get("round") or 0),
        troubles=tuple(wrong[:MOST_TROUBLES]),
        strip=None if "strip" not in state.watches else not any(p.part == "strip" for p in state.problems),
    )

"""The table's current state, gathered from the page's parts."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.app.live.shelf import ShotGone
from assistant.app.tournament.freezing import AskedShot, TableNow
from assistant.match.audience import PUBLIC, Audience
from assistant.match.session import Session
from assistant.translations.catalogue import ENGLISH, languages
from web.parts import Parts
from web.rulings.rulebook import cell_rules


def table_now(page: Parts, table: str) -> TableNow:
    """Gather the state that a call freezes: public pictures and rulings, and the public part of the match.

    A match without a camera has no pictures, since the camera shows another table.
    """
    match, free, is_watched = page.match.session, page.readers.free, page.match.is_watched
    return TableNow(
        table=table,
        t_ms=round(page.now_s() * 1000),
        holding=page.shown.holding if free is None else "now",  # it is read only while the table is still
        match=None if match is None else match.view(PUBLIC),
        titles={} if match is None else _titles(match),
        seat=None if page.referee is None or page.referee.member is None else page.referee.member.frozen_seat,
        shots=page.look_back.shots() if is_watched else (),
        asked=tuple(_iterate_asked(page)),
    )


def _titles(match: Session) -> dict[str, dict[int, str]]:
    """Return the match's steps in every language but English, its own."""
    others = [language for language in languages() if language != ENGLISH]
    views = {language: match.view(Audience(language=language)) for language in others}
    return {language: {step["seq"]: step["title"] for step in view["history"]} for language, view in views.items()}


def _iterate_asked(page: Parts) -> Iterator[AskedShot]:
    """Yield the rulings of this match with kept pictures, the oldest first."""
    if not page.match.is_watched:
        return
    if page.readers.free is not None:
        rules = page.readers.free.rules
        for one in page.readers.free.asked:
            if one.asked_at_s < page.match.since_s:
                continue
            yield AskedShot(one.shot, rules.name, rules.options, one.attacker, one.defender, one.asked_at_s)
        return
    for asked in page.asked_in_match():
        try:
            shot = page.shelf.get(asked.shot)
        except ShotGone:
            continue
        yield AskedShot(
            shot, asked.ruleset, cell_rules(asked.ruleset).options, asked.attacker, asked.defender, asked.asked_at_s
        )

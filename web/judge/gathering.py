"""The table at this moment, gathered from everything that the page shows."""

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
    """Everything that a call freezes: the public pictures and rulings, and the match as everybody may know it."""
    match, free = page.match.session, page.readers.free
    return TableNow(
        table=table,
        t_ms=round(page.now_s() * 1000),
        holding=page.shown.holding if free is None else "now",  # it is read only while it lies still
        match=None if match is None else match.view(PUBLIC),
        titles={} if match is None else _titles(match),
        seat=None if page.referee is None or page.referee.member is None else page.referee.member.frozen_seat,
        shots=page.look_back.shots(),
        asked=tuple(_iterate_asked(page)),
    )


def _titles(match: Session) -> dict[str, dict[int, str]]:
    """The steps of a match in every language but English, the match's own."""
    others = [language for language in languages() if language != ENGLISH]
    views = {language: match.view(Audience(language=language)) for language in others}
    return {language: {step["seq"]: step["title"] for step in view["history"]} for language, view in views.items()}


def _iterate_asked(page: Parts) -> Iterator[AskedShot]:
    """The rulings with kept pictures, the oldest first."""
    if page.readers.free is not None:
        rules = page.readers.free.rules
        for one in page.readers.free.asked:
            yield AskedShot(one.shot, rules.name, rules.options, one.attacker, one.defender, one.asked_at_s)
        return
    for asked in page.asked:
        try:
            shot = page.shelf.get(asked.shot)
        except ShotGone:
            continue
        yield AskedShot(
            shot, asked.ruleset, cell_rules(asked.ruleset).options, asked.attacker, asked.defender, asked.asked_at_s
        )

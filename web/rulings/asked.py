"""The last rulings, with their pictures."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from assistant.app.fair_shares import NOBODY, FairList, SenderShare
from assistant.app.live.shelf import ShotGone, ShotShelf
from assistant.app.live.shots import Shot
from assistant.rules.ruling import Ruling
from assistant.translations.messages import said
from web.serving.events import EventHub

KEPT_RULINGS = 24
"""Number of stored rulings. It equals the photos on the shelf, since each ruling appears on its picture."""


@dataclass(frozen=True, slots=True)
class AskedRuling:
    """A ruling in short: its shot, figures, rules and answer."""

    id: str
    shot: str
    ruleset: str
    attacker: str
    defender: str
    answer: tuple[float | None, bool, bool | None]
    asked_at_s: float

    def is_about(self, other: AskedRuling) -> bool:
        """Return whether both have the same question and answer, on any picture."""
        return replace(self, id=other.id, shot=other.shot, asked_at_s=other.asked_at_s) == other


@dataclass
class AskedRulings:
    """The last rulings, the oldest first. A busy device displaces only its own.

    Args:
        hub: tells the tablets.
        shelf: keeps their pictures.
        now_s: the clock, seconds since 1970.
    """

    hub: EventHub
    shelf: ShotShelf
    now_s: Callable[[], float]
    _kept: FairList[AskedRuling] = field(default_factory=lambda: FairList(KEPT_RULINGS))

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[AskedRuling]:
        return iter(self._kept)

    def get(self, ruling_id: str) -> AskedRuling:
        """Return the ruling of that id.

        Raises:
            ShotGone: it is no longer stored.
        """
        asked = next((one for one in self if one.id == ruling_id), None)
        if asked is None:
            raise ShotGone(said("this ruling is no longer stored"))
        return asked

    def note(self, shot: Shot, ruling: Ruling, share: SenderShare = NOBODY, *, is_follow_up: bool = False) -> None:
        """Store a ruling with its picture and publish it. A repeated one is stored once.

        A ruling requested by several devices stays as long as one of them has room for it.

        A repeated question shows it on the wall again. A page that follows the camera repeats its question on each
        picture (``is_follow_up``). That is news only if the answer has changed.
        """
        answer = (ruling.range, ruling.line_of_sight, ruling.cover)
        asked = AskedRuling(
            secrets.token_hex(6), shot.id, ruling.ruleset, ruling.attacker, ruling.defender, answer, self.now_s()
        )
        known = [last for last in self if last.is_about(asked) and (is_follow_up or last.shot == shot.id)]
        if not known:
            self.shelf.keep(shot, share)
            self._kept.add(asked.id, asked, share)
            known = [asked]
        elif is_follow_up:
            return
        else:
            self._kept.also_of(known[-1].id, share)
            self.shelf.keep(shot, share)
        self.hub.publish("ruling", {"id": known[-1].id, "shot": known[-1].shot})

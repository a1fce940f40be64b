"""The match that every page shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assistant import run_clock
from assistant.app.problems import Publish
from assistant.match.session import PlayedOn, Receipt, Session


@dataclass
class ShownMatch:
    """The match on display. Every step goes to all pages, and each device asks for what it may know.

    Args:
        publish: sends events to the pages.
        session: the current match, if any.
        now_s: the clock, seconds since 1970.
        run: counts the matches shown; a page of an earlier one reloads.
        since_s: start of play of this match on this table; earlier pictures and rulings belong to another.
        on_other_table: called when another match begins, or the same one moves to another table.
        note_by_hand: records a step that corrected a figure by hand, for a judge who may be called later.
    """

    publish: Publish
    session: Session | None = None
    now_s: Callable[[], float] = run_clock.now_s
    run: int = 0
    since_s: float = 0.0
    on_other_table: Callable[[], None] = lambda: None
    note_by_hand: Callable[[Receipt], None] = lambda receipt: None
    _leave: Callable[[], None] = field(default=lambda: None)
    _table: tuple[str, PlayedOn] | None = None

    @property
    def is_watched(self) -> bool:
        """Whether the match is played on the camera's table, or no match was begun yet."""
        return self.session is None or self.session.played_on == "camera"

    def play(self, session: Session) -> None:
        """Show this match and every further step of it."""

        def tell(receipt: Receipt) -> None:
            self.publish("match", {"seq": receipt.seq, "title": str(receipt.title)})
            if session.system.is_by_hand(receipt.type):
                self.note_by_hand(receipt)

        self._leave()
        self.session = session
        table = (session.header.seed, session.played_on)
        if table != self._table:
            self._table, self.since_s = table, self.now_s()
            self.on_other_table()
        self._leave = session.subscribe(tell)
        self.run += 1

    def seats_changed(self) -> None:
        """Make every page reload the match, because the device of a side has changed."""
        if self.session is not None:
            self.publish("match", {"seq": self.session.seq, "title": ""})

    def announce(self) -> None:
        """Tell every page that another match is shown."""
        seq = 0 if self.session is None else self.session.seq
        self.publish("match", {"seq": seq, "title": "", "run": self.run})

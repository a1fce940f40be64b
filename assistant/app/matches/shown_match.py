"""The match that every page shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assistant import run_clock
from assistant.app.problems import Publish
from assistant.match.session import PlayedOn, Receipt, Session


@dataclass
class ShownMatch:
    """One match after the other; every step goes to all pages, and each device asks for what it may know.

    Args:
        publish: sends events to the pages.
        session: the match that is played; None while none is.
        now_s: the clock, seconds since 1970.
        run: counts the matches; a page of another one reloads.
        since_s: when people began to play this match on this table; pictures and rulings before it are of another.
        on_other_table: called when another match begins, or the same one goes on on another table.
        note_by_hand: keeps a step that set a figure right by hand, for a judge who may be called later.
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
        """Whether people play on the table that a camera watches; true before any match."""
        return self.session is None or self.session.played_on == "camera"

    def play(self, session: Session) -> None:
        """Show this match from now on, and every step of it."""

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
        """Let every page look at the match again: another device has a side of it now, or none has."""
        if self.session is not None:
            self.publish("match", {"seq": self.session.seq, "title": ""})

    def announce(self) -> None:
        """Tell every page that another match is shown from now on."""
        seq = 0 if self.session is None else self.session.seq
        self.publish("match", {"seq": seq, "title": "", "run": self.run})

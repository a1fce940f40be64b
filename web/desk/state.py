"""The running desk, built by the wiring. The desk reports changes to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from flask import current_app

from assistant.app.problems import ProblemList
from assistant.app.tournament.desk import TournamentDesk
from assistant.app.tournament.table_key import TableKey
from assistant.documents.call import Call
from assistant.errors import SightlineError
from assistant.run_clock import now_s
from assistant.translations.speech import speech
from web.desk.ready import ReadyHall
from web.desk.view import hall_view
from web.judge.papers import Papers
from web.people.door import PARTS, FrontDoor
from web.serving.events import EventHub


@dataclass
class DeskState:
    """The page of a desk.

    Args:
        door: the addresses of the page, and the devices at the page.
        hub: sends events to the pages.
        delay_s: the delay of public results.
        event: the tournament.
        key: signs this desk's evidence, or None for a desk that writes none.
        now_s: the clock, seconds since 1970.
    """

    door: FrontDoor
    hub: EventHub
    delay_s: float
    event: str = ""
    key: TableKey | None = None
    now_s: Callable[[], float] = now_s
    papers: Papers = field(default_factory=Papers)
    problems: ProblemList = field(init=False)
    hall: TournamentDesk = field(init=False)
    ready: ReadyHall = field(init=False)

    def __post_init__(self) -> None:
        self.problems = ProblemList(self.hub.publish, self.now_s)
        self.ready = ReadyHall(
            lambda language: hall_view(self.hall, self.problems, self.now_s(), speech(language)),
            lambda: self.hub.publish("hall", {}),
            self.hub.boot,
        )

    def call_changed(self, call: Call) -> None:
        """Publish a change of a call."""
        self.ready.outdate()
        self.hub.publish("call", {"id": call.id, "table": call.table, "state": call.state})

    def parts_changed(self, call_id: str) -> None:
        """Publish that further parts of a call have arrived."""
        self.hub.publish("parts", {"id": call_id})

    def rounds_changed(self) -> None:
        """Publish a change of rounds, results or clocks, here and at the tables."""
        self.hall.seats_changed()
        self.ready.outdate()
        self.hub.publish("rounds", {})

    def report(self, part: str, problem: SightlineError | None) -> None:
        """Report a part's problem, or its end with None."""
        known = self.problems.problems
        if problem is None:
            self.problems.clear(part)
        else:
            self.problems.report(part, problem)
        if self.problems.problems != known:
            self.ready.outdate()


def desk_state() -> DeskState:
    """Return the desk that answers the current request."""
    found: DeskState = current_app.extensions[PARTS]
    return found

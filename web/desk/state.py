"""The running desk, as the wiring fills it, and as the desk tells it what happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from msgspec import json

from assistant.app.problems import ProblemList
from assistant.documents.call import Call
from assistant.errors import SightlineError
from assistant.match.session import Session
from assistant.run_clock import now_s
from assistant.translations.speech import speech
from web.desk.ports import HallDesk
from web.desk.ready import ReadyHall
from web.desk.view import hall_view
from web.people.devices import DeviceList
from web.people.reachable import Reachable
from web.serving.events import EventHub

NEWS_S = 0.5
"""Five hundred tables speak some hundred times a second; a page asks anew twice."""


@dataclass
class DeskState(Reachable):
    """The page of a desk.

    Args:
        devices: who is at the desk.
        hub: tells their pages.
        delay_s: how far the public view is behind.
        addresses: the addresses of the page, the one to show first.
        names: addresses with a name instead of a number.
        authority_pem: the certificate by which devices may trust this page.
        now_s: the clock, seconds since 1970.
    """

    devices: DeviceList
    hub: EventHub
    delay_s: float
    addresses: Sequence[str] = ()
    names: Sequence[str] = ()
    authority_pem: bytes | None = None
    now_s: Callable[[], float] = now_s
    match: Session | None = None
    problem_list: ProblemList = field(init=False)
    hall: HallDesk = field(init=False)
    ready: ReadyHall = field(init=False)

    def __post_init__(self) -> None:
        self.ready = ReadyHall(lambda language: json.encode(hall_view(self, speech(language))))
        self._told_s = 0.0
        self.problem_list = ProblemList(self.hub.publish, self.now_s)

    def call_changed(self, call: Call) -> None:
        """Tells every page of a call."""
        self.ready.outdate()
        self.hub.publish("call", {"id": call.id, "table": call.table, "state": call.state})

    def parts_changed(self, call_id: str) -> None:
        """Tells every page that there is more to see of a call."""
        self.hub.publish("parts", {"id": call_id})

    def rounds_changed(self) -> None:
        """Tells every page that rounds, results or clocks are otherwise."""
        self.ready.outdate()
        self.hub.publish("rounds", {})

    def hall_changed(self) -> None:
        """Tells every page that a table is otherwise; seldom enough for a hall of any size."""
        now_s = self.now_s()
        if now_s - self._told_s >= NEWS_S:
            self._told_s = now_s
            self.ready.freshen()
            self.hub.publish("hall", {})

    def report(self, part: str, problem: SightlineError | None) -> None:
        """Says what is wrong with a part, or that nothing is any more."""
        known = self.problem_list.problems
        if problem is None:
            self.problem_list.clear(part)
        else:
            self.problem_list.report(part, problem)
        if self.problem_list.problems != known:
            self.ready.outdate()

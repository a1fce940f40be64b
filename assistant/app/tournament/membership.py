"""A table in a tournament: its link to the broker, its news, and a judge's steps from the desk."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from assistant.app.problems import ProblemList
from assistant.app.tournament.home_assistant import discovery
from assistant.app.tournament.outbox import TableOutbox
from assistant.app.tournament.referee import Referee
from assistant.app.tournament.sent_parts import iterate_parts_to_send
from assistant.app.tournament.steps import STEP_TYPES
from assistant.app.tournament.table_link import TableLink
from assistant.app.tournament.topics import Topics
from assistant.documents.call import Call
from assistant.documents.hall import DeskCommand, Status, TableNews
from assistant.documents.join import JoinCode
from assistant.documents.match import convert
from assistant.documents.table_event import TableEvent
from assistant.errors import SightlineError
from assistant.run_clock import now_s

LOOK_S = 1.0
"""Time between two checks for news of the table."""

PART = "tournament"


class Membership:
    """The table's part in a tournament.

    Args:
        join: its code.
        data: the data folder.
        problems: where the network is reported.
        news: how the table is now.
        run: names this run of the program.
        version: the program's version.

    Raises:
        StoreError: the outbox cannot be opened.
        BadValue: the code's certificate is none.
    """

    def __init__(
        self,
        join: JoinCode,
        data: Path,
        problems: ProblemList,
        news: Callable[[], TableNews],
        *,
        run: str,
        version: str,
    ) -> None:
        self.join = join
        self._problems = problems
        self._news = news
        self._taker: Referee | None = None
        self._parts_of: Callable[[str], Mapping[str, bytes]] = lambda _: {}
        self._is_closing = threading.Event()
        outbox = TableOutbox(data / f"outbox-{join.event}-{join.name}.db")
        status = Status(state="online", run=run, since_t=round(now_s() * 1000), version=version)
        self.link = TableLink(join, outbox, self.carry_out, self.tell, status)
        self.link.announce(discovery(Topics(join.event), join.name, version))
        self._thread = threading.Thread(target=self._watch, name="tournament-news", daemon=True)

    def start(self, taker: Referee, parts_of: Callable[[str], Mapping[str, bytes]]) -> None:
        """Begins to send, and to take a judge's steps.

        Args:
            taker: takes them.
            parts_of: what was frozen for a call, by its names.
        """
        self._parts_of = parts_of
        self._taker = taker
        self._problems.look_after(PART)
        self.link.start()
        self._thread.start()

    def close(self) -> None:
        """Says goodbye; waiting events go out the next time."""
        self._is_closing.set()
        self.link.close()

    def carry_out(self, command: DeskCommand) -> None:
        """Takes a step from a judge at the desk.

        Raises:
            SightlineError: it cannot be taken.
        """
        step = convert(command.payload, STEP_TYPES[command.type], "command")
        if self._taker is not None:
            self._taker.take_step(command.call, step, command.actor, command.id)

    def heard(self, event: TableEvent, _call: Call | None) -> None:
        """Sends the frozen parts of a new call to the desk."""
        if event.type == "opened" and event.call is not None:
            for name, content in iterate_parts_to_send(self._parts_of(event.call)):
                self.link.take_part(event.call, name, content)

    def tell(self, problem: SightlineError | None) -> None:
        """Reports a problem of the network at the table; the game goes on."""
        if problem is None:
            self._problems.clear(PART)
        else:
            self._problems.report(PART, problem)

    def _watch(self) -> None:
        while not self._is_closing.wait(LOOK_S):
            self.link.show(self._news())

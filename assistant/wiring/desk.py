"""Assembles a tournament's desk: broker, store, desk, page."""

from __future__ import annotations

import gc
import secrets
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from assistant.app.tournament.desk import TournamentDesk
from assistant.app.tournament.desk_store import DeskStore
from assistant.app.tournament.key_authority import authority_of
from assistant.app.tournament.table_key import TableKey
from assistant.documents.hall import Status
from assistant.documents.join import JoinCode
from assistant.hosting.broker_process import BrokerProcess, answers_at
from assistant.hosting.process import StopSign
from assistant.run_clock import now_s
from assistant.settings import Settings
from assistant.wiring.front import Front, device_list, front_of
from web.desk.routes import create_desk_app
from web.desk.state import DeskState
from web.people.door import FrontDoor
from web.serving.events import STREAMS_A_DEVICE, EventHub


@dataclass(frozen=True)
class DeskPlan:
    """The options that a desk is started with.

    Args:
        join: its join code.
        store: the address of its database; empty for a file in the data folder.
        tables: the expected tables.
        delay_s: delay of the public view in seconds.
        broker: the configuration of a Mosquitto to start unless one is already running.
        folder: the tournament's folder, whose authority signs the keys of tables; None at a desk with a join code.
    """

    join: JoinCode
    store: str = ""
    tables: tuple[str, ...] = ()
    delay_s: float = 0.0
    broker: Path | None = None
    folder: Path | None = None


@dataclass
class OpenDesk:
    """A running desk. ``close`` stops everything that ``open_desk`` started."""

    state: DeskState
    front: Front
    desk: TournamentDesk
    broker: BrokerProcess | None
    stop_sign: StopSign = field(default_factory=StopSign)

    def close(self) -> None:
        """End streams, page, desk and broker, in this order."""
        self.state.hub.close()
        self.state.ready.close()
        self.front.close()
        self.desk.close()
        if self.broker is not None:
            self.broker.close()


def open_desk(settings: Settings, plan: DeskPlan) -> OpenDesk:
    """Assemble the desk and start it. It keeps running while its broker or its database is away.

    Raises:
        BadValue: the store's address is invalid.
        PortTaken: the page's port is in use.
        CannotDo: no broker can be started.
    """
    with ExitStack() as if_it_fails:
        settings.data.mkdir(parents=True, exist_ok=True)
        broker = None
        if plan.broker is not None and not answers_at(plan.join.port):
            broker = BrokerProcess(plan.broker, plan.join.port)
            if_it_fails.callback(broker.close)
        state = DeskState(
            door=FrontDoor(device_list(settings)),
            hub=EventHub(boot=secrets.token_hex(4), max_streams=STREAMS_A_DEVICE * settings.devices),
            delay_s=plan.delay_s,
            event=plan.join.event,
            key=TableKey(settings.data),
        )
        front = front_of(settings, state.door, create_desk_app(state))
        store = DeskStore(plan.store or f"sqlite:///{settings.data / f'desk-{plan.join.event}.db'}")
        status = Status(
            state="online", run=secrets.token_hex(6), version=version("sightline"), page=state.door.invite_address or ""
        )
        desk = TournamentDesk(plan.join, store, state, tables=plan.tables, status=status, now_s=now_s)
        desk.authority = None if plan.folder is None else authority_of(plan.folder, plan.join.event)
        state.hall = desk
        desk.start()
        state.ready.start()
        front.start()
        if_it_fails.pop_all()
    gc.freeze()  # exclude long-lived objects from garbage collection, which stops all threads for a moment each time
    return OpenDesk(state, front, desk, broker)

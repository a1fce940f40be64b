"""The link to a strip: search, listen, converse, lose it and find it again, in steps that never wait.

Opening a port resets many boards, and an awake bootloader may read a stray byte as the order to erase the program.
So the link writes nothing to a port before the device has greeted. Only to a kind named by the user does it write after
two seconds without a greeting.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from assistant.errors import NoAnswer, PortBusy, PortNotFound, StripError, WrongFirmware
from assistant.translations.messages import Said, said
from hardware.driver import Driver, Ready, StripEvent, StripIdentity
from hardware.kinds import LightKind, Start
from hardware.light import LightFrame
from hardware.port import AUTO, Port, PortFinder, PortPlace
from hardware.registry import light_kind, serial_kinds

logger = logging.getLogger(__name__)

QUIET_S = 2.0
# Bytes from before the reset may sit in the adapter for some milliseconds.
STALE_S = 0.2
# Our firmware greets twice a second, but only 3 s after it last heard another host.
LISTEN_S = 4.0
FIRST_RETRY_S, LONGEST_RETRY_S = 0.1, 2.0
# Opening restarts most boards. A guessed device without a greeting is something else, perhaps a printer.
LEFT_ALONE_S = 60.0
GREETING_BYTES = 64


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """The link's state for the page. ``problem`` is one sentence, None while all is well.

    ``is_shut``: no port could be opened. ``address`` is then the tried port, if any.
    """

    state: Literal["searching", "listening", "lit"]
    address: str | None = None
    identity: StripIdentity | None = None
    problem: Said | None = None
    is_shut: bool = False


@dataclass(slots=True)
class _Connection:
    """An open port, and the conversation on it once the device is known.

    ``fitting``: the untried kinds matching its greeting, the surest first.
    """

    port: Port
    place: PortPlace
    baud_rate: int
    opened_s: float
    greeting: bytes = b""
    fitting: list[LightKind] = field(default_factory=list)
    driver: Driver | None = None


class StripLink:
    """Keeps one strip lit with the newest picture, whatever happens to its cable.

    One owner calls ``step`` repeatedly. Everything happens there, without waiting. States: no connection
    (search), a connection without a driver (listen for a greeting), a driver (converse). Every ``StripError`` leads
    back to the search, with growing pauses.

    Args:
        finder: finds the ports.
        clock: monotonic seconds.
        kind: the id of the strip's kind. ``auto`` trusts its greeting.
        pixel_count: the length of a strip that cannot report its own.
        baud_rate: the rate of the port, 0 to detect it.

    Raises:
        BadValue: there is no such kind.
    """

    def __init__(
        self,
        finder: PortFinder,
        clock: Callable[[], float],
        *,
        kind: str = AUTO,
        pixel_count: int = 60,
        baud_rate: int = 0,
    ) -> None:
        self._finder = finder
        self._clock = clock
        self._is_named = kind != AUTO
        self._kinds = (light_kind(kind),) if self._is_named else serial_kinds()
        known = (rate for kind in self._kinds for rate in kind.reach.baud_rates)
        further = self._kinds[0].reach.further_rates if self._is_named else ()
        self._baud_rates = (baud_rate,) if baud_rate else tuple(dict.fromkeys((*known, *further)))
        self._rates_to_hear = len(self._baud_rates) if further and not baud_rate else 0
        self._pixel_count = pixel_count
        self._connection: _Connection | None = None
        self._try_count = 0
        self._retry_s = 0.0
        self._pause_s = FIRST_RETRY_S
        self._newest: LightFrame | None = None
        self._lit_place: PortPlace | None = None
        self._left_alone_s: dict[str, float] = {}
        self._is_logged_gone = False
        self._configuration: tuple[int, int] | None = None
        self._status = LinkStatus("searching")

    @property
    def status(self) -> LinkStatus:
        return self._status

    @property
    def wants_frame(self) -> bool:
        """Whether a frame handed over now would soon go out."""
        driver = self._driver
        return driver is not None and driver.wants_frame

    @property
    def shown(self) -> LightFrame | None:
        """The picture on the strip, as far as its protocol can know."""
        driver = self._driver
        return driver.shown if driver else None

    @property
    def _driver(self) -> Driver | None:
        return self._connection.driver if self._connection else None

    def show(self, frame: LightFrame) -> None:
        """Hand over the newest picture. A returning strip gets it again."""
        self._newest = frame
        if self._driver is not None:
            self._driver.show(frame)

    def configure(self, pixel_count: int, limit_ma: int) -> None:
        """Store length and current limit (0: none) in a strip with our firmware."""
        self._configuration = pixel_count, limit_ma

    def search_now(self) -> None:
        """Let the next step try every port again, even ignored ones."""
        self._retry_s = 0.0
        self._pause_s = FIRST_RETRY_S
        self._left_alone_s = {}

    def step(self) -> list[StripEvent]:
        """Do the next thing and return the strip's events. This never waits for a device."""
        now_s = self._clock()
        try:
            if self._connection is None:
                self._search(now_s)
                return []
            return self._converse(self._connection, now_s)
        except StripError as problem:
            self._let_go(problem, now_s)
            return []

    def close(self) -> None:
        """Say farewell to the strip and closes the port."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            if connection.driver is not None and connection.driver.is_ready:
                connection.port.write(connection.driver.farewell())
        except StripError as problem:
            logger.debug("no farewell to the strip: %s", problem)
        finally:
            connection.port.close()

    # -- finding ------------------------------------------------------------------------------

    def _search(self, now_s: float) -> None:
        if now_s < self._retry_s:
            return
        found = self._finder.places()
        if not found:
            self._left_alone_s.clear()
            self._status = replace(self._status, address=None)
            raise PortNotFound(said("No LED strip is plugged in. Plug one in or choose its port."))
        places = self._to_try(found, now_s)
        if not places:
            self._retry_s = now_s + LONGEST_RETRY_S
            return
        rates = self._baud_rates
        place = places[self._try_count // len(rates) % len(places)]
        baud_rate = rates[self._try_count % len(rates)]
        self._try_count += 1
        self._status = replace(self._status, address=place.address)
        port = self._finder.open(place, baud_rate)
        self._connection = _Connection(port, place, baud_rate, now_s)
        self._status = replace(self._status, state="listening", address=place.address, is_shut=False)
        if not any(kind.is_awaited for kind in self._kinds):
            self._connection.fitting = list(self._kinds)
            self._meet(self._connection, now_s)

    def _to_try(self, found: list[PortPlace], now_s: float) -> list[PortPlace]:
        """Return the places except ignored ones. Unplugging a device ends its being ignored."""
        addresses = {place.address for place in found}
        self._left_alone_s = {at: until_s for at, until_s in self._left_alone_s.items() if at in addresses}
        return [place for place in found if now_s >= self._left_alone_s.get(place.address, 0.0)]

    def _note_silent(self, connection: _Connection, now_s: float) -> None:
        place = connection.place
        was_lit = self._lit_place is not None and place.is_same_device(self._lit_place)
        if place.is_guess and not was_lit and connection.baud_rate == self._baud_rates[-1]:
            self._left_alone_s[place.address] = now_s + LEFT_ALONE_S

    def _listen(self, connection: _Connection, data: bytes, now_s: float) -> None:
        """Wait for a greeting and start the conversation with it."""
        waited_s = now_s - connection.opened_s
        if waited_s < STALE_S:
            return
        heard = connection.greeting + data
        connection.greeting = heard[-GREETING_BYTES:]
        connection.fitting = [kind for kind in self._kinds if kind.is_greeting(heard)]
        if not connection.fitting and self._is_named and waited_s >= (LISTEN_S if self._rates_to_hear else QUIET_S):
            # a picture at a wrong rate would be noise, so wait for the greeting to reveal the right one
            if self._rates_to_hear:
                self._rates_to_hear -= 1
                raise NoAnswer(
                    said(
                        "The strip says nothing at {baud_rate} baud. Trying the next rate.",
                        baud_rate=connection.baud_rate,
                    )
                )
            connection.fitting = list(self._kinds)
        if connection.fitting:
            self._meet(connection, now_s)
        elif waited_s >= LISTEN_S:
            self._note_silent(connection, now_s)
            kinds = " or ".join(f"--kind {kind.id}" for kind in self._kinds)
            raise NoAnswer(
                said(
                    "The device at {address} does not answer like a strip. Upload Sightline's firmware, or "
                    "give its kind ({kinds}).",
                    address=connection.place.address,
                    kinds=kinds,
                )
            )

    def _meet(self, connection: _Connection, now_s: float) -> None:
        """Start the conversation with the surest of the matching kinds."""
        driver = connection.fitting.pop(0).begin(Start(now_s, connection.baud_rate, self._pixel_count))
        connection.driver = driver
        if self._newest is not None:
            driver.show(self._newest)

    # -- talking ------------------------------------------------------------------------------

    def _converse(self, connection: _Connection, now_s: float) -> list[StripEvent]:
        data = connection.port.read()
        if connection.driver is None:
            self._listen(connection, data, now_s)
            return []
        try:
            events = self._exchange(connection, connection.driver, data, now_s)
        except NoAnswer:
            # Some greetings match several kinds: “Ada” comes from WLED or from an Adalight sketch.
            if not connection.fitting:
                raise
            self._meet(connection, now_s)
            return []
        for event in events:
            if isinstance(event, Ready):
                self._note_lit(connection, event.identity)
        return events

    def _exchange(self, connection: _Connection, driver: Driver, data: bytes, now_s: float) -> list[StripEvent]:
        if self._configuration is not None and driver.configure(*self._configuration):
            self._configuration = None
        events = driver.receive(data, now_s)
        out = driver.outgoing(now_s)
        if out:
            connection.port.write(out)
        return events

    def _note_lit(self, connection: _Connection, identity: StripIdentity) -> None:
        if self._lit_place is None:
            logger.info("LED strip found at %s: %s", connection.place.address, identity.kind)
        elif self._is_logged_gone:
            logger.info("LED strip back at %s", connection.place.address)
        self._lit_place = connection.place
        self._is_logged_gone = False
        self._pause_s = FIRST_RETRY_S
        # Try this place and rate first when the strip is lost.
        self._try_count = self._baud_rates.index(connection.baud_rate)
        self._status = LinkStatus("lit", connection.place.address, identity)

    def _let_go(self, problem: StripError, now_s: float) -> None:
        if self._connection is not None:
            self._connection.port.close()
        self._connection = None
        if self._lit_place is not None and not self._is_logged_gone:
            logger.warning("LED strip gone: %s", problem)
            self._is_logged_gone = True
        self._retry_s = now_s + (LONGEST_RETRY_S if isinstance(problem, WrongFirmware) else self._pause_s)
        self._pause_s = min(LONGEST_RETRY_S, 2 * self._pause_s)
        is_shut = isinstance(problem, PortNotFound | PortBusy)
        address = self._status.address if is_shut else None
        self._status = LinkStatus("searching", address, problem=problem.sentence, is_shut=is_shut)

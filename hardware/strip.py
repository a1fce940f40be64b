"""The strip's interface for the rest of Sightline: ``show`` takes the newest view, and its own thread lights it.

``show`` never waits for the device. A slow, deaf or missing strip delays nobody else.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Event, Thread

from assistant.errors import BadValue
from assistant.table.tracker import TrackerView
from assistant.translations.messages import said
from hardware.driver import ButtonPress, Ready, StripIdentity
from hardware.kinds import ByNetwork, LightKind
from hardware.light import MAX_PIXELS, MIN_PIXELS, LightFrame, LightSettings, light_frame
from hardware.link import LinkStatus, StripLink
from hardware.messages import ButtonAction
from hardware.port import AUTO, PortFinder
from hardware.registry import light_kinds
from hardware.transports.serial_port import SerialFinder
from hardware.transports.udp import NetworkFinder
from hardware.transports.virtual import PORT_NAME, VirtualFinder, VirtualStrip

MonotonicClock = Callable[[], float]
OnButton = Callable[[ButtonAction], None]
Animation = Callable[[float, LightSettings], LightFrame]
"""The picture at a clock time, for a strip with these settings."""

# Breathing looks smooth from 30 pictures a second. At 40 the strip is less than half busy.
FRAME_S = 1 / 40
LIT_PAUSE_S = 0.004
SEARCH_PAUSE_S = 0.05


class TrackerStrip:
    """Draws the newest view on a strip, over and over.

    Args:
        finder: finds the strip's possible ports.
        settings: the settings. A strip's own length overrides theirs, and the lower of the two current limits counts.
        kind: the id of the strip's kind, or ``auto``.
        clock: monotonic seconds, the same as the view's timer.
        on_button: called on the strip's own thread. It must return at once.
        baud_rate: the rate of a serial port, 0 to detect it.
    """

    def __init__(
        self,
        finder: PortFinder,
        settings: LightSettings,
        *,
        kind: str = AUTO,
        clock: MonotonicClock = time.monotonic,
        on_button: OnButton | None = None,
        baud_rate: int = 0,
    ) -> None:
        self._wanted_settings = self._settings = settings
        self._clock = clock
        self._on_button = on_button
        self._link = StripLink(finder, clock, kind=kind, pixel_count=settings.pixel_count, baud_rate=baud_rate)
        self._picture: Animation = partial(light_frame, TrackerView())
        self._drawn: Animation | None = None
        self._next_frame_s = 0.0
        self._wake = Event()
        self._is_closing = False
        self._thread: Thread | None = None

    @property
    def status(self) -> LinkStatus:
        return self._link.status

    @property
    def settings(self) -> LightSettings:
        """The settings with the strip's own length and limit."""
        return self._settings

    @property
    def frame(self) -> LightFrame:
        """The picture on the strip as far as known, dark without a strip."""
        return self._link.shown or LightFrame(bytes(3 * self._settings.pixel_count))

    def show(self, view: TrackerView) -> None:
        """Take the newest view and return at once. Any thread may call it."""
        self.draw(partial(light_frame, view))

    def draw(self, picture: Animation) -> None:
        """Take a picture to draw until the next view, and return at once."""
        self._picture = picture
        self._wake.set()

    def configure(self, pixel_count: int, limit_ma: int) -> None:
        """Store length and current limit (0: none) in a strip with our firmware."""
        self._link.configure(pixel_count, limit_ma)

    def search_now(self) -> None:
        """Search every port at once, without waiting."""
        self._link.search_now()
        self._wake.set()

    def step(self) -> None:
        """Draw and talk once, for callers without the thread."""
        now_s = self._clock()
        picture = self._picture
        if self._link.wants_frame and (picture is not self._drawn or now_s >= self._next_frame_s):
            self._link.show(picture(now_s, self._settings))
            self._drawn = picture
            self._next_frame_s = now_s + FRAME_S
        for event in self._link.step():
            if isinstance(event, Ready):
                self._settings = _apply_identity(self._wanted_settings, event.identity)
                self._drawn = None
            elif isinstance(event, ButtonPress) and self._on_button is not None:
                self._on_button(event.action)

    def start(self) -> None:
        self._thread = Thread(target=self._run, name="led-strip", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Say farewell to the strip, waiting at most two seconds."""
        self._is_closing = True
        self._wake.set()
        if self._thread is None:
            self._link.close()
        else:
            self._thread.join(timeout=2)

    def _run(self) -> None:
        while not self._is_closing:
            self.step()
            self._wake.wait(LIT_PAUSE_S if self.status.state == "lit" else SEARCH_PAUSE_S)
            self._wake.clear()
        self._link.close()


def _apply_identity(settings: LightSettings, identity: StripIdentity) -> LightSettings:
    """Return the settings with the strip's own length, and the lower of the two limits."""
    pixel_count = identity.pixel_count or settings.pixel_count
    pixel_count = max(MIN_PIXELS, min(MAX_PIXELS, pixel_count))
    limit_ma = min(settings.limit_ma, identity.limit_ma or settings.limit_ma)
    return replace(settings, pixel_count=pixel_count, limit_ma=max(limit_ma, pixel_count))


def _network_kind(port: str, kind: str) -> tuple[LightKind, ByNetwork] | None:
    """Return the network light of a port or kind, and its access. None for other lights."""
    scheme, separator, _ = port.partition("://")
    for each in light_kinds():
        if isinstance(each.reach, ByNetwork) and (kind == each.id or (separator and scheme == each.reach.scheme)):
            if kind not in (AUTO, each.id) or (separator and scheme != each.reach.scheme):
                raise BadValue(
                    said(
                        "“{port}” is not an address of a light of the kind “{kind}”. Choose another port or kind.",
                        port=port,
                        kind=kind,
                    ),
                    field="port",
                )
            return each, each.reach
    return None


def strip_port(port: str, kind: str, *, default: str = AUTO) -> str:
    """Return the full port: ``default`` if there is none, and with its scheme for a network light.

    Raises:
        BadValue: port and kind contradict each other.
    """
    network = _network_kind(port, kind)
    if network is None:
        return port or default
    if port == PORT_NAME:
        raise BadValue(
            said("The virtual strip has no kind “{kind}”. Leave out the port or the kind.", kind=kind), field="port"
        )
    return port if "://" in port else f"{network[1].scheme}://{port or AUTO}"


_RATE = re.compile(r"(?P<port>[^@]+)@(?P<rate>\d{4,7})")


def split_rate(port: str) -> tuple[str, int]:
    """Return a serial port without its rate, and the rate, 0 if unnamed."""
    found = _RATE.fullmatch(port)
    return (port, 0) if found is None or "://" in port else (found["port"], int(found["rate"]))


def open_strip(
    port: str,
    settings: LightSettings,
    *,
    kind: str = AUTO,
    clock: MonotonicClock = time.monotonic,
    on_button: OnButton | None = None,
) -> TrackerStrip:
    """Create the strip for a port: ``virtual``, ``auto``, ``usb:VID:PID[:SERIAL]``, a port's name or an address.

    A serial port may name its rate: ``/dev/ttyUSB0@500000``.

    ``auto`` searches serial ports only. A network light needs its address or kind. This opens nothing yet: ``start``
    the strip.

    Raises:
        BadValue: the port is none of these, or contradicts the kind.
    """
    finder: PortFinder
    port, baud_rate = split_rate(strip_port(port, kind))
    network = _network_kind(port, kind)
    if network is not None:
        light, reach = network
        kind, finder = light.id, NetworkFinder(light, reach, port)
    elif port == PORT_NAME:
        finder = VirtualFinder(VirtualStrip(clock, pixel_count=settings.pixel_count))
    else:
        finder = SerialFinder(port)
    return TrackerStrip(finder, settings, kind=kind, clock=clock, on_button=on_button, baud_rate=baud_rate)

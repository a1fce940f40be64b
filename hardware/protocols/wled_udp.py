"""WLED's UDP realtime protocol, for an unmodified WLED controller on the network.

A picture is one datagram (``DRGB``): 2, the seconds until WLED returns to its own effects without another picture,
then red, green and blue of each pixel from the first. It carries up to 490 pixels, so one datagram always holds a
whole picture. Seconds of 0 return to the effects at once. Datagrams get no answer. HTTP requests ask WLED for its
version, and later whether it shows a host's pictures. A host gets no datagram before it has answered like WLED.
Specification: https://kno.wled.ge/interfaces/udp-realtime.
"""

from __future__ import annotations

from assistant.errors import NoAnswer, StripLost
from assistant.translations.messages import message, said
from hardware.driver import Driver, Ready, StripEvent, StripIdentity
from hardware.kinds import ByNetwork, LightKind
from hardware.light import MAX_PIXELS, LightFrame
from hardware.network_hosts import Presence, WledAbout, read_about

KIND = "wled-udp"
DRGB = 2
LEAVE_S = 3
"""WLED's timeout for the next picture, five lost datagrams."""
REST_S = 1 / 60
"""Time between two pictures, WLED's drawing rate."""
OTHERS_S = LEAVE_S + 3.0
"""Time during which another host's pictures may be our own earlier ones. WLED drops those sooner."""
TAKE_S = 5.0
"""Time within which WLED must report a host's pictures after the first one."""
REFUSED = said("WLED is there but takes no pictures. Switch on “Receive UDP realtime” in its sync settings.")


def drgb(frame: LightFrame, leave_s: int = LEAVE_S) -> bytes:
    """Return the datagram of a light frame with at most 490 pixels."""
    return bytes((DRGB, leave_s)) + frame.rgb


class WledUdpDriver(Driver):
    """The host's end of the conversation with WLED on the network, ready once WLED reports showing our pictures."""

    refresh_s = 0.5  # repeats a lost datagram this soon

    def __init__(self, now_s: float) -> None:
        super().__init__()
        self._presence = Presence(now_s)
        self._about: WledAbout | None = None
        self._offered_s: float | None = None
        self._idle_count = 0
        self._others_since_s: float | None = None

    def farewell(self) -> bytes:
        return bytes((DRGB, 0))

    def receive(self, data: bytes, now_s: float) -> list[StripEvent]:
        events: list[StripEvent] = []
        for line in self._presence.lines(data):
            about = read_about(line)
            if about is not None:
                self._presence.note(now_s)
                events += self._take(about, now_s)
            elif line and self._about is None:  # an empty answer may come from a starting or busy WLED
                raise NoAnswer(said("The host answers, but not like WLED. Check the address."))
        return events

    def _take(self, about: WledAbout, now_s: float) -> list[StripEvent]:
        self._about = about
        if self._offered_s is None:
            self._leave_to_others(about, now_s)
            return []
        self._idle_count = 0 if about.is_live else self._idle_count + 1
        if self.is_ready and self._idle_count > 1:
            raise StripLost(REFUSED)
        if self.is_ready or not about.is_live:
            return []
        self.is_ready = True
        return [Ready(StripIdentity(KIND, about.version, about.pixel_count, about.limit_ma))]

    def _leave_to_others(self, about: WledAbout, now_s: float) -> None:
        """Leave a WLED alone while it shows another program's pictures.

        Raises:
            StripLost: it has done so for longer than our own earlier pictures could last.
        """
        if not about.is_live:
            self._others_since_s = None
            return
        if self._others_since_s is None:
            self._others_since_s = now_s
        if now_s - self._others_since_s >= OTHERS_S:
            raise StripLost(
                said(
                    "WLED shows the pictures of another program ({who}), so Sightline leaves it alone. Stop that "
                    "program, or switch off its output to WLED.",
                    who=about.shown_by or "?",
                )
            )

    def outgoing(self, now_s: float) -> bytes:
        """Return the datagram to send now, dark pictures until WLED reports showing them."""
        self._presence.check(now_s)
        if self._about is None or self._others_since_s is not None:
            return b""
        if self._offered_s is None:
            self._offered_s = now_s
            if self._newest is None:
                self.show(LightFrame(bytes(3 * min(self._about.pixel_count, MAX_PIXELS))))
        if not self.is_ready and now_s - self._offered_s >= TAKE_S:
            raise NoAnswer(REFUSED)
        picture = self.next_picture(now_s)
        if picture is None:
            return b""
        self.keep_busy(now_s + REST_S)
        return drgb(picture)


def _picture_port(answer: bytes) -> int | None:
    about = read_about(answer)
    return about.picture_port if about else None


LIGHT = LightKind(
    KIND,
    "WLED",
    message("a WLED controller on the network"),
    ByNetwork("wled", 21_324, "/json/info", service="_wled._tcp.local.", told_port=_picture_port),
    lambda start: WledUdpDriver(start.now_s),
)

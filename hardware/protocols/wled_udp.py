"""Conversation with an unmodified WLED controller on the network: its UDP realtime protocol.

A picture is one datagram (``DRGB``): 2, the seconds until WLED goes back to its own effects when nothing
follows, then red, green and blue of each pixel from the first on. It carries up to 490 pixels, so that no
picture is ever cut in two. Seconds of 0 give the strip back at once. Datagrams are not answered; WLED is asked by
HTTP what it is, and later whether it shows the pictures of a host. Nothing is sent to a host before it has
answered like WLED. Described at https://kno.wled.ge/interfaces/udp-realtime.
"""

from __future__ import annotations

from assistant.errors import NoAnswer, StripLost
from assistant.translations.messages import message, said
from hardware.driver import Ready, StripEvent, StripIdentity
from hardware.kinds import ByNetwork, LightKind
from hardware.light import MAX_PIXELS, LightFrame
from hardware.outbox import Outbox
from hardware.presence import Presence
from hardware.wled_about import WledAbout, read_about

KIND = "wled-udp"
DRGB = 2
LEAVE_S = 3
"""How long WLED waits for the next picture; five of them may be lost on the radio."""
REFRESH_S = 0.5
# Pictures of a view that changes often are no nearer than WLED can draw them.
REST_S = 1 / 60
# Within so long after the first picture WLED must say that it shows pictures of a host.
TAKE_S = 5.0
REFUSED = said("WLED is there but takes no pictures; switch “Receive UDP realtime” on in its sync settings")


def drgb(frame: LightFrame, leave_s: int = LEAVE_S) -> bytes:
    """The datagram that shows a light frame, at most 490 pixels."""
    return bytes((DRGB, leave_s)) + frame.rgb


class WledUdpDriver:
    """The host's end towards WLED on the network; see ``hardware.driver.Driver``."""

    def __init__(self, now_s: float) -> None:
        self._presence = Presence(now_s)
        self._outbox = Outbox(REFRESH_S)
        self._about: WledAbout | None = None
        self._offered_s: float | None = None
        self._is_ready = False
        self._idle_count = 0

    @property
    def is_ready(self) -> bool:
        """Whether WLED has said that it shows our pictures."""
        return self._is_ready

    @property
    def wants_frame(self) -> bool:
        """Whether a picture that is handed over now would go out soon."""
        return self._is_ready and self._outbox.is_empty

    @property
    def shown(self) -> LightFrame | None:
        """The picture that was sent last; a lost datagram is made up for within half a second."""
        return self._outbox.shown if self._is_ready else None

    def show(self, frame: LightFrame) -> None:
        """Hands over the newest picture."""
        self._outbox.put(frame)

    def farewell(self) -> bytes:
        """Gives the strip back to WLED's own effects."""
        return bytes((DRGB, 0))

    def receive(self, data: bytes, now_s: float) -> list[StripEvent]:
        """What WLED's answers mean.

        Raises:
            NoAnswer: the host is no WLED.
            StripLost: WLED has gone back to its own effects and stays there.
        """
        events: list[StripEvent] = []
        for line in self._presence.lines(data):
            about = read_about(line)
            if about is not None:
                self._presence.note(now_s)
                events += self._take(about)
            elif line and self._about is None:  # an empty one may come from a WLED that is starting or busy
                raise NoAnswer(said("the host answers, but not like WLED; check the address"))
        return events

    def _take(self, about: WledAbout) -> list[StripEvent]:
        self._about = about
        if self._offered_s is None:
            return []  # whose pictures it shows now is not known
        self._idle_count = 0 if about.is_live else self._idle_count + 1
        if self._is_ready and self._idle_count > 1:
            raise StripLost(REFUSED)
        if self._is_ready or not about.is_live:
            return []
        self._is_ready = True
        return [Ready(StripIdentity(KIND, about.version, about.pixel_count, about.limit_ma))]

    def outgoing(self, now_s: float) -> bytes:
        """The datagram to send now; before WLED has said that it shows pictures, dark ones.

        Raises:
            NoAnswer: no WLED is there, or it takes no pictures.
            StripLost: WLED has stopped answering.
        """
        self._presence.check(now_s)
        if self._about is None:
            return b""
        if self._offered_s is None:
            self._offered_s = now_s
            if self._outbox.is_empty:
                self._outbox.put(LightFrame(bytes(3 * min(self._about.pixel_count, MAX_PIXELS))))
        if not self._is_ready and now_s - self._offered_s >= TAKE_S:
            raise NoAnswer(REFUSED)
        picture = self._outbox.take(now_s)
        if picture is None:
            return b""
        self._outbox.rest(now_s + REST_S)
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

"""Conversation with Sightline's own firmware: one message at a time, each with an answer.

A slow chip loses bytes while it writes the LEDs. So it answers a picture only afterwards, and the next message waits
for that answer. Messages become shorter on a noisy line, so that more get through, and longer again on a clean one.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.errors import NoAnswer, StripLost, WrongFirmware
from assistant.translations.messages import message, said
from hardware import messages
from hardware.driver import ButtonPress, Driver, Ready, StripEvent, StripIdentity
from hardware.kinds import BySerial, LightKind
from hardware.light import LightFrame
from hardware.line_quality import LineQuality
from hardware.messages import (
    END,
    PROTOCOL_VERSION,
    ButtonAction,
    FrameReader,
    Message,
    Pixels,
    Received,
    Refusal,
    encode,
)

KIND = "sightline"
PING_S = 1.0
PIXEL_WRITE_S = 30e-6
SILENCE_S = 2.0
# A mute board may just have been reset, and bytes to its boot loader can harm it. On a bad line, three messages in a
# row without a single byte back happen once in a hundred thousand times.
MUTE_TRIES = 3


@dataclass(slots=True)
class _InFlight:
    """A message waiting for its answer."""

    message: Message
    seq: int
    frame: bytes
    sent_s: float | None = None
    try_count: int = 0
    unanswered_count: int = 0
    mute_count: int = 0
    is_due: bool = True


class OwnDriver(Driver):
    """The host's end of Sightline's own protocol.

    Invariant: at most one message is in flight. ``_newest`` waits, ``_sending`` is in transit in one or more messages,
        ``_shown`` is the last acknowledged picture.

    Args:
        baud_rate: the line's rate, which determines the timeout for an answer.
        now_s: the earliest time to write to the strip.
    """

    def __init__(self, baud_rate: int, now_s: float) -> None:
        super().__init__()
        self._baud_rate = baud_rate
        self._reader = FrameReader()
        self._seq = 0
        self._heard_s = now_s
        self._asked_s = now_s
        self._has_heard = False
        self._sending: LightFrame | None = None
        self._sent_count = 0
        self._picture = 0
        self._seen: list[int] = []
        self._last_event: int | None = None
        self._line = LineQuality()
        self._configuration: messages.Configure | None = None
        self.counters: messages.Pong | None = None
        self._flight: _InFlight | None = self._new(messages.Hello())

    @property
    def wants_frame(self) -> bool:
        return self.is_ready and self._flight is None and self._sending is None

    def configure(self, pixel_count: int, limit_ma: int) -> bool:
        self._configuration = messages.Configure(pixel_count, limit_ma)
        return True

    def farewell(self) -> bytes:
        return END + encode(messages.Bye(), self._next_seq())

    # -- receiving ----------------------------------------------------------------------------

    def receive(self, data: bytes, now_s: float) -> list[StripEvent]:
        events: list[StripEvent] = []
        if data and self._flight is not None:
            self._flight.mute_count = 0
        for item in self._reader.feed(data):
            if isinstance(item, Received):
                self._heard_s = now_s
                self._has_heard = True
                if self._flight and self._answers(item.seq):
                    self._note_lag(self._flight, now_s)
                events += self._take(item)
            else:
                self._note_damage()
        return events

    def _take(self, item: Received) -> list[StripEvent]:
        match item.message:
            case messages.Welcome() as welcome:
                return self._take_welcome(welcome, item.seq)
            case messages.Button(number, action) if self.is_ready:
                return self._take_button(number, action)
            case messages.Nak(reason):
                self._take_refusal(reason, item.seq)
            case messages.Ack() | messages.Pong() if self._answers(item.seq):
                self._take_answer(item.message)
        return []

    def _answers(self, seq: int) -> bool:
        return self._flight is not None and self._flight.seq == seq and self._flight.try_count > 0

    def _take_welcome(self, welcome: messages.Welcome, seq: int) -> list[StripEvent]:
        if (
            self._flight
            and self._answers(seq)
            and isinstance(self._flight.message, messages.Hello | messages.Configure)
        ):
            if welcome.protocol_version != PROTOCOL_VERSION:
                raise WrongFirmware(
                    said(
                        "The strip speaks version {version} of the protocol, not {ours}. Upload the firmware of "
                        "this release.",
                        version=welcome.protocol_version,
                        ours=PROTOCOL_VERSION,
                    )
                )
            self._flight = None
            self.is_ready = True
            self._begin_afresh()
            version = f"{welcome.firmware_major}.{welcome.firmware_minor}"
            limit_ma = welcome.limit_ma or None
            return [Ready(StripIdentity(KIND, version, welcome.pixel_count, limit_ma, remembers_length=True))]
        if seq == 0 and self.is_ready:
            # The strip's greeting means that it has restarted, or considers us gone.
            self._meet_again()
        return []

    def _begin_afresh(self) -> None:
        self._newest = self._newest or self._sending or self._shown
        self._sending = self._shown = None
        self._last_event = None

    def _meet_again(self) -> None:
        self.is_ready = False
        self._begin_afresh()
        self._flight = self._new(messages.Hello())

    def _take_button(self, number: int, action: int) -> list[StripEvent]:
        self._seen.append(number)
        if number == self._last_event or action not in list(ButtonAction):
            return []
        self._last_event = number
        return [ButtonPress(ButtonAction(action))]

    def _take_refusal(self, reason: int, seq: int) -> None:
        if reason in (Refusal.HELLO_FIRST, Refusal.OVER_LIMIT) and self.is_ready:
            # Over the limit: it has been changed, and the new welcome contains it.
            self._meet_again()
        elif reason == Refusal.INCOMPLETE and self._answers(seq):
            self._flight = None
            self._sent_count = 0
        elif seq == 0 or self._answers(seq):
            self._note_damage()
            if self._flight is not None:
                self._flight.is_due = True
                self._flight.unanswered_count = 0

    def _take_answer(self, answer: messages.Ack | messages.Pong) -> None:
        flight, self._flight = self._flight, None
        if isinstance(answer, messages.Pong):
            self.counters = answer
        if flight is not None and isinstance(flight.message, Pixels) and self._sending is not None:
            self._line.note_success()
            self._sent_count += len(flight.message.rgb) // 3
            if flight.message.is_shown:
                self._shown, self._sending = self._sending, None

    # -- sending -----------------------------------------------------------------------------

    def outgoing(self, now_s: float) -> bytes:
        if self._flight is None:
            self._flight = self._next(now_s)
        self._check_silence(now_s)
        out = b"".join(encode(messages.Seen(number), self._next_seq()) for number in self._seen)
        self._seen.clear()
        return out + self._fly(now_s)

    def _check_silence(self, now_s: float) -> None:
        if self._flight is None or self._flight.sent_s is None:
            return
        if now_s - max(self._heard_s, self._asked_s) < SILENCE_S:
            return
        if not self._has_heard:
            raise NoAnswer(said("The strip does not answer. Upload Sightline's firmware or choose its kind."))
        raise StripLost(said("The strip has stopped answering. Check its cable and its power supply."))

    def _next(self, now_s: float) -> _InFlight | None:
        """Return the next message to send, if any."""
        if not self.is_ready:
            return self._new(messages.Hello())
        if self._configuration is not None:
            configuration, self._configuration = self._configuration, None
            return self._new(configuration)
        if self._sending is None and self._newest is not None:
            self._sending, self._newest = self._newest, None
            self._sent_count = 0
            if self._sending == self._shown:
                self._sending = None
        if self._sending is not None:
            return self._new(self._next_pixels(self._sending))
        return self._new(messages.Ping()) if now_s - self._asked_s >= PING_S else None

    def _next_pixels(self, frame: LightFrame) -> Pixels:
        if self._sent_count == 0:
            self._picture = (self._picture + 1) % 256
        first, end = self._sent_count, min(frame.pixel_count, self._sent_count + self._line.message_pixels)
        return Pixels(self._picture, end == frame.pixel_count, first, frame.rgb[3 * first : 3 * end])

    def _fly(self, now_s: float) -> bytes:
        flight = self._flight
        if flight is None or not self._is_due(flight, now_s):
            return b""
        if flight.try_count and isinstance(flight.message, Pixels) and self._sending is not None:
            flight = self._flight = self._shorter(flight, self._sending)
        if flight.try_count == 0:
            self._asked_s = now_s
        flight.is_due = False
        flight.sent_s = now_s
        flight.try_count += 1
        flight.mute_count += 1
        # An end byte first clears remains in the strip's reader.
        return (END if flight.try_count > 1 or isinstance(flight.message, messages.Hello) else b"") + flight.frame

    def _is_due(self, flight: _InFlight, now_s: float) -> bool:
        """Return whether to send the message now, for the first time or again."""
        if flight.is_due or flight.sent_s is None:
            return True
        patience_s = self._line.patience_s(self._expected_s(flight), flight.unanswered_count)
        if now_s - flight.sent_s < patience_s or flight.mute_count >= MUTE_TRIES:
            return False
        self._note_damage()
        flight.unanswered_count += 1
        return True

    def _shorter(self, flight: _InFlight, frame: LightFrame) -> _InFlight:
        """Return the message to repeat, shortened if the line has become worse."""
        if isinstance(flight.message, Pixels) and len(flight.message.rgb) > 3 * self._line.message_pixels:
            shorter = self._new(self._next_pixels(frame))
            shorter.try_count, shorter.unanswered_count = flight.try_count, flight.unanswered_count
            shorter.mute_count = flight.mute_count
            return shorter
        return flight

    def _expected_s(self, flight: _InFlight) -> float:
        """Return the time that message, LEDs and answer take on a perfect line."""
        pixel_count = self._sending.pixel_count if self._sending else 0
        return (len(flight.frame) + 16) * 10 / self._baud_rate + pixel_count * PIXEL_WRITE_S

    def _note_lag(self, flight: _InFlight, now_s: float) -> None:
        if flight.sent_s is not None and flight.try_count == 1:
            self._line.note_lag(now_s - flight.sent_s - self._expected_s(flight))

    def _note_damage(self) -> None:
        if self.is_ready:  # damage while a board boots is no evidence about the line
            self._line.note_damage()

    def _new(self, message: Message) -> _InFlight:
        seq = self._next_seq()
        return _InFlight(message, seq, encode(message, seq))

    def _next_seq(self) -> int:
        """Count from 1 to 255. 0 marks the strip's unsolicited messages."""
        self._seq = self._seq % 255 + 1
        return self._seq


def _greets(heard: bytes) -> bool:
    return any(
        isinstance(item, Received) and isinstance(item.message, messages.Welcome) for item in FrameReader().feed(heard)
    )


LIGHT = LightKind(
    KIND,
    message("Sightline's firmware"),
    message("an Arduino with Sightline's firmware, by USB"),
    BySerial((250_000, 115_200), _greets),
    lambda start: OwnDriver(start.baud_rate, start.now_s),
)

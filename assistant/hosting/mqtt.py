"""A link to an MQTT 5 broker that reconnects by itself and is independent of the messages' meaning.

Only this file maps errors of the library and the connection. The link only reports whether a message was sent. The
publisher must ensure its arrival: the other side confirms it with a message of its own.
"""

from __future__ import annotations

import datetime
import secrets
import socket
import ssl
import sys
import threading
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.subscribeoptions import SubscribeOptions

from assistant.errors import BadValue, CannotDo
from assistant.translations.foreign import system_reason
from assistant.translations.messages import said

if TYPE_CHECKING:
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

KEEP_ALIVE_S = 4
"""Keep-alive time in seconds. A broker drops a client after 1.5 times this in silence."""

CONNECT_S = 5.0
WAIT_S = (1, 10)
"""Seconds between two connection attempts, at first and at most."""

GOODBYE_S = 1.0
IN_FLIGHT = 2_000
"""Largest number of messages without the broker's confirmation. Further ones wait here."""

NOT_LET_IN = (0x86, 0x87, 0x8C)
"""Reason codes of MQTT 5 (4.13): bad name or password, not authorized, bad authentication."""

NOT_THEN = (9, 10)
"""OpenSSL's reasons (X509_V_ERR): the certificate is not yet valid, or has expired."""

QUOTA = 0x97
"""Reason code of a broker that is full at the moment and accepts the message later."""

BROKEN_MESSAGE = (0x81, 0x82, 0x90, 0x95, 0x99)
"""Reason codes with which a broker ends a connection over one message: malformed, too large, and the like."""

MOST_STRIKES = 3
"""Number of connections that a broker may close over one message."""

MAX_TOPIC_BYTES = 65_535
MAX_PAYLOAD_BYTES = 1 << 20
"""Largest payload in bytes in our broker's configuration. A larger one ends the connection."""

PACKET_BYTES = 32
"""Upper bound in bytes on a packet's overhead beyond topic and payload."""


class BrokerError(CannotDo):
    """The broker is unavailable, so messages wait."""


class BrokerAway(BrokerError):
    """The broker does not answer, or has stopped answering."""

    def __init__(self, place: BrokerPlace, problem: OSError | None = None) -> None:
        reason = said("the connection has ended") if problem is None else system_reason(problem)
        super().__init__(
            said(
                "The broker at {place} does not answer ({reason}). Start it or check the network. The "
                "table keeps everything and sends it later.",
                place=f"{place.host}:{place.port}",
                reason=reason,
            )
        )


class BrokerRefuses(BrokerError):
    """The broker rejects name, password or permissions."""

    def __init__(self, place: BrokerPlace) -> None:
        super().__init__(
            said(
                "The broker at {place} rejects the password of “{user}”. Take a new join code. The table "
                "keeps everything and sends it then.",
                place=f"{place.host}:{place.port}",
                user=place.user,
            )
        )


class BrokerNotTrusted(BrokerError):
    """No authority that we trust signed the broker's certificate."""

    def __init__(self, place: BrokerPlace) -> None:
        super().__init__(
            said(
                "The certificate of the broker at {place} is not trusted, so nothing is sent to it. Take "
                "a join code of this tournament, or check the address.",
                place=f"{place.host}:{place.port}",
            )
        )


class ClockWrong(BrokerError):
    """By this machine's clock, the broker's certificate is not valid yet or has expired."""

    def __init__(self, now: datetime.datetime) -> None:
        super().__init__(
            said(
                "This computer's clock says {date}, and the broker's certificate is not valid then. Set the clock. "
                "The table keeps everything and sends it later.",
                date=now.strftime("%Y-%m-%d %H:%M"),
            )
        )


@dataclass(frozen=True, slots=True)
class BrokerPlace:
    """The broker's address and our account. ``authority_pem`` signed its certificate and is empty without TLS."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    authority_pem: str = ""


@dataclass(frozen=True, slots=True)
class BrokerMessage:
    """A message to or from the broker. With ``retained`` the broker keeps it for later subscribers.

    ``is_answer`` means that the other side repeats its question until the answer comes, so the broker need not confirm
    it. ``about`` is the sender's own name for it, which is never sent.
    """

    topic: str
    payload: bytes
    retained: bool = False
    is_answer: bool = False
    about: str = ""


class LinkEnd(Protocol):
    """The owner of a link. The link calls these on its own thread. They must never raise."""

    def came_up(self) -> None:
        """Handle a connection: the broker has accepted us and all subscriptions."""

    def went_down(self, problem: BrokerError) -> None:
        """Handle the loss of the broker. The link reconnects by itself."""

    def heard(self, message: BrokerMessage) -> None:
        """Handle an incoming message."""

    def refused(self, message: BrokerMessage) -> None:
        """Handle a message that the broker refuses. Sent again, it would be refused again, or end the connection."""


class MqttLink:
    """A connection to the broker that reconnects by itself.

    Args:
        place: the broker's address and our account.
        client_id: prefix of the connection's id; the rest is random, because a second client with the same id would
            disconnect ours.
        end: the owner.
        subscriptions: topics, with wildcards.
        will: message that the broker publishes if we vanish without a goodbye.

    Raises:
        BadValue: the authority's certificate is invalid.
    """

    def __init__(
        self,
        place: BrokerPlace,
        client_id: str,
        end: LinkEnd,
        *,
        subscriptions: tuple[str, ...] = (),
        will: BrokerMessage | None = None,
    ) -> None:
        self._place = place
        self._end = end
        self._subscriptions = subscriptions
        self._up = threading.Event()
        self._most_bytes = 0
        self._unconfirmed: dict[int, BrokerMessage] = {}
        self._refused_early: set[int] = set()
        self._strikes: Counter[str] = Counter()
        own_id = f"{client_id}-{secrets.token_hex(8)}"
        client = Client(CallbackAPIVersion.VERSION2, own_id, protocol=MQTTProtocolVersion.MQTTv5)
        client.username_pw_set(place.user, place.password)
        client.connect_timeout = CONNECT_S
        client.max_inflight_messages_set(IN_FLIGHT)
        client.reconnect_delay_set(*WAIT_S)
        if place.authority_pem:
            client.tls_set_context(_context(place))
        if will is not None:
            client.will_set(will.topic, will.payload, 1, will.retained)
        client.on_connect = self._connected
        client.on_connect_fail = self._failed
        client.on_disconnect = self._disconnected
        client.on_subscribe = self._subscribed
        client.on_message = self._heard
        client.on_publish = self._confirmed
        client.on_socket_open = _at_once
        self._client = client

    @property
    def is_up(self) -> bool:
        return self._up.is_set()

    def start(self) -> None:
        """Start connecting. The owner is notified of the outcome."""
        self._client.connect_async(self._place.host, self._place.port, KEEP_ALIVE_S, clean_start=True)
        self._client.loop_start()

    def publish(self, message: BrokerMessage) -> bool:
        """Publish a message, at least once unless it is an answer. Return False while there is no broker.

        A message that no broker may accept is refused here, because sending it would end the connection again and
        again.
        """
        if not self._up.is_set():
            return False
        is_struck = self._strikes[message.about] >= MOST_STRIKES
        if is_struck or not is_topic(message.topic) or self._is_too_large(message):
            self._end.refused(message)
            return True
        sent = self._client.publish(message.topic, message.payload, 0 if message.is_answer else 1, message.retained)
        if message.about and not message.is_answer:
            self._unconfirmed[sent.mid] = message
        if sent.mid in self._refused_early:
            self._refused_early.discard(sent.mid)
            self._refuse(sent.mid)
        return sent.rc == MQTTErrorCode.MQTT_ERR_SUCCESS

    def _is_too_large(self, message: BrokerMessage) -> bool:
        size = len(message.topic.encode()) + len(message.payload) + PACKET_BYTES
        return len(message.payload) > MAX_PAYLOAD_BYTES or 0 < self._most_bytes < size

    def stop(self, goodbye: BrokerMessage | None = None) -> None:
        """Say goodbye if the broker is online, and disconnect."""
        if goodbye is not None and self._up.is_set():
            sent = self._client.publish(goodbye.topic, goodbye.payload, 1, goodbye.retained)
            if sent.rc == MQTTErrorCode.MQTT_ERR_SUCCESS:
                sent.wait_for_publish(GOODBYE_S)
        self._up.clear()
        self._client.on_disconnect = None
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(
        self, client: Client, _data: Any, _flags: ConnectFlags, code: ReasonCode, facts: Properties | None
    ) -> None:
        if code.is_failure:
            refused = code.value in NOT_LET_IN
            self._end.went_down(BrokerRefuses(self._place) if refused else BrokerAway(self._place))
            return
        self._most_bytes = int(getattr(facts, "MaximumPacketSize", 0))
        if self._subscriptions:
            client.subscribe([(topic, SubscribeOptions(qos=1)) for topic in self._subscriptions])
        else:
            self._come_up()

    def _subscribed(self, _client: Client, _data: Any, _mid: int, codes: list[ReasonCode], _facts: Any) -> None:
        if any(code.is_failure for code in codes):
            self._end.went_down(BrokerRefuses(self._place))
        else:
            self._come_up()

    def _come_up(self) -> None:
        self._up.set()
        self._end.came_up()

    def _failed(self, _client: Client, _data: Any) -> None:
        # The library calls this while handling the error, and passes it in no other way.
        problem = sys.exception()
        if isinstance(problem, ssl.SSLCertVerificationError) and problem.verify_code in NOT_THEN:
            self._end.went_down(ClockWrong(datetime.datetime.now()))
        elif isinstance(problem, ssl.SSLCertVerificationError):
            self._end.went_down(BrokerNotTrusted(self._place))
        else:
            self._end.went_down(BrokerAway(self._place, problem if isinstance(problem, OSError) else None))

    def _disconnected(
        self, _client: Client, _data: Any, flags: DisconnectFlags, code: ReasonCode, _facts: Properties | None
    ) -> None:
        was_up = self._up.is_set()
        self._up.clear()
        if flags.is_disconnect_packet_from_server and code.value in BROKEN_MESSAGE:
            self._strike()
        if was_up:
            self._end.went_down(BrokerAway(self._place))

    def _confirmed(self, _client: Client, _data: Any, mid: int, code: ReasonCode, _facts: Properties | None) -> None:
        if not code.is_failure or code.value == QUOTA:
            self._unconfirmed.pop(mid, None)
        elif mid in self._unconfirmed:
            self._refuse(mid)
        else:  # faster than the sending thread; no lock, because the library holds one of its own here
            self._refused_early.add(mid)

    def _refuse(self, mid: int) -> None:
        message = self._unconfirmed.pop(mid, None)
        if message is not None:
            self._end.refused(message)

    def _strike(self) -> None:
        """Blame the oldest unconfirmed message, since a broker works in order. After `MOST_STRIKES` it is dropped."""
        mid, message = next(iter(self._unconfirmed.items()), (0, None))
        if message is None:
            return
        self._strikes[message.about] += 1
        if self._strikes[message.about] >= MOST_STRIKES:
            self._client._out_messages.pop(mid, None)
            self._refuse(mid)

    def _heard(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self._end.heard(BrokerMessage(message.topic, bytes(message.payload), message.retain))


def is_topic(topic: str) -> bool:
    """Return whether a topic is valid: no wildcard or control character (MQTT 5, 1.5.4 and 4.7)."""
    is_printable = not any(letter in "+#" or unicodedata.category(letter) in ("Cc", "Cs", "Cn") for letter in topic)
    return is_printable and 0 < len(topic.encode()) <= MAX_TOPIC_BYTES


def _at_once(_client: Client, _data: Any, connection: Any) -> None:
    """Send small messages at once instead of waiting to fill a packet."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _context(place: BrokerPlace) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cadata=place.authority_pem)
    except (ssl.SSLError, ValueError):
        raise BadValue(said("The join code holds no valid certificate. Take a new code.")) from None
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context

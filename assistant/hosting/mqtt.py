"""A link to an MQTT 5 broker that is kept up by itself; it knows no table and loses nothing that it did not take.

Every error of the library and of the connection is told in our words here and nowhere else. What has to arrive is the
business of whoever publishes: the link says whether a message went out, and the other side says that it has it.
"""

from __future__ import annotations

import socket
import ssl
import sys
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.subscribeoptions import SubscribeOptions

from assistant.errors import BadValue, CannotDo
from assistant.translations.foreign import told_by_system
from assistant.translations.messages import said

if TYPE_CHECKING:
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

KEEP_ALIVE_S = 4
"""A broker gives a silent client up after one and a half of these."""

CONNECT_S = 5.0
WAIT_S = (1, 10)
"""How long between two tries to connect, at first and at most."""

GOODBYE_S = 1.0
IN_FLIGHT = 2_000
"""Messages that the broker has not confirmed yet; beyond that they wait here."""

NOT_LET_IN = (0x86, 0x87, 0x8C)
"""Reason codes of MQTT 5 (4.13): bad name or password, not authorized, bad authentication."""


class BrokerError(CannotDo):
    """The broker cannot be used now; what is to be sent waits."""


class BrokerAway(BrokerError):
    """Nothing answers at the broker's address, or no longer."""

    def __init__(self, place: BrokerPlace, problem: OSError | None = None) -> None:
        reason = said("the connection has ended") if problem is None else told_by_system(problem)
        super().__init__(
            said(
                "The broker at {place} does not answer ({reason}). Start it or check the network; everything is kept "
                "and sent later.",
                place=f"{place.host}:{place.port}",
                reason=reason,
            )
        )


class BrokerRefuses(BrokerError):
    """The broker knows neither this name nor this password, or lets it do nothing."""

    def __init__(self, place: BrokerPlace) -> None:
        super().__init__(
            said(
                "The broker at {place} does not let “{user}” in: its password is wrong or old. Take a new join code; "
                "everything is kept and sent then.",
                place=f"{place.host}:{place.port}",
                user=place.user,
            )
        )


class BrokerNotTrusted(BrokerError):
    """Nobody we trust vouches for the broker's certificate."""

    def __init__(self, place: BrokerPlace) -> None:
        super().__init__(
            said(
                "Nobody vouches for the certificate of the broker at {place}, so nothing is sent to it. Take a join "
                "code of this tournament, or check the address.",
                place=f"{place.host}:{place.port}",
            )
        )


@dataclass(frozen=True, slots=True)
class BrokerPlace:
    """Where the broker is, and who comes to it.

    Args:
        host: name or address.
        port: port; 8883 is usual with TLS.
        user: the name that the broker knows.
        password: its password; never shown.
        authority_pem: who vouches for the broker's certificate; empty for a broker without TLS.
    """

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    authority_pem: str = ""


@dataclass(frozen=True, slots=True)
class BrokerMessage:
    """A message as it goes through the broker.

    Args:
        topic: where it goes.
        payload: what it says.
        retained: whether the broker keeps it for whoever comes later.
        is_answer: whether it answers something that is said again until it is answered, so that the broker need not
            confirm it.
    """

    topic: str
    payload: bytes
    retained: bool = False
    is_answer: bool = False


class LinkEnd(Protocol):
    """Who is told what the link meets with; called in the link's own thread, and never to raise."""

    def came_up(self) -> None:
        """The broker has let us in, and what was asked for is subscribed."""

    def went_down(self, problem: BrokerError) -> None:
        """The broker is not to be had; the link tries again by itself."""

    def heard(self, message: BrokerMessage) -> None:
        """A message came."""


class MqttLink:
    """A connection to the broker that comes back by itself.

    Args:
        place: where the broker is, and as whom to come.
        client_id: who this is to the broker; a second one of the same id throws the first out.
        end: who is told what happens.
        subscriptions: topics to hear, with wildcards.
        will: what the broker says for us once we are gone without a word.

    Raises:
        BadValue: the authority's certificate is none.
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
        client = Client(CallbackAPIVersion.VERSION2, client_id, protocol=MQTTProtocolVersion.MQTTv5)
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
        client.on_socket_open = _at_once
        self._client = client

    @property
    def is_up(self) -> bool:
        """Whether messages go out now."""
        return self._up.is_set()

    def start(self) -> None:
        """Begins to connect; what comes of it is told to the end."""
        self._client.connect_async(self._place.host, self._place.port, KEEP_ALIVE_S, clean_start=True)
        self._client.loop_start()

    def publish(self, message: BrokerMessage) -> bool:
        """Hands a message to the broker, at least once unless it is an answer; whether it was handed on."""
        if not self._up.is_set():
            return False
        told = self._client.publish(message.topic, message.payload, 0 if message.is_answer else 1, message.retained)
        return told.rc == MQTTErrorCode.MQTT_ERR_SUCCESS

    def stop(self, goodbye: BrokerMessage | None = None) -> None:
        """Says goodbye, if there is somebody to say it to, and lets go of the broker."""
        if goodbye is not None and self._up.is_set():
            told = self._client.publish(goodbye.topic, goodbye.payload, 1, goodbye.retained)
            if told.rc == MQTTErrorCode.MQTT_ERR_SUCCESS:
                told.wait_for_publish(GOODBYE_S)
        self._up.clear()
        self._client.on_disconnect = None
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(
        self, client: Client, _data: Any, _flags: ConnectFlags, code: ReasonCode, _facts: Properties | None
    ) -> None:
        if code.is_failure:
            refused = code.value in NOT_LET_IN
            self._end.went_down(BrokerRefuses(self._place) if refused else BrokerAway(self._place))
            return
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
        # The library calls this while it handles the error, and hands it over in no other way.
        problem = sys.exception()
        if isinstance(problem, ssl.SSLCertVerificationError):
            self._end.went_down(BrokerNotTrusted(self._place))
        else:
            self._end.went_down(BrokerAway(self._place, problem if isinstance(problem, OSError) else None))

    def _disconnected(
        self, _client: Client, _data: Any, _flags: DisconnectFlags, _code: ReasonCode, _facts: Properties | None
    ) -> None:
        was_up = self._up.is_set()
        self._up.clear()
        if was_up:
            self._end.went_down(BrokerAway(self._place))

    def _heard(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self._end.heard(BrokerMessage(message.topic, bytes(message.payload), message.retain))


def _at_once(_client: Client, _data: Any, connection: Any) -> None:
    """Lets small messages go at once, instead of waiting for more to fill a packet."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _context(place: BrokerPlace) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cadata=place.authority_pem)
    except (ssl.SSLError, ValueError):
        raise BadValue(said("the authority's certificate in the join code is none; take a new code")) from None
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context

"""The page's server: waitress in a thread of its own, with immediate stop."""

from __future__ import annotations

import errno
import logging
import socket
import ssl
import threading
from typing import TYPE_CHECKING, Any

from waitress.wasyncore import close_all

from assistant.errors import BadValue, CannotDo
from assistant.translations.messages import said
from web.serving.admission import Allow, PageChannel, PageListener, allow_photos
from web.serving.events import LEAVING, STREAMS_A_DEVICE
from web.serving.tls import TlsFront

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a line for each waiting request would fill the disk

PAGE_THREADS = 24
"""Threads reserved for pages: no stream can take them."""

OUTPUT_BUFFER_BYTES = 256 << 10
"""Buffer for a tablet that stopped reading. Its stream then waits, and catches up or starts anew."""

MIN_CONNECTIONS = 200
"""Least connection limit. Browsers open six each and keep some."""

CLEANUP_S = 1
"""Time between two checks of all connections."""

STOP_S = 1.0


class PortTaken(CannotDo):
    """Another program uses the page's port."""


class PageServer:
    """The page on one port. It answers from ``start`` to ``stop``.

    Args:
        application: answers requests.
        host: the address to listen on, ``0.0.0.0`` for all of this machine's.
        port: the port, 0 for a free one.
        devices: most tablets at the table.
        tls: the certificate and key, for a page over TLS.
        allow: decides a request's largest body.

    Raises:
        PortTaken: the port is in use or forbidden.
        BadValue: the host is no address of this machine.
    """

    def __init__(
        self,
        application: WSGIApplication,
        *,
        host: str,
        port: int,
        devices: int,
        tls: ssl.SSLContext | None = None,
        allow: Allow = allow_photos,
    ) -> None:
        self._sockets: dict[int, Any] = {}
        self._front: TlsFront | None = None
        most = max(MIN_CONNECTIONS, 8 * devices)
        listener = None if tls is None else _listener(host, port)
        at_host, at_port = (host, port) if listener is None else ("127.0.0.1", 0)
        try:
            server: Any = PageListener(  # the stubs lack the attributes of a single-address server
                application,
                allow=allow,
                address_of=lambda port: None if self._front is None else self._front.address_of(port),
                sockets=self._sockets,
                host=at_host,
                port=at_port,
                url_scheme="http" if tls is None else "https",
                threads=STREAMS_A_DEVICE * devices + LEAVING + PAGE_THREADS,
                outbuf_high_watermark=OUTPUT_BUFFER_BYTES,
                connection_limit=most,
                cleanup_interval=CLEANUP_S,
                ident=None,
            )
        except OSError as problem:
            close_all(self._sockets)
            raise _explain_refusal(problem, host, port) from None
        except ValueError:  # waitress: the name is no address
            close_all(self._sockets)
            raise _no_address_here(host) from None
        self._server = server
        own_port = int(server.effective_port)  # text in waitress
        self.port = own_port if listener is None else int(listener.getsockname()[1])
        if tls is not None and listener is not None:
            self._front = TlsFront(tls, listener, own_port, most=most)
        self._thread = threading.Thread(target=self._server.run, name="page", daemon=True)

    def start(self) -> None:
        """Start answering."""
        self._thread.start()
        if self._front is not None:
            self._front.start()

    def stop(self) -> None:
        """Stop answering and free the port. Running requests are cut off after a second."""
        # The loop ends when its socket map is empty, and only its own thread may empty it. Close the sockets after
        # everybody has stopped, since a stream that ends now still wakes the loop through one of them.
        if self._front is not None:
            self._front.stop()
        sockets: dict[int, Any] = {}

        def let_go() -> None:  # run in the loop's thread, so that no connection comes in between
            sockets.update(self._sockets)
            self._sockets.clear()

        self._server.trigger.pull_trigger(let_go)
        self._thread.join(STOP_S)
        self._server.task_dispatcher.shutdown(timeout=STOP_S)
        for channel in (*self._sockets.values(), *sockets.values()):
            if isinstance(channel, PageChannel):
                channel.let_go()
        close_all({**self._sockets, **sockets})


def _listener(host: str, port: int) -> socket.socket:
    """Return a socket bound to the page's address.

    Raises:
        PortTaken: the port is in use or forbidden.
        BadValue: the host is no address of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
    except OSError as problem:
        made.close()
        if isinstance(problem, socket.gaierror):
            raise _no_address_here(host) from None
        raise _explain_refusal(problem, host, port) from None
    return made


def _explain_refusal(problem: OSError, host: str, port: int) -> PortTaken | BadValue:
    if problem.errno == errno.EADDRNOTAVAIL:
        return _no_address_here(host)
    if problem.errno == errno.EACCES:
        return PortTaken(said("this user may not listen on port {port}; choose one above 1023 with --port", port=port))
    return PortTaken(
        said("port {port} is taken by another program; stop that one or choose another port with --port", port=port)
    )


def _no_address_here(host: str) -> BadValue:
    return BadValue(
        said("{host} is not an address of this machine; leave --host out, or use --host 127.0.0.1", host=repr(host)),
        field="host",
    )

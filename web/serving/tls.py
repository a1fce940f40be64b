"""TLS front for the page on its one port: decrypt and forward to the page's server.

The server behind it speaks plain HTTP on this machine alone. A plain request to the port is redirected to the
secure address, so that people remember one address.

It is our own, because no measured library does it all (``tests/bench/page_servers.py``, 22 November 2026, two cores,
TLS, 651 requests a second here). None redirects plain HTTP on the same port. Cheroot (1,053) lets one silent connection
block everybody. Hypercorn (737) and uvicorn with a2wsgi (89) never release the threads of abandoned streams. Granian
(1,482, in 67 MB instead of 141) lets 150 half-sent bodies hold every thread and cannot run in one process.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import ssl
import threading
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import BadValue
from assistant.translations.messages import said

TLS_HELLO = b"\x16"
"""The first byte of a TLS handshake. No request begins with it."""

HANDSHAKE_S = 10.0
CHUNK_BYTES = 64 << 10
HEAD_BYTES = 8 << 10
STOP_S = 1.0

ENDED = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)
"""Ends of a connection: the other side left, is too slow, or speaks another protocol."""

_HOST = re.compile(rb"(?im)^host:[ \t]*([\w.:\[\]-]{1,255})[ \t]*\r?$")
_PATH = re.compile(rb"\A[A-Z]+ (/[!-~]*) HTTP/")


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return the TLS context of the page's certificate and key.

    Raises:
        BadValue: the files are not a certificate and its key.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key)
    except OSError as problem:  # unreadable files and wrong content
        text = said(
            "{name} and {key_name} are not a certificate and its key; name two PEM files",
            name=certificate.name,
            key_name=key.name,
        )
        raise BadValue(text, field="tls_cert") from problem
    return context


@dataclass(eq=False, slots=True)
class _Guest:
    """The other end of a connection."""

    address: str
    is_silent: bool = True
    """Whether it has not proved yet that it speaks TLS."""


class TlsFront:
    """Accepts TLS connections on a listening socket and forwards their content to a port of this machine.

    Args:
        context: the page's certificate and key.
        listener: a bound socket, which the front closes.
        inner_port: the page server's port on 127.0.0.1.
        most: most open connections.
    """

    def __init__(self, context: ssl.SSLContext, listener: socket.socket, inner_port: int, *, most: int) -> None:
        self._context = context
        self._listener = listener
        self._inner_port = inner_port
        self._most = most
        self._served: dict[asyncio.Task[None], _Guest] = {}
        self._addresses: dict[int, str] = {}
        self._loop = asyncio.SelectorEventLoop()
        self._thread = threading.Thread(target=self._run, name="tls", daemon=True)

    def start(self) -> None:
        """Start accepting connections."""
        self._listener.setblocking(False)
        self._listener.listen(128)
        self._thread.start()

    def address_of(self, inner_port: int) -> str | None:
        """Return the outside address of a connection that this front made from its own port."""
        return self._addresses.get(inner_port)

    def stop(self) -> None:
        """Free the port and cut off every connection."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._cancel)
            self._thread.join(STOP_S)
        self._listener.close()

    def _run(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._accept())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    def _cancel(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()

    async def _accept(self) -> None:
        try:
            while True:
                connection, peer = await self._loop.sock_accept(self._listener)
                if len(self._served) >= self._most:
                    self._make_room()
                guest = _Guest(str(peer[0]))
                task = self._loop.create_task(self._serve(connection, guest))
                self._served[task] = guest
                task.add_done_callback(self._served.pop)
        finally:
            await asyncio.gather(*self._served, return_exceptions=True)

    def _make_room(self) -> None:
        """End the oldest connection of the address with the most connections, a silent one first."""
        open_now = {task: guest for task, guest in self._served.items() if not task.cancelling()}
        held = Counter(guest.address for guest in open_now.values())
        crowd = [task for task, guest in open_now.items() if guest.address == held.most_common(1)[0][0]]
        next((task for task in crowd if open_now[task].is_silent), crowd[0]).cancel()

    async def _serve(self, connection: socket.socket, guest: _Guest) -> None:
        try:
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            async with asyncio.timeout(HANDSHAKE_S):
                is_tls = await self._first_byte(connection) == TLS_HELLO
            await (self._relay(connection, guest) if is_tls else self._send_to_secure(connection))
        except ENDED:
            pass  # the browser has gone, or never existed
        finally:
            connection.close()

    async def _first_byte(self, connection: socket.socket) -> bytes:
        """Return the first byte without consuming it."""
        readable = asyncio.Event()
        self._loop.add_reader(connection, readable.set)
        try:
            await readable.wait()
        finally:
            self._loop.remove_reader(connection)
        return connection.recv(1, socket.MSG_PEEK)

    async def _relay(self, connection: socket.socket, guest: _Guest) -> None:
        reader = asyncio.StreamReader(limit=CHUNK_BYTES, loop=self._loop)
        transport, protocol = await self._loop.connect_accepted_socket(
            lambda: asyncio.StreamReaderProtocol(reader, loop=self._loop),
            connection,
            ssl=self._context,
            ssl_handshake_timeout=HANDSHAKE_S,
        )
        writer = asyncio.StreamWriter(transport, protocol, reader, self._loop)
        try:
            guest.is_silent = False
            async with self._inner(guest.address) as (inner_reader, inner_writer):
                await _both_ways((reader, inner_writer), (inner_reader, writer))
        finally:
            transport.abort()

    @contextlib.asynccontextmanager
    async def _inner(self, address: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Open a connection to the page's server, which learns the outside address from its port."""
        inner = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        inner.setblocking(False)
        inner.bind(("127.0.0.1", 0))
        port = inner.getsockname()[1]
        self._addresses[port] = address  # before the server can ask for it
        try:
            await self._loop.sock_connect(inner, ("127.0.0.1", self._inner_port))
            reader, writer = await asyncio.open_connection(sock=inner, limit=CHUNK_BYTES)
            try:
                yield reader, writer
            finally:
                writer.transport.abort()
        finally:
            inner.close()
            self._addresses.pop(port, None)

    async def _send_to_secure(self, connection: socket.socket) -> None:
        async with asyncio.timeout(HANDSHAKE_S):
            head = await self._head(connection)
            host, path = _HOST.search(head), _PATH.match(head)
            if host is None or path is None:
                return
            place = b"https://" + host.group(1) + path.group(1)
            answer = b"HTTP/1.1 308 Permanent Redirect\r\nLocation: " + place
            await self._loop.sock_sendall(connection, answer + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    async def _head(self, connection: socket.socket) -> bytes:
        head = b""
        while b"\r\n\r\n" not in head and len(head) < HEAD_BYTES:
            more = await self._loop.sock_recv(connection, HEAD_BYTES)
            if not more:
                break
            head += more
        return head


async def _both_ways(*ways: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
    """Forward until one side ends, and drop the rest of the other."""
    pumps = [asyncio.ensure_future(_pump(reader, writer)) for reader, writer in ways]
    try:
        done, _ = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in done:
            pump.result()
    finally:
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(CHUNK_BYTES):
        writer.write(data)
        await writer.drain()

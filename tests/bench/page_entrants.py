"""Candidate servers for the page: ours, and maintained libraries with their own TLS, each minimal.

All get the same number of threads, and the limits of ours where they know such a limit.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from web.serving.events import STREAMS_A_DEVICE
from web.serving.routes import MAX_ARCHIVE_BYTES
from web.serving.server import MIN_CONNECTIONS, PAGE_THREADS, STOP_S, PageServer
from web.serving.tls import HANDSHAKE_S, server_context

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

HOST = "127.0.0.1"
JOIN_S = 5.0


@dataclass(frozen=True)
class Pair:
    """The files of a certificate and its key."""

    certificate: Path
    key: Path


class Entrant(Protocol):
    """A server that answers on a port from ``start`` to ``stop``."""

    port: int

    def start(self) -> None:
        """Begin to answer."""

    def stop(self) -> None:
        """Stop answering."""


def thread_count(devices: int) -> int:
    """Return our server's number of threads."""
    return STREAMS_A_DEVICE * devices + PAGE_THREADS


def ours(application: WSGIApplication, pair: Pair | None, devices: int) -> Entrant:
    """Run Waitress, behind our own front for TLS."""
    context = None if pair is None else server_context(pair.certificate, pair.key)
    return PageServer(application, host=HOST, port=0, devices=devices, tls=context)


class Cheroot:
    """CherryPy's server: threads that read, answer and write, with the handshake in the accepting thread."""

    def __init__(self, application: WSGIApplication, pair: Pair | None, devices: int) -> None:
        from cheroot.ssl.builtin import BuiltinSSLAdapter  # noqa: PLC0415 - one entrant a process
        from cheroot.wsgi import Server  # noqa: PLC0415

        threads = thread_count(devices)
        self._server: Any = Server(
            (HOST, 0), application, threads, max=threads, request_queue_size=128, shutdown_timeout=STOP_S
        )
        self._server.max_request_body_size = MAX_ARCHIVE_BYTES
        self._server.error_log = lambda *_, **__: None
        if pair is not None:
            self._server.ssl_adapter = BuiltinSSLAdapter(str(pair.certificate), str(pair.key))
        self._server.prepare()
        self.port: int = self._server.bind_addr[1]
        self._thread = threading.Thread(target=self._server.serve, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.stop()
        self._thread.join(JOIN_S)


class Hypercorn:
    """An asyncio server that calls WSGI in the loop's own threads."""

    def __init__(self, application: WSGIApplication, pair: Pair | None, devices: int) -> None:
        from hypercorn.config import Config  # noqa: PLC0415

        self._listener = listening()
        self.port: int = self._listener.getsockname()[1]
        self._application, self._threads = application, thread_count(devices)
        self._config = Config()
        self._config.bind = [f"fd://{self._listener.fileno()}"]
        self._config.wsgi_max_body_size = MAX_ARCHIVE_BYTES
        self._config.graceful_timeout = STOP_S
        self._config.ssl_handshake_timeout = HANDSHAKE_S
        self._config.errorlog = None
        if pair is not None:
            self._config.certfile, self._config.keyfile = str(pair.certificate), str(pair.key)
        self._ended = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(JOIN_S)

    def _run(self) -> None:
        from hypercorn.asyncio import serve  # noqa: PLC0415

        self._loop.set_default_executor(ThreadPoolExecutor(self._threads))
        self._loop.set_exception_handler(lambda *_: None)
        served: Any = serve(self._application, self._config, shutdown_trigger=self._ended.wait, mode="wsgi")
        with contextlib.suppress(asyncio.CancelledError):
            self._loop.run_until_complete(served)


class Uvicorn:
    """An asyncio server without its own WSGI; a2wsgi calls it in threads."""

    def __init__(self, application: WSGIApplication, pair: Pair | None, devices: int) -> None:
        import uvicorn  # noqa: PLC0415
        from a2wsgi import WSGIMiddleware  # noqa: PLC0415

        self._listener = listening()
        self.port: int = self._listener.getsockname()[1]
        files = {} if pair is None else {"ssl_certfile": pair.certificate, "ssl_keyfile": pair.key}
        asgi: Any = WSGIMiddleware(application, workers=thread_count(devices))
        settings: Any = {"lifespan": "off", "log_config": None, "access_log": False, **files}
        self._server = uvicorn.Server(uvicorn.Config(asgi, timeout_graceful_shutdown=int(STOP_S), **settings))
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._listener]}, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(JOIN_S)


class Granian:
    """A server in Rust, which starts processes; the page is one, with the camera and the match in it.

    What it has for one process refuses to begin under an interpreter with a lock; that refusal is gone around here.
    """

    def __init__(self, application: WSGIApplication, pair: Pair | None, devices: int) -> None:
        from granian.constants import Interfaces  # noqa: PLC0415
        from granian.server.mt import MTServer  # noqa: PLC0415

        class Started(MTServer):  # type: ignore[misc]
            def _serve(self, spawn_target: Any, target_loader: Any) -> None:
                self.startup(spawn_target, target_loader)

        with listening() as free:
            self.port: int = free.getsockname()[1]
        self._application = application
        files = {} if pair is None else {"ssl_cert": pair.certificate, "ssl_key": pair.key}
        threads = thread_count(devices)
        self._server = Started(
            "page",
            HOST,
            self.port,
            interface=Interfaces.WSGI,
            blocking_threads=threads,
            backpressure=max(threads, MIN_CONNECTIONS),
            workers_kill_timeout=int(STOP_S),
            log_enabled=False,
            **files,
        )

    def start(self) -> None:
        self._server.serve(target_loader=self._application, wrap_loader=False)

    def stop(self) -> None:
        self._server.shutdown()


def listening() -> socket.socket:
    """Return a socket on a free port."""
    made = socket.create_server((HOST, 0), backlog=128)
    made.set_inheritable(True)
    return made


ENTRANTS: dict[str, Callable[[WSGIApplication, Pair | None, int], Entrant]] = {
    "ours": ours,
    "cheroot": Cheroot,
    "hypercorn": Hypercorn,
    "uvicorn": Uvicorn,
    "granian": Granian,
}


def quiet() -> None:
    """Keep the libraries' logs out of the report."""
    logging.disable(logging.CRITICAL)

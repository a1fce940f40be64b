"""The hall's document, made ahead: a desk pays the same for any number of open pages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from assistant.errors import StoreError
from assistant.translations.catalogue import ENGLISH

EVERY_S = 0.25
"""Greatest age of the tables' state on a page; calls, rounds and problems are always current."""

ASKED_S = 15.0
"""A language is dropped after this time without a request."""


class _Ready(NamedTuple):
    document: bytes
    version: int


class ReadyHall:
    """Keeps the document ready in every requested language from ``start`` to ``close``; otherwise makes it on request.

    Args:
        build: makes the document in a language; its ``StoreError`` goes to the next request.
    """

    def __init__(self, build: Callable[[str], bytes]) -> None:
        self._build = build
        self._wake = threading.Event()
        self._is_closing = threading.Event()
        self._version = 0
        self._ready: dict[str, _Ready] = {}
        self._asked_s: dict[str, float] = {}
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begins to keep it ready, in English at first."""
        self._asked_s[ENGLISH] = time.monotonic()
        self._wake.set()
        self._thread = threading.Thread(target=self._work, name="ready-hall", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops."""
        self._is_closing.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(EVERY_S * 4)

    def freshen(self) -> None:
        """Notes a change that pages may learn a moment later."""
        self._wake.set()

    def outdate(self) -> None:
        """Notes a change that every request from now on has to show."""
        self._version += 1
        self._wake.set()

    def document(self, language: str) -> bytes:
        """The hall in a language.

        Raises:
            StoreError: the store cannot be read.
        """
        self._asked_s[language] = time.monotonic()
        found = self._ready.get(language)
        if self._thread is not None and found is not None and found.version == self._version:
            return found.document
        return self._made(language)

    def _made(self, language: str) -> bytes:
        version = self._version
        document = self._build(language)
        self._ready[language] = _Ready(document, version)
        return document

    def _work(self) -> None:
        while not self._is_closing.is_set():
            self._wake.wait(EVERY_S)
            self._wake.clear()
            now_s = time.monotonic()
            for language, asked_s in tuple(self._asked_s.items()):
                self._keep(language, is_wanted=now_s - asked_s < ASKED_S)

    def _keep(self, language: str, *, is_wanted: bool) -> None:
        try:
            if is_wanted:
                self._made(language)
                return
        except StoreError:
            pass  # the next request meets it
        self._ready.pop(language, None)

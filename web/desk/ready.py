"""The prepared hall: the cost is the same for any number of pages, and a page gets only changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import json

from assistant.errors import StoreError
from assistant.translations.catalogue import ENGLISH

EVERY_S = 0.25
"""Greatest age of the tables' state on a page. Calls, rounds and problems are always current."""

NEWS_S = 0.5
"""Least time between two events about the hall. Five hundred tables report some hundred times a second."""

ASKED_S = 15.0
"""Time without a request after which a language is dropped."""

Line = Mapping[str, Any]
Key = tuple[object, ...]


class _Part(NamedTuple):
    """A page's content for a table, a pairing or the rest, with the number of its last change."""

    shown: object
    number: int


@dataclass
class _Ready:
    """The hall in a language."""

    view: Line
    version: int
    shape: Key
    begun: int
    number: int
    parts: dict[Key, _Part] = field(default_factory=dict)
    whole: bytes = b""


class ReadyHall:
    """Keeps the hall ready in every requested language from ``start`` to ``close``.

    Outside that time it builds on request.

    Args:
        build: makes the hall in a language. Its ``StoreError`` goes to the next request.
        changed: called after a change of a page's content, in a separate thread.
        run: the name of this run of the desk in stamps.
    """

    def __init__(self, build: Callable[[str], Line], changed: Callable[[], object], run: str) -> None:
        self._build = build
        self._changed = changed
        self._run = run
        self._wake = threading.Event()
        self._is_closing = threading.Event()
        self._making = threading.Lock()
        self._version = 0
        self._number = 0
        self._told = 0
        self._told_s = 0.0
        self._ready: dict[str, _Ready] = {}
        self._asked_s: dict[str, float] = {}
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start keeping it ready, in English at first."""
        self._asked_s[ENGLISH] = time.monotonic()
        self._wake.set()
        self._thread = threading.Thread(target=self._work, name="ready-hall", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._is_closing.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(EVERY_S * 4)

    def outdate(self) -> None:
        """Mark the hall as changed for every request from now on."""
        self._version += 1
        self._wake.set()

    def document(self, language: str, since: str = "") -> bytes:
        """Return the hall in a language, or only its changes since the ``stamp`` of an earlier answer.

        Raises:
            StoreError: the store cannot be read.
        """
        self._asked_s[language] = time.monotonic()
        found = self._ready.get(language)
        if self._thread is None or found is None or found.version != self._version:
            found = self._made(language)
        with self._making:
            run, _, text = since.partition("-")
            number = int(text) if run == self._run and text.isascii() and text.isdecimal() else -1
            if found.begun <= number <= found.number:
                return json.encode(_since(found, number, self._stamp(found)))
            found.whole = found.whole or json.encode({**found.view, "stamp": self._stamp(found), "is_whole": True})
            return found.whole

    def _stamp(self, found: _Ready) -> str:
        return f"{self._run}-{found.number}"

    def _made(self, language: str) -> _Ready:
        with self._making:
            version = self._version
            view = self._build(language)
            found = self._ready[language] = self._compared(self._ready.get(language), view, version)
            return found

    def _compared(self, before: _Ready | None, view: Line, version: int) -> _Ready:
        """Return the hall with each part's last change. New tables or pairings reset it."""
        number, shape, shown = self._number + 1, _shape(view), _shown(view)
        if before is None or before.shape != shape:
            self._number = number
            return _Ready(
                view, version, shape, number, number, {key: _Part(part, number) for key, part in shown.items()}
            )
        parts = {
            key: known if (known := before.parts[key]).shown == part else _Part(part, number)
            for key, part in shown.items()
        }
        is_other = any(part.number == number for part in parts.values())
        self._number = number if is_other else self._number
        return _Ready(view, version, shape, before.begun, number if is_other else before.number, parts)

    def _work(self) -> None:
        while not self._is_closing.is_set():
            self._wake.wait(EVERY_S)
            self._wake.clear()
            now_s = time.monotonic()
            for language, asked_s in tuple(self._asked_s.items()):
                self._keep(language, is_wanted=now_s - asked_s < ASKED_S)
            if self._number != self._told and now_s - self._told_s >= NEWS_S:
                self._told, self._told_s = self._number, now_s
                self._changed()

    def _keep(self, language: str, *, is_wanted: bool) -> None:
        try:
            if is_wanted:
                self._made(language)
                return
        except StoreError:
            pass  # the next request reports it
        self._ready.pop(language, None)


def _shape(view: Line) -> Key:
    """Return the tables, rounds and pairings in their order."""
    games = (tuple((p["table"], p["place"]) for p in one["pairings"]) for one in view["rounds"])
    return (
        tuple(table["name"] for table in view["tables"]),
        *((one["number"], *played) for one, played in zip(view["rounds"], games, strict=True)),
    )


def _shown(view: Line) -> dict[Key, object]:
    """Return the visible content of each part, without values that pass by themselves or appear on no tile."""
    parts: dict[Key, object] = {("rest",): (view["problems"], [_without(call, "waits_s") for call in view["calls"]])}
    for table in view["tables"]:
        silent_s = int(table["unheard_s"] or 0) if table["condition"] == "stale" else 0
        parts["table", table["name"]] = (_without(table, "unheard_s", "title", "match", "round"), silent_s)
    for one in view["rounds"]:
        left_s = None if one["runs"] else one["left_s"]
        parts["round", one["number"]] = (_without(one, "left_s", "pairings"), left_s)
        for pairing in one["pairings"]:
            parts["pairing", one["number"], pairing["table"]] = _without(pairing, "left_s")
    return parts


def _without(line: Line, *names: str) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name not in names}


def _since(found: _Ready, number: int, stamp: str) -> dict[str, Any]:
    """Return the hall without the tables and pairings that a page already shows."""

    def is_news(*key: object) -> bool:
        return found.parts[key].number > number

    def round_since(one: Line) -> dict[str, Any]:
        return {**one, "pairings": [p for p in one["pairings"] if is_news("pairing", one["number"], p["table"])]}

    return {
        **found.view,
        "stamp": stamp,
        "is_whole": False,
        "tables": [table for table in found.view["tables"] if is_news("table", table["name"])],
        "rounds": [round_since(one) for one in found.view["rounds"]],
    }

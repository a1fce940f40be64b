"""A table's knowledge of its round from the desk, and its stored tournament state: signed key, handed-in result."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from assistant.app.tournament.key_authority import is_sealed_by
from assistant.documents.hall import HandedResult, TableSeat
from assistant.documents.join import JoinCode
from assistant.documents.rounds import Result
from assistant.documents.sealed_key import SealedKey
from assistant.errors import IllegalStep, NotYours, StoreError
from assistant.kept_files import read_kept, write_kept
from assistant.translations.messages import said

Player = Literal["first", "second"]


class HeardSeat:
    """The desk's last message about this table's round. Time since then counts on this machine's steady clock.

    Args:
        steady_s: a clock that never jumps, in seconds.
    """

    def __init__(self, steady_s: Callable[[], float] = time.monotonic) -> None:
        self._steady_s = steady_s
        self._heard = (TableSeat(), 0.0)

    @property
    def seat(self) -> TableSeat:
        """The desk's last message, or an empty seat before any."""
        return self._heard[0]

    def hear(self, seat: TableSeat) -> None:
        self._heard = seat, self._steady_s()

    def left_s(self) -> float:
        """Return the seconds that this table has left in the round, which is negative once it is over."""
        seat, heard_s = self._heard
        return seat.left_s - (self._steady_s() - heard_s if seat.runs else 0.0)


class SealedKeyFile:
    """The table's key as signed by the authority, stored across restarts.

    Args:
        path: the file.
        join: the code of the tournament, with its authority.
        key: the table's public key.
    """

    def __init__(self, path: Path, join: JoinCode, key: str) -> None:
        self._path, self._join, self._key = path, join, key
        self.sealed: SealedKey | None = None
        kept = read_kept(path)
        if kept is not None:
            try:
                self.sealed = self._ours(msgspec.json.decode(kept, type=SealedKey))
            except (msgspec.MsgspecError, UnicodeDecodeError):  # a power cut
                self.sealed = None  # the desk sends it again

    def take(self, sealed: SealedKey) -> None:
        """Store the key if the join code's authority signed this table's key, else ignore it."""
        ours = self._ours(sealed)
        if ours is None or ours == self.sealed:
            return
        self.sealed = ours
        try:
            write_kept(self._path, msgspec.json.encode(ours))
        except StoreError:
            return  # it comes again after the next start

    def _ours(self, sealed: SealedKey) -> SealedKey | None:
        is_ours = (sealed.event, sealed.name, sealed.key) == (self._join.event, self._join.name, self._key)
        authority = self._join.authority_pem.encode()
        return sealed if is_ours and authority and is_sealed_by(authority, sealed) else None


class _KeptResult(Struct, frozen=True):
    """A handed-in result, and the device that each player used."""

    handed: HandedResult
    by: dict[Player, str]


class HandingIn:
    """The result that the players of a table hand in, which stays in the table's news until the next round.

    Args:
        path: the file that stores it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._guard = threading.Lock()  # both players may hand in at once
        self._handed: HandedResult | None = None
        self._by: dict[Player, str] = {}
        kept = read_kept(path)
        if kept is not None:
            try:
                found = msgspec.json.decode(kept, type=_KeptResult)
            except (msgspec.MsgspecError, UnicodeDecodeError):  # a power cut, or an older Sightline
                return
            self._handed, self._by = found.handed, found.by

    def of(self, seat: TableSeat) -> HandedResult | None:
        """Return the result handed in for the game of a seat, or None."""
        known = self._handed
        return known if known is not None and _is_of(known, seat) else None

    def hand_in(
        self, seat: TableSeat, player: Player, result: Result, device: str = "", *, is_shared: bool = True
    ) -> HandedResult:
        """Record a player's result and return it. A different result from the other player's starts anew.

        Args:
            seat: the game.
            player: the player who states it.
            result: the result.
            device: the device in use.
            is_shared: whether both players may use that device; otherwise it counts for only one.

        Raises:
            IllegalStep: nobody plays here in a published round, or the desk has a result already.
            NotYours: this device has already handed it in for the other player.
            StoreError: it could not be stored.
        """
        if not seat.round or not seat.first or not seat.second:
            raise IllegalStep(said("No published round has a game at this table."))
        if seat.result != "*":
            raise IllegalStep(said("The desk has a result of this game already. Ask a judge to change it."))
        with self._guard:
            before = self.of(seat)
            agreed: tuple[Player, ...] = (player,)
            by = {player: device}
            if before is not None and before.result == result:
                agreed = tuple(dict.fromkeys((*before.agreed, player)))
                by = {**self._by, player: device}
            if not is_shared and len(agreed) > len(set(by.values())):
                raise NotYours(said("Let the other player hand the result in on the other device, too."))
            handed = HandedResult(round=seat.round, first=seat.first, second=seat.second, result=result, agreed=agreed)
            write_kept(self._path, msgspec.json.encode(_KeptResult(handed, by)))
            self._handed, self._by = handed, by
        return handed


def _is_of(handed: HandedResult, seat: TableSeat) -> bool:
    return (handed.round, handed.first, handed.second) == (seat.round, seat.first, seat.second)

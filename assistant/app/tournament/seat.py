"""What a table knows of its round from the desk, and what it keeps of it: its sealed key, and a handed-in result."""

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
    """The desk's last word on this table's round. Only this machine's steady clock counts on.

    Args:
        steady_s: a clock that never jumps, in seconds.
    """

    def __init__(self, steady_s: Callable[[], float] = time.monotonic) -> None:
        self._steady_s = steady_s
        self._heard = (TableSeat(), 0.0)

    @property
    def seat(self) -> TableSeat:
        """What the desk said last; an empty seat before."""
        return self._heard[0]

    def hear(self, seat: TableSeat) -> None:
        self._heard = seat, self._steady_s()

    def left_s(self) -> float:
        """Return the time that this table has left in the round; negative once it is over."""
        seat, heard_s = self._heard
        return seat.left_s - (self._steady_s() - heard_s if seat.runs else 0.0)


class SealedKeyFile:
    """The table's key as the authority signed it, kept over restarts.

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
        """Keep it, if the authority of the join code signed this table's key; anything else is ignored."""
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
    """A result that was handed in, and the device of each player's word."""

    handed: HandedResult
    by: dict[Player, str]


class HandingIn:
    """The result that the players of a table hand in; it stays in the table's news until the next round.

    Args:
        path: the file that keeps it.
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
        """Return what was handed in for the game of a seat."""
        known = self._handed
        return known if known is not None and _is_of(known, seat) else None

    def hand_in(
        self, seat: TableSeat, player: Player, result: Result, device: str = "", *, is_shared: bool = True
    ) -> HandedResult:
        """Return the result as it stands after a player's word; another result than the other player's begins anew.

        Args:
            seat: the game.
            player: who says so.
            result: how it ended.
            device: where that was said.
            is_shared: whether both players may speak on that device; else it speaks for one of them.

        Raises:
            IllegalStep: nobody plays here in a published round, or the desk has a result already.
            NotYours: this device has said the same for the other player.
            StoreError: it could not be kept.
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

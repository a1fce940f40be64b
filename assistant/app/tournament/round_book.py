"""The rounds and calls of a hall and how they relate: who plays where, and the time left on each clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from assistant.app.tournament.desk_store import CallClaim, DeskStore, HeardCall
from assistant.app.tournament.rounds import TableNames, extensions_of, left_of, round_of_call
from assistant.documents.call import Call
from assistant.documents.hall import OnWay, TableSeat
from assistant.documents.rounds import Pairing, Round


@dataclass(frozen=True)
class RoundBook:
    """A desk's rounds and calls at one point in time."""

    rounds: Sequence[Round]
    calls: Sequence[Call]
    heard: Mapping[str, HeardCall]
    claims: Mapping[str, CallClaim]
    names: TableNames
    closing: frozenset[str] = frozenset()
    """Calls that a judge at the desk closed and whose tables do not know it yet."""
    _pairings: dict[int, Mapping[str, Pairing]] = field(default_factory=dict)

    @classmethod
    def read(cls, store: DeskStore, names: TableNames) -> RoundBook:
        """Read the book from the store.

        Raises:
            StoreError: the store cannot be read.
        """
        closing = frozenset(one.command.call for one in store.open_commands() if one.command.type == "closed")
        return cls(store.rounds(), store.calls(with_closed=True), store.heard(), store.claims(), names, closing)

    def is_closed(self, call: Call) -> bool:
        """Return whether a call is closed, even if only at the desk."""
        return call.state == "closed" or call.id in self.closing

    def round_of(self, call: Call) -> int:
        """Return the round of a call, or 0 if there are no rounds."""
        return round_of_call(self.rounds, call, self.heard)

    def players_of(self, call: Call) -> list[str]:
        """Return the names of the players at a call's table, in the call's round."""
        number = self.round_of(call)
        pairing = self.pairings(number).get(call.table)
        return [] if pairing is None else [name for name in (pairing.first, pairing.second) if name]

    def pairings(self, number: int) -> Mapping[str, Pairing]:
        """Return the pairings of a round, by tables of the hall."""
        if number not in self._pairings:
            found = (p for one in self.rounds if one.number == number for p in one.pairings)
            self._pairings[number] = {place: p for p in found if (place := self.names.of(p.table)) is not None}
        return self._pairings[number]

    def waits_s(self, call: Call, now_s: float) -> float:
        """Return the age of a call in seconds, by the desk's clock."""
        known = self.heard.get(call.id)
        return max(0.0, now_s - (call.opened_t if known is None else known.t_ms) / 1000)

    def seats(self, tables: Sequence[str], now_ms: int) -> Iterator[tuple[str, TableSeat, object]]:
        """Yield each table's seat in the last public round, and a key that changes when the table needs it again."""
        shown = [one for one in self.rounds if one.shown_t is not None]
        one = max(shown, key=lambda one: one.number, default=None)
        pairings = {} if one is None else self.pairings(one.number)
        extra = {} if one is None else extensions_of(self.rounds, one.number, self.calls, self.heard)
        open_at = {call.id: call.table for call in self.calls if call.state != "closed"}
        for table in tables:
            claims = [claim for call, claim in self.claims.items() if open_at.get(call) == table and claim.judge]
            on_way = tuple(OnWay(call=claim.call, judge=claim.judge) for claim in claims)
            pairing = pairings.get(table)
            if one is None or pairing is None:
                seat = TableSeat(round=0 if one is None else one.number, on_way=on_way)
                yield table, seat, seat
                continue
            more_s = extra.get(table, 0)
            seat = TableSeat(
                round=one.number,
                runs=one.started_t is not None,
                left_s=round(left_of(one, now_ms) + more_s, 1),
                extension_s=more_s,
                first=pairing.first,
                second=pairing.second,
                result=pairing.result,
                on_way=on_way,
            )
            yield table, seat, (one.started_t, one.used_s, one.minutes, more_s, pairing, one.number, on_way)

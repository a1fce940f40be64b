"""The memory of a watched table as one story: whatever changes it is kept, and can be told again from a recording."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec

from assistant.app.live.table_memory import TableCorrection, TableMemory
from assistant.app.live.watch_log import WatchLog
from assistant.app.live.wishes import Wish
from assistant.table.observation import FrameObservation, Observation
from assistant.tracking.association import NOBODYS_TURN, ActiveFigure
from assistant.tracking.values import Cells


@dataclass
class RecordedMemory:
    """Looks and wishes go through here to the memory.

    Args:
        memory: what is believed.
        log: keeps what happens.
        turn: tells whose turn it is.
        known: tells where the match has its figures on the board that is seen, to name them by at the first look.
    """

    memory: TableMemory
    log: WatchLog = field(default_factory=WatchLog)
    turn: Callable[[], ActiveFigure] = lambda: NOBODYS_TURN
    known: Callable[[Observation], Mapping[str, Cells]] = lambda seen: {}
    _told_turn: ActiveFigure = NOBODYS_TURN

    def look(self, look: FrameObservation) -> bool:
        """Lets the memory take a look, with what the match knows; whether the table is another one now."""
        turn, known = self.turn(), {}
        if turn != self._told_turn:
            self._told_turn = turn
            self.log.event({"what": "turn", "turn": asdict(turn)})
        if self.memory.board is None:
            known = dict(self.known(look.observation))
            self.log.event({"what": "known", "known": known})
        return self.memory.look(look, turn, known)

    def carry_out(self, wish: Wish) -> None:
        """Lets the memory do what a person wants.

        Raises:
            NothingSeen: there was no look yet.
            InputError: what was said cannot be.
        """
        if isinstance(wish, bool):
            self.memory.freeze(is_frozen=wish)
            self.log.event({"what": "freeze", "is_frozen": wish})
        else:
            self.memory.correct(wish)
            self.log.event({"what": "correction", "correction": msgspec.to_builtins(wish)})

    def forget_the_match(self) -> None:
        """Lets the match of here and now say nothing: what was known then stands in the recording that is played."""
        self.turn, self.known = (lambda: NOBODYS_TURN), (lambda seen: {})

    def told_again(self, event: Mapping[str, Any]) -> Wish | None:
        """The wish in an event of a recording, which is not carried out yet; None for all else.

        What the match knew then takes the place of what it knows now.

        Raises:
            msgspec.ValidationError: the event is none of ours.
            KeyError: a part of it is missing.
        """
        match event.get("what"):
            case "correction":
                return msgspec.convert(event["correction"], TableCorrection)
            case "freeze":
                return bool(event["is_frozen"])
            case "known":
                known = msgspec.convert(event["known"], dict[str, Cells])
                self.known = lambda seen: known
            case "turn":
                turn = msgspec.convert(event["turn"], ActiveFigure)
                self.turn = lambda: turn
        return None

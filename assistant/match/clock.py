"""Turn, round and side clocks; they run on over an undo, because time is not given back."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from assistant.match.game import Game


class Clock(Struct, frozen=True, kw_only=True):
    """The time used so far, in milliseconds, up to the last event at ``t_ms``."""

    t_ms: int = 0
    running: bool = True
    side: str | None = None
    round: int = 0
    turn_ms: int = 0
    round_ms: int = 0
    side_ms: Mapping[str, int] = {}

    def after(self, t_ms: int, game: Game, running: bool | None) -> Clock:
        """The clocks after an event: what passed goes to whoever was to act until now.

        A wall clock that was set back counts as standing still.
        """
        passed_ms = max(0, t_ms - self.t_ms) if self.running and self.t_ms else 0
        side_ms = self.side_ms
        if passed_ms and self.side:
            side_ms = {**side_ms, self.side: side_ms.get(self.side, 0) + passed_ms}
        side = game.side_to_act()
        return Clock(
            t_ms=max(t_ms, self.t_ms),
            running=self.running if running is None else running,
            side=side,
            round=game.round,
            turn_ms=self.turn_ms + passed_ms if side == self.side else 0,
            round_ms=self.round_ms + passed_ms if game.round == self.round else 0,
            side_ms=side_ms,
        )

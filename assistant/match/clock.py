"""Turn, round and side clocks. An undo turns none back, but a turn or round that it reopens goes on where it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from assistant.match.game import GameState

Seconds = Annotated[int, Meta(ge=1, le=24 * 3600)]


class Clock(Struct, frozen=True, kw_only=True):
    """The time used so far, in milliseconds, up to the last event at ``t_ms``.

    ``turn`` names the running turn by its round, as the game counts turns. The players agree on the limits of a turn,
    and of a side in the whole match. Nothing enforces the limits. ``extra_s`` is time that judges gave back, beyond
    the limit of the sides. ``turns_ms`` and ``rounds_ms`` keep what those that were left had used, for an undo that
    leads back to them.
    """

    t_ms: int = 0
    running: bool = True
    side: str | None = None
    round: int = 0
    turn: str = ""
    turn_ms: int = 0
    round_ms: int = 0
    turns_ms: Mapping[str, int] = {}
    rounds_ms: Mapping[str, int] = {}
    side_ms: Mapping[str, int] = {}
    turn_limit_s: Seconds | None = None
    side_limit_s: Seconds | None = None
    extra_s: int = 0

    def after(self, t_ms: int, game: GameState, side: str | None, *, is_played: bool = True) -> Clock:
        """Return the clocks after an event; the awaited side pays for the time since the last one, ``side`` is next.

        No time has passed if nobody played (``is_played`` false: the program was not running, or the match was over),
        or if the wall clock was set back.
        """
        passed_ms = self.passed_ms(t_ms) if is_played else 0
        side_ms = self.side_ms
        if passed_ms and self.side:
            side_ms = {**side_ms, self.side: side_ms.get(self.side, 0) + passed_ms}
        turn, turns_ms, rounds_ms = f"{game.round} {game.turn_name()}", self.turns_ms, self.rounds_ms
        turn_ms, round_ms = self.turn_ms + passed_ms, self.round_ms + passed_ms
        if turn != self.turn:
            turns_ms = {**turns_ms, self.turn: turn_ms}
            turn_ms = turns_ms.get(turn, 0)
        if game.round != self.round:
            rounds_ms = {**rounds_ms, str(self.round): round_ms}
            round_ms = rounds_ms.get(str(game.round), 0)
        return replace(
            self,
            t_ms=max(t_ms, self.t_ms),
            side=side,
            round=game.round,
            turn=turn,
            turn_ms=turn_ms,
            round_ms=round_ms,
            turns_ms=turns_ms,
            rounds_ms=rounds_ms,
            side_ms=side_ms,
        )

    def passed_ms(self, now_ms: int) -> int:
        """Return the time since the last event while the clocks ran. They start with the first round."""
        return max(0, now_ms - self.t_ms) if self.running and self.t_ms and self.round else 0

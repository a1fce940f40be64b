"""Claims of judges on calls: of five judges in a hall, two must not run to one table and none to another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.app.tournament.desk_store import CallClaim, DeskStore
from assistant.errors import CannotDo, UnknownName
from assistant.translations.messages import said


class ClaimTaken(CannotDo):
    """Another judge is already on the way to the call."""

    http_status = 409

    def __init__(self, judge: str) -> None:
        super().__init__(said("{judge} is on the way to this call.", judge=judge))


@dataclass(frozen=True)
class Claims:
    """The claims of a hall, in the store that its desks share.

    Args:
        store: keeps them.
        now_s: the clock, seconds since 1970.
        changed: called after every change.
    """

    store: DeskStore
    now_s: Callable[[], float]
    changed: Callable[[], None]

    def claim(self, call_id: str, judge: str, *, is_over: bool = False) -> CallClaim:
        """Claim a call for a judge. ``is_over`` takes it over from another.

        Raises:
            UnknownName: there is no such call.
            ClaimTaken: another judge is on the way.
        """

        def change(before: CallClaim) -> CallClaim:
            if before.judge not in ("", judge) and not is_over:
                raise ClaimTaken(before.judge)
            return before._replace(judge=judge, t=round(self.now_s() * 1000))

        return self._change(call_id, change)

    def let_go(self, call_id: str) -> CallClaim:
        """Release a claim. Raises ``UnknownName`` if there is no such call."""
        return self._change(call_id, lambda before: before._replace(judge=""))

    def escalate(self, call_id: str) -> CallClaim:
        """Request the head judge for a call. Raises ``UnknownName`` if there is no such call."""
        return self._change(call_id, lambda before: before._replace(is_escalated=True))

    def _change(self, call_id: str, change: Callable[[CallClaim], CallClaim]) -> CallClaim:
        if self.store.call(call_id) is None:
            raise UnknownName(said("there is no call “{call}”; choose one of the list", call=call_id[:60]))
        nobody = CallClaim(call_id, "", round(self.now_s() * 1000), is_escalated=False)
        after = self.store.change_claim(call_id, lambda before: change(before or nobody))
        self.changed()
        return after

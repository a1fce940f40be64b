"""A judge's call as a fold over events: open, ruled, appealed, closed. Pure: no clock, disk or network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from assistant.documents.call import MAX_EXTENSION_S, Call, CallText, ExtensionS, HandCorrection
from assistant.documents.match import convert
from assistant.documents.table_event import EventType, Hash, Person, TableEvent
from assistant.errors import BadValue, IllegalStep, NotYours
from assistant.table.fields import PlainWords
from assistant.translations.messages import said

CORRECTIONS_MS = 30 * 60 * 1000
"""Age in ms up to which a call includes a hand correction: about a round of any game."""


def corrections_from_t(called_t: int, match: Mapping[str, Any] | None) -> int:
    """Return the time from which a call includes hand corrections, never before its match began.

    Args:
        called_t: when the judge was called, milliseconds since 1970.
        match: the frozen facts of the match; None where none is played.
    """
    began_t = ((match or {}).get("match") or {}).get("created_t")
    return max(called_t - CORRECTIONS_MS, began_t if isinstance(began_t, int) else 0)


class OpenCall(PlainWords, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Calls a judge. Everything that the judge will need was frozen before."""

    question: CallText = ""
    frozen_hash: Hash
    corrections: tuple[HandCorrection, ...] = ()


class GiveRuling(PlainWords, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ruling, by the head judge on an appeal. A later ruling replaces the earlier one and its extra time.

    In earlier versions, rulings without ``extends`` each added ``extension_s``.
    """

    ruling: CallText
    disputed: CallText = ""
    reason: CallText = ""
    penalty: CallText = ""
    extension_s: ExtensionS = 0
    extends: Literal["more", "in all"] = "more"

    def time_after(self, before_s: int) -> int:
        """Return the extra time of the call in seconds after this ruling."""
        return self.extension_s if self.extends == "in all" else before_s + self.extension_s


class Appeal(PlainWords, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An appeal to the head judge."""

    grounds: CallText = ""


class SpeakBack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Reads the ruling out at the table."""


class CloseCall(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Closes the call. Closing an open one calls it off."""


CallStep = OpenCall | GiveRuling | Appeal | SpeakBack | CloseCall

STEP_TYPES: Mapping[EventType, type[CallStep]] = {
    "opened": OpenCall,
    "ruled": GiveRuling,
    "appealed": Appeal,
    "spoken": SpeakBack,
    "closed": CloseCall,
}
"""The step class for each event type."""

_FOR_JUDGES = (GiveRuling, SpeakBack, CloseCall)


EmptyField = Literal["", "before", "none"]
"""Meaning of an empty reason or penalty in a later ruling: unspecified, as before, or none."""


class AsBeforeOrNone(IllegalStep):
    """A later ruling leaves a field empty that the earlier ruling filled."""

    def __init__(self, field: Literal["penalty", "reason"], before: str) -> None:
        if field == "penalty":
            text = said("The ruling before gave a penalty: “{before}”. Does it stay, or is there none?", before=before)
        else:
            text = said("The ruling before gave a reason: “{before}”. Does it stay, or is there none?", before=before)
        super().__init__(text, field=field)


def settled(call: Call | None, step: CallStep, empty: EmptyField) -> CallStep:
    """Fill in a ruling's empty fields as the judge meant them, and make its time the call's total.

    Raises:
        AsBeforeOrNone: the judge has not said which is meant.
    """
    if call is None or call.judge is None or not isinstance(step, GiveRuling):
        return step
    fields: tuple[Literal["penalty", "reason"], ...] = ("penalty", "reason")
    for name in fields:
        before = getattr(call, name)
        if before and not getattr(step, name).strip():
            if not empty:
                raise AsBeforeOrNone(name, before)
            step = replace(step, **{name: before if empty == "before" else ""})
    return replace(step, extends="in all")


class PastStep(NamedTuple):
    """A ruling or an appeal of a call: when, by whom, and what."""

    t: int
    by: Person
    step: GiveRuling | Appeal


def past_steps(events: Iterable[TableEvent], call_id: str) -> tuple[PastStep, ...]:
    """Return all rulings and appeals of a call, the oldest first.

    Raises:
        DocumentError: an event's payload does not fit its type.
    """
    kinds = {name: kind for name, kind in STEP_TYPES.items() if kind in (GiveRuling, Appeal)}
    return tuple(
        PastStep(one.t, one.actor, convert(one.payload, kinds[one.type], f"event {one.seq}"))
        for one in events
        if one.call == call_id and one.type in kinds
    )


def step_type(step: CallStep) -> EventType:
    """Return the event type of a step."""
    return next(name for name, kind in STEP_TYPES.items() if type(step) is kind)


def step_payload(step: CallStep) -> dict[str, Any]:
    """Return the event payload of a step."""
    payload: dict[str, Any] = to_builtins(step)
    if payload.get("extends") == "more":
        del payload["extends"]  # tables of earlier versions know no other
    return payload


def require_allowed(call: Call | None, step: CallStep, actor: Person) -> None:
    """Refuse a step that this person may not take, or not now.

    Raises:
        NotYours: only a judge may.
        IllegalStep: the call's state does not allow it.
    """
    is_called_off = isinstance(step, CloseCall) and call is not None and (call.state, call.opened_by) == ("open", actor)
    if isinstance(step, _FOR_JUDGES) and actor.role != "judge" and not is_called_off:
        raise NotYours(said("only a judge may do this; call one"))
    state = None if call is None else call.state
    if isinstance(step, OpenCall):
        if state is not None:
            raise IllegalStep(said("there is a call of this name already; call again"))
        return
    if call is None or state is None:
        raise IllegalStep(said("there is no such call; choose one of the list"))
    if state == "closed":
        raise IllegalStep(said("this call is closed; call a judge again if something is still open"))
    if isinstance(step, GiveRuling):
        _require_ruling(call, step)
    elif isinstance(step, Appeal | SpeakBack) and state != "ruled":
        raise IllegalStep(said("nobody has ruled on this yet; wait for the judge"))
    elif isinstance(step, CloseCall) and state == "appealed":
        raise IllegalStep(said("there is an appeal; the head judge has to rule before the call is closed"))


def _require_ruling(call: Call, step: GiveRuling) -> None:
    if not step.ruling.strip():
        raise IllegalStep(said("a ruling needs words; say what is to be done"))
    if step.time_after(call.extension_s) > MAX_EXTENSION_S:
        raise IllegalStep(said("a table gets no more than {hours} hours back", hours=MAX_EXTENSION_S // 3600))


def call_after(call: Call | None, event: TableEvent) -> Call:
    """Apply an event to a call.

    Raises:
        DocumentError: the event does not belong to a call, or its payload does not fit its type.
        IllegalStep: the call's state did not allow it.
        NotYours: its actor may not take this step.
    """
    kind = STEP_TYPES.get(event.type)
    if kind is None:
        raise BadValue(said("this event belongs to no call"), document=f"event {event.seq}", field="type")
    step: CallStep = convert(event.payload, kind, f"event {event.seq}")
    require_allowed(call, step, event.actor)
    if isinstance(step, OpenCall):
        return _new_call(event, step)
    assert call is not None, "a step that opens no call is about one"
    return replace(_apply_step(call, step, event), changed_t=event.t, seq=event.seq)


def _new_call(event: TableEvent, step: OpenCall) -> Call:
    return Call(
        id=event.call or event.id,
        table=event.table,
        opened_t=event.t,
        opened_by=event.actor,
        question=step.question,
        frozen_hash=step.frozen_hash,
        corrections=step.corrections,
        changed_t=event.t,
        seq=event.seq,
    )


def _apply_step(call: Call, step: GiveRuling | Appeal | SpeakBack | CloseCall, event: TableEvent) -> Call:
    match step:
        case GiveRuling():
            return replace(
                call,
                state="ruled",
                disputed=step.disputed or call.disputed,
                ruling=step.ruling,
                reason=step.reason,
                penalty=step.penalty,
                extension_s=step.time_after(call.extension_s),
                judge=event.actor,
                spoken_t=None,
            )
        case Appeal():
            return replace(call, state="appealed", grounds=step.grounds, appealed_by=event.actor)
        case SpeakBack():
            return replace(call, spoken_t=event.t)
        case CloseCall():
            return replace(call, state="closed")

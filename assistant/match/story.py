"""The story of a match out of its history: what each round cost, who fell by whose hand, and what turned it.

Only figures on the table and the public titles of steps are spoken of, so it hides nothing and gives nothing away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from assistant.match.actor import Actor
from assistant.match.game import GameState, Piece, ShownDie
from assistant.match.timeline import Timeline
from assistant.table.tracker import Struck, TrackerEntry
from assistant.translations.messages import Said

MOST_MOMENTS = 40
"""Moments that are told, the last ones: a long skirmish has dozens of falls."""

HEAVY_HARM = 3
"""So much damage to one figure in one step is worth a line, whether it fell or not."""


class Loss(Struct, frozen=True, kw_only=True):
    """What a side lost: figures that fell, damage taken by those that stood; and who stands at the end of it."""

    side: str
    fallen: int
    harm: int
    standing: int


class TurningPoint(Struct, frozen=True, kw_only=True):
    """Something that turned the match: ``fall`` (a figure left the table by a person's step), ``blow`` or ``end``."""

    seq: int
    round: int
    kind: Literal["fall", "blow", "end"]
    title: Said
    figures: tuple[str, ...]
    by: Actor


class RoundTold(Struct, frozen=True, kw_only=True):
    """One round: how many steps people made, and what it cost each side."""

    round: int
    steps: int
    losses: tuple[Loss, ...]


class Story(Struct, frozen=True, kw_only=True):
    """The whole match, the moments oldest first."""

    rounds: tuple[RoundTold, ...]
    losses: tuple[Loss, ...]
    moments: tuple[TurningPoint, ...]
    steps: int


@dataclass(frozen=True, slots=True)
class _Change:
    """What one step of a person did to the figures."""

    seq: int
    title: Said
    actor: Actor
    before: GameState
    after: GameState

    @property
    def fallen(self) -> tuple[Piece, ...]:
        """Who left the table."""
        return find_fallen(self.before, self.after)

    @property
    def hurt(self) -> Mapping[str, int]:
        """The damage that those took who still stand."""
        return find_hurt(self.before, self.after)


def tell_story(timeline: Timeline) -> Story:
    """The story of all that is done and not taken back.

    Raises:
        HistoryLost: the timeline was started from a snapshot; fold all events first.
    """
    changes = [
        _Change(step.entry.seq, step.entry.title, step.entry.actor, step.before, step.after)
        for step in timeline.steps()
        if step.entry.actor.role != "camera"
    ]
    numbers = sorted({change.after.round for change in changes})
    rounds = tuple(_round([each for each in changes if each.after.round == number], number) for number in numbers)
    moments = tuple(moment for change in changes for moment in _moments(change))
    return Story(rounds=rounds, losses=_losses(changes), moments=moments[-MOST_MOMENTS:], steps=len(changes))


def _round(changes: list[_Change], number: int) -> RoundTold:
    return RoundTold(round=number, steps=len(changes), losses=_losses(changes))


def _losses(changes: list[_Change]) -> tuple[Loss, ...]:
    if not changes:
        return ()
    last = changes[-1].after
    sides = sorted({piece.side for piece in last.pieces.values()})
    return tuple(
        Loss(
            side=side,
            fallen=sum(piece.side == side for change in changes for piece in change.fallen),
            harm=sum(amount for change in changes for amount in _harm_of(change, side)),
            standing=len(last.standing(side)),
        )
        for side in sides
    )


def _harm_of(change: _Change, side: str) -> Iterable[int]:
    return (amount for name, amount in change.hurt.items() if change.after.pieces[name].side == side)


def _moments(change: _Change) -> Iterator[TurningPoint]:
    fallen = tuple(piece.id for piece in change.fallen)
    hurt = tuple(name for name, amount in change.hurt.items() if amount >= HEAVY_HARM)
    is_end = change.after.winner is not None and change.before.winner is None
    for kind, figures, holds in (("fall", fallen, fallen), ("blow", hurt, hurt), ("end", (), is_end)):
        if holds:
            yield TurningPoint(
                seq=change.seq,
                round=change.after.round,
                kind=kind,  # type: ignore[arg-type]
                title=change.after.ending if kind == "end" else change.title,
                figures=figures,
                by=change.actor,
            )


class Blow(Struct, frozen=True, kw_only=True):
    """What happened to a figure: the damage that it took, and whether it left the table by it."""

    figure: str
    harm: int
    fell: bool


class Happening(Struct, frozen=True, kw_only=True):
    """What the last step of a person did; ``seq`` is its number in the history."""

    seq: int
    dice: tuple[ShownDie, ...]
    blows: tuple[Blow, ...]


def find_fallen(before: GameState, after: GameState) -> tuple[Piece, ...]:
    """Who left the table."""
    return tuple(piece for piece in before.standing() if not after.pieces[piece.id].on_table)


def find_hurt(before: GameState, after: GameState) -> Mapping[str, int]:
    """The damage that those took who still stand."""
    now = after.pieces
    harm = {piece.id: now[piece.id].harm - piece.harm for piece in before.standing() if now[piece.id].on_table}
    return {name: amount for name, amount in harm.items() if amount > 0}


def tell_happening(timeline: Timeline) -> Happening | None:
    """What the last step of a person did; None where nobody did anything, or nothing is known of before."""
    last = timeline.last_step_by_hand()
    if last is None:
        return None
    event, step, before, after = last
    fallen = (Blow(figure=piece.id, harm=0, fell=True) for piece in find_fallen(before, after))
    hurt = (Blow(figure=name, harm=harm, fell=False) for name, harm in find_hurt(before, after).items())
    return Happening(seq=event.seq, dice=step.dice_shown(before), blows=(*hurt, *fallen))


def find_struck(timeline: Timeline, order: Sequence[TrackerEntry], since_s: float) -> Struck | None:
    """The blow that the very last event dealt, by the places of the hurt in the order; None where it dealt none.

    A place of the order is a figure, all figures of a kind, or a side.
    """
    happened = tell_happening(timeline)
    if happened is None or happened.seq != timeline.seq or not happened.blows:
        return None
    hurt = [timeline.game.pieces[blow.figure] for blow in happened.blows]
    names = {name for piece in hurt for name in (piece.id, piece.kind, piece.side)}
    places = frozenset(place for place, entry in enumerate(order) if entry.name in names)
    return Struck(places, any(blow.fell for blow in happened.blows), since_s)

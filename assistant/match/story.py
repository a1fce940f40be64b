"""The story of a match: losses of each round, turning points, and the dice and damage of the last step.

It uses only figures on the table and public titles of steps, so it reveals no secrets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from assistant.match.actor import Actor
from assistant.match.game import GameState, Piece, ShownDie
from assistant.match.timeline import DoneStep, Timeline
from assistant.table.tracker import Struck, TrackerEntry
from assistant.translations.messages import Said

MOST_MOMENTS = 40
"""Limit of turning points; the last ones stay. A long skirmish has dozens of falls."""

HEAVY_HARM = 3
"""Least damage to one figure in one step that earns a line, whether the figure fell or not."""


class Loss(Struct, frozen=True, kw_only=True):
    """The losses of a side: fallen figures, damage to the others, and the number of figures left."""

    side: str
    fallen: int
    harm: int
    standing: int


class TurningPoint(Struct, frozen=True, kw_only=True):
    """A turning point: ``fall`` (a person's step took a figure off the table), ``blow`` or ``end``."""

    seq: int
    round: int
    kind: Literal["fall", "blow", "end"]
    title: Said
    figures: tuple[str, ...]
    by: Actor


class RoundTold(Struct, frozen=True, kw_only=True):
    """One round: the steps of people, and the losses of each side."""

    round: int
    steps: int
    losses: tuple[Loss, ...]


class Story(Struct, frozen=True, kw_only=True):
    """The whole match, its turning points oldest first."""

    rounds: tuple[RoundTold, ...]
    losses: tuple[Loss, ...]
    moments: tuple[TurningPoint, ...]
    steps: int


def tell_story(timeline: Timeline) -> Story:
    """Return the story of every step that stands.

    Raises:
        HistoryLost: the timeline was started from a snapshot; fold all events first.
    """
    steps = [step for step in timeline.steps() if step.entry.actor.role != "camera"]
    by_round: dict[int, list[DoneStep]] = {}
    for step in steps:
        by_round.setdefault(step.after.round, []).append(step)
    rounds = tuple(
        RoundTold(round=number, steps=len(some), losses=_losses(some)) for number, some in sorted(by_round.items())
    )
    moments = tuple(moment for step in steps for moment in _moments(step))
    return Story(rounds=rounds, losses=_losses(steps), moments=moments[-MOST_MOMENTS:], steps=len(steps))


def _losses(steps: Sequence[DoneStep]) -> tuple[Loss, ...]:
    if not steps:
        return ()
    last = steps[-1].after
    fallen = [piece.side for step in steps for piece in find_fallen(step.before, step.after)]
    hurt = [
        (step.after.pieces[name].side, amount)
        for step in steps
        for name, amount in _find_damage(step.before, step.after).items()
    ]
    return tuple(
        Loss(
            side=side,
            fallen=fallen.count(side),
            harm=sum(amount for hurt_side, amount in hurt if hurt_side == side),
            standing=len(last.standing(side)),
        )
        for side in sorted({piece.side for piece in last.pieces.values()})
    )


def _moments(step: DoneStep) -> Iterator[TurningPoint]:
    fallen = tuple(piece.id for piece in find_fallen(step.before, step.after))
    hurt = tuple(name for name, amount in find_hurt(step.before, step.after).items() if amount >= HEAVY_HARM)
    is_end = step.after.winner is not None and step.before.winner is None
    for kind, figures, holds in (("fall", fallen, fallen), ("blow", hurt, hurt), ("end", (), is_end)):
        if holds:
            yield TurningPoint(
                seq=step.entry.seq,
                round=step.after.round,
                kind=kind,  # type: ignore[arg-type]
                title=step.after.ending if kind == "end" else step.entry.title,
                figures=figures,
                by=step.entry.actor,
            )


class Blow(Struct, frozen=True, kw_only=True):
    """The damage to a figure, and whether it left the table."""

    figure: str
    harm: int
    fell: bool


class Happening(Struct, frozen=True, kw_only=True):
    """Dice and damage of the last step of a person; ``seq`` is its number in the history."""

    seq: int
    dice: tuple[ShownDie, ...]
    blows: tuple[Blow, ...]


def find_fallen(before: GameState, after: GameState) -> tuple[Piece, ...]:
    """Return the figures that left the table."""
    return tuple(piece for piece in before.standing() if not after.pieces[piece.id].on_table)


def _find_damage(before: GameState, after: GameState) -> Mapping[str, int]:
    """Return the damage to each figure; for a fallen one, as far as the game records it."""
    harm = {piece.id: after.pieces[piece.id].harm - piece.harm for piece in before.standing()}
    return {name: amount for name, amount in harm.items() if amount > 0}


def find_hurt(before: GameState, after: GameState) -> Mapping[str, int]:
    """Return the damage to each figure that is still on the table."""
    damage = _find_damage(before, after)
    return {name: amount for name, amount in damage.items() if after.pieces[name].on_table}


def tell_happening(timeline: Timeline) -> Happening | None:
    """Return dice and damage of the last step of a person, or None without one, or if the game before it is unknown."""
    last = timeline.last_step_by_hand()
    if last is None:
        return None
    event, step, before, after = last
    fallen = (Blow(figure=piece.id, harm=0, fell=True) for piece in find_fallen(before, after))
    hurt = (Blow(figure=name, harm=harm, fell=False) for name, harm in find_hurt(before, after).items())
    return Happening(seq=event.seq, dice=step.dice_shown(before), blows=(*hurt, *fallen))


def find_struck(timeline: Timeline, order: Sequence[TrackerEntry], since_s: float) -> Struck | None:
    """Return the damage of the very last event, by places in the order, or None without any.

    A place in the order is a figure, all figures of a kind, or a side.
    """
    happened = tell_happening(timeline)
    if happened is None or happened.seq != timeline.seq or not happened.blows:
        return None
    hurt = [timeline.game.pieces[blow.figure] for blow in happened.blows]
    names = {name for piece in hurt for name in (piece.id, piece.kind, piece.side)}
    places = frozenset(place for place, entry in enumerate(order) if entry.name in names)
    return Struck(places, any(blow.fell for blow in happened.blows), since_s)

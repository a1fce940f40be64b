"""What a step did that people want to see at once: the dice as they fell, who was hurt, who is gone.

All of it is public: dice lie on the table, and so do the figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from assistant.match.game import GameState, Piece, ShownDie
from assistant.match.timeline import Timeline
from assistant.table.tracker import Struck, TrackerEntry


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

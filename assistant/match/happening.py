"""What a step did that people want to see at once: the dice as they fell, who was hurt, who is gone.

All of it is public: dice lie on the table, and so do the figures.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from assistant.match.game import GameState, Piece, ShownDie
from assistant.match.timeline import Timeline


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

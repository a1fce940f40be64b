"""Weapons that blow through: the attack goes on into an adjacent space with one die less (rules B5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import Literal

from assistant.games.doom2004.match.aiming import EMPTY_SPACE
from assistant.games.doom2004.match.state import Match2004, PendingAttack2004, Through
from assistant.match.game import MARINES, Cells, require, require_value
from assistant.match.ground import board_of
from assistant.table.board import Figure
from assistant.translations.messages import color_in_words, said

Dropped = Literal["green", "blue"]
DROPPED: tuple[Dropped, ...] = ("green", "blue")
"""The colours of which one die is left out at each step."""


def find_blow_through(game: Match2004, attack: PendingAttack2004, stood: tuple[tuple[int, int], ...]) -> Through | None:
    """What an attack that was just worked out may go on as, hit or miss; None if it may not."""
    attacker = game.piece(attack.attacker)
    if attacker.side != MARINES or attack.weapon is None or not attacker.on_table:
        return None
    weapon = game.setup.weapons[attack.weapon]
    dice = Counter(color for color, _ in attack.dice)
    has_ammo = weapon.ammo is None or game.equipment[attacker.id].ammo.get(weapon.ammo, 0) > 0
    if not (weapon.blow_through and has_ammo and any(dice[color] for color in DROPPED)):
        return None
    done = (*attack.went_through, *attack.targets[:1])
    return Through(attacker=attacker.id, weapon=attack.weapon, dice=dict(dice), done=done, last_cells=stood)


def require_blow_through(game: Match2004) -> Through:
    """The attack that may go on.

    Raises:
        IllegalStep: there is none.
    """
    return require_value(game.through, said("no attack may go on now; only a weapon that blows through does, at once"))


def leave_out_die(through: Through, drop: Dropped) -> Mapping[str, int]:
    """The dice of the next step.

    Raises:
        IllegalStep: there is no die of that colour to leave out.
    """
    require(through.dice.get(drop, 0) > 0, said("there is no {drop} die left to leave out", drop=color_in_words(drop)))
    return {color: left for color, n in through.dice.items() if (left := n - (color == drop))}


def require_next(game: Match2004, through: Through, target: str | None, cells: Cells) -> None:
    """Makes sure that the next space is beside the one attacked last, and who stands there was not attacked yet.

    Raises:
        IllegalStep: it is not, or was.
    """
    done = through.done[-1] if through.done else EMPTY_SPACE
    require(target not in through.done, said("{target} was attacked by this shot already", target=target))
    require(
        _adjacent(game, through, cells),
        said("{target} does not stand beside {done}", target=target or EMPTY_SPACE, done=done),
    )


def _adjacent(game: Match2004, through: Through, cells: tuple[tuple[int, int], ...]) -> bool:
    near = any(max(abs(a - c), abs(b - d)) == 1 for (a, b), (c, d) in product(through.last_cells, cells))
    if not (near and game.ground):
        return near
    last, following = (
        Figure(name, name, MARINES, place) for name, place in (("last", through.last_cells), ("next", cells))
    )
    return game.rules.adjacent(board_of(game), last, following)

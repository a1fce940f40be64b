"""Where a blast that missed lands: by the card that was drawn, laid by the compass (seed 004, p. 11 “Scatter”)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self

from msgspec.structs import replace

from assistant.games.doom2004.match.aiming import find_hit
from assistant.games.doom2004.match.attack_rules import require_attack
from assistant.games.doom2004.match.attack_steps import end_attack, require_each_once
from assistant.games.doom2004.match.setup import CellPair
from assistant.games.doom2004.match.state import Match2004, PendingAttack2004
from assistant.games.doom2004.rules.areas import scatter, turn_direction
from assistant.match.chance import Chance
from assistant.match.game import Count, Name, Step, require
from assistant.match.ground import board_of
from assistant.translations.messages import Said, named, said

Direction = Literal["up", "up-right", "right", "down-right", "down", "down-left", "left", "up-left"]

DIRECTIONS: Mapping[Direction, CellPair] = {
    "up": (0, -1),
    "up-right": (1, -1),
    "right": (1, 0),
    "down-right": (1, 1),
    "down": (0, 1),
    "down-left": (-1, 1),
    "left": (-1, 0),
    "up-left": (-1, -1),
}
"""The eight directions as they lie on the board, up towards row 0."""


class LandShot(Step[Match2004], frozen=True, kw_only=True, tag="scatter"):
    """The shot lands where the drawn card says, and whoever is there is hit.

    The program lays the card by the compass and counts on the table. Where the mission does not know the diagram,
    ``direction`` and ``distance`` are typed as the card lies by the compass (none for the miss icon); where no table
    was seen, ``hit`` names who stands there.
    """

    direction: Direction | None = None
    distance: Count = 0
    hit: tuple[Name, ...] = ()
    lands: CellPair | None = None

    def settle(self, game: Match2004, chance: Chance) -> Self:
        """The step with the space where it lands, and whom it hits there."""
        attack = game.pending
        if attack is None or not attack.scatters:
            return self
        step = self
        if not is_diagram_told(game, attack):
            arrow = game.setup.cards[str(attack.scatter_card)].arrow
            turned = None if arrow is None else _lay_by_compass(arrow[0], game.setup.compass)
            step = replace(self, direction=turned, distance=0 if arrow is None else arrow[1])
        if step.direction is None:
            return replace(step, hit=(), lands=None)
        if not game.ground or attack.space is None:
            return replace(step, lands=None)
        lands = scatter(game.rules.on(board_of(game)), attack.space, DIRECTIONS[step.direction], step.distance)
        return replace(step, lands=lands, hit=() if lands is None else find_hit(game, lands, attack.blast))

    def check(self, game: Match2004) -> None:
        """A card must have been drawn for it, and each figure is hit once."""
        require(require_attack(game).scatters, said("no shot has to land now; apply the attack first"))
        require_each_once(self.hit)
        for name in self.hit:
            require(game.piece(name).on_table, said("{figure} is not on the board", figure=name))

    def apply(self, game: Match2004) -> Match2004:
        """The game after the explosion."""
        return end_attack(game, require_attack(game), self.hit)

    def title(self, game: Match2004) -> Said:
        """What it does."""
        if self.hit:
            return said("The shot lands elsewhere and hits {figures}", figures=named(self.hit))
        return said("The shot explodes harmlessly")


def is_diagram_told(game: Match2004, attack: PendingAttack2004) -> bool:
    """Whether people read the diagram off the card: none was drawn here, or the mission has it wrong."""
    card = game.setup.cards.get(attack.scatter_card or "")
    return card is None or (card.scatter is not None and card.arrow is None)


def _lay_by_compass(direction: CellPair, quarter_turns: int) -> Direction:
    turned = turn_direction(direction, quarter_turns)
    return next(name for name, step in DIRECTIONS.items() if step == turned)

"""Weapons in hand: what is drawn before a fight, and what is ready again after a misfire."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from assistant.games.roads.match.arms import carried, count_hands, in_hand, is_of_kind
from assistant.games.roads.match.state import MatchRoads, require_nothing_open
from assistant.games.roads.rules.check_reasons import MISFIRE, SWAP
from assistant.match.game import Name, Step, require
from assistant.translations.messages import Said, named, said


class Wield(Step[MatchRoads], frozen=True, kw_only=True, tag="wield"):
    """A model takes other weapons into its hands, which its player announces before the fight (“Оружие”)."""

    figure: Name
    weapons: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=8)]

    def side(self, game: MatchRoads) -> str | None:
        """Whose model it is."""
        return game.piece(self.figure).side

    def check(self, game: MatchRoads) -> None:
        """Not once its fight has begun, only what it carries, and no more than it has hands for."""
        require_nothing_open(game)
        require(game.piece(self.figure).on_table, said("{figure} is out", figure=self.figure))
        fights = any(self.figure in pair for pair in game.fought) or self.figure in game.seasoned
        told = said("{figure} is in a fight and keeps its weapons until it is over", figure=self.figure)
        require(not fights, told, SWAP)
        held, owned = Counter(self.weapons), Counter(carried(game, self.figure))
        lacks = said("{figure} carries: {weapons}", figure=self.figure, weapons=named(carried(game, self.figure)))
        require(held <= owned, lacks, SWAP)
        hands = count_hands(game, self.figure)
        many = said("{figure} has hands for {hands} weapons", figure=self.figure, hands=hands)
        require(len(self.weapons) <= hands, many, SWAP)
        same = said("{figure} holds these weapons already", figure=self.figure)
        require(Counter(in_hand(game, self.figure)) != held, same)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with those weapons in its hands."""
        return replace(game, wielded={**game.wielded, self.figure: self.weapons})

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure} takes in hand: {weapons}", figure=self.figure, weapons=named(self.weapons))


class ClearJam(Step[MatchRoads], frozen=True, kw_only=True, tag="clear_jam"):
    """A jammed weapon is ready again: what that takes is not in the known rules, so people say it."""

    figure: Name
    weapon: Name

    def side(self, game: MatchRoads) -> str | None:
        """Whose model it is."""
        return game.piece(self.figure).side

    def check(self, game: MatchRoads) -> None:
        """It must be jammed; what was thrown is gone."""
        jammed = self.weapon in game.spent.get(self.figure, ()) and not is_of_kind(game, self.weapon, "thrown")
        require(jammed, said("the {weapon} of {figure} is not jammed", figure=self.figure, weapon=self.weapon), MISFIRE)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the weapon ready."""
        left = tuple(name for name in game.spent.get(self.figure, ()) if name != self.weapon)
        return replace(game, spent={**game.spent, self.figure: left})

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("The {weapon} of {figure} is ready again", weapon=self.weapon, figure=self.figure)


STEPS: tuple[type[Struct], ...] = (Wield, ClearJam)

"""Hand-to-hand fighting (rules C2): the arithmetic is that of `assistant.games.roads.rules.melee`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from assistant.games.roads.match.duel import (
    count_dice,
    count_excess,
    find_blocked_dice,
    find_other_place,
    make_fighter,
    may_fight,
    pair_of,
    require_duel,
    resolve_duel,
)
from assistant.games.roads.match.marks import DOWN, JUMPED
from assistant.games.roads.match.pending import FighterDice, PendingDuel
from assistant.games.roads.match.state import MatchRoads, add_hits, require_nothing_open
from assistant.games.roads.match.turn_steps import DieFace
from assistant.games.roads.rules import melee
from assistant.games.roads.rules.check_reasons import ADVANCE, ESCAPE
from assistant.games.roads.rules.melee_reasons import BLOCK, HATRED, JUMP_ATTACK
from assistant.games.roads.rules.reasons import DRAWN_IN, IN_MELEE
from assistant.match.chance import Chance
from assistant.match.game import Count, Name, ShownDie, Step, require
from assistant.translations.messages import Said, counted, named, said

MeleeEdge = Literal["higher", "across_cover", "jumping"]


class Fight(Step[MatchRoads], frozen=True, kw_only=True, tag="fight"):
    """Two models in contact roll their attack dice; the dice of the program, or typed in.

    ``conditions`` names what only people see of each (higher, across_cover, jumping), ``excess`` by how many
    a side outnumbers the other (taken from the contacts where the table is known).
    """

    reveals = True
    fighters: tuple[Name, Name]
    conditions: Mapping[str, tuple[MeleeEdge, ...]] = {}
    excess: Mapping[str, Count] = {}
    rolled_here: bool = True
    rolls: tuple[tuple[DieFace, ...], tuple[DieFace, ...]] = ((), ())

    def side(self, game: MatchRoads) -> str | None:
        """Whose turn it is."""
        return game.active

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        """The step with the excess of this table and, unless they are typed, the dice."""
        step = self
        if game.ground:
            step = replace(step, excess=count_excess(game, self.fighters))
        if not self.rolled_here:
            return step
        counts = count_dice(game, step._duel())
        first, second = (tuple(chance.die() for _ in range(count)) for count in counts)
        return replace(step, rolls=(first, second))

    def check(self, game: MatchRoads) -> None:
        """In the melee phase, two enemies in contact who have not fought each other in it."""
        require_nothing_open(game)
        require(game.phase == "melee", said("models fight in the melee phase"))
        require(
            not game.to_draw_in,
            said("{to_draw_in} must be drawn in, or stay out, first", to_draw_in=named(game.to_draw_in)),
            DRAWN_IN,
        )
        first, second = (game.piece(name) for name in self.fighters)
        require(
            first.on_table and second.on_table and first.side != second.side, said("two enemies on the table fight")
        )
        fights = may_fight(first) and may_fight(second)
        require(fights, said("a fleeing model does not fight"), ESCAPE)
        require(pair_of(self.fighters) not in game.fought, said("these two have fought in this phase"), IN_MELEE)
        advanced = said("an advance brought these two together: they fight in the next melee phase")
        require(pair_of(self.fighters) not in game.met_in_advance, advanced, ADVANCE)
        if game.ground:
            require(
                second.id in game.opponents_of(first.id),
                said("{first} and {second} are not in contact", first=first.id, second=second.id),
                IN_MELEE,
            )
        self._check_jumps(game)
        duel = self._duel()
        counts = count_dice(game, duel)
        rolled = (len(self.rolls[0]), len(self.rolls[1]))
        require(
            rolled == counts,
            said(
                "roll {count} dice for {first} and {count_2} for {second}",
                count=counts[0],
                first=first.id,
                count_2=counts[1],
                second=second.id,
            ),
        )

    def _check_jumps(self, game: MatchRoads) -> None:
        for name, told in self.conditions.items():
            jumps = "jumping" not in told or JUMPED in game.piece(name).marks
            require(jumps, said("{figure} has not attacked out of a jump in this turn", figure=name), JUMP_ATTACK)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the fight open for blocks and re-rolls."""
        return replace(game, duel=self._duel())

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{first} and {second} fight", first=self.fighters[0], second=self.fighters[1])

    def dice_shown(self, game: MatchRoads) -> tuple[ShownDie, ...]:
        """The dice of both, those of the first before the second's."""
        return tuple(ShownDie(str(face)) for rolled in self.rolls for face in rolled)

    def _duel(self) -> PendingDuel:
        return PendingDuel(
            fighters=self.fighters,
            rolls=(FighterDice(final=self.rolls[0]), FighterDice(final=self.rolls[1])),
            conditions=self.conditions,
            excess=self.excess,
        )


class RerollMelee(Step[MatchRoads], frozen=True, kw_only=True, tag="reroll"):
    """A shield makes the enemy roll his highest die again, or hatred rolls own dice again (``which``, from 0)."""

    reveals = True
    figure: Name
    why: Literal["block", "hatred"]
    which: tuple[Count, ...] = ()
    rolled_here: bool = True
    faces: tuple[DieFace, ...] = ()

    def side(self, game: MatchRoads) -> str | None:
        """Whose model does it."""
        return game.piece(self.figure).side

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        """The step with the dice that are rolled again and, unless they are typed, their new faces."""
        if game.duel is None or self.figure not in game.duel.fighters:
            return self
        step = self
        if self.why == "block":
            enemy = game.duel.rolls[find_other_place(game.duel, self.figure)].final
            highest = [place for place, face in enumerate(enemy) if face == max(enemy)]
            step = replace(step, which=tuple(highest[: len(find_blocked_dice(game, enemy))]))
        if not self.rolled_here:
            return step
        return replace(step, faces=tuple(chance.die() for _ in step.which))

    def check(self, game: MatchRoads) -> None:
        """A shield against an enemy without one, or hatred in the first round, each once."""
        duel = require_duel(game)
        require(self.figure in duel.fighters, said("{figure} is not in this fight", figure=self.figure))
        require(f"{self.why} {self.figure}" not in duel.rerolled, said("this was used already in this fight"))
        enemy = duel.fighters[find_other_place(duel, self.figure)]
        if self.why == "block":
            require(game.fighter(self.figure).shield, said("{figure} has no shield", figure=self.figure), BLOCK)
            require(not game.fighter(enemy).shield, said("two shields cancel each other out"), BLOCK)
            down = said("{figure} is down and cannot block", figure=self.figure)
            require(DOWN not in game.piece(self.figure).marks, down, BLOCK)
        else:
            hated = set(game.fighter(self.figure).hates)
            require(
                bool(hated & {game.piece(enemy).side, game.piece(enemy).kind}),
                said("{figure} hates no one here", figure=self.figure),
                HATRED,
            )
            spent = said("{figure} has fought a round of this melee: its hatred is spent", figure=self.figure)
            require(self.figure not in game.seasoned, spent, HATRED)
        rolled = duel.rolls[self._place(duel)].final
        fits = len(set(self.which)) == len(self.which) == len(self.faces) and all(p < len(rolled) for p in self.which)
        require(
            fits and bool(self.which), said("name dice of this fight by their places, each once, with their new faces")
        )

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the new faces."""
        duel = require_duel(game)
        place = self._place(duel)
        roll = duel.rolls[place]
        final = list(roll.final)
        for which, face in zip(self.which, self.faces, strict=True):
            final[which] = face
        gone = tuple(roll.final[which] for which in self.which)
        changed = FighterDice(final=tuple(final), replaced=(*roll.replaced, *gone))
        rolls = (changed, duel.rolls[1]) if place == 0 else (duel.rolls[0], changed)
        return replace(game, duel=replace(duel, rolls=rolls, rerolled=(*duel.rerolled, f"{self.why} {self.figure}")))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure}: {why}", figure=self.figure, why=said("block") if self.why == "block" else said("hatred"))

    def dice_shown(self, game: MatchRoads) -> tuple[ShownDie, ...]:
        """The new faces."""
        return tuple(ShownDie(str(face)) for face in self.faces)

    def _place(self, duel: PendingDuel) -> int:
        other = find_other_place(duel, self.figure)
        return other if self.why == "block" else 1 - other


class Strike(Step[MatchRoads], frozen=True, kw_only=True, tag="strike"):
    """The fight is decided: the winner's hits go through armour next."""

    def check(self, game: MatchRoads) -> None:
        """A fight must be open."""
        require_duel(game)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the hits of the winner."""
        duel, result = require_duel(game), resolve_duel(game)
        game = replace(game, duel=None, fought=(*game.fought, pair_of(duel.fighters)))
        if result.winner is None:
            return game
        loser = duel.fighters[find_other_place(duel, result.winner)]
        weapons = melee.assign_hits(make_fighter(game, duel, result.winner), result.hits)
        return add_hits(game, loser, result.winner, result.hits, weapons)

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        result = resolve_duel(game)
        if result.winner is None:
            first, second = require_duel(game).fighters
            return said("{first} and {second}: nobody wins", first=first, second=second)
        most, least = max(result.results), min(result.results)
        return counted(
            "{winner} wins {most} to {least}: {n} hit",
            "{winner} wins {most} to {least}: {n} hits",
            result.hits,
            winner=result.winner,
            most=most,
            least=least,
        )


STEPS: tuple[type[Struct], ...] = (Fight, RerollMelee, Strike)

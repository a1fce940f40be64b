"""An attack of DOOM 2004 step by step (rules B2, B5): roll, re-roll, hit, wounds, ammunition, scatter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import replace

from assistant.games.doom2004.match.attack_rules import (
    damage_of,
    find_in_blast,
    form_of,
    require_attack,
    resolve_shot,
    roll_die,
)
from assistant.games.doom2004.match.blow_through import (
    Dropped,
    find_blow_through,
    leave_out_die,
    require_blow_through,
    require_next,
)
from assistant.games.doom2004.match.setup import FaceSetup
from assistant.games.doom2004.match.state import (
    AIM,
    GUARD,
    Match2004,
    PendingAttack2004,
    apply_draw,
    apply_wounds,
    require_no_attack,
)
from assistant.games.doom2004.rules import attack as rules
from assistant.match.chance import Chance
from assistant.match.deck import draw_cards
from assistant.match.game import MARINES, Count, Name, Piece, SaltedStep, Step, require
from assistant.match.rulings import sight_document
from assistant.translations.messages import Said, counted, dice_in_words, named, said

TypedFace = tuple[Name, FaceSetup]


class Attack2004(Step[Match2004], frozen=True, kw_only=True, tag="attack"):
    """The acting figure attacks a figure, or a marine who guards interrupts the invader's turn.

    ``targets`` is the figure attacked and, for a blast, all others that it would hit; on a table that was seen
    the program finds them. ``aimed`` uses up the order to aim. ``range`` comes from the table, or is typed where
    the camera sees none; faces of physical dice are typed as ``[colour, {range, damage, ammo, miss}]`` with
    ``rolled_here`` false. ``drop`` goes on with an attack that blows through: one die of that colour is left
    out, and the target stands beside the last one.
    """

    reveals = True
    targets: tuple[Name, ...]
    weapon: str | None = None
    guard: str | None = None
    aimed: bool = False
    drop: Dropped | None = None
    rolled_here: bool = True
    dice: tuple[TypedFace, ...] = ()
    range: Count | None = None
    needs_sight: bool = True
    ruling: dict[str, Any] | None = None

    def side(self, game: Match2004) -> str | None:
        """Whoever attacks."""
        if self.guard is not None or self.drop is not None:
            return MARINES
        return None if game.turn is None else game.piece(game.turn.figure).side

    def settle(self, game: Match2004, chance: Chance) -> Self:
        """The step with the ruling of this table and, unless they are typed, the dice."""
        step, attacker = self, self._attacker(game)
        if game.ground and self.targets:
            ruling = sight_document(game, attacker.id, self.targets[0])
            step = replace(step, ruling=ruling, range=ruling["range"])
            blast = form_of(game, attacker, self.weapon).blast
            if blast and len(set(self.targets)) == len(self.targets):
                step = replace(step, targets=find_in_blast(game, ruling, blast))
        if not self.rolled_here:
            return step
        colors = sorted(Counter(dict(self._dice(game, attacker))).elements())
        return replace(step, dice=tuple((color, roll_die(game, color, chance)) for color in colors))

    def check(self, game: Match2004) -> None:
        """An attack must be left (or a guard), the target an enemy in sight, the dice the weapon's, with ammo."""
        attacker = self._attacker(game)
        require_no_attack(game)
        require(attacker.on_table, said("{figure} is not on the board", figure=attacker.id))
        require(bool(self.targets), said("say which figure is attacked"))
        require_each_once(self.targets)
        if self.drop is not None:
            through = require_blow_through(game)
            require(
                self.weapon == through.weapon and self.guard is None,
                said("go on with {weapon} and no guard", weapon=through.weapon),
            )
            require_next(game, through, self.targets[0])
        elif self.guard is None:
            require(
                game.the_turn().action is not None, said("declare the action first: sprint, unload, advance or ready")
            )
            require(game.the_turn().attacks > 0, said("no attack is left in this turn"))
        else:
            require(
                game.phase != "marine" and GUARD in attacker.marks,
                said("{attacker} does not guard now", attacker=attacker.id),
            )
        for name in self.targets:
            require(game.piece(name).on_table, said("{figure} is not on the board", figure=name))
        self._check_weapon(game, attacker)
        self._check_sight(game, attacker)

    def apply(self, game: Match2004) -> Match2004:
        """The game with the attack waiting for re-rolls or its result."""
        attacker = self._attacker(game)
        if self.guard is not None:
            game = game.with_piece(attacker.unmarked(GUARD))
        elif self.drop is None:
            turn = game.the_turn()
            movement = 0 if turn.one_of_both else turn.movement
            game = replace(game, turn=replace(turn, attacks=turn.attacks - 1, movement=movement))
        if self.aimed:
            game = game.with_piece(game.piece(attacker.id).unmarked(AIM))
        pending = PendingAttack2004(
            attacker=attacker.id,
            targets=self.targets,
            weapon=self.weapon,
            range=self.range or 1,
            dice=self.dice,
            blast=form_of(game, attacker, self.weapon).blast,
            aimed=self.aimed,
            went_through=() if self.drop is None else require_blow_through(game).done,
        )
        return replace(game, pending=pending, through=None)

    def title(self, game: Match2004) -> Said:
        """What it does."""
        attacker, targets = self._attacker(game).id, named(self.targets)
        if self.weapon:
            return said(
                "{attacker} attacks {targets} with {weapon}", attacker=attacker, targets=targets, weapon=self.weapon
            )
        return said("{attacker} attacks {targets}", attacker=attacker, targets=targets)

    def _dice(self, game: Match2004, attacker: Piece) -> Mapping[str, int]:
        if self.drop is not None:
            return leave_out_die(require_blow_through(game), self.drop)
        return form_of(game, attacker, self.weapon).dice

    def _attacker(self, game: Match2004) -> Piece:
        if self.drop is not None:
            return game.piece(require_blow_through(game).attacker)
        return game.acting() if self.guard is None else game.piece(self.guard)

    def _check_weapon(self, game: Match2004, attacker: Piece) -> None:
        form = form_of(game, attacker, self.weapon)
        require(len(self.targets) == 1 or form.blast > 0, said("only a blast hits more than one figure"))
        require(game.piece(self.targets[0]).side != attacker.side or form.blast > 0, said("attack an enemy"))
        require(not self.aimed or AIM in attacker.marks, said("{attacker} has no order to aim", attacker=attacker.id))
        rolled = Counter(color for color, _ in self.dice)
        dice = self._dice(game, attacker)
        require(rolled == Counter(dict(dice)), said("roll these dice: {dice}", dice=dice_in_words(dice)))
        if form.ammo is not None:
            left = game.equipment[attacker.id].ammo.get(form.ammo, 0)
            require(
                left > 0,
                said(
                    "{attacker} has no {ammo} left for {weapon}",
                    attacker=attacker.id,
                    ammo=form.ammo,
                    weapon=self.weapon,
                ),
            )

    def _check_sight(self, game: Match2004, attacker: Piece) -> None:
        require(
            self.range is not None,
            said(
                "no way leads from {attacker} to {target}; the range is unknown",
                attacker=attacker.id,
                target=self.targets[0],
            ),
        )
        if self.ruling is not None and self.needs_sight and self.drop is None:  # it follows the shot before it
            require(
                bool(self.ruling["line_of_sight"]),
                said("{attacker} does not see {target}", attacker=attacker.id, target=self.targets[0]),
            )
        melee = form_of(game, attacker, self.weapon).melee
        require(not melee or self.range == 1, said("a melee attack needs an adjacent target"))


def require_each_once(figures: tuple[str, ...]) -> None:
    """Makes sure that no figure is named twice: an attack hits each of them once (B5).

    Raises:
        IllegalStep: one is.
    """
    require(len(set(figures)) == len(figures), said("an attack hits each figure once; name each figure once"))


class ResolveWounds(SaltedStep[Match2004], frozen=True, kw_only=True, tag="resolve"):
    """The result is applied: wounds on a hit, a token of ammunition if a bullet was rolled.

    A blast that missed scatters: the top card of the invader's deck is drawn (its diagram is read off, and
    ``hit`` names the figures where it goes off; none if it fizzles).
    """

    hit: tuple[Name, ...] = ()
    scatters: bool = False

    def has_revealed(self) -> bool:
        """Whether a card was drawn for the scatter; wounds alone can be taken back."""
        return self.scatters

    def settle(self, game: Match2004, chance: Chance) -> Self:
        """The step with its salt, and whether a card is drawn."""
        attack = game.pending
        is_blast = attack is not None and attack.blast > 0
        scatters = (
            is_blast and not resolve_shot(game, require_attack(game), require_attack(game).targets[0]).outcome.hits
        )
        return replace(super().settle(game, chance), scatters=scatters)

    def check(self, game: Match2004) -> None:
        """No re-roll may be open, and only a scattering blast hits somebody else."""
        attack = require_attack(game)
        require(
            attack.may_reroll is None or attack.dodger is None,
            said("{figure} has yet to choose dice", figure=attack.dodger),
        )
        hits = resolve_shot(game, attack, attack.targets[0]).outcome.hits
        require(not self.hit or (not hits and attack.blast > 0), said("only a blast that missed hits elsewhere"))
        require_each_once(self.hit)
        for name in self.hit:
            require(game.piece(name).on_table, said("{figure} is not on the board", figure=name))

    def apply(self, game: Match2004) -> Match2004:
        """The game after the attack."""
        attack = require_attack(game)
        outcome = resolve_shot(game, attack, attack.targets[0]).outcome
        damage, stood = damage_of(attack), game.piece(attack.targets[0]).cells
        game = replace(_spend_ammo(game, attack) if outcome.spends_ammo else game, pending=None)
        targets = attack.targets if outcome.hits else self.hit
        if attack.blast and not outcome.hits:
            draw = draw_cards(game.deck, 1, self.chance)
            game = apply_draw(game, draw._replace(deck=draw.deck.discarding(*draw.cards)))
        for name in targets:
            piece = game.piece(name)
            if piece.on_table:
                game = apply_wounds(game, piece, rules.count_wounds(damage, game.armor_of(piece)))
        return replace(game, through=find_blow_through(game, attack, stood))

    def title(self, game: Match2004) -> Said:
        """What it does."""
        attack = require_attack(game)
        outcome = resolve_shot(game, attack, attack.targets[0]).outcome
        if not outcome.hits:
            return said("The attack of {attacker} misses", attacker=attack.attacker)
        return counted(
            "{attacker} hits {targets}: {damage} damage, {n} wound",
            "{attacker} hits {targets}: {damage} damage, {n} wounds",
            outcome.wounds,
            attacker=attack.attacker,
            targets=named(attack.targets),
            damage=damage_of(attack),
        )


def _spend_ammo(game: Match2004, attack: PendingAttack2004) -> Match2004:
    attacker = game.piece(attack.attacker)
    form = form_of(game, attacker, attack.weapon)
    assert form.ammo is not None, "only weapons with ammunition use it up"
    carried = game.equipment[attacker.id]
    ammo = {**carried.ammo, form.ammo: max(0, carried.ammo.get(form.ammo, 0) - 1)}
    return game.with_equipment(attacker.id, replace(carried, ammo=ammo))


STEPS: tuple[type[Struct], ...] = (Attack2004, ResolveWounds)

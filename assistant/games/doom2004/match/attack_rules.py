"""An attack of DOOM 2004 as the rules reckon it: forms, rolls, results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from assistant.errors import IllegalStep
from assistant.games.doom2004.match.aiming import EMPTY_SPACE
from assistant.games.doom2004.match.setup import FaceSetup, Weapon
from assistant.games.doom2004.match.state import (
    Match2004,
    PendingAttack2004,
)
from assistant.games.doom2004.rules import attack as rules
from assistant.games.doom2004.rules.attack_reasons import WOUNDS
from assistant.match.chance import Chance
from assistant.match.game import INVADER, Piece, require, require_value
from assistant.translations.messages import color_in_words, named, said


class AttackForm(NamedTuple):
    """What decides an attack before its roll: the dice by colour, how near it must be, and what it uses up."""

    dice: Mapping[str, int]
    melee: bool
    blast: int
    ammo: str | None
    accuracy: int
    deadly: int


def damage_of(game: Match2004, attack: PendingAttack2004) -> int:
    """The damage that a hit does to each target, before armour."""
    icons = form_of(game, game.piece(attack.attacker), attack.weapon).deadly
    shown = icons + sum(face.damage for _, face in attack.dice)
    return max(0, shown + sum(change for _, _, change in attack.changes))


def resolve_attack(game: Match2004, attack: PendingAttack2004) -> rules.AttackResult:
    """What the dice come to where the attack was aimed, be it an empty space."""
    return resolve_shot(game, attack, attack.first_target)


def resolve_shot(game: Match2004, attack: PendingAttack2004, figure: str | None) -> rules.AttackResult:
    """What the dice as they lie come to for one target, or for an empty space, step by step (B2, B5)."""
    attacking = make_profile(game, game.piece(attack.attacker), attack)
    if figure is None:
        target = rules.Target(EMPTY_SPACE, armour=1, wounds=1)
    else:
        target = make_target(game, game.piece(figure), dodges=attack.dodger is not None)
    faces = [rules.Face(face.range, face.damage, face.ammo, face.miss) for _, face in attack.dice]
    # What hinders the attack has no icon of its own in the rules, so it is taken off the first die.
    less_range = sum(min(0, change) for _, change, _ in attack.changes)
    less_damage = sum(min(0, change) for _, _, change in attack.changes)
    if faces and (less_range or less_damage):
        first = faces[0]
        faces[0] = first._replace(range=first.range + less_range, damage=first.damage + less_damage)
    result = rules.attack(attacking, faces, attack.range, target, game.rules.options)
    if figure is not None:
        return result
    return replace(result, reasons=tuple(told for told in result.reasons if told.rule != WOUNDS.id))


def make_profile(game: Match2004, attacker: Piece, attack: PendingAttack2004) -> rules.WeaponProfile:
    """An attack as the rules see it, with what helps it."""
    form = form_of(game, attacker, attack.weapon)
    dice = Counter(color for color, _ in attack.dice) or form.dice
    ammo = None if form.ammo is None else game.equipment[attacker.id].ammo.get(form.ammo, 0)
    return rules.WeaponProfile(
        attacker.id,
        dice,
        accuracy=form.accuracy + sum(max(0, change) for _, change, _ in attack.changes),
        deadly=form.deadly + sum(max(0, change) for _, _, change in attack.changes),
        is_melee=form.melee,
        is_aimed=attack.aimed,
        ammo=ammo,
    )


def make_target(game: Match2004, piece: Piece, *, dodges: bool) -> rules.Target:
    """A figure as the rules see one that is attacked."""
    left = max(1, game.wounds_of(piece) - piece.harm)
    return rules.Target(piece.id, game.armor_of(piece), left, dodges)


def form_of(game: Match2004, attacker: Piece, weapon_name: str | None) -> AttackForm:
    """The attack of a marine with a weapon, or of an invader.

    Raises:
        IllegalStep: the marine names no weapon, or one that he does not have.
    """
    if attacker.side == INVADER:
        invader = game.invader_setup(attacker.kind)
        return AttackForm(invader.dice, invader.melee, invader.blast, None, invader.accuracy, invader.deadly)
    if weapon_name is None or weapon_name not in game.equipment[attacker.id].weapons:
        raise IllegalStep(
            said(
                "name a weapon that {attacker} has: {weapons}",
                attacker=attacker.id,
                weapons=named(game.equipment[attacker.id].weapons),
            )
        )
    weapon: Weapon = game.setup.weapons[weapon_name]
    return AttackForm(weapon.dice, weapon.melee, weapon.blast, weapon.ammo, weapon.accuracy, weapon.deadly)


def require_attack(game: Match2004) -> PendingAttack2004:
    """The attack that is being resolved.

    Raises:
        IllegalStep: there is none.
    """
    return require_value(game.pending, said("there is no attack to resolve; attack first"))


def roll_die(game: Match2004, color: str, chance: Chance) -> FaceSetup:
    """A face of a die of that colour.

    Raises:
        IllegalStep: the scenario does not say what such dice show.
    """
    faces = game.setup.dice.get(color, ())
    require(
        bool(faces),
        said(
            "the scenario does not say what {color} dice show; roll them by hand and type them in",
            color=color_in_words(color),
        ),
    )
    return faces[chance.below(len(faces))]

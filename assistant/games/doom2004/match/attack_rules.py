"""The rules of a DOOM 2004 attack: aim, form, roll, result, and blowing through (B1, B2, B5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from math import floor
from typing import Any, Literal, NamedTuple

from assistant.documents import ruling_document
from assistant.errors import IllegalStep
from assistant.games.doom2004.match.setup import CellPair, Weapon
from assistant.games.doom2004.match.state import Match2004, PendingAttack2004, Through
from assistant.games.doom2004.rules import attack as rules
from assistant.games.doom2004.rules.areas import blast
from assistant.games.doom2004.rules.reasons import WOUNDS
from assistant.match.game import INVADER, MARINES, Cells, Piece, require, require_value
from assistant.match.ground import board_of, require_on_board
from assistant.match.rulings import rule_sight
from assistant.rules.ruling import Ruling
from assistant.table.board import Board, Figure
from assistant.translations.messages import Said, color_in_words, counted, listed, named, said, spaced

EMPTY_SPACE = "empty-space"
"""The id of the target in a ruling on an empty space."""

Dropped = Literal["green", "blue"]
DROPPED: tuple[Dropped, ...] = ("green", "blue")
"""The colours of the die that each blow-through step leaves out."""


class AttackForm(NamedTuple):
    """The values of a marine's weapon or of an invader's attack."""

    dice: Mapping[str, int]
    melee: bool
    blast: int
    ammo: str | None
    accuracy: int
    deadly: int


def damage_of(game: Match2004, attack: PendingAttack2004) -> int:
    """Return the damage of a hit to each target, before armour."""
    icons = form_of(game, game.piece(attack.attacker), attack.weapon).deadly
    shown = icons + sum(face.damage for _, face in attack.dice)
    return max(0, shown + sum(change for _, _, change in attack.changes))


def resolve_attack(game: Match2004, attack: PendingAttack2004) -> rules.AttackResult:
    """Return the result on the space under attack, which may be empty."""
    return resolve_shot(game, attack, attack.first_target)


def resolve_shot(game: Match2004, attack: PendingAttack2004, figure: str | None) -> rules.AttackResult:
    """Return the result of the present dice for one target, or for an empty space, step by step (B2, B5)."""
    attacking = make_profile(game, game.piece(attack.attacker), attack)
    if figure is None:
        target = rules.Target(EMPTY_SPACE, armour=1, wounds=1)
    else:
        target = make_target(game, game.piece(figure), dodges=attack.dodger is not None)
    faces = [rules.Face(face.range, face.damage, face.ammo, face.miss) for _, face in attack.dice]
    # The rules have no icon for a penalty, so the first die takes it.
    less_range = sum(min(0, change) for _, change, _ in attack.changes)
    less_damage = sum(min(0, change) for _, _, change in attack.changes)
    if faces and (less_range or less_damage):
        first = faces[0]
        faces[0] = first._replace(range=first.range + less_range, damage=first.damage + less_damage)
    result = rules.attack(attacking, faces, attack.range, target, game.rules.options)
    if figure is not None:
        return result
    return replace(result, reasons=tuple(one for one in result.reasons if one.rule != WOUNDS.id))


def count_wounds(game: Match2004, attack: PendingAttack2004, target: str) -> int:
    """Return the wounds that the dice as they lie give a target, or 0 for a miss."""
    if not resolve_attack(game, attack).outcome.hits:
        return 0
    return rules.count_wounds(damage_of(game, attack), game.armor_of(game.piece(target)))


def may_wound(game: Match2004, attack: PendingAttack2004, side: str) -> bool:
    """Return whether an attack may still wound a figure of that side: as rolled, re-rolled, or scattered."""
    if attack.blast or attack.may_reroll == "attacker":
        return True
    return any(count_wounds(game, attack, name) for name in attack.targets if game.piece(name).side == side)


def word_result(game: Match2004, attack: PendingAttack2004) -> Said:
    """Return the result as the dice lie, term by term: range against distance, damage against each target's armour."""
    attacking = make_profile(game, game.piece(attack.attacker), attack)
    if attacking.ammo == 0:
        return said("no ammunition left")
    if any(face.miss for _, face in attack.dice):
        return said("a die shows a miss")
    reached = sum(face.range for _, face in attack.dice) + attacking.accuracy
    reached += sum(min(0, change) for _, change, _ in attack.changes)
    reach = said("range {reached}, needed {range}", reached=reached, range=attack.range)
    if not resolve_attack(game, attack).outcome.hits:
        return reach
    terms = [said("{icons} damage rolled", icons=sum(face.damage for _, face in attack.dice))]
    deadly = form_of(game, game.piece(attack.attacker), attack.weapon).deadly
    terms += [said("+ {count} (deadly)", count=deadly)] if deadly else []
    terms += [
        said("{sign} {count} ({reason})", sign="+" if hurt > 0 else "−", count=abs(hurt), reason=named([reason]))
        for reason, _, hurt in attack.changes
        if hurt
    ]
    wounds = (_word_wounds(game, attack, name) for name in attack.targets)
    return said("{range}; {damage}; {wounds}", range=reach, damage=spaced(*terms), wounds=listed(wounds))


def _word_wounds(game: Match2004, attack: PendingAttack2004, target: str) -> Said:
    damage, armor = damage_of(game, attack), game.armor_of(game.piece(target))
    return counted(
        "{damage} ÷ armour {armour} of {target} = {n} wound",
        "{damage} ÷ armour {armour} of {target} = {n} wounds",
        rules.count_wounds(damage, armor),
        damage=damage,
        armour=armor,
        target=target,
    )


def make_profile(game: Match2004, attacker: Piece, attack: PendingAttack2004) -> rules.WeaponProfile:
    """Return an attack as the rules' weapon profile, with its bonuses."""
    form = form_of(game, attacker, attack.weapon)
    dice = Counter(color for color, _ in attack.dice) or form.dice
    ammo = _count_ammo(game, attacker, form)
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
    """Return a figure as the rules' target."""
    left = max(1, game.wounds_of(piece) - piece.harm)
    return rules.Target(piece.id, game.armor_of(piece), left, dodges)


def form_of(game: Match2004, attacker: Piece, weapon_name: str | None) -> AttackForm:
    """Return the attack form of a marine with a weapon, or of an invader.

    Raises:
        IllegalStep: the marine names no weapon, or a weapon that he does not have.
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


def explain_no_hit(game: Match2004, attacker: Piece, weapon: str | None, away: float) -> Said | None:
    """Explain why no roll of this attack can hit a target that many spaces away, or None if one can."""
    form = form_of(game, attacker, weapon)
    if _count_ammo(game, attacker, form) == 0:
        return said("no ammunition left")
    if form.melee and away > 1:
        return said("out of range: an attack hand to hand hits adjacent spaces")
    most = _find_longest_range(game, form)
    if form.melee or most is None or away <= most:
        return None
    return said("out of range: {away} spaces away, the dice reach {most} at most", away=away, most=most)


def can_hit_from_here(game: Match2004, attacker: Piece) -> bool:
    """Return whether some attack of a figure can hit an enemy from its place, or True if that place is unknown."""
    if not (game.ground and attacker.cells):
        return True
    weapons = game.equipment[attacker.id].weapons if attacker.side == MARINES else (None,)
    enemies = [piece for piece in game.standing() if piece.side != attacker.side and piece.cells]
    return any(
        explain_no_hit(game, attacker, weapon, _count_spaces(attacker, enemy)) is None
        and _sees_in_range(game, attacker, weapon, enemy)
        for enemy in enemies
        for weapon in weapons
    )


def _sees_in_range(game: Match2004, attacker: Piece, weapon: str | None, enemy: Piece) -> bool:
    ruling = rule_sight(game, attacker.id, enemy.id)
    away = ruling.range
    return ruling.line_of_sight and away is not None and explain_no_hit(game, attacker, weapon, away) is None


def _count_spaces(one: Piece, other: Piece) -> int:
    """Return the spaces between two figures without walls: a cheap lower bound of any range."""
    return min(max(abs(a - c), abs(b - d)) for (a, b), (c, d) in product(one.cells, other.cells))


def _find_longest_range(game: Match2004, form: AttackForm) -> int | None:
    """Return the longest range that the dice of an attack can show, or None without their faces."""
    if not all(game.setup.dice.get(color) for color in form.dice):
        return None
    longest = {color: max(face.range for face in game.setup.dice[color] if not face.miss) for color in form.dice}
    return form.accuracy + sum(longest[color] * count for color, count in form.dice.items())


def _count_ammo(game: Match2004, attacker: Piece, form: AttackForm) -> int | None:
    return None if form.ammo is None else game.equipment[attacker.id].ammo.get(form.ammo, 0)


def require_attack(game: Match2004) -> PendingAttack2004:
    """Return the open attack.

    Raises:
        IllegalStep: no attack is open.
    """
    return require_value(game.pending, said("there is no attack to resolve; attack first"))


class Aim(NamedTuple):
    """The ruling on a space under attack, and the figures that a hit would wound, the one on that space first.

    An attack on the attacker's own space has no ruling.
    """

    ruling: dict[str, Any] | None
    range: int | None
    targets: tuple[str, ...]


def aim_at(game: Match2004, attacker: str, target: str | None, space: CellPair | None, radius: int) -> Aim:
    """Rule on an attack on a space, or on the best seen space of a figure.

    The space may be empty: “Tenga en cuenta que el jugador atacante designa un espacio para atacar, y no
    necesariamente otra figura” (seed 002).

    Args:
        game: the match, with a table.
        attacker: the attacker.
        target: the figure, if no space is named.
        space: the named space.
        radius: the radius of the explosion, 0 for none.

    Raises:
        IllegalStep: the board has no such space, or it is the attacker's own.
        UnknownName: the board has no such figure.
    """
    board = board_of(game)
    if space is not None and space in game.piece(attacker).cells:
        allowed = game.rules.options["own_space"] == "blasts" and radius > 0
        require(allowed, said("the house rules allow no attack on the own space; choose another space"))
        return Aim(None, 0, find_hit(game, space, radius))
    if space is not None:
        require_on_board(game, (space,))
        there = board.figure_at.get(space)
        target = None if there is None else there.id
    ruling = ruling_document(_rule(game, board, attacker, target, space), game.rules.rules)
    own = () if target is None else (target,)
    if not radius:
        return Aim(ruling, ruling["range"], own)
    hit = find_hit(game, space or find_space(game, ruling), radius)
    return Aim(ruling, ruling["range"], (*own, *(name for name in hit if name not in own)))


def find_space(game: Match2004, ruling: Mapping[str, Any]) -> CellPair:
    """Return the space at the end of a ruling's sight line; the target's first space if it is out of sight."""
    ends = [line["to"] for line in ruling["lines"] if line["blocked_by"] is None]
    return (floor(ends[0][0]), floor(ends[0][1])) if ends else game.piece(ruling["defender"]).cells[0]


def find_hit(game: Match2004, center: CellPair, radius: int) -> tuple[str, ...]:
    """Return the figures that an explosion on a space hits, each once (B5)."""
    spaces = blast(game.rules.on(board_of(game)), center, radius).spaces
    return tuple(sorted(piece.id for piece in game.standing() if not spaces.isdisjoint(piece.cells)))


def _rule(game: Match2004, board: Board, attacker: str, target: str | None, space: CellPair | None) -> Ruling:
    if target is not None:
        asked = game.rules if space is None else game.rules.into_space(space)
        return asked.rule(board, attacker, target)
    assert space is not None, "an attack names a figure or a space"
    nobody = Figure(EMPTY_SPACE, EMPTY_SPACE, MARINES, (space,))
    return game.rules.rule(replace(board, figures=(*board.figures, nobody)), attacker, EMPTY_SPACE)


def find_blow_through(game: Match2004, attack: PendingAttack2004, stood: Cells) -> Through | None:
    """Return the blow-through that a finished attack allows, after a hit or a miss, or None if it allows none."""
    attacker = game.piece(attack.attacker)
    if attacker.side != MARINES or attack.weapon is None or not attacker.on_table:
        return None
    weapon = game.setup.weapons[attack.weapon]
    dice = Counter(color for color, _ in attack.dice)
    has_ammo = weapon.ammo is None or game.equipment[attacker.id].ammo.get(weapon.ammo, 0) > 0
    if not (weapon.blow_through and has_ammo and dice.total() > 1 and any(dice[color] for color in DROPPED)):
        return None
    done = (*attack.went_through, *attack.targets[:1])
    return Through(attacker=attacker.id, weapon=attack.weapon, dice=dict(dice), done=done, last_cells=stood)


def require_blow_through(game: Match2004) -> Through:
    """Return the attack that may blow through now.

    Raises:
        IllegalStep: there is none.
    """
    return require_value(
        game.through, said("no attack can blow through now; only the last one can, at once, with such a weapon")
    )


def leave_out_die(through: Through, drop: Dropped) -> Mapping[str, int]:
    """Return the dice of the next step, at least one.

    Raises:
        IllegalStep: the attack has no die of that colour left, or no other one.
    """
    require(sum(through.dice.values()) > 1, said("this attack has one die left; it goes no further"))
    require(through.dice.get(drop, 0) > 0, said("there is no {drop} die left to leave out", drop=color_in_words(drop)))
    return {color: left for color, n in through.dice.items() if (left := n - (color == drop))}


def require_next(game: Match2004, through: Through, target: str | None, cells: Cells) -> None:
    """Refuse a next space that is not beside the last one, or a figure that the shot has already attacked.

    Raises:
        IllegalStep: it is such a space or figure.
    """
    done = through.done[-1] if through.done else EMPTY_SPACE
    require(target not in through.done, said("this shot has already attacked {target}", target=target))
    require(
        _adjacent(game, through, cells),
        said("{target} does not stand beside {done}", target=target or EMPTY_SPACE, done=done),
    )


def _adjacent(game: Match2004, through: Through, cells: Cells) -> bool:
    near = any(max(abs(a - c), abs(b - d)) == 1 for (a, b), (c, d) in product(through.last_cells, cells))
    if not (near and game.ground):
        return near
    last, following = (
        Figure(name, name, MARINES, place) for name, place in (("last", through.last_cells), ("next", cells))
    )
    return game.rules.adjacent(board_of(game), last, following)

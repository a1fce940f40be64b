"""An attack of DOOM 2016 as the rules reckon it: dice, defender, damage and its steps."""

from __future__ import annotations

from collections import Counter
from statistics import fmean

from assistant.games.doom2016.match.setup import AttackProfile
from assistant.games.doom2016.match.state import STUNNED, Match2016, PendingAttack2016, ShownCard
from assistant.games.doom2016.rules import attack as rules
from assistant.match.game import MARINES
from assistant.rules.ruling import Reason


def has_cover(game: Match2016, attack: PendingAttack2016) -> bool:
    """Whether the defender's cover counts; a large figure never has any (A2)."""
    return attack.cover and not attack.ignores_cover and len(game.piece(attack.defender).cells) <= 1


def may_take_second_card(game: Match2016, attack: PendingAttack2016) -> bool:
    """Whether cover lets the defender pass over the one card that it has revealed."""
    return has_cover(game, attack) and len(attack.revealed) == 1


def damage_of(game: Match2016, attack: PendingAttack2016) -> int:
    """The damage that gets through, card effects included (A5, step 5)."""
    defender = defender_of(game, attack.defender, has_cover(game, attack))
    icons = sum(icons for _, icons in attack.dice) + sum(damage for _, damage, _ in attack.changes)
    shown = attack.cards[-1] if attack.cards else ShownCard()
    shields = shown.shields + sum(shields for _, _, shields in attack.changes)
    card = rules.DefenceCard(shields, shown.dodge or attack.reaction_dodge, shown.special)
    return rules.count_damage(max(0, icons), defender, card, game.rules.options)


def explain_attack(game: Match2016, attack: PendingAttack2016) -> tuple[Reason, ...]:
    """Every step of the attack as the rules tell it, before the effects of cards and abilities."""
    attacking = rules.Attack(attack.attacker, Counter(c for c, _ in attack.dice), attack.attacker_stunned)
    defender = defender_of(game, attack.defender, has_cover(game, attack))
    cards = [rules.DefenceCard(card.shields, card.dodge, card.special) for card in attack.cards]
    icons = [icons for _, icons in attack.dice]
    return rules.attack(attacking, icons, defender, cards, game.rules.options).reasons


def defender_of(game: Match2016, figure: str, cover: bool) -> rules.Defender:
    """A figure as the rules see one that is attacked."""
    piece = game.piece(figure)
    stunned = STUNNED in piece.marks
    if piece.side == MARINES:
        return rules.Defender(piece.id, game.health_of(piece), piece.harm, has_cover=cover, is_stunned=stunned)
    demon = game.demon_setup(piece.kind)
    return rules.Defender(
        piece.id,
        demon.health,
        piece.harm,
        demon.stagger,
        demon.thick_skin,
        cover,
        stunned,
        rules.DefenceCard(demon.special_shields, demon.special_dodge),
    )


def count_colors(game: Match2016, profile: AttackProfile, stunned: bool, drop: str | None) -> Counter[str]:
    """How many dice of each colour are rolled; a stunned attacker leaves one out (A9 stun_drop_die)."""
    colors = Counter(dict(profile.dice))
    if stunned and colors.total():
        colors[_choose_left_out(game, +colors, drop)] -= 1
    return +colors


def may_choose_drop(game: Match2016) -> bool:
    """Whether the player of a stunned attacker chooses the die that it leaves out."""
    return game.rules.options["stun_drop_die"] == "controller"


def _choose_left_out(game: Match2016, colors: Counter[str], drop: str | None) -> str:
    if may_choose_drop(game) and drop is not None and colors[drop]:
        return drop
    # A die of which the mission says nothing counts as one that shows nothing.
    by_strength = sorted(colors, key=lambda color: (fmean(game.setup.dice.get(color) or (0,)), color))
    return by_strength[-1 if game.rules.options["stun_drop_die"] == "strongest" else 0]

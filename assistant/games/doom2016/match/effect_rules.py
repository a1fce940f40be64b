"""How the effects of cards and abilities change a match, one function for each of the vocabulary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self

from msgspec.structs import replace

from assistant.games.doom2016.match.attack_rules import require_attack
from assistant.games.doom2016.match.effects import (
    ATTACK_ONLY,
    AddDice,
    ChangeDamage,
    DamageArea,
    DrawCards,
    Effect,
    ExtraAttack,
    GainMovement,
    GiveDodge,
    GiveShields,
    HealSelf,
    IgnoreCover,
    RerollDice,
    StunDefender,
    Told,
    When,
)
from assistant.games.doom2016.match.state import Match2016, PendingAttack2016, apply_damage, heal
from assistant.match.chance import Chance
from assistant.match.deck import draw_to_hand
from assistant.match.game import MARINES, Name, SaltedStep, require
from assistant.match.ground import board_of
from assistant.translations.messages import color_in_words, said


class Use(NamedTuple):
    """Who uses something, what it is called, whom its area reaches, and the draws that it may make."""

    figure: str
    name: str
    hit: tuple[str, ...]
    chance: Chance


def require_moment(game: Match2016, figure: str, when: When) -> None:
    """Makes sure that this is a moment at which the figure may use something.

    Raises:
        IllegalStep: it is not.
    """
    attack = game.pending
    if when == "activation":
        acts = game.turn is not None and game.turn.figure == figure and attack is None
        require(acts, said("{figure} uses that in its own activation, while no attack is open", figure=figure))
    elif when == "attacking":
        require(
            attack is not None and attack.attacker == figure, said("{figure} uses that while it attacks", figure=figure)
        )
    elif when == "defending":
        require(
            attack is not None and attack.defender == figure,
            said("{figure} uses that while it is attacked", figure=figure),
        )


def check_effects(game: Match2016, figure: str, effects: tuple[Effect, ...]) -> None:
    """Makes sure that every effect can happen now.

    Raises:
        IllegalStep: one cannot.
    """
    for effect in effects:
        if isinstance(effect, ATTACK_ONLY):
            require_attack(game)
        if isinstance(effect, IgnoreCover):
            late = len(require_attack(game).revealed) > 1
            require(not late, said("the second card for cover is revealed already"))
        if isinstance(effect, GainMovement | ExtraAttack):
            acts = game.turn is not None and game.turn.figure == figure
            require(acts, said("only the figure whose activation it is gains movement or an attack"))
        if isinstance(effect, AddDice):
            _require_in_box(game, effect)


def begin_effects(game: Match2016, use: Use, effects: tuple[Effect, ...]) -> Match2016:
    """The game after these effects, in their order."""
    for effect in effects:
        game = _DO[type(effect)](game, use, effect)
    return game


def find_in_area(game: Match2016, center: str, area: DamageArea) -> tuple[str, ...]:
    """Whom damage to an area reaches on the table: range counts round walls and closed doors."""
    board = board_of(game)
    others = (figure for figure in board.figures if figure.id != center and figure.side != area.spares)
    away = {figure.id: game.rules.rule(board, center, figure.id).range for figure in others}
    return tuple(name for name, cells in away.items() if cells is not None and cells <= area.radius)


def find_areas_hit(game: Match2016, center: str, effects: tuple[Effect, ...]) -> tuple[str, ...]:
    """Whom the areas among these effects reach round a figure, each once; nobody where no table was seen."""
    if not (game.ground and game.piece(center).cells):
        return ()
    areas = [effect for effect in effects if isinstance(effect, DamageArea)]
    return tuple(dict.fromkeys(name for area in areas for name in find_in_area(game, center, area)))


def damage_area(game: Match2016, hit: tuple[str, ...], area: DamageArea, chance: Chance) -> Match2016:
    """The game after damage to an area."""
    for name in hit:
        piece = game.piece(name)
        if piece.on_table and piece.side != area.spares:
            game = apply_damage(game, piece, area.damage, chance)
    return game


def _require_in_box(game: Match2016, effect: AddDice) -> None:
    box = game.setup.dice_in_box
    attack = require_attack(game)
    rolled = Counter(color for color, _ in attack.dice) + Counter(dict(attack.dice_due))
    for color, count in effect.dice.items():
        most = box.get(color) if box else None
        require(
            most is None or rolled[color] + count <= most,
            said("the box has no more {color} dice", color=color_in_words(color)),
        )


def _change_attack(game: Match2016, **changes: Any) -> Match2016:
    return replace(game, pending=replace(require_attack(game), **changes))


def _add_dice(game: Match2016, use: Use, effect: AddDice) -> Match2016:
    due = Counter(dict(require_attack(game).dice_due)) + Counter(dict(effect.dice))
    return _change_attack(game, dice_due=dict(sorted(due.items())))


def _reroll(game: Match2016, use: Use, effect: RerollDice) -> Match2016:
    return _change_attack(game, rerolls=require_attack(game).rerolls + effect.count)


def _ignore_cover(game: Match2016, use: Use, effect: IgnoreCover) -> Match2016:
    return _change_attack(game, ignores_cover=True)


def _stun(game: Match2016, use: Use, effect: StunDefender) -> Match2016:
    return _change_attack(game, stuns=True)


def _area(game: Match2016, use: Use, effect: DamageArea) -> Match2016:
    if game.pending is not None:
        return _change_attack(game, areas=(*game.pending.areas, effect))
    return damage_area(game, use.hit, effect, use.chance)


def _note(game: Match2016, use: Use, damage: int, shields: int) -> Match2016:
    return _change_attack(game, changes=(*require_attack(game).changes, (use.name, damage, shields)))


def _damage(game: Match2016, use: Use, effect: ChangeDamage) -> Match2016:
    return _note(game, use, effect.amount, 0)


def _shields(game: Match2016, use: Use, effect: GiveShields) -> Match2016:
    return _note(game, use, 0, effect.count)


def _dodge(game: Match2016, use: Use, effect: GiveDodge) -> Match2016:
    return _change_attack(game, reaction_dodge=True)


def _movement(game: Match2016, use: Use, effect: GainMovement) -> Match2016:
    turn = game.the_turn()
    return replace(game, turn=replace(turn, movement=turn.movement + effect.points))


def _attack(game: Match2016, use: Use, effect: ExtraAttack) -> Match2016:
    turn = game.the_turn()
    return replace(game, turn=replace(turn, attacks=(*turn.attacks, effect.attack)))


def _heal(game: Match2016, use: Use, effect: HealSelf) -> Match2016:
    return heal(game, game.piece(use.figure), effect.points)


def _draw(game: Match2016, use: Use, effect: DrawCards) -> Match2016:
    piece = game.piece(use.figure)
    owner = piece.id if piece.side == MARINES else piece.side
    if owner not in game.decks:
        return game
    return game.with_deck(owner, draw_to_hand(game.deck(owner), effect.count, use.chance).deck)


def _told(game: Match2016, use: Use, effect: Told) -> Match2016:
    return game


_DO: Mapping[type, Callable[..., Match2016]] = {
    AddDice: _add_dice,
    RerollDice: _reroll,
    IgnoreCover: _ignore_cover,
    StunDefender: _stun,
    DamageArea: _area,
    ChangeDamage: _damage,
    GiveShields: _shields,
    GiveDodge: _dodge,
    GainMovement: _movement,
    ExtraAttack: _attack,
    HealSelf: _heal,
    DrawCards: _draw,
    Told: _told,
}


def begin_own_effects(game: Match2016, attack: PendingAttack2016, effects: tuple[Effect, ...]) -> Match2016:
    """The game with an attack that was just rolled and does these things of itself."""
    use = Use(attack.attacker, attack.attacker, (), Chance(""))
    return begin_effects(replace(game, pending=attack), use, effects)


class EffectStep(SaltedStep[Match2016], frozen=True, kw_only=True):
    """A step with effects of the vocabulary; ``hit`` is whom their area reaches, typed where no table was seen."""

    hit: tuple[Name, ...] = ()

    def has_revealed(self) -> bool:
        """Whether cards may have been drawn by it."""
        return bool(self.salt)

    def settled(self, game: Match2016, chance: Chance, figure: str, effects: tuple[Effect, ...]) -> Self:
        """The step with whom its area reaches on the table, and the draws that its effects may make."""
        if not any(isinstance(effect, DamageArea | DrawCards) for effect in effects):
            return replace(self, hit=(), salt="")
        hit = find_areas_hit(game, figure, effects) if game.ground else self.hit
        if game.pending is not None:
            hit = ()  # the area is that of the attack, when its damage is applied
        for name in hit:
            require(game.piece(name).on_table, said("{figure} is not on the board", figure=name))
        return replace(self, hit=hit, salt=chance.salt())

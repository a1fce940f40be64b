"""Effects of cards, abilities and a mission's triggers, and the base class of steps with such effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self

from msgspec.structs import replace

from assistant.games.doom2016.match.setup import (
    AddDice,
    ChangeDamage,
    DamageArea,
    DrawCards,
    Effect,
    ExtraAttack,
    GainMovement,
    GainThreat,
    GiveDodge,
    GiveShields,
    HealSelf,
    IgnoreCover,
    Moment,
    Outcome,
    RerollDice,
    StunDefender,
    SummonFrom,
    Trigger,
    When,
)
from assistant.games.doom2016.match.state import (
    Activation,
    Match2016,
    PendingAttack2016,
    apply_damage,
    heal,
)
from assistant.match.chance import Chance
from assistant.match.deck import draw_to_hand
from assistant.match.game import MARINES, Cells, Name, SaltedStep, require
from assistant.match.ground import board_of
from assistant.translations.messages import color_in_words, said


class Use(NamedTuple):
    """One use of a card or ability: figure, name, the figures in its area, and the source of its draws."""

    figure: str
    name: str
    hit: tuple[str, ...]
    chance: Chance


def require_moment(game: Match2016, figure: str, when: When) -> None:
    """Require that the figure may now use a card or ability meant for that moment.

    Raises:
        IllegalStep: it is not.
    """
    attack = game.pending
    if when == "activation":
        acts = game.turn is not None and game.turn.figure == figure and attack is None
        require(acts, said("{figure} can use this only in its own activation, while no attack is open", figure=figure))
    elif when == "attacking":
        require(
            attack is not None and attack.attacker == figure,
            said("{figure} can use this only while it attacks", figure=figure),
        )
    elif when == "defending":
        require(
            attack is not None and attack.defender == figure,
            said("{figure} can use this only while it is attacked", figure=figure),
        )


def check_effects(game: Match2016, figure: str, effects: tuple[Effect, ...]) -> None:
    """Require that every effect is possible now.

    Raises:
        IllegalStep: one is impossible.
    """
    for effect in effects:
        if type(effect) in _ATTACK_CHANGES:
            game.the_attack()
        if isinstance(effect, GainMovement | ExtraAttack):
            _require_gain(game, figure, effect)
        if isinstance(effect, AddDice):
            _require_in_box(game, effect)


def comes_before_defence(effects: tuple[Effect, ...]) -> bool:
    """Return whether the attacker's effects limit the defence, so that they cannot come after it."""
    return bool(effects) and all(isinstance(effect, IgnoreCover) for effect in effects)


_ATTACK_CHANGES: Mapping[type, Callable[[PendingAttack2016, str, Any], dict[str, Any]]] = {
    AddDice: lambda attack, name, effect: {"dice_due": _add_counts(attack.dice_due, effect.dice)},
    RerollDice: lambda attack, name, effect: {"rerolls": attack.rerolls + effect.count},
    IgnoreCover: lambda attack, name, effect: {"ignores_cover": True},
    StunDefender: lambda attack, name, effect: {"stuns": True},
    ChangeDamage: lambda attack, name, effect: {"changes": (*attack.changes, (name, effect.amount, 0))},
    GiveShields: lambda attack, name, effect: {"changes": (*attack.changes, (name, 0, effect.count))},
    GiveDodge: lambda attack, name, effect: {"reaction_dodge": True},
}
"""The fields of the open attack that an effect changes; ``name`` is that of the card or ability."""


def begin_effects(game: Match2016, use: Use, effects: tuple[Effect, ...]) -> Match2016:
    """Apply these effects in order."""
    for effect in effects:
        change = _ATTACK_CHANGES.get(type(effect))
        if change is not None:
            attack = game.the_attack()
            game = replace(game, pending=replace(attack, **change(attack, use.name, effect)))
        else:
            game = _begin_effect(game, use, effect)
    return game


def _begin_effect(game: Match2016, use: Use, effect: Effect) -> Match2016:
    """Apply an effect that does not change the open attack. Effects for people to carry out change nothing."""
    if isinstance(effect, DamageArea):
        if game.pending is None:
            return damage_area(game, use.hit, effect, use.chance)
        game = replace(game, pending=replace(game.pending, areas=(*game.pending.areas, effect)))
    elif isinstance(effect, GainMovement | ExtraAttack):
        game = _gain(game, use.figure, effect)
    elif isinstance(effect, HealSelf):
        game = heal(game, game.piece(use.figure), effect.points)
    elif isinstance(effect, DrawCards):
        piece = game.piece(use.figure)
        owner = piece.id if piece.side == MARINES else piece.side
        if owner in game.decks:
            game = game.with_deck(owner, draw_to_hand(game.deck(owner), effect.count, use.chance).deck)
    return game


def _require_gain(game: Match2016, figure: str, effect: GainMovement | ExtraAttack) -> None:
    """Require that a figure may gain movement or an attack now (A9 ``points_outside``).

    Raises:
        IllegalStep: it is not the acting figure, and the house rules refuse such a gain.
    """
    if _acts(game, figure):
        return
    choice = game.rules.options["points_outside"]
    fits = game.turn is not None and (choice == "at_once" or (choice == "kept" and isinstance(effect, GainMovement)))
    text = said("outside the own activation the house adds no movement and no attack")
    require(fits, text if choice == "refused" else said("only the acting figure gains movement or an attack"))


def _gain(game: Match2016, figure: str, effect: GainMovement | ExtraAttack) -> Match2016:
    """Give a figure points or an attack: in its own activation, for later, or as a break in another's."""
    if _acts(game, figure):
        return replace(game, turn=_with_gain(game.the_turn(), effect))
    if isinstance(effect, GainMovement) and game.rules.options["points_outside"] == "kept":
        points = game.kept_points.get(figure, 0) + effect.points
        return replace(game, kept_points={**game.kept_points, figure: points})
    piece = game.piece(figure)
    kind = None if piece.side == MARINES else piece.kind
    due = next((one for one in game.reactions_due if one.figure == figure), None)
    more = _with_gain(due or Activation(side=piece.side, figure=figure, kind=kind, is_reaction=True), effect)
    return replace(game, reactions_due=(*(one for one in game.reactions_due if one != due), more))


def _with_gain(turn: Activation, effect: GainMovement | ExtraAttack) -> Activation:
    if isinstance(effect, GainMovement):
        return turn.gain_lasting(effect.points)
    return replace(turn, attacks=(*turn.attacks, effect.attack))


def _acts(game: Match2016, figure: str) -> bool:
    return game.turn is not None and game.turn.figure == figure


def find_in_area(game: Match2016, center: str, area: DamageArea) -> tuple[str, ...]:
    """Return the figures in an area on the table. Range counts round walls and closed doors."""
    board = board_of(game)
    others = (figure for figure in board.figures if figure.id != center and figure.side != area.spares)
    away = {figure.id: game.rules.rule(board, center, figure.id).range for figure in others}
    return tuple(name for name, cells in away.items() if cells is not None and cells <= area.radius)


def find_areas_hit(game: Match2016, center: str, effects: tuple[Effect, ...]) -> tuple[str, ...]:
    """Return the figures in these effects' areas round a figure, each once, or none without a seen table."""
    if not (game.ground and game.piece(center).cells):
        return ()
    areas = [effect for effect in effects if isinstance(effect, DamageArea)]
    return tuple(dict.fromkeys(name for area in areas for name in find_in_area(game, center, area)))


def damage_area(game: Match2016, hit: tuple[str, ...], area: DamageArea, chance: Chance) -> Match2016:
    """Damage the figures in an area."""
    for name in hit:
        piece = game.piece(name)
        if piece.on_table and piece.side != area.spares:
            game = apply_damage(game, piece, area.damage, chance)
    return game


def _require_in_box(game: Match2016, effect: AddDice) -> None:
    box = game.setup.dice_in_box
    attack = game.the_attack()
    rolled = Counter(color for color, _ in attack.dice) + Counter(dict(attack.dice_due))
    for color, count in effect.dice.items():
        most = box.get(color) if box else None
        require(
            most is None or rolled[color] + count <= most,
            said("the box has no more {color} dice", color=color_in_words(color)),
        )


def _add_counts(some: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted((Counter(dict(some)) + Counter(dict(more))).items()))


def begin_own_effects(game: Match2016, attack: PendingAttack2016, effects: tuple[Effect, ...]) -> Match2016:
    """Begin a newly rolled attack with its own effects."""
    use = Use(attack.attacker, attack.attacker, (), Chance(""))
    return begin_effects(replace(game, pending=attack), use, effects)


class EffectStep(SaltedStep[Match2016], frozen=True, kw_only=True):
    """A step with effects. ``hit`` names the figures in their area, typed if the match has seen no table."""

    hit: tuple[Name, ...] = ()

    def has_revealed(self) -> bool:
        return bool(self.salt)

    def settle_effects(self, game: Match2016, chance: Chance, figure: str, effects: tuple[Effect, ...]) -> Self:
        """Return the step with the figures in its area on the table, and a seed for the draws of its effects."""
        if not any(isinstance(effect, DamageArea | DrawCards) for effect in effects):
            return replace(self, hit=(), salt="")
        hit = find_areas_hit(game, figure, effects) if game.ground else self.hit
        if game.pending is not None:
            hit = ()  # the area belongs to the attack, which finds its figures with the damage
        for name in hit:
            require(game.piece(name).on_table, said("{figure} is not on the board", figure=name))
        return replace(self, hit=hit, salt=chance.salt())


def fire(game: Match2016, on: Moment, *, door: str | None = None, cells: Cells = ()) -> Match2016:
    """Run every trigger of this moment, in the mission's order."""
    for trigger in game.setup.triggers:
        if trigger.on == on and _fits(game, trigger, door, cells):
            game = replace(game, fired=(*game.fired, trigger.name))
            for outcome in trigger.outcomes:
                game = _bring_about(game, trigger, outcome)
    return game


def _fits(game: Match2016, trigger: Trigger, door: str | None, cells: Cells) -> bool:
    if trigger.once and trigger.name in game.fired:
        return False
    if trigger.on == "door_opened":
        return trigger.door in (None, door)
    if trigger.on == "area_entered":
        return bool(set(trigger.area) & set(cells))
    return trigger.round in (None, game.round)


def _bring_about(game: Match2016, trigger: Trigger, outcome: Outcome) -> Match2016:
    if isinstance(outcome, SummonFrom):
        there = {portal.id for portal in game.portals} - set(game.summons_due)
        return replace(game, summons_due=(*game.summons_due, *(name for name in outcome.portals if name in there)))
    if isinstance(outcome, GainThreat):
        return replace(game, threat=min(game.setup.threat_tokens, game.threat + outcome.count))
    return game.won_by(outcome.side, said("{card}: the mission is over", card=trigger.name))

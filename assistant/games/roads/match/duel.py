"""A duel as the rules count it: fighters, dice and result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.errors import BadValue, IllegalStep
from assistant.games.roads.match.pending import PendingDuel
from assistant.games.roads.match.state import Mark, MatchRoads
from assistant.games.roads.match.weapons import melee_weapons
from assistant.games.roads.rules import melee
from assistant.match.game import Piece, require_value
from assistant.translations.messages import said

MARK_CONDITIONS: Mapping[str, melee.Condition] = {
    Mark.CHARGED: "charged",
    Mark.JUMPED: "jumping",
    Mark.AFRAID: "afraid",
    Mark.TERRIFIED: "terrified",
    Mark.DULLED: "dulled",
    Mark.DOWN: "down",
    Mark.RAGING: "frenzied",
}


def require_duel(game: MatchRoads) -> PendingDuel:
    """The open fight.

    Raises:
        IllegalStep: no fight is open.
    """
    return require_value(game.duel, said("there is no fight to decide; let two models fight first"))


def resolve_duel(game: MatchRoads) -> melee.Duel:
    """The result of the open fight's dice, step by step.

    Raises:
        IllegalStep: no fight is open.
    """
    duel = require_duel(game)
    pair = make_fighters(game, duel)
    rolls = (
        melee.MeleeRoll(duel.rolls[0].final, duel.rolls[0].replaced),
        melee.MeleeRoll(duel.rolls[1].final, duel.rolls[1].replaced),
    )
    return melee.fight(pair[0], pair[1], rolls, game.rules.options)


def make_fighters(game: MatchRoads, duel: PendingDuel) -> tuple[melee.Fighter, melee.Fighter]:
    """Both fighters of a duel, in its order."""
    first, second = duel.fighters
    return make_fighter(game, duel, first), make_fighter(game, duel, second)


def make_fighter(game: MatchRoads, duel: PendingDuel, figure: str) -> melee.Fighter:
    """A model with the values and conditions that count in this duel."""
    known, piece = game.fighter(figure), game.piece(figure)
    conditions: set[melee.Condition] = {MARK_CONDITIONS[mark] for mark in piece.marks if mark in MARK_CONDITIONS}
    seen: Any = duel.conditions.get(figure, ())
    conditions |= set(seen)
    if known.shield:
        conditions.add("shield")
    if known.painless:
        conditions.add("painless")
    return melee.Fighter(
        name=figure,
        mobility=known.mobility,
        toughness=known.toughness,
        combat=known.combat,
        wounds=piece.harm,
        dice=known.dice,
        weapons=melee_weapons(game, figure),
        excess=duel.excess.get(figure, 0),
        conditions=frozenset(conditions),
    )


def count_dice(game: MatchRoads, duel: PendingDuel) -> tuple[int, int]:
    """The number of dice of each; none while one is down.

    Raises:
        IllegalStep: one of them would roll more than `melee.MAX_DICE`.
    """
    first, second = make_fighters(game, duel)
    if Mark.DOWN in {*game.piece(first.name).marks, *game.piece(second.name).marks}:
        return (0, 0)
    options = game.rules.options
    try:
        return (melee.count_dice(first, options), melee.count_dice(second, options))
    except BadValue:
        many = said(
            "{first} and {second} would roll more dice than the program can count", first=first.name, second=second.name
        )
        raise IllegalStep(many) from None


def find_blocked_dice(game: MatchRoads, rolled: tuple[int, ...]) -> tuple[int, ...]:
    """The faces that a shield makes the enemy re-roll: the highest, or by house rule all equal to it (C6)."""
    highest = max(rolled, default=0)  # a model without dice has rolled none
    every = game.rules.options["block_reroll_all_equal"] == "all"
    return (highest,) * (rolled.count(highest) if every or not rolled else 1)


def count_excess(game: MatchRoads, fighters: tuple[str, str]) -> dict[str, int]:
    """Each fighter's majority, from the contacts on the table; only positive ones."""
    excess = {}
    for own, enemy in (fighters, fighters[::-1]):
        friends, enemies = game.opponents_of(enemy), game.opponents_of(own)
        excess[own] = melee.count_outnumbering(len(friends), len(enemies), len(friends) - 1, game.rules.options)
    return {name: count for name, count in excess.items() if count > 0}


def list_unfought(game: MatchRoads) -> tuple[tuple[str, str], ...]:
    """Pairs of a many-sided fight that can and must still fight in this phase.

    “В многосторонней схватке каждый воин должен сражаться с каждым противником, находящимся в контакте” (seed 003). A
    duel of one against one is optional, and so is striking a model that is down.
    """
    able = [piece for piece in game.standing() if Mark.DOWN not in piece.marks and may_fight(piece)]
    touched = {piece.id: game.opponents_of(piece.id) for piece in able}
    pairs = dict.fromkeys(pair_of((name, enemy)) for name, others in touched.items() for enemy in others)
    return tuple(
        pair
        for pair in pairs
        if set(pair) <= set(touched) and any(len(touched[name]) > 1 for name in pair)
        if pair not in game.fought and pair not in game.met_in_advance and _can_roll(game, pair)
    )


def may_fight(piece: Piece) -> bool:
    """Whether a model strikes and is struck: a fleeing one is not, unless it was drawn in while in terror.

    “Если воины в ужасе втягиваются в рукопашную схватку, то их Боевое умение равно нулю” (seed 003).
    """
    return Mark.FLEEING not in piece.marks or Mark.TERRIFIED in piece.marks


def _can_roll(game: MatchRoads, pair: tuple[str, str]) -> bool:
    try:
        count_dice(game, PendingDuel(fighters=pair, excess=count_excess(game, pair)))
    except IllegalStep:
        return False
    return True


def find_other_place(duel: PendingDuel, figure: str) -> int:
    """The index of this model's opponent in the duel."""
    return 1 - duel.fighters.index(figure)


def pair_of(fighters: tuple[str, str]) -> tuple[str, str]:
    """Both names in sorted order."""
    first, second = sorted(fighters)
    return (first, second)

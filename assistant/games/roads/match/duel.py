"""A duel by the rules: fighters, dice and result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from assistant.games.roads.match.pending import PendingDuel
from assistant.games.roads.match.state import Mark, MatchRoads
from assistant.games.roads.match.weapons import melee_weapons
from assistant.games.roads.rules import OPTIONS, melee
from assistant.games.roads.rules.reasons import HOUSE
from assistant.match.game import Piece, require_value
from assistant.rules.reasons import reason
from assistant.rules.ruling import Reason
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
    """Return the open fight.

    Raises:
        IllegalStep: no fight is open.
    """
    return require_value(game.duel, said("there is no fight to decide; let two models fight first"))


def resolve_duel(game: MatchRoads) -> melee.Duel:
    """Return the result of the open fight's dice, step by step.

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
    """Return both fighters of a duel, in its order."""
    first, second = duel.fighters
    return make_fighter(game, duel, first), make_fighter(game, duel, second)


def make_fighter(game: MatchRoads, duel: PendingDuel, figure: str) -> melee.Fighter:
    """Return a model with its values and conditions for this duel."""
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
        adds=known.adds + duel.adds.get(figure, 0),
        conditions=frozenset(conditions),
    )


def count_dice(game: MatchRoads, duel: PendingDuel) -> tuple[int, int]:
    """Count each fighter's dice, or none while one is down."""
    first, second = make_fighters(game, duel)
    if Mark.DOWN in {*game.piece(first.name).marks, *game.piece(second.name).marks}:
        return (0, 0)
    options = game.rules.options
    return (melee.count_dice(first, options), melee.count_dice(second, options))


def find_blocked_dice(game: MatchRoads, rolled: tuple[int, ...]) -> tuple[int, ...]:
    """Return the faces that a shield makes the enemy re-roll: the highest, or by house rule all equal to it (C6)."""
    highest = max(rolled, default=0)  # a model without dice has rolled none
    every = game.rules.options["block_reroll_all_equal"] == "all"
    return (highest,) * (rolled.count(highest) if every or not rolled else 1)


def find_melee(game: MatchRoads, figure: str) -> frozenset[str]:
    """Return the models of the melee around a figure, connected by base contacts of enemies.

    “Многосторонние бои” speaks of all its participants («все участники рукопашной схватки»).
    """
    found, open_ones = {figure}, [figure]
    while open_ones:
        for enemy in list_opponents(game, open_ones.pop()):
            if enemy not in found:
                found.add(enemy)
                open_ones.append(enemy)
    return frozenset(found)


def list_opponents(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """Return the fighting enemies in contact. A fleeing model neither strikes nor is struck."""
    if not may_fight(game.piece(figure)):
        return ()
    return tuple(enemy for enemy in game.opponents_of(figure) if may_fight(game.piece(enemy)))


def count_sides(game: MatchRoads, names: Iterable[str]) -> Counter[str]:
    """Count these models by side for the majority. A house option decides whether the fallen count."""
    counts_fallen = game.rules.options["outnumber_down"] == "count"
    pieces = [game.piece(name) for name in names]
    return Counter(piece.side for piece in pieces if counts_fallen or Mark.DOWN not in piece.marks)


def count_excess(game: MatchRoads, fighters: tuple[str, str]) -> dict[str, int]:
    """Return each fighter's majority, from the contacts on the table; only positive ones."""
    excess = {}
    for own, enemy in (fighters, fighters[::-1]):
        friends = _count_own(game, list_opponents(game, enemy), game.piece(own).side)
        if game.rules.options["outnumber_melee"] == "whole":
            counts = count_sides(game, find_melee(game, own))
            mine, theirs = counts[game.piece(own).side], counts.total() - counts[game.piece(own).side]
        else:
            mine, theirs = friends, count_sides(game, list_opponents(game, own)).total()
        excess[own] = melee.count_outnumbering(mine, theirs, max(0, friends - 1), game.rules.options)
    return {name: count for name, count in excess.items() if count > 0}


_COUNTING = ("outnumber_excess", "outnumber_melee", "outnumber_down")
"""House options behind a majority."""


def _count_own(game: MatchRoads, names: Iterable[str], side: str) -> int:
    return count_sides(game, names)[side]


def explain_excess(game: MatchRoads, fighters: tuple[str, str]) -> tuple[Reason, ...]:
    """Return reasons for the house options that change a fighter's majority."""
    now, chosen, found = count_excess(game, fighters), game.rules.options, []
    for option in OPTIONS:
        for other in option.choices if option.name in _COUNTING else ():
            then = count_excess(replace(game, options={**game.options, option.name: other}), fighters)
            house = {"option": option.name, "choice": chosen[option.name], "other": other}
            found += [
                reason(HOUSE, "majority", fighter=name, change=then.get(name, 0), **house)
                for name in fighters
                if then.get(name, 0) != now.get(name, 0)
            ]
    return tuple(found)


def find_decider(game: MatchRoads, fighters: tuple[str, str]) -> str | None:
    """Return the side that chooses who strikes, and in which order; None in a duel, which either side may begin.

    “Игрок, превосходящий по численности, может решить, кто из его моделей и в какой последовательности будет бить”
    (seed 003). It does not cover equal numbers: then the side to play decides.
    """
    names = find_melee(game, fighters[0])
    if len(names) <= len(fighters):
        return None
    (largest, most), *others = [*count_sides(game, names).most_common(), ("", 0)]
    return game.active if any(count == most for _, count in others) else largest


def list_duels(game: MatchRoads) -> tuple[tuple[str, str], ...]:
    """Return pairs of one against one that may fight in this phase and have not (“могут драться”)."""
    pairs = (pair_of((piece.id, enemy)) for piece in game.standing() for enemy in list_opponents(game, piece.id))
    return tuple(
        pair
        for pair in dict.fromkeys(pairs)
        if len(find_melee(game, pair[0])) == len(pair)
        if pair not in game.fought and pair not in game.met_in_advance
    )


def list_unfought(game: MatchRoads) -> tuple[tuple[str, str], ...]:
    """Return pairs of a many-sided fight that must still fight in this phase.

    “В многосторонней схватке каждый воин должен сражаться с каждым противником, находящимся в контакте” (seed 003). A
    duel of one against one is optional, and so is striking a model that is down.
    """
    able = [piece.id for piece in game.standing() if Mark.DOWN not in piece.marks]
    touched = {name: [enemy for enemy in list_opponents(game, name) if enemy in able] for name in able}
    pairs = dict.fromkeys(pair_of((name, enemy)) for name, others in touched.items() for enemy in others)
    return tuple(
        pair
        for pair in pairs
        if any(len(touched[name]) > 1 for name in pair)
        if pair not in game.fought and pair not in game.met_in_advance
    )


def list_blows_at_fallen(game: MatchRoads) -> tuple[tuple[str, str], ...]:
    """Return pairs of a many-sided fight with a fallen model not yet struck in this phase, the standing one first.

    “Если противник находится в бою со сбитым с ног воином, он может атаковать его” (seed 003).
    """
    able = [piece.id for piece in game.standing() if Mark.DOWN not in piece.marks]
    pairs = ((name, enemy) for name in able for enemy in list_opponents(game, name) if enemy not in able)
    return tuple(
        pair
        for pair in pairs
        if len(find_melee(game, pair[0])) > len(pair)
        if pair_of(pair) not in game.fought and pair_of(pair) not in game.met_in_advance
    )


def may_fight(piece: Piece) -> bool:
    """Return whether a model strikes and is struck. A fleeing one is not, unless it was drawn in while in terror.

    “Если воины в ужасе втягиваются в рукопашную схватку, то их Боевое умение равно нулю” (seed 003).
    """
    return Mark.FLEEING not in piece.marks or Mark.TERRIFIED in piece.marks


def list_rerolls(game: MatchRoads, duel: PendingDuel, place: int) -> tuple[Literal["block", "hatred"], ...]:
    """Return that fighter's remaining re-rolls: the enemy's highest die by a shield, its own dice by hatred."""
    figure, enemy = duel.fighters[place], duel.fighters[1 - place]
    found: list[Literal["block", "hatred"]] = []
    is_down = Mark.DOWN in game.piece(figure).marks
    has_shield = game.fighter(figure).shield and not game.fighter(enemy).shield and not is_down
    if has_shield and f"block {figure}" not in duel.rerolled and duel.rolls[1 - place].final:
        found.append("block")
    hated = {game.piece(enemy).side, game.piece(enemy).kind} & set(game.fighter(figure).hates)
    is_fresh = figure not in game.seasoned and f"hatred {figure}" not in duel.rerolled
    if hated and is_fresh and duel.rolls[place].final:
        found.append("hatred")
    return tuple(found)


def find_other_place(duel: PendingDuel, figure: str) -> int:
    """Return the index of this model's opponent in the duel."""
    return 1 - duel.fighters.index(figure)


def pair_of(fighters: tuple[str, str]) -> tuple[str, str]:
    """Return both names in sorted order."""
    first, second = sorted(fighters)
    return (first, second)

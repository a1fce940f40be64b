"""Weapons of a `roads` model: those in hand, striking or shooting, swaps, and clearing a jam."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from assistant.games.roads.match.pending import HitsDue
from assistant.games.roads.match.setup import WeaponSetup
from assistant.games.roads.match.state import FigureStep, Mark, MatchRoads, require_nothing_open
from assistant.games.roads.rules.reasons import MISFIRE, SWAP
from assistant.match.asks import Ask, Asks, Draft, ask_thing
from assistant.match.game import Name, Prompt, require
from assistant.rules.reasons import Rule
from assistant.translations.messages import Said, counted, message, named, said

JAMS = Rule(
    "roads/jams",
    message("rules, “Необычное оружие”"),
    message("The weapon says what a jam does and when it ends."),
)

_HOUSE_NUMBERS = {f"on_{number}": number for number in range(2, 7)}
"""Least face of the program's die, by the choices of the house options for shots and armour."""

FISTS = "fists"
HANDS = 2


def weapon(game: MatchRoads, name: str) -> WeaponSetup | None:
    """Return the description of a weapon, if the set-up has one."""
    return game.setup.arms.get(name)


def is_of_kind(game: MatchRoads, name: str, kind: str) -> bool:
    """Return whether a described weapon is of that kind; False without a description."""
    known = weapon(game, name)
    return known is not None and known.kind == kind


def in_hand(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """Return the weapons that a model holds now."""
    return game.wielded.get(figure, game.fighter(figure).weapons)


def list_weapons(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """Return all weapons of a model, in the order of its sheet."""
    fighter = game.fighter(figure)
    return (*fighter.weapons, *fighter.carries)


def count_hands(game: MatchRoads, figure: str) -> int:
    """Return how many weapons a model holds at once: two, or more if its sheet shows more in its hands."""
    return max(HANDS, len(game.fighter(figure).weapons))


def melee_weapons(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """Return the weapons that a model strikes with (“Оружие”).

    A bulky weapon does not strike and leaves one hand. Spent thrown weapons are gone. The last resort is fists.
    """
    held = [name for name in in_hand(game, figure) if name not in game.spent.get(figure, ()) or _is_blade(game, name)]
    useful = [name for name in held if not is_of_kind(game, name, "bulky")]
    if len(useful) < len(held):
        useful = useful[: HANDS - 1]
    return tuple(useful) or (FISTS,)


def list_unfired(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """Return the described weapons that a model may still shoot this turn."""
    gone = {*game.spent.get(figure, ()), *game.fired.get(figure, ())}
    return tuple(name for name in list_weapons(game, figure) if may_shoot_with(game, name) and name not in gone)


def may_shoot_with(game: MatchRoads, name: str) -> bool:
    """Return whether a described weapon shoots or is thrown."""
    known = weapon(game, name)
    return known is not None and known.kind != "melee"


def has_shot_left(game: MatchRoads, figure: str) -> bool:
    """Return whether a model has “еще … не стрелявшее в этом ходу оружие” (“Стрельба на опережение”).

    A model with an undescribed weapon counts as having one until it has shot.
    """
    if list_unfired(game, figure):
        return True
    unknown = any(weapon(game, name) is None for name in list_weapons(game, figure))
    return unknown and Mark.SHOT not in game.piece(figure).marks


def is_out_of_range(game: MatchRoads, figure: str, target: str, name: str) -> bool:
    """Return whether a target is known to be beyond a weapon's range; False if either is unknown."""
    known, distances = weapon(game, name), game.distances()
    if known is None or known.range_steps is None or distances is None:
        return False
    figures = distances.table.figure_by_id
    if figure not in figures or target not in figures:
        return False
    return not distances.is_within(figures[figure], figures[target], Fraction(str(known.range_steps)))


def needed_of_house(game: MatchRoads, option: str) -> int | None:
    """Return the least face that counts by the house option `shot_roll` or `armour_roll`; None if people roll."""
    return _HOUSE_NUMBERS.get(game.rules.options[option])


def word_sheets(game: MatchRoads, hit: HitsDue) -> Iterator[Said]:
    """Yield the sheets' entries for hits: each weapon's strength, the effect of critical blows, the armour."""
    for name in dict.fromkeys(hit.weapons):
        known = weapon(game, name)
        if known is not None and known.strength:
            yield said("{weapon}: strength {strength}", weapon=name, strength=known.strength)
        if known is not None and known.critical and hit.criticals:
            yield counted(
                "{weapon}, {n} critical blow: {effect}",
                "{weapon}, {n} critical blows: {effect}",
                hit.criticals,
                weapon=name,
                effect=known.critical,
            )
    armour = game.fighter(hit.figure).armour
    if armour:
        yield said("{figure}, armour: {armour}", figure=hit.figure, armour=armour)


def _is_blade(game: MatchRoads, name: str) -> bool:
    known = weapon(game, name)
    return known is None or known.kind == "melee"


def _ask_weapons(draft: Draft[MatchRoads]) -> Ask:
    figure = str(draft.fields.get("figure"))
    picks = (([name], named([name])) for name in list_weapons(draft.game, figure))
    return replace(ask_thing("weapons", said("Which weapons?"), picks), most=max(1, count_hands(draft.game, figure)))


def _ask_jammed(draft: Draft[MatchRoads]) -> Ask:
    spent = draft.game.spent.get(str(draft.fields.get("figure")), ())
    return ask_thing("weapon", said("Which weapon?"), ((name, named([name])) for name in spent))


class Wield(FigureStep, frozen=True, kw_only=True, tag="wield"):
    """A model changes weapons, announced before the fight (“Оружие”)."""

    rule = SWAP
    label = said("Change weapons")
    weapons: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=8), Asks(_ask_weapons)]

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        """Yield weapons to draw before the fight begins, each in place of the last one in hand."""
        for piece in game.standing() if game.find_open() is None else ():
            held, name = in_hand(game, piece.id), piece.id
            fights = name in game.seasoned or any(name in pair for pair in game.fought)
            if fights or len(list_weapons(game, name)) == len(held) or not game.opponents_of(name):
                continue
            for other in dict.fromkeys(list_weapons(game, name)):
                if other not in held:
                    drawn = [*held[:-1], other]
                    text = said("{figure} takes in hand: {weapons}", figure=name, weapons=named(drawn))
                    yield cls.prompt(text, side=piece.side, urgency=3, figure=name, weapons=drawn)

    def check(self, game: MatchRoads) -> None:
        require_nothing_open(game)
        require(game.piece(self.figure).on_table, said("{figure} is out", figure=self.figure))
        fights = any(self.figure in pair for pair in game.fought) or self.figure in game.seasoned
        refusal = said("{figure} is in a fight and keeps its weapons until it is over", figure=self.figure)
        require(not fights, refusal, SWAP)
        held, owned = Counter(self.weapons), Counter(list_weapons(game, self.figure))
        lacks = said("{figure} carries: {weapons}", figure=self.figure, weapons=named(list_weapons(game, self.figure)))
        require(held <= owned, lacks, SWAP)
        hands = count_hands(game, self.figure)
        many = said("{figure} has hands for {hands} weapons", figure=self.figure, hands=hands)
        require(len(self.weapons) <= hands, many, SWAP)
        same = said("{figure} holds these weapons already", figure=self.figure)
        require(Counter(in_hand(game, self.figure)) != held, same)

    def apply(self, game: MatchRoads) -> MatchRoads:
        return replace(game, wielded={**game.wielded, self.figure: self.weapons})

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} takes in hand: {weapons}", figure=self.figure, weapons=named(self.weapons))


class ClearJam(FigureStep, frozen=True, kw_only=True, tag="clear_jam"):
    """A jammed weapon is ready again. The known rules do not say when, so people decide."""

    rule = JAMS
    label = said("A jammed weapon is ready again")
    weapon: Annotated[Name, Asks(_ask_jammed)]

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        for name, weapons in game.spent.items() if game.is_free_in("shoot") else ():
            for jammed in weapons:
                if game.piece(name).side == game.active and not is_of_kind(game, jammed, "thrown"):
                    text = said("The {weapon} of {figure} is ready again", weapon=jammed, figure=name)
                    yield cls.prompt(text, side=game.active, urgency=1, figure=name, weapon=jammed)

    def check(self, game: MatchRoads) -> None:
        jammed = self.weapon in game.spent.get(self.figure, ()) and not is_of_kind(game, self.weapon, "thrown")
        require(jammed, said("the {weapon} of {figure} is not jammed", figure=self.figure, weapon=self.weapon), MISFIRE)

    def apply(self, game: MatchRoads) -> MatchRoads:
        left = tuple(name for name in game.spent.get(self.figure, ()) if name != self.weapon)
        return replace(game, spent={**game.spent, self.figure: left})

    def title(self, game: MatchRoads) -> Said:
        return said("The {weapon} of {figure} is ready again", weapon=self.weapon, figure=self.figure)

    def silent_rule(self, game: MatchRoads) -> Rule | None:
        return JAMS

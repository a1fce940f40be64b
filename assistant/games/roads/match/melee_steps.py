"""Melee (rules C2): drawing in, fights, re-rolls, wounds and the advance; `rules/melee.py` does the arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, Self

from msgspec.structs import replace

from assistant.games.roads.match.ambush import settle_ambush
from assistant.games.roads.match.answers import ask_rerolls, ask_to_change_weapons
from assistant.games.roads.match.duel import (
    count_dice,
    count_excess,
    find_blocked_dice,
    find_decider,
    find_melee,
    find_other_place,
    list_opponents,
    list_rerolls,
    make_fighter,
    may_fight,
    pair_of,
    require_duel,
    resolve_duel,
)
from assistant.games.roads.match.movement import ask_within, halt, require_length, require_room, reveal
from assistant.games.roads.match.pending import FighterDice, HitsDue, PendingDuel, word_hits
from assistant.games.roads.match.setup import ResultChange
from assistant.games.roads.match.state import (
    FigureStep,
    Mark,
    MatchRoads,
    add_hits,
    drop_shot,
    require_able,
    require_nothing_open,
    take_out,
)
from assistant.games.roads.match.turn_steps import DieFace
from assistant.games.roads.match.weapons import needed_of_house, weapon, word_sheets
from assistant.games.roads.rules import melee
from assistant.games.roads.rules.movement import find_contact_place, touches_at
from assistant.games.roads.rules.reasons import (
    ABILITY,
    ACROSS,
    ADVANCE,
    BLOCK,
    CHARGE,
    CONFUSION,
    CRITICAL,
    DRAWN_IN,
    ESCAPE,
    HATRED,
    HIGHER,
    IN_MELEE,
    JUMP_ATTACK,
    MANY_SIDED,
    OUTNUMBER,
    PRINTED,
    RESULT,
)
from assistant.match.asks import Ask, Asks, Draft, Pick, ask_figure, ask_number, ask_thing
from assistant.match.chance import Chance
from assistant.match.game import Count, Moment, Name, PointMm, Prompt, ShownDie, Step, Text, require
from assistant.rules.free_distance import DRAW_IN_STEPS, Distances
from assistant.rules.reasons import Rule
from assistant.table.free_table import FreeFigure
from assistant.translations.messages import Said, counted, listed, message, named, said, said_in, verbatim

BLOWS = Rule(
    "roads/blows",
    message("rules, “Блок” and “Ненависть”"),
    message("A shield makes the enemy re-roll the highest die; hatred re-rolls a fighter's own dice."),
)
HITS = Rule(
    "roads/hits",
    message("rules, “Количество ударов” and “Попадания”"),
    message("The winner of a fight hits once for each point of difference."),
)
WOUNDS = Rule(
    "roads/wounds",
    message("rules, “Раны, броня и ранения”"),
    message("Resolve hits like those of shots. Source 003 does not print how, so the players enter the result."),
)
ABILITIES = Rule(
    "roads/abilities",
    message("rules, “Attack die”: names abilities that add X to the combat result; their list is lacking"),
    message("An ability adds to the combat result after the roll of the attack dice."),
)
AVOIDING = Rule(
    "roads/avoiding",
    message("rules, “Drawing into melee”: as in leaving a melee of the section on moving, which is lacking"),
    message("A model may keep out of a melee that draws it in. The known rules do not say how, so the players do."),
)
RISING = Rule(
    "roads/rising",
    message("the known rules have models that are knocked down but do not say when they get up"),
    message("A model that was knocked down stays down until people say that it is up again."),
)

MeleeEdge = Literal["higher", "across_cover", "jumping"]
ADVANCE_STEPS = 1


def _ask_avoids(draft: Draft[MatchRoads]) -> Ask:
    picks = ((False, said("It goes into the melee")), (True, said("It keeps out of the melee")))
    return ask_thing("avoids", said("Which?"), picks)


class DrawIn(FigureStep, frozen=True, kw_only=True, tag="draw_in"):
    """A model within a step of the fighting moves into contact, or (``avoids``) stays in place.

    It joins a melee within a step, and moves a step at most, or no farther than the nearest enemy there. Without
    ``center_mm`` the program moves it straight into contact with that enemy.
    """

    rule = DRAWN_IN
    finds_place = True
    center_mm: PointMm | None = None
    avoids: Annotated[bool, Asks(_ask_avoids)] = False

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        for name in game.to_draw_in if game.find_open() is None else ():
            text = said("Draw {figure} into the melee", figure=name)
            yield cls.prompt(text, side=game.piece(name).side, urgency=4, figure=name)

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        distances = game.distances()
        if self.avoids or self.center_mm is not None or distances is None:
            return self
        own = distances.table.figure_by_id.get(self.figure)
        enemies = () if own is None else find_near_enemies(game, distances, own)
        if own is None or not enemies:
            return self
        return replace(self, center_mm=find_contact_place(own, own.center_mm, enemies[0]))

    def check(self, game: MatchRoads) -> None:
        refusal = said("{figure} is not drawn into the melee", figure=self.figure)
        require(self.figure in game.to_draw_in, refusal, DRAWN_IN)
        distances = game.distances()
        if self.avoids or self.center_mm is None or distances is None:
            return
        own = distances.table.figure_by_id.get(self.figure)
        if own is None:
            return
        enemies = find_near_enemies(game, distances, own)
        met = any(touches_at(own, self.center_mm, enemy) for enemy in enemies)
        refusal = said(
            "{figure} is drawn into contact with a fighting enemy, and would touch none there", figure=self.figure
        )
        require(met, refusal, DRAWN_IN)
        nearest_mm = math.dist(own.center_mm, find_contact_place(own, own.center_mm, enemies[0]))
        steps = max(DRAW_IN_STEPS, nearest_mm / float(distances.step_mm) * _ROUNDED)
        require_length(game, self.figure, (self.center_mm,), steps, DRAWN_IN)

    def apply(self, game: MatchRoads) -> MatchRoads:
        left = tuple(name for name in game.to_draw_in if name != self.figure)
        game = replace(game, to_draw_in=left)
        if self.avoids:
            return game
        piece = game.piece(self.figure)
        center = piece.center_mm if self.center_mm is None else self.center_mm
        return game.with_piece(reveal(replace(piece, center_mm=center)).unmarked(Mark.WATCH))

    def title(self, game: MatchRoads) -> Said:
        if self.avoids:
            return said("{figure} keeps out of the melee", figure=self.figure)
        return said("{figure} is drawn into the melee", figure=self.figure)

    def silent_rule(self, game: MatchRoads) -> Rule | None:
        return AVOIDING if self.avoids else None


_ROUNDED = 1 + 1e-9
"""Factor that lets a place computed with floats pass an exact comparison."""


def find_near_enemies(game: MatchRoads, distances: Distances, own: FreeFigure) -> tuple[FreeFigure, ...]:
    """Return the enemies of the melees within a step of a model, the nearest first."""
    fighters = [other for other in distances.table.figures if other.id in distances.fighting()]
    near = [other.id for other in fighters if distances.is_within(own, other, DRAW_IN_STEPS)]
    joined = frozenset(name for first in near for name in find_melee(game, first))
    enemies = (other for other in fighters if other.side != own.side and other.id in joined)
    return tuple(sorted(enemies, key=lambda enemy: (distances.between_mm(own, enemy), enemy.id)))


MOST_PAIRS = 3
"""Up to this number, each pair has a button of its own; beyond it, one question lists the fighters."""


class Fight(Step[MatchRoads], frozen=True, kw_only=True, tag="fight"):
    """Two models in contact roll their attack dice, by the program or typed in.

    ``conditions`` names what only people see of each (higher, across_cover, jumping). ``excess`` is each side's
    majority; on a known table the contacts decide it. The larger side of a melee chooses who strikes, and in which
    order. In a duel, either side may begin.
    """

    rule = IN_MELEE
    reveals = True
    fighters: tuple[Name, Name]
    conditions: Mapping[str, tuple[MeleeEdge, ...]] = {}
    excess: Mapping[str, Count] = {}
    rolled_here: bool = True
    rolls: tuple[tuple[DieFace, ...], tuple[DieFace, ...]] = ((), ())

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if not game.is_free_in("melee"):
            return
        pairs = ((piece.id, enemy) for piece in game.standing() for enemy in _list_fightable(game, piece.id))
        fights = [cls(fighters=pair).settle(game, Chance("what if")) for pair in dict.fromkeys(map(pair_of, pairs))]
        allowed = [fight for fight in fights if fight.is_allowed(game)]
        if 0 < len(allowed) <= MOST_PAIRS:
            for fight in allowed:
                first, second = fight.fighters
                text = said("{first} and {second} fight", first=first, second=second)
                yield cls.prompt(text, side=fight.side(game) or game.active, fighters=[first, second])
            return
        sides = {fight.side(game) for fight in allowed}
        if {None, game.active} & sides:
            yield cls.prompt(said("Let two models fight"), side=game.active)
        for side in (*game.setup.sides, None):
            if side in sides - {game.active}:
                text = said("Let two models fight") if side is None else said("{side}: let two models fight", side=side)
                yield cls.prompt(text, side=side)

    @classmethod
    def moments(cls, game: MatchRoads) -> Iterator[Moment]:
        return ask_to_change_weapons(game)

    def side(self, game: MatchRoads) -> str | None:
        return find_decider(game, self.fighters) if game.ground else None

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        step = self
        if game.ground:
            step = replace(step, excess=count_excess(game, self.fighters))
        if not self.rolled_here:
            return step
        counts = count_dice(game, step._duel())
        first, second = (tuple(chance.die() for _ in range(count)) for count in counts)
        return replace(step, rolls=(first, second))

    def check(self, game: MatchRoads) -> None:
        require_nothing_open(game)
        require(game.phase == "melee", said("models fight in the melee phase"))
        near = said("{to_draw_in} must first be drawn in or stay out", to_draw_in=named(game.to_draw_in))
        require(not game.to_draw_in, near, DRAWN_IN)
        first, second = (game.piece(name) for name in self.fighters)
        are_enemies = first.on_table and second.on_table and first.side != second.side
        require(are_enemies, said("two enemies on the table fight"))
        require(may_fight(first) and may_fight(second), said("a fleeing model does not fight"), ESCAPE)
        require(pair_of(self.fighters) not in game.fought, said("these two have fought in this phase"), IN_MELEE)
        advanced = said("an advance brought these two together: they fight in the next melee phase")
        require(pair_of(self.fighters) not in game.met_in_advance, advanced, ADVANCE)
        if game.ground:
            apart = said("{first} and {second} are not in contact", first=first.id, second=second.id)
            require(second.id in game.opponents_of(first.id), apart, IN_MELEE)
        decider = find_decider(game, self.fighters) if game.ground else None
        late = decider is None and game.rules.options["duel_order"] == "duels_first" and game.has_many_sided
        refusal = said("fights of one against one come before the many-sided ones in this house")
        require(not late, refusal, MANY_SIDED)
        for name, conditions in self.conditions.items():
            jumps = "jumping" not in conditions or Mark.JUMPED in game.piece(name).marks
            require(jumps, said("{figure} has not attacked out of a jump this turn", figure=name), JUMP_ATTACK)
        counts = count_dice(game, self._duel())
        refusal = said(
            "roll {count} dice for {first} and {count_2} for {second}",
            count=counts[0],
            first=first.id,
            count_2=counts[1],
            second=second.id,
        )
        require((len(self.rolls[0]), len(self.rolls[1])) == counts, refusal)

    def apply(self, game: MatchRoads) -> MatchRoads:
        is_many = bool(game.ground) and find_decider(game, self.fighters) is not None
        return replace(game, duel=self._duel(), has_many_sided=game.has_many_sided or is_many)

    def title(self, game: MatchRoads) -> Said:
        first, second = self.fighters
        if not any(self.rolls):
            return said("{first} and {second} fight", first=first, second=second)
        dice = [_in_a_row(rolled) for rolled in self.rolls]
        return said(
            "{first} and {second} fight: {first} rolls {dice}, {second} rolls {dice_2}",
            first=first,
            second=second,
            dice=dice[0],
            dice_2=dice[1],
        )

    def dice_shown(self, game: MatchRoads) -> tuple[ShownDie, ...]:
        rolled = zip(self.fighters, self.rolls, strict=True)
        return tuple(ShownDie(str(face), whose=name) for name, faces in rolled for face in faces)

    def _duel(self) -> PendingDuel:
        return PendingDuel(
            fighters=self.fighters,
            rolls=(FighterDice(final=self.rolls[0]), FighterDice(final=self.rolls[1])),
            conditions=self.conditions,
            excess=self.excess,
        )


def _list_fightable(game: MatchRoads, name: str) -> tuple[str, ...]:
    return game.opponents_of(name) if game.ground else game.list_enemies()


class RerollMelee(FigureStep, frozen=True, kw_only=True, tag="reroll"):
    """A shield makes the enemy re-roll the highest die, or hatred re-rolls the fighter's own (``which``, from 0)."""

    rule = BLOWS
    reveals = True
    figure: Annotated[Name, Asks(_ask_fighter)]
    why: Annotated[Literal["block", "hatred"], Asks(_ask_why)]
    which: Annotated[tuple[Count, ...], Asks(_ask_which)] = ()
    rolled_here: bool = True
    faces: tuple[DieFace, ...] = ()

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        duel = game.duel
        if game.find_open() != "fight" or duel is None:
            return
        for place, figure in enumerate(duel.fighters):
            for why in list_rerolls(game, duel, place):
                blocks = said("{figure} blocks: the enemy's highest die is rolled again", figure=figure)
                hates = said("{figure} rolls own dice again out of hatred", figure=figure)
                text, side = blocks if why == "block" else hates, game.piece(figure).side
                yield cls.prompt(text, side=side, note=word_standing_of(game), figure=figure, why=why)

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
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
        duel = require_duel(game)
        require(self.figure in duel.fighters, said("{figure} is not in this fight", figure=self.figure))
        require(f"{self.why} {self.figure}" not in duel.rerolled, said("this was used already in this fight"))
        enemy = duel.fighters[find_other_place(duel, self.figure)]
        if self.why == "block":
            require(game.fighter(self.figure).shield, said("{figure} has no shield", figure=self.figure), BLOCK)
            require(not game.fighter(enemy).shield, said("two shields cancel each other out"), BLOCK)
            down = said("{figure} is down and cannot block", figure=self.figure)
            require(Mark.DOWN not in game.piece(self.figure).marks, down, BLOCK)
        else:
            hated = set(game.fighter(self.figure).hates)
            hates = bool(hated & {game.piece(enemy).side, game.piece(enemy).kind})
            require(hates, said("{figure} hates no one here", figure=self.figure), HATRED)
            spent = said("{figure} has fought a round of this melee: its hatred is spent", figure=self.figure)
            require(self.figure not in game.seasoned, spent, HATRED)
        rolled = duel.rolls[self._place(duel)].final
        fits = len(set(self.which)) == len(self.which) == len(self.faces) and all(p < len(rolled) for p in self.which)
        require(fits and bool(self.which), said("name each die of this fight once, by its place, with its new face"))

    def apply(self, game: MatchRoads) -> MatchRoads:
        duel = require_duel(game)
        place = self._place(duel)
        roll = duel.rolls[place]
        final = list(roll.final)
        for which, face in zip(self.which, self.faces, strict=True):
            final[which] = face
        replaced = (*roll.replaced, *(roll.final[which] for which in self.which))
        changed = FighterDice(final=tuple(final), replaced=replaced)
        rolls = (changed, duel.rolls[1]) if place == 0 else (duel.rolls[0], changed)
        return replace(game, duel=replace(duel, rolls=rolls, rerolled=(*duel.rerolled, f"{self.why} {self.figure}")))

    def title(self, game: MatchRoads) -> Said:
        return said("{figure}: {why}", figure=self.figure, why=said("block") if self.why == "block" else said("hatred"))

    def dice_shown(self, game: MatchRoads) -> tuple[ShownDie, ...]:
        duel = require_duel(game)
        whose = duel.fighters[self._place(duel)]
        return tuple(ShownDie(str(face), whose=whose) for face in self.faces)

    def _place(self, duel: PendingDuel) -> int:
        other = find_other_place(duel, self.figure)
        return other if self.why == "block" else 1 - other


def _ask_fighter(draft: Draft[MatchRoads]) -> Ask:
    return ask_figure("figure", said("Who?"), () if draft.game.duel is None else draft.game.duel.fighters)


def _ask_why(draft: Draft[MatchRoads]) -> Ask:
    picks = (("block", said_in("melee", "block")), ("hatred", said_in("melee", "hatred")))
    return ask_thing("why", said("Why?"), picks)


def _ask_change(draft: Draft[MatchRoads]) -> Ask:
    return ask_number("change", said("How much does it add?"), range(-3, 4))


def _ask_odd_weapon(draft: Draft[MatchRoads]) -> Ask | None:
    choices = list_odd_weapons(draft.game)
    if not choices:
        return None
    asked = ask_thing("odd_weapon", said("Which weapon strikes the odd hit?"), ((one, named([one])) for one in choices))
    return replace(
        asked, picks=tuple(replace(pick, note=_word_sheet(draft.game, str(pick.value))) for pick in asked.picks)
    )


def _word_sheet(game: MatchRoads, name: str) -> Said | None:
    """The numbers of a weapon, as far as the set-up has them."""
    known = weapon(game, name)
    facts = [] if known is None or not known.strength else [said("strength {strength}", strength=known.strength)]
    if known is not None and known.critical:
        facts.append(said("critical blow: {effect}", effect=known.critical))
    return listed(facts) if facts else None


def _ask_which(draft: Draft[MatchRoads]) -> Ask | None:
    """Ask for the fighter's own dice that hatred re-rolls. The rules pick a shield's die."""
    duel, figure = draft.game.duel, draft.fields.get("figure")
    if duel is None or draft.fields.get("why") != "hatred" or figure not in duel.fighters:
        return None
    faces = duel.rolls[duel.fighters.index(str(figure))].final
    picks = tuple(Pick(value=[place], text=verbatim(str(face))) for place, face in enumerate(faces))
    return Ask(field="which", kind="thing", text=said("Which dice?"), picks=picks, most=max(2, len(picks)))


class Modify(FigureStep, frozen=True, kw_only=True, tag="modify"):
    """An ability of a fighter adds ``change`` to its result of the open fight («прибавить Х к результату боя»)."""

    rule = ABILITIES
    label = said("An ability changes the result of the fight")
    figure: Annotated[Name, Asks(_ask_fighter)]
    change: Annotated[ResultChange, Asks(_ask_change)]
    reason: Text = ""

    def check(self, game: MatchRoads) -> None:
        duel = require_duel(game)
        require(self.figure in duel.fighters, said("{figure} is not in this fight", figure=self.figure))

    def apply(self, game: MatchRoads) -> MatchRoads:
        duel = require_duel(game)
        adds = {**duel.adds, self.figure: duel.adds.get(self.figure, 0) + self.change}
        return replace(game, duel=replace(duel, adds=adds))

    def title(self, game: MatchRoads) -> Said:
        change = f"{self.change:+d}"
        if self.reason:
            return said("{figure}: {change} by {reason}", figure=self.figure, change=change, reason=self.reason)
        return said("{figure}: {change} by an ability", figure=self.figure, change=change)

    def silent_rule(self, game: MatchRoads) -> Rule | None:
        return ABILITIES


class Strike(Step[MatchRoads], frozen=True, kw_only=True, tag="strike"):
    """Decide the fight; next, armour stops some of the winner's hits.

    The weapons of the winner take turns; ``odd_weapon`` is the one that strikes the remainder («Нечетные удары»).
    """

    rule = HITS
    odd_weapon: Annotated[Name | None, Asks(_ask_odd_weapon)] = None

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if game.find_open() == "fight":
            yield cls.prompt(said("Decide the fight"), side=cls().side(game), urgency=1, note=word_standing_of(game))

    @classmethod
    def moments(cls, game: MatchRoads) -> Iterator[Moment]:
        return ask_rerolls(game)

    def side(self, game: MatchRoads) -> str | None:
        """Return the winner's side if it has a weapon to choose; else anybody's."""
        winner = None if game.duel is None else resolve_duel(game).winner
        return game.piece(winner).side if winner is not None and list_odd_weapons(game) else None

    def check(self, game: MatchRoads) -> None:
        require_duel(game)
        choices = list_odd_weapons(game)
        is_known = self.odd_weapon is None or self.odd_weapon in choices
        refusal = said("the odd hit is struck by one of: {weapons}", weapons=named(choices))
        none_odd = said("no hit of this fight is left over for a weapon of choice")
        require(is_known, refusal if choices else none_odd, HITS)

    def apply(self, game: MatchRoads) -> MatchRoads:
        duel, result = require_duel(game), resolve_duel(game)
        game = replace(game, duel=None, fought=(*game.fought, pair_of(duel.fighters)))
        if result.winner is None:
            return game
        place = duel.fighters.index(result.winner)
        winner, loser = make_fighter(game, duel, result.winner), duel.fighters[1 - place]
        first = 0 if self.odd_weapon is None else winner.weapons.index(self.odd_weapon)
        weapons = melee.assign_hits(winner, result.hits, first)
        roll = melee.MeleeRoll(duel.rolls[place].final)
        criticals = melee.count_criticals(winner, roll, game.rules.options)
        due = HitsDue(figure=loser, by=result.winner, hits=result.hits, weapons=weapons, criticals=criticals)
        return add_hits(game, due)

    def title(self, game: MatchRoads) -> Said:
        result = resolve_duel(game)
        if result.winner is None:
            first, second = require_duel(game).fighters
            return said("{first} and {second}: nobody wins, {tie}", first=first, second=second, tie=_word_tie(game))
        most, least = max(result.results), min(result.results)
        if _is_rolled_tie(game, result.results):
            return counted(
                "{winner} wins {most} to {least}, {tie}: {n} hit",
                "{winner} wins {most} to {least}, {tie}: {n} hits",
                result.hits,
                winner=result.winner,
                most=most,
                least=least,
                tie=_word_tie(game),
            )
        return counted(
            "{winner} wins {most} to {least}: {n} hit",
            "{winner} wins {most} to {least}: {n} hits",
            result.hits,
            winner=result.winner,
            most=most,
            least=least,
        )


def _in_a_row(faces: Iterable[int]) -> str:
    """Return the faces of some dice; a dash for none."""
    return ", ".join(map(str, faces)) or "–"


def _is_rolled_tie(game: MatchRoads, results: Sequence[int]) -> bool:
    """Return whether rolled dice gave both fighters the same result."""
    return results[0] == results[1] and any(roll.final for roll in require_duel(game).rolls)


def _word_tie(game: MatchRoads) -> Said:
    """Explain why equal results go to one fighter, or to nobody."""
    first, second = (game.fighter(name).mobility for name in require_duel(game).fighters)
    if first == second:
        return said("equal results and equal Mobility")
    return said("by Mobility {more} against {less}", more=max(first, second), less=min(first, second))


_CHANGES = {
    CHARGE.id: said("for the charge"),
    HIGHER.id: said("for standing higher"),
    ACROSS.id: said("across cover"),
    JUMP_ATTACK.id: said("for the jump"),
    OUTNUMBER.id: said("for the majority"),
    ABILITY.id: said("by an ability"),
    CRITICAL.id: said("for a critical blow"),
    CONFUSION.id: said("for a 1 of the enemy"),
    PRINTED.id: said("as the rule prints this example"),
}
"""Where a change of a fighter's result comes from, in a word or two."""


def _word_sum(figure: str, dice: str, parts: Mapping[str, object], changes: Sequence[Said]) -> Said:
    """Word a fighter's result with the source of each part."""
    die, toughness, combat, result = (str(parts[one]) for one in ("die", "toughness", "combat", "result"))
    change = "" if parts["change"] == "+0" else f" {parts['change']}"
    total: str | Said = f"{die} + {toughness} + {combat}{change} = {result}"
    if changes:
        total = said("{total}; {why}", total=total, why=listed(changes))
    if dice == die:
        return said("{figure}: {total}", figure=figure, total=total)
    return said("{figure} ({dice}): {total}", figure=figure, dice=dice, total=total)


def word_standing_of(game: MatchRoads) -> Said:
    """Return the open fight with its present dice: a row for each result, and a last one with winner and hits."""
    result, fighters = resolve_duel(game), require_duel(game).fighters
    rolled = [_in_a_row(roll.final) for roll in require_duel(game).rolls]
    sums = {step.arguments["fighter"]: step.arguments for step in result.steps if step.rule == RESULT.id}
    changes = {
        name: [
            said("{change} {why}", change=str(step.arguments["change"]), why=_CHANGES[step.rule])
            for step in result.steps
            if step.rule in _CHANGES and step.arguments["fighter"] == name
        ]
        for name in fighters
    }
    first, second = (
        _word_sum(name, dice, sums[name], changes[name])
        if name in sums
        else said("{figure}: total {result} (dice {dice})", figure=name, result=total, dice=dice)
        for name, total, dice in zip(fighters, result.results, rolled, strict=True)
    )
    rows = said("Die + Toughness + Combat\n{first}\n{second}", first=first, second=second)
    if result.winner is None:
        return said("{rows}\nNobody wins, {tie}", rows=rows, tie=_word_tie(game))
    if _is_rolled_tie(game, result.results):
        rows = said("{rows}\n{tie}", rows=rows, tie=_word_tie(game))
    return counted(
        "{rows}\n{winner} wins with {n} hit",
        "{rows}\n{winner} wins with {n} hits",
        result.hits,
        rows=rows,
        winner=result.winner,
    )


class Wound(FigureStep, frozen=True, kw_only=True, tag="wound"):
    """The result of the hits on a model after armour, or a wound from elsewhere, as its own side states it.

    The known rules do not say how to roll armour and wounds, so people enter the result: ``wounds``, ``down``, or
    ``out``. A hit that wounds a model already down puts it out (C2).
    """

    rule = WOUNDS
    label = said("Wounds by hand")
    by_hand = True
    wounds: Annotated[Count, Asks(_ask_wounds)] = 0
    down: Annotated[bool, Asks(_ask_down)] = False
    out: Annotated[bool, Asks(_ask_out)] = False
    saves: tuple[DieFace, ...] = ()
    """The program's dice, one a hit, if the house lets it roll (`armour_roll`)."""

    filled_later = frozenset({"saves"})

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if game.find_open() == "hits":
            hit, side = game.hits[0], game.piece(game.hits[0].figure).side
            task = said("resolve the hits on {figure}", figure=hit.figure)
            if needed_of_house(game, "armour_roll") is not None:
                task = said("roll for the armour of {figure}", figure=hit.figure)
            yield cls.prompt(_word_hits(game, hit), side=side, task=task, figure=hit.figure)

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        needed, hits = needed_of_house(game, "armour_roll"), _count_hits(game, self.figure)
        if needed is None or not hits:
            return replace(self, saves=())
        saves = tuple(chance.die() for _ in range(hits))
        wounds = sum(face < needed for face in saves)
        most = _count_wounds_left(game, self.figure)
        return replace(self, saves=saves, wounds=wounds if most is None else min(wounds, most))

    def check(self, game: MatchRoads) -> None:
        require(game.phase != "setup", said("begin the skirmish first"))
        require(game.piece(self.figure).on_table, said("{figure} is out", figure=self.figure))
        was_hit = any(hit.figure == self.figure for hit in game.hits)
        refusal = said("there are no hits on {figure}; enter its wounds, or mark it as down or out", figure=self.figure)
        require(was_hit or self.wounds > 0 or self.down or self.out, refusal)

    def has_revealed(self) -> bool:
        return bool(self.saves)

    def apply(self, game: MatchRoads) -> MatchRoads:
        hits = [hit for hit in game.hits if hit.figure == self.figure]
        was_hit = bool(hits)
        game = replace(game, hits=tuple(hit for hit in game.hits if hit.figure != self.figure))
        piece = game.piece(self.figure)
        hurt = replace(piece, harm=piece.harm + self.wounds)
        limit = game.fighter(self.figure).out_at
        finished = self.wounds > 0 and _kills_fallen(game, hits) and Mark.DOWN in piece.marks
        if self.out or finished or (limit is not None and hurt.harm >= limit):
            gone = take_out(game.with_piece(hurt), self.figure)
            return settle_ambush(gone, self.figure, has_died=True) if was_hit else gone
        if self.wounds or self.down:
            hurt = hurt.unmarked(Mark.WATCH)
        game = game.with_piece(hurt.marked(Mark.DOWN).unmarked(Mark.RAGING) if self.down else hurt)
        game = settle_ambush(game, self.figure, has_died=False) if was_hit else game
        return drop_shot(halt(game, self.figure), self.figure) if self.down else game

    def title(self, game: MatchRoads) -> Said:
        parts = [counted("{n} wound", "{n} wounds", self.wounds)] if self.wounds else []
        parts += [said("down")] if self.down else []
        parts += [said("out")] if self.out else []
        return said("{figure}: {what}", figure=self.figure, what=listed(parts) if parts else said("armour holds"))

    def dice_shown(self, game: MatchRoads) -> tuple[ShownDie, ...]:
        return tuple(ShownDie(str(face), whose=self.figure) for face in self.saves)


def _kills_fallen(game: MatchRoads, hits: Sequence[HitsDue]) -> bool:
    """Return whether a wound from these hits puts a fallen model out."""
    return any(not hit.is_shot for hit in hits) or (bool(hits) and game.rules.options["fallen_dies"] == "any")


def _count_hits(game: MatchRoads, figure: str) -> int:
    return sum(hit.hits for hit in game.hits if hit.figure == figure)


def _count_wounds_left(game: MatchRoads, figure: str) -> int | None:
    """Return how many wounds put a model out, at least one; None if the set-up does not say."""
    limit = game.fighter(figure).out_at if figure in game.pieces else None
    return None if limit is None else max(1, limit - game.piece(figure).harm)


def _ask_wounds(draft: Draft[MatchRoads]) -> Ask | None:
    game, figure = draft.game, str(draft.fields.get("figure"))
    due = [hit for hit in game.hits if hit.figure == figure]
    if due and needed_of_house(game, "armour_roll") is not None:
        return None
    text, note = said("Wounds after armour"), _word_target(game, figure, due)
    if harm := _list_harm_of(game, figure):
        return Ask(field="wounds", kind="thing", text=text, picks=harm, note=note)
    left, most = _count_wounds_left(game, figure), _count_most(game, figure)
    offered = range(most + 1) if due else range(1, 1 + (3 if left is None else min(3, left)))
    return replace(ask_number("wounds", text, offered), value=most if due else 1, note=note)


_MOST_LISTED = 2
"""Up to this number of wounds, one list covers every outcome of the hits; beyond it, each part is a question."""


def _count_most(game: MatchRoads, figure: str) -> int:
    """Return the most wounds of a model's open hits. Hits beyond its last wound are lost."""
    hits, left = _count_hits(game, figure), _count_wounds_left(game, figure)
    return hits if left is None else min(hits, left)


def _list_harm_of(game: MatchRoads, figure: str) -> tuple[Pick, ...]:
    """List every outcome of the open hits on a model. Empty if the program rolls or the list would be long."""
    due = [hit for hit in game.hits if hit.figure == figure]
    most = _count_most(game, figure)
    if not due or most > _MOST_LISTED or needed_of_house(game, "armour_roll") is not None:
        return ()
    lies = Mark.DOWN in game.piece(figure).marks
    left = 1 if lies and _kills_fallen(game, due) else _count_wounds_left(game, figure)
    return tuple(_list_harm(most, left, lies))


def _word_hits(game: MatchRoads, hit: HitsDue) -> Said:
    """Word the prompt after hits: to enter wounds, or to roll for armour."""
    needed = needed_of_house(game, "armour_roll")
    if needed is None:
        return word_hits(hit)
    return counted(
        "Roll for the armour of {figure}: {n} die, {needed} or more holds",
        "Roll for the armour of {figure}: {n} dice, {needed} or more hold",
        hit.hits,
        figure=hit.figure,
        needed=needed,
    )


def _list_harm(most: int, left: int | None, lies: bool) -> Iterator[Pick]:
    """Yield the outcomes of hits: up to that many wounds, each standing, knocked down or out, in one answer."""
    for wounds in range((most if left is None else min(most, left)) + 1):
        some = counted("{n} wound", "{n} wounds", wounds)
        is_last = left is not None and wounds >= left
        stands = {"down": False, "out": False}
        text = said("{wounds}: out of the game", wounds=some) if is_last else some if wounds else said("Armour holds")
        yield Pick(value=wounds, text=text, fills=stands)
        if not is_last and not lies:
            fallen = said("{wounds} and down", wounds=some) if wounds else said("No wound, but down")
            yield Pick(value=wounds, text=fallen, fills={**stands, "down": True})
    if left is None:
        yield Pick(value=0, text=said("Out of the game"), fills={"down": False, "out": True})


def _word_target(game: MatchRoads, figure: str, due: Iterable[HitsDue]) -> Said:
    """Return the known facts of a hit model, and a note that the players' own rules decide its wounds."""
    own = said("Your own rules say what armour stops and who is knocked down.")
    if figure not in game.pieces:
        return own
    fighter, harm = game.fighter(figure), game.piece(figure).harm
    facts = [fact for hit in due for fact in word_sheets(game, hit)]
    facts.append(said("{figure}: Toughness {toughness}", figure=figure, toughness=fighter.toughness))
    if fighter.out_at is not None:
        facts.append(said("wounds {harm} of {limit}", harm=harm, limit=fighter.out_at))
    return said("{facts}. {own}", facts=listed(facts), own=own)


def _ask_down(draft: Draft[MatchRoads]) -> Ask | None:
    """Ask whether the model is down, unless its wounds put it out or the program rolls for armour."""
    figure = str(draft.fields.get("figure"))
    if _count_hits(draft.game, figure) and needed_of_house(draft.game, "armour_roll") is not None:
        return None
    limit, wounds = _find_wound_limit(draft), draft.fields.get("wounds")
    new = wounds if isinstance(wounds, int) else 0
    if limit is not None and draft.game.piece(figure).harm + new >= limit:
        return None
    picks = ((False, said("It stays up")), (True, said("It is down")))
    return ask_thing("down", said("Is {figure} knocked down?", figure=figure), picks)


def _ask_out(draft: Draft[MatchRoads]) -> Ask | None:
    """Ask whether it is out. If the set-up has a limit of wounds, they decide it."""
    if _find_wound_limit(draft) is not None:
        return None
    figure = str(draft.fields.get("figure"))
    picks = ((False, said("It plays on")), (True, said("It is out")))
    return ask_thing("out", said("Is {figure} out of the game?", figure=figure), picks)


def _find_wound_limit(draft: Draft[MatchRoads]) -> int | None:
    name = str(draft.fields.get("figure"))
    return draft.game.fighter(name).out_at if name in draft.game.pieces else None


def _ask_advance(draft: Draft[MatchRoads]) -> Ask | None:
    return ask_within(draft, ADVANCE_STEPS, skip_text=said("It stays"))


def _ask_stays(draft: Draft[MatchRoads]) -> Ask | None:
    """Ask whether a model advances at all, if no place shows it. On a known table a model without a place stays."""
    if draft.fields.get("center_mm") is not None:
        return None
    stays = (True, said("It stays"))
    is_known = draft.game.distances() is not None
    return ask_thing("stays", said("Which?"), (stays,) if is_known else ((False, said("It advances")), stays))


def list_odd_weapons(game: MatchRoads) -> tuple[str, ...]:
    """Return the weapons to choose from for the remaining hits when all take turns; none without a choice."""
    duel = game.duel
    result = None if duel is None else resolve_duel(game)
    if duel is None or result is None or result.winner is None:
        return ()
    weapons = make_fighter(game, duel, result.winner).weapons
    is_odd = len(set(weapons)) > 1 and result.hits % len(weapons) > 0
    return tuple(dict.fromkeys(weapons)) if is_odd else ()


class StandUp(FigureStep, frozen=True, kw_only=True, tag="stand_up"):
    """A model that was knocked down stands up again."""

    rule = RISING
    label = said("A model stands up")

    def check(self, game: MatchRoads) -> None:
        require(Mark.DOWN in game.piece(self.figure).marks, said("{figure} is not down", figure=self.figure))
        require(game.active == game.piece(self.figure).side, said("it is the turn of {side}", side=game.active))
        require_nothing_open(game)

    def apply(self, game: MatchRoads) -> MatchRoads:
        return game.with_piece(game.piece(self.figure).unmarked(Mark.DOWN))

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} stands up", figure=self.figure)

    def silent_rule(self, game: MatchRoads) -> Rule | None:
        return RISING


class Advance(FigureStep, frozen=True, kw_only=True, tag="advance"):
    """A model whose opponents are all out moves one step at once, or ``stays`` (“Продвижение”).

    It fights a new enemy in the next melee phase, not in this one, and without the bonus of a charge.
    """

    rule = ADVANCE
    center_mm: Annotated[PointMm | None, Asks(_ask_advance)] = None
    stays: Annotated[bool, Asks(_ask_stays)] = False

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        for name in game.to_advance if game.find_open() is None else ():
            text = said("{figure} may advance a step", figure=name)
            yield cls.prompt(text, side=game.piece(name).side, urgency=5, figure=name)

    def check(self, game: MatchRoads) -> None:
        refusal = said("{figure} may not advance now", figure=self.figure)
        require(self.figure in game.to_advance, refusal, ADVANCE)
        if self.stays:
            return
        require_able(game, self.figure)
        refusal = said("{figure} fights; say first whether it leaves the melee", figure=self.figure)
        require(not list_opponents(game, self.figure), refusal, ADVANCE)
        if self.center_mm is not None:
            require_length(game, self.figure, (self.center_mm,), ADVANCE_STEPS, ADVANCE)
            require_room(game, self.figure, self.center_mm)

    def apply(self, game: MatchRoads) -> MatchRoads:
        left = tuple(name for name in game.to_advance if name != self.figure)
        game = replace(game, to_advance=left)
        piece = game.piece(self.figure)
        if self.stays or self.center_mm is None:
            return game
        game = game.with_piece(replace(piece, center_mm=self.center_mm))
        met = tuple(pair_of((self.figure, enemy)) for enemy in game.opponents_of(self.figure))
        return replace(game, met_in_advance=(*game.met_in_advance, *met))

    def title(self, game: MatchRoads) -> Said:
        if self.stays:
            return said("{figure} stays", figure=self.figure)
        return said("{figure} advances", figure=self.figure)

"""The attack assistant of DOOM 2004 (rules B2, B5): weapons, dice, dodges and re-rolls, wounds step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict, replace

from assistant.games.doom2004.match.attack_rules import (
    DROPPED,
    Dropped,
    explain_no_hit,
    form_of,
    leave_out_die,
    make_profile,
    make_target,
    resolve_attack,
    resolve_shot,
)
from assistant.games.doom2004.match.attack_steps import is_diagram_typed, word_landing
from assistant.games.doom2004.match.reroll_steps import find_reroller, list_dodging
from assistant.games.doom2004.match.setup import FaceSetup
from assistant.games.doom2004.match.state import AIM, DODGE, GUARD, Match2004, PendingAttack2004, Through
from assistant.games.doom2004.rules import attack as rules
from assistant.match.audience import AttackQuery, Audience
from assistant.match.game import INVADER, MARINES, Piece
from assistant.match.guide import (
    Chances,
    Choice,
    DiceInput,
    Die,
    FaceButton,
    Guide,
    Input,
    Offer,
    Share,
    Wish,
    collect_typed,
    mark_not_now,
    plan_attack,
)
from assistant.match.rulings import sight_document
from assistant.translations.messages import Said, color_in_words, counted, dice_in_words, named, said, said_in, verbatim

UNKNOWN_FACES = tuple(
    FaceSetup(range=reach, damage=damage, ammo=ammo)
    for reach in range(5)
    for damage in range(5)
    for ammo in (False, True)
)
"""Choices besides a miss for a die whose faces the scenario does not give."""

DIRECTION_WORDS: Mapping[str, Said] = {
    "up": said_in("direction", "up"),
    "up-right": said_in("direction", "up and right"),
    "right": said_in("direction", "right"),
    "down-right": said_in("direction", "down and right"),
    "down": said_in("direction", "down"),
    "down-left": said_in("direction", "down and left"),
    "left": said_in("direction", "left"),
    "up-left": said_in("direction", "up and left"),
}
"""The directions of an arrow on the board, in words."""

LEGEND = said("Dice: range / damage; “a” costs ammunition, “x” is a miss")
"""The key to the faces (`FaceSetup.text`)."""


MODIFY = Offer(
    type="modify",
    text=said("A card or an ability changes the attack"),
    inputs=(
        Input(field="reason", kind="text", text=said("Which one")),
        Input(field="range", kind="change", text=said("Range"), value=0),
        Input(field="damage", kind="change", text=said("Damage"), value=0),
    ),
)


def guide(game: Match2004, wish: Wish, audience: Audience) -> Guide:
    """Return the assistant for the open attack, or for a planned one."""
    if game.pending is not None:
        return replace(_open(game, game.pending, audience), legend=LEGEND)
    acts = game.turn is not None and game.turn.figure == wish.attacker
    return replace(plan_attack(game, wish, lambda: _list_ways(game, wish), acts=acts), legend=LEGEND)


def _list_ways(game: Match2004, wish: Wish) -> tuple[Offer, ...]:
    attacker, turn = game.piece(str(wish.attacker)), game.turn
    through = game.through
    if through is not None and through.attacker == attacker.id:
        return tuple(_blow_through(game, wish, through, color) for color in DROPPED if through.dice.get(color, 0))
    acts = turn is not None and turn.figure == attacker.id and turn.attacks > 0
    guards = game.phase != "marine" and GUARD in attacker.marks
    weapons = game.equipment[attacker.id].weapons if attacker.side == MARINES else (None,)
    guard = {} if acts else {"guard": attacker.id}
    ways = tuple(_way(game, wish, weapon, guard) for weapon in weapons)
    return ways if acts or guards else tuple(mark_not_now(way, attacker.id) for way in ways)


def _way(game: Match2004, wish: Wish, weapon: str | None, guard: Mapping[str, str]) -> Offer:
    attacker = game.piece(str(wish.attacker))
    form = form_of(game, attacker, weapon)
    has_aim = AIM in attacker.marks
    aimed = wish.aimed and has_aim
    fields: dict[str, Any] = {"targets": [wish.defender], **guard, **_fields_typed(game, wish)}
    words = said("Attack: dice {dice}", dice=dice_in_words(form.dice))
    if weapon is not None:
        fields["weapon"] = weapon
        words = said("{weapon}: dice {dice}", weapon=weapon, dice=dice_in_words(form.dice))
    aim = Input(field="aimed", kind="toggle", text=said("Use the order to aim"), value=aimed, wish=True)
    return Offer(
        type="attack",
        text=words,
        side=attacker.side,
        fields=fields,
        inputs=((aim,) if has_aim else ()) + _targets(game, form.blast),
        roll=DiceInput(dice=_dice(game, form.dice), form="pairs"),
        odds=_chances(game, attacker, weapon, advise(game, wish.question(weapon=weapon, aimed=aimed))),
        is_main=True,
        is_plan=True,
    )


def _blow_through(game: Match2004, wish: Wish, through: Through, color: Dropped) -> Offer:
    return Offer(
        type="attack",
        text=said("Blow through, one {color} die fewer", color=color_in_words(color)),
        side=MARINES,
        fields={"targets": [wish.defender], "weapon": through.weapon, "drop": color, **_fields_typed(game, wish)},
        roll=DiceInput(dice=_dice(game, leave_out_die(through, color)), form="pairs"),
        is_plan=True,
    )


def _fields_typed(game: Match2004, wish: Wish) -> dict[str, Any]:
    return {} if game.ground else dict(collect_typed(wish, has_cover=False))


def _targets(game: Match2004, blast: int) -> tuple[Input, ...]:
    """Return the input for further figures in a blast, or none on a known table, where the program finds them."""
    if not blast or game.ground:
        return ()
    return (_figures(game, "targets", said("Others in the blast")),)


def _figures(game: Match2004, field: str, text: Said) -> Input:
    everybody = tuple(Choice(value=piece.id, text=named([piece.id])) for piece in game.standing())
    return Input(field=field, kind="figures", text=text, choices=everybody, value=[])


def _dice(game: Match2004, dice: Mapping[str, int]) -> tuple[Die, ...]:
    return tuple(_die(game, color) for color in sorted(Counter(dict(dice)).elements()))


def _die(game: Match2004, color: str, shown: FaceSetup | None = None) -> Die:
    known = game.setup.dice.get(color) or (*UNKNOWN_FACES, FaceSetup(miss=True))
    faces = {face.text: face for face in known}
    return Die(
        name=color_in_words(color),
        color=color,
        faces=tuple(FaceButton(text=text, value=asdict(face)) for text, face in faces.items()),
        shown=None if shown is None else shown.text,
    )


def _chances(game: Match2004, attacker: Piece, weapon: str | None, advice: dict[str, Any]) -> Chances | None:
    odds = advice["odds"]
    if odds is None:
        return None
    impossible = explain_no_hit(game, attacker, weapon, advice["range"])
    if impossible is not None:
        return Chances(mean=said("no hit possible"), why=impossible)
    amounts = (
        Share(text=counted("{n} wound", "{n} wounds", int(amount)), chance=chance)
        for amount, chance in odds["wounds"].items()
    )
    mean = sum(int(amount) * chance for amount, chance in odds["wounds"].items())
    return Chances(
        amounts=tuple(amounts),
        outlook=(Share(text=said("kill"), chance=odds["kill"]), Share(text=said("hit"), chance=odds["hit"])),
        mean=said("{mean} wounds on average", mean=round(mean, 1)),
    )


def _open(game: Match2004, attack: PendingAttack2004, audience: Audience) -> Guide:
    shots = {name: resolve_shot(game, attack, name) for name in attack.targets}
    first = resolve_attack(game, attack)
    others = tuple(
        counted("{figure}: {n} wound", "{figure}: {n} wounds", shot.outcome.wounds, figure=name)
        for name, shot in shots.items()
        if name != attack.first_target
    )
    changes = tuple(_change(reason, reach, damage) for reason, reach, damage in attack.changes)
    if not first.outcome.hits:
        outcome = said("The attack misses")
    elif attack.first_target is None:
        outcome = said("{attacker} hits the empty space", attacker=attack.attacker)
    else:
        wounds = first.outcome.wounds
        outcome = counted("{figure}: {n} wound", "{figure}: {n} wounds", wounds, figure=attack.first_target)
    if attack.scatters:
        offers: tuple[Offer, ...] = (_land(game, attack),)
    else:
        apply_it = said("Apply it") if first.outcome.hits else said("It misses: go on")
        must_wait = attack.may_reroll is not None and attack.dodger is not None
        resolve = Offer(type="resolve", text=apply_it, is_main=not must_wait)
        offers = (*_reroll(game, attack), resolve, *_dodges(game, attack, audience), MODIFY)
    return Guide(
        stage="open",
        attacker=attack.attacker,
        defender=attack.first_target,
        rolled=tuple(_die(game, color, face) for color, face in attack.dice),
        steps=first.reasons,
        changes=(*changes, *others),
        outcome=outcome,
        offers=offers,
    )


def _change(reason: str, reach: int, damage: int) -> Said:
    if reach and damage:
        signed = {"reason": reason, "range": f"{reach:+d}", "damage": f"{damage:+d}"}
        return said("{reason}: range {range}, damage {damage}", **signed)
    if reach:
        return said("{reason}: range {range}", reason=reason, range=f"{reach:+d}")
    return said("{reason}: damage {damage}", reason=reason, damage=f"{damage:+d}")


def _land(game: Match2004, attack: PendingAttack2004) -> Offer:
    """Return the offer to land a shot, without inputs if the program knows both the diagram and the table."""
    inputs: tuple[Input, ...] = ()
    if is_diagram_typed(game, attack):
        arrows = tuple(Choice(value=name, text=text) for name, text in DIRECTION_WORDS.items())
        inputs = (
            Input(field="direction", kind="choice", text=said("Direction of the arrow on the board"), choices=arrows),
            Input(field="distance", kind="count", text=said("Spaces"), value=0),
        )
    if not game.ground:
        inputs = (*inputs, _figures(game, "hit", said("Figures hit where it lands")))
    return Offer(type="scatter", text=word_landing(game, attack), inputs=inputs, is_main=True)


def _reroll(game: Match2004, attack: PendingAttack2004) -> tuple[Offer, ...]:
    chooser = find_reroller(game)
    if chooser is None:
        return ()
    dice = tuple(_die(game, color, face) for color, face in attack.dice)
    return (
        Offer(
            type="reroll",
            text=said("{figure} picks dice to roll again", figure=chooser),
            side=game.piece(chooser).side,
            roll=DiceInput(dice=dice, form="values", field="faces", picks=True),
            is_main=attack.dodger is not None,
        ),
    )


def _dodges(game: Match2004, attack: PendingAttack2004, audience: Audience) -> tuple[Offer, ...]:
    if attack.rerolled or attack.dodger is not None:
        return ()
    offers = []
    for name in attack.targets:
        piece = game.piece(name)
        if DODGE in piece.marks:
            text = said("{figure} dodges", figure=name)
            offers.append(Offer(type="dodge", text=text, side=MARINES, fields={"figure": name}))
        elif piece.side == INVADER and audience.sees(INVADER) and list_dodging(game):
            offers.append(_dodge_by_card(game, name))
    return tuple(offers)


def _dodge_by_card(game: Match2004, figure: str) -> Offer:
    cards = tuple(Choice(value=card, text=verbatim(game.setup.cards[card].name)) for card in list_dodging(game))
    return Offer(
        type="dodge_by_card",
        text=said("{figure} dodges by a card", figure=figure),
        side=INVADER,
        fields={"figure": figure},
        inputs=(Input(field="card", kind="choice", text=said("Card"), choices=cards, value=cards[0].value),),
    )


def advise(game: Match2004, question: AttackQuery) -> dict[str, Any]:
    """Return the facts of a planned attack. ``odds`` is None without the range or without the faces of its dice.

    A marine's order to dodge counts as used.
    """
    attacker, defender = game.piece(question.attacker), game.piece(question.defender)
    ruling = sight_document(game, attacker.id, defender.id) if game.ground else None
    away = question.range if ruling is None else ruling["range"]
    form = form_of(game, attacker, question.weapon)
    return {
        "ruling": ruling,
        "range": away,
        "in_reach": away is not None and (away == 1 or not form.melee),
        "dice": dict(form.dice),
        "ammo": None if form.ammo is None else game.equipment[attacker.id].ammo.get(form.ammo, 0),
        "odds": None if away is None else _odds(game, question, away),
    }


def _odds(game: Match2004, question: AttackQuery, away: int) -> dict[str, Any] | None:
    attacker, defender = game.piece(question.attacker), game.piece(question.defender)
    dice = {
        color: tuple(rules.Face(face.range, face.damage, face.ammo, face.miss) for face in faces)
        for color, faces in game.setup.dice.items()
    }
    if not set(form_of(game, attacker, question.weapon).dice) <= set(dice):
        return None
    attack = PendingAttack2004(
        attacker=attacker.id, targets=(defender.id,), weapon=question.weapon, range=away, dice=(), aimed=question.aimed
    )
    target = make_target(game, defender, dodges=DODGE in defender.marks)
    odds = rules.attack_odds(make_profile(game, attacker, attack), dice, away, target, game.rules.options)
    chances: dict[int, float] = {}
    for outcome, chance in odds.chances.items():
        chances[outcome.wounds] = chances.get(outcome.wounds, 0.0) + float(chance)
    return {
        "wounds": {str(wounds): chance for wounds, chance in sorted(chances.items())},
        "hit": float(rules.hit_chance(odds)),
        "kill": float(rules.kill_chance(odds, target)),
    }

"""The attack assistant of DOOM 2016 (rules A5): attacks that are ready, dice, defence, damage step by step."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from assistant.games.doom2016.match.advice import advise
from assistant.games.doom2016.match.attack_rules import (
    count_colors,
    damage_of,
    explain_attack,
    has_cover,
    may_choose_drop,
)
from assistant.games.doom2016.match.attack_steps import MAX_ICONS
from assistant.games.doom2016.match.effects import AttackProfile
from assistant.games.doom2016.match.prompts import list_ability_prompts
from assistant.games.doom2016.match.state import STUNNED, Match2016, PendingAttack2016
from assistant.match.audience import Audience
from assistant.match.game import INVADER, MARINES
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
    collect_told,
    mark_not_now,
    plan_attack,
)
from assistant.translations.messages import Said, color_in_words, counted, dice_in_words, named, said


def guide(game: Match2016, wish: Wish, audience: Audience) -> Guide:
    """What the assistant shows of the open attack, or of the one that somebody has in mind."""
    if game.pending is not None:
        return _open(game, game.pending, audience)
    acts = game.turn is not None and game.turn.figure == wish.attacker
    return plan_attack(game, wish, lambda: _list_ways(game, wish), acts=acts)


def _list_ways(game: Match2016, wish: Wish) -> tuple[Offer, ...]:
    turn, attacker = game.turn, game.piece(str(wish.attacker))
    if turn is None or turn.figure != attacker.id:
        if attacker.side == MARINES or not attacker.on_table:
            return ()
        return (mark_not_now(_way(game, wish, 0, game.demon_setup(attacker.kind).attack), attacker.id),)
    return tuple(_way(game, wish, index, profile) for index, profile in enumerate(turn.attacks))


def _way(game: Match2016, wish: Wish, index: int, profile: AttackProfile) -> Offer:
    attacker = game.piece(str(wish.attacker))
    stunned = STUNNED in attacker.marks
    colors = count_colors(game, profile, stunned, wish.drop)
    rolled = sorted(colors.elements())
    drops = tuple(Choice(value=color, text=color_in_words(color)) for color in sorted(profile.dice))
    drop = Input(field="drop", kind="choice", text=said("Die to leave out"), choices=drops, value=wish.drop, wish=True)
    return Offer(
        type="attack",
        text=said("Attack: range {range}, dice {dice}", range=profile.range, dice=dice_in_words(colors)),
        side=attacker.side,
        fields={"defender": wish.defender, "profile": index, **dict(_collect_told(game, wish))},
        inputs=(drop,) if stunned and len(drops) > 1 and may_choose_drop(game) else (),
        roll=DiceInput(dice=tuple(_die(game, color) for color in rolled), form="pairs"),
        odds=_chances(advise(game, wish.question(profile=index))["odds"]),
        is_main=index == 0,
        is_plan=True,
    )


def _collect_told(game: Match2016, wish: Wish) -> tuple[tuple[str, Any], ...]:
    told = () if game.ground else collect_told(wish, has_cover=True)
    return told if wish.drop is None else (*told, ("drop", wish.drop))


def _die(game: Match2016, color: str) -> Die:
    icons = sorted(set(game.setup.dice.get(color, range(MAX_ICONS + 1))))
    return Die(
        name=color_in_words(color),
        color=color,
        faces=tuple(FaceButton(text=str(count), value=count) for count in icons),
    )


def _chances(odds: dict[str, Any] | None) -> Chances | None:
    if odds is None:
        return None
    amounts = (
        Share(text=said("{count} damage", count=amount), chance=chance) for amount, chance in odds["damage"].items()
    )
    return Chances(
        amounts=tuple(amounts),
        outlook=(Share(text=said("Frag"), chance=odds["frag"]),),
        mean=said("{mean} damage on average", mean=round(odds["mean"], 2)),
    )


def _open(game: Match2016, attack: PendingAttack2016, audience: Audience) -> Guide:
    changes = tuple(_change(reason, damage, shields) for reason, damage, shields in attack.changes)
    dodged = (said("{figure} dodges", figure=attack.defender),) if attack.reaction_dodge else ()
    outcome = said("{defender} takes {damage} damage", defender=attack.defender, damage=damage_of(game, attack))
    return Guide(
        stage="open",
        attacker=attack.attacker,
        defender=attack.defender,
        rolled=tuple(
            Die(name=color_in_words(color), color=color, faces=(), shown=str(icons)) for color, icons in attack.dice
        ),
        steps=explain_attack(game, attack),
        changes=(*changes, *dodged),
        outcome=outcome if attack.defended else None,
        offers=(*_list_next(game, attack, audience), _modify(), *_judge(audience)),
    )


def _list_next(game: Match2016, attack: PendingAttack2016, audience: Audience) -> tuple[Offer, ...]:
    if attack.dice_due:
        due = tuple(_die(game, color) for color in sorted(Counter(dict(attack.dice_due)).elements()))
        text = said("Roll the added dice: {dice}", dice=dice_in_words(attack.dice_due))
        return (Offer(type="roll_added", text=text, roll=DiceInput(dice=due, form="pairs"), is_main=True),)
    helps = (*_abilities(game, attack.attacker), *_abilities(game, attack.defender), *_reroll(game, attack))
    return (*_defence(game, attack), *_reactions(game, attack, audience), *helps)


def _abilities(game: Match2016, figure: str) -> tuple[Offer, ...]:
    prompts = list_ability_prompts(game, figure)
    return tuple(Offer(type=one.type, text=one.text, side=one.side, fields=one.fields) for one in prompts)


def _reroll(game: Match2016, attack: PendingAttack2016) -> tuple[Offer, ...]:
    if not attack.rerolls:
        return ()
    dice = tuple(replace(_die(game, color), shown=str(icons)) for color, icons in attack.dice)
    return (
        Offer(
            type="reroll",
            text=counted("Roll {n} die again", "Roll up to {n} dice again", attack.rerolls),
            side=game.piece(attack.attacker).side,
            roll=DiceInput(dice=dice, form="values", field="faces", picks=True),
        ),
    )


def _change(reason: str, damage: int, shields: int) -> Said:
    if damage and shields:
        return said("{reason}: damage {damage}, shields {shields}", **_format_signed(reason, damage, shields))
    if damage:
        return said("{reason}: damage {damage}", reason=named([reason]), damage=f"{damage:+d}")
    return said("{reason}: shields {shields}", reason=named([reason]), shields=f"{shields:+d}")


def _format_signed(reason: str, damage: int, shields: int) -> dict[str, str | Said]:
    return {"reason": named([reason]), "damage": f"{damage:+d}", "shields": f"{shields:+d}"}


def _defence(game: Match2016, attack: PendingAttack2016) -> tuple[Offer, ...]:
    defender = game.piece(attack.defender)
    owner = defender.id if defender.side == MARINES else INVADER
    printed = owner not in game.decks and STUNNED not in defender.marks
    inputs = _card_inputs() if printed else ()
    if not attack.defended:
        text = said("{figure}: reveal a defence card", figure=defender.id)
        if STUNNED in defender.marks:
            text = said("{figure} is stunned and reveals no card", figure=defender.id)
        return (Offer(type="defend", text=text, side=defender.side, inputs=inputs, is_main=True),)
    dealt = said("Apply {damage} damage to {figure}", damage=damage_of(game, attack), figure=defender.id)
    resolve = Offer(type="resolve", text=dealt, is_main=True)
    if not has_cover(game, attack) or len(attack.revealed) != 1:
        return (resolve,)
    text = said("{figure} is in cover: take another card instead", figure=defender.id)
    return (resolve, Offer(type="defend", text=text, side=defender.side, fields={"again": True}, inputs=inputs))


def _card_inputs() -> tuple[Input, ...]:
    return (
        Input(field="shields", kind="count", text=said("Shields on the card"), value=0),
        Input(field="dodge", kind="toggle", text=said("Dodge on the card"), value=False),
        Input(field="special", kind="toggle", text=said("Special defence on the card"), value=False),
    )


def _reactions(game: Match2016, attack: PendingAttack2016, audience: Audience) -> tuple[Offer, ...]:
    if game.piece(attack.defender).side != MARINES or not audience.sees(MARINES):
        return ()
    hand = game.deck(attack.defender).hand
    cards = [card for card in dict.fromkeys(hand) if game.card(card).kind == "reaction"]
    return tuple(
        Offer(
            type="react",
            text=said("{figure} reacts with {card}", figure=attack.defender, card=game.card(card).name),
            side=MARINES,
            fields={"card": card},
        )
        for card in cards
    )


def _modify() -> Offer:
    return Offer(
        type="modify",
        text=said("A card or an ability changes the attack"),
        inputs=(
            Input(field="reason", kind="text", text=said("Which one")),
            Input(field="damage", kind="change", text=said("Damage"), value=0),
            Input(field="shields", kind="change", text=said("Shields"), value=0),
        ),
    )


def _judge(audience: Audience) -> tuple[Offer, ...]:
    return (Offer(type="call_off", text=said("Call the attack off")),) if audience.is_judge else ()

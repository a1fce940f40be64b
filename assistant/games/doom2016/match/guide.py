"""The attack assistant of DOOM 2016 (rules A5): ready attacks with their odds, dice, defence, damage."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from assistant.errors import IllegalStep
from assistant.games.doom2016.match.attack import (
    MAX_ICONS,
    CallOff,
    Defend,
    ModifyDamage,
    RerollDamage,
    ResolveDamage,
    RollAddedDice,
)
from assistant.games.doom2016.match.attack_rules import (
    count_colors,
    damage_of,
    defender_of,
    explain_attack,
    may_choose_drop,
)
from assistant.games.doom2016.match.card_words import word_play
from assistant.games.doom2016.match.cards import UseAbility
from assistant.games.doom2016.match.setup import AttackProfile, IgnoreCover
from assistant.games.doom2016.match.state import STUNNED, Match2016, PendingAttack2016
from assistant.games.doom2016.rules import attack as rules
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
    offer_prompts,
    plan_attack,
)
from assistant.match.rulings import sight_document
from assistant.translations.messages import Said, color_in_words, dice_in_words, named, said


def build_guide(game: Match2016, wish: Wish, audience: Audience) -> Guide:
    """Return the assistant for the open attack, or for the considered one."""
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
        fields={"defender": wish.defender, "profile": index, **dict(_collect_typed(game, wish))},
        inputs=(drop,) if stunned and len(drops) > 1 and may_choose_drop(game) else (),
        roll=DiceInput(dice=tuple(_die(game, color) for color in rolled), form="pairs"),
        odds=_chances(advise(game, wish.question(profile=index))["odds"]),
        is_main=index == 0,
        is_plan=True,
    )


def _collect_typed(game: Match2016, wish: Wish) -> tuple[tuple[str, Any], ...]:
    typed = () if game.ground else collect_typed(wish, has_cover=True)
    return typed if wish.drop is None else (*typed, ("drop", wish.drop))


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
        outlook=(Share(text=said("frag"), chance=odds["frag"]),),
        mean=said("{mean} damage on average", mean=round(odds["mean"], 1)),
    )


def _open(game: Match2016, attack: PendingAttack2016, audience: Audience) -> Guide:
    changes = tuple(_word_change(reason, damage, shields) for reason, damage, shields in attack.changes)
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
        offers=(
            *_list_next(game, attack, audience),
            *offer_prompts((ModifyDamage.prompt(),), inputs=_CHANGE_INPUTS),
            *offer_prompts((CallOff.prompt(),) if audience.is_judge else ()),
        ),
    )


def _list_next(game: Match2016, attack: PendingAttack2016, audience: Audience) -> tuple[Offer, ...]:
    """Return every prompt for the open attack, with its dice and the inputs for printed cards."""
    if attack.dice_due:
        due = tuple(_die(game, color) for color in sorted(Counter(dict(attack.dice_due)).elements()))
        return offer_prompts(RollAddedDice.prompts(game), roll=DiceInput(dice=due, form="pairs"), is_main=True)
    defender = game.piece(attack.defender)
    owner = defender.id if defender.side == MARINES else INVADER
    is_printed = owner not in game.decks and STUNNED not in defender.marks
    dice = tuple(replace(_die(game, color), shown=str(icons)) for color, icons in attack.dice)
    again = DiceInput(dice=dice, form="values", field="faces", picks=True)
    return (
        *offer_prompts(ResolveDamage.prompts(game), is_main=True),
        *offer_prompts(Defend.prompts(game), inputs=_CARD_INPUTS if is_printed else (), is_main=not attack.defended),
        *_reactions(game, attack, audience),
        *offer_prompts(UseAbility.prompts(game)),
        *offer_prompts(RerollDamage.prompts(game), roll=again),
    )


def _word_change(reason: str, damage: int, shields: int) -> Said:
    who, more_damage, more_shields = named([reason]), f"{damage:+d}", f"{shields:+d}"
    if damage and shields:
        return said(
            "{reason}: damage {damage}, shields {shields}", reason=who, damage=more_damage, shields=more_shields
        )
    if damage:
        return said("{reason}: damage {damage}", reason=who, damage=more_damage)
    return said("{reason}: shields {shields}", reason=who, shields=more_shields)


_CARD_INPUTS = (
    Input(field="shields", kind="count", text=said("Shields on the card"), value=0),
    Input(field="dodge", kind="toggle", text=said("Dodge on the card"), value=False),
    Input(field="special", kind="toggle", text=said("Special defence on the card"), value=False),
)
"""The inputs for a printed defence card."""

_CHANGE_INPUTS = (
    Input(field="reason", kind="text", text=said("Which one")),
    Input(field="damage", kind="change", text=said("Damage"), value=0),
    Input(field="shields", kind="change", text=said("Shields"), value=0),
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
            note=word_play(game.card(card)),
            side=MARINES,
            fields={"card": card},
        )
        for card in cards
    )


def advise(game: Match2016, question: AttackQuery) -> dict[str, Any]:
    """Return the facts of an attack; ``odds`` is None if the mission does not describe the dice.

    All unseen defence cards, pile and hand together, count as equally likely. So the odds reveal nothing about a hand.
    """
    attacker, defender = game.piece(question.attacker), game.piece(question.defender)
    ruling = sight_document(game, attacker.id, defender.id) if game.ground else None
    away = question.range if ruling is None else ruling["range"]
    cover = (question.cover if ruling is None else bool(ruling["cover"])) and len(defender.cells) <= 1
    profile = _profile(game, attacker, question.profile)
    return {
        "ruling": ruling,
        "range": away,
        "reach": profile.range,
        "in_reach": away is not None and away <= profile.range,
        "cover": cover,
        "dice": dict(profile.dice),
        "odds": _odds(game, attacker, defender, profile, cover),
    }


def _profile(game: Match2016, attacker: Piece, index: int) -> AttackProfile:
    turn = game.turn
    if turn is not None and turn.figure == attacker.id and index < len(turn.attacks):
        return turn.attacks[index]
    if attacker.side == INVADER:
        return game.demon_setup(attacker.kind).attack
    raise IllegalStep(
        said("{attacker} has no attack ready; play an action card with an attack first", attacker=attacker.id)
    )


def _odds(
    game: Match2016, attacker: Piece, defender: Piece, profile: AttackProfile, cover: bool
) -> dict[str, Any] | None:
    if not set(profile.dice) <= set(game.setup.dice):
        return None
    ignores = any(isinstance(effect, IgnoreCover) for effect in profile.effects)
    attacking = rules.Attack(attacker.id, profile.dice, STUNNED in attacker.marks, ignores)
    target = defender_of(game, defender.id, cover)
    odds = rules.damage_odds(attacking, game.setup.dice, target, _collect_unseen(game, defender), game.rules.options)
    return {
        "damage": {str(amount): float(chance) for amount, chance in sorted(odds.chances.items())},
        "mean": float(odds.mean(int)),
        "frag": float(rules.frag_chance(odds, target)),
    }


def _collect_unseen(game: Match2016, defender: Piece) -> rules.DefenceDeck:
    deck = game.deck(defender.id if defender.side == MARINES else INVADER)
    return rules.DefenceDeck(_count_cards(game, (*deck.pile, *deck.hand)), _count_cards(game, deck.discard))


def _count_cards(game: Match2016, cards: tuple[str, ...]) -> dict[rules.DefenceCard, int]:
    known = (game.card(card) for card in cards)
    return dict(Counter(rules.DefenceCard(card.shields, card.dodge, card.special) for card in known))

"""The rules of an attack of DOOM 2016: dice, defender, damage and its steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import fmean

from assistant.games.doom2016.match.setup import (
    AddDice,
    AttackProfile,
    ChangeDamage,
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
    When,
)
from assistant.games.doom2016.match.state import STUNNED, Match2016, PendingAttack2016, ShownCard, find_abilities
from assistant.games.doom2016.rules import attack as rules
from assistant.match.game import INVADER, MARINES, Moment
from assistant.rules.ruling import Reason
from assistant.translations.messages import Said, counted, named, said, spaced


def has_cover(game: Match2016, attack: PendingAttack2016) -> bool:
    """Return whether the defender's cover counts. A large figure never has any (A2)."""
    return attack.cover and not attack.ignores_cover and len(game.piece(attack.defender).cells) <= 1


def may_take_second_card(game: Match2016, attack: PendingAttack2016) -> bool:
    """Return whether cover lets the defender replace the only card that it has revealed."""
    return has_cover(game, attack) and len(attack.revealed) == 1


def damage_of(game: Match2016, attack: PendingAttack2016) -> int:
    """Return the damage that gets through, card effects included (A5, step 5)."""
    defender = defender_of(game, attack.defender, has_cover(game, attack))
    icons = sum(icons for _, icons in attack.dice) + sum(damage for _, damage, _ in attack.changes)
    shown = list_counting_cards(attack)[-1] if attack.cards else ShownCard()
    shields = shown.shields + sum(shields for _, _, shields in attack.changes)
    card = rules.DefenceCard(shields, shown.dodge or attack.reaction_dodge, shown.special)
    return rules.count_damage(max(0, icons), defender, card, game.rules.options)


def word_sum(game: Match2016, attack: PendingAttack2016) -> Said:
    """Return the damage as it stands, term by term: what was rolled, what cards change, what the defence takes off."""
    defender = defender_of(game, attack.defender, has_cover(game, attack))
    shown = list_counting_cards(attack)[-1] if attack.cards else ShownCard()
    terms = [said("{icons} rolled", icons=sum(icons for _, icons in attack.dice))]
    terms += [
        said("{sign} {count} ({reason})", sign=_sign(damage), count=abs(damage), reason=named([reason]))
        for reason, damage, _ in attack.changes
        if damage
    ]
    special = defender.special if shown.special else rules.NOTHING_SHOWN
    shields = shown.shields + special.shields
    if shields:
        terms.append(counted("− {n} shield", "− {n} shields", shields))
    if rules.has_skin(defender, game.rules.options):
        terms.append(said("− 1 (thick skin)"))
    terms += [
        said("{sign} {count} ({reason})", sign=_sign(-shields), count=abs(shields), reason=named([reason]))
        for reason, _, shields in attack.changes
        if shields
    ]
    if shown.dodge or special.dodge or attack.reaction_dodge:
        terms.append(said("− all (dodge)"))
    return said("{terms} = {damage} damage", terms=spaced(*terms), damage=damage_of(game, attack))


def _sign(change: int) -> str:
    return "+" if change > 0 else "−"


def list_counting_cards(attack: PendingAttack2016) -> tuple[ShownCard, ...]:
    """Return the revealed cards, the last of which counts: without a second card if cover is ignored.

    The attacker's effects (step 4) come after the defence (step 3), so cover may be ignored after the second card.
    """
    return attack.cards[:1] if attack.ignores_cover else attack.cards


def explain_attack(game: Match2016, attack: PendingAttack2016) -> tuple[Reason, ...]:
    """Return the reasons for every step of the attack, before the effects of cards and abilities."""
    attacking = rules.Attack(attack.attacker, Counter(c for c, _ in attack.dice), attack.attacker_stunned)
    defender = defender_of(game, attack.defender, has_cover(game, attack))
    counting = list_counting_cards(attack)
    cards = [rules.DefenceCard(card.shields, card.dodge, card.special) for card in counting]
    icons = [icons for _, icons in attack.dice]
    return rules.attack(attacking, icons, defender, cards, game.rules.options).reasons


def defender_of(game: Match2016, figure: str, cover: bool) -> rules.Defender:
    """Return a figure as the rules' defender."""
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


def ask_defence(game: Match2016) -> Iterator[Moment]:
    """Yield the moments of the defence (step 3): the second card in cover, reactions, event cards and abilities.

    They follow from public facts: cover, and the unseen cards of pile and hand together. The defender comes first: the
    match waits in its words.
    """
    attack = game.pending
    if attack is None or not attack.defended or attack.effects_begun or attack.dice_due or game.summons_due:
        return
    defender = game.piece(attack.defender)
    figure, note = defender.id if defender.side == MARINES else None, word_sum(game, attack)
    if may_take_second_card(game, attack) and STUNNED not in defender.marks and not is_settled(game, attack):
        text = said("does {figure} in cover take another card?", figure=defender.id)
        answer = {"type": "defend", "again": True}
        yield Moment(
            id="second card",
            side=defender.side,
            figure=figure,
            text=text,
            answers=(answer,),
            note=note,
            clock="always",
        )
    if defender.side == INVADER:
        yield from _ask_invader(game, "event at the defence", defender.id)
        return
    damage = damage_of(game, attack)
    for name in sorted((marine.id for marine in game.setup.marines), key=lambda name: name != figure):
        if _may_hold_reaction(game, attack, name) or (name == figure and _has_ability(game, name, "defending")):
            answers = ({"type": "react", "figure": name}, {"type": "use_ability", "figure": name})
            text = said("does {figure} react?", figure=name)
            if name == figure:
                text = said("does {figure} react to {damage} damage?", figure=name, damage=damage)
            yield Moment(
                id=f"reaction {name}",
                side=MARINES,
                figure=name,
                text=text,
                answers=answers,
                note=note,
                no=said("No reaction: {damage} damage so far", damage=damage),
                clock="always",
            )


def _may_hold_reaction(game: Match2016, attack: PendingAttack2016, marine: str) -> bool:
    """Return whether a hand may hold a reaction that changes something, by what everybody knows of its deck.

    Cards that only protect help their own marine alone, and nothing any more once no damage can get through.
    """
    if not _has_cards(game, marine):
        return False
    if marine not in game.decks:
        return True
    deck, defends = game.deck(marine), marine == attack.defender
    reactions = [card for card in map(game.card, {*deck.hand, *deck.pile}) if card.kind == "reaction"]
    is_open = defends and not is_settled(game, attack)
    return any(card.effects or (is_open and (card.shields or card.dodge)) for card in reactions)


def is_settled(game: Match2016, attack: PendingAttack2016) -> bool:
    """Return whether no damage gets through, whatever the attacker may still add."""
    if damage_of(game, attack):
        return False
    is_demon = game.piece(attack.attacker).side == INVADER
    can_add = attack.rerolls or _has_ability(game, attack.attacker, "attacking") or (is_demon and _may_hold_event(game))
    return _is_dodged(game, attack) or not can_add


def _is_dodged(game: Match2016, attack: PendingAttack2016) -> bool:
    shown = list_counting_cards(attack)[-1] if attack.cards else ShownCard()
    special = shown.special and defender_of(game, attack.defender, has_cover(game, attack)).special.dodge
    return shown.dodge or special or attack.reaction_dodge


def ask_attacker(game: Match2016) -> Iterator[Moment]:
    """Yield the moment of the attacker (step 4): effects that change the attack, before the damage."""
    attack = game.pending
    if attack is None or not attack.defended or attack.dice_due or game.summons_due:
        return
    attacker = game.piece(attack.attacker)
    if attacker.side == INVADER:
        yield from _ask_invader(game, "event in the attack", attacker.id, is_later=True)
    elif attack.rerolls or _has_ability(game, attacker.id, "attacking"):
        answers = ({"type": "use_ability", "figure": attacker.id}, {"type": "reroll"})
        text = said("does {figure} change the attack?", figure=attacker.id)
        note = word_sum(game, attack)
        yield Moment(
            id="effects", side=MARINES, figure=attacker.id, text=text, answers=answers, is_later=True, note=note
        )


def _ask_invader(game: Match2016, moment: str, demon: str, *, is_later: bool = False) -> Iterator[Moment]:
    defends = game.the_attack().defender == demon
    if _may_hold_event(game) or (_has_ability(game, demon, "defending" if defends else "attacking")):
        answers = ({"type": "play_event"}, {"type": "use_ability", "figure": demon})
        text = said("an event card or an ability for {figure}?", figure=demon)
        note = word_sum(game, game.the_attack())
        yield Moment(id=moment, side=INVADER, text=text, answers=answers, is_later=is_later, note=note, clock="always")


def _may_hold_event(game: Match2016) -> bool:
    """Return whether the invader's hand may hold a useful card, by the public facts about his deck."""
    if not _has_cards(game, INVADER):
        return False
    if INVADER not in game.decks:
        return True
    deck = game.deck(INVADER)
    return any(is_event_of_use(game, card) for card in {*deck.hand, *deck.pile})


def is_event_of_use(game: Match2016, name: str) -> bool:
    """Return whether an event card would change something in the open attack, or else now.

    The mission describes the cards of all events or of none. Without a description, people carry out their text.
    """
    card, attack = game.card(name), game.pending
    if not card.effects:
        return not any(event.effects for event in map(game.card, game.setup.events))
    if attack is None:
        return True
    defends = game.piece(attack.defender).side == INVADER
    if card.when not in ("any", "defending" if defends else "attacking") or card.name in list_names_in_use(game):
        return False
    return any(_helps(game, attack, effect, defends) for effect in card.effects)


def _helps(game: Match2016, attack: PendingAttack2016, effect: Effect, defends: bool) -> bool:
    """Return whether an effect helps the demon in the open attack; an attacker can keep some for later."""
    if isinstance(effect, ChangeDamage):
        return not is_settled(game, attack) if effect.amount < 0 else not (defends or _is_dodged(game, attack))
    if isinstance(effect, GiveShields | GiveDodge):
        return defends and not is_settled(game, attack)
    if isinstance(effect, AddDice | RerollDice | IgnoreCover | StunDefender):
        return not (defends or _is_dodged(game, attack))
    if isinstance(effect, HealSelf):
        return defends and game.piece(attack.defender).harm > 0
    return defends or not isinstance(effect, GainMovement | ExtraAttack | DrawCards)


def list_names_in_use(game: Match2016) -> set[str]:
    """Return the names of the event cards in use: in the open attack and, by house option, in the activation."""
    played = () if game.pending is None else game.pending.played
    if game.turn is not None and game.rules.options["same_events"] == "activation":
        played = (*played, *game.turn.events)
    return {game.card(name).name for name in played}


def _has_cards(game: Match2016, owner: str) -> bool:
    """Return whether a hand may hold cards. The program does not know printed ones."""
    return owner not in game.decks or bool(game.deck(owner).hand)


def _has_ability(game: Match2016, figure: str, when: When) -> bool:
    return any(ability.when in ("any", when) for ability in find_abilities(game, game.piece(figure)))


def count_colors(game: Match2016, profile: AttackProfile, stunned: bool, drop: str | None) -> Counter[str]:
    """Count the dice of each colour to roll. A stunned attacker leaves one out (A9 stun_drop_die)."""
    colors = Counter(dict(profile.dice))
    if stunned and colors.total():
        colors[_choose_left_out(game, +colors, drop)] -= 1
    return +colors


def may_choose_drop(game: Match2016) -> bool:
    """Return whether a stunned attacker's player chooses the die to leave out."""
    return game.rules.options["stun_drop_die"] == "controller"


def _choose_left_out(game: Match2016, colors: Counter[str], drop: str | None) -> str:
    if may_choose_drop(game) and drop is not None and colors[drop]:
        return drop
    # A die without faces in the mission counts as the weakest.
    by_strength = sorted(colors, key=lambda color: (fmean(game.setup.dice.get(color) or (0,)), color))
    return by_strength[-1 if game.rules.options["stun_drop_die"] == "strongest" else 0]

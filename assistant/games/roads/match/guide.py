"""The attack assistant of `roads` (rules C2, C5): shots with their reactions, melee, hits, tests."""

from __future__ import annotations

from msgspec.structs import replace

from assistant.games.roads.match.answers import may_react
from assistant.games.roads.match.duel import (
    count_dice,
    count_excess,
    explain_excess,
    find_blocked_dice,
    find_decider,
    list_rerolls,
    make_fighters,
    resolve_duel,
)
from assistant.games.roads.match.melee_steps import Strike, list_odd_weapons
from assistant.games.roads.match.pending import (
    AnnouncedShot,
    HitsDue,
    PendingDuel,
    PendingTest,
    Reaction,
    word_hits,
    word_test,
)
from assistant.games.roads.match.psychology import reasons_of_shot, reasons_of_test
from assistant.games.roads.match.shot_steps import CallOffShot
from assistant.games.roads.match.state import Mark, MatchRoads
from assistant.games.roads.match.weapons import in_hand, is_of_kind, needed_of_house, word_sheets
from assistant.games.roads.rules.checks import pass_chance, shoot_first
from assistant.games.roads.rules.melee_odds import has_odds, mean_hits, melee_odds
from assistant.games.roads.rules.reasons import HOUSE
from assistant.match.audience import Audience
from assistant.match.game import Piece
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
    offer_prompts,
    plan_attack,
)
from assistant.rules.odds import Odds
from assistant.rules.reasons import reason
from assistant.rules.ruling import Reason
from assistant.translations.messages import counted, named, said

D6 = tuple(FaceButton(text=str(value), value=value) for value in range(1, 7))


def guide(game: MatchRoads, wish: Wish, audience: Audience) -> Guide:
    """Return the attack assistant: open hits and tests first, then the open fight, then a planned attack."""
    if game.hits:
        return _guide_hits(game, game.hits[0])
    if game.due:
        return _guide_test(game, game.due[0])
    if game.duel is not None:
        return _guide_fight(game, game.duel)
    if game.reaction is not None or game.shot is not None:
        return _guide_shot(game)
    plan = plan_attack(game, wish, lambda: _offer_attacks(game, wish))
    if plan.attacker is None or plan.defender is None or game.phase == "melee":
        return plan
    return replace(plan, sight=(*plan.sight, *reasons_of_shot(game, plan.attacker, plan.defender)))


def _guide_hits(game: MatchRoads, hit: HitsDue) -> Guide:
    is_rolled = needed_of_house(game, "armour_roll") is not None
    count = (Input(field="wounds", kind="count", text=said("Wounds after armour"), value=0),)
    inputs = (
        *(() if is_rolled else count),
        Input(field="down", kind="toggle", text=said("Knocked down"), value=False),
        Input(field="out", kind="toggle", text=said("Out of the game"), value=False),
    )
    fields = {"figure": hit.figure}
    offer = Offer(type="wound", text=said("Apply it"), fields=fields, inputs=inputs, is_main=True)
    held = (said("Weapons: {weapons}", weapons=named(hit.weapons)),) if hit.weapons else ()
    weapons = (*held, *word_sheets(game, hit))
    lying = (said("{figure} is down: one hit through armour is the end", figure=hit.figure),)
    kills = not hit.is_shot or game.rules.options["fallen_dies"] == "any"
    down = lying if kills and Mark.DOWN in game.piece(hit.figure).marks else ()
    return Guide(
        stage="open",
        attacker=hit.by,
        defender=hit.figure,
        changes=(*weapons, *down),
        steps=_explain_fallen(game, hit),
        outcome=word_hits(hit),
        offers=(offer,),
    )


def _explain_fallen(game: MatchRoads, hit: HitsDue) -> tuple[Reason, ...]:
    """Return the reason for a house option that decides whether a shot kills a fallen model."""
    if not hit.is_shot or Mark.DOWN not in game.piece(hit.figure).marks:
        return ()
    chosen = game.rules.options["fallen_dies"]
    phrase, other = ("fallen", "melee") if chosen == "any" else ("fallen_lives", "any")
    house = {"option": "fallen_dies", "choice": chosen, "other": other}
    return (reason(HOUSE, phrase, figure=hit.figure, **house),)


def _guide_test(game: MatchRoads, due: PendingTest) -> Guide:
    odds = None
    if due.value is not None:
        chance = pass_chance(due.value, game.rules.options)
        odds = Chances(outlook=(Share(text=said("Passed"), chance=float(chance)),))
    roll = DiceInput(dice=(Die(name=said("Die"), faces=D6, field="roll"),), form="fields")
    offer = Offer(type="test", text=word_test(due), side=due.side, roll=roll, odds=odds, is_main=True)
    steps = reasons_of_test(game, due)
    return Guide(stage="open", attacker=due.figure, defender=due.against, steps=steps, offers=(offer,))


def _guide_fight(game: MatchRoads, duel: PendingDuel) -> Guide:
    odd = list_odd_weapons(game)
    choices = tuple(Choice(value=name, text=named([name])) for name in odd)
    asked = Input(field="odd_weapon", kind="choice", text=said("Odd hit"), choices=choices, value=odd[0] if odd else "")
    strike = Offer(type="strike", text=said("Apply it"), inputs=(asked,) if odd else (), is_main=True)
    fighters = tuple(Choice(value=name, text=named([name])) for name in duel.fighters)
    ability = Offer(
        type="modify",
        text=said("An ability changes the result of the fight"),
        inputs=(
            Input(field="figure", kind="choice", text=said("Who?"), choices=fighters, value=duel.fighters[0]),
            Input(field="change", kind="change", text=said("Change"), value=0),
        ),
    )
    rerolls = tuple(offer for place in (0, 1) for offer in _offer_rerolls(game, duel, place))
    return Guide(
        stage="open",
        attacker=duel.fighters[0],
        defender=duel.fighters[1],
        rolled=tuple(
            Die(name=named([duel.fighters[group]]), faces=(), group=group, shown=str(face))
            for group in (0, 1)
            for face in duel.rolls[group].final
        ),
        steps=(*resolve_duel(game).steps, *(explain_excess(game, duel.fighters) if game.ground else ())),
        outcome=Strike().title(game),
        offers=(strike, *rerolls, ability),
    )


def _offer_rerolls(game: MatchRoads, duel: PendingDuel, place: int) -> tuple[Offer, ...]:
    own = game.piece(duel.fighters[place])
    lying = {
        "block": find_blocked_dice(game, duel.rolls[1 - place].final),
        "hatred": duel.rolls[place].final,
    }
    return tuple(_offer_reroll(own, why, lying[why]) for why in list_rerolls(game, duel, place))


def _offer_reroll(piece: Piece, why: str, lying: tuple[int, ...]) -> Offer:
    if why == "block":
        # The rules pick the enemy's highest die, so people only give its new face.
        dice = tuple(Die(name=said("Highest die"), faces=D6, shown=str(face)) for face in lying)
        text = said("{figure} blocks: re-roll the highest die", figure=piece.id)
    else:
        dice = tuple(Die(name=said("Die"), faces=D6, shown=str(face)) for face in lying)
        text = said("{figure} hates: re-roll own dice", figure=piece.id)
    roll = DiceInput(dice=dice, form="values", field="faces", picks=why == "hatred")
    return Offer(type="reroll", text=text, side=piece.side, fields={"figure": piece.id, "why": why}, roll=roll)


def _guide_shot(game: MatchRoads) -> Guide:
    """Return the guide for an announced shot: its roll, with the target's reaction or an offer of one."""
    if game.reaction is not None:
        return _guide_reaction(game, game.reaction)
    shot = game.shot
    assert shot is not None, "a shot is announced"
    rolled = _offer_shot(game, shot.figure, shot.target, asks_total=False)
    reactions = _offer_reactions(game, shot) if may_react(game, shot.target) else ()
    sight = reasons_of_shot(game, shot.figure, shot.target)
    off = offer_prompts(CallOffShot.prompts(game))
    return Guide(
        stage="open", attacker=shot.figure, defender=shot.target, sight=sight, offers=(rolled, *reactions, *off)
    )


def _guide_reaction(game: MatchRoads, reaction: Reaction) -> Guide:
    """Return the guide for a shot with a reaction: a target that shoots first, then the announced shooter."""
    figure, total = reaction.figure, reaction.total
    changes = [said("{figure} has {total} against the shot", figure=figure, total=total)]
    if Mark.PRONE in game.piece(figure).marks:
        changes.append(said("{figure} lies down: the shot has a penalty for a small target", figure=figure))
    if reaction.is_first:
        changes = [said("{figure} shoots first, at -1 to hit", figure=figure)]
    shooter, target = (figure, reaction.shooter) if reaction.is_first else (reaction.shooter, figure)
    shot = _offer_shot(game, shooter, target, asks_total=reaction.how != "shoot first")
    off = offer_prompts(CallOffShot.prompts(game))
    return Guide(stage="open", attacker=shooter, defender=target, changes=tuple(changes), offers=(shot, *off))


def _offer_attacks(game: MatchRoads, wish: Wish) -> tuple[Offer, ...]:
    attacker, defender = str(wish.attacker), str(wish.defender)
    if game.phase == "melee":
        return (_offer_fight(game, attacker, defender),)
    held = in_hand(game, attacker)
    if all(is_of_kind(game, name, "melee") for name in held):
        return ()
    shot = _offer_shot(game, attacker, defender, asks_total=False)
    if not may_react(game, defender):
        return (shot,)
    fields = {"figure": attacker, "target": defender}
    text = said("{figure} announces the shot: {target} may react", figure=attacker, target=defender)
    announced = Offer(type="announce", text=text, side=game.piece(attacker).side, fields=fields)
    return (shot, *_offer_reactions(game, AnnouncedShot(figure=attacker, target=defender)), announced)


def _offer_shot(game: MatchRoads, shooter: str, target: str, *, asks_total: bool) -> Offer:
    held = in_hand(game, shooter)
    shooting = [name for name in held if not is_of_kind(game, name, "melee")]
    weapons = tuple(Choice(value=name, text=named([name])) for name in shooting or held)
    total = Input(field="total", kind="change", text=said("The shooter's roll, before modifiers"), value=0)
    is_rolled = needed_of_house(game, "shot_roll") is not None
    hits = (Input(field="hits", kind="count", text=said("Hits"), value=0),)
    entered = said("{figure} shoots: enter the hits you rolled", figure=shooter)
    return Offer(
        type="shoot",
        text=said("{figure} shoots: the program rolls", figure=shooter) if is_rolled else entered,
        side=game.piece(shooter).side,
        fields={"figure": shooter, "target": target},
        inputs=(
            *(() if is_rolled else hits),
            *((total,) if asks_total else ()),
            Input(field="weapon", kind="choice", text=said("Weapon"), choices=weapons, value=weapons[0].value),
            Input(field="silent", kind="toggle", text=said("Silent weapon"), value=False),
            Input(field="misfire_test", kind="toggle", text=said("The roll calls for a misfire test"), value=False),
            Input(field="misfires", kind="toggle", text=said("The weapon misfires"), value=False),
        ),
        is_main=True,
        is_plan=True,
    )


def _offer_reactions(game: MatchRoads, shot: AnnouncedShot) -> tuple[Offer, ...]:
    """Return the target's reactions before the shot. The known rules lack the shooter's own roll (C5)."""
    shooter, target = shot.figure, shot.target
    own = Die(name=named([target]), faces=D6, field="roll")
    both = (own, Die(name=named([shooter]), faces=D6, field="shooter_roll", group=1))
    chance = shoot_first(game.fighter(target).mobility, game.fighter(shooter).mobility).chance
    first = Chances(outlook=(Share(text=said("{figure} shoots first", figure=target), chance=float(chance)),))
    kinds = (
        ("duck", said("{figure} ducks", figure=target), (own,), None),
        ("take cover", said("{figure} takes cover or lies down", figure=target), (own,), None),
        ("shoot first", said("{figure} tries to shoot first", figure=target), both, first),
    )
    return tuple(
        Offer(
            type="react",
            text=text,
            side=game.piece(target).side,
            fields={"figure": target, "shooter": shooter, "how": how, "moment": shot.moment},
            roll=DiceInput(dice=dice, form="fields"),
            odds=odds,
        )
        for how, text, dice, odds in kinds
    )


def _offer_fight(game: MatchRoads, attacker: str, defender: str) -> Offer:
    pair = (attacker, defender)
    excess = count_excess(game, pair) if game.ground else {}
    duel = PendingDuel(fighters=pair, excess=excess)
    counts = count_dice(game, duel)
    dice = tuple(
        Die(name=named([name]), faces=D6, group=group)
        for group, (name, count) in enumerate(zip(pair, counts, strict=True))
        for _ in range(count)
    )
    return Offer(
        type="fight",
        text=said("{first} and {second} fight", first=attacker, second=defender),
        side=find_decider(game, pair) if game.ground else None,
        fields={"fighters": list(pair)},
        inputs=tuple(_ask_conditions(name) for name in pair),
        roll=DiceInput(dice=dice, form="groups", field="rolls"),
        odds=_find_melee_chances(game, duel),
        is_main=True,
        is_plan=True,
    )


def _ask_conditions(figure: str) -> Input:
    seen = (
        Choice(value="higher", text=said("stands higher")),
        Choice(value="across_cover", text=said("strikes into cover or across an obstacle")),
    )
    return Input(field="conditions", kind="tags", key=figure, text=named([figure]), choices=seen, value=[])


def _find_melee_chances(game: MatchRoads, duel: PendingDuel) -> Chances | None:
    """Return the odds of a fight, or None if it has too many dice for the computation."""
    first, second = make_fighters(game, duel)
    is_down = first.has("down") or second.has("down")
    if not is_down and not has_odds((first, second), game.rules.options):
        return None
    odds = melee_odds(first, second, game.rules.options)
    mean = said(
        "{mean} hits on average, {taken} suffered",
        mean=round(float(mean_hits(odds, first.name)), 1),
        taken=round(float(mean_hits(odds, second.name)), 1),
    )
    return Chances(
        amounts=_share_hits(odds, first.name, second.name),
        outlook=_share_wins(odds, first.name, second.name),
        mean=mean,
    )


def _share_hits(odds: Odds[tuple[str | None, int]], first: str, second: str) -> tuple[Share, ...]:
    """Return the chances of each number of hits: the first fighter's before the other's, the most hits first."""
    ordered = sorted(odds, key=lambda item: (item[0][0] != first, item[0][0] == second, -item[0][1]))
    return tuple(
        Share(text=counted("{figure}: {n} hit", "{figure}: {n} hits", hits, figure=winner), chance=float(chance))
        for (winner, hits), chance in ordered
        if winner is not None and hits
    )


def _share_wins(odds: Odds[tuple[str | None, int]], first: str, second: str) -> tuple[Share, ...]:
    return (
        Share(text=said("{figure} wins", figure=first), chance=float(odds.chance(lambda each: each[0] == first))),
        Share(text=said("{figure} wins", figure=second), chance=float(odds.chance(lambda each: each[0] == second))),
        Share(text=said("Nobody wins"), chance=float(odds.chance(lambda each: each[0] is None))),
    )

"""What may be done now in a `roads` skirmish: what is open comes before what a side may do."""

from __future__ import annotations

from assistant.games.roads.match.may_act import may_act
from assistant.games.roads.match.movement import find_watchers
from assistant.games.roads.match.pending import TEST_WORDS, HitsDue, Moving
from assistant.games.roads.match.psychology import (
    find_bound_to_charge,
    find_bound_to_shuffle,
    find_charge_targets,
    may_ignore_fear,
)
from assistant.games.roads.match.state import PHASE_WORDS, Mark, MatchRoads
from assistant.games.roads.match.weapons import carried, in_hand, is_of_kind
from assistant.match.game import Prompt
from assistant.translations.messages import counted, named, said


def list_prompts(game: MatchRoads) -> tuple[Prompt, ...]:
    """What is asked for now: hits, tests, flights and ways come before what a side may do."""
    if game.phase == "setup":
        return (Prompt(type="begin", text=said("Begin the skirmish")),)
    return _open_prompts(game) or (*_advances(game), *_draw_ins(game), *_swaps(game), *_phase_prompts(game))


def _open_prompts(game: MatchRoads) -> tuple[Prompt, ...]:
    """What is open and has to be ended first; nothing if nothing is."""
    if game.hits:
        return (_hit_prompt(game, game.hits[0]),)
    if game.due:
        return _test_prompts(game)
    if game.flights:
        return (_flight_prompt(game, *next(iter(game.flights.items()))),)
    if game.duel is not None:
        return (
            Prompt(type="strike", text=said("Decide the fight")),
            Prompt(type="reroll", text=said("Block, or hatred")),
        )
    return () if game.moving is None else _way_prompts(game, game.moving)


def _hit_prompt(game: MatchRoads, hit: HitsDue) -> Prompt:
    text = counted(
        "{n} hit on {figure} by {by}: roll armour and enter the result",
        "{n} hits on {figure} by {by}: roll armour and enter the result",
        hit.hits,
        figure=hit.figure,
        by=hit.by,
    )
    return Prompt(type="wound", text=text, side=game.piece(hit.figure).side, fields={"figure": hit.figure})


def _flight_prompt(game: MatchRoads, name: str, steps: int) -> Prompt:
    text = counted("{figure} flees {n} step", "{figure} flees {n} steps", steps, figure=name)
    return Prompt(type="flee", text=text, side=game.piece(name).side, fields={"figure": name})


def _test_prompts(game: MatchRoads) -> tuple[Prompt, ...]:
    due = game.due[0]
    who = due.figure or due.side
    if due.value is None:
        text = said("{who}: roll for {kind}", who=who, kind=TEST_WORDS[due.kind])
    else:
        text = said("{who}: test of {kind}, {value} or less", who=who, kind=TEST_WORDS[due.kind], value=due.value)
    test = Prompt(type="test", text=text, side=due.side)
    if due.kind == "rout":
        return (test, Prompt(type="withdraw", text=said("{side} withdraw", side=due.side), side=due.side))
    if may_ignore_fear(game, due):
        return (test, Prompt(type="waive", text=said("{figure} causes fear and ignores it", figure=who), side=due.side))
    raging = due.figure is not None and Mark.RAGING in game.piece(due.figure).marks
    if raging and find_charge_targets(game, str(due.figure)) != ():
        return (
            test,
            Prompt(type="waive", text=said("{figure} is in frenzy and ignores it", figure=who), side=due.side),
        )
    return (test,)


def _way_prompts(game: MatchRoads, moving: Moving) -> tuple[Prompt, ...]:
    """A model is on its way: models on overwatch may shoot early, late or between, and then it goes on."""
    if game.reaction is not None:
        return (Prompt(type="shoot", text=said("Shoot")),)
    legs = len(moving.path)
    places = (
        (said("as it sets out"), 0.0),
        (said("half way"), legs / 2),
        (said("before it arrives"), float(legs) if moving.how != "charge" else legs - 0.1),
    )
    shots = tuple(
        Prompt(
            type="shoot",
            text=said("{figure} shoots on overwatch: {when}", figure=name, when=when),
            side=game.piece(name).side,
            fields={"figure": name, "target": moving.figure, "moment": moment},
        )
        for name in find_watchers(game, moving.figure)
        for when, moment in places[: 3 if legs else 1]
        if moment >= moving.moment
    )
    on = said("{figure} goes on", figure=moving.figure)
    return (*shots, Prompt(type="go_on", text=on, side=game.piece(moving.figure).side))


def _swaps(game: MatchRoads) -> tuple[Prompt, ...]:
    """Weapons that may be drawn before the fight begins, each in place of the last one in hand."""
    found = []
    for piece in game.standing():
        held, name = in_hand(game, piece.id), piece.id
        fights = name in game.seasoned or any(name in pair for pair in game.fought)
        if fights or len(carried(game, name)) == len(held) or not game.opponents_of(name):
            continue
        for other in dict.fromkeys(carried(game, name)):
            if other not in held:
                fields = {"figure": name, "weapons": [*held[:-1], other]}
                text = said("{figure} takes in hand: {weapons}", figure=name, weapons=named([*held[:-1], other]))
                found.append(Prompt(type="wield", text=text, side=piece.side, fields=fields))
    return tuple(found)


def _bound(game: MatchRoads) -> tuple[Prompt, ...]:
    """Models in frenzy that must charge, at each enemy in reach; a judge may find that none can be got at."""
    found = []
    for name in find_bound_to_charge(game):
        for target in find_charge_targets(game, name) or ():
            text = said("{figure} is in frenzy and must charge: {target}", figure=name, target=target)
            found.append(Prompt(type="charge", text=text, side=game.active, fields={"figure": name, "target": target}))
        text = said("{figure} cannot reach an enemy (judge's ruling)", figure=name)
        found.append(Prompt(type="hold_back", text=text, fields={"figure": name}))
    return tuple(found)


def _shuffles(game: MatchRoads) -> tuple[Prompt, ...]:
    """Stupid models that must shuffle on; one that something stops at once stays where it is."""
    return tuple(
        Prompt(
            type="move",
            text=said("{figure} shuffles straight on, at half speed", figure=name),
            side=game.active,
            fields={"figure": name, "how": "walk"},
        )
        for name in find_bound_to_shuffle(game)
    )


def _crawls(game: MatchRoads) -> tuple[Prompt, ...]:
    """Models of the larger side that are down and may crawl a step away."""
    return tuple(
        Prompt(
            type="crawl",
            text=said("{figure} crawls a step away from the fighting", figure=piece.id),
            side=piece.side,
            fields={"figure": piece.id},
        )
        for piece in game.standing(game.active)
        if Mark.DOWN in piece.marks and Mark.MOVED not in piece.marks
        if any(len(game.opponents_of(enemy)) > 1 for enemy in game.opponents_of(piece.id))
    )


def _jams(game: MatchRoads) -> tuple[Prompt, ...]:
    """Jammed weapons of the side whose turn it is, which people may find ready again."""
    return tuple(
        Prompt(
            type="clear_jam",
            text=said("The {weapon} of {figure} is ready again", weapon=weapon, figure=name),
            side=game.active,
            fields={"figure": name, "weapon": weapon},
        )
        for name, weapons in game.spent.items()
        for weapon in weapons
        if game.piece(name).side == game.active and not is_of_kind(game, weapon, "thrown")
    )


def _advances(game: MatchRoads) -> tuple[Prompt, ...]:
    return tuple(
        Prompt(
            type="advance",
            text=said("{figure} may advance a step", figure=name),
            side=game.piece(name).side,
            fields={"figure": name},
        )
        for name in game.to_advance
    )


def _draw_ins(game: MatchRoads) -> tuple[Prompt, ...]:
    return tuple(
        Prompt(
            type="draw_in",
            text=said("Draw {figure} into the melee", figure=name),
            side=game.piece(name).side,
            fields={"figure": name},
        )
        for name in game.to_draw_in
    )


def _phase_prompts(game: MatchRoads) -> tuple[Prompt, ...]:
    over = said("{side}: end of the phase “{phase}”", side=str(game.active), phase=PHASE_WORDS[game.phase])
    by_phase = {
        "start": (("watch", said("Put a model on overwatch"), {}),),
        "move": (
            ("move", said("A model walks"), {"how": "walk"}),
            ("move", said("A model runs"), {"how": "run"}),
            ("charge", said("Charge"), {}),
            ("manoeuvre", said("Climb or jump"), {}),
            ("hide", said("Hide a model"), {}),
        ),
        "shoot": (("shoot", said("Shoot"), {}), ("react", said("The target of an announced shot reacts"), {})),
        "melee": (("fight", said("Let two models fight"), {}),),
    }
    offers = (
        Prompt(type=kind, text=text, side=None if kind == "react" else game.active, fields=fields)
        for kind, text, fields in by_phase[game.phase]
        if may_act(game, fields.get("how", kind))
    )
    more = {"move": (*_bound(game), *_shuffles(game), *_crawls(game)), "shoot": _jams(game)}.get(game.phase, ())
    return (*more, *offers, *_watchers(game), Prompt(type="next", text=over, side=game.active))


def _watchers(game: MatchRoads) -> tuple[Prompt, ...]:
    """Models of the other sides that may shoot in this turn because they watch (C5)."""
    return tuple(
        Prompt(
            type="shoot",
            text=said("{figure} shoots on overwatch", figure=piece.id),
            side=piece.side,
            fields={"figure": piece.id},
        )
        for piece in game.standing()
        if piece.side != game.active and Mark.WATCH in piece.marks
    )

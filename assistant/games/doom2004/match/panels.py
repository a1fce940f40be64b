"""What lies beside the board of DOOM 2004: frags, what each marine carries, the invader's cards."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.games.doom2004.match.asks import describe_card
from assistant.games.doom2004.match.state import Equipment, Match2004
from assistant.match.audience import Audience
from assistant.match.game import INVADER
from assistant.match.panels import Fact, Panel
from assistant.translations.messages import Said, as_told, listed, named, said


def list_panels(game: Match2004, audience: Audience) -> tuple[Panel, ...]:
    """Everything that this reader may see."""
    marines = (_marine(name, carried) for name, carried in game.equipment.items())
    return (_score(game), *marines, _invader(game, audience))


def _score(game: Match2004) -> Panel:
    frags = said("{have} of {need}", have=game.frags, need=game.setup.goals.frags)
    keys = (Fact(name=said("Keys"), value=named(game.keys)),) if game.keys else ()
    facts = (Fact(name=said("Frags"), value=frags), *keys)
    return Panel(title=said("Score"), facts=facts, standing=tuple(_standing(game)))


def _standing(game: Match2004) -> Iterator[Said]:
    """What each side has towards its own goal; the rules set no side above the other before the end."""
    need, door = game.setup.goals.frags, game.setup.goals.escape_door
    left = max(0, need - game.frags)
    yield said("Invader: frags {have} of {need}, still needed: {left}", have=game.frags, need=need, left=left)
    key = game.setup.locks.get(door or "")
    if door is None:
        yield said("Marines: how they win is told by the scenario; people end the match")
    elif key is not None and key not in game.keys:
        yield said("Marines: still needed: the key “{key}”, then the way out: {door}", key=key, door=door)
    else:
        yield said("Marines: still needed: the way out, {door}", door=door)


def _marine(name: str, carried: Equipment) -> Panel:
    ammo = (said("{kind}: {count}", kind=kind, count=count) for kind, count in carried.ammo.items())
    facts = (
        Fact(name=said("Armour"), value=_number(carried.armor)),
        Fact(name=said("Weapons"), value=named(carried.weapons)),
        Fact(name=said("Ammunition"), value=listed(ammo)),
    )
    return Panel(title=named([name]), facts=facts, cards=tuple(named([card]) for card in carried.cards))


def _invader(game: Match2004, audience: Audience) -> Panel:
    deck = game.deck
    facts = (
        Fact(name=said("In the hand"), value=_number(len(deck.hand))),
        Fact(name=said("In the deck"), value=_number(len(deck.pile))),
        Fact(name=said("Discarded"), value=_number(len(deck.discard))),
    )
    shown = tuple(deck.hand) if audience.sees(INVADER) else ()
    cards = tuple(describe_card(game, card) for card in shown)
    title = said("Hand: {figure}", figure=INVADER)
    return Panel(title=title, facts=facts, cards=cards, ids=shown, owner=INVADER, is_hand=True)


def _number(count: int) -> Said:
    return as_told(str(count))

"""Panels beside the board of DOOM 2016: frags and goals, decks and hands, demon cards with their argent."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.games.doom2016.match.card_words import describe_card
from assistant.games.doom2016.match.invader import count_argent_left
from assistant.games.doom2016.match.places import GLORY
from assistant.games.doom2016.match.state import Match2016
from assistant.match.audience import Audience, Fact, Panel
from assistant.match.deck import Deck
from assistant.match.game import INVADER, MARINES
from assistant.translations.messages import Said, named, said, verbatim


def list_panels(game: Match2016, audience: Audience) -> tuple[Panel, ...]:
    """Return every panel for this reader."""
    return (_score(game), *_cards(game), *_hands(game, audience), *_demons(game, audience))


def _score(game: Match2016) -> Panel:
    need = game.setup.goals.frags.get(str(len(game.setup.marines)))
    facts = [Fact(name=said("Frags"), value=_word_share(game.frags, need))]
    if game.setup.goals.objectives:
        facts.append(Fact(name=said("Objectives"), value=_word_share(game.objectives, game.setup.goals.objectives)))
    if game.winner is not None:
        return Panel(title=said("Score"), facts=tuple(facts))  # what is left in the box is no result
    facts.append(Fact(name=said("Initiative cards left"), value=_word_number(len(game.initiative))))
    facts.append(Fact(name=said("Argent in the box"), value=_word_number(count_argent_left(game))))
    if game.portals:
        facts.append(Fact(name=said("Portals"), value=_word_number(len(game.portals))))
    return Panel(title=said("Score"), facts=tuple(facts))


def _cards(game: Match2016) -> Iterator[Panel]:
    """Yield the threat and objective cards of the mission with their state, which everybody may see."""
    facts = [
        Fact(name=named([trigger.name]), value=said("has happened") if trigger.name in game.fired else said("not yet"))
        for trigger in game.setup.triggers
    ]
    if game.setup.threat_cost or game.threat:
        facts.append(Fact(name=said("Threat tokens"), value=_word_number(game.threat)))
    if game.summons_due:
        facts.append(Fact(name=said("Portals that have to summon"), value=_word_number(len(game.summons_due))))
    if facts:
        yield Panel(title=said("Threat and objectives"), facts=tuple(facts))


def _hands(game: Match2016, audience: Audience) -> Iterator[Panel]:
    for owner, deck in game.decks.items():
        if owner == GLORY:
            continue
        may_see = audience.sees(INVADER if owner == INVADER else MARINES)
        shown = tuple(deck.hand) if may_see else ()
        cards = tuple(describe_card(game, card) for card in shown)
        # A marine's squad card lies face up beside his own.
        names = [marine.squad for marine in game.setup.marines if marine.id == owner and marine.squad]
        squad = [Fact(name=said("Squad card"), value=verbatim(name)) for name in names]
        yield Panel(
            title=said("Hand: {figure}", figure=owner),
            facts=(*_counts(game, deck), *squad),
            cards=cards,
            ids=shown,
            owner=owner,
            is_hand=True,
        )


def _counts(game: Match2016, deck: Deck) -> tuple[Fact, ...]:
    facts = [
        Fact(name=said("In the hand"), value=_word_number(len(deck.hand))),
        Fact(name=said("In the deck"), value=_word_number(len(deck.pile))),
        Fact(name=said("Discarded"), value=_word_number(len(deck.discard))),
    ]
    if deck.discard:
        facts.append(Fact(name=said("Last discarded"), value=named([game.card(deck.discard[-1]).name])))
    return tuple(facts)


def _demons(game: Match2016, audience: Audience) -> Iterator[Panel]:
    shown = [(kind, card) for kind, card in game.demon_cards.items() if card.face_up or audience.sees(INVADER)]
    hidden = len(game.demon_cards) - len(shown)
    states = {kind: said("ready") if card.ready else said("exhausted") for kind, card in shown}
    facts = [
        Fact(name=named([kind]), value=said("{state}, argent {count}", state=states[kind], count=card.argent))
        for kind, card in shown
    ]
    if hidden:
        facts.append(Fact(name=said("Face down"), value=_word_number(hidden)))
    facts.append(Fact(name=said("Argent on the invasion card"), value=_word_number(game.invasion_argent)))
    yield Panel(title=said("Demon cards"), facts=tuple(facts))


def _word_share(have: int, need: int | None) -> Said:
    return _word_number(have) if need is None else said("{have} of {need}", have=have, need=need)


def _word_number(count: int) -> Said:
    return verbatim(str(count))

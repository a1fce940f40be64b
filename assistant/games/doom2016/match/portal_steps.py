"""Portals, and the invader's event cards and argent (rules A6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from msgspec.structs import replace

from assistant.games.doom2016.match.effect_rules import EffectStep, Use, begin_effects, check_effects, require_moment
from assistant.games.doom2016.match.places import require_at_portal
from assistant.games.doom2016.match.round_steps import (
    MAX_INVADER_CARDS,
    count_argent_left,
    discard_events,
    list_initiative_cards,
    place_argent,
)
from assistant.games.doom2016.match.setup import InvasionGroup, Portal
from assistant.games.doom2016.match.state import DemonCard, Match2016
from assistant.match.chance import Chance
from assistant.match.game import INVADER, Cells, Count, Name, PositiveCount, SaltedStep, Step, require, require_value
from assistant.match.ground import require_on_board
from assistant.translations.messages import Said, counted, named, said


class Summon(SaltedStep[Match2016], frozen=True, kw_only=True, tag="summon"):
    """The invader turns a portal over and brings a group of its colour; the token leaves the board.

    ``group`` counts the lines of the invasion card from 0; ``cells`` says where each figure stands;
    ``argent`` spreads the group's argent and what is moved from the invasion card over the demon cards.
    """

    is_secret = True
    portal: Name
    group: Count
    cells: Mapping[str, Cells]
    argent: Mapping[str, Count] = {}

    reveals = True

    def side(self, game: Match2016) -> str | None:
        """The invader decides."""
        return INVADER

    def check(self, game: Match2016) -> None:
        """The group must fit the portal, with every figure of it that the box still has, on free cells."""
        portal = _portal(game, self.portal)
        # “Описание миссии всегда указывает, когда Захватчик может призвать демонов” (seed 001); a mission of before
        # says nothing, and people know.
        told = game.setup.goals.tutorial or game.setup.triggers
        require(portal.id in game.summons_due or not told, said("nothing summons from this portal now"))
        require(self.group < len(game.setup.invasion), said("the invasion card has no such group"))
        group = game.setup.invasion[self.group]
        require(group.portal == portal.color, said("this group belongs to a portal of another colour"))
        self._check_figures(game, group)
        require_on_board(game, tuple(cell for cells in self.cells.values() for cell in cells))
        taken = game.places_after(self.cells)
        require(len(set(taken)) == len(taken), said("summoned demons need free cells"))
        require_at_portal(game, portal.cell, self.cells)
        self._check_argent(game, group)

    def apply(self, game: Match2016) -> Match2016:
        """The game with the demons on the board and their cards face up."""
        group = game.setup.invasion[self.group]
        there = game.kinds_on_table()
        pieces = (
            replace(game.piece(name), cells=tuple(sorted(cells)), on_table=True) for name, cells in self.cells.items()
        )
        game = game.with_piece(*pieces)
        for kind in group.demons:
            game = game.with_demon_card(kind, replace(game.demon_cards[kind], face_up=True))
        game = replace(
            game,
            portals=tuple(portal for portal in game.portals if portal.id != self.portal),
            summons_due=tuple(name for name in game.summons_due if name != self.portal),
            invasion_argent=0,
        )
        return self._with_cards(place_argent(game, self.argent), len(game.kinds_on_table()) - len(there))

    def title(self, game: Match2016) -> Said:
        """What it does."""
        figures = named(sorted(self.cells))
        return said("Demons come out of {portal}: {figures}", portal=self.portal, figures=figures)

    def _with_cards(self, game: Match2016, new_kinds: int) -> Match2016:
        """The initiative cards with those of kinds that have just arrived, where these get one.

        In the status phase the deck is made up of the kinds on the map; later on only by house rule (A9).
        """
        if game.phase == "status":
            cards = list_initiative_cards(game)
            return replace(game, initiative=self.chance.shuffled(cards) if game.shuffled_here else cards)
        if game.rules.options["initiative_types"] == "at_status" or game.phase != "activation":
            return game
        room = MAX_INVADER_CARDS - game.initiative.count(INVADER)
        cards = (*game.initiative, *(INVADER,) * min(new_kinds, max(0, room)))
        return replace(game, initiative=self.chance.shuffled(cards) if game.shuffled_here else cards)

    def _check_argent(self, game: Match2016, group: InvasionGroup) -> None:
        """The group's argent is placed as far as the box has it, with what is moved from the invasion card (A6)."""
        least = min(group.argent, count_argent_left(game))
        most, placed = least + game.invasion_argent, sum(self.argent.values())
        require(set(self.argent) <= set(group.demons), said("argent goes to the demon cards of this group"))
        require(
            least <= placed <= most,
            said("place {least} argent, or up to {most} with the card's own", least=least, most=most),
        )

    def _check_figures(self, game: Match2016, group: InvasionGroup) -> None:
        chosen = [game.piece(name) for name in self.cells]
        for piece in chosen:
            require(not piece.on_table, said("{figure} is on the board already", figure=piece.id))
            require(piece.kind in group.demons, said("{figure} is not of this group", figure=piece.id))
        for kind, count in group.demons.items():
            free = [p for p in game.pieces.values() if p.kind == kind and not p.on_table]
            here = sum(piece.kind == kind for piece in chosen)
            wanted = min(count, len(free))
            require(
                here == wanted,
                said(
                    "this group brings {wanted} of {kind}, and {here} were placed", wanted=wanted, kind=kind, here=here
                ),
            )


class PlayEvent2016(EffectStep, frozen=True, kw_only=True, tag="play_event"):
    """The invader plays an event card: its effects happen, and what the mission does not describe people carry out."""

    is_secret = True
    card: Name

    def side(self, game: Match2016) -> str | None:
        """The invader decides."""
        return INVADER

    def settle(self, game: Match2016, chance: Chance) -> Self:
        """The step with whom the card's area reaches."""
        return self.settled(game, chance, _find_helped(game) or "", game.card(self.card).effects)

    def check(self, game: Match2016) -> None:
        """The card must be in the hand, its moment now, and no card of its name in use in this attack (A5)."""
        if INVADER in game.decks:
            game.deck(INVADER).taken(self.card)
        card = game.card(self.card)
        if game.pending is not None:
            used = {game.card(name).name for name in game.pending.played}
            require(card.name not in used, said("a card of this name is in use at this moment"))
        if card.effects:
            demon = require_value(_find_helped(game), said("no demon acts or is attacked now; play that card then"))
            require_moment(game, demon, card.when)
            check_effects(game, demon, card.effects)

    def apply(self, game: Match2016) -> Match2016:
        """The game with the card discarded and its effects done."""
        demon, card = _find_helped(game), game.card(self.card)
        game = discard_events(game, self.card)
        if game.pending is not None:
            game = replace(game, pending=replace(game.pending, played=(*game.pending.played, self.card)))
        return begin_effects(game, Use(demon or "", card.name, self.hit, self.chance), card.effects)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("The invader plays {card}", card=game.card(self.card).name)


def _find_helped(game: Match2016) -> str | None:
    """The demon that an event card helps: the one in the open attack, else the one that acts."""
    attack = game.pending
    if attack is not None:
        return attack.attacker if game.piece(attack.attacker).side == INVADER else attack.defender
    turn = game.turn
    return turn.figure if turn is not None and turn.side == INVADER else None


class SpendArgent(Step[Match2016], frozen=True, kw_only=True, tag="spend_argent"):
    """The invader pays for an ability with argent from the demon card that has it."""

    kind: Name
    count: PositiveCount = 1

    def side(self, game: Match2016) -> str | None:
        """The invader decides."""
        return INVADER

    def check(self, game: Match2016) -> None:
        """The card must be face up and hold as much; the tutorial ignores such abilities."""
        require(not game.setup.goals.tutorial, said("the tutorial ignores abilities that cost argent"))
        card = game.demon_cards.get(self.kind, DemonCard())
        require(card.face_up and card.argent >= self.count, said("there is not enough argent on that card"))

    def apply(self, game: Match2016) -> Match2016:
        """The game with the tokens back in the box."""
        card = game.demon_cards[self.kind]
        return game.with_demon_card(self.kind, replace(card, argent=card.argent - self.count))

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("The invader spends {count} argent of {kind}", count=self.count, kind=self.kind)


class SpendThreat(Step[Match2016], frozen=True, kw_only=True, tag="spend_threat"):
    """The invader pays threat tokens to summon from a portal at the start of the status phase."""

    portal: Name

    def side(self, game: Match2016) -> str | None:
        """The invader decides."""
        return INVADER

    def check(self, game: Match2016) -> None:
        """It must be the status phase of a mission whose threat card has a price, and the tokens be there."""
        cost = game.setup.threat_cost
        require(cost > 0, said("the threat card of this mission summons for no tokens"))
        early = game.phase == "status" and not game.argent_gained
        require(early, said("threat is spent at the start of the status phase"))
        require(
            game.threat >= cost,
            counted("a summoning costs {n} threat token", "a summoning costs {n} threat tokens", cost),
        )
        require(_portal(game, self.portal).id not in game.summons_due, said("that portal summons already"))

    def apply(self, game: Match2016) -> Match2016:
        """The game with the tokens paid and the portal due."""
        paid = game.threat - game.setup.threat_cost
        return replace(game, threat=paid, summons_due=(*game.summons_due, self.portal))

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("The invader spends threat on {portal}", portal=self.portal)


def _portal(game: Match2016, portal_id: str) -> Portal:
    found = next((portal for portal in game.portals if portal.id == portal_id), None)
    return require_value(
        found, said("there is no portal “{portal}” on the board; choose one that is", portal=portal_id)
    )

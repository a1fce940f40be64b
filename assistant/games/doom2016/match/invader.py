"""The invader's portals, event cards, argent and threat tokens (rules A6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Self

from msgspec.structs import replace

from assistant.games.doom2016.match import play_rules
from assistant.games.doom2016.match.attack_rules import ask_defence, is_event_of_use, list_names_in_use
from assistant.games.doom2016.match.card_words import word_play
from assistant.games.doom2016.match.cards import ask_hand
from assistant.games.doom2016.match.effects import (
    EffectStep,
    Use,
    begin_effects,
    check_effects,
    comes_before_defence,
    require_moment,
)
from assistant.games.doom2016.match.places import require_at_portal
from assistant.games.doom2016.match.rounds import MAX_INVADER_CARDS, list_initiative_cards, may_spend_threat
from assistant.games.doom2016.match.setup import InvasionGroup, Portal
from assistant.games.doom2016.match.state import (
    INVASION,
    DemonCard,
    Match2016,
    begin_step_of,
    require_step_of,
)
from assistant.games.doom2016.rules.places import find_summon_placements
from assistant.match.asks import Ask, Asks, Draft, Pick, ask_card, ask_thing, ask_token, hide_cards
from assistant.match.chance import Chance
from assistant.match.game import (
    INVADER,
    Cells,
    Count,
    Moment,
    Name,
    PositiveCount,
    Prompt,
    SaltedStep,
    Step,
    require,
    require_value,
)
from assistant.match.ground import board_of, require_on_board
from assistant.match.ways import shape_of
from assistant.translations.messages import Said, counted, listed, named, said

MAX_ARGENT_CARDS = 3
"""Greatest number of event cards that become argent in one status phase (A6)."""


class GainArgent(Step[Match2016], frozen=True, kw_only=True, tag="gain_argent"):
    """The invader discards event cards for one argent each, and places it.

    ``onto`` names kinds of demons, or ``invasion`` for the invasion card.
    """

    rule = play_rules.ARGENT
    on_card = said("Trade for argent")
    decided_by = INVADER
    is_secret = True
    cards: Annotated[tuple[Name, ...], Asks(_asks_argent_cards)]
    onto: Annotated[Mapping[str, Count], Asks(_asks_argent_place)]

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        if game.is_between_turns and game.phase == "status" and not game.events_due:
            pays = said("Argent pays for summoning and for abilities of demons.")
            yield cls.prompt(said("Trade event cards for argent"), side=INVADER, note=pays)

    def check(self, game: Match2016) -> None:
        require(game.phase == "status", said("argent is gained in the status phase only"))
        require(not game.events_due, said("the invader draws event cards first"))
        require(bool(self.cards), said("choose at least one card to discard"))
        gained = game.argent_gained + len(self.cards)
        require(
            gained <= MAX_ARGENT_CARDS,
            counted(
                "at most {n} card a round becomes argent", "at most {n} cards a round become argent", MAX_ARGENT_CARDS
            ),
        )
        require(sum(self.onto.values()) == len(self.cards), said("place one argent for each discarded card"))
        require(
            sum(self.onto.values()) <= count_argent_left(game),
            said("the box has too few argent tokens left"),
        )
        for kind in self.onto:
            require(
                kind == INVASION or kind in game.demon_cards, said("there is no demon card “{kind}” in play", kind=kind)
            )
        if INVADER in game.decks:
            game.deck(INVADER).taken(*self.cards)

    def apply(self, game: Match2016) -> Match2016:
        after = discard_events(game, *self.cards)
        after = replace(after, argent_gained=game.argent_gained + len(self.cards))
        return place_argent(after, self.onto)

    def title(self, game: Match2016) -> Said:
        return counted(
            "The invader discards {n} event card for argent",
            "The invader discards {n} event cards for argent",
            len(self.cards),
        )


class Summon(SaltedStep[Match2016], frozen=True, kw_only=True, tag="summon"):
    """The invader turns a portal over and places a group of its colour. The token leaves the board.

    ``group`` counts the lines of the invasion card from 0. ``cells`` holds the place of each figure. ``argent``
    distributes the argent of the group and of the invasion card over the demon cards. Demons without room at the portal
    stay in the box: seed 001 does not cover this, and the match must go on.
    """

    rule = play_rules.PORTAL
    label = said("Summon demons")
    decided_by = INVADER
    is_secret = True
    reveals = True
    portal: Annotated[Name, Asks(_asks_portal)]
    group: Annotated[Count, Asks(_asks_group)]
    cells: Annotated[Mapping[str, Cells], Asks(_asks_summoned_cells)] = {}
    argent: Annotated[Mapping[str, Count], Asks(_asks_summoned_argent)] = {}

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        for portal in game.summons_due if game.phase not in ("setup", "round over") else ():
            text, task = said("Summon demons from {portal}", portal=portal), said("summon from {portal}", portal=portal)
            yield cls.prompt(text, side=INVADER, task=task, portal=portal)

    def settle(self, game: Match2016, chance: Chance) -> Self:
        step = super().settle(game, chance)
        if game.ground or self.cells or self.group >= len(game.setup.invasion):
            return step
        # Nobody has drawn this table: people place the whole group.
        come = _still_to_come(game, game.setup.invasion[self.group], {})
        return replace(step, cells={name: () for name in come})

    def check(self, game: Match2016) -> None:
        portal = _portal(game, self.portal)
        # “Описание миссии всегда указывает, когда Захватчик может призвать демонов” (seed 001). Older missions do not,
        # so people decide.
        says_when = game.setup.goals.tutorial or game.setup.triggers
        require(portal.id in game.summons_due or not says_when, said("nothing summons from this portal now"))
        require(self.group < len(game.setup.invasion), said("the invasion card has no such group"))
        group = game.setup.invasion[self.group]
        require(group.portal == portal.color, said("this group belongs to a portal of another colour"))
        self._check_figures(game, group)
        require_on_board(game, tuple(cell for cells in self.cells.values() for cell in cells))
        require(game.has_room(self.cells), said("summoned demons need free cells"))
        require_at_portal(game, portal.cell, self.cells)
        self._check_argent(game, group)

    def apply(self, game: Match2016) -> Match2016:
        group = game.setup.invasion[self.group]
        there = game.kinds_on_table()
        pieces = (
            replace(game.piece(name), cells=tuple(sorted(cells)), on_table=True) for name, cells in self.cells.items()
        )
        game = game.with_piece(*pieces)
        for kind in set(group.demons) & set(game.kinds_on_table()):
            game = game.with_demon_card(kind, replace(game.demon_cards[kind], face_up=True))
        game = replace(
            game,
            portals=tuple(portal for portal in game.portals if portal.id != self.portal),
            summons_due=tuple(name for name in game.summons_due if name != self.portal),
            invasion_argent=0,
        )
        return self._with_cards(place_argent(game, self.argent), len(game.kinds_on_table()) - len(there))

    def title(self, game: Match2016) -> Said:
        figures = named(sorted(self.cells))
        return said("Demons come out of {portal}: {figures}", portal=self.portal, figures=figures)

    def _with_cards(self, game: Match2016, new_kinds: int) -> Match2016:
        """Return the game with initiative cards for newly arrived kinds, if these get one.

        In the status phase, the deck has a card for each kind on the map. Later the kinds change it only by house
        option (A9).
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
        """Require the group's argent, as far as the box has it, with or without that of the invasion card (A6)."""
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
            is_full = here == wanted or (here < wanted and not self._has_room_for(game, kind))
            require(
                is_full,
                said(
                    "this group brings {wanted} of {kind}, and {here} were placed", wanted=wanted, kind=kind, here=here
                ),
            )

    def _has_room_for(self, game: Match2016, kind: str) -> bool:
        """Return whether one more demon of a kind has room at the portal; false without a seen table."""
        portal = _portal(game, self.portal)
        taken = {cell for cells in self.cells.values() for cell in cells}
        name = next(piece.id for piece in game.pieces.values() if piece.kind == kind and not piece.on_table)
        places = _summon_places(game, name, portal.cell) if game.ground else ()
        return any(not taken.intersection(place) for place in places)


class PlayEvent2016(EffectStep, frozen=True, kw_only=True, tag="play_event"):
    """The invader plays an event card. People carry out effects that the mission does not describe."""

    rule = play_rules.EVENT
    label = said("Play an event card")
    on_card = said("Play")
    decided_by = INVADER
    is_secret = True
    card: Annotated[Name, Asks(lambda draft: ask_hand(draft, INVADER))]

    @classmethod
    def moments(cls, game: Match2016) -> Iterator[Moment]:
        return ask_defence(game)

    def settle(self, game: Match2016, chance: Chance) -> Self:
        return self.settle_effects(game, chance, _find_helped(game) or "", game.card(self.card).effects)

    def check(self, game: Match2016) -> None:
        if INVADER in game.decks:
            game.deck(INVADER).taken(self.card)
        card = game.card(self.card)
        require(card.name not in list_names_in_use(game), said("a card of this name is already in use"))
        if card.effects:
            demon = require_value(
                _find_helped(game), said("no demon acts or is attacked now; play that card when one does")
            )
            require_moment(game, demon, card.when)
            if not comes_before_defence(card.effects):
                require_step_of(game, INVADER)
            check_effects(game, demon, card.effects)

    def is_idle(self, game: Match2016) -> bool:
        return not is_event_of_use(game, self.card)

    def apply(self, game: Match2016) -> Match2016:
        demon, card = _find_helped(game), game.card(self.card)
        game = discard_events(game, self.card)
        if not comes_before_defence(card.effects):
            game = begin_step_of(game, INVADER)
        if game.pending is not None:
            game = replace(game, pending=replace(game.pending, played=(*game.pending.played, self.card)))
        elif game.turn is not None:
            game = replace(game, turn=replace(game.turn, events=(*game.turn.events, self.card)))
        return begin_effects(game, Use(demon or "", card.name, self.hit, self.chance), card.effects)

    def title(self, game: Match2016) -> Said:
        card = game.card(self.card)
        return said("The invader plays {card}: {effect}", card=card.name, effect=word_play(card))


class SpendArgent(Step[Match2016], frozen=True, kw_only=True, tag="spend_argent"):
    """The invader pays for an ability with argent from its demon card."""

    rule = play_rules.ARGENT
    label = said("Spend argent")
    decided_by = INVADER
    kind: Annotated[Name, Asks(_asks_argent_kind)]
    count: PositiveCount = 1

    def check(self, game: Match2016) -> None:
        require(not game.setup.goals.tutorial, said("the tutorial ignores abilities that cost argent"))
        card = game.demon_cards.get(self.kind, DemonCard())
        require(card.face_up and card.argent >= self.count, said("there is not enough argent on that card"))

    def apply(self, game: Match2016) -> Match2016:
        card = game.demon_cards[self.kind]
        return game.with_demon_card(self.kind, replace(card, argent=card.argent - self.count))

    def title(self, game: Match2016) -> Said:
        return said("The invader spends {count} argent of {kind}", count=self.count, kind=self.kind)


class SpendThreat(Step[Match2016], frozen=True, kw_only=True, tag="spend_threat"):
    """The invader pays threat tokens to summon from a portal at the start of the status phase."""

    rule = play_rules.THREAT
    label = said("Summon for threat tokens")
    decided_by = INVADER
    portal: Annotated[Name, Asks(_asks_portal)]

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        cost = game.setup.threat_cost
        if game.is_between_turns and game.events_due and may_spend_threat(game):
            for portal in game.portals:
                text = counted("Spend {n} threat on {portal}", "Spend {n} threat on {portal}", cost, portal=portal.id)
                yield cls.prompt(text, side=INVADER, portal=portal.id)

    def check(self, game: Match2016) -> None:
        cost = game.setup.threat_cost
        require(cost > 0, said("the threat card of this mission summons for no tokens"))
        early, late = (
            game.phase == "status" and not game.argent_gained,
            said("threat is spent at the start of the status phase"),
        )
        require(early, late)
        require(
            game.threat >= cost,
            counted("a summoning costs {n} threat token", "a summoning costs {n} threat tokens", cost),
        )
        require(game.events_due in (True, None), late)
        require(_portal(game, self.portal).id not in game.summons_due, said("that portal summons already"))

    def apply(self, game: Match2016) -> Match2016:
        paid = game.threat - game.setup.threat_cost
        return replace(game, threat=paid, summons_due=(*game.summons_due, self.portal))

    def title(self, game: Match2016) -> Said:
        return said("The invader spends threat on {portal}", portal=self.portal)


def _asks_argent_cards(draft: Draft[Match2016]) -> Ask:
    if not draft.audience.sees(INVADER):
        return hide_cards("cards", INVADER)
    # Ask one by one: each card may go onto another place, and each is offered again while the rules allow it.
    hand = draft.game.deck(INVADER).hand
    return ask_card("cards", (([card], named([draft.game.card(card).name])) for card in hand))


def _asks_argent_place(draft: Draft[Match2016]) -> Ask:
    count = len(draft.fields.get("cards", ()))
    places = [(kind, named([kind])) for kind in draft.game.demon_cards] if draft.audience.sees(INVADER) else []
    everywhere = [*places, (INVASION, said("the invasion card"))]
    return ask_thing(
        "onto", said("Which card gets the argent?"), (({place: count}, text) for place, text in everywhere)
    )


def _asks_argent_kind(draft: Draft[Match2016]) -> Ask:
    holding = (kind for kind, card in draft.game.demon_cards.items() if card.face_up and card.argent)
    return ask_thing("kind", said("From which demon card?"), ((kind, named([kind])) for kind in holding))


def _asks_portal(draft: Draft[Match2016]) -> Ask:
    return ask_token("portal", said("Which portal?"), draft.game.portals)


def _asks_group(draft: Draft[Match2016]) -> Ask:
    if not draft.audience.sees(INVADER):
        return hide_cards("group", INVADER)
    game, portal = draft.game, _chosen_portal(draft)
    color = None if portal is None else portal.color
    groups = ((i, group) for i, group in enumerate(game.setup.invasion) if group.portal == color)
    picks = tuple(pick for i, group in groups for pick in _list_groups(game, i, group))
    return Ask(field="group", kind="thing", text=said("Which demons come?"), picks=picks)


def _list_groups(game: Match2016, place: int, group: InvasionGroup) -> Iterator[Pick]:
    """Yield a group as an answer; one answer for each demon card that may get its argent."""
    count, demons = _count_argent(game, group), _word_group(group)
    if not count or len(group.demons) < 2:
        yield Pick(value=place, text=demons)
        return
    for kind in group.demons:
        text = said("{demons}; argent on {kind}", demons=demons, kind=kind)
        yield Pick(value=place, text=text, fills={"argent": {kind: count}})


def _count_argent(game: Match2016, group: InvasionGroup) -> int:
    """Return the argent that a group brings, with that of the invasion card."""
    return min(group.argent, count_argent_left(game)) + game.invasion_argent


def _asks_summoned_cells(draft: Draft[Match2016]) -> Ask | None:
    """Ask for the place of the group's next demon, until all demons in the box are placed."""
    game, portal = draft.game, _chosen_portal(draft)
    if "group" not in draft.fields or not draft.audience.sees(INVADER) or not game.ground:
        return None
    placed = dict(draft.fields.get("cells", {}))
    taken = {tuple(cell) for cells in placed.values() for cell in cells}
    waiting = [] if portal is None else _list_with_room(game, portal, draft.fields["group"], placed)
    if not waiting or portal is None:
        return None
    picks = tuple(
        Pick(value={**placed, waiting[0]: [list(cell) for cell in cells]}, cells=tuple(sorted(cells)), cost=0)
        for cells in _summon_places(game, waiting[0], portal.cell)
        if not taken.intersection(cells)
    )
    text = said("Where does {figure} come out?", figure=waiting[0])
    asked = Ask(field="cells", kind="spaces", text=text, picks=picks, goes_on=True)
    nearest = _on_first_places(game, waiting, portal.cell, taken)
    if len(nearest) < 2:
        return asked
    at_once = said("All of them, on free spaces at the portal")
    return replace(asked, may_skip=True, skipped={**placed, **nearest}, skip_text=at_once)


def _asks_summoned_argent(draft: Draft[Match2016]) -> Ask | None:
    game = draft.game
    if "group" not in draft.fields or not draft.audience.sees(INVADER):
        return None
    group = game.setup.invasion[draft.fields["group"]]
    count = _count_argent(game, group)
    kinds = (({kind: count}, named([kind])) for kind in group.demons)
    return ask_thing("argent", said("Which card gets the argent?"), kinds) if count else None


def _chosen_portal(draft: Draft[Match2016]) -> Portal | None:
    return next((portal for portal in draft.game.portals if portal.id == draft.fields.get("portal")), None)


def _word_group(group: InvasionGroup) -> Said:
    return listed(said("{count} × {kind}", count=count, kind=kind) for kind, count in group.demons.items())


def _on_first_places(
    game: Match2016, names: list[str], portal: tuple[int, int], taken: set[tuple[int, ...]]
) -> dict[str, list[list[int]]]:
    """Return the first free place for each of these demons, as far as there is room."""
    found: dict[str, list[list[int]]] = {}
    taken = set(taken)
    for name in names:
        places = _summon_places(game, name, portal)
        place = next((cells for cells in places if not taken.intersection(cells)), None)
        if place is not None:
            found[name] = [list(cell) for cell in place]
            taken.update(place)
    return found


def _list_with_room(game: Match2016, portal: Portal, group: int, placed: Mapping[str, Any]) -> list[str]:
    """Return the unplaced demons of a group that have room at the portal."""
    taken = {tuple(cell) for cells in placed.values() for cell in cells}
    waiting = _still_to_come(game, game.setup.invasion[group], placed)
    return [
        name
        for name in waiting
        if any(not taken.intersection(place) for place in _summon_places(game, name, portal.cell))
    ]


def _still_to_come(game: Match2016, group: InvasionGroup, placed: Mapping[str, Any]) -> Iterator[str]:
    for kind, count in group.demons.items():
        box = [piece.id for piece in game.pieces.values() if piece.kind == kind and not piece.on_table]
        yield from (name for name in box[:count] if name not in placed)


def _summon_places(game: Match2016, name: str, portal: tuple[int, int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the places where a demon may come out."""
    shape = shape_of(game, name)
    columns, rows = (len({cell[axis] for cell in shape}) for axis in (0, 1))
    yield from (tuple(sorted(place)) for place in find_summon_placements(board_of(game), portal, columns, rows))


def discard_events(game: Match2016, *cards: str) -> Match2016:
    """Discard event cards of the hand. The program does not track printed ones."""
    return game.with_deck(INVADER, game.deck(INVADER).without(*cards)) if INVADER in game.decks else game


def place_argent(game: Match2016, onto: Mapping[str, int]) -> Match2016:
    """Place argent tokens on demon cards and on the invasion card."""
    for place, count in onto.items():
        if place == INVASION:
            game = replace(game, invasion_argent=game.invasion_argent + count)
        else:
            card = game.demon_cards[place]
            game = game.with_demon_card(place, replace(card, argent=card.argent + count))
    return game


def count_argent_left(game: Match2016) -> int:
    """Count the argent tokens in the box."""
    placed = game.invasion_argent + sum(card.argent for card in game.demon_cards.values())
    return game.setup.argent_tokens - placed


def _find_helped(game: Match2016) -> str | None:
    """Return the demon that an event card helps: the one in the open attack, else the acting one."""
    attack = game.pending
    if attack is not None:
        return attack.attacker if game.piece(attack.attacker).side == INVADER else attack.defender
    turn = game.turn
    return turn.figure if turn is not None and turn.side == INVADER else None


def _portal(game: Match2016, portal_id: str) -> Portal:
    found = next((portal for portal in game.portals if portal.id == portal_id), None)
    return require_value(
        found, said("there is no portal “{portal}” on the board; choose one that is", portal=portal_id)
    )

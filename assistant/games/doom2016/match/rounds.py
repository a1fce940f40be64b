"""Status phase, initiative and activations (rules A6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Self

from msgspec.structs import replace

from assistant.games.doom2016.match import play_rules
from assistant.games.doom2016.match.effects import fire
from assistant.games.doom2016.match.state import CLASS_EXHAUSTED, Activation, Match2016, require_free_hands
from assistant.games.doom2016.rules.places import find_nearest_free
from assistant.match.asks import Ask, Asks, Draft, ask_figure, ask_thing
from assistant.match.chance import Chance
from assistant.match.deck import draw_to_hand
from assistant.match.game import INVADER, MARINES, Name, Piece, Prompt, SaltedStep, Step, require, word_unused
from assistant.match.ground import board_of
from assistant.table.lattice import Cell
from assistant.translations.messages import Said, counted, named, said

MAX_INVADER_CARDS = 6
"""Number of the invader's initiative cards in the box (A0, A6)."""


class StatusPhase(SaltedStep[Match2016], frozen=True, kw_only=True, tag="status"):
    """A new round: build the initiative deck, ready the demon cards, draw event cards.

    ``shuffled_here`` is False if the players shuffle printed initiative cards and type each one as they reveal it.
    ``holds_events`` leaves the event cards to `DrawEvents`, since threat is spent “в начале каждой фазы Статуса” (seed
    001). The program fills it in.
    """

    rule = play_rules.STATUS
    decided_by = INVADER
    reveals = True
    filled_later = frozenset({"holds_events"})
    shuffled_here: bool = True
    holds_events: bool | None = None

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        if game.phase in ("setup", "round over"):
            yield cls.prompt(said("Prepare round {round}", round=game.round + 1), side=INVADER)

    def settle(self, game: Match2016, chance: Chance) -> Self:
        step = super().settle(game, chance)
        return replace(step, holds_events=may_spend_threat(step._with_round(game, step.chance)))

    def check(self, game: Match2016) -> None:
        require(game.phase in ("setup", "round over"), said("the round is not over; play all initiative cards first"))

    def apply(self, game: Match2016) -> Match2016:
        chance = self.chance
        after = replace(self._with_round(game, chance), events_due=self.holds_events)
        return after if self.holds_events else _fill_event_hand(after, chance)

    def _with_round(self, game: Match2016, chance: Chance) -> Match2016:
        """Return the game in its next round, before drawing event cards."""
        cards = list_initiative_cards(game)
        ready = {kind: replace(card, ready=True) for kind, card in game.demon_cards.items()}
        after = replace(
            game,
            round=game.round + 1,
            phase="status",
            initiative=chance.shuffled(cards) if self.shuffled_here else cards,
            shuffled_here=self.shuffled_here,
            demon_cards=ready,
            argent_gained=0,
            acted=(),
            kept_points={},
        )
        return fire(after, "status")

    def title(self, game: Match2016) -> Said:
        return said("Round {round} begins", round=game.round + 1)


class DrawEvents(SaltedStep[Match2016], frozen=True, kw_only=True, tag="draw_events"):
    """The invader fills his hand of event cards, once he has spent as much threat as he wants."""

    rule = play_rules.STATUS
    decided_by = INVADER
    reveals = True

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        if game.events_due and game.is_between_turns:
            yield cls.prompt(said("Spend no more threat: draw event cards"), side=INVADER)

    def check(self, game: Match2016) -> None:
        require(bool(game.events_due), said("the event cards of this round are drawn"))
        require_free_hands(game)

    def apply(self, game: Match2016) -> Match2016:
        return replace(_fill_event_hand(game, self.chance), events_due=False)

    def title(self, game: Match2016) -> Said:
        return said("The invader draws event cards")


class Reveal(Step[Match2016], frozen=True, kw_only=True, tag="reveal"):
    """The next initiative card. ``card`` (a marine's name or ``invader``) is typed for printed cards only."""

    rule = play_rules.INITIATIVE
    reveals = True
    card: Annotated[str, Asks(_asks_revealed_card)] = ""

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        if game.is_between_turns and not game.events_due:
            yield cls.prompt(said("Reveal the next initiative card"), side=INVADER)

    def settle(self, game: Match2016, chance: Chance) -> Self:
        if game.shuffled_here and game.initiative:
            return replace(self, card=game.initiative[0])
        return self

    def check(self, game: Match2016) -> None:
        require(game.phase in ("status", "activation"), said("begin the round first: prepare the initiative cards"))
        require(game.turn is None, said("the activation is not over; end it first"))
        require_free_hands(game)
        require(not game.events_due, said("the invader draws event cards first"))
        left = named(sorted(set(game.initiative)))
        require(
            self.card in game.initiative,
            said("“{card}” is not among the initiative cards left: {left}", card=self.card, left=left),
        )

    def apply(self, game: Match2016) -> Match2016:
        cards = list(game.initiative)
        cards.remove(self.card)
        side = INVADER if self.card == INVADER else MARINES
        turn = Activation(side=side, figure=None if side == INVADER else self.card)
        after = _with_kept_points(replace(game, phase="activation", initiative=tuple(cards), turn=turn))
        if side == MARINES:
            return after.with_piece(after.piece(self.card).unmarked(CLASS_EXHAUSTED))
        return after if list_ready_kinds(after) else finish_turn(after)

    def title(self, game: Match2016) -> Said:
        return said("Initiative: {card}", card=self.card)


MOST_KINDS = 4
"""Up to this number, each ready kind has a button of its own; beyond it, one question lists them."""


class ActivateKind(Step[Match2016], frozen=True, kw_only=True, tag="activate_kind"):
    """The invader exhausts a ready demon card to activate every figure of that kind."""

    rule = play_rules.DEMONS
    decided_by = INVADER
    kind: Annotated[Name, Asks(_asks_ready_kind)]
    figure: Name | None = None
    """The figure that acts at once, if it is the only one of its kind."""

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        turn = game.free_turn
        if turn is None or turn.side != INVADER or turn.kind is not None:
            return
        kinds = list_ready_kinds(game)
        if len(kinds) > MOST_KINDS:
            yield cls.prompt(said("Choose a ready demon card"), side=INVADER)
            return
        for kind in kinds:
            figures = [piece.id for piece in game.standing(INVADER) if piece.kind == kind]
            if len(figures) == 1:
                text = said("Activate {figure}", figure=figures[0])
                yield cls.prompt(text, side=INVADER, kind=kind, figure=figures[0])
            else:
                text = counted("Activate {kind}: {n} figure", "Activate {kind}: {n} figures", len(figures), kind=kind)
                yield cls.prompt(text, side=INVADER, kind=kind)

    def check(self, game: Match2016) -> None:
        turn = game.the_turn()
        require(turn.side == INVADER, said("this initiative card is a marine's"))
        require(turn.kind is None, said("a demon card was chosen already"))
        kinds = list_ready_kinds(game)
        require(
            self.kind in kinds, said("“{kind}” is not ready; choose one of {kinds}", kind=self.kind, kinds=named(kinds))
        )
        sole = [piece.id for piece in game.standing(INVADER) if piece.kind == self.kind]
        others = said("{kind} has several figures; choose the kind, then who acts", kind=self.kind)
        require(self.figure is None or sole == [self.figure], others)

    def apply(self, game: Match2016) -> Match2016:
        queue = tuple(piece.id for piece in game.standing(INVADER) if piece.kind == self.kind)
        after = game.with_demon_card(self.kind, replace(game.demon_cards[self.kind], ready=False))
        after = replace(after, turn=replace(game.the_turn(), kind=self.kind, queue=queue))
        return after if self.figure is None else ActivateDemon(figure=self.figure).apply(after)

    def title(self, game: Match2016) -> Said:
        if self.figure is not None:
            return said("{figure} acts", figure=self.figure)
        return said("The invader activates: {kind}", kind=self.kind)


class ActivateDemon(Step[Match2016], frozen=True, kw_only=True, tag="activate"):
    """One figure of the chosen kind acts: movement up to its speed, and one attack."""

    rule = play_rules.DEMONS
    decided_by = INVADER
    figure: Annotated[Name, Asks(_asks_waiting_figure)]

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        turn = game.free_turn
        if turn is not None and turn.figure is None:
            for name in turn.queue:
                yield cls.prompt(said("Activate {figure}", figure=name), side=INVADER, figure=name)

    def check(self, game: Match2016) -> None:
        turn = game.the_turn()
        require(turn.figure is None, said("{figure} is acting; end that first", figure=turn.figure))
        waiting = named(turn.queue) if turn.queue else said("none")
        require(
            self.figure in turn.queue,
            said("“{figure}” is not waiting to act; waiting: {waiting}", figure=self.figure, waiting=waiting),
        )

    def apply(self, game: Match2016) -> Match2016:
        turn = game.the_turn()
        demon = game.demon_setup(game.piece(self.figure).kind)
        queue = tuple(name for name in turn.queue if name != self.figure)
        acting = replace(turn, figure=self.figure, queue=queue, movement=demon.speed, attacks=(demon.attack,))
        return _with_kept_points(replace(game, turn=acting))

    def title(self, game: Match2016) -> Said:
        return said("{figure} acts", figure=self.figure)


class EndActivation(SaltedStep[Match2016], frozen=True, kw_only=True, tag="end"):
    """The end of a figure's activation: unused movement is lost, and a marine fills his hand.

    Between two demons it skips those that have not acted.
    """

    rule = play_rules.INITIATIVE
    reveals = True

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        turn = game.free_turn
        if turn is None:
            return
        if turn.figure is None and turn.kind is None:
            if not list_ready_kinds(game):  # the last one has just left the board by hand
                yield cls.prompt(said("No demon card is ready: go on"), side=INVADER)
        elif turn.figure is None:
            everybody = [piece.id for piece in game.standing(INVADER) if piece.kind == turn.kind]
            rest = said("The other figures of {kind} do not act", kind=str(turn.kind))
            if list(turn.queue) == everybody:
                rest = said("{kind}: nobody acts, go on", kind=str(turn.kind))
            yield cls.prompt(rest, side=INVADER, urgency=-1)
        elif turn.is_reaction:
            done = said("{figure} has reacted: go on", figure=turn.figure)
            yield cls.prompt(done, side=turn.side, urgency=-1, note=word_unused(turn.movement, len(turn.attacks)))
        elif not has_to_respawn(game):
            ends = said("End the activation of {figure}", figure=turn.figure)
            yield cls.prompt(ends, side=turn.side, urgency=-1, note=_word_lost(game, turn))

    def side(self, game: Match2016) -> str | None:
        return None if game.turn is None else game.turn.side

    def check(self, game: Match2016) -> None:
        turn = game.the_turn()
        require_free_hands(game)
        is_open = turn.side == INVADER and turn.kind is None and bool(list_ready_kinds(game))
        require(not is_open, said("choose a demon card first"))
        returns = said("{figure} was fragged; respawn on an active teleporter first", figure=str(turn.figure))
        require(not has_to_respawn(game), returns)

    def apply(self, game: Match2016) -> Match2016:
        turn = game.the_turn()
        game = _keep_points(game)
        if turn.is_reaction:
            return replace(game, turn=game.interrupted, interrupted=None)
        if turn.side == MARINES:
            return finish_turn(_fill_hand(game, self.chance))
        if turn.figure is not None and turn.queue:
            return replace(game, turn=replace(turn, figure=None, movement=0, lasting=0, attacks=()))
        return finish_turn(game)

    def title(self, game: Match2016) -> Said:
        turn = game.the_turn()
        if turn.is_reaction:
            return said("{figure} has reacted", figure=str(turn.figure))
        who, kept = turn.figure or turn.kind or turn.side, _count_kept(game)
        if kept:
            return counted(
                "End of activation: {who}. {n} point of an ability waits until the end of the round",
                "End of activation: {who}. {n} points of abilities wait until the end of the round",
                kept,
                who=who,
            )
        return said("End of activation: {who}", who=who)


def _asks_revealed_card(draft: Draft[Match2016]) -> Ask | None:
    """Ask for printed cards only. The program knows the cards that it shuffled."""
    cards = ((card, named([card])) for card in dict.fromkeys(draft.game.initiative))
    return None if draft.game.shuffled_here else ask_thing("card", said("Which card was revealed?"), cards)


def _asks_ready_kind(draft: Draft[Match2016]) -> Ask:
    kinds = list_ready_kinds(draft.game)
    return ask_thing("kind", said("Which demons act?"), ((kind, named([kind])) for kind in kinds))


def _asks_waiting_figure(draft: Draft[Match2016]) -> Ask:
    turn = draft.game.turn
    return ask_figure("figure", said("Which figure acts?"), () if turn is None else turn.queue)


def list_initiative_cards(game: Match2016) -> tuple[str, ...]:
    """Return the cards of a round: one for each marine and for each kind of demon on the board (A6, A8).

    A lone marine has two. A kind summoned later in the round adds none.
    """
    marines = tuple(marine.id for marine in game.setup.marines)
    alone = marines if len(marines) == 1 else ()
    return (*marines, *alone, *(INVADER,) * min(MAX_INVADER_CARDS, len(game.kinds_on_table())))


def may_spend_threat(game: Match2016) -> bool:
    """Return whether the invader can pay for a summoning from a portal without one due."""
    cost = game.setup.threat_cost
    waiting = [portal for portal in game.portals if portal.id not in game.summons_due]
    return bool(cost and waiting) and game.threat >= cost


def list_ready_kinds(game: Match2016) -> tuple[str, ...]:
    """Return the demon cards that the invader may exhaust now."""
    return tuple(kind for kind in game.kinds_on_table() if game.demon_cards[kind].ready)


def has_to_respawn(game: Match2016) -> bool:
    """Return whether the acting marine comes back now.

    “В начале следующей активации убитый морпех возрождается” (seed 001). If marines stand on every active
    teleporter, his activation passes (A9 ``teleporters_taken``).
    """
    turn = game.turn
    if turn is None or turn.figure is None or turn.side == INVADER or turn.fell or game.piece(turn.figure).on_table:
        return False
    return any(find_return_cells(game, name) for name in game.teleporters_active)


def find_return_cells(game: Match2016, teleporter_id: str) -> tuple[Cell, ...]:
    """Return the cells where a fragged marine may come back by an active teleporter: its own, unless it is taken.

    If marines stand on all of them, the nearest empty cells on a seen table (A9 ``teleporters_taken``).
    """
    taken = {cell for piece in game.standing(MARINES) for cell in piece.cells}
    active = {one.id: one.cell for one in game.setup.teleporters if one.id in game.teleporters_active}
    if teleporter_id not in active:
        return ()
    if active[teleporter_id] not in taken:
        return (active[teleporter_id],)
    is_beside = game.rules.options["teleporters_taken"] == "beside" and taken.issuperset(active.values())
    if not (is_beside and game.ground):
        return ()
    return find_nearest_free(board_of(game), game.rules.move_rules(), active[teleporter_id])


def _with_kept_points(game: Match2016) -> Match2016:
    """Return the game with the saved points of the figure whose activation has just begun."""
    turn = game.the_turn()
    if turn.figure is None or turn.figure not in game.kept_points:
        return game
    others = {name: points for name, points in game.kept_points.items() if name != turn.figure}
    return replace(game, turn=turn.gain_lasting(game.kept_points[turn.figure]), kept_points=others)


def _count_kept(game: Match2016) -> int:
    """Return the points of abilities that outlast the activation, if the figure acts again (A9 ``ability_points``)."""
    turn = game.the_turn()
    if turn.figure is None or game.rules.options["ability_points"] == "activation":
        return 0
    return turn.lasting if _acts_again(game, game.piece(turn.figure)) else 0


def _acts_again(game: Match2016, piece: Piece) -> bool:
    """Return whether this figure may still have an activation of its own in this round."""
    if piece.side == MARINES:
        return piece.on_table and piece.id in game.initiative
    waits = game.interrupted is not None and piece.id in game.interrupted.queue
    return piece.on_table and (waits or game.demon_cards[piece.kind].ready)


def _word_lost(game: Match2016, turn: Activation) -> Said | None:
    """Return what the acting figure gives up by ending its activation."""
    piece = game.piece(str(turn.figure))
    if not piece.on_table:
        return None
    here = [item.id for item in game.items if piece.side == MARINES and item.cell in piece.cells]
    return word_unused(turn.movement - _count_kept(game), len(turn.attacks), here)


def _keep_points(game: Match2016) -> Match2016:
    kept, figure = _count_kept(game), str(game.the_turn().figure)
    if not kept:
        return game
    points = game.kept_points.get(figure, 0) + kept
    return replace(game, kept_points={**game.kept_points, figure: points})


def finish_turn(game: Match2016) -> Match2016:
    """Return the game after an initiative card. After the last one the round is over."""
    turn = game.the_turn()
    who = turn.kind if turn.side == INVADER else turn.figure
    acted = game.acted if who is None else (*game.acted, who)
    return replace(game, turn=None, acted=acted, phase="activation" if game.initiative else "round over")


def _fill_event_hand(game: Match2016, chance: Chance) -> Match2016:
    if INVADER not in game.decks:
        return game
    size = int(game.rules.options["event_hand"])
    deck = game.deck(INVADER)
    return game.with_deck(INVADER, draw_to_hand(deck, size - len(deck.hand), chance).deck)


def _fill_hand(game: Match2016, chance: Chance) -> Match2016:
    turn, marine = game.the_turn(), game.acting()
    if marine.id not in game.decks:
        return game
    deck = game.deck(marine.id).discarding(*turn.in_play)
    missing = game.marine_setup(marine.id).hand - len(deck.hand)
    return game.with_deck(marine.id, draw_to_hand(deck, missing, chance).deck)

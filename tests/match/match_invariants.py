"""Invariants of every match at every moment."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from assistant.games.doom2016.match.invader import count_argent_left
from assistant.games.doom2016.match.view import count_token_piles
from assistant.match.game import INVADER, MARINES


def require_sound(match: Any) -> None:
    """Fail unless the match is sound: no negative numbers, nothing lost or doubled, at most one active figure."""
    game = match.game
    places = {piece.id: set(piece.cells) for piece in game.standing()}
    for one, other in combinations(game.standing(), 2):
        passes = one.side == other.side and not game.in_passing().isdisjoint((one.id, other.id))
        assert passes or places[one.id].isdisjoint(places[other.id]), "two figures on one cell"
    for piece in game.pieces.values():
        assert piece.harm >= 0
        assert piece.on_table or (piece.harm, piece.cells, piece.marks) == (0, (), ())
    {"doom2016": _doom2016, "doom2004": _doom2004, "roads": _roads}[game.rules.name](game)


def _doom2016(game: Any) -> None:
    for piece in game.standing():
        assert piece.harm < game.health_of(piece)
    piles = count_token_piles(game)
    assert {name: ones + 3 * threes for name, (ones, threes) in piles.items()} == {
        piece.id: piece.harm for piece in game.pieces.values()
    }
    assert sum(threes for _, threes in piles.values()) <= game.setup.damage_tokens[1]
    ones = sum(count for count, _ in count_token_piles(game).values())
    assert ones <= game.setup.damage_tokens[0], "no sample mission needs more tokens than the box holds"
    assert count_argent_left(game) >= 0
    assert Counter(game.deck(INVADER).cards) == Counter(game.setup.events)
    assert Counter(game.deck("glory").cards) == Counter(game.setup.glory)
    if game.pending is not None:
        assert all(game.piece(name).on_table for name in (game.pending.attacker, game.pending.defender))
    _action_cards(game)
    _one_active(game)


def _action_cards(game: Any) -> None:
    taken = [card for item in game.setup.items if item not in game.items for card in item.cards]
    held: Counter[str] = Counter()
    for marine in game.setup.marines:
        held.update(game.deck(marine.id).cards)
        if game.turn is not None and game.turn.figure == marine.id:
            held.update(game.turn.in_play)
    owned: Counter[str] = Counter(taken)
    for marine in game.setup.marines:
        owned.update(marine.deck)
    assert held == owned


def _one_active(game: Any) -> None:
    turn = game.turn
    if turn is None:
        return
    assert turn.movement >= 0
    assert turn.figure is None or game.piece(turn.figure).side == turn.side
    assert turn.figure not in turn.queue
    assert all(game.piece(name).on_table for name in turn.queue)


def _doom2004(game: Any) -> None:
    for piece in game.standing():
        assert piece.harm < game.wounds_of(piece)
        assert not piece.marks or piece.side == MARINES
    assert Counter(game.deck.cards) == Counter(list(game.setup.cards))
    dealt = [card for equipment in game.equipment.values() for card in equipment.cards]
    assert Counter([*game.marine_deck.cards, *dealt]) == Counter(game.setup.marine_cards)
    for equipment in game.equipment.values():
        assert min(equipment.ammo.values()) >= 0
    if game.turn is not None:
        assert game.turn.movement >= 0
        assert game.turn.attacks >= 0
        assert (
            game.piece(game.turn.figure).side == (MARINES if game.side_to_act() == MARINES else INVADER)
            or game.winner
            or game.due_by_card
            or game.areas_due
        )


def _roads(game: Any) -> None:
    for hit in game.hits:
        assert game.piece(hit.figure).on_table
    for due in game.due:
        assert due.figure is None or game.piece(due.figure).on_table
    for side in game.setup.sides:
        assert 0 <= game.out_count(side) <= game.starting_count(side)
    assert game.phase == "setup" or game.active in game.setup.sides
    assert game.duel is None or all(game.piece(name).on_table for name in game.duel.fighters)
    for open_one in (game.moving, game.leaping, game.charging):
        assert open_one is None or game.piece(open_one.figure).on_table
    for name in (*game.flights, *game.fleeing_from):
        assert game.piece(name).on_table
    for pieces in (game.seasoned, game.to_draw_in, game.to_advance):
        assert all(game.piece(name).on_table for name in pieces)

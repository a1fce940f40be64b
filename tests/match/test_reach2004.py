"""The reach of each kind of movement of DOOM 2004: the match's answer against an independent plain calculation.

Random boards with walls, lines, doors and obstacles, random figures, random targets inside and outside the reach.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from loading import beside
from msgspec.structs import replace

from assistant.documents import board_document
from assistant.errors import IllegalStep
from assistant.games.doom2004.match import SYSTEM
from assistant.games.doom2004.match.board_steps import MoveFigure
from assistant.games.doom2004.match.spawn_steps import Spawn
from assistant.games.doom2004.match.state import Match2004, Turn2004
from assistant.match.chance import Chance
from assistant.match.game import INVADER, MARINES, Piece
from assistant.match.ground import ground_of
from assistant.table.board import Board, Figure

PLAIN = beside(__file__, "plain_moves2004")
RULES = Path(__file__).parents[1] / "rules"
PLAIN_SIGHT = beside(str(RULES / "x"), "plain_rules")
BOARDS = beside(str(RULES / "x"), "boards")

KINDS = {"marine": 1, "zombie": 1, "demon": 2, "mancubus": 4}
TARGETS = 12
"""Random targets on each board."""


def random_match(build: ModuleType, rng: Random, kind: str) -> tuple[Match2004, Board, str] | None:
    """Return a match in the middle of a move of a figure of that kind, or None if the board has no room for it."""
    setup = build.mission(build.KNEE_DEEP).setup
    game = SYSTEM.start(
        {**setup, "marines": [{"id": f"m{n}", "color": c} for n, c in enumerate(["red", "green"])]}, {}, "x"
    )
    bare = BOARDS.random_board(rng)
    pieces, names = (
        {},
        {
            1: [("marine", MARINES, ["m0", "m1"]), ("zombie", INVADER, ["zombie-1", "zombie-2", "zombie-3"])],
            2: [("demon", INVADER, ["demon-1", "demon-2"])],
            4: [("mancubus", INVADER, ["mancubus-1", "mancubus-2"])],
        },
    )
    figures: list[Figure] = []
    for figure in bare.figures:
        for what, side, left in rng.sample(names.get(len(figure.cells), []), len(names.get(len(figure.cells), []))):
            if left and bare.blocking.isdisjoint(figure.cells):
                name = left.pop(0)
                pieces[name] = Piece(id=name, kind=what, side=side, cells=tuple(sorted(figure.cells)))
                figures.append(Figure(name, what, side, tuple(sorted(figure.cells))))
                break
    board = BOARDS.with_figures(bare, figures)
    movers = [name for name, piece in pieces.items() if piece.kind == kind]
    if not movers:
        return None
    ground, doors_open = ground_of(board_document(board))
    off = {name: piece.gone() for name, piece in game.pieces.items()}
    points = rng.randint(0, 8)
    turn = Turn2004(figure=rng.choice(movers), action="advance", movement=points, attacks=1)
    phase: Any = "marine" if kind == "marine" else "activate"
    match = replace(
        game, ground=ground, doors_open=doors_open, pieces={**off, **pieces}, turn=turn, phase=phase, round=1
    )
    return match, board, turn.figure


def in_a_friends_space(rng: Random, match: Match2004, board: Board, figure: str) -> Match2004:
    """Return the match with the figure in the middle of its move, in a friend's spaces if some are near."""
    piece = match.piece(figure)
    others = [(other.side, frozenset(other.cells)) for other in match.standing() if other.id != figure]
    enemies = frozenset(cell for side, cells in others if side != piece.side for cell in cells)
    friends = [cells for side, cells in others if side == piece.side]
    near = PLAIN.find_costs(board, frozenset(piece.cells), enemies, 4)
    stops = sorted(sorted(place) for place in near if any(not place.isdisjoint(cells) for cells in friends))
    if not stops:
        return match
    turn = replace(match.the_turn(), stood=piece.cells)
    return replace(match.with_piece(replace(piece, cells=tuple(rng.choice(stops)))), turn=turn)


def ask_move(match: Match2004, figure: str, cells: Any) -> int | None:
    """Return the match's points for a move, or None if it refuses it."""
    try:
        step = MoveFigure(figure=figure, cells=cells).settle(match, Chance("x"))
        step.check(match)
        step.apply(match).require_sound()
    except IllegalStep:
        return None
    return step.cost


def random_target(rng: Random, board: Board, cells: Any) -> frozenset[tuple[int, int]]:
    """Return a place for that base, turned at times, near the figure or anywhere."""
    (left, top), base = min(cells), [(x - min(cells)[0], y - min(cells)[1]) for x, y in cells]
    if rng.random() < 0.5:
        base = [(y, x) for x, y in base]
    x, y = rng.choice(sorted(board.cells))
    if rng.random() < 0.6:
        x, y = left + rng.randint(-3, 3), top + rng.randint(-3, 3)
    return frozenset((x + i, y + j) for i, j in base)


def check_moves(build: ModuleType, kind: str, seed: int) -> Counter[str]:
    """Count the targets on one random board by their results."""
    rng, seen = Random(f"{kind} {seed}"), Counter[str]()
    made = random_match(build, rng, kind)
    if made is None:
        return seen
    match, board, figure = made
    if rng.random() < 0.3:
        match = in_a_friends_space(rng, match, board, figure)
    piece = match.piece(figure)
    others = {p.id: (p.side, frozenset(p.cells)) for p in match.standing() if p.id != figure}
    start, points = frozenset(piece.cells), match.the_turn().movement
    enemies = frozenset(cell for side, cells in others.values() if side != piece.side for cell in cells)
    near = sorted(map(sorted, PLAIN.find_costs(board, start, enemies, points + 1)))
    for _ in range(TARGETS):
        want = random_target(rng, board, piece.cells) if rng.random() < 0.5 else frozenset(rng.choice(near))
        if want == start:
            continue
        expected = PLAIN.price_move(board, start, others, piece.side, want, points)
        found = ask_move(match, figure, tuple(sorted(want)))
        assert found == expected, (
            f"{kind} {seed}: {sorted(start)} to {sorted(want)} with {points}: {found}, not {expected}"
        )
        shared = any(not want.isdisjoint(cells) for _, cells in others.values())
        seen["refused" if found is None else "stop" if shared else "end"] += 1
    return seen


def check_spawns(build: ModuleType, seed: int) -> Counter[str]:
    """Random places for a spawned invader, out of every marine's sight and on its whole base."""
    rng, seen = Random(f"spawn {seed}"), Counter[str]()
    made = random_match(build, rng, "marine")
    if made is None:
        return seen
    match, board, _ = made
    kind = rng.choice(["imp", "imp", "demon", "mancubus"])
    name = next((p.id for p in match.pieces.values() if p.kind == kind and not p.on_table), None)
    card = next((c for c, each in match.setup.cards.items() if {kind: 1} in each.spawns), None)
    if name is None or card is None:
        return seen
    deck = replace(match.deck, hand=(card,))
    match = replace(match, deck=deck, phase="spawn", turn=None)
    group = match.setup.cards[card].spawns.index({kind: 1})
    base = {"imp": [(0, 0)], "demon": [(0, 0), (1, 0)], "mancubus": [(0, 0), (1, 0), (0, 1), (1, 1)]}[kind]
    marines = [figure for figure in board.figures if figure.side == MARINES]
    taken = {cell for figure in board.figures for cell in figure.cells}
    free = sorted(board.cells - board.blocking - taken)
    hidden = [cell for cell in free if not any(sees(board, marines, one, cell) for one in marines)]
    for _ in range(TARGETS):
        want = random_target(rng, board, base)
        if hidden and rng.random() < 0.5:
            left, top = rng.choice(hidden)
            want = frozenset((left + x, top + y) for x, y in base)
        is_free = PLAIN.is_whole(board, want) and want.isdisjoint(taken)
        is_legal = is_free and not any(sees(board, marines, marine, cell) for marine in marines for cell in want)
        try:
            step = Spawn(card=card, group=group, cells={name: tuple(sorted(want))})
            step.check(match)
            found = True
        except IllegalStep:
            found = False
        assert found is is_legal, f"spawn {seed}: {name} on {sorted(want)}: {found}, not {is_legal}"
        seen["end" if found else "refused"] += 1
    return seen


def sees(board: Board, marines: list[Figure], marine: Figure, cell: tuple[int, int]) -> bool:
    """Return whether a marine sees a space; other marines block him, invaders do not (seed 002)."""
    if cell in marine.cells:
        return True
    there = Figure("there", "there", INVADER, (cell,))
    alone = BOARDS.with_figures(board, [*(m for m in marines if cell not in m.cells), there])
    return bool(PLAIN_SIGHT.sight_2004(alone, marine, there))


@pytest.mark.parametrize("kind", KINDS)
def test_a_move_ends_where_a_plain_calculation_says(build: ModuleType, kind: str) -> None:
    seen = count(build, kind, FEW)
    assert min(seen["refused"], seen["end"]) > 10


def test_an_invader_is_spawned_where_a_plain_calculation_says(build: ModuleType) -> None:
    assert min(count(build, "spawn", FEW).values()) > 10


FEW, MANY = 400, 20_000


def count(build: ModuleType, kind: str, targets: int) -> Counter[str]:
    """Count the results of at least that many random targets."""
    seen, seed = Counter[str](), 0
    while seen.total() < targets:
        seen += check_spawns(build, seed) if kind == "spawn" else check_moves(build, kind, seed)
        seed += 1
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, "spawn"])
def test_twenty_thousand_targets(build: ModuleType, kind: str) -> None:
    seen = count(build, kind, MANY)
    assert kind in ("spawn", "mancubus") or seen["stop"] > 20, seen

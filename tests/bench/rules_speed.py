"""Measure the speed of the rules, as ratios within one run on the same boards.

    python -m tests.bench [--plot PICTURE.png] [--seed N]

All ordered pairs of a board of about 1,400 cells with 40 figures, against a shapely STRtree that tests
every corner line and against the plain implementation of the tests; the map of all cells seen from one
figure against tcod's field of view; growth with cells and with figures, plotted.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import shapely
import tcod.map

from assistant.match.games import rule_set
from assistant.rules.pairing import iterate_pairs
from assistant.rules.ruleset import AnyRules, CellRules
from assistant.rules.ruling import Verdict
from assistant.rules.whatif import find_seen_cells
from assistant.table.board import Board, Door, Figure
from assistant.table.lattice import Edge, corners, sides

PICTURE = Path("out/bench/rules-speed.png")
FRAME_MS = 1000 / 30
GOAL_RATIO = 50
REPEATS = 5
SAMPLED_PAIRS = 40
"""Number of pairs for timing the slow ones, evenly spread over all."""


def rooms(width: int, height: int, figure_count: int, rng: Random) -> Board:
    """Return a floor of rooms of eight by six cells with walls and doorways between them, some doors closed.

    Half of the figures are on each side, so that half of all ordered pairs are asked.
    """
    cells = frozenset(product(range(width), range(height)))
    edges: dict[Edge, str] = {}
    doors: list[Door] = []
    for edge in sorted({edge for cell in cells for edge in sides(cell) if all(c in cells for c in edge.cells)}):
        (x, y), _ = edge
        at_wall = y % 6 == 0 if edge.is_horizontal else x % 8 == 0
        along = x % 8 if edge.is_horizontal else y % 6
        if at_wall and along not in (2, 3):
            edges[edge] = "wall"
        elif at_wall and rng.random() < 0.2:
            doors.append(Door(f"door-{len(doors)}", (edge,)))
        elif rng.random() < 0.03:
            edges[edge] = rng.choice(("obstacle", "impassable"))
    places = rng.sample(sorted(cells), figure_count)
    figures = tuple(Figure(f"f{i:03}", "k", ("marines", "demons")[i % 2], (place,)) for i, place in enumerate(places))
    difficult = frozenset(rng.sample(sorted(cells), len(cells) // 20))
    return Board(cells, edges, tuple(doors), figures, difficult)


def again(board: Board) -> Board:
    """Return an equal board without any cached results, as the next camera frame brings one."""
    return Board(board.cells, board.edges, board.doors, board.figures, board.difficult, board.blocking)


def timed_ms(call: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median processor time of a call in milliseconds; other programs on the machine do not count."""
    found = []
    for _ in range(repeats):
        began_s = time.process_time()
        call()
        found.append((time.process_time() - began_s) * 1000)
    return statistics.median(found)


def verdicts(rules: AnyRules, board: Board) -> list[Verdict]:
    """Return the bare answers for all ordered pairs."""
    assert isinstance(rules, CellRules)
    return [rules.verdict(board, attacker, defender) for attacker, defender in iterate_pairs(board)]


def ours_ms(game: str, board: Board) -> float:
    """Return all ordered pairs of a board that is new each time."""
    rules = rule_set(game)
    return timed_ms(lambda: verdicts(rules, again(board)))


def shapely_pair_ms(board: Board, plain: ModuleType) -> float:
    """Return the corner lines of one pair against a tree of all barriers, built beforehand."""
    barriers = sorted(plain.barrier_edges(board, plain.SIGHT_2016))
    tree = shapely.STRtree(shapely.linestrings([list(edge) for edge in barriers]))

    def ask(attacker: Figure, defender: Figure) -> bool:
        ends = product(corners(attacker.cells[0]), corners(defender.cells[0]))
        lines = shapely.linestrings([pair for pair in ends if pair[0] != pair[1]])
        hit, _ = tree.query(lines, predicate="crosses")
        return len(set(hit.tolist())) < len(lines)

    return _per_pair_ms(board, ask)


def plain_pair_ms(board: Board, plain: ModuleType) -> float:
    """Return one pair by the second implementation of the tests."""
    return _per_pair_ms(board, lambda a, d: plain.verdict_2016(board, a, d), count=3)


def _per_pair_ms(board: Board, ask: Callable[[Figure, Figure], object], count: int = SAMPLED_PAIRS) -> float:
    pairs = list(iterate_pairs(board))
    sample = pairs[:: max(1, len(pairs) // count)][:count]
    return timed_ms(lambda: [ask(*pair) for pair in sample], repeats=1 if count < 10 else REPEATS) / len(sample)


def tcod_ms(board: Board) -> float:
    """Return the field of view from one figure on a map of twice the size, whose odd places are the cells."""
    width, height = (1 + max(c[axis] for c in board.cells) for axis in (0, 1))
    clear = np.ones((2 * height + 1, 2 * width + 1), dtype=bool)
    for (x, y), (to_x, to_y) in [*board.edges, *board.closed_door_at]:
        clear[2 * y : 2 * to_y + 1, 2 * x : 2 * to_x + 1] = False
    column, row = board.figures[0].cells[0]
    return timed_ms(lambda: tcod.map.compute_fov(clear, (2 * row + 1, 2 * column + 1)))


def seen_ms(board: Board) -> float:
    """Return the same question, exactly, for every cell."""
    rules = rule_set("doom2016")
    return timed_ms(lambda: find_seen_cells(rules, again(board), board.figures[0]))


def report(rng: Random, plain: ModuleType) -> list[str]:
    """Return the lines of the report."""
    board = rooms(44, 32, 40, rng)
    count = sum(1 for _ in iterate_pairs(board))
    first = timed_ms(lambda: verdicts(rule_set("doom2016"), again(board)), repeats=1)
    ours, older = ours_ms("doom2016", board), ours_ms("doom2004", board)
    tree, slow = shapely_pair_ms(board, plain), plain_pair_ms(board, plain)
    rulings = timed_ms(lambda: list(rule_set("doom2016").pairs(again(board))), repeats=1)
    view, known = seen_ms(board), tcod_ms(board)
    per_pair = ours / count
    return [
        f"board: {len(board.cells)} cells, {len(board.edges)} printed edges, {len(board.figures)} figures, "
        f"{count} pairs; all times are processor time",
        f"doom2016, all pairs: {ours:.1f} ms ({ours / FRAME_MS:.2f} camera frames at 30 a second); "
        f"the very first time {first:.0f} ms",
        f"doom2004, all pairs: {older:.1f} ms ({older / FRAME_MS:.2f} camera frames)",
        f"doom2016, all rulings with lines, words and options: {rulings:.0f} ms",
        f"per pair: ours {per_pair * 1000:.1f} µs, range, sight and cover",
        f"shapely STRtree, sight alone: {tree * 1000:.0f} µs, {tree / per_pair:.0f} times ours (goal {GOAL_RATIO})",
        f"plain implementation of the tests: {slow:.0f} ms, {slow / per_pair:.0f} times ours",
        f"cells seen from one figure: ours {view:.1f} ms (exact, corner to corner), "
        f"tcod {known:.2f} ms (cell to cell, not the game's rule), {view / known:.0f} times tcod's",
    ]


def plot(path: Path, rng: Random) -> None:
    """Growth of the time for all pairs with cells and with figures, as a picture."""
    import matplotlib as mpl  # noqa: PLC0415 - only this needs it, and it is slow to load

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    sizes = [(11, 8), (22, 16), (33, 24), (44, 32), (66, 48), (88, 64)]
    figure_counts = [4, 10, 20, 40, 60, 80]
    _, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    for game in ("doom2016", "doom2004"):
        by_cells = [ours_ms(game, rooms(w, h, 40, rng)) for w, h in sizes]
        left.plot([w * h for w, h in sizes], by_cells, marker="o", label=game)
        by_figures = [ours_ms(game, rooms(44, 32, count, rng)) for count in figure_counts]
        right.plot(figure_counts, by_figures, marker="o", label=game)
    for axes, label in ((left, "cells (40 figures, 800 pairs)"), (right, "figures (1,408 cells)")):
        axes.axhline(FRAME_MS, color="gray", linestyle="--", linewidth=1, label="one camera frame")
        axes.set(xlabel=label, ylabel="all ordered pairs, ms", ylim=(0, None))
        axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    plt.savefig(path, dpi=110)


def plain_rules() -> ModuleType:
    """Return the second implementation, which stands with the tests of the rules."""
    place = Path(__file__).resolve().parents[1] / "rules" / "plain_rules.py"
    spec = importlib.util.spec_from_file_location("plain_rules", place)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Print the report and draws the picture."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--plot", type=Path, default=PICTURE, help="where to draw growth")
    arguments.add_argument("--seed", type=int, default=3)
    asked = arguments.parse_args()
    rng = Random(asked.seed)
    sys.stdout.write("\n".join(report(rng, plain_rules())) + "\n")
    plot(asked.plot, rng)
    sys.stdout.write(f"growth: {asked.plot}\n")


if __name__ == "__main__":
    main()

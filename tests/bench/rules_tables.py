"""Rulings and whole documents beside shapely, CGAL, tcod and the plain implementation, as tables of the page."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from types import ModuleType

from assistant.documents import ruling_document, to_json
from assistant.match.games import rule_set
from assistant.rules.pairing import iterate_pairs
from assistant.rules.reasons import word_ruling
from assistant.rules.ruleset import AnyRules
from assistant.table.board import Board, Figure
from assistant.table.free_table import FreeFigure, FreeTable, Stats, Terrain
from assistant.table.lattice import corners
from tests.bench import rules_speed
from tests.bench.figures import Growth, Row, Table, timed_ms

REPEATS = 7
SAMPLED = 40
SIZES = ((11, 8), (22, 16), (33, 24), (44, 32), (66, 48), (88, 64))
FIGURES = (4, 10, 20, 40, 60)
LANGUAGE = "ru"
"""Documents in a language that has to be looked up cost the most."""


def free_table(rng: Random) -> FreeTable:
    """Twenty figures of two sides among thirty boxes."""

    def number(most: int) -> Fraction:
        return Fraction(rng.randrange(most * 10), 10)

    figures = tuple(
        FreeFigure(
            id=f"f{i:02}",
            side=("knights", "diggers")[i % 2],
            center_mm=(number(1200), number(900)),
            base_mm=Fraction(25),
            height_mm=Fraction(30),
            elevation_mm=Fraction(0),
            facing_deg=Fraction(0),
            stats=Stats(4, 4, 4, 4),
            marks=frozenset(),
        )
        for i in range(20)
    )
    terrain = []
    for i in range(30):
        (x, y), (width, depth) = (number(1100), number(800)), (rng.choice((40, 90, 150)), rng.choice((40, 90)))
        outline = ((x, y), (x + width, y), (x + width, y + depth), (x, y + depth))
        terrain.append(Terrain(f"t{i}", ("wall", "wall", "cover")[i % 3], outline, Fraction(rng.choice((15, 30, 60)))))
    return FreeTable(Fraction(50), (Fraction(1300), Fraction(1000)), tuple(terrain), figures)


def write_documents(rules: AnyRules, table: Board | FreeTable) -> int:
    """Write the document of every ordered pair on a table without cached results; return their number."""
    count = 0
    fresh = rules_speed.again(table) if isinstance(table, Board) else replace(table)
    for ruling in rules.pairs(fresh):  # type: ignore[arg-type]
        to_json(ruling_document(word_ruling(ruling, rules.rules, LANGUAGE), rules.rules, LANGUAGE))
        count += 1
    return count


def sight_table(board: Board, plain: ModuleType) -> Table:
    """Bare answers for one pair, ours with range and cover, beside libraries that test the same lines."""
    pairs = list(iterate_pairs(board))
    sample = pairs[:: max(1, len(pairs) // SAMPLED)][:SAMPLED]
    table = Table("A ruling without its words, one pair", "ms a pair")
    for game in ("doom2016", "doom2004"):
        rules = rule_set(game)
        rules_speed.verdicts(rules, board)
        found = timed_ms(lambda r=rules: rules_speed.verdicts(r, rules_speed.again(board)), REPEATS, of=len(pairs))  # type: ignore[misc]
        table.rows.append(Row(f"Sightline, {game}: range, sight, cover, exact", found, is_ours=True))
    if importlib.util.find_spec("CGAL") is None:
        table.notes.append("CGAL could not be installed here.")
    else:
        table.rows.append(Row("CGAL AABB tree, sight lines alone", _cgal(board, plain, sample)))
    table.rows.append(Row("shapely STRtree, sight lines alone", _shapely(board, plain, sample)))
    found = timed_ms(lambda: [plain.verdict_2016(board, a, d) for a, d in sample[:3]], 1, of=3)
    table.rows.append(Row("plain implementation of the tests, exact fractions", found))
    table.notes.append(
        "All ordered pairs of a new board of 1,408 cells and 40 figures, for the libraries a sample of them on trees "
        "that were built beforehand. The libraries ask about the lines of sight from corner to corner and know neither "
        "range nor cover nor what a touch means."
    )
    return table


def _lines(attacker: Figure, defender: Figure) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    ends = product(corners(attacker.cells[0]), corners(defender.cells[0]))
    return [(start, end) for start, end in ends if start != end]


def _shapely(board: Board, plain: ModuleType, sample: list[tuple[Figure, Figure]]) -> tuple[float, ...]:
    import shapely  # noqa: PLC0415 - the extra `bench`

    barriers = sorted(plain.barrier_edges(board, plain.SIGHT_2016))
    tree = shapely.STRtree(shapely.linestrings([list(edge) for edge in barriers]))

    def ask(attacker: Figure, defender: Figure) -> bool:
        lines = shapely.linestrings(_lines(attacker, defender))
        hit, _ = tree.query(lines, predicate="crosses")
        return len(set(hit.tolist())) < len(lines)

    return timed_ms(lambda: [ask(*pair) for pair in sample], REPEATS, of=len(sample))


def _cgal(board: Board, plain: ModuleType, sample: list[tuple[Figure, Figure]]) -> tuple[float, ...]:
    """Return the walls stand upright as two triangles each, and the lines run at half their height."""
    from CGAL.CGAL_AABB_tree import AABB_tree_Triangle_3_soup  # noqa: PLC0415 - the extra `bench`
    from CGAL.CGAL_Kernel import Point_3, Segment_3, Triangle_3  # noqa: PLC0415

    triangles = []
    for (x0, y0), (x1, y1) in sorted(plain.barrier_edges(board, plain.SIGHT_2016)):
        feet, heads = ((Point_3(x0, y0, z), Point_3(x1, y1, z)) for z in (0, 2))
        triangles += [Triangle_3(feet[0], feet[1], heads[0]), Triangle_3(feet[1], heads[0], heads[1])]
    tree = AABB_tree_Triangle_3_soup(triangles)

    def ask(attacker: Figure, defender: Figure) -> bool:
        return any(
            not tree.do_intersect(Segment_3(Point_3(*start, 0.9), Point_3(*end, 0.9)))
            for start, end in _lines(attacker, defender)
        )

    return timed_ms(lambda: [ask(*pair) for pair in sample], REPEATS, of=len(sample))


def map_table(board: Board) -> Table:
    """Return all cells seen from one figure, beside tcod's field of view."""
    table = Table("Every cell that one figure sees", "ms a map")
    table.rows.append(Row("Sightline, doom2016: exact, corner to corner", _seen(board), is_ours=True))
    table.rows.append(Row("tcod, field of view, cell to cell", _tcod(board)))
    table.notes.append("tcod answers another question: its rule is no game's, and it may err by a cell.")
    return table


def _seen(board: Board) -> tuple[float, ...]:
    return tuple(rules_speed.seen_ms(board) for _ in range(3))


def _tcod(board: Board) -> tuple[float, ...]:
    return tuple(rules_speed.tcod_ms(board) for _ in range(REPEATS))


def document_table(board: Board, rng: Random) -> Table:
    """Whole documents: the answer with its lines, reasons in Russian, sources and options, as JSON."""
    table = Table("A whole document, one pair", "ms a document")
    free = free_table(rng)
    for game, shown in (("doom2016", board), ("doom2004", board), ("roads", free)):
        rules = rule_set(game)
        count = write_documents(rules, shown)
        found = timed_ms(lambda r=rules, s=shown: write_documents(r, s), 3, of=count)  # type: ignore[misc]
        table.rows.append(Row(f"{game}, {count} pairs", found, is_ours=True))
    table.notes.append(
        "Every document names the house options without which its answer would be another one, so each pair is asked "
        "some twenty times. The table of roads has 20 figures and 30 pieces of terrain."
    )
    return table


def growths(rng: Random) -> list[Growth]:
    """Return all ordered pairs, as boards and crowds grow."""
    by_cells = Growth("All ordered pairs of 40 figures", "cells", "ms")
    by_figures = Growth("All ordered pairs on 1,408 cells", "figures", "ms")
    for game in ("doom2016", "doom2004"):
        boards = [rules_speed.rooms(w, h, 40, rng) for w, h in SIZES]
        by_cells.lines[game] = [(len(board.cells), rules_speed.ours_ms(game, board)) for board in boards]
        crowds = [rules_speed.rooms(44, 32, count, rng) for count in FIGURES]
        by_figures.lines[game] = [(len(board.figures), rules_speed.ours_ms(game, board)) for board in crowds]
    return [by_cells, by_figures]

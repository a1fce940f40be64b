"""Measure whether rulings stated as sure are right: ``python -m tests.bench_sure OUT LIST...``.

Reads the photos of each list (as ``score.py`` takes them, with truths), rules every ordered pair of figures of the
board that was read by both board games, with the stability that the program states, and asks the same of the true
board. A ruling is wrong where its answer is another one there, or one of its two figures is nobody, or somebody of
another kind. Every ruling that was stated as sure and is wrong is put down to the mistakes of which each, set right
alone, would have mended it. It also counts how often the stated chances of doors, figures and rulings were right.

Observations are kept in OUT, so that a second run, with ``--kept``, only rules. With ``--together`` a table that was
photographed from several sides is read from all of them. With ``--without-markers`` the tiles' own prints give pose and
lens.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from assistant import documents
from assistant.errors import BoardError, SightlineError
from assistant.match.games import rule_set
from assistant.rules.pairing import iterate_pairs
from assistant.rules.ruling import Verdict
from assistant.rules.stability import judge_stability
from assistant.table.board import Board, Door, Figure
from assistant.table.camera import NO_MARKERS
from assistant.table.lattice import Cell, Edge, edge_between, list_inner_edges
from assistant.table.observation import Observation, in_frames_of, lattice_from_table, table_from_lattice
from tests.vision_charts import wilson
from vision.photo.decoding import decode_photo
from vision.reading import TableReader
from vision.tiles.prints import TilePrints, load_prints
from vision.views.reading import SidePhoto, read_together

RULE_SETS = ("doom2016", "doom2004")
SURE = 0.9
NEAR_MM = 12.7
"""Half a cell, as ``score.py`` counts figures."""

BINS = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 0.99, 1.0)

Entry = dict[str, Any]
Mend = Callable[[Board], Board]


class Mistake(NamedTuple):
    """One difference between the read board and the true one: its name, and its correction."""

    cause: str
    text: str
    mend: Mend


@dataclass
class Tally:
    """The results of some photos' rulings."""

    rulings: int = 0
    sure: int = 0
    wrong: int = 0
    causes: Counter[str] = field(default_factory=Counter)

    def __iadd__(self, other: Tally) -> Tally:
        self.rulings, self.sure, self.wrong = (
            self.rulings + other.rulings,
            self.sure + other.sure,
            self.wrong + other.wrong,
        )
        self.causes += other.causes
        return self

    def __str__(self) -> str:
        low, high = wilson(self.sure, self.rulings)
        return (
            f"{self.rulings} rulings, {self.sure} stated at {SURE} or more "
            f"({self.sure / max(1, self.rulings):.1%} [{low:.1%}, {high:.1%}]), {self.wrong} of them wrong"
        )


@dataclass
class Calibration:
    """Stated chances of places beside the truth, in bins."""

    counts: dict[int, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0, 0.0, 0]))

    def add(self, chance: float, is_so: bool) -> None:
        """Add the stated chance of one place, and the truth."""
        index = max(i for i, low in enumerate(BINS) if chance >= low)
        row = self.counts[index]
        row[0], row[1], row[2] = row[0] + 1, row[1] + chance, row[2] + is_so

    def lines(self) -> Iterator[str]:
        """Yield a line for each bin: the number of places, the expected number of hits, the true one."""
        for index, (count, expected, true) in sorted(self.counts.items()):
            yield f"    from {BINS[index]:<6} {count:6.0f} places  expected {expected:8.2f}  true {true:4.0f}"


class TrueTable:
    """The true board, seen in the lattice of the board that was read."""

    def __init__(self, true: Observation, read: Observation) -> None:
        self._true, self._read = true.grid, read.grid
        self.cells = frozenset(self._cell(cell) for cell in true.board.cells)
        self.doors = frozenset(self._edge(edge) for door in true.board.doors for edge in door.edges)
        edges = {self._edge(edge): kind for edge, kind in true.board.edges.items()}
        difficult = frozenset(self._cell(cell) for cell in true.board.difficult)
        at = _matched(true, read)
        self.name_of = {figure.id: at.get(figure.id, f"unseen {figure.id}") for figure in true.board.figures}
        figures = tuple(
            replace(f, id=self.name_of[f.id], cells=tuple(sorted(map(self._cell, f.cells)))) for f in true.board.figures
        )
        doors = tuple(Door(f"door-{n}", (edge,)) for n, edge in enumerate(sorted(self.doors), start=1))
        self.board = Board(self.cells, edges, doors, figures, difficult, cell_mm=true.board.cell_mm)

    def _cell(self, cell: Cell) -> Cell:
        x, y = lattice_from_table(self._read, table_from_lattice(self._true, (cell[0] + 0.5, cell[1] + 0.5)))
        return math.floor(x), math.floor(y)

    def _edge(self, edge: Edge) -> Edge:
        a, b = edge.cells
        return edge_between(self._cell(a), self._cell(b))


def _matched(true: Observation, read: Observation) -> dict[str, str]:
    """For true figures the name of the figure that was read in their place, the nearest first."""
    names = {frozenset(figure.cells): figure.id for figure in read.board.figures}
    true_names = {frozenset(figure.cells): figure.id for figure in true.board.figures}
    near = sorted(
        (math.dist(t.center_mm, r.center_mm), i, j)
        for i, t in enumerate(true.figures)
        for j, r in enumerate(read.figures)
    )
    found: dict[int, int] = {}
    for distance, i, j in near:
        if distance <= NEAR_MM and i not in found and j not in found.values():
            found[i] = j
    return {
        true_names[frozenset(true.figures[i].cells)]: names[frozenset(read.figures[j].cells)] for i, j in found.items()
    }


def find_mistakes(read: Observation, true: TrueTable) -> Iterator[Mistake]:
    """Yield every difference between the read board and the true one, with its stated chance."""
    yield from _door_mistakes(read, true)
    yield from _figure_mistakes(read, true)
    board = read.board
    if board.cells != true.cells or _terrain(board) != _terrain(true.board):
        yield Mistake("tile", f"{len(board.cells ^ true.cells)} cells, terrain", _on_tiles_of(true.board))


def _door_mistakes(read: Observation, true: TrueTable) -> Iterator[Mistake]:
    chances = door_chances(read)
    closed = {edge for door in read.board.doors for edge in door.edges}
    for edge in sorted(true.doors - closed):
        yield Mistake("missed door", f"{_place(edge)} stated {chances.get(edge, 0.0):.3f}", _with_door(edge))
    for door in read.board.doors:
        if not true.doors.issuperset(door.edges):
            text = f"{_place(door.edges[0])} stated {chances.get(door.edges[0], 0.0):.3f}"
            yield Mistake("false door", text, _without_door(door.id))


def _figure_mistakes(read: Observation, true: TrueTable) -> Iterator[Mistake]:
    seen, there = read.board.figure_by_id, true.board.figure_by_id
    for name, figure in there.items():
        if name not in seen:
            text = f"{figure.kind} {figure.cells} stated {_chance_at(read, figure):.3f}"
            yield Mistake("missed figure", text, _with(figure))
    sure = {tuple(sorted(figure.cells)): figure.confidence for figure in read.figures}
    for name, figure in seen.items():
        text = f"{name} {figure.cells} stated {sure.get(figure.cells, 0.0):.3f}"
        if name not in there:
            yield Mistake("false figure", text, _without(name))
            continue
        other = there[name]
        if other.cells != figure.cells:
            yield Mistake("wrong cells", text, _with(other))
        if not _same_kind(figure, other):
            yield Mistake("wrong kind", f"{text}, is {other.kind}", _with(other))


def _same_kind(read: Figure, true: Figure) -> bool:
    """Return a kind that was left open is not wrong."""
    return read.side == "unknown" or read.kind == true.kind


def _terrain(board: Board) -> tuple[Mapping[Edge, str], frozenset[Cell]]:
    inner = {edge: kind for edge, kind in board.edges.items() if board.cells.issuperset(edge.cells)}
    return inner, board.difficult


def _place(edge: Edge) -> str:
    return f"{edge.start}-{edge.end}"


def _with_door(edge: Edge) -> Mend:
    return lambda board: replace(board, doors=(*board.doors, Door(f"mended {edge}", (edge,))))


def _without_door(name: str) -> Mend:
    return lambda board: replace(board, doors=tuple(door for door in board.doors if door.id != name))


def _with(figure: Figure) -> Mend:
    def mend(board: Board) -> Board:
        others = (f for f in board.figures if f.id != figure.id and not {*f.cells} & {*figure.cells})
        return replace(board, figures=(*others, figure))

    return mend


def _without(name: str) -> Mend:
    return lambda board: replace(board, figures=tuple(figure for figure in board.figures if figure.id != name))


def _on_tiles_of(true: Board) -> Mend:
    def mend(board: Board) -> Board:
        figures = tuple(f for f in board.figures if true.cells.issuperset(f.cells))
        doors = tuple(d for d in board.doors if all(true.cells.issuperset(e.cells) for e in d.edges))
        return replace(
            board, cells=true.cells, edges=true.edges, difficult=true.difficult, figures=figures, doors=doors
        )

    return mend


def door_chances(read: Observation) -> dict[Edge, float]:
    """Return the stated chance of a door for each edge that has one."""
    chances = {edge: 1.0 for door in read.board.doors for edge in door.edges}
    for doubt in read.doubts:
        for door in (d for d in read.board.doors if d.id in doubt.about):
            chances.update(dict.fromkeys(door.edges, 0.0))
        for variant in doubt.variants:
            for edge in (edge for door in variant.doors for edge in door.edges):
                chances[edge] = chances.get(edge, 0.0) + variant.chance
    return chances


def base_chances(read: Observation) -> dict[Cell, float]:
    """Return the stated chance of a base for each cell that has one."""
    chances = {cell: 1.0 for figure in read.board.figures for cell in figure.cells}
    for doubt in read.doubts:
        for figure in (f for f in read.board.figures if f.id in doubt.about):
            chances.update(dict.fromkeys(figure.cells, 0.0))
    for doubt in read.doubts:
        for variant in doubt.variants:
            for cell in {cell for figure in variant.figures for cell in figure.cells}:
                chances[cell] = chances.get(cell, 0.0) + variant.chance
    return chances


def _chance_at(read: Observation, figure: Figure) -> float:
    chances = base_chances(read)
    return max(chances.get(cell, 0.0) for cell in figure.cells)


def tally_rulings(read: Observation, true: TrueTable, stated: Calibration) -> Tally:
    """Compare both games' rulings on the reading with the true board, and add what is stated of each to ``stated``."""
    tally, mistakes = Tally(), list(find_mistakes(read, true))
    table, seen = read.table, true.board.figure_by_id
    for name in RULE_SETS:
        rules: Any = rule_set(name)

        def ask(board: Board, a: str, b: str, rules: Any = rules) -> Verdict | None:
            there = board.figure_by_id
            return rules.verdict(board, there[a], there[b]) if {a, b} <= there.keys() else None

        wrong: list[tuple[str, str]] = []
        for attacker, defender in iterate_pairs(read.board):
            ruling = rules.rule(read.board, attacker.id, defender.id)
            sure = judge_stability(rules.verdict, table, ruling, only_hinders=rules.only_hinders).stability
            tally.rulings += 1
            is_who = all(f.id in seen and _same_kind(f, seen[f.id]) for f in (attacker, defender))
            is_right = is_who and ask(true.board, attacker.id, defender.id) == ruling.verdict
            stated.add(sure, is_right)
            if sure < SURE:
                continue
            tally.sure += 1
            if not is_right:
                wrong.append((attacker.id, defender.id))
        tally.wrong += len(wrong)
        for pair in wrong:
            tally.causes.update(_causes(pair, mistakes, read.board, true.board, ask))
    return tally


def _causes(
    pair: tuple[str, str],
    mistakes: Iterable[Mistake],
    read: Board,
    true: Board,
    ask: Callable[[Board, str, str], Verdict | None],
) -> Iterator[str]:
    """Yield the mistakes whose correction alone mends the ruling; at least one for each ruling."""
    wanted, mended = ask(true, *pair), []
    for mistake in mistakes:
        about_them = mistake.cause in ("false figure", "wrong kind") and any(
            mistake.text.startswith(f"{name} ") for name in pair
        )
        try:
            is_mended = about_them or (wanted is not None and ask(mistake.mend(read), *pair) == wanted)
        except BoardError:
            is_mended = False
        if is_mended:
            mended.append(f"{mistake.cause}: {mistake.text}")
    yield from mended or ["several together"]


def observe(
    folder: Path, sides: Sequence[Entry], prints: TilePrints, kept: Path, *, use_kept: bool, with_markers: bool
) -> Observation | None:
    """Return the reading of one photo, or of several photos of one table, or None if unreadable.

    It is kept as a document.
    """
    if not (use_kept and kept.exists()):
        try:
            read = read_together(
                [_side(folder, entry, prints, with_markers=with_markers) for entry in sides]
            ).observation
            kept.write_text(json.dumps(documents.observation_document(read)))
        except SightlineError as problem:
            kept.write_text(json.dumps(documents.error_document(problem)))
    document = json.loads(kept.read_text())
    if "error" in document:
        return None
    return documents.observation_from_json(kept.read_bytes(), str(kept))


def _side(folder: Path, entry: Entry, prints: TilePrints, *, with_markers: bool) -> SidePhoto:
    path = {key: folder / entry[key] for key in ("photo", "table", "camera", "roster")}
    reader = TableReader(
        prints,
        documents.roster_from_json(path["roster"].read_bytes()),
        documents.table_from_json(path["table"].read_bytes()) if with_markers else NO_MARKERS,
        documents.camera_from_json(path["camera"].read_bytes()) if with_markers else None,
    )
    return SidePhoto(reader, decode_photo(path["photo"].read_bytes()), entry["photo"])


def sides_of(path: Path, *, together: bool) -> list[list[Entry]]:
    """Return the photos of each table: the list's, and on request those of ``list-2.json`` and so on beside it.

    The names there may end with ``-view2`` and so on.

    Raises:
        ClickException: there is no list beside it, or one without the same tables.
    """
    tables = json.loads(path.read_text())
    if not together:
        return [[entry] for entry in tables]
    sides = [
        {re.sub(r"-view[0-9]$", "", entry["name"]): entry for entry in json.loads(one.read_text())}
        for one in sorted(path.parent.glob(f"{path.stem}-[0-9].json"))
    ]
    names = {entry["name"] for entry in tables}
    if not sides or any(side.keys() != names for side in sides):
        raise click.ClickException(
            f"{path.parent} needs a list of the same tables from another side, {path.stem}-2.json"
        )
    return [[entry, *(side[entry["name"]] for side in sides)] for entry in tables]


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("lists", type=click.Path(path_type=Path, exists=True, dir_okay=False), nargs=-1, required=True)
@click.option("--kept", "use_kept", is_flag=True, help="Take the observations of an earlier run in OUT.")
@click.option("--together", is_flag=True, help="Read each table with its photos of list-2.json beside the list, too.")
@click.option("--without-markers", is_flag=True, help="Read by the tiles alone, with no known lens.")
def main(out: Path, lists: tuple[Path, ...], use_kept: bool, together: bool, without_markers: bool) -> None:
    """Count the rulings stated as sure, and the wrong ones among them."""
    out.mkdir(parents=True, exist_ok=True)
    whole, doors, cells, rulings = Tally(), Calibration(), Calibration(), Calibration()
    for path in lists:
        prints: tuple[Path, TilePrints] | None = None
        of_list = Tally()
        for sides in sides_of(path, together=together):
            entry = sides[0]
            tiles = path.parent / entry["tiles"]
            kept = out / f"{path.parent.name}-{entry['name']}.json"
            if prints is None or prints[0] != tiles:
                prints = (tiles, load_prints(tiles))
            read = observe(path.parent, sides, prints[1], kept, use_kept=use_kept, with_markers=not without_markers)
            if read is None:
                click.echo(f"{kept.stem}: not read")
                continue
            truth = documents.observation_from_json((path.parent / entry["truth"]).read_bytes())
            true = TrueTable(next(in_frames_of(read, truth)), read)
            _hold(read, true, doors, cells)
            tally = tally_rulings(read, true, rulings)
            of_list += tally
            click.echo(f"{kept.stem}: {tally}; {len(read.doubts)} doubts")
            for mistake in find_mistakes(read, true):
                click.echo(f"    {mistake.cause}: {mistake.text}")
            for cause, count in tally.causes.most_common():
                click.echo(f"    {count} wrong by {cause}")
        click.echo(f"{path.parent.name}: {of_list}\n")
        whole += of_list
    click.echo(f"all: {whole}")
    causes = Counter[str]()
    for cause, count in whole.causes.items():
        causes[cause.partition(":")[0]] += count
    click.echo("  " + ("; ".join(f"{cause} {count}" for cause, count in causes.most_common()) or "nothing wrong"))
    for what, calibration in (("doors on edges", doors), ("bases on cells", cells), ("rulings", rulings)):
        click.echo(f"  chances of {what}:")
        for line in calibration.lines():
            click.echo(line)


def _hold(read: Observation, true: TrueTable, doors: Calibration, cells: Calibration) -> None:
    """Compare the stated chance of every edge and cell of the board with the truth."""
    chances = door_chances(read)
    for edge in list_inner_edges(read.board.cells & true.cells):
        doors.add(min(1.0, chances.get(edge, 0.0)), edge in true.doors)
    bodies, under = base_chances(read), {cell for figure in true.board.figures for cell in figure.cells}
    for cell in sorted(read.board.cells & true.cells):
        cells.add(min(1.0, bodies.get(cell, 0.0)), cell in under)


if __name__ == "__main__":
    main()

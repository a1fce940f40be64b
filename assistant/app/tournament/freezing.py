"""One tap freezes everything that a judge will need: pictures, what was read from them, rulings, the match."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from assistant.app.live.shots import Shot
from assistant.app.tournament.evidence import program_versions
from assistant.app.tournament.rule_again import AskedAttack, read_table, rule_again
from assistant.documents import observation_document
from assistant.documents.evidence import MOMENT
from assistant.documents.moment import (
    MOST_PICTURES,
    MOST_RULINGS,
    DrawnLine,
    FrozenPicture,
    FrozenRuling,
    Moment,
    SnappedBoard,
    SnappedEdge,
    SnappedFigure,
    moment_document,
)
from assistant.table.board import Figure
from assistant.table.lattice import Edge, sides
from assistant.table.lattice_frame import table_from_lattice

RIM = 1.0
"""Cells round the board that a printed picture shows: who stands beside it may matter."""

SNAPPED_KINDS = ("wall", "obstacle", "impassable")
"""Sides of cells that stop somebody; the others are seen on the picture."""

LAST_EVENTS = 30
"""Steps of the match that a judge sees; the whole match is exported by itself."""


@dataclass(frozen=True)
class AskedShot:
    """A ruling that was asked for: on which picture, by which rules, about whom, and when (seconds since 1970)."""

    shot: Shot
    ruleset: str
    options: Mapping[str, str]
    attacker: str
    defender: str
    asked_at_s: float


@dataclass(frozen=True)
class TableNow:
    """The table as it is when somebody calls.

    Args:
        table: its name.
        t_ms: milliseconds since 1970, UTC.
        holding: how the newest picture stands to the table.
        match: the view of the match that everybody may have; None where none is played.
        shots: the last pictures, the oldest first.
        asked: the last rulings, the oldest first.
        titles: the steps of the match by their numbers, in languages other than English.
    """

    table: str
    t_ms: int
    holding: str
    match: Mapping[str, Any] | None
    shots: Sequence[Shot]
    asked: Sequence[AskedShot]
    titles: Mapping[str, Mapping[int, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Frozen:
    """What was frozen: the moment, its parts by name with the moment's own document, and the hash of that."""

    moment: Moment
    parts: Mapping[str, bytes]
    hash: str


def freeze_moment(now: TableNow) -> Frozen:
    """The table as it is, as documents and pictures that stay.

    Raises:
        InputError: what was read cannot be written and read again, which would be a mistake of ours.
    """
    asked = now.asked[-MOST_RULINGS:]
    shots = _shots_of(now.shots, asked)
    drawer = _Drawer()
    looked_at = {one.shot.id for one in asked} | {shot.id for shot in shots[-1:]}
    pictures = tuple(drawer.add(shot, with_board=shot.id in looked_at) for shot in shots)
    places = {shot.id: place for place, shot in enumerate(shots)}
    rulings = tuple(drawer.rule(one, places[one.shot.id], pictures) for one in asked)
    moment = Moment(
        t=now.t_ms,
        table=now.table,
        holding=now.holding,
        versions=program_versions(),
        match=None if now.match is None else _match_facts(now.match, now.titles),
        pictures=pictures,
        rulings=rulings,
        parts={name: hashlib.sha256(content).hexdigest() for name, content in sorted(drawer.parts.items())},
    )
    document = moment_document(moment)
    return Frozen(moment, {**drawer.parts, MOMENT: document}, hashlib.sha256(document).hexdigest())


def _shots_of(shots: Sequence[Shot], asked: Sequence[AskedShot]) -> list[Shot]:
    """Every picture once, the oldest first; the newest is the moment itself, and what was asked about always stays."""
    needed = {one.shot.id: one.shot for one in asked}
    room = MOST_PICTURES - len(needed)
    latest = {shot.id: shot for shot in shots[-room:]}
    ordered = sorted({**needed, **latest}.values(), key=lambda shot: shot.taken_at_s)
    newest = shots[-1] if shots else None
    return [shot for shot in ordered if shot is not newest] + ([] if newest is None else [newest])


@dataclass
class _Drawer:
    """Fills the parts, one picture and one ruling after the other; equal contents are kept once."""

    parts: dict[str, bytes] = field(default_factory=dict)
    _names: dict[tuple[bytes, str], str] = field(default_factory=dict)

    def add(self, shot: Shot, *, with_board: bool) -> FrozenPicture:
        picture, seen, table = shot.read.picture, shot.read.observation, shot.table
        believed = replace(seen, board=table.board, doubts=table.doubts, ground_doubts=table.ground_doubts)
        return FrozenPicture(
            t=max(0, round(shot.taken_at_s * 1000)),
            source=shot.source,
            picture=self._put("picture", picture.jpeg, "jpg"),
            width_px=picture.width_px,
            height_px=picture.height_px,
            focus=_focus(shot),
            observation=self._put("observation", _json(observation_document(seen)), "json"),
            believed=None if believed == seen else self._put("believed", _json(observation_document(believed)), "json"),
            snapped=_snapped(shot) if with_board else None,
        )

    def rule(self, asked: AskedShot, place: int, pictures: Sequence[FrozenPicture]) -> FrozenRuling:
        """The ruling as the documents give it, so that whoever has the documents gets the same."""
        picture, board = pictures[place], asked.shot.board
        name = picture.believed or picture.observation
        table = read_table(self.parts[name], name)
        attack = AskedAttack(asked.ruleset, asked.attacker, asked.defender, dict(asked.options))
        ruling = rule_again(attack, table)
        attacker, defender = (_middle(asked.shot, board.figure(name)) for name in (asked.attacker, asked.defender))
        return FrozenRuling(
            asked_t=max(0, round(asked.asked_at_s * 1000)),
            picture=place,
            ruling=ruling,
            lines=tuple(_drawn(line, asked.shot) for line in ruling["lines"]),
            figures=(attacker, defender),
        )

    def _put(self, kind: str, content: bytes, ending: str) -> str:
        key = (content, kind)
        if key not in self._names:
            number = sum(name.startswith(f"frozen/{kind}-") for name in self.parts) + 1
            self._names[key] = f"frozen/{kind}-{number:03d}.{ending}"
            self.parts[self._names[key]] = content
        return self._names[key]


def _json(document: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(document)


def _drawn(line: Mapping[str, Any], shot: Shot) -> DrawnLine:
    (x0, y0), (x1, y1) = (_pixel(shot, line[end]) for end in ("from", "to"))
    return DrawnLine(ends=(x0, y0, x1, y1), is_free=line["blocked_by"] is None)


def _snapped(shot: Shot) -> SnappedBoard:
    """The board over its picture: its rim and what is printed, the doors, and who stands where."""
    board = shot.board
    rim = (edge for cell in board.cells for edge in sides(cell) if not board.cells.issuperset(edge.cells))
    kinds: dict[Edge, Any] = {**board.edges, **dict.fromkeys(rim, "wall")}
    kinds = {edge: kind for edge, kind in kinds.items() if kind in SNAPPED_KINDS}
    kinds |= {edge: "open door" if door.open else "closed door" for door in board.doors for edge in door.edges}
    edges = []
    for edge, kind in sorted(kinds.items()):
        (x0, y0), (x1, y1) = _pixel(shot, edge.start), _pixel(shot, edge.end)
        edges.append(SnappedEdge(ends=(x0, y0, x1, y1), kind=kind))
    figures = tuple(SnappedFigure(id=figure.id, at=_middle(shot, figure)) for figure in board.figures)
    return SnappedBoard(edges=tuple(edges), figures=figures)


def _middle(shot: Shot, figure: Figure) -> tuple[float, float]:
    """Where the middle of a figure's cells appears."""
    columns, rows = [column for column, _ in figure.cells], [row for _, row in figure.cells]
    return _pixel(shot, ((min(columns) + max(columns) + 1) / 2, (min(rows) + max(rows) + 1) / 2))


def _pixel(shot: Shot, place: Sequence[float]) -> tuple[float, float]:
    """Where a lattice point on top of the tiles appears."""
    point_mm = table_from_lattice(shot.read.observation.grid, (place[0], place[1]))
    x, y = shot.read.view.image_from_table([point_mm], shot.setup.tiles.thickness_mm)[0]
    return (round(x, 1), round(y, 1))


def _focus(shot: Shot) -> tuple[float, float, float, float]:
    """The part of the picture with the board and some of what lies round it; all of it where the board is not in it."""
    picture, grid = shot.read.picture, shot.read.observation.grid
    around = sorted({(x + dx, y + dy) for x, y in shot.board.cells for dx in (-RIM, 1 + RIM) for dy in (-RIM, 1 + RIM)})
    points = shot.read.view.image_from_table([table_from_lattice(grid, corner) for corner in around])
    left, top = max(0.0, min(x for x, _ in points)), max(0.0, min(y for _, y in points))
    right = min(float(picture.width_px), max(x for x, _ in points))
    bottom = min(float(picture.height_px), max(y for _, y in points))
    if right <= left or bottom <= top:
        return (0.0, 0.0, float(picture.width_px), float(picture.height_px))
    return (round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1))


def _match_facts(view: Mapping[str, Any], titles: Mapping[str, Mapping[int, str]]) -> dict[str, Any]:
    """What is kept of a match: what it is, under which options, how far it is, and its last steps in every language."""
    kept = {name: view.get(name) for name in ("match", "seq", "round", "phase", "to_act", "clock")}
    facts: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(kept))
    facts["events"] = [
        {**{name: step.get(name) for name in ("seq", "title", "by", "done")}, "titles": _of_step(step, titles)}
        for step in view.get("history", [])[-LAST_EVENTS:]
    ]
    return facts


def _of_step(step: Mapping[str, Any], titles: Mapping[str, Mapping[int, str]]) -> dict[str, str]:
    return {language: by_seq[step["seq"]] for language, by_seq in titles.items() if step["seq"] in by_seq}

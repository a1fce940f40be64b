"""``sightline.free-table/1``: a table without a grid."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

from msgspec import Meta, Struct

from assistant.documents.reading import Name, decode
from assistant.errors import InputError
from assistant.table.free_table import FAR_MM, FreeFigure, FreeTable, Mark, Stats, Terrain, TerrainKind
from assistant.table.plane import ExactPoint

FREE_TABLE_FORMAT = "sightline.free-table/1"

_Near = Annotated[float, Meta(ge=-FAR_MM, le=FAR_MM)]
_PointPair = tuple[_Near, _Near]
_Size = Annotated[float, Meta(gt=0, le=FAR_MM)]
_Stat = Annotated[int, Meta(ge=0, le=1000)]


class _TerrainWire(Struct):
    id: Name
    outline_mm: list[_PointPair]
    height_mm: Annotated[float, Meta(ge=0, le=FAR_MM)]
    kind: TerrainKind


class _StatsWire(Struct):
    mobility: _Stat
    toughness: _Stat
    spirit: _Stat
    combat: _Stat


class _FigureWire(Struct):
    id: Name
    side: Name
    center_mm: _PointPair
    base_mm: _Size
    height_mm: _Size
    elevation_mm: _Near
    facing_deg: _Near
    stats: _StatsWire
    wounds: _Stat = 0
    marks: list[Mark] = []


class _FreeTableWire(Struct):
    step_mm: _Size
    size_mm: tuple[_Size, _Size]
    terrain: list[_TerrainWire]
    figures: list[_FigureWire]


def free_table_from_json(data: bytes, document: str = "free table") -> FreeTable:
    """The table of a ``sightline.free-table/1`` document, its numbers exactly as they are written.

    ``wounds`` (default 0) and ``marks`` (default none) of a figure may be absent.

    Raises:
        DocumentError: the document breaks its format or contradicts itself; the field at fault is named.
    """
    wire = decode(data, FREE_TABLE_FORMAT, _FreeTableWire, document)
    try:
        return FreeTable(
            step_mm=_exact(wire.step_mm),
            size_mm=_exact_pair(wire.size_mm),
            terrain=tuple(
                Terrain(t.id, t.kind, tuple(map(_exact_pair, t.outline_mm)), _exact(t.height_mm)) for t in wire.terrain
            ),
            figures=tuple(_figure(figure) for figure in wire.figures),
        )
    except InputError as problem:
        raise problem.in_document(document) from None


def free_table_document(table: FreeTable) -> dict[str, Any]:
    """The ``sightline.free-table/1`` document of a table; whole numbers are written as such."""
    return {
        "format": FREE_TABLE_FORMAT,
        "step_mm": _number(table.step_mm),
        "size_mm": _pair(table.size_mm),
        "terrain": [
            {
                "id": piece.id,
                "outline_mm": [_pair(point) for point in piece.outline_mm],
                "height_mm": _number(piece.height_mm),
                "kind": piece.kind,
            }
            for piece in table.terrain
        ],
        "figures": [_figure_document(figure) for figure in table.figures],
    }


def _figure(wire: _FigureWire) -> FreeFigure:
    stats = wire.stats
    return FreeFigure(
        id=wire.id,
        side=wire.side,
        center_mm=_exact_pair(wire.center_mm),
        base_mm=_exact(wire.base_mm),
        height_mm=_exact(wire.height_mm),
        elevation_mm=_exact(wire.elevation_mm),
        facing_deg=_exact(wire.facing_deg),
        stats=Stats(stats.mobility, stats.toughness, stats.spirit, stats.combat),
        wounds=wire.wounds,
        marks=frozenset(wire.marks),
    )


def _figure_document(figure: FreeFigure) -> dict[str, Any]:
    stats = figure.stats
    document: dict[str, Any] = {
        "id": figure.id,
        "side": figure.side,
        "center_mm": _pair(figure.center_mm),
        "base_mm": _number(figure.base_mm),
        "height_mm": _number(figure.height_mm),
        "elevation_mm": _number(figure.elevation_mm),
        "facing_deg": _number(figure.facing_deg),
        "stats": {
            "mobility": stats.mobility,
            "toughness": stats.toughness,
            "spirit": stats.spirit,
            "combat": stats.combat,
        },
    }
    if figure.wounds:
        document["wounds"] = figure.wounds
    if figure.marks:
        document["marks"] = sorted(figure.marks)
    return document


def _exact(number: float) -> Fraction:
    """The shortest decimal number that reads as this one: what the document says, up to 15 digits."""
    return Fraction(str(number))


def _exact_pair(pair: tuple[float, float]) -> ExactPoint:
    return _exact(pair[0]), _exact(pair[1])


def _number(exact: Fraction) -> int | float:
    return int(exact) if exact.denominator == 1 else float(exact)


def _pair(pair: ExactPoint) -> list[int | float]:
    return [_number(pair[0]), _number(pair[1])]

"""``sightline.free-table/1``: a table without a grid."""

from __future__ import annotations

from dataclasses import asdict, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any

from msgspec import Meta

from assistant.documents.reading import Wire, decode
from assistant.table.fields import Confidence, Name
from assistant.table.free_sighting import FreeMaybe, FreeSighting, FreeSpot
from assistant.table.free_table import (
    FAR_MM,
    MAX_FIGURES,
    FreeFigure,
    FreeTable,
    Mark,
    Points,
    Stats,
    Terrain,
    TerrainKind,
)
from assistant.table.observation import CameraSighting
from assistant.table.plane import ExactPoint

FREE_TABLE_FORMAT = "sightline.free-table/1"

_Near = Annotated[float, Meta(ge=-FAR_MM, le=FAR_MM)]
_PointPair = tuple[_Near, _Near]
_Size = Annotated[float, Meta(gt=0, le=FAR_MM)]
_HalfTurn = Annotated[float, Meta(ge=0, le=180)]


class _TerrainWire(Wire):
    id: Name
    outline_mm: tuple[_PointPair, ...]
    height_mm: Annotated[float, Meta(ge=0, le=FAR_MM)]
    kind: TerrainKind

    @cached_property
    def made(self) -> Terrain:
        return Terrain(self.id, self.kind, tuple(map(_exact_pair, self.outline_mm)), _exact(self.height_mm))


class _FigureWire(Wire):
    id: Name
    side: Name
    center_mm: _PointPair
    base_mm: _Size
    height_mm: _Size
    elevation_mm: _Near
    facing_deg: _Near
    stats: Stats
    wounds: Points = 0
    marks: frozenset[Mark] = frozenset()
    error_mm: Annotated[float, Meta(ge=0, le=FAR_MM)] | None = None
    confidence: Confidence = 1.0
    facing_error_deg: _HalfTurn | None = None
    kinds: tuple[Name, ...] = ()
    seen_mm: _PointPair | None = None
    turn_error_deg: _HalfTurn = 0.0
    base_size_mm: tuple[_Size, _Size] | None = None

    @cached_property
    def made(self) -> FreeFigure:
        return FreeFigure(
            id=self.id,
            side=self.side,
            center_mm=_exact_pair(self.center_mm),
            base_mm=_exact(self.base_mm),
            height_mm=_exact(self.height_mm),
            elevation_mm=_exact(self.elevation_mm),
            facing_deg=_exact(self.facing_deg),
            stats=self.stats,
            wounds=self.wounds,
            marks=self.marks,
            base_size_mm=None if self.base_size_mm is None else _exact_pair(self.base_size_mm),
        )

    def spot(self) -> FreeSpot | None:
        """The figure's errors, or None if no camera saw it."""
        if self.error_mm is None:
            return None
        return FreeSpot(self.error_mm, self.confidence, self.facing_error_deg, self.kinds, self.turn_error_deg)


class _MaybeWire(_FigureWire, kw_only=True):
    chance: Confidence
    anywhere: bool = False


class _FreeTableWire(Wire):
    step_mm: _Size
    size_mm: tuple[_Size, _Size]
    terrain: tuple[_TerrainWire, ...]
    figures: tuple[_FigureWire, ...]
    camera: CameraSighting | None = None
    maybes: Annotated[tuple[_MaybeWire, ...], Meta(max_length=MAX_FIGURES)] = ()

    @cached_property
    def made(self) -> FreeSighting:
        figures = tuple(figure.made for figure in self.figures)
        terrain = tuple(piece.made for piece in self.terrain)
        table = FreeTable(_exact(self.step_mm), _exact_pair(self.size_mm), terrain, figures)
        # Every look-alike of the table must itself be a valid table, with the figures that may be there.
        replace(table, figures=(*figures, *(maybe.made for maybe in self.maybes)))
        sighting = FreeSighting(
            table,
            {figure.id: spot for figure in self.figures if (spot := figure.spot()) is not None},
            {figure.id: figure.seen_mm for figure in self.figures if figure.seen_mm is not None},
            maybes=tuple(FreeMaybe(m.made, m.chance, m.anywhere, m.spot()) for m in self.maybes),
        )
        return (
            sighting
            if self.camera is None
            else replace(sighting, reprojection_px=self.camera.reprojection_px, markers_seen=self.camera.markers_seen)
        )


def free_table_from_json(data: bytes, document: str = "free table") -> FreeTable:
    """Read the table of a ``sightline.free-table/1`` document, its numbers exactly as written.

    ``wounds`` (default 0) and ``marks`` (default none) of a figure may be absent. So may ``base_size_mm``, which only a
    rectangular base has: its extents along and across ``facing_deg``.

    Raises:
        DocumentError: the document breaks its format or contradicts itself; the field at fault is named.
    """
    return free_sighting_from_json(data, document).table


def free_sighting_from_json(data: bytes, document: str = "free table") -> FreeSighting:
    """Read the table of a ``sightline.free-table/1`` document with a camera's errors (see README.md).

    Raises:
        DocumentError: the document breaks its format or contradicts itself; the field at fault is named.
    """
    return decode(data, FREE_TABLE_FORMAT, _FreeTableWire, document).made


def free_sighting_document(sighting: FreeSighting) -> dict[str, Any]:
    """Return the ``sightline.free-table/1`` document of a table, with a camera's errors."""
    document = free_table_document(sighting.table)
    for figure in document["figures"]:
        spot = sighting.spots.get(figure["id"])
        if spot is not None:
            figure.update(_spot_document(spot))
        if figure["id"] in sighting.seen_mm:
            figure["seen_mm"] = [round(value, 3) for value in sighting.seen_mm[figure["id"]]]
    markers = list(sighting.markers_seen)
    if sighting.maybes:
        document["maybes"] = [_maybe_document(maybe) for maybe in sighting.maybes]
    document["camera"] = {"reprojection_px": round(sighting.reprojection_px, 3), "markers_seen": markers}
    return document


def _spot_document(spot: FreeSpot) -> dict[str, Any]:
    document: dict[str, Any] = {"error_mm": round(spot.error_mm, 3), "confidence": round(spot.confidence, 4)}
    if spot.facing_error_deg is not None:
        document["facing_error_deg"] = round(spot.facing_error_deg, 2)
    if spot.kinds:
        document["kinds"] = list(spot.kinds)
    if spot.turn_error_deg:
        document["turn_error_deg"] = round(spot.turn_error_deg, 2)
    return document


def _maybe_document(maybe: FreeMaybe) -> dict[str, Any]:
    spot = {} if maybe.spot is None else _spot_document(maybe.spot)
    document = {**_figure_document(maybe.figure), **spot, "chance": round(maybe.chance, 3)}
    return {**document, "anywhere": True} if maybe.is_anywhere else document


def free_table_document(table: FreeTable) -> dict[str, Any]:
    """Return the ``sightline.free-table/1`` document of a table. Whole numbers are written without decimals."""
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


def _figure_document(figure: FreeFigure) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": figure.id,
        "side": figure.side,
        "center_mm": _pair(figure.center_mm),
        "base_mm": _number(figure.base_mm),
        "height_mm": _number(figure.height_mm),
        "elevation_mm": _number(figure.elevation_mm),
        "facing_deg": _number(figure.facing_deg),
        "stats": asdict(figure.stats),
    }
    if figure.base_size_mm is not None:
        document["base_size_mm"] = _pair(figure.base_size_mm)
    if figure.wounds:
        document["wounds"] = figure.wounds
    if figure.marks:
        document["marks"] = sorted(figure.marks)
    return document


def _exact(number: float) -> Fraction:
    """Return the shortest decimal number that reads as this float: the number in the document, up to 15 digits."""
    return Fraction(str(number))


def _exact_pair(pair: tuple[float, float]) -> ExactPoint:
    return _exact(pair[0]), _exact(pair[1])


def _number(exact: Fraction) -> int | float:
    return int(exact) if exact.denominator == 1 else float(exact)


def _pair(pair: ExactPoint) -> list[int | float]:
    return [_number(pair[0]), _number(pair[1])]

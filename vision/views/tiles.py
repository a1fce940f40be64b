"""Tiles of one table in several pictures: one lattice, and every tile judged by every picture that shows it.

A tile under a crowd or a reflection from one side is open from another. The pictures' lattices agree to a few tenths of
a millimetre. Their names of a cell may differ by whole cells and quarter turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from assistant.table.camera import TableMarkers
from assistant.table.lattice import Cell, connected_groups
from calibration.arrays import BgrImage
from calibration.pose import CameraView
from vision.learned import MOST_LOG_ODDS, chance_of
from vision.photo.paper_light import paper_light
from vision.reading import LaidTiles
from vision.scene.tile_choice import best_choice, judge_tiles
from vision.tiles.board_view import board_view
from vision.tiles.candidates import TileCandidate
from vision.tiles.lattice_fit import Lattice, cells_in
from vision.tiles.placements import TilePlacement, cells_of, confidence_of, moved_to, piece_at, pose_of, propose_tiles
from vision.tiles.prints import TilePrints
from vision.views.weights import ViewWeights, unit_sides

_TILE_WEIGHTS = ViewWeights(prior=-4.0, shared=0.2)
"""Of some 300 closely judged placements in a picture, half a dozen are right. Errors are shared as for doors."""

_SURE_ODDS = 3.0
"""Log odds from which a picture that shows a tile elsewhere is of another table."""

_LOOKED_FOR = 0.1
"""First measure of a tile that is judged only because another picture shows it, behind all of a picture's own."""

_POSSIBLE = 0.1
"""Chance in one picture from which an unplaced tile is judged in the others."""

_Place = tuple[int, int, tuple[int, int]]


@dataclass(frozen=True, eq=False)
class TilePicture:
    """A picture, its viewpoint, and the tiles that it shows by itself, or None without any.

    View and markers have the scale of the tiles, which a picture of sheets printed too small corrects.
    """

    photo: BgrImage
    view: CameraView
    laid: LaidTiles | None
    markers: TableMarkers


@dataclass(frozen=True, eq=False)
class JointTiles:
    """The tiles by all pictures.

    Args:
        laid: the same tiles, on the same lattice, in each picture.
        moved: the tile sides that surely lie in different places in different pictures.
    """

    laid: tuple[LaidTiles, ...]
    moved: tuple[str, ...]


def join_tiles(pictures: Sequence[TilePicture], prints: TilePrints) -> JointTiles:
    """Combine the tiles of the pictures.

    Args:
        pictures: the pictures. At least one shows tiles.
        prints: the tile set.
    """
    board = next(picture.laid for picture in pictures if picture.laid is not None).board
    first, middles = board.lattice, np.array(sorted(board.cells), dtype=float) + 0.5
    sides = unit_sides(first.table_from_lattice(middles).mean(axis=0), [picture.view for picture in pictures])
    weights = _TILE_WEIGHTS.weights_of(sides)
    shown = [_shown(picture, first, prints) for picture in pictures]
    likely = [tile for one in shown for tile in one.beside.values() if confidence_of(tile) > _POSSIBLE]
    every = {tile.key: tile for tile in (*likely, *(tile for one in shown for tile in one.own.values()))}
    moved = _moved([_sure_tiles(one.picture, one.lattice, prints) for one in shown], prints)
    own = [one.own for one in shown]
    if all(there.keys() == every.keys() for there in own):
        kept, possible = list(every), []
    else:
        judged = [_judged(one, every, prints) for one in shown]
        of_all = {place: _joint([odds[place] for odds in judged], weights) for place in every}
        joint = [replace(tile, log_odds=of_all[place]) for place, tile in every.items()]
        chosen = best_choice([tile for tile in joint if tile.log_odds > 0], prints)
        kept, possible = [tile.key for tile in chosen], _besides(joint, chosen, prints)
        own = [
            {place: replace(there.get(place, _bare(every[place])), log_odds=odds[place]) for place in kept}
            for there, odds in zip(own, judged, strict=True)
        ]
    log_odds = {place: _joint([there[place].log_odds for there in own], weights) for place in kept}
    rivals = {place: _rivals_in_all([there[place] for there in own]) for place in kept}
    hidden = _hidden_in_all(shown, frozenset[Cell]().union(*(cells_of(every[place], prints) for place in kept)))
    laid = []
    for (picture, lattice, _, _), there in zip(shown, own, strict=True):
        placements = [replace(there[place], log_odds=log_odds[place], rivals=rivals[place]) for place in kept]
        paper = paper_light(picture.photo, picture.view, prints.papers(picture.markers))
        board = board_view(picture.photo, picture.view, lattice, placements, prints, paper=paper)
        unknown = [] if picture.laid is None else picture.laid.unknown
        cells = [_moved_group(group, picture, lattice) - board.cells for group in unknown]
        laid.append(LaidTiles(board, placements, [group for group in cells if group], possible, hidden))
    return JointTiles(tuple(laid), moved)


def _besides(
    joint: Sequence[TilePlacement], chosen: Sequence[TilePlacement], prints: TilePrints
) -> list[TilePlacement]:
    """Return candidate tiles beside the chosen ones."""
    taken = frozenset[Cell]().union(*(cells_of(tile, prints) for tile in chosen))
    used = {piece_at(tile, prints) for tile in chosen}
    return [tile for tile in joint if piece_at(tile, prints) not in used and not cells_of(tile, prints) & taken]


def _rivals_in_all(tiles: Sequence[TilePlacement]) -> tuple[TilePlacement, ...]:
    """Return the rivals of one tile in every picture, each as likely as in the picture that rules it out best."""
    found = [{rival.key: rival for rival in tile.rivals} for tile in tiles]
    return tuple(
        min((there[place] for there in found), key=lambda rival: rival.log_odds)
        for place in found[0]
        if all(place in there for there in found)
    )


def _bare(tile: TilePlacement) -> TilePlacement:
    """Return the tile without its keypoint evidence from another picture."""
    return replace(tile, strength=_LOOKED_FOR, candidate=None)


def _joint(log_odds: Sequence[float], weights: Sequence[float]) -> float:
    """Return the joint log odds of one tile."""
    joint = _TILE_WEIGHTS.joint_log_odds(log_odds, weights)
    return min(max(joint, -MOST_LOG_ODDS), MOST_LOG_ODDS)


def _renamed(lattice: Lattice, like: Lattice) -> Lattice:
    """Return the lattice with its cells named as in another lattice of the same table."""
    quarters = round((lattice.angle_deg - like.angle_deg) / 90)
    column, row = np.round(lattice.lattice_from_table(np.array([like.origin_mm]))[0])
    x, y = lattice.table_from_lattice(np.array([[column, row]]))[0]
    return Lattice((float(x), float(y)), lattice.angle_deg - 90 * quarters, lattice.cell_mm)


class _Shown(NamedTuple):
    """A picture, the common lattice in it, its own tiles, and the candidates beside them."""

    picture: TilePicture
    lattice: Lattice
    own: Mapping[_Place, TilePlacement]
    beside: Mapping[_Place, TilePlacement]


def _shown(picture: TilePicture, first: Lattice, prints: TilePrints) -> _Shown:
    laid = picture.laid
    if laid is None:
        return _Shown(picture, first, {}, {})
    lattice = _renamed(laid.board.lattice, first)
    own, beside = (
        {tile.key: tile for tile in (moved_to(lattice, t, laid.board.lattice, prints) for t in tiles)}
        for tiles in (laid.placements, laid.possible)
    )
    return _Shown(picture, lattice, own, beside)


def _hidden_in_all(shown: Sequence[_Shown], board: frozenset[Cell]) -> list[frozenset[Cell]]:
    """Return the groups of cells beside the board where something may hide a tile in each picture that shows them."""
    hidden = [
        frozenset[Cell]().union(*(_moved_group(group, picture, lattice) for group in picture.laid.hidden))
        if picture.laid is not None
        else frozenset[Cell]()
        for picture, lattice, _, _ in shown
    ]
    left = frozenset[Cell]().union(*hidden) - board
    for one, own in zip(shown, hidden, strict=True):
        left -= _in_photo(one, left - own)
    return sorted(connected_groups(left), key=min)


def _in_photo(shown: _Shown, cells: frozenset[Cell]) -> frozenset[Cell]:
    """Return the cells that lie whole in a picture, if it shows tiles by itself."""
    if shown.picture.laid is None or not cells:
        return frozenset()
    places = sorted(cells)
    corners = np.array(places)[:, None] + np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    corners_mm = shown.lattice.table_from_lattice(corners.reshape(-1, 2))
    corners_px = shown.picture.view.image_from_table(corners_mm).reshape(corners.shape)
    is_whole = np.all(shown.picture.laid.board.in_photo(corners_px), axis=1).tolist()
    return frozenset(cell for cell, whole in zip(places, is_whole, strict=True) if whole)


def _moved_group(group: Iterable[tuple[int, int]], one: TilePicture, lattice: Lattice) -> frozenset[tuple[int, int]]:
    """Return cells of a picture's own lattice under their names in the common one."""
    if one.laid is None:
        return frozenset()
    return cells_in(lattice, group, one.laid.board.lattice)


def _judged(shown: _Shown, every: Mapping[_Place, TilePlacement], prints: TilePrints) -> dict[_Place, float]:
    """Return a picture's log odds of every tile in any picture. Tiles that conflict with its own are ruled out.

    Its candidates beside its own tiles already have log odds that account for occlusion.
    """
    one, lattice, own, beside = shown
    odds = {place: tile.log_odds for place, tile in {**beside, **own}.items()}
    others = [_bare(tile) for place, tile in every.items() if place not in odds]
    if others:
        around = [_candidate(tile, lattice, prints) for tile in every.values()]
        paper = paper_light(one.photo, one.view, prints.papers(one.markers))
        cells, _ = propose_tiles(one.photo, one.view, lattice, around, prints, paper)
        for tile in judge_tiles(cells, [*own.values(), *others], prints):
            odds.setdefault(tile.key, tile.log_odds)
    return {place: odds.get(place, -MOST_LOG_ODDS) for place in every}


def _candidate(tile: TilePlacement, lattice: Lattice, prints: TilePrints) -> TileCandidate:
    pose = pose_of(tile, lattice, prints)
    return TileCandidate(tile.print_index, pose.rotation_deg, pose.center_mm, 0.0)


def _sure_tiles(one: TilePicture, lattice: Lattice, prints: TilePrints) -> list[TilePlacement]:
    """Return a picture's sure tiles, with no other likely print or turn, on the common lattice."""
    if one.laid is None:
        return []
    sure = [tile for tile in one.laid.placements if confidence_of(tile) >= chance_of(_SURE_ODDS)]
    return [moved_to(lattice, tile, one.laid.board.lattice, prints) for tile in sure]


def _moved(sure: Iterable[Iterable[TilePlacement]], prints: TilePrints) -> tuple[str, ...]:
    """Return the sides of pieces that surely lie in different places in different pictures."""
    where: dict[str, set[_Place]] = {}
    for there in sure:
        for tile in there:
            where.setdefault(piece_at(tile, prints), set()).add(tile.key)
    sides = [prints.prints[place[0]].side.id for places in where.values() if len(places) > 1 for place in places]
    return tuple(sorted(set(sides)))

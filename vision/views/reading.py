"""Read several photos of one table as one. Things occluded or doubtful from one side are clear from another.

Each photo is read by itself up to tiles and places. Then the tiles go onto one lattice (``vision.views.tiles``), and
the evidence for every place on it is combined (``vision.views.occupants``). The occupants are chosen as for one photo.
A photo's contribution is the doubts that would remain without it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from assistant.errors import NoTiles, PhotoError
from assistant.table.cell_names import CellNames
from assistant.table.doubt import Doubt
from assistant.table.lattice import Cell, Edge
from assistant.table.observation import Observation, SeenFrom, SettledDoubt
from assistant.table.roster import Roster
from assistant.translations.messages import Said, counted, message, said, spaced
from calibration.arrays import BgrImage
from calibration.pose import MARKERS_NEEDED
from vision.reading import LaidTiles, Reading, TableReader, TilePose
from vision.scene.observation import camera_sighting
from vision.scene.occupants import choose_standing, judge_places
from vision.tiles.board_view import BoardView
from vision.tiles.lattice_fit import normalize_lattice, relabel
from vision.views.occupants import Contradiction, SeenPlaces, contradictions, join_places
from vision.views.tiles import TilePicture, join_tiles

_OTHER_TABLE = 4.0
"""Log odds, summed over all contradictions, from which the table has been changed, a false alarm in one pair of fifty.
Of 63 simulated pairs of unchanged tables none had more than 2.1. Of 431 pairs with one small figure moved, 93 % had
more than this limit."""

_ONE_SIDED = 7.0
"""The limit if one picture alone shows all the contradicting things, since it may be a bad picture. An untouched
ray-traced table had three such places. A moved thing is in one place in one picture and elsewhere in the other."""


_FIGURE_DIFFERS = message("Photo {photo} shows a figure on {place}. Photo {bare} shows none there.")
_DOOR_DIFFERS = message("Photo {photo} shows a door at {place}. Photo {bare} shows none there.")


class TableMoved(PhotoError):
    """Something moved between the photos of a joint reading.

    Args:
        places: the places of figures and doors that differ.
        tiles: the tile sides that differ.
        clearest: what differs most clearly, by photo and place, if any place differs.
    """

    def __init__(
        self, places: Sequence[Contradiction], tiles: Sequence[str] = (), clearest: Said | None = None
    ) -> None:
        count = len(places) + len(tiles)
        found = counted(
            "Something moved between the pictures: {n} place differs.",
            "Something moved between the pictures: {n} places differ.",
            count,
        )
        sentences = [found] if clearest is None else [found, clearest]
        if tiles:
            sentences.append(said("Tile sides elsewhere: {names}.", names=", ".join(tiles)))
        advice = said("Leave the table unchanged and take all photos again.")
        super().__init__(spaced(*sentences, advice))
        self.places, self.tiles = tuple(places), tuple(tiles)


@dataclass(frozen=True, eq=False)
class SidePhoto:
    """A photo from one side of the table.

    Args:
        reader: its reader. The readers differ by their lens alone.
        photo: the photo.
        name: its name for errors.
        earlier: known tiles, which a photo that shows markers is searched for even under a crowd.
    """

    reader: TableReader
    photo: BgrImage
    name: str | None = None
    earlier: Collection[TilePose] = ()


def read_together(photos: Sequence[SidePhoto]) -> Reading:
    """Read the photos of one table as one. Places are in the view of the first photo.

    Args:
        photos: at least one photo. Nothing on the table moved between them.

    Raises:
        SizeMismatch: a photo's size does not fit its lens.
        TooFewMarkers: fewer than three of the table's markers were found in a photo.
        PoseAmbiguous: the markers contradict each other.
        NoTiles: no tile of the set was recognised in any photo.
        TableMoved: something moved between the photos.
    """
    reader = photos[0].reader
    if len(photos) == 1:
        return reader.read(photos[0].photo, photos[0].earlier)
    pictures = _tile_pictures(photos)
    if all(picture.laid is None for picture in pictures):
        raise NoTiles()
    tiles = join_tiles(pictures, reader.prints)
    seen = _seen_places([laid.board for laid in tiles.laid], reader.roster)
    # Pair by pair: two photos that agree do not outvote a third one that shows another table.
    numbers = list(combinations(range(len(seen)), 2))
    pairs = {(one, other): contradictions((seen[one], seen[other])) for one, other in numbers}
    moves = {pair: differing for pair, differing in pairs.items() if _is_a_move(differing)}
    if tiles.moved or moves:
        pair, places = max((moves or pairs).items(), key=lambda one: _surprise(one[1]))
        names = [photos[number].name or str(number + 1) for number in pair]
        # The cells have the names of the first photo read alone.
        board = (pictures[0].laid or tiles.laid[0]).board
        raise TableMoved(places, tiles.moved, _statement_of(places[0], names, board) if places else None)
    joint = _reading(reader, tiles.laid[0], seen)
    views = tuple(_views(reader, tiles.laid[0], seen, joint.observation))
    return replace(joint, observation=replace(joint.observation, views=views))


def _statement_of(one: Contradiction, photos: Sequence[str], board: BoardView) -> Said:
    _, change = normalize_lattice(board.lattice, board.cells)
    place = CellNames(0, 0).between(relabel(cell, change) for cell in one.cells)
    text = _DOOR_DIFFERS if one.is_door else _FIGURE_DIFFERS
    return said(text, photo=photos[one.shown_in], place=place, bare=photos[1 - one.shown_in])


def _seen_places(boards: Sequence[BoardView], roster: Roster) -> list[SeenPlaces]:
    """Judge each photo. Sizes of bases that one photo shows hold for those that show none."""
    seen = [SeenPlaces(board, judge_places(board, roster)) for board in boards]
    shown = next((one.places.sizes for one in seen if one.places.sizes not in (None, roster)), None)
    if shown is None:
        return seen
    return [
        SeenPlaces(one.board, judge_places(one.board, shown)) if one.places.sizes == roster else one for one in seen
    ]


def _is_a_move(differing: Sequence[Contradiction]) -> bool:
    """Return whether the contradictions are more than misreadings.

    If only one picture shows the contradicting things, it takes more of them.
    """
    is_one_sided = len({one.shown_in for one in differing}) < 2
    return _surprise(differing) > (_ONE_SIDED if is_one_sided else _OTHER_TABLE)


def _surprise(differing: Sequence[Contradiction]) -> float:
    return sum(one.surprise for one in differing)


def _tile_pictures(photos: Sequence[SidePhoto]) -> list[TilePicture]:
    """Find the view and the tiles of each photo, all in one frame.

    Photos that show enough markers for a pose come first. The tiles that they show fix the frame of the others, and
    without such a photo those of the first one.
    """
    counts = [min(one.reader.count_markers(one.photo), MARKERS_NEEDED) for one in photos]
    pictures: dict[int, TilePicture] = {}
    for number in sorted(range(len(photos)), key=lambda number: -counts[number]):
        beside = next((picture.laid for picture in pictures.values() if picture.laid is not None), None)
        pictures[number] = _tile_picture(photos[number], beside)
    return [pictures[number] for number in range(len(photos))]


def _tile_picture(one: SidePhoto, beside: LaidTiles | None) -> TilePicture:
    try:
        view = one.reader.find_view(one.photo, beside)
    except PhotoError as problem:
        if one.name is None:
            raise
        raise problem.in_document(one.name) from None
    try:
        laid = one.reader.lay_tiles(one.photo, view, one.earlier if view.markers_seen else ())
    except NoTiles:
        return TilePicture(one.photo, view, None, one.reader.markers)
    return TilePicture(one.photo, laid.board.view, laid, one.reader.markers)


def _reading(reader: TableReader, laid: LaidTiles, seen: Sequence[SeenPlaces]) -> Reading:
    places = join_places(seen, reader.roster)
    return reader.reading_of(laid, choose_standing(places, reader.roster, seen[0].board))


def _views(reader: TableReader, laid: LaidTiles, seen: Sequence[SeenPlaces], joint: Observation) -> Iterator[SeenFrom]:
    """Yield each photo's camera, and the doubts that would be open without that photo."""
    for one in seen:
        others = [other for other in seen if other is not one]
        without = _reading(reader, laid, others).observation
        yield SeenFrom(camera_sighting(one.board), tuple(settled_in(without, joint)))


def settled_in(before: Observation, after: Observation) -> Iterator[SettledDoubt]:
    """Yield the open doubts of one reading that another reading of the same board settles."""
    still_open = [doubt for doubt in after.doubts if doubt.is_open]
    open_edges = {edge for doubt in still_open for edge in _edges(doubt)}
    open_cells = {cell for doubt in still_open for cell in _cells(doubt)}
    for doubt in (doubt for doubt in before.doubts if doubt.is_open):
        edges, cells = _edges(doubt), _cells(doubt)
        if edges and open_edges.isdisjoint(edges):
            for edge in sorted(edges):
                doors = tuple(door.id for door in after.board.doors if edge in door.edges)
                yield SettledDoubt(edge.cells, is_door=True, stands=doors)
        elif cells and open_cells.isdisjoint(cells):
            there = tuple(figure.id for figure in after.board.figures if not cells.isdisjoint(figure.cells))
            yield SettledDoubt(tuple(sorted(cells)), is_door=False, stands=there)


def _edges(doubt: Doubt) -> frozenset[Edge]:
    return frozenset(edge for variant in doubt.variants for door in variant.doors for edge in door.edges)


def _cells(doubt: Doubt) -> frozenset[Cell]:
    return frozenset(cell for variant in doubt.variants for figure in variant.figures for cell in figure.cells)

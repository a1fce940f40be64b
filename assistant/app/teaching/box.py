"""Teaches a whole box from a few photos of fronts and backs, batch by batch, without stopping the table."""

from __future__ import annotations

import threading
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assistant.app.side_process import Steps, Worker, WorkHere, WorkState
from assistant.app.teaching.library import TaughtGames, TeachingTable, taught_roster
from assistant.app.teaching.teacher import confirmed_side, draft_of, set_line
from assistant.app.teaching.values import ConfirmedTile, TaughtRoster, TaughtSet, TileDraft
from assistant.errors import BadValue, CannotDo, DraftGone, SightlineError
from assistant.match.games import games
from assistant.table.roster import DoorSpec
from assistant.translations.messages import said
from vision.photo.decoding import decode_photo
from vision.photo.faults import require_clear
from vision.teaching.box_light import in_common_light
from vision.teaching.box_names import TileNames, propose_names
from vision.teaching.box_pairs import TileSight, TwoSides, read_batch
from vision.teaching.box_sheet import SheetEntry, draw_sheet
from vision.teaching.box_tiles import BoxPhoto, FoundThing, OtherKind, read_box_photo
from vision.teaching.tile_reading import TileReading
from vision.teaching.tile_sets import TaughtSide, png_of

MOST_PHOTOS = 40
SURE = 0.8
"""Confidence below which a line or cell is framed for a second look, as on the page."""

PHOTO_LIMIT_S = 600.0
"""Longest time in seconds to read one photo: ten times the usual on a small busy machine."""


class NothingFound(CannotDo):
    """A photo shows no tile."""

    sentence = said(
        "No tile was found in this photo. Lay the tiles a little apart, keep some bare table round them, and hold the "
        "phone above."
    )


class TileCutOff(CannotDo):
    """No photo of this side shows one of its tiles whole."""

    sentence = said("The edge of the photo cuts a tile off. Take this photo again from a little higher.")


class TooManyPhotos(CannotDo):
    """The box has reached its limit of photos."""

    sentence = said("The box has {count} photos already. Save it and begin anew.", count=MOST_PHOTOS)


@dataclass(frozen=True, eq=False)
class BoxSide:
    """One side of a tile of the box.

    Args:
        key: its id in requests, stable while photos are added to its batch.
        name: its name in the tile set, proposed or chosen by a person.
        other: the key of its other side; None if no photo shows it.
        reading: the reading of its print, without corrections.
        correction: a person's correction, which replaces the reading, or None.
        is_paired: whether both sides are known and match.
        is_cut: whether the photo cuts it off.
        is_name_doubtful: whether its name is only counted although the tiles of its box have printed names.
    """

    key: str
    name: str
    other: str | None
    reading: TileReading
    correction: ConfirmedTile | None
    is_paired: bool
    is_cut: bool
    is_name_doubtful: bool

    @property
    def doubts(self) -> int:
        """Number of lines and cells to check again."""
        if self.correction is not None:
            return 0
        reading = self.reading
        sure = [*reading.edge_confidence.values(), *reading.cell_confidence.values()]
        return sum(value < SURE for value in [*sure, *reading.difficult_confidence.values()])

    @property
    def is_doubtful(self) -> bool:
        """Whether a person should check it, its name or its pair again."""
        return self.doubts > 0 or not self.is_paired or self.is_cut or self.is_name_doubtful


@dataclass(frozen=True)
class BoxCount:
    """The sources' count of map tiles and doors in a game's box, or 0 if they give none."""

    game: str
    tiles: int
    doors: int


@dataclass(frozen=True)
class BoxThing:
    """A non-tile among the tiles: its key, its probable kind, and its longer and shorter side."""

    key: str
    kind: OtherKind
    size_mm: tuple[float, float]


@dataclass(frozen=True)
class BoxProgress:
    """Progress of the current photo: things read of all, seconds so far, and the number of photos waiting."""

    done: int
    of: int
    seconds: float
    waiting: int


@dataclass(eq=False)
class _Batch:
    """Photos of the same tiles lying together, of their fronts and of their backs."""

    photos: dict[bool, list[BoxPhoto]] = field(default_factory=lambda: {False: [], True: []})
    sights: dict[bool, tuple[TileSight | None, ...]] = field(default_factory=lambda: {False: (), True: ()})
    pairs: tuple[TwoSides, ...] = ()


@dataclass(frozen=True, eq=False)
class _Waiting:
    """An unread photo and its batch."""

    batch: _Batch
    is_turned: bool
    photo: bytes


class BoxTeacher:
    """Reads the photos of one box in the background, one at a time, and saves what a person confirms.

    Args:
        kept: the stored tile sets and rosters.
        table: returns the table, for the cell size and the cardboard thickness.
        apart: runs the reading in the background.
    """

    def __init__(self, kept: TaughtGames, table: Callable[[], TeachingTable], apart: Worker | None = None) -> None:
        self._games = kept
        self._table = table
        self._apart: Worker = apart or WorkHere()
        self._guard = threading.Lock()
        self._queue: list[_Waiting] = []  # the first one is being read
        self._reader: threading.Thread | None = None
        self._forget()

    def _forget(self) -> None:
        self._most_tiles: int | None = None
        self._batches = [_Batch()]
        self._taken = 0
        self._problem: SightlineError | None = None
        self._names: dict[str, str] = {}
        self._corrections: dict[str, ConfirmedTile] = {}
        self._dropped: set[str] = set()
        self._pairs: dict[str, str | None] = {}
        self._read_names: tuple[tuple[TileSight | None, ...], Sequence[TileNames]] = ((), ())

    @property
    def progress(self) -> BoxProgress | None:
        """Progress of the current photo, or None."""
        with self._guard:
            if self._reader is None:
                return None
            waiting = max(0, len(self._queue) - 1)
        state = self._apart.state or WorkState(0.0, 0, 0)
        return BoxProgress(state.done, state.of, state.seconds, waiting)

    @property
    def problem(self) -> SightlineError | None:
        """The problem of the last photo, or None."""
        return self._problem

    @property
    def batches(self) -> tuple[tuple[int, int], ...]:
        """The numbers of photos of fronts and of backs, for each batch."""
        with self._guard:
            waiting = Counter((one.batch, one.is_turned) for one in self._queue)
            return tuple(
                (len(batch.photos[False]) + waiting[batch, False], len(batch.photos[True]) + waiting[batch, True])
                for batch in self._batches
            )

    def add_photo(self, photo: bytes, *, is_turned: bool) -> None:
        """Queue a photo of the current batch for reading, and return at once.

        Raises:
            TooManyPhotos: the box has reached its limit.
        """
        with self._guard:
            if self._taken >= MOST_PHOTOS:
                raise TooManyPhotos
            self._taken += 1
            self._problem = None
            self._queue.append(_Waiting(self._batches[-1], is_turned, photo))
            if self._reader is None:
                self._reader = threading.Thread(target=self._read_all, name="box", daemon=True)
                self._reader.start()

    def next_batch(self) -> None:
        """Start the next batch. An empty batch stays the current one."""
        with self._guard:
            present = self._batches[-1]
            if any(present.photos.values()) or any(one.batch is present for one in self._queue):
                self._batches.append(_Batch())

    def cancel(self) -> None:
        """Stop reading, and drop the waiting photos."""
        with self._guard:
            self._taken -= len(self._queue)
            self._queue.clear()
        self._apart.cancel()

    def clear(self) -> None:
        """Forget the box. Saved sides stay saved."""
        self.cancel()
        with self._guard:
            self._forget()

    def close(self) -> None:
        """Stop reading, and end the reading process."""
        self.cancel()
        self._apart.close()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until all photos are read. Return whether they are."""
        reader = self._reader
        if reader is not None:
            reader.join(timeout_s)
        return self._reader is None

    def sides(self) -> list[BoxSide]:
        """Return all tile sides, tile by tile, without dropped ones."""
        found = []
        tiles = list(self._tiles())
        printed = self._printed_names([(front, back) for front, back, _ in tiles])
        number, taken = 0, {*self._names.values(), *(name for one in printed for name in (one.front, one.back) if name)}
        for (front, back, is_sure), read_names in zip(tiles, printed, strict=True):
            number += 1
            elsewhere = {name for key, name in self._names.items() if key not in (front, back)}
            is_given = not elsewhere.isdisjoint((read_names.front, read_names.back))
            names = TileNames(None, None, True) if is_given else read_names
            if not ({front, back} & self._names.keys() or (names.front and names.back)):
                while {f"{zeros}{number}{letter}" for zeros in ("", "0") for letter in ("A", "B")} & taken:
                    number += 1
            for key, other, letter, read in ((front, back, "A", names.front), (back, front, "B", names.back)):
                sight = None if key is None else self._sight(key)
                if key is None or sight is None:
                    continue
                name = self._names.get(key, read or f"{number:02d}{letter}")
                is_open = read is None and names.is_doubtful and not {key, other} & self._names.keys()
                is_open = is_open and key not in self._corrections
                correction = self._corrections.get(key)
                is_cut = sight.seen.is_cut
                found.append(BoxSide(key, name, other, sight.reading, correction, is_sure, is_cut, is_open))
        return found

    def _printed_names(self, tiles: Sequence[tuple[str | None, str | None]]) -> Sequence[TileNames]:
        """Return the printed names of tiles by the keys of their sides, chosen anew only for other tiles or photos."""
        sights = tuple(None if key is None else self._sight(key) for tile in tiles for key in tile)
        known, names = self._read_names
        if len(known) != len(sights) or any(one is not other for one, other in zip(known, sights, strict=True)):
            texts = [[] if one is None else [photo.texts for photo in one.photos] for one in sights]
            names = propose_names(list(zip(texts[::2], texts[1::2], strict=True)), self._most_tiles)
            self._read_names = sights, names
        return names

    def side(self, key: str) -> BoxSide:
        """Return one side.

        Raises:
            DraftGone: there is no side of that key.
        """
        for side in self.sides():
            if side.key == key:
                return side
        raise DraftGone()

    def others(self) -> list[BoxThing]:
        """Return the non-tiles in each batch's first photo of fronts: doors, tokens, cards and unclear things."""
        return [BoxThing(key, thing.kind, thing.size_mm) for key, thing in self._things()]

    def _things(self) -> list[tuple[str, FoundThing]]:
        with self._guard:
            batches = list(enumerate(self._batches))
        found = []
        for number, batch in batches:
            for photo in batch.photos[False][:1] or batch.photos[True][:1]:
                found += [(f"{number}-{index}", thing) for index, thing in enumerate(photo.others)]
        return [(key, thing) for key, thing in found if key not in self._dropped]

    def draft(self, key: str) -> TileDraft:
        """Return a side as a draft for the page's board, with a person's corrections."""
        side = self.side(key)
        return draft_of(key, side.reading, side.correction)

    def picture(self, key: str, *, is_close: bool = False) -> bytes:
        """Return the rectified picture of a side or another thing as PNG. Unless ``is_close``, a side has a margin."""
        for name, thing in self._things():
            if name == key:
                return png_of(thing.image)
        reading = self.side(key).reading
        return png_of(reading.image if is_close or reading.around is None else reading.around.image)

    def sheet(self) -> bytes:
        """Return all sides on one PNG, with frames around doubtful readings."""
        entries = [SheetEntry(side.name, side.reading, side.is_doubtful) for side in self.sides()]
        return png_of(draw_sheet(entries, SURE))

    def correct(self, key: str, tile: ConfirmedTile) -> None:
        """Correct one side.

        Raises:
            BadValue: a cell lies outside the picture.
        """
        confirmed_side(self.side(key).reading, tile)
        self._corrections[key] = tile

    def rename(self, key: str, name: str) -> None:
        """Name a side. If its other side still has the proposed name, it is renamed to match: ``07A`` makes ``07B``."""
        side = self.side(key)
        self._names[key] = name
        if side.other is not None and side.other not in self._names and name[-1:] in ("A", "B"):
            self._names[side.other] = name[:-1] + ("B" if name.endswith("A") else "A")

    def choose_game(self, title: str | None) -> None:
        """Set the game of the box, whose contents bound the printed numbers. None for an unknown game."""
        self._most_tiles = next((box.tiles for box in known_boxes() if box.game == title), None)
        self._read_names = (), ()

    def drop(self, key: str) -> None:
        """Drop a side, or a thing that is not a tile."""
        self._dropped.add(key)

    def pair(self, key: str, other: str | None) -> None:
        """Pair two sides as one tile. None separates a side from its other one.

        Raises:
            DraftGone: there is no such side.
            BadValue: both keys name the same side.
        """
        if other == key:
            raise BadValue(said("Choose another side; a tile has two."), field="other")
        mine = self.side(key)
        theirs = None if other is None else self.side(other).other
        self._pairs = {a: b for a, b in self._pairs.items() if a not in (key, other)}
        if mine.other is not None:
            self._pairs[mine.other] = None
        self._pairs[key] = other
        if other is not None:
            if theirs is not None and theirs != key:
                self._pairs[theirs] = None
            self._pairs[other] = key

    def keep(self, set_name: str, *, may_replace: bool) -> TaughtSet:
        """Save all sides in a tile set.

        Raises:
            BadValue: two sides share a name, or there are no sides.
            WouldReplace: the set already has sides of these names, and ``may_replace`` is off.
            StoreError: it cannot be written.
        """
        sides = self.sides()
        if not sides:
            raise BadValue(said("No tile is read yet. Take a photo first."), field="set")
        names = [side.name for side in sides]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise BadValue(said("two sides are called “{name}”; rename one", name=twice[0]), field="id")
        sights = [self._sight(side.key) for side in sides]
        lights = [None if sight is None else sight.seen.light for sight in sights]
        lit = in_common_light([(side.reading, light) for side, light in zip(sides, lights, strict=True)])
        taught = [_taught(side, reading) for side, reading in zip(sides, lit, strict=True)]
        kept = self._games.keep_sides(set_name, taught, self._table(), may_replace=may_replace, in_white_light=False)
        return set_line(set_name, kept)

    def keep_doors(self, roster: str, key: str, count: int, thickness_mm: float) -> TaughtRoster:
        """Add a door that lay among the tiles to a roster, with its picture and count."""
        thing = next((thing for name, thing in self._things() if name == key), None)
        if thing is None:
            raise DraftGone()
        width_mm, height_mm = thing.size_mm
        cells = max(1, round(width_mm / self._table().cell_mm))
        doors = DoorSpec(count, cells, round(height_mm, 1), thickness_mm)
        return taught_roster(roster, self._games.keep_doors(roster, doors, thing.image))

    def _sight(self, key: str) -> TileSight | None:
        number, side, index = key.split("-")
        sights = self._batches[int(number)].sights[side == "b"]
        return sights[int(index)] if int(index) < len(sights) else None

    def _tiles(self) -> Iterator[tuple[str | None, str | None, bool]]:
        """Yield the front and back keys of each tile, and whether the pair is sure. A person's pairs go first."""
        with self._guard:
            batches = [(number, batch.sights, batch.pairs) for number, batch in enumerate(self._batches)]
        order: list[str] = []
        partners: dict[str, tuple[str | None, bool]] = {}
        for number, sights, pairs in batches:
            keys = {id(one): f"{number}-f-{index}" for index, one in enumerate(sights[False])}
            keys |= {id(one): f"{number}-b-{index}" for index, one in enumerate(sights[True])}
            for pair in pairs:
                front, back = (None if one is None else keys[id(one)] for one in (pair.front, pair.back))
                for key, other in ((front, back), (back, front)):
                    if key is not None:
                        partners[key] = (other, pair.is_sure)
                order += [key for key in (front, back) if key is not None][:1]
        partners |= {key: (other, other is not None) for key, other in self._pairs.items() if key in partners}
        left = {key: None for key in (*order, *partners) if key not in self._dropped}
        while left:
            key = next(iter(left))
            del left[key]
            found, is_sure = partners[key]
            other = found if found in left else None
            left.pop(other or "", None)
            is_back = "-b-" in key and (other is None or "-f-" in other)
            is_sure = is_sure and other is not None
            yield (other, key, is_sure) if is_back else (key, other, is_sure)

    def _read_all(self) -> None:
        while True:
            with self._guard:
                if not self._queue:
                    self._reader = None
                    return
                waiting = self._queue[0]
            try:
                self._take_in(waiting, self._apart(_read_photo, waiting.photo, self._table().cell_mm))
            except SightlineError as problem:
                with self._guard:
                    if self._is_read(waiting):
                        self._problem = problem

    def _take_in(self, waiting: _Waiting, seen: BoxPhoto) -> None:
        batch, is_turned = waiting.batch, waiting.is_turned
        photos = [*batch.photos[is_turned], seen]
        both = {**batch.photos, is_turned: photos}
        fronts, backs, pairs = read_batch(both[False], both[True])
        with self._guard:
            if self._is_read(waiting):
                batch.photos[is_turned], batch.pairs = photos, pairs
                batch.sights = {False: fronts, True: backs}
                shown = (pair.back if is_turned else pair.front for pair in pairs)
                if any(one is not None and one.seen.is_cut for one in shown):
                    self._problem = TileCutOff()
                elif isinstance(self._problem, TileCutOff):
                    self._problem = None

    def _is_read(self, waiting: _Waiting) -> bool:
        """Take a photo off the queue. Return False if it was cancelled."""
        is_due = bool(self._queue) and self._queue[0] is waiting
        if is_due:
            self._queue.pop(0)
        return is_due


def _read_photo(photo: bytes, cell_mm: float) -> BoxPhoto:
    seen = read_box_photo(require_clear(decode_photo(photo)), cell_mm, Steps.tell)
    if not seen.tiles:
        raise NothingFound
    return seen


def known_boxes() -> list[BoxCount]:
    """Return the games whose sources give the number of map tiles in the box."""
    found = []
    for title, document in _box_documents():
        holds = document.get("box", {}).get("holds", {})
        tiles = holds.get("map-tiles", holds.get("map-pieces", 0))
        if tiles:
            found.append(BoxCount(title, tiles, holds.get("doors", 0)))
    return found


def known_figures() -> list[tuple[str, str]]:
    """Return kind and side of each figure that the sources name in the boxes of the games."""
    found = []
    for _, document in _box_documents():
        setup = document.get("setup", {})
        found += [(one["id"], "marines") for one in setup.get("marines", ())]
        found += [(one["kind"], "invader") for what in ("demons", "invaders") for one in setup.get(what, ())]
    return found


def _box_documents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the contents of each game's boxes, with the game's title."""
    for game in games():
        for entry in game.files("boxes", ".toml").values():
            yield game.title, tomllib.loads(entry.read_text(encoding="utf-8"))


def _taught(side: BoxSide, reading: TileReading) -> TaughtSide:
    """Return the side as a person confirmed it, with the picture of that reading."""
    confirmed = side.correction or _as_read(side)
    return confirmed_side(reading, replace(confirmed, side_id=side.name))


def _as_read(side: BoxSide) -> ConfirmedTile:
    """Return the side as read, in cells from the corner of its picture."""
    draft = draft_of(side.key, side.reading, None)
    edges = {edge: kind for edge, (kind, _) in draft.edges.items() if kind is not None}
    ground = frozenset(cell for cell, (is_difficult, _) in draft.difficult.items() if is_difficult)
    return ConfirmedTile("", side.name, frozenset(draft.cells), edges, ground)

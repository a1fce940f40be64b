"""A watched table without a grid: its pictures, people's answers and corrections, and drawn terrain."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from assistant import run_clock
from assistant.app.fair_shares import NOBODY, FairList, SenderShare
from assistant.app.live.free_answers import PlaceAnswer, answer_of, answered_again, figure_named, is_same_place
from assistant.app.live.free_ground import draw_piece, find_piece, next_name, piece_named
from assistant.app.live.free_measures import Measure, measure_between
from assistant.app.live.free_names import measured_moves, renamed_after
from assistant.app.live.free_shots import AskedFree, FreeShot, plan_of
from assistant.app.live.game_files import FreeGame, GameFiles, first_free_rules, free_game_from
from assistant.app.live.reader import encode_for_page, encode_for_report
from assistant.app.live.shots import PageView, PointPx, ShotSource
from assistant.app.problems import ProblemList
from assistant.errors import CannotDo, SightlineError, UnknownName
from assistant.rules.capabilities import TellsAbout
from assistant.rules.free_flips import FreeFlip, find_free_flips, judge_free_stability
from assistant.rules.ruleset import FreeRules
from assistant.rules.ruling import Reason, Ruling
from assistant.table.free_table import FreeTable, Terrain, TerrainKind
from assistant.translations.messages import said
from calibration.arrays import BgrImage
from vision.evidence.bases import BASE_HEIGHT_MM
from vision.free.reading import FreeTableReader
from vision.free.stillness import Stillness
from vision.live.frames import Frame
from vision.photo.decoding import decode_photo

KEPT = 12
"""Number of kept pictures that can still be asked about."""

KEPT_ANSWERS = 60
"""Number of kept answers about whether a figure is at a place. The oldest are dropped."""

KEPT_ASKED = 24
"""Number of kept rulings that a judge finds after a call, as on a table with cells."""


PACE_S = 0.2
"""Seconds between two frames: short enough to notice that the table is still again."""


@dataclass
class FreeTablePictures:
    """The pictures of one table without a grid. The newest is its believed state.

    Args:
        game: the documents that it is read with.
        rules: the rules that answer questions, taken from the match while one is played here.
        now_s: the clock, seconds since 1970.
        keep_ground: saves size and terrain of the table after each change by hand.
    """

    game: FreeGame
    rules: FreeRules
    now_s: Callable[[], float] = run_clock.now_s
    keep_ground: Callable[[FreeTable], None] = lambda table: None
    _shots: OrderedDict[str, FreeShot] = field(default_factory=OrderedDict)
    _images: dict[str, BgrImage] = field(default_factory=dict)
    _asked: FairList[AskedFree] = field(default_factory=lambda: FairList(KEPT_ASKED))
    _answers: tuple[PlaceAnswer, ...] = ()
    _reading: threading.Lock = field(default_factory=threading.Lock)
    _stillness: Stillness = field(default_factory=Stillness)

    def __post_init__(self) -> None:
        self._reader = self._fresh_reader()
        self._tell: Callable[[FreeShot], None] = lambda _: None

    def tell_to(self, listener: Callable[[FreeShot], None]) -> None:
        """Pass every picture read from now on to the listener."""
        self._tell = listener

    @property
    def pace_s(self) -> float:
        return PACE_S

    def take(self, frame: Frame, problems: ProblemList) -> None:
        """Read a camera's frame if something has changed and is still again."""
        if not self._stillness.is_news(frame.image_bgr) and not frame.is_photo:
            return
        self._stillness.was_read()
        try:
            self.read(frame.image_bgr)
        except SightlineError as problem:
            problems.report("table", problem)
        else:
            problems.clear("table")

    def lose(self, problem: CannotDo) -> None:
        """Do nothing, because each picture has its own time and shows a still table."""

    def close(self) -> None:
        """Do nothing, because the pictures can still be asked about."""

    @property
    def latest(self) -> FreeShot | None:
        """The newest picture."""
        return next(reversed(self._shots.values()), None)

    @property
    def asked(self) -> tuple[AskedFree, ...]:
        """The last rulings, the oldest first."""
        return tuple(self._asked)

    def shot(self, shot_id: str) -> FreeShot:
        """Return the picture of that name.

        Raises:
            UnknownName: it is no longer kept.
        """
        try:
            return self._shots[shot_id]
        except KeyError:
            raise UnknownName(said("this picture is no longer stored; take a new one")) from None

    def read_upload(self, photo: bytes) -> FreeShot:
        """Read an uploaded photo and make it the newest picture.

        Raises:
            PhotoUnreadable: the bytes are not a picture, or exceed the limits.
            PhotoError: the table cannot be read from it.
        """
        return self._read(decode_photo(photo), "photo", self.now_s())

    def read(self, image: BgrImage) -> FreeShot:
        """Read a camera's picture and make it the newest.

        Raises:
            PhotoError: the table cannot be read from it.
        """
        return self._read(image, "live", self.now_s())

    def _read(self, image: BgrImage, source: ShotSource, taken_at_s: float) -> FreeShot:
        with self._reading:
            reading = self._reader.read(image)
            last = None if self.latest is None else self.latest.sighting
            answered, self._answers = answered_again(reading.sighting, self._answers, image)
            seen = renamed_after(last, answered)
            unanswered = renamed_after(last, reading.sighting) if self._answers else None
            view, moves = PageView(reading.view), measured_moves(last, seen)
            name, picture = secrets.token_urlsafe(9), encode_for_page(image)
            width, depth = self.game.box.size_mm
            plan = plan_of(image, reading.view, (float(width), float(depth)))
            shot = FreeShot(name, source, picture, seen, view, taken_at_s, moves, self.game.markers, plan, unanswered)
            self._keep(shot, image)
        self._tell(shot)
        return shot

    def _keep(self, shot: FreeShot, image: BgrImage) -> None:
        self._shots[shot.id], self._images[shot.id] = shot, image
        while len(self._shots) > KEPT:
            del self._images[self._shots.popitem(last=False)[0]]

    def say_who_stands(self, shot_id: str, name: str, *, is_there: bool) -> FreeShot:
        """Accept a person's answer about a figure, or about a place where one may stand.

        Returns:
            The newest picture with the answer. The answer holds as long as pictures show that place unchanged.

        Raises:
            UnknownName: the picture is no longer kept, or by now no figure is or may be there.
        """
        with self._reading:
            shot, image = self.shot(shot_id), self._images[shot_id]
            figure = figure_named(shot.sighting, name)
            (x, y), reach = (float(value) for value in figure.center_mm), figure.reach_mm
            corners = [(x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach), (x - reach, y + reach)]
            outline_px = shot.view.image_from_table(corners, float(figure.elevation_mm) + BASE_HEIGHT_MM)
            said_now = answer_of(figure, outline_px, image, is_there=is_there)
            newest, image = next(reversed(self._shots.values())), next(reversed(self._images.values()))
            seen, kept = answered_again(newest.sighting, (said_now,), image)
            if not kept:
                raise UnknownName(said("the camera sees no figure there any more; look again"))
            name = secrets.token_urlsafe(9)
            corrected = replace(newest, id=name, sighting=seen, moves=(), unanswered=newest.read)
            others = tuple(answer for answer in self._answers if not is_same_place(answer.figure, figure))
            self._answers = (*others, said_now)[-KEPT_ANSWERS:]
            self._keep(corrected, image)
        self._tell(corrected)
        return corrected

    def _read_again(self, shot: FreeShot, image: BgrImage) -> FreeShot:
        """Read the same picture again with the present box."""
        return self._read(image, shot.source, shot.taken_at_s)

    def _shown(self, shot_id: str) -> tuple[FreeShot, BgrImage]:
        """Return the picture of that name, and its pixels.

        Raises:
            UnknownName: it is no longer kept.
        """
        with self._reading:
            return self.shot(shot_id), self._images[shot_id]

    def as_read(self, shot_id: str) -> tuple[FreeGame, bytes]:
        """Return a picture's documents and its pixels, for another reading.

        Raises:
            UnknownName: the picture is no longer kept.
        """
        shot, image = self._shown(shot_id)
        box = replace(self.game.box, terrain=shot.sighting.table.terrain)
        return replace(self.game, box=box), encode_for_report(image)

    def rule(self, shot_id: str, attacker: str, defender: str, share: SenderShare = NOBODY) -> Ruling:
        """Rule on an attack in a picture, with the ruling's stability. A judge finds it after a call.

        Args:
            shot_id: the picture.
            attacker: the attacker's name.
            defender: the target's name.
            share: the share that the ruling counts for.

        Raises:
            UnknownName: the picture is no longer kept, or shows no such figure.
        """
        shot = self.shot(shot_id)
        seen = shot.sighting
        ruling = judge_free_stability(self.rules, seen, self.rules.rule(seen.table, attacker, defender))
        key = (shot_id, attacker, defender)
        if self._asked.get(key) is None:
            self._asked.add(key, AskedFree(shot, attacker, defender, self.now_s()), share)
        self._asked.also_of(key, share)
        return ruling

    def flips(self, shot_id: str, ruling: Ruling) -> tuple[FreeFlip, ...]:
        """Return the other doubtful figures that a ruling depends on, the most doubtful first.

        Raises:
            UnknownName: the picture is no longer kept.
        """
        return find_free_flips(self.rules, self.shot(shot_id).sighting, ruling)

    def about(self, shot_id: str, figure: str) -> tuple[Reason, ...]:
        """Return the table's effects on one figure: melee, leaders, terror, targets, cover in reach.

        Raises:
            UnknownName: the picture is no longer kept, or shows no such figure.
        """
        table = self.shot(shot_id).sighting.table
        table.figure(figure)
        return self.rules.about(table, figure) if isinstance(self.rules, TellsAbout) else ()

    def measure(self, shot_id: str, start_px: PointPx, end_px: PointPx) -> Measure:
        """Return the distance on the table between two points of a picture.

        Raises:
            UnknownName: the picture is no longer kept.
            BadValue: a point does not lie on the table.
        """
        return measure_between(self.shot(shot_id).view.view, start_px, end_px, float(self.game.box.step_mm))

    def draw_terrain(
        self, shot_id: str, stroke_px: Sequence[PointPx], kind: TerrainKind, height_mm: float
    ) -> tuple[FreeShot, float]:
        """Add a drawn piece of terrain, its sides snapped to edges in the picture, and reread the picture.

        Args:
            shot_id: the picture.
            stroke_px: the line around its top.
            kind: its kind.
            height_mm: its height.

        Returns:
            The picture, read with it, and the share of the sides that lie on an edge.

        Raises:
            UnknownName: the picture is no longer kept.
            BadValue: the line is not an outline.
        """
        (shot, image), box = self._shown(shot_id), self.game.box
        piece, share = draw_piece(image, shot.view.view, stroke_px, kind, height_mm)
        self._use_terrain((*box.terrain, replace(piece, id=next_name(box, kind))))
        return self._read_again(shot, image), share

    def find_terrain(self, shot_id: str, terrain_id: str) -> FreeShot:
        """Locate a moved piece of terrain, and reread the picture with it there.

        Raises:
            UnknownName: the picture is no longer kept, or there is no such piece.
            TerrainNotFound: the picture does not show where it is.
        """
        (shot, image), box = self._shown(shot_id), self.game.box
        piece = piece_named(box, terrain_id)
        moved = find_piece(image, shot.view.view, self.game.markers, box, piece)
        self._use_terrain(tuple(moved if one is piece else one for one in box.terrain))
        return self._read_again(shot, image)

    def remove_terrain(self, shot_id: str, terrain_id: str) -> FreeShot:
        """Remove a piece of terrain, and reread the picture.

        Raises:
            UnknownName: the picture is no longer kept, or there is no such piece.
        """
        (shot, image), box = self._shown(shot_id), self.game.box
        gone = piece_named(box, terrain_id)
        self._use_terrain(tuple(piece for piece in box.terrain if piece is not gone))
        return self._read_again(shot, image)

    def _use_terrain(self, terrain: tuple[Terrain, ...]) -> None:
        box = replace(self.game.box, terrain=terrain)
        self.keep_ground(box)
        self.game = replace(self.game, box=box)
        self._reader = self._fresh_reader()

    def _fresh_reader(self) -> FreeTableReader:
        return FreeTableReader(self.game.box, self.game.roster, self.game.markers, self.game.lens)


def free_pictures_from(files: GameFiles) -> FreeTablePictures | None:
    """Build the table without a grid from a person's documents, or return None if none describes one.

    Raises:
        DocumentError: a document cannot be read or breaks its format.
        BadValue: its table of markers or its roster was not named.
    """
    game = free_game_from(files)
    return None if game is None else FreeTablePictures(game, first_free_rules())

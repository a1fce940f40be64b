"""Teaches all figures of a box from a line-up: photos of figures spread out on a bare table."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assistant.app.side_process import Steps, Worker
from assistant.app.teaching.library import TaughtGames, TeachingTable, look_of, taught_roster
from assistant.app.teaching.values import FigureBase, TaughtRoster
from assistant.errors import BadValue, DraftGone, PhotoError
from assistant.table.camera import NO_MARKERS, CameraLens
from assistant.table.roster import Roster, RosterFigure
from assistant.translations.messages import said
from calibration.arrays import BgrImage
from calibration.pose import pinhole
from vision.photo.decoding import decode_photo
from vision.photo.faults import require_clear
from vision.photo.paper_light import paper_light
from vision.reading import TableReader
from vision.teaching.base_outlines import spaces_of
from vision.teaching.box_plane import PHONE_FOCAL, PHONE_FOCAL_SPREAD
from vision.teaching.line_up import LinedUp, LineUp, ThingKind, see_line_up
from vision.teaching.line_up_sides import FigureFromSides, FiguresFromSides, base_of_group, figures_of, grouped
from vision.teaching.rim_color import agreed_ring, known_ring
from vision.teaching.roster_entries import NO_DOORS
from vision.teaching.tile_sets import png_of
from vision.tiles.lattice_fit import box_corners_mm
from vision.tiles.print_view import view_by_prints
from vision.tiles.prints import TilePrints, load_prints

KEPT_LINE_UPS = 4
MOST_SIDES = 4
"""Largest number of photos of one line-up. More sides add nothing."""

USUAL_HEIGHT_MM = 30.0


@dataclass(frozen=True)
class EqualFigures:
    """Probably equal figures of a line-up by number, with their common base and ring."""

    figures: tuple[int, ...]
    base: FigureBase
    ring: str | None


@dataclass(frozen=True)
class NotTaken:
    """A thing in a line-up that is not a figure. ``number`` requests its picture."""

    number: int
    kind: ThingKind


@dataclass(frozen=True)
class LineUpDraft:
    """The contents of a line-up.

    Args:
        id: its id in requests.
        groups: groups of equal figures, the largest first.
        not_taken: everything else that was found.
        is_scaled: whether the sizes are true; otherwise one figure of known size sets the scale.
        marked: the number of the figure with the clearest base; None if no base is round.
        photos: the number of photos read together.
        fitting: how many of the photos show the same line-up.
    """

    id: str
    groups: tuple[EqualFigures, ...]
    not_taken: tuple[NotTaken, ...]
    is_scaled: bool
    marked: int | None
    photos: int
    fitting: int


@dataclass(frozen=True)
class NamedGroup:
    """Figures of a line-up by number, as a person identified them."""

    figures: tuple[int, ...]
    kind: str
    side: str
    height_mm: float = USUAL_HEIGHT_MM


@dataclass(frozen=True, eq=False)
class _Reading:
    photos: tuple[LineUp, ...]
    sides: FiguresFromSides
    by_hand: float | None = None
    """Ratio of true millimetres to the figures' millimetres, by a base that a person knows."""

    @property
    def figures(self) -> tuple[FigureFromSides, ...]:
        return self.sides.figures

    @property
    def is_scaled(self) -> bool:
        return self.sides.is_scaled or self.by_hand is not None

    @property
    def factor(self) -> float:
        return self.by_hand or 1.0


class LineUps:
    """Reads line-ups, and saves the figures that a person named.

    Args:
        games: the named rosters of the data folder.
        table: returns the photographed table.
        apart: runs the reading in the background.
    """

    def __init__(self, games: TaughtGames, table: Callable[[], TeachingTable], apart: Worker) -> None:
        self._games = games
        self._table = table
        self._apart = apart
        self._drafts: OrderedDict[str, _Reading] = OrderedDict()

    def read(self, photo: bytes, together_with: str | None) -> LineUpDraft:
        """Read a photo of a line-up, together with the photos of an earlier draft.

        Raises:
            PhotoUnreadable: the bytes are not a picture, or exceed the limits.
            CannotDo: nothing stands out from the table.
            DraftGone: the earlier draft is no longer kept.
        """
        before = None if together_with is None else self._reading(together_with)
        profiles = self._games.profiles
        tile_sets = tuple(profiles.path("tiles", name) for name in profiles.names("tiles"))
        seen = self._apart(read_line_up, photo, self._table(), tile_sets)
        photos = (seen,) if before is None else (*before.photos[: MOST_SIDES - 1], seen)
        reading = _Reading(photos, figures_of(photos[0], photos[1:]))
        if before is not None and reading.sides.is_scaled == before.sides.is_scaled:
            reading = replace(reading, by_hand=before.by_hand)
        return self._draft(self._put(reading), reading)

    def scale(self, draft_id: str, figure: int, base_mm: float) -> LineUpDraft:
        """Rescale the draft to true sizes, by the base of one figure that a person knows.

        Raises:
            DraftGone: the draft is no longer kept.
            BadValue: it has no such figure.
        """
        reading = self._reading(draft_id)
        _known(figure, reading)
        group = next(group for group in grouped(reading.figures) if figure in group)
        seen_mm = base_of_group([reading.figures[index] for index in group]).base_size_mm[0]
        scaled = replace(reading, by_hand=base_mm / seen_mm)
        self._drafts[draft_id] = scaled
        return self._draft(draft_id, scaled)

    def picture(self, draft_id: str, number: int) -> bytes:
        """Return the cut-out of a figure, or of another thing, as PNG.

        Raises:
            DraftGone: the draft is no longer kept.
            BadValue: it has no thing of that number.
        """
        reading = self._reading(draft_id)
        pictures = [figure.looks[0] for figure in reading.figures] + [thing.look for thing in _others(reading)]
        if not 0 <= number < len(pictures):
            raise _no_figure()
        return png_of(pictures[number])

    def keep(self, draft_id: str, roster: str, groups: Sequence[NamedGroup]) -> TaughtRoster:
        """Save the named figures in a roster. Known figures of the same kind are taught again first.

        Raises:
            DraftGone: the draft is no longer kept.
            BadValue: a group has no such figure, or the sizes are unknown.
            DocumentError: a field breaks the format.
            StoreError: it cannot be written.
        """
        reading = self._reading(draft_id)
        if not reading.is_scaled:
            raise BadValue(
                said("The sizes of these figures are unknown. Enter the width of the marked figure's base first."),
                field="base_mm",
            )
        with self._games.keeping:
            known = self._games.roster(roster)
            figures = [] if known is None else list(known.figures)
            new: list[RosterFigure] = []
            for group in groups:
                new += self._entries(reading, group, (*figures, *new))
            return taught_roster(roster, self._games.keep_figures(roster, new))

    def _entries(self, reading: _Reading, group: NamedGroup, known: Sequence[RosterFigure]) -> list[RosterFigure]:
        members = [_known(number, reading) for number in group.figures]
        equal = base_of_group(members)
        size_mm = _true(equal.base_size_mm, reading.factor)
        seen = agreed_ring([figure.seen.ring for figure in members])
        ring = (seen and known_ring(seen, known, group.kind)) or seen
        # The roster's existing names of this kind are taught again first. Further figures get new names.
        names = [figure.id for figure in known if figure.kind == group.kind]
        taken = {figure.id for figure in known}
        number = 1
        while len(names) < len(members):
            name = group.kind if number == 1 else f"{group.kind}-{number}"
            if name not in taken and name not in names:
                names.append(name)
            number += 1
        return [
            RosterFigure(
                name,
                group.kind,
                group.side,
                spaces_of(size_mm, self._table().cell_mm),
                min(size_mm),
                group.height_mm,
                ring,
                equal.base_shape,
                size_mm,
                look=look_of(replace(figure.seen, ring=ring)),
            )
            for name, figure in zip(names, members, strict=False)
        ]

    def _draft(self, draft_id: str, reading: _Reading) -> LineUpDraft:
        cell_mm = self._table().cell_mm
        groups = []
        for members in grouped(reading.figures):
            equal = base_of_group([reading.figures[index] for index in members])
            size_mm = _true(equal.base_size_mm, reading.factor)
            ring = agreed_ring([reading.figures[index].seen.ring for index in members])
            base = FigureBase(equal.base_shape, size_mm, spaces_of(size_mm, cell_mm))
            groups.append(EqualFigures(tuple(members), base, ring))
        first = len(reading.figures)
        others = tuple(NotTaken(first + index, thing.kind) for index, thing in enumerate(_others(reading)))
        fitting = max((len(figure.looks) for figure in reading.figures), default=0)
        marked = _clearest(reading)
        return LineUpDraft(draft_id, tuple(groups), others, reading.is_scaled, marked, len(reading.photos), fitting)

    def _put(self, reading: _Reading) -> str:
        draft_id = secrets.token_urlsafe(9)
        self._drafts[draft_id] = reading
        while len(self._drafts) > KEPT_LINE_UPS:
            self._drafts.popitem(last=False)
        return draft_id

    def _reading(self, draft_id: str) -> _Reading:
        try:
            return self._drafts[draft_id]
        except KeyError:
            raise DraftGone from None


def read_line_up(photo: bytes, table: TeachingTable, tile_sets: Sequence[Path] = ()) -> LineUp:
    """Read a photo of a line-up, at true scale if it shows the table's markers or a tile of these sets.

    Raises:
        PhotoUnreadable: the bytes are not a picture, or exceed the limits.
        PhotoError: nothing stands out from the table, or the photo is blurred or too dark.
    """
    image = require_clear(decode_photo(photo))
    if not table.markers.markers:
        return _by_tiles(image, table, tile_sets)
    try:
        view = table.view(image)
    except PhotoError:
        return _by_tiles(image, table, tile_sets)
    return see_line_up(image, view, paper_light(image, view, table.markers), Steps.tell, table.markers)


def _by_tiles(image: BgrImage, table: TeachingTable, tile_sets: Sequence[Path]) -> LineUp:
    """Read a line-up scaled by a taught tile in the photo. Without one, nothing in it has a known size."""
    for folder in tile_sets:
        prints = load_prints(folder)
        try:
            lens = table.lens or _lens_by_prints(image, prints)
            reader = TableReader(prints, Roster((), NO_DOORS), NO_MARKERS, lens)
            laid = reader.lay_tiles(image, reader.find_view(image))
        except PhotoError:
            continue
        cell_mm = prints.tile_set.cell_mm
        corners_mm = [
            box_corners_mm(prints.prints[tile.print_index].side, pose.rotation_deg, pose.center_mm, cell_mm)
            for tile, pose in zip(laid.placements, laid.board.poses, strict=True)
        ]
        return see_line_up(image, laid.board.view, laid.board.paper, Steps.tell, tiles_mm=corners_mm)
    return see_line_up(image, tell=Steps.tell)


def _lens_by_prints(image: BgrImage, prints: TilePrints) -> CameraLens:
    """Estimate a phone's lens from the tile in the photo.

    One tile at the picture's edge determines the focal length to only 10 or 20 %, and an error tilts the table under
    all figures. Phones differ less than that. So the tile's estimate and the usual value are weighted by their
    uncertainties.
    """
    seen = view_by_prints(image, prints, None).view
    usual = pinhole((image.shape[1], image.shape[0]), PHONE_FOCAL)
    known = PHONE_FOCAL_SPREAD**-2
    shown = max(seen.focal_uncertainty or 0.0, 1e-3) ** -2
    longer = (seen.lens.matrix[0][0] / usual.matrix[0][0]) ** (shown / (shown + known))
    return pinhole((image.shape[1], image.shape[0]), PHONE_FOCAL * longer)


def _clearest(reading: _Reading) -> int | None:
    """Return the number of the figure whose round base most photos of its equals show clearly, or None."""
    best: tuple[float, int | None] = (0.0, None)
    for group in grouped(reading.figures):
        members = [reading.figures[index] for index in group]
        equal = base_of_group(members)
        if equal.base_shape != "round":
            continue
        agreeing = len(equal.sides) / sum(len(figure.bases) for figure in members)
        clear = sum(figure.seen.confidence for figure in members) / len(members)
        if agreeing * clear > best[0]:
            best = (agreeing * clear, max(group, key=lambda index: reading.figures[index].seen.confidence))
    return best[1]


def _others(reading: _Reading) -> list[LinedUp]:
    return [thing for thing in reading.photos[0].things if thing.kind != "figure"]


def _known(number: int, reading: _Reading) -> FigureFromSides:
    if not 0 <= number < len(reading.figures):
        raise _no_figure()
    return reading.figures[number]


def _no_figure() -> BadValue:
    return BadValue(said("The line-up has no such figure."), field="figures")


def _true(size_mm: tuple[float, float], factor: float) -> tuple[float, float]:
    return round(size_mm[0] * factor, 1), round(size_mm[1] * factor, 1)

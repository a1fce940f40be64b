"""The simulated table without a grid: its camera, and the hands that move its models with the match.

At a real table people move the models.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import msgspec

from assistant.app.live.free_pictures import FreeTablePictures
from assistant.app.live.game_files import FreeGame
from assistant.app.live.watcher import OpenWatch, WatchedTable, Watcher
from assistant.documents import free_table_from_json
from assistant.match.game import GameState
from assistant.match.ground import FREE_TABLE, free_table_of
from assistant.match.session import Receipt, Session
from assistant.rules.ruleset import FreeRules
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.plane import ExactPoint, square_between
from vision.live.frames import FrameSource
from vision.sources.captured import CapturedSource
from vision.sources.names import source_name
from vision.sources.opening import open_source
from vision.sources.virtual import PutModels, VirtualFreeTable

VIRTUAL = "virtual"
STRIDE_STEPS = 3.0
"""Length in steps of the move that shows visitors what the camera sees: within a walk of every sample model."""

NEAREST_STEPS = 1.0
"""Distance in steps that this move keeps from all other models, because a move into contact would be a charge."""

STRAY_MM = 10.0
"""Distance in mm from its place in the match beyond which a model counts as moved. Less is reading and placing
error."""


@dataclass
class FreeStage:
    """Shows a simulated table without a grid while a match on one is played.

    Args:
        watcher: watches this table instead of the one with cells during such a match.
        read_free: shows the pictures of a table without a grid on the page; None ends that.
        game_of: returns the documents for reading the simulated camera over a table.
        is_simulated: whether the table is always simulated; otherwise only under the simulated camera.
        own: people's own table without a grid; only its rules are replaced, by those of the match.
    """

    watcher: Watcher
    read_free: Callable[[FreeTablePictures | None], None]
    game_of: Callable[[FreeTable], FreeGame]
    is_simulated: bool
    own: FreeTablePictures | None = None
    _session: Session | None = None
    """The match on display, or None while the table with cells is shown."""
    _table: FreeTable | None = None
    _before: tuple[OpenWatch | None, bool] = (None, False)

    def follow(self, session: Session) -> Callable[[], None] | None:
        """Show the table of a match and move its models with the match.

        Returns:
            A function that stops following; None for a match with cells, or at people's own table.
        """
        table, rules = _laid_out(session), session.timeline.game.rules
        if self.own is not None and isinstance(rules, FreeRules):
            self.own.rules = rules
        is_wanted = self.own is None and (self.is_simulated or self._is_virtual)
        if table is None or not isinstance(rules, FreeRules) or not is_wanted:
            self.leave()
            return None
        known = _standing_in(session.timeline.game)
        self._session, self._table = session, known or table
        if self.watcher.opened_by != self._open:
            self._before = self.watcher.opened_by, self.watcher.has_live
        self.watcher.open(self._open, has_live=False)
        self.watcher.start()

        def do(_: Receipt) -> None:
            nonlocal known
            before, known = known, _standing_in(session.timeline.game)
            if known is not None and self._table is not None:
                self._put(_carried_over(self._table, before or known, known))

        return session.subscribe(do)

    def let_move(self) -> None:
        """Let a hand move one model of the side to act without telling the match, so that the camera sees it.

        No further model moves until the match has taken this move.
        """
        if self._session is None or self._table is None:
            return
        game = self._session.timeline.game
        if not any(_is_elsewhere(figure, _standing_in(game) or self._table) for figure in self._table.figures):
            self._put(_with_a_stride(self._table, game.side_to_act()))

    def leave(self) -> None:
        """Return to the table with cells, unless something else is already watched."""
        if self._session is None:
            return
        self._session = None
        self.read_free(None)
        if self.watcher.opened_by == self._open:
            opened_by, has_live = self._before
            self.watcher.open(opened_by, has_live=has_live)
            self.watcher.start()

    @property
    def _is_virtual(self) -> bool:
        """Whether the simulated camera watches the table, with cells or without."""
        source = self.watcher.source
        return self._session is not None or (isinstance(source, CapturedSource) and source.name == VIRTUAL)

    def _open(self) -> tuple[FrameSource, WatchedTable]:
        """Return the simulated camera over the models at their present places, and its pictures."""
        session, standing = self._session, self._table
        assert session is not None, "a match is shown"
        assert standing is not None, "its table is known"
        rules = session.timeline.game.rules
        assert isinstance(rules, FreeRules), "it is played without a grid"
        table = _laid_out(session) or standing
        source = open_source(source_name(VIRTUAL), table=VirtualFreeTable(table))
        assert isinstance(source, CapturedSource), "the simulated camera is captured"
        source.ask("models", _hands_for(standing))
        pictures = FreeTablePictures(self.game_of(table), rules)
        self.read_free(pictures)
        return source, pictures

    def _put(self, table: FreeTable) -> None:
        self._table = table
        if isinstance(self.watcher.source, CapturedSource):
            self.watcher.source.ask("models", _hands_for(table))


def _hands_for(table: FreeTable) -> PutModels:
    """Return the hand that puts every model where a table has it."""
    return PutModels(
        tuple(
            (figure.id, _middle(figure), float(figure.elevation_mm), float(figure.facing_deg))
            for figure in table.figures
        )
    )


def _carried_over(there: FreeTable, before: FreeTable, now: FreeTable) -> FreeTable:
    """Update the simulated table to the match: moved models go to their places there, the others stay."""

    def place(figure: FreeFigure) -> FreeFigure:
        stands, stood = there.figure_by_id.get(figure.id), before.figure_by_id.get(figure.id)
        if stands is None or stood is None:
            return figure
        is_moved = (figure.center_mm, figure.elevation_mm) != (stood.center_mm, stood.elevation_mm)
        return figure if is_moved else _move(figure, stands)

    return replace(now, figures=tuple(place(figure) for figure in now.figures))


def _is_elsewhere(figure: FreeFigure, match: FreeTable) -> bool:
    """Return whether a model is off its place in the match."""
    known = match.figure_by_id.get(figure.id)
    return known is not None and math.dist(_middle(figure), _middle(known)) > STRAY_MM


def _with_a_stride(table: FreeTable, side: str | None) -> FreeTable:
    """Return the table after one model of the side walked towards an enemy: the first model with room."""
    for figure in table.figures:
        if side in (None, figure.side):
            end = next((end for end in _strides(table, figure) if _has_room(table, figure, end)), None)
            if end is not None:
                walked = replace(figure, center_mm=end)
                return replace(table, figures=tuple(walked if f is figure else f for f in table.figures))
    return table


def _strides(table: FreeTable, figure: FreeFigure) -> Iterator[ExactPoint]:
    """Yield possible ends of a stride: straight towards the nearest enemy first, then ever more to the side."""
    x, y = _middle(figure)
    enemies = [_middle(other) for other in table.figures if other.side != figure.side]
    nearest = min(enemies, key=lambda place: math.dist(place, (x, y)), default=(x + 1, y))
    ahead, length_mm = math.atan2(nearest[1] - y, nearest[0] - x), STRIDE_STEPS * float(table.step_mm)
    for beside_deg in (0, 30, -30, 60, -60, 90, -90, 135, -135, 180):
        angle = ahead + math.radians(beside_deg)
        ends = x + length_mm * math.cos(angle), y + length_mm * math.sin(angle)
        yield Fraction(round(10 * ends[0]), 10), Fraction(round(10 * ends[1]), 10)


def _has_room(table: FreeTable, figure: FreeFigure, end: ExactPoint) -> bool:
    """Return whether a model may walk there: on the table, through no figure or terrain, and not into contact."""
    reach_mm, apart_mm, way = figure.reach_mm, NEAREST_STEPS * float(table.step_mm), (figure.center_mm, end)
    if not all(reach_mm <= at <= float(size) - reach_mm for at, size in zip(end, table.size_mm, strict=True)):
        return False
    if any(math.sqrt(square_between(way, piece.outline_mm)) < reach_mm for piece in table.terrain):
        return False
    others = [(one, float(one.radius_mm) + reach_mm) for one in table.figures if one is not figure]
    return all(
        math.sqrt(square_between(way, one.core_mm)) >= touching_mm
        and math.sqrt(square_between((end,), one.core_mm)) > touching_mm + apart_mm
        for one, touching_mm in others
    )


def _middle(figure: FreeFigure) -> tuple[float, float]:
    return float(figure.center_mm[0]), float(figure.center_mm[1])


def _standing_in(game: GameState) -> FreeTable | None:
    """Return the present table of the match, or None before it has one."""
    return free_table_of(game) if FREE_TABLE in game.ground else None


def _laid_out(session: Session) -> FreeTable | None:
    """Return the mission's table with its models where the match has them, or None without a table."""
    document = session.header.table
    if document is None or document.get("format") != FREE_TABLE:
        return None
    table = free_table_from_json(msgspec.json.encode(document), "free table")
    now = _standing_in(session.timeline.game)
    if now is None:
        return table
    figures = tuple(_move(figure, now.figure_by_id.get(figure.id)) for figure in table.figures)
    return replace(table, terrain=now.terrain, figures=figures)


def _move(figure: FreeFigure, now: FreeFigure | None) -> FreeFigure:
    if now is None:
        return figure
    return replace(figure, center_mm=now.center_mm, elevation_mm=now.elevation_mm, facing_deg=now.facing_deg)

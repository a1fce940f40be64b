"""The simulated table without a grid: its camera and its hands, while a match on such a table is shown.

A real table has people for that. Whoever moves in the match is put there by a hand, and the camera reads what it sees.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

import msgspec

from assistant.app.live.free_desk import FreeDesk
from assistant.app.live.free_game import FreeGame
from assistant.app.live.free_watch import FreeWatch
from assistant.app.live.watching import Watching
from assistant.app.problems import ProblemBoard
from assistant.documents import free_table_from_json
from assistant.match.game import GameState
from assistant.match.ground import FREE_TABLE, free_table_of
from assistant.match.session import Receipt, Session
from assistant.rules.ruleset import FreeRules
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.plane import ExactPoint, square_between
from vision.sources.captured import CapturedSource
from vision.sources.names import source_name
from vision.sources.opening import open_source
from vision.sources.virtual import PutModels, VirtualFreeTable

VIRTUAL = "virtual"
STRIDE_STEPS = 3.0
"""How far a hand moves a model that shows visitors what the camera sees: within a walk of every sample model."""

NEAREST_STEPS = 1.0
"""So far from everybody else it stays: a move into contact would be a charge."""

STRAY_MM = 10.0
"""So far from where the match has a model it has gone somewhere; less is how exactly it was read and set down."""


class FreeScreen(ProblemBoard, Protocol):
    """Shows what is read of a table without a grid."""

    has_live: bool

    def read_free(self, desk: FreeDesk | None) -> None:
        """Reads a table without a grid from now on, or none any more."""


@dataclass
class FreeStage:
    """Shows a table without a grid while a match on one is played at a simulated table.

    Args:
        screen: the page.
        watching: the watching of the table with cells, which rests meanwhile.
        game_of: what pictures of the simulated camera over a table are read by.
        is_simulated: whether the table is simulated anyhow; else it is where its camera is the simulated one.
        own: people's own table without a grid, which is left alone but for its rules: they are those of the match.
    """

    screen: FreeScreen
    watching: Watching
    game_of: Callable[[FreeTable], FreeGame]
    is_simulated: bool
    own: FreeDesk | None = None
    _watch: FreeWatch | None = None
    _source: CapturedSource | None = None
    _session: Session | None = None
    _table: FreeTable | None = None
    _is_instead: bool = False

    @property
    def is_shown(self) -> bool:
        """Whether a table without a grid is watched now."""
        return self._watch is not None

    def follow(self, session: Session) -> Callable[[], None] | None:
        """Shows the table of a match and does what happens in it; returns what ends that, None where it is no such."""
        table = _laid_out(session)
        rules = session.timeline.game.rules
        if self.own is not None and isinstance(rules, FreeRules):
            self.own.rules = rules
        is_wanted = self.own is None and (self.is_simulated or self._is_virtual)
        if table is None or not isinstance(rules, FreeRules) or not is_wanted:
            self.leave()
            return None
        self._show(table, rules)
        known = _standing_in(session.timeline.game)
        self._session = session
        self._put(known or table)

        def do(_: Receipt) -> None:
            nonlocal known
            before, known = known, _standing_in(session.timeline.game)
            if known is not None and self._table is not None:
                self._put(_carried_over(self._table, before or known, known))

        return session.subscribe(do)

    def let_move(self) -> None:
        """Lets a hand move a model of whose turn it is, which the match does not know of: the camera sees it.

        One is enough until the match has taken it.
        """
        if self._session is None or self._table is None:
            return
        game = self._session.timeline.game
        if not any(_is_elsewhere(figure, _standing_in(game) or self._table) for figure in self._table.figures):
            self._put(_with_a_stride(self._table, game.side_to_act()))

    def leave(self) -> None:
        """Ends that; the table with cells is watched again, if it was before."""
        if self._watch is None:
            return
        self.close()
        self.screen.read_free(None)
        if self._is_instead and self.watching.watch is None:
            self.watching.again()
            self.screen.has_live = True
        self._is_instead = False

    def again(self) -> None:
        """Opens the camera again, over the same table or, where none such is shown, over the one with cells.

        Raises:
            CannotDo: the watching before does not end.
        """
        session, table = self._session, self._table
        if session is None or table is None:
            self.watching.again()
            return
        rules = session.timeline.game.rules
        assert isinstance(rules, FreeRules), "a table without a grid is shown"
        self._show(_laid_out(session) or table, rules)
        self._session = session
        self._put(table)

    def close(self) -> bool:
        """Stops watching; whether no picture is being read any more."""
        watch, self._watch, self._source, self._session = self._watch, None, None, None
        return watch is None or watch.close()

    @property
    def _is_virtual(self) -> bool:
        """Whether what watches the table is the simulated camera, over cells or without."""
        watch = self.watching.watch
        source = None if watch is None else watch.source
        return self.is_shown or (isinstance(source, CapturedSource) and source.name == VIRTUAL)

    def _show(self, table: FreeTable, rules: FreeRules) -> None:
        self.close()
        if self.watching.watch is not None:
            self._is_instead = True
            self.watching.let_go()
        self.screen.has_live = False
        desk = FreeDesk(self.game_of(table), rules)
        source = open_source(source_name(VIRTUAL), table=VirtualFreeTable(table))
        assert isinstance(source, CapturedSource), "the simulated camera is captured"
        self._source, self._watch = source, FreeWatch(source, desk, self.screen)
        self.screen.read_free(desk)
        self._watch.start()

    def _put(self, table: FreeTable) -> None:
        self._table = table
        if self._source is not None:
            self._source.ask("models", PutModels(tuple(_place(figure) for figure in table.figures)))


def _carried_over(there: FreeTable, before: FreeTable, now: FreeTable) -> FreeTable:
    """The simulated table after the match has gone on: whom it moved stands where it has him, others where they are."""

    def place(figure: FreeFigure) -> FreeFigure:
        stands, stood = there.figure_by_id.get(figure.id), before.figure_by_id.get(figure.id)
        is_moved = stands is None or stood is None or _is_moved(figure, stood)
        return figure if stands is None or is_moved else _moved(figure, stands)

    return replace(now, figures=tuple(place(figure) for figure in now.figures))


def _is_moved(figure: FreeFigure, before: FreeFigure) -> bool:
    return (figure.center_mm, figure.elevation_mm) != (before.center_mm, before.elevation_mm)


def _is_elsewhere(figure: FreeFigure, match: FreeTable) -> bool:
    """Whether a model stands off the place that a match knows of it."""
    known = match.figure_by_id.get(figure.id)
    return known is not None and math.dist(_middle(figure), _middle(known)) > STRAY_MM


def _with_a_stride(table: FreeTable, side: str | None) -> FreeTable:
    """The table after the first model of a side that has room for it has walked towards an enemy, or beside one."""
    for figure in table.figures:
        if side in (None, figure.side):
            end = next((end for end in _strides(table, figure) if _has_room(table, figure, end)), None)
            if end is not None:
                walked = replace(figure, center_mm=end)
                return replace(table, figures=tuple(walked if f is figure else f for f in table.figures))
    return table


def _strides(table: FreeTable, figure: FreeFigure) -> Iterator[ExactPoint]:
    """Where a stride may end: towards the nearest enemy first, then more and more beside."""
    x, y = _middle(figure)
    enemies = [_middle(other) for other in table.figures if other.side != figure.side]
    nearest = min(enemies, key=lambda place: math.dist(place, (x, y)), default=(x + 1, y))
    ahead, length_mm = math.atan2(nearest[1] - y, nearest[0] - x), STRIDE_STEPS * float(table.step_mm)
    for beside_deg in (0, 30, -30, 60, -60, 90, -90, 135, -135, 180):
        angle = ahead + math.radians(beside_deg)
        ends = x + length_mm * math.cos(angle), y + length_mm * math.sin(angle)
        yield Fraction(round(10 * ends[0]), 10), Fraction(round(10 * ends[1]), 10)


def _has_room(table: FreeTable, figure: FreeFigure, end: ExactPoint) -> bool:
    """Whether a model may walk there: on the table, through nobody and no terrain, and not into contact."""
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


def _place(figure: FreeFigure) -> tuple[str, tuple[float, float], float, float]:
    return figure.id, _middle(figure), float(figure.elevation_mm), float(figure.facing_deg)


def _standing_in(game: GameState) -> FreeTable | None:
    """The table of this moment; None while the match has seen none."""
    return free_table_of(game) if FREE_TABLE in game.ground else None


def _laid_out(session: Session) -> FreeTable | None:
    """The table with every model of the mission on it, each where the match has it if it knows; None without one."""
    document = session.header.table
    if document is None or document.get("format") != FREE_TABLE:
        return None
    table = free_table_from_json(msgspec.json.encode(document), "free table")
    now = _standing_in(session.timeline.game)
    if now is None:
        return table
    figures = tuple(_moved(figure, now.figure_by_id.get(figure.id)) for figure in table.figures)
    return replace(table, terrain=now.terrain, figures=figures)


def _moved(figure: FreeFigure, now: FreeFigure | None) -> FreeFigure:
    if now is None:
        return figure
    return replace(figure, center_mm=now.center_mm, elevation_mm=now.elevation_mm, facing_deg=now.facing_deg)

"""Completes reports of wrong readings by the corrections that people make, on photos and on a watched table."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from assistant.app.care.reports import KeptReports, encoded_tiles, report_of_shot
from assistant.app.fair_shares import NOBODY, SenderShare
from assistant.app.live.free_answers import is_same_place, kind_at
from assistant.app.live.free_names import free_name
from assistant.app.live.free_shots import FreeShot
from assistant.app.live.game_files import ReadableGame
from assistant.app.live.shots import Shot
from assistant.documents.report import AnyReport, FreeReport, ReadingReport
from assistant.errors import BadValue, BoardError, CannotDo
from assistant.table.board import Board, Door, Figure
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.translations.messages import said

OPEN_S = 300.0
"""Seconds in which a correction of the watched table belongs to a report. Later the table may really have changed."""

MOST_OPEN = 24
"""Most pictures whose report a correction still completes, about 1 MB each, as many as photos are kept."""

MOST_OF_GUEST = 20
"""Most reports by the guests of one address in a run of the program, a tenth of those that a table keeps."""

_Piece = TypeVar("_Piece", Figure, Door)


class GuestReportedEnough(CannotDo):
    """The guests of one address have kept as many reports as they may."""

    http_status = 409
    sentence = said(
        "Guests keep at most {most} reports of wrong readings. Join the table to keep more.", most=MOST_OF_GUEST
    )


@dataclass(frozen=True)
class _Open:
    """A picture with a report, or a watched one that was corrected and may still get one.

    ``path`` is the file that this table wrote, or None if an earlier report says the same: no correction removes that.
    """

    shot: Shot
    changed_at_s: float
    report: ReadingReport | None = None
    path: Path | None = None


@dataclass(frozen=True)
class _OpenFree:
    """A picture of a table without a grid with a report, as in `_Open`."""

    picture: object
    changed_at_s: float
    report: FreeReport
    path: Path | None


@dataclass
class MisreadPictures:
    """The pictures whose reports the next correction completes. The last correction wins.

    Args:
        kept: the reports on the disk.
        now_s: the clock, seconds since 1970.
    """

    kept: KeptReports
    now_s: Callable[[], float]
    _open: list[_Open] = field(default_factory=list)
    _free: list[_OpenFree] = field(default_factory=list)
    _of_guests: defaultdict[SenderShare, set[Path]] = field(default_factory=lambda: defaultdict(set))
    _changing: threading.Lock = field(default_factory=threading.Lock)

    def report(self, shot: Shot, game: ReadableGame, share: SenderShare = NOBODY) -> bool:
        """Keep the report of a picture, with its corrections. Return whether it has the true table.

        A watched table that somebody has just corrected is reported as it was read before.

        Raises:
            OtherSetUp: the picture was not read with these documents.
            ReportsFull: there is no room.
            GuestReportedEnough: the share is a guest's and used up.
            StoreError: it cannot be written.
        """
        encoded_tiles(game.prints)  # kept for the report, before others have to wait for this one
        with self._changing:
            found = self._find(shot)
            if found is None or found.report is None:
                shot = shot if found is None else found.shot
                report = report_of_shot(shot, game)
                path = self._keep_file(report, share)
                self._open = [one for one in self._open if one is not found]
                found = self._keep(_Open(shot, self.now_s(), report, path))
            elif (path := self._keep_file(found.report, share)) is not None:  # its file was removed meanwhile
                self._open = [replace(one, path=path) if one is found else one for one in self._open]
            return found.shot.corrected is not None

    def keep(self, report: AnyReport, share: SenderShare = NOBODY) -> None:
        """Keep the report of a photo that no shot holds because it was refused.

        Raises:
            ReportsFull: there is no room.
            GuestReportedEnough: the share is a guest's and used up.
            StoreError: it cannot be written.
        """
        with self._changing:
            self._keep_file(report, share)

    def report_of(self, shot: Shot, game: ReadableGame) -> ReadingReport:
        """Return the report of a picture with the last corrections, for a file elsewhere.

        Raises:
            OtherSetUp: the picture was not read with these documents.
        """
        with self._changing:
            found = self._find(shot)
            if found is not None and found.report is not None:
                return found.report
        return report_of_shot(shot if found is None else found.shot, game)

    def correct(self, shot: Shot) -> bool:
        """Complete the report of a photo that somebody has corrected. Return whether it has one.

        Raises:
            StoreError: it cannot be written.
        """
        with self._changing:
            found = [one for one in self._open if one.report is not None and one.shot.read is shot.read]
            return any([self._complete(one, shot) for one in found])

    def correct_live(self, shown: Shot | None, before: Board, after: Board) -> bool:
        """Complete the reports of the watched table that somebody has corrected. Return whether it has any.

        Args:
            shown: the newest picture before the correction.
            before: the board before the correction.
            after: the board after it.

        Raises:
            StoreError: it cannot be written.
        """
        if before == after:
            return False
        with self._changing:
            since_s = self.now_s() - OPEN_S
            live = [one for one in self._open if one.shot.source == "live" and one.changed_at_s >= since_s]
            if shown is not None and not any(one.shot.board == shown.board for one in live):
                live.append(self._keep(_Open(shown, self.now_s())))
            merged = [(one, _merged(one.shot.board, before, after)) for one in live]
            return any(
                [self._complete(one, replace(one.shot, corrected=board)) for one, board in merged if board is not None]
            )

    def report_free(self, picture: object, report: FreeReport, share: SenderShare = NOBODY) -> None:
        """Keep the report of a picture of a table without a grid. A second tap keeps the first one.

        Raises:
            ReportsFull: there is no room.
            GuestReportedEnough: the share is a guest's and used up.
            StoreError: it cannot be written.
        """
        with self._changing:
            found = next((one for one in self._free if one.picture is picture), None)
            if found is None:
                found = _OpenFree(picture, self.now_s(), report, None)
            path = self._keep_file(found.report, share) or found.path
            others = [one for one in self._free if one.picture is not picture]
            self._free = [*others, replace(found, path=path)][-MOST_OPEN:]

    def free_report_of(self, picture: object) -> FreeReport | None:
        """Return the kept report of a picture of a table without a grid, with the last answers, or None."""
        with self._changing:
            return next((one.report for one in self._free if one.picture is picture), None)

    def correct_free(self, answered: FreeShot) -> bool:
        """Complete the reports of a table without a grid by an answer. Return whether it has any.

        They are those of the answer's picture, and of a watched table those within `OPEN_S`.

        Args:
            answered: the newest picture, with the answer.

        Raises:
            StoreError: it cannot be written.
        """
        with self._changing:
            return any([self._complete_free(one, answered) for one in self._free])

    def _complete_free(self, one: _OpenFree, answered: FreeShot) -> bool:
        now, table = self.now_s(), one.report.best_table
        is_live = one.report.head.source == answered.source == "live" and one.changed_at_s >= now - OPEN_S
        right: FreeTable | None = None
        if one.picture is answered.picture:
            right = answered.sighting.table
        elif is_live and table is not None:
            right = _answered(table, answered.read.table, answered.sighting.table)
        if right is None or (table is not None and right.figures == table.figures):
            return False
        report = replace(one.report, right=right)
        done = _OpenFree(one.picture, now, report, self.kept.complete(report, one.path))
        self._free = [done if each is one else each for each in self._free]
        return True

    def _find(self, shot: Shot) -> _Open | None:
        return next((one for one in self._open if self._is_of(one, shot)), None)

    def _is_of(self, one: _Open, shot: Shot) -> bool:
        """Return whether a report is of that picture, or of the watched table before a correction led to it."""
        is_late = one.changed_at_s < self.now_s() - OPEN_S
        is_corrected = one.shot.source == shot.source == "live" and one.shot.corrected == shot.board
        return one.shot.read is shot.read or (is_corrected and not is_late)

    def _complete(self, one: _Open, shot: Shot) -> bool:
        """Replace an open report by the same with the true table, if a person changed it. Return whether it is kept."""
        right = shot.corrected
        if right is None or right == one.shot.board:
            return False
        now, corrected = self.now_s(), replace(one.shot, corrected=right)
        done = _Open(corrected, now)
        if one.report is not None:
            report = replace(one.report, right=right)
            done = _Open(corrected, now, report, self.kept.complete(report, one.path))
        self._open = [done if each is one else each for each in self._open]
        return done.report is not None

    def _keep_file(self, report: AnyReport, share: SenderShare) -> Path | None:
        if not share.is_guest:
            return self.kept.keep(report)
        mine = self._of_guests[share]
        if sum(path.exists() for path in mine) >= MOST_OF_GUEST and not self.kept.has(report):
            raise GuestReportedEnough
        path = self.kept.keep(report)
        if path is not None:
            mine.add(path)
        return path

    def _keep(self, one: _Open) -> _Open:
        self._open = [*self._open, one][-MOST_OPEN:]
        return one


def _merged(seen: Board, before: Board, after: Board) -> Board | None:
    """Return a picture's board with a correction of a later board of the same table, or None if it does not fit.

    A figure or door that has moved since the picture stays as the picture shows it.
    """
    if not seen.cells == before.cells == after.cells:
        return None
    figures = _merged_pieces(seen.figures, before.figures, after.figures)
    doors = _merged_pieces(seen.doors, before.doors, after.doors)
    try:
        return replace(seen, figures=figures, doors=doors)
    except BoardError:  # what has moved since stands in the way
        return None


def _merged_pieces(seen: Sequence[_Piece], before: Sequence[_Piece], after: Sequence[_Piece]) -> tuple[_Piece, ...]:
    merged = {piece.id: piece for piece in seen}
    old = {piece.id: piece for piece in before}
    new = {piece.id: piece for piece in after}
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) == new.get(name) or merged.get(name) != old.get(name):
            continue
        if name in new:
            merged[name] = new[name]
        else:
            del merged[name]
    return tuple(merged.values())


def _answered(seen: FreeTable, read: FreeTable, right: FreeTable) -> FreeTable | None:
    """Return a picture's table with the answers about a later picture, or None if they do not fit."""

    def stands(figure: FreeFigure, table: FreeTable) -> bool:
        return any(is_same_place(figure, other) for other in table.figures)

    gone = replace(read, figures=tuple(figure for figure in read.figures if not stands(figure, right)))
    figures = [figure for figure in seen.figures if not stands(figure, gone)]
    for figure in right.figures:
        if not stands(figure, read) and not stands(figure, seen):
            names = {other.id for other in figures}
            figures.append(
                replace(figure, id=free_name(kind_at(figure.id), names) if figure.id in names else figure.id)
            )
    try:
        return replace(seen, figures=tuple(figures))
    except BadValue:  # what has moved since stands in the way
        return None

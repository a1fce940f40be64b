"""``sightline report``: writes reports of wrong readings, and scores them again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from assistant.app.care.report_score import ReportScore, score_report
from assistant.app.care.reports import ADDED, KeptReports, read_or_refusal, report_of_free, report_of_photo
from assistant.app.live.free_pictures import free_pictures_from
from assistant.app.live.game_files import GameFiles, ReadableGame, game_from_files
from assistant.app.live.reader import encode_whole
from assistant.app.setup.game_step import game_of
from assistant.app.setup.sample import sample_game
from assistant.cli.language import BadUsage, reader_language, say
from assistant.cli.options import (
    PATH,
    data_option,
    free_table_option,
    read_board,
    roster_option,
    table_option,
    tiles_option,
)  # fmt: skip
from assistant.documents import free_table_from_json, read_bytes
from assistant.documents.report import (
    MAX_REPORT_BYTES,
    MOST_WORDS,
    AnyReport,
    PhotoRefusal,
    ReadingReport,
    report_from_zip,
    report_zip,
)
from assistant.errors import BadValue, CannotDo, InputError, PhotoUnreadable
from assistant.kept_files import map_errors, write_file
from assistant.profiles import Profiles
from assistant.table.board import Board
from assistant.table.fields import plain_line
from assistant.table.roster import Roster
from assistant.translations.messages import counted, message, said
from vision.photo.decoding import decode_photo, read_photo_bytes


@click.group()
def report() -> None:
    """Write reports of wrong readings, collect them, and score them again."""


@report.command()
@click.argument("photo", type=PATH)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--setup", metavar="NAME", help="The saved set-up to read the photo with.")
@table_option
@click.option("--camera", type=PATH, help="The calibrated lens (sightline.camera/1).")
@tiles_option
@roster_option
@free_table_option
@click.option(
    "--right",
    type=PATH,
    help="The true table: a sightline.board/1 in the lattice of the reading, or a sightline.free-table/1.",
)
@click.option("--words", default="", help="What is wrong, in your own words.")
@data_option
def write(*, photo: Path, file: Path, setup: str | None, words: str, **given: Path) -> None:
    """Read PHOTO and write the photo, the reading and the set-up into FILE, a zip to send to the developers.

    If the table cannot be read from PHOTO, FILE holds the reason in place of the reading, and --right has any lattice.

    The photo is encoded again without its metadata (place, owner). Nothing is sent.

    FILE must end in .zip. An existing file is never overwritten.
    """
    _check_target(file)
    if len(words) > MOST_WORDS:
        raise BadUsage(said("The words are too long. Use at most {most} letters.", most=MOST_WORDS))
    right, is_free = given.pop("right"), given["free_table"] is not None
    pack = _free_report(setup, given) if is_free else _board_report(setup, given)
    # Read the exact picture that goes into the file, so that rereading it gives the same result.
    jpeg = encode_whole(decode_photo(read_photo_bytes(photo), str(photo)))
    report = pack(jpeg, right, words)
    write_file(file, report_zip(report))
    if isinstance(report.observed, PhotoRefusal):
        text = message(
            "{file} holds the photo, the set-up and why the photo cannot be read. It holds no name and no match."
        )
    else:
        text = message("{file} holds the photo, the set-up and the reading. It holds no name and no match.")
    say(said(text, file=str(file)))


def _check_target(file: Path) -> None:
    """Refuse a second photo in place of FILE, and a file that is there: a report may hold a correction.

    Raises:
        BadUsage: the file's name does not end in .zip, or there is such a file.
    """
    if file.suffix.lower() != ".zip":
        advice = message("{file} does not end in .zip. Name one photo, then the report, for example report.zip.")
        raise BadUsage(said(advice, file=str(file)))
    with map_errors("read"):
        is_there = file.exists()
    if is_there:
        raise BadUsage(said("{file} exists already. Choose another name for the report.", file=str(file)))


_APP1, _APP15, _COMMENT, _START_OF_SCAN = 0xE1, 0xEF, 0xFE, 0xDA
"""Markers of a JPEG's segments."""

_Pack = Callable[[bytes, Path | None, str], AnyReport]
"""Builds the report of a picture from the true table and the sender's words."""


def _board_report(setup: str | None, given: Mapping[str, Any]) -> _Pack:
    game = _game(setup, given)

    def pack(jpeg: bytes, right: Path | None, words: str) -> AnyReport:
        board = None if right is None else _read_right(right, game.roster)
        return report_of_photo(jpeg, game, right=board, words=words)

    return pack


def _read_right(right: Path, roster: Roster) -> Board:
    """Read the true table.

    Raises:
        BadValue: it has a figure of a kind that the roster lacks.
    """
    board = read_board(right)
    kinds = {figure.kind for figure in roster.figures}
    strange = sorted({figure.kind for figure in board.figures if figure.side != "unknown"} - kinds)
    if strange:
        text = message("The roster has no figure of the kind “{kind}”. Use a kind of the roster.")
        raise BadValue(said(text, kind=strange[0]), document=str(right), field="figures")
    return board


def _free_report(setup: str | None, given: Mapping[str, Any]) -> _Pack:
    files = _files(given)
    desk = None if setup is not None or files.tiles is not None else free_pictures_from(files)
    if desk is None:
        raise BadUsage(said("A table without a grid needs --table, --roster and --free-table, without --tiles."))

    def pack(jpeg: bytes, right: Path | None, words: str) -> AnyReport:
        table = None if right is None else free_table_from_json(read_bytes(right), str(right))
        observed = read_or_refusal(lambda: desk.read_upload(jpeg).sighting)
        return report_of_free(jpeg, observed, desk.game, right=table, words=words)

    return pack


def _files(given: Mapping[str, Any]) -> GameFiles:
    return GameFiles(**{name: path for name, path in given.items() if name != "data"})


def _game(setup: str | None, given: Mapping[str, Any]) -> ReadableGame:
    profiles, files = Profiles(given["data"]), _files(given)
    if setup is None:
        return game_from_files(files, sample_game())
    if files.named:
        raise BadUsage(said("The set-up of --setup has its own documents. Leave out the other options."))
    return game_of(profiles, setup, sample_game())


@report.command()
@click.argument("files", nargs=-1, required=True, type=PATH)
@data_option
def add(*, files: tuple[Path, ...], data: Path) -> int:
    """Add saved or received report FILES to those that “sightline report score” measures.

    Reports of one picture with other words or another true table are all kept. A report that the data folder has
    already is not kept twice. A damaged file is named and left out, with exit status 2.
    """
    kept = KeptReports(data)
    news = [kept.add(one) for _, one in _read_reports(files, _without_metadata)]
    new_count = sum(news)
    if new_count:
        text = counted(
            "{n} report added to {folder}", "{n} reports added to {folder}", new_count, folder=str(kept.folder)
        )
        say(text)
    if new_count < len(news):
        say(counted("{n} report was there already", "{n} reports were there already", len(news) - new_count))
    return 0 if len(news) == len(files) else BadUsage.exit_code


def _without_metadata(sent: AnyReport, name: str) -> AnyReport:
    """Return a report made by hand without its photos' metadata: place, owner, and a turn that the reader ignores."""
    photo = _bare(sent.photo, name)
    if isinstance(sent, ReadingReport):
        return replace(sent, photo=photo, sides=tuple(_bare(side, name) for side in sent.sides))
    return replace(sent, photo=photo)


def _bare(photo: bytes, name: str) -> bytes:
    return photo if _is_bare(photo) else encode_whole(decode_photo(photo, name))


def _is_bare(photo: bytes) -> bool:
    """Return whether it is a JPEG without metadata, as a report by the table or by ``write`` holds it.

    Metadata stand in segments before the scan: APP1 to APP15 (Exif, XMP, IPTC) or comments (ITU T.81, table B.1).
    """
    at = 2
    while photo.startswith(b"\xff\xd8") and photo[at : at + 1] == b"\xff":
        marker = photo[at + 1]
        if marker == _START_OF_SCAN:
            return True
        if marker == _COMMENT or _APP1 <= marker <= _APP15:
            return False
        at += 2 + int.from_bytes(photo[at + 2 : at + 4], "big")
    return False


def _read_reports(
    files: Iterable[Path], prepare: Callable[[AnyReport, str], AnyReport] = lambda sent, _: sent
) -> Iterator[tuple[Path, AnyReport]]:
    """Yield each report, and name damaged files on the error stream."""
    for file in files:
        try:
            yield file, prepare(report_from_zip(read_bytes(file, MAX_REPORT_BYTES), str(file)), str(file))
        except InputError as problem:
            _echo(problem.worded(reader_language()), err=True)


def _echo(text: str, *, err: bool = False) -> None:
    """Print a text with words of a received file, without characters that steer the terminal."""
    indent = text[: len(text) - len(text.lstrip(" "))]
    click.echo(indent + plain_line(text), err=err)


@report.command()
@click.option("--keep", type=click.IntRange(min=0), required=True, help="Number of the table's own reports to leave.")
@data_option
def prune(*, keep: int, data: Path) -> int:
    """Remove reports saved by a tap, the oldest first, until --keep of the table's own reports are left.

    An added report, or one with the true table, is never removed: move its file out of the folder yourself. A damaged
    report is named and left out, with exit status 2.
    """
    kept = KeptReports(data)
    files = kept.files()
    own = sorted((file for file in files if not file.name.startswith(ADDED)), key=_written_at_s)
    read = [(file, one.right is None) for file, one in _read_reports(own)]
    bare = [file for file, is_bare in read if is_bare]
    gone = bare[: max(0, len(own) - keep)]
    for file in gone:
        kept.remove(file)
    text = counted(
        "{n} report removed from {folder}. Left there: {left}",
        "{n} reports removed from {folder}. Left there: {left}",
        len(gone),
        folder=str(kept.folder),
        left=len(files) - len(gone),
    )
    say(text)
    return 0 if len(read) == len(own) else BadUsage.exit_code


def _written_at_s(file: Path) -> float:
    with map_errors("read"):
        return file.stat().st_mtime if file.exists() else 0.0  # another run may remove it meanwhile


@report.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@data_option
def score(*, folder: Path | None, data: Path) -> int:
    """Read the pictures of every report in FOLDER again and list their mistakes then and now.

    Without FOLDER, the reports of the data folder: those that people at the table saved by a tap, and added ones. Exit
    status 1 if any picture now reads worse than when its report was saved. A damaged report is named and left out, with
    exit status 2.

    A photo that was refused never counts as worse.
    """
    folder = folder or KeptReports(data).folder
    with map_errors("read"):
        files = sorted(file for file in folder.glob("*") if file.suffix.lower() == ".zip")
    if not files:
        raise CannotDo(said("There is no report in {folder}. Put the received files there.", folder=str(folder)))
    scores = []
    for file, sent in _read_reports(files):
        one = score_report(sent)
        if isinstance(one.refusal, PhotoUnreadable):
            _echo(f"{file}: {one.refusal.worded(reader_language())}", err=True)
            continue
        scores.append(one)
        _report(file, one, sent.head.words)
    right = sum(one.is_told and not one.now and one.now is not None for one in scores)
    if scores:
        text = counted(
            "{n} report, free of mistakes now: {right}",
            "{n} reports, free of mistakes now: {right}",
            len(scores),
            right=right,
        )
        say(text)
    refused = [one for one in scores if one.before is None]
    if refused:
        text = counted(
            "{n} refused photo, readable now: {read}",
            "{n} refused photos, readable now: {read}",
            len(refused),
            read=sum(one.now is not None for one in refused),
        )
        say(text)
    if len(scores) < len(files):
        return BadUsage.exit_code
    return CannotDo.exit_status if any(one.is_worse for one in scores) else 0


def _report(file: Path, one: ReportScore, words: str) -> None:
    if one.refusal is not None:
        _echo(f"{file.name}: {one.refusal.worded(reader_language())}")
        return
    before, now = one.before or (), one.now or ()
    if one.is_told and one.before is None:
        text = message("{file}: refused then, mistakes now: {now}")
    elif one.is_told:
        text = message("{file}: mistakes then: {before}, now: {now}")
    elif one.before is None:
        text = message("{file}: refused then, readable now. It has no true board (board.json).")
    else:
        text = message("{file}: has no true board (board.json); differences from the sent reading: {now}")
    say(said(text, file=file.name, before=len(before), now=len(now)))
    if words and not one.is_told:
        _echo(f"    “{words}”")
    for mistake in now:
        _echo(f"    {mistake}")

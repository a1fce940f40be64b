"""``sightline report``: a reading that was wrong goes into one file, and such files are read again and scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from assistant.app.care.report_score import ReportScore, score_report
from assistant.app.care.reports import pack_reading
from assistant.app.live.free_pictures import free_pictures_from
from assistant.app.live.game_files import GameFiles, ReadableGame, game_from_files
from assistant.app.live.reader import GameReader, encode_whole
from assistant.app.setup.game_step import game_of
from assistant.app.setup.sample import sample_game
from assistant.cli.keeping import data_option
from assistant.cli.language import BadUsage, reader_language, say
from assistant.cli.options import read_board
from assistant.documents import free_table_from_json, read_bytes
from assistant.documents.report import MAX_REPORT_BYTES, MOST_WORDS, report_from_zip
from assistant.errors import CannotDo
from assistant.kept_files import write_file
from assistant.profiles import Profiles
from assistant.translations.messages import counted, said
from vision.photo.decoding import decode_photo, read_photo_bytes

_FILE = click.Path(path_type=Path)


@click.group()
def report() -> None:
    """A reading that was wrong goes into one file, and such files are read again."""


@report.command()
@click.argument("photo", type=_FILE)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--setup", metavar="NAME", help="The kept set-up by which the photo is read.")
@click.option("--table", type=_FILE, help="Where the printed markers lie (sightline.table/1).")
@click.option("--camera", type=_FILE, help="The lens (sightline.camera/1): of all, or of each photo.")
@click.option("--tiles", type=_FILE, help="Folder of the tile set (sightline.tileset/1).")
@click.option("--roster", type=_FILE, help="The figures that may be there (sightline.roster/1).")
@click.option(
    "--free-table", "free_table", type=_FILE, help="In place of tiles: terrain and models (sightline.free-table/1)."
)
@click.option(
    "--right",
    type=_FILE,
    help="The table as it really is: a sightline.board/1 in the lattice that was read, or a sightline.free-table/1.",
)
@click.option("--words", default="", help="What is wrong, in a sentence of your own.")
@data_option
def write(*, photo: Path, file: Path, setup: str | None, words: str, **given: Path) -> None:
    """Read PHOTO and write what was read, the photo and the set-up into FILE, a zip, for who mends the reading.

    The photo is written anew, without what its file tells of place and owner. Nothing is sent anywhere.
    """
    if len(words) > MOST_WORDS:
        raise BadUsage(said("say it in {most} letters or fewer", most=MOST_WORDS))
    right, is_free = given.pop("right"), given["free_table"] is not None
    pack = _free_report(setup, given) if is_free else _board_report(setup, given)
    # What is read is the very picture that goes into the file, so that it can be read again just so.
    jpeg = encode_whole(decode_photo(read_photo_bytes(photo), str(photo)))
    write_file(file, pack(jpeg, right, words))
    say(
        said(
            "{file} holds the photo, the set-up and what was read; nobody's name and no match is in it", file=str(file)
        )
    )


_Pack = Callable[[bytes, Path | None, str], bytes]
"""Makes the report of a picture, from what is right and what the sender says."""


def _board_report(setup: str | None, given: Mapping[str, Any]) -> _Pack:
    game = _game(setup, given)

    def pack(jpeg: bytes, right: Path | None, words: str) -> bytes:
        observed = GameReader(game).read(jpeg).observation
        board = None if right is None else read_board(right)
        return pack_reading(jpeg, observed, game, right=board, words=words)

    return pack


def _free_report(setup: str | None, given: Mapping[str, Any]) -> _Pack:
    files = _files(given)
    desk = None if setup is not None or files.tiles is not None else free_pictures_from(files)
    if desk is None:
        raise BadUsage(said("a table without a grid is named by --table, --roster and --free-table, without --tiles"))

    def pack(jpeg: bytes, right: Path | None, words: str) -> bytes:
        table = None if right is None else free_table_from_json(read_bytes(right), str(right))
        return pack_reading(jpeg, desk.read_upload(jpeg).sighting, desk.game, right=table, words=words)

    return pack


def _files(given: Mapping[str, Any]) -> GameFiles:
    return GameFiles(**{name: path for name, path in given.items() if name != "data"})


def _game(setup: str | None, given: Mapping[str, Any]) -> ReadableGame:
    profiles, files = Profiles(given["data"]), _files(given)
    if setup is None:
        return game_from_files(files, sample_game())
    if files.named:
        raise BadUsage(said("--setup names the documents itself; leave the others out"))
    return game_of(profiles, setup, sample_game())


@report.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def score(*, folder: Path) -> int:
    """Read the picture of every report in FOLDER again, and tell what is wrong now and what was wrong then.

    Ends with 1 if one of them is read worse than when it was sent.
    """
    files = sorted(folder.glob("*.zip"))
    if not files:
        raise CannotDo(said("{folder} holds no report; put the files that were sent to you there", folder=str(folder)))
    scores = []
    for file in files:
        sent = report_from_zip(read_bytes(file, MAX_REPORT_BYTES), str(file))
        one = score_report(sent)
        scores.append(one)
        _tell(file, one, sent.head.words)
    right = sum(one.is_told and not one.now and one.now is not None for one in scores)
    say(
        counted(
            "{n} report, without a mistake now: {right}",
            "{n} reports, without a mistake now: {right}",
            len(scores),
            right=right,
        )
    )
    return CannotDo.exit_status if any(one.is_worse for one in scores) else 0


def _tell(file: Path, one: ReportScore, words: str) -> None:
    if one.refusal is not None:
        click.echo(f"{file.name}: {one.refusal.worded(reader_language())}")
        return
    now = one.now or ()
    if one.is_told:
        say(said("{file}: mistakes then: {before}, now: {now}", file=file.name, before=len(one.before), now=len(now)))
    else:
        text = said(
            "{file}: nobody said how the table really is (board.json); read otherwise than then: {now}",
            file=file.name,
            now=len(now),
        )
        say(text)
        if words:
            click.echo(f"    “{words}”")
    for mistake in now:
        click.echo(f"    {mistake}")

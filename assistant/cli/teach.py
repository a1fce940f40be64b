"""``sightline teach``: the page's teaching in the terminal, from photos of tiles, figures and doors."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from assistant.app.teaching.box import BoxSide, BoxTeacher, TileCutOff
from assistant.app.teaching.library import MoreThanOneFigure, TaughtGames, TeachingTable, WouldReplace, look_of
from assistant.cli.language import BadUsage, reader_language, say
from assistant.cli.options import data_option
from assistant.documents import camera_from_json, read_bytes, table_from_json, to_json
from assistant.documents.tiles import roster_document, tile_set_document
from assistant.errors import PhotoError
from assistant.kept_files import write_file
from assistant.table.board import EdgeKind
from assistant.table.camera import NO_MARKERS
from assistant.table.fields import MAX_NAME, plain_line
from assistant.table.roster import BaseShape, DoorSpec, Roster, RosterFigure
from assistant.translations.messages import Said, counted, listed, message, named, said
from calibration.arrays import BgrImage
from vision.photo.decoding import decode_photo, read_photo_bytes
from vision.photo.faults import require_clear
from vision.teaching.box_tiles import OtherKind
from vision.teaching.figure_sighting import NewFigureSighting
from vision.teaching.rim_color import known_ring
from vision.teaching.roster_entries import NO_DOORS
from vision.teaching.sighting import CELL_MM, THICKNESS_MM
from vision.teaching.tile_reading import TileReading, best_of
from vision.teaching.tile_sets import TaughtSide, new_tile_set, with_sides

Kept = TypeVar("Kept")

_FILE = click.Path(path_type=Path)
DOUBTFUL_BELOW = 0.8
_BETWEEN = ("turned", "next")
"""Words between the photos of a box."""

LINES: Mapping[EdgeKind | None, str] = {
    None: message("nothing"),
    "wall": message("wall"),
    "obstacle": message("obstacle"),
    "impassable": message("impassable"),
}
"""Names of a tile's lines."""

OTHERS: Mapping[OtherKind, str] = {
    "door": message("a door"),
    "token": message("a token"),
    "card": message("a card"),
    "unclear": message("something unclear"),
}
"""Names of non-tiles among the tiles."""

cell_option: Callable[[Any], Any] = click.option(
    "--cell-mm",
    type=click.FloatRange(5, 200),
    default=CELL_MM,
    show_default=True,
    help="The side length of a space, in mm.",
)
thickness_option: Callable[[Any], Any] = click.option(
    "--thickness-mm",
    type=click.FloatRange(0, 30),
    default=THICKNESS_MM,
    show_default=True,
    help="The thickness of the cardboard, in mm.",
)
replace_option: Callable[[Any], Any] = click.option(
    "--replace", is_flag=True, help="Replace tile sides of the same name in that set."
)
table_option: Callable[[Any], Any] = click.option(
    "--table", type=_FILE, required=True, help="Where the printed markers lie (sightline.table/1)."
)
camera_option: Callable[[Any], Any] = click.option(
    "--camera", type=_FILE, help="The calibrated lens (sightline.camera/1)."
)


def _parse_spaces(_context: click.Context, _option: click.Parameter, text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"([1-8])\s*[x×]\s*([1-8])", text)
    if found is None:
        raise click.BadParameter(message("give columns and rows from 1 to 8, for example 2x1"))
    return max(int(found[1]), int(found[2])), min(int(found[1]), int(found[2]))


def _parse_name(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text is not None and (not text or len(text) > MAX_NAME or plain_line(text) != text):
        raise click.BadParameter(message("give a name on one line, of at most 200 visible letters"))
    return text


@click.group()
def teach() -> None:
    """Teach a whole box from photos, or tiles, figures and doors one by one between the table markers."""


@teach.command("tile")
@click.argument("photos", nargs=-1, required=True, type=_FILE)
@click.option(
    "--id",
    "side_id",
    required=True,
    callback=_parse_name,
    help="The name of this side of the tile, for example 07A.",
)
@click.option("--set", "set_name", metavar="NAME", help="Also save it in this tile set of the data folder.")
@replace_option
@cell_option
@thickness_option
@table_option
@camera_option
@data_option
def teach_tile(  # noqa: PLR0913 - click hands over every option by its name
    *,
    photos: tuple[Path, ...],
    side_id: str,
    set_name: str | None,
    replace: bool,
    cell_mm: float,
    thickness_mm: float,
    table: Path,
    camera: Path | None,
    data: Path,
) -> None:
    """Cut one tile out of PHOTOS, read its printed lines and print it as sightline.tileset/1.

    Several photos of the same side make the reading more reliable. Standard error lists doubtful lines. You can correct
    them on the page /setup/teach.
    """
    under = _table(table, camera, cell_mm, thickness_mm)
    games = TaughtGames(data)
    if set_name is not None:  # asked before a reading that takes half a minute
        games.require_distinct_sides(set_name, [side_id])
        _keep(lambda may: None if may else games.require_new_sides(set_name, [side_id]), may_replace=replace)
    pictures = [decode_photo(read_photo_bytes(path), str(path)) for path in photos]
    readings = []
    for number, (path, picture) in enumerate(zip(photos, pictures, strict=True), start=1):
        say(said("reading {path} ({number} of {count}) …", path=str(path), number=number, count=len(photos)), err=True)
        readings.append(under.tile(picture))
    reading = best_of(readings)
    taught = TaughtSide(reading.side(side_id), reading.image)
    _report(reading, len(photos))
    alone = with_sides(new_tile_set(set_name or side_id, cell_mm=cell_mm, thickness_mm=thickness_mm), [taught])
    if set_name is not None:
        games.keep_sides(set_name, [taught], under, may_replace=True)
    click.echo(to_json(tile_set_document(alone)))


@teach.command("box")
@click.argument("photos", nargs=-1, required=True)
@click.option("--set", "set_name", metavar="NAME", required=True, help="The tile set of the data folder to save it in.")
@replace_option
@click.option("--sheet", type=_FILE, help="Also write one picture of all sides here, a PNG file.")
@cell_option
@thickness_option
@data_option
def teach_box(  # noqa: PLR0913 - click hands over every option by its name
    *,
    photos: tuple[str, ...],
    set_name: str,
    replace: bool,
    sheet: Path | None,
    cell_mm: float,
    thickness_mm: float,
    data: Path,
) -> None:
    """Read a whole box from PHOTOS of many tiles and save it as a tile set.

    Lay the tiles a little apart on any table. No printed markers are needed. Between the names of the photos, write
    “turned” after you turned all tiles over, and “next” before the next tiles, for example: 1.jpg 2.jpg turned 3.jpg
    next 4.jpg turned 5.jpg. Tiles get the names printed on them, else numbers. Standard error lists the tiles. You can
    correct them on the page /setup/box.
    """
    under = TeachingTable(NO_MARKERS, None, cell_mm, thickness_mm)
    box = BoxTeacher(TaughtGames(data), lambda: under)
    pictures = {word: _read_clear(word) for word in photos if word not in _BETWEEN}
    is_turned = False
    for word in photos:
        if word == "turned":
            is_turned = True
        elif word == "next":
            box.next_batch()
            is_turned = False
        else:
            say(said("reading {path} …", path=word), err=True)
            box.add_photo(pictures[word], is_turned=is_turned)
            box.wait()
            if isinstance(box.problem, TileCutOff):
                # A further photo may show the tile whole, so the others are still read.
                say(box.problem.sentence, err=True)
            elif box.problem is not None:
                raise box.problem.in_document(word)
    for side in box.sides():
        _say_side(side)
    for thing in box.others():
        width, height = (round(length) for length in thing.size_mm)
        say(
            said("{thing}, {width} x {height} mm", thing=said(OTHERS[thing.kind]), width=width, height=height), err=True
        )
    if sheet is not None:
        write_file(sheet, box.sheet())
    kept = _keep(lambda may: box.keep(set_name, may_replace=may), may_replace=replace)
    say(counted("{name}: {n} tile side", "{name}: {n} tile sides", len(kept.sides), name=kept.name))


def _read_clear(name: str) -> bytes:
    """Return a photo's file. All are checked before the first is read, since the reading takes minutes.

    Raises:
        PhotoUnreadable: it is no picture.
        PhotoError: it is blurred or too dark.
    """
    photo = read_photo_bytes(Path(name))
    try:
        require_clear(decode_photo(photo, name))
    except PhotoError as problem:
        raise problem.in_document(name) from None
    return photo


def _keep(keep: Callable[[bool], Kept], *, may_replace: bool) -> Kept:
    """Save taught data. At a terminal, ask before replacing anything.

    Raises:
        BadUsage: something would be replaced without permission.
    """
    try:
        return keep(may_replace)
    except WouldReplace as problem:
        if not sys.stdin or not sys.stdin.isatty():
            names = ", ".join(problem.names)
            raise BadUsage(said("{names}: already in the tile set. To replace, add --replace.", names=names)) from None
        click.confirm(problem.worded(reader_language()), abort=True, err=True)
        return keep(True)


def _say_side(side: BoxSide) -> None:
    lines = Counter(kind for kind in side.reading.edges.values() if kind is not None)
    parts = [said("cells: {count}", count=len(side.reading.cells))]
    parts += [said("{kind}: {count}", kind=said(LINES[kind]), count=count) for kind, count in sorted(lines.items())]
    if side.doubts:
        parts.append(said("doubtful: {count}", count=side.doubts))
    if not side.is_paired:
        parts.append(said("check which side is on its back"))
    if side.is_name_doubtful:
        parts.append(said("check its name"))
    say(said("{name}: {parts}", name=side.name, parts=listed(parts)), err=True)


@teach.command("figure")
@click.argument("photos", nargs=-1, required=True, type=_FILE)
@click.option("--roster", "roster_name", metavar="NAME", help="Also save it in this roster of the data folder.")
@click.option("--kind", required=True, callback=_parse_name, help="The figure's kind, for example imp.")
@click.option("--side", required=True, callback=_parse_name, help="The figure's side, for example demons.")
@click.option("--id", "figure_id", callback=_parse_name, help="The figure's own name. Default: its kind and a number.")
@click.option(
    "--height-mm", type=click.FloatRange(1, 300), default=30.0, show_default=True, help="The height with base, in mm."
)
@click.option(
    "--base",
    "base_shape",
    type=click.Choice(["round", "rectangle"]),
    help="The shape of the base, if measured wrongly.",
)
@click.option(
    "--spaces",
    metavar="2x1",
    callback=_parse_spaces,
    help="The spaces along its length and width. Default: by its base.",
)
@click.option(
    "--alone",
    "is_alone",
    is_flag=True,
    help="Teach the figure although more things seem to stand there. Nothing else is on the table.",
)
@table_option
@camera_option
@data_option
def teach_figure(  # noqa: PLR0913 - click hands over every option by its name
    *,
    photos: tuple[Path, ...],
    roster_name: str | None,
    kind: str,
    side: str,
    figure_id: str | None,
    height_mm: float,
    base_shape: BaseShape | None,
    spaces: tuple[int, int] | None,
    is_alone: bool,
    table: Path,
    camera: Path | None,
    data: Path,
) -> None:
    """Measure the base of the only figure in PHOTOS, sample its ring and looks, and print it as sightline.roster/1.

    Take three photos from different sides to recognise it even if its ring is dark, hidden or missing. What you teach
    holds for all figures of its kind.
    """
    under = _table(table, camera)
    games = TaughtGames(data)
    known = games.roster(roster_name) if roster_name is not None else None  # a bad name is refused before the reading
    pictures = [decode_photo(read_photo_bytes(photo), str(photo)) for photo in photos]
    if spaces is not None and len(set(spaces)) > 1:  # a round base is as long as it is wide
        if base_shape == "round":
            raise BadUsage(said("A round base is as long as it is wide. Leave out --base or --spaces."))
        base_shape = "rectangle"
    if not is_alone:
        _require_one_figure(under, photos, pictures)
    seen = under.figure_from_sides(pictures, base_shape, spaces)
    ring = _choose_ring(seen, known, kind)
    size = spaces or seen.size_cells(under.cell_mm)
    look = look_of(seen)
    figure = RosterFigure(
        figure_id or kind, kind, side, size, seen.base_mm, height_mm, ring, seen.base_shape, seen.base_size_mm, look
    )
    ring_words = _describe_ring(ring, [one for one in known.figures if one.kind != kind] if known else [])
    sides = counted("looks from {n} side", "looks from {n} sides", len(seen.sides))
    say(listed([_describe_base(figure), ring_words, sides]), err=True)
    if click.get_current_context().get_parameter_source("height_mm") is ParameterSource.DEFAULT:
        assumed = said("The height was not given: {height} mm is assumed. Give it with --height-mm.", height=height_mm)
        say(assumed, err=True)
    _report_left_out(len(photos) - len(seen.sides))
    if size != seen.size_cells(under.cell_mm):
        columns, rows = seen.size_cells(under.cell_mm)
        say(said("The measured base would take {columns}x{rows} spaces.", columns=columns, rows=rows), err=True)
    roster = Roster((figure,), NO_DOORS)
    if roster_name is not None:
        with games.keeping:  # another program may take the name meanwhile
            figure = replace(figure, id=figure_id or games.free_id(roster_name, kind))
            roster = games.keep_figure(roster_name, figure)
    _report_differences(figure, known.figures if known else ())
    click.echo(to_json(roster_document(roster)))


@teach.command("door")
@click.argument("photo", type=_FILE)
@click.option("--roster", "roster_name", metavar="NAME", help="Also save it in this roster of the data folder.")
@click.option("--count", type=click.IntRange(0, 1000), required=True, help="The number of such doors.")
@click.option(
    "--thickness-mm",
    type=click.FloatRange(0.1, 30),
    default=2.0,
    show_default=True,
    help="The thickness of the door, in mm.",
)
@table_option
@camera_option
@data_option
def teach_door(  # noqa: PLR0913 - click hands over every option by its name
    *,
    photo: Path,
    roster_name: str | None,
    count: int,
    thickness_mm: float,
    table: Path,
    camera: Path | None,
    data: Path,
) -> None:
    """Measure the only door lying flat in PHOTO, and print the doors as sightline.roster/1."""
    under = _table(table, camera)
    seen = under.door(decode_photo(read_photo_bytes(photo), str(photo)))
    doors = DoorSpec(count, seen.width_cells(under.cell_mm), seen.height_mm, thickness_mm)
    say(said("{width} mm wide, {height} mm high", width=seen.width_mm, height=seen.height_mm), err=True)
    roster = Roster((), doors)
    if roster_name is not None:
        roster = TaughtGames(data).keep_doors(roster_name, doors, seen.look)
    click.echo(to_json(roster_document(roster)))


def _require_one_figure(under: TeachingTable, photos: Sequence[Path], pictures: Sequence[BgrImage]) -> None:
    """Refuse a photo of several things.

    Raises:
        MoreThanOneFigure: several things stand in a photo, apart or touching; it is named.
    """
    several = said("There is more than one thing on the table. Leave only the figure there, and photograph it again.")
    touches = said(
        "Something seems to touch the figure. Stand it alone and photograph it again. Is it alone? Add --alone."
    )
    for photo, picture in zip(photos, pictures, strict=True):
        try:
            beside = under.company(picture)
        except PhotoError:  # the reading leaves it out, or refuses it with its reason
            continue
        if beside.count > 1 or beside.touches:
            raise MoreThanOneFigure(several if beside.count > 1 else touches, document=str(photo))


def _table(
    table: Path, camera: Path | None, cell_mm: float | None = None, thickness_mm: float = THICKNESS_MM
) -> TeachingTable:
    lens = None if camera is None else camera_from_json(read_bytes(camera), str(camera))
    markers = table_from_json(read_bytes(table), str(table))
    return TeachingTable(markers, lens, cell_mm or markers.cell_mm or CELL_MM, thickness_mm)


def _describe_base(figure: RosterFigure) -> Said:
    columns, rows = figure.size
    if figure.base_shape == "round":
        text = message("round base of {length} mm on {columns}x{rows} spaces")
        return said(text, length=float(figure.base_mm), columns=columns, rows=rows)
    length, width = map(float, figure.base_size_mm)
    text = message("rectangular base of {length} x {width} mm on {columns}x{rows} spaces")
    return said(text, length=length, width=width, columns=columns, rows=rows)


def _describe_ring(ring: str | None, others: Sequence[RosterFigure]) -> Said:
    """Describe a figure's ring, and name other kinds with the same one."""
    if ring is None:
        return said("no ring, recognised by its looks")
    same = sorted({other.kind for other in others if other.ring == ring})
    if same:
        return said("ring {color}, shared with {kinds}; their looks tell them apart", color=ring, kinds=named(same))
    return said("ring {color}", color=ring)


def _choose_ring(seen: NewFigureSighting, known: Roster | None, kind: str) -> str | None:
    """Return the roster's ring that matches the measured one, or the measured colour."""
    if seen.ring is None:
        return None
    return (known_ring(seen.ring, known.figures, kind) if known else None) or seen.ring


def _report_differences(figure: RosterFigure, known: Sequence[RosterFigure]) -> None:
    """Report that other figures of its kind have another side or size."""
    same = [one for one in known if one.kind == figure.kind and one.id != figure.id]
    sides = sorted({one.side for one in same} - {figure.side})
    if sides:
        text = message("Other figures of the kind {kind} have the side {sides} in this roster. Check --side.")
        say(said(text, kind=figure.kind, sides=", ".join(sides)), err=True)
    sizes = sorted({one.size for one in same} - {figure.size})
    if sizes:
        text = message("Other figures of the kind {kind} take {spaces} spaces in this roster. Check --spaces.")
        say(said(text, kind=figure.kind, spaces=", ".join(f"{wide}x{high}" for wide, high in sizes)), err=True)


def _report_left_out(photos: int) -> None:
    """Report unused photos, if any."""
    if photos:
        left_out = counted(
            "{n} photo was left out: it shows another figure, none, or the same side as another photo",
            "{n} photos were left out: they show another figure, none, or the same side as another photo",
            photos,
        )
        say(left_out, err=True)


def _report(reading: TileReading, photos: int) -> None:
    counts = Counter(kind for kind in reading.edges.values() if kind is not None)
    kinds = [said("{kind}: {count}", kind=said(LINES[kind]), count=count) for kind, count in sorted(counts.items())]
    cells = said("cells: {count}", count=len(reading.cells))
    difficult = said("difficult: {count}", count=len(reading.difficult))
    say(listed([cells, *(kinds or [said("no lines")]), difficult]), err=True)
    if reading.photos < photos:
        left_out = counted(
            "{n} photo shows another shape and was left out",
            "{n} photos show another shape and were left out",
            photos - reading.photos,
        )
        say(left_out, err=True)
    for edge, sure in sorted(reading.edge_confidence.items()):
        if sure < DOUBTFUL_BELOW:
            doubtful = said(
                "doubtful: {kind} from {start} to {end} ({percent} %)",
                kind=said(LINES[reading.edges[edge]]),
                start=str(list(edge.start)),
                end=str(list(edge.end)),
                percent=round(100 * sure),
            )
            say(doubtful, err=True)

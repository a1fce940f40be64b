"""``sightline lens``: the page's lens step in the terminal, on pictures or a video of the lens board."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from assistant.cli.language import BadUsage, say
from assistant.cli.options import data_option, keep_document, keep_option
from assistant.documents import camera_document, to_json
from assistant.errors import CalibrationError, PhotosDiffer, PictureMirrored
from assistant.translations.messages import said
from calibration.arrays import GrayImage
from calibration.color import gray_from_bgr
from calibration.lens import LensResult, calibrate_lens
from calibration.lens_board import BoardSighting, LensBoard, OtherBoard, find_board, find_other_board
from calibration.lens_guidance import is_board_mirrored, missing
from calibration.opencv import VIDEO_ENDINGS, frames_of
from vision.photo.decoding import decode_photo, read_photo_bytes

DEFAULT = LensBoard()

_LOOKED_AT = 5
"""Number of pictures without the board that are searched for another board."""


@click.command()
@click.argument("pictures", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--board",
    default=f"{DEFAULT.columns}x{DEFAULT.rows}",
    show_default=True,
    metavar="COLUMNSxROWS",
    help="The squares of the lens board, columns by rows.",
)
@click.option(
    "--square-mm", type=float, default=DEFAULT.square_mm, show_default=True, help="The side length of a square, in mm."
)
@click.option(
    "--marker-share",
    type=float,
    default=DEFAULT.marker_share,
    help="The side length of a marker, as a share of a square's.",
)
@click.option("--family", default=DEFAULT.family, show_default=True, help="The board's marker family.")
@click.option("--inverted", is_flag=True, help="The board is inverted, as on a screen in dark mode.")
@keep_option
@data_option
def lens(  # noqa: PLR0913 - click hands over every option by its name
    *,
    pictures: tuple[Path, ...],
    board: str,
    square_mm: float,
    marker_share: float,
    family: str,
    inverted: bool,
    keep: str | None,
    data: Path,
) -> None:
    """Calibrate the lens from PICTURES or a video of the lens board, and print it as sightline.camera/1.

    Standard error shows the pictures used, the remaining error and what would improve it.
    """
    columns, rows = _board_size(board)
    if not (square_mm > 0 and 0 < marker_share < 1):
        raise BadUsage(said("--square-mm must be above 0 and --marker-share between 0 and 1."))
    printed = LensBoard(columns, rows, square_mm, marker_share, family)
    sightings: list[BoardSighting | None] = []
    without: list[GrayImage] = []
    image_wh: tuple[int, int] | None = None
    for name, gray_image in _gray_images(pictures):
        height, width = gray_image.shape
        if image_wh not in (None, (width, height)):
            raise PhotosDiffer(document=str(name))
        image_wh = (width, height)
        sightings.append(find_board(gray_image, printed, is_inverted=inverted))
        if sightings[-1] is None and len(without) < _LOOKED_AT:
            without.append(gray_image)
        if sightings[-1] is None and is_board_mirrored(gray_image, printed):
            raise PictureMirrored(document=name.name)
    assert image_wh is not None
    if not any(sightings):
        raise _no_board(printed, without, is_inverted=inverted)
    result = calibrate_lens(sightings, image_wh)
    _report(result, sightings, image_wh)
    click.echo(keep_document("camera", keep, to_json(camera_document(result.lens)), data))


class NoBoardShown(CalibrationError):
    """No picture shows the lens board, though one may show another."""


def _no_board(board: LensBoard, pictures: Sequence[GrayImage], *, is_inverted: bool) -> NoBoardShown:
    """Return the error for pictures without the board, naming the board that fits them, or their markers."""
    other = find_other_board(pictures, board, is_inverted=is_inverted)
    if isinstance(other, OtherBoard):
        size, now = (f"{one.columns}x{one.rows}" for one in (other.board, board))
        options = [f"--board {size}"] if size != now else []
        options += [f"--family {other.board.family}"] if other.board.family != board.family else []
        options += ["--inverted"] if other.is_inverted else []
        if not options:
            text = said("The pictures show the board with black and white as printed. Leave “--inverted” out.")
            return NoBoardShown(text)
        return NoBoardShown(said("The pictures show another lens board. Add {options}.", options=" ".join(options)))
    wanted = f"{board.columns}x{board.rows} {board.family}"
    if other is None:
        return NoBoardShown(
            said(
                "No picture shows the lens board {board}, nor any other marker. Take it larger.",
                board=wanted,
            )
        )
    return NoBoardShown(
        said(
            "No picture shows the lens board {board}. They show {count} markers of {family}. Give the squares of that "
            "board with --board and its family with --family.",
            board=wanted,
            count=other.count,
            family=other.family,
        )
    )


def _board_size(board: str) -> tuple[int, int]:
    size = re.fullmatch(r"(\d{1,2})x(\d{1,2})", board)
    if size is None or not all(3 <= int(side) <= 40 for side in size.groups()):
        raise BadUsage(
            said("--board {board} is not a board size. Give columns x rows of squares, for example 6x8.", board=board)
        )
    return int(size[1]), int(size[2])


def _gray_images(pictures: tuple[Path, ...]) -> Iterator[tuple[Path, GrayImage]]:
    for path in pictures:
        if path.suffix.lower() in VIDEO_ENDINGS:
            yield from ((path, frame) for frame in frames_of(path))
        else:
            yield path, gray_from_bgr(decode_photo(read_photo_bytes(path), str(path)))


def _report(result: LensResult, sightings: list[BoardSighting | None], image_wh: tuple[int, int]) -> None:
    found = sum(sighting is not None for sighting in sightings)
    focal = result.lens.matrix[0][0]
    say(
        said(
            "{count} pictures: {found} show the board, {used} used, {dropped} outliers dropped. Error"
            " {error} px, focal length {focal} ± {sigma} px ({percent} %).",
            count=len(sightings),
            found=found,
            used=len(result.kept),
            dropped=len(result.dropped),
            error=round(result.rms_px, 3),
            focal=round(focal, 1),
            sigma=round(result.focal_sigma_px, 1),
            percent=round(100 * result.focal_uncertainty, 2),
        ),
        err=True,
    )
    taken = [sighting for index in result.kept if (sighting := sightings[index]) is not None]
    lacking = missing(taken, image_wh)
    if not lacking.is_nothing:
        say(said("To calibrate it better: {advice}", advice=lacking.sentence()), err=True)

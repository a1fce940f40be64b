"""``sightline table``: the terminal twin of the page's table step, on two or three photos of the markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from assistant.cli.keeping import data_option, keep_document, keep_option
from assistant.cli.language import BadUsage, say
from assistant.documents import camera_from_json, read_bytes, table_document, to_json
from assistant.errors import PhotosDiffer, PictureMirrored
from assistant.translations.messages import counted, said
from calibration.arrays import GrayImage
from calibration.color import gray_from_bgr
from calibration.markers import MarkerSighting, find_markers
from calibration.sheets import MARKER_FAMILY, MARKER_MM
from calibration.table_solve import (
    MarkerFault,
    MarkerFaultKind,
    SolvedTable,
    is_mirrored,
    mirrored_markers,
    solve_table,
)
from vision.photo.decoding import decode_photo, read_photo_bytes


@click.command()
@click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--side-mm", type=float, default=MARKER_MM, show_default=True, help="The side of a marker's black square."
)
@click.option("--camera", type=click.Path(path_type=Path), help="The lens, if it was calibrated.")
@click.option("--family", default=MARKER_FAMILY, show_default=True, help="The markers' family.")
@click.option("--cell-mm", type=float, help="The side of a cell of the game, written into the result.")
@keep_option
@data_option
def table(  # noqa: PLR0913 - click hands over every option by its name
    *,
    photos: tuple[Path, ...],
    side_mm: float,
    camera: Path | None,
    family: str,
    cell_mm: float | None,
    keep: str | None,
    data: Path,
) -> None:
    """Work out where the markers lie from two or three PHOTOS, and print it as sightline.table/1.

    Nothing has to be measured but the side of the black square. What is wrong with a marker is told on standard error.
    """
    if not side_mm > 0 or (cell_mm is not None and not cell_mm > 0):
        raise BadUsage(said("--side-mm and --cell-mm must be above 0"))
    lens = None if camera is None else camera_from_json(read_bytes(camera), str(camera))
    pictures = [gray_from_bgr(decode_photo(read_photo_bytes(path), str(path))) for path in photos]
    sizes = {(picture.shape[1], picture.shape[0]) for picture in pictures}
    if len(sizes) > 1:
        raise PhotosDiffer
    sightings = [find_markers(picture, family, lens=lens) for picture in pictures]
    for marker_id in _find_mirrored(photos, pictures, sightings, family):
        say(MarkerFault(marker_id, MarkerFaultKind.MIRRORED).sentence, err=True)
    solved = solve_table(sightings, family, side_mm, lens, image_wh=sizes.pop())
    _tell(solved)
    click.echo(keep_document("table", keep, to_json(table_document(replace(solved.table, cell_mm=cell_mm))), data))


def _find_mirrored(
    photos: Sequence[Path],
    pictures: Sequence[GrayImage],
    sightings: Sequence[Sequence[MarkerSighting]],
    family: str,
) -> list[int]:
    """The markers that are printed mirrored.

    Raises:
        PictureMirrored: one of the photos is, as a whole.
    """
    found: set[int] = set()
    for path, picture, seen in zip(photos, pictures, sightings, strict=True):
        upright = {sighting.id for sighting in seen}
        mirrored = mirrored_markers(picture, family, upright)
        if is_mirrored(upright, mirrored):
            raise PictureMirrored(document=path.name)
        found |= set(mirrored)
    return sorted(found)


def _tell(solved: SolvedTable) -> None:
    for fault in solved.faults:
        say(fault.sentence, err=True)
    view = solved.views[0]
    say(
        said(
            "{markers} from {photos}; error {px} px; places known to {mm} mm",
            markers=counted("{n} marker", "{n} markers", len(solved.table.markers)),
            photos=counted("{n} photo", "{n} photos", len(solved.views)),
            px=round(solved.reprojection_px, 2),
            mm=round(solved.sigma_mm, 2),
        ),
        err=True,
    )
    if view.lens_is_guessed:
        percent = round(100 * view.focal_uncertainty, 1)
        say(said("the lens was estimated, its focal length to {percent} %", percent=percent), err=True)

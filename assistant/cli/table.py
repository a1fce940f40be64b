"""``sightline table``: the page's table step in the terminal, on two or three photos of the markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from assistant.cli.language import BadUsage, say
from assistant.cli.options import data_option, keep_document, keep_option
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
    "--side-mm",
    type=float,
    default=MARKER_MM,
    show_default=True,
    help="The side length of a marker's black square, in mm.",
)
@click.option("--camera", type=click.Path(path_type=Path), help="The calibrated lens (sightline.camera/1).")
@click.option("--family", default=MARKER_FAMILY, show_default=True, help="The marker family.")
@click.option("--cell-mm", type=float, help="The side length of the game's spaces, stored with the table.")
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
    """Locate the table's markers from two or three PHOTOS, and print them as sightline.table/1.

    You only need to measure the side of a black square. Standard error lists faulty markers.
    """
    if not side_mm > 0 or (cell_mm is not None and not cell_mm > 0):
        raise BadUsage(said("--side-mm and --cell-mm must be above 0."))
    lens = None if camera is None else camera_from_json(read_bytes(camera), str(camera))
    pictures = [gray_from_bgr(decode_photo(read_photo_bytes(path), str(path))) for path in photos]
    sizes = {(picture.shape[1], picture.shape[0]) for picture in pictures}
    if len(sizes) > 1:
        raise PhotosDiffer
    sightings = [find_markers(picture, family, lens=lens) for picture in pictures]
    for marker_id in _find_mirrored(photos, pictures, sightings, family):
        say(MarkerFault(marker_id, MarkerFaultKind.MIRRORED).sentence, err=True)
    solved = solve_table(sightings, family, side_mm, lens, image_wh=sizes.pop())
    _report(solved)
    click.echo(keep_document("table", keep, to_json(table_document(replace(solved.table, cell_mm=cell_mm))), data))


def _find_mirrored(
    photos: Sequence[Path],
    pictures: Sequence[GrayImage],
    sightings: Sequence[Sequence[MarkerSighting]],
    family: str,
) -> list[int]:
    """Return the mirrored prints among the markers. Raises ``PictureMirrored`` for a whole mirrored photo."""
    found: set[int] = set()
    for path, picture, seen in zip(photos, pictures, sightings, strict=True):
        upright = {sighting.id for sighting in seen}
        mirrored = mirrored_markers(picture, family, upright)
        if is_mirrored(upright, mirrored):
            raise PictureMirrored(document=path.name)
        found |= set(mirrored)
    return sorted(found)


def _report(solved: SolvedTable) -> None:
    for fault in solved.faults:
        say(fault.sentence, err=True)
    view = solved.views[0]
    say(
        said(
            "{markers} from {photos}. Error {px} px, positions accurate to {mm} mm.",
            markers=counted("{n} marker", "{n} markers", len(solved.table.markers)),
            photos=counted("{n} photo", "{n} photos", len(solved.views)),
            px=round(solved.reprojection_px, 2),
            mm=round(solved.sigma_mm, 2),
        ),
        err=True,
    )
    if view.lens_is_guessed:
        percent = round(100 * view.focal_uncertainty, 1)
        say(said("The lens is an estimate, its focal length accurate to {percent} %.", percent=percent), err=True)

"""``sightline sheets``: everything to print, as PDF at true size."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.documents import read_bytes, roster_from_json, tile_set_from_json
from assistant.kept_files import write_file
from assistant.translations.catalogue import language_tags
from assistant.translations.speech import speech
from calibration.lens_board import LensBoard
from calibration.paper import PAPERS, scale_for
from calibration.sheets import (
    MARKER_MM,
    door_sheets,
    lens_board_sheet,
    marker_sheets,
    pictures_of,
    ring_sheets,
    tile_sheets,
)

DEFAULT_CELL_MM = 25.4
"""Cell size in mm of both boxed games. A tile set may have another."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--paper", type=click.Choice(sorted(PAPERS)), default="a4", show_default=True, help="The paper size.")
@click.option("--measured-mm", type=float, metavar="LENGTH", help="The measured length of the printed 100 mm ruler.")
@click.option(
    "--markers", type=click.IntRange(4, 200), default=8, show_default=True, help="The number of table markers."
)
@click.option(
    "--marker-mm", type=float, default=MARKER_MM, show_default=True, help="The side length of a table marker, in mm."
)
@click.option("--roster", type=click.Path(path_type=Path), help="The roster whose rings and doors to print.")
@click.option("--tiles", type=click.Path(path_type=Path), help="The folder of a tile set to print.")
@click.option(
    "--lang", type=click.Choice(language_tags()), default="en", show_default=True, help="The language on the sheets."
)
def sheets(  # noqa: PLR0913 - click hands over every option by its name
    *,
    folder: Path,
    paper: str,
    measured_mm: float | None,
    markers: int,
    marker_mm: float,
    roster: Path | None,
    tiles: Path | None,
    lang: str,
) -> None:
    """Write the sheets to print into FOLDER as PDF, and list the files.

    Always writes the table markers and the lens board. Add --roster for base rings and door labels, --tiles for a tile
    set.
    """
    page, scale, say = PAPERS[paper], scale_for(measured_mm), speech(lang).text
    pdfs = {
        "table-markers.pdf": marker_sheets(page, scale, range(markers), marker_mm, say=say),
        "lens-board.pdf": lens_board_sheet(page, scale, LensBoard(), say=say),
    }
    tile_set = None
    if tiles is not None:
        document = tiles / "tileset.json"
        tile_set = tile_set_from_json(read_bytes(document), str(document))
        pdfs["tiles.pdf"] = tile_sheets(page, scale, tile_set, pictures_of(tile_set, tiles), say=say)
    if roster is not None:
        figures = roster_from_json(read_bytes(roster), str(roster))
        if any(figure.ring for figure in figures.figures):
            pdfs["base-rings.pdf"] = ring_sheets(page, scale, figures, say=say)
        if figures.doors.count:
            cell_mm = tile_set.cell_mm if tile_set else DEFAULT_CELL_MM
            pdfs["door-labels.pdf"] = door_sheets(page, scale, figures, cell_mm, say=say)
    for name, pdf in pdfs.items():
        write_file(folder / name, pdf)
        click.echo(folder / name)

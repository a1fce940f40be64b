"""``sightline exchange``: boards to and from virtual tabletop maps."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from assistant.cli.language import BadUsage, say
from assistant.documents import board_document, board_from_json, read_bytes, to_json
from assistant.documents.exchange import Brought
from assistant.documents.foundry import board_from_foundry
from assistant.documents.foundry_writing import foundry_bytes
from assistant.documents.uvtt import board_from_uvtt, uvtt_bytes
from assistant.kept_files import write_file
from assistant.translations.messages import Said, said

UVTT_ENDINGS = (".uvtt", ".dd2vtt", ".df2vtt")
FOUNDRY_ENDING = ".foundry.json"
CELL_MM = 25.4


class _Probe(msgspec.Struct):
    """Fields that distinguish the formats."""

    line_of_sight: msgspec.Raw | None = None
    walls: msgspec.Raw | None = None


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--cell-mm",
    type=click.FloatRange(1, 1000),
    default=CELL_MM,
    show_default=True,
    help="The side length of a space on the table, in mm.",
)
@click.option("--level", default="", help="The level of a Foundry scene. Default: the one that it opens on.")
def exchange(*, source: Path, target: Path, cell_mm: float, level: str) -> None:
    """Convert the board in SOURCE to TARGET: Universal VTT, a Foundry scene or sightline.board/1.

    Sightline recognises the format of SOURCE by its content. The extension of TARGET chooses the other one: .uvtt,
    .dd2vtt, .foundry.json, or .json for a board. Standard error lists the losses.
    """
    if target.exists() and source.exists() and target.samefile(source):
        raise BadUsage(said("SOURCE and TARGET are the same file, {file}. Name another TARGET.", file=str(source)))
    brought = _read(source, cell_mm, level)
    lost = [*brought.lost, *_write(brought, target)]
    say(said("Written: {file}", file=str(target)))
    for sentence in lost:
        say(sentence, err=True)


def _read(source: Path, cell_mm: float, level: str) -> Brought:
    data, name = read_bytes(source), str(source)
    try:
        probe = msgspec.json.decode(data, type=_Probe)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        probe = _Probe()
    if probe.line_of_sight is not None or source.suffix.lower() in UVTT_ENDINGS:
        return board_from_uvtt(data, cell_mm, name)
    if probe.walls is not None or source.name.lower().endswith(FOUNDRY_ENDING):
        return board_from_foundry(data, cell_mm, name, level)
    return Brought(board_from_json(data, name), ())


def _write(brought: Brought, target: Path) -> tuple[Said, ...]:
    name = target.name.lower()
    if name.endswith(UVTT_ENDINGS):
        data, lost = uvtt_bytes(brought.board)
    elif name.endswith(FOUNDRY_ENDING):
        data, lost = foundry_bytes(brought.board, target.name[: -len(FOUNDRY_ENDING)])
    elif name.endswith(".json"):
        data, lost = to_json(board_document(brought.board)).encode(), ()
    else:
        raise BadUsage(
            said("The ending of {file} names no format. Use .uvtt, .dd2vtt, .foundry.json or .json.", file=target.name)
        )
    write_file(target, data)
    return lost

"""``sightline exchange``: boards to and from virtual tabletop maps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from assistant.app.map_sight import compare_sight
from assistant.cli.language import BadUsage, say
from assistant.documents import board_document, board_from_json, read_bytes, to_json
from assistant.documents.exchange import Brought
from assistant.documents.foundry import board_from_foundry
from assistant.documents.foundry_writing import foundry_bytes
from assistant.documents.uvtt import board_from_uvtt, uvtt_bytes
from assistant.errors import BadValue
from assistant.kept_files import write_file
from assistant.translations.messages import Said, said

UVTT_ENDINGS = (".uvtt", ".dd2vtt", ".df2vtt")
FOUNDRY_ENDING = ".foundry.json"
CELL_MM = 25.4


MOST_NAMED = 20
"""Number of a pack's scenes that a refusal names."""


class _Probe(msgspec.Struct):
    """Fields that distinguish the formats."""

    line_of_sight: msgspec.Raw = msgspec.Raw()
    walls: msgspec.Raw = msgspec.Raw()
    name: Any = ""


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
@click.option("--scene", default="", help="The scene of a pack with one scene a line.")
def exchange(*, source: Path, target: Path, cell_mm: float, level: str, scene: str) -> None:
    """Convert the board in SOURCE to TARGET: Universal VTT, a Foundry scene or sightline.board/1.

    Sightline recognises the format of SOURCE by its content. The extension of TARGET chooses the other one: .uvtt,
    .dd2vtt, .foundry.json, or .json for a board. Standard error lists the losses. A map whose board
    would let figures see through its walls is refused.
    """
    if target.exists() and source.exists() and target.samefile(source):
        raise BadUsage(said("SOURCE and TARGET are the same file, {file}. Name another TARGET.", file=str(source)))
    brought = _read(source, cell_mm, level, scene)
    _require_walls(brought, str(source))
    lost = [*brought.lost, *_write(brought, target)]
    say(said("Written: {file}", file=str(target)))
    for sentence in lost:
        say(sentence, err=True)


def _require_walls(brought: Brought, document: str) -> None:
    """Check that the board hides everything that its map's walls hide.

    Raises:
        BadValue: figures would see through walls.
    """
    if not brought.sight_lines:
        return
    found = compare_sight(brought.board, brought.sight_lines)
    if not found.is_faithful:
        text = said(
            "Its walls do not fit a board: of {blocked} pairs of spaces that they part, {seen} would see each other. "
            "Choose a larger grid in the program that drew the map.",
            blocked=found.blocked,
            seen=found.seen,
        )
        raise BadValue(text, document=document)


def _probe(data: bytes) -> _Probe | None:
    try:
        return msgspec.json.decode(data, type=_Probe)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _scene_of_pack(data: bytes, wanted: str, document: str) -> bytes:
    """Return the named scene of a pack with one scene a line, or its only scene if no name is given.

    Raises:
        BadValue: there is no such scene, or there are several.
    """
    scenes: dict[str, bytes] = {}  # Foundry appends a changed scene to the file again
    for line in data.splitlines():
        probe = _probe(line)
        if probe is not None and probe.walls:
            scenes[str(probe.name)] = line
    found = scenes.get(wanted) if wanted else next(iter(scenes.values())) if len(scenes) == 1 else None
    if found is None:
        names = ", ".join([*scenes][:MOST_NAMED]) or "–"
        raise BadValue(said("Choose a scene with --scene: {names}.", names=names), document=document)
    return found


def _read(source: Path, cell_mm: float, level: str, scene: str) -> Brought:
    data, name = read_bytes(source), str(source)
    probe = _probe(data)
    if scene or (probe is None and b"\n" in data.strip() and any(map(_is_scene, data.splitlines()[:MOST_NAMED]))):
        data = _scene_of_pack(data, scene, name)
        probe = _probe(data)
    probe = probe or _Probe()
    if probe.line_of_sight or source.suffix.lower() in UVTT_ENDINGS:
        return board_from_uvtt(data, cell_mm, name)
    if probe.walls or source.name.lower().endswith(FOUNDRY_ENDING):
        return board_from_foundry(data, cell_mm, name, level)
    return Brought(board_from_json(data, name), ())


def _is_scene(line: bytes) -> bool:
    probe = _probe(line)
    return probe is not None and bool(probe.walls)


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

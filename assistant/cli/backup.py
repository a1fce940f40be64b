"""``sightline backup`` and ``sightline restore``: all cameras, tables and games in one file."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.cli.language import say
from assistant.cli.options import data_option
from assistant.errors import BadValue, CannotDo
from assistant.kept_files import write_file
from assistant.profiles import MAX_BACKUP_BYTES, READERS, Profiles
from assistant.translations.foreign import system_reason
from assistant.translations.messages import counted, said


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_option
def backup(*, file: Path, data: Path) -> None:
    """Write all saved cameras, tables, tile sets, rosters and set-ups into FILE, a zip."""
    profiles = Profiles(data)
    count = sum(len(profiles.names(kind)) for kind in READERS)
    if not count:
        raise CannotDo(
            said("There are no cameras, tables or games in {data} yet. Run “sightline setup” first.", data=str(data))
        )
    write_file(file, profiles.backup())
    say(counted("{n} profile in {file}", "{n} profiles in {file}", count, file=str(file)))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_option
def restore(*, file: Path, data: Path) -> None:
    """Restore the backup in FILE. Items of the same name get a new version; the rest stays."""
    for kind, name in Profiles(data).restore(_read(file)):
        click.echo(f"{kind} {name}")


def _read(file: Path) -> bytes:
    try:
        if file.stat().st_size > MAX_BACKUP_BYTES:
            raise BadValue(said("is too large for a backup. Check the file's name."), document=str(file))
        return file.read_bytes()
    except OSError as problem:
        text = said("cannot be read ({reason}). Check the file's name.", reason=system_reason(problem))
        raise BadValue(text, document=str(file)) from None

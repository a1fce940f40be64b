"""``sightline backup`` and ``sightline restore``: all cameras, tables and games in one file."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.cli.keeping import data_option
from assistant.cli.language import say
from assistant.errors import BadValue, CannotDo
from assistant.kept_files import write_file
from assistant.profiles import MAX_BACKUP_BYTES, READERS, Profiles
from assistant.translations.foreign import told_by_system
from assistant.translations.messages import counted, said


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_option
def backup(*, file: Path, data: Path) -> None:
    """Write all profiles into FILE, a zip."""
    profiles = Profiles(data)
    count = sum(len(profiles.names(kind)) for kind in READERS)
    if not count:
        raise CannotDo(
            said("there are no cameras, tables or games in {data} yet; run the set-up first", data=str(data))
        )
    write_file(file, profiles.backup())
    say(counted("{n} profile in {file}", "{n} profiles in {file}", count, file=str(file)))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_option
def restore(*, file: Path, data: Path) -> None:
    """Bring back the profiles in FILE; those of the same name get a new version, others stay."""
    for kind, name in Profiles(data).restore(_read(file)):
        click.echo(f"{kind} {name}")


def _read(file: Path) -> bytes:
    try:
        if file.stat().st_size > MAX_BACKUP_BYTES:
            raise BadValue(said("the file is far too large for a backup; check its name"), document=str(file))
        return file.read_bytes()
    except OSError as problem:
        text = said("cannot be read ({reason}); check the name of the file", reason=told_by_system(problem))
        raise BadValue(text, document=str(file)) from None

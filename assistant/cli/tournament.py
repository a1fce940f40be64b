"""``sightline tournament``: creates the files of a tournament."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from assistant.app.tournament.founding import MOST_TABLES, Founding, found_tournament
from assistant.cli.language import say
from assistant.hosting.addresses import network_addresses
from assistant.translations.messages import counted, said

BROKER_PORT = 8883
"""The standard port of MQTT over TLS."""


@click.group()
def tournament() -> None:
    """Create the files for a tournament of many tables."""


@tournament.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--event", required=True, help="The tournament's name: small letters, digits, hyphens.")
@click.option("--tables", "count", type=click.IntRange(1, MOST_TABLES), required=True, help="The number of tables.")
@click.option(
    "--desks", "desk_count", type=click.IntRange(1, 20), default=1, show_default=True, help="The number of desks."
)
@click.option("--host", help="The broker's address for the tables. Default: this machine's first.")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=BROKER_PORT, show_default=True, help="The broker's port."
)
def init(*, folder: Path, event: str, count: int, desk_count: int, host: str | None, port: int) -> None:
    """Write the broker's configuration, certificate and permissions and one join code per table into a new FOLDER.

    Start each table with its own code: sightline run --tournament CODE.
    """
    width = len(str(count))
    wanted = Founding(
        event=event,
        tables=[f"table-{number:0{width}}" for number in range(1, count + 1)],
        host=host or next(iter(network_addresses()), "127.0.0.1"),
        port=port,
        desks=["desk", *(f"desk-{number}" for number in range(2, desk_count + 1))],
    )
    made = found_tournament(folder, wanted, datetime.datetime.now(datetime.UTC))
    click.echo(str(made.configuration))
    say(counted("{n} join code in {file}", "{n} join codes in {file}", len(made.codes), file=str(folder / "codes.csv")))
    say(said("Open the desk with: sightline desk {folder}", folder=str(folder)), err=True)

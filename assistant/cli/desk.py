"""``sightline desk``: every table of a tournament on one page."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from assistant.app.tournament.founding import renew_rights
from assistant.cli.language import BadUsage, say
from assistant.cli.options import data_option
from assistant.cli.serving import stop_on_signals
from assistant.documents.join import MAX_PATH, read_join
from assistant.errors import CannotDo
from assistant.hosting.process import give_back_memory
from assistant.settings import Settings
from assistant.translations.messages import said

NEEDED = ("sqlalchemy",)
"""Packages of the desk that a table does not need."""


@click.command()
@click.argument("place", metavar="FOLDER|CODE")
@click.option("--as", "name", default="desk", show_default=True, help="The name of this desk in the tournament.")
@click.option(
    "--store",
    metavar="URL",
    default="",
    envvar="SIGHTLINE_STORE",
    help="The desk's database: sqlite:///FILE, or postgresql://USER:PASSWORD@HOST/DATABASE if "
    "several desks share it. Default: a file in the data folder.",
)
@click.option(
    "--delay",
    type=click.FloatRange(0, 240),
    default=15.0,
    show_default=True,
    help="The delay of public results, in minutes.",
)
@click.option("--broker/--no-broker", default=True, help="Start the tournament's broker if none answers.")
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8643,
    show_default=True,
    help="The page's port; 0 picks a free one.",
)
@click.option("--tls", is_flag=True, help="Serve the page over TLS with a certificate of its own.")
@data_option
def desk(*, place: str, name: str, data: Path, **options: Any) -> None:
    """Open the desk of a tournament: all its tables, calls and rulings on one page. Runs until stopped.

    FOLDER comes from “sightline tournament init”. If the broker runs on another machine, give a desk's join CODE or its
    file instead.
    """
    require_packages()
    folder = Path(place) if _is_folder(place) else None
    join = read_join(str(folder / "codes" / f"{name}.txt") if folder else place)
    if folder and renew_rights(folder):
        say(
            said("The broker's rights are those of this version now. A broker that runs already has to be restarted."),
            err=True,
        )
    tables = (folder / "tables.txt").read_text(encoding="utf-8").split() if folder else []
    settings = Settings(host=options["host"], port=options["port"], tls=options["tls"], guests="spectator", data=data)
    wiring = import_module("assistant.wiring.desk")  # needs packages that a table does not
    plan = wiring.DeskPlan(
        join,
        store=options["store"],
        tables=tuple(tables),
        delay_s=60 * options["delay"],
        broker=folder / "mosquitto.conf" if folder and options["broker"] else None,
        folder=folder,
    )
    _run(wiring.open_desk(settings, plan))


def _run(opened: Any) -> None:
    stop_on_signals(opened.stop_sign)
    try:
        click.echo(opened.state.door.addresses[0])
        say(said("The organiser's link, for one device: {link}", link=opened.state.door.owner_link()), err=True)
        say(said("Press Ctrl+C to stop."), err=True)
        opened.stop_sign.wait(meanwhile=give_back_memory)
    finally:
        opened.close()


def require_packages() -> None:
    """Raise ``CannotDo`` with installation advice if the desk's packages are missing."""
    if any(find_spec(name) is None for name in NEEDED):
        raise CannotDo(said("The desk needs more packages. Install them with: pip install “sightline[desk]”"))


def _is_folder(place: str) -> bool:
    """Return whether it is a tournament's folder rather than a code or its file."""
    if len(place) > MAX_PATH or not Path(place).is_dir():
        return False
    if not (Path(place) / "mosquitto.conf").is_file():
        raise BadUsage(
            said("There is no tournament in {folder}. Make one with “sightline tournament init”.", folder=place)
        )
    return True

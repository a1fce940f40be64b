"""The common part of ``demo``, ``run``, ``record`` and ``setup``: options, printed addresses, and stopping."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import click

from assistant.app.care.starts import UP_S, SafeMode, Starts
from assistant.app.live.game_files import GameFiles
from assistant.app.matches.archive import list_shipped_missions
from assistant.app.matches.choice import MatchChoice
from assistant.cli.language import MISSION, say
from assistant.cli.owning import on_enter, print_links
from assistant.hosting.process import StopSign, give_back_memory, share_heaps
from assistant.settings import Settings
from assistant.table.tracker import PALETTES
from assistant.translations.messages import message, said
from assistant.wiring.table import OpenTable, open_table
from hardware.registry import kind_ids

_Command = TypeVar("_Command", bound=Callable[..., Any])

DOCUMENTS = {
    "table": message("Where the printed markers lie (sightline.table/1)."),
    "lens": message("The camera's lens (sightline.camera/1)."),
    "tiles": message("The folder of the tile set (sightline.tileset/1)."),
    "roster": message("The figures that may be on the table (sightline.roster/1)."),
}


FREE_TABLE = message(
    "Terrain and models of a table without a grid (sightline.free-table/1), with --table and --roster; see /free."
)


def game_options(command: _Command) -> _Command:
    """Add an option for each document for reading pictures."""
    for name, sentence in reversed(DOCUMENTS.items()):
        kind = click.Path(path_type=Path)
        command = click.option(f"--{name}", type=kind, help=f"{sentence} Default: the sample game's.")(command)
    free = click.option("--free-table", "free_table", type=click.Path(path_type=Path), help=FREE_TABLE)
    return free(command)


def setting_options(command: _Command) -> _Command:
    """Add an option for each field of ``Settings``."""
    for setting in reversed(fields(Settings)):
        command = click.option(
            f"--{setting.name.replace('_', '-')}",
            type=_kind_of(setting.name),
            is_flag=setting.default is False,
            multiple=setting.name == "name",
            default=None,
            envvar=f"SIGHTLINE_{setting.name.upper()}",
            help=f"{setting.metadata['sentence']} {_default_text(setting)}".strip(),
        )(command)
    return command


def match_options(command: _Command) -> _Command:
    """Add the options that choose a match."""
    mission = click.option(
        "--mission",
        metavar="NAME|FILE",
        help=MISSION.format(names=", ".join(list_shipped_missions())),
    )
    match = click.option(
        "--match",
        metavar="NAME",
        help="The match's name in the data folder. Default: the mission's, or that of the last match.",
    )
    return mission(match(command))


def serve(
    options: dict[str, Any],
    *,
    is_simulated: bool,
    page: str = "/",
    shows: Callable[[str], object] = str,
    is_safe: bool = False,
) -> None:
    """Open the table, print its address, and run until a signal or the page stops it.

    Args:
        options: the options from click.
        is_simulated: whether a simulated camera watches a sample table.
        page: the owner's first page.
        shows: shows the owner link in addition to printing it.
        is_safe: whether to start in safe mode even without failed starts.
    """
    files = GameFiles(
        camera=options.pop("lens"), **{name: options.pop(name) for name in ("table", "tiles", "roster", "free_table")}
    )
    choice = MatchChoice(
        options.pop("match"), options.pop("mission"), options.pop("game", None), options.pop("tour", False)
    )
    settings = Settings(**{name: value for name, value in options.items() if value not in (None, ())})
    stop_sign = StopSign()
    stop_on_signals(stop_sign)  # before the camera's process starts, so that no signal orphans it
    share_heaps()
    starts = Starts(settings.data)
    is_safe = not is_simulated and (is_safe or starts.is_safe_due)
    with starts.counted(is_named=bool(files.named or settings.camera or settings.setup)):
        table = open_table(settings, files, is_simulated=is_simulated, choice=choice, is_safe=is_safe)
    try:
        print_addresses(table, page, shows)
        if is_safe:
            say(SafeMode.sentence, err=True)
        with _comes_up(starts):
            stop_sign.wait(meanwhile=give_back_memory)
    finally:
        if not table.close():
            # Native code is reading a picture and cannot be interrupted. Tearing the program down under it takes
            # seconds and may crash. Everything important is already on disk.
            sys.stderr.flush()
            sys.stdout.flush()
            os._exit(0)


@contextmanager
def _comes_up(starts: Starts) -> Iterator[None]:
    """Count the start as successful after a while, or at its orderly end."""
    timer = threading.Timer(UP_S, starts.came_up)
    timer.daemon = True
    timer.start()
    yield
    timer.cancel()
    starts.came_up()


def print_addresses(table: OpenTable, page: str, shows: Callable[[str], object]) -> None:
    """Print the page's addresses, the owner link and how to stop."""

    def links() -> list[str]:
        link = table.page.door.owner_link(page)
        return [link, *list_other_links(link, table.addresses)]

    click.echo(table.addresses[0])
    for address in table.addresses[1:]:
        text = said("Open this on tablets and phones in the same network: {address}", address=address)
        say(text, err=True)
    first = links()
    print_links(first)
    shows(first[0])
    if table.front.fingerprint is not None:
        say(said("SHA-256 of the page's certificate authority: {hash}", hash=table.front.fingerprint), err=True)
    if on_enter(lambda: print_links(links())):
        say(said("Press Enter for another owner link, Ctrl+C to stop."), err=True)
    else:
        say(said("Press Ctrl+C to stop. “sightline owner” prints another owner link."), err=True)


def list_other_links(link: str, addresses: Sequence[str]) -> list[str]:
    """Return the link under the page's other addresses, for a machine without a screen."""
    here, *others = addresses
    return [f"{address}{link.removeprefix(here)}" for address in others]


def stop_on_signals(stop_sign: StopSign) -> None:
    """Stop the table in order at an interrupt or a termination."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        stop_sign.put_up()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


def _kind_of(name: str) -> Any:
    kinds = {
        "port": click.IntRange(0, 65535),
        "devices": click.IntRange(1, 100),
        "kind": click.Choice(kind_ids()),
        "pixels": int,
        "brightness": float,
        "limit_ma": int,
        "record_mb": int,
        "tls": bool,
        "palette": click.Choice(list(PALETTES)),
        "guests": click.Choice(["player", "spectator"]),
        "data": click.Path(path_type=Path, file_okay=False),
    }
    return kinds.get(name, str)


def _default_text(setting: Any) -> str:
    if setting.default is MISSING or setting.default in ((), "", False):
        return ""
    return f"Default: {setting.default} {setting.metadata['unit']}".rstrip() + "."

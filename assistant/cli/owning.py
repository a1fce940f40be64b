"""The owner link: printed when the page starts, at every press of Enter, and by ``sightline owner``."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import segno

from assistant.cli.language import say
from assistant.cli.options import DATA, DEMO_DATA, data_option
from assistant.errors import CannotDo
from assistant.hosting.running_page import RunningPage
from assistant.translations.messages import said
from assistant.wiring.front import owner_links
from web.people.owner_links import OWNER_LINK_S


@click.command()
@click.option("--setup", "is_setup", is_flag=True, help="Link to the table's set-up.")
@data_option
def owner(*, is_setup: bool, data: Path) -> None:
    """Print a new owner link and its QR code for the running table.

    The link works once, within a day. If only a demo is running, the link is for the demo.
    """
    folder = _running_folder(data)
    addresses = RunningPage(folder).addresses()
    token = owner_links(folder).add()
    if token is None:
        raise CannotDo(said("The link cannot be saved in {folder}. Free some disk space.", folder=str(folder)))
    path = f"{'/setup' if is_setup else '/'}#join={token}"
    print_links([f"{address}{path}" for address in addresses], is_asked=True)


def _running_folder(data: Path) -> Path:
    """Return the data folder of the running page: the given one, or the demo's if only the demo is running."""
    is_demo = data == DATA and not RunningPage(DATA).is_there and RunningPage(DEMO_DATA).is_there
    return DEMO_DATA if is_demo else data


def print_links(links: Sequence[str], *, is_asked: bool = False) -> None:
    """Print the owner link, how to open it here and on a phone, and a QR code if the terminal can show it.

    Args:
        links: the link under every address of the page, the one for this machine first.
        is_asked: prints the link on standard output, as the answer to a command.
    """
    here, *far = links
    hours = round(OWNER_LINK_S / 3600)
    first = said(
        "The owner's device sets up, invites and undoes. The link works once, within {hours} "
        "hours. To own the table from this machine: {link}",
        hours=hours,
        link=here,
    )
    say(first, err=not is_asked)
    for link in far:
        say(said("To own it from a phone or tablet: {link}", link=link), err=not is_asked)
    _draw_code(far[0] if far else here)


def _draw_code(link: str) -> None:
    """Draw the QR code of a link if standard error is a terminal that can show its characters."""
    if sys.stderr.isatty() and sys.stderr.encoding.lower().startswith("utf"):
        segno.make(link, error="l").terminal(out=sys.stderr, border=2, compact=True)


def on_enter(act: Callable[[], object]) -> bool:
    """Call ``act`` at every press of Enter. Return False without a keyboard.

    Reads the keyboard directly, because the lock of Python's stream would hang the exit.
    """
    if not sys.stdin or not sys.stdin.isatty():
        return False
    if hasattr(signal, "SIGTTIN"):  # a background program may not read the keyboard, and must not be stopped by trying
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)
    threading.Thread(target=_listen, args=(sys.stdin.fileno(), act), name="keyboard", daemon=True).start()
    return True


def _listen(keyboard: int, act: Callable[[], object]) -> None:
    while True:
        try:
            typed = os.read(keyboard, 1024)
        except OSError:
            return
        if not typed:
            return
        act()

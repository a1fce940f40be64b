"""How the owner's link is told: when the page starts, at every press of Enter, and by ``sightline owner``."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import segno

from assistant.cli.keeping import DATA, DEMO_DATA, data_option
from assistant.cli.language import say
from assistant.errors import CannotDo
from assistant.hosting.running_page import RunningPage
from assistant.translations.messages import said
from assistant.wiring.front import owner_links
from web.people.owner_links import OWNER_LINK_S


@click.command()
@click.option("--setup", "is_setup", is_flag=True, help="A link to the set-up of the table.")
@data_option
def owner(*, is_setup: bool, data: Path) -> None:
    """A new link, with its QR code, by which one more device owns the table of the Sightline that runs.

    It works once, within a day. Beside a demo it is the demo's, unless a table runs as well.
    """
    folder = _running_folder(data)
    addresses = RunningPage(folder).addresses()
    token = owner_links(folder).add()
    if token is None:
        raise CannotDo(said("the link cannot be kept in {folder}; free some space on the disk", folder=str(folder)))
    path = f"{'/setup' if is_setup else '/'}#join={token}"
    tell_owner([f"{address}{path}" for address in addresses], is_asked=True)


def _running_folder(data: Path) -> Path:
    """The data folder of what runs: the one that is named, or the demo's where the usual one has no page."""
    is_demo = data == DATA and not RunningPage(DATA).is_told and RunningPage(DEMO_DATA).is_told
    return DEMO_DATA if is_demo else data


def tell_owner(links: Sequence[str], *, is_asked: bool = False) -> None:
    """Prints the owner's link, how it is opened here and on a phone, and the phone's QR code where a terminal shows it.

    Args:
        links: the link under every address of the page, the one for this machine first.
        is_asked: whether the link is what was asked for, and so is printed on standard output.
    """
    here, *far = links
    hours = round(OWNER_LINK_S / 3600)
    first = said(
        "The owner's link makes one device the owner, who sets up, invites and undoes; it works once, for {hours} "
        "hours. To own the table from this machine: {link}",
        hours=hours,
        link=here,
    )
    say(first, err=not is_asked)
    for link in far:
        say(said("Or to own it from a phone or tablet: {link}", link=link), err=not is_asked)
    _draw_code(far[0] if far else here)


def _draw_code(link: str) -> None:
    """The QR code of a link, where people look at a terminal that has the letters for it."""
    if sys.stderr.isatty() and sys.stderr.encoding.lower().startswith("utf"):
        segno.make(link, error="l").terminal(out=sys.stderr, border=2, compact=True)


def on_enter(act: Callable[[], object]) -> bool:
    """Does something at every press of Enter from now on; whether there is a keyboard that could be asked.

    Read is the keyboard itself, not Python's stream, whose lock would hang the end of the program.
    """
    if not sys.stdin or not sys.stdin.isatty():
        return False
    if hasattr(signal, "SIGTTIN"):  # a program in the background may not ask the keyboard, and must not be halted
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

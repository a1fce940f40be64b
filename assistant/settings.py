"""Every setting of the running table in one place: default, unit and what it does.

``sightline demo`` and ``sightline run`` offer each as an option; the environment variable ``SIGHTLINE_`` and the
name in capitals sets it, too. Every command alike speaks the language of ``sightline --lang`` or ``SIGHTLINE_LANG``
(``assistant.cli.language``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import platformdirs

from assistant.errors import BadValue
from assistant.translations.messages import message, said

GuestRole = Literal["spectator", "player", "judge"]


def _about(unit: str, sentence: str) -> dict[str, str]:
    return {"unit": unit, "sentence": sentence}


def _data_folder() -> Path:
    return Path(platformdirs.user_data_dir("sightline"))


@dataclass(frozen=True)
class Settings:
    """What a person may set about the running table.

    Raises:
        BadValue: a setting is outside what it may be.
    """

    host: str = field(
        default="0.0.0.0", metadata=_about("", message("The address to listen on; 127.0.0.1 for this machine alone."))
    )
    port: int = field(default=8642, metadata=_about("", message("The page's port; 0 takes any free one.")))
    devices: int = field(
        default=20, metadata=_about("tablets", message("How many tablets and phones may be at the table."))
    )
    guests: GuestRole = field(
        default="player", metadata=_about("", message("What a device may be before it joins: player, spectator."))
    )
    camera: str = field(
        default="",
        metadata=_about(
            "",
            message(
                "What watches the table: usb:0, usb:NAME, http://…, rtsp://…, replay:PATH, push (a phone's own camera, "
                "through the page) or virtual. The demo takes virtual, run takes none until one is named."
            ),
        ),
    )
    setup: str = field(
        default="",
        metadata=_about(
            "",
            message(
                "A camera, table and game that were set up and kept under this name. Run takes the one kept last, "
                "unless documents are named."
            ),
        ),
    )
    record: str = field(
        default="",
        metadata=_about(
            "", message("A new file in which the watching is recorded, to be played back with replay:FILE.")
        ),
    )
    record_mb: int = field(default=2000, metadata=_about("MB", message("How large a recording may become.")))
    strip: str = field(
        default="",
        metadata=_about(
            "",
            message(
                "The strip's port: virtual, auto (what greets on a serial port), a name, or an address as "
                "wled://192.168.1.40. The demo takes virtual, run takes auto."
            ),
        ),
    )
    kind: str = field(
        default="auto",
        metadata=_about("", message("What drives the strip: auto (what greets), or a kind of sightline strip kinds.")),
    )
    pixels: int = field(default=60, metadata=_about("lights", message("How many lights the LED strip has.")))
    brightness: float = field(default=0.5, metadata=_about("", message("How bright the strip is, from above 0 to 1.")))
    limit_ma: int = field(
        default=400,
        metadata=_about("mA", message("How much the strip may draw; raise it once it has a supply of its own.")),
    )
    palette: str = field(
        default="everyone",
        metadata=_about(
            "", message("The sides' colours, by who has to tell them apart: everyone, red-green, blue-yellow.")
        ),
    )
    tls: bool = field(
        default=False,
        metadata=_about(
            "",
            message(
                "Serve the page over TLS, with a certificate made here: screens then stay awake, the page can be "
                "installed, and a phone can be the camera."
            ),
        ),
    )
    tls_cert: str = field(
        default="", metadata=_about("", message("Serve the page over TLS with this certificate (PEM)."))
    )
    tls_key: str = field(
        default="", metadata=_about("", message("The key of that certificate (PEM), if it is not in the same file."))
    )
    name: tuple[str, ...] = field(
        default=(), metadata=_about("", message("A further name under which the page may be opened."))
    )
    tournament: str = field(
        default="",
        metadata=_about("", message("The join code of this table in a tournament, or the file with it.")),
    )
    tuio: str = field(
        default="",
        metadata=_about(
            "",
            message("A program that is told where the figures stand, by TUIO 1.1 and 2.0: HOST or HOST:PORT."),
        ),
    )
    data: Path = field(
        default_factory=_data_folder,
        metadata=_about("", message("The folder in which matches and attempts to join are kept.")),
    )

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise BadValue(said("a port is a number from 0 to 65535"), field="port")
        if not 1 <= self.devices <= 100:
            raise BadValue(said("a table serves 1 to 100 devices"), field="devices")
        if self.record_mb < 1:
            raise BadValue(said("a recording needs 1 MB or more"), field="record_mb")

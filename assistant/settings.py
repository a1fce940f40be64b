"""Every setting of the running table: default, unit and help.

``sightline demo`` and ``sightline run`` offer each setting as an option. The environment variable ``SIGHTLINE_NAME``
sets it too. The language is not among them: see ``assistant.cli.language``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import platformdirs

from assistant.errors import BadValue
from assistant.translations.messages import message, said

GuestRole = Literal["spectator", "player", "judge"]


def _setting(default: Any, sentence: str, unit: str = "") -> Any:
    return field(default=default, metadata={"unit": unit, "sentence": sentence})


@dataclass(frozen=True)
class Settings:
    """The settings of the running table.

    Raises:
        BadValue: a setting is out of range.
    """

    host: str = _setting("0.0.0.0", message("The address to listen on; 127.0.0.1 admits only this machine."))
    port: int = _setting(8642, message("The page's port; 0 picks a free one."))
    devices: int = _setting(20, message("The largest number of tablets and phones at the table."), "tablets")
    guests: GuestRole = _setting(  # noqa: RUF009 - a field
        "player", message("The role of a device before it joins; in a tournament it only watches.")
    )
    camera: str = _setting(
        "",
        message(
            "The camera: usb:0, usb:NAME, http://…, rtsp://…, replay:PATH, push (a phone's camera, "
            "through the page) or virtual. The demo uses virtual; “run” has none until you name one."
        ),
    )
    setup: str = _setting("", message("The saved set-up to use. “run” uses the last one, unless you name documents."))
    record: str = _setting("", message("Record the camera into this new file, for --camera replay:FILE."))
    record_mb: int = _setting(2000, message("The largest size of a recording."), "MB")
    strip: str = _setting(
        "",
        message(
            "The strip's port: virtual, auto (the first strip that answers on a serial port), a name,"
            " or an address like wled://192.168.1.40. The demo uses virtual; “run” uses auto."
        ),
    )
    kind: str = _setting("auto", message("The kind of strip; auto detects it, “sightline strip kinds” lists them."))
    pixels: int = _setting(60, message("The number of LEDs on the strip."), "LEDs")
    brightness: float = _setting(0.5, message("The strip's brightness, above 0 and at most 1."))
    limit_ma: int = _setting(
        400, message("The strip's current limit; raise it once the strip has its own power supply."), "mA"
    )
    palette: str = _setting(
        "everyone", message("The sides' colours: for everyone, or for red-green or blue-yellow colour blindness.")
    )
    tls: bool = _setting(
        False,
        message(
            "Serve the page over TLS with a certificate of its own. Screens then stay awake, the page"
            " can be installed, and a phone can be the camera."
        ),
    )
    tls_cert: str = _setting("", message("Serve the page over TLS with this certificate (PEM)."))
    tls_key: str = _setting("", message("The certificate's private key (PEM), if it is in another file."))
    name: tuple[str, ...] = _setting((), message("Another host name of the page; repeatable."))
    tournament: str = _setting("", message("This table's join code in a tournament, or its file."))
    tuio: str = _setting(
        "", message("Send the figures' positions to this program by TUIO 1.1 and 2.0: HOST or HOST:PORT.")
    )
    data: Path = field(
        default_factory=lambda: Path(platformdirs.user_data_dir("sightline")),
        metadata={"unit": "", "sentence": message("The data folder.")},
    )

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise BadValue(said("The port must be from 0 to 65535."), field="port")
        if not 1 <= self.devices <= 100:
            raise BadValue(said("A table serves 1 to 100 devices."), field="devices")
        if self.record_mb < 1:
            raise BadValue(said("A recording needs at least 1 MB."), field="record_mb")

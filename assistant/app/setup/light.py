"""The turn light: every kind of light, the lit one, and switching to another."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from assistant.app.live.strip_on_page import StripOnPage
from assistant.errors import BadValue
from assistant.translations.messages import Said, said
from hardware.kinds import ByNetwork
from hardware.port import AUTO
from hardware.registry import light_kind, light_kinds
from hardware.strip import TrackerStrip, strip_port
from hardware.transports.serial_port import find_ports
from hardware.transports.virtual import PORT_NAME

OpenStrip = Callable[[str, str], TrackerStrip]
"""Makes a strip at a port, of a kind or ``auto``, without starting it."""


@dataclass(frozen=True, slots=True)
class LightOption:
    """A kind of light: its id and one line about it."""

    id: str
    about: Said


@dataclass(frozen=True, slots=True)
class LightState:
    """The state of the light.

    ``kind`` and ``port`` are the choice, and ``lit_kind`` is the id of the lit kind. ``sentence`` describes the light's
    state. ``ports`` are addresses to choose without typing.
    """

    options: tuple[LightOption, ...]
    ports: tuple[str, ...]
    kind: str
    port: str
    lit_kind: str | None
    sentence: Said


class LightChooser:
    """Lists the kinds of light and switches the light at run time.

    Args:
        lights: the strip that is shown on the page.
        open_at: makes a strip.
        kind: the kind at the start of the program.
    """

    def __init__(self, lights: StripOnPage, open_at: OpenStrip, kind: str = AUTO) -> None:
        self._lights = lights
        self._open_at = open_at
        self._kind = kind

    def state(self) -> LightState:
        """Return the present state without waiting for the light."""
        status = self._lights.strip.status
        identity = status.identity if status.state == "lit" else None
        return LightState(
            tuple(LightOption(kind.id, Said(kind.about)) for kind in light_kinds()),
            (AUTO, PORT_NAME, *_announcing(), *(place.address for place in find_ports())),
            self._kind,
            self._lights.port,
            None if identity is None else identity.kind,
            self._lights.lit_sentence or status.problem or said("The light is being looked for."),
        )

    def choose(self, kind: str, address: str) -> None:
        """Switch to another light until the program ends, and search for it on its own thread.

        Args:
            kind: the id of a kind, or ``auto``.
            address: ``auto`` or nothing, ``virtual``, a port that is there, ``usb:VID:PID``, or an address on the
                network.

        Raises:
            BadValue: there is no such kind, or the address is not valid for it.
        """
        try:
            if kind != AUTO:
                light_kind(kind)
            port = strip_port("" if address == AUTO else address, kind)
            _check_is_there(port)
            strip = self._open_at(port, kind)
        except BadValue as problem:
            raise BadValue(problem.sentence) from None  # the field names a setting, which nobody sees here
        self._kind = kind
        self._lights.take(strip, port)


def _announcing() -> list[str]:
    """Return the automatic addresses of lights that announce themselves on the network."""
    reaches = (kind.reach for kind in light_kinds())
    return [f"{reach.scheme}://{AUTO}" for reach in reaches if isinstance(reach, ByNetwork) and reach.service]


def _check_is_there(port: str) -> None:
    """Refuse a path that is not a serial port here, because the page may open only those and not any file."""
    if port in (AUTO, PORT_NAME) or port.startswith("usb:") or "://" in port:
        return
    there = {os.path.realpath(place.address) for place in find_ports()}
    if not port.isprintable() or os.path.realpath(port) not in there:
        raise BadValue(
            said("there is no light at “{address}”; plug it in, or choose another address", address=port), field="port"
        )

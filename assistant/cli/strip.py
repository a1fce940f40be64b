"""``sightline strip``: finds strips, lists kinds of light and tests a strip."""

from __future__ import annotations

import time

import click

from assistant.cli.language import reader_language, say, worded
from assistant.errors import NoAnswer, PortNotFound
from assistant.translations.messages import Said, counted, said
from hardware.driver import StripIdentity
from hardware.kinds import ByNetwork
from hardware.light import MAX_PIXELS, MIN_PIXELS, LightSettings
from hardware.link import LISTEN_S
from hardware.patterns import PixelCount, running_light
from hardware.port import AUTO, PortPlace
from hardware.registry import kind_ids, light_kind, light_kinds
from hardware.strip import TrackerStrip, open_strip
from hardware.transports.mdns import announced
from hardware.transports.serial_port import KNOWN_DEVICES, find_ports
from hardware.transports.udp import address_of

# The link listens at each baud rate in turn, then greets the strip.
MEETING_S = 2 * LISTEN_S + 4
# A freshly plugged-in port may take a second to open.
SHUT_S = 2.0
GLANCE_S = 0.05
CONFIRM_S = 3
LEAST_LIMIT_MA = 400


@click.group()
def strip() -> None:
    """Find an LED strip and test it."""


@strip.command()
@click.option("--network", is_flag=True, help="List the lights that announce themselves on the network instead.")
def find(network: bool) -> None:
    """List the serial ports and the strips that answer on them.

    Opens only boards known to drive LED strips, which restarts them, and writes only to devices that identify
    themselves. Sends nothing to lights on the network.
    """
    if network:
        _find_on_network()
        return
    places = find_ports()
    if not places:
        raise PortNotFound(
            said("There is no serial port. Plug in the strip's board and repeat, or search with --network.")
        )
    for place in places:
        click.echo(_format_place(place))


def _find_on_network() -> None:
    lines = [
        f"{address_of(kind.reach, host)}: {worded(Said(kind.name))} “{host.name}”"
        for kind in light_kinds()
        if isinstance(kind.reach, ByNetwork) and kind.reach.service is not None
        for host in announced(kind.reach.service)
    ]
    if not lines:
        raise PortNotFound(
            said("No light announces itself on this network. Switch it on, or give its address with --port.")
        )
    for line in lines:
        click.echo(line)


@strip.command()
def kinds() -> None:
    """List the kinds of light that Sightline can drive."""
    for kind in light_kinds():
        click.echo(f"{kind.id}: {worded(Said(kind.about))}")


def _format_place(place: PortPlace) -> str:
    if not place.is_usb:
        return worded(said("{address}: not USB, skipped", address=place.address))
    name = f"{place.address}: {place.description} (usb:{place.vendor_id:04x}:{place.product_id:04x}"
    name += f":{place.serial_number})" if place.serial_number else ")"
    if (place.vendor_id, place.product_id) not in KNOWN_DEVICES:
        return worded(said("{name}, unknown board, skipped", name=name))
    found = open_strip(place.address, LightSettings())
    found.start()
    try:
        return f"{name}, {worded(_describe(_meet(found)))}"
    except NoAnswer as problem:
        return f"{name}, {problem.worded(reader_language())}"
    finally:
        found.close()


@strip.command()
@click.option(
    "--port",
    default="auto",
    show_default=True,
    help="auto, a port's name, usb:VID:PID, or an address like wled://192.168.1.40.",
)
@click.option("--kind", type=click.Choice(kind_ids()), default=AUTO, show_default=True, help="The kind of strip.")
@click.option(
    "--pixels", type=click.IntRange(MIN_PIXELS, MAX_PIXELS), default=60, show_default=True, help="The number of LEDs."
)
@click.option(
    "--limit-ma",
    type=click.IntRange(LEAST_LIMIT_MA, 60_000),
    default=400,
    show_default=True,
    help="The current limit, in mA.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, 600),
    default=12,
    show_default=True,
    help="How long the light runs, in seconds.",
)
@click.option("--count/--no-count", default=True, help="Count the pixels together with you.")
def test(port: str, kind: str, pixels: int, limit_ma: int, seconds: float, count: bool) -> None:
    """Run a light along the strip and count its pixels with you."""
    tried = open_strip(port, LightSettings(pixel_count=pixels, limit_ma=limit_ma), kind=kind)
    tried.draw(running_light)
    tried.start()
    try:
        identity = _meet(tried)
        say(said("{strip}: a light runs along it in red, green, blue and white", strip=_describe(identity)))
        time.sleep(seconds)
        if count:
            _count(tried, identity, limit_ma)
    finally:
        tried.close()


def _meet(met: TrackerStrip) -> StripIdentity:
    """Return the lit strip's identity. Raises ``NoAnswer`` with the link's sentence if it stays dark."""
    shut_s = now_s = time.monotonic()
    end_s = now_s + MEETING_S
    while now_s < end_s and now_s - shut_s < SHUT_S:
        status = met.status
        if status.state == "lit" and status.identity is not None:
            return status.identity
        if not status.is_shut:
            shut_s = now_s
        time.sleep(GLANCE_S)
        now_s = time.monotonic()
    raise NoAnswer(met.status.problem or said("No strip answers. Plug one in, or give its port and kind."))


def _describe(identity: StripIdentity) -> Said:
    name = Said(light_kind(identity.kind).name)
    if identity.version is None:
        return name
    if not identity.pixel_count:
        return said("{name} {version} with an unknown number of pixels", name=name, version=identity.version)
    return counted(
        "{name} {version} with {n} pixel",
        "{name} {version} with {n} pixels",
        identity.pixel_count,
        name=name,
        version=identity.version,
    )


def _count(tried: TrackerStrip, identity: StripIdentity, limit_ma: int) -> None:
    """Find the last lit pixel by bisection, asking the user, and store the length in the strip."""
    if identity.remembers_length:
        tried.configure(MAX_PIXELS, limit_ma)  # its old length and limit must not hide a pixel
    try:
        known = _ask(tried)
    except click.Abort:
        if identity.remembers_length and identity.pixel_count is not None:
            _remember(tried, identity.pixel_count, identity.limit_ma or 0)
        raise
    if identity.remembers_length:
        _remember(tried, known.least, limit_ma)
        say(
            counted(
                "{n} pixel. The strip now remembers its length and the limit of {limit_ma} mA.",
                "{n} pixels. The strip now remembers its length and the limit of {limit_ma} mA.",
                known.least,
                limit_ma=limit_ma,
            )
        )
    else:
        least = max(MIN_PIXELS, known.least)
        say(
            counted(
                "{n} pixel. Start Sightline with --pixels {least}.",
                "{n} pixels. Start Sightline with --pixels {least}.",
                known.least,
                least=least,
            )
        )


def _ask(tried: TrackerStrip) -> PixelCount:
    known = PixelCount()
    while not known.is_known:
        tried.draw(known.picture)
        known = known.answered(
            click.confirm(worded(said("Does pixel {number} light up (one white light)?", number=known.asked)))
        )
    return known


def _remember(tried: TrackerStrip, pixel_count: int, limit_ma: int) -> None:
    """Wait until the strip has confirmed its new length. Raises ``NoAnswer`` if it does not."""
    before = tried.status.identity
    tried.configure(pixel_count, limit_ma)
    end_s = time.monotonic() + CONFIRM_S
    # Each confirmation is a new identity object, even with equal numbers.
    while (identity := tried.status.identity) is None or identity is before or identity.pixel_count != pixel_count:
        if time.monotonic() > end_s:
            raise NoAnswer(said("The strip does not confirm its new length. Check its cable and repeat."))
        time.sleep(GLANCE_S)

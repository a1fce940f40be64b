"""``sightline strip find`` and ``sightline strip test``: which strips are there, and whether one works."""

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

# Both baud rates are listened on in turn, then the strip is met.
MEETING_S = 2 * LISTEN_S + 4
# A port that was just plugged in may take a second until it may be opened.
SHUT_S = 2.0
GLANCE_S = 0.05
CONFIRM_S = 3
LEAST_LIMIT_MA = 400


@click.group()
def strip() -> None:
    """Find an LED strip and try it out."""


@strip.command()
@click.option("--network", is_flag=True, help="List the lights that announce themselves on the network instead.")
def find(network: bool) -> None:
    """List the serial ports and which of them greet like a strip.

    Only boards that are known to drive LED strips are opened (which restarts them); nothing is written
    to a device that does not greet. On the network nothing at all is sent to a light.
    """
    if network:
        _find_on_network()
        return
    places = find_ports()
    if not places:
        raise PortNotFound(
            said("no serial port is there; plug the strip's board in and repeat, or look with --network")
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
            said("no light announces itself on this network; switch it on, or say its address with --port")
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
        return worded(said("{address}: not USB, left alone", address=place.address))
    name = f"{place.address}: {place.description} (usb:{place.vendor_id:04x}:{place.product_id:04x}"
    name += f":{place.serial_number})" if place.serial_number else ")"
    if (place.vendor_id, place.product_id) not in KNOWN_DEVICES:
        return worded(said("{name}, not a board that is known, left alone", name=name))
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
    help="auto, a port's name, usb:VID:PID, or an address (wled://192.168.1.40).",
)
@click.option("--kind", type=click.Choice(kind_ids()), default=AUTO, show_default=True)
@click.option(
    "--pixels", type=click.IntRange(MIN_PIXELS, MAX_PIXELS), default=60, show_default=True, help="LEDs on it."
)
@click.option(
    "--limit-ma", type=click.IntRange(LEAST_LIMIT_MA, 60_000), default=400, show_default=True, help="May draw."
)
@click.option("--seconds", type=click.FloatRange(0, 600), default=12, show_default=True, help="Of the moving light.")
@click.option("--count/--no-count", default=True, help="Count the pixels with you.")
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
    """What the strip says about itself once it is lit.

    Raises:
        NoAnswer: it is not lit in time; the sentence is the link's.
    """
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
    raise NoAnswer(met.status.problem or said("no strip answers; plug one in or say which port and kind it is"))


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
    """Asks for one pixel after the other, halving what is possible, and keeps the answer in the strip."""
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
                "{n} pixel; the strip remembers it, and that it may draw {limit_ma} mA",
                "{n} pixels; the strip remembers it, and that it may draw {limit_ma} mA",
                known.least,
                limit_ma=limit_ma,
            )
        )
    else:
        least = max(MIN_PIXELS, known.least)
        say(
            counted(
                "{n} pixel; start Sightline with --pixels {least}",
                "{n} pixels; start Sightline with --pixels {least}",
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
    """Waits until the strip has confirmed its new length.

    Raises:
        NoAnswer: it does not.
    """
    before = tried.status.identity
    tried.configure(pixel_count, limit_ma)
    end_s = time.monotonic() + CONFIRM_S
    # Each confirmation is an identity of its own, also where the numbers are the old ones.
    while (identity := tried.status.identity) is None or identity is before or identity.pixel_count != pixel_count:
        if time.monotonic() > end_s:
            raise NoAnswer(said("the strip does not confirm its new length; check its cable and repeat"))
        time.sleep(GLANCE_S)

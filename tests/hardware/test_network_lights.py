"""Lights on the network, from a view to their LEDs through real sockets on loopback: lit, lost, back, and found."""

from __future__ import annotations

import logging
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import zeroconf

from assistant.app.live.strip_on_page import StripOnPage
from assistant.errors import BadValue, PortNotFound, StripLost
from assistant.table.tracker import TrackerEntry, TrackerView
from hardware import network_hosts
from hardware.light import LightFrame, LightSettings
from hardware.registry import light_kind
from hardware.strip import TrackerStrip, open_strip, strip_port
from hardware.transports import udp
from hardware.transports.mdns import Announced, announced
from hardware.transports.udp import NetworkFinder

VIEW = TrackerView(order=tuple(TrackerEntry(f"f{n}", n % 2, 3, 4) for n in range(5)), active=2, round=1)
SETTINGS = LightSettings(pixel_count=40)
WLED = light_kind("wled-udp")
DDP = light_kind("ddp")
SERVICE = "_wled._tcp.local."


def wait_for(is_so, patience_s=20.0):
    end_s = time.monotonic() + patience_s
    while not is_so():
        assert time.monotonic() < end_s
        time.sleep(0.01)


def first_of(port):
    """Return the first that is read from a port."""
    lines = []
    wait_for(lambda: lines.append(port.read()) or lines[-1])
    return lines[-1]


def finder(kind, choice, browse=None, **reach):
    """Return a finder that finds nothing unless it gets hosts."""
    return NetworkFinder(kind, replace(kind.reach, **reach), choice, browse=browse or (lambda service: []))


def opened(choice, browse=None):
    """Return a strip at an address of WLED that runs on its own thread."""
    strip = TrackerStrip(finder(WLED, choice, browse), SETTINGS, kind=WLED.id)
    strip.show(VIEW)
    strip.start()
    return strip


@pytest.fixture
def started():
    made = []

    def start(*arguments, **options):
        made.append(opened(*arguments, **options))
        return made[-1]

    yield start
    for strip in made:
        strip.close()


def is_lit(loopback):
    """Return whether most LEDs show colours of the view and not WLED's own effect."""
    return loopback.wled.is_live and sum(map(any, loopback.wled.pixels)) > 10


def test_wled_is_lit_from_a_view_to_its_leds(on_loopback):
    wled = on_loopback(pixel_count=24)
    strip = open_strip(f"wled://{wled.address}", SETTINGS)
    strip.show(VIEW)
    strip.start()
    wait_for(lambda: is_lit(wled))
    assert strip.settings.pixel_count == 24
    assert strip.status.state == "lit"
    assert strip.status.identity.version == "0.15.0"
    wait_for(lambda: wled.wled.rgb == strip.frame.rgb)
    strip.close()
    wait_for(lambda: not wled.wled.is_live, 1)


def test_power_budget_is_kept_on_the_network(on_loopback):
    wled = on_loopback(pixel_count=60, limit_ma=200)
    strip = open_strip(f"wled://{wled.address}", LightSettings(pixel_count=60, brightness=1, limit_ma=5000))
    strip.show(VIEW)
    strip.start()
    wait_for(lambda: is_lit(wled))
    assert 60 < LightFrame(wled.wled.rgb).current_ma <= 200
    strip.close()


def test_wled_that_is_switched_off_and_on_again_while_playing_is_lit_again_by_itself(on_loopback, started, caplog):
    caplog.set_level(logging.INFO, "hardware")
    wled = on_loopback()
    strip = started(f"wled://{wled.address}")
    wait_for(lambda: is_lit(wled))
    wled.switch_off()
    wait_for(lambda: strip.status.state != "lit")
    assert "Switch that on" in str(strip.status.problem) or "stopped answering" in str(strip.status.problem)
    time.sleep(1)  # its seat stays empty for a while
    wled.switch_on()
    wait_for(lambda: is_lit(wled))
    wait_for(lambda: strip.status.state == "lit")
    assert strip.status.problem is None
    assert [record.levelname for record in caplog.records] == ["INFO", "WARNING", "INFO"]


def test_wled_that_hangs_is_lost_and_lit_again_when_it_recovers(on_loopback, started, monkeypatch):
    monkeypatch.setattr(udp, "QUESTION_TIMEOUT_S", 0.3)
    monkeypatch.setattr(udp, "PAUSE_S", 0.3)
    monkeypatch.setattr(network_hosts, "SILENCE_S", 1.5)
    monkeypatch.setattr(network_hosts, "ANSWER_S", 1.5)
    wled = on_loopback()
    strip = started(f"wled://{wled.address}")
    wait_for(lambda: is_lit(wled))
    wled.hangs.set()
    wait_for(lambda: strip.status.problem is not None)
    assert "stopped answering" in str(strip.status.problem)
    wait_for(lambda: not wled.wled.is_live)
    wled.hangs.clear()
    wait_for(lambda: is_lit(wled))


def test_ddp_light_is_lit_and_lost_when_nobody_takes_its_datagrams(on_loopback):
    wled = on_loopback(pixel_count=24)
    ways = finder(DDP, f"ddp://{wled.address}", picture_port=wled.ddp_port)
    strip = TrackerStrip(ways, SETTINGS, kind=DDP.id)
    strip.show(VIEW)
    strip.start()
    wait_for(lambda: is_lit(wled))
    wled.switch_off()
    wait_for(lambda: strip.status.problem is not None)
    wled.switch_on()
    wait_for(lambda: is_lit(wled))
    strip.close()


def test_a_host_that_is_no_light_is_reported_and_gets_no_datagram(on_loopback, started, monkeypatch):
    stranger = on_loopback()
    monkeypatch.setattr(stranger.wled, "info", lambda: b'{"name": "printer"}')
    strip = started(f"wled://{stranger.address}")
    wait_for(lambda: strip.status.problem is not None)
    assert "not like WLED" in str(strip.status.problem)
    time.sleep(1)
    assert stranger.wled.received == []


def test_an_unknown_name_is_reported_with_what_to_do(started):
    strip = started("wled://no-such-light.invalid")
    wait_for(lambda: strip.status.problem is not None)
    assert "no host “no-such-light.invalid”" in str(strip.status.problem)


# -- found by itself ----------------------------------------------------------------------------


def test_the_one_wled_that_announces_itself_is_lit_and_kept(on_loopback, started):
    wled, other = on_loopback(), on_loopback()
    there = [Announced("Table", "127.0.0.1", wled.page_port)]
    strip = started("wled://auto", lambda service: list(there))
    wait_for(lambda: is_lit(wled))
    there[:] = [Announced("Shelf", "127.0.0.1", other.page_port)]
    wled.switch_off()
    wait_for(lambda: "“Table”" in str(strip.status.problem))
    time.sleep(1)
    assert other.wled.received == []
    wled.switch_on()
    there.append(Announced("Table", "127.0.0.1", wled.page_port))
    wait_for(lambda: is_lit(wled))
    assert other.wled.received == []


def test_of_several_none_is_taken_and_all_are_named(on_loopback, started):
    lights = [on_loopback(), on_loopback()]
    there = [Announced(name, "127.0.0.1", one.page_port) for name, one in zip(("Shelf", "Table"), lights, strict=True)]
    strip = started("wled://auto", lambda service: there)
    wait_for(lambda: strip.status.problem is not None)
    assert f"“Shelf” wled://{lights[0].address}, “Table” wled://{lights[1].address}" in str(strip.status.problem)
    time.sleep(1)
    assert [one.wled.received for one in lights] == [[], []]


def test_a_network_without_lights_is_reported_with_what_to_do(started):
    strip = started("wled://auto")
    wait_for(lambda: strip.status.problem is not None)
    assert "No WLED announces itself" in str(strip.status.problem)


def test_auto_never_looks_at_the_network(monkeypatch):
    asked = []
    monkeypatch.setattr(zeroconf.Zeroconf, "__init__", lambda *_, **__: asked.append("mdns"))
    monkeypatch.setattr(udp.HostPort, "start", lambda port: asked.append("host"))
    strip = open_strip("auto", SETTINGS)
    for _ in range(100):
        strip.step()
    assert asked == []


def heard_on_loopback(about):
    """Return the hosts found while ``about`` is announced over loopback."""
    with ThreadPoolExecutor(1) as asking, zeroconf.Zeroconf(interfaces=["127.0.0.1"]) as network:
        heard = asking.submit(announced, SERVICE, interfaces=["127.0.0.1"])
        network.register_service(about, cooperating_responders=True)  # no asking first whether the name is free
        return heard.result()


def test_wled_that_announces_itself_by_mdns_is_found_on_loopback(on_loopback):
    wled = on_loopback()
    about = zeroconf.ServiceInfo(
        SERVICE,
        f"Sightline test {wled.page_port}.{SERVICE}",
        addresses=[socket.inet_aton("127.0.0.1")],
        port=wled.page_port,
        properties={"mac": "a1b2c3d4e5f6"},
        server=f"wled-{wled.page_port}.local.",
    )
    # In a thread as in the program: where a browser was tested before, this one has an event loop that stands still.
    with ThreadPoolExecutor(1) as apart:
        found = apart.submit(heard_on_loopback, about).result()
    assert Announced(f"Sightline test {wled.page_port}", "127.0.0.1", wled.page_port) in found


def test_a_network_that_cannot_be_searched_is_reported(monkeypatch):
    def refuse(*_, **__):
        raise OSError(19, "No such device")

    monkeypatch.setattr(zeroconf, "Zeroconf", refuse)
    with pytest.raises(PortNotFound, match="No such device"):
        announced(SERVICE, settle_s=0)


# -- addresses ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("port", "kind", "full"),
    [
        ("", "auto", "auto"),
        ("", "wled", "auto"),
        ("", "wled-udp", "wled://auto"),
        ("auto", "wled-udp", "wled://auto"),
        ("192.168.1.40", "wled-udp", "wled://192.168.1.40"),
        ("192.168.1.40", "ddp", "ddp://192.168.1.40"),
        ("wled://table.local:8080", "auto", "wled://table.local:8080"),
        ("wled://[fe80::1]", "wled-udp", "wled://[fe80::1]"),
        ("/dev/ttyUSB0", "wled", "/dev/ttyUSB0"),
        ("socket://127.0.0.1:1", "auto", "socket://127.0.0.1:1"),
    ],
)
def test_port_and_kind_make_an_address(port, kind, full):
    assert strip_port(port, kind) == full
    open_strip(full, SETTINGS, kind=kind)


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        ("192.168.1.40", 80, "wled://192.168.1.40"),
        ("192.168.1.40", 81, "wled://192.168.1.40:81"),
        ("fe80::1", 80, "wled://[fe80::1]"),
    ],
)
def test_a_light_that_announces_itself_is_chosen_by_its_address(host, port, address):
    assert udp.address_of(WLED.reach, Announced("Table", host, port)) == address
    NetworkFinder(WLED, WLED.reach, address)


def test_demo_with_a_kind_on_the_network_does_not_take_the_virtual_strip():
    assert strip_port("", "auto", default="virtual") == "virtual"
    assert strip_port("", "wled-udp", default="virtual") == "wled://auto"


@pytest.mark.parametrize(
    ("port", "kind"),
    [
        ("wled://", "auto"),
        ("wled://a/b", "auto"),
        ("wled://a:99999", "auto"),
        ("wled://user@a", "auto"),
        ("wled://a?b=c", "auto"),
        ("wled://192.168.1.40", "ddp"),
        ("wled://192.168.1.40", "sightline"),
        ("socket://192.168.1.40:7", "wled-udp"),
        ("virtual", "wled-udp"),
        ("ddp://auto", "auto"),
        ("", "ddp"),
    ],
)
def test_addresses_that_are_none_are_refused(port, kind):
    with pytest.raises(BadValue) as refused:
        open_strip(port, SETTINGS, kind=kind)
    assert refused.value.field == "port"


# -- the port itself ----------------------------------------------------------------------------


def test_a_question_under_way_does_not_hold_up_reading_sending_and_closing(on_loopback):
    wled = on_loopback()
    port = finder(WLED, f"wled://{wled.address}").open(None, 0)
    wait_for(port.read)
    wled.hangs.set()
    time.sleep(1)
    start_s = time.perf_counter()
    for _ in range(100):
        port.read()
        port.write(bytes(902))
    port.close()
    assert time.perf_counter() - start_s < 1  # the question under way has two seconds


def test_pictures_go_where_wled_says_that_it_takes_them(on_loopback):
    wled = on_loopback()
    assert wled.wled.picture_port != WLED.reach.picture_port
    port = finder(WLED, f"wled://{wled.address}").open(None, 0)
    wait_for(port.read)
    port.write(bytes((2, 1, 9, 9, 9)))
    wait_for(lambda: wled.wled.received)
    port.close()


def test_refused_datagrams_are_a_lost_light(on_loopback):
    wled = on_loopback()
    port = finder(WLED, f"wled://{wled.address}").open(None, 0)
    wait_for(port.read)
    wled.switch_off()

    def send():
        for _ in range(20):
            port.write(b"\2\1")
            time.sleep(0.02)

    with pytest.raises(StripLost, match="takes no pictures"):
        send()
    port.close()


def test_datagrams_that_the_network_has_no_room_for_are_dropped(on_loopback):
    class Full:
        def send(self, data):
            raise BlockingIOError(11, "try again")

        def close(self):
            pass

    port = finder(WLED, "wled://127.0.0.1").open(None, 0)
    port._socket = Full()
    port.write(b"\2\1")
    port.close()


def test_an_answer_of_many_lines_is_one_line_and_a_page_that_is_missing_an_empty_one(on_loopback, monkeypatch):
    wled = on_loopback()
    monkeypatch.setattr(wled.wled, "info", lambda: b'{\r\n "leds":\n {"count": 7}}\n')
    port = finder(WLED, f"wled://{wled.address}").open(None, 0)
    assert first_of(port) == b'{  "leds":  {"count": 7}}\n'
    port.close()
    port = finder(WLED, f"wled://{wled.address}", question="/elsewhere").open(None, 0)
    assert first_of(port) == b"\n"
    port.close()


# -- on the page --------------------------------------------------------------------------------


class Page:
    """Keeps the reports about the strip."""

    def __init__(self):
        self.problem, self.pixels = None, None

    def report(self, part, problem):
        self.problem = problem

    def clear(self, part, how=None):
        self.problem = None

    def publish(self, kind, body):
        self.pixels = body["pixels"]


def test_a_lost_light_is_reported_on_the_page_and_taken_back_when_it_is_lit_again(on_loopback):
    wled, page = on_loopback(pixel_count=24), Page()
    at = f"wled://{wled.address}"
    shown = StripOnPage(open_strip(at, SETTINGS), at, page, page.publish)
    shown.show(VIEW)
    shown.start()
    wait_for(lambda: page.pixels is not None and len(page.pixels) == 24)
    wled.switch_off()
    wait_for(lambda: isinstance(page.problem, StripLost))
    wled.switch_on()
    wait_for(lambda: page.problem is None)
    shown.close()

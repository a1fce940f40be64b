"""The choice of another light while the table runs."""

from __future__ import annotations

import threading

import pytest

from assistant.app.live.strip_on_page import StripOnPage
from assistant.app.setup.light import LightChooser
from assistant.errors import BadValue
from hardware.light import LightSettings
from hardware.registry import light_kinds
from hardware.strip import open_strip

PATIENCE_S = 10.0


class Page:
    """Takes reports, and notices when a light is lit."""

    def __init__(self):
        self.told = None
        self.lit = threading.Event()
        self.pixels = None

    def report(self, part, problem):
        self.told = str(problem)

    def clear(self, part, how=None):
        self.told = None if how is None else str(how)
        if how is not None:
            self.lit.set()

    def publish(self, kind, body):
        self.pixels = body["pixels"]


def open_at(port, kind):
    return open_strip(port, LightSettings(pixel_count=24), kind=kind)


@pytest.fixture
def page():
    return Page()


@pytest.fixture
def lights(page):
    shown = StripOnPage(open_at("usb:ffff:ffff", "auto"), "usb:ffff:ffff", page, page.publish)
    shown.start()
    yield shown
    shown.close()


@pytest.fixture
def chooser(lights):
    return LightChooser(lights, open_at)


def test_every_kind_of_the_registry_is_listed(chooser):
    state = chooser.state()

    assert [(one.id, str(one.about)) for one in state.options] == [(kind.id, kind.about) for kind in light_kinds()]
    assert (state.kind, state.port, state.lit_kind) == ("auto", "usb:ffff:ffff", None)
    assert {"auto", "virtual", "wled://auto"} <= set(state.ports)


def test_another_light_is_lit_and_the_old_one_let_go(chooser, lights, page):
    old = lights.strip
    chooser.choose("auto", "virtual")

    assert page.lit.wait(PATIENCE_S)
    assert page.told == "It is lit: Sightline's firmware, virtual."
    assert len(page.pixels) == 24
    assert not old._thread.is_alive()
    state = chooser.state()
    assert (state.port, state.lit_kind) == ("virtual", "sightline")
    assert str(state.sentence) == page.told


def test_a_host_is_taken_at_once_though_nobody_answers(chooser):
    chooser.choose("ddp", "127.0.0.1:9")

    assert (chooser.state().kind, chooser.state().port) == ("ddp", "ddp://127.0.0.1:9")


@pytest.mark.parametrize(
    ("kind", "address", "says"),
    [
        ("pink", "auto", "There is no kind of light “pink”"),
        ("auto", "pink://host", "“pink://” is not a kind of port"),
        ("auto", "wled://", "Write wled://HOST"),
        ("ddp", "wled://host", "is not an address of a light of the kind"),
        ("ddp", "auto", "ddp"),
        ("auto", "/etc/passwd", "there is no light at “/etc/passwd”"),
        ("auto", "a\0b", "there is no light at"),
    ],
)
def test_what_is_no_address_is_refused_and_the_light_stays(chooser, lights, kind, address, says):
    strip = lights.strip

    with pytest.raises(BadValue, match=says) as refused:
        chooser.choose(kind, address)
    assert refused.value.field is None
    assert lights.strip is strip
    assert chooser.state().kind == "auto"

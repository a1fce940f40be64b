"""The light in the set-up: a kind from another package is offered, and the light can be changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from assistant.app.live.strip_on_page import StripOnPage
from assistant.app.setup.light import LightChooser
from hardware import registry
from hardware.light import LightSettings
from hardware.strip import open_strip


class Entry:
    """An entry point as an installed package has it."""

    value = "toy_light:LIGHT"

    @staticmethod
    def load():
        return replace(registry.light_kind("adalight"), id="toy", name="a toy light", about="a toy for tests, by USB")


@pytest.fixture
def installed(monkeypatch):
    """The toy is installed."""
    toy = Entry.load()
    registry.light_kinds.cache_clear()
    monkeypatch.setattr(Entry, "load", staticmethod(lambda: toy))
    monkeypatch.setattr(registry, "entry_points", lambda group: [Entry] if group == registry.GROUP else [])
    yield
    registry.light_kinds.cache_clear()


@pytest.fixture
def chosen(desk, installed):
    """A table whose light is nowhere yet."""

    def open_at(port, kind):
        return open_strip(port, LightSettings(pixel_count=24), kind=kind)

    lights = StripOnPage(open_at("usb:ffff:ffff", "auto"), "usb:ffff:ffff", desk.state.problems, desk.state.hub.publish)
    desk.build.put(desk.state, light=LightChooser(lights, open_at))
    lights.start()
    yield lights
    lights.close()


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_another_light_is_chosen(violations, chosen, scripted_set_up, open_page, size):
    page, _ = scripted_set_up("game", size, bypass_csp=True)
    page.click("#light summary")
    expect(page.locator("#light-kinds li", has_text="a toy for tests, by USB")).to_be_visible()
    expect(page.locator("#light-kind option[value=toy]")).to_have_count(1)
    expect(page.locator("#light-told")).not_to_be_empty()
    assert violations(page) == []

    page.fill("#light-port", "pink://host")
    page.click("#light-form button")
    expect(page.locator("#trouble")).to_contain_text("is not a kind of port")
    open_page.expected.append("status of 400")

    page.fill("#light-port", "virtual")
    page.click("#light-form button")
    expect(page.locator("#light-told")).to_have_text("It is lit: Sightline's firmware, virtual.")
    expect(page.locator("#light-kinds .lit")).to_have_text("an Arduino with Sightline's firmware, by USB")
    expect(page.locator("#trouble")).to_be_hidden()
    assert chosen.port == "virtual"

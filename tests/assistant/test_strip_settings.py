"""The settings of the LED strip reach the strip, and a turn's time runs on the strip's clock."""

from __future__ import annotations

import time

import pytest
from msgspec.structs import replace

from assistant.app.matches.archive import load_shipped_mission
from assistant.app.matches.choice import MatchShow
from assistant.cli import run
from assistant.cli.running import run as run_command
from assistant.errors import BadValue
from assistant.match.actor import TABLE
from assistant.match.missions import new_header
from assistant.match.session import Session
from assistant.settings import Settings
from assistant.table.tracker import PALETTES
from assistant.wiring.table import strip_of
from hardware.registry import kind_ids


def test_every_setting_of_the_strip_reaches_it():
    settings = Settings(pixels=144, brightness=0.25, limit_ma=1500, palette="red-green", kind="wled")
    light = strip_of(settings, "virtual", print).settings
    assert (light.pixel_count, light.brightness, light.limit_ma, light.palette) == (144, 0.25, 1500, "red-green")


@pytest.mark.parametrize("kind", kind_ids())
def test_every_kind_of_light_can_be_set(kind):
    strip_of(Settings(kind=kind), "192.168.1.40", print)  # a serial port may be called so, too


def test_the_option_offers_every_kind_of_light():
    (option,) = (one for one in run_command.params if one.name == "kind")
    assert list(option.type.choices) == kind_ids()


def test_a_kind_that_is_none_is_refused_with_those_there_are():
    with pytest.raises(BadValue, match=r"“tpm2”.*auto, .*wled"):
        strip_of(Settings(kind="tpm2"), "auto", print)


@pytest.mark.parametrize("wrong", [{"limit_ma": 50}, {"pixels": 7}, {"brightness": 0.0}, {"palette": "pink"}])
def test_a_setting_of_the_strip_out_of_its_range_is_named(wrong):
    with pytest.raises(BadValue, match=next(iter(wrong)).removesuffix("s")):
        strip_of(Settings(**wrong), "virtual", print)


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [("--kind", "tpm2", "wled"), ("--palette", "pink", ", ".join(f"'{name}'" for name in PALETTES))],
)
def test_a_wrong_choice_names_the_right_ones(capsys, option, value, allowed):
    assert run(["run", option, value]) == 2
    assert allowed in capsys.readouterr().err


def test_a_limit_below_what_the_dark_strip_draws_ends_with_one_sentence(tmp_path, capsys):
    assert run(["run", "--limit-ma", "10", "--port", "0", "--data", str(tmp_path)]) == 2
    assert "60 pixels draw 60 mA even when dark" in capsys.readouterr().err


def test_the_time_of_a_turn_runs_on_the_clock_of_the_strip():
    mission = load_shipped_mission("roads_bridge_sample")
    header = new_header(mission, match_id="timed", seed="0" * 64, created_t=0, options={})
    session = Session(replace(header, turn_limit_s=60), journal=None, clock_ms=lambda: 0)
    views = []
    MatchShow(lambda match: None, lambda: None, views.append).show(session)
    session.command({"type": "begin"}, TABLE)
    assert views[-1].timer is not None
    assert views[-1].timer.left_at(time.monotonic()) > 55

"""A light is one file: the folder's files are on offer, and a light from elsewhere needs no line of ours."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.errors import BadValue
from assistant.table.tracker import TrackerEntry, TrackerView
from hardware import protocols, registry
from hardware.kinds import ByNetwork, BySerial
from hardware.light import LightSettings, light_frame
from hardware.port import PortPlace
from hardware.strip import TrackerStrip

ROOT = Path(__file__).resolve().parents[2]
VIEW = TrackerView(order=tuple(TrackerEntry(f"f{n}", n % 2, 3, 4) for n in range(5)), active=2, round=1)
README = (ROOT / "hardware" / "README.md").read_text("utf-8")
TOY = (
    README.partition("```python\n")[2]
    .partition("```")[0]
    .replace('"mine"', '"toy"')
    .replace("my own light, by USB", "a toy for tests, by USB")
)
"""The whole light that the README shows."""


@pytest.fixture
def fresh():
    """The kinds are looked for anew, before and after."""
    registry.light_kinds.cache_clear()
    yield registry
    registry.light_kinds.cache_clear()


@pytest.fixture
def installed(tmp_path, fresh, monkeypatch):
    """A package of one file outside the project, as an installer leaves it."""
    (tmp_path / "toy_light.py").write_text(TOY)
    about = tmp_path / "toy_light-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-light\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{registry.GROUP}]\ntoy = toy_light:LIGHT\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("toy_light", None)


class ToyPort:
    """The toy on its cable."""

    def __init__(self):
        self.pictures, self.has_left = [], False

    def places(self):
        return [PortPlace("/dev/toy", is_guess=True)]

    def open(self, place, baud_rate):
        self.baud_rate = baud_rate
        return self

    def read(self):
        return b"TOY\n"

    def write(self, data):
        self.pictures.append(data)

    def close(self):
        pass


def test_what_is_in_the_folder_is_what_is_offered(fresh):
    files = {path.stem for path in (ROOT / "hardware" / "protocols").glob("*.py")} - {"__init__"}
    assert len(fresh.light_kinds()) == len(files)
    assert fresh.kind_ids() == ["auto", "ddp", "e131", "sightline", "wled", "wled-udp", "adalight"]


def test_no_two_lights_share_an_address(fresh):
    schemes = [kind.reach.scheme for kind in fresh.light_kinds() if isinstance(kind.reach, ByNetwork)]
    assert len(schemes) == len(set(schemes))


def test_a_light_is_one_file(tmp_path, fresh, monkeypatch):
    (tmp_path / "toy_in_folder.py").write_text(TOY)
    monkeypatch.setattr(protocols, "__path__", [*protocols.__path__, str(tmp_path)])
    assert fresh.light_kind("toy").about == "a toy for tests, by USB"
    sys.modules.pop("hardware.protocols.toy_in_folder")


def test_an_installed_light_is_found_greeted_and_lit(installed, rig):
    toy, clock = ToyPort(), rig.Clock()
    strip = TrackerStrip(toy, LightSettings(pixel_count=24), clock=clock)
    strip.show(VIEW)
    for _ in range(400):
        strip.step()
        clock.now_s += 0.01
    assert toy.baud_rate in strip._link._baud_rates
    assert strip.status.identity.kind == "toy"
    assert toy.pictures[-1] in [
        b"T" + light_frame(VIEW, clock.now_s - ago / 100, strip.settings).rgb for ago in range(1, 11)
    ]
    strip.close()
    assert toy.pictures[-1] == b"X"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("strip", "kinds"), r"^toy: a toy for tests, by USB$"),
        (("strip", "test", "--help"), r"\|toy[\|\]]"),
        (("run", "--help"), r"\|toy[\|\]]"),
        (("run", "--kind", "pink"), r"'toy'"),
    ],
)
def test_an_installed_light_is_offered_everywhere(installed, command, says):
    done = subprocess.run(
        [sys.executable, "-c", "from assistant.cli import main; main()", *command],
        env={**os.environ, "PYTHONPATH": str(installed), "COLUMNS": "200"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.search(says, done.stdout + done.stderr, re.MULTILINE)


def test_two_lights_of_one_name_are_a_fault(installed, tmp_path, monkeypatch):
    folder = tmp_path / "again"
    folder.mkdir()
    (folder / "toy_again.py").write_text(TOY)
    monkeypatch.setattr(protocols, "__path__", [*protocols.__path__, str(folder)])
    with pytest.raises(ValueError, match="two kinds of light are called “toy”"):
        registry.light_kinds()
    sys.modules.pop("hardware.protocols.toy_again")


def test_what_is_no_light_is_a_fault(installed):
    (installed / "toy_light.py").write_text("LIGHT = 7\n")
    with pytest.raises(TypeError, match="toy_light:LIGHT is registered as a light and is none"):
        registry.light_kinds()


def test_an_unknown_kind_is_refused_with_the_known_ones(fresh):
    with pytest.raises(BadValue, match="auto, ddp, e131, sightline"):
        fresh.light_kind("pink")


def test_the_table_of_the_readme_is_the_registry():
    rows = dict(re.findall(r"^\| `([\w-]+)` \| ([^|]+?) \|", README.partition("## Kinds of light")[2], re.MULTILINE))
    assert rows == {kind.id: kind.about for kind in registry.light_kinds()}


def test_the_readme_names_every_rate_and_port():
    text = (ROOT / "hardware" / "README.md").read_text("utf-8")
    for kind in registry.light_kinds():
        if isinstance(kind.reach, BySerial):
            assert all(f"{rate:,}" in text for rate in kind.reach.baud_rates)
        else:
            assert f"{kind.reach.scheme}://" in text
            assert f"{kind.reach.picture_port}" in text

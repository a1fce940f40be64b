"""The builders of this folder as fixtures; tests are no package, so they are loaded by path."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FIRMWARE = ROOT / "hardware" / "firmware"
ARDUINO = Path("/usr/share/arduino/hardware/arduino/avr")
SIMAVR = Path("/usr/include/simavr/sim_avr.h")
NEEDED = {"make": "make", "gcc": "gcc", "avr-gcc": "gcc-avr avr-libc binutils-avr"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests that need a real strip unless requested."""
    if "port" in config.option.markexpr:
        return
    for item in items:
        if item.get_closest_marker("port"):
            item.add_marker(pytest.mark.skip(reason="needs a real strip; ask for it with -m port"))


def load(name: str) -> ModuleType:
    """Return a module of this folder."""
    full_name = f"sightline_tests_{name}"
    if full_name in sys.modules:
        return sys.modules[full_name]
    spec = importlib.util.spec_from_file_location(full_name, HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[full_name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def drawn() -> ModuleType:
    """The strategies of ``light_strategies.py``."""
    return load("light_strategies")


@pytest.fixture(scope="session")
def fake_wled() -> ModuleType:
    """The controller of ``fake_wled.py``."""
    return load("fake_wled")


@pytest.fixture(scope="session")
def fake_adalight() -> ModuleType:
    """The sketch of ``fake_adalight.py``."""
    return load("fake_adalight")


@pytest.fixture(scope="session")
def fake_wled_host() -> ModuleType:
    """The controller on the network of ``fake_wled_host.py``."""
    return load("fake_wled_host")


@pytest.fixture
def on_loopback(fake_wled_host: ModuleType) -> Iterator[Callable[..., object]]:
    """Switches controllers on behind real sockets, and all of them off at the end."""
    made = []

    def switch_on(**about: object) -> object:
        made.append(fake_wled_host.Loopback(fake_wled_host.FakeWledHost(**about)))
        return made[-1]

    yield switch_on
    for each in made:
        each.switch_off()


@pytest.fixture(scope="session")
def faulty() -> ModuleType:
    """The faults of ``faulty.py``."""
    return load("faulty")


@pytest.fixture(scope="session")
def rig() -> ModuleType:
    """The clocks, ports and strips of ``rig.py``."""
    return load("rig")


@pytest.fixture(scope="session")
def workbench() -> ModuleType:
    """The parts of ``firmware_bench.py``."""
    return load("firmware_bench")


@pytest.fixture(scope="session")
def cables() -> ModuleType:
    """The pseudo-terminals of ``cables.py``."""
    return load("cables")


@pytest.fixture
def cabled(cables: ModuleType, rig: ModuleType) -> Iterator[Callable[..., object]]:
    """Makes strips under test on a pseudo-terminal, and pulls every cable at the end."""
    made = []

    def plug(choice: str | None = None, **identity: object) -> object:
        made.append(cables.CabledRig(rig, choice, **identity))
        return made[-1]

    yield plug
    for each in made:
        each.rig.strip.close()
        if each.cable:
            each.cable.pull()


def _need(*tools: str) -> None:
    missing = [NEEDED[tool] for tool in tools if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"needs the packages {' '.join(missing)} (apt-get install {' '.join(missing)})")


def _make(folder: Path, target: str, out: Path, *settings: str) -> Path:
    done = subprocess.run(
        ["make", "-s", "-C", folder, target, f"OUT={out}", *settings], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The build folder of this run."""
    return tmp_path_factory.mktemp("built")


@pytest.fixture(scope="session")
def plain_firmware(built: Path) -> Path:
    """The firmware without the Arduino core."""
    _need("make", "avr-gcc")
    return _make(FIRMWARE, "plain", built / "plain") / "sightline-strip.hex"


@pytest.fixture(scope="session")
def build_firmware(built: Path) -> Callable[[int], Path]:
    """Builds the firmware for a baud rate."""
    _need("make", "avr-gcc")

    def build(baud_rate: int) -> Path:
        out = _make(FIRMWARE, "plain", built / f"plain-{baud_rate}", f"BAUD_RATE={baud_rate}")
        return out / "sightline-strip.hex"

    return build


@pytest.fixture(scope="session")
def arduino_firmware(built: Path) -> Path:
    """The sketch with the Arduino core."""
    _need("make", "avr-gcc")
    if not ARDUINO.exists():
        pytest.skip("needs the package arduino-core-avr (apt-get install arduino-core-avr)")
    return _make(FIRMWARE, "arduino", built / "arduino") / "sightline-strip-arduino.hex"


@pytest.fixture(scope="session")
def core_fuzzer(built: Path) -> Path:
    """The firmware's core for this computer, under sanitizers."""
    _need("make", "gcc")
    return _make(HERE / "bench", "fuzz", built / "fuzz") / "fuzz_core"


@pytest.fixture(scope="session")
def bench_library(built: Path, workbench: ModuleType) -> object:
    """The bench, compiled."""
    _need("make", "gcc")
    if not SIMAVR.exists():
        pytest.skip("needs simavr (apt-get install libsimavr-dev libsimavr2 libelf-dev)")
    return workbench.load_library(_make(HERE / "bench", "bench", built / "bench") / "libfirmwarebench.so")


@pytest.fixture
def bench(workbench: ModuleType, bench_library: object, plain_firmware: Path) -> Iterator[object]:
    """A strip with the firmware, switched on a moment ago."""
    made = workbench.FirmwareBench(bench_library, plain_firmware)
    made.run(0.1)
    made.frames()
    yield made
    made.close()

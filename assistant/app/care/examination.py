"""Examines the machine for everything that a table needs, and words each finding with what to do.

It changes nothing, so it may run during a game.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from assistant.app.care.starts import Starts
from assistant.errors import SightlineError
from assistant.hosting.addresses import is_port_free, network_addresses
from assistant.hosting.disk import LEAST_FREE_MB, disk_problem
from assistant.profiles import READERS, Profiles
from assistant.settings import Settings
from assistant.store import DATABASE, damage_of
from assistant.translations.messages import Said, message, said
from hardware.transports.serial_port import KNOWN_DEVICES, find_ports

State = Literal["well", "look", "wrong"]

FIRST_YEAR = 2026
"""Year of the first release. A clock that shows an earlier year was never set."""

LEAST_MEMORY_MB = 1500
"""Least memory in MB. Reading a photo of 12 megapixels needs under 500. A browser on the same machine needs the
rest."""

RIVALS = ("opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless")
"""Packages that overwrite the files of opencv-python."""

PARTS: Mapping[str, str] = {
    "program": message("Program"),
    "machine": message("Machine"),
    "data": message("Data folder"),
    "store": message("Matches"),
    "setup": message("Set-up"),
    "port": message("Page"),
    "network": message("Network"),
    "camera": message("Camera"),
    "strip": message("LED strip"),
    "clock": message("Clock"),
}
"""The examined parts, with their names for people."""


@dataclass(frozen=True, slots=True)
class Symptom:
    """The state of one part: ``well``, worth a ``look``, or ``wrong``. The sentence says what to do."""

    part: str
    state: State
    sentence: Said


def examine(settings: Settings) -> tuple[Symptom, ...]:
    """Return every finding, part by part.

    Args:
        settings: where the data lies and which port the page takes.
    """
    checks: Sequence[Callable[[Settings], Iterator[Symptom]]] = (
        _program,
        _machine,
        _data,
        _store,
        _setup,
        _port,
        _network,
        _camera,
        _strip,
        _clock,
    )
    return tuple(finding for check in checks for finding in check(settings))


def installed(package: str) -> str | None:
    """Return the version of an installed package, or None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _program(settings: Settings) -> Iterator[Symptom]:
    python = ".".join(map(str, sys.version_info[:3]))
    yield Symptom("program", "well", said("version {own}, Python {python}", own=version("sightline"), python=python))
    if Starts(settings.data).is_safe_due:
        text = said(
            "the last two starts failed; the next one comes up in safe mode and says on the page what is left out"
        )
        yield Symptom("program", "wrong", text)
    for rival in RIVALS:
        if installed(rival):
            text = said(
                "{rival} is installed over opencv-python; the cameras may fail. Uninstall both with pip and "
                "install opencv-python again",
                rival=rival,
            )
            yield Symptom("program", "wrong", text)


def _machine(_: Settings) -> Iterator[Symptom]:
    cores, system, processor = os.cpu_count() or 1, platform.system(), platform.machine()
    text = said("{system} on {processor}, cores: {n}", system=system, processor=processor, n=cores)
    yield Symptom("machine", "well", text)
    memory_mb = _memory_mb()
    if memory_mb is not None and memory_mb < LEAST_MEMORY_MB:
        text = said(
            "{mb} MB of memory is little; close other programs, and open the page on a tablet instead of here",
            mb=memory_mb,
        )
        yield Symptom("machine", "look", text)


def _memory_mb() -> int | None:
    """Return the total memory in MB, or None where the system does not report it."""
    names = getattr(os, "sysconf_names", {})
    if "SC_PHYS_PAGES" not in names or "SC_PAGE_SIZE" not in names:
        return None
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20


def _data(settings: Settings) -> Iterator[Symptom]:
    folder = settings.data
    if not folder.exists():
        yield Symptom("data", "well", said("{folder} will be made at the first start", folder=str(folder)))
        return
    problem = disk_problem(folder)
    if problem is not None:
        yield Symptom("data", "wrong", problem.sentence)
        return
    free_mb = shutil.disk_usage(folder).free >> 20
    state: State = "well" if free_mb > 5 * LEAST_FREE_MB else "look"
    yield Symptom("data", state, said("{folder}, {mb} MB are free", folder=str(folder), mb=free_mb))


def _store(settings: Settings) -> Iterator[Symptom]:
    if not (settings.data / DATABASE).exists():
        yield Symptom("store", "well", said("no match has been saved yet"))
        return
    damage = damage_of(settings.data)
    if damage is None:
        yield Symptom("store", "well", said("{name} is whole", name=DATABASE))
    else:
        text = said(
            "{name} is damaged ({reason}); move it out of the data folder and import your last export",
            name=DATABASE,
            reason=damage,
        )
        yield Symptom("store", "wrong", text)


def _setup(settings: Settings) -> Iterator[Symptom]:
    profiles = Profiles(settings.data)
    names = profiles.names("setup")
    if not names:
        yield Symptom("setup", "look", said("no table was set up yet; run sightline setup"))
        return
    broken = list(_broken(profiles))
    for document, problem in broken:
        text = said("{document} cannot be used: {problem}", document=document, problem=problem.sentence)
        yield Symptom("setup", "wrong", text)
    if not broken:
        yield Symptom("setup", "well", said("kept: {names}", names=", ".join(names)))


def _broken(profiles: Profiles) -> Iterator[tuple[str, SightlineError]]:
    for kind in READERS:
        for name in profiles.names(kind):
            try:
                READERS[kind](profiles.read(kind, name), name)
            except SightlineError as problem:
                yield f"{kind} {name}", problem


def _port(settings: Settings) -> Iterator[Symptom]:
    if is_port_free(settings.port):
        yield Symptom("port", "well", said("port {port} is free", port=settings.port))
        return
    text = said(
        "port {port} is taken, perhaps by a Sightline that runs already; stop that program, or choose another port "
        "with --port",
        port=settings.port,
    )
    yield Symptom("port", "look", text)


def _network(_: Settings) -> Iterator[Symptom]:
    found = network_addresses()
    if found:
        yield Symptom("network", "well", said("tablets reach it at {addresses}", addresses=", ".join(found)))
    else:
        text = said("this machine is in no network, so no tablet can reach it; join the tablets' network")
        yield Symptom("network", "wrong", text)


def _camera(_: Settings) -> Iterator[Symptom]:
    devices = sorted(Path("/dev").glob("video*"))
    if sys.platform.startswith("linux") and not devices:
        text = said("no USB camera is plugged in; plug one in, or use a phone (--camera push)")
        yield Symptom("camera", "look", text)
        return
    shut = [device.name for device in devices if not os.access(device, os.R_OK | os.W_OK)]
    if shut:
        text = said(
            "this user may not open {devices}; add the user to the group “video” and log in again",
            devices=", ".join(shut),
        )
        yield Symptom("camera", "wrong", text)
    elif devices:
        yield Symptom("camera", "well", said("there: {devices}", devices=", ".join(device.name for device in devices)))


def _strip(_: Settings) -> Iterator[Symptom]:
    places = [place for place in find_ports() if place.is_usb]  # a computer's built-in ports drive no strip
    if not places:
        yield Symptom("strip", "well", said("no LED strip is plugged in; that is fine if you have none"))
    for place in places:
        if Path(place.address).exists() and not os.access(place.address, os.R_OK | os.W_OK):
            text = said(
                "this user may not open {port}; add the user to the group “dialout” and log in again",
                port=place.address,
            )
            yield Symptom("strip", "wrong", text)
        elif (place.vendor_id, place.product_id) not in KNOWN_DEVICES:
            text = said(
                "{port} is an unknown board; if it drives a strip, start with --strip {port}", port=place.address
            )
            yield Symptom("strip", "look", text)
        else:
            yield Symptom("strip", "well", said("at {port}: {what}", port=place.address, what=place.description or "?"))


def _clock(_: Settings) -> Iterator[Symptom]:
    now = time.gmtime()
    if now.tm_year < FIRST_YEAR:
        text = said(
            "the clock shows the year {year}; set it, or certificates and times will be wrong", year=now.tm_year
        )
        yield Symptom("clock", "wrong", text)
    else:
        yield Symptom("clock", "well", said("it shows {time} UTC", time=time.strftime("%Y-%m-%d %H:%M", now)))

"""The kinds of light: every module of ``hardware.protocols`` and every entry point ``sightline.lights``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points

from assistant.errors import BadValue
from assistant.translations.messages import said
from hardware import protocols
from hardware.kinds import BySerial, LightKind
from hardware.port import AUTO

GROUP = "sightline.lights"


@cache
def light_kinds() -> tuple[LightKind, ...]:
    """Return every kind of light: first the sure ones, then by id.

    Raises:
        TypeError: an entry point is not a kind of light.
        ValueError: two kinds have the same id.
    """
    kinds = [*_ours(), *_installed()]
    ids = [kind.id for kind in kinds]
    for name in ids:
        if ids.count(name) > 1 or name == AUTO:
            raise ValueError(f"two kinds of light are called “{name}”")
    return tuple(sorted(kinds, key=lambda kind: (not kind.is_sure, kind.id)))


def _ours() -> Iterator[LightKind]:
    for module in pkgutil.iter_modules(protocols.__path__, f"{protocols.__name__}."):
        yield _checked(module.name, importlib.import_module(module.name).LIGHT)


def _installed() -> Iterator[LightKind]:
    for entry in entry_points(group=GROUP):
        yield _checked(entry.value, entry.load())


def _checked(where: str, found: object) -> LightKind:
    if not isinstance(found, LightKind):
        raise TypeError(f"{where} is registered as a light and is none")
    return found


def kind_ids() -> list[str]:
    """Return the values of the setting: ``auto`` and the id of every kind."""
    return [AUTO, *(kind.id for kind in light_kinds())]


def light_kind(name: str) -> LightKind:
    """Return the kind of that id. Raise ``BadValue`` if there is none."""
    found = next((kind for kind in light_kinds() if kind.id == name), None)
    if found is None:
        raise BadValue(
            said("There is no kind of light “{name}”. Choose from {known}.", name=name, known=", ".join(kind_ids())),
            field="kind",
        )
    return found


def serial_kinds() -> tuple[LightKind, ...]:
    """Return the kinds on serial ports."""
    return tuple(kind for kind in light_kinds() if isinstance(kind.reach, BySerial))

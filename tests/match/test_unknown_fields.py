"""A mission with a field unknown to its game is refused by the field's name, at any depth."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from assistant.errors import BadValue
from assistant.match.games import system_of
from assistant.match.missions import Mission, mission_from_fields
from assistant.match.session import Session
from assistant.match.setup_fields import find_unknown_fields

MISSIONS = ["doom2016_tutorial_sample", "doom2004_knee_deep_sample", "roads_bridge_sample"]


def records_in(raw: Any, kind: inspect.Type, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every record of a set-up, without maps by people's names."""
    kind = without_choice(raw, kind)
    if isinstance(kind, inspect.StructType) and isinstance(raw, dict):
        yield path
        for field in kind.fields:
            if field.encode_name in raw:
                yield from records_in(raw[field.encode_name], field.type, (*path, field.encode_name))
    elif isinstance(kind, inspect.DictType) and isinstance(raw, dict):
        for name, value in raw.items():
            yield from records_in(value, kind.value_type, (*path, name))
    elif isinstance(kind, inspect.VarTupleType) and isinstance(raw, list | tuple):
        for place, value in enumerate(raw):
            yield from records_in(value, kind.item_type, (*path, place))


def without_choice(raw: Any, kind: inspect.Type) -> inspect.Type:
    """Return the type of a value where several are possible."""
    if isinstance(kind, inspect.Metadata):
        return without_choice(raw, kind.type)
    if not isinstance(kind, inspect.UnionType):
        return kind
    found = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
    return next((one for one in found if isinstance(one, inspect.StructType) and is_tagged(raw, one)), found[0])


def is_tagged(raw: Any, kind: inspect.StructType) -> bool:
    return isinstance(raw, dict) and kind.tag is not None and raw.get(kind.tag_field) == kind.tag


def word_path(path: tuple[Any, ...]) -> str:
    return "setup" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)


@pytest.mark.parametrize("name", MISSIONS)
def test_an_unknown_field_anywhere_is_refused_by_its_name(build: ModuleType, name: str) -> None:
    mission: Mission = build.mission(name)
    fields = msgspec.to_builtins(mission)
    setup_type = inspect.type_info(system_of(mission.ruleset).setup_type)
    paths = list(records_in(fields["setup"], setup_type))
    assert len(paths) > 5
    for path in paths:
        changed = copy.deepcopy(fields)
        record = changed["setup"]
        for part in path:
            record = record[part]
        record["sheild"] = True
        with pytest.raises(BadValue, match="no field “sheild”") as problem:
            mission_from_fields(changed)
        assert problem.value.field == f"{word_path(path)}.sheild"


@pytest.mark.parametrize("name", MISSIONS)
def test_a_shipped_mission_has_no_unknown_field(build: ModuleType, name: str) -> None:
    mission: Mission = build.mission(name)
    kind = inspect.type_info(system_of(mission.ruleset).setup_type)
    assert list(find_unknown_fields(mission.setup, kind, "setup")) == []


def test_no_match_begins_with_an_unknown_field(build: ModuleType) -> None:
    with pytest.raises(BadValue, match="no field “sheild”"):
        build.begun(build.with_setup(build.mission(MISSIONS[1]), sheild=True))


def test_a_stored_match_with_an_unknown_field_still_opens(build: ModuleType) -> None:
    header = build.begun(build.mission(MISSIONS[1])).session.header
    stored = msgspec.structs.replace(header, setup={**header.setup, "sheild": True})
    match = build.Played(Session(stored, journal=(lines := build.Lines()), clock_ms=lambda: 0), lines)
    match.do("begin")
    again = Session.resumed(match.document().splitlines(), journal=None, clock_ms=lambda: 0)
    assert again.timeline.game == match.game

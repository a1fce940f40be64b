"""Unknown fields of a mission. A misspelt field would have no effect, and nobody would notice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import inspect


def find_unknown_fields(raw: object, kind: inspect.Type, path: str) -> Iterator[str]:
    """Yield the paths of all fields of plain data that its type lacks, such as ``setup.marines[0].colour``."""
    for name, value, known in _parts_of(raw, kind):
        if known is None:
            yield path + name
        else:
            yield from find_unknown_fields(value, known, path + name)


_Part = tuple[str, object, inspect.Type | None]
"""A part of a value: its path, the value, and its type, or None for a field that the type lacks."""


def _parts_of(raw: object, kind: inspect.Type) -> Iterator[_Part]:
    if isinstance(kind, inspect.Metadata):
        yield "", raw, kind.type
    elif isinstance(kind, inspect.UnionType):
        yield from (("", raw, one) for one in _choose(raw, kind))
    elif isinstance(raw, Mapping):
        yield from _fields_of(raw, kind)
    elif isinstance(raw, list | tuple):
        yield from _items_of(raw, kind)


def _choose(raw: object, kind: inspect.UnionType) -> Iterator[inspect.Type]:
    """Yield the type that a value has by its tag; every other type if the records of the union have no tags."""
    structs = [one for one in kind.types if isinstance(one, inspect.StructType)]
    if len(structs) < 2:
        yield from kind.types
    elif isinstance(raw, Mapping):
        yield from (one for one in structs if raw.get(str(one.tag_field)) == one.tag)


def _fields_of(raw: Mapping[str, object], kind: inspect.Type) -> Iterator[_Part]:
    if isinstance(kind, inspect.StructType):
        known = {field.encode_name: field.type for field in kind.fields}
        yield from ((f".{name}", value, known.get(name)) for name, value in raw.items() if name != kind.tag_field)
    elif isinstance(kind, inspect.DictType):
        yield from ((f".{name}", value, kind.value_type) for name, value in raw.items())


def _items_of(raw: list[object] | tuple[object, ...], kind: inspect.Type) -> Iterator[_Part]:
    if isinstance(kind, inspect.VarTupleType | inspect.ListType):
        yield from ((f"[{place}]", value, kind.item_type) for place, value in enumerate(raw))
    elif isinstance(kind, inspect.TupleType):
        pairs = enumerate(zip(raw, kind.item_types, strict=False))
        yield from ((f"[{place}]", value, item) for place, (value, item) in pairs)

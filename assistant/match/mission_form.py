"""The form for writing a mission, derived from the types of the game's set-up.

Those types give the fields, their possible values, and what to tap on the board. The reader of missions checks the
mission itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from assistant.translations.catalogue import speak_id

FormNode = dict[str, Any]

NUMBERS = "numbers"
"""Mark of a pair of whole numbers that is not a place: ``{"form": "numbers"}`` in `Meta.extra`."""


def describe_form(setup: type[msgspec.Struct], language: str) -> FormNode:
    """Return the form of a set-up as plain data.

    ``root`` names the record to fill in; ``records`` holds every record by name: its fields, each with ``name``,
    ``label``, ``required``, ``default`` and a node for its value. The ``kind`` of a node is ``text``, ``number``,
    ``toggle``, ``choice``, ``cell``, ``cells``, ``point``, ``fixed`` (a fixed number of values), ``list``, ``map``
    (values by names that people choose), ``record``, or ``variant`` (one of several records, known by a tag).
    """
    return _Forms(language).form(setup)


class _Forms:
    """Collects the records of a set-up, each once, since some contain themselves."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._records: dict[str, FormNode] = {}

    def form(self, setup: type[msgspec.Struct]) -> FormNode:
        root = inspect.type_info(setup)
        assert isinstance(root, inspect.StructType)
        return {"root": self._record(root), "records": self._records}

    def _record(self, kind: inspect.StructType) -> str:
        name = kind.cls.__name__
        if name not in self._records:
            record: FormNode = {"fields": []}
            self._records[name] = record
            record["fields"] = [self._field(field) for field in kind.fields]
        return name

    def _field(self, field: inspect.Field) -> FormNode:
        default = None if field.required else _default_of(field)
        label = speak_id(field.encode_name, self._language)
        return {
            "name": field.encode_name,
            "label": label,
            "required": field.required,
            "default": default,
            **self._node(field.type),
        }

    def _node(self, kind: inspect.Type) -> FormNode:
        if isinstance(kind, inspect.Metadata):
            is_plain = (kind.extra or {}).get("form") == NUMBERS
            return self._fixed(kind.type) if is_plain else self._node(kind.type)
        if isinstance(kind, inspect.UnionType):
            return self._union(kind)
        if isinstance(kind, inspect.StructType):
            return {"kind": "record", "record": self._record(kind)}
        return self._several(kind) or self._plain(kind)

    def _several(self, kind: inspect.Type) -> FormNode | None:
        """Return the node for a collection of values, or None for a single value."""
        if isinstance(kind, inspect.TupleType):
            return {"kind": "cell"} if _is_cell(kind) else {"kind": "point"} if _is_point(kind) else self._fixed(kind)
        if isinstance(kind, inspect.VarTupleType):
            item = self._node(kind.item_type)
            return {"kind": "cells"} if item == {"kind": "cell"} else {"kind": "list", "item": item}
        if isinstance(kind, inspect.DictType):
            return {"kind": "map", "item": self._node(kind.value_type)}
        return None

    def _plain(self, kind: inspect.Type) -> FormNode:
        if isinstance(kind, inspect.IntType | inspect.FloatType):
            least = kind.ge if kind.ge is not None else kind.gt
            return {"kind": "number", "least": least, "whole": isinstance(kind, inspect.IntType)}
        if isinstance(kind, inspect.BoolType):
            return {"kind": "toggle"}
        if isinstance(kind, inspect.LiteralType):
            choices = [{"value": value, "text": speak_id(str(value), self._language)} for value in kind.values]
            return {"kind": "choice", "choices": choices}
        return {"kind": "text"}

    def _fixed(self, kind: inspect.Type) -> FormNode:
        assert isinstance(kind, inspect.TupleType)
        return {"kind": "fixed", "items": [self._node(item) for item in kind.item_types]}

    def _union(self, kind: inspect.UnionType) -> FormNode:
        """Return the node for one of several records, or for an optional value."""
        options = [option for option in kind.types if not isinstance(option, inspect.NoneType)]
        if len(options) == 1:
            return {**self._node(options[0]), "optional": True}
        return {"kind": "variant", "choices": list(self._variants(options))}

    def _variants(self, options: list[inspect.Type]) -> Iterator[FormNode]:
        for option in options:
            assert isinstance(option, inspect.StructType)
            text = speak_id(str(option.tag), self._language)
            yield {"tag_field": option.tag_field, "tag": option.tag, "text": text, "record": self._record(option)}


def _default_of(field: inspect.Field) -> Any:
    made = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    return msgspec.json.decode(msgspec.json.encode(made))


def _is_cell(kind: inspect.TupleType) -> bool:
    """Return whether a pair is a place on the board: whole numbers of either sign."""
    is_pair = len(kind.item_types) == len(("column", "row"))
    return is_pair and all(isinstance(item, inspect.IntType) and item.ge is None for item in kind.item_types)


def _is_point(kind: inspect.TupleType) -> bool:
    return all(isinstance(item, inspect.FloatType) for item in kind.item_types)

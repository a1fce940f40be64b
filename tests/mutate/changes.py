"""Small changes to a module, one at a time: another operator, number or condition."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mult,),
    ast.Div: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}


@dataclass(frozen=True)
class Mutant:
    """A module with one change.

    Args:
        line: where it is.
        was: the piece of the source before.
        became: the same after.
        tree: the whole module, ready to be compiled.
    """

    line: int
    was: str
    became: str
    tree: ast.Module


def mutants_of(source: str) -> Iterator[Mutant]:
    """Yield every module that differs from a source in one small change, in the order of the source."""
    tree = ast.parse(source)
    places = list(_places(tree))
    for number, node in enumerate(places):
        for change in range(len(_changed(node))):
            fresh = copy.deepcopy(tree)
            place = list(_places(fresh))[number]
            other = _changed(place)[change]
            _put(fresh, place, other)
            yield Mutant(getattr(node, "lineno", 0), ast.unparse(node), ast.unparse(other), fresh)


def _places(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the changeable nodes: no annotation, no decorator, no default or option of a type, no docstring."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        if name == "keywords" and isinstance(tree, ast.ClassDef):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_type_alias(child):
                continue
            if _changed(child):
                yield child
            yield from _places(child)


def _is_type_alias(node: ast.AST) -> bool:
    """Return whether it is an assignment of a type outside functions, such as ``Planes = tuple[int, ...]``."""
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.BinOp) and node.col_offset == 0


def _changed(node: ast.AST) -> list[ast.AST]:
    """Return the other forms of a node."""
    return next((others(node) for kind, others in FORMS.items() if isinstance(node, kind)), [])


def _other_comparisons(node: ast.Compare) -> list[ast.AST]:
    if len(node.ops) != 1:
        return []
    return [_with(node, ops=[other()]) for other in SWAPS.get(type(node.ops[0]), ())]


def _other_operators(node: ast.BoolOp | ast.BinOp | ast.AugAssign) -> list[ast.AST]:
    return [_with(node, op=other()) for other in SWAPS.get(type(node.op), ())]


def _other_values(node: ast.Constant) -> list[ast.AST]:
    if isinstance(node.value, bool):
        return [_with(node, value=not node.value)]
    return [_with(node, value=node.value + 1)] if isinstance(node.value, int) else []


FORMS: dict[type[ast.AST], Callable[[Any], list[ast.AST]]] = {
    ast.Compare: _other_comparisons,
    ast.BoolOp: _other_operators,
    ast.BinOp: _other_operators,
    ast.AugAssign: _other_operators,
    ast.Constant: _other_values,
    ast.UnaryOp: lambda node: [node.operand],
    ast.IfExp: lambda node: [node.body, node.orelse],
    ast.If: lambda node: [_with(node, test=ast.UnaryOp(ast.Not(), node.test))],
    ast.While: lambda node: [_with(node, test=ast.UnaryOp(ast.Not(), node.test))],
    ast.comprehension: lambda node: [_with(node, ifs=node.ifs[1:])] if node.ifs else [],
    ast.Continue: lambda _: [ast.Break()],
    ast.Break: lambda _: [ast.Continue()],
}


def _with(node: ast.AST, **fields: object) -> ast.AST:
    made = copy.copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def _put(tree: ast.Module, place: ast.AST, other: ast.AST) -> None:
    """Put one node in place of another."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is place:
                setattr(parent, name, other)
            elif isinstance(value, list) and any(child is place for child in value):
                setattr(parent, name, [other if child is place else child for child in value])
    ast.fix_missing_locations(tree)

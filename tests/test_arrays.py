"""Functions of the rooms of pictures state the shapes of their arrays, and the two kinds of picture differ."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import jaxtyping
import numpy as np
import pytest
from mypy import api

from calibration import arrays
from calibration.arrays import BgrImage, Corners, GrayImage, Points

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("calibration", "vision")
SHAPELESS = {"ArrayLike", "NDArray", "ndarray"} | {
    name for name, kind in vars(arrays).items() if getattr(kind, "__origin__", None) is np.ndarray
}
"""Names that give only the kind of number."""


def shapeless(annotation: ast.expr) -> Iterator[str]:
    """Yield the arrays in an annotation that have no shape beside them."""
    if isinstance(annotation, ast.Subscript) and hasattr(jaxtyping, ast.unparse(annotation.value)):
        return
    name = annotation.id if isinstance(annotation, ast.Name) else getattr(annotation, "attr", None)
    if name in SHAPELESS:
        yield name
    for part in ast.iter_child_nodes(annotation):
        if isinstance(part, ast.expr):
            yield from shapeless(part)


def annotations(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield the annotations of a module's functions and classes, each with its owner."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            for annotation in (*(argument.annotation for argument in arguments), node.returns):
                if annotation is not None:
                    yield node.name, annotation
        elif isinstance(node, ast.ClassDef):
            fields = [line for line in node.body if isinstance(line, ast.AnnAssign)]
            yield from ((f"{node.name}.{ast.unparse(field.target)}", field.annotation) for field in fields)


def test_the_names_without_a_shape_are_known():
    assert {"Doubles", "Flags", "Floats", "Integers", "Levels", "Numbers", "Singles"} <= SHAPELESS
    assert not {"BgrImage", "GrayImage", "Mask", "Points"} & SHAPELESS


@pytest.mark.parametrize("written", ["Numbers", "list[Doubles]", "npt.NDArray[np.uint8]", "dict[str, Flags] | None"])
def test_an_array_without_a_shape_is_noticed(written):
    assert list(shapeless(ast.parse(written, mode="eval").body))


@pytest.mark.parametrize("written", ["Points", 'Float[Numbers, "n 2"]', 'list[Bool[Flags, " n"]]', "float | None"])
def test_an_array_with_a_shape_is_fine(written):
    assert list(shapeless(ast.parse(written, mode="eval").body)) == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_array_has_a_shape(room):
    found = [
        f"{path.relative_to(ROOT)}: {name} {kind}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for name, annotation in annotations(ast.parse(path.read_text(encoding="utf-8")))
        for kind in shapeless(annotation)
    ]
    assert found == []


def test_a_shape_is_checked_where_it_is_asked_for():
    assert isinstance(np.zeros((7, 2)), Points)
    assert not isinstance(np.zeros((7, 3)), Points)
    assert not isinstance(np.zeros((5, 2)), Corners)
    assert isinstance(np.zeros((9, 8, 3), np.uint8), BgrImage)
    assert not isinstance(np.zeros((9, 8, 3), np.uint8), GrayImage)


@pytest.mark.parametrize(("taken", "given"), [("BgrImage", "GrayImage"), ("GrayImage", "BgrImage")])
def test_the_type_checker_refuses_one_kind_of_picture_for_the_other(taken, given, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(f"""from calibration.arrays import BgrImage, GrayImage
def look(image: {taken}) -> None: ...
def show(image: {given}) -> None: look(image)
""")
    told, _, status = api.run(["--config-file=", "--strict", str(program)])
    assert status == 1
    assert told.count("error:") == 1
    assert 'Argument 1 to "look" has incompatible type' in told

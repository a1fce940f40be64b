"""The small changes of ``make mutate``: each in one place, and only relevant ones."""

from __future__ import annotations

import ast

from tests.mutate.changes import mutants_of

SOURCE = '''"""A text with 1 number."""

Planes = tuple[int, ...]


def least(a: int, b: int = 2) -> int | None:
    """Smaller of 2."""
    if not a < b and a:
        return a + 1
    return None
'''


def test_every_change_is_one_place_and_is_reported() -> None:
    found = list(mutants_of(SOURCE))
    assert len({ast.unparse(mutant.tree) for mutant in found}) == len(found)
    told = {(mutant.was, mutant.became) for mutant in found}
    assert {("a < b", "a <= b"), ("a < b", "a > b"), ("a + 1", "a - 1"), ("2", "3"), ("not a < b", "a < b")} <= told
    assert all(mutant.line >= 6 for mutant in found)


def test_types_and_words_are_left_alone() -> None:
    assert (
        list(mutants_of('"""Words 1."""\nPlanes = tuple[int, 2]\n\n\ndef f(a: int | str) -> int | None: ...\n')) == []
    )


def test_how_a_class_is_made_is_no_rule() -> None:
    found = list(mutants_of("class Dice(Struct, frozen=True):\n    count: int = 1\n"))
    assert [(mutant.was, mutant.became) for mutant in found] == [("1", "2")]


def test_a_changed_module_runs_otherwise() -> None:
    results = set()
    for mutant in mutants_of("def f(a):\n    return a + 1\n"):
        space: dict[str, object] = {}
        exec(compile(mutant.tree, "f", "exec"), space)
        results.add(space["f"](5))  # type: ignore[operator]
    assert results == {4, 7}

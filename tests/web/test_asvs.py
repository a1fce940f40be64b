"""The table of security requirements names existing tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = re.findall(
    r"^\| ([\d., to]+) \| (.+?) \| (held|argued|none) \| (.+?) \|$", (ROOT / "web" / "security.md").read_text(), re.M
)


def test_every_chapter_has_a_row():
    chapters = {int(number) for items, *_ in ROWS for number in re.findall(r"\b(\d+)(?=\.\d|\b(?!\.))", items)}
    assert set(range(1, 18)) <= chapters
    assert len(ROWS) > 90


@pytest.mark.parametrize("evidence", sorted({text.strip("`") for _, _, how, text in ROWS if how == "held"}))
def test_a_held_requirement_names_a_test(evidence):
    path, _, name = evidence.partition("::")
    assert re.search(rf"^def {name}\b", (ROOT / path).read_text(), re.M), evidence


def test_an_argued_requirement_has_a_reason():
    assert all(len(text) > 10 for _, _, how, text in ROWS if how == "argued")


TRIED = (ROOT / "web" / "security.md").read_text().partition("## Attacks")[2]
ATTACKS = re.findall(r"^\| .* \| `([^`]+)` \|$", TRIED, re.M)


@pytest.mark.parametrize("evidence", ATTACKS)
def test_an_attack_that_was_tried_names_a_test(evidence):
    path, _, name = evidence.partition("::")
    assert re.search(rf"^def {name}\b", (ROOT / path).read_text(), re.M), evidence


def test_the_attacks_are_there():
    assert len(ATTACKS) > 60


@pytest.mark.parametrize("number", range(1, 16))
def test_each_of_the_first_fifteen_attacks_has_three_variations(number):
    rows = re.findall(rf"^\| {number} \| .*? \| (.+?) \| .+? \| `[^`]+` \|$", TRIED, re.M)
    assert len(set(rows)) >= 3, rows

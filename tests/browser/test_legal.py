"""Was that legal? A tap on a step answers yes or no, with the rule, its source and the alternatives."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from assistant.match.actor import CAMERA, TABLE


@pytest.fixture
def an_imp_has_moved(play, tables):
    """A match with an imp's move and a marine seen far from his place; its address."""
    address, session = play("doom2016_tutorial_sample")
    board = tables.corridor(13, 3)
    for command in (
        {"type": "see", "document": board},
        {"type": "status", "shuffled_here": False},
        {"type": "reveal", "card": "invader"},
        {"type": "activate_kind", "kind": "imp"},
        {"type": "activate", "figure": "imp-1"},
    ):
        session.command(command, TABLE)
    ask = session.way({"type": "move", "figure": "imp-1"}, TABLE)["ask"]
    session.command({"type": "move", "figure": "imp-1", "cells": ask["picks"][0]["value"]}, TABLE)
    figures = [
        {"id": one.id, "kind": one.kind, "side": one.side, "cells": [list(cell) for cell in one.cells]}
        for one in session.timeline.game.standing()
    ]
    taken = {tuple(cell) for one in figures for cell in one["cells"]}
    free = next((12, row) for row in range(3) if (12, row) not in taken)
    alpha = next(one for one in figures if one["id"] == "alpha")
    alpha["cells"] = [list(free)]
    session.command({"type": "see", "document": {**board, "figures": figures}}, CAMERA)
    return address, session


WORDS = {
    "en": ("History", "Was that legal?", "Yes, that was legal.", "Rules, “Movement”", "Close"),
    "ru": ("История", "Это по правилам?", "Да, это было по правилам.", "Правила, «Движение»", "Закрыть"),
}


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_tap_on_a_step_tells_whether_it_was_legal(an_imp_has_moved, open_page, picture, size, language):
    address, session = an_imp_has_moved
    history, title, yes, source, close = WORDS[language]
    page = open_page(f"{address}/?lang={language}", size)
    page.get_by_role("button", name=history, exact=True).click()
    page.locator("#history .entry").nth(1).click()
    dialog = page.get_by_role("dialog", name=title)
    expect(dialog).to_contain_text(yes)
    expect(dialog).to_contain_text(source)
    expect(dialog.locator(".legal-others .chosen")).not_to_have_count(0)
    picture(page, f"{size}-{language}-legal-yes")
    dialog.get_by_role("button", name=close).click()

    page.locator("#history .entry").first.click()
    expect(dialog.locator(".legal-verdict.no")).to_contain_text("Alpha" if language == "en" else "Альфа")
    picture(page, f"{size}-{language}-legal-no")
    dialog.get_by_role("button", name=close).click()
    assert session.seq == 7


def test_the_match_goes_back_to_a_step_from_its_judgement(an_imp_has_moved, open_page):
    address, session = an_imp_has_moved
    page = open_page(address)
    page.get_by_role("button", name="History").click()
    page.locator("#history .entry").nth(2).click()
    page.get_by_role("button", name="Back to: Imp 1 acts").click()
    expect(page.locator("#history .entry.undone")).to_have_count(2)
    assert session.timeline.game.turn.figure == "imp-1"

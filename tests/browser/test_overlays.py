"""Overlays on the table: each shows exactly the server's answer, on tablet and phone."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from page_waits import settled
from playwright.sync_api import Page, expect

SIZES = ("tablet", "phone")
CELLS_OF = (
    "selector => [...document.querySelectorAll(selector)].map(n => n.getAttribute('d')).join('').split('M').length - 1"
)


def open_pair(open_page, desk, size: str, shooter: str = "bravo", target: str = "imp-1") -> Page:
    page = open_page(f"{desk.photo_link}&from={shooter}&to={target}", size)
    expect(page.locator("#card")).to_be_visible()
    return page


def answered(page: Page, kind: str) -> dict[str, Any]:
    """Return the server's answer for a chosen overlay."""
    route = "reaches" if kind.startswith("reach") else "maps"
    with page.expect_response(f"**/{route}?*") as answer:
        page.select_option("#map", kind)
    settled(page)
    return answer.value.json()


@pytest.mark.parametrize("size", SIZES)
def test_every_map_colours_just_the_spaces_of_the_answer(desk, open_page, picture, size):
    page = open_pair(open_page, desk, size)
    for kind in ("seen", "sees", "no_cover", "sees_unseen", "safe", "reach-4"):
        cells = answered(page, kind)["cells"]
        assert page.evaluate(CELLS_OF, ".reach-cell") == len(cells), kind
        assert page.locator("#map-key").is_visible() == (not cells), kind
        if kind in ("seen", "sees_unseen", "reach-4"):
            picture(page, f"{size}-overlay-{kind}")
    costs = [str(cell["cost"]) for cell in cells if cell["cost"]]
    assert page.locator("#overlay .cost text").all_text_contents() == costs
    assert set(costs) <= {"1", "2", "3", "4"}

    cells = answered(page, "range")["cells"]
    odd = [cell for cell in cells if cell["cost"] % 2]
    assert page.evaluate(CELLS_OF, ".ring.odd") == len(odd)
    assert page.evaluate(CELLS_OF, ".ring") == len(cells)
    assert page.locator("#overlay .cost text").all_text_contents() == [str(cell["cost"]) for cell in cells]
    picture(page, f"{size}-overlay-range")

    cells = answered(page, "danger")["cells"]
    for step in (0, 1, 2):
        assert page.evaluate(CELLS_OF, f"path.danger-{step}") == sum(cell["cost"] == step for cell in cells)
    key = page.locator("#map-key li")
    assert key.first.inner_text() == "seen by nobody"
    assert key.count() == len({min(3, cell["cost"]) for cell in cells})
    picture(page, f"{size}-overlay-danger")

    page.select_option("#map", "")
    expect(page.locator(".layer.reach > *")).to_have_count(0)
    expect(page.locator("#map-key")).to_be_hidden()


def test_a_map_about_a_target_asks_for_one(desk, open_page):
    page = open_page(f"{desk.photo_link}&from=bravo")
    page.wait_for_selector("[data-figure]")
    page.select_option("#map", "sees_unseen")

    expect(page.locator("#hint")).to_contain_text("Choose a target")
    page.locator('[data-figure="imp-1"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(".reach-cell")).to_be_attached()
    expect(page.locator("#map-key")).to_have_text("This board has no such space.")


def test_without_a_shooter_only_what_needs_none_can_be_shown(desk, open_page):
    page = open_page(desk.photo_link)
    page.wait_for_selector("[data-figure]")

    usable = page.locator("#map option:not([disabled])").evaluate_all("all => all.map(one => one.value)")
    assert usable == ["", "watchers"]


def space_css(page: Page, cell: list[int]) -> tuple[float, float]:
    """Return the centre of a space on the screen."""
    return tuple(
        page.evaluate(
            """async cell => {
                const shot = new URLSearchParams(location.hash.slice(1)).get('shot');
                const scene = await (await fetch(`/api/v1/shots/${shot}`)).json();
                const { outline } = scene.cells.find(one => `${one.cell}` === `${cell}`);
                const [x, y] = [0, 1].map(i => outline.reduce((sum, p) => sum + p[i], 0) / outline.length);
                const box = document.getElementById('overlay').getBoundingClientRect();
                return [box.left + x / scene.width_px * box.width, box.top + y / scene.height_px * box.height];
            }""",
            cell,
        )
    )


def bare_cell(desk) -> list[int]:
    """Return a space that no finger can take for a figure or a door."""
    board = desk.build.true_shot("easy-03").board
    taken = {*board.figure_at, *(cell for door in board.doors for edge in door.edges for cell in edge.cells)}

    def room(cell: tuple[int, int]) -> int:
        return min(max(abs(cell[0] - x), abs(cell[1] - y)) for x, y in taken)

    return list(max(sorted(board.cells), key=room))


@pytest.mark.parametrize("size", SIZES)
def test_who_sees_a_space_is_asked_by_taps_and_arrow_keys(desk, open_page, picture, size):
    page = open_pair(open_page, desk, size)
    with page.expect_response("**/watchers?*") as first:
        page.select_option("#map", "watchers")
    told = first.value.json()
    expect(page.locator("#watchers-text")).to_have_text(told["sentence"])
    expect(page.locator("[data-watcher]")).to_have_count(len(told["watchers"]))
    assert {node["id"] for node in told["watchers"]} == set(
        page.locator("[data-watcher]").evaluate_all("all => all.map(one => one.dataset.watcher)")
    )
    expect(page.locator("#watchers-end")).to_be_focused()
    expect(page.locator("#watchers-text")).to_be_in_viewport()

    bare = bare_cell(desk)
    settled(page)
    with page.expect_response("**/watchers?*") as second:
        page.touchscreen.tap(*space_css(page, bare))
    assert second.value.json()["cell"] == bare
    expect(page.locator("#watchers-text")).to_have_text(second.value.json()["sentence"])
    expect(page.locator(".watched-cell")).to_have_count(1)
    picture(page, f"{size}-overlay-watchers")
    expect(page.locator("#card")).to_be_visible()  # the pair is still chosen

    before = page.locator("#watchers-text").inner_text()
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
        settled(page)
        if page.locator("#watchers-text").inner_text() != before:
            break
    assert page.locator("#watchers-text").inner_text() != before
    page.keyboard.press("Escape")
    expect(page.locator("#watchers")).to_be_hidden()
    expect(page.locator(".layer.watchers > *")).to_have_count(0)
    expect(page.locator("#map")).to_have_value("")


def long_press(page: Page, place: tuple[float, float]) -> None:
    page.mouse.click(*place, delay=800)


def test_a_long_press_on_a_bare_space_asks_who_sees_it(desk, open_page):
    page = open_page(desk.photo_link)
    page.wait_for_selector("[data-figure]")
    settled(page)
    long_press(page, space_css(page, bare_cell(desk)))

    expect(page.locator("#watchers-text")).to_contain_text("seen by")
    expect(page.locator(".watched-cell")).to_be_attached()


@pytest.mark.parametrize("size", SIZES)
def test_a_long_press_sets_a_figure_and_a_door_right(desk, open_page, picture, size):
    shot = desk.build.true_shot("normal-02")
    desk.state.shelf.put(shot)
    page = open_page(f"{desk.address}/#shot={shot.id}", size)
    page.wait_for_selector("[data-figure]")
    settled(page)
    long_press(page, space_css(page, list(shot.board.figure("charlie").cells[0])))
    expect(page.locator("#sheet-menu p")).to_have_text("Charlie")
    assert page.locator("#sheet-menu button").all_inner_texts() == [
        "It stands somewhere else", "It is another figure", "What if it stood somewhere else?", "Who sees it?",
        "It is not on the board", "A figure is missing here", "A door stands here", "Cancel",
    ]  # fmt: skip
    picture(page, f"{size}-overlay-correct")
    page.click("#sheet-menu >> text=It is not on the board")
    expect(page.locator("#corrected")).to_be_visible()
    expect(page.locator('[data-figure="charlie"]')).to_have_count(0)

    door = page.locator(".door").first.bounding_box()
    long_press(page, (door["x"] + door["width"] / 2, door["y"] + door["height"] / 2))
    expect(page.locator("#sheet-menu p")).to_have_text("A door")
    was_open = page.locator(".door.open").count()
    page.click("#sheet-menu button >> nth=0")
    expect(page.locator(".door.open")).not_to_have_count(was_open)


def test_each_layer_can_be_taken_away(desk, open_page):
    shot = desk.build.true_shot("normal-02")
    desk.state.shelf.put(shot)
    page = open_page(f"{desk.address}/#shot={shot.id}")
    page.wait_for_selector("[data-figure]")
    page.click(".layers summary")
    for name in ("lattice", "tiles", "terrain", "doors", "figures"):
        layer = page.locator(f"#overlay .layer.{name}").first
        expect(layer).to_be_visible()
        page.click(f"[data-layer={name}]")
        expect(layer).to_be_hidden()
        page.click(f"[data-layer={name}]")
        expect(layer).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_what_was_not_seen_clearly_is_marked_and_named(desk, open_page, picture, size):
    shot = desk.build.true_shot("normal-02")
    seen = shot.read.observation
    unsure = replace(
        seen,
        figures=tuple(replace(one, confidence=0.4 if one.id == "imp-2" else 1.0) for one in seen.figures),
        doors=tuple(replace(one, confidence=0.3) for one in seen.doors),
        tiles=(replace(seen.tiles[0], confidence=0.5), *seen.tiles[1:]),
    )
    desk.state.shelf.put(replace(shot, id="photo-low", read=replace(shot.read, observation=unsure)))
    page = open_page(f"{desk.address}/#shot=photo-low", size)
    page.wait_for_selector("[data-figure]")

    expect(page.locator('[data-label="imp-2"] text')).to_have_text("Im2?")
    expect(page.locator('[data-figure="imp-2"]')).to_have_attribute("aria-label", re.compile("not seen clearly"))
    assert page.locator(".base.low").count() == 1
    assert page.locator(".door.low").count() >= len(seen.doors) > 1
    expect(page.locator(".tile.low")).to_have_count(1)
    expect(page.locator("#summary")).to_contain_text("Marked with a question mark")
    picture(page, f"{size}-overlay-low")

"""The desk's page and the public view alone, over a hall without events: the content, and its readers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from loading import beside
from playwright.sync_api import Page, expect

from assistant.app.tournament.rounds import with_publication
from web.desk.routes import create_desk_app
from web.serving.roles import Role
from web.serving.server import PageServer

WEB = Path(__file__).parents[1] / "web"


@pytest.fixture(scope="module")
def hall_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A desk in this process, and links by which a device joins it."""
    build = beside(str(WEB / "conftest.py"), "page_builders")
    state = beside(str(WEB / "desk" / "conftest.py"), "hall_page").make_hall_page(tmp_path_factory.mktemp("d"), build)
    state.hall.store.change_rounds(lambda known: with_publication(known, 1, 1, is_public=True), 1.0)
    server = PageServer(create_desk_app(state), host="127.0.0.1", port=0, devices=30)
    server.start()
    state.door.addresses = (f"http://127.0.0.1:{server.port}",)
    yield state
    state.hub.close()
    server.stop()
    state.hall.store.close()


@pytest.fixture
def open_desk(hall_page: Any, open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Opens the desk on a device that joined in a role, with its call open."""

    def opened(size: str = "tablet", role: Role = Role.OWNER, theme: str = "dark", **more: Any) -> Page:
        token = hall_page.door.devices.invite(role).token
        page = open_page(f"{hall_page.door.addresses[0]}/#join={token}", size, bypass_csp=True, **more)
        page.wait_for_selector(f'body[data-role="{role}"]')
        page.evaluate("theme => localStorage.setItem('sightline-theme', theme)", theme)
        page.reload()
        page.locator("[data-call]").first.click()
        page.wait_for_selector("#frozen:not([hidden])")
        page.wait_for_selector("[data-call][aria-current]")  # the list is drawn anew once the finger is off it
        return page

    return opened


@pytest.mark.parametrize(("size", "theme"), [("tablet", "dark"), ("phone", "light"), ("tablet", "contrast")])
def test_axe_finds_nothing_at_the_desk(
    violations: Callable[[Page], list[Any]],
    hall_page: Any,
    open_desk: Callable[..., Page],
    picture: Any,
    size: str,
    theme: str,
) -> None:
    page = open_desk(size, theme=theme)
    assert violations(page) == []
    picture(page, f"{size}-desk-{theme}")
    page.click("#invite")
    expect(page.locator("#invitation .code")).to_be_visible()
    assert violations(page) == [], "the invitation"
    page.goto(f"{hall_page.door.addresses[0]}/public")
    expect(page.locator("[data-round='1'] tbody tr")).to_have_count(3)
    assert violations(page) == [], "the public view"


def test_the_lines_of_a_ruling_are_drawn_on_the_photo(open_desk: Callable[..., Page], picture: Any) -> None:
    page = open_desk(role=Role.JUDGE)
    shown = page.locator("#call-pictures .frozen-picture")
    expect(shown).to_have_count(1)
    assert shown.locator(".line").count() > 0
    assert shown.locator(".mark").count() == 2
    assert shown.locator(".edge.wall").count() > 20
    assert "Bravo" in shown.locator(".who").all_text_contents()
    expect(page.locator("#invite")).to_have_count(0)
    page.locator("#call-pictures").scroll_into_view_if_needed()
    picture(page, "desk-lines")


def test_two_moments_stand_side_by_side_at_the_desk_with_the_difference_marked(
    open_desk: Callable[..., Page], picture: Any
) -> None:
    page = open_desk(role=Role.JUDGE)
    expect(page.locator("#steps-back button")).to_have_count(1)
    expect(page.locator("#steps-back")).to_contain_text("Imp 1 stood on E7 and stands on E5.")
    expect(page.locator("#moment-second .differs")).to_have_count(2)  # where it stood, and where it stands
    expect(page.locator("#moment-first .differs")).to_have_count(0)
    expect(page.locator("#differences")).to_have_text("Imp 1 stood on E7 and stands on E5.")
    before, after = (page.locator(f"#moment-{one} image").get_attribute("href") for one in ("first", "second"))
    assert before != after
    page.locator("#look-back-title").scroll_into_view_if_needed()
    picture(page, "desk-look-back")
    page.locator("#pick-first").select_option(index=1)
    expect(page.locator("#moment-second .differs")).to_have_count(0)
    expect(page.locator("#differences")).to_have_text("The reading is the same.")
    page.locator("#steps-back button").click()
    expect(page.locator("#moment-second .differs")).to_have_count(2)


def test_a_judge_rules_by_the_keyboard_alone(open_desk: Callable[..., Page]) -> None:
    page = open_desk(role=Role.JUDGE)
    page.keyboard.press("Escape")
    expect(page.locator("#call-title")).to_be_focused()
    for place, words in (("disputed", "The door"), ("ruling", "It is open."), ("reason", "The picture shows it.")):
        for _ in range(12):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == place:
                break
        expect(page.locator(f"#{place}")).to_be_focused()
        page.keyboard.type(words)
    page.locator("#ruling-form .main").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#call-facts")).to_contain_text("It is open.")


def test_a_name_typed_while_the_page_loads_stays(open_desk: Callable[..., Page]) -> None:
    page = open_desk(role=Role.JUDGE)
    page.add_init_script("""new MutationObserver(() => {
        const judge = document.getElementById("judge");
        if (judge && !judge.dataset.typed) judge.dataset.typed = judge.value = "Jo";
    }).observe(document, { childList: true, subtree: true })""")
    page.reload()
    page.wait_for_selector("[data-call]")
    expect(page.locator("#judge")).to_have_value("Jo")


@pytest.mark.parametrize("language", ["en", "ru", "es"])
def test_at_two_hundred_per_cent_and_on_a_phone_nothing_is_cut_off(
    open_desk: Callable[..., Page], still: Callable[[Page], None], language: str
) -> None:
    wide = "document.documentElement.scrollWidth - innerWidth"
    cut = """[...document.querySelectorAll('button, .button, h2, label > span')].filter((node) => node.offsetParent
        && node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent)"""
    for width in (390, 640):  # a phone, and a tablet at twice the size
        page = open_desk("phone", locale=language)
        page.set_viewport_size({"width": width, "height": 400 if width == 640 else 844})
        assert page.locator("html").get_attribute("lang") == language
        still(page)
        assert page.evaluate(wide) <= 0
        assert page.evaluate(cut) == []
        small = page.locator("button:visible, .button:visible, select:visible").evaluate_all(
            "nodes => nodes.filter((node) => node.getBoundingClientRect().height < 48).map((node) => node.textContent)"
        )
        assert small == []


def test_a_judge_joins_by_the_digits_on_the_organisers_screen(
    hall_page: Any, open_desk: Callable[..., Page], open_page: Callable[..., Page]
) -> None:
    organiser = open_desk()
    organiser.click("#invite")
    digits = organiser.locator("#invitation .code").inner_text()
    organiser.keyboard.press("Escape")
    expect(organiser.locator("#inviting")).to_be_hidden()
    judge = open_page(hall_page.door.addresses[0], "phone")
    judge.locator("#code").fill(digits)
    judge.keyboard.press("Enter")
    expect(judge.locator("[data-call]")).to_be_visible()
    expect(judge.locator("#invite")).to_have_count(0)

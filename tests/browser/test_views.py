"""Every view on tablets and phones, in three languages; the pictures are saved for review."""

from __future__ import annotations

import contextlib
import re
import socket
import threading

import pytest
from page_waits import settled
from playwright.sync_api import Page, expect

from assistant.errors import CameraLost, DiskFull, StripLost
from assistant.match.actor import TABLE
from assistant.translations.catalogue import languages
from assistant.translations.messages import said
from web.page.views import VIEWS
from web.serving.roles import Role

SIZES = ("tablet", "phone")
NAMES = [view.name for view in VIEWS]


def choose(page: Page, *names: str) -> None:
    for name in names:
        page.locator(f'[data-figure="{name}"]').focus()
        page.keyboard.press("Enter")


def rule(page: Page, desk) -> None:
    page.goto("about:blank")  # from an address that differs behind the # alone nothing is loaded
    page.goto(desk.photo_link)
    page.wait_for_selector("[data-figure]")
    choose(page, "bravo", "imp-1")
    expect(page.locator("#card")).to_be_visible()


def clipped(page: Page) -> list[str]:
    """Return words that do not fit their space."""
    return page.evaluate(
        """[...document.querySelectorAll('main :is(button, h2, h3, p, .name, dd, dt), .tab span, .status')]
        .filter(node => node.offsetParent && !node.closest('.unseen') && node.scrollWidth > node.clientWidth + 1)
        .map(node => node.textContent.trim())"""
    )


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", SIZES)
def test_every_view_is_whole_in_every_language(desk, open_page, picture, size, language):
    page = open_page("about:blank", size)
    page.request.post(f"{desk.address}/api/v1/language", data={"language": language}, headers={"X-Sightline": "1"})
    rule(page, desk)
    for name in NAMES:
        page.click(f"[data-view={name}]")
        expect(page.locator(f"#view-{name}")).to_be_visible()
        settled(page)
        assert clipped(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        picture(page, f"{size}-view-{name}-{language}")


LOW = {"a tablet at 200 %": (640, 400), "a phone on its side": (844, 390), "a phone at 200 %": (320, 568)}

OVERLAPS = """() => {
    const seen = (node) => {  // what a list that scrolls shows of it
        let { left, top, right, bottom } = node.getBoundingClientRect();
        for (let box = node.parentElement; box; box = box.parentElement) {
            if (getComputedStyle(box).overflowY === 'visible') continue;
            const edge = box.getBoundingClientRect();
            [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        }
        return { left, top, right, bottom };
    };
    const boxes = [...document.querySelectorAll('main :is(button, select, summary, .acting, .clock, .fact, .verdict)')]
        .filter(node => node.checkVisibility() && !node.closest('.tools, .unseen, #overlay'))
        .map(node => [node.textContent.trim().slice(0, 30), seen(node), node]);
    const hits = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    const wide = boxes.filter(([, box]) => box.right > innerWidth + 1 || box.left < -1).map(([words]) => words);
    const over = boxes.flatMap(([words, box, node], i) => boxes.slice(i + 1)
        .filter(([, other, second]) => !node.contains(second) && hits(box, other))
        .map(([second]) => `${words} / ${second}`));
    return [...wide, ...over];
}"""


@pytest.mark.parametrize("screen", LOW)
def test_nothing_covers_anything_on_low_screens_and_at_200_per_cent(desk, open_page, picture, screen):
    page = open_page("about:blank")
    width, height = LOW[screen]
    page.set_viewport_size({"width": width, "height": height})
    page.request.post(f"{desk.address}/api/v1/language", data={"language": "ru"}, headers={"X-Sightline": "1"})
    rule(page, desk)
    for name in NAMES:
        page.click(f"[data-view={name}]")
        settled(page)
        assert page.evaluate(OVERLAPS) == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        picture(page, f"low-{width}-{name}")


def test_the_table_takes_taps_while_the_other_views_are_on_their_way(desk, open_page):
    page = open_page("about:blank")
    held = []

    def hold(request):
        held.append(request)

    page.route("**/further_views.js*", hold)
    rule(page, desk)
    page.click("[data-view=figures]")
    view = page.locator("#view-figures")
    expect(view).to_have_attribute("inert", "")
    expect(view.locator(".fighter")).to_have_count(0)

    held[-1].continue_()
    expect(view.locator(".fighter").first).to_be_visible()
    assert view.get_attribute("inert") is None


def test_views_that_the_network_did_not_bring_come_when_it_is_back(desk, open_page):
    open_page.expected.append("ERR_")
    page = open_page("about:blank")
    lost = []

    def lose(request):
        lost.append(request)
        if len(lost) == 1:
            request.abort()
        else:
            request.continue_()

    page.route("**/further_views.js*", lose)
    page.goto(desk.address)
    page.click("[data-view=figures]")
    expect(page.locator("#view-figures .fighter").first).to_be_visible()
    assert page.locator("#view-figures").get_attribute("inert") is None
    assert len(lost) == 2


def test_a_view_whose_part_was_lost_comes_with_a_new_page(desk, open_page):
    open_page.expected.append("ERR_")
    page = open_page("about:blank")
    page.route("**/match/history.js*", lambda request: request.abort(), times=1)
    page.goto(desk.address)
    page.click("[data-view=figures]")
    expect(page.locator("#view-figures .fighter").first).to_be_visible(timeout=15_000)
    assert page.locator("#view-figures").get_attribute("inert") is None


@pytest.mark.parametrize("size", SIZES)
def test_damage_is_one_large_tap_and_every_tablet_sees_it(desk, open_page, size):
    first, second = open_page(desk.address, size), open_page(desk.address, "phone")
    for page in (first, second):
        page.click("[data-view=figures]")
    medic = first.locator(".fighter", has_text="Medic 1")
    boxes = [button.bounding_box() for button in medic.locator(".step").all()]
    assert len(boxes) == 3
    assert all(box["width"] >= 64 and box["height"] >= 64 for box in boxes)

    first.get_by_label("One wound to Medic 1").click()
    for page in (first, second):
        expect(page.locator(".fighter", has_text="Medic 1").locator(".meter b")).to_have_text("9")
    expect(second.locator(".fighter", has_text="Medic 1").get_by_role("img")).to_have_attribute(
        "aria-label", "Damage tokens: 1"
    )
    second.get_by_label("Medic 1 stunned").click()
    expect(first.locator(".fighter", has_text="Medic 1").locator(".badges")).to_have_text("stunned")


@pytest.mark.parametrize("size", SIZES)
def test_the_next_step_is_under_the_thumb(desk, open_page, size):
    page = open_page(desk.address, size)
    page.click("[data-view=initiative]")
    next_step = page.locator("#prompts .primary")
    box = next_step.bounding_box()
    assert box["height"] >= 64
    assert box["y"] + box["height"] / 2 > page.viewport_size["height"] * 0.6
    expect(page.locator("#acting")).to_have_text("Next: initiative")
    next_step.click()

    expect(page.locator("#acting")).to_have_text(re.compile("^(Invader|Ranger|Medic).* acts$"))


def test_a_ruling_of_the_past_is_opened_with_its_picture(desk, open_page):
    page = open_page("about:blank")
    rule(page, desk)
    headline = page.locator("#headline").inner_text()
    page.click("#again")
    page.click("[data-view=history]")
    ruling = page.locator(".ruling").first
    expect(ruling).to_contain_text(headline)
    assert ruling.locator(".thumbnail image").get_attribute("href").endswith("size=small")
    ruling.click()

    expect(page.locator("#view-table")).to_be_visible()
    expect(page.locator("#headline")).to_have_text(headline)


def test_undo_and_jumps_are_seen_by_everybody(desk, open_page):
    page, other = open_page(desk.address), open_page(desk.address, "phone")
    for one in (page, other):
        one.click("[data-view=figures]")
    for amount in ("9", "8"):
        page.get_by_label("One wound to Medic 1").click()
        expect(other.locator(".fighter", has_text="Medic 1").locator(".meter b")).to_have_text(amount)
    other.click("[data-view=history]")
    other.locator(".entry").nth(2).click()
    other.click("#legal-jump")

    expect(page.locator(".fighter", has_text="Medic 1").locator(".meter b")).to_have_text("10")


PROBLEMS = {
    "camera": CameraLost(said("the simulated camera is unplugged; plug it in again")),
    "strip": StripLost(said("The strip is gone from its port. Plug it in again.")),
    "disk": DiskFull(12),
}


@pytest.mark.parametrize("size", SIZES)
def test_each_problem_has_one_sentence_and_one_button(desk, open_page, picture, size):
    pressed: list[str] = []
    for part in PROBLEMS:
        desk.state.problems.watches.add(part)
        desk.state.problems.remedies[part] = lambda part=part: (pressed.append(part), desk.state.problems.clear(part))
    page = open_page(desk.address, size)
    page.click("[data-view=problems]")
    expect(page.locator("#problems-title")).to_have_text("All is well")

    for part, error in PROBLEMS.items():
        desk.state.problems.report(part, error)
    expect(page.locator("#problem-count")).to_have_text("3")
    expect(page.locator(".part.wrong")).to_have_count(3)
    picture(page, f"{size}-problems")
    for part in PROBLEMS:
        row = page.locator(f"[data-part={part}]")
        expect(row.locator("button")).to_have_count(1)
        row.locator("button").click()
        expect(row).to_have_class("part well")

    assert pressed == list(PROBLEMS)
    expect(page.locator("#problem-count")).to_be_hidden()


class Relay:
    """A network between a tablet and the table that can be cut."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._is_cut = False
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, *, is_cut: bool = True) -> None:
        self._is_cut = is_cut
        for one in self._open if is_cut else ():
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.cut()
        for one in (self._listener, *self._open):
            one.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # until it is closed
            while True:
                here, _ = self._listener.accept()
                self._open.append(here)
                if self._is_cut:
                    here.close()
                    continue
                there = socket.create_connection(("127.0.0.1", self._target))
                self._open.append(there)
                for one, other in ((here, there), (there, here)):
                    threading.Thread(target=self._pump, args=(one, other), daemon=True).start()

    @staticmethod
    def _pump(one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)


@pytest.fixture
def relay(desk):
    made = Relay(desk.server.port)
    yield made
    made.close()


def test_a_device_that_was_away_gets_what_it_missed(desk, relay, open_page):
    page = open_page(f"http://127.0.0.1:{relay.port}", "phone")
    page.click("[data-view=figures]")
    health = page.locator(".fighter", has_text="Medic 1").locator(".meter b")
    expect(health).to_have_text("10")
    relay.cut()
    desk.state.match.session.command({"type": "damage", "figure": "medic-1", "amount": 3}, TABLE)
    expect(page.locator("#status")).to_have_attribute("data-state", "lost", timeout=30_000)
    expect(page.locator("#status-text")).to_contain_text("Cut off for")
    relay.cut(is_cut=False)

    expect(page.locator("#status")).not_to_have_attribute("data-state", "lost", timeout=30_000)
    expect(health).to_have_text("7")
    open_page.expected.append("Failed to load resource")  # the browser's own lines about the network that was away


def test_the_installed_page_opens_while_the_table_is_away_and_keeps_no_answers(relay, open_page):
    # Browsers trust the machine itself.
    page = open_page(f"http://127.0.0.1:{relay.port}", "phone", service_workers="allow")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.reload()  # through the worker, which keeps the frame
    page.wait_for_selector("#view-table")
    kept = page.evaluate(
        "caches.open('sightline-frame').then(kept => kept.keys()).then(all => all.map(one => one.url))"
    )
    assert len(kept) > 15
    assert not [url for url in kept if "/api/" in url]
    relay.cut()
    page.reload()

    expect(page.locator("#view-table")).to_be_visible()
    expect(page.locator("#status")).to_have_attribute("data-state", "lost", timeout=30_000)
    open_page.expected.append("Failed to load resource")  # the browser's own lines about the network that was away


def test_a_server_of_another_version_makes_the_page_reload(desk, open_page):
    page = open_page(desk.address)
    page.evaluate("document.body.dataset.version = 'old'; document.body.dataset.wasHere = 'yes'")
    desk.state.problems.report("camera", PROBLEMS["camera"])  # any news asks for the state

    expect(page.locator("body[data-was-here]")).to_have_count(0)
    expect(page.locator("body")).to_be_visible()


def test_the_age_of_a_picture_is_judged_by_the_servers_stamps(desk, open_page):
    """A page that hears late (a busy machine, a slow network) must not take a fresh picture for an old one."""
    page = open_page(desk.address)
    ages = page.evaluate(
        """async () => {
            const { ServerClock, Rhythm } = await import("/static/live/clock.js");
            const clock = new ServerClock();
            const start = performance.now() / 1000;
            clock.heard(1000 - 8);  // written 8 s before it was heard
            clock.heard(1000);
            clock.heard(1000 - 20);
            const rhythm = new Rhythm();
            const first = rhythm.usualS;
            for (const takenAtS of [0, 12, 24, 36]) rhythm.beat(takenAtS);
            const nowS = clock.nowS();
            clock.heard(1000 - 3600);  // somebody put the clock right
            const ages = [nowS, clock.nowS() + 3600].map((s) => s - 1000 - (performance.now() / 1000 - start));
            return [...ages, first, rhythm.usualS];
        }"""
    )
    assert max(map(abs, ages[:2])) < 0.05
    assert ages[2] == 15
    assert 26 < ages[3] < 28  # a slow machine's usual twelve seconds are no fault


@pytest.mark.parametrize("size", SIZES)
def test_a_spectator_is_offered_nothing_that_would_be_refused(desk, open_page, picture, size):
    desk.state.door.devices.guest_role = Role.SPECTATOR
    desk.state.problems.watches.add("camera")
    desk.state.problems.remedies["camera"] = lambda: None
    desk.state.problems.report("camera", PROBLEMS["camera"])
    page = open_page(f"{desk.photo_link}&from=bravo&to=imp-1", size)
    page.wait_for_selector("[data-figure]")
    page.locator('[data-figure="bravo"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#hint")).to_contain_text("This device only watches.")
    expect(page.locator("[data-view=attack]")).to_have_count(0)
    picture(page, f"{size}-spectator-table")
    for name in ("table", "initiative", "figures", "history", "problems"):
        page.click(f"[data-view={name}]")
        settled(page)
        offered = page.locator("main button:visible:enabled, main select:visible, main label.button:visible")
        allowed = "zoom|as-plan|watch|live|ruling|^ entry |^story-open "  # looking back is watching
        words = offered.evaluate_all("all => all.map(one => `${one.id} ${one.className} ${one.textContent.trim()}`)")
        assert [one for one in words if not re.search(allowed, one)] == [], name
        expect(page.locator(".trouble:visible:not(#problems)")).to_have_count(0)
    picture(page, f"{size}-spectator-problems")

    player = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(Role.PLAYER).token}")
    player.wait_for_selector('body[data-role="player"]')
    player.goto(f"{desk.photo_link}&from=foxtrot&to=imp-1")
    page.click("[data-view=table]")
    expect(page.locator("#headline")).to_have_text("Shot into cover")  # a watching device shows others' questions


def test_a_player_who_is_tied_sees_buttons_for_his_figures_alone(desk, open_page):
    desk.state.door.devices.guest_role = Role.SPECTATOR
    page = open_page(desk.address)
    token = desk.state.door.devices.invite(Role.PLAYER, side="marines", figures=("ranger-1",)).token
    page.goto(f"{desk.address}/#join={token}")
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-role", "player")
    page.click("[data-view=figures]")

    expect(page.locator(".fighter", has_text="Ranger 1").locator(".step")).to_have_count(3)
    expect(page.locator(".step")).to_have_count(3)


def test_the_owner_invites_a_figures_player_with_addresses_that_phones_can_open(desk, open_page, picture):
    desk.state.door.addresses = ("http://127.0.0.1:8642", "http://192.168.1.20:8642")
    desk.state.door.names = ("http://sightline-3f2a.local:8642",)
    page = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(Role.OWNER).token}")
    expect(page.locator("body")).to_have_attribute("data-role", "owner")
    page.click("#menu > summary")
    page.select_option("#invite-side", label="Medic 1")
    page.click("#invite button")
    expect(page.locator("#invitation .address")).to_have_text(
        ["http://192.168.1.20:8642", "http://sightline-3f2a.local:8642"]
    )
    picture(page, "tablet-invite")
    code = page.locator("#invitation .code").inner_text()
    device = desk.state.door.devices.join(code.replace(" ", ""), None)[1]

    assert (device.role, device.side, device.figures) == (Role.PLAYER, "marines", ("medic-1",))
    expect(page.locator("a[href='/setup']")).to_be_visible()
    open_page.expected.append("status of 404")  # no matches are kept at this table


def test_back_leads_to_the_real_table_and_not_away(desk, open_page):
    page = open_page(desk.address, "phone")
    page.evaluate("window.isSame = true")
    rule_link = desk.photo_link.rpartition("#")[2]
    page.evaluate(f"location.hash = '{rule_link}'")  # somebody follows a link on the page
    page.wait_for_selector("[data-figure]")
    choose(page, "bravo", "imp-1")
    expect(page.locator("#card")).to_be_visible()
    chosen = page.url

    page.click("[data-view=figures]")
    page.click("[data-view=history]")
    expect(page.locator("#view-history")).to_be_visible()
    page.go_back()
    expect(page.locator("#view-table")).to_be_visible()
    expect(page.locator("#card")).to_be_visible()
    assert page.url == chosen
    page.go_forward()
    expect(page.locator("#view-history")).to_be_visible()
    page.reload()
    page.wait_for_selector("body[data-role]")
    assert page.evaluate("window.isSame") is None
    page.go_back()
    expect(page.locator("#view-table")).to_be_visible()


def test_forward_brings_back_a_view_and_not_the_figures_that_were_chosen_then(desk, open_page):
    page = open_page(desk.photo_link)
    page.wait_for_selector("[data-figure]")
    choose(page, "bravo")
    page.click("[data-view=figures]")
    page.go_back()
    choose(page, "imp-1")
    expect(page.locator("#card")).to_be_visible()
    page.go_forward()
    expect(page.locator("#view-figures")).to_be_visible()
    settled(page)
    page.click("[data-view=table]")
    expect(page.locator("#card")).to_be_visible()
    assert "imp-1" in page.url

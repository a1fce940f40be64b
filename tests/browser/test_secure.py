"""Browser features for secure pages: staying awake, installation, the table's camera."""

from __future__ import annotations

import datetime
import io

import pytest
from page_waits import until
from PIL import Image
from playwright.sync_api import expect

from assistant.hosting.certificates import page_certificate
from web.app import create_app
from web.serving.roles import Role
from web.serving.server import PageServer
from web.serving.tls import server_context


@pytest.fixture
def open_secure(secure, open_page):
    """Opens the secure page; the worker is refused, because this browser does not trust the table."""
    yield lambda **more: open_page(secure, "phone", ignore_https_errors=True, **more)
    open_page.expected.append("SSL certificate error")


@pytest.fixture
def secure(desk, tmp_path):
    """The address of the desk's page over TLS."""
    now = datetime.datetime.now(datetime.UTC)
    made = page_certificate(tmp_path, ("localhost", "127.0.0.1"), now)
    desk.state.door.authority_pem = made.authority_pem
    context = server_context(made.certificate, made.key)
    server = PageServer(create_app(desk.state), host="127.0.0.1", port=0, devices=2, tls=context)
    server.start()
    yield f"https://127.0.0.1:{server.port}"
    desk.state.hub.close()
    server.stop()


def test_a_secure_page_stays_awake_and_can_be_installed(secure, open_secure):
    page = open_secure()
    assert page.evaluate("isSecureContext")
    session = page.context.new_cdp_session(page)
    # A browser without a window has no screen of its own and asks whether it may.
    own = session.send("Target.getTargetInfo")["targetInfo"]["browserContextId"]
    session.send("Browser.grantPermissions", {"permissions": ["wakeLockScreen"], "browserContextId": own})
    page.click("#menu > summary")
    expect(page.locator("#awake")).to_be_enabled()
    expect(page.locator("#secure-note")).to_be_hidden()
    expect(page.locator("a[href='/certificate']")).to_be_visible()
    lock = page.evaluate(
        """Promise.race([
            navigator.wakeLock.request("screen").then(lock => lock.type),
            new Promise(done => setTimeout(done, 9000)),
        ])"""
    )
    assert lock == "screen"

    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"] == f"{secure}/manifest.webmanifest"


def test_the_owners_phone_becomes_the_tables_camera(secure, desk, open_secure):
    frames: list[bytes] = []
    desk.state.readers.take_frame = frames.append
    page = open_secure(permissions=["camera"])
    page.goto(f"{secure}/#join={desk.state.door.devices.invite(Role.OWNER).token}")
    page.reload()
    page.wait_for_selector('body[data-role="owner"]')
    page.click("#be-camera")
    expect(page.locator("#be-camera")).to_have_attribute("aria-pressed", "true")
    until(page, lambda: len(frames) >= 2)
    page.click("#be-camera")

    assert len(frames) >= 2
    assert Image.open(io.BytesIO(frames[0])).format == "JPEG"
    expect(page.locator("#be-camera")).to_have_attribute("aria-pressed", "false")


def test_a_plain_page_says_what_it_lacks(desk, open_page):
    page = open_page(desk.address.replace("127.0.0.1", "localhost"), "phone")

    assert page.evaluate("isSecureContext")  # browsers trust the machine itself
    expect(page.locator("#be-camera")).to_be_hidden()  # nobody waits for a phone's pictures

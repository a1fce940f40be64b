"""The page's transfer size, as counted by the browser, so the machine's load does not matter."""

from __future__ import annotations

import pytest
from page_waits import settled

MOST_BYTES = 300_000
"""Of the first look, without the camera's picture."""


@pytest.mark.parametrize("path", ["/", "/#shot=photo-easy-03&from=bravo&to=imp-1", "/wall", "/setup", "/setup/teach"])
def test_a_page_and_all_it_asks_for_stay_under_300_kilobytes(desk, open_page, path):
    page = open_page("about:blank", "phone")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    addresses: dict[str, str] = {}
    sent: dict[str, float] = {}
    session.on("Network.responseReceived", lambda told: addresses.update({told["requestId"]: told["response"]["url"]}))
    session.on("Network.loadingFinished", lambda told: sent.update({told["requestId"]: told["encodedDataLength"]}))
    page.goto(f"{desk.address}{path}", wait_until="load")
    settled(page)
    total = sum(size for request, size in sent.items() if "/picture" not in addresses[request])

    assert 20_000 < total < MOST_BYTES
    assert len(sent) > 5

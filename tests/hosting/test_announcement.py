"""The page on the network: names, addresses, name announcements."""

from __future__ import annotations

import gc
import logging

import pytest

from assistant.hosting.addresses import list_own_names, page_addresses
from assistant.hosting.announcement import Announcement, table_name
from web.serving.server import PageServer


def test_a_table_keeps_its_name_and_two_tables_have_two(tmp_path):
    first, second = table_name(tmp_path / "a"), table_name(tmp_path / "b")

    assert first == table_name(tmp_path / "a")
    assert first != second
    assert first.startswith("sightline-")


# The library drops its first socket when it cannot open the second.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_failed_announcement_is_only_a_warning(caplog):
    caplog.set_level(logging.WARNING)
    known = []
    telling = Announcement("sightline-test", 8642, ["192.0.2.77"], scheme="http", on_known=known.append)
    telling.start()
    telling._thread.join(20)
    telling.close()
    assert known == []
    assert "use its address in numbers" in caplog.text

    caplog.clear()  # it holds the error, which holds the socket
    gc.collect()


def test_the_port_of_a_real_page_is_announced():
    server = PageServer(lambda environ, start_response: [], host="127.0.0.1", port=0, devices=1)
    server.start()
    try:
        telling = Announcement("sightline-test", server.port, ["192.0.2.77"], scheme="http", on_known=print)
        service = telling._service()
    finally:
        server.stop()
    assert service.port == server.port > 0
    assert service.server == "sightline-test.local."


@pytest.mark.parametrize(("scheme", "first"), [("http", "http://127.0.0.1:8"), ("https", "https://127.0.0.1:8")])
def test_addresses_carry_the_scheme(scheme, first):
    assert page_addresses("0.0.0.0", 8, scheme)[0] == first
    assert page_addresses("::1", 8, scheme) == (f"{scheme}://[::1]:8",)


@pytest.mark.parametrize(
    ("host", "addresses"),
    [("127.0.0.1", ("http://127.0.0.1:8642",)), ("::1", ("http://[::1]:8642",))],
)
def test_the_address_is_one_that_can_be_opened(host, addresses):
    assert page_addresses(host, 8642) == addresses
    assert page_addresses("0.0.0.0", 8642)[0] == "http://127.0.0.1:8642"
    assert "localhost" in list_own_names()
    assert any(name.endswith(".local") for name in list_own_names())

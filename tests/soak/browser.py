"""A tablet: a real Chromium that shows the page, and its faults; without one it is left out."""

from __future__ import annotations

import queue
import shutil
import threading
import time
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
AWAY_S = 1.5


class TabletBrowser(threading.Thread):
    """Shows the page in a thread of its own and follows orders.

    Args:
        address: the page.
    """

    orders = ("reload", "network away", "tab closed", "another language")

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self._address = address
        self._orders: queue.Queue[str] = queue.Queue()
        self.is_there = CHROMIUM is not None
        self.errors: list[str] = []
        self.well_since_s: float | None = None
        """Since when the page has told the news of the table without a break, on the monotonic clock."""

    def order(self, name: str) -> None:
        """Let something befall the tablet."""
        self.well_since_s = None
        self._orders.put(name)

    def end(self) -> None:
        """Close the browser."""
        self._orders.put("")
        self.join(20.0)

    def run(self) -> None:
        """Show the page until it is ended."""
        if not self.is_there:
            return
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - only where there is a browser

        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
            context = chromium.new_context(viewport={"width": 1280, "height": 800})
            page: Any = None
            while True:
                try:
                    page = page or self._opened(context)
                    self._look(page)
                    name = self._orders.get(timeout=0.5)
                    if not name:
                        break
                    page = self._befall(context, page, name)
                except queue.Empty:
                    continue
                except Error:  # the page is not there just now: it is opened again
                    self.well_since_s = None
                    if page is None or page.is_closed():
                        page = None
                    time.sleep(0.3)
            chromium.close()

    def _opened(self, context: Any) -> Any:
        page = context.new_page()
        page.set_default_timeout(5000)
        page.on("pageerror", lambda problem: self.errors.append(str(problem)[:300]))
        page.goto(self._address)
        return page

    def _look(self, page: Any) -> None:
        told = page.evaluate("fetch('/api/v1/now').then(answer => answer.status)")
        is_well = told == 200 and page.locator("nav").count() > 0
        self.well_since_s = (self.well_since_s or time.monotonic()) if is_well else None

    def _befall(self, context: Any, page: Any, name: str) -> Any:
        self.well_since_s = None
        if name == "reload":
            page.reload()
        elif name == "network away":
            context.set_offline(True)
            time.sleep(AWAY_S)
            context.set_offline(False)
        elif name == "tab closed":
            page.close()
            return None
        else:
            page.goto(f"{self._address}/?lang=ru")
        return page

"""Waits of the browser tests: for a condition, never for a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

COUNTS_QUESTIONS = """(() => {
    const ask = window.fetch;
    window.questions = 0;
    window.fetch = (...all) => {
        window.questions += 1;
        return ask(...all).finally(() => { window.questions -= 1; });
    };
})()"""
"""Put into each page before its scripts: how many questions to the server have no answer yet."""

STILL = """async () => {
    for (let turn = 0; turn < 10; turn++) {
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const moving = document.getAnimations().filter((one) => one.playState === 'running'
            && one.effect.getComputedTiming().endTime !== Infinity);
        if (!moving.length) return;
        const over = Promise.allSettled(moving.map((one) => one.finished));
        await Promise.race([over, new Promise((done) => setTimeout(done, 1500))]);
    }
}"""
"""Until every line is drawn and everything has glided to its place. Endless animations are not waited for."""

QUIET = """async () => {
    for (let frames = 0, all = 0; frames < 4 && all < 250; all++) {
        await new Promise((done) => setTimeout(() => requestAnimationFrame(done), 20));
        frames = document.readyState === 'complete' && !window.questions ? frames + 1 : 0;
    }
}"""
"""Until the page is loaded and for four frames no question to the server has been without its answer.

A page that asks on and on, such as one that shows a camera, is not waited for longer than some seconds.
"""

PATIENCE_S = 30


def settled(page: Page) -> None:
    """Wait until a page has its answers and stops moving."""
    page.evaluate(QUIET)
    page.evaluate(STILL)


def until(page: Page, is_so: Callable[[], object]) -> None:
    """Wait until a condition outside the page holds, while the page goes on.

    Raises:
        AssertionError: it does not hold in time.
    """
    end_s = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end_s, "this never came"
        page.wait_for_timeout(20)


def choose_file(page: Page, field: str, files: Any) -> None:
    """Choose files as a person does: only once the page takes taps. A page not wired yet hears of no choice."""
    page.locator(f"body:not([inert]) {field}").set_input_files(files)

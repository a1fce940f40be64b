"""Measure how well the lens follows a table: error against the truth picture by picture, and the time of each.

``python -m tests.bench_lens out/bench-lens`` renders a film of a hand that walks round the sample table (150 pictures,
1280 x 720), plays it in Chromium as the phone's camera, and writes ``lens.csv`` and ``lens.png``, some of the pictures.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from playwright.sync_api import Page, sync_playwright

from assistant.app.live.shots import SetUp, Shot
from assistant.table.camera import Calibration
from tests.loaders.lens_film import SHOWN, TIMES_FRAMES, LensFilm, render_film
from tests.web import page_builders as build
from vision.simulation.truth import truth_document
from web.app import create_app
from web.serving.server import PageServer

WIDTH, HEIGHT, COUNT = 1280, 720, 150
EVERY = 4
"""Each picture is shown four times at thirty a second, so that few are missed."""

ROUNDS = 3
PICTURES = 8


def main() -> int:
    """Measure, and prints what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    film = render_film(out / "walk.mjpeg", WIDTH, HEIGHT, COUNT, every=EVERY)
    state = build.page_state(boot="bench", max_streams=8)
    state.shown.show(sample_shot(film))
    server = PageServer(create_app(state), host="127.0.0.1", port=0, devices=4)
    server.start()
    browser_path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    arguments = ["--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    with sync_playwright() as playwright:
        phone = playwright.chromium.launch(
            executable_path=browser_path, args=[*arguments, f"--use-file-for-fake-video-capture={film.path}"]
        )
        page = phone.new_page(viewport={"width": 844, "height": 390})
        page.add_init_script(TIMES_FRAMES)
        page.goto(f"http://127.0.0.1:{server.port}/lens")
        rows = watch(page, film, out)
        times_ms = page.evaluate("window.frameTimes")
        phone.close()
    state.hub.close()
    server.stop()
    with (out / "lens.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("picture", "error in % of the width"), *sorted(rows.items())])
    off = np.array(list(rows.values()))
    click.echo(f"{len(off)} of {COUNT} pictures seen; within 2 % of the width {100 * np.mean(off < 2):.1f} of 100")
    click.echo(
        f"error in %: median {np.median(off):.3f}, 95 of 100 {np.quantile(off, 0.95):.3f}, worst {off.max():.3f}"
    )
    click.echo(f"a picture takes {np.median(times_ms):.1f} ms, 95 of 100 {np.quantile(times_ms, 0.95):.1f} ms")
    return 0


def sample_shot(film: LensFilm) -> Shot:
    """Return the film's table as the table's camera would have read it."""
    scene, true = film.scene, build.true_shot("easy-03")
    setup = SetUp("sample", scene.roster, scene.printed.tile_set, {})
    calibration = Calibration(scene.markers, scene.view.lens)
    read = replace(true.read, observation=build.as_seen(truth_document(scene)), calibration=calibration)
    return replace(true, id="live-lens", source="live", read=read, setup=setup)


def watch(page: Page, film: LensFilm, out: Path) -> dict[int, float]:
    """Return the worst error of each picture in per cent of the width, and some of them side by side."""
    found: dict[int, float] = {}
    strip: list[np.ndarray[Any, Any]] = []
    end_s = time.monotonic() + ROUNDS * COUNT * EVERY / 30
    while len(found) < COUNT and time.monotonic() < end_s:
        shown = page.evaluate(SHOWN)
        if shown["number"] in found or shown["isHidden"] or not shown["poles"]:
            continue
        found[shown["number"]] = 100 * max(film.poles_off(shown))
        if len(strip) < PICTURES and len(found) % (COUNT // PICTURES) == 1:
            strip.append(cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR))
    rows = [np.hstack(strip[i : i + 2]) for i in range(0, len(strip) - 1, 2)]
    cv2.imwrite(str(out / "lens.png"), np.vstack(rows))
    return found


if __name__ == "__main__":
    sys.exit(main())

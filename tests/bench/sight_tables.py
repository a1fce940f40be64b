"""Markers, pose, reading and watching, as tables of the page."""

from __future__ import annotations

import json
import statistics
import time
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

from assistant import documents
from calibration.arrays import GrayImage
from calibration.markers import find_markers
from calibration.pose import solve_view
from tests.bench.figures import Growth, Row, Table, timed_ms
from tests.bench_live import looped, ratio
from tests.bench_vision import StageTimer
from vision.photo.decoding import decode_photo
from vision.photo.rectify import PlaneFrame, rectify
from vision.reading import TableReader
from vision.tiles.prints import load_prints

SCENES = Path(__file__).resolve().parents[1] / "data" / "scenes"
PHOTOS = ("easy-03", "normal-01", "hard-02", "hard-05")
REPEATS = 5
PX_PER_MM = 2.0
"""Typical of a photo of the whole table."""


def marker_table() -> Table:
    """Markers and the camera's pose, beside pupil-apriltags, over the golden photos."""
    import pupil_apriltags  # noqa: PLC0415 - the extra `bench`

    table = Table("Markers found and the camera's pose, one photo", "ms a photo")
    ours: list[float] = []
    posed: list[float] = []
    theirs: dict[float, list[float]] = {1.0: [], 2.0: []}
    seen: dict[str, int] = defaultdict(int)
    there = 0
    for name in PHOTOS:
        folder = SCENES / "dev" / name
        gray: GrayImage = np.asarray(
            cv2.cvtColor(decode_photo((folder / "photo.jpg").read_bytes()), cv2.COLOR_BGR2GRAY), np.uint8
        )
        markers = documents.table_from_json((folder / "table.json").read_bytes())
        lens = documents.camera_from_json((folder / "camera.json").read_bytes())
        ids = {marker.id for marker in markers.markers}
        there += len(json.loads((folder / "truth.json").read_text())["camera"]["markers_seen"])
        found = find_markers(gray, markers.marker_family, ids, lens=lens)
        seen["ours"] += len(ids & {one.id for one in found})
        ours += timed_ms(lambda g=gray, i=ids, s=lens, m=markers: find_markers(g, m.marker_family, i, lens=s), REPEATS)  # type: ignore[misc]
        posed += timed_ms(lambda f=found, m=markers, s=lens: solve_view(f, m, s), REPEATS)  # type: ignore[misc]
        for decimate in theirs:
            detector = pupil_apriltags.Detector(families="tag36h11", nthreads=1, quad_decimate=decimate)
            seen[f"theirs {decimate}"] += len(ids & {one.tag_id for one in detector.detect(gray)})
            theirs[decimate] += timed_ms(lambda d=detector, g=gray: d.detect(g), REPEATS)  # type: ignore[misc]
    table.rows += [
        Row(f"Sightline, markers: {seen['ours']} of {there}", tuple(ours), is_ours=True),
        Row("Sightline, pose from them", tuple(posed), is_ours=True),
        *(
            Row(f"pupil-apriltags, decimated by {d:.0f}: {seen[f'theirs {d}']} of {there}", tuple(times))
            for d, times in theirs.items()
        ),
    ]
    table.notes.append("Four rendered photos of the golden data; those markers count that the truth says are in view.")
    return table


def photo_table() -> Table:
    """From a photo's bytes to its observation, by stage, beside decoding and rectifying alone."""
    folder = SCENES / "dev" / "easy-03"
    data = (folder / "photo.jpg").read_bytes()
    prints = load_prints(SCENES / "tiles-dev")
    roster = documents.roster_from_json((folder / "roster.json").read_bytes())
    markers = documents.table_from_json((folder / "table.json").read_bytes())
    lens = documents.camera_from_json((folder / "camera.json").read_bytes())
    photo = decode_photo(data)
    view = TableReader(prints, roster, markers, lens).find_view(photo)
    stages = StageTimer(time.process_time)
    found: dict[str, list[float]] = defaultdict(list)

    def read() -> None:
        TableReader(prints, roster, markers, lens).read(decode_photo(data))
        for name, seconds in stages.take().items():
            found[name].append(seconds * 1000)

    read()
    found.clear()
    whole = timed_ms(read, REPEATS)
    corners = np.array([corner for marker in markers.markers for corner in marker.corners_mm])
    (left, top), (width, depth) = corners.min(0).tolist(), np.ptp(corners, axis=0).tolist()
    frame = PlaneFrame((left, top), 0.0, PX_PER_MM, (round(width * PX_PER_MM), round(depth * PX_PER_MM)))
    table = Table("A photo from its bytes to the observation", "ms a photo")
    table.rows.append(Row("decoding alone", timed_ms(lambda: decode_photo(data), REPEATS)))
    table.rows.append(
        Row("decoding and rectifying alone", timed_ms(lambda: rectify(decode_photo(data), view, frame, 0.0), REPEATS))
    )
    table.rows.append(Row("Sightline, all of it", whole, is_ours=True))
    longest = sorted(found.items(), key=lambda item: -sum(item[1]))[:8]
    table.rows += [Row(f"… {name.replace('_', ' ')}", tuple(times), is_ours=True) for name, times in longest]
    table.notes.append("The first photo of a table, of which nothing is known.")
    return table


def growth() -> Growth:
    """Reading as tiles become more: every golden photo once, their mean for each number of tiles."""
    prints = load_prints(SCENES / "tiles-dev")
    found: dict[int, list[float]] = defaultdict(list)
    for photo in sorted((SCENES / "dev").glob("*/photo.jpg")):
        folder, data = photo.parent, photo.read_bytes()
        tiles = len(json.loads((folder / "truth.json").read_text())["tiles"])
        reader = TableReader(
            prints,
            documents.roster_from_json((folder / "roster.json").read_bytes()),
            documents.table_from_json((folder / "table.json").read_bytes()),
            documents.camera_from_json((folder / "camera.json").read_bytes()),
        )
        found[tiles] += timed_ms(lambda r=reader, d=data: r.read(decode_photo(d)), 1)  # type: ignore[misc]
    grown = Growth("The first photo of a table, read", "tiles on it", "ms a photo")
    grown.lines["golden photos, easy to hard"] = [
        (count, statistics.mean(times)) for count, times in sorted(found.items())
    ]
    return grown


def live_table() -> Table:
    """Watching a table on which nothing happens and one with hands on it, beside decoding its pictures alone."""
    table = Table("Watching, one picture of 1920 x 1080 of a camera that sends 30 a second", "ms a picture")
    for name, is_moving in (("nothing moves", False), ("a hand moves figures", True)):
        jpegs = looped(is_moving=is_moving)
        found = [ratio(60, jpegs) for _ in range(3)]
        alone = tuple(one["decoding_ms"] for one in found)
        table.rows.append(Row(f"decoding alone, {name}", alone))
        watched = tuple(one["decoding_ms"] * one["ratio"] for one in found)
        table.rows.append(Row(f"decoding and watching, {name}", watched, is_ours=True))
    table.notes.append("Of the pictures every one is decoded and the newest is looked at, at the loop's own pace.")
    return table

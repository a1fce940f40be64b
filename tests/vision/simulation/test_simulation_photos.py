"""The picture shows everything at the truth's places."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from assistant.table.camera import TableMarker
from calibration.color import light_from_hex, light_from_srgb, srgb_from_light
from calibration.markers import find_markers
from vision.simulation.camera_effects import (
    CameraLook,
    develop,
    disc_kernel,
    encode_jpeg,
    expose,
    motion_kernel,
    with_noise,
)
from vision.simulation.camera_view import Region
from vision.simulation.compose import markers_in_view
from vision.simulation.dataset import write_scenes
from vision.simulation.flat_prints import MARKER_FAMILY
from vision.simulation.render import Renderer
from vision.simulation.scene import Scene, on_table
from vision.simulation.stage_setup import build_stage

Photo = tuple[Renderer, NDArray[np.uint8]]


def test_markers_are_found_where_the_truth_says(small_scene: Scene, small_photo: Photo) -> None:
    gray = cv2.cvtColor(small_photo[1], cv2.COLOR_BGR2GRAY)
    found = {s.id: s.corners_px for s in find_markers(gray, MARKER_FAMILY, lens=small_scene.view.lens)}
    assert set(markers_in_view(small_scene.view, small_scene.markers)) <= found.keys()
    errors = np.concatenate(
        [
            found[marker.id] - small_scene.view.project(np.column_stack([np.array(marker.corners_mm), np.zeros(4)]))
            for marker in small_scene.markers.markers
            if marker.id in found
        ]
    )
    assert np.linalg.norm(errors, axis=1).max() < 1.0
    assert np.abs(errors.mean(0)).max() < 0.15


@pytest.mark.parametrize("name", ["small", "hard"])
def test_the_edges_of_a_marker_are_exact_to_a_fiftieth_of_a_pixel(request: pytest.FixtureRequest, name: str) -> None:
    scene: Scene = request.getfixturevalue(f"{name}_scene")
    stage = build_stage(scene)
    even = replace(stage.lighting, lamp_bgr=(0.0, 0.0, 0.0), room_bgr=(1.0, 1.0, 1.0))
    lens = scene.view.lens
    bare = Renderer(replace(stage, bodies=(), lighting=even, table_gloss=0.0), scene.view)
    light = bare.picture(Region(0, 0, lens.width_px, lens.height_px, 2))[..., 1]
    offsets_mm = [offset for marker in scene.markers.markers for offset in edge_offsets_mm(scene, marker, light)]
    assert len(offsets_mm) >= 20
    assert abs(np.mean(offsets_mm)) * scene.view.pixels_per_mm(scene.lighting.target_mm) < 0.02


def edge_offsets_mm(scene: Scene, marker: TableMarker, light: NDArray[np.floating]) -> list[float]:
    """Return how far outward the half-way point between black and white lies from the true edge, along each side."""
    corners = np.array(marker.corners_mm)
    offsets = []
    for start, end, share in [(k, (k + 1) % 4, s) for k in range(4) for s in (0.3, 0.5, 0.7)]:
        along = corners[end] - corners[start]
        place = corners[start] + along * share
        outward = place - corners.mean(0)
        outward -= along * (outward @ along) / (along @ along)
        steps = np.linspace(-2.4, 2.4, 97)
        line = np.column_stack([place + steps[:, None] * outward / np.linalg.norm(outward), np.zeros(97)])
        spots = scene.view.project(line)
        if (spots < 2).any() or (spots > np.array(light.shape[::-1]) - 3).any():
            continue
        profile = cv2.remap(light, spots.astype(np.float32)[None], None, cv2.INTER_LINEAR)[0]
        half = (profile[:8].mean() + profile[-8:].mean()) / 2
        crossing = np.flatnonzero((profile[:-1] < half) & (profile[1:] >= half))
        if len(crossing) == 1:
            before, after = profile[crossing[0]], profile[crossing[0] + 1]
            offsets.append(float(steps[crossing[0]] + (half - before) / (after - before) * (steps[1] - steps[0])))
    return offsets


def test_every_body_covers_the_pixels_that_the_truth_projects_to(small_scene: Scene, small_photo: Photo) -> None:
    renderer, _ = small_photo
    lens = small_scene.view.lens
    shares = renderer.visible_shares(Region(0, 0, lens.width_px, lens.height_px))
    assert all(0 <= share <= 1 for share in shares.values())
    figures = {name: share for name, share in shares.items() if name.startswith("figure:")}
    assert len(figures) == len(small_scene.figures)
    assert np.mean(list(figures.values())) > 0.6
    assert all(shares[f"door:{door.id}"] > 0.1 for door in small_scene.doors)


def test_a_rim_has_its_ring_color_where_the_truth_puts_the_base(hard_scene: Scene, hard_photo: Photo) -> None:
    renderer, image = hard_photo
    lens = hard_scene.view.lens
    shares = renderer.visible_shares(Region(0, 0, lens.width_px, lens.height_px))
    checked = 0
    for placed in hard_scene.figures:
        figure = placed.figure
        if figure.ring is None or figure.base_shape != "round" or shares[f"figure:{figure.id}"] < 0.95:
            continue
        turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        rim = np.array(placed.center_mm) + (figure.base_mm / 2 - 0.7) * np.stack([np.cos(turn), np.sin(turn)], 1)
        spots = np.round(hard_scene.view.project(np.column_stack([rim, np.full(24, 5.0)]))).astype(int)
        seen = light_from_srgb(image[spots[:, 1], spots[:, 0]])
        hue = np.array(light_from_hex(figure.ring))
        likeness = (seen @ hue) / (np.linalg.norm(seen, axis=1) * np.linalg.norm(hue) + 1e-9)
        assert np.sort(likeness)[12:].mean() > 0.8
        checked += 1
    assert checked >= 1


def test_prints_are_seen_where_the_tiles_lie(small_scene: Scene, small_photo: Photo) -> None:
    _, image = small_photo
    cells = np.array(sorted(small_scene.cells)) + 0.5
    board = small_scene.view.project(np.column_stack([on_table(small_scene.grid, cells), np.full(len(cells), 2.0)]))
    lens = small_scene.view.lens
    assert ((board >= 0) & (board < (lens.width_px, lens.height_px))).all()
    bare = Renderer(replace(build_stage(small_scene), bodies=()), small_scene.view)
    spots = np.round(board).astype(int)
    light = bare.picture(Region(0, 0, lens.width_px, lens.height_px))
    tiles = bare.stage.board.sample(on_table(small_scene.grid, cells).astype(np.float32)[None])[0]
    assert (tiles[:, 3] > 0.99).all()
    seen = light[spots[:, 1], spots[:, 0]]
    # Cell by cell the picture is bright and dark where the print is.
    assert np.corrcoef(seen.mean(1), tiles[:, :3].mean(1))[0, 1] > 0.7
    assert image.std() > 5


def test_a_body_throws_a_shadow_away_from_the_lamp(hard_scene: Scene) -> None:
    renderer = Renderer(build_stage(hard_scene), hard_scene.view)
    on_tiles = renderer.shadows[1]
    darkest = []
    for placed in hard_scene.figures:
        away = np.array(placed.center_mm) - hard_scene.lighting.lamp_mm[:2]
        away /= np.linalg.norm(away)
        reaches = max(placed.figure.base_size_mm) / 2 + np.arange(1.0, 12.0)
        rays = [np.array(placed.center_mm) + sign * reaches[:, None] * away for sign in (1, -1)]
        darkest.append(on_tiles.sample(np.array(rays, np.float32))[..., 0].min(1))
    behind, before = np.mean(darkest, axis=0)
    assert behind < 0.5
    assert before > behind + 0.2


def test_without_its_lamp_a_scene_is_darker_everywhere(small_scene: Scene) -> None:
    stage = build_stage(small_scene)
    dark = replace(stage, lighting=replace(stage.lighting, lamp_bgr=(0.0, 0.0, 0.0)))
    region = Region(200, 100, 160, 120)
    lit, unlit = (Renderer(s, small_scene.view).picture(region) for s in (stage, dark))
    assert (unlit <= lit).all()
    assert unlit.mean() < 0.8 * lit.mean()


def test_exposure_reaches_its_target_and_white_balance_tints() -> None:
    light = np.random.default_rng(0).uniform(0.01, 0.4, (90, 160, 3)).astype(np.float32)
    look = CameraLook(exposure=0.4, vignetting=0.0, white_balance_bgr=(0.8, 1.0, 1.2))
    shown = srgb_from_light(expose(light, look))
    assert shown.mean() == pytest.approx(0.4, abs=0.03)
    assert shown[..., 2].mean() > shown[..., 0].mean() + 0.05


def test_noise_is_as_strong_as_asked_and_has_no_bias() -> None:
    light = np.full((200, 200, 3), 0.2, np.float32)
    weak, strong = (with_noise(light, CameraLook(noise=n), np.random.default_rng(3)) - light for n in (0.5, 2.0))
    assert strong.std() == pytest.approx(4 * weak.std(), rel=1e-3)
    assert abs(float(strong.mean())) < 2e-4


def test_kernels_keep_the_light_and_have_their_size() -> None:
    for kernel in (disc_kernel(2.0), motion_kernel(5.0, 30.0)):
        assert kernel.sum() == pytest.approx(1.0)
    smear = motion_kernel(6.0, 0.0)
    across = np.flatnonzero(smear.sum(0) > 0.01)
    assert across[-1] - across[0] in (5, 6, 7)
    assert np.count_nonzero(smear.sum(1) > 0.05) == 1


def test_developing_is_monotone_and_encoding_is_a_jpeg() -> None:
    ramp = np.repeat(np.linspace(0, 3, 400, dtype=np.float32)[None, :, None], 3, 2)
    steps = develop(ramp)[0, :, 0].astype(int)
    assert (np.diff(steps) >= 0).all()
    assert steps[0] == 0
    assert steps[-1] >= 254
    assert encode_jpeg(develop(ramp), 80).startswith(b"\xff\xd8")


def test_two_runs_write_the_same_files_and_their_truth_scores_one(tmp_path: Path, scorer: Path) -> None:
    for folder in ("a", "b"):
        assert list(write_scenes(tmp_path / folder, seed=40, count=1, bucket="easy")) == ["easy-40"]
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file())
    assert {f.name for f in files} >= {"photo.jpg", "truth.json", "meta.json", "tileset.json", "list.json", "door.png"}
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes(), file
    listing = tmp_path / "a" / "list.json"
    result = tmp_path / "score.json"
    command = [sys.executable, str(scorer), str(listing), "--truth", "--json", str(result)]
    subprocess.run(command, check=True, capture_output=True)
    overall = json.loads(result.read_text())["buckets"]["overall"]
    rates = {k: v for k, v in overall.items() if k not in ("scenes", "failed", "grid_mm", "grid_p90_mm")}
    assert set(rates.values()) == {1.0}
    assert overall["grid_mm"] == 0.0

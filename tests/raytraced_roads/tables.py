"""A simulated skirmish as a job for the ray tracer: its models, terrain and cards, looking as the generator draws them.

What stands where, the box, the cards' prints and the camera's place are those of the simulated table of that seed;
bodies, paints, grounds, woods, stone, dice, light and what the camera makes of it are not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np

from assistant.table.free_table import Terrain
from calibration.color import bgr_from_hex, gamma_from_light, srgb_from_light
from vision.simulation.arrays import Generator
from vision.simulation.camera_view import RenderCamera
from vision.simulation.figures import BASE_HEIGHT_MM
from vision.simulation.free_compose import CAMERAS, random_free_scene
from vision.simulation.free_placing import DressedTable, card_picture, inside_mm, is_free, lay_cards, reach_of
from vision.simulation.free_scene import FreeScene, PlacedModel
from vision.simulation.free_stage import MARK_HALF_DEG, corners_of
from vision.simulation.meshes import Color

WEBCAM_PX, PHONE_PX = (1600, 900), (1632, 1224)
"""The picture of a webcam at thirty frames a second, and a phone's photo after a messenger's compression."""

STYLES = ("soft", "window", "lamp", "warmside", "hardside", "dim")
DICE = (("#b01c1c", "#f0f0f0"), ("#e9e6dc", "#151515"), ("#1d3f8f", "#f0f0f0"), ("#151515", "#f0e060"))
CARD_PX_PER_MM, CARD_MM = 12.0, 0.35
WOODS = 0.7
"""Share of the difficult ground with trees."""

BEAST_BASE_MM = 30.0
"""The generator puts beasts on round bases up to that size only."""

TREE_ROOM_MM = 8.0
"""Least distance of a trunk from a base."""


@dataclass(frozen=True)
class Job:
    """A job for Blender, and the generator's means to turn its result into a photo."""

    document: dict[str, Any]
    shot: Any
    scene: FreeScene


def make_job(generator: ModuleType, seed: int, work: Path, samples: int) -> Job:
    """Return the table of a seed, with the pictures of its prints in ``work``."""
    work.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([seed, 64])
    scene = _with_cards(rng, _in_size(random_free_scene(seed)))
    # The generator reads the size of a picture from its module.
    generator.WID, generator.HEI = scene.view.lens.width_px, scene.view.lens.height_px
    drawn = generator.varied_set(seed)
    shot = _shot(generator, rng, scene, drawn, work)
    width, height = shot.cam.render_size()
    rims = {kind: float(rng.uniform(1.1, 2.0)) for kind in sorted(scene.looks)}
    document = {
        "out": str(work / f"{scene.name}.exr"),
        "res": [width, height],
        "fx": shot.cam.fx,
        "cam": shot.cam.blender(),
        "samples": samples,
        "seed": seed,
        "tabletop": shot.tabletop,
        "markers": [_marker(generator, marker, work) for marker in shot.markers],
        "tiles": [],
        "doors": [],
        "figures": list(_figures(rng, scene, [row[6] for row in drawn["roster"]], rims)),
        "marks": [_mark(model, rims[model.figure.kind]) for model in scene.figures if model.figure.mark],
        "terrain": [_piece(rng, piece, scene.paints[piece.id]) for piece in scene.terrain],
        "trees": [tree for piece in scene.terrain for tree in _trees(rng, piece, scene)],
        "clutter": [*_cards(scene, work), *_dice(rng, scene)],
        "lights": shot.lights,
        "world": shot.world,
    }
    return Job(document, shot, scene)


def _in_size(scene: FreeScene) -> FreeScene:
    is_phone = scene.view.lens.width_px > CAMERAS["webcam"].size_wh[0]
    lens = scene.view.lens.scaled_to(*(PHONE_PX if is_phone else WEBCAM_PX))
    return replace(scene, view=replace(scene.view, lens=lens))


def _with_cards(rng: Generator, scene: FreeScene) -> FreeScene:
    laid = DressedTable(scene.size_mm, scene.roster.figures, scene.figures, scene.terrain, scene.markers)
    return scene if scene.cards else replace(scene, cards=lay_cards(rng, laid))


def _shot(generator: ModuleType, rng: Generator, scene: FreeScene, drawn: dict[str, Any], work: Path) -> Any:
    """Return the generator's scene: camera, markers, light, table top and the camera's processing."""
    shot = generator.Scene()
    shot.seed, shot.tiles, shot.ctr = scene.seed, [], np.array(scene.size_mm) / 2
    shot.cam = _camera(generator, scene.view)
    shot.markers = []
    for marker, margin in zip(scene.markers.markers, scene.marker_margins_mm, strict=True):
        corners = np.array(marker.corners_mm)
        side, middle = math.dist(*corners[:2]), corners.mean(axis=0)
        paper = middle + (corners - middle) * (1 + 2 * margin / side)
        shot.markers.append({"id": marker.id, "corners": corners, "paper": paper, "quiet": margin, "size": side})
    shot.visible_markers = [marker["id"] for marker in shot.markers]
    style = str(rng.choice(STYLES))
    shot.lights, shot.world = generator.lights_for(rng, shot.ctr, "normal", style)
    shot.light_style = style
    generator.extras(shot, drawn, "normal", str(work))  # the light of a room, on three of five tables
    wide = max(scene.size_mm) + float(rng.uniform(150, 500))
    shot.tabletop = {
        **drawn["tables"][int(rng.integers(len(drawn["tables"])))],
        **{"seed": scene.seed, "w": wide, "h": wide, "rot": 90.0 * int(rng.integers(4)) + float(rng.normal(0, 2))},
        **{"x": float(shot.ctr[0]), "y": float(shot.ctr[1]), "floor": str(rng.choice(["#55504a", "#8a7a66"]))},
    }
    shot.look = {
        "white": float(rng.uniform(0.55, 0.85)) * (0.6 if style == "dim" else 1.0),
        "noise": float(rng.uniform(0.5, 1.2)),
        "wb": [float(rng.normal(0, 0.05)), float(rng.normal(0, 0.06))],
        "awb": float(rng.uniform(0.35, 0.85)),
        "defocus": float(rng.uniform(0.3, 0.7)) if rng.random() < 0.2 else 0.0,
        "motion": None,
        "sharpen": float(rng.uniform(0, 0.5)),
        "vignette": float(rng.uniform(0.05, 0.3)),
        "quality": int(rng.integers(82, 94)),
        "seed": scene.seed,
    }
    return shot


def _camera(generator: ModuleType, view: RenderCamera) -> Any:
    """Return the generator's camera in our camera's place, with our lens."""
    (k1, k2, *_), matrix = view.lens.distortion, view.matrix
    camera = generator.Cam((0.0, 0.0), 0.0, 90.0, 0.0, 1.0, matrix[0, 0], matrix[0, 2], matrix[1, 2], k1, k2)
    camera.R, camera.tvec = view.rotation, np.array(view.translation_mm)
    camera.rvec, camera.pos = np.array(view.rotation_vector), view.center_mm * (1, 1, -1)
    return camera


def _marker(generator: ModuleType, marker: dict[str, Any], work: Path) -> dict[str, Any]:
    path, quiet = generator.marker_png(str(work), marker)
    middle = marker["corners"].mean(axis=0)
    paper = middle + (marker["corners"] - middle) * (1 + 2 * quiet)
    return {"image": path, "paper": paper.tolist()}


def _figures(
    rng: Generator, scene: FreeScene, bodies: Sequence[dict[str, Any]], rims: dict[str, float]
) -> Iterator[dict[str, Any]]:
    """Yield each model: a body of its kind as wide as its base allows, and a rim of nearly the box's colour."""
    kinds = {model.figure.kind: model.figure for model in scene.figures}
    looks = {}
    for number, (kind, figure) in enumerate(sorted(kinds.items())):
        if figure.base_shape == "round":
            small = [body for body in bodies[:6] if figure.base_mm <= BEAST_BASE_MM or body["type"] == "humanoid"]
            body = small[number % len(small)]
        else:
            body = bodies[6 + number % 3] | {"len": figure.base_size_mm[0], "wid": figure.base_size_mm[1]}
        base = [figure.base_mm] if figure.base_shape == "round" else list(figure.base_size_mm)
        plastic = body["ground"] if rng.random() < 0.4 else str(rng.choice(["#1c1b1a", "#2a2a2c", "#3a352d"]))
        ring = plastic if figure.ring is None else _nearly(rng, figure.ring)
        rough, spread = float(rng.uniform(0.3, 0.7)), float(rng.uniform(0.7, 1.0))
        looks[kind] = {"kind": kind, "body": body, "base": base, "ring": ring, "rim_rough": rough, "spread": spread}
    for model in scene.figures:
        (x, y), kind = model.center_mm, model.figure.kind
        yield looks[kind] | {
            **{"x": x, "y": y, "z": model.elevation_mm, "rot": model.turn_deg, "turn": float(rng.normal(0, 8))},
            **{"height": model.figure.height_mm, "rim_mm": rims[kind], "seed": scene.seed},
        }


def _nearly(rng: Generator, color: str) -> str:
    """Return a paint that is nearly of that colour."""
    b, g, r = (int(np.clip(level + rng.normal(0, 4), 0, 255)) for level in bgr_from_hex(color))
    return f"#{r:02x}{g:02x}{b:02x}"


def _hex(light: Color, factor: float) -> str:
    b, g, r = (round(255 * min(1.0, float(level))) for level in srgb_from_light(np.array(light) * factor))
    return f"#{r:02x}{g:02x}{b:02x}"


def _mark(model: PlacedModel, rim_mm: float) -> dict[str, Any]:
    figure = model.figure
    if figure.base_shape == "round":
        angles = np.radians(np.linspace(-MARK_HALF_DEG, MARK_HALF_DEG, 7))
        ray = np.column_stack([np.cos(angles), np.sin(angles)])
        outer, inner = ray * (figure.base_mm / 2 + 0.05), ray * (figure.base_mm / 2 - rim_mm)
    else:
        half, wide = figure.base_size_mm[0] / 2 + 0.05, figure.base_size_mm[1] * 0.12
        outer = np.array([[half, -wide], [half, wide]])
        inner = outer - (rim_mm, 0)
    (x, y), top = model.center_mm, BASE_HEIGHT_MM
    return {
        **{"color": figure.mark, "outer": outer.tolist(), "inner": inner.tolist(), "top": top},
        **{"x": x, "y": y, "z": model.elevation_mm, "turn": model.turn_deg},
    }


def _piece(rng: Generator, piece: Terrain, paint: Color) -> dict[str, Any]:
    """Return a brick wall for four corners, and growth or rubble for more."""
    tones = [_hex(paint, factor) for factor in rng.uniform(0.5, 1.6, 3)] if piece.kind != "gap" else ["#060606"]
    is_laid = piece.kind == "wall" and len(piece.outline_mm) == 4
    return {
        **{"id": piece.id, "outline": corners_of(piece).tolist(), "height": float(piece.height_mm), "colors": tones},
        **{"look": "bricks" if is_laid else "rock", "scale": float(rng.uniform(0.15, 0.6))},
        "brick_mm": float(rng.uniform(4, 9)),
    }


def _trees(rng: Generator, piece: Terrain, scene: FreeScene) -> Iterator[dict[str, Any]]:
    if piece.kind != "difficult" or rng.random() > WOODS:
        return
    corners, is_fir, leaves = corners_of(piece), bool(rng.random() < 0.5), int(rng.integers(3))
    stands: list[tuple[float, float]] = []
    for _ in range(30):
        x, y = rng.uniform(corners.min(axis=0), corners.max(axis=0)).tolist()
        wide = float(rng.uniform(9, 15))
        is_clear = all(
            math.dist((x, y), model.center_mm) > reach_of(model.figure) + TREE_ROOM_MM for model in scene.figures
        )
        if is_clear and inside_mm((x, y), piece) > 4 and all(math.dist((x, y), other) > 18 for other in stands):
            stands.append((x, y))
            shape = {"x": x, "y": y, "height": float(rng.uniform(40, 75)), "width": wide}
            yield shape | {"is_fir": is_fir, "leaves": leaves, "seed": int(rng.integers(1 << 30))}
        if len(stands) == 4:
            return


def _cards(scene: FreeScene, work: Path) -> Iterator[dict[str, Any]]:
    for number, card in enumerate(scene.cards):
        path = work / f"{scene.name}-card-{number}.png"
        cv2.imwrite(str(path), gamma_from_light(card_picture(card, CARD_PX_PER_MM)[..., :3]))
        (x, y), (width, depth) = card.center_mm, card.size_mm
        size = {"w": width, "h": depth, "th": CARD_MM, "rot": card.turn_deg}
        yield {"kind": "flat", "x": x, "y": y, "image": str(path), "rough": 0.4, **size}


def _dice(rng: Generator, scene: FreeScene) -> Iterator[dict[str, Any]]:
    laid = DressedTable(scene.size_mm, scene.roster.figures, scene.figures, scene.terrain, scene.markers)
    for _ in range(int(rng.integers(2, 9))):
        side = float(rng.choice([12.0, 16.0]))
        x, y = rng.uniform((30, 30), (scene.size_mm[0] - 30, scene.size_mm[1] - 30)).tolist()
        color, pip = DICE[int(rng.integers(len(DICE)))]
        if is_free((x, y), side, laid, scene.cards):
            look = {"color": color, "pip": pip, "value": int(rng.integers(1, 7)), "rot": float(rng.uniform(0, 90))}
            yield {"kind": "die", "x": x, "y": y, "size": side, **look}

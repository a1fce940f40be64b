"""Vary everything that is plain in ``random_scene``, for training.

The list: painted bodies and bases, rings from pale to muddy, faded prints, gloss, loose tiles, doors at openings and
end to end, doors of several makes, things on the board, cameras straight above, loud cloths, sharpened, clipped and
hard compressed photos. The same seed gives the same scene.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from assistant.table.camera import PointMm
from assistant.table.lattice import Cell, Edge, list_inner_edges
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from calibration.arrays import Floats
from calibration.color import light_from_hex
from vision.simulation.arrays import Generator
from vision.simulation.compose import random_scene
from vision.simulation.evening import things_on_cells
from vision.simulation.figures import DARK, ODD_BUILDS, BodyLook
from vision.simulation.finish import CREAM, Finish, Misprint, random_door
from vision.simulation.game_setup import doors_on, hex_from_hsv, place_figures, printed_edges
from vision.simulation.lighting import Lighting
from vision.simulation.meshes import Color, clip_color
from vision.simulation.scene import Bucket, CameraLook, PlacedTile, Scene
from vision.simulation.table_tops import CLOTHS
from vision.simulation.tile_art import PrintedTiles

OVERHEAD_SHARE, OVERHEAD_DEG = 0.3, (0.0, 7.0)
"""Share and tilt of cameras straight above the table, the usual mount."""

_OBLIQUE_DEG = (25.0, 55.0)
"""Tilt at which bodies of pieces reach far over the next space."""

THINGS_OF_A_GAME = (0, 0, 1, 1, 2, 3, 5)
"""Numbers of things on the board, all equally likely."""

PHOTO_SIZES = ((1280, 720), (1280, 720), (1600, 900), (1920, 1080), (2560, 1440))
_LOOSE_SHARE = 0.35
_ODD_SHARE = 1 / 3
_END_TO_END = 0.4
_PIECES_SHARE, _CROWD_SHARE, _BARE_SHARE = 0.4, 0.3, 0.25
"""Shares of tables with game pieces for miniatures, of crowded ones, and of ones without any ring."""

_SMALLEST_L = 14.0
_CLOTH_SHARE = 0.3


def varied_scene(
    seed: int,
    bucket: Bucket,
    tiles: PrintedTiles | None = None,
    *,
    doors: tuple[int, int],
    things: Sequence[int] = THINGS_OF_A_GAME,
    oblique_pieces: bool = False,
) -> Scene:
    """Draw the scene of a seed and bucket, varied like real tables.

    Args:
        seed: the seed of all random numbers.
        bucket: the difficulty of the photo.
        tiles: the tile set, by default the scene's own.
        doors: fewest and most doors.
        things: numbers of things on the board, all equally likely.
        oblique_pieces: whether all figures are game pieces, large in an oblique photo.
    """
    rng = np.random.default_rng([seed, 41])
    is_overhead = rng.random() < OVERHEAD_SHARE
    tilt_deg = _OBLIQUE_DEG if oblique_pieces else OVERHEAD_DEG if is_overhead else None
    scene = random_scene(seed, bucket, tiles=tiles, tilt_deg=tilt_deg)
    scene = _with_other_roster(rng, scene, 1.0 if oblique_pieces else _PIECES_SHARE)
    if rng.random() < _LOOSE_SHARE:
        scene = replace(scene, tiles=tuple(_loosen(rng, tile) for tile in scene.tiles))
    scene = _place_anew(rng, scene, int(rng.integers(doors[0], doors[1] + 1)))
    sizes = PHOTO_SIZES[-2:] if oblique_pieces else PHOTO_SIZES
    lens = scene.view.lens.scaled_to(*sizes[int(rng.integers(len(sizes)))])
    return replace(
        scene,
        clutter=(*scene.clutter, *things_on_cells(rng, scene, int(rng.choice(things)))),
        table_top=str(rng.choice(list(CLOTHS))) if rng.random() < _CLOTH_SHARE else scene.table_top,
        lighting=_colored(rng, scene.lighting),
        view=replace(scene.view, lens=lens),
        camera=_look(rng, scene.camera, lens.width_px / scene.view.lens.width_px),
        finish=_finish(rng, scene.printed, len(scene.doors)),
    )


def with_odd_builds(scene: Scene) -> Scene:
    """Return the scene with all figures as standees or on pegs, on every third table."""
    rng = np.random.default_rng([scene.seed, 47])
    if rng.random() >= _ODD_SHARE:
        return scene
    build = str(rng.choice(list(ODD_BUILDS)))
    return replace(scene, looks={kind: look._replace(build=build) for kind, look in scene.looks.items()})


def recolored(rng: Generator, printed: PrintedTiles) -> PrintedTiles:
    """Recolour a tile set: pale to garish, flat to high contrast."""
    contrast, brightness = rng.uniform(0.7, 2.0), rng.uniform(-0.12, 0.12)
    saturation = rng.uniform(0.3, 3.0)
    order = rng.permutation(3)
    images = {}
    for name, image in printed.images.items():
        values = image[..., :3].astype(np.float32)[..., order] / 255
        grey = values.mean(axis=2, keepdims=True)
        values = grey + saturation * (values - grey)
        inside = image[..., 3] > 0
        middle = values[inside].mean() if inside.any() else 0.5
        values = middle + contrast * (values - middle) + brightness
        values[~inside] = 0
        images[name] = np.dstack([np.clip(values * 255, 0, 255).astype(np.uint8), image[..., 3]])
    return replace(printed, images=images)


def _with_other_roster(rng: Generator, scene: Scene, pieces_share: float) -> Scene:
    """Return the scene with other rings, and every kind's body and base painted differently."""
    kinds = list(dict.fromkeys(figure.kind for figure in scene.roster.figures))
    has_ring = {figure.kind for figure in scene.roster.figures if figure.ring}
    rings = dict(zip(kinds, _rings(rng, len(kinds)), strict=True))
    figures = tuple(
        replace(figure, ring=rings[figure.kind] if figure.kind in has_ring else None) for figure in scene.roster.figures
    )
    looks = {kind: _painted(rng, scene.looks[kind], rings, kind) for kind in kinds}
    doors = DoorSpec(int(rng.integers(6, 13)), 1, 30.0, 2.0)
    own = rng.spawn(1)[0]
    if own.random() < pieces_share:
        figures, looks = _as_pieces(own, figures, looks)
    elif own.random() < _BARE_SHARE:
        figures = tuple(replace(figure, ring=None) for figure in figures)
    return replace(scene, roster=Roster(figures, doors), looks=looks)


def _as_pieces(
    rng: Generator, figures: Sequence[RosterFigure], looks: Mapping[str, BodyLook]
) -> tuple[tuple[RosterFigure, ...], dict[str, BodyLook]]:
    """Return game pieces: bodies and bases in one colour per side, narrow bases, no rings.

    Wood, resin or clear plastic.
    """
    sides = sorted({figure.side for figure in figures})
    color = {side: _piece_color(rng) for side in sides}
    gloss = float(rng.choice([0.03, 0.15, 0.4, 0.8]))
    clear = float(rng.uniform(0.25, 0.7)) if rng.random() < 0.12 else 0.0
    is_turned, widest = rng.random() < 0.7, float(rng.uniform(14, 23))
    changed, size = dict(looks), dict[str, tuple[float, float]]()
    for figure in figures:
        if figure.kind not in size:
            shade = clip_color(np.array(color[figure.side]) * rng.uniform(0.9, 1.1), 0.003, 0.92)
            build = "turned" if is_turned else looks[figure.kind].build
            look = looks[figure.kind]._replace(build=build, plastic=shade, paints=(), top=shade, ring=None)
            changed[figure.kind] = look._replace(wash=0.0, gloss=gloss, clear=clear)
            size[figure.kind] = (round(widest * rng.uniform(0.72, 1.0), 1), float(round(rng.uniform(18, 46))))
    pieces = tuple(
        replace(f, ring=None)
        if f.size != (1, 1)
        else replace(
            f, ring=None, base_mm=size[f.kind][0], base_size_mm=(size[f.kind][0],) * 2, height_mm=size[f.kind][1]
        )
        for f in figures
    )
    return pieces, changed


def _piece_color(rng: Generator) -> Color:
    """Return bone, light wood, dark wood, black, grey, or any paint."""
    kinds = [(0.62, 0.78, 0.85), (0.30, 0.52, 0.68), (0.05, 0.10, 0.20), (0.02, 0.02, 0.02), (0.3, 0.3, 0.3)]
    choice = int(rng.integers(len(kinds) + 2))
    return clip_color(np.array(kinds[choice]) * rng.uniform(0.8, 1.15), 0.003, 0.92) if choice < 5 else _paint(rng)


def _rings(rng: Generator, count: int) -> list[str]:
    """Draw distinguishable colours from pale to muddy to nearly black, often two of one hue."""
    apart, colors = float(rng.uniform(16, 38)), list[str]()
    while len(colors) < count:
        if colors and rng.random() < 0.2:
            red, green, blue = (int(colors[-1][i : i + 2], 16) / 255 for i in (1, 3, 5))
            hue = colorsys.rgb_to_hsv(red, green, blue)[0]
        else:
            hue = rng.uniform(0, 1)
        color = hex_from_hsv(hue, rng.beta(1.3, 0.9), rng.beta(1.7, 1.0))
        lab = _lab(color)
        if lab[0] >= _SMALLEST_L and all(np.linalg.norm(lab - _lab(other)) >= apart for other in colors):
            colors.append(color)
        apart *= 0.995  # lowers the demand until a crowded palette fits
    return colors


def _lab(color: str) -> Float[Floats, " 3"]:
    """Return CIE L*a*b* of a colour, white at D65."""
    blue, green, red = light_from_hex(color)
    xyz = np.array(
        [
            (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
        ]
    )
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def _painted(rng: Generator, look: BodyLook, rings: dict[str, str], kind: str) -> BodyLook:
    """Return the body in up to four paints. The base's top is dark, of any colour, or that of another kind's ring."""
    paints = tuple(_paint(rng) for _ in range(int(rng.integers(1, 5)))) if rng.random() < 0.65 else look.paints
    chance = rng.random()
    top = DARK
    if chance < 0.5:
        top = _paint(rng)
    elif chance < 0.7:
        top = clip_color(np.array(light_from_hex(rings[str(rng.choice(list(rings)))])), 0.003, 0.92)
    painted = np.array(light_from_hex(rings[kind]))
    if rng.random() < 0.5:
        # Paint is never mixed twice the same, and mud dulls it.
        painted = painted * rng.uniform(0.75, 1.2) * rng.uniform(0.93, 1.07, 3)
        painted = painted + rng.uniform(0, 0.25) * (painted.mean() * 0.8 - painted)
    return look._replace(
        paints=paints,
        plastic=_paint(rng) if rng.random() < 0.4 else look.plastic,
        wash=float(rng.uniform(0, 0.6)),
        rim_mm=float(rng.uniform(0.9, 2.2)),
        top=top,
        ring=clip_color(painted, 0.003, 0.92),
    )


def _paint(rng: Generator) -> Color:
    rgb = colorsys.hsv_to_rgb(rng.uniform(0, 1), rng.beta(1.2, 1.2), rng.uniform(0.12, 0.95))
    return clip_color(np.array(rgb[::-1]) ** 2.2, 0.003, 0.92)


def _loosen(rng: Generator, tile: PlacedTile) -> PlacedTile:
    """Return the tile up to 1.5 mm and 2 degrees off, so that gaps are up to 3 mm wide."""
    x, y = np.clip(rng.normal(0, 0.6, 2), -1.5, 1.5).tolist()
    return replace(tile, misfit_mm=(float(x), float(y)), misfit_deg=float(np.clip(rng.normal(0, 0.6), -2, 2)))


def _place_anew(rng: Generator, scene: Scene, count: int) -> Scene:
    """Return the scene with other doors and the figures placed again between them, all moving with their tiles."""
    parts = [tile.lattice_cells(scene.printed.tile_set.side(tile.id).cells) for tile in scene.tiles]
    doors = doors_on(rng, scene.grid, _door_edges(rng, scene, parts, min(count, scene.roster.doors.count)))
    by_id = {figure.id: figure for figure in scene.roster.figures}
    figures = [by_id[placed.figure.id] for placed in scene.figures]
    own = rng.spawn(1)[0]
    if own.random() < _CROWD_SHARE:
        scene, figures = _crowded(own, scene, figures)
    crowding = 0.7 if rng.random() < 0.4 else 0.1
    placed = place_figures(rng, scene.grid, parts, figures, [door.edge for door in doors], crowding=crowding)
    misfit = {cell: tile.misfit_mm for tile, cells in zip(scene.tiles, parts, strict=True) for cell in cells}
    doors = tuple(
        replace(
            door,
            from_mm=_moved(door.from_mm, misfit, door.edge.cells),
            to_mm=_moved(door.to_mm, misfit, door.edge.cells),
        )
        for door in doors
    )
    placed = tuple(replace(figure, center_mm=_moved(figure.center_mm, misfit, figure.cells)) for figure in placed)
    return replace(scene, doors=doors, figures=placed)


def _crowded(rng: Generator, scene: Scene, figures: Sequence[RosterFigure]) -> tuple[Scene, list[RosterFigure]]:
    """Return the scene with more figures in its box, up to half of the cells taken."""
    small = [figure for figure in scene.roster.figures if figure.size == (1, 1)]
    count = int(len(scene.cells) * rng.uniform(0.25, 0.55))
    more = [
        replace(figure, id=f"{figure.kind}-{20 + number}")
        for number, figure in enumerate(small[int(i)] for i in rng.integers(len(small), size=count))
    ]
    return replace(scene, roster=replace(scene.roster, figures=(*scene.roster.figures, *more))), [*figures, *more]


def _moved(point_mm: PointMm, misfit: dict[Cell, PointMm], cells: Sequence[Cell]) -> PointMm:
    x, y = (np.array(point_mm) + np.mean([misfit[cell] for cell in cells], axis=0)).tolist()
    return x, y


def _door_edges(rng: Generator, scene: Scene, parts: Sequence[frozenset[Cell]], count: int) -> list[Edge]:
    """Return edges for doors: most between tiles, some end to end with another, the others anywhere inside."""
    printed = printed_edges(scene.printed.tile_set, scene.tiles)
    free = [edge for edge in list_inner_edges(scene.cells) if edge not in printed]
    tile_of = {cell: i for i, cells in enumerate(parts) for cell in cells}
    seams = [edge for edge in free if len({tile_of[cell] for cell in edge.cells}) == 2]
    chosen: list[Edge] = []
    while free and len(chosen) < count:
        beside = [edge for edge in free if any(_ends_meet(edge, other) for other in chosen)]
        draw = rng.random()
        pool = beside if beside and draw < _END_TO_END else seams if seams and draw < 0.85 else free
        edge = pool[int(rng.integers(len(pool)))]
        chosen.append(edge)
        free = [other for other in free if other != edge]
        seams = [other for other in seams if other != edge]
    return chosen


def _ends_meet(edge: Edge, other: Edge) -> bool:
    return edge.is_horizontal == other.is_horizontal and bool({edge.start, edge.end} & {other.start, other.end})


def _colored(rng: Generator, lighting: Lighting) -> Lighting:
    """Return the light in other colours: evening lamps, daylight in a coloured room."""
    warmth, tone = rng.normal(0, 0.14, 2)[:, None] * np.array([-1.0, 0.0, 1.0])
    lamp = np.array(lighting.lamp_bgr) * np.exp(warmth)
    room = np.array(lighting.room_bgr) * np.exp(tone + rng.normal(0, 0.04, 3))
    return replace(lighting, lamp_bgr=tuple(lamp.tolist()), room_bgr=tuple(room.tolist()))


def _look(rng: Generator, look: CameraLook, scale: float) -> CameraLook:
    """Return a hurried phone's camera: blur as wide as in a picture of that size, sharpening, clipping, hard JPEG."""
    warm = rng.normal(0, 0.07)
    motion = (look.motion[0] * max(scale, 0.8), look.motion[1]) if look.motion else None
    return replace(
        look,
        exposure=float(np.clip(look.exposure + rng.normal(0, 0.05), 0.15, 0.6)),
        defocus_px=look.defocus_px * scale,
        motion=motion,
        white_balance_bgr=(float(1 - warm), float(1 + rng.normal(0, 0.03)), float(1 + warm)),
        jpeg_quality=int(rng.integers(40, 96)),
        sharpening=float(rng.uniform(0, 1.0)) if rng.random() < 0.7 else 0.0,
        overexposure=float(rng.uniform(1.0, 1.5)) if rng.random() < 0.25 else 1.0,
    )


def _finish(rng: Generator, printed: PrintedTiles, doors: int) -> Finish:
    gain = rng.uniform(0.82, 1.1, 3).tolist()
    misprint = Misprint(
        gamma=float(rng.uniform(0.82, 1.25)),
        gain_bgr=(gain[0], gain[1], gain[2]),
        grey=float(rng.uniform(0, 0.32)),
        lift=float(rng.uniform(0, 0.09)),
        blur_cells=float(rng.uniform(0, 0.012)),
    )
    side = rng.uniform(0.01, 0.7) * rng.uniform(0.8, 1.0, 3) if rng.random() < 0.7 else np.array(CREAM)
    makes = int(rng.choice([1, 1, 2, max(doors, 1)]))
    looks = tuple(random_door(rng, printed.tile_set.pixels_per_cell * 3) for _ in range(makes))
    stand = _paint(rng) if rng.random() < 0.6 else looks[0].foot
    return Finish(
        misprint=misprint if rng.random() < 0.75 else None,
        gloss=(float(rng.uniform(0, 0.7)), float(np.exp(rng.uniform(np.log(6), np.log(120))))),
        veil=float(rng.uniform(0, 0.07)),
        bounce=float(rng.uniform(0, 0.5)),
        side_bgr=clip_color(side, 0.003, 0.92),
        doors=tuple(replace(look, foot=stand) for look in looks) if rng.random() < 0.8 else (),
    )

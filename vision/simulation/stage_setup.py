"""Build the renderer's stage from a scene: cardboard tiles, figures on bases, doors, markers and clutter."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from assistant.table.camera import PointMm
from calibration.arrays import Floats
from calibration.color import light_from_srgb
from vision.simulation import flat_prints, props, table_tops
from vision.simulation.arrays import Generator
from vision.simulation.figures import BASE_HEIGHT_MM, figure_mesh
from vision.simulation.finish import DoorLook
from vision.simulation.meshes import Mesh
from vision.simulation.scene import Clutter, PlacedDoor, PlacedFigure, Scene, rectangle, rotation, tile_points
from vision.simulation.shading import Body, Stage
from vision.simulation.surfaces import Surface, TableTop, blank_surface, lay
from vision.simulation.tile_art import print_tiles, random_style
from vision.simulation.tile_shapes import TilePlan, border

DAMAGE_MM = 12.0
FLAT_SIZES_MM = {
    "card": (63.0, 88.0),
    "sheet": (148.0, 210.0),
    "token": (22.0, 22.0),
    "door token": (25.4, 30.0),
    "other door token": (25.4, 30.0),
    "foreign tile": (76.2, 76.2),
}
TABLE_SIZE_MM = (1700.0, 1300.0)


def build_stage(scene: Scene) -> Stage:
    """Return the scene's table, prints, bodies and light. Prints are as fine as the camera resolves."""
    rng = np.random.default_rng([scene.seed, 77])
    scale = scene.view.pixels_per_mm(scene.lighting.target_mm)
    pixels_per_mm = float(np.clip(2.2 * scale, 2.5, 6.0))
    return Stage(
        table_top=_table_top(rng, scene),
        table_gloss=table_tops.TABLE_GLOSS.get(scene.table_top, 0.0),
        ground=_ground(scene, pixels_per_mm),
        board=_board(rng, scene, pixels_per_mm),
        bodies=(*_tile_bodies(scene), *door_bodies(scene), *_clutter_bodies(scene), *figure_bodies(scene)),
        lighting=scene.lighting,
        print_gloss=scene.finish.gloss,
        print_veil=scene.finish.veil,
        bounce=scene.finish.bounce,
    )


def figure_body(scene: Scene, placed: PlacedFigure, *, lifted_mm: float = 0.0, at_mm: PointMm | None = None) -> Body:
    """Return one figure in its place, or lifted and moved."""
    look = scene.looks[placed.figure.kind]
    mesh = figure_mesh(placed.figure, look, placed.pose_seed)
    x, y = at_mm or placed.center_mm
    turn = placed.base_turn_deg if placed.figure.base_shape == "rectangle" else placed.yaw_deg
    height = scene.printed.tile_set.thickness_mm + lifted_mm
    if placed.leaning != (0.0, 0.0):
        mesh = _bent(mesh, placed.leaning, turn)
    moved = mesh.moved(yaw_rad=math.radians(turn), offset_mm=(x, y, height))
    return Body(f"figure:{placed.figure.id}", moved, gloss=look.gloss)


def _bent(mesh: Mesh, leaning: PointMm, turn_deg: float) -> Mesh:
    """Return the mesh of a figure whose body leans over its base, before its rotation."""
    lean_x, lean_y = (rotation(-turn_deg) @ leaning).tolist()
    bent = np.array([[1, 0, lean_x], [0, 1, lean_y], [0, 0, 1]])
    return mesh.transformed(bent, (-BASE_HEIGHT_MM * lean_x, -BASE_HEIGHT_MM * lean_y, 0.0))


def fallen_body(scene: Scene, placed: PlacedFigure) -> Body:
    """Return a figure on its side, tipped over the rim of its base in the direction of its facing.

    It rests on the base's rim and on the part of its body that touches the ground first.
    """
    look = scene.looks[placed.figure.kind]
    mesh = figure_mesh(placed.figure, look, placed.pose_seed)
    tipped = mesh.transformed(_tip_over(mesh), (placed.figure.base_size_mm[0] / 2, 0.0, 0.0))
    x, y = placed.center_mm
    height = scene.printed.tile_set.thickness_mm - float(tipped.vertices[:, 2].min())
    moved = tipped.moved(yaw_rad=math.radians(placed.yaw_deg), offset_mm=(x, y, height))
    return Body(f"fallen:{placed.figure.id}", moved, gloss=look.gloss)


def _tip_over(mesh: Mesh) -> Float[Floats, "3 3"]:
    """Return the turn about y by which a figure falls towards x until its body touches the ground."""
    outline = mesh.vertices[:, [0, 2]]
    rim = outline[outline[:, 1] <= BASE_HEIGHT_MM]
    body = outline[outline[:, 1] > BASE_HEIGHT_MM]
    for degrees in range(60, 150):
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        if float((body @ (-sin, cos)).min()) <= float((rim @ (-sin, cos)).min()):
            break
    return np.array([[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]])


def figure_bodies(scene: Scene) -> tuple[Body, ...]:
    """Return all figures in their places, upright and fallen."""
    upright = [figure_body(scene, placed) for placed in scene.figures]
    return (*upright, *(fallen_body(scene, placed) for placed in scene.fallen))


def door_bodies(scene: Scene) -> tuple[Body, ...]:
    """Return all standing doors."""
    looks = scene.finish.doors or (scene.printed.door,)
    return tuple(_door_body(scene, door, looks[i % len(looks)]) for i, door in enumerate(scene.doors))


def _door_body(scene: Scene, door: PlacedDoor, look: DoorLook) -> Body:
    (x0, y0), (x1, y1) = door.from_mm, door.to_mm
    height = scene.printed.tile_set.thickness_mm
    mesh = props.door_mesh(look).moved(
        yaw_rad=math.atan2(y1 - y0, x1 - x0), offset_mm=((x0 + x1) / 2, (y0 + y1) / 2, height)
    )
    return Body(f"door:{door.id}", mesh, light_from_srgb(look.face), gloss=0.03)


def _tile_bodies(scene: Scene) -> tuple[Body, ...]:
    tile_set = scene.printed.tile_set
    bodies = []
    for tile in scene.tiles:
        mesh = props.tile_body(tile_set.side(tile.id).cells, tile_set.thickness_mm, 1.0, scene.finish.side_bgr)
        flat = tile_points(scene, tile, mesh.vertices[:, :2])
        turned = np.array([[0, 0], [1, 0], [0, 1]], float)
        origin, east, south = tile_points(scene, tile, turned)
        axes = np.column_stack([(east - origin) / tile_set.cell_mm, (south - origin) / tile_set.cell_mm])
        normals = mesh.normals.copy()
        normals[:, :2] = normals[:, :2] @ axes.T
        vertices = np.column_stack([flat, mesh.vertices[:, 2]]).astype(np.float32)
        bodies.append(Body(f"tile:{tile.id}", replace(mesh, vertices=vertices, normals=normals), None, 0.0))
    return tuple(bodies)


def _table_top(rng: Generator, scene: Scene) -> TableTop:
    image = {**table_tops.TABLE_TOPS, **table_tops.CLOTHS}[scene.table_top](rng)
    x, y = scene.lighting.target_mm + rng.uniform(-150, 150, 2)
    floor = tuple((np.array([0.02, 0.025, 0.03]) * rng.uniform(0.3, 4)).tolist())
    return TableTop(
        image,
        pixels_per_mm=float(rng.uniform(1.6, 2.4)),
        turn_rad=float(rng.uniform(0, 2 * np.pi)),
        center_mm=(float(x), float(y)),
        size_mm=TABLE_SIZE_MM,
        floor_bgr=(floor[0], floor[1], floor[2]),
    )


def _ground(scene: Scene, pixels_per_mm: float) -> Surface:
    """Return markers and flat clutter on the bare table."""
    flats: list[tuple[Floats, Floats]] = []
    flats += flat_prints.marker_sheets(scene.markers, scene.marker_margins_mm, pixels_per_mm)
    flats += [_flat(scene, thing) for thing in scene.clutter if thing.kind in FLAT_SIZES_MM]
    spreads = np.concatenate([spread for _, spread in flats])
    low, high = spreads.min(0) - 2, spreads.max(0) + 2
    surface = blank_surface((float(low[0]), float(low[1])), (float(high[0]), float(high[1])), pixels_per_mm, 0.0)
    for picture, spread in flats:
        lay(surface, picture, spread)
    return surface


def _flat(scene: Scene, thing: Clutter) -> tuple[Float[Floats, "height width 4"], Float[Floats, "4 2"]]:
    """Return a flat thing's picture and its corners' places."""
    return _flat_picture(scene, thing), rectangle(thing.center_mm, FLAT_SIZES_MM[thing.kind], thing.turn_deg)


def _flat_picture(scene: Scene, thing: Clutter) -> Float[Floats, "height width 4"]:
    rng = np.random.default_rng(thing.seed)
    if thing.kind in ("door token", "other door token"):
        door = scene.printed.door if thing.kind == "door token" else scene.finish.doors[-1]
        face = light_from_srgb(door.face)
        return np.dstack([face, np.ones(face.shape[:2], np.float32)])
    if thing.kind == "foreign tile":
        return _foreign_tile(rng)
    return {"card": flat_prints.card, "sheet": flat_prints.sheet, "token": flat_prints.token}[thing.kind](rng)


def _foreign_tile(rng: Generator) -> Float[Floats, "height width 4"]:
    """Return a tile of three by three cells from another game, missing from the scene's tile set."""
    cells = frozenset((column, row) for column in range(3) for row in range(3))
    plan = TilePlan(cells, dict.fromkeys(border(cells)[::2], "wall"), frozenset({(0, 0)}), {(1, 1): "crate"})
    image = print_tiles(rng, "foreign", [plan], random_style(rng), 64).images
    picture = light_from_srgb(next(iter(image.values()))[..., :3])
    return np.dstack([picture, np.ones(picture.shape[:2], np.float32)])


def _board(rng: Generator, scene: Scene, pixels_per_mm: float) -> Surface:
    """Return the tops of the tiles, with their damage markers."""
    tile_set = scene.printed.tile_set
    placed = []
    for tile in scene.tiles:
        left, top, columns, rows = tile_set.side(tile.id).bounds
        box = np.array([[left, top], [left + columns, top], [left + columns, top + rows], [left, top + rows]])
        placed.append((tile, tile_points(scene, tile, box)))
    corners = np.concatenate([corners for _, corners in placed])
    low, high = corners.min(0) - 2, corners.max(0) + 2
    surface = blank_surface(
        (float(low[0]), float(low[1])), (float(high[0]), float(high[1])), pixels_per_mm, tile_set.thickness_mm
    )
    misprint = scene.finish.misprint
    for tile, spread in placed:
        image = scene.printed.images[tile.id]
        opacity = image[..., 3:].astype(np.float32) / 255
        colors = misprint.of(image[..., :3], tile_set.pixels_per_cell) if misprint else image[..., :3]
        lay(surface, np.dstack([light_from_srgb(colors) * opacity, opacity]), spread)
    marker = flat_prints.damage_marker(rng)
    for place in scene.damage_mm:
        lay(surface, marker, rectangle(place, (DAMAGE_MM, DAMAGE_MM), float(rng.uniform(0, 360))))
    for thing in scene.clutter:
        if thing.on_board and thing.kind in FLAT_SIZES_MM:
            lay(surface, *_flat(scene, thing))
    return surface


def _clutter_bodies(scene: Scene) -> tuple[Body, ...]:
    bodies = []
    for index, thing in enumerate(scene.clutter):
        rng = np.random.default_rng(thing.seed)
        place = (*thing.center_mm, scene.printed.tile_set.thickness_mm if thing.on_board else 0.0)
        yaw = math.radians(thing.turn_deg)
        if thing.kind == "die":
            mesh, texture = props.die(rng, thing.color)
            bodies.append(Body(f"clutter:{index}", mesh.moved(yaw_rad=yaw, offset_mm=place), texture, 0.25))
        elif thing.kind in props.SOLIDS:
            mesh = props.SOLIDS[thing.kind](rng, thing.color).moved(yaw_rad=yaw, offset_mm=place)
            bodies.append(Body(f"clutter:{index}", mesh, None, 0.35))
    return tuple(bodies)

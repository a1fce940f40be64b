"""From photos: the light, the lattice, the tile, figures and doors; and a table read by a taught set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assistant.app.teaching.library import TaughtGames, TeachingTable
from assistant.errors import NoDoorShown, NoFigureShown, NoTileShown
from assistant.table.roster import DoorSpec, Roster
from vision.photo.decoding import decode_photo
from vision.photo.paper_light import paper_light
from vision.reading import TableReader
from vision.simulation.compose import random_scene
from vision.simulation.dataset import take_photo
from vision.simulation.scene import tile_points
from vision.teaching.door_sighting import sight_door
from vision.teaching.figure_sighting import AskedBase, sight_bases
from vision.teaching.lattice_search import find_lattices
from vision.teaching.rim_color import known_ring
from vision.teaching.sighting import sight_tile
from vision.teaching.tile_sets import TaughtSide
from vision.tiles.lattice_fit import Lattice
from vision.tiles.prints import load_prints

RED = "#d13a34"
TAUGHT = 2
"""Tiles of the round trip: each costs a rendered photo."""


def off_mm(lattice, scene):
    """Return a lattice's distance from the tile's true one in its middle, and its rotation error."""
    grid = scene.grid
    true = Lattice(grid.origin_mm, grid.angle_deg, grid.cell_mm)
    tile = scene.tiles[0]
    left, top, columns, rows = scene.printed.tile_set.side(tile.id).bounds
    points = tile_points(scene, tile, np.array([[left + columns // 2, top + rows // 2]], dtype=float))
    off = lattice.lattice_from_table(points)
    turned = (lattice.angle_deg - true.angle_deg - tile.misfit_deg + 45) % 90 - 45
    return float(np.abs(off - np.rint(off)).max()) * grid.cell_mm, abs(turned)


def test_the_lattice_of_a_tile_that_was_never_seen_is_found(shows):
    shown = shows.tile(71)

    found = find_lattices(shown.photo, shown.view, shown.markers, 25.4, 2.0)

    assert min(off_mm(guess, shown.scene) for guess in found)[0] < 2.0


def test_the_tile_is_cut_out_on_its_lattice(shows):
    shown = shows.tile(71)

    sighting = sight_tile(shown.photo, shown.view, shown.markers)

    away, turned = off_mm(sighting.lattice, shown.scene)
    assert away < 0.6
    assert turned < 0.6
    side = shown.scene.printed.tile_set.side(shown.scene.tiles[0].id)
    assert len(sighting.cells) == len(side.cells)


def test_white_balance_comes_from_the_markers_paper(shows):
    shown = shows.tile(71)
    light = paper_light(shown.photo, shown.view, shown.markers)
    tinted = decode_photo(take_photo(replace(shown.scene, camera=warmer(shown.scene.camera)))[0])

    warm = paper_light(tinted, shown.view, shown.markers)

    assert warm.tint[2] / warm.tint[0] > 1.25 * light.tint[2] / light.tint[0]
    papers = [np.mean(marker.corners_mm, axis=0) for marker in shown.markers.markers]
    before, after = light.brightness_at(np.array(papers)), warm.brightness_at(np.array(papers))
    assert np.allclose(np.log(before) - np.log(before).mean(), np.log(after) - np.log(after).mean(), atol=0.15)


def warmer(look):
    blue, green, red = look.white_balance_bgr
    return replace(look, white_balance_bgr=(blue * 0.8, green, red * 1.15))


def test_a_bare_table_has_no_tile_figure_or_door(shows):
    shown = shows.bare(72)

    with pytest.raises(NoTileShown, match="Lay one tile alone"):
        sight_tile(shown.photo, shown.view, shown.markers)
    with pytest.raises(NoDoorShown, match="Lay one door flat"):
        sight_door(shown.photo, shown.view, shown.markers, cell_mm=25.4)
    with pytest.raises(NoFigureShown, match="Stand one figure alone"):
        sight_bases(shown.photo, shown.view, shown.markers)[0]


@pytest.mark.parametrize(("seed", "ring"), [(42, "#1f9d55"), (43, None)])
def test_a_figures_base_is_measured_and_its_ring_named(shows, seed, ring):
    shown = shows.figure(seed, ring=ring)
    placed = shown.scene.figures[0]

    seen = sight_bases(shown.photo, shown.view, shown.markers)[0]

    assert seen.base_mm == pytest.approx(placed.figure.base_mm, abs=2.1)
    assert np.allclose(seen.center_mm, placed.center_mm, atol=1.0)
    assert (seen.ring is None) == (ring is None)
    if ring is not None and seen.ring is not None:
        box = [replace(placed.figure, id=str(i), ring=color) for i, color in enumerate((RED, ring, "#2f6fde"))]
        assert known_ring(seen.ring, box, placed.figure.kind) == ring
        assert known_ring(seen.ring, box[:1], placed.figure.kind) is None
    assert seen.look.std() > 10


@pytest.mark.parametrize(
    ("seed", "base_size_mm", "ring", "size_cells"),
    [(61, (47.4, 22.0), "#8b3fb0", (2, 1)), (64, (47.0, 47.0), None, (2, 2)), (47, (72.0, 47.0), "#1f9d55", (3, 2))],
)
def test_a_rectangular_base_is_measured_along_both_sides(shows, seed, base_size_mm, ring, size_cells):
    shown = shows.figure(seed, ring=ring, base_size_mm=base_size_mm)

    seen = sight_bases(shown.photo, shown.view, shown.markers)[0]

    assert seen.base_shape == "rectangle"
    assert seen.base_size_mm == pytest.approx(base_size_mm, abs=2.1)
    assert seen.size_cells(25.4) == size_cells
    assert np.allclose(seen.center_mm, shown.scene.figures[0].center_mm, atol=1.5)
    assert (seen.ring is None) == (ring is None)


def test_a_person_says_the_shape_of_a_base(shows):
    shown = shows.figure(42, ring="#1f9d55")

    assert sight_bases(shown.photo, shown.view, shown.markers)[0].base_shape == "round"
    assert sight_bases(shown.photo, shown.view, shown.markers, asked=AskedBase("round"))[0].base_shape == "round"
    with pytest.raises(NoFigureShown):
        sight_bases(shows.bare(72).photo, shows.bare(72).view, shows.bare(72).markers, asked=AskedBase("rectangle"))


def test_a_door_is_measured_lying_flat(shows):
    shown = shows.door(51)

    seen = sight_door(shown.photo, shown.view, shown.markers, cell_mm=25.4, thickness_mm=1.0)

    assert seen.width_cells(25.4) == 1
    assert seen.width_mm == pytest.approx(25.4, abs=1.2)
    assert seen.height_mm == pytest.approx(30.0, abs=1.2)


@pytest.mark.timeout(900)
def test_a_taught_set_is_recognised_in_another_photo(shows, tmp_path):
    """Tiles are taught one by one from photos of their own. The taught set alone then reads another table."""
    scene = random_scene(87, "easy")
    names = [tile.id for tile in scene.tiles[:TAUGHT]]
    games = TaughtGames(tmp_path)
    for number, name in enumerate(names):
        shown = shows.tile_of(870 + number, name, scene)
        table = TeachingTable(shown.markers, shown.scene.view.lens)
        reading = table.tile(shown.photo)
        games.keep_sides("taught", [TaughtSide(reading.side(name), reading.image)], table, may_replace=False)
    prints = load_prints(games.profiles.path("tiles", "taught"))
    bare = replace(scene, tiles=scene.tiles[:TAUGHT], figures=(), doors=(), damage_mm=(), clutter=())
    reader = TableReader(prints, Roster((), DoorSpec(0, 1, 30.0, 2.0)), bare.markers, bare.view.lens)

    seen = reader.read(decode_photo(take_photo(bare)[0])).observation

    # Which tiles they are and how they lie. A person confirms the cut-out's shape, and the bench scores it.
    assert sorted(tile.id for tile in seen.tiles) == sorted(names)

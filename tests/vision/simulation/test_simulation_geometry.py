"""The simulated camera follows OpenCV's model, and the z-buffer shows the nearer thing."""

from __future__ import annotations

import numpy as np
import pytest

from vision.simulation.camera_view import Around, Region, RenderCamera, lens_of_width
from vision.simulation.figures import EVERY_BUILD
from vision.simulation.meshes import Mesh, box, capsule, cone, disc, ellipsoid, merge_meshes, plate
from vision.simulation.raster import covered_samples, rasterize

GRAY = (0.2, 0.2, 0.2)


def view_of(tilt_deg: float = 40.0, *, k1: float = -0.12) -> RenderCamera:
    lens = lens_of_width(640, 360, 540.0, k1, 0.02)
    return RenderCamera.looking_at(lens, (100.0, 50.0), Around(800.0, tilt_deg, 70.0, 4.0))


def test_the_camera_looks_at_its_target_from_its_distance() -> None:
    view = view_of()
    assert view.project(np.array([[100.0, 50.0, 0.0]]))[0] == pytest.approx([319.5, 179.5], abs=1e-6)
    assert np.linalg.norm(view.center_mm - (100.0, 50.0, 0.0)) == pytest.approx(800.0)
    assert view.center_mm[2] == pytest.approx(800.0 * np.cos(np.radians(40.0)))


def test_near_things_are_low_in_the_picture_when_the_camera_stands_near() -> None:
    lens = lens_of_width(640, 360, 540.0)
    view = RenderCamera.looking_at(lens, (0.0, 0.0), Around(800.0, 30.0, 90.0))
    near, right = view.project(np.array([[0.0, 50.0, 0.0], [50.0, 0.0, 0.0]]))
    assert near[1] > 185
    assert right[0] > 325


@pytest.mark.parametrize("height_mm", [0.0, 2.0])
@pytest.mark.parametrize("samples", [1, 2])
def test_a_sample_sees_the_place_that_is_projected_onto_it(height_mm: float, samples: int) -> None:
    view = view_of()
    region = Region(80, 60, 120, 90, samples)
    points, inverse_depth = view.plane_points(region, height_mm)
    flat = np.column_stack([points.reshape(-1, 2), np.full(points[..., 0].size, height_mm)])
    back = region.samples_from_image(view.project(flat)).reshape(points.shape)
    columns, rows = region.samples_wh
    expected = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), -1)
    # Rays are interpolated between nodes eight samples apart, so the error falls with the square of their number.
    assert np.abs(back - expected).max() < 0.1 / samples**2
    assert 1 / inverse_depth[45, 60] == pytest.approx(view.camera_points(flat[[45 * columns + 60]])[0, 2], rel=1e-4)


def test_the_nearer_box_hides_the_farther_one() -> None:
    view = view_of(0.0)
    low, high = box((100, 50, 5), (80, 80, 10), GRAY), box((100, 50, 30), (20, 20, 10), GRAY)
    region = Region(0, 0, 640, 360)
    _, hits = rasterize(view, merge_meshes([low, high]), region)
    faces_of_low = len(low.triangles)
    middle = region.samples_from_image(view.project(np.array([[100.0, 50.0, 35.0]])))[0].round().astype(int)
    at_middle = hits.face[hits.sample == middle[1] * 640 + middle[0]]
    assert (at_middle >= faces_of_low).all()
    assert np.count_nonzero(hits.face < faces_of_low) > np.count_nonzero(hits.face >= faces_of_low) > 100


def test_depth_and_place_of_a_hit_are_those_of_the_surface() -> None:
    view = view_of(35.0)
    mesh = box((100, 50, 20), (60, 60, 40), GRAY)
    _, hits = rasterize(view, mesh, Region(0, 0, 640, 360))
    places = np.einsum("nk,nkc->nc", hits.weights, mesh.vertices[mesh.triangles[hits.face]])
    assert 1 / hits.inverse_depth == pytest.approx(view.camera_points(places)[:, 2], rel=1e-3)
    sides = np.minimum(np.abs(np.abs(places[:, :2] - (100, 50)) - 30).min(1), np.abs(places[:, 2] - 40))
    assert sides.max() < 0.1


def test_a_body_outside_the_region_covers_nothing() -> None:
    view = view_of()
    assert not len(covered_samples(view, box((4000, 50, 5), (10, 10, 10), GRAY), Region(0, 0, 640, 360)))


SHAPES = {
    "ellipsoid": ellipsoid((1, 2, 3), (4, 5, 6), GRAY),
    "capsule": capsule((0, 0, 0), (3, 4, 12), (2, 1), GRAY),
    "box": box((1, 2, 3), (4, 5, 6), GRAY),
    "cone": cone((0, 0, 0), (1, 1, 8), 2.0, GRAY),
    "disc": disc((0, 0, 0), 11, 3, top=GRAY, side=GRAY, rim=(0.1, 0.5, 0.1)),
    "plate": plate(np.array([[0, 0, 0], [5, 0, 1], [5, 5, 2], [0, 5, 1]]), 0.5, GRAY),
}


@pytest.mark.parametrize("name", SHAPES)
def test_normals_of_a_convex_part_point_outward_and_are_units(name: str) -> None:
    mesh = SHAPES[name]
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1.0, abs=1e-5)
    outward = mesh.vertices - mesh.vertices.mean(0)
    assert (np.einsum("ij,ij->i", mesh.normals, outward) > -1e-4).all()


def test_a_moved_mesh_keeps_its_size_and_turns_its_normals() -> None:
    mesh = SHAPES["box"].moved(yaw_rad=np.pi / 2, offset_mm=(10, 20, 30))
    assert np.ptp(mesh.vertices, axis=0) == pytest.approx([5, 4, 6], abs=1e-5)
    assert mesh.vertices.mean(0) == pytest.approx([8, 21, 33], abs=1e-5)
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_merged_parts_can_be_taken_apart_again() -> None:
    mesh = merge_meshes([merge_meshes([SHAPES["box"], SHAPES["cone"]]), SHAPES["disc"]])
    parts = mesh.parts()
    assert [len(p) for p in parts] == [len(SHAPES[n].vertices) for n in ("box", "cone", "disc")]
    assert np.array_equal(parts[1], SHAPES["cone"].vertices)


@pytest.mark.parametrize("build", EVERY_BUILD)
def test_every_build_is_a_body_of_some_thirty_millimetres(build: str) -> None:
    mesh: Mesh = EVERY_BUILD[build](np.random.default_rng(1), np.random.default_rng(2), GRAY)
    assert 12 < mesh.height_mm < 45
    assert len(mesh.triangles) > (60 if build == "standee" else 300)
    assert mesh.triangles.max() < len(mesh.vertices)

"""Compare the speed of ``calibration.robust_fit`` with SciPy's general solver, on its typical fits.

    python -m tests.bench.robust_fit

A pose from six markers, a lens from twenty and from sixty pictures of the lens board, a table of thirty markers
from three photos. Both solvers are given the same residuals and slopes, the same start and the same loss.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from unittest import mock

import cv2
import numpy as np
from scipy.optimize import least_squares

from assistant.table.camera import CameraLens, TableMarker, TableMarkers
from calibration import lens_fit, pose, robust_fit, table_bundle
from calibration.lens_board import BoardSighting, LensBoard
from calibration.markers import MarkerSighting
from calibration.table_bundle import Bundle, adjust, square_of
from tests.bench.rules_speed import timed_ms

LENS = CameraLens(1280, 720, ((1051.0, 0, 645.0), (0, 1051.0, 352.0), (0, 0, 1)), (-0.11, 0.02, 0.0005, -0.0004, 0.0))
NOISE_PX, SIDE_MM = 0.1, 40.0
MOST_CALLS = 200
"""SciPy stops after this many; it crawls if a table barely separates two unknowns."""

REPEATS = 5


def cameras(count: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Return poses (6,) some 700 mm from the centre of the view, tilted by up to 35 degrees."""
    turns, places = rng.uniform(-0.6, 0.6, (count, 3)), rng.uniform((-60, -40, 650), (60, 40, 800), (count, 3))
    return list(np.hstack([turns, places]))


def pixels(places_mm: np.ndarray, camera: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a camera's view of places on the table (N, 2), with the noise of sharp corners, (N, 2)."""
    solid = np.column_stack([places_mm, np.zeros(len(places_mm))])
    seen = cv2.projectPoints(solid, camera[:3], camera[3:], np.array(LENS.matrix), np.array(LENS.distortion))[0]
    return seen.reshape(-1, 2) + rng.normal(0, NOISE_PX, (len(places_mm), 2))


def markers(count: int, rng: np.random.Generator) -> dict[int, tuple[float, float, float]]:
    """Return the markers' x, y and rotation, by id."""
    return {
        i: (float(x) * 200, float(y) * 150, float(turn))
        for i, (x, y, turn) in enumerate(rng.uniform(-1, 1, (count, 3)))
    }


def fit_pose() -> None:
    """Fit the pose of a camera over a table with known markers."""
    rng = np.random.default_rng(3)
    squares = {i: square_of(place, SIDE_MM) for i, place in markers(6, rng).items()}
    table = TableMarkers("DICT_APRILTAG_36h11", tuple(TableMarker(i, tuple(map(tuple, s))) for i, s in squares.items()))
    camera = cameras(1, rng)[0]
    pose.solve_view([MarkerSighting(i, pixels(s, camera, rng)) for i, s in squares.items()], table, LENS)


def fit_lens(pictures: int) -> None:
    """The lens, from so many pictures of the board."""
    rng = np.random.default_rng(1)
    board = LensBoard()
    places_mm = np.concatenate([board.corners_mm, board.marker_corners_mm.reshape(-1, 2)])
    places_mm = places_mm - places_mm.mean(axis=0)
    corners = len(board.corners_mm)
    views = [BoardSighting(pixels(places_mm, camera, rng), places_mm, corners) for camera in cameras(pictures, rng)]
    lens_fit.fit_lens(views, (LENS.width_px, LENS.height_px))


def fit_table() -> None:
    """The table, from places and poses that are a little off."""
    rng = np.random.default_rng(2)
    true, poses = markers(30, rng), cameras(3, rng)
    photos = [{i: pixels(square_of(place, SIDE_MM), camera, rng) for i, place in true.items()} for camera in poses]
    rough = {i: (x + rng.normal(0, 2), y + rng.normal(0, 2), turn) for i, (x, y, turn) in true.items()}
    start = Bundle(rough, tuple(camera + rng.normal(0, 0.01, 6) for camera in poses), LENS, {}, 0.0)
    adjust(start, photos, SIDE_MM, fixed_id=0, frees_focal=True)


def problem_of(module: object, fit: Callable[[], None]) -> tuple[Callable, np.ndarray, float]:
    """Return the residuals and slopes, the start and the softness with which a fit calls the solver last."""
    with mock.patch.object(module, "fit_robustly", wraps=robust_fit.fit_robustly) as solver:
        fit()
    return solver.call_args.args


def scipys(residuals_and_slopes: Callable, start: np.ndarray, softness: float) -> np.ndarray:
    """Return SciPy's answer; residuals and slopes of one point are computed once, as ours does."""
    at = functools.lru_cache(maxsize=1)(lambda place: residuals_and_slopes(np.frombuffer(place)))
    return least_squares(
        lambda unknowns: at(unknowns.tobytes())[0],
        start,
        jac=lambda unknowns: at(unknowns.tobytes())[1],
        loss="soft_l1",
        f_scale=softness,
        x_scale="jac",
        ftol=robust_fit.ENOUGH,
        max_nfev=MOST_CALLS,
    ).x


def compared(name: str, module: object, fit: Callable[[], None]) -> str:
    """Return one line: how large a fit is, how long both take, and how far apart their residuals are."""
    problem = residuals_and_slopes, start, _ = problem_of(module, fit)
    ours = robust_fit.fit_robustly(*problem)
    apart_px = float(np.abs(residuals_and_slopes(scipys(*problem))[0] - ours.residuals).max())
    ours_ms, scipy_ms = (timed_ms(lambda f=f: f(*problem), REPEATS) for f in (robust_fit.fit_robustly, scipys))
    size = f"{len(ours.residuals)} residuals, {len(start)} unknowns"
    times = f"ours {ours_ms:.1f} ms, SciPy {scipy_ms:.1f} ms, {scipy_ms / ours_ms:.1f} times as fast"
    return f"{name}: {size}: {times}; at most {apart_px:.4f} pixels apart"


def main() -> None:
    """Print a line for each fit."""
    fits: dict[str, tuple[object, Callable[[], None]]] = {
        "pose": (pose, fit_pose),
        "lens, 20 pictures": (lens_fit, lambda: fit_lens(20)),
        "lens, 60 pictures": (lens_fit, lambda: fit_lens(60)),
        "table": (table_bundle, fit_table),
    }
    for name, (module, fit) in fits.items():
        sys.stdout.write(compared(name, module, fit) + "\n")


if __name__ == "__main__":
    main()

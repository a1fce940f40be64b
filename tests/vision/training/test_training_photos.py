"""The networks' training data: varied tables on disk, and the boards in their photos."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.training.cell_samples import classes_of
from vision.training.labelled import KnownPhoto, compressed, labelled_photos, shrunk, worn
from vision.training.samples import LARGE_BASE, SMALL_BASE, THING, samples_of, thinned_samples_of
from vision.training.tables import write_tables

SENT = (shrunk, compressed)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tables")
    assert list(write_tables(out, seed=300_003, count=2, crowded=True)) == ["easy-300003", "normal-300004"]
    return out


@pytest.fixture(scope="module")
def photos(folder: Path) -> list[KnownPhoto]:
    return list(labelled_photos(folder / "list.json"))


def test_the_same_seed_writes_the_same_files(folder: Path, tmp_path: Path) -> None:
    list(write_tables(tmp_path, seed=300_004, count=1, crowded=True))
    for name in ("photo.jpg", "truth.json", "roster.json", "camera.json", "table.json"):
        again, before = (place / "normal-300004" / name for place in (tmp_path, folder))
        assert again.read_bytes() == before.read_bytes()


def test_the_boards_of_a_list_are_those_of_its_truth(folder: Path, photos: list[KnownPhoto]) -> None:
    assert [photo.name.split("/")[-1] for photo in photos] == ["easy-300003", "normal-300004"]
    for photo in photos:
        truth = json.loads((folder / photo.name.split("/")[-1] / "truth.json").read_text())
        seen = photo.seen()
        assert seen.board.cells == {(column, row) for column, row in truth["board"]["cells"]}
        assert len(seen.doors) == len(truth["doors"]) >= 3
        assert sorted(seen.figures.values()) == sorted(figure["kind"] for figure in truth["figures"])
        assert {ring for ring in seen.rings.values() if ring} <= {f.ring for f in seen.roster.figures}


def test_a_thing_counts_on_the_cells_under_it(folder: Path, photos: list[KnownPhoto], tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "with things")
    place = tmp_path / "with things" / "easy-300003" / "truth.json"
    truth, seen = json.loads(place.read_text()), photos[0].seen()
    taken = {cell for cells in seen.figures for cell in cells}
    free = sorted(seen.board.cells - taken)[0]
    x, y = photos[0].lattice.table_from_lattice(np.array([free]) + 0.6)[0].tolist()
    truth["things"] = [{"kind": "die", "center_mm": [x, y], "turn_deg": 30.0}]
    place.write_text(json.dumps(truth))
    changed = next(iter(labelled_photos(tmp_path / "with things" / "list.json"))).seen()
    cells = sorted(changed.board.cells)
    labels = dict(zip(cells, classes_of(changed, cells).tolist(), strict=True))
    assert [cell for cell in cells if labels[cell] == THING] == [free]
    assert {cell for cell in cells if labels[cell] in (SMALL_BASE, LARGE_BASE)} == taken


def test_a_thing_of_known_size_counts_as_far_as_it_reaches(
    folder: Path, photos: list[KnownPhoto], tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path / "with a stick")
    place = tmp_path / "with a stick" / "easy-300003" / "truth.json"
    truth, lattice, cells = json.loads(place.read_text()), photos[0].lattice, photos[0].seen().board.cells
    row = next([(x, y), (x + 1, y), (x + 2, y)] for x, y in sorted(cells) if {(x + 1, y), (x + 2, y)} <= cells)
    x, y = lattice.table_from_lattice(np.array([row[1]]) + 0.5)[0].tolist()
    stick = {"kind": "stick", "center_mm": [x, y], "turn_deg": lattice.angle_deg}
    for size_mm, under in (([60.0, 8.0], row), ([16.0, 16.0], row[1:2])):
        truth["things"] = [{**stick, "size_mm": size_mm}]
        place.write_text(json.dumps(truth))
        assert next(iter(labelled_photos(tmp_path / "with a stick" / "list.json"))).things == set(under)


def test_print_and_photo_of_free_cells_are_alike(photos: list[KnownPhoto]) -> None:
    for photo in photos:
        seen = photo.seen()
        taken = {cell for cells in seen.figures for cell in cells} | {c for door in seen.doors for c in door.cells}
        free = [likeness for cell, likeness in seen.board.likeness.items() if cell not in taken]
        assert np.median(free) > 0.6


def test_chance_wears_and_moves_a_photo_the_same_way_for_the_same_seed(photos: list[KnownPhoto]) -> None:
    photo = photos[0]
    once, again, other = (photo.seen(np.random.default_rng(seed)).board for seed in (4, 4, 5))
    assert np.array_equal(once.photo, again.photo)
    assert once.poses == again.poses
    assert once.poses != other.poses or not np.array_equal(once.photo, other.photo)


def test_a_worn_photo_has_the_size_of_the_photo(photos: list[KnownPhoto]) -> None:
    for seed in range(8):
        changed = worn(photos[0].photo, np.random.default_rng(seed))
        assert changed.shape == photos[0].photo.shape
        assert changed.dtype == np.uint8


def test_a_photo_sent_small_or_compressed_shows_the_same_board(folder: Path, photos: list[KnownPhoto]) -> None:
    [plain, *_], [small, *_], [sent, *_] = photos, *(list(labelled_photos(folder / "list.json", s)) for s in SENT)
    assert small.photo.shape[1] == 1280
    assert sent.photo.shape == plain.photo.shape
    assert not np.array_equal(sent.photo, plain.photo)
    for other in (small, sent):
        assert other.seen().figures == plain.seen().figures
        assert np.median(list(other.seen().board.likeness.values())) > 0.6


def test_patches_are_labelled_by_what_stands_there(photos: list[KnownPhoto]) -> None:
    for photo in photos:
        seen = photo.seen()
        samples = samples_of(seen)
        assert samples.door_labels.sum() == len(seen.doors)
        small = sum(len(cells) == 1 for cells in seen.figures)
        large = sum(len(cells) for cells in seen.figures if len(cells) > 1)
        assert ((samples.base_labels == SMALL_BASE).sum(), (samples.base_labels == LARGE_BASE).sum()) == (small, large)
        thinned = thinned_samples_of(seen, np.random.default_rng(0))
        assert thinned.door_labels.sum() == len(seen.doors)
        assert len(thinned.door_labels) <= len(samples.door_labels)


def test_photos_whose_markers_cannot_be_read_are_left_out(folder: Path, tmp_path: Path) -> None:
    entry = json.loads((folder / "list.json").read_text())[0]
    moved = {key: str(folder / value) if "/" in value or key == "tiles" else value for key, value in entry.items()}
    camera = json.loads((folder / entry["camera"]).read_text())
    black = np.zeros((camera["height"], camera["width"], 3), np.uint8)
    cv2.imwrite(str(tmp_path / "black.jpg"), black)
    (tmp_path / "list.json").write_text(json.dumps([{**moved, "photo": "black.jpg"}]))
    assert list(labelled_photos(tmp_path / "list.json")) == []

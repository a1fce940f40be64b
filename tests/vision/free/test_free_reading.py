"""Tables without a grid, read from simulated photos: places to the millimetre, contact, stated doubts."""

import json
import math

import pytest

from assistant.cli import run
from assistant.documents import (
    camera_from_json,
    free_sighting_document,
    free_sighting_from_json,
    free_table_from_json,
    roster_from_json,
    table_from_json,
    to_json,
)
from assistant.errors import BadValue
from vision.free.reading import FreeTableReader
from vision.photo.decoding import decode_photo


@pytest.fixture(scope="module")
def folder(golden):
    """A simulated skirmish, as ``sightline simulate --free`` wrote it."""
    return golden / "scenes" / "free-8002"


@pytest.fixture(scope="module")
def reader(folder):
    """The reader of its photos."""
    return FreeTableReader(
        free_table_from_json((folder / "free-table.json").read_bytes()),
        roster_from_json((folder / "roster.json").read_bytes()),
        table_from_json((folder / "table.json").read_bytes()),
        camera_from_json((folder / "camera.json").read_bytes()),
    )


@pytest.fixture(scope="module")
def sighting(folder, reader):
    """The reading of it."""
    return reader.read(decode_photo((folder / "photo.jpg").read_bytes())).sighting


@pytest.fixture(scope="module")
def truth(folder):
    """The true places."""
    return free_table_from_json((folder / "truth.json").read_bytes())


def _nearest(truth, place):
    return min(math.dist(place, [float(v) for v in f.center_mm]) for f in truth.figures)


def test_most_models_are_found_to_the_millimetre(sighting, truth):
    off = sorted(_nearest(truth, place) for place in sighting.seen_mm.values())
    found = [error for error in off if error < 3.0]
    assert len(found) >= 0.5 * len(truth.figures)
    assert len(found) >= 0.9 * len(off)
    assert found[len(found) // 2] < 0.7
    assert found[int(len(found) * 0.95) - 1] < 2.0


def test_who_is_stated_at_nine_tenths_stands_there_on_such_a_base(sighting, truth, folder):
    roster = roster_from_json((folder / "roster.json").read_bytes())
    bases = {f.id: (f.base_size_mm, f.ring) for f in roster.figures}
    kinds = {f.kind: bases[f.id] for f in roster.figures}
    sure = [name for name, spot in sighting.spots.items() if spot.confidence >= 0.9]
    assert len(sure) >= 5
    right = [
        name
        for name in sure
        if any(
            math.dist(sighting.seen_mm[name], [float(v) for v in f.center_mm]) < 3.0
            and bases[f.id] == kinds.get(name.partition("~")[0], bases.get(name))
            for f in truth.figures
        )
    ]
    assert len(right) >= 0.9 * len(sure)


def test_the_document_tells_how_exactly_it_is_known_and_is_read_back(sighting):
    document = to_json(free_sighting_document(sighting)).encode()
    assert free_sighting_from_json(document).table == sighting.table
    back = free_sighting_from_json(document)
    assert back.spots.keys() == sighting.spots.keys()
    assert any(figure.base_size_mm for figure in sighting.table.figures)
    assert all(
        spot.turn_error_deg == pytest.approx(sighting.spots[name].turn_error_deg, abs=1e-2)
        for name, spot in back.spots.items()
    )
    assert all(spot.error_mm == pytest.approx(sighting.spots[name].error_mm, abs=1e-3)
               for name, spot in back.spots.items())  # fmt: skip


def test_detect_prints_a_free_table_that_rulings_are_asked_on(folder, capsys, tmp_path):
    options = [text for name in ("table", "camera", "roster") for text in (f"--{name}", str(folder / f"{name}.json"))]
    call = ["detect", str(folder / "photo.jpg"), *options, "--free-table", str(folder / "free-table.json")]
    assert run(call) == 0
    seen = json.loads(capsys.readouterr().out)
    assert seen["format"] == "sightline.free-table/1"
    assert all(figure["error_mm"] > 0 for figure in seen["figures"])
    path = tmp_path / "seen.json"
    path.write_text(json.dumps(seen))
    first = next(figure for figure in seen["figures"])
    other = next(figure for figure in seen["figures"] if figure["side"] != first["side"])
    assert run(["rule", "roads", str(path), "--from", first["id"], "--to", other["id"]]) == 0
    assert 0 <= json.loads(capsys.readouterr().out)["stability"] <= 1


def test_tiles_and_a_free_table_at_once_are_refused(folder, capsys):
    call = ["detect", str(folder / "photo.jpg"), "--table", "t", "--camera", "c", "--roster", "r", "--tiles", "x"]
    assert run([*call, "--free-table", "f"]) == 2
    assert "--free-table" in capsys.readouterr().err


def test_a_model_without_values_is_named(folder, reader):
    roster = roster_from_json((folder / "roster.json").read_bytes())
    markers = table_from_json((folder / "table.json").read_bytes())
    bare = free_table_from_json(json.dumps({**json.loads((folder / "free-table.json").read_bytes()),
                                            "figures": []}).encode())  # fmt: skip
    with pytest.raises(BadValue, match="has no values"):
        FreeTableReader(bare, roster, markers, None)

"""``sightline detect`` from outside: observations, refusals in one sentence, batches with broken entries."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from PIL import Image

from assistant.cli import run
from assistant.table.board import Board
from vision.simulation.compose import random_scene
from vision.simulation.dataset import write_scene

DOCUMENTS = ("table", "camera", "tiles", "roster")
PROGRAM = [sys.executable, "-c", "from assistant.cli import main; main()"]
DEADLINE_S = 60


class Answer(NamedTuple):
    """The output and exit status of one call of the command line."""

    status: int
    out: str
    err: str


class Scene(NamedTuple):
    """A scene on disk as the command line gets it."""

    photo: Path
    documents: dict[str, Path]

    def entry(self, **change: Any) -> dict[str, Any]:
        """Return its entry in a batch list."""
        named = {"photo": self.photo, **self.documents}
        return {**{name: str(path) for name, path in named.items()}, **change}

    def arguments(self, photo: Path | None = None, **change: Path) -> list[str]:
        """Return its arguments of ``detect``."""
        options = [text for name, path in {**self.documents, **change}.items() for text in (f"--{name}", str(path))]
        return [str(photo or self.photo), *options]


@pytest.fixture(scope="session")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A small simulated table."""
    base = tmp_path_factory.mktemp("detect")
    write_scene(base, random_scene(2011, "easy", name="table"))
    folder = base / "table"
    files = {name: folder / f"{name}.json" for name in ("table", "camera", "roster")}
    return Scene(folder / "photo.jpg", {**files, "tiles": folder / "tiles"})


@pytest.fixture
def detect(capfd: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Call ``sightline detect``; the output of native libraries counts, too."""

    def call(*arguments: object) -> Answer:
        capfd.readouterr()
        status = run(["detect", *map(str, arguments)])
        seen = capfd.readouterr()
        return Answer(status, seen.out, seen.err)

    return call


@pytest.fixture
def listed(tmp_path: Path) -> Callable[[Any], Path]:
    """Writes a batch list."""

    def write(content: Any) -> Path:
        path = tmp_path / "list.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return write


def assert_refused(answer: Answer, status: int, *words: str) -> None:
    """Check that standard output is empty and standard error is one plain sentence with these words."""
    assert answer.status == status, answer.err
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    assert answer.err.startswith("sightline: ")
    for word in words:
        assert word in answer.err


def changed(path: Path, folder: Path, **change: Any) -> Path:
    """Return a document with other fields, beside the test."""
    document = {**json.loads(path.read_text(encoding="utf-8")), **change}
    written = folder / f"changed-{path.name}"
    written.write_text(json.dumps(document), encoding="utf-8")
    return written


def picture(kind: str, size: tuple[int, int] = (64, 64), mode: str = "L") -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size, 128).save(buffer, kind)
    return buffer.getvalue()


def noisy_png() -> bytes:
    noise = np.random.default_rng(3).integers(0, 255, (200, 200, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(noise).save(buffer, "PNG")
    return buffer.getvalue()


def damaged(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


BAD_PHOTOS: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "not a JPEG, PNG, WebP or HEIC picture"),
    "text": (lambda: b"this is a text", "not a JPEG, PNG, WebP or HEIC picture"),
    "one pixel": (lambda: picture("PNG", (1, 1)), "1x1 pixels"),
    "100 megapixels": (lambda: picture("PNG", (10_000, 10_000)), "100 megapixels"),
    "cut PNG": (lambda: noisy_png()[:60_000], "photo"),
    "damaged PNG": (lambda: damaged(noisy_png()), "photo"),
}


@pytest.mark.parametrize("case", BAD_PHOTOS)
def test_a_file_that_is_no_photo_is_refused(scene, detect, tmp_path, case):
    make, word = BAD_PHOTOS[case]
    photo = tmp_path / "photo.png"
    photo.write_bytes(make())
    assert_refused(detect(*scene.arguments(photo)), 2, "photo.png", word)


@pytest.mark.parametrize("size_bytes", [100, 3000, 30_000])
def test_a_truncated_jpeg_is_refused(scene, detect, tmp_path, size_bytes):
    photo = tmp_path / "cut.jpg"
    photo.write_bytes(scene.photo.read_bytes()[:size_bytes])
    assert_refused(detect(*scene.arguments(photo)), 2, "cut.jpg", "Choose a whole JPEG")


@pytest.mark.parametrize("place", ["absent.jpg", "."])
def test_a_photo_that_cannot_be_opened_is_named(scene, detect, tmp_path, place):
    assert_refused(detect(*scene.arguments(tmp_path / place)), 2, str(tmp_path / place), "Check the file's name")


def test_a_missing_photo_is_named_before_the_documents_that_are_missing_too(detect, tmp_path):
    documents = [part for name in DOCUMENTS for part in (f"--{name}", tmp_path / "absent")]
    assert_refused(detect(tmp_path / "missing.jpg", *documents), 2, "missing.jpg", "Check the file's name")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no endless file on this system")
@pytest.mark.parametrize("option", ["photo", "roster"])
def test_a_file_without_end_is_refused(scene, detect, option):
    assert_refused(detect(*scene.arguments(**{option: Path("/dev/zero")})), 2, "/dev/zero", "MB")


def test_a_photo_without_markers_cannot_be_used(scene, detect, tmp_path):
    photo = tmp_path / "blank.png"
    photo.write_bytes(picture("PNG", (1920, 1080)))
    assert_refused(detect(*scene.arguments(photo)), 1, "markers", "Take the photo again")


@pytest.mark.parametrize("turn", [Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_270])
def test_a_photo_that_its_phone_turned_is_read_by_the_turned_lens(scene, detect, tmp_path, turn):
    photo = tmp_path / "turned.png"
    with Image.open(scene.photo) as original:
        original.transpose(turn).save(photo)
    turned, as_taken = (json.loads(detect(*scene.arguments(one)).out) for one in (photo, scene.photo))
    assert abs(turned["camera"]["reprojection_px"] - as_taken["camera"]["reprojection_px"]) < 0.02
    assert [tile["id"] for tile in turned["tiles"]] == [tile["id"] for tile in as_taken["tiles"]]
    assert [one["kind"] for one in turned["figures"]] == [one["kind"] for one in as_taken["figures"]]


@pytest.mark.parametrize("size", [(1000, 700), (1080, 1900)])
def test_a_photo_of_another_shape_cannot_be_used(scene, detect, tmp_path, size):
    photo = tmp_path / "other.png"
    photo.write_bytes(picture("PNG", size))
    assert_refused(detect(*scene.arguments(photo)), 1, f"{size[0]}x{size[1]}", "Send the whole picture")


def test_a_photo_is_read_and_what_is_seen_can_be_ruled_on(scene, detect, tmp_path, capfd):
    debug = tmp_path / "debug"
    answer = detect(*scene.arguments(), "--debug", debug)
    assert (answer.status, answer.err) == (0, "")
    seen = json.loads(answer.out)
    assert seen["format"] == "sightline.observation/1"
    assert {"camera", "grid", "tiles", "doors", "figures", "board"} <= set(seen)
    confidences = [one["confidence"] for part in ("tiles", "doors", "figures") for one in seen[part]]
    assert confidences
    assert all(0 <= confidence <= 1 for confidence in confidences)
    assert len(list(debug.glob("*.png"))) >= 5

    board = tmp_path / "board.json"
    board.write_text(json.dumps(seen["board"]), encoding="utf-8")
    assert run(["rule", "doom2016", str(board), "--pairs"]) == 0
    assert all(json.loads(line)["format"] == "sightline.ruling/1" for line in capfd.readouterr().out.splitlines())


def test_a_roster_of_another_box_is_noticed(scene, detect, monkeypatch):
    monkeypatch.setattr(Board, "has_strangers_alone", property(lambda _: True))
    answer = detect(*scene.arguments())
    assert answer.status == 0
    assert answer.err.startswith("No figure here is of a kind in the roster.")


@pytest.mark.parametrize("mode", ["RGBA", "L"])
def test_a_photo_with_alpha_or_without_color_is_read(scene, detect, tmp_path, mode):
    photo = tmp_path / "photo.png"
    with Image.open(scene.photo) as original:
        original.convert(mode).save(photo)
    answer = detect(*scene.arguments(photo))
    assert answer.status == 0, answer.err
    assert json.loads(answer.out)["board"]["cells"]


def test_photos_of_one_table_are_read_as_one(scene, detect, listed):
    answer = detect(*scene.arguments(), "--also", scene.photo)
    assert (answer.status, answer.err) == (0, "")
    seen = json.loads(answer.out)
    assert [view["camera"]["markers_seen"] for view in seen["views"]] == [seen["camera"]["markers_seen"]] * 2
    also = [{"photo": str(scene.photo)}]
    own = [{"photo": str(scene.photo), "camera": str(scene.documents["camera"])}]
    rows = detect("--batch", listed([scene.entry(also=also), scene.entry(also=own)])).out.splitlines()
    assert [json.loads(row) for row in rows] == [seen, seen]


def test_a_further_photo_that_cannot_be_used_is_named(scene, detect, tmp_path):
    blank = tmp_path / "blank.png"
    blank.write_bytes(picture("PNG", (1920, 1080)))
    assert_refused(detect(*scene.arguments(), "--also", blank), 1, "blank.png", "markers")


def test_a_debug_folder_that_cannot_be_made_is_named_and_no_observation_is_lost(scene, detect, listed, tmp_path):
    seen = json.loads(detect(*scene.arguments()).out)
    (tmp_path / "taken").write_text("a file")
    for asked, read in ((scene.arguments(), 1), (("--batch", listed([scene.entry()] * 2)), 2)):
        answer = detect(*asked, "--debug", tmp_path / "taken")
        assert answer.status == 1
        assert [json.loads(row) for row in answer.out.splitlines()] == [seen] * read
        assert "another folder for --debug" in answer.err


def test_a_debug_picture_that_cannot_be_written_is_reported(scene, detect, tmp_path):
    (tmp_path / "1-markers.png").mkdir()  # stands in for a folder without rights, which binds no administrator
    answer = detect(*scene.arguments(), "--debug", tmp_path)
    assert answer.status == 1
    assert "1-markers.png" in answer.err


DOCUMENTED = ("--table", "t.json", "--tiles", "t", "--roster", "r.json", "--camera", "c.json")

WRONG_ARGUMENTS: dict[str, tuple[tuple[str, ...], str]] = {
    "nothing": ((), "Give a photo"),
    "documents missing": (("photo.jpg", "--table", "t.json"), "Give a photo"),
    "photo and batch": (("photo.jpg", "--batch", "list.json"), "--batch"),
    "documents and batch": (("--roster", "r.json", "--batch", "list.json"), "--batch"),
    "two photos": (("one.jpg", "two.jpg"), "two.jpg"),
    "further photo and batch": (("--also", "two.jpg", "--batch", "list.json"), "--batch"),
    "two lenses of three photos": (
        ("one.jpg", "--also", "two.jpg", "--also", "three.jpg", *DOCUMENTED, "--camera", "d.json"),
        "once for each",
    ),
    "unknown option": (("photo.jpg", "--frob"), "--frob"),
    "option without value": (("photo.jpg", "--table"), "--table"),
}


@pytest.mark.parametrize("case", WRONG_ARGUMENTS)
def test_wrong_arguments_are_named_and_help_is_pointed_to(detect, case):
    arguments, word = WRONG_ARGUMENTS[case]
    assert_refused(detect(*arguments), 2, word, "--help”")


@pytest.mark.parametrize("option", ["table", "camera", "roster"])
def test_a_document_of_an_unknown_format_is_refused_by_its_field(scene, detect, tmp_path, option):
    wrong = changed(scene.documents[option], tmp_path, format=f"sightline.{option}/9")
    assert_refused(detect(*scene.arguments(**{option: wrong})), 2, wrong.name, "format", f"sightline.{option}/1")


@pytest.mark.parametrize("option", DOCUMENTS)
def test_a_document_that_is_not_there_is_named(scene, detect, tmp_path, option):
    assert_refused(detect(*scene.arguments(**{option: tmp_path / "absent"})), 2, "absent", "Check the file's name")


@pytest.mark.parametrize("option", ["table", "camera", "roster"])
def test_a_photo_in_place_of_a_document_is_refused(scene, detect, option):
    assert_refused(detect(*scene.arguments(**{option: scene.photo})), 2, "photo.jpg", "not valid JSON")


@pytest.mark.parametrize("focal_px", [0.0, -1.0, 1e-300, 1e300])
def test_a_lens_that_cannot_be_is_refused_without_noise(scene, detect, tmp_path, focal_px):
    matrix = [[focal_px, 0, 960], [0, 1500.0, 540], [0, 0, 1]]
    wrong = changed(scene.documents["camera"], tmp_path, matrix=matrix)
    assert_refused(detect(*scene.arguments(camera=wrong)), 2, "matrix", "focal length")


@pytest.mark.parametrize(
    "content",
    ["", "{", "{}", "null", "[1]", "[{}]", "[" * 200_000, '[{"more": ' + "[" * 200_000 + "]" * 200_000 + "}]"],
    ids=["empty", "cut", "object", "null", "number", "no keys", "deep", "deep inside"],
)
def test_a_batch_list_that_is_none_is_refused(detect, listed, content):
    assert_refused(detect("--batch", listed(content)), 2, "list.json", "must be a list of objects")


@pytest.mark.parametrize("name", ["photo", "tiles", "roster"])
def test_a_batch_entry_without_a_key_is_named(scene, detect, listed, name):
    lacking = {key: value for key, value in scene.entry().items() if key != name}
    assert_refused(detect("--batch", listed([scene.entry(), lacking])), 2, f"`{name}`", "[1]")


@pytest.mark.parametrize("name", ["photo", *DOCUMENTS])
def test_a_batch_entry_of_a_wrong_type_is_named(scene, detect, listed, name):
    assert_refused(detect("--batch", listed([scene.entry(**{name: 7})])), 2, f"[0].{name}")


def test_a_photo_without_a_table_file_is_read_by_its_tiles(scene, detect, listed):
    """With the camera's lens and without it, alone and in a list: the same tiles and sure figures as by the markers."""
    by_markers = json.loads(detect(*scene.arguments()).out)
    named = {name: scene.documents[name] for name in ("tiles", "roster")}
    alone = [str(scene.photo), *(text for name, path in named.items() for text in (f"--{name}", str(path)))]
    with_lens = json.loads(detect(*alone, "--camera", scene.documents["camera"]).out)
    without = json.loads(detect(*alone).out)
    bare = scene.entry()
    del bare["table"], bare["camera"]
    assert json.loads(detect("--batch", listed([bare])).out) == without
    for seen in (with_lens, without):
        assert sorted(tile["id"] for tile in seen["tiles"]) == sorted(tile["id"] for tile in by_markers["tiles"])
        kinds, expected = (
            sorted(figure["kind"] or "somebody" for figure in one["figures"] if figure["confidence"] >= 0.9)
            for one in (seen, by_markers)
        )
        assert kinds == expected != []
        assert seen["camera"]["markers_seen"] == []
        assert set(seen["camera"]["tiles_seen"]) <= {tile["id"] for tile in seen["tiles"]}
        assert seen["camera"]["light"]["by"] == "prints"
        assert 0 < seen["camera"]["light"]["uncertainty"] < 1
    assert "focal_uncertainty" not in with_lens["camera"]
    assert without["camera"]["focal_uncertainty"] > 0


def test_a_batch_answers_in_order_with_errors_in_their_place(scene, detect, listed, tmp_path):
    cut, blank = tmp_path / "cut.jpg", tmp_path / "blank.png"
    cut.write_bytes(scene.photo.read_bytes()[:3000])
    blank.write_bytes(picture("PNG", (1920, 1080)))
    unknown = changed(scene.documents["roster"], tmp_path, format="sightline.roster/9")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"photo": "cut.jpg"}, "cut short"),  # relative to the list
        ({"photo": str(blank)}, "markers"),
        ({"tiles": str(tmp_path / "absent")}, "absent"),
        ({"roster": str(unknown)}, "sightline.roster/9"),
        *(({name: "a\0b"}, "not a valid file name") for name in ("photo", *DOCUMENTS)),
    ]
    entries = [scene.entry(), *(scene.entry(**change) for change, _ in wrong), scene.entry(more="of it")]
    answer = detect("--batch", listed(entries))
    rows = [json.loads(line) for line in answer.out.splitlines()]

    assert (answer.status, answer.err) == (0, "")
    assert rows[0]["format"] == "sightline.observation/1"
    assert rows[-1] == rows[0]
    for row, (_, word) in zip(rows[1:-1], wrong, strict=True):
        assert row["format"] == "sightline.error/1"
        assert word in row["error"]


def test_an_empty_batch_is_worked_through(detect, listed):
    assert detect("--batch", listed([])) == (0, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="an interrupt is sent otherwise there")
def test_an_interrupt_ends_a_batch_with_one_word(scene, listed):
    many = listed([scene.entry()] * 2_000)  # more than any machine reads before the signal arrives
    pipe = subprocess.PIPE
    # The parent of these tests may ignore interrupts (nohup), and its children would, too.
    heeding = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); " + PROGRAM[-1]
    command = [*PROGRAM[:-1], heeding, "detect", "--batch", str(many)]
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["format"] == "sightline.observation/1"
        asked_s = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 130
    assert time.monotonic() - asked_s < DEADLINE_S
    assert re.fullmatch(r"\s*sightline: Stopped.\n", err)

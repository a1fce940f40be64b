"""A watched table, read cell by cell: the ray-traced sequence of the dev scenes, with hands reaching in."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant import documents
from assistant.table.lattice import corners
from assistant.tracking.changes import ALTERED
from assistant.tracking.state import TrackedTable
from assistant.tracking.tracker import begin_tracking, update_tracking
from calibration.arrays import BgrImage
from vision.evidence.occupancy import Occupancy
from vision.live import partial
from vision.live.frames import Frame
from vision.live.gating import BODY_MM, FrameGate
from vision.live.incremental import CALM_S, SEARCH_AFTER_S, FrameReading, LiveReader
from vision.live.partial import ReadingScope, _somebody, read_again
from vision.live.renewal import is_large, keep_covered_figures, newly_covered, unlike_print
from vision.photo.decoding import decode_photo
from vision.reading import Reading, TableReader
from vision.scene.occupants import find_standing
from vision.tiles.board_view import board_view
from vision.tiles.lattice_fit import Lattice, cells_in
from vision.tiles.placements import cells_of
from vision.tiles.prints import load_prints

SCENES = Path(__file__).parents[2] / "data" / "scenes"
SEQUENCE = SCENES / "dev" / "sequence-01"

HANDS_OVER_THE_BOARD = (1, 3, 5, 7)


@dataclass(frozen=True, eq=False)
class Filmed:
    """The pictures of the sequence, and their reader."""

    reader: TableReader
    prints: object
    roster: object

    def picture(self, number: int) -> BgrImage:
        return decode_photo((SEQUENCE / f"frame-{number:02d}.jpg").read_bytes())

    def truth(self, number: int) -> set[tuple[tuple[int, int], ...]]:
        """Return the places of figures, hidden or not."""
        figures = json.loads((SEQUENCE / f"frame-{number:02d}.truth.json").read_text())["figures"]
        return {tuple(sorted((column, row) for column, row in figure["cells"])) for figure in figures}


@pytest.fixture(scope="module")
def filmed() -> Filmed:
    prints = load_prints(SCENES / "tiles-dev")
    roster = documents.roster_from_json((SEQUENCE / "roster.json").read_bytes())
    table = documents.table_from_json((SEQUENCE / "table.json").read_bytes())
    lens = documents.camera_from_json((SEQUENCE / "camera.json").read_bytes())
    return Filmed(TableReader(prints, roster, table, lens), prints, roster)


@pytest.fixture(scope="module")
def first(filmed):
    """The reading of the first picture."""
    return filmed.reader.read(filmed.picture(0))


class Film:
    """Shows pictures to a reader, each for a while."""

    def __init__(self, filmed: Filmed) -> None:
        self.filmed = filmed
        self.reader = LiveReader(filmed.reader, filmed.prints, filmed.roster)
        self.count = 0
        self.table: TrackedTable | None = None

    def show(self, image: BgrImage, seconds: float = 1.0) -> FrameReading:
        for _ in range(round(4 * seconds)):
            glance = self.reader.look(Frame(image.copy(), self.count, self.count / 4, "film"))
            self.count += 1
            self.table = (
                begin_tracking(glance.look, self.filmed.roster)
                if self.table is None
                else update_tracking(self.table, glance.look)
            )
        return glance


@pytest.fixture
def film(filmed):
    return Film(filmed)


@pytest.fixture
def whole_readings(film, monkeypatch) -> list[None]:
    """One entry for each reading of the whole picture."""
    readings: list[None] = []
    read = film.reader._read_whole
    monkeypatch.setattr(film.reader, "_read_whole", lambda: readings.append(None) or read())
    return readings


def places(glance):
    return {figure.cells for figure in glance.look.observation.figures}


def test_a_still_table_is_read_twice_and_then_left_alone(film, filmed):
    glance = film.show(filmed.picture(0))
    assert places(glance) == filmed.truth(0)
    assert glance.is_current
    assert glance.look.hidden == frozenset()
    readings = glance.look.reading

    assert film.show(filmed.picture(0), 2.0).look.reading == readings
    assert readings == 2


def test_a_patch_of_other_light_that_stays_is_no_hand_for_ever(film, filmed):
    film.show(filmed.picture(0))
    lit = filmed.picture(0).astype(float)
    height, width = lit.shape[:2]
    lit[height * 2 // 5 : height * 3 // 5, width * 2 // 5 : width * 3 // 5] *= 0.7
    shaded = lit.astype(np.uint8)
    assert film.show(shaded, 3.0).look.hidden
    glance = film.show(shaded, 6.0)
    assert glance.is_current
    assert places(glance) == filmed.truth(0)


@pytest.mark.parametrize("number", [1, 3, 5])
def test_an_arm_that_rests_on_the_board_is_not_read_as_the_table(film, filmed, number, whole_readings):
    """After six seconds the page showed what the arm was taken for, and a door under it was gone without a doubt.

    Under one arm the whole picture was read 32 times, which kept a core busy for as long as somebody leaned there.
    """
    before = film.show(filmed.picture(0), 2.0)
    whole_readings.clear()
    for _ in range(25):
        leaning = film.show(filmed.picture(number))
        assert not leaning.is_current
    under = leaning.look.hidden
    assert under
    kept = {figure.cells for figure in before.look.observation.figures if not under.isdisjoint(figure.cells)}
    assert kept <= {figure.cells for figure in leaning.look.observation.figures}
    doors = {door.edges for door in before.look.observation.board.doors}
    assert doors == {door.edges for door in leaning.look.observation.board.doors}
    assert len(whole_readings) <= 9


def test_a_book_that_is_left_on_the_board_is_read_at_last(film, filmed):
    film.show(filmed.picture(0), 2.0)
    left = filmed.picture(0)
    height, width = left.shape[:2]
    left[: height // 2, width * 2 // 5 : width * 3 // 5] = (60, 50, 140)
    assert not film.show(left, 20.0).is_current
    assert film.show(left, 25.0).is_current


def test_noise_of_the_camera_is_no_change(film, filmed):
    readings = film.show(filmed.picture(0)).look.reading
    rng = np.random.default_rng(1)
    for _ in range(4):
        noisy = filmed.picture(0) + rng.normal(0, 5, filmed.picture(0).shape)
        glance = film.show(np.clip(noisy, 0, 255).astype(np.uint8), 0.5)
        assert glance.look.hidden == frozenset()
    assert glance.look.reading == readings


def test_the_table_is_followed_through_the_sequence(film, filmed):
    for number in range(7):
        glance = film.show(filmed.picture(number), 1.5)
        if number not in HANDS_OVER_THE_BOARD:
            assert places(glance) == filmed.truth(number), number
            assert glance.is_current


def test_nothing_is_believed_under_a_hand(film, filmed):
    film.show(filmed.picture(0))
    for number in (1, 7):
        glance = film.show(filmed.picture(number), 2.0)
        assert glance.look.hidden
        assert not glance.is_current
        before = {cells for cells in filmed.truth(0) & filmed.truth(number) if film.table.hidden.issuperset(cells)}
        assert before <= {figure.cells for figure in film.table.board().figures}


@pytest.mark.parametrize("harm", ["dark", "blank", "half", "blurred"])
def test_a_bad_frame_changes_nothing_and_the_next_good_one_is_as_before(film, filmed, harm):
    before = film.show(filmed.picture(0))
    bad = filmed.picture(0)
    if harm == "dark":
        bad = bad // 6
    elif harm == "blank":
        bad = np.full_like(bad, 128)
    elif harm == "half":
        bad[bad.shape[0] // 4 :] = 128
    else:
        bad = np.asarray(np.roll(bad, 25, axis=1) // 2 + bad // 2, np.uint8)
    glance = film.show(bad, 0.5)
    assert not glance.is_current
    assert places(glance) == places(before)
    glance = film.show(filmed.picture(0))
    assert glance.is_current
    assert places(glance) == places(before)


def softened(image: BgrImage, sigma_px: float) -> BgrImage:
    """Return the picture as a lens shows it that has lost its focus."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma_px), np.uint8)


@pytest.mark.parametrize("sigma_px", [2.5, 4.0])
def test_nothing_is_read_while_a_lens_hunts_for_its_focus(film, filmed, sigma_px):
    before = film.show(filmed.picture(0))
    assert film.show(softened(filmed.picture(0), sigma_px), 3.0).look.reading == before.look.reading
    after = film.show(filmed.picture(0))
    assert after.is_current
    assert places(after) == places(before)


def test_a_lens_that_stays_soft_is_read_all_the_same_and_again_when_it_is_sharp(film, filmed):
    film.show(filmed.picture(0))
    soft = film.show(softened(filmed.picture(0), 2.5), 8.0)
    assert soft.is_current
    sharp = film.show(filmed.picture(0), 3.0)
    assert sharp.look.reading > soft.look.reading
    assert sharp.is_current
    assert places(sharp) == filmed.truth(0)


def test_all_is_read_anew_only_when_no_hand_lies_over_the_board(film, filmed):
    readings = film.show(filmed.picture(0)).look.reading
    film.reader.renew()
    glance = film.show(filmed.picture(5), 2.0)
    assert glance.look.reading == readings
    assert places(glance) == filmed.truth(0)
    glance = film.show(filmed.picture(6), 2.0)
    assert glance.look.reading > readings
    assert places(glance) == filmed.truth(6)


def test_a_figure_that_is_assumed_on_its_space_stays_there_when_all_is_read_once_more(film, filmed, monkeypatch):
    """Six seconds after the last hand it jumped to a space across the board that nobody had touched."""
    film.show(filmed.picture(0), 2.0)
    seen = film.reader._known.seen
    taken = {cell for figure in seen.figures for cell in figure.cells}
    (here,) = next(figure.cells for figure in seen.figures if len(figure.cells) == 1)
    far = max(seen.board.cells - taken, key=lambda cell: math.dist(cell, here))

    def find(*asked):
        now = find_standing(*asked)
        doubtful = {here: (0.55, 0.4, 0.05), far: (0.5, 0.45, 0.05)}
        chances = {cell: doubtful.get(cell, chance) for cell, chance in now.occupancy.chance_of.items()}
        others = tuple(figure for figure in now.figures if here not in figure.cells)
        return replace(now, figures=others, occupancy=replace(now.occupancy, chance_of=chances))

    monkeypatch.setattr(partial, "find_standing", find)
    film.reader._known.agreeing = {here: 1}  # as after a hand over it
    film.show(filmed.picture(0), 2 * CALM_S)
    film.reader.confirm()
    film.show(filmed.picture(0), 2.0)
    there = {cell for figure in film.reader._known.seen.figures for cell in figure.cells}
    assert here in there
    assert far not in there


def test_a_reading_names_the_lens_that_it_was_read_with(film, filmed):
    before = film.show(filmed.picture(0)).calibration
    film.reader.recalibrate(measured := replace(before, lens=before.lens.zoomed(1.0002)))
    assert film.show(filmed.picture(5), 0.5).calibration == before  # nothing is read anew under a hand
    assert film.show(filmed.picture(6), 2.0).calibration == measured


def test_figures_that_nobody_touched_look_as_they_did(film, filmed):
    film.show(filmed.picture(0))
    film.reader.confirm()
    glance = film.show(filmed.picture(0), 0.25)
    assert set(glance.look.likeness) == filmed.truth(0)
    assert min(glance.look.likeness.values()) > 0.99


def test_a_figure_that_is_turned_looks_otherwise_and_other_light_says_nothing(filmed, first):
    board = first.seen.board
    gate = FrameGate(first.view, board.lattice, board.cells, board.thickness_mm, filmed.picture(0))
    small = min((figure for figure in first.seen.figures if len(figure.cells) == 1), key=lambda figure: figure.cells)
    corners_px = first.view.image_from_table(
        board.lattice.table_from_lattice(np.array([corners(small.cells[0])]).reshape(-1, 2)), board.thickness_mm
    )
    (left, top), (right, bottom) = corners_px.min(axis=0).astype(int), corners_px.max(axis=0).astype(int)
    turned = filmed.picture(0)
    turned[top:bottom, left:right] = turned[top:bottom, left:right][::-1, ::-1]
    others = [figure.cells for figure in first.seen.figures if math.dist(figure.cells[0], small.cells[0]) > 3]

    likeness = gate.likeness(turned, [small.cells, *others])
    assert likeness.pop(small.cells) < 0.75
    assert min(likeness.values()) > 0.99
    assert gate.likeness(np.ascontiguousarray(filmed.picture(0)[:, ::-1]), [small.cells]) == {}


def test_noise_on_the_bare_table_does_not_keep_figures_from_being_compared(filmed, first):
    seen, dusk = first.seen, 0.35 * filmed.picture(0)
    places = [figure.cells for figure in seen.figures]
    noise = np.random.default_rng(1)

    def noisy() -> BgrImage:
        return np.clip(dusk + noise.normal(0, 8, dusk.shape), 0, 255).astype(np.uint8)

    gate = FrameGate(first.view, seen.board.lattice, seen.board.cells, seen.board.thickness_mm, noisy())
    likeness = gate.likeness(noisy(), places)
    assert likeness.keys() == set(places)
    assert min(likeness.values()) > ALTERED


def test_a_large_base_is_found_again_though_only_a_corner_of_it_is_judged(filmed, first):
    large = max(first.seen.figures, key=lambda figure: len(figure.cells))
    assert len(large.cells) > 1
    wanted = ReadingScope(frozenset(large.cells[:1]), frozenset(), len(first.seen.figures))
    again = read_again(first.seen, filmed.picture(0), wanted, filmed.roster)
    assert {f.cells for f in again.figures} == {f.cells for f in first.seen.figures}


def test_some_cells_read_again_give_what_the_whole_picture_gives(filmed, first):
    board = first.seen.board
    wanted = ReadingScope(board.cells, frozenset(), len(first.seen.figures))
    again = read_again(first.seen, filmed.picture(0), wanted, filmed.roster)
    assert {f.cells for f in again.figures} == {f.cells for f in first.seen.figures}
    assert {d.edge for d in again.doors} == {d.edge for d in first.seen.doors}
    for figure in again.figures:
        old = next(f for f in first.seen.figures if f.cells == figure.cells)
        assert np.allclose(figure.center_px, old.center_px, atol=2.0)


def test_hidden_cells_keep_their_figures(filmed, first):
    cells = first.seen.board.cells
    empty = np.zeros_like(filmed.picture(0))
    again = read_again(first.seen, empty, ReadingScope(cells, cells, len(first.seen.figures)), filmed.roster)
    assert {f.cells for f in again.figures} == {f.cells for f in first.seen.figures}
    assert {d.edge for d in again.doors} == {d.edge for d in first.seen.doors}


def test_a_hand_over_the_board_is_known_from_a_table_that_was_moved(filmed, first):
    covered = filmed.reader.read(filmed.picture(5)).seen
    assert not is_large(unlike_print(first.seen), first.seen)
    assert is_large(newly_covered(first.seen, covered), covered)


def test_another_reading_of_one_board_covers_nothing_and_keeps_everybody(filmed, first):
    filmed.reader.forget_tiles()
    again = filmed.reader.read(filmed.picture(0)).seen
    assert newly_covered(first.seen, again) == frozenset()
    emptied = keep_covered_figures(first.seen, replace(again, figures=[]), again.board.cells)
    assert {f.cells for f in emptied.figures} == {f.cells for f in again.figures}
    centers = {f.cells: f.center_px for f in again.figures}
    assert all(np.allclose(f.center_px, centers[f.cells], atol=2.0) for f in emptied.figures)


def test_a_gate_hides_under_the_hand_and_finds_what_changed_beside_it(filmed, first):
    board = first.seen.board
    gate = FrameGate(first.view, board.lattice, board.cells, board.thickness_mm, filmed.picture(0))
    gate.judge(filmed.picture(1))
    judged = gate.judge(filmed.picture(1))  # nothing moves from the first to the second
    assert judged.is_still
    assert judged.hidden
    assert judged.hidden.isdisjoint(judged.changed)
    assert judged.hidden | judged.changed <= board.cells


def test_who_is_missed_for_a_moment_while_others_change_comes_back(film, filmed, first, monkeypatch):
    film.show(filmed.picture(0))
    emptied, later = filmed.picture(0), filmed.picture(2)
    board, grid = first.seen.board, first.observation.grid
    lattice = Lattice(grid.origin_mm, grid.angle_deg, grid.cell_mm)
    moved = sorted(cells[0] for cells in filmed.truth(0) - filmed.truth(2))
    seen, revealed = sorted(cells_in(board.lattice, moved, lattice))
    for cell in (seen, revealed):
        outline_mm = board.lattice.table_from_lattice(np.array(corners(cell), dtype=float))
        heights_mm = (board.thickness_mm, 2 * BODY_MM)
        outline_px = np.concatenate([first.view.image_from_table(outline_mm, height_mm) for height_mm in heights_mm])
        mask = cv2.fillConvexPoly(np.zeros(later.shape[:2], np.uint8), cv2.convexHull(outline_px.astype(np.int32)), 1)
        emptied[mask > 0] = later[mask > 0]
    judge = FrameGate.judge
    with monkeypatch.context() as patched:
        # An arm lies over the second one for two frames.
        hide = frozenset({revealed})
        patched.setattr(
            FrameGate,
            "judge",
            lambda gate, photo: replace(g := judge(gate, photo), hidden=g.hidden | hide, changed=g.changed - hide),
        )
        film.show(emptied, 0.5)
    assert places(film.show(emptied, 0.25)) != filmed.truth(0)

    assert places(film.show(filmed.picture(0))) == filmed.truth(0)


def test_what_left_a_cell_under_an_arm_is_still_a_change_once_the_cell_is_in_view(filmed, first):
    board = first.seen.board
    gate = FrameGate(first.view, board.lattice, board.cells, board.thickness_mm, filmed.picture(0))
    cell = min(figure.cells for figure in first.seen.figures if len(figure.cells) == 1)[0]
    middle_mm = board.lattice.table_from_lattice(np.array([cell], dtype=float) + 0.5)
    ground, body = (first.view.image_from_table(middle_mm, h)[0] for h in (board.thickness_mm, BODY_MM))
    emptied = filmed.picture(0)
    cv2.circle(emptied, np.round(ground).astype(int).tolist(), 22, (90, 120, 60), -1)
    # The arm lies over the figure's head, beside its base, and reaches out of the picture.
    along = (body - ground) / np.linalg.norm(body - ground)
    head, across = body + 36 * along, 2000 * np.array([along[1], -along[0]])
    under_arm = emptied.copy()
    cv2.line(
        under_arm,
        *(np.round(point).astype(int).tolist() for point in (head - across, head + across)),
        (60, 80, 140),
        16,
    )
    gate.judge(under_arm)
    under = gate.judge(under_arm)
    assert cell in under.hidden
    gate.accept(under)
    gate.judge(emptied)

    assert cell in gate.judge(emptied).changed


class MissingOne:
    """Reads whole pictures, but misses a figure from the second one on, like a nearly hidden one."""

    def __init__(self, reader):
        self.reader, self.count = reader, 0

    def forget_tiles(self):
        self.reader.forget_tiles()

    def read(self, photo, earlier=()):
        self.count += 1
        reading = self.reader.read(photo, earlier)
        if self.count == 1:
            return reading
        return replace(reading, seen=replace(reading.seen, figures=reading.seen.figures[1:]))


def test_as_many_figures_are_looked_for_after_all_was_read_anew_as_stood_there(filmed, monkeypatch):
    looked_for = []

    def noted(seen, photo, wanted, roster):
        looked_for.append(wanted.figure_count)
        return read_again(seen, photo, wanted, roster)

    monkeypatch.setattr("vision.live.incremental.read_again", noted)
    film = Film(replace(filmed, reader=MissingOne(filmed.reader)))
    film.show(filmed.picture(0))
    film.reader.renew()
    looked_for.clear()

    glance = film.show(filmed.picture(0), 3.0)

    assert film.reader._reader.count > 1
    assert set(looked_for) == {len(filmed.truth(0))}
    assert places(glance) == filmed.truth(0)


def test_who_is_missing_after_all_was_read_anew_is_rather_where_he_stood(first):
    before, elsewhere, surely_empty = sorted(first.seen.board.cells)[:3]
    chance_of = {before: (0.4, 0.6, 0.0), elsewhere: (0.1, 0.9, 0.0), surely_empty: (0.99, 0.01, 0.0)}
    judged = [(Occupancy(chance_of), frozenset(chance_of))]

    def somebody(stood: frozenset[tuple[int, int]]) -> list[tuple[int, int]]:
        found = _somebody(judged, first.seen.board, [], ReadingScope(frozenset(chance_of), frozenset(), 1, stood))
        return [cell for figure in found for cell in figure.cells]

    assert somebody(frozenset()) == [elsewhere]
    assert somebody(frozenset({before})) == [before]
    assert somebody(frozenset({surely_empty})) == [elsewhere]


class Spied:
    """Keeps the pictures that are read as a whole."""

    def __init__(self, reader):
        self.reader, self.photos = reader, []

    def forget_tiles(self):
        self.reader.forget_tiles()

    def read(self, photo, earlier=()):
        self.photos.append(photo)
        return self.reader.read(photo, earlier)


def test_a_table_at_rest_is_read_from_many_frames(filmed):
    spied = Spied(filmed.reader)
    film = Film(replace(filmed, reader=spied))
    rng = np.random.default_rng(3)

    def noise_of(photo: BgrImage) -> float:
        return float((photo - even).std())

    even = np.clip(filmed.picture(0), 60.0, 195.0)
    for frame in range(10):
        if frame == 4:
            film.reader.renew()
        film.show((even + rng.normal(0, 8, even.shape)).astype(np.uint8), 0.25)

    assert noise_of(spied.photos[0]) == pytest.approx(8.0, abs=0.5)
    assert noise_of(spied.photos[-1]) == pytest.approx(4.0, abs=0.5)
    assert film.show(filmed.picture(1), 0.25).look.hidden
    film.show(filmed.picture(2), 0.25)
    assert (film.reader._still.image() == filmed.picture(2)).all()  # the still parts' picture lacks it


class CrowdedAtFirst:
    """Misses one tile in the first picture, but sees that something lies there."""

    def __init__(self, reader, prints):
        self.reader, self.prints, self.count = reader, prints, 0

    def forget_tiles(self):
        self.reader.forget_tiles()

    def read(self, photo, earlier=()):
        self.count += 1
        reading = self.reader.read(photo, earlier)
        if self.count > 1:
            return reading
        seen = reading.seen
        crowded = seen.placements[0]
        cells = cells_of(crowded, self.prints)
        rest, poses = seen.placements[1:], seen.board.poses[1:]
        board = board_view(photo, reading.view, seen.board.lattice, rest, self.prints, poses=poses)
        return replace(reading, seen=replace(seen, board=board, placements=rest, figures=[], unknown_tiles=(cells,)))


class StrangerAtFirst(CrowdedAtFirst):
    """Sees something in the first picture that looks like a tile and is gone in the next."""

    def read(self, photo, earlier=()):
        self.count += 1
        reading = self.reader.read(photo, earlier)
        column, row = min(reading.seen.board.cells)
        unknown = (frozenset({(column - 3, row), (column - 3, row + 1), (column - 3, row + 2)}),)
        return replace(reading, seen=replace(reading.seen, unknown_tiles=unknown if self.count == 1 else ()))


def test_what_looked_like_a_tile_and_is_gone_is_not_looked_for_for_ever(filmed):
    reader = StrangerAtFirst(filmed.reader, filmed.prints)
    film = Film(replace(filmed, reader=reader))
    film.show(filmed.picture(0), 1.0)

    glance = film.show(filmed.picture(0), 30.0)

    assert reader.count == 2
    assert glance.look.observation.unknown_tiles == ()
    assert places(glance) == filmed.truth(0)


def test_a_tile_that_a_crowd_hid_is_found_once_it_has_left(filmed):
    reader = CrowdedAtFirst(filmed.reader, filmed.prints)
    film = Film(replace(filmed, reader=reader))
    crowded = film.show(filmed.picture(0), 1.0)

    glance = film.show(filmed.picture(0), SEARCH_AFTER_S + 1.0)

    assert len(glance.look.observation.tiles) == len(crowded.look.observation.tiles) + 1
    assert places(glance) == filmed.truth(0)
    read = reader.count
    film.show(filmed.picture(0), 10.0)
    assert reader.count == read, "nothing is unknown any more"


def read_scene(filmed: Filmed, name: str) -> tuple[Filmed, BgrImage]:
    """Return a reader of another dev scene with the same tiles, and its photo."""
    folder = SCENES / "dev" / name
    roster = documents.roster_from_json((folder / "roster.json").read_bytes())
    table = documents.table_from_json((folder / "table.json").read_bytes())
    lens = documents.camera_from_json((folder / "camera.json").read_bytes())
    photo = decode_photo((folder / "photo.jpg").read_bytes())
    return replace(filmed, reader=TableReader(filmed.prints, roster, table, lens), roster=roster), photo


def without_tile(photo: BgrImage, whole: Reading, side: str, prints) -> BgrImage:
    """Return the photo with one tile and all on it painted over in the colour of the table."""
    board = whole.view, whole.seen.board.lattice
    shapes = []
    for placement in whole.seen.placements:
        cells = sorted(cells_of(placement, prints))
        grow = 0.12 if prints.prints[placement.print_index].side.id == side else 0.0
        mask = np.zeros(photo.shape[:2], np.uint8)
        for column, row in cells:
            low, high = (column - grow, row - grow), (column + 1 + grow, row + 1 + grow)
            outline = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
            for height_mm in (2.0, 20.0, 40.0) if grow else (2.0,):
                corners_px = board[0].image_from_table(board[1].table_from_lattice(outline), height_mm)
                cv2.fillConvexPoly(mask, np.round(corners_px).astype(np.int32), 1)
        shapes.append((grow > 0, mask))
    others = np.max([mask for is_it, mask in shapes if not is_it], axis=0)
    gone = np.max([mask for is_it, mask in shapes if is_it], axis=0) & ~others
    near = cv2.dilate(gone, np.ones((41, 41), np.uint8)) & ~gone & ~others
    bare = photo.copy()
    bare[gone > 0] = np.median(photo[near > 0], axis=0).astype(np.uint8)
    return bare


def test_a_tile_that_is_laid_beside_the_board_is_read_with_what_stands_on_it(filmed):
    scene, photo = read_scene(filmed, "easy-01")
    whole = scene.reader.read(photo)
    film = Film(scene)
    before = film.show(without_tile(photo, whole, "04A", scene.prints), 3.0)
    assert before.is_current
    assert len(before.look.observation.tiles) == len(whole.observation.tiles) - 1

    after = film.show(photo, SEARCH_AFTER_S + 3.0)

    assert after.is_current
    assert len(after.look.observation.tiles) == len(whole.observation.tiles)
    assert places(after) == {figure.cells for figure in whole.observation.figures}


def test_a_book_beside_the_board_is_searched_less_and_less_often(film, filmed, whole_readings):
    film.show(filmed.picture(0), 2.0)
    view, board = film.reader._known.view, film.reader._known.seen.board
    column, row = max(board.cells)
    outline = board.lattice.table_from_lattice(np.add([(2, 0), (5, 0), (5, 3), (2, 3)], (column, row)))
    book = cv2.fillConvexPoly(
        filmed.picture(0).copy(), np.round(view.image_from_table(outline)).astype(np.int32), (200, 190, 180)
    )
    whole_readings.clear()

    glance = film.show(book, 40.0)

    assert 1 <= len(whole_readings) <= 4
    assert places(glance) == filmed.truth(0)

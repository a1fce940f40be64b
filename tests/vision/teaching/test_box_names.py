"""Names printed on the tiles of a box: which candidates are names, and which stay counted."""

from __future__ import annotations

from vision.teaching.box_names import TileNames, propose_names
from vision.teaching.printed_names import PrintedText


def text(name, *, chance=0.9, height=0.16, place=(0.25, 0.8), is_dark=False):
    """Return a candidate in the usual look."""
    return PrintedText(name, chance, height, place, is_dark)


def box(*names, photos=2):
    """Return a box of tiles with these names on their fronts and backs, in each of two photos."""
    return [tuple([[text(side)] if side else [] for _ in range(photos)] for side in tile) for tile in names]


def sure(*names):
    return [TileNames(front, back, False) for front, back in names]


LETTERED = (("03A", "03B"), ("12A", "12B"), ("07B", "07A"), ("21A", "21B"))
OPEN = TileNames(None, None, True)


def test_the_names_of_both_sides_are_as_printed():
    assert propose_names(box(*LETTERED)) == sure(*LETTERED)


def test_one_number_on_both_sides_gets_the_letters_of_the_sides():
    assert propose_names(box(("3", "3"), ("12", "12"), ("7", "7"))) == sure(("3A", "3B"), ("12A", "12B"), ("7A", "7B"))
    assert propose_names(box(("3", ""), ("12", ""), ("7", ""))) == sure(("3A", "3B"), ("12A", "12B"), ("7A", "7B"))


def test_sides_with_numbers_of_their_own_keep_them():
    names = (("1", "2"), ("3", "4"), ("5", "6"), ("7", "8"))
    assert propose_names(box(*names)) == sure(*names)


def test_a_side_that_no_photo_shows_is_named_after_its_other_one():
    tiles = box(*LETTERED)
    tiles[1] = tiles[1][0], []
    assert propose_names(tiles) == sure(*LETTERED)


def test_art_with_digits_all_over_is_no_name():
    places = [(0.1 * n, 0.23 * n % 1) for n in range(8)]
    tiles = [([[text(str(n), place=place, height=0.1 + 0.03 * n)]], []) for n, place in enumerate(places)]
    assert propose_names(tiles) == [TileNames(None, None, False)] * 8


def test_one_pattern_on_every_tile_is_no_name():
    assert propose_names(box(*[("8", "8")] * 6)) == [TileNames(None, None, False)] * 6


def test_art_on_backs_without_names_does_not_hide_those_of_the_fronts():
    tiles = box(("3A", ""), ("12A", ""), ("7A", ""))
    tiles[1] = tiles[1][0], [[text("5", chance=0.2)]]
    assert propose_names(tiles) == sure(("3A", "3B"), ("12A", "12B"), ("7A", "7B"))


def test_one_pattern_on_every_tile_does_not_hide_the_names():
    tiles = box(*LETTERED)
    for sides in tiles:
        for photo in (photo for side in sides for photo in side):
            photo.append(text("8", chance=1.0, place=(0.25, 0.4)))
    assert propose_names(tiles) == sure(*LETTERED)


def test_digits_in_the_art_do_not_hide_the_names():
    tiles = box(*LETTERED)
    for number, (front, _) in enumerate(tiles):
        front[0].append(text(str(number), chance=0.99, place=(0.25, 0.4), height=0.3))
        front[0].append(text("5", chance=0.99, place=(0.25, 0.8), is_dark=True))
    assert propose_names(tiles) == sure(*LETTERED)


def test_two_tiles_of_one_name_stay_counted():
    assert propose_names(box(*LETTERED, ("03A", "03B")))[::4] == [OPEN, OPEN]


def test_a_front_and_a_back_that_disagree_stay_counted():
    assert propose_names(box(*LETTERED, ("16A", "18B"), ("19A", "19A")))[4:] == [OPEN, OPEN]


def test_photos_that_disagree_stay_counted():
    tiles = box(*LETTERED)
    tiles.append(([[text("16A")], [text("18A")]], []))
    assert propose_names(tiles)[4] == OPEN


def test_a_part_of_a_name_is_none():
    tiles = box(*LETTERED, ("1A", "1B"), ("14", "14"))
    assert propose_names(tiles)[4:] == [OPEN, OPEN]


def test_a_box_of_two_tiles_shows_no_common_look():
    assert propose_names(box(*LETTERED[:1])) == [TileNames(None, None, False)]


def test_a_name_that_is_hardly_legible_stays_counted():
    tiles = box(*LETTERED)
    tiles.append(([[text("16A", chance=0.4)]] * 1, []))
    assert propose_names(tiles)[4] == OPEN


def test_a_number_that_the_box_cannot_have_stays_counted():
    assert propose_names(box(*LETTERED), 24) == sure(*LETTERED)
    assert propose_names(box(*LETTERED), 20)[3] == OPEN
    assert propose_names(box(*LETTERED, ("00A", "00B")), 24)[4] == OPEN

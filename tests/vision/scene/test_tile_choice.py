"""Tiles are chosen together, and compared with the most similar prints."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assistant.documents import observation_document, observation_from_json, roster_from_json
from assistant.table.board import Board
from calibration.arrays import BgrImage
from vision.photo.decoding import decode_photo
from vision.scene import tile_choice
from vision.scene.ground_doubts import SeenGround, ground_doubts
from vision.scene.observation import observation_of
from vision.scene.tile_choice import best_choice, place_tiles
from vision.tiles.candidates import find_candidates
from vision.tiles.lattice_fit import fit_lattice
from vision.tiles.placements import TilePlacement, cells_of, confidence_of, lying_chance
from vision.tiles.prints import PX_PER_CELL, Print, TilePrints


def with_copy(prints: TilePrints, of: str, change: Callable[[BgrImage], None]) -> TilePrints:
    """Return the set with one more tile in front, "99Z": a copy of another with a changed picture."""
    model = next(p for p in prints.prints if p.side.id == of)
    image = model.image.copy()
    change(image)
    side = replace(model.side, id="99Z")
    tile_set = replace(prints.tile_set, sides=(side, *prints.tile_set.sides))
    return TilePrints(tile_set, (Print(side, image, model.inside_mask, model.keypoints), *prints.prints))


def placed(photographed: Any, prints: TilePrints) -> dict[str, TilePlacement]:
    """Return the placements with another set of prints, by id."""
    photo, reader = decode_photo((photographed.folder / "photo.jpg").read_bytes()), photographed.reader
    view = reader.find_view(photo)
    fitted = fit_lattice(find_candidates(reader.keypoints(photo, view), prints), prints)
    assert fitted is not None
    return {prints.prints[p.print_index].side.id: p for p in place_tiles(photo, view, fitted, prints)}


def paint_spot(image: BgrImage) -> None:
    """Something half a cell wide is printed on two cells."""
    for corner in (PX_PER_CELL // 4, PX_PER_CELL + PX_PER_CELL // 4):
        spot = image[corner : corner + PX_PER_CELL // 2, corner : corner + PX_PER_CELL // 2]
        spot[:] = 255 - spot


@pytest.fixture(scope="module")
def clearest(photographed: Any) -> str:
    """Return the most visible tile."""
    board, placements = photographed.reading.seen.board, photographed.reading.seen.placements
    prints = photographed.prints.prints
    sides = [prints[p.print_index].side for p in placements]
    likeness = [np.mean([board.likeness[c] for c in p.cells(s)]) for p, s in zip(placements, sides, strict=True)]
    return sides[int(np.argmax(likeness))].id


def test_a_print_that_differs_in_a_detail_is_told_apart(photographed: Any, clearest: str) -> None:
    found = placed(photographed, with_copy(photographed.prints, clearest, paint_spot))
    assert set(found) == {tile["id"] for tile in photographed.truth["tiles"]}
    assert confidence_of(found[clearest]) > 0.9


def test_of_two_prints_alike_either_may_be_there_and_it_is_reported(photographed: Any, clearest: str) -> None:
    prints = with_copy(photographed.prints, clearest, lambda image: None)
    found = placed(photographed, prints)
    (which,) = {clearest, "99Z"} & found.keys()
    placement = found[which]
    assert lying_chance(placement) > 0.9
    assert confidence_of(placement) == pytest.approx(lying_chance(placement) / 2, abs=0.02)
    assert {prints.prints[r.print_index].side.id for r in placement.rivals} == {clearest, "99Z"} - {which}


def test_pieces_are_shared_out_so_that_all_fit_best(photographed: Any) -> None:
    """One after the other, the first place would get the piece that alone fits the second."""
    prints = photographed.prints
    index = next(i for i, p in enumerate(prints.prints) if len(p.side.cells) >= 2)
    other = next(i for i, p in enumerate(prints.prints) if p.side.id[:-1] != prints.prints[index].side.id[:-1])
    here = [TilePlacement(i, 0, (0, 0), 0.0, None, odds) for i, odds in ((index, 7.0), (other, 6.0))]
    there = TilePlacement(index, 0, (40, 0), 0.0, None, 8.0)
    assert best_choice([*here, there], prints) == [here[1], there]
    # A second copy is possible, if nothing else is.
    assert best_choice([here[0], there], prints) == [here[0], there]
    assert best_choice([here[0], replace(there, log_odds=2.0)], prints) == [here[0]]
    assert best_choice([], prints) == []


def test_terrain_that_only_a_look_alike_has_is_in_doubt(photographed: Any, clearest: str) -> None:
    """Of two prints alike one has a wall across: no line over it is sure, whichever of the two is reported."""
    prints = with_copy(photographed.prints, clearest, lambda image: None)
    bare = replace(prints.prints[0].side, edges={}, difficult=frozenset())
    sides = (bare, *prints.tile_set.sides[1:])
    prints = TilePrints(
        replace(prints.tile_set, sides=sides), (replace(prints.prints[0], side=bare), *prints.prints[1:])
    )
    moved = [replace(p, print_index=p.print_index + 1) for p in photographed.reading.seen.placements]
    placements = [
        replace(p, rivals=(replace(p, print_index=0, log_odds=0.0),))
        if prints.prints[p.print_index].side.id == clearest
        else p
        for p in moved
    ]
    roster = roster_from_json((photographed.folder / "roster.json").read_bytes())
    observation = observation_of(replace(photographed.reading.seen, placements=placements), prints, roster)
    model = next(p.side for p in prints.prints if p.side.id == clearest)
    about = [doubt for doubt in observation.ground_doubts if len(doubt.cells) == len(model.cells)]
    assert model.edges
    assert about
    assert about[0].variants[0].chance == pytest.approx(0.5, abs=0.05)
    assert (about[0].tile, about[0].variants[0].tile) == (clearest, bare.id)
    again = observation_from_json(json.dumps(observation_document(observation)).encode())
    assert again.ground_doubts == observation.ground_doubts


def test_a_tile_that_may_lie_beside_the_board_is_in_doubt_by_its_name(photographed: Any) -> None:
    """A tile with too little visible for a reading is named as a doubt, and so is a tile of no set."""
    seen, prints = photographed.reading.seen, photographed.prints
    *known, left = sorted(seen.placements, key=lambda placement: len(cells_of(placement, prints)))
    cells, unlikely = cells_of(left, prints), replace(left, quarters=(left.quarters + 2) % 4, log_odds=-8.0)
    ground = SeenGround(known, [cells], [unlikely, replace(left, log_odds=-1.0)])
    board = photographed.reading.observation.board
    [doubt] = [d for d in ground_doubts(ground, prints, (0, 0, 0), board) if d.tile is None]
    assert doubt.cells == cells
    assert [variant.tile for variant in doubt.variants] == [prints.prints[left.print_index].side.id, None]
    assert doubt.variants[0].chance == pytest.approx(0.27, abs=0.01)
    assert doubt.variants[1].chance == pytest.approx(0.36, abs=0.01)


def test_the_turns_of_a_tile_that_may_lie_beside_the_board_are_one_doubt(photographed: Any) -> None:
    """Half hidden, it may lie in either of two rotations: both have a chance, and so does an empty place."""
    seen, prints = photographed.reading.seen, photographed.prints
    *known, left = sorted(seen.placements, key=lambda placement: len(cells_of(placement, prints)))
    turned = replace(left, quarters=(left.quarters + 2) % 4, log_odds=math.log(0.5))
    ground = SeenGround(known, [], [replace(left, log_odds=math.log(3), rivals=(turned,))])
    board = photographed.reading.observation.board
    [doubt] = [d for d in ground_doubts(ground, prints, (0, 0, 0), board) if d.tile is None]
    assert {variant.tile for variant in doubt.variants} == {prints.prints[left.print_index].side.id}
    assert [variant.chance for variant in doubt.variants] == pytest.approx([0.5, 0.25])
    assert doubt.variants[0].edges != doubt.variants[1].edges


def test_a_board_read_in_two_parts_may_have_a_hidden_tile_between_them(photographed: Any) -> None:
    """A board lies in one piece. A sheet over its middle tile left rulings across the gap sure, and wrong."""
    prints, cells = photographed.prints, photographed.reading.observation.board.cells
    longest = max(max(one.size_cells) for one in prints.prints)
    rows = {row for _, row in cells}
    left = Board(frozenset((column, row) for column in range(3) for row in rows))
    parts = replace(left, cells=left.cells | {(column + 3 + longest, row) for column, row in left.cells})
    ground = SeenGround(photographed.reading.seen.placements)
    before = [d for d in ground_doubts(ground, prints, (0, 0, 0), left) if d.tile is None]
    [gap] = [d for d in ground_doubts(ground, prints, (0, 0, 0), parts) if d.tile is None]
    as_unknown = ground._replace(unknown=[gap.cells])
    assert [d for d in ground_doubts(as_unknown, prints, (0, 0, 0), parts) if d.tile is None] == [gap]
    assert not before
    assert gap.cells == {(column, row) for column in range(3, 3 + longest) for row in rows}
    assert [(v.tile, v.cells, v.chance) for v in gap.variants] == [(None, gap.cells, 0.5)]


def test_two_pieces_may_have_changed_places_only_together(photographed: Any) -> None:
    """By itself each place's other print is 1 behind, so both together are 2. A piece of another box costs more."""
    prints = photographed.prints
    one = next(i for i, p in enumerate(prints.prints) if len(p.side.cells) >= 2)
    other = next(i for i, p in enumerate(prints.prints) if p.side.id[:-1] != prints.prints[one].side.id[:-1])
    here, there = TilePlacement(one, 0, (0, 0), 0.0, None, 9.0), TilePlacement(other, 0, (40, 0), 0.0, None, 9.0)
    rivals = [[tile_choice._Rival(other, 0, 1.0)], [tile_choice._Rival(one, 0, 1.0)]]
    found = list(tile_choice._with_rivals([here, there], rivals, prints))
    assert [placement.log_odds for placement in found] == [9.0, 9.0]
    assert [rival.log_odds for placement in found for rival in placement.rivals] == pytest.approx(
        [-2.0, -2.0], abs=0.02
    )

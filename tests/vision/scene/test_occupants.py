"""Occupants of the board: doors, bases with rings, and patches with a common lean."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assistant.table.lattice import Cell, Edge, list_inner_edges
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from calibration.color import gamma_from_light, light_from_gamma
from vision.evidence.bases import BaseFootprint, Stand, share_with_rings, stands
from vision.evidence.doors import DoorSighting
from vision.evidence.figures import (
    LEAST_CHANCE,
    FigureSighting,
    RingedSighting,
    cells_under,
    with_kind,
)
from vision.evidence.leaning import hidden_door_shares
from vision.evidence.occupancy import Occupancy
from vision.evidence.patches import (
    BASE_FRAME,
    CHANNELS,
    DOOR_FRAME,
    base_patches,
    door_patches,
    leans_mm,
    patch_source,
)
from vision.evidence.ring_colors import ring_likelihood
from vision.learned import chances, log_odds_of
from vision.scene.observation import left_in_box, observation_of
from vision.scene.occupants import (
    PlaceEvidence,
    behind_bodies,
    choose_standing,
    covers,
    find_standing,
    gathered,
    not_under_covers,
    standing_of,
)
from vision.scene.table import Settled, TableWay, scene_of, settle
from vision.simulation.scene import PlacedFigure, Scene, on_table
from vision.tiles.board_view import BoardView, Openings
from vision.training.labelled import labelled_scene
from vision.training.samples import samples_of, table_of

SEEDS = (800_001, 800_002, 800_003)
"""Tables that no network was trained on."""


@pytest.fixture(scope="module")
def tables() -> list[tuple[Scene, BoardView]]:
    """Three simulated tables of the three buckets, with print and photo of their boards."""
    return [table_of(seed, crowded=True) for seed in SEEDS]


def test_most_doors_are_found_and_few_are_invented(tables: list[tuple[Scene, BoardView]]) -> None:
    right = standing = found = 0
    for scene, board in tables:
        seen = {door.edge for door in find_standing(board, scene.roster).doors}
        true = {door.edge for door in scene.doors}
        right, standing, found = right + len(seen & true), standing + len(true), found + len(seen)
    assert right >= 0.6 * standing
    assert right >= 0.7 * found


def test_no_more_doors_are_reported_than_the_box_holds(tables: list[tuple[Scene, BoardView]]) -> None:
    scene, board = max(tables, key=lambda table: len(table[0].doors))
    few = replace(scene.roster, doors=DoorSpec(1, 1, 30.0, 2.0))
    assert len(find_standing(board, few).doors) <= 1
    none = find_standing(board, replace(scene.roster, doors=DoorSpec(0, 1, 30.0, 2.0)))
    assert (none.doors, none.maybe_doors) == ((), ())


def test_figures_with_rings_are_found_with_their_kind(tables: list[tuple[Scene, BoardView]]) -> None:
    right = standing = 0
    for scene, board in tables:
        seen = {figure.cells: figure.model for figure in find_standing(board, scene.roster).figures}
        for placed in scene.figures:
            if placed.figure.ring is not None:
                model = seen.get(tuple(sorted(placed.cells)))
                standing += 1
                right += model is not None and model.kind == placed.figure.kind
    assert right >= 0.7 * standing


def test_no_two_figures_share_a_cell(tables: list[tuple[Scene, BoardView]]) -> None:
    for scene, board in tables:
        cells = [cell for figure in find_standing(board, scene.roster).figures for cell in figure.cells]
        assert len(cells) == len(set(cells))


def two_on_one(scene: Scene) -> Scene:
    """Return the scene with only two figures, whose bases touch in the middle of one space."""
    small = [placed for placed in scene.figures if len(placed.cells) == 1][:2]
    cell = next(c for c in sorted(scene.cells) if scene.cells.issuperset((c[0] + i, c[1]) for i in (-1, 0, 1)))
    x, y = on_table(scene.grid, np.array([cell]) + 0.5)[0].tolist()
    turn = np.radians(scene.grid.angle_deg)
    reach_mm = sum(placed.figure.base_mm for placed in small) / 4 + 0.2
    figures = tuple(
        replace(p, cells=(cell,), center_mm=(x + side * reach_mm * np.cos(turn), y + side * reach_mm * np.sin(turn)))
        for p, side in zip(small, (-1, 1), strict=True)
    )
    return replace(scene, doors=(), figures=figures)


def test_two_figures_on_one_space_are_no_empty_space() -> None:
    scene, board = table_of(SEEDS[1], crowded=False, change=two_on_one)
    (cell,) = {cell for placed in scene.figures for cell in placed.cells}
    standing = find_standing(board, scene.roster)
    assert cell not in {cell for figure in standing.figures for cell in figure.cells}
    maybe = next(figure for figure in standing.maybe_figures if cell in figure.cells)
    assert maybe.confidence > 0.4
    assert cell in standing.occupancy.covered([])


def test_a_doubt_of_a_shared_space_stands_in_the_worlds_that_touch_it(tables: list[tuple[Scene, BoardView]]) -> None:
    scene, board = tables[0]
    cell, beside = (0, 0), (1, 0)
    large = RosterFigure("brute-1", "brute", "foes", (2, 1), 47.0, 40.0, "#1b9e3a")
    across = FigureSighting(large, (cell, beside), (0.0, 0.0), -1.0)
    imp = replace(figure_at(1, -1.0), cells=(beside,))
    hides = Occupancy({cell: (0.02, 0.08, 0.9), beside: (0.6, 0.3, 0.1)})
    places = PlaceEvidence([], [across, imp], replace(hides, print_of={cell: (0.1, 0.3)}, hidden=hides))
    standing = choose_standing(places, replace(scene.roster, figures=(*scene.roster.figures, large)), board)
    assert standing.figures == ()
    (world,) = standing.worlds
    nobody = math.fsum(way.chance for way in world if all(cell not in figure.cells for figure in way.figures))
    assert world[0].figures == ()
    assert 1 - nobody > 0.45
    shared = [way for way in world if any(figure.cells == (cell,) for figure in way.figures)]
    assert any(figure.cells == (beside,) for way in shared for figure in way.figures)
    assert all(figure.cells != (cell, beside) for way in shared for figure in way.figures)


def test_a_space_that_the_trunk_surely_finds_taken_is_in_doubt(tables: list[tuple[Scene, BoardView]]) -> None:
    """A golem amid others was missed at .04 though the trunk stated .955: the print around it was in sight."""
    scene, board = tables[0]
    one, other, *_ = sorted(board.cells)
    chances = {one: (0.04, 0.1, 0.86), other: (0.08, 0.1, 0.82)}
    in_sight = Occupancy(chances, {cell: (0.1, 0.9) for cell in chances}, hidden=Occupancy(chances))
    maybe = choose_standing(PlaceEvidence([], [], in_sight), scene.roster, board).maybe_figures
    assert [figure.cells for figure in maybe] == [(one,)]
    covered = replace(in_sight, print_of={cell: (0.1, 0.1) for cell in chances})
    maybe = choose_standing(PlaceEvidence([], [], covered), scene.roster, board).maybe_figures
    assert [figure.cells for figure in maybe] == [(one,), (other,)]


def test_an_edge_under_a_cover_keeps_its_chance_of_a_door(tables: list[tuple[Scene, BoardView]]) -> None:
    """An arm across a door was stated as no door, and rulings through it as sure. It need not cover both spaces."""
    _, board = max(tables, key=lambda table: len(table[1].openings.seams))
    hidden, shown = sorted(board.openings.seams - board.openings.lines)[:2]
    covered = frozenset({hidden.cells[1], *shown.cells})
    doors = [DoorSighting(hidden, 0.001, print_seen=0.1), DoorSighting(shown, 0.001, print_seen=0.9)]
    after = {door.edge: (door.confidence, door.is_hidden) for door in not_under_covers(doors, covered, board)}
    assert after == {hidden: (pytest.approx(1 / 3, abs=0.01), True), shown: (0.001, False)}
    apart = {door.edge: door.confidence for door in not_under_covers(doors, frozenset(), board)}
    assert apart == {hidden: 0.001, shown: 0.001}


def occupancy_of(empty: dict[Cell, float]) -> Occupancy:
    chances = {cell: (chance, 1 - chance, 0.0) for cell, chance in empty.items()}
    return Occupancy(chances, hidden=Occupancy(chances))


def test_an_arm_is_a_cover_and_a_shadow_is_none() -> None:
    arm, shadow = ({(column, row): 0.9 for column in range(3)} for row in (0, 2))
    mug, alone = {(0, 4): 0.1, (1, 4): 0.9}, {(0, 6): 0.3}
    arm[1, 0] = 0.3
    everything = occupancy_of({**arm, **shadow, **mug, **alone})
    assert covers([*arm, *shadow, *mug, *alone], everything) == {*arm, *mug}


def test_a_door_that_a_large_body_hides_is_not_stated_as_absent(tables: list[tuple[Scene, BoardView]]) -> None:
    """Of a door behind a hound a third of a space was in sight. It was missed at .009, and sixty rulings were wrong."""
    scene, board = tables[0]
    hound = RosterFigure("hound-1", "hound", "foes", (2, 2), 47.0, 90.0)
    roster = replace(scene.roster, figures=(hound,))
    edges = list_inner_edges(board.cells)
    cells = next(
        square
        for c, r in sorted(board.cells)
        if board.cells.issuperset(square := ((c, r), (c, r + 1), (c + 1, r), (c + 1, r + 1)))
    )
    shares = dict(zip(edges, hidden_door_shares(board, edges, roster.doors, [cells], 90.0)[:, 0], strict=True))
    hidden = max(edges, key=shares.__getitem__)
    assert shares[hidden] > 0.85
    leans = leans_mm(board, np.array([np.add(*hidden) / 2, np.add(*hidden) / 2]), 90.0)[0]
    around = [edge for edge in edges if not {*edge.cells}.isdisjoint(cells)]
    middle = np.mean(cells, axis=0) + 0.5
    before = [edge for edge in around if (np.add(*edge) / 2 - middle) @ leans <= 0 or {*edge.cells} <= {*cells}]
    assert before
    assert {shares[edge] for edge in before} == {0.0}, "a body hides no door before it, and none stands under it"
    opening = replace(board, openings=Openings(frozenset({hidden, *before}), frozenset()))
    doors = [DoorSighting(edge, 0.0005, print_seen=0.1) for edge in (hidden, *before)]
    for kinds, is_kept in (((0.99,), True), ((0.45, 0.5), True), ((0.3,), False)):
        bodies = [FigureSighting(None, cells, (0.0, 0.0), log_odds_of(chance)) for chance in kinds]
        after = {door.edge: door.confidence for door in behind_bodies(doors, bodies, opening, roster)}
        assert (after[hidden] > 0.1) == is_kept
        assert all(after[edge] == 0.0005 for edge in before)
    shown = [DoorSighting(hidden, 0.0005, print_seen=0.9)]
    assert behind_bodies(shown, [FigureSighting(None, cells, (0.0, 0.0), 5.0)], opening, roster) == shown


def test_a_faint_door_adds_its_chance_to_no_door_of_a_world() -> None:
    doors = [DoorSighting(Edge((c, 0), (c, 1)), chance) for c, chance in ((0, 0.0015), (1, 0.001), (2, 0.0005))]
    ways = [[TableWay(0.999, (), ()), TableWay(0.001, (), (doors[0],))]]
    kept = {door.edge: door.confidence for door in gathered(doors, ways)}
    assert kept == {doors[0].edge: 0.0015, doors[1].edge: pytest.approx(0.0015)}
    assert len(gathered(doors)) == 1


def test_clutter_may_be_a_figure_where_a_coin_stands_for_one(tables: list[tuple[Scene, BoardView]]) -> None:
    roster = tables[0][0].roster
    ringed = replace(roster, figures=tuple(figure for figure in roster.figures if figure.ring))
    coin = RosterFigure("coin-1", "coin", "foes", (1, 1), 22.0, 3.0)
    die, tall = replace(coin, base_mm=16.0, height_mm=16.0), replace(coin, height_mm=30.0)
    low = replace(coin, height_mm=18.0)
    assert share_with_rings(ringed) == 1.0
    assert ringed.all_have_rings
    assert not replace(ringed, figures=()).all_have_rings  # an empty box counted as ringed in one place of two
    for creature in (tall, low):
        assert share_with_rings(replace(ringed, figures=(*ringed.figures, creature))) > 0.5
    for stand_in in (coin, die, replace(coin, ring="#be8962")):
        assert share_with_rings(replace(ringed, figures=(*ringed.figures, stand_in))) == 0.0


def two_large(scene: Scene) -> Scene:
    """Return the scene with only two large figures without a rim, their bases side by side."""
    large = RosterFigure("bull-1", "bull", "foes", (2, 2), 47.4, 40.0, None, "rectangle", (47.4, 47.4))
    cells = frozenset(scene.cells)
    corner = next(
        (c, r) for c, r in sorted(cells) if cells.issuperset((c + i, r + j) for i in range(4) for j in range(2))
    )
    look = scene.looks[scene.figures[0].figure.kind]
    figures = []
    for number in range(2):
        column, row = corner[0] + 2 * number, corner[1]
        under = tuple(sorted((column + i, row + j) for i in range(2) for j in range(2)))
        x, y = on_table(scene.grid, np.array([[column + 1, row + 1]]))[0].tolist()
        turn = scene.grid.angle_deg
        figures.append(PlacedFigure(replace(large, id=f"bull-{number}"), under, (x, y), turn, turn, number))
    roster = replace(scene.roster, figures=(*scene.roster.figures, *(placed.figure for placed in figures)))
    return replace(scene, doors=(), figures=tuple(figures), roster=roster, looks={**scene.looks, "bull": look})


def test_two_large_bases_without_a_rim_side_by_side_are_never_silent() -> None:
    for seed in SEEDS[:2]:
        scene, board = table_of(seed, crowded=False, change=two_large)
        standing = find_standing(board, scene.roster)
        seen = [f for f in (*standing.figures, *standing.maybe_figures) if f.confidence > 0.4]
        assert {placed.cells for placed in scene.figures} <= {figure.cells for figure in seen}


def on_small_bases(scene: Scene) -> Scene:
    """Return the scene with its small figures on bases of 14 mm."""
    small = {"base_mm": 14.0, "base_size_mm": (14.0, 14.0)}
    figures = tuple(
        replace(placed, figure=replace(placed.figure, **small)) if len(placed.cells) == 1 else placed
        for placed in scene.figures
    )
    return replace(scene, figures=figures)


def test_rims_are_read_where_the_roster_states_larger_bases_than_there_are() -> None:
    scene, board = table_of(SEEDS[2], crowded=False, change=on_small_bases)
    assert {figure.base_mm for figure in scene.roster.figures if figure.size == (1, 1)} != {14.0}
    seen = {figure.cells: figure for figure in find_standing(board, scene.roster).figures}
    ringed = [placed for placed in scene.figures if len(placed.cells) == 1 and placed.figure.ring]
    right = [p for p in ringed if p.cells in seen and seen[p.cells].kind == p.figure.kind]
    wrong = [p for p in ringed if p.cells in seen and seen[p.cells].kind not in (None, p.figure.kind)]
    assert len(right) >= 0.7 * len(ringed) > 2
    assert not wrong


def test_what_stands_leans_to_the_right_and_up_in_every_patch(tables: list[tuple[Scene, BoardView]]) -> None:
    for scene, board in tables:
        source = patch_source(board, scene.roster)
        edges = list_inner_edges(board.cells)[:12]
        patches = door_patches(source, edges, DoorSpec(8, 1, 30.0, 2.0))
        assert patches.shape == (len(edges), CHANNELS, *DOOR_FRAME.size_wh[::-1])
        rows, columns = np.mgrid[0 : patches.shape[2], 0 : patches.shape[3]]
        outlines = patches[:, CHANNELS - 1]
        weight = outlines.sum(axis=(1, 2))
        assert (((outlines * columns).sum(axis=(1, 2)) / weight) >= DOOR_FRAME.foot_px[0] - 1).all()
        assert (((outlines * rows).sum(axis=(1, 2)) / weight) <= DOOR_FRAME.foot_px[1] + 1).all()
        cells = sorted(board.cells)[:5]
        assert base_patches(source, cells).shape == (len(cells), CHANNELS, *BASE_FRAME.size_wh[::-1])


def test_samples_of_a_seed_are_always_the_same() -> None:
    first, again = (samples_of(labelled_scene(*table_of(800_011, crowded=True))) for _ in range(2))
    assert np.array_equal(first.door_patches, again.door_patches)
    assert first.door_labels.sum() >= 1
    assert len(first.base_labels) == len(first.base_patches)


def test_no_patches_give_no_chances() -> None:
    assert chances("doors", np.zeros((0, CHANNELS, 72, 96), dtype=np.float32)).shape == (0, 2)
    assert chances("bases", np.zeros((0, CHANNELS, 72, 72), dtype=np.float32)).shape == (0, 3)


def test_chances_add_up_to_one() -> None:
    rng = np.random.default_rng(1)
    rows = chances("doors", rng.random((3, CHANNELS, 72, 96), dtype=np.float32))
    assert rows.sum(axis=1) == pytest.approx(1.0, abs=1e-5)


def test_a_ring_is_known_in_shade_and_mixed_with_grey() -> None:
    colors = ("#1b9e3a", "#e07a1f", "#2563c9")
    for index, bgr in enumerate(((58, 158, 27), (31, 122, 224), (201, 99, 37))):
        pure = light_from_gamma(np.array([[bgr]], dtype=np.uint8))
        for shade in (0.3, 0.6, 1.0):
            mixed = gamma_from_light(shade * (0.7 * pure + 0.3 * 0.2))
            assert int(ring_likelihood(mixed, colors)[0, 0].argmax()) == index


def test_grey_is_no_coloured_ring() -> None:
    grey = np.full((1, 1, 3), 120, dtype=np.uint8)
    assert ring_likelihood(grey, ("#1b9e3a", "#e07a1f")).max() < 0.1


def test_a_base_stands_only_where_all_its_cells_are() -> None:
    shape = BaseFootprint(False, (47.4, 22.0), (2, 1))
    cells = frozenset({(0, 0), (1, 0), (1, 1)})
    assert list(stands(shape, cells)) == [Stand(shape, (0, 0))]
    assert Stand(shape, (0, 0)).cells == ((0, 0), (1, 0))


def test_inner_edges_part_two_cells_of_the_board() -> None:
    assert list_inner_edges(frozenset({(0, 0), (1, 0), (5, 5)})) == [Edge((1, 0), (1, 1))]


def figure_at(column: int, log_odds: float, kind: str = "imp", cells: int = 1) -> FigureSighting:
    """Return a figure of that kind on one or two cells of the first row."""
    model = RosterFigure(f"{kind}-1", kind, "foes", (cells, 1), 22.0, 30.0, "#e07a1f")
    return FigureSighting(model, tuple((column + i, 0) for i in range(cells)), (0.0, 0.0), log_odds)


def standing(
    chosen: list[FigureSighting], others: list[FigureSighting], absence: list[float] | None = None
) -> tuple[tuple[FigureSighting, ...], tuple[FigureSighting, ...]]:
    """Return the figures, and the possible ones, for chances of the table."""
    settled = Settled(chosen, [], others, [], [0.1] * len(chosen) if absence is None else absence, [])
    found = standing_of(settled, Occupancy({}))
    return found.figures, found.maybe_figures


def test_what_lost_its_place_by_little_stays_as_a_rival() -> None:
    kept, maybe = standing([figure_at(1, 3.0)], [figure_at(1, 1.0, "brute", 2), figure_at(5, -1.0)])
    assert [figure.cells for figure in kept] == [((1, 0),)]
    assert [rival.cells for rival in kept[0].rivals] == [((1, 0), (2, 0))]
    assert [figure.cells for figure in maybe] == [((5, 0),)]


def test_a_rival_is_weighed_against_nobody_in_the_place() -> None:
    rival = figure_at(1, log_odds_of(0.08), "trooper")
    ((figure,), _) = standing([figure_at(1, log_odds_of(0.9))], [rival], [0.02])
    assert figure.rivals[0].log_odds == pytest.approx(math.log(0.08 / 0.02))


def test_who_would_stand_in_two_places_is_a_rival_of_the_less_sure() -> None:
    kept, _ = standing([figure_at(2, 1.0, "trooper"), figure_at(1, 3.0)], [figure_at(1, 0.5, "brute", 2)])
    assert [(figure.cells[0][0], len(figure.rivals)) for figure in kept] == [(1, 0), (2, 1)]


def test_of_two_kinds_with_rings_alike_neither_is_reported_surely(tables: list[tuple[Scene, BoardView]]) -> None:
    """A sure figure there does not make either kind surer."""
    scene, board = tables[0]
    roster = scene.roster
    twins = [
        replace(figure, id=f"{figure.id}-twin", kind=f"{figure.kind}-twin", ring=f"#{int(figure.ring[1:], 16) ^ 1:06x}")
        for figure in roster.figures
        if figure.ring
    ]
    told = find_standing(board, replace(roster, figures=(*roster.figures, *twins))).figures
    known = [figure for figure in told if figure.model is not None]
    assert len(known) >= 3
    assert max(figure.confidence for figure in known) < 0.7


def test_no_candidate_of_a_place_is_left_out() -> None:
    first, second, faint = figure_at(5, -2.0), figure_at(5, -3.0, "brute", 2), figure_at(4, -5.5, "brute", 2)
    kept, (maybe,) = standing([], [faint, second, first])
    assert kept == ()
    assert maybe.cells == first.cells
    assert [rival.cells for rival in maybe.rivals] == [second.cells]
    assert maybe.confidence == pytest.approx(first.confidence + faint.confidence)


def test_faint_doors_near_each_other_are_reported_as_one_and_none_is_lost() -> None:
    edges = [Edge((x, 1), (x + 1, 1)) for x in range(6)]
    chances = [LEAST_CHANCE, LEAST_CHANCE / 2, LEAST_CHANCE / 4, 0.3, LEAST_CHANCE / 8, LEAST_CHANCE / 16]
    told = gathered([DoorSighting(edge, chance) for edge, chance in zip(edges, chances, strict=True)])
    assert [door.edge for door in told] == [edges[3], edges[0], edges[1], edges[4]]
    assert sum(door.confidence for door in told) == pytest.approx(sum(chances))


def test_nothing_hopeless_is_kept_in_mind() -> None:
    assert standing([], [figure_at(1, -8.0)]) == ((), ())


KNOWN = np.array([0.0, 1.0, 0.0, 0.0])


def ringed(log_odds: float, *shares: float, any_ring: float = 3.0) -> list[RingedSighting]:
    """The possible rings of one place: log odds of any figure, and the share of each kind's ring."""
    kinds = ("imp", "medic", "sapper")
    return [
        RingedSighting(figure_at(1, log_odds, kind), share, any_ring)
        for kind, share in zip(kinds, shares, strict=False)
    ]


def test_rings_that_look_alike_share_one_figure_and_never_cost_it() -> None:
    *known, stranger = with_kind(ringed(4.0, 0.6, 0.4), None, KNOWN, all_have_rings=True)
    assert [figure.kind for figure in known] == ["imp", "medic"]
    somebody = figure_at(1, 4.0).confidence
    assert sum(figure.confidence for figure in (*known, stranger)) == pytest.approx(somebody)
    assert known[0].confidence / known[1].confidence == pytest.approx(1.5)


def test_a_sure_base_with_two_like_rings_explains_its_cells() -> None:
    like = [figure_at(1, log_odds_of(0.49), kind, 2) for kind in ("hound", "crawler")]
    assert cells_under(like, least_log_odds=3.0) == {(1, 0), (2, 0)}
    assert cells_under(like[:1], least_log_odds=3.0) == frozenset()


def test_somebody_without_a_likely_ring_is_of_unknown_kind() -> None:
    *_, stranger = with_kind(ringed(4.0, 1.0, any_ring=-3.0), None, KNOWN, all_have_rings=True)
    assert stranger.model is None
    assert stranger.confidence > 0.9


def test_rings_beyond_the_candidates_leave_the_kind_unknown() -> None:
    *known, stranger = with_kind(ringed(4.0, 0.1, 0.1, 0.1, any_ring=6.0), None, KNOWN, all_have_rings=True)
    assert stranger.confidence == pytest.approx(0.7 * figure_at(1, 4.0).confidence, abs=0.01)
    assert all(figure.confidence < 0.1 for figure in known)


def test_cells_alone_count_where_the_figure_may_have_no_ring() -> None:
    plain = replace(figure_at(1, 5.0), model=None)
    found = {share: list(with_kind(ringed(-1.0, 1.0), plain, KNOWN, all_have_rings=share)) for share in (True, False)}
    chance = {share: sum(figure.confidence for figure in there) for share, there in found.items()}
    assert chance[True] == pytest.approx(figure_at(1, -1.0).confidence)
    assert chance[False] == pytest.approx(plain.confidence)


def test_where_the_box_holds_no_more_of_a_kind_the_next_one_stands_there() -> None:
    near = with_kind(ringed(5.0, 0.9, 0.1), None, KNOWN, all_have_rings=True)
    far = figure_at(4, 6.0, "imp")
    box = Roster(
        tuple(one.sighting.model for one in ringed(0.0, 0.5, 0.5) if one.sighting.model), DoorSpec(0, 1, 30.0, 2.0)
    )
    found = settle(scene_of([*near, far], [], box))
    assert {figure.kind for figure in found.figures} == {"imp", "medic"}
    assert max(found.absence) < 0.03


def test_a_larger_base_beside_it_speaks_against_a_part_of_it() -> None:
    large, empty = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
    occupancy = Occupancy({(0, 0): large, (1, 0): large, (2, 0): empty, (0, 1): empty, (1, 1): empty})
    assert occupancy.log_odds_beside([(0, 0)]) == 5.0
    assert occupancy.log_odds_beside([(0, 0), (1, 0)]) == -5.0


def test_doubts_are_about_what_was_not_sure(photographed: Any) -> None:
    observation, seen = photographed.reading.observation, photographed.reading.seen
    unsure = [figure for figure in observation.figures if figure.confidence < 0.995]
    unsure_doors = [door for door in observation.doors if door.confidence < 0.995]
    about = [doubt for doubt in observation.doubts if doubt.about]
    assert len(about) == len(unsure) + len(unsure_doors)
    assert len(observation.doubts) - len(about) == len(seen.maybe_doors) + len(seen.maybe_figures)
    chances = sorted(doubt.variants[0].chance for doubt in about)
    assert chances == pytest.approx(sorted([*(f.confidence for f in unsure), *(d.confidence for d in unsure_doors)]))


@pytest.mark.parametrize("is_known", [False, True])
def test_a_figure_kept_under_a_hand_stays_in_doubt_beside_the_worlds(photographed: Any, *, is_known: bool) -> None:
    seen = photographed.reading.seen
    kept = replace(seen.figures[0], log_odds=2.0, rivals=())
    another = replace(kept, model=kept.model if is_known else None, log_odds=-1.0)
    ways = [TableWay(0.7, (), ()), TableWay(0.3, (another,), ())]
    bare = replace(seen, figures=[kept], doors=(), maybe_doors=(), maybe_figures=(), worlds=[ways])
    observation = observation_of(bare, photographed.prints, photographed.reader.roster)
    (figure,) = observation.board.figures
    assert [doubt.about for doubt in observation.worlds] == ([] if is_known else [(), (figure.id,)])
    assert [doubt.about for doubt in observation.doubts] == [(figure.id,)]


def test_a_figure_that_is_carried_is_read_although_its_old_place_is_kept(photographed: Any) -> None:
    """A hand hides the old place. The box holds one such figure, so the board says another kind of the new place."""
    seen = photographed.reading.seen
    kept = replace(next(figure for figure in seen.figures if figure.model), log_odds=5.0, rivals=())
    free = sorted(seen.board.cells.difference(kept.cells))[:2]
    here, there = (replace(kept, cells=(cell,), log_odds=0.8) for cell in free)
    ways = [TableWay(0.7, (here,), ()), TableWay(0.3, (there,), ())]
    carried = replace(seen, figures=[kept, here], doors=(), maybe_doors=(), maybe_figures=(), worlds=[ways])
    one = replace(photographed.reader.roster, figures=(kept.model,))
    observation = observation_of(carried, photographed.prints, one)
    assert len(observation.board.figures) == 2
    assert observation.worlds == ()


def test_of_more_than_the_box_holds_the_rest_are_of_another_kind_or_of_none() -> None:
    imp, trooper = figure_at(1, 2.0), figure_at(1, 1.0, "trooper")
    doubtful = replace(imp, rivals=(trooper,))
    assert left_in_box(doubtful, {"imp": 1, "trooper": 1}) is imp.model
    assert left_in_box(doubtful, {"imp": 0, "trooper": 1}) is trooper.model
    assert left_in_box(doubtful, {"imp": 0, "trooper": 0}) is None
    assert left_in_box(replace(imp, model=None), {"imp": 1}) is None


def test_who_rather_has_no_ring_is_not_named_by_the_ring_that_lost() -> None:
    trooper = figure_at(1, -2.0, "trooper")
    assert left_in_box(replace(figure_at(1, 2.0), model=None, rivals=(trooper,)), {"trooper": 1}) is None


def test_what_lies_across_a_cell_covers_it_and_a_base_or_a_die_does_not() -> None:
    lying, die, under_a_body, open_print = (0.1, 0.3), (0.1, 0.9), (0.1, 0.3), (0.95, 0.9)
    prints = {(0, 0): lying, (1, 0): die, (2, 0): under_a_body, (3, 0): open_print, (4, 0): lying}
    occupancy = Occupancy({}, prints, hidden=Occupancy({}, prints, {(2, 0): 0.8}))
    assert occupancy.covered([((4, 0),)]) == {(0, 0)}

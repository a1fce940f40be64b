"""Every house option: named, with its default first, and each choice changes the answer as described."""

from __future__ import annotations

import pytest
from msgspec import ValidationError

from assistant.errors import UnknownName
from assistant.match.games import rule_set
from assistant.rules.options import read_options

WALL_ROW = [((x, 1), (x + 1, 1)) for x in range(-3, 8)]


def ask(board, game="doom2016", **options):
    found = rule_set(game, options).rule(board, "a", "d")
    return found.range, found.line_of_sight, found.cover


def both(board, option, other, game="doom2016"):
    """Return the answers under the default and under another choice; the default's ruling must name the option."""
    found = rule_set(game).rule(board, "a", "d")
    if ask(board, game) != ask(board, game, **{option: other}):
        assert found.options[option] == rule_set(game).options[option]
        worded = [r for r in found.reasons if r.arguments.get("option") == option]
        assert len(worded) == 1
        assert option in worded[0].text
    return ask(board, game), ask(board, game, **{option: other})


def costs(board, figure="a", points=9, game="doom2016", open_doors=False, **options):
    reach = rule_set(game, options).reach(board, figure, points, open_doors)
    return {end.cells: end.cost for end in reach.ends}


A9 = [
    "los_corner_touch",
    "los_pinch",
    "los_shared_corner",
    "large_los_cells",
    "target_on_obstacle",
    "cover_corner",
    "cover_touch",
    "cover_doors",
    "cover_difficult_border",
    "cover_figure_border",
    "cover_defender_in_difficult",
    "cover_attacker_in_difficult",
    "range_metric",
    "diagonal_at_vertex",
    "impassable_movement",
    "cost_stacking",
    "door_reach",
    "large_vs_large",
    "rotate_block",
    "stun_drop_die",
    "stun_thick_skin",
    "glory_cost",
    "event_hand",
    "initiative_types",
]
B8 = [
    "los_touch",
    "los_edge_run",
    "los_pinch",
    "los_figures",
    "spawn_los_marines",
    "oversized_range_origin",
    "oversized_target_range",
    "range_count",
    "diagonal_at_wall",
    "adjacent_through_wall",
    "melee_range_roll",
    "zero_armour",
    "dodge_choice",
    "door_cells",
    "demon_snake_head",
    "guard_expiry",
]


@pytest.mark.parametrize(("game", "names"), [("doom2016", A9), ("doom2004", B8)])
def test_all_open_points_are_options(game, names):
    rules = rule_set(game)
    assert set(names) <= {option.name for option in rules.option_table}
    assert rules.options == {option.name: option.choices[0] for option in rules.option_table}
    assert all(option.question and option.source for option in rules.option_table)


def test_unknown_options_choices_and_rule_sets_are_named():
    with pytest.raises(UnknownName, match="doom1993"):
        rule_set("doom1993")
    with pytest.raises(UnknownName, match="no_such"):
        rule_set("doom2016", {"no_such": "yes"})
    with pytest.raises(UnknownName, match="Choose one of: yes, no"):
        rule_set("doom2016", {"cover_doors": "perhaps"})


def test_los_corner_touch(build):
    opaque = build.board(a=(2, 0), d=(2, 1), walls=WALL_ROW)
    assert both(opaque, "los_corner_touch", "always_clear")[1][1] is True
    graze = build.board(a=(0, 0), d=(2, 2), blocking=[(1, 1)])
    assert [x[1] for x in both(graze, "los_corner_touch", "strict")] == [True, False]


def test_los_pinch(build):
    board = build.board(a=(0, 0), d=(1, 1), blocking=[(0, 1), (1, 0)])
    assert [x[1] for x in both(board, "los_pinch", "open")] == [False, True]


def test_los_shared_corner(build):
    board = build.board(a=(0, 0), d=(1, 1), walls=[((1, 0), (1, 1))])
    found = rule_set("doom2016").rule(board, "a", "d")
    shared = next(o for o in found.origins if o.place == (1, 1))
    assert (1, 1) in shared.targets
    other = rule_set("doom2016", {"los_shared_corner": "needs_length"}).rule(board, "a", "d")
    assert (1, 1) not in next(o for o in other.origins if o.place == (1, 1)).targets


def test_large_los_cells(build):
    """Only from the middle of its long side does a figure of three cells see past the two obstacles."""
    walls = [((x, 1), (x + 1, 1)) for x in (*range(-4, 0), 0, 2, *range(3, 10))]
    board = build.board(a=[(0, 0), (1, 0), (2, 0)], d=(1, 3), walls=walls)
    assert [x[1] for x in both(board, "large_los_cells", "outer_corners")] == [True, False]


def test_target_on_obstacle(build):
    board = build.board(a=(0, 0), d=[(3, 0), (4, 0)], blocking=[(3, 0), (4, 0)])
    assert [x[1] for x in both(board, "target_on_obstacle", "literal")] == [True, False]


def test_cover_corner_any_and_declared(build):
    board = build.board(a=(0, 0), d=(2, 0), difficult=[(0, 0)])
    assert [x[2] for x in both(board, "cover_corner", "any")] == [False, True]
    assert ask(board, cover_corner="declared")[2] is True
    declared = rule_set("doom2016", {"cover_corner": "declared"})
    assert declared.from_corner((1, 0)).rule(board, "a", "d").cover is False
    assert declared.from_corner((0, 0)).rule(board, "a", "d").cover is True
    with pytest.raises(UnknownName, match="not a corner"):
        declared.from_corner((5, 5)).rule(board, "a", "d")


def test_cover_touch(build):
    """The end of one wall lies on the middle of every lower line."""
    board = build.board(a=(0, 0), d=(0, 4), walls=[((1, 2), (2, 2)), ((-1, 2), (0, 2))])
    assert [x[2] for x in both(board, "cover_touch", "gives_cover")] == [False, True]


def test_cover_doors(build):
    board = build.board(a=(0, 0), d=(1, 0), doors=[((1, 0), (1, 1))])
    assert [x[1:] for x in both(board, "cover_doors", "no")] == [(True, True), (True, False)]


def test_cover_difficult_border(build):
    board = build.board(a=(0, 0), d=(3, 0), difficult=[(1, -1), (1, 1)])
    assert [x[2] for x in both(board, "cover_difficult_border", "border")] == [False, True]


def test_cover_figure_border(build):
    board = build.board(a=(0, 0), d=(3, 0), others=[(1, -1), (1, 1)])
    assert [x[2] for x in both(board, "cover_figure_border", "edge")] == [False, True]


def test_cover_defender_in_difficult(build):
    board = build.board(a=(0, 0), d=(2, 0), difficult=[(2, 0)])
    assert [x[2] for x in both(board, "cover_defender_in_difficult", "no")] == [True, False]


def test_cover_attacker_in_difficult(build):
    """The wall hinders the corners from which the attacker's own cell would not be in the way."""
    board = build.board(a=(0, 0), d=(1, 1), difficult=[(0, 0)], walls=[((1, 1), (1, 2))])
    assert [x[1:] for x in both(board, "cover_attacker_in_difficult", "no")] == [(True, True), (True, False)]


def test_range_metric(build):
    board = build.board(a=(0, 0), d=(2, 0), obstacles=[((1, y), (1, y + 1)) for y in range(-2, 3)])
    assert ask(board)[0] == 2
    assert ask(board, range_metric="obstacles_closed")[0] == 6
    walled = build.board(a=(0, 0), d=(2, 0), walls=[((1, y), (1, y + 1)) for y in range(-2, 3)])
    assert (ask(walled)[0], ask(walled, range_metric="chebyshev")[0]) == (6, 2)


@pytest.mark.parametrize(("game", "option"), [("doom2016", "diagonal_at_vertex"), ("doom2004", "diagonal_at_wall")])
def test_diagonal_steps_at_a_corner(build, game, option):
    corner = build.board(a=(0, 0), d=(1, 1), walls=[((1, 0), (1, 1))])
    assert [ask(corner, game, **{option: c})[0] for c in ("two_l", "free", "strict")] == [1, 1, 2]
    straight = build.board(a=(0, 0), d=(1, 1), walls=[((x, 1), (x + 1, 1)) for x in (-1, 0, 1)])
    assert [ask(straight, game, **{option: c})[0] for c in ("two_l", "free", "strict")] == [3, 1, 4]


def test_impassable_movement(build):
    board = build.board(a=(0, 0), d=None, cells=[(0, 0), (1, 0)], impassable=[((1, 0), (1, 1))])
    assert costs(board) == {((0, 0),): 0}
    assert costs(board, impassable_movement="free") == {((0, 0),): 0, ((1, 0),): 1}


@pytest.mark.parametrize(("game", "option", "other", "price"), [
    ("doom2016", "door_reach", "corner", 1),
    ("doom2004", "door_cells", "diagonal", 2),
])  # fmt: skip
def test_door_reach(build, game, option, other, price):
    """The door is beside the marine's neighbour; it can be opened from the neighbour's cell, or from its own."""
    board = build.board(a=(0, 0), d=None, cells=[(0, 0), (1, 0), (1, 1)], doors=[((1, 1), (2, 1))])
    assert costs(board, game=game) == {((0, 0),): 0, ((1, 0),): 1}
    opened = costs(board, game=game, open_doors=True)
    assert opened[(1, 1),] == 2 + price
    nearer = costs(board, game=game, open_doors=True, **{option: other})
    assert nearer[(1, 1),] == 1 + price


def test_large_vs_large(build):
    row = [(x, y) for x in range(8) for y in range(2)]
    board = build.board(a=[(0, 0), (0, 1), (1, 0), (1, 1)], d=[(3, 0), (3, 1), (4, 0), (4, 1)], cells=row)
    passed = (5, 0), (5, 1), (6, 0), (6, 1)
    found = costs(board)
    # Two of the five steps enter an enemy of its size; a third step still stands on it.
    assert found[passed] == 7
    assert ((2, 0), (2, 1), (3, 0), (3, 1)) not in found
    assert passed not in costs(board, large_vs_large="stop")


def test_los_touch_2004(build):
    board = build.board(a=(0, 0), d=(2, 2), others=[(1, 0)])
    assert [x[1] for x in both(board, "los_touch", "blocks", "doom2004")] == [True, False]
    wall_end = build.board(a=(0, 0), d=(2, 2), walls=[((1, 1), (2, 1))])
    assert [x[1] for x in both(wall_end, "los_touch", "blocks", "doom2004")] == [True, False]


def test_los_edge_run_2004_never_arises_between_centres(build):
    corridor = build.board(a=(0, 0), d=(3, 0), walls=[((x, y), (x + 1, y)) for x in range(4) for y in (0, 1)])
    assert [x[1] for x in both(corridor, "los_edge_run", "clear", "doom2004")] == [True, True]


def test_los_pinch_2004(build):
    cells = build.board(a=(0, 0), d=(1, 1), blocking=[(0, 1), (1, 0)])
    assert [x[1] for x in both(cells, "los_pinch", "always_blocked", "doom2004")] == [True, False]
    walls = build.board(a=(0, 0), d=(1, 1), walls=build.solid_sides((0, 1), (1, 0)))
    assert [x[1] for x in both(walls, "los_pinch", "always_clear", "doom2004")] == [False, True]


def test_los_figures_2004(build):
    marines = build.board(a=(0, 0), d=(3, 0))
    friend = build.with_figures(marines, [*marines.figures, build.figure("b", (1, 0), "marines")])
    assert [x[1] for x in both(friend, "los_figures", "enemies", "doom2004")] == [False, True]
    enemy = build.board(a=(0, 0), d=(3, 0), others=[(1, 0)])
    assert [x[1] for x in both(enemy, "los_figures", "enemies", "doom2004")] == [False, False]


def test_oversized_range_origin_2004(build):
    """A figure hides the target from the nearer half; the farther half sees it."""
    board = build.board(a=[(0, 0), (1, 0)], d=(3, 1), others=[(2, 0)])
    answers = both(board, "oversized_range_origin", "sight_space", "doom2004")
    assert [x[:2] for x in answers] == [(2, True), (3, True)]


def test_oversized_target_range_2004(build):
    board = build.board(a=(0, 0), d=[(3, 0), (4, 0)])
    named = rule_set("doom2004")
    assert named.rule(board, "a", "d").range == 3
    assert named.into_space((4, 0)).rule(board, "a", "d").range == 4
    assert (
        rule_set("doom2004", {"oversized_target_range": "nearest"}).into_space((4, 0)).rule(board, "a", "d").range == 3
    )
    with pytest.raises(UnknownName, match="not a space"):
        named.into_space((9, 9)).rule(board, "a", "d")


def test_range_count_2004(build):
    row = [(x, 0) for x in range(4)] + [(x, 1) for x in range(4)]
    board = build.board(a=(0, 0), d=(3, 0), cells=row, others=[(1, 0), (1, 1)])
    assert ask(board, "doom2004")[0] == 3
    assert ask(board, "doom2004", range_count="figures_block")[0] is None
    walled = build.board(a=(0, 0), d=(2, 0), walls=[((1, y), (1, y + 1)) for y in range(-2, 3)])
    assert [ask(walled, "doom2004", range_count=c)[0] for c in ("path", "straight")] == [6, 2]


def test_adjacent_through_wall_2004(build):
    board = build.board(a=(0, 0), d=(1, 0), walls=[((1, 0), (1, 1))])
    found = [
        rule_set("doom2004", {"adjacent_through_wall": c}).rule(board, "a", "d").adjacent for c in ("no", "corner")
    ]
    assert found == [False, True]


def test_demon_snake_head_2004(build):
    board = build.board(a=[(0, 0), (1, 0)], d=None)
    assert costs(board, game="doom2004", points=1)[(1, 0), (2, 0)] == 1
    assert ((1, 0), (2, 0)) not in costs(board, game="doom2004", points=1, demon_snake_head="fixed")


OPTION = {"title": '"a"', "question": '"b?"', "source": '"c"', "choices": '{ clear = "d" }'}


@pytest.mark.parametrize(
    ("table", "fields", "fault"),
    [
        ("house.crowd", OPTION, "house"),
        ("play.crowd", {**OPTION, "source": "3"}, "source"),
        ("play.crowd", {**OPTION, "default": '"clear"'}, "default"),
    ],
)
def test_a_faulty_file_of_options_is_refused(tmp_path, monkeypatch, table, fields, fault):
    package = tmp_path / f"faulty_{fault}"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "options.toml").write_text(
        "\n".join([f"[{table}]", *(f"{key} = {value}" for key, value in fields.items())])
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValidationError, match=fault):
        read_options(package.name)

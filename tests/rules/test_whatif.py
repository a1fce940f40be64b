"""Maps of the board, changes that flip a ruling, and reasons in three languages."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import UnknownName
from assistant.match.games import rule_set
from assistant.rules.reasons import word_ruling
from assistant.rules.whatif import QUESTIONS, find_observers, find_seen_cells, iterate_placements, sight_map
from assistant.table.board import Figure
from assistant.translations.catalogue import language_tags, translate

GAMES = ("doom2016", "doom2004")
ROW = [(x, 0) for x in range(6)]


def holds(board, question, game="doom2016", target="d"):
    return sight_map(rule_set(game), board, question, "a", target).holds


def explained(board, game="doom2016"):
    rules = rule_set(game)
    return rules.explained(board, rules.rule(board, "a", "d"))


@pytest.mark.parametrize("game", GAMES)
def test_map_of_where_the_target_is_seen(build, game):
    board = build.board(a=(0, 0), d=(5, 0), cells=ROW, doors=[((3, 0), (3, 1))])
    assert holds(board, "sees", game) == {(3, 0), (4, 0)}


def test_map_of_where_the_target_has_no_cover(build):
    board = build.board(a=(0, 0), d=(5, 0), others=[(3, 0)])
    assert {(2, 0), (4, 0)} <= holds(board, "sees")
    assert (4, 0) in holds(board, "no_cover")
    assert (2, 0) not in holds(board, "no_cover")


@pytest.mark.parametrize("game", GAMES)
def test_map_of_seeing_unseen_and_of_safety(build, game):
    board = build.board(a=(0, 0), d=(5, 0), cells=[*ROW, (2, 1)], doors=[((1, 0), (1, 1))], others=[(2, 1)])
    assert (2, 0) in holds(board, "sees", game)
    assert (2, 0) not in holds(board, "sees_unseen", game)
    assert holds(board, "safe", game, target=None) == {(0, 0)}


def test_maps_need_a_target_and_known_figures(build):
    board = build.board()
    with pytest.raises(UnknownName, match="Name one"):
        holds(board, "sees", target=None)
    with pytest.raises(UnknownName, match="nobody"):
        holds(board, "sees", target="nobody")


def test_large_figures_are_placed_whole(build):
    board = build.board(a=[(0, 0), (1, 0)], d=(4, 0), cells=ROW)
    assert [f.cells[0] for f in iterate_placements(rule_set("doom2016"), board, board.figure("a"))] == [
        (0, 0),
        (1, 0),
        (2, 0),
    ]


def test_large_figures_are_not_placed_across_walls_nor_on_the_obstacles_of_2004(build):
    base = [(0, 0), (1, 0)]
    walled = build.board(a=base, d=(5, 0), cells=ROW, walls=[((3, 0), (3, 1))])
    solid = build.board(a=base, d=(5, 0), cells=ROW, blocking=[(3, 0)])
    places = {
        (game, name): [f.cells[0] for f in iterate_placements(rule_set(game), board, board.figure("a"))]
        for game in GAMES
        for name, board in (("walled", walled), ("solid", solid))
    }
    assert places["doom2016", "walled"] == places["doom2004", "walled"] == [(0, 0), (1, 0), (3, 0)]
    assert places["doom2016", "solid"] == [(0, 0), (1, 0), (2, 0), (3, 0)]
    assert places["doom2004", "solid"] == [(0, 0), (1, 0)]


def test_no_large_figure_is_reported_across_a_wall(build):
    board = build.board(a=(0, 1), d=[(3, 0), (4, 0)], cells=[*ROW, (0, 1)], walls=[((3, 0), (3, 1))])
    assert (2, 0) not in {c.cells[0] for c in explained(board).changes if c.subject == "d"}


def test_a_door_with_a_large_figure_in_it_does_not_close(build):
    board = build.board(a=(0, 0), d=[(2, 0), (3, 0)], cells=ROW, doors=[((3, 0), (3, 1))])
    board = replace(board, doors=tuple(replace(door, open=True) for door in board.doors))
    free = build.with_figures(board, [board.figure("a"), build.figure("d", [(3, 0), (4, 0)])])
    assert "close-door" not in {c.kind for c in explained(board, "doom2004").changes}
    assert "close-door" in {c.kind for c in explained(free, "doom2004").changes}


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_maps_say_what_a_ruling_from_there_would_say(game, build, data):
    board = data.draw(build.boards.filter(lambda b: len({f.side for f in b.figures}) == 2))
    rules = rule_set(game)
    a = board.figures[0]
    target = next(f for f in board.figures if f.side != a.side)
    maps = {q: sight_map(rules, board, q, a.id, target.id) for q in QUESTIONS}
    for placed in iterate_placements(rules, board, a):
        there = build.with_figures(board, [placed if f.id == a.id else f for f in board.figures])
        ruling = rules.rule(there, a.id, target.id)
        seen_by = {f.id for f in there.figures if f.side != a.side and rules.rule(there, f.id, a.id).line_of_sight}
        expected = {
            "sees": ruling.line_of_sight,
            "sees_unseen": ruling.line_of_sight and not seen_by - {target.id},
            "no_cover": ruling.line_of_sight and not ruling.cover,
            "safe": not seen_by,
        }
        assert {q: placed.cells[0] in maps[q].holds for q in QUESTIONS} == expected


def test_cells_seen_from_a_figure(build):
    board = build.board(a=(0, 0), d=(5, 0), cells=ROW, doors=[((3, 0), (3, 1))])
    assert find_seen_cells(rule_set("doom2016"), board, board.figure("a")) == {(1, 0), (2, 0)}


def test_explain_names_the_door(build):
    found = explained(build.board(a=(0, 0), d=(5, 0), cells=ROW, doors=[((3, 0), (3, 1))]))
    first = found.changes[0]
    assert (first.kind, first.subject, first.flips, first.becomes) == ("open-door", "d1", "line_of_sight", True)
    assert any("d1" in r.text and "there would be line of sight" in r.text for r in found.reasons)


def test_explain_names_the_figure_that_gives_cover(build):
    found = explained(build.board(a=(0, 0), d=(2, 0), others=[(1, 0)]))
    flips = {(c.kind, c.subject, c.flips, c.becomes) for c in found.changes}
    assert ("remove", "o1", "cover", False) in flips


def test_explain_names_the_figure_that_hides_and_a_step_that_would_hide_in_2004(build):
    hidden = explained(build.board(a=(0, 0), d=(2, 0), cells=ROW, others=[(1, 0)]), "doom2004")
    assert ("remove", "o1", True) in {(c.kind, c.subject, c.becomes) for c in hidden.changes}
    seen = explained(build.board(a=(0, 0), d=(2, 0), cells=[*ROW, (1, 1)], others=[(1, 1)]), "doom2004")
    assert ("move", "o1", ((1, 0),), False) in {(c.kind, c.subject, c.cells, c.becomes) for c in seen.changes}


def test_explain_names_the_cell_and_the_printed_line(build):
    cell = explained(build.board(a=(0, 0), d=(3, 0), cells=ROW, blocking=[(1, 0)]))
    assert ("clear-cell", ((1, 0),)) in {(c.kind, c.cells) for c in cell.changes}
    line = explained(build.board(a=(0, 0), d=(1, 0), cells=ROW, obstacles=[((1, 0), (1, 1))]))
    assert "remove-edge" in {c.kind for c in line.changes}


def test_doors_that_stay_open_are_closed_in_2004_alone(build):
    board = build.board(a=(0, 0), d=(5, 0), cells=ROW, doors=[((3, 0), (3, 1))])
    board = replace(board, doors=tuple(replace(door, open=True) for door in board.doors))
    assert "close-door" not in {c.kind for c in explained(board).changes}
    assert "close-door" in {c.kind for c in explained(board, "doom2004").changes}


def changed(build, board, change):
    """Return the board with a change made."""
    if change.kind in ("open-door", "close-door"):
        is_open = change.kind == "open-door"
        return replace(
            board, doors=tuple(replace(d, open=is_open) if d.id == change.subject else d for d in board.doors)
        )
    if change.kind == "move":
        there = replace(board.figure(change.subject), cells=change.cells)
        return build.with_figures(board, [there if f.id == change.subject else f for f in board.figures])
    if change.kind == "remove":
        return build.with_figures(board, [f for f in board.figures if f.id != change.subject])
    if change.kind == "clear-cell":
        gone = frozenset(change.cells)
        return replace(board, difficult=board.difficult - gone, blocking=board.blocking - gone)
    return replace(board, edges={edge: kind for edge, kind in board.edges.items() if edge != change.edge})


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_change_that_is_named_flips_the_ruling(game, build, data):
    board = data.draw(build.boards.filter(lambda b: len({f.side for f in b.figures}) == 2))
    rules = rule_set(game)
    for ruling in rules.pairs(board):
        for change in rules.explained(board, ruling).changes:
            then = rules.rule(changed(build, board, change), ruling.attacker, ruling.defender)
            assert getattr(then, change.flips) == change.becomes != getattr(ruling, change.flips)


def test_changes_are_about_the_corner_that_was_named(build):
    board = build.board(a=(0, 0), d=(2, 0), difficult=[(0, 0)], others=[(1, 3)])
    rules = rule_set("doom2016")
    ruling = rules.from_corner((0, 0)).rule(board, "a", "d")
    assert ruling.cover
    found = rules.from_corner((0, 0)).explained(board, ruling)
    # From the far corner every step on the same row still crosses the attacker's own cell.
    assert ("clear-cell", ((0, 0),)) in {(c.kind, c.cells) for c in found.changes}
    assert "o1" not in {c.subject for c in found.changes}
    assert ("d", ((3, 0),)) not in {(c.subject, c.cells) for c in found.changes}


def test_changes_are_about_the_space_that_was_named(build):
    board = build.board(a=(0, 2), d=[(5, 1), (6, 1), (5, 2), (6, 2)], blocking=[(3, 2)])
    rules = rule_set("doom2004")
    ruling = rules.into_space((6, 2)).rule(board, "a", "d")
    assert not ruling.line_of_sight
    found = rules.into_space((6, 2)).explained(board, ruling)
    for change in (c for c in found.changes if c.subject == "d"):
        left, top = change.cells[0]
        placed = build.with_figures(board, [board.figure("a"), build.figure("d", change.cells)])
        assert rules.into_space((left + 1, top + 1)).rule(placed, "a", "d").line_of_sight


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_reasons_are_worded_in_every_language(game, build, data):
    rules = rule_set(game)
    board = data.draw(build.boards)
    for ruling in rules.pairs(board):
        told = rules.explained(board, ruling)
        texts = {lang: [r.text for r in word_ruling(told, rules.rules, lang).reasons] for lang in language_tags()}
        assert texts["en"] == [r.text for r in told.reasons]
        for words in texts.values():
            assert all(text and "{" not in text for text in words)
        assert texts["ru"][0] != texts["en"][0] != texts["es"][0]


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_a_source_and_three_summaries(game):
    for rule_id, rule in rule_set(game).rules.items():
        assert rule_id == rule.id
        assert rule_id.startswith(game + "/")
        assert len({translate(rule.summary, tag) for tag in ("en", "ru", "es")}) == 3
        assert all(all(phrase) for phrase in rule.phrases.values())


@pytest.mark.parametrize("game", ["doom2016", "doom2004", "roads"])
def test_every_rule_says_where_it_stands_in_the_readers_language_alone(game):
    for rule in rule_set(game).rules.values():
        for language in ("en", "ru", "es"):
            place = translate(rule.source, language)
            assert len(place) > 3
            letters = re.findall(r"[^\W\d_]", re.sub(r"\w+_\w+", "", place))  # options are called by their names
            assert all(("а" <= letter.lower() <= "ё") == (language == "ru") for letter in letters), place
            assert "seed" not in place


def test_unknown_languages_are_named(build):
    rules = rule_set("doom2016")
    with pytest.raises(UnknownName, match="Choose one of: en, es, ru"):
        word_ruling(rules.rule(build.board(), "a", "d"), rules.rules, "de")


@pytest.mark.parametrize("game", GAMES)
def test_who_sees_a_cell_is_who_would_see_a_figure_there(build, game):
    rules = rule_set(game)
    board = build.board(a=(0, 0), d=(5, 0), cells=[*ROW, (2, 1)], doors=[((3, 0), (3, 1))], others=[(2, 1)])
    seen = {cell: {watcher.figure for watcher in find_observers(rules, board, cell)} for cell in board.cells}
    assert "d" in seen[4, 0]
    assert "d" not in seen[1, 0]
    for cell in sorted(board.cells):
        found = find_observers(rules, board, cell)
        there = board.figure_at.get(cell) or Figure("x", "", "", (cell,))
        assert [w.figure for w in found] == [
            figure.id for figure in board.figures if figure.id != there.id and rules.sees(board, figure, there)
        ]
        assert all(w.line.purpose == "sight" and w.line.blocked_by is None for w in found)


def test_nobody_is_asked_about_a_cell_beside_the_board(build):
    with pytest.raises(UnknownName, match="Choose one that is drawn"):
        find_observers(rule_set("doom2016"), build.board(), (99, 99))

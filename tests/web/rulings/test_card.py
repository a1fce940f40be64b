from __future__ import annotations

import dataclasses
import math
import re

import pytest

from assistant.app.live.table_words import TableWords
from assistant.rules.ruling import Blocker, Ruling, SightLine
from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import Doubt, GroundDoubt, GroundVariant, Variant
from assistant.table.lattice import Edge
from assistant.translations.speech import speech
from web.rulings.card import CardContext, card_document, verdict_of
from web.rulings.line_stop import find_stop
from web.rulings.rulebook import AttackOnCells, cell_games, cell_rules
from web.scene.correction import Correction, correct_shot
from web.scene.drawing import ShotDrawing

RULES = cell_rules("doom2016")


def options_of(ruleset):
    return {option.name: option for option in cell_rules(ruleset).option_table}


def ruling_on(shot, attacker="bravo", defender="imp-1", language="en"):
    return AttackOnCells(RULES, shot.table, attacker, defender).rule(language)


def card_of(shot, ruling, language="en"):
    return card_document(CardContext(shot, ruling, RULES, speech(language), ShotDrawing(shot)))


@pytest.mark.parametrize(
    ("sight", "cover", "verdict"),
    [(True, False, "clear"), (True, True, "cover"), (True, None, "clear"), (False, None, "blocked")],
)
def test_the_verdict_is_one_of_three_words(sight, cover, verdict):
    ruling = Ruling("doom2016", "a", "b", 1, sight, cover, None, (), ())

    assert verdict_of(ruling) == verdict


def test_every_pair_of_the_scene_gets_a_card_that_agrees_with_its_ruling(shot):
    for ruling in RULES.pairs(shot.board):
        card = card_of(shot, ruling)
        facts = {fact["fact"]: fact["value"] for fact in card["facts"]}
        assert facts["sight"] == ("yes" if ruling.line_of_sight else "no")
        assert facts["range"].startswith(str(ruling.range)) or ruling.range is None
        assert ("cover" in facts) == (ruling.cover is not None)


def test_lines_begin_and_end_at_the_corners_that_the_camera_sees(shot):
    ruling = ruling_on(shot)
    card = card_of(shot, ruling)
    grid = shot.read.observation.grid

    for drawn, line in zip(card["lines"], ruling.lines, strict=True):
        turn = math.radians(grid.angle_deg)
        x, y = line.start
        table = (
            grid.origin_mm[0] + 25.4 * (math.cos(turn) * x - math.sin(turn) * y),
            grid.origin_mm[1] + 25.4 * (math.sin(turn) * x + math.cos(turn) * y),
        )
        [expected] = shot.read.view.image_from_table([table], 2.0)
        assert math.dist(drawn["from"], expected) < 0.1
        assert (drawn["stop"] is not None) <= (drawn["blocked_by"] is not None)


def test_the_card_speaks_the_readers_language(shot):
    card = card_of(shot, ruling_on(shot, language="ru"), "ru")

    assert card["facts"][0]["name"] == "Дальность"
    assert any("а" <= letter <= "я" for letter in card["reasons"][0]["text"])


def test_doubts_name_what_was_not_seen_clearly_and_how_stable_the_answer_is(shot):
    seen = shot.read.observation
    figures = tuple(
        dataclasses.replace(figure, confidence=0.41 if figure.id == "imp-1" else 1.0) for figure in seen.figures
    )
    read = dataclasses.replace(shot.read, observation=dataclasses.replace(seen, figures=figures))
    doubtful = dataclasses.replace(shot, read=read)
    ruling = dataclasses.replace(ruling_on(doubtful), stability=0.87)
    card = card_of(doubtful, ruling)

    assert card["open_points"][0]["text"].startswith("Imp 1 was not seen clearly (41 % sure)")
    assert card["stability"]["share"] == 0.87
    assert card["stability"]["percent"] == "87 %"
    assert card_of(shot, ruling_on(shot))["open_points"] == []


@pytest.fixture
def board():
    cells = frozenset((x, y) for x in range(6) for y in range(4))
    figures = (Figure("ogre", "ogre", "foes", ((2, 1), (2, 2), (3, 1), (3, 2))),)
    return Board(cells, {Edge((3, 0), (3, 1)): "wall"}, (Door("d1", (Edge((4, 1), (4, 2)),)),), figures)


@pytest.mark.parametrize(
    ("start", "end", "blocker", "stop"),
    [
        ((0, 0.5), (6, 0.5), Blocker("wall", edge=Edge((3, 0), (3, 1))), (3, 0.5)),
        ((0, 1), (6, 2), Blocker("door", id="d1"), (4, 1 + 4 / 6)),
        ((0, 1.5), (6, 1.5), Blocker("figure", id="ogre"), (2, 1.5)),
        ((0, 1.5), (6, 1.5), Blocker("difficult", cell=(5, 1)), (5, 1.5)),
        ((0, 0), (0, 4), Blocker("wall", edge=Edge((0, 1), (0, 2))), None),
        ((0, 0), (6, 0), Blocker("figure", id="gone"), None),
        ((0, 0), (6, 0), Blocker("range"), None),
        ((0, 0), (6, 0), None, None),
    ],
)
def test_a_line_stops_where_it_meets_its_blocker(board, start, end, blocker, stop):
    assert find_stop(SightLine(start, end, "sight", blocker), board) == (None if stop is None else pytest.approx(stop))


def test_reasons_name_figures_cells_and_corners_as_people_do(shot):
    card = card_of(shot, ruling_on(shot))
    texts = " ".join(reason["text"] for reason in card["reasons"])

    assert "Bravo" in texts
    assert "Imp 1" in texts
    assert "imp-1" not in texts
    assert re.search(r"[A-Z]\d+/[A-Z]\d+", texts)


def test_what_the_house_decided_stands_apart_from_why(shot):
    card = card_of(shot, ruling_on(shot))

    assert [reason["rule"] for reason in card["reasons"]] == ["doom2016/line-of-sight", "doom2016/range"]
    assert any("a corner that a line only touches" in reason["text"] for reason in card["house"])


def test_a_corner_is_named_by_cells_on_the_board_alone(shot):
    words = TableWords(shot.table)
    cells = shot.board.cells
    for x, y in sorted(cells):
        for corner in ((x, y), (x + 1, y + 1)):
            named = words.corner(list(corner))
            assert named.count("/") <= 1
            assert not named.startswith("(")
    assert words.corner([900, 900]) == "(900, 900)"
    assert words.cell([900, 900]) == "(900, 900)"


def doubtful(shot, figure_id="imp-1", chance=0.25):
    """Return the shot with a doubt about one figure's existence."""
    seen = shot.read.observation
    there = Variant(1 - chance, (seen.board.figure(figure_id),))
    observation = dataclasses.replace(seen, doubts=(Doubt((figure_id,), (there, Variant(chance))),))
    return dataclasses.replace(shot, read=dataclasses.replace(shot.read, observation=observation))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "If Imp 1 were not there (25 % likely), there would be nothing to ask about."),
        ("ru", "Если бы там не было фигуры Имп 1 (вероятность 25 %), спрашивать было бы не о чем."),
        ("es", "Si Diablillo 1 no estuviera allí (probabilidad 25 %), no habría nada que preguntar."),
    ],
)
def test_a_card_says_how_sure_it_is_and_what_would_make_it_another(shot, language, told):
    unsure = doubtful(shot)
    card = card_of(unsure, ruling_on(unsure, language=language), language)
    assert card["stability"]["share"] == 0.75
    assert card["open_points"][0]["text"] == told
    assert told not in [reason["text"] for reason in card["reasons"]]
    assert card["ruling"]["flips"][0]["kind"] == "remove"
    assert AttackOnCells(RULES, unsure.table, "bravo", "imp-1").changes(language)[0].text == told


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "If another figure stood on"),
        ("ru", "Если ещё одна фигура стоит на"),
        ("es", "Si otra figura estuviera en"),
    ],
)
def test_what_may_stand_there_unseen_has_no_name(shot, language, told):
    figure = Figure("figure?1", "imp", "demons", ((4, 1),))
    doubt = Doubt((), (Variant(0.75), Variant(0.25, (figure,))))
    observation = dataclasses.replace(shot.read.observation, doubts=(doubt,))
    unsure = dataclasses.replace(shot, read=dataclasses.replace(shot.read, observation=observation))
    ruling = ruling_on(unsure, "bravo", "skull-1", language)
    card = card_of(unsure, ruling, language)

    assert [one for one in card["open_points"] if one["text"].startswith(told)]
    assert not [one for one in card["open_points"] if "?" in one["text"]]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", r"If the tile at \w+ were 04A and not 07B \(25 % likely\), there would be nothing to ask about."),
        ("ru", r"Если бы у \w+ лежал тайл 04A, а не 07B \(вероятность 25 %\), спрашивать было бы не о чем."),
        ("es", r"Si la loseta de \w+ fuera 04A y no 07B \(probabilidad 25 %\), no habría nada que preguntar."),
    ],
)
def test_a_card_names_the_tile_that_may_be_another_and_shows_where_it_lies(shot, language, told):
    under = frozenset(shot.board.figure("imp-1").cells)
    doubt = GroundDoubt(under, (GroundVariant(0.25, frozenset(), tile="04A"),), "07B")
    observation = dataclasses.replace(shot.read.observation, doubts=(), ground_doubts=(doubt,))
    unsure = dataclasses.replace(shot, read=dataclasses.replace(shot.read, observation=observation))
    card = card_of(unsure, ruling_on(unsure, language=language), language)

    assert card["stability"]["share"] == 0.75
    point = card["open_points"][0]
    assert re.fullmatch(told, point["text"])
    assert len(point["spot"]) == len(under)
    assert point["answers"] == []
    assert card["ruling"]["flips"][0]["kind"] == "ground"


def test_a_sure_card_says_nothing_of_doubts(shot):
    card = card_of(shot, ruling_on(shot))
    assert card["stability"]["share"] == 1
    assert "flips" not in card["ruling"]


def test_a_figure_that_a_person_has_placed_is_in_doubt_no_more(shot):
    unsure = doubtful(shot)
    board = unsure.board
    free = min(board.cells - set(board.figure_at) - board.blocking)
    placed = correct_shot(unsure, Correction(figures={"imp-1": [free]}), "set")
    assert ruling_on(placed).stability == 1
    other = correct_shot(unsure, Correction(figures={"bravo": [free]}), "set")
    assert ruling_on(other).stability == 0.75


def test_directions_are_called_as_they_look_on_the_picture(shot):
    plan = ShotDrawing(shot, as_plan=True).ways()
    assert plan == {name: name for name in plan}
    seen = ShotDrawing(shot).ways()
    assert sorted(seen) == sorted(plan)
    opposite = {"left": "right", "up": "down", "up-left": "down-right", "up-right": "down-left"}
    for one, other in opposite.items():
        assert {seen[one], seen[other]} in [{a, b} for a, b in opposite.items()]


def test_a_direction_is_worded_as_the_picture_shows_it(shot):
    words = TableWords(shot.table, {"left": "up"})
    assert words("direction", {"term": "left"}) == {"term": "up"}
    assert words("outcome", {"term": "range", "value": 3}) == {"term": "range", "value": 3}


def test_every_option_that_a_ruling_can_rest_on_has_words(build):
    """A card never shows the program's own name of an option."""
    for name in ("easy-03", "normal-01"):
        table = build.true_shot(name).table
        for ruleset in cell_games():
            rules = cell_rules(ruleset)
            for ruling in rules.pairs(table.board):
                for reason in ruling.reasons:
                    if "option" in reason.arguments:
                        option = options_of(ruleset)[reason.arguments["option"]]
                        assert option.title
                        assert {reason.arguments["choice"], reason.arguments["other"]} <= set(option.choices)
                        assert len(option.choice_titles) == len(option.choices)


def test_an_option_of_the_house_is_named_in_the_readers_language(shot):
    asked = {"option": "cover_doors", "choice": "yes", "other": "no", "outcome": {"term": "cover-no"}}
    told = {
        tag: TableWords(shot.table, language=tag, options=options_of("doom2016")).words(asked) for tag in ("ru", "es")
    }
    assert told["ru"]["option"] == "«укрытие от закрытых дверей»"
    assert (told["es"]["choice"], told["es"]["other"]) == ("«sí»", "«no»")
    assert told["es"]["outcome"] == {"term": "cover-no"}
    assert TableWords(shot.table).words({"option": "event_hand", "choice": "6"}) == {
        "option": "event_hand",
        "choice": "6",
    }

"""Distances, neighbours and rulings of ``roads``, and the command that asks for them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cli import run
from assistant.documents import free_table_document, ruling_document, to_json
from assistant.errors import UnknownName
from assistant.games.roads.rules import OPTIONS
from assistant.games.roads.rules.ruleset import Roads
from assistant.rules.free_distance import is_in_contact
from assistant.rules.reasons import word_ruling
from assistant.translations.catalogue import language_tags


def test_distance_is_between_the_edges_of_the_bases(free: Any) -> None:
    table = free.table(free.figure("a", 0, 0), free.figure("b", 75, 100, "d"))
    ruling = Roads().rule(table, "a", "b")
    assert (ruling.distance_mm, ruling.range) == (100.0, 2.0)
    assert Roads({"step_length": "2_inches"}).rule(table, "a", "b").range == pytest.approx(100 / 50.8)
    assert Roads({"step_length": "5_cm"}).rule(table, "a", "b").range == 2.0


def test_a_distance_has_hundredths_of_a_millimetre_and_thousandths_of_a_step(free: Any) -> None:
    told = Roads().rule(free.table(free.figure("a", 0, 0), free.figure("b", 100, 100, "d")), "a", "b").reasons[0]
    assert (told.phrase, told.arguments["mm"], told.arguments["steps"]) == ("apart", 116.42, 2.328)


@pytest.mark.parametrize(
    ("pieces", "phrase", "blocker"),
    [
        ((), "none", None),
        ((("low", 40, 1, 60, 50, 28, "cover"),), "low", "low"),
        ((("rock", 40, 6, 60, 50, 90, "wall"),), "part", "rock"),
        ((("rock", 40, 6, 60, 50, 90, "wall"), ("low", 40, -50, 60, 5, 28, "cover")), "low", "low"),
    ],
)
def test_what_gives_cover_is_named(free: Any, pieces: Any, phrase: str, blocker: str | None) -> None:
    boxes = [free.box(name, *ends, height=height, kind=kind) for name, *ends, height, kind in pieces]
    ruling = Roads().rule(free.table(free.figure("a", 0, 0), free.figure("b", 100, 0, "d"), *boxes), "a", "b")
    (told,) = [reason for reason in ruling.reasons if reason.rule == "roads/cover"]
    assert told.phrase == phrase
    assert told.arguments.get("blocker") == (blocker and {"kind": "terrain", "id": blocker})


def test_in_contact_the_range_is_zero_also_where_bases_overlap(free: Any) -> None:
    for place in (25, 20, 0):
        ruling = Roads().rule(free.table(free.figure("a", 0, 0), free.figure("b", place, 0, "d")), "a", "b")
        assert (ruling.range, ruling.distance_mm, ruling.adjacent) == (0, 0, True)
        assert ruling.reasons[0].phrase == "contact"
    apart = free.table(free.figure("a", 0, 0), free.figure("b", 25 + Fraction(1, 10**9), 0, "d"))
    assert Roads().rule(apart, "a", "b").adjacent is False


def test_a_model_wholly_above_is_not_in_contact(free: Any) -> None:
    assert is_in_contact(free.figure("a", 0, 0), free.figure("b", 20, 0, elevation=30))
    assert not is_in_contact(free.figure("a", 0, 0), free.figure("b", 20, 0, elevation=31))


def test_distances_along_the_slope_are_a_house_option(free: Any) -> None:
    table = free.table(free.figure("a", 0, 0), free.figure("b", 65, 0, "d", elevation=30))
    assert Roads().rule(table, "a", "b").distance_mm == 40
    assert Roads({"distance_height": "slant"}).rule(table, "a", "b").distance_mm == 50
    slant = Roads({"distance_height": "slant"}).distances(table)
    a, b = table.figures
    assert slant.is_within(a, b, 1)
    assert not slant.is_within(a, b, Fraction(49, 50))
    assert not slant.is_within(a, b, Fraction(1, 2))


def test_along_the_slope_counts_how_much_higher_one_stands_and_not_how_high_both(free: Any) -> None:
    a, b = free.figure("a", 0, 0, elevation=90), free.figure("b", 65, 0, "d", elevation=120)
    slant = Roads({"distance_height": "slant"}).distances(free.table(a, b))
    assert slant.between_mm(a, b) == 50
    assert slant.is_within(a, b, 1)
    assert slant.is_within(b, a, 1)
    assert not slant.is_within(a, b, Fraction(49, 50))


@pytest.mark.parametrize(("x", "within"), [(175, True), (175 + Fraction(1, 10**12), False)])
def test_a_radius_includes_its_border_exactly(free: Any, x: Any, within: bool) -> None:
    table = free.table(free.figure("a", 0, 0), free.figure("b", x, 0))
    assert Roads().distances(table).is_within(*table.figures, 3) is within


def test_radii_between_the_middles_are_a_house_option(free: Any) -> None:
    table = free.table(free.figure("a", 0, 0), free.figure("b", 175, 0))
    assert not Roads({"distance_ref": "centers"}).distances(table).is_within(*table.figures, 3)


def test_irrational_distances_are_compared_without_a_root(free: Any) -> None:
    """Middles 100 * sqrt(2) apart, bases of 25: a radius just short of and just above 141.42 - 25 mm."""
    table = free.table(free.figure("a", 0, 0), free.figure("b", 100, 100), step_mm=1)
    short = Fraction(141421356237309504880168872420969, 10**30) - 25
    distances = Roads().distances(table)
    assert not distances.is_within(*table.figures, short)
    assert distances.is_within(*table.figures, short + Fraction(1, 10**30))


def test_models_in_contact_fight_and_models_within_a_step_are_drawn_in(free: Any) -> None:
    table = free.table(
        free.figure("a", 0, 0, "k"), free.figure("b", 25, 0, "d"),
        free.figure("near", 100, 0, "k"), free.figure("far", 151, 0, "d"),
    )  # fmt: skip
    distances = Roads().distances(table)
    assert distances.fighting() == {"a", "b"}
    assert distances.drawn_in() == ("near",)
    assert "roads/who-fights" in {r.rule for r in Roads().rule(table, "a", "far").reasons}
    assert "roads/draw-in" in {r.rule for r in Roads().rule(table, "near", "far").reasons}


def test_a_leader_lends_his_spirit_within_three_steps(free: Any) -> None:
    pupil = free.figure("pupil", 0, 0, spirit=3)
    for marks, x, spirit in ((("leader",), 175, 5), (("leader",), 176, 3), (("leader", "down"), 175, 3), ((), 175, 3)):
        table = free.table(pupil, free.figure("leader", x, 0, spirit=5, marks=marks))
        assert Roads().distances(table).leading_spirit(pupil) == spirit
    enemy = free.table(pupil, free.figure("leader", 100, 0, "d", spirit=5, marks=("leader",)))
    assert Roads().distances(enemy).leading_spirit(pupil) == 3


def test_a_model_alone_against_two_is_lonely(free: Any) -> None:
    alone, left, right = free.figure("a", 0, 0, "k"), free.figure("l", -25, 0, "d"), free.figure("r", 25, 0, "d")
    assert Roads().distances(free.table(alone, left, right)).is_lonely(alone)
    assert not Roads().distances(free.table(alone, left)).is_lonely(alone)
    friend = free.figure("f", 0, 175, "k")
    assert not Roads().distances(free.table(alone, left, right, friend)).is_lonely(alone)
    fleeing = free.figure("f", 0, 175, "k", marks=("fleeing",))
    assert Roads().distances(free.table(alone, left, right, fleeing)).is_lonely(alone)


def test_terror_reaches_three_steps_and_spares_the_terrible(free: Any) -> None:
    beast = free.figure("beast", 0, 0, "d", marks=("terror",))
    for marks, x, by in (((), 175, ("beast",)), ((), 176, ()), (("fear",), 175, ()), (("terror",), 175, ())):
        victim = free.figure("v", x, 0, "k", marks=marks)
        assert Roads().distances(free.table(beast, victim)).terrified_by(victim) == by


def test_c7_camouflage_mobility_four_detects_within_two_steps(free: Any) -> None:
    observer, hidden = free.figure("o", 0, 0, "k", mobility=4), free.figure("h", 125, 0, "d", marks=("camouflaged",))
    table = free.table(observer, hidden)
    distances = Roads().distances(table)
    assert distances.detection_steps(observer) == 2
    assert distances.detects(observer, hidden)
    assert Roads().rule(table, "o", "h").reasons[-1].phrase == "found"
    further = free.table(observer, free.figure("h", 126, 0, "d", marks=("camouflaged",)))
    assert Roads().rule(further, "o", "h").reasons[-1].phrase == "hidden"


def test_half_an_odd_mobility_is_kept_or_rounded_up(free: Any) -> None:
    quick = free.figure("o", 0, 0, mobility=5)
    assert Roads().distances(free.table(quick)).detection_steps(quick) == Fraction(5, 2)
    assert Roads({"half_mobility_round": "up"}).distances(free.table(quick)).detection_steps(quick) == 3


def test_enemies_that_see_shooter_and_target_witness_an_ambush(free: Any) -> None:
    table = free.table(
        free.figure("shooter", 0, 0, "k"), free.figure("target", 200, 0, "d"), free.figure("sees", 200, 100, "d"),
        free.figure("behind", 200, -300, "d"), free.figure("down", 100, 100, "d", marks=("down",)),
        free.figure("friend", 100, 50, "k"), free.box("wall", 100, -200, 250, -100),
    )  # fmt: skip
    assert Roads().witnesses(table, "shooter", "target") == ("sees",)


def test_a_ruling_has_its_lines_origin_and_options(free: Any) -> None:
    hedge = free.box("hedge", 20, -50, 30, 50, height=15, kind="cover")
    table = free.table(free.figure("a", 0, 0), free.figure("b", 200, 0, "d"), hedge)
    ruling = Roads().rule(table, "a", "b")
    assert (ruling.line_of_sight, ruling.cover, ruling.origin) == (True, True, (0.0, 0.0))
    assert [(line.purpose, line.end) for line in ruling.lines][:3] == [
        ("sight", (200.0, 0.0)), ("cover", (200.0, 0.0)), ("sight", (200.0, -12.5)),
    ]  # fmt: skip
    assert ruling.options == {"cover_height": "any_crossing"}
    hidden = Roads().rule(free.table(*table.figures, free.box("w", 90, -50, 110, 50)), "a", "b")
    assert (hidden.line_of_sight, hidden.cover, hidden.origin) == (False, None, None)


@settings(max_examples=30)
@given(data=st.data())
def test_distance_is_the_same_in_both_directions_and_every_ruling_can_be_written(
    free: Any, data: st.DataObject
) -> None:
    table = data.draw(free.tables())
    by_pair = {(r.attacker, r.defender): r for r in Roads().pairs(table)}
    assert list(by_pair) == sorted(by_pair)
    for (a, b), ruling in by_pair.items():
        assert ruling.distance_mm == by_pair[b, a].distance_mm
        assert json.loads(to_json(ruling_document(ruling, Roads.rules)))["distance_mm"] == ruling.distance_mm
        assert (ruling.range == 0) >= (ruling.adjacent is True)


def test_about_lists_all_effects_of_the_table_on_a_figure(free: Any) -> None:
    table = free.table(
        free.figure("a", 0, 0, "k"), free.figure("l", -25, 0, "d"), free.figure("r", 25, 0, "d", marks=("terror",)),
        free.figure("spy", 0, 100, "d", marks=("camouflaged",)),
        free.figure("boss", 0, 175, "k", spirit=5, marks=("leader",)),
        free.box("hedge", -10, -40, 10, -30, kind="cover"),
    )  # fmt: skip
    told = Roads().about(table, "a")
    assert [reason.rule for reason in told] == [
        "roads/who-fights", "roads/leader", "roads/terror", "roads/camouflage", "roads/take-cover",
    ]  # fmt: skip
    assert told[-1].text == "a could take cover at hedge."
    assert told[2].text == "a is within 3 steps of r: Spirit 5 at the start of the turn, or flight."
    alone = free.table(*table.figures[:3])
    assert "roads/alone" in {reason.rule for reason in Roads().about(alone, "a")}
    assert Roads().about(alone, "a")[-1].phrase == "none"


def test_what_would_flip_a_ruling_is_named(free: Any) -> None:
    ends = free.figure("a", 0, 0), free.figure("b", 200, 0, "d")
    wall, hedge = free.box("wall", 90, -50, 110, 50), free.box("hedge", 150, -50, 160, 50, height=10, kind="cover")
    hidden = free.table(*ends, wall, hedge)
    found = Roads().explained(hidden, Roads().rule(hidden, "a", "b"))
    assert [(c.kind, c.subject, c.flips, c.becomes) for c in found.changes] == [
        ("remove", "wall", "line_of_sight", True)
    ]
    assert found.reasons[-1].text == "Without wall a would see b."
    covered = free.table(*ends, hedge)
    flipped = Roads().explained(covered, Roads().rule(covered, "a", "b")).changes
    assert [(c.subject, c.flips, c.becomes) for c in flipped] == [("hedge", "cover", False)]
    namesake = free.table(*ends, free.box("a", 90, -50, 110, 50))
    assert Roads().explained(namesake, Roads().rule(namesake, "a", "b")).changes[0].subject == "a"
    twice = free.table(*ends, wall, free.box("second", 120, -50, 130, 50))
    kept = Roads().explained(twice, Roads().rule(twice, "a", "b"))
    assert (kept.changes, kept.reasons[-1].phrase) == ((), "none")
    house = Roads({"sight_figures": "block"})
    crowd = free.table(*ends, free.figure("c", 100, 0, "d"))
    assert house.explained(crowd, house.rule(crowd, "a", "b")).changes[0].subject == "c"


def test_reasons_are_worded_in_three_languages(free: Any) -> None:
    ruling = Roads().rule(free.table(free.figure("a", 0, 0), free.figure("b", 200, 0, "d")), "a", "b")
    texts = {language: word_ruling(ruling, Roads.rules, language).reasons[1].text for language in language_tags()}
    assert texts == {
        "en": "a sees b: free lines 3 of 3.",
        "ru": "a видит цель (b): свободных прямых 3 из 3.",
        "es": "a ve a b: líneas libres 3 de 3.",
    }


def test_every_open_point_of_the_table_is_an_option_and_every_rule_has_its_place() -> None:
    c6 = {
        "seed_example_fix", "fear_halving_round", "fear_halving_target", "crit_scope", "confusion_counts",
        "confusion_all_dice", "block_reroll_all_equal", "outnumber_excess", "frenzy_outnumber_dice", "tie_hits",
        "rout_third", "distance_ref", "natural_six", "jump_height_partial", "climb_limit", "half_mobility_round",
        "watch_minus1", "charge_bonus_after_advance", "step_length",
    }  # fmt: skip
    assert c6 <= {option.name for option in OPTIONS}
    assert all(option.question and option.source for option in OPTIONS)
    for name, rule in Roads.rules.items():
        assert name == rule.id
        assert rule.source
        assert all(all(phrase) for phrase in (rule.summary, *rule.phrases.values()))


def test_reach_and_unknown_names_are_refused(free: Any) -> None:
    table = free.table(free.figure("a", 0, 0))
    with pytest.raises(UnknownName, match="nobody"):
        Roads().rule(table, "a", "nobody")
    with pytest.raises(UnknownName, match="tie_hits"):
        Roads({"tie_hits": "three"})
    with pytest.raises(UnknownName, match="no_such"):
        Roads({"no_such": "x"})


def test_the_command_answers_and_names_what_is_wrong(
    free: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = free.table(free.figure("b", 200, 0, "d"), free.figure("a", 0, 0), free.figure("c", 0, 90, "d"))
    path = tmp_path / "table.json"
    path.write_text(to_json(free_table_document(table)))
    assert run(["rule", "roads", str(path), "--pairs"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["attacker"], row["defender"]) for row in rows] == [("a", "b"), ("a", "c"), ("b", "a"), ("c", "a")]
    assert rows[0]["range"] == 3.5
    assert run(["rule", "roads", str(path), "--from", "a", "--to", "nobody"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, "nobody" in printed.err) == ("", True)
    assert run(["reach", "roads", str(path), "--figure", "a", "--points", "4"]) == 2
    assert "without spaces" in capsys.readouterr().err
    path.write_text(to_json(free_table_document(table)).replace('"step_mm":50', '"step_mm":0'))
    assert run(["rule", "roads", str(path), "--pairs"]) == 2
    assert "step_mm" in capsys.readouterr().err


def test_the_command_about_a_figure_answers_in_the_language_that_is_asked_for(
    free: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.json"
    path.write_text(to_json(free_table_document(free.table(free.figure("a", 0, 0)))))
    assert run(["about", str(path), "--figure", "a", "--lang", "es"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["format"], document["figure"]) == ("sightline.about/1", "a")
    assert [reason["text"] for reason in document["reasons"]] == [
        "a no tiene cobertura a un paso y solo podría echarse cuerpo a tierra."
    ]
    assert run(["about", str(path), "--figure", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err


def test_nobody_on_a_free_table_is_asked_about_himself(free: Any) -> None:
    table = free.table(free.figure("a", 0, 0), free.figure("b", 75, 100, "d"))
    with pytest.raises(UnknownName, match="itself"):
        Roads().rule(table, "a", "a")


def test_every_rule_that_the_fragment_has_names_the_seed_and_its_heading():
    sources = [str(rule.source) for rule in Roads().rules.values()]
    ours = ("inferred", "follows from", "the house options", "not in the available part")
    assert all(source.startswith("rules, “") or any(word in source for word in ours) for source in sources)

"""Missions made by people: forms from the games' set-up types, box limits, and the reader's faults."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.app.matches.archive import KeptMatches, list_shipped_missions
from assistant.app.matches.choice import load_mission
from assistant.app.matches.workshop import Workshop
from assistant.errors import InputError, UnknownName
from assistant.match.games import games, system_of
from assistant.match.mission_form import describe_form


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    kept = KeptMatches(tmp_path / "data")
    yield Workshop(kept)
    kept.close()


PLAYED = [game.id for game in games() if game.match]


@pytest.mark.parametrize("name", list_shipped_missions())
def test_every_mission_that_ships_is_sound(workshop: Workshop, name: str) -> None:
    fields = workshop.begin(workshop.load(name).ruleset, name)
    fault, figures = workshop.find_fault(fields)
    assert fault is None
    assert figures


@pytest.mark.parametrize("ruleset", PLAYED)
def test_a_box_lacks_numbers_and_nothing_else(workshop: Workshop, ruleset: str) -> None:
    fields = {**workshop.begin(ruleset, "box"), "title": "Our box"}
    missing = set()
    for _ in range(80):
        fault, _figures = workshop.find_fault(fields)
        if fault is None:
            break
        name = fault.field.rpartition(".")[2]
        if name == "figures":  # how many there are of each colour is on no page that the sources hold
            missing.add("figures-of-each-colour")
            fields["setup"]["invaders"][0]["figures"] = {"zombie-1": "red"}
            continue
        assert str(fault.sentence) == "this field is missing", fault
        missing.add(name)
        fill(fields, fault.field)
    assert fault is None
    told = {field for entries in workshop.box(ruleset).gaps.values() for field in entries}
    assert missing
    assert missing <= told


def test_a_mission_without_a_name_is_not_sound_yet(workshop: Workshop) -> None:
    fields = {**workshop.begin("roads", "roads_bridge_sample"), "title": " "}
    fault, figures = workshop.find_fault(fields)
    assert fault is not None
    assert (fault.field, str(fault.sentence)) == ("title", "give the mission a name")
    assert figures, "the table is shown all the same"


def test_a_box_of_2004_without_any_invader_is_not_sound_yet(workshop: Workshop) -> None:
    fields = workshop.begin("doom2004", "doom2004_knee_deep_sample")
    for invader in fields["setup"]["invaders"]:
        invader.update(figures={}, cells={})
    fault, _figures = workshop.find_fault(fields)
    assert fault is not None
    assert fault.field == "setup.invaders[0].figures"


def fill(fields: dict[str, Any], path: str) -> None:
    """Write a one at each path that is reported missing."""
    *way, last = path.replace("[", ".").replace("]", "").split(".")
    place: Any = fields
    for part in way:
        place = place[int(part)] if part.isdigit() else place[part]
    place[last] = 1


@pytest.mark.parametrize("ruleset", PLAYED)
def test_the_form_has_every_field_of_the_setup_in_every_language(ruleset: str) -> None:
    setup = system_of(ruleset).setup_type
    for language in ("en", "ru", "es"):
        form = describe_form(setup, language)
        root = form["records"][form["root"]]
        assert [field["name"] for field in root["fields"]] == list(setup.__struct_fields__)
        for record in form["records"].values():
            for field in record["fields"]:
                assert field["label"]
                if language == "ru":
                    assert not field["label"].isascii(), field["name"]


def test_a_fault_names_its_field(workshop: Workshop) -> None:
    fields = workshop.begin("doom2016", "doom2016_tutorial_sample")
    broken = {**fields, "setup": {**fields["setup"], "marines": [{"id": "alpha", "health": 0}]}}
    fault, _ = workshop.find_fault(broken)
    assert fault is not None
    assert fault.field == "setup.marines[0].health"
    fault, _ = workshop.find_fault({**fields, "table": {**fields["table"], "cells": "none"}})
    assert fault is not None
    assert fault.field.startswith("table")
    fault, _ = workshop.find_fault({**fields, "title": 3})
    assert fault is not None
    assert fault.field == "title"


def test_a_mission_is_kept_listed_and_begun_and_goes_to_a_friend(workshop: Workshop, tmp_path: Path) -> None:
    fields = workshop.begin("doom2004", "doom2004_knee_deep_sample")
    workshop.keep("Ours", {**fields, "title": "Ours"})
    assert ("own/Ours", "Ours") in [(one.name, one.title) for one in workshop.beginnings("doom2004")]
    file = tmp_path / "data" / "missions" / "Ours.json"
    assert load_mission(str(file)) == workshop.load("own/Ours")
    with pytest.raises(UnknownName, match="no mission of your own"):
        workshop.load("own/Theirs")
    with pytest.raises(InputError):
        workshop.keep("Broken", {**fields, "setup": {}})
    with pytest.raises(InputError):
        workshop.keep("../etc", fields)


def test_a_game_of_its_own_package_has_an_editor_without_a_line_for_it(lanterns: Path, tmp_path: Path) -> None:
    kept = KeptMatches(tmp_path / "data")
    workshop = Workshop(kept)
    form = describe_form(system_of("lanterns").setup_type, "en")
    assert [field["kind"] for field in form["records"][form["root"]]["fields"]] == ["list"]
    fields = workshop.begin("lanterns", "box")
    fault, _ = workshop.find_fault(fields)
    assert fault is not None
    lamps = [{"id": f"{kind}-1", "side": f"{kind}s", "kind": kind, "reach": 2, "oil": 1} for kind in ("keeper", "moth")]
    placed = [
        {"id": lamp["id"], "kind": lamp["kind"], "side": lamp["side"], "cells": [[0, row]]}
        for row, lamp in enumerate(lamps)
    ]
    table = {**fields["table"], "figures": placed}
    fault, figures = workshop.find_fault({**fields, "title": "Night", "setup": {"lamps": lamps}, "table": table})
    assert fault is None
    assert [figure.cells for figure in figures] == [((0, 0),), ((0, 1),)]
    kept.close()

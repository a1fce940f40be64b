"""The data for a TUIO listener, parsed by the library's own reader."""

from __future__ import annotations

import math
import socket
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from loading import beside
from pythonosc.osc_packet import OscPacket

from assistant.app.live.tuio import (
    FIGURES_OF_ONE_BUNDLE,
    Tangible,
    TangibleSessions,
    ToldFigure,
    TuioTeller,
    bundles_of,
    standing_freely,
    standing_on_cells,
    tuio_address,
)
from assistant.errors import BadValue
from assistant.table.roster import DoorSpec, Roster, RosterFigure


@pytest.fixture
def live_shot(build):
    return build.live_copy(build.true_shot("easy-03"), "live-1")


def told(packet: bytes) -> list[tuple]:
    return [(one.message.address, *one.message.params) for one in OscPacket(packet).messages]


def test_both_versions_tell_every_figure_and_who_is_alive():
    tangibles = [Tangible(1, ToldFigure(4, 0.25, 0.5, 1.5)), Tangible(7, ToldFigure(0, 1.0, 0.0))]
    first, second = (told(bundle.dgram) for bundle in bundles_of(tangibles, 12, 1_800_000_000.0))

    assert first == [
        ("/tuio/2Dobj", "source", "sightline"),
        ("/tuio/2Dobj", "alive", 1, 7),
        ("/tuio/2Dobj", "set", 1, 4, 0.25, 0.5, 1.5, *[0.0] * 5),
        ("/tuio/2Dobj", "set", 7, 0, 1.0, 0.0, *[0.0] * 6),
        ("/tuio/2Dobj", "fseq", 12),
    ]
    assert second[0][:2] == ("/tuio2/frm", 12)
    assert second[0][3:] == (0, "sightline")
    assert second[1:] == [
        ("/tuio2/tok", 1, 0, 4, 0.25, 0.5, 1.5),
        ("/tuio2/tok", 7, 0, 0, 1.0, 0.0, 0.0),
        ("/tuio2/alv", 1, 7),
    ]


def test_an_empty_table_says_that_nobody_is_alive():
    first, second = (told(bundle.dgram) for bundle in bundles_of([], 1, 0.0))

    assert first[1] == ("/tuio/2Dobj", "alive")
    assert second[-1] == ("/tuio2/alv",)


def test_a_crowd_fits_packets_that_no_network_cuts():
    crowd = [Tangible(n, ToldFigure(0, 0.5, 0.5)) for n in range(3 * FIGURES_OF_ONE_BUNDLE + 1)]
    bundles = bundles_of(crowd, 1, 0.0)

    assert max(len(bundle.dgram) for bundle in bundles) < 1472
    assert sum(message[1] == "set" for bundle in bundles[:4] for message in told(bundle.dgram)) == len(crowd)


def test_figures_stand_where_the_board_has_them_and_keep_their_sessions(live_shot):
    sessions, observation, roster = TangibleSessions(), live_shot.read.observation, live_shot.setup.roster
    standing = standing_on_cells(live_shot).figures
    first = sessions.tangibles(standing)
    columns = [cell[0] for cell in observation.board.cells]
    rows = [cell[1] for cell in observation.board.cells]

    assert len(first) == len(observation.figures) > 1
    for tangible, seen in zip(first, observation.figures, strict=True):
        spaces = [(x + 0.5, y + 0.5) for x, y in seen.cells]
        x = sum(space[0] for space in spaces) / len(spaces)
        y = sum(space[1] for space in spaces) / len(spaces)
        assert tangible.at.x == pytest.approx((x - min(columns)) / (max(columns) + 1 - min(columns)), abs=0.05)
        assert tangible.at.y == pytest.approx((y - min(rows)) / (max(rows) + 1 - min(rows)), abs=0.05)
        assert roster.figures[tangible.at.kind].kind == seen.kind

    fewer = dict(list(standing.items())[1:])
    assert [one.session for one in sessions.tangibles(fewer)] == [one.session for one in first[1:]]
    back = sessions.tangibles(standing)
    assert back[0].session not in {one.session for one in first}


def test_figures_on_a_table_without_a_grid_are_reported_with_where_they_look():
    builders = beside(str(Path(__file__).parents[2] / "app" / "tournament" / "conftest.py"), "evidence_builders")
    shot = builders.free_shot("free-1", 1_000.0)
    looks = {"digger~1": 0.1, "digger~2": None}
    sighting = shot.sighting
    spots = {name: replace(spot, facing_error_deg=looks.get(name)) for name, spot in sighting.spots.items()}
    turned = [replace(one, facing_deg=Fraction(-90)) for one in sighting.table.figures]
    table = replace(sighting.table, figures=tuple(turned))
    kinds = (RosterFigure(kind, kind, "", (1, 1), 25.0, 30.0) for kind in ("ratnik", "digger"))
    roster = Roster(tuple(kinds), DoorSpec(0, 1, 30.0, 3.0))
    now = standing_freely(replace(shot, sighting=replace(sighting, table=table, spots=spots)), roster)

    width, depth = map(float, table.size_mm)
    assert now.figures["digger~1"] == pytest.approx((1, 100 / width, 100 / depth, 1.5 * math.pi))
    assert now.figures["digger~2"] == pytest.approx((1, 100 / width, 300 / depth, 0.0))
    assert now.figures["ratnik~2"][0] == 0


def test_a_program_on_this_machine_hears_of_a_picture_and_hears_it_again(live_shot):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as program:
        program.bind(("127.0.0.1", 0))
        program.settimeout(5)
        teller = TuioTeller(program.getsockname(), lambda: standing_on_cells(live_shot))
        teller.start()
        packets = [told(program.recv(4096)) for _ in range(4)]
        teller.close()

    assert [packet[0][0] for packet in packets] == ["/tuio/2Dobj", "/tuio2/frm"] * 2
    assert packets[2][-1] == ("/tuio/2Dobj", "fseq", 2)


def test_nothing_is_stated_before_the_first_picture():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as program:
        program.bind(("127.0.0.1", 0))
        program.settimeout(0.4)
        teller = TuioTeller(program.getsockname(), lambda: None)
        teller.start()
        with pytest.raises(TimeoutError):
            program.recv(4096)
        teller.close()


@pytest.mark.parametrize("text", ["", " ", "host:", "host:x", "a b", "host:0", "host:70000", ":3333"])
def test_what_is_no_place_is_reported_with_an_example(text):
    with pytest.raises(BadValue, match="tuio"):
        tuio_address(text)


def test_the_port_is_the_usual_one_unless_said():
    assert tuio_address("10.0.0.4") == ("10.0.0.4", 3333)
    assert tuio_address("10.0.0.4:4000") == ("10.0.0.4", 4000)

"""The button on the strip advances the page's match, and never chooses for anybody."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from assistant.app.matches.next_button import NextButton, press_next, take_back
from assistant.match.actor import TABLE
from assistant.match.missions import mission_from_toml, new_header
from assistant.match.session import Session
from hardware.messages import ButtonAction

GAMES = Path(__file__).resolve().parents[3] / "assistant/games"


@pytest.fixture
def session():
    return begun("doom2016_tutorial_sample")


def begun(name):
    mission = mission_from_toml(next(GAMES.glob(f"*/missions/{name}.toml")).read_bytes())
    header = new_header(mission, match_id="button", seed="0" * 64, created_t=0, options={})
    return Session(header, journal=None, clock_ms=lambda: 0)


def test_each_press_moves_the_match_on_until_there_is_something_to_choose(session):
    types = []
    session.subscribe(lambda receipt: types.append(receipt.type))
    for _ in range(6):
        press_next(session)
    assert types[:2] == ["status", "reveal"]
    assert set(types) <= {"status", "reveal", "end"}


def test_press_while_something_has_to_be_chosen_changes_nothing(session):
    press_next(session)
    session.command({"type": "declare", "winner": "marines"}, TABLE)
    seq = session.seq
    press_next(session)
    assert session.seq == seq


@pytest.mark.parametrize(
    ("action", "moves"), [(ButtonAction.PRESSED, 1), (ButtonAction.RELEASED, 0), (ButtonAction.HELD, 0)]
)
def test_only_pressing_counts_and_the_strip_does_not_wait(session, action, moves):
    NextButton(lambda: session)(action)
    end_s = time.monotonic() + (5 if moves else 0.2)
    while session.seq < moves and time.monotonic() < end_s:
        time.sleep(0.01)
    assert session.seq == moves


def test_button_kept_down_takes_its_own_press_back():
    session = begun("roads_bridge_sample")
    button = NextButton(lambda: session)
    before = session.timeline.game
    button(ButtonAction.PRESSED)
    button(ButtonAction.HELD)
    button(ButtonAction.HELD)
    button._hand.shutdown()
    assert session.seq == 2
    assert session.timeline.game == before


def test_what_somebody_did_since_the_press_is_not_taken_back(session):
    seq = press_next(session)
    session.command({"type": "note", "text": "seen"}, TABLE)
    after = session.timeline.game
    take_back(session, seq)
    assert session.seq == 2
    assert session.timeline.game == after


def test_what_a_press_has_shown_stays_shown(session):
    press_next(session)
    seq = press_next(session)
    take_back(session, seq)
    assert session.seq == seq


def test_press_without_a_match_is_nothing(caplog):
    button = NextButton(lambda: None)
    button(ButtonAction.PRESSED)
    button(ButtonAction.HELD)
    button._hand.shutdown()
    assert caplog.records == [], "a mistake in the button's thread is logged"
    assert button._moved is None

"""One shared history, clocks, and commands that arrive twice, late or from the wrong side."""

from __future__ import annotations

import threading
from types import ModuleType
from typing import Any

import msgspec
import pytest

from assistant.errors import BadValue, DocumentError, IllegalStep, MovedOn, NotYours, StoreError, UnknownName
from assistant.match.actor import CAMERA, JUDGE, player
from assistant.match.audience import PUBLIC
from assistant.match.missions import new_header
from assistant.match.session import Session
from assistant.translations.messages import said


@pytest.fixture
def match(build: ModuleType) -> Any:
    """The tutorial in its first round."""
    played = build.begun(build.mission(build.TUTORIAL))
    played.do("status", shuffled_here=False)
    return played


def titles(match: Any, *, done: bool) -> list[str]:
    return [str(entry.title) for entry in match.session.timeline.entries() if entry.done is done]


def test_undo_is_shared_and_redo_gives_the_same_back(match: Any) -> None:
    match.do("damage", by=player("invader"), figure="imp-1", amount=2)
    match.do("damage", by=player("marines"), figure="alpha", amount=3)
    match.do("undo")
    match.do("undo", by=JUDGE)
    assert (match.game.piece("alpha").harm, match.game.piece("imp-1").harm) == (0, 0)
    assert titles(match, done=False) == ["Imp 1: 2 damage", "Alpha: 3 damage"]
    match.do("redo")
    match.do("redo")
    assert (match.game.piece("alpha").harm, match.game.piece("imp-1").harm) == (3, 2)


def test_an_entry_can_be_jumped_to_in_both_directions(match: Any) -> None:
    receipts = [match.do("damage", figure="alpha", amount=1) for _ in range(5)]
    match.do("undo", to=receipts[1].seq)
    assert match.game.piece("alpha").harm == 2
    match.do("redo", to=receipts[3].seq)
    assert match.game.piece("alpha").harm == 4
    with pytest.raises(IllegalStep, match="nothing to undo"):
        match.do("undo", to=match.session.seq + 5)
    with pytest.raises(IllegalStep, match="no entry"):
        match.do("redo", to=receipts[0].seq)


def test_a_new_step_after_an_undo_forgets_what_could_be_redone(match: Any) -> None:
    match.do("damage", figure="alpha", amount=1)
    match.do("undo")
    match.do("damage", figure="bravo", amount=1)
    with pytest.raises(IllegalStep, match="nothing to redo"):
        match.do("redo")


def test_undo_stops_before_a_revealed_card_unless_a_judge_says_so(match: Any) -> None:
    match.do("reveal", card="alpha")
    match.do("damage", figure="bravo", amount=1)
    match.do("undo")
    with pytest.raises(IllegalStep, match="ask a judge"):
        match.do("undo")
    match.do("undo", by=JUDGE)
    assert match.game.turn is None


def test_every_undo_is_written_down(match: Any) -> None:
    match.do("damage", figure="alpha", amount=1)
    before = len(match.journal.lines)
    match.do("undo")
    assert len(match.journal.lines) == before + 1


def test_a_snapshot_is_enough_until_somebody_undoes_what_lies_before_it(match: Any) -> None:
    match.do("damage", figure="alpha", amount=1)
    match.do("damage", figure="alpha", amount=2)
    snapshot = match.session.snapshot()
    again = Session.resumed(match.document().splitlines(), journal=None, clock_ms=lambda: 0, snapshot=snapshot)
    assert again.timeline.game == match.game
    again.command({"type": "undo"}, JUDGE)
    again.command({"type": "undo"}, JUDGE)
    assert again.timeline.game.piece("alpha").harm == 0


def test_a_damaged_or_foreign_snapshot_is_passed_over(build: ModuleType, match: Any) -> None:
    match.do("damage", figure="alpha", amount=1)
    lines = match.document().splitlines()
    for snapshot in (b"", b"{}", b"not json", match.session.snapshot()[:-40]):
        again = Session.resumed(lines, journal=None, clock_ms=lambda: 0, snapshot=snapshot)
        assert again.timeline.game == match.game
    foreign = match.session.snapshot()
    match.do("damage", figure="alpha", amount=1)
    other = Session.resumed(lines[:-1], journal=None, clock_ms=lambda: 0, snapshot=foreign)
    assert other.timeline.game.piece("alpha").harm == 0, "it is of more events than there are"
    elsewhere = build.begun(build.mission(build.TUTORIAL), seed="another")
    elsewhere.do("status")
    unlike = Session.resumed(lines, journal=None, clock_ms=lambda: 0, snapshot=elsewhere.session.snapshot())
    assert unlike.timeline.game == Session.resumed(lines, journal=None, clock_ms=lambda: 0).timeline.game


def test_a_command_that_is_sent_again_is_answered_again_and_not_carried_out_twice(match: Any) -> None:
    command = {"type": "damage", "figure": "alpha", "amount": 2, "id": "tablet-7/42"}
    first = match.session.command(command, player("marines"))
    assert match.session.command(command, player("marines")) == first
    assert match.game.piece("alpha").harm == 2
    again = Session.resumed(match.document().splitlines(), journal=None, clock_ms=lambda: 0)
    assert again.command(command, player("marines")).seq == first.seq
    assert again.timeline.game.piece("alpha").harm == 2


def test_a_command_from_a_page_that_is_behind_is_refused(match: Any) -> None:
    seen = match.session.seq
    match.do("damage", figure="alpha", amount=1)
    with pytest.raises(MovedOn):
        match.session.command({"type": "undo", "after": seen}, JUDGE)


def test_a_failing_store_changes_nothing(match: Any) -> None:
    before = match.session.timeline
    match.journal.failure = StoreError(said("the disk is full"))
    with pytest.raises(StoreError):
        match.do("damage", figure="alpha", amount=1)
    assert match.session.timeline is before
    match.do("damage", figure="alpha", amount=1)
    assert match.game.piece("alpha").harm == 1


def test_each_side_decides_for_itself_and_the_camera_for_nobody(match: Any) -> None:
    with pytest.raises(NotYours):
        match.do("gain_argent", by=player("marines"), cards=["event-a1"], onto={"imp": 1})
    with pytest.raises(NotYours):
        match.do("undo", by=CAMERA)
    with pytest.raises(NotYours):
        match.do("damage", by=CAMERA, figure="alpha", amount=1)
    with pytest.raises(NotYours, match="judge"):
        match.do("call_off")


def test_the_camera_moves_the_figures_it_sees_and_leaves_the_others(build: ModuleType, match: Any) -> None:
    table = build.corridor(13, 3)
    table["figures"] = [
        {"id": "alpha", "kind": "marine", "side": "marines", "cells": [[2, 2]]},
        {"id": "imp~9", "kind": "imp", "side": "invader", "cells": [[5, 2]]},
    ]
    match.do("see", by=CAMERA, document=table)
    assert match.game.piece("alpha").cells == ((2, 2),)
    assert match.game.piece("bravo").cells == ((1, 0),)
    assert "imp~9" not in match.game.pieces


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ({}, BadValue),
        ({"type": "dance"}, DocumentError),
        ({"type": "damage", "figure": "alpha"}, DocumentError),
        ({"type": "damage", "figure": "alpha", "amount": -1}, DocumentError),
        ({"type": "damage", "figure": "alpha", "amount": 1, "spare": 1}, DocumentError),
        ({"type": "damage", "figure": "nobody", "amount": 1}, UnknownName),
        ({"type": "see", "document": {"format": "sightline.board/2"}}, DocumentError),
    ],
)
def test_a_command_that_is_none_names_what_is_wrong(
    match: Any, command: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        match.session.command(command, JUDGE)


def test_listeners_hear_of_every_event_until_they_leave(match: Any) -> None:
    heard: list[int] = []
    stop = match.session.subscribe(lambda receipt: heard.append(receipt.seq))
    match.do("damage", figure="alpha", amount=1)
    match.do("undo")
    stop()
    match.do("redo")
    assert heard == [match.session.seq - 2, match.session.seq - 1]


def test_the_clock_counts_for_the_side_to_act_and_can_be_stopped(build: ModuleType) -> None:
    now = [1_000]
    match = build.begun(build.mission(build.TUTORIAL), clock=lambda: now[0])
    match.do("status", shuffled_here=False)
    now[0] += 5_000
    match.do("reveal", card="alpha")
    now[0] += 3_000
    match.do("pause")
    now[0] += 60_000
    match.do("resume")
    now[0] += 2_000
    clock = match.session.view(PUBLIC)["clock"]
    assert clock["side_ms"] == {"invader": 5_000, "marines": 5_000}
    assert clock["turn_ms"] == 5_000
    match.do("undo", by=JUDGE)
    assert match.session.timeline.clock.side_ms["marines"] == 5_000, "an undo gives no time back"
    now[0] -= 30_000
    match.do("damage", figure="alpha", amount=1)
    assert match.session.timeline.clock.side_ms["invader"] == 5_000, "a clock that was set back counts nothing"


def test_the_tracker_shows_health_and_the_figures_that_have_acted(match: Any) -> None:
    match.do("reveal", card="bravo")
    match.do("damage", figure="bravo", amount=4)
    match.do("stun", figure="alpha")
    view = match.session.tracker()
    assert view.order[view.active or 0].name == "bravo"
    assert view.order[1].health == 6
    assert view.order[0].is_stunned
    match.do("end")
    assert match.session.tracker().order[1].has_acted


def test_the_odds_before_the_roll_are_those_of_the_dice_and_the_unseen_cards(build: ModuleType) -> None:
    match = build.on_table(build.TUTORIAL)
    advice = match.session.advise({"attacker": "imp-1", "defender": "alpha"})
    assert advice["range"] == 3
    assert advice["in_reach"]
    assert sum(advice["odds"]["damage"].values()) == pytest.approx(1)
    assert advice["odds"]["frag"] == 0
    with pytest.raises(IllegalStep, match="no attack ready"):
        match.session.advise({"attacker": "alpha", "defender": "imp-1"})


@pytest.mark.parametrize(
    ("mission", "question", "key"),
    [
        ("doom2004_knee_deep_sample", {"attacker": "red-marine", "defender": "zombie-1", "weapon": "pistol"}, "wounds"),
        ("roads_bridge_sample", {"attacker": "mortar", "defender": "digger-1"}, "win"),
    ],
)
def test_every_system_tells_its_odds(build: ModuleType, mission: str, question: dict[str, Any], key: str) -> None:
    advice = build.on_table(mission).session.advise(question)
    assert advice["ruling"]["line_of_sight"] is True
    assert key in advice["odds"]


def test_the_tracker_tells_how_much_of_a_limited_turn_is_left(build: ModuleType) -> None:
    now = [1_000]
    base = build.mission(build.TUTORIAL)
    header = msgspec.structs.replace(new_header(base, match_id="m", seed="s", created_t=0, options={}), turn_limit_s=60)
    session = Session(header, journal=None, clock_ms=lambda: now[0])
    session.command({"type": "status", "shuffled_here": False}, JUDGE)
    session.command({"type": "reveal", "card": "alpha"}, JUDGE)
    now[0] += 25_000
    timer = session.tracker(as_of_s=7.0).timer
    assert timer is not None
    assert (timer.length_s, timer.left_s, timer.as_of_s, timer.is_running) == (60, 35.0, 7.0, True)


def test_a_class_card_is_ready_again_at_the_next_activation(match: Any) -> None:
    match.do("exhaust_class", figure="alpha")
    with pytest.raises(IllegalStep, match="exhausted"):
        match.do("exhaust_class", figure="alpha")
    match.do("reveal", card="alpha")
    assert match.game.piece("alpha").marks == ()


def test_a_figure_that_was_not_seen_gives_way_to_one_that_stands_in_its_place(build: ModuleType, match: Any) -> None:
    table = build.corridor(5, 3)
    table["figures"] = [{"id": "bravo", "kind": "marine", "side": "marines", "cells": [[0, 0]]}]
    match.do("see", by=CAMERA, document=table)
    assert match.game.piece("bravo").cells == ((0, 0),)
    assert match.game.piece("alpha").cells == (), "where he is now nobody knows"
    assert match.game.piece("imp-2").cells == (), "the new board does not have his cell"
    match.do("ruling", attacker="bravo", defender="imp-1")
    with pytest.raises(IllegalStep, match="not on the board"):
        match.do("place", figure="alpha", cells=[[40, 40]])


def test_a_note_stays_whatever_is_undone(match: Any) -> None:
    match.do("note", by=JUDGE, text="Table 3: call about cover")
    match.do("undo", by=JUDGE, to=0)
    assert [note["text"] for note in match.session.view(PUBLIC)["notes"]] == ["Table 3: call about cover"]
    lines = match.document().splitlines()
    match.do("status")
    quick = Session.resumed(
        match.document().splitlines(), journal=None, clock_ms=lambda: 0, snapshot=match.session.snapshot()
    )
    assert quick.timeline.notes == Session.resumed(lines, journal=None, clock_ms=lambda: 0).timeline.notes


def test_commands_from_many_tablets_at_once_are_all_carried_out_one_after_the_other(match: Any) -> None:
    def tap() -> None:
        for _ in range(20):
            match.do("note", text="tap")

    tablets = [threading.Thread(target=tap) for _ in range(6)]
    for tablet in tablets:
        tablet.start()
    for tablet in tablets:
        tablet.join()
    assert len(match.session.timeline.notes) == 120
    again = Session.resumed(match.document().splitlines(), journal=None, clock_ms=lambda: 0)
    assert again.seq == match.session.seq


def test_the_history_of_a_view_is_short_however_long_the_match_is(match: Any) -> None:
    for _ in range(130):
        match.do("damage", figure="alpha", amount=1)
        match.do("heal", figure="alpha", amount=1)
    shown = match.session.view(PUBLIC)["history"]
    assert len(shown) == 200
    assert shown[-1]["seq"] == match.session.seq


@pytest.mark.parametrize("name", [["x"], {}, 7, "", "x" * 201])
def test_a_command_is_named_by_a_short_text(build: ModuleType, name: object) -> None:
    played = build.begun(build.mission(build.TUTORIAL))
    with pytest.raises(DocumentError, match="command id"):
        played.do("note", text="a", id=name)
    assert played.session.seq == 0


@pytest.mark.parametrize("center", [[1e308, 0.0], [float("nan"), 0.0], [0.0, float("inf")]])
def test_a_place_is_on_some_table(build: ModuleType, center: list[float]) -> None:
    played = build.on_table(build.BRIDGE)
    with pytest.raises(DocumentError, match="center_mm"):
        played.do("place", figure="mortar", center_mm=center)


def test_a_match_takes_only_the_kind_of_table_that_it_is_played_on(build: ModuleType) -> None:
    board, free = build.corridor(5, 5), build.field(build.mission(build.BRIDGE))
    for name, document in ((build.BRIDGE, board), (build.TUTORIAL, free), (build.KNEE_DEEP, free)):
        played = build.on_table(name)
        with pytest.raises(IllegalStep, match="played on a table of the format"):
            played.do("see", document=document)
        assert played.session.seq == 1


@pytest.mark.parametrize("cells", [[[0, 0], [0, 0]], [[0, 0], [2, 2]], [[8, 0], [8, 1], [9, 0]]])
def test_no_step_leaves_a_figure_on_cells_that_no_board_could_show(build: ModuleType, cells: list[list[int]]) -> None:
    played = build.on_table(build.TUTORIAL)
    played.do("place", figure="alpha", cells=[[0, 0]])
    with pytest.raises(IllegalStep, match="base"):
        played.do("place", figure="alpha", cells=cells)
    assert played.game.piece("alpha").cells == ((0, 0),)


def test_no_model_is_put_on_the_very_place_of_another(build: ModuleType) -> None:
    played = build.on_table(build.BRIDGE)
    place = played.game.piece("brute").center_mm
    with pytest.raises(IllegalStep, match="would stand on"):
        played.do("place", figure="mortar", center_mm=list(place))
    assert played.game.piece("mortar").center_mm != place

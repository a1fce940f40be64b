"""The last minutes of pictures: every board, within the memory limit, always with the newest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assistant.app.tournament.look_back import LOOK_BACK_S, MOST_KEPT, STILL_EVERY_S, LookBack


def ids(look_back: LookBack) -> list[str]:
    return [shot.id for shot in look_back.shots()]


def test_every_board_stays_and_a_still_table_is_kept_now_and_then(build: Any) -> None:
    look_back = LookBack()
    for second in range(25):
        look_back.keep(build.corridor_shot(f"still-{second}", 1_000.0 + second))
    still = [f"still-{second}" for second in range(0, 25, int(STILL_EVERY_S))]
    assert ids(look_back) == [*still, "still-24"]
    column = build.corridor().figure("bravo").cells[0][0]
    look_back.keep(build.moved(build.corridor_shot(), "bravo", column + 1, "moved", 1_025.5))
    assert ids(look_back) == [*still, "moved"]


def test_of_a_table_without_a_grid_every_move_stays_and_noise_is_none(build: Any) -> None:
    look_back = LookBack()
    for second in range(12):
        place = (100.0 + 0.1 * (second % 2), 100.0)  # measured a little elsewhere each time
        look_back.keep(build.free_shot(f"still-{second}", 1_000.0 + second, digger_1=place))
    assert ids(look_back) == ["still-0", "still-10", "still-11"]
    look_back.keep(build.free_shot("moved", 1_012.0, digger_1=(180.0, 100.0)))
    assert ids(look_back) == ["still-0", "still-10", "moved"]


def test_what_is_too_old_too_large_or_too_many_is_forgotten_first(build: Any) -> None:
    shot = build.corridor_shot("first", 1_000.0)
    size = len(shot.read.picture.jpeg)
    small = LookBack(most_bytes=3 * size)
    aged = LookBack()
    for number in range(MOST_KEPT + 20):
        at_s = 1_000.0 + number * 2 * STILL_EVERY_S
        small.keep(replace(shot, id=f"{number}", taken_at_s=at_s))
        aged.keep(replace(shot, id=f"{number}", taken_at_s=at_s))
    assert ids(small) == [str(MOST_KEPT + number) for number in (17, 18, 19)]
    kept = aged.shots()
    assert kept[-1].taken_at_s - kept[0].taken_at_s <= LOOK_BACK_S
    assert len(kept) == LOOK_BACK_S / (2 * STILL_EVERY_S) + 1


def test_one_picture_larger_than_the_memory_is_kept_all_the_same(build: Any) -> None:
    look_back = LookBack(most_bytes=10)
    look_back.keep(build.corridor_shot("only", 1_000.0))
    assert ids(look_back) == ["only"]
    assert LookBack().shots() == ()

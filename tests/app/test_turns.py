from __future__ import annotations

import threading

from assistant.app.turns import ReadingBusy, ReadingTurns


def test_one_photo_of_each_waits_and_no_more_than_may():
    turns, refused = ReadingTurns(most_waiting=3), []
    begun = threading.Barrier(5)

    def show(who: str) -> None:
        begun.wait()
        try:
            with turns.turn_of(who):
                pass
        except ReadingBusy as problem:
            refused.append((who, str(problem)))

    names = ("first", "second", "third", "fourth")
    threads = [threading.Thread(target=show, args=(name,), daemon=True) for name in names]
    with turns.turn_of("first"):
        for thread in threads:
            thread.start()
        begun.wait()
        while len(refused) < 2:  # the other two wait for as long as the first is read
            threading.Event().wait(0.01)
        assert sum(thread.is_alive() for thread in threads) >= 2
    for thread in threads:
        thread.join(5)

    assert "still being read" in dict(refused)["first"]
    assert sum("Other photos" in sentence for _, sentence in refused) == 1
    with turns.turn_of("first"):
        pass


def test_the_camera_waits_for_as_long_as_it_takes():
    turns, seen = ReadingTurns(most_waiting=1), threading.Event()

    def look() -> None:
        with turns:
            seen.set()

    with turns.turn_of("first"):
        threading.Thread(target=look, daemon=True).start()
        assert not seen.wait(0.1)
    assert seen.wait(2)

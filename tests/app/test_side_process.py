"""Long work in a separate process: answers, errors, cancelling, a limit."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator

import pytest

from assistant.app.side_process import NICENESS, SideProcess, Steps, WorkBroken, WorkCancelled, WorkTooLong
from assistant.errors import NoFigureShown


def refuse() -> None:
    raise NoFigureShown


def count_to_two_and_wait() -> None:
    Steps.tell(1, 2)
    time.sleep(60)


def priority() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)


@pytest.fixture
def beside() -> Iterator[SideProcess]:
    process = SideProcess()
    yield process
    process.close()


def test_work_is_answered_and_refused_from_another_process_of_lower_priority(beside: SideProcess) -> None:
    assert beside(pow, 2, 10) == 1024
    assert beside(os.getpid) != os.getpid()
    assert beside(priority) == min(19, priority() + NICENESS)
    with pytest.raises(NoFigureShown):
        beside(refuse)
    assert beside.state is None


def test_cancelled_work_ends_and_the_next_one_is_done(beside: SideProcess) -> None:
    def cancel_at_the_first_step() -> None:
        while not ((state := beside.state) and state.of == 2):
            time.sleep(0.01)
        beside.cancel()

    person = threading.Thread(target=cancel_at_the_first_step)
    person.start()
    with pytest.raises(WorkCancelled):
        beside(count_to_two_and_wait)
    person.join()
    assert beside(pow, 3, 2) == 9


def test_work_beyond_its_limit_is_given_up() -> None:
    beside = SideProcess(limit_s=0.2)
    with pytest.raises(WorkTooLong):
        beside(time.sleep, 60)
    beside.close()


def test_a_process_that_ends_is_told(beside: SideProcess) -> None:
    with pytest.raises(WorkBroken):
        beside(os._exit, 3)
    assert beside(pow, 2, 2) == 4

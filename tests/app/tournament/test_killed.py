"""A table killed in the middle of a call and restarted has lost nothing that it acknowledged."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

from assistant.app.tournament.call_book import CallBook
from assistant.store import Store

WRITER = Path(__file__).with_name("call_until_killed.py")
KILLS = 12
PARTS = {"frozen/picture-001.jpg", "frozen/moment.json"}


def killed_after(folder: Path, step_count: int) -> list[tuple[str, str]]:
    """Return the acknowledged steps until the process was killed, in the middle of its next action."""
    process = subprocess.Popen([sys.executable, str(WRITER), str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told = [process.stdout.readline() for _ in range(step_count + 1)]
    process.kill()
    told += process.stdout.readlines()
    process.stdout.close()
    process.wait()
    steps = [line.split() for line in told[1:] if line.endswith("\n")]
    return [(call_id, state) for call_id, state in steps]


def test_nothing_acknowledged_is_lost_and_no_call_lacks_what_it_froze(tmp_path: Path) -> None:
    chance = random.Random(18)
    acknowledged: dict[str, list[str]] = {}
    for _ in range(KILLS):
        for call_id, state in killed_after(tmp_path, chance.randrange(1, 12)):
            acknowledged.setdefault(call_id, []).append(state)
        with Store(tmp_path) as store:
            book = CallBook(store, "table-7")  # reads the whole chain
            kept = Counter(json.loads(line)["call"] for line in store.table_events())
            assert all(kept[call_id] >= len(states) for call_id, states in acknowledged.items())
            for call in book.calls:
                assert call.extension_s == (0 if call.state == "open" else 1)
                assert set(store.frozen_parts(call.id)) == PARTS
                assert len(store.frozen_parts(call.id)["frozen/picture-001.jpg"]) == 400_000
    assert len(acknowledged) > KILLS / 2

"""Call a judge and rule again and again, and print every step once it is acknowledged, until killed.

Run as ``python call_until_killed.py FOLDER``; each call freezes a part that is large enough to be cut in two.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from assistant.app.tournament.call_book import CallBook
from assistant.app.tournament.steps import Appeal, CloseCall, GiveRuling, OpenCall
from assistant.documents.table_event import Person
from assistant.store import Store

PICTURE_BYTES = 400_000
PLAYER, JUDGE = Person(role="player"), Person(role="judge")


def tell(call_id: str, state: str) -> None:
    sys.stdout.write(f"{call_id} {state}\n")
    sys.stdout.flush()


def call_for_ever(folder: Path) -> None:
    with Store(folder) as store:
        book = CallBook(store, "table-7")
        tell("ready", "ready")
        while True:
            parts = {"frozen/picture-001.jpg": os.urandom(PICTURE_BYTES), "frozen/moment.json": b"{}"}
            call = book.open_call(OpenCall(frozen_hash="ab" * 32), PLAYER, parts)
            tell(call.id, call.state)
            steps = (
                (GiveRuling(ruling="x", extension_s=1), JUDGE),
                (Appeal(), PLAYER),
                (GiveRuling(ruling="y"), JUDGE),
            )
            for step, actor in (*steps, (CloseCall(), JUDGE)):
                tell(call.id, book.take_step(call.id, step, actor).state)


if __name__ == "__main__":
    call_for_ever(Path(sys.argv[1]))

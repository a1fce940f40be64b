"""A table in a process of its own, to be killed: calls a judge as often as each line of its input says."""

from __future__ import annotations

import sys
from pathlib import Path

from hall_builders import FakeTable

from assistant.documents.join import join_from_text

if __name__ == "__main__":
    code = join_from_text(sys.argv[1])
    table = FakeTable(code.name)
    table.join(code, Path(sys.argv[2]))
    for line in sys.stdin:
        for _ in range(int(line)):
            sys.stdout.write(f"{table.open_call()}\n")
            sys.stdout.flush()

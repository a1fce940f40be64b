"""Several threads that decode a type for the first time, in a separate process: msgspec 0.22 crashes on that."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import threading, time
from msgspec import Struct, convert, json
{learning}

def slow():
    time.sleep(0.3)
    return int

class Inner(Struct):
    deep: "slow()"

class Outer(Struct):
    inner: Inner | None = None
    later: str = ""

def decode(wait_s):
    time.sleep(wait_s)
    {decode}

threads = [threading.Thread(target=decode, args=(n * 0.1,)) for n in range(3)]
for one in threads: one.start()
for one in threads: one.join()
print("alive")
"""


@pytest.mark.parametrize(
    "decode",
    [
        "decode_fields(b'{\"later\": \"x\"}', Outer, 'test')",
        "convert_match({'later': 'x'}, Outer, 'test')",
    ],
)
def test_threads_that_decode_a_type_at_once_do_not_end_the_program(decode):
    learning = (
        "from assistant.documents.reading import decode_fields\n"
        "from assistant.documents.match import convert as convert_match"
    )
    program = PROGRAM.format(learning=learning, decode=decode)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr[-500:]

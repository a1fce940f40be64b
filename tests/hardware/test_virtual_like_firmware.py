"""The virtual strip must answer and shine like the firmware, or its tests would prove nothing."""

from __future__ import annotations

import random

import pytest

from hardware.light import LightFrame
from hardware.messages import Ack, Bye, Configure, FrameReader, Hello, Ping, Pixels, Pong, Received, Seen, encode
from hardware.transports.virtual import VirtualStrip


def conversation(seed):
    """Messages as a host might send them, and some that no host should."""
    chances = random.Random(seed)
    yield Hello()
    for n in range(60):
        first = chances.choice([0, 0, 0, 10, 20, 299, 300])
        rgb = chances.randbytes(3 * chances.choice([0, 1, 10, 20, 80]))
        yield chances.choices(
            [
                Pixels(chances.randrange(3), chances.random() < 0.5, first, rgb),
                Ping(),
                Seen(n),
                Configure(chances.choice([0, 8, 60, 301]), chances.choice([0, 5, 100, 3000])),
                Hello(),
                Bye(),
                Ack(),
            ],
            [12, 2, 1, 2, 1, 1, 1],
        )[0]


def answers(reader, data):
    """Return the answers, without counters that the virtual strip lacks and without unsolicited greetings."""
    said = [item for item in reader.feed(data) if not (isinstance(item, Received) and item.seq == 0)]
    return [(item.seq, Pong) if isinstance(item.message, Pong) else item for item in said]


@pytest.mark.parametrize("seed", range(6))
def test_same_messages_same_answers_same_light(bench, seed):
    device = VirtualStrip(lambda: bench.now_s, limit_ma=400)
    readers = FrameReader(), FrameReader()
    list(readers[0].feed(bench.read()))
    device.read()
    light = LightFrame(bytes(180))
    for n, message in enumerate(conversation(seed)):
        frame = encode(message, n % 255 + 1)
        bench.frames()
        bench.write(frame)
        device.write(frame)
        bench.run(0.035)
        assert answers(readers[0], bench.read()) == answers(readers[1], device.read()), message
        shown = [rgb for _, rgb in bench.frames()]
        if device.frame != light:
            light = device.frame
            # The firmware darkens a strip before it changes its length, the virtual one afterwards.
            assert not light.rgb or shown[-1].rstrip(b"\0") == light.rgb.rstrip(b"\0"), message

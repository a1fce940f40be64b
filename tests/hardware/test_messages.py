"""Sightline's own protocol: byte for byte, back and forth, and any other bytes on the line."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hardware.messages import (
    MAX_MESSAGE_BYTES,
    Ack,
    Button,
    Bye,
    Configure,
    Damaged,
    FrameReader,
    Hello,
    Message,
    Nak,
    Ping,
    Pixels,
    Pong,
    Received,
    Seen,
    Welcome,
    decode,
    encode,
    fletcher16,
)

README = Path(__file__).resolve().parents[2] / "hardware" / "README.md"
octets, words = st.integers(0, 255), st.integers(0, 65535)
messages = st.one_of(
    st.builds(Hello, octets),
    st.builds(
        Pixels,
        octets,
        st.booleans(),
        words,
        st.integers(0, 80).flatmap(lambda n: st.binary(min_size=3 * n, max_size=3 * n)),
    ),
    st.just(Ping()),
    st.builds(Seen, octets),
    st.builds(Configure, words, words),
    st.just(Bye()),
    st.builds(Welcome, octets, octets, octets, words, words, octets),
    st.just(Ack()),
    st.builds(Nak, octets),
    st.builds(Pong, words, words, words),
    st.builds(Button, octets, octets),
)


def read(data, chunk=None):
    reader = FrameReader()
    pieces = [data] if chunk is None else [data[at : at + chunk] for at in range(0, len(data), chunk)]
    return [item for piece in pieces for item in reader.feed(piece)]


def plain_crc(data):
    """CRC-16/IBM-3740 bit by bit, as its definition says."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021) & 0xFFFF if crc & 0x8000 else crc << 1
    return crc


@given(message=messages, seq=octets)
def test_frame_is_what_the_definitions_of_cobs_and_crc_say(message, seq):
    assert plain_crc(b"123456789") == 0x29B1
    plain = bytes((message.code, seq)) + message.body
    plain += plain_crc(plain).to_bytes(2, "big")
    blocks = plain.split(b"\0")
    expected = b"".join(bytes((len(block) + 1,)) + block for block in blocks) + b"\0"
    assert len(plain) > 253 or encode(message, seq) == expected


def test_every_example_of_the_readme_is_what_is_sent():
    examples = re.findall(
        r"^\| `([A-Z][a-z]+\(.*?\))`, (\d+) \| `([0-9a-f ]+)` \|$", README.read_text("utf-8"), re.MULTILINE
    )
    kinds = {kind.__name__: kind for kind in get_args(Message)}
    shown = set()
    for text, seq, frame in examples:
        name = text.partition("(")[0]
        assert encode(eval(text, {"__builtins__": {}}, kinds), int(seq)).hex(" ") == frame, text
        shown.add(name)
    assert shown == set(kinds)


@given(message=messages, seq=octets, chunk=st.integers(1, 300))
def test_what_is_encoded_is_read_back_however_it_is_cut(message, seq, chunk):
    frame = encode(message, seq)
    assert frame.count(0) == 1
    assert len(frame) <= MAX_MESSAGE_BYTES + 2
    assert read(frame, chunk) == [Received(seq, message)]


@given(message=messages, seq=octets, garbage=st.binary(max_size=300))
@example(message=Ping(), seq=1, garbage=b"\xff" * 260)
def test_garbage_costs_at_most_the_message_that_it_touches(message, seq, garbage):
    frame = encode(message, seq)
    assert read(garbage + b"\0" + frame)[-1] == Received(seq, message)


@given(message=messages, data=st.data())
def test_flipped_byte_is_noticed(message, data):
    frame = bytearray(encode(message, 5))
    at = data.draw(st.integers(0, len(frame) - 2))
    frame[at] ^= data.draw(st.integers(1, 255))
    assert Received(5, message) not in read(bytes(frame))
    assert Damaged() in read(bytes(frame)) or not [item for item in read(bytes(frame)) if item != Damaged()]


@given(data=st.binary(max_size=600), chunk=st.integers(1, 64))
def test_reader_takes_anything_and_cutting_changes_nothing(data, chunk):
    assert read(data, chunk) == read(data)


def test_stream_without_an_end_does_not_fill_the_memory():
    reader = FrameReader()
    for _ in range(100):
        assert list(reader.feed(b"\x05" * 1000)) == []
    assert len(reader._partial) <= MAX_MESSAGE_BYTES + 2
    assert list(reader.feed(b"\0" + encode(Ping(), 3))) == [Damaged(), Received(3, Ping())]


def test_colors_that_pass_the_crc_but_not_their_own_check_are_refused():
    plain = bytes((Pixels.code, 1, 0, 1, 0, 0, 0, 0, 10, 20, 30))
    frame = encode(Pixels(0, True, 0, bytes((10, 20, 30))), 1)
    assert decode(frame[:-1]) == Received(1, Pixels(0, True, 0, bytes((10, 20, 30))))
    with pytest.raises(ValueError, match="check"):
        Pixels.from_body(plain[2:])


def test_fletcher_of_the_books():
    # The examples that RFC 1146's checksum is usually shown with, modulo 255.
    assert [fletcher16(text) for text in (b"abcde", b"abcdef", b"abcdefgh")] == [0xC8F0, 0x2057, 0x0627]


def test_message_too_long_for_a_frame_is_a_bug():
    with pytest.raises(ValueError, match="fit"):
        encode(Pixels(0, True, 0, bytes(246)), 1)


@pytest.mark.slow
def test_a_million_inputs_do_not_upset_the_reader():
    chances = random.Random(9)
    reader = FrameReader()
    whole = [encode(Pixels(1, True, 0, bytes(range(60))), 4), encode(Welcome(1, 1, 0, 60, 400), 0), encode(Ack(), 9)]
    for _ in range(1_000_000):
        data = bytearray(chances.choice(whole))
        for _ in range(chances.randrange(4)):
            data[chances.randrange(len(data))] = chances.randrange(256)
        for item in reader.feed(bytes(data)):
            assert isinstance(item, Received | Damaged)

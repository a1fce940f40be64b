"""COBS: the paper's statements on runs and zeros, and a lossless round trip."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.framing import stuffed, unstuffed

RUN = bytes(range(1, 255))


@pytest.mark.parametrize(
    ("plain", "framed"),
    [
        (b"", b"\x01"),
        (b"\0", b"\x01\x01"),
        (b"\0\0", b"\x01\x01\x01"),
        (b"\x11\x22\0\x33", b"\x03\x11\x22\x02\x33"),
        (b"\x11\0\0\0", b"\x02\x11\x01\x01\x01"),
        (RUN, b"\xff" + RUN),
        (b"\0" + RUN, b"\x01\xff" + RUN),
        (RUN + b"\0", b"\xff" + RUN + b"\x01\x01"),
        (RUN + b"\xff", b"\xff" + RUN + b"\x02\xff"),
        (RUN[:-1] + b"\0\x07", b"\xfe" + RUN[:-1] + b"\x02\x07"),
    ],
)
def test_runs_and_zeros_are_stuffed_as_the_definition_says(plain, framed):
    assert stuffed(plain) == framed
    assert unstuffed(framed) == plain


@given(st.lists(st.one_of(st.just(b"\0"), st.binary(max_size=8), st.just(RUN)), max_size=6).map(b"".join))
def test_whatever_is_stuffed_holds_no_zero_and_comes_back(plain):
    framed = stuffed(plain)
    assert 0 not in framed
    assert len(framed) <= len(plain) + 1 + len(plain) // 254
    assert unstuffed(framed) == plain


@pytest.mark.parametrize("framed", [b"\0", b"\x03\x11", b"\x03\x11\0", b"\x02\x11\0", b"\xff\x01"])
def test_what_was_never_stuffed_is_refused(framed):
    with pytest.raises(ValueError, match="no frame"):
        unstuffed(framed)

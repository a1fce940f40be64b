"""``sightline.match/1``: a chain of lines in which every change, addition or omission shows."""

from __future__ import annotations

import pytest

from assistant.documents import MatchLog, event_line, header_line, line_hash, match_from_lines, match_lines
from assistant.errors import BadValue, DocumentError, MissingField, UnknownFormat


def chain(*types: str) -> list[bytes]:
    lines = [header_line({"id": "m", "ruleset": "roads", "seed": "s"})]
    for seq, type_ in enumerate(types, 1):
        event = {"seq": seq, "t": 1_000 * seq, "actor": {"role": "judge"}, "type": type_}
        lines.append(event_line(event, line_hash(lines[-1])))
    return lines


def test_what_is_written_is_read_back() -> None:
    lines = chain("begin", "next")
    log = match_from_lines(match_lines(lines))
    assert isinstance(log, MatchLog)
    assert log.header["ruleset"] == "roads"
    assert [event["type"] for event in log.events] == ["begin", "next"]
    assert [log.hash_after(seq) for seq in range(3)] == [line_hash(line) for line in lines]


@pytest.mark.parametrize(
    ("data", "error", "field"),
    [
        (b"", MissingField, "line 1"),
        (b"\n\n", MissingField, "line 1"),
        (b"{", BadValue, "line 1"),
        (b"[]", BadValue, "line 1"),
        (b'{"id": "m"}', MissingField, "format"),
        (b'{"format": "sightline.match/2"}', UnknownFormat, "format"),
        (match_lines([*chain(), b"no json"]), BadValue, "line 2"),
        (match_lines([*chain(), b"{}"]), MissingField, "line 2.seq"),
        (match_lines([*chain("begin", "next")[:1], *chain("begin", "next")[2:]]), BadValue, "line 2.seq"),
        (match_lines(chain("begin", "next")).replace(b"begin", b"never"), BadValue, "line 3.prev"),
        (match_lines(chain("begin")).replace(b'"roads"', b'"Roads"'), BadValue, "line 2.prev"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_line(data: bytes, error: type[DocumentError], field: str) -> None:
    with pytest.raises(error) as caught:
        match_from_lines(data)
    assert caught.value.field == field


def test_a_line_that_was_swapped_with_another_is_found() -> None:
    lines = chain("begin", "next", "next")
    with pytest.raises(BadValue):
        match_from_lines(match_lines([lines[0], lines[2], lines[1], lines[3]]))

"""Identifiers and people's words from outside."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.documents.call import call_from_json
from assistant.documents.rounds import Pairing
from assistant.documents.table_event import EventName, Hash, Person
from assistant.table.fields import HexColor, plain_line, plain_text
from web.judge.routes import StepName

FORGED = "nul\nJudge: ruled\x00 for \x1bme\u202e\u200b\u2066\ufeff\u2028end"


@pytest.mark.parametrize("kind", [StepName, EventName, Hash, HexColor])
@pytest.mark.parametrize("extra", ["\n", "\r\n", "\x00", "\u0085"])
def test_an_identifier_is_matched_whole(kind, extra):
    good = {Hash: "a" * 64, HexColor: "#a0b1c2"}.get(kind, "call-1")
    assert msgspec.convert(good, kind) == good
    for wrong in (good + extra, extra + good):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, kind)


def test_a_name_is_one_line_without_what_nobody_sees():
    assert plain_line(FORGED) == "nul Judge: ruled for me end"
    assert Person(role="player", name=FORGED).name == "nul Judge: ruled for me end"
    assert Pairing(table="1", first="\u202eevil", second="B\nC").second == "B C"
    assert Pairing(table="1", first="\u202eevil").first == "evil"


def test_words_keep_their_lines_and_lose_the_rest():
    assert plain_text("a\r\nb\x0b\u202ec\n\n\n\n\n\nd ") == "a\nb c\n\n\nd"
    text = '{"format":"sightline.call/1","id":"a","table":"t","opened_t":1,"opened_by":{"role":"player"},'
    text += '"question":"\\u202ex\\u0000y","frozen_hash":"' + "0" * 64 + '","changed_t":1,"seq":1}'
    assert call_from_json(text.encode()).question == "xy"


@given(st.text(max_size=60))
def test_plain_words_stay_as_they_are(text):
    once = plain_text(text)
    assert plain_text(once) == once
    assert plain_line(plain_line(text)) == plain_line(text)


@pytest.mark.parametrize("name", ["Anna-Lena Müller", "Жанна д’Арк", "محمد", "李 雷", "Zoë 🎲"])
def test_ordinary_names_stay(name):
    assert plain_line(name) == name

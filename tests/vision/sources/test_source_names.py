"""Sources are chosen by name, and an invalid name is refused in one sentence."""

from __future__ import annotations

import pytest

from assistant.errors import BadValue
from vision.sources.names import SourceName, source_name


@pytest.mark.parametrize(
    ("text", "kind", "place"),
    [
        ("usb:0", "usb", "0"),
        ("usb:usb-Maker_Camera_1234-video-index0", "usb", "usb-Maker_Camera_1234-video-index0"),
        ("http://10.0.0.7:8080/video", "http", "http://10.0.0.7:8080/video"),
        ("https://camera.local/video", "http", "https://camera.local/video"),
        ("rtsp://me:secret@10.0.0.7/live", "rtsp", "rtsp://me:secret@10.0.0.7/live"),
        ("replay:C:\\games\\evening.slrec", "replay", "C:\\games\\evening.slrec"),
        ("HTTP://10.0.0.7/Video", "http", "http://10.0.0.7/Video"),
        ("push", "push", ""),
        ("virtual", "virtual", ""),
    ],
)
def test_every_kind_of_source_has_a_name(text, kind, place):
    assert source_name(text) == SourceName(kind, place)


@pytest.mark.parametrize(
    "text",
    [
        *("", "usb", "usb:", "replay:", "webcam", "push:1", "ftp://x/y", "http://", "http://[::1", "rtsp://a:b:c"),
        *("http://a..b/", "http://my camera/video", f"http://{'a' * 80}.net/"),
    ],
)
def test_an_unknown_source_is_refused_with_a_list_of_the_known_ones(text):
    with pytest.raises(BadValue, match="usb:0") as refused:
        source_name(text)
    assert refused.value.field == "camera"


def test_a_password_is_never_shown():
    name = source_name("rtsp://me:secret@10.0.0.7:554/live?token=abc")
    assert name.shown == "rtsp://10.0.0.7:554/live"


def test_the_brackets_of_an_address_in_numbers_are_shown():
    assert source_name("http://[fe80::1]:8080/video").shown == "http://[fe80::1]:8080/video"

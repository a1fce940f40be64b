"""The names of frame sources."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args
from urllib.parse import urlsplit

from assistant.errors import UnknownCamera
from assistant.translations.messages import said

SourceKind = Literal["usb", "http", "rtsp", "replay", "push", "virtual"]

FORMS = said("usb:0, usb:NAME, http://…, rtsp://…, replay:PATH, push or virtual")
"""The forms of a name, for sentences and for a command's help."""

_NO_HOST = re.compile(r"[\s\x00-\x20\\]")
"""Characters that no host name has."""


@dataclass(frozen=True, slots=True)
class SourceName:
    """A requested source.

    Args:
        kind: the type of source.
        place: the index or stable name of a USB camera, the address of a stream, the path of a replay, else empty.
    """

    kind: SourceKind
    place: str = ""

    @property
    def shown(self) -> str:
        """The public form of the name, without the password of a stream's address."""
        if self.kind in ("push", "virtual"):
            return self.kind
        if self.kind in ("usb", "replay"):
            return f"{self.kind}:{self.place}"
        address = urlsplit(self.place)
        host = address.hostname or ""
        host = f"[{host}]" if ":" in host else host
        port = "" if address.port is None else f":{address.port}"
        return f"{address.scheme}://{host}{port}{address.path}"


def source_name(text: str) -> SourceName:
    """Parse the name of a source.

    Raises:
        UnknownCamera: no source has such a name.
    """
    kind, colon, place = text.partition(":")
    kind = kind.lower()
    if text in ("push", "virtual"):
        return SourceName("push" if text == "push" else "virtual")
    if kind in ("usb", "replay") and place:
        return SourceName("usb" if kind == "usb" else "replay", place)
    if kind in ("http", "https", "rtsp", "rtsps") and _is_address(text):
        return SourceName("rtsp" if kind.startswith("rtsp") else "http", f"{kind}:{place}")
    if not colon and text in get_args(SourceKind):
        problem = said("“{text}” does not say which one; a camera is {forms}", text=text, forms=FORMS)
        raise UnknownCamera(problem, field="camera")
    raise UnknownCamera(
        said("there is no camera “{text}”; a camera is {forms}", text=text, forms=FORMS), field="camera"
    )


def _is_address(text: str) -> bool:
    try:
        address = urlsplit(text)
        host = address.hostname or ""
        host.encode("idna")
        return bool(host) and not _NO_HOST.search(host) and (address.port is None or address.port > 0)
    except ValueError:  # a non-numeric port, unclosed brackets, or an impossible network name
        return False

"""Motion JPEG over HTTP: phone camera apps, IP cameras, and addresses that return one picture at a time.

We read the stream ourselves rather than through OpenCV, to check every picture's bytes: its start and end, and the
announced length.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import io
import secrets
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import quote, unquote, urljoin, urlsplit
from urllib.request import parse_http_list, parse_keqv_list

from assistant.errors import CameraLost, NoStreamThere, PhotoUnreadable, StreamAway
from assistant.translations.foreign import system_reason
from assistant.translations.messages import said
from calibration.arrays import BgrImage
from vision.photo.decoding import decode_photo
from vision.sources.devices import AddressOpener, DamagedPicture

TIMEOUT_S = 4.0
"""Timeout, shorter than the silence after which a camera is reopened."""

MAX_PICTURE_BYTES = 24 << 20
MAX_LINE_BYTES = 8 << 10
MOST_MISCOUNTED_BYTES = 8
"""Bytes by which an announced length may be short, since some cameras do not count the end mark."""

MOST_REDIRECTS = 5
_MOVED = frozenset({301, 302, 303, 307, 308})
_WEB = frozenset({"http", "https"})
_DIGESTS = frozenset({"MD5", "SHA-256"})
MAX_HEAD_LINES = 64

_PATH_LETTERS = "/?&=%:;@!$'()*+,~[]"
"""Letters of an address that need no quoting. Others are sent as browsers do."""

_START, _END = b"\xff\xd8", b"\xff\xd9"
_CHUNK_BYTES = 64 << 10


@contextmanager
def _network(address: str) -> Iterator[None]:
    """Map any failure while talking with the camera to a lost camera."""
    try:
        yield
    except TimeoutError:
        text = said(
            "The camera at {address} has stopped answering. Check its app and the network. Sightline keeps trying.",
            address=address,
        )
        raise StreamAway(text) from None
    except ssl.SSLError:  # such as a phone app's self-signed certificate
        text = said("The camera at {address} cannot be trusted. Use its http:// address.", address=address)
        raise StreamAway(text) from None
    except (OSError, http.client.HTTPException) as problem:
        reason = system_reason(problem) if isinstance(problem, OSError) else str(problem) or type(problem).__name__
        text = said(
            "The camera at {address} cannot be reached over the network ({reason}). Check its app, its "
            "address and the network. Sightline keeps trying.",
            address=address,
            reason=reason,
        )
        raise StreamAway(text) from None


class MjpegOpener(AddressOpener):
    """Opens a stream of single pictures."""

    def open(self) -> MjpegDevice:
        """Return the stream, its head read.

        The first bytes identify the content, since cameras send pictures as ``image/jpg``, as unknown bytes, or
        untyped.

        Raises:
            NoStreamThere: something answers, but sends no pictures.
            StreamAway: nothing answers.
        """
        caller = _Caller(self.address)
        with _network(self.shown):
            connection, answer = caller.ask()
            start = answer.peek(len(_START)) if answer.status == http.client.OK else b""
        kind = answer.headers.get_content_type()
        if start.startswith(_START):
            return MjpegDevice(self, connection, _single_pictures(caller, connection, answer))
        if kind.startswith("multipart/") and answer.status == http.client.OK:
            return MjpegDevice(self, connection, parts_of(answer))
        connection.close()
        if answer.status == http.client.UNAUTHORIZED:
            text = said("{shown} asks for a password; write the address as http://NAME:PASSWORD@…", shown=self.shown)
            if urlsplit(self.address).username is not None:
                text = said("{shown} refuses this name and password; check them", shown=self.shown)
        elif answer.status in _MOVED:
            text = said("{shown} leads from address to address and to no picture; check the address", shown=self.shown)
        elif answer.status != http.client.OK:
            text = said(
                "{shown} answers “{status} {reason}”; check the address",
                shown=self.shown,
                status=answer.status,
                reason=answer.reason,
            )
        else:
            text = said(
                "{shown} sends {what} and no pictures; open the address of the stream itself",
                shown=self.shown,
                what=kind,
            )
        raise NoStreamThere(text)


@dataclass
class MjpegDevice:
    """An open stream of pictures."""

    opener: MjpegOpener
    connection: http.client.HTTPConnection
    pictures: Iterator[bytes]

    def read(self) -> BgrImage:
        with _network(self.opener.shown):
            jpeg = next(self.pictures, None)
        if jpeg is None:
            raise CameraLost(said("the camera at {shown} ended its stream; check its app", shown=self.opener.shown))
        try:
            return decode_photo(jpeg, aloud=True)
        except PhotoUnreadable as problem:
            raise DamagedPicture(problem.sentence) from None

    def close(self) -> None:
        self.connection.close()


def _connection(address: str) -> http.client.HTTPConnection:
    parts = urlsplit(address)
    if parts.scheme == "https":
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=TIMEOUT_S, context=context)
    return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=TIMEOUT_S)


@dataclass
class _Caller:
    """Requests the pictures of one address, with its name and password, and follows redirects."""

    address: str
    _challenge: Mapping[str, str] | None = None
    _uses: int = 0

    def ask(self) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """Return the answer, its head read, with its connection."""
        address = self.address
        for _ in range(MOST_REDIRECTS):
            connection = _connection(address)
            answer = self._ask(connection, address)
            if answer.status == http.client.UNAUTHORIZED and self._is_new(answer):
                connection.close()
                connection = _connection(address)
                answer = self._ask(connection, address)
            place = answer.headers.get("Location")
            if answer.status not in _MOVED or not place or urlsplit(urljoin(address, place)).scheme not in _WEB:
                return connection, answer
            connection.close()
            address = urljoin(address, place)
        return connection, answer

    def _ask(self, connection: http.client.HTTPConnection, address: str) -> http.client.HTTPResponse:
        parts = urlsplit(address)
        path = quote((parts.path or "/") + (f"?{parts.query}" if parts.query else ""), safe=_PATH_LETTERS)
        headers = {"Accept": "multipart/x-mixed-replace, image/jpeg"}
        words = self._password(path) if parts.hostname == urlsplit(self.address).hostname else None
        if words is not None:
            headers["Authorization"] = words
        connection.request("GET", path, headers=headers)
        return connection.getresponse()

    def _password(self, path: str) -> str | None:
        """Return the authorisation: plain at first, digest once the camera has asked for it."""
        parts = urlsplit(self.address)
        if parts.username is None:
            return None
        name, password = unquote(parts.username), unquote(parts.password or "")
        if self._challenge is None:
            return f"Basic {base64.b64encode(f'{name}:{password}'.encode()).decode()}"
        self._uses += 1
        return _digest_words(name, password, path, self._challenge, self._uses)

    def _is_new(self, answer: http.client.HTTPResponse) -> bool:
        """Return whether a refusal contains an untried challenge."""
        if urlsplit(self.address).username is None:
            return False
        offers = (value for value in answer.headers.get_all("WWW-Authenticate", []))
        digests = [value.partition(" ")[2] for value in offers if value.lower().startswith("digest ")]
        challenges = [parse_keqv_list([item for item in parse_http_list(words) if "=" in item]) for words in digests]
        known = [one for one in challenges if one.get("algorithm", "MD5").upper() in _DIGESTS]
        if not known or (self._challenge is not None and known[0].get("nonce") == self._challenge.get("nonce")):
            return False
        self._challenge, self._uses = known[0], 0
        return True


def _digest_words(name: str, password: str, path: str, challenge: Mapping[str, str], uses: int) -> str:
    """Return the header that proves a password without revealing it (RFC 7616)."""
    algorithm = challenge.get("algorithm", "MD5")

    def digest(*words: str) -> str:
        joined = ":".join(words).encode()
        if algorithm.upper() == "MD5":
            return hashlib.md5(joined, usedforsecurity=False).hexdigest()
        return hashlib.sha256(joined).hexdigest()

    realm, nonce = challenge.get("realm", ""), challenge.get("nonce", "")
    secret, asked = digest(name, realm, password), digest("GET", path)
    fields = {"username": name, "realm": realm, "nonce": nonce, "uri": path}
    plain = {"algorithm": algorithm}
    if "auth" in [word.strip() for word in challenge.get("qop", "").split(",")]:
        count, own = f"{uses:08x}", secrets.token_hex(8)
        fields |= {"response": digest(secret, nonce, count, own, "auth", asked), "cnonce": own}
        plain |= {"qop": "auth", "nc": count}
    else:
        fields["response"] = digest(secret, nonce, asked)
    if "opaque" in challenge:
        fields["opaque"] = challenge["opaque"]
    quoted = [f'{key}="{value}"' for key, value in fields.items()]
    return "Digest " + ", ".join([*quoted, *(f"{key}={value}" for key, value in plain.items())])


def _single_pictures(
    caller: _Caller, connection: http.client.HTTPConnection, answer: http.client.HTTPResponse
) -> Iterator[bytes]:
    """Yield one picture for each request."""
    while answer.status == http.client.OK:
        yield answer.read(MAX_PICTURE_BYTES)
        connection.close()
        connection, answer = caller.ask()


def parts_of(stream: io.BufferedIOBase) -> Iterator[bytes]:
    """Yield the pictures of a multipart stream, each as the bytes between two boundaries.

    A part with an announced length has that length. Many cameras announce none. Their parts end with the JPEG end mark
    before the next boundary.
    """
    reader = _LineReader(stream)
    while (announced := _head(reader)) is not None:
        yield reader.picture_of(announced) if announced else reader.until_end_mark()


def _head(reader: _LineReader) -> int | None:
    """Return the length announced in a part's head, 0 without one, or None at the end of the stream."""
    length, is_in_head = 0, False
    for _ in range(MAX_HEAD_LINES):
        line = reader.line()
        if line is None:
            return None
        if not line.strip():
            if is_in_head:
                return length
            continue
        name, _, value = line.partition(b":")
        is_in_head = is_in_head or line.startswith(b"--") or bool(value)
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = min(int(value), MAX_PICTURE_BYTES)
    raise http.client.HTTPException("no picture in the stream")


class _LineReader:
    """Reads lines and counted bytes from a byte stream."""

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream = stream
        self._waiting = bytearray()

    def line(self) -> bytes | None:
        """Return the next line without its end, or None at the end of the stream."""
        while (end := self._waiting.find(b"\n")) < 0:
            if len(self._waiting) > MAX_LINE_BYTES or not self._more():
                return None
        return self._take(end + 1).rstrip(b"\r\n")

    def picture_of(self, count: int) -> bytes:
        """Return that many bytes, and a few more if the end mark shows that the announced length was short."""
        while len(self._waiting) < count and self._more():
            pass
        if self._waiting[count - 2 : count] != _END:
            while len(self._waiting) < count + MOST_MISCOUNTED_BYTES and self._more():
                pass
            end = self._waiting.find(_END, count - 1, count + MOST_MISCOUNTED_BYTES)
            count = end + 2 if end >= 0 else count
        return self._take(count)

    def until_end_mark(self) -> bytes:
        """Return the bytes up to the JPEG end mark at a line's end, as before a boundary."""
        searched = 0
        while True:
            end = self._waiting.find(_END, searched)
            if end >= 0 and self._is_boundary(end + 2):
                return self._take(end + 2)
            searched = end + 1 if end >= 0 else max(0, len(self._waiting) - 1)
            if end < 0 and (len(self._waiting) > MAX_PICTURE_BYTES or not self._more()):
                return self._take(len(self._waiting))

    def _is_boundary(self, start: int) -> bool:
        while len(self._waiting) < start + 4:
            if not self._more():
                return True
        return bytes(self._waiting[start : start + 4]).lstrip(b"\r\n").startswith(b"--")

    def _take(self, count: int) -> bytes:
        taken = bytes(self._waiting[:count])
        del self._waiting[:count]
        return taken

    def _more(self) -> bool:
        part = self._stream.read1(_CHUNK_BYTES)
        self._waiting += part
        return bool(part)

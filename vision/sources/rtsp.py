"""Ask an RTSP camera why its stream does not open, since OpenCV reports only the failure."""

from __future__ import annotations

import base64
import hashlib
import re
import socket
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

PORT = 554
WAIT_S = 2.0
MOST_BYTES = 8 << 10
UNAUTHORIZED = 401

_STATUS = re.compile(rb"RTSP/\d\.\d (\d{3}) ?([^\r\n]{0,60})")
_DIGEST = re.compile(r"(?im)^www-authenticate:\s*digest\s+(.*)$")
_FACT = re.compile(r'(\w+)="([^"]*)"')


@dataclass(frozen=True, slots=True)
class RtspAnswer:
    """The status of an answer, and its text."""

    status: int
    reason: str


def describe(address: str) -> RtspAnswer | None:
    """Return the answer to an RTSP DESCRIBE, or None if the peer speaks no RTSP.

    Raises:
        OSError: nothing answers.
    """
    parts = urlsplit(address)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    host = parts.hostname or ""
    place = f"{parts.scheme}://{host}:{parts.port or PORT}{parts.path}" + (f"?{parts.query}" if parts.query else "")
    with socket.create_connection((host, parts.port or PORT), timeout=WAIT_S) as connection:
        answer = _ask(connection, place, "", 1)
        if user and _status(answer) == UNAUTHORIZED:
            answer = _ask(connection, place, _proof(answer, place, user, password), 2)
    found = _STATUS.match(answer)
    if found is None:
        return None
    return RtspAnswer(int(found[1]), found[2].decode("ascii", "replace").strip())


def _status(answer: bytes) -> int:
    found = _STATUS.match(answer)
    return 0 if found is None else int(found[1])


def _ask(connection: socket.socket, place: str, proof: str, number: int) -> bytes:
    lines = [f"DESCRIBE {place} RTSP/1.0", f"CSeq: {number}", "Accept: application/sdp", "User-Agent: Sightline"]
    lines += [f"Authorization: {proof}"] if proof else []
    connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("utf-8"))
    answer = b""
    while b"\r\n\r\n" not in answer and len(answer) < MOST_BYTES:
        piece = connection.recv(MOST_BYTES)
        if not piece:
            break
        answer += piece
    return answer


def _proof(answer: bytes, place: str, user: str, password: str) -> str:
    """Return the credentials in the camera's scheme: Digest (RFC 2617) or Basic."""
    wanted = _DIGEST.search(answer.decode("latin-1"))
    if wanted is None:
        return f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"
    facts = dict(_FACT.findall(wanted[1]))
    realm, nonce = facts.get("realm", ""), facts.get("nonce", "")
    secret, question = _md5(f"{user}:{realm}:{password}"), _md5(f"DESCRIBE:{place}")
    response = _md5(f"{secret}:{nonce}:{question}")
    return f'Digest username="{user}", realm="{realm}", nonce="{nonce}", uri="{place}", response="{response}"'


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

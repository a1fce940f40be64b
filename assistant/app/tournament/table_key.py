"""The key with which a table signs its evidence: created on first use, readable by its own user only.

Only the holder of the key file can sign as this table. The page shows the fingerprint of the public key, so that people
can write it down in advance.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from assistant.errors import StoreError
from assistant.kept_files import OWN_EYES, map_errors, read_kept, write_kept
from assistant.translations.messages import said

KEY_FILE = "evidence-key.pem"

FINGERPRINT_DIGITS = 32
"""128 bits: nobody can find another key with the same fingerprint, and people can still read it out."""


class TableKey:
    """The key of one table.

    Args:
        folder: the data folder.

    Raises:
        StoreError: the key cannot be read or created.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / KEY_FILE
        pem = read_kept(path)
        if pem is None:
            self._key = Ed25519PrivateKey.generate()
            no_password = serialization.NoEncryption()
            kept = self._key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, no_password)
            write_kept(path, kept)
        else:
            self._key = _parse(pem, path)
            with map_errors("write"):
                os.chmod(path, OWN_EYES)

    @property
    def public(self) -> str:
        """The public key, as 64 hexadecimal digits."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, content: bytes) -> bytes:
        return self._key.sign(content)


def key_fingerprint(public: str) -> str:
    """Return the fingerprint that people compare: groups of four hexadecimal digits."""
    digits = hashlib.sha256(bytes.fromhex(public)).hexdigest()[:FINGERPRINT_DIGITS]
    return " ".join(digits[i : i + 4] for i in range(0, FINGERPRINT_DIGITS, 4))


def is_signed_by(public: str, signature: bytes, content: bytes) -> bool:
    """Return whether a public key's owner signed these bytes."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True


def _parse(pem: bytes, path: Path) -> Ed25519PrivateKey:
    try:
        key = serialization.load_pem_private_key(pem, None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        text = said(
            "{place} holds no key; move it out of the data folder and the table makes a new one", place=str(path)
        )
        raise StoreError(text)
    return key

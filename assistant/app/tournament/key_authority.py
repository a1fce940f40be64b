"""The tournament's authority over keys, which signs each table's key once, when the table joins.

A table proves its name to the broker with its join code, so the first key under a name belongs to the table. A second
key under that name is never signed, because a stolen join code could otherwise forge evidence.
"""

from __future__ import annotations

from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from msgspec import UNSET
from msgspec.structs import replace

from assistant.documents.sealed_key import SealedKey, sealed_bytes
from assistant.errors import BadValue
from assistant.translations.messages import said

SCHEME = ec.ECDSA(hashes.SHA256())


class KeyAuthority:
    """Signs keys.

    Args:
        key_pem: the private key of the tournament's authority.
        event: the tournament.

    Raises:
        BadValue: it is not such a key.
    """

    def __init__(self, key_pem: bytes, event: str) -> None:
        try:
            key = serialization.load_pem_private_key(key_pem, None)
        except (ValueError, TypeError):
            key = None
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise BadValue(said("This is not the key of a tournament's authority."), field="authority-key.pem")
        self._key, self._event = key, event

    def seal(self, name: str, key: str, t_ms: int, *, is_desk: bool = False) -> SealedKey:
        """Sign the key of a table or a desk."""
        sealed = SealedKey(event=self._event, name=name, key=key, t=t_ms, is_desk=is_desk or UNSET)
        return replace(sealed, signature=self._key.sign(sealed_bytes(sealed), SCHEME).hex())


def authority_of(folder: Path, event: str) -> KeyAuthority | None:
    """Load the authority from a tournament's folder, or return None if it is kept elsewhere."""
    path = folder / "tls" / "authority-key.pem"
    return KeyAuthority(path.read_bytes(), event) if path.is_file() else None


def is_sealed_by(authority_pem: bytes, sealed: SealedKey) -> bool:
    """Return whether the owner of a certificate signed this key.

    Raises:
        BadValue: the certificate is invalid, or has another kind of key.
    """
    try:
        public = x509.load_pem_x509_certificate(authority_pem).public_key()
    except ValueError:
        public = None
    if not isinstance(public, ec.EllipticCurvePublicKey):
        text = said("This is not the certificate of a tournament. Give “tls/authority.pem” of its folder.")
        raise BadValue(text, field="tournament")
    try:
        public.verify(bytes.fromhex(sealed.signature), sealed_bytes(sealed), SCHEME)
    except (InvalidSignature, ValueError):
        return False
    return True

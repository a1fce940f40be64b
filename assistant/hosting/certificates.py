"""The certificate of ``--tls`` where nobody brought one: made on this machine, for this machine's names alone.

An authority of the table's own signs it, so that a phone that has been told to trust the authority once (its file is
offered on the page) trusts the page also after addresses changed. The authority is confined to private networks and
local names: with its key nobody could pretend to be anything else.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_DAYS = 3650
PAGE_DAYS = 397
"""No browser takes a certificate for longer than 398 days."""

RENEW_DAYS = 30
PRIVATE_NETWORKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16", "100.64.0.0/10")
OWN_EYES = 0o600

_Key = ec.EllipticCurvePrivateKey


@dataclass(frozen=True, slots=True)
class PageCertificate:
    """The files that the page proves itself by, and the authority's certificate (PEM) for devices to trust."""

    certificate: Path
    key: Path
    authority_pem: bytes


def page_certificate(folder: Path, names: Sequence[str], now: datetime.datetime) -> PageCertificate:
    """The certificate for these names and addresses; made anew when they changed or it ends soon.

    Args:
        folder: where it is kept; made if it is not there.
        names: host names and addresses in numbers.
        now: the time, with its zone.
    """
    folder.mkdir(parents=True, exist_ok=True)
    authority, authority_key = _authority(folder, now)
    paths = PageCertificate(folder / "page.pem", folder / "page-key.pem", _pem(authority))
    wanted = sorted({*names})
    if not _is_still_good(paths, wanted, authority, now):
        key = ec.generate_private_key(ec.SECP256R1())
        made = _sign_for_page(wanted, key, authority, authority_key, now)
        _write(paths.key, _key_pem(key))
        _write(paths.certificate, _pem(made) + _pem(authority))
    return paths


def fingerprint(pem: bytes) -> str:
    """The SHA-256 of a certificate in the form that browsers show."""
    return x509.load_pem_x509_certificate(pem).fingerprint(hashes.SHA256()).hex(":").upper()


def _authority(folder: Path, now: datetime.datetime) -> tuple[x509.Certificate, _Key]:
    path, key_path = folder / "authority.pem", folder / "authority-key.pem"
    if path.exists() and key_path.exists():
        known = x509.load_pem_x509_certificate(path.read_bytes())
        key = serialization.load_pem_private_key(key_path.read_bytes(), None)
        if isinstance(key, ec.EllipticCurvePrivateKey) and known.not_valid_after_utc > now + _days(PAGE_DAYS):
            return known, key
    key = ec.generate_private_key(ec.SECP256R1())
    made = _new_authority(key, now)
    _write(key_path, _key_pem(key))
    _write(path, _pem(made))
    return made, key


def _new_authority(key: _Key, now: datetime.datetime) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Sightline table")])
    allowed: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_network(net)) for net in PRIVATE_NETWORKS]
    allowed += [x509.DNSName("local"), x509.DNSName("localhost")]
    return (
        _builder(name, name, key, now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(permitted_subtrees=allowed, excluded_subtrees=None), critical=True)
        .sign(key, hashes.SHA256())
    )


def _sign_for_page(
    names: Sequence[str], key: _Key, authority: x509.Certificate, authority_key: _Key, now: datetime.datetime
) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Sightline")])
    return (
        _builder(subject, authority.subject, key, now, PAGE_DAYS)
        .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(authority_key, hashes.SHA256())
    )


def _builder(
    subject: x509.Name, issuer: x509.Name, key: _Key, now: datetime.datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _days(1))  # a tablet's clock may be behind
        .not_valid_after(now + _days(days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _is_still_good(
    paths: PageCertificate, names: Sequence[str], authority: x509.Certificate, now: datetime.datetime
) -> bool:
    if not (paths.certificate.exists() and paths.key.exists()):
        return False
    known = x509.load_pem_x509_certificate(paths.certificate.read_bytes())
    named = known.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    said = sorted(str(one.value) for one in named)
    lasts = known.not_valid_after_utc > now + _days(RENEW_DAYS)
    return said == list(names) and lasts and known.issuer == authority.subject


def _days(count: int) -> datetime.timedelta:
    return datetime.timedelta(days=count)


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _key_pem(key: _Key) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write(path: Path, data: bytes) -> None:
    fresh = path.with_suffix(".new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWN_EYES), "wb") as file:
        file.write(data)
    os.replace(fresh, path)

"""The page's own certificate for ``--tls``, made on this machine for this machine's names only.

The table's own authority signs it. Once a phone trusts the authority (the page offers its file), it still trusts the
page after addresses have changed. Name constraints confine the authority to private networks, local names and this
machine's names, so its key cannot impersonate anything else. A new name (another host name, ``--name`` with a public
address) needs a new authority, and devices must trust it again.
"""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from assistant.kept_files import write_kept

AUTHORITY_DAYS = 3650
PAGE_DAYS = 397
"""Lifetime in days. Browsers reject certificates of more than 398."""

RENEW_DAYS = 30
PRIVATE_NETWORKS = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16", "100.64.0.0/10"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)
LOCAL_NAMES = ("local", "localhost")

_Key = ec.EllipticCurvePrivateKey


@dataclass(frozen=True, slots=True)
class PageCertificate:
    """The page's certificate files, and the authority's certificate (PEM) for devices to trust."""

    certificate: Path
    key: Path
    authority_pem: bytes


def page_certificate(folder: Path, names: Sequence[str], now: datetime.datetime) -> PageCertificate:
    """Return the certificate for these host names and addresses, renewed if they changed or it expires soon.

    Raises:
        StoreError: the folder is not writable.
    """
    wanted = sorted({*names})
    authority, authority_key = _authority(folder, wanted, now)
    paths = PageCertificate(folder / "page.pem", folder / "page-key.pem", _pem(authority))
    if not _is_still_good(paths, wanted, authority, now):
        key = ec.generate_private_key(ec.SECP256R1())
        made = _sign_for_page(wanted, key, authority, authority_key, now)
        write_kept(paths.key, _key_pem(key))
        write_kept(paths.certificate, _pem(made) + _pem(authority))
    return paths


def fingerprint(pem: bytes) -> str:
    """Return the SHA-256 of a certificate in the form that browsers show."""
    return x509.load_pem_x509_certificate(pem).fingerprint(hashes.SHA256()).hex(":").upper()


def _authority(folder: Path, names: Sequence[str], now: datetime.datetime) -> tuple[x509.Certificate, _Key]:
    path, key_path = folder / "authority.pem", folder / "authority-key.pem"
    if path.exists() and key_path.exists():
        known = x509.load_pem_x509_certificate(path.read_bytes())
        key = serialization.load_pem_private_key(key_path.read_bytes(), None)
        lasts = known.not_valid_after_utc > now + _days(PAGE_DAYS)
        if isinstance(key, ec.EllipticCurvePrivateKey) and lasts and _may_sign(known, names):
            return known, key
    key = ec.generate_private_key(ec.SECP256R1())
    made = _new_authority(key, names, now)
    write_kept(key_path, _key_pem(key))
    write_kept(path, _pem(made))
    return made, key


def _new_authority(key: _Key, names: Sequence[str], now: datetime.datetime) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Sightline table")])
    allowed: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_network(net)) for net in PRIVATE_NETWORKS]
    allowed += [x509.DNSName(local) for local in LOCAL_NAMES]
    allowed += [_subtree_of(_general_name(own)) for own in names if not _is_within(_general_name(own), allowed)]
    return (
        _builder(name, name, key, now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(permitted_subtrees=allowed, excluded_subtrees=None), critical=True)
        .sign(key, hashes.SHA256())
    )


def _may_sign(authority: x509.Certificate, names: Sequence[str]) -> bool:
    """Return whether the authority's name constraints permit all of these names."""
    allowed = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or ()
    return all(_is_within(_general_name(name), allowed) for name in names)


def _is_within(name: x509.GeneralName, subtrees: Iterable[x509.GeneralName]) -> bool:
    """Return whether a name lies in one of the subtrees (RFC 5280, 4.2.1.10)."""
    if isinstance(name, x509.IPAddress):
        networks = [tree.value for tree in subtrees if isinstance(tree, x509.IPAddress)]
        return any(
            name.value in net for net in networks if isinstance(net, ipaddress.IPv4Network | ipaddress.IPv6Network)
        )
    domains = [tree.value for tree in subtrees if isinstance(tree, x509.DNSName)]
    return any(f".{name.value}".endswith(f".{domain}") for domain in domains)


def _subtree_of(name: x509.GeneralName) -> x509.GeneralName:
    """Return the subtree of exactly this address, or of this host and the names below it."""
    return x509.IPAddress(ipaddress.ip_network(name.value)) if isinstance(name, x509.IPAddress) else name


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
        .add_extension(_key_of(authority), critical=False)  # strict programs require it (RFC 5280)
        .sign(authority_key, hashes.SHA256())
    )


def _key_of(authority: x509.Certificate) -> x509.AuthorityKeyIdentifier:
    """Return the id of the authority's key. A later authority has the same name but another key."""
    known = authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    return x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(known)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: _Key, now: datetime.datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _days(1))  # a tablet's clock may be slow
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
    issuers = [one.value for one in known.extensions if isinstance(one.value, x509.AuthorityKeyIdentifier)]
    return said == list(names) and lasts and issuers == [_key_of(authority)]


def _days(count: int) -> datetime.timedelta:
    return datetime.timedelta(days=count)


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _key_pem(key: _Key) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )

"""The page over TLS: one port, a certificate made here, everything as over plain HTTP."""

from __future__ import annotations

import datetime
import http.client
import shutil
import socket
import ssl
import subprocess
import time
from contextlib import ExitStack

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID

from assistant.errors import BadValue
from assistant.hosting.certificates import fingerprint, page_certificate
from web.serving.server import MIN_CONNECTIONS, PageServer
from web.serving.tls import server_context

NOW = datetime.datetime.now(datetime.UTC)
NAMES = ("localhost", "table.local", "127.0.0.1", "192.168.7.9")


@pytest.fixture
def made(tmp_path):
    return page_certificate(tmp_path / "tls", NAMES, NOW)


@pytest.fixture
def server(app, made):
    running = PageServer(app, host="127.0.0.1", port=0, devices=2, tls=server_context(made.certificate, made.key))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def trusting(made):
    """A browser's trust store with the table's authority."""
    return ssl.create_default_context(cadata=made.authority_pem.decode())


@pytest.fixture
def ask(server, trusting):
    """Requests the page over TLS and returns the answer, whose body may never end."""
    opened = []

    def get(path, host="127.0.0.1", context=trusting):
        connection = http.client.HTTPSConnection(host, server.port, timeout=20, context=context)
        opened.append(connection)
        connection.request("GET", path)
        opened.append(connection.getresponse())
        return opened[-1]

    yield get
    for one in reversed(opened):
        one.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_the_page_answers_under_its_names_with_a_certificate_that_its_authority_signed(ask, host):
    answer = ask("/", host)

    assert answer.status == 200
    cookie = answer.headers["Set-Cookie"]
    assert "Secure" in cookie
    assert b"Sightline" in answer.read()


def test_nobody_else_trusts_the_certificate(ask):
    with pytest.raises(ssl.SSLCertVerificationError):
        ask("/", context=ssl.create_default_context())


def test_who_comes_without_tls_is_sent_to_the_secure_address_of_the_same_port(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", "/wall?lang=ru")
    answer = connection.getresponse()
    connection.close()

    assert answer.status == 308
    assert answer.headers["Location"] == f"https://127.0.0.1:{server.port}/wall?lang=ru"


@pytest.mark.parametrize(
    "raw", [b"", b"\x16", b"\x16\x03\x01garbage" * 20, b"GET", b"\x00" * 5000, b"GET / HTTP/1.1\r\n\r\n"]
)
def test_whatever_else_comes_is_cut_off_and_the_page_goes_on(server, ask, raw):
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as stranger:
        stranger.sendall(raw)
        assert ask("/api/v1/now").status == 200


def test_newcomers_come_in_while_silent_connections_hold_every_place(server, ask):
    with ExitStack() as stack:
        address = ("127.0.0.1", server.port)
        crowd = [stack.enter_context(socket.create_connection(address, timeout=5)) for _ in range(MIN_CONNECTIONS + 60)]

        assert ask("/api/v1/now").status == 200
        assert crowd[0].recv(1) == b""  # the oldest of them made room


def test_the_page_knows_who_is_behind_the_front(app, made, trusting):
    seen = []

    def remember(environ, start_response):
        seen.append(environ["REMOTE_ADDR"])
        return app(environ, start_response)

    context = server_context(made.certificate, made.key)
    running = PageServer(remember, host="0.0.0.0", port=0, devices=2, tls=context)
    running.start()
    source = ("127.0.0.9", 0)  # another one of this machine
    with (
        socket.create_connection(("127.0.0.1", running.port), timeout=10, source_address=source) as plain,
        trusting.wrap_socket(plain, server_hostname="localhost") as connection,
    ):
        connection.sendall(b"GET /api/v1/now HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"200 OK" in connection.recv(4096)
    running.stop()

    assert seen == ["127.0.0.9"]


def test_events_come_through_at_once_and_the_end_is_reported(server, ask, state):
    stream = ask("/api/v1/events")
    while b"event: hello" not in stream.fp.readline():
        pass
    state.hub.publish("live", {"shot": "s"})
    while b"event: live" not in stream.fp.readline():
        pass
    begun = time.monotonic()
    state.hub.close()

    assert stream.fp.read() is not None  # to its end
    assert time.monotonic() - begun < 2


def test_it_stops_within_two_seconds_with_streams_open(app, made, state, trusting):
    running = PageServer(app, host="127.0.0.1", port=0, devices=2, tls=server_context(made.certificate, made.key))
    running.start()
    with (
        socket.create_connection(("127.0.0.1", running.port), timeout=10) as plain,
        trusting.wrap_socket(plain, server_hostname="localhost") as stream,
    ):
        stream.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"200 OK" in stream.recv(4096)
        begun = time.monotonic()
        state.hub.close()
        running.stop()
        assert time.monotonic() - begun < 2


def test_a_large_answer_arrives_whole(ask, shot):
    answer = ask(f"/api/v1/shots/{shot.id}/picture")

    assert answer.read() == shot.read.picture.jpeg


def test_the_certificate_is_kept_while_it_is_good_and_made_anew_when_addresses_change(made, tmp_path):
    again = page_certificate(tmp_path / "tls", NAMES, NOW)
    first = made.certificate.read_bytes()
    assert again.certificate.read_bytes() == first

    moved = page_certificate(tmp_path / "tls", (*NAMES, "192.168.7.10"), NOW)
    assert moved.certificate.read_bytes() != first
    assert moved.authority_pem == made.authority_pem  # existing trust still works

    later = page_certificate(tmp_path / "tls", (*NAMES, "192.168.7.10"), NOW + datetime.timedelta(days=390))
    assert later.authority_pem == made.authority_pem


def test_keys_are_for_the_owners_eyes(made):
    for path in (made.key, made.key.with_name("authority-key.pem")):
        assert path.stat().st_mode & 0o077 == 0


def test_the_authority_vouches_for_local_names_alone(made, tmp_path):
    """With the key of a table's authority nobody can pretend to be a bank."""
    chain = sign_as_the_authority(made, "bank.example", tmp_path / "bank.pem")
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    trusting = ssl.create_default_context(cadata=made.authority_pem.decode())
    client = trusting.wrap_bio(to_client, to_server, server_hostname="bank.example")
    server = server_context(chain, made.key).wrap_bio(to_server, to_client, server_side=True)

    for side in (client, server):  # hello, and the certificate
        with pytest.raises(ssl.SSLWantReadError):
            side.do_handshake()
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted"):
        client.do_handshake()


def sign_as_the_authority(made, name, path):
    """Return a certificate for any name, signed with the authority's key; the page's key follows it."""
    folder = made.key.parent
    authority = x509.load_pem_x509_certificate(made.authority_pem)
    keys = [
        serialization.load_pem_private_key((folder / f"{which}.pem").read_bytes(), None)
        for which in ("authority-key", "page-key")
    ]
    forged = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "A bank")]))
        .issuer_name(authority.subject)
        .public_key(keys[1].public_key())
        .serial_number(7)
        .not_valid_before(NOW - datetime.timedelta(days=1))
        .not_valid_after(NOW + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(keys[0], hashes.SHA256())
    )
    path.write_bytes(forged.public_bytes(serialization.Encoding.PEM) + made.authority_pem)
    return path


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
@pytest.mark.parametrize(
    "more", [(), ("gaming-pc",), ("fd00::17", "fe80::1", "::1"), ("203.0.113.9", "2001:db8::9", "table.example.org")]
)
def test_openssl_verifies_the_certificate_under_every_name_that_it_was_made_for(tmp_path, more):
    folder = tmp_path / "tls"
    names = (*NAMES, *more)
    made = page_certificate(folder, names, NOW)
    for name in names:
        asked = ["-verify_ip" if name[0].isdigit() or ":" in name else "-verify_hostname", name]
        command = ["openssl", "verify", "-x509_strict", "-CAfile", folder / "authority.pem", *asked, made.certificate]
        said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
        assert said.returncode == 0, f"{name}: {said.stderr}"


def test_whoever_holds_to_the_letter_of_the_standard_trusts_it(server, made):
    """Python 3.13 does; it once refused a certificate that did not name its authority's key."""
    strict = ssl.create_default_context(cadata=made.authority_pem.decode())
    strict.verify_flags |= ssl.VERIFY_X509_STRICT
    with (
        socket.create_connection(("127.0.0.1", server.port), timeout=10) as plain,
        strict.wrap_socket(plain, server_hostname="localhost") as connection,
    ):
        assert connection.version() == "TLSv1.3"


def test_a_certificate_that_an_authority_before_signed_is_made_anew(tmp_path):
    folder = tmp_path / "tls"
    before = page_certificate(folder, NAMES, NOW).certificate.read_bytes()
    (folder / "authority.pem").unlink()
    made = page_certificate(folder, NAMES, NOW)

    assert made.certificate.read_bytes() != before
    assert made.certificate.read_bytes().endswith(made.authority_pem)


def test_a_name_that_the_authority_may_not_vouch_for_needs_a_new_one(tmp_path):
    folder = tmp_path / "tls"
    first = page_certificate(folder, NAMES, NOW)
    other_address = page_certificate(folder, (*NAMES, "10.1.2.3"), NOW)
    other_host = page_certificate(folder, (*NAMES, "other-pc"), NOW)

    assert other_address.authority_pem == first.authority_pem
    assert other_host.authority_pem != first.authority_pem
    assert page_certificate(folder, (*NAMES, "other-pc"), NOW).authority_pem == other_host.authority_pem


def test_the_page_offers_the_authoritys_certificate(client, state, made):
    assert client.get("/certificate").status_code == 404
    state.door.authority_pem = made.authority_pem
    answer = client.get("/certificate")

    assert answer.data == made.authority_pem
    assert fingerprint(answer.data).count(":") == 31


def test_files_that_are_no_certificate_are_refused_with_a_sentence(tmp_path, made):
    junk = tmp_path / "junk.pem"
    junk.write_text("no certificate")
    for certificate, key in ((junk, made.key), (made.certificate, junk), (tmp_path / "none.pem", made.key)):
        with pytest.raises(BadValue, match="name two PEM files"):
            server_context(certificate, key)

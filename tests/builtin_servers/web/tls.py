"""A certificate for the test site's public name, signed by itself."""

from __future__ import annotations

import datetime
import ssl
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.builtin_servers.web.site import PUBLIC

if TYPE_CHECKING:
    from pathlib import Path


def server_context(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """What a server with a new certificate wraps its sockets in, and the certificate's file."""
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _builder(PUBLIC, PUBLIC, key).sign(key, hashes.SHA256())
    return _context(folder, certificate, key)


def faulty_context(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """The same, signed by an authority whose file is returned: neither names a key, as it should.

    Strict clients refuse it, others do not.
    """
    authority_key = ec.generate_private_key(ec.SECP256R1())
    authority = (
        _builder("authority", "authority", authority_key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(authority_key, hashes.SHA256())
    )
    file = folder / "authority.pem"
    file.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _builder(PUBLIC, "authority", key).sign(authority_key, hashes.SHA256())
    return _context(folder, certificate, key)[0], file


def _builder(name: str, issuer: str, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_name(name))
        .issuer_name(_name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _context(
    folder: Path, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey
) -> tuple[ssl.SSLContext, Path]:
    file = folder / "certificate.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + private)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context, file

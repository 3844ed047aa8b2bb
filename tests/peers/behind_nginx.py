"""The server of `fastmcp_server.py` behind nginx, as people put theirs on the net.

nginx speaks TLS with a certificate of an authority that nobody knows, and passes all on; the server
answers /mcp/ with a redirect to /mcp. Ends with the context.
"""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
from typing import TYPE_CHECKING, TypeAlias

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests import peers
from tests.peers.listening import free_ports, listening

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

Key: TypeAlias = ec.EllipticCurvePrivateKey
# RFC 5280 asks for it and for the identifiers of the keys; Python 3.13 insists on all of them.
_SIGNS_CERTIFICATES = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=False,
    encipher_only=False,
    decipher_only=False,
)
_ONE_PROCESS = "daemon off; master_process off; pid {folder}/nginx.pid; error_log stderr;"
_ITS_FILES = """\
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
"""
_CONFIG = """\
events {{}}
http {{
  server {{
    listen 127.0.0.1:{port} ssl{http2};
    ssl_certificate {folder}/server.pem;
    ssl_certificate_key {folder}/server.key;
    {more}
    location / {{
      proxy_pass http://127.0.0.1:{behind};
      proxy_http_version 1.1;
      proxy_buffering off;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-Proto https;
    }}
  }}
}}
"""


@contextlib.contextmanager
def serving(
    folder: Path, *, wants_client: bool = False, http2: bool = False
) -> Generator[tuple[str, Path]]:
    """The URL, without a path, and the file of the authority that issued its certificate.

    Args:
        folder: for its files.
        wants_client: refuse who has no certificate of the same authority, such as server.pem.
        http2: speak HTTP/2 with whoever can.
    """
    port, behind = free_ports()
    authority = _write_certificates(folder)
    asks = f"ssl_client_certificate {authority}; ssl_verify_client on;" if wants_client else ""
    text = _CONFIG.format(
        folder=folder, port=port, behind=behind, more=asks, http2=" http2" if http2 else ""
    )
    with listening(peers.fastmcp_command(behind), behind), nginx_running(folder, text, port):
        yield f"https://127.0.0.1:{port}", authority


@contextlib.contextmanager
def nginx_running(folder: Path, text: str, port: int) -> Generator[None]:
    """nginx with a config, as any user; entered when it listens at `port`, which the config says.

    Args:
        folder: for its files.
        text: of the config.
        port: of this machine.
    """
    config = folder / "nginx.conf"
    files = _ITS_FILES.format(folder=folder)
    config.write_text(text.replace("http {\n", files, 1), encoding="utf-8")
    one = _ONE_PROCESS.format(folder=folder)
    with listening(
        [peers.nginx(), "-c", str(config), "-e", str(folder / "error.log"), "-g", one], port
    ):
        yield


def _write_certificates(folder: Path) -> Path:
    """Write server.pem and server.key, issued by a new authority; returns the authority's file."""
    authority, server = (
        ec.generate_private_key(ec.SECP256R1()),
        ec.generate_private_key(ec.SECP256R1()),
    )
    root = (
        _certificate("A test's own authority", authority, "A test's own authority")
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_SIGNS_CERTIFICATES, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(authority.public_key()), False)
        .sign(authority, hashes.SHA256())
    )
    here = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    leaf = (
        _certificate("127.0.0.1", server, "A test's own authority")
        .add_extension(x509.SubjectAlternativeName([here]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key()), False
        )
        .sign(authority, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "server.pem").write_bytes(leaf.public_bytes(pem))
    (folder / "server.key").write_bytes(
        server.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    file = folder / "authority.pem"
    file.write_bytes(root.public_bytes(pem))
    return file


def _certificate(name: str, key: Key, issuer: str) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
    )

"""Whom a server is trusted by, and the files that say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
)

from desktop.base.errors import ConfigError
from desktop.config.launch_details import launch_details
from desktop.config.models import AppSettings, ServerConfig
from desktop.config.parser import read_server
from desktop.redaction.redactor import Redaction
from tests.builtin_servers.web.tls import server_context
from tests.http_stub import serving
from tests.live_servers import connected

if TYPE_CHECKING:
    from pathlib import Path


def config(**tls: str) -> ServerConfig:
    return ServerConfig.checked(
        name="web", transport="http", url="https://localhost:9/mcp", tls=tls
    )


async def test_an_authority_of_the_config_is_trusted(tmp_path: Path) -> None:
    context, file = server_context(tmp_path)
    async with serving(tls=context) as stub:
        async with connected(stub.config()) as stranger:
            assert "its certificate is not trusted (self-signed" in stranger.state.error
        async with connected(stub.config(tls={"ca": str(file)})) as known:
            assert "certificate is not valid for '127.0.0.1'" in known.state.error  # that is all


@pytest.mark.parametrize("key", ["ca", "cert"])
async def test_a_file_that_cannot_be_used_is_named(key: str, tmp_path: Path) -> None:
    nothing, empty = tmp_path / "nothing.pem", tmp_path / "empty.pem"
    empty.write_text("no certificate", "utf-8")
    for file in (nothing, empty):
        async with connected(config(**{key: str(file)})) as web:
            assert web.state.phase == "failed"
            assert f'"tls.{key}" is set to {file}, which cannot be used' in web.state.error
            assert "Set a PEM file" in web.state.error


async def test_a_key_with_a_password_is_said_and_nobody_is_asked(tmp_path: Path) -> None:
    _, cert = server_context(tmp_path)
    key = tmp_path / "locked.key"
    made = ec.generate_private_key(ec.SECP256R1())
    locked = BestAvailableEncryption(b"canary")
    key.write_bytes(made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked))
    async with connected(config(cert=str(cert), key=str(key))) as web:
        assert "without a password" in web.state.error


@pytest.mark.parametrize(
    ("tls", "words"),
    [
        ({"verify": "no"}, "has 'verify', which is not a known key"),
        ({"key": "a.pem"}, "has a key but no cert"),
        (["a.pem"], "must be an object"),
    ],
)
def test_what_is_no_such_thing_is_said(tls: object, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read_server("web", {"url": "https://a.example/mcp", "tls": tls}, AppSettings())


def test_files_are_meant_from_home_and_stand_in_what_a_person_agrees_to() -> None:
    made = config(ca="~/ca.pem")
    shown = {
        detail.place: detail.value for detail in launch_details(made, Redaction(), is_own=True)
    }
    assert shown["tls.ca"] == "~/ca.pem"

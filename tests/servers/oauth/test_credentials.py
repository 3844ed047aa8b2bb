"""Tokens are kept whole in the keyring, whatever it takes at a time, and belong to one origin."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from desktop.servers.oauth.credentials import PART_LENGTH, Credentials, CredentialStore
from tests.config.keyring_backend import MemoryKeyring, use

HELD = Credentials("https://a.example/mcp", "https://i.example", "client", "token")


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    made = MemoryKeyring()
    use(monkeypatch, made)
    return made


async def test_long_tokens_are_kept_in_parts_and_leave_none_behind(keyring: MemoryKeyring) -> None:
    long = replace(HELD, access_token="x" * 5_000, refresh_token="y\n+" * 900)
    await CredentialStore().keep("web", long)
    assert max(map(len, keyring.kept.values())) <= PART_LENGTH + 2
    assert await CredentialStore().load("web") == long
    await CredentialStore().keep("web", HELD)
    assert await CredentialStore().load("web") == HELD
    assert len(keyring.kept) == 1
    await CredentialStore().delete("web")
    assert keyring.kept == {}


async def test_what_is_no_sign_in_counts_as_none(keyring: MemoryKeyring) -> None:
    keyring.kept["mcp-desktop sign-ins", "web"] = '{"url": 1}\n.'
    assert await CredentialStore().load("web") is None


@pytest.mark.parametrize(
    ("url", "belongs"),
    [
        ("https://a.example/other", True),
        ("https://A.example:443/mcp", True),
        ("http://a.example/mcp", False),
        ("https://a.example:8443/mcp", False),
        ("https://b.example/mcp", False),
    ],
)
def test_tokens_belong_to_one_origin(url: str, belongs: bool) -> None:
    assert HELD.belongs_to(url) is belongs


def test_a_token_counts_as_ended_before_it_could_arrive() -> None:
    assert not HELD.is_expiring
    assert replace(HELD, expires_at=time.time() + 5).is_expiring
    assert not replace(HELD, expires_at=time.time() + 500).is_expiring


def test_no_secret_is_in_what_a_log_would_show() -> None:
    secret = replace(HELD, access_token="canary", refresh_token="canary", client_secret="canary")
    assert "canary" not in repr(secret)
    assert secret.secrets == {"canary"}

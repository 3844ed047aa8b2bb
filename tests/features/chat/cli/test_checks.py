from __future__ import annotations

import sys

import pytest

from desktop.cli.self_checks.check import CheckFailedError, CheckSkippedError
from desktop.config.keyring_access import KeyringError
from desktop.features.chat.cli.checks import load_http_client, store_key
from tests.config.keyring_backend import BrokenKeyring, MemoryKeyring, use, use_no_keyring


async def test_the_client_of_model_providers_is_loaded() -> None:
    assert await load_http_client() == "loaded: httpx2"


async def test_a_part_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(
        sys.modules, "desktop.features.chat.llm.services.http_client", raising=False
    )
    monkeypatch.setitem(sys.modules, "httpx2", None)  # as if it were not installed
    with pytest.raises(ModuleNotFoundError, match="httpx2"):
        await load_http_client()


class ForgetfulKeyring(MemoryKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        return None


async def test_a_key_is_kept_and_nothing_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = MemoryKeyring()
    use(monkeypatch, backend)
    assert "MemoryKeyring stored and deleted a key" in await store_key()
    assert backend.kept == {}


async def test_without_the_module_or_a_service_it_is_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_no_keyring(monkeypatch)
    with pytest.raises(CheckSkippedError, match="no keyring service answers"):
        await store_key()
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "keyring")
    with pytest.raises(CheckSkippedError, match="no keyring module"):
        await store_key()


async def test_a_keyring_that_forgets_or_refuses_has_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use(monkeypatch, ForgetfulKeyring())
    with pytest.raises(CheckFailedError, match="did not return"):
        await store_key()
    use(monkeypatch, BrokenKeyring())
    with pytest.raises(KeyringError):
        await store_key()

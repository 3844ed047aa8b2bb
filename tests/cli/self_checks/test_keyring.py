from __future__ import annotations

import sys

import pytest

from desktop.cli.self_checks.check import CheckFailedError, CheckSkippedError
from desktop.cli.self_checks.keyring import keep_a_key
from desktop.llm.keys import KeyringError
from tests.llm.keyring_backend import BrokenKeyring, MemoryKeyring, use, use_no_keyring


class ForgetfulKeyring(MemoryKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        return None


async def test_a_key_is_kept_and_nothing_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = MemoryKeyring()
    use(monkeypatch, backend)
    assert "MemoryKeyring kept a key" in await keep_a_key()
    assert backend.kept == {}


async def test_without_the_module_or_a_service_it_is_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_no_keyring(monkeypatch)
    with pytest.raises(CheckSkippedError, match="no keyring service answers"):
        await keep_a_key()
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "keyring")
    with pytest.raises(CheckSkippedError, match="no keyring module"):
        await keep_a_key()


async def test_a_keyring_that_forgets_or_refuses_has_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use(monkeypatch, ForgetfulKeyring())
    with pytest.raises(CheckFailedError, match="does not give back"):
        await keep_a_key()
    use(monkeypatch, BrokenKeyring())
    with pytest.raises(KeyringError):
        await keep_a_key()

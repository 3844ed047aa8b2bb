from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import ConfigError
from desktop.base.paths import Paths
from desktop.cli.self_checks import storage
from desktop.cli.self_checks.check import CheckFailedError, CheckSkippedError
from desktop.cli.self_checks.storage import load_http_client, store_key
from desktop.config.keyring_access import KeyringError
from desktop.core import Core, build_core
from tests.llm.keyring_backend import BrokenKeyring, MemoryKeyring, use, use_no_keyring

if TYPE_CHECKING:
    from pathlib import Path


async def test_the_client_of_model_providers_is_loaded() -> None:
    assert await load_http_client() == "loaded: httpx2"


async def test_a_part_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "desktop.llm.services.http_client", raising=False)
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


def core_in(folder: Path) -> Core:
    return build_core(Paths(folder / "mcp.json", folder / "data"), {})


async def test_the_server_is_written_and_what_others_wrote_is_kept(tmp_path: Path) -> None:
    storage.prepare_config(tmp_path / "mcp.json")
    core = core_in(tmp_path)
    assert "unknown keys kept" in await storage.write_and_read_config(core)
    written = json.loads(core.store.path.read_text(encoding="utf-8"))
    assert list(written["mcpServers"]) == [storage.NAME]
    await core.close()


async def test_a_file_that_was_never_the_prepared_one_is_told(tmp_path: Path) -> None:
    core = core_in(tmp_path)
    with pytest.raises(CheckFailedError, match="lost keys of another client"):
        await storage.write_and_read_config(core)
    with pytest.raises(ConfigError):  # and twice the same server is refused by the store
        await storage.write_and_read_config(core)
    await core.close()

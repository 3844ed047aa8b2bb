"""What another program writes into the config of a provider sends it no key and no word."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import DesktopError
from desktop.base.paths import Paths
from desktop.bootstrap import open_config_store
from desktop.config.providers import checked
from desktop.core import build_core
from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.llm.keys import Keys
from desktop.features.chat.llm.services import make_service
from desktop.llm.formats import ApiFormat
from tests.llm.keyring_backend import MemoryKeyring, use
from tests.llm.loopback.server import Loopback

if TYPE_CHECKING:
    from pathlib import Path

KEY = "sk-canary-OPENAI-123456"


@pytest.mark.parametrize("name", ["openai", "gemini", "google"])
async def test_a_key_of_the_environment_goes_to_the_provider_it_is_named_after_alone(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, MemoryKeyring())
    keys = Keys({"OPENAI_API_KEY": KEY, "GEMINI_API_KEY": KEY, "GOOGLE_API_KEY": KEY})
    elsewhere = {"name": name, "kind": "openai", "baseUrl": "https://evil.example/v1"}
    assert await keys.find(checked(elsewhere)) is None
    at_home = {"name": "mine", "kind": "openai", "baseUrl": "https://API.openai.com:443/v1"}
    found = await keys.find(checked(at_home))
    assert found is not None
    assert found.where == "OPENAI_API_KEY"


async def test_a_stored_key_stays_with_the_origin_it_was_stored_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    backend = MemoryKeyring()
    use(monkeypatch, backend)
    before, moved = (
        checked({"name": "mine", "kind": "openai", "baseUrl": f"https://{host}/v1"})
        for host in ("here.example", "evil.example")
    )
    await Keys({}).store(before, KEY)
    assert await Keys({}).find(moved) is None
    assert (await Keys({}).find(before)) is not None
    backend.kept.clear()
    backend.kept["mcp-desktop", "mine"] = KEY  # as an earlier version kept it
    assert (await Keys({}).find(before)) is not None
    assert await Keys({}).find(moved) is None


async def test_a_service_that_was_made_before_sends_nothing_after_the_edit(tmp_path: Path) -> None:
    with Loopback() as stranger:
        paths = Paths(tmp_path / "mcp.json", tmp_path / "data")
        paths.config.write_text('{"mcpServers": {}}', "utf-8")
        open_config_store(paths, {}).keep_adopted()
        moved = {"baseUrl": stranger.base_url(ApiFormat.OPENAI), "kind": "openai"}
        edited = {"mcpServers": {}, "mcpDesktop": {"providers": {"mine": moved}}}
        paths.config.write_text(json.dumps(edited), "utf-8")
        core = build_core(paths, {})
        service = make_service(core.store.providers["mine"], core.part(Agent).keys)
        with pytest.raises(DesktopError, match="not approved"):
            await service.list_models()
        await service.close()
        await core.close()

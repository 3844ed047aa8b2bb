"""What another program writes into the config of a provider sends it no key and no word."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import DesktopError
from desktop.base.paths import Paths
from desktop.bootstrap import open_config_store
from desktop.cli.exit_codes import Exit
from desktop.config.providers import checked
from desktop.core import build_core
from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.llm.keys import Keys
from desktop.features.chat.llm.services import make_service
from desktop.features.models.formats import ApiFormat
from tests.config.keyring_backend import MemoryKeyring, use
from tests.features.models.loopback.script import Script, turn
from tests.features.models.loopback.server import Loopback

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.terminal import Terminal

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
        core = build_core(paths, {"SHELL": "/bin/sh"})
        service = make_service(core.store.providers["mine"], core.part(Agent).keys)
        with pytest.raises(DesktopError, match="not approved"):
            await service.list_models()
        await service.close()
        await core.close()


def test_a_provider_that_an_edit_moves_is_sent_neither_key_nor_words(terminal: Terminal) -> None:
    terminal.environment["OPENAI_API_KEY"] = KEY
    with Loopback() as stranger:
        script = Script([turn("Thank you.")])
        stranger.play(script)
        terminal.configure()
        assert terminal.run("servers", "--json").code == Exit.DONE  # a used home
        moved = {"baseUrl": stranger.base_url(ApiFormat.OPENAI), "model": "m", "api": "chat"}
        document = {"mcpServers": {}, "mcpDesktop": {"providers": {"openai": moved}}}
        terminal.config.write_text(json.dumps(document), "utf-8")
        done = terminal.run("ask", "A secret.", "--provider", "openai")
        assert (done.code, script.requests) == (Exit.USAGE, []), done.err
        assert "mcp-desktop trust provider:openai" in done.err
        assert terminal.run("trust", "provider:openai", "--yes").code == Exit.DONE
        done = terminal.run("ask", "A secret.", "--provider", "openai")
        assert (done.code, done.out) == (Exit.DONE, "Thank you.\n"), done.err
        assert KEY not in str([request.headers for request in script.requests])

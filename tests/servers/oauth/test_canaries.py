"""Tokens are in the keyring and on their way to their server: in no file, log, trace or history."""

from __future__ import annotations

import json
import logging
import logging.config
from typing import TYPE_CHECKING

import psutil
import pytest

from desktop.base.paths import Paths
from desktop.core import Core, build_core
from desktop.servers.message_log import pretty
from desktop.values.tool_types import ToolCall
from tests.config.keyring_backend import MemoryKeyring, use
from tests.http_stub import TEXT, Answer, serving
from tests.oauth_stub import Authorization, Person

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from tests.http_stub import Request


def gossip(guarded: Authorization) -> None:
    """From now on the server repeats the token that it was sent, in a result and in a refusal."""
    usual = guarded.answer

    def answer(request: Request) -> Answer | None:
        refused = usual(request)
        if refused is not None or request.rpc != "tools/call":
            return refused
        token = request.headers["authorization"].removeprefix("Bearer ")
        if request.message["params"]["arguments"]:
            return Answer(500, f"no: {token}".encode(), TEXT)
        content = [{"type": "text", "text": f"you sent {token}"}]
        reply = {"jsonrpc": "2.0", "id": request.message["id"], "result": {"content": content}}
        return Answer(200, json.dumps(reply).encode())

    guarded.stub.refuse = answer


@pytest.fixture
async def guarded() -> AsyncGenerator[Authorization]:
    async with serving() as stub:
        made = Authorization(stub)
        gossip(made)
        yield made


@pytest.fixture
async def core(
    guarded: Authorization, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Core]:
    use(monkeypatch, MemoryKeyring())
    config = {"mcpServers": {"web": {"url": guarded.stub.config().url, "era": "legacy"}}}
    (tmp_path / "mcp.json").write_text(json.dumps(config), "utf-8")
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"))
    made.follow_store()
    try:
        yield made
    finally:
        await made.close()


def trace(core: Core) -> str:
    return "\n".join(pretty(message) for message in core.traffic.after(0))


def kept_in(folder: Path) -> bytes:
    """All that is in the files of a folder."""
    return b"\n".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


async def test_what_a_server_repeats_of_its_token_is_hidden_wherever_it_is_kept(
    core: Core, guarded: Authorization, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await core.settle()
    await core.service.sign_in("web", Person(guarded))
    await core.service.connection("web").settle()
    result = await core.executor.run(ToolCall("web:echo", {}))
    assert result.output == "you sent canary-access-1"  # a person sees all of it
    refused = await core.executor.run(ToolCall("web:echo", {"text": "x"}))
    assert not refused.success
    held = core.service.sign_ins.store.known("web")
    assert held is not None
    assert await core.service.sign_ins.renew(core.store.servers["web"], held)
    result = await core.executor.run(ToolCall("web:echo", {}))
    assert result.output == "you sent canary-access-2"
    assert "you sent" in trace(core)
    assert "canary" not in trace(core)
    await core.close()
    assert "canary" not in caplog.text
    kept = kept_in(tmp_path)
    assert b"you sent" in kept
    assert b"canary" not in kept
    assert "canary" not in " ".join(psutil.Process().cmdline())


def test_what_the_sdk_logs_of_a_failed_sign_in_stays_hidden_after_others_set_up_their_logs(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Uvicorn sets up its logs so, and that enables again what was disabled."""
    caplog.set_level(logging.DEBUG)
    logging.config.dictConfig({"version": 1, "disable_existing_loggers": False})
    logging.getLogger("mcp.client.auth.oauth2").error("OAuth flow error: canary")
    assert caplog.text == ""

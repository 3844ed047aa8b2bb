"""Sessions in a program, and sessions of a run that ends."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import UsageError
from desktop.base.paths import Paths
from desktop.base.tasks import spawn
from desktop.core import build_core
from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.agent.events import CallStepped
from desktop.features.chat.agent.session_info import Builtin
from desktop.features.chat.host import AgentHost
from desktop.features.models.formats import ApiFormat
from tests.features.chat.agent.scripted import Scripted, calls
from tests.features.models.loopback.script import Script, turn
from tests.features.models.loopback.server import Loopback
from tests.live_servers import until
from tests.server_commands import command
from tests.test_host import SESSION, run
from tests.tools.people import Person

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.features.chat.agent.events import AgentEvent
    from tests.features.models.loopback.exchange import Request

EVALUATE = ("calculator__evaluate", {"expression": "6*7"})


def test_a_program_runs_a_session_with_a_built_in_server(tmp_path: Path) -> None:
    with Loopback() as loopback:
        base = loopback.base_url(ApiFormat.OPENAI)
        provider = {"kind": "openai", "api": "chat", "baseUrl": base}
        settings = {"mcpServers": {}, "mcpDesktop": {"providers": {"openai": provider}}}
        (tmp_path / "mcp.json").write_text(json.dumps(settings), "utf-8")
        script = Script([turn("Let me see.", [EVALUATE]), turn("It is 42.")])
        loopback.play(script)
        assert run(SESSION, tmp_path, OPENAI_API_KEY="sk-secret-0123456789") == "It is 42.\n"
        second: Request = script.requests[1]
        assert "42" in json.dumps(second.body["messages"][-1])


async def test_a_provider_that_is_not_there_opens_no_session(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text('{"mcpServers": {}}', "utf-8")
    async with AgentHost(tmp_path / "mcp.json", tmp_path / "data") as host:
        with pytest.raises(UsageError, match="no provider 'other'"):
            await host.open_session("other", approve=lambda _: False)


async def test_quitting_ends_the_sessions_with_what_they_started_and_their_calls_are_kept(
    tmp_path: Path,
) -> None:
    paths = Paths(tmp_path / "mcp.json", tmp_path / "data")
    program, arguments = command("plain")
    plain = {"command": program, "args": arguments}
    paths.config.write_text(json.dumps({"mcpServers": {"one": plain}}), "utf-8")
    core = build_core(paths, {**os.environ, "SHELL": "/bin/sh"})
    core.follow_store()
    await core.settle()
    evaluate = calls(("calculator__evaluate", {"expression": "6*7"}))
    slow = calls(("mcp__one__slow", {"seconds": 60, "steps": 600}))
    model = Scripted([evaluate, slow])
    builtins = [Builtin("calculator")]
    session = await core.part(Agent).sessions.create(model, "m", Person(), builtins=builtins)
    heard: list[AgentEvent] = []
    session.event_emitted.connect(heard.append)
    asking = spawn(session.ask("go"), "ask")
    await until(
        session.event_emitted,
        lambda: [e for e in heard if isinstance(e, CallStepped) and e.step.step == "progress"],
    )
    receipt = await core.close()
    assert (await asking).end == "stopped"
    assert sorted(receipt.closed) == ["calculator", "one"]
    assert core.tracker.tracked == ()
    later = build_core(paths, {**os.environ, "SHELL": "/bin/sh"})
    kept = await later.part(Agent).sessions.store.read(session.id)
    assert len(kept.messages) == 5
    found = await later.history.page()
    assert [call.key for call in found.calls] == ["one:slow", "calculator:evaluate"]
    await later.close()

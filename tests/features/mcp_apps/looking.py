"""An app as a person looks at it: the servers of a core, and Chromium led by the Playwright server.

Approvals are answered by `Looking.decide`, for each question in the order they come.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
from typing import TYPE_CHECKING, Any

from desktop.base.paths import Paths
from desktop.bootstrap import build_bootstrap
from desktop.core import build_core_on
from desktop.features.mcp_apps.bridge import ShownCall
from desktop.features.mcp_apps.gui import early
from desktop.features.mcp_apps.loopback import PageLabels
from desktop.features.mcp_apps.views import views_of
from desktop.tools.approvals import ApprovalResponse
from desktop.values.tool_types import ToolCall
from tests import peers
from tests.patience import LIMIT
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from pathlib import Path

    from desktop.core import Core
    from desktop.features.mcp_apps.views import AppView
    from desktop.tools.approvals import ApprovalQuestion, Choice
    from desktop.values.tool_types import ToolResult

BROWSER = "browser"


def script(name: str, *args: object) -> dict[str, Any]:
    """The entry of a test server in the config."""
    program, arguments = command(name, *args)
    return {"command": program, "args": arguments}


class Looking:
    """One core, and what its apps asked and called."""

    def __init__(self, core: Core) -> None:
        self.core, self.apps = core, views_of(core)
        self.decide: Callable[[ApprovalQuestion], Choice] = lambda _: "once"
        self.asked: list[str] = []
        self.called: dict[str, list[ToolResult]] = {}

    async def show(
        self, key: str, arguments: dict[str, Any] | None = None, *, with_domains: bool = False
    ) -> AppView:
        """Call a tool and open its app, as *Run* and *Open* do."""
        result = await self.core.executor.run(ToolCall(key, arguments or {}))
        assert result.success, result
        tool = self.core.registry.find(key).definition
        resource = await self.apps.load(tool)
        shown = ShownCall(tool, arguments or {}, result)
        labels = PageLabels(title=tool.label)
        view = self.apps.open(shown, resource, labels, with_domains=with_domains)
        self.follow(view)
        return view

    def follow(self, view: AppView) -> None:
        """Answer what it asks, and keep what it calls."""
        view.changed.connect(lambda: self._answer(view))
        view.executor.finished.connect(self._take)

    def _take(self, call: ToolCall, result: ToolResult) -> None:
        self.called.setdefault(call.key.partition(":")[2], []).append(result)

    def _answer(self, view: AppView) -> None:
        for call_id, question in list(view.questions.items()):
            if call_id not in self.asked:
                self.asked.append(call_id)
                view.answer(call_id, ApprovalResponse(self.decide(question)))

    async def browse(self, tool: str, **arguments: object) -> str:
        """What a tool of the Playwright server says."""
        result = await self.core.executor.run(ToolCall(f"{BROWSER}:browser_{tool}", arguments))
        assert result.success, result
        return result.output

    async def sees(self, text: str) -> None:
        """Wait until the page, or the app in it, has a text."""
        async with asyncio.timeout(LIMIT):
            while text not in await self.browse("snapshot"):
                pass

    async def click(self, button: str) -> None:
        """Click a button of the app by its name."""
        snapshot = await self.browse("snapshot")
        found = re.search(rf'button "{re.escape(button)}".*?\[ref=(\w+)\]', snapshot)
        assert found is not None, snapshot
        await self.browse("click", element=button, target=found.group(1))

    async def reported(self) -> dict[str, Any]:
        """What the hostile app found."""
        async with asyncio.timeout(LIMIT):
            while "report" not in self.called:
                await self.next()
        return json.loads(self.called["report"][0].output)

    async def next(self) -> None:
        """Until another call of an app has ended."""
        news = asyncio.Event()
        ends = [
            view.executor.finished.connect(lambda _, __: news.set()) for view in self.apps.views
        ]
        try:
            await news.wait()
        finally:
            for end in ends:
                end()


async def until(view: AppView, is_so: Callable[[], bool]) -> None:
    """Wait until a view is as it should be."""
    news = asyncio.Event()
    end = view.changed.connect(news.set)
    try:
        async with asyncio.timeout(LIMIT):
            while not is_so():
                news.clear()
                await news.wait()
    finally:
        end()


@contextlib.asynccontextmanager
async def looking(
    folder: Path, *, with_browser: bool = True, **servers: dict[str, Any]
) -> AsyncGenerator[Looking]:
    """A core with these servers, which they are told can show apps."""
    if with_browser:
        program, *args = peers.playwright_command()
        servers[BROWSER] = {"command": program, "args": args, "cwd": str(folder)}
    file = folder / "mcp.json"
    file.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    environ = {**os.environ, "SHELL": "/bin/sh"}
    ground = build_bootstrap(Paths(file, folder / "data"), environ)
    core = build_core_on(ground)
    core.surroundings.extensions.update(early.extensions())
    core.follow_store()
    try:
        async with asyncio.timeout(LIMIT):
            await core.settle()
        yield Looking(core)
    finally:
        await core.close()

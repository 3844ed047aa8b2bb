"""`McpHost`: the whole app without a screen, for programs that import it as a library.

Loads the tools of the configured servers and calls them; leaving the `async with` block ends every
process that was started. Everything is composed by `desktop.core`; nothing is built here a second
time. `AgentHost` adds sessions. Must not print or ask anything by itself, and must not write into
the person's folders unless a program names one.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from desktop.base.errors import UsageError
from desktop.base.paths import find_paths
from desktop.bootstrap import build_bootstrap
from desktop.core import Core, build_core_on
from desktop.tools.loader import load_mcp_tools
from desktop.values.tool_types import ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType
    from typing import Any, Self

    from desktop.base.paths import Paths
    from desktop.config.models import ServerConfig
    from desktop.tools.loader import LoadedTools
    from desktop.values.tool_types import ToolResult


class McpHost:
    """The servers of a config file or of a program, and their tools.

    Use it as `async with McpHost(...) as host`; once, and in one event loop.
    """

    def __init__(
        self,
        config: str | os.PathLike[str] | None = None,
        data: str | os.PathLike[str] | None = None,
        *,
        servers: Iterable[ServerConfig | str] = (),
    ) -> None:
        """Read nothing and start nothing yet.

        Args:
            config: the `mcpServers` file, all of which may start; without it the one that the app
                uses, of which what a person agreed to may; none with `servers`.
            data: the folder of logs, history and sessions; without it (and without
                `MCP_DESKTOP_DATA`) a temporary one that is deleted in the end.
            servers: more servers, each a `ServerConfig` or `"NAME=COMMAND"` or `"NAME=URL"`.

        Raises:
            UsageError: a text of `servers` cannot be understood.
        """
        self._config = os.fspath(config) if config is not None else None
        self._data = (
            os.fspath(data) if data is not None else os.environ.get("MCP_DESKTOP_DATA") or None
        )
        self._servers = [_given(each) for each in servers]
        self._temporary: TemporaryDirectory[str] | None = None
        self._core: Core | None = None

    @property
    def core(self) -> Core:
        """All parts of the app, for what this class does not offer.

        Raises:
            UsageError: outside of the `async with` block.
        """
        if self._core is None:
            raise UsageError("The host is not open.", remedy="Use `async with McpHost() as host`.")
        return self._core

    async def __aenter__(self) -> Self:
        """Read the config; starts no server.

        Raises:
            ConfigError: the file cannot be understood.
        """
        bootstrap = build_bootstrap(self._find_paths(), own_path_first=True)
        if bootstrap.store.error is not None:
            await bootstrap.close()
            self._forget()
            raise bootstrap.store.error
        bootstrap.store.give(self._servers)
        await bootstrap.sweep.run()
        if self._temporary is None:
            await bootstrap.keep_trust()
        self._core = build_core_on(bootstrap)
        for config in bootstrap.store.servers.values():
            self._core.service.add_server(config)
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        """End all servers and processes."""
        core, self._core = self.core, None
        await core.close()
        self._forget()

    def _find_paths(self) -> Paths:
        paths = find_paths(self._config, self._data)
        if self._data is None:
            self._temporary = TemporaryDirectory(prefix="mcp-desktop-", ignore_cleanup_errors=True)
            paths = paths._replace(data=Path(self._temporary.name), agreed=paths.data)
        if self._servers and self._config is None:
            paths = paths._replace(config=paths.data / "no-config.json")
        return paths

    def _forget(self) -> None:
        """Delete the data of a program that named no folder for it."""
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None

    async def load_tools(self) -> LoadedTools:
        """Connect the enabled servers; returns their tools, and why other servers have none."""
        return await load_mcp_tools(self.core.service)

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any] | None = None, timeout: float | None = None
    ) -> ToolResult:
        """Validate the arguments and call a tool of the connected servers; a failure is a result.

        Args:
            name: `server:tool`, or the tool's name alone if only one server has it.
            arguments: by the tool's `inputSchema`.
            timeout: seconds without answer or progress; None for the server's own, 120 unless set.
        """
        call = ToolCall(name, dict(arguments or {}), origin="terminal", timeout=timeout)
        return await self.core.executor.run(call)


def _given(server: ServerConfig | str) -> ServerConfig:
    if not isinstance(server, str):
        return server
    from desktop.config.given import parse_server

    return parse_server(server)

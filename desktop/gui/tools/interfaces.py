"""What the Tools page needs of the core, as protocols. Must not import Qt or the core itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from desktop.base.signals import Signal
    from desktop.config.models import ServerConfig
    from desktop.tools.executor import CheckedArguments
    from desktop.values.resource_types import ReadResult
    from desktop.values.tool_types import (
        JsonObject,
        Progress,
        ToolCall,
        ToolDefinition,
        ToolResult,
    )


class RegisteredTool(Protocol):
    """A tool that can be run; the page reads only its definition."""

    @property
    def definition(self) -> ToolDefinition: ...


class ToolCatalog(Protocol):
    """All tools that can be run now, and a signal for every change."""

    @property
    def changed(self) -> Signal[[]]: ...
    def all(self) -> Sequence[RegisteredTool]: ...


class AwaitedCatalog(Protocol):
    """Tools of the last run whose servers are still starting: without schemas, to be looked at."""

    @property
    def changed(self) -> Signal[[]]: ...
    @property
    def words(self) -> str: ...
    def has(self, key: str) -> bool: ...
    def among(self, tools: Iterable[ToolDefinition], /) -> list[ToolDefinition]: ...


class ServerSource(Protocol):
    """The config of a server, by its name; None if it is not in the config file."""

    def __call__(self, name: str, /) -> ServerConfig | None: ...


def no_server(_: str, /) -> ServerConfig | None:
    """The source for a page that has no config."""
    return None


class ResourceSource(Protocol):
    """Asks a server, by its name, for what is at a URI; never raises for what it answers."""

    async def __call__(self, server: str, uri: str, /) -> ReadResult: ...


class ToolRunner(Protocol):
    """Checks, runs and cancels calls; cancelling the awaiting task cancels its call, too."""

    def check(self, key: str, arguments: JsonObject) -> CheckedArguments: ...
    async def run(
        self,
        call: ToolCall,
        on_progress: Callable[[Progress], None] | None = None,
        *,
        checked: CheckedArguments | None = None,
    ) -> ToolResult: ...
    def cancel(self, call_id: str) -> bool: ...

"""Servers that are started and called as a person's own are: through the core, by the executor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from desktop.cli.self_checks.check import CheckFailedError
from desktop.tools.call import ToolCall

if TYPE_CHECKING:
    from desktop.config.models import ServerConfig
    from desktop.core import Core


@dataclass(frozen=True, slots=True)
class SafeCall:
    """A call that changes nothing, and a text its result has to have."""

    tool: str
    arguments: dict[str, Any]
    expected: str


SUM: Final = SafeCall("evaluate", {"expression": "2*(3+4)"}, "14")
SAFE_CALLS: Final = {
    "calculator": SUM,
    "time": SafeCall("get_current_time", {"timezone": "UTC"}, "UTC"),
}
"""By built-in server; of the others the tools are listed and none is called."""


async def use(core: Core, config: ServerConfig, call: SafeCall | None) -> str:
    """Connect the server, list its tools, make the call.

    Raises:
        CheckFailedError: one of the three went wrong.
    """
    connection = core.service.add_server(config.model_copy(update={"enabled": True}))
    await connection.connect()
    if not connection.is_connected:
        raise CheckFailedError(connection.state.words)
    listed = f"{len(connection.tools)} tools"
    if not connection.tools:
        raise CheckFailedError("connected, but it has no tools")
    if call is None:
        return f"{listed} listed, none called"
    key = f"{config.name}:{call.tool}"
    result = await core.executor.run(ToolCall(key, call.arguments, origin="terminal"))
    if result.error is not None:
        raise CheckFailedError(f"{key}: {result.error.message}")
    if call.expected not in result.output:
        raise CheckFailedError(f"{key} answered {result.output[:200]!r}, not {call.expected!r}")
    return f"{listed}, {call.tool} answered"

"""Servers that are started and called as a person's own are: through the core, by the executor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from desktop.cli.self_checks.check import CheckFailedError
from desktop.tool_types import ToolCall

if TYPE_CHECKING:
    from desktop.config.models import ServerConfig
    from desktop.core import Core


@dataclass(frozen=True, slots=True)
class TrialCall:
    """A call that touches nothing of the person's, and a text its result has to have."""

    tool: str
    arguments: dict[str, Any]
    expected: str


SUM: Final = TrialCall("evaluate", {"expression": "2*(3+4)"}, "14")


async def use(core: Core, config: ServerConfig, call: TrialCall) -> str:
    """Connect the server, list its tools, make the call.

    Raises:
        CheckFailedError: one of the three went wrong.
    """
    connection = core.service.add_server(config.model_copy(update={"enabled": True}))
    await connection.connect()
    if not connection.is_connected:
        raise CheckFailedError(connection.state.words)
    count = len(connection.tools)
    listed = "1 tool" if count == 1 else f"{count} tools"
    if not connection.tools:
        raise CheckFailedError("connected, but it has no tools")
    key = f"{config.name}:{call.tool}"
    result = await core.executor.run(ToolCall(key, call.arguments, origin="terminal"))
    if result.error is not None:
        raise CheckFailedError(f"{key}: {result.error.message}")
    if call.expected not in result.output:
        raise CheckFailedError(f"{key} answered {result.output[:200]!r}, not {call.expected!r}")
    return f"{listed}, {call.tool} answered"

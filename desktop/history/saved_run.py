"""Runs saved calls one by one and says what became of each; the same for terminal and window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from desktop.history.expectation import differences
from desktop.tool_types import ErrorCode, ToolCall, ToolError, ToolResult

if TYPE_CHECKING:
    from desktop.history.expectation import Mismatch
    from desktop.history.last_run import Outcome
    from desktop.history.saved_call import SavedCall
    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService
    from desktop.tools.executor import ToolExecutor

Origin: TypeAlias = Literal["person", "agent", "terminal"]


@dataclass(frozen=True, slots=True)
class SavedCallOutcome:
    """What became of one call; `unreachable` and `timeout` only where they were not expected."""

    call: SavedCall
    result: ToolResult
    differences: tuple[Mismatch, ...]

    @property
    def outcome(self) -> Outcome:
        if not self.differences:
            return "passed"
        code = self.result.error.code if self.result.error is not None else None
        if code is ErrorCode.UNREACHABLE:
            return "unreachable"
        return "timeout" if code is ErrorCode.TIMEOUT else "failed"

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.call.name,
            "tool": self.call.tool,
            "outcome": self.outcome,
            "seconds": round(self.result.execution_time, 6),
            "differences": [one.to_json() for one in self.differences],
            "result": self.result.to_json(),
        }


class SavedCallRunner:
    """Runs calls on the servers of one service."""

    def __init__(self, service: McpService, executor: ToolExecutor) -> None:
        self._service, self._executor = service, executor

    async def run(
        self, call: SavedCall, origin: Origin, timeout: float | None = None
    ) -> SavedCallOutcome:
        """Run one call, once its server is connected or has failed; starts none.

        Args:
            call: what to run, and what is expected of it.
            origin: on whose behalf.
            timeout: seconds, where the call itself does not say.
        """
        server = call.tool.partition(":")[0]
        connection = self._service.connections.get(server)
        if connection is not None:
            await connection.settle()
        if connection is None or not connection.is_connected:
            result = _unreachable(server, connection)
        else:
            limit = call.timeout if call.timeout is not None else timeout
            made = ToolCall(call.tool, call.arguments, origin=origin, timeout=limit)
            result = await self._executor.run(made)
        return SavedCallOutcome(call, result, differences(call.expect, result))


def _unreachable(server: str, connection: ServerConnection | None) -> ToolResult:
    if connection is None:
        words = f"There is no server {server!r}."
    else:
        words = connection.state.error or f"{server}: {connection.state.words}"
    error = ToolError("ServerError", words, ErrorCode.UNREACHABLE)
    return ToolResult(success=False, error=error)

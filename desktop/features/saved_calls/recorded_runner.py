"""Runs saved calls on a recording: each gets the answer that the same call got when it was made.

In place of `SavedCallRunner` where one side of a comparison is a file. Calls no server. What was
never recorded is an error that says so.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from desktop.base.translatable import translatable
from desktop.redaction.arguments import redact_arguments
from desktop.servers.recorded_answers import RecordedAnswers
from desktop.values.json_schema import object_of
from desktop.values.tool_types import EMPTY, ErrorCode, failed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.features.saved_calls.saved_call import SavedCall
    from desktop.features.saved_calls.saved_call_runner import Origin
    from desktop.servers.recording import Exchange, RecordedServer
    from desktop.values.tool_types import ToolResult

NOT_RECORDED: Final = "NotRecorded"
"""The type of the error where the recording has no answer."""
_CALL: Final = "tools/call"


class RecordedRunner:
    """Answers from the servers of one recording; a new one begins at their first answers again."""

    def __init__(self, servers: Mapping[str, RecordedServer]) -> None:
        """Args: servers: of a recording, by their names in it."""
        self._servers = servers
        self._answers = {name: RecordedAnswers(server) for name, server in servers.items()}

    async def run(
        self, call: SavedCall, origin: Origin, timeout: float | None = None, server: str = ""
    ) -> ToolResult:
        """As `SavedCallRunner.run`; who asks and how long it may take means nothing here."""
        named, _, tool = call.tool.partition(":")
        # In a thread: a long recording is compared with the arguments of each call.
        return await asyncio.to_thread(self._answer, call, server or named, tool)

    def secrets_in(self, call: SavedCall, server: str = "") -> list[str]:
        """The values in its arguments that are secret by the tool's schema, their name or form."""
        named, _, name = call.tool.partition(":")
        recorded = self._servers.get(server or named)
        tools = recorded.entries("tools/list", "tools") if recorded is not None else []
        schema = next((tool.get("inputSchema") for tool in tools if tool.get("name") == name), None)
        return redact_arguments(call.arguments, object_of(schema) or EMPTY).values

    def _answer(self, call: SavedCall, server: str, tool: str) -> ToolResult:
        answers = self._answers.get(server)
        if answers is None:
            words = translatable("The recording has no server “{name}”.", name=server)
            return failed(NOT_RECORDED, words, ErrorCode.UNREACHABLE)
        exchange = answers.take(_CALL, {"name": tool, "arguments": call.arguments})
        result = recorded_result(exchange, f"{server}:{tool}") if exchange is not None else None
        return result or failed(NOT_RECORDED, _missing(answers, tool), ErrorCode.UNREACHABLE)


def recorded_result(exchange: Exchange, called: str = "") -> ToolResult | None:
    """What a recorded call answered; None without a whole answer.

    Args: called: `server:tool`, which an error of the server is said to come from.
    """
    if exchange.error is not None:
        message = str(exchange.error.get("message", ""))
        # As a live call says it: the two are compared.
        words = f"{called}: {message} (code {exchange.error.get('code')})" if called else message
        result: ToolResult | None = failed("MCPError", words, ErrorCode.PROTOCOL)
    elif exchange.result is not None:
        from desktop.servers.content import from_json  # brings the SDK

        result = from_json(exchange.result)
    else:
        return None
    return replace(result, execution_time=exchange.seconds) if result is not None else None


def _missing(answers: RecordedAnswers, tool: str) -> str:
    count: Any = answers.count_of(_CALL, tool)
    if count:
        return translatable(
            "The recording has no whole answer to {tool} with these arguments; "
            "calls of it that were recorded: {count}.",
            tool=tool,
            count=count,
        )
    return translatable("The recording has no call of {tool}.", tool=tool)

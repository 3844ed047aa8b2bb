"""Runs the tool calls of one turn side by side; the answers keep the order of the requests.

Whatever goes wrong is an answer, so that the model can read it. Must not ask the model.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from desktop.agent.conversation import cancelled
from desktop.agent.events import CallAnswered, CallStarted
from desktop.agent.kept_results import cut, text_of
from desktop.llm.formats import UnknownTool
from desktop.llm.messages import ToolAnswer
from desktop.tool_types import ErrorCode, ToolCall, failed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.agent.events import AgentEvent
    from desktop.agent.secrets import SessionSecrets
    from desktop.agent.session_tools import SessionTools
    from desktop.llm.formats import WireTools
    from desktop.llm.messages import ToolRequest
    from desktop.tool_types import ToolResult


logger = logging.getLogger(__name__)


class ToolCallBatch:
    """One turn's requests on their way to answers."""

    def __init__(
        self,
        requests: Sequence[ToolRequest],
        table: WireTools,
        tools: SessionTools,
        secrets: SessionSecrets,
        tell: Callable[[AgentEvent], None],
    ) -> None:
        """Args: table: the tools as the model was shown them when it wrote the requests."""
        self._requests, self._table, self._tools = requests, table, tools
        self._secrets, self._tell = secrets, tell
        self._ran: dict[int, ToolResult] = {}
        self._answers: dict[int, ToolAnswer] = {}

    async def run(self, most: int) -> None:
        """Run the first `most` calls and wait for all; being cancelled cancels them."""
        unheard = self._tools.executor.finished.connect(self._secrets.learn)
        try:
            await asyncio.gather(*(self._one(n, n < most) for n in range(len(self._requests))))
        finally:
            unheard()

    def answers(self, words: str) -> tuple[ToolAnswer, ...]:
        """An answer to each request; to those that came to none, `words`."""
        for n, request in enumerate(self._requests):
            if n in self._answers:
                continue
            ran = self._ran.get(n)  # stopped while its rest was being kept
            missing = "The rest is not kept: it was stopped."
            result = cut(ran, text_of(ran), missing) if ran else cancelled(request, words).result
            self._settle(n, result)
        return tuple(self._answers[n] for n in range(len(self._requests)))

    async def _one(self, n: int, within: bool) -> None:
        request = self._requests[n]
        found = self._table.find(request.wire_name)
        if isinstance(found, UnknownTool):
            self._tell(CallStarted(request.call_id, request))
            result = failed("ToolNotFoundError", found.sentence, ErrorCode.NOT_FOUND)
            self._settle(n, result)
            return
        self._tell(CallStarted(request.call_id, request, found))
        if not within:
            words = "Too many calls in one turn; this one was not sent. Call it again."
            self._settle(n, failed("LimitError", words, ErrorCode.DENIED))
            return
        result = await self._tools.executor.run(self._call(request, found))
        self._ran[n] = result
        try:
            result = await self._tools.kept.fit(result, self._secrets.cover)
        except Exception as error:
            logger.exception("the result of %s was not taken over", found)
            result = failed(type(error).__name__, str(error), ErrorCode.INTERNAL)
        self._settle(n, result)

    def _call(self, request: ToolRequest, key: str) -> ToolCall:
        read = self._table.read_arguments(request.wire_name, request.arguments)
        if read.error and isinstance(request.arguments, str):
            # The executor finds the same fault in it, and the call is seen like all others.
            return ToolCall(key, {}, request.call_id, "agent", text=request.arguments)
        return ToolCall(key, read.arguments, request.call_id, "agent")

    def _settle(self, n: int, result: ToolResult) -> None:
        request = self._requests[n]
        answer = ToolAnswer(request.call_id, request.wire_name, result)
        self._answers[n] = answer
        self._tell(CallAnswered(answer))

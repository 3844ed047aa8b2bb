"""An executor alone with a tool that lives in the test, or over one real server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.base.signals import Signal
from desktop.tools.adapters import DefinedTool
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry
from desktop.values.tool_types import (
    Decision,
    Progress,
    ToolCall,
    ToolDefinition,
    ToolResult,
    ValidationIssue,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.servers.service import McpService
    from desktop.values.tool_types import CallStep, JsonObject, Origin


class Own(DefinedTool):
    """A tool that lives here: says what it was given, or waits until it is let go."""

    def __init__(self, *, output_schema: JsonObject | None = None, **answer: object) -> None:
        schema = {"properties": {"n": {"type": "integer"}}}
        self.definition = ToolDefinition(
            "own", "tool", input_schema=schema, output_schema=output_schema
        )
        self.given: list[JsonObject] = []
        self.waiting: list[asyncio.Event] = []
        self.holds = False
        self.held: Signal[[]] = Signal()
        self._answer = answer

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        self.given.append(arguments)
        if self.holds:
            self.waiting.append(asyncio.Event())
            self.held.send()
            await self.waiting[-1].wait()
        if on_progress is not None:
            on_progress(Progress(1, 2, "half"))
        return ToolResult(**{"success": True, **self._answer})  # type: ignore[arg-type]  # as asked


class Asked:
    """An approver that answers what it was made with, and remembers what it was asked."""

    def __init__(
        self, reason: str = "", *, allowed: bool = True, instead: JsonObject | None = None
    ) -> None:
        self.questions: list[tuple[str, JsonObject, str, Origin]] = []
        self._allowed, self._reason, self._instead = allowed, reason, instead

    async def approve(
        self, definition: ToolDefinition, arguments: JsonObject, *, call_id: str, origin: Origin
    ) -> Decision:
        self.questions.append((definition.key, arguments, call_id, origin))
        given = arguments if self._instead is None else self._instead
        return Decision(self._allowed, given, self._reason)


class Alone:
    """An executor over one tool of its own, and every step it told."""

    def __init__(self, tool: Own, **parts: object) -> None:
        registry = ToolRegistry()
        registry.set_server("own", [tool])
        self.executor = ToolExecutor(registry, **parts)  # type: ignore[arg-type]  # as asked
        self.steps: list[CallStep] = []
        self.executor.stepped.connect(self.steps.append)

    @property
    def told(self) -> list[str]:
        return [step.step for step in self.steps]

    def step(self, name: str) -> CallStep:
        return next(step for step in self.steps if step.step == name)


class Counted(Own):
    """Remembers what it was to validate."""

    def __init__(self) -> None:
        super().__init__()
        self.validated: list[JsonObject] = []

    def validate(self, arguments: JsonObject) -> list[ValidationIssue]:
        self.validated.append(arguments)
        return super().validate(arguments)


class Bench:
    """An executor over one real server, and what it told."""

    def __init__(self, service: McpService) -> None:
        self.service = service
        self.registry = ToolRegistry()
        self.executor = ToolExecutor(self.registry)
        self.loader = ToolsLoader(service, self.registry)
        self.told: list[ToolCall | ToolResult] = []
        self.executor.started.connect(self.told.append)
        self.executor.finished.connect(lambda _, result: self.told.append(result))

    async def run(self, key: str, **arguments: object) -> ToolResult:
        """One call, which has to be told of with its result."""
        self.told.clear()
        call = ToolCall(key, arguments)
        result = await self.executor.run(call)
        assert self.told == [call, result]
        return result

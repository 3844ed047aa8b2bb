"""Asks the provider of a chat, when a person wants it, what the tools cost by its own counter.

One question at a time; another one, or the end of its owner, cancels it. Shows nothing.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import DesktopError
from desktop.gui import bridge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.features.chat.gui.interfaces import Providers
    from desktop.features.chat.llm.completion import TokenCount
    from desktop.features.models.formats import ApiFormat
    from desktop.values.tool_types import ToolDefinition


class ExactCount(QObject):
    """`result` or `error` of the last question, both empty once `forget` was called."""

    changed = Signal()

    def __init__(self, providers: Providers, parent: QObject) -> None:
        super().__init__(parent)
        self._providers = providers
        self._task: asyncio.Task[None] | None = None
        self.result: TokenCount | None = None
        self.error = ""

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def ask(self, provider: str, model: str, tools: Sequence[ToolDefinition]) -> None:
        """Begin to ask; nothing that was known before is shown any longer."""
        self.forget()
        asked = self._ask(provider, model, tuple(tools))
        self._task = bridge.run(self, asked, "count the tokens exactly")
        self.changed.emit()

    def forget(self) -> None:
        """Cancel the question, and drop what was answered: the tools are others now."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
        if task is not None or self.result is not None or self.error:
            self.result, self.error = None, ""
            self.changed.emit()

    async def _ask(self, provider: str, model: str, tools: tuple[ToolDefinition, ...]) -> None:
        try:
            result = await self._count(provider, model, tools)
        except DesktopError as failure:
            self._settle(None, str(failure))
        except Exception:
            self._settle(None, "")
            raise
        else:
            self._settle(result, "")

    def _settle(self, result: TokenCount | None, error: str) -> None:
        """Tell the answer, unless another question was asked meanwhile."""
        if self._task is asyncio.current_task():
            self._task, self.result, self.error = None, result, error
            self.changed.emit()

    async def _count(
        self, provider: str, model: str, tools: tuple[ToolDefinition, ...]
    ) -> TokenCount:
        from desktop.features.models.formats import make_wire_tools

        api_format: ApiFormat = self._providers.api_format(provider)
        table = await asyncio.to_thread(make_wire_tools, tools, api_format)
        service = self._providers.service(provider)
        try:
            return await service.count_tools(model, table)
        finally:
            await service.close()

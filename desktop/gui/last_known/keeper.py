"""Keeps what the window shows of servers and tools, so that the next run shows it first.

Looks a while after a change, writes in a thread, and once more at the end of the run. Must not
change anything else.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop.base.errors import ConfigError
from desktop.gui import bridge
from desktop.gui.last_known.snapshot import (
    MAX_SERVERS,
    MAX_TOOLS,
    KnownContent,
    KnownSection,
    KnownServer,
    KnownTool,
    stamp_of,
    write_snapshot,
)
from desktop.gui.servers.labels import purpose_label, tools_label, transport_label
from desktop.gui.tools.remembered_tools import RememberedTools
from desktop.gui.tools.tool_sections import Section, rows_of
from desktop.gui.widgets.two_line_rows import first_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core import Core
    from desktop.gui.last_known.awaited import AwaitedTools
    from desktop.gui.main_window import MainWindow
    from desktop.servers.connection import ServerConnection
    from desktop.values.tool_types import ToolDefinition

PAUSE_MS = 2000
"""Milliseconds in which changes are collected."""
_SEPARATOR = "  ·  "

logger = logging.getLogger(__name__)


class ContentKeeper(QObject):
    """Follows the core for as long as the window lives."""

    def __init__(self, window: MainWindow, core: Core, awaited: AwaitedTools) -> None:
        super().__init__(window)
        self._core, self._awaited = core, awaited
        self._settings = window.state.settings
        self._is_writing = False
        self._soon = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._soon.timeout.connect(self._keep)
        bridge.connect(self, core.store.changed, self._note)
        for signal in (core.service.state_changed, core.service.tools_changed):
            bridge.connect(self, signal, self._note)
        self._note()

    def finish(self) -> None:
        """Write now what was to be written soon, and follow nothing any more."""
        if self._soon.isActive():
            self._soon.stop()
            self._write(self.look())
        self.blockSignals(True)

    def look(self) -> KnownContent:
        """What there is to be shown now."""
        core = self._core
        count, own, listed = self._listed()
        tools, rows = self._tool_rows(self._awaited.among(listed), own)
        connections = islice(core.service.connections.values(), MAX_SERVERS)
        return KnownContent(
            time.time(),
            stamp_of(core.paths.config),
            tuple(_server(each) for each in connections if each.config.source != "environment"),
            tools,
            rows,
            count or len(tools),
        )

    def _listed(self) -> tuple[int, Counter[str], list[ToolDefinition]]:
        """How many tools there are, how many of each server, and the first of each."""
        own: Counter[str] = Counter()
        first: list[ToolDefinition] = []
        known = self._remembered
        chosen = {*known.favourites, *known.recent}
        for tool in self._core.registry.all():
            server = tool.get_server_name()
            own[server] += 1
            key = f"{server}:{tool.get_original_tool_name()}"
            if own[server] <= MAX_TOOLS or key in chosen:
                first.append(tool.definition)
        return own.total(), own, first

    def _tool_rows(
        self, tools: list[ToolDefinition], own: Counter[str]
    ) -> tuple[tuple[KnownTool, ...], tuple[KnownSection | int, ...]]:
        known = self._remembered
        kept = _KeptTools(self._core.traffic.redaction().text)
        rows: list[KnownSection | int] = []
        shown = rows_of(tools, known.favourites, known.recent, known.closed)
        for row in islice(shown, MAX_TOOLS):
            if isinstance(row, Section):
                count = max(row.count, own[row.server]) if row.server else row.count
                rows.append(KnownSection(row.id, row.server, count, row.is_open))
            else:
                rows.append(kept.place(row))
        for tool in tools:  # those of closed sections, too
            if len(kept.tools) < MAX_TOOLS:
                kept.place(tool)
        return tuple(kept.tools), tuple(rows)

    @property
    def _remembered(self) -> RememberedTools:
        """As the page has left it by now."""
        return RememberedTools(self._settings)

    def _note(self, _: str = "") -> None:
        if not self._soon.isActive() and not self.signalsBlocked():
            self._soon.start()

    def _keep(self) -> None:
        if self._is_writing:
            self._soon.start()
            return
        bridge.run(self, self._write_aside(self.look()), "keep what is shown")

    async def _write_aside(self, snapshot: KnownContent) -> None:
        self._is_writing = True
        try:
            await asyncio.to_thread(self._write, snapshot)
        finally:
            self._is_writing = False

    def _write(self, snapshot: KnownContent) -> None:
        try:
            write_snapshot(self._core.paths.window_content, snapshot)
        except ConfigError as error:
            logger.info("the next start shows its servers later: %s", error)


class _KeptTools:
    """Tools in the order in which they were asked for first, each once."""

    def __init__(self, hide: Callable[[str], str]) -> None:
        self.tools: list[KnownTool] = []
        self._places: dict[str, int] = {}
        self._hide = hide

    def place(self, tool: ToolDefinition) -> int:
        """Where it stands among `tools`."""
        if tool.key not in self._places:
            hints = tool.annotations
            hint = "read-only" if hints.read_only else "destructive" if hints.destructive else ""
            self._places[tool.key] = len(self.tools)
            words = self._hide(first_line(tool.description or tool.title))
            title = self._hide(tool.title)
            self.tools.append(KnownTool(tool.server, tool.name, title, words, hint))
        return self._places[tool.key]


def _server(connection: ServerConnection) -> KnownServer:
    config = connection.config
    if config.source == "builtin" and not connection.is_enabled:
        figures = purpose_label(config)  # ours, and not a command of the person's
    else:
        parts = transport_label(config.transport), tools_label(connection)
        figures = _SEPARATOR.join(filter(None, parts))
    is_builtin = config.source == "builtin"
    return KnownServer(connection.name, is_builtin, connection.is_enabled, figures)

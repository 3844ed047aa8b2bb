"""One tool in other clients: the verdict of each, and why, with the source of each sentence.

Looks at what the server declares, and at the latest results of the tool in the history. Calls
nothing, and opens no address: sources are plain text.
"""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QSplitter, QTreeWidget, QTreeWidgetItem, QWidget

from desktop.base.visible_text import mark_hidden_text
from desktop.gui import bridge
from desktop.gui.layouts import in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.styled_text import StyledText
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.history.store import HistoryError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.features.client_profiles.verdicts import ClientFinding, ClientVerdict, VerdictKind
    from desktop.gui.theme import Theme
    from desktop.history.store import HistoryStore
    from desktop.servers.service import McpService
    from desktop.values.tool_types import ToolDefinition

translate = QCoreApplication.translate
_CORE: Final = "desktop.features.client_profiles.surfaces"
RESULTS: Final = 10
"""Earlier results of the tool that are looked at."""
_LIST_SHARE, _WORDS_SHARE = 400, 600  # the splitter scales them to the room there is


def verdict_label(verdict: VerdictKind) -> StyledText:
    """A verdict in words and colour."""
    match verdict.value:
        case "works":
            return StyledText(translate("ClientWords", "Works"), "success")
        case "renamed":
            return StyledText(translate("ClientWords", "Renamed"), "success")
        case "cut":
            return StyledText(translate("ClientWords", "Cut short"), "warning")
        case "not shown":
            return StyledText(translate("ClientWords", "Not shown"), "danger")
        case "refused":
            return StyledText(translate("ClientWords", "Refused there"), "danger")
        case _:
            return StyledText(translate("ClientWords", "Unknown"), "muted")


class ClientsView(QWidget):
    """The clients, those with a problem first; beside them what is said of the chosen one."""

    shown = Signal()
    """The verdicts of the tool stand there."""

    def __init__(self, theme: Theme, service: McpService, history: HistoryStore) -> None:
        super().__init__()
        self._theme, self._service, self._history = theme, service, history
        self._asking: asyncio.Task[None] | None = None
        self._verdicts: dict[str, ClientVerdict] = {}
        self._chosen = ""
        self.list, self.words = QTreeWidget(self), WrappedTextEditor(self)
        self.note = plain_label("", "muted", "small")
        self._lay_out()
        self.list.currentItemChanged.connect(self._choose)
        theme.changed.connect(
            self._show_list
        )  # the colours of its items do not follow by themselves

    def show_tool(self, tool: ToolDefinition) -> None:
        """Show this tool from now on."""
        if self._asking is not None:
            self._asking.cancel()
        self._asking = bridge.run(self, self._judge(tool), translate("ClientWords", "Clients"))

    @property
    def lines(self) -> list[tuple[str, str]]:
        """What stands in the list: client and verdict."""
        items = map(self.list.topLevelItem, range(self.list.topLevelItemCount()))
        return [(item.text(0), item.text(1)) for item in items if item]

    async def _judge(self, tool: ToolDefinition) -> None:
        await asyncio.to_thread(import_module, _CORE)  # some 60 ms
        from desktop.features.client_profiles.profiles import all_profiles
        from desktop.features.client_profiles.surfaces import earlier_results, surface_of
        from desktop.features.client_profiles.verdicts import by_weight, judge

        connection = self._service.connections.get(tool.server)
        if connection is None:
            return
        try:
            results = await earlier_results(self._history, tool.server, RESULTS, tool.name)
        except HistoryError:  # the page Activity says why
            results = []
        surface = surface_of(connection, results).of(tool)
        # A result may be of any size.
        verdicts = await asyncio.to_thread(lambda: by_weight(judge(surface, all_profiles())))
        self._verdicts = {each.profile.id: each for each in verdicts}
        self._show_note(len(results))
        self._show_list()
        self.shown.emit()

    def _show_note(self, results: int) -> None:
        said = self.tr("By what is declared, and earlier results of the tool: {count}.")
        alone = self.tr("By what is declared; results of the tool are looked at once it was run.")
        self.note.setText(said.format(count=results) if results else alone)

    def _show_list(self) -> None:
        chosen = self._chosen
        self.list.clear()
        for each in self._verdicts.values():
            label = verdict_label(each.verdict)
            item = QTreeWidgetItem([each.profile.label, label.text])
            item.setData(0, Qt.ItemDataRole.UserRole, each.profile.id)
            item.setForeground(1, self._theme.color(label.tone))
            self.list.addTopLevelItem(item)
            if each.profile.id == chosen:
                self.list.setCurrentItem(item)
        first = self.list.topLevelItem(0)
        if self.list.currentItem() is None and first is not None:
            self.list.setCurrentItem(first)

    def _choose(self) -> None:
        item = self.list.currentItem()
        if item is None:
            return
        self._chosen = item.data(0, Qt.ItemDataRole.UserRole)
        verdict = self._verdicts[self._chosen]
        parts = [f"{verdict.profile.label} {verdict.profile.version}"]
        parts += ["\n".join(self._told(finding)) for finding in verdict.findings]
        if not verdict.findings:
            parts.append(self._nothing_said(verdict))
        self.words.setPlainText("\n\n".join(parts))

    def _nothing_said(self, verdict: ClientVerdict) -> str:
        if verdict.verdict == "unknown":
            return self.tr("Nobody says what becomes of names and results there.")
        return self.tr("Nothing is known that would not reach its model.")

    def _told(self, finding: ClientFinding) -> Iterator[str]:
        from desktop.features.client_profiles.profiles import FRESH_DAYS

        cell = finding.cell
        yield mark_hidden_text(spoken(finding.message))
        source = self.tr("Source, {date}: {source}")
        yield source.format(date=cell.date.isoformat(), source=cell.source)
        if cell.seen == "secondhand":
            yield self.tr("Read in somebody else's table, not at the source.")
        if cell.is_old:
            yield self.tr("Older than {days} days: it may be otherwise by now.").format(
                days=FRESH_DAYS
            )
        if cell.note:
            yield self.tr("Note: {note}").format(note=cell.note)

    def _lay_out(self) -> None:
        self.list.setHeaderLabels([self.tr("Client"), self.tr("Verdict")])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAccessibleName(self.tr("Clients"))
        self.list.setAllColumnsShowFocus(True)
        self.list.setMinimumWidth(space(56))
        header = self.list.header()
        header.setStretchLastSection(False)  # the verdict is seen whole, at whatever width
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.words.setReadOnly(True)
        self.words.setAccessibleName(self.tr("What is said of the client"))
        style(self.words, "well")
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.addWidget(self.list)
        splitter.addWidget(self.words)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([_LIST_SHARE, _WORDS_SHARE])
        in_column(self, self.note, (splitter, 1), margins=(0, 2, 0, 0), spacing=1)

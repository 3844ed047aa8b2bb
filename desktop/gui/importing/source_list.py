"""Where servers can be imported from: the clients that were found, and the files a person chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from desktop.gui.importing import words
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.config.imports.plan import ImportPlan
    from desktop.config.imports.reader import DetectedClient

_WIDTH = space(52)


class SourceList(QListWidget):
    """One entry a source, the first one chosen; `chosen` carries its number."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[tuple[DetectedClient, ImportPlan | None]] = []
        self.setFixedWidth(_WIDTH)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSpacing(1)
        style(self)
        self.currentRowChanged.connect(self.chosen)
        self._translate()

    def entry(self, row: int) -> tuple[DetectedClient, ImportPlan | None] | None:
        return self._entries[row] if 0 <= row < len(self._entries) else None

    def choose_best(self, app: str) -> None:
        """Choose the source of `app` (a key), else the first with a new server, else the first."""
        rows = range(len(self._entries))
        best = [row for row in rows if app and _key(self._entries[row][0]) == app]
        best += [row for row in rows if _has_news(self._entries[row][1])]
        self.setCurrentRow(best[0] if best else 0)

    def add(self, found: DetectedClient, plan: ImportPlan | None, *, at: int | None = None) -> None:
        """Append a source, or put it `at` a place and choose it."""
        row = len(self._entries) if at is None else at
        self._entries.insert(row, (found, plan))
        item = QListWidgetItem()
        self.insertItem(row, item)
        self._show(row)
        if at is not None:
            self.setCurrentRow(row)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            for row in range(len(self._entries)):
                self._show(row)
        super().changeEvent(event)

    def _show(self, row: int) -> None:
        found, plan = self._entries[row]
        item = self.item(row)
        said = words.source_words(found, plan)
        item.setText(f"{found.source.label}\n{said}")
        item.setToolTip(str(found.source.path or "").replace("<", "‹"))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{found.source.label}, {said}")

    def _translate(self) -> None:
        self.setAccessibleName(self.tr("Import from"))


def _key(found: DetectedClient) -> str:
    return found.source.app.key if found.source.app is not None else ""


def _has_news(plan: ImportPlan | None) -> bool:
    return plan is not None and any(one.status == "new" for one in plan.servers)

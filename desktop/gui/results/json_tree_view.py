"""The structured value of a result as a tree, with copying of values and paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from desktop.gui.results.json_tree_model import JsonTreeModel
from desktop.gui.results.measures import size_words
from desktop.gui.results.saving import save_as
from desktop.gui.results.structured import Structured, read_json, to_text
from desktop.gui.theme import Theme, space, style

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.results.json_node import JsonNode

_KEY_WIDTH = 60  # grid steps


class JsonTreeView(QWidget):
    """The tree, the path of the current row, and what can be done with it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._structured = Structured(found=False)
        self.model = JsonTreeModel(theme, self)
        self.tree = QTreeView(self)
        self.read = QPushButton(self)
        self._path = QLabel(self)
        self.copy_value = self._action(self.tr("Copy value"), self._copy_value)
        self.copy_path = self._action(self.tr("Copy path"), self._copy_path)
        self.copy_value.setShortcut(QKeySequence.StandardKey.Copy)
        self.copy_path.setShortcut(QKeySequence("Ctrl+Shift+C"))
        self._set_up_tree(theme)
        self._lay_out()
        theme.changed.connect(self.tree.viewport().update)

    def show_structured(self, structured: Structured) -> None:
        """Show the value, or a button that reads it where it is long."""
        self._structured = structured
        self.read.setVisible(bool(structured.waiting))
        self.tree.setVisible(not structured.waiting)
        if structured.waiting:
            size = size_words(len(structured.waiting))
            self.read.setText(self.tr("Read {size} of JSON as a tree").format(size=size))
            return
        self.model.show_value(structured.value)
        top = self.model.index(0, 0)
        self.tree.expand(top)
        self.tree.setCurrentIndex(top)

    def current_node(self) -> JsonNode | None:
        return self.model.node(self.tree.currentIndex())

    def _set_up_tree(self, theme: Theme) -> None:
        self.tree.setModel(self.model)
        self.tree.setUniformRowHeights(True)
        self.tree.setFont(theme.mono_font())
        self.tree.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.setAccessibleName(self.tr("Structured result"))
        self.tree.setIndentation(space(4))
        self.tree.setColumnWidth(0, space(_KEY_WIDTH))
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.tree.addActions([self.copy_value, self.copy_path])
        self.tree.customContextMenuRequested.connect(self._open_menu)
        self.tree.selectionModel().currentChanged.connect(self._show_path)

    def _lay_out(self) -> None:
        style(self._path, "mono", "muted")
        self._path.setTextFormat(Qt.TextFormat.PlainText)
        self._path.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._path.setMinimumWidth(space(10))
        below = QHBoxLayout()
        below.setSpacing(space(1))
        below.addWidget(self._path, 1)
        for action in (self.copy_value, self.copy_path):
            below.addWidget(self._link(action.text(), action.trigger))
        below.addWidget(self._link(self.tr("Save…"), self._save))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, space(2), 0, 0)
        layout.setSpacing(space(1))
        layout.addWidget(self.read, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.tree, 1)
        layout.addLayout(below)
        self.read.clicked.connect(self._read)

    def _read(self) -> None:
        structured = read_json(self._structured.waiting)
        if structured.found:
            self.show_structured(structured)
        else:
            self.read.setText(self.tr("This is not JSON after all"))
            self.read.setEnabled(False)

    def _show_path(self) -> None:
        node = self.current_node()
        self._path.setText(node.path[:200] if node else "")

    def _copy_value(self) -> None:
        if (node := self.current_node()) is not None:
            value: Any = node.shown_value()
            QGuiApplication.clipboard().setText(value if isinstance(value, str) else to_text(value))

    def _copy_path(self) -> None:
        if (node := self.current_node()) is not None:
            QGuiApplication.clipboard().setText(node.path)

    def _save(self) -> None:
        value = self._structured.value
        save_as(self, "result.json", lambda: to_text(value).encode())

    def _open_menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self.copy_value, self.copy_path])
        menu.popup(self.tree.viewport().mapToGlobal(position))

    def _action(self, text: str, triggered: Callable[[], None]) -> QAction:
        action = QAction(text, self)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(triggered)
        return action

    def _link(self, text: str, clicked: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        style(button, "link")
        button.clicked.connect(clicked)
        return button
